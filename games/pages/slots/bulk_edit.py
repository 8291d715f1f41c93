"""Fill or clear several slot counters at once: one command, one line, one undo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.pages.access import refused_page
from games.pages.slots.access import Onlooker, give, sheet_page, slots_only
from games.rules.input import whole_number
from games.rules.state import Refused
from games.screens.slots import view_models
from games.screens.slots.current_game import its

VERBS = ("fill", "clear")


@require_http_methods(["GET", "POST"])
@slots_only(seated=True)
def several(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    """Choose counters and a number of slots; only counters that this seat may change itself."""
    if request.method == "POST":
        return _given(request, asking)
    verb = "clear" if request.GET.get("do") == "clear" else "fill"
    chosen = request.GET.get("who", "")
    able, order = list(_able(asking, verb)), list(asking.names)
    context = {
        "verb": verb,
        "most": its().most,
        "chosen": chosen,
        "groups": list(_groups(asking, able)),
        "counters": [
            {
                "counter_view": each,
                "ticked": chosen in _belongs(each),
                "owner": asking.names.get(each.counter.owner or "", ""),
                "place": order.index(each.counter.owner) + 1 if each.counter.owner in order else 0,
            }
            for each in able
        ],
    }
    return sheet_page(request, asking, "several", context)


def _able(asking: Onlooker, verb: str) -> Iterator[view_models.CounterView]:
    for each in view_models.counter_views(asking.state, asking.seat, in_play=True):
        counter = each.counter
        if not (each.masked or counter.inventory or counter.resolved):
            if getattr(each.rights, verb):
                yield each


def _belongs(seen: view_models.CounterView) -> set[str]:
    """The groups of a counter: all, and those of its type, role, owner and scene."""
    counter = seen.counter
    kinds = {f"type-{counter.type}"} if seen.type_word else set()
    whose, where = f"of-{counter.owner}", f"in-{counter.scene}"
    return {"all", f"role-{counter.role}", whose, where, *kinds}


def _groups(asking: Onlooker, able: list[view_models.CounterView]) -> Iterator[tuple[str, Any]]:
    """The groups with several counters; of two with the same members, the first."""
    yield "all", _("All")
    named: dict[str, Any] = {}
    for each in able:
        counter = each.counter
        if each.type_word:
            named[f"type-{counter.type}"] = each.type_word
        if counter.role:
            named[f"role-{counter.role}"] = counter.name
        if counter.owner:
            named[f"of-{counter.owner}"] = asking.names.get(counter.owner, counter.owner)
        if counter.scene:
            named[f"in-{counter.scene}"] = counter.scene
    known = {frozenset(each.id for each in able)}
    for key, words in named.items():
        members = frozenset(each.id for each in able if key in _belongs(each))
        if len(members) > 1 and members not in known:
            known.add(members)
            yield key, words


def _given(request: HttpRequest, asking: Onlooker) -> HttpResponse:
    verb, count = (
        request.POST.get("do", ""),
        whole_number(request.POST.get("slots", ""), 1, its().most),
    )
    chosen = request.POST.getlist("on")
    if verb not in VERBS or count is None:
        return refused_page(
            request,
            Refused(
                "invalid", _("Enter how many slots, from 1 to %(most)s.") % {"most": its().most}
            ),
        )
    if not chosen:
        return refused_page(request, Refused("invalid", _("Choose at least one.")))
    steps = [{"do": verb, "on": each, "slots": count} for each in dict.fromkeys(chosen)]
    return give(request, asking, {"do": "together", "steps": steps}, "")
