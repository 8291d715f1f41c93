"""Forms made from a command's own parameters, where no template was written.

A parameter with choices becomes buttons or ticks, a number a field with its bounds, an id lists the
objects or seats that the command accepts now. So every verb and every prompt of a new system can be
played before anyone draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.rules import cards, dice, notes, ticks
from games.rules.commands import FLAG, HOLDER, OBJECT, SEAT, Declared, Reader, parameters
from games.rules.engine import read, step
from games.rules.state import GameState, Prompt, Refused
from games.rules.system import System
from games.systems import presentation_of

Raw = dict[str, Any]
SHARED = frozenset(
    {*cards.VERBS, *dice.VERBS, *notes.VERBS, *ticks.VERBS, "answer", "undo", "redo", "leave"}
)
"""The verbs for which the shared sheets have their own buttons, or which the table gives."""
WRONG_TARGETS = frozenset({"wrong-target", "not-on-field", "gone", "unknown", "forbidden"})
"""Refusals about the ids that a command names, not about its other parameters."""
MANY_CHOICES = 40


class Field(Struct, frozen=True):
    """One parameter in a form.

    name: with how it is read, as `games.screens.forms` says. how: "choice" (buttons), "ticks",
    "flag", "number", "text", or "new": an id that the form makes up. options: value and label of
    each choice. stride: what a tap adds, if not the step. apart: each tick is a field of its own,
    whose name is that of the list and its value.
    """

    name: str
    label: str
    how: str
    options: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None
    step: int = 1
    stride: int = 0
    value: Any = None
    required: bool = False
    apart: bool = False

    @property
    def ticks(self) -> list[tuple[str, str, str]]:
        """Name, value and label of each tick."""
        if self.apart:
            return [(f"{self.name}.{each}:member", "yes", label) for each, label in self.options]
        return [(f"{self.name}:list", each, label) for each, label in self.options]


class Form(Struct, frozen=True):
    """A command with the parameters already known, and a field for each other one.

    fixed: the known parameters, without the verb. single: the one field whose choices are the
    buttons, so that one tap answers.
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


def declared(system: System, verb: str) -> dict[str, Declared]:
    """The parameters of *verb* by their keys; none if there is no such verb."""
    known = system.verbs.get(verb)
    return {part.key: part for part in parameters(known.command)} if known else {}


def numbers(system: System, verb: str) -> Iterator[Field]:
    """The parameters of *verb* that are single numbers."""
    for part in declared(system, verb).values():
        reader = part.reader
        if reader.least is not None and not reader.keyed and not reader.many:
            yield _number(part.key, part.key, reader, _whole(part.default))


def choices(system: System, verb: str, key: str) -> tuple[str, ...]:
    """The words that a parameter of *verb* accepts; empty if there is no such parameter."""
    part = declared(system, verb).get(key)
    return part.reader.choices if part else ()


def flags_of(system: System, verb: str) -> list[str]:
    """The boolean parameters of *verb*."""
    return [key for key, part in declared(system, verb).items() if part.reader is FLAG]


def object_kinds(system: System) -> list[str]:
    """The special kinds that go on objects, not on players."""
    of_players = presentation_of(system).board.player_kinds
    return [kind for kind in system.rulebook.kinds if kind not in of_players]


