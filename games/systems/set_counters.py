"""The slot counters of a table's set: what boards, logs and buttons say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from games.rules.state import Words
from games.rules.state import marked as _
from games.tracks.counter import MOST_SLOTS
from games.tracks.sets.definition import Kit, Outcome, Set, TypeOf
from games.tracks.sets.fight import order, shown
from games.tracks.sets.outcomes import by_itself, name_of
from games.tracks.sets.tracker import MOST_OF

from . import slot_counters, slot_sentences
from .controls import Tap
from .log_words import Sentence
from .new_game import Opening, Preset
from .slot_counters import After, Move, Scale, Slots, Template, TurnOrder, Type

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
    "completed": Sentence("%(on)s: %(meaning)s"),
    "reopened": Sentence(""),
    "resolved": partial(
        slot_sentences.by_field,
        {**slot_sentences.BY_FIELD["resolved"], "resolved": _("%(on)s is put away")},
    ),
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

    written = True
    ticks: Mapping[str, After]
    """By outcome: its follow-ups."""
    scales: tuple[Scale, ...] = ()
    most: int = MOST_SLOTS
    conditions: tuple[tuple[Words, int | None, bool], ...] = ()
    turns: TurnOrder | None = None
    shared: tuple[str, ...] = ()
    """The templates of what the table begins with."""

    @property
    def foe(self) -> str:
        return next((key for key in ("foe", "hp") if key in self.types), "")

    @property
    def clock(self) -> str:
        pies = (key for key, each in self.types.items() if each.tile.text == LOOKS["pie"])
        return next(pies, "")

    def after(self, outcome: str) -> After:
        """The follow-ups of an outcome, if it ticks anything."""
        return self.ticks.get(outcome, After())


def slots_of(made: Set) -> SetSlots:
    """The slot counters of a set."""
    types = {
        each.type: Type(
            each.name,
            each.full or (_("Nothing is left.") if each.counts == "down" else _("It is full.")),
            Template(
                each.name,
                LOOKS[each.look],
                {"type": each.type, "visibility": each.visibility},
                _sizes(each),
            ),
            each.counts,
            each.colour,
            (each.look in ("blocks", "boxes") or each.least < 0) and each.counts != "items",
            each.called,
        )
        for each in made.types
    }
    kit = {_role(n): _template(made, each, role=_role(n)) for n, each in enumerate(made.kit)}
    seen = {each.type: each.visibility for each in made.types}
    shared = {
        f"shared-{n}": _template(made, each, visibility=seen[each.type])
        for n, each in enumerate(made.shared)
    }
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
        templates={**kit, **shared},
        kit=tuple(kit),
        shared=tuple(shared),
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


def party(slots: SetSlots, seats: Sequence[str]) -> Opening:
    """A GM and players, with what the table begins with."""
    given, begins = slots.party(seats), [slots.templates[each] for each in slots.shared]
    shared = {f"c0{n}": {"name": each.title, **each.counter} for n, each in enumerate(begins)}
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


def taps(made: Set) -> dict[str, Tap]:
    """The buttons of counters, also of those that fill more than a slot with each."""
    taps = {**slot_counters.TAPS, "spend-slot": FILL_SLOT}
    for step in {each.step for each in made.types} - {1}:
        more = {"fixed": {"slots": step}}
        taps |= {f"{name}-{step}": replace(taps[name], **more) for name in STEPPED}
    return taps


def presets(slots: SetSlots) -> tuple[Preset, ...]:
    """The beginnings of a set's game."""
    party_of_set = Preset(
        "party",
        _("A GM and players"),
        _("Each player has the set’s own counters."),
        partial(party, slots),
    )
    return party_of_set, slot_counters.EMPTY_BOARD
