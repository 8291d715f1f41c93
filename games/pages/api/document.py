"""The OpenAPI document: the addresses from `openapi.json`, the commands as the code reads them."""

from __future__ import annotations

import json
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse

from games.models.tokens import hashed
from games.pages.api.access import answers
from games.pages.parts import unless_known
from games.rules.json_schema import schemas
from games.systems import SYSTEMS

ADDRESSES = Path(__file__).with_name("openapi.json")


def document() -> dict[str, Any]:
    """The whole document, with the commands of every rule system that is installed."""
    found: dict[str, Any] = json.loads(ADDRESSES.read_text("utf-8"))
    parts = found["components"]["schemas"]
    parts["Document"]["properties"]["system"] = {"enum": list(SYSTEMS)}
    parts |= schemas(SYSTEMS, "#/components/schemas/")
    return found


@lru_cache(maxsize=1)
def _written() -> str:
    return json.dumps(document(), ensure_ascii=False)


@answers("GET")
def served(request: HttpRequest) -> HttpResponse:
    """The document; 304 if it is still the same."""
    tag = hashed(_written())[:16]
    made = partial(HttpResponse, _written(), content_type="application/json")
    return unless_known(request, tag, made)
