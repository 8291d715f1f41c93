"""Forms made from a command's own parameters, where no template was written.

A parameter with choices becomes buttons or ticks, a number a field with its bounds, an id lists the
objects or seats that the command accepts now. So every verb and every prompt of a new system can be
played before anyone draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from games.rules import cards, dice, notes
from games.rules.commands import FLAG, HOLDER, OBJECT, SEAT, Parameter, parameters
from games.rules.engine import read, step
from games.rules.state import GameState, Prompt, Refused
from games.rules.system import System
from games.systems import presentation_of

Raw = dict[str, Any]
SHARED = frozenset({*cards.VERBS, *dice.VERBS, *notes.VERBS, "answer", "undo", "redo", "leave"})
"""The verbs for which the shared sheets have their own buttons."""
WRONG_TARGETS = frozenset({"wrong-target", "not-on-field", "gone", "unknown", "forbidden"})
"""Refusals about the ids that a command names, not about its other parameters."""
MANY_CHOICES = 40


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter in a form.

    name: with how it is read, as `games.pages.forms` says. how: "choice" (buttons), "ticks",
    "flag", "number", "text", or "new": an id that the form makes up. options: value and label of
    each choice. apart: each tick is a field of its own, whose name is that of the list and its
    value.
    """

    name: str
    label: str
    how: str
    options: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None
    step: int = 1
    value: Any = None
    required: bool = False
    apart: bool = False

    @property
    def ticks(self) -> list[tuple[str, str, str]]:
        """Name, value and label of each tick."""
        if self.apart:
            return [(f"{self.name}.{each}:member", "yes", label) for each, label in self.options]
        return [(f"{self.name}:list", each, label) for each, label in self.options]


@dataclass(frozen=True, slots=True)
class Form:
    """A command with the parameters already known, and a field for each other one. single: the one
    field whose choices are the buttons, so that one tap answers.
    """

    verb: str
    fixed: tuple[tuple[str, Any], ...]
    fields: tuple[Field, ...]
    single: Field | None = None


def verbs_of(system: System, kind: Any) -> Iterator[str]:
    """The system's own verbs whose first parameter names such a thing (OBJECT, SEAT)."""
    for verb, each in system.verbs.items():
        if verb in SHARED or each.served:
            continue
        first = next((part for part in parameters(each.command) if part.names), None)
        if first is not None and first.names in (kind, HOLDER):
            yield verb


def of_verb(
    system: System, state: GameState, verb: str, holder: str, by: str, label: Any
) -> Form | None:
    """The form of *verb* about *holder*; None if the rules would refuse it there now."""
    first = next(part for part in parameters(system.verbs[verb].command) if part.names)
    fixed: Raw = {first.key: [holder] if first.reader.many else holder}
    if not accepts(system, state, {"do": verb, **fixed}, by):
        return None
    return _form(system, state, verb, fixed, by, label, frozenset())


def of_prompt(system: System, state: GameState, prompt: Prompt, label: Any) -> Form:
    """The form that answers *prompt*: with the parameters that its kind asks for.

    If the system does not say which: each that can answer it alone, or else all.
    """
    asks = presentation_of(system).asks.get(prompt.kind)
    if asks is None:
        asks = tuple(_answering(system, state, prompt))
    declared = parameters(system.verbs["answer"].command)
    known = {part.key for part in declared if part.key not in asks}
    usual = {**prompt.facts, **system.derived(system, state, prompt)}
    fixed = {"prompt": prompt.id}
    return _form(system, state, "answer", fixed, prompt.to, label, known, usual)


def _answering(system: System, state: GameState, prompt: Prompt) -> Iterator[str]:
    """The parameters of `answer` that the rules accept for *prompt*; all if none will do alone."""
    declared = parameters(system.verbs["answer"].command)
    needed = {part.key: _any_value(system, state, part) for part in declared if part.required}
    bare = {**needed, "do": "answer", "prompt": prompt.id}
    optional = [part for part in declared if not part.required]
    taken = [
        part.key
        for part in optional
        if any(
            _refused(system, state, {**bare, part.key: value}, prompt.to) is None
            for value in _values(state, part)
        )
    ]
    yield from needed
    yield from taken or [part.key for part in optional]


def _form(
    system: System,
    state: GameState,
    verb: str,
    fixed: Raw,
    by: str,
    label: Any,
    without: frozenset[str] | set[str],
    usual: Mapping[str, Any] | None = None,
) -> Form:
    declared = parameters(system.verbs[verb].command)
    found = [
        made
        for part in declared
        if part.key not in fixed and part.key not in without
        for made in _fields(system, state, verb, part, fixed, by, label, usual or {})
    ]
    choices = [each for each in found if each.how == "choice"]
    asked = [each for each in found if each.how != "flag"]
    # The only required choice, or the only field of an answer, becomes buttons.
    buttons = [each for each in choices if each.required or (usual is not None and asked == [each])]
    single = buttons[0] if len(buttons) == len(choices) == 1 else None
    rest = tuple(each for each in found if each is not single)
    return Form(verb, tuple(fixed.items()), rest, single)


