"""The cards that are known to change counters or creatures: found by name, they stand as soon as
they are added. Planeswalkers, Sieges, Sagas, the indestructible, creatures with a keyword of combat
(`dealing`), and cards with impending or station are found, too, for what is printed on them. What
enters with counters, as a Saga does, comes with them; they change by themselves where its text says
so (`ticking`).

For the screens: nothing here decides a rule. A form that names a card says `known`; `completed`
then gives, in one `together`, the `standing` of each ability that such a card has. A command
without `known` does what it says and no more.

`known.json` has only facts: the printed types and numbers, read in the card files of Forge
(Card-Forge/forge) and XMage (magefree/mage), and each ability about counters or creatures as the
fields of a `standing` (docs/COMMANDS.md, Standing 1). Left out, because a standing cannot say it:
"minus one" (Vizier of Remedies), "one and no more this turn" (Melira, the Living Cure), only what
modular puts (Zabaz), what an Aura enchants (Blossombind), a target (Suncleanser), until end of turn
(Prairie Dog), a type or a color that its player chooses (Vanquisher's Banner), those that share a
type with it (Coat of Arms). Of keywords, a lord has those that combat and damage look at. Of Sagas,
those that are sacrificed after the last chapter: those with read ahead, or with another face, are
left out, as their players say what happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct, field

from games.rules.state import GameState
from games.rules.system import System
from games.systems import lookup
from games.systems.meant import as_one, cards_in, in_play, is_known

from .player import BATTLEFIELD, OTHERS, Card, player
from .replacement_effects import Standing
from .saga import CHAPTERS, LORE
from .ticking import SAGA, TRIGGERED, known_ticks

Json = Mapping[str, Any]
CHANGELING = "changeling"
"""It is every creature type (702.73)."""
MOST_LETTERS = 36
"""Characters of a card's id in the ids of its standings; the rest is for a number."""


class Face(Struct, frozen=True, forbid_unknown_fields=True):
    """What the other face of a Siege says, as `answer` takes it; a power that is counted is left
    out."""

    name: str
    types: list[str]
    base: dict[str, int] = field(default_factory=dict)


class KnownCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card, its types and numbers as printed.

    subtypes: its creature types, and `CHANGELING`. standings: what it says about counters and
    creatures, each as the fields of a `standing` but its id, name and object; source quotes at most
    a phrase of that in the Oracle text. later: they stand only once the card says so (a Class).
    but: what its text names besides, which the table does not tell apart. indestructible: its text
    says so of itself. enters: further fields of a `create` that brings it onto the battlefield; a
    counter of 0 is an X that its player says. other: the other face of a Siege. night: that of a
    creature with daybound, as `create` takes it.
    """

    name: str
    types: list[str]
    base: dict[str, int] = field(default_factory=dict)
    subtypes: list[str] = field(default_factory=list)
    standings: tuple[dict[str, Any], ...] = ()
    source: str = ""
    later: bool = False
    but: str = ""
    indestructible: bool = False
    enters: dict[str, Any] = field(default_factory=dict)
    other: Face | None = None
    night: dict[str, Any] = field(default_factory=dict)

    zone: ClassVar[str] = BATTLEFIELD

    @property
    def printed(self) -> Json:
        """Its fields for the command `create`, as JSON."""
        sorts, printed = self.subtypes, {"types": self.types, "base": self.base}
        said = {**dict.fromkeys(sorts, True), OTHERS: CHANGELING in sorts}
        night = {"night": self.night} if self.night else {}
        return {**printed, **night, "subtypes": said} if sorts else printed

    @property
    def triggered(self) -> bool:
        """True if it changes numbers by itself whatever it enters with."""
        return lookup.plain(self.name) in TRIGGERED

    @property
    def ticks(self) -> Sequence[Json]:
        """What changes a number by itself from then on, each as the fields of a `tick`."""
        if CHAPTERS in self.base:
            return [SAGA]
        return known_ticks(self.name) if self.triggered or self.enters else ()

    @property
    def listing(self) -> dict[str, str]:
        """The change of a number, as the list of cards has it."""
        signs = [Standing("", "", **said).how for said in self.standings]
        signs += [f"{n or 'X'} {kind}" for kind, n in self.enters.get("counters", {}).items()]
        signs += [_changes(each) for each in self.ticks]
        return {"note": "∞" if self.indestructible else ", ".join(dict.fromkeys(signs))}


def _changes(tick: Json) -> str:
    """The change of a tick in signs: "+1 +1/+1", "×2 +1/+1"."""
    change = tick["change"]
    sign = f"{change:+d}" if isinstance(change, int) else {"double": "×2"}.get(change, "+n")
    return f"{sign} {tick['counter']}"


KNOWN = lookup.Known(lookup.lines(__package__, "known.json", KnownCard))


# What goes with a command


def completed(system: System, state: GameState, command: Json) -> Json:
    """*command* with all that it means: what its cards are known to say, or what it is instead of.

    `known` in a `create` or `describe`: what the card of that name says stands with it, and what
    only its old name said is taken off; in a `cast` or `move`: it enters with what it is known to.
    In a `create` or `cast` it is a spell, too, while the table has something that looks at those.
    `instead` in a `standing`: the one that it replaces.
    Raises Refused "invalid" if that is more than one act may be.
    """
    used = {*state.standings}
    return as_one(command, _asks, lambda step: _with_steps(state, step, used), "614.1a")


def _asks(step: Any) -> bool:
    if type(step) is not dict:
        return False
    if step.get("do") == "standing":
        return type(step.get("instead")) is str
    return is_known(step)


def _with_steps(state: GameState, step: Any, used: set[str]) -> Iterator[Json]:
    if not _asks(step):
        yield step
        return
    plain = {key: step[key] for key in step if key not in ("known", "instead")}
    yield from _spell(state, step)
    if step["do"] == "standing":
        yield {"do": "end-standing", "standing": step["instead"]}
        yield plain
        return
    if "name" not in step:
        yield plain
        for on in cards_in(step) if in_play(step, BATTLEFIELD) else ():
            yield from _anew(state, step, on)
        return
    if step["do"] == "create":
        yield _entering(_as_printed(plain))
    else:
        blank = not any(getattr(state.objects.get(on), "types", True) for on in cards_in(step))
        yield {**_subtypes(state, plain), **(_as_printed(plain) if blank else plain)}
    for on in cards_in(step):
        yield from _of_its_name(state, step, on, used)


def _spell(state: GameState, step: Json) -> Iterator[Json]:
    """*step* brings cards that were cast, and day and night, which a card with daybound brings, or
    an ability looks at spells.

    Most of what is added was cast; what was put onto the battlefield is taken off the count.
    """
    on, counts = cards_in(step), {"do": "count-spells", "amount": len(cards_in(step))}
    said = KNOWN.called(step.get("name", ""))
    looked_at = _looks_at_spells(state) or (said and said.night)
    if not looked_at or not in_play(step, BATTLEFIELD):
        return
    if step["do"] == "cast":
        cards = [card for each in on if isinstance(card := state.objects.get(each), Card)]
        yield from ({**counts, "seat": each.owner, "types": [*each.types]} for each in cards)
    elif step["do"] == "create" and type(step.get("owner")) is str and not step.get("token"):
        types = _types(_as_printed(step))
        if "land" not in types:
            yield {**counts, "seat": step["owner"], "types": [*types]}


def _looks_at_spells(state: GameState) -> bool:
    return any(player(state, seat).daytime for seat in state.seats) or any(
        tick["begins"] == "spell-cast" for tick in state.ticks.values()
    )


def _as_printed(step: Json) -> Json:
    """*step* with what is printed on the card of its name; of its own types it keeps the numbers.

    A name may be typed and added before the form has learned which card it is, and the form has no
    field for each number: power of an artifact that is to be a creature, say.
    """
    card = KNOWN.called(step["name"])
    if card is None:
        return step
    if {*card.types}.isdisjoint(_types(step)):
        return {**step, **card.printed}
    said, printed = step.get("base"), card.printed
    base = {"base": {**card.base, **(said or {})}} if not said or type(said) is dict else {}
    return {**printed, **step, **base}


def _subtypes(state: GameState, step: Json) -> Json:
    """The creature types of the card that *step* says that it is, if it was another."""
    said = KNOWN.called(step["name"])
    was = [KNOWN.called(state.objects[on].name) for on in cards_in(step) if on in state.objects]
    if all(each is said for each in was):
        return {}
    return {"subtypes": said.printed.get("subtypes", {}) if said else {}}


def _types(step: Json) -> Sequence[str]:
    types = step.get("types", ())
    return [each for each in types if type(each) is str] if type(types) is list else ()


def _of_its_name(state: GameState, step: Json, on: str, used: set[str]) -> Iterator[Json]:
    """The parameters that follow from the card *on* in *step*."""
    name = step["name"]
    said = KNOWN.called(name)
    if step["do"] == "describe":
        before = state.objects.get(on)
        was = KNOWN.called(before.name) if before else None
        if was is said:
            return
        yield from _ended(state, on, was)
    yield from _indestructible(state, step, on, bool(said and said.indestructible))
    if said and _starts(step, said):
        yield from _ticks(on, said)
    if said and not said.later:
        for fields in said.standings:
            yield standing(on, name, fields, used)


def _ticks(on: str, said: KnownCard) -> Iterator[Json]:
    for n, tick in enumerate(said.ticks):
        if tick["counter"] == LORE:  # as a rule has it, which no effect doubles
            yield {"do": "place", "on": on, "counter": LORE, "cause": "rule"}
        yield {"do": "tick", "as": f"{on[:MOST_LETTERS]}-{n + 1}" if n else on, "on": on, **tick}


def _anew(state: GameState, step: Json, on: str) -> Iterator[Json]:
    """What the card *on* enters with; its standings have stayed with it."""
    card = state.objects.get(on)
    said = KNOWN.called(card.name) if card else None
    if said is None:
        return
    if said.indestructible:
        yield {"do": "mark", "on": on, "mark": "indestructible"}
    counters = {kind: n for kind, n in said.enters.get("counters", {}).items() if n}
    if counters and _enters(step):
        yield {"do": "place", "on": on, "counters": counters}
    if _starts(step, said):
        yield from _ticks(on, said)


def _entering(step: Json) -> Json:
    """*step* with the counters with which the card of its name enters."""
    card = KNOWN.called(step["name"])
    return {**card.enters, **step} if card and _enters(step) else step


def _starts(step: Json, card: KnownCard) -> bool:
    """True if *card* changes numbers by itself as *step* brings it."""
    return in_play(step, BATTLEFIELD) if card.triggered else _enters(step)


def _enters(step: Json) -> bool:
    """True if *step* brings a card onto the battlefield that says nothing of its counters."""
    return in_play(step, BATTLEFIELD) and not step.get("counters")


def _indestructible(state: GameState, step: Json, on: str, printed: bool) -> Iterator[Json]:
    """Mark the card *on* as it is printed, or no longer as its old name had it."""
    card = state.objects.get(on)
    if card is None:
        marked, there = False, step.get("zone", BATTLEFIELD) == BATTLEFIELD
    else:
        was = KNOWN.called(card.name)
        marked, there = bool(was and was.indestructible), card.on_field
    if there and marked != printed:
        yield {"do": "mark", "on": on, "mark": "indestructible", "value": printed}


def _ended(state: GameState, on: str, was: KnownCard | None) -> Iterator[Json]:
    """Take off what the object *on* said only because of its old name."""
    for each in state.standings.values():
        if was and each.object == on and lookup.plain(each.name) == lookup.plain(was.name):
            yield {"do": "end-standing", "standing": each.id}


def standing(on: str, name: str, said: Json, used: set[str]) -> Json:
    """The command by which the card *on* says that. used: the ids of standings; it gains one."""
    ids = (on, *(f"{on[:MOST_LETTERS]}-{n}" for n in range(2, len(used) + 3)))
    new_id = next(each for each in ids if each not in used)
    used.add(new_id)
    return {"do": "standing", "as": new_id, "name": name, "object": on, **said}


def missing(state: GameState, on: str) -> Sequence[Json]:
    """Commands for the abilities that the card *on* is known to have and lacks here."""
    card = state.objects[on]
    known = KNOWN.called(card.name)
    if known is None or any(each.object == on for each in state.standings.values()):
        return ()
    used = {*state.standings}
    return [standing(on, card.name, said, used) for said in known.standings]
