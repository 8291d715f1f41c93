"""The command language as a page for people, generated from the code so that it stays true."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping

from .commands import Command, Declared, Redo, Undo, parameters
from .system import System

COMMON = (
    "Every command may also have `by` (the seat that gives it), `id` (chosen by the client, and "
    "accepted once per game) and `note` (kept in the log). [COMMANDS.md](COMMANDS.md) describes "
    "what all commands share, and what each refusal means."
)


def page(systems: Mapping[str, tuple[System, ...]]) -> str:
    """The whole vocabulary in Markdown: each system's verbs, settings, kinds and rules."""
    lines = ["# The command language", "", COMMON, ""]
    lines += _verb(Undo) + _verb(Redo)
    documented: dict[type[Command], str] = {}
    for editions in systems.values():
        lines += _system(editions, documented)
    return "\n".join(lines).rstrip() + "\n"


def _system(editions: tuple[System, ...], documented: dict[type[Command], str]) -> Iterator[str]:
    """One system; a command that an earlier system has documented is only named."""
    newest = editions[0]
    yield f"## {newest.title} (`{newest.name}`)"
    yield ""
    yield f"{newest.sentence} Source: {newest.rulebook.document}."
    yield "Editions: " + ", ".join(f"`{edition.edition}`" for edition in editions) + "."
    yield ""
    if newest.zones:
        yield "Zones: " + ", ".join(f"`{zone}`" for zone in newest.zones) + "."
    if newest.phases:
        yield "Phases: " + ", ".join(f"`{phase}`" for phase in newest.phases) + "."
    yield ""
    for name, setting in newest.rulebook.settings.items():
        listed = ", ".join(f"`{value}`" for value in setting.values)
        values = setting.reader.text if setting.reader else listed
        yield f"- setting `{name}` ({values}): {setting.text}"
    if newest.rulebook.settings:
        yield ""
    for kind, meaning in newest.rulebook.kinds.items():
        yield f"- counter `{kind}`: {meaning}"
    if newest.rulebook.kinds:
        yield ""
    known: dict[str, list[str]] = {}
    for verb in newest.verbs.values():
        if verb.command in documented:
            known.setdefault(documented[verb.command], []).append(f"`{verb.command.verb}`")
    for title, verbs in known.items():
        yield f"As in {title}: " + ", ".join(verbs) + "."
        yield ""
    for verb in newest.verbs.values():
        if verb.command not in documented:
            documented[verb.command] = newest.title
            yield from _verb(verb.command)


def _verb(command: type[Command]) -> list[str]:
    lines = [f"### `{command.verb}`", "", inspect.cleandoc(command.__doc__ or ""), ""]
    lines += [_parameter(part) for part in parameters(command)]
    return [*lines, ""] if lines[-1] else lines


def _parameter(part: Declared) -> str:
    default = "" if part.required or part.default in (None, False) else f" = `{part.default}`"
    optional = "" if part.required else " (optional)"
    names = f"; names the {part.names.text}" if part.names else ""
    return f"- `{part.key}`{default}{optional}: {part.reader.text}{names}"