def _fields(
    system: System,
    state: GameState,
    verb: str,
    part: Parameter,
    fixed: Raw,
    by: str,
    label: Any,
    usual: Mapping[str, Any],
) -> Iterator[Field]:
    reader, key = part.reader, part.key
    facts: dict[str, Any] = {"label": key, "required": part.required}
    if reader.keyed:
        for choice in reader.choices:
            yield Field(
                f"{key}.{choice}:number",
                choice,
                "number",
                (),
                reader.least,
                reader.most,
                reader.step,
            )
    elif part.names in (OBJECT, SEAT, HOLDER):
        options = tuple(candidates(system, state, verb, part, fixed, by, label))
        if reader.many:
            if options:
                yield Field(key, how="ticks", options=options, apart=True, **facts)
        elif options:
            yield Field(key, how="choice", options=options, **facts)
    elif reader.choices and len(reader.choices) <= MANY_CHOICES:
        options = tuple((choice, choice) for choice in reader.choices)
        if reader.many:
            yield Field(key, how="ticks", options=options, **facts)
        else:
            yield Field(key, how="choice", options=options, value=part.default, **facts)
    elif reader is FLAG:
        yield Field(f"{key}:flag", how="flag", **facts)
    elif reader.least is not None:
        value = usual.get(key, usual.get("due") if part.required is False else None)
        value = value if type(value) is int else part.default if type(part.default) is int else None
        yield Field(
            f"{key}:number",
            how="number",
            least=reader.least,
            most=reader.most,
            step=reader.step,
            value=value,
            **facts,
        )
    elif part.required:
        how = "new" if key == "as" else "text"
        yield Field(f"{key}:new" if key == "as" else key, how=how, **facts)


def numbers(system: System, verb: str) -> Iterator[Field]:
    """The parameters of *verb* that are single numbers."""
    for part in parameters(system.verbs[verb].command):
        reader = part.reader
        if reader.least is not None and not reader.keyed and not reader.many:
            yield Field(
                f"{part.key}:number",
                part.key,
                "number",
                (),
                reader.least,
                reader.most,
                reader.step,
                part.default if type(part.default) is int else None,
            )


def candidates(
    system: System,
    state: GameState,
    verb: str,
    part: Parameter,
    fixed: Raw,
    by: str,
    label: Any,
) -> Iterator[tuple[str, str]]:
    """Id and name of each seat or object that the command accepts as *part* now."""
    ids: Sequence[str] = ()
    if part.names in (SEAT, HOLDER):
        ids = [*ids, *(seat.id for seat in state.standing())]
    if part.names in (OBJECT, HOLDER):
        ids = [*ids, *state.objects]
    for each in ids:
        raw = {"do": verb, **fixed, part.key: [each] if part.reader.many else each}
        if accepts(system, state, raw, by):
            yield each, label(each)


def accepts(system: System, state: GameState, raw: Raw, by: str) -> bool:
    """Whether the rules accept the ids in *raw*, with some value for each missing parameter."""
    missing = [
        part
        for part in parameters(system.verbs[raw["do"]].command)
        if part.required and part.key not in raw
    ]
    plain = [part for part in missing if not part.names]
    given = {**raw, **{part.key: _any_value(system, state, part) for part in plain}}
    named = [part for part in missing if part.names]
    return any(
        _refused(system, state, {**given, **dict(ids)}, by) not in WRONG_TARGETS
        for ids in product(
            *([(part.key, value) for value in _values(state, part)] for part in named)
        )
    )


def _refused(system: System, state: GameState, raw: Raw, by: str) -> str | None:
    """The code with which the rules refuse *raw*; None if they accept it."""
    try:
        step(system, state, read(system, raw, by))
    except Refused as refused:
        return refused.code
    return None


def _values(state: GameState, part: Parameter) -> Iterator[Any]:
    """Values to try for *part*: each id or choice, or else the smallest number."""
    reader = part.reader
    several: Sequence[str] = reader.choices
    if part.names in (SEAT, HOLDER):
        several = [seat.id for seat in state.standing()]
    if part.names in (OBJECT, HOLDER):
        several = [*(several if part.names is HOLDER else ()), *state.objects]
    if several and not reader.keyed:
        yield from ([each] if reader.many else each for each in several)
    elif reader.keyed:
        yield {}
    elif reader is FLAG:
        yield True
    elif reader.least is not None:
        yield max(reader.least, reader.step)
    elif not part.names:
        yield ["some"] if reader.many else "some"


def _any_value(system: System, state: GameState, part: Parameter) -> Any:
    return next(_values(state, part), None)
