"""Presentation of any RPG, all from the table's set."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec.structs import replace

from games.rules.slots.counter import MOST_SLOTS
from games.rules.slots.sets.definition import (
    DEFINITION,
    KEPT,
    Fault,
    Kit,
    Outcome,
    Set,
    TypeOf,
    understood,
)
from games.rules.slots.sets.fight import order, shown
from games.rules.slots.sets.outcomes import by_itself, name_of
from games.rules.slots.sets.plain import PLAIN
from games.rules.slots.sets.set_system import SetSystem
from games.rules.slots.sets.tracker import MOST_OF
from games.rules.state import Words
from games.rules.state import marked as _
from games.rules.system import System
from games.systems import slot_counters, slot_sentences
from games.systems.controls import Tap
from games.systems.log_words import Sentence, Story
from games.systems.new_game import Draft, NewGame, Opening, Preset
from games.systems.presentation import Presentation
from games.systems.sheets import Sheets
from games.systems.slot_counters import (
    After,
    Move,
    Scale,
    SlotBoard,
    Slots,
    Template,
    TurnOrder,
    Type,
)

from . import writing
from .change_rules import changes, lines
from .ready import ALIASES

STEPPED = ("fill-slot", "clear-slot", "spend-slot")
FILL_SLOT = slot_counters.TAPS["fill-slot"]
UNDO_WORDS = {
    **slot_counters.UNDO_WORDS,
    "fight": _("turn order"),
    "next-turn": _("turn"),
    "finish-turn": _("turn"),
    "afflict": _("condition"),
    "relieve": _("condition"),
    "change-rules": _("set"),
}
SENTENCES = {
    **slot_sentences.SENTENCES,
    "fight-began": Sentence(_("began the turn order")),
    "fight-ended": Sentence(_("ended the turn order")),
    "turn-passed": Sentence(_("%(bearer)s’s turn, round %(round)s")),
    "turn-done": Sentence(_("%(bearer)s is done")),
    "afflicted": Sentence(_("%(bearer)s: %(name)s")),
    "waned": Sentence(_("%(bearer)s: %(name)s, %(rounds)s more")),
    "set-changed": Sentence(_("changed the set")),
    "relieved": Sentence(_("%(bearer)s: no longer %(name)s")),
}
LOOKS = {
    "blocks": _("Blocks"),
    "pie": _("A pie clock"),
    "boxes": _("Boxes to tick"),
    "bar": _("A number out of a maximum"),
}


SIZES = {"blocks": (3, 4, 6, 8, 10), "pie": (4, 6, 8, 10, 12), "boxes": (2, 3, 5, 9), "bar": ()}


def _sizes(kind: TypeOf) -> tuple[int, ...]:
    usual = () if kind.parts > 1 else SIZES[kind.look]
    return tuple(sorted({*usual, kind.slots}))


def _role(n: int) -> str:
    return f"kit-{n}"


class SetSlots(Slots, frozen=True, kw_only=True, eq=False):
    """The slot counters of a set."""

    ticks: Mapping[str, After]
    """By outcome: its follow-ups."""
    scales: tuple[Scale, ...] = ()
    most: int = MOST_SLOTS
    conditions: tuple[tuple[Words, int | None, bool], ...] = ()
    turns: TurnOrder | None = None

    def after(self, outcome: str) -> After:
        """The follow-ups of an outcome, if it ticks anything."""
        return self.ticks.get(outcome, After())


def slots_of(made: Set) -> SetSlots:
    """The slot counters of a set."""
    types = {
        each.type: Type(
            each.name,
            each.full or _("It is complete."),
            Template(
                each.name,
                LOOKS[each.look],
                {"type": each.type, "visibility": each.visibility},
                _sizes(each),
            ),
            each.counts,
            each.colour,
            (each.look in ("blocks", "boxes") or each.least < 0) and each.counts != "items",
        )
        for each in made.types
    }
    kit = {_role(n): _template(made, each, role=_role(n)) for n, each in enumerate(made.kit)}
    outcomes = made.by_outcome

    ticks = {
        key: After(
            moves={_("Ticks"): moves(made, each)},
            by_itself=partial(by_itself, made, key),
            once=True,
        )
        for key, each in outcomes.items()
        if each.ticks
    }
    return SetSlots(
        types=types,
        templates=kit,
        kit=tuple(kit),
        strip=tuple(kit)[:4],
        hero=next(iter(kit), ""),
        outcomes={
            key: slot_counters.Outcome(each.name, colour=each.colour or "")
            for key, each in outcomes.items()
        },
        ticks=ticks,
        scales=tuple(
            slot_counters.Scale(each.name, each.type, tuple((s.name, s.adds) for s in each.steps))
            for each in made.scales
        ),
        most=max(MOST_OF.values()),
        conditions=tuple((each.name, each.rounds, each.good) for each in made.conditions),
        turns=TurnOrder(shown, order) if made.turns else None,
    )


def _template(made: Set, each: Kit, **facts: str) -> Template:
    kind = made.type_of(each.type)
    size = {"slots": each.size * (kind.parts if kind else 1)} if each.size else {}
    filled = {"filled": each.filled} if each.filled else {}
    return Template(each.name, "", {"type": each.type, **facts, **size, **filled}, ())


def _party(made: Set, slots: Slots, seats: Sequence[str]) -> Opening:
    """A GM and players, with what the table begins with."""
    given = slots.party(seats)
    seen = {each.type: each.visibility for each in made.types}
    shared = {
        f"c0{n}": {"name": each.name, **_template(made, each, visibility=seen[each.type]).counter}
        for n, each in enumerate(made.shared)
    }
    return {**given, "slot_counters": {**given["slot_counters"], **shared}}


def moves(made: Set, outcome: Outcome) -> Mapping[str, Move]:
    """The possible effects of an outcome, each on the counters of a type, or of any."""
    found = {}
    for n, each in enumerate(outcome.ticks):
        kind = made.type_of(each.type)
        down = bool(kind and kind.counts == "down") is not each.clears
        types = (kind.type,) if kind else tuple(kind.type for kind in made.types)
        found[name_of(n)] = Move(
            kind.name if kind else _("any counter"),
            f"{'−' if down else '+'}{each.slots}",
            types=types,
            roles=tuple(_role(n) for n, own in enumerate(made.kit) if own.type in types),
            verb="clear" if each.clears else "fill",
            slots=each.slots,
        )
    return found


def draft(fields: Mapping[str, str], ready: Mapping[str, Any] | None) -> Draft:
    """The set that was chosen on the page for a new game, or as the form has it by now."""
    definition: Any = ready or PLAIN
    if text := fields.get("definition"):
        try:
            understood(definition := json.loads(text))
        except (Fault, ValueError, RecursionError):
            return Draft({DEFINITION: PLAIN}, faults=(_("This set can’t be read."),))
    faults: list[Words] = []
    if rows := writing.typed(fields):
        try:
            definition = writing.filled(definition, rows)
        except Fault as fault:
            faults = [*writing.faults(rows, fault)]
    shown = json.dumps(definition, ensure_ascii=False, indent=1)
    sentences = lines(understood(definition)).values()
    written = {
        "text": shown,
        "definition": json.dumps(definition),
        "sentences": [*sentences],
        "rows": {**writing.rows(definition), **rows} if faults else writing.rows(definition),
        "open": fields.get("again", ""),
        "looks": writing.LOOKS.items(),
        "counts": writing.COUNTS.items(),
        "seen": writing.SEEN.items(),
        "colours": writing.COLOURS.items(),
    }
    return Draft({DEFINITION: definition}, tuple(faults), written)


def _taps(made: Set) -> dict[str, Tap]:
    """The buttons of counters, also of those that fill more than a slot with each."""
    taps = {**slot_counters.TAPS, "spend-slot": FILL_SLOT}
    for step in {each.step for each in made.types} - {1}:
        more = {"fixed": {"slots": step}}
        taps |= {f"{name}-{step}": replace(taps[name], **more) for name in STEPPED}
    return taps


class AnyRpgNewGame(NewGame, frozen=True, kw_only=True):
    """The start of a set's game."""

    draft = staticmethod(draft)
    changes = staticmethod(changes)


@lru_cache(KEPT)
def of_set(made: Set) -> Presentation:
    """The presentation of a set's game."""
    slots = slots_of(made)
    return Presentation(
        board=SlotBoard(taps=_taps(made)),
        sheets=Sheets(seat_verbs=()),
        story=Story(undo_words=UNDO_WORDS, sentences=SENTENCES),
        slots=slots,
        new_game=AnyRpgNewGame(
            icon="drama",
            aliases=ALIASES,
            seats_label=_("Seats, including the GM’s"),
            others_label=_("The players’ names, with commas between them"),
            usual_seats=4,
            presets=(
                Preset(
                    "party",
                    _("A GM and players"),
                    _("Each player has the set’s own counters."),
                    partial(_party, made, slots),
                ),
                slot_counters.EMPTY_BOARD,
            ),
        ),
    )


def of_table(system: System) -> Presentation:
    """The presentation of a table with its own set."""
    assert isinstance(system, SetSystem)
    return of_set(system.set)


PRESENTATION = of_set(understood(PLAIN))
