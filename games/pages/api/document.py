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
from games.screens.clock import MOST_MINUTES
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
    "ticks": "numbers that change by themselves, by id",
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


def _act(name: str, summary: str, body: dict[str, Any], answer: str, *codes: str) -> dict[str, Any]:
    """A POST with a small object. body: its properties. codes: refusals beside the usual ones."""
    schema = {"type": "object", "properties": body, "additionalProperties": False}
    usual = ("invalid", "no-token", "forbidden", "too-long", "busy")
    return {
        "post": {
            "operationId": name,
            "summary": summary,
            "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
            "responses": {"200": _answer("done", answer), **_refusals(*usual, *codes)},
        }
    }


def _in_path(act: dict[str, Any], name: str, kind: str, description: str) -> dict[str, Any]:
    where = {"name": name, "in": "path", "required": True, "description": description}
    return {**act, "parameters": [{**where, "schema": {"type": kind}}]}


ID = {"type": "string", "minLength": 1, "maxLength": 80, "description": "as a command's"}
GIVEN = ("over", "rules", "broken", "not-saved")

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
    "/api/v1/throw": _act(
        "throw", "Roll dice, or the game's own die",
        {
            "dice": {"type": "string", "description": "such as 2d6"},
            "die": {"type": "string", "description": "instead: the verb of the game's own die"},
            "id": ID,
        },
        "Fell", *GIVEN,
    ),
    "/api/v1/toss": _act("toss", "Toss a coin", {"id": ID}, "Fell", *GIVEN),
    "/api/v1/draw": _act(
        "draw", "Draw a seat at random",
        {"begin": {"type": "boolean", "description": "its turn begins"}, "id": ID},
        "Fell", *GIVEN,
    ),
    "/api/v1/table": {
        "get": {
            "operationId": "table",
            "summary": "Who sits and leads, who asks for a seat, and the clock",
            "responses": {"200": _answer("as of now", "Table"), **_refusals("no-token", "busy")},
        }
    },
    "/api/v1/clock": _act(
        "clock", "Start, pause, resume, extend or remove the clock",
        {
            "do": {"enum": ["start", "pause", "go-on", "longer", "stop"]},
            "minutes": {
                "type": ["integer", "null"], "minimum": 1, "maximum": MOST_MINUTES,
                "description": "of the round; null counts up. With “longer”, how many more",
            },
        },
        "Table",
    ),
    "/api/v1/lock": _act(
        "lock", "Lock the table: newcomers must ask for a seat", {"locked": {"type": "boolean"}},
        "Table",
    ),
    "/api/v1/requests/{request}": _in_path(
        _act(
            "answer", "Let a phone take the seat it asks for, or refuse it, or all (“none”)",
            {"let": {"enum": ["in", "no", "none"]}}, "Table", "not-found",
        ),
        "request", "integer", "its id, from the table",
    ),
    "/api/v1/seats/{seat}/free": _in_path(
        _act("free", "Free a seat: who sat there watches now", {}, "Table", "not-found"),
        "seat", "string", "its id",
    ),
    "/api/v1/again": _act(
        "again", "Begin a rematch and take everyone there, this token too",
        {"begins": {"enum": ["", "lot", "loser", "same"], "description": "“” if no one chose"}},
        "Again",
    ),
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
            "winners": {
                "type": "array",
                "items": {"type": "string"},
                "description": "the seats that won, whatever has become of them since",
            },
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
    "Fell": {
        "type": "object",
        "required": ["id", "entry", "result"],
        "properties": {
            "id": {"type": ["string", "null"]},
            "entry": {"type": ["integer", "null"], "minimum": 1},
            "result": {
                "description": "of dice their numbers, of a die its number, “heads” or “tails”, or "
                "a seat; null if that id was another seat's",
                "anyOf": [
                    {"type": "array", "items": {"type": "integer"}},
                    {"type": ["integer", "string", "null"]},
                ],
            },
        },
        "additionalProperties": False,
    },
    "Table": {
        "type": "object",
        "required": ["locked", "taken", "host", "stand_in", "requests", "clock"],
        "properties": {
            "locked": {"type": "boolean"},
            "taken": {
                "type": "array", "items": {"type": "string"},
                "description": "the seats in which someone sits",
            },
            "host": {"type": ["string", "null"], "description": "the host's seat"},
            "stand_in": {
                "type": ["string", "null"],
                "description": "the seat that stands in for an absent host",
            },
            "requests": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["id", "seat"],
                    "properties": {"id": {"type": "integer"}, "seat": {"type": "string"}},
                },
            },
            "clock": {"anyOf": [_ref("Clock"), {"type": "null"}]},
        },
    },
    "Clock": {
        "type": "object",
        "description": "in seconds, at the moment of the answer",
        "required": ["running", "spent", "left", "turn", "taken", "by"],
        "properties": {
            "running": {"type": "boolean"},
            "spent": {"type": "number"},
            "left": {
                "type": ["number", "null"],
                "description": "negative after the end; null without a round",
            },
            "turn": {
                "type": ["object", "null"],
                "required": ["seats", "seconds"],
                "properties": {
                    "seats": {"type": "array", "items": {"type": "string"}},
                    "seconds": {"type": "number"},
                },
            },
            "taken": {
                "type": "object", "additionalProperties": {"type": "number"},
                "description": "by all turns of each seat so far",
            },
            "by": {"type": "string", "description": "the seat that used it last"},
        },
    },
    "Again": {
        "type": "object",
        "required": ["game"],
        "properties": {"game": {"type": "string", "description": "the new game's name"}},
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
