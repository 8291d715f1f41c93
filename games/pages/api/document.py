"""The OpenAPI document: the addresses as written here, the commands as the code reads them."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from games.models.tokens import hashed
from games.pages.api.access import STATUS, answers
from games.pages.api.views import LINES, MOST_LINES
from games.rules.json_schema import schemas
from games.rules.state import MOST
from games.screens.document import SCHEMA
from games.systems import SYSTEMS

VERSION = "1"
"""The version of the API, as in its addresses; within one version, only additions are made."""
ROOT = "#/components/schemas/"
SEEN = {
    "seats": "the players, by id",
    "objects": "the cards and other things, by id",
    "slot_counters": "the slot counters, by id",
    "teams": "the teams, by id",
    "notes": "the table's notes, by id",
    "standing": "effects that last, by id",
}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"{ROOT}{name}"}


def _answer(description: str, name: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": _ref(name)}}}


def _refusals(*codes: str) -> dict[str, Any]:
    """The answers that refuse, by status. codes: some of those in `STATUS`, or "rules"."""
    by_status: dict[str, list[str]] = {}
    for code in codes:
        by_status.setdefault(str(STATUS.get(code, 422)), []).append(code)
    return {
        status: _answer(
            "refused by the rules" if those == ["rules"] else f"refused: {', '.join(those)}",
            "Refused",
        )
        for status, those in by_status.items()
    }


def _query(name: str, description: str, **schema: Any) -> dict[str, Any]:
    return {
        "name": name, "in": "query", "description": description,
        "schema": {"type": "integer", **schema},
    }  # fmt: skip


PATHS: dict[str, Any] = {
    "/api/v1/state": {
        "get": {
            "operationId": "state",
            "summary": "What the token's seat may see of the game now",
            "parameters": [
                {
                    "name": "If-None-Match",
                    "in": "header",
                    "description": "the ETag of an earlier answer, as it came",
                    "schema": {"type": "string"},
                }
            ],
            "responses": {
                "200": {
                    **_answer("the document", "Document"),
                    "headers": {"ETag": {"required": True, "schema": {"type": "string"}}},
                },
                "304": {"description": "nothing has changed since"},
                **_refusals("no-token", "busy"),
            },
        }
    },
    "/api/v1/log": {
        "get": {
            "operationId": "log",
            "summary": "The log as the token's seat reads it, oldest line first",
            "parameters": [
                _query("after", "only lines with higher numbers", minimum=0, default=0),
                _query("limit", "the most lines", minimum=1, maximum=MOST_LINES, default=LINES),
            ],
            "responses": {
                "200": _answer("some lines", "Log"),
                **_refusals("invalid", "no-token", "busy"),
            },
        }
    },
    "/api/v1/commands": {
        "post": {
            "operationId": "command",
            "summary": "Give a command for the token's seat",
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": _ref("Command")}},
            },
            "responses": {
                "200": _answer("accepted, and on disk", "Accepted"),
                **_refusals(
                    "invalid", "no-token", "forbidden", "over", "too-long", "rules", "busy",
                    "broken", "not-saved",
                ),
            },
        }
    },
    "/api/v1/openapi.json": {
        "get": {
            "operationId": "openapi",
            "summary": "This document",
            "security": [],
            "responses": {
                "200": {
                    "description": "an OpenAPI document",
                    "content": {"application/json": {"schema": {"type": "object"}}},
                },
                "304": {"description": "it is still the same"},
            },
        }
    },
}  # fmt: skip

PARTS: dict[str, Any] = {
    "Document": {
        "type": "object",
        "required": [
            "schema", "game", "title", "system", "edition", "number", "seat", "names", "state",
        ],
        "properties": {
            "schema": {"const": SCHEMA},
            "game": {"type": "string", "description": "the game's name in its addresses"},
            "title": {"type": "string"},
            "system": {"enum": list(SYSTEMS)},
            "edition": {"type": "string"},
            "number": {
                "type": "integer",
                "minimum": 0,
                "description": "of the newest entry in the log, as this seat counts",
            },
            "seat": {"type": ["string", "null"], "description": "null for a watcher"},
            "names": {"type": "object", "additionalProperties": {"type": "string"}},
            "state": _ref("State"),
        },
    },
    "State": {
        "type": "object",
        "required": ["seats"],
        "properties": {
            **{
                name: {
                    "type": "object",
                    "description": description,
                    "additionalProperties": {"type": ["object", "string"]},
                }
                for name, description in SEEN.items()
                if name != "seats"
            },
            "seats": {
                "type": "object",
                "description": SEEN["seats"],
                "additionalProperties": {
                    "type": "object",
                    "properties": {"counters": _ref("Counters")},
                },
            },
            "turn": {"type": ["object", "null"]},
            "prompts": {"type": "array", "items": {"type": "object", "required": ["id", "kind"]}},
            "result": {"type": ["string", "null"]},
            "totals": {"type": "object"},
        },
    },
    "Counters": {
        "type": "object",
        "description": "how many of each kind",
        "additionalProperties": {"type": "integer", "minimum": 0, "maximum": MOST},
    },
    "Log": {
        "type": "object",
        "required": ["lines", "more"],
        "properties": {
            "lines": {"type": "array", "items": _ref("Line")},
            "more": {"type": "boolean", "description": "whether newer lines follow"},
        },
        "additionalProperties": False,
    },
    "Line": {
        "type": "object",
        "required": ["number", "entries", "by", "at", "do", "text", "rules", "note", "undone"],
        "properties": {
            "number": {"type": "integer", "minimum": 1, "description": "of its newest entry"},
            "entries": {
                "type": "array",
                "items": {"type": "integer", "minimum": 1},
                "minItems": 1,
                "description": "several taps in a row on one counter are one line",
            },
            "by": {"type": "string", "description": "the seat"},
            "at": {"type": "string", "format": "date-time"},
            "do": {"type": "string", "description": "the command's verb"},
            "text": {"type": "string", "description": "a sentence"},
            "rules": {"type": "array", "items": {"type": "string"}},
            "note": {"type": "string"},
            "undone": {"type": "boolean"},
        },
        "additionalProperties": False,
    },
    "Accepted": {
        "type": "object",
        "required": ["id", "entry"],
        "properties": {
            "id": {"type": ["string", "null"]},
            "entry": {
                "type": ["integer", "null"],
                "minimum": 1,
                "description": "its number in the log; null if another seat gave that id before",
            },
        },
        "additionalProperties": False,
    },
    "Refused": {
        "type": "object",
        "required": ["refused"],
        "properties": {
            "refused": {
                "type": "object",
                "required": ["code", "message", "rule"],
                "properties": {
                    "code": {"type": "string", "pattern": "^[a-z-]+$"},
                    "message": {"type": "string", "description": "for people, in their language"},
                    "rule": {"type": ["string", "null"], "description": "by number"},
                    "lines": {
                        "type": "array",
                        "items": {"type": "integer"},
                        "description": "entries that can only be undone together",
                    },
                },
                "additionalProperties": False,
            }
        },
        "additionalProperties": False,
    },
}  # fmt: skip


def document() -> dict[str, Any]:
    """The whole document, with the commands of every rule system that is installed."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Countersite",
            "version": VERSION,
            "description": "What a seat sees and does, for other programs. docs/api.md says more, "
            "also about the websocket at /api/v1/changes.",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": PATHS,
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "made in the table's menu: This phone, Other programs",
                }
            },
            "schemas": {**PARTS, **schemas(SYSTEMS, ROOT)},
        },
    }


@lru_cache(maxsize=1)
def _written() -> str:
    return json.dumps(document(), ensure_ascii=False)


@answers("GET")
def served(request: HttpRequest) -> HttpResponse:
    """The document; 304 if it is still the same."""
    tag = f'"{hashed(_written())[:16]}"'
    if (unchanged := get_conditional_response(request, etag=tag)) is not None:
        return unchanged
    return HttpResponse(_written(), content_type="application/json", headers={"ETag": tag})
