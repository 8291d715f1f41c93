"""The command language as JSON Schema, made from the declarations that read the commands."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from .commands import COMMAND_ID, ID, NOTE, Command, Declared, Redo, Revise, Undo, parameters
from .system import System

Schema = dict[str, Any]
HEAD: Mapping[str, Schema] = {
    "by": {**ID.schema, "description": "ignored: a command is given by the seat of its token"},
    "id": {
        **COMMAND_ID.schema,
        "description": "the program's own; it happens once, however often it is sent",
    },
    "note": {**NOTE.schema, "description": "kept in the log"},
}


def schemas(systems: Mapping[str, tuple[System, ...]], root: str) -> dict[str, Schema]:
    """By name: each verb of each system ("magic.place"), each system, and "Command", which is any.

    A command that several systems share is described once. root: what names begin with in a "$ref".
    """
    out: dict[str, Schema] = {}
    named: dict[type[Command], str] = {}
    for name, editions in systems.items():
        known: dict[str, str] = {}
        for command in _commands(editions):
            if command not in named:
                named[command] = f"{name}.{command.verb}"
                out[named[command]] = of_command(command)
            known[command.verb] = f"{root}{named[command]}"
        out[name] = {
            "title": editions[0].title,
            "description": f"{editions[0].sentence} Source: {editions[0].rulebook.document}.",
            "oneOf": [{"$ref": each} for each in known.values()],
            "discriminator": {"propertyName": "do", "mapping": known},
        }
    return {"Command": {"anyOf": [{"$ref": f"{root}{name}"} for name in systems]}, **out}


def _commands(editions: tuple[System, ...]) -> Iterator[type[Command]]:
    """The commands of all editions, each verb once, as the newest edition has it."""
    found: dict[str, type[Command]] = {"undo": Undo, "redo": Redo}
    if any(edition.revises for edition in editions):
        found["revise"] = Revise
    for edition in editions:
        for name, verb in edition.verbs.items():
            found.setdefault(name, verb.command)
    yield from found.values()


def of_command(command: type[Command]) -> Schema:
    """The schema of one command; it may accept more than the rules do."""
    parts = parameters(command)
    return {
        "type": "object",
        "description": inspect.cleandoc(command.__doc__ or ""),
        "properties": {
            "do": {"const": command.verb},
            **{part.key: _parameter(part) for part in parts},
            **HEAD,
        },
        "required": ["do", *(part.key for part in parts if part.required)],
        "additionalProperties": False,
    }


def _parameter(part: Declared) -> Schema:
    names = f"; names the {part.names.text}" if part.names else ""
    described = {**part.reader.schema, "description": f"{part.reader.text}{names}"}
    if type(part.default) in (bool, int, str):
        described["default"] = part.default
    return described
