"""A server that anybody may use shows besides: its operator's terms, and what robots may read."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

ROBOTS = """User-agent: *
Allow: /$
Allow: /help
Allow: /about
Allow: /terms
Allow: /static/
Disallow: /
"""
CLOSED = "User-agent: *\nDisallow: /\n"


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """robots.txt: of a public server the pages outside its tables, of any other nothing."""
    return HttpResponse(ROBOTS if settings.PUBLIC else CLOSED, content_type="text/plain")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """The operator's own text, as it stands in the file now. Raises Http404 where there is none."""
    if not settings.TERMS:
        raise Http404
    text = settings.TERMS.read_text(encoding="utf-8")
    return render(request, "pages/terms.html", {"blocks": [*blocks(text)]})


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """The titles ("h1", "h2") and paragraphs ("p") of a text, parted by empty lines."""
    for block in text.split("\n\n"):
        for sign, tag in (("## ", "h2"), ("# ", "h1")):
            if block.strip().startswith(sign):
                title, _, block = block.strip().removeprefix(sign).partition("\n")
                yield tag, title
        if words := " ".join(block.split()):
            yield "p", words