class Forms(Struct, frozen=True):
    """The forms that *by* may be given at a table in *state*.

    name: how the seat or object with an id is called.
    """

    system: System
    state: GameState
    by: str
    name: Callable[[str], str]

    def of_verb(self, verb: str, holder: str, *, now: bool = False) -> Form | None:
        """The form of *verb* about *holder*; None if `accepts` says no."""
        first = next(part for part in self._parameters(verb) if part.names)
        fixed: Raw = {"do": verb, first.key: [holder] if first.reader.many else holder}
        return self._form(fixed) if self.accepts(fixed, now=now) else None

    def of_prompt(self, prompt: Prompt) -> Form:
        """The form that answers *prompt*: with the parameters that its kind asks for.

        If the system does not say which: each that can answer it alone, or else all.
        """
        asks = presentation_of(self.system).sheets.asks.get(prompt.kind)
        usual = {**prompt.facts, **self.system.derived(self.system, self.state, prompt)}
        fixed = {"do": "answer", "prompt": prompt.id}
        return self._form(fixed, self._answering(fixed) if asks is None else asks, usual)

    def accepts(self, raw: Raw, *, now: bool = False) -> bool:
        """True if the rules accept the ids in *raw*, with some value for each missing parameter.

        now: in this turn and phase, too; without it they say why not.
        """
        never = WRONG_TARGETS | {"wrong-phase"} if now else WRONG_TARGETS
        missing = [
            part for part in self._parameters(raw["do"]) if part.required and part.key not in raw
        ]
        given = {**raw, **{p.key: next(self._values(p), None) for p in missing if not p.names}}
        named = [[(p.key, value) for value in self._values(p)] for p in missing if p.names]
        return any(self.refused({**given, **dict(ids)}) not in never for ids in product(*named))

    def _parameters(self, verb: str) -> tuple[Declared, ...]:
        return parameters(self.system.verbs[verb].command)

    def _answering(self, bare: Raw) -> Collection[str]:
        """The parameters of `answer` that the rules accept alone; all if none will do alone."""
        declared = self._parameters("answer")
        needed = {p.key: next(self._values(p), None) for p in declared if p.required} | bare
        optional = [part for part in declared if not part.required]
        taken = [
            part.key
            for part in optional
            if any(self.refused({**needed, part.key: v}) is None for v in self._values(part))
        ]
        return {*needed, *(taken or [part.key for part in optional])}

    def _form(
        self,
        fixed: Raw,
        asks: Collection[str] | None = None,
        usual: Mapping[str, Any] | None = None,
    ) -> Form:
        """The command *fixed* with a field for each parameter that *asks* names (None: for all).

        usual: what is proposed, by parameter.
        """
        found = [
            made
            for part in self._parameters(fixed["do"])
            if part.key not in fixed and (asks is None or part.key in asks)
            for made in self._fields(part, fixed, usual or {})
        ]
        choices = [each for each in found if each.how == "choice"]
        asked = [each for each in found if each.how != "flag"]
        # One choice that must be made, or is all that a prompt asks: a button for each word.
        buttons = [
            each for each in choices if each.required or (usual is not None and asked == [each])
        ]
        single = buttons[0] if len(buttons) == len(choices) == 1 else None
        rest = tuple(each for each in found if each is not single)
        known = tuple((key, value) for key, value in fixed.items() if key != "do")
        return Form(fixed["do"], known, rest, single)

    def _fields(self, part: Declared, fixed: Raw, usual: Mapping[str, Any]) -> Iterator[Field]:
        """The fields for one parameter: one, or for a map one for each of its keys."""
        reader, key = part.reader, part.key
        if reader.keyed:
            for choice in reader.choices:
                yield _number(f"{key}.{choice}", choice, reader)
        elif part.names in (OBJECT, SEAT, HOLDER):
            options = tuple(self._candidates(part, fixed))
            how = "ticks" if reader.many else "choice"
            if options:
                yield Field(key, key, how, options, required=part.required, apart=reader.many)
        elif reader.choices and len(reader.choices) <= MANY_CHOICES:
            options = tuple((choice, choice) for choice in reader.choices)
            how = "ticks" if reader.many else "choice"
            value = None if reader.many else part.default
            yield Field(key, key, how, options, value=value, required=part.required)
        elif reader is FLAG:
            yield Field(f"{key}:flag", key, "flag", required=part.required)
        elif reader.least is not None:
            proposed = usual.get(key, None if part.required else usual.get("due"))
            value = _whole(proposed) if _whole(proposed) is not None else _whole(part.default)
            yield replace(_number(key, key, reader, value), required=part.required)
        elif part.required:
            name, how = (f"{key}:new", "new") if key == "as" else (key, "text")
            yield Field(name, key, how, required=True)

    def _candidates(self, part: Declared, fixed: Raw) -> Iterator[tuple[str, str]]:
        """Id and name of each seat or object that the command accepts as *part* now."""
        for each in self._ids(part):
            if self.accepts({**fixed, part.key: [each] if part.reader.many else each}):
                yield each, self.name(each)

    def _ids(self, part: Declared) -> list[str]:
        """The seats and objects that *part* could name."""
        seats = [seat.id for seat in self.state.remaining()] if part.names in (SEAT, HOLDER) else []
        return [*seats, *(self.state.objects if part.names in (OBJECT, HOLDER) else ())]

    def _values(self, part: Declared) -> Iterator[Any]:
        """Values to try for *part*: each id or choice, or else the smallest number."""
        reader = part.reader
        if reader.keyed:
            yield {}
        elif words := self._ids(part) or reader.choices:
            yield from ([each] if reader.many else each for each in words)
        elif reader is FLAG:
            yield True
        elif reader.least is not None:
            yield max(reader.least, reader.step)
        elif not part.names:
            yield ["some"] if reader.many else "some"

    def refused(self, raw: Raw) -> str | None:
        """The code with which the rules refuse *raw*; None if they accept it."""
        try:
            step(self.system, self.state, read(self.system, raw, self.by))
        except Refused as refused:
            return refused.code
        return None


def _number(name: str, label: str, reader: Reader, value: int | None = None) -> Field:
    return Field(
        f"{name}:number",
        label,
        "number",
        least=reader.least,
        most=reader.most,
        step=reader.step,
        value=value,
    )


def _whole(value: Any) -> int | None:
    return value if type(value) is int else None
