"""The cards that are known to change counters: found by name, they stand as soon as they are added.
Planeswalkers, Sieges, Sagas, the indestructible, and those with impending or station are found,
too, for what is printed on them. What enters with counters, as a Saga does, comes with them; they
change by themselves where its text says so.

For the screens: nothing here decides a rule. A form that names a card says `known`; `completed`
then gives, in one `together`, the `standing` of each ability that such a card has. A command
without `known` does what it says and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from games.rules.batch import MOST_STEPS
from games.rules.commands import HEAD
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.systems import lookup

from .card_table import CARDS, INDESTRUCTIBLE, SAGAS, STATIONS
from .enters_table import ENTERS, LOYALTY
from .player import BATTLEFIELD
from .saga import CHAPTERS, LORE
from .siege_table import KNOWN, Face
from .ticking import OVERLORDS, SAGA, TRIGGERED
from .token_table import MADE

Json = Mapping[str, Any]
MOST_LETTERS = 36
"""Characters of a card's id in the ids of its standings; the rest is for a number."""


class KnownCard(Struct, frozen=True):
    """A card of the table.

    printed: its fields for the command `create`, as JSON. standings: what it says about counters,
    each as the fields of a `standing`. later: they do not count at once. but: what its text names
    besides, which the table does not tell apart. indestructible: it is marked so where it may be.
    enters: further fields of a `create` that brings it onto the battlefield. ticks: what changes
    a number by itself from then on, each as the fields of a `tick`. triggered: whatever it enters
    with.
    """

    name: str
    printed: Json = field(default_factory=dict)
    standings: tuple[Json, ...] = ()
    later: bool = False
    but: str = ""
    zone: str = BATTLEFIELD
    enters: Json = field(default_factory=dict)
    ticks: Sequence[Json] = ()
    triggered: bool = False
    indestructible: bool = False

    @property
    def listing(self) -> dict[str, str]:
        """The change of a number, as the list of cards has it."""
        signs = [*map(_sign, self.standings)]
        signs += [f"{n or 'X'} {kind}" for kind, n in self.enters.get("counters", {}).items()]
        signs += [_changes(each) for each in self.ticks]
        return {"note": "∞" if self.indestructible else ", ".join(dict.fromkeys(signs))}


def _sign(said: Json) -> str:
    if "times" in said:
        return f"×{said['times']}"
    if "plus" in said:
        return f"+{said['plus']}"
    return "÷2" if "half" in said else "0"


def _changes(tick: Json) -> str:
    """The change of a tick in signs: "+1 +1/+1", "×2 +1/+1"."""
    change = tick["change"]
    sign = f"{change:+d}" if isinstance(change, int) else {"double": "×2"}.get(change, "+n")
    return f"{sign} {tick['counter']}"


def offer_cards(typed: str, most: int = 8) -> list[KnownCard]:
    """The known cards whose name contains *typed*, else those spelt almost so."""
    return lookup.found(_CARDS, typed, most)


def known_card(name: str) -> KnownCard | None:
    """The card of that name, however its spaces, commas and apostrophes are typed."""
    return _CARDS.get(lookup.plain(name))


_CARDS = {
    lookup.plain(name): KnownCard(
        name,
        {key: facts[key] for key in ("types", "base") if key in facts},
        tuple(facts["standings"]),
        facts.get("later", False),
        facts.get("but", ""),
    )
    for name, facts in CARDS.items()
} | {
    lookup.plain(name): KnownCard(name, {"types": ["enchantment", "creature"], "base": base})
    for name, base in OVERLORDS.items()
}
_CARDS |= {
    lookup.plain(name): KnownCard(name, {"types": ["battle"], "base": {"defense": defense}})
    for name, defense, _other in KNOWN
}
_CARDS |= {
    lookup.plain(name): KnownCard(
        name,
        {"types": types.split(), "base": {"power": power, "toughness": toughness}},
        indestructible=True,
    )
    for types, cards in INDESTRUCTIBLE.items()
    for name, (power, toughness) in cards.items()
}
_CARDS |= {
    lookup.plain(name): KnownCard(
        name,
        {
            "types": ["artifact"],
            "base": {"power": power, "toughness": toughness, "station": charge},
        },
    )
    for name, (power, toughness, charge) in STATIONS.items()
}
_CARDS |= {
    lookup.plain(name): KnownCard(name, {"types": ["planeswalker"], "base": {"loyalty": loyalty}})
    for name, loyalty in LOYALTY.items()
}


def _printed(types: str, base: tuple[int, ...]) -> Json:
    return {
        "types": types.split(),
        "base": dict(zip(("power", "toughness"), base, strict=False)),
    }


_CARDS |= {
    lookup.plain(name): KnownCard(
        name,
        _printed(it.types, it.base),
        ticks=it.ticks,
        triggered=True,
        indestructible=lookup.plain(name) in _CARDS and _CARDS[lookup.plain(name)].indestructible,
    )
    for name, it in TRIGGERED.items()
}
_CARDS |= {
    lookup.plain(name): KnownCard(
        name,
        _printed(it.types, it.base),
        enters={"counters": {it.kind: it.amount}, **({"tapped": True} if it.tapped else {})},
        ticks=TRIGGERED[name].ticks if name in TRIGGERED else it.ticks,
        triggered=name in TRIGGERED,
    )
    for name, it in ENTERS.items()
}
_CARDS |= {
    lookup.plain(name): KnownCard(
        name, {"types": types, "base": {CHAPTERS: chapters}}, ticks=[SAGA]
    )
    for name, chapters in SAGAS.items()
    for types in [["enchantment", "land"] if name == "Urza’s Saga" else ["enchantment"]]
}
TOKENS: Sequence[Json] = [
    {
        "name": it.name,
        "zone": BATTLEFIELD,
        "token": True,
        **_printed(it.types, it.base),
        "makers": it.makers.split("; "),
    }
    for it in MADE
]
"""The tokens that known cards make, each as the fields of a `create` with its `makers`."""
_OTHER_FACES = {lookup.plain(siege.name): siege.other for siege in KNOWN}


def other_face(name: str) -> Face | None:
    """The other face of the Siege of that name, if it is known."""
    return _OTHER_FACES.get(lookup.plain(name))


# What goes with a command


def completed(system: System, state: GameState, command: Json) -> Json:
    """*command* with all that it means: what its cards are known to say, or what it is instead of.

    `known` in a `create` or `describe`: what the card of that name says stands with it, and what
    only its old name said is taken off; in a `cast` or `move`: it enters with what it is known to.
    `instead` in a `standing`: the one that it replaces.
    Raises Refused "invalid" if that is more than one act may be.
    """
    head = {key: command[key] for key in HEAD & command.keys() if key != "do"}
    alone = {key: command[key] for key in command if key not in head}
    steps = command.get("steps") if command.get("do") == "together" else [alone]
    if type(steps) is not list or not any(_asks(step) for step in steps):
        return command
    used = {*state.standings}
    made = [each for step in steps for each in _with_steps(state, step, used)]
    if len(steps) <= MOST_STEPS < len(made):
        n = MOST_STEPS * len(steps) // len(made)
        raise Refused("invalid", "Add at most {n} such cards at once.", "614.1a", n=n)
    return {"do": "together", "steps": made, **head} if len(made) > 1 else {**made[0], **head}


NAMES = {"create": "as", "describe": "object", "cast": "object", "move": "object"}
"""By verb: where it names the card that it names, or that enters."""


def _asks(step: Any) -> bool:
    if type(step) is not dict:
        return False
    if step.get("do") == "standing":
        return type(step.get("instead")) is str
    named = step.get("do") in ("cast", "move") or type(step.get("name")) is str
    return step.get("known") is True and named and bool(_named(step))


def _named(step: Json) -> Sequence[str]:
    """The ids of the cards that *step* names; none if they are not ids."""
    on = step.get(NAMES.get(str(step.get("do")), ""))
    listed = on if type(on) is list else [on]
    ids = [each for each in listed if type(each) is str]
    return ids if len(ids) == len(listed) else ()


def _with_steps(state: GameState, step: Any, used: set[str]) -> Iterator[Json]:
    if not _asks(step):
        yield step
        return
    plain = {key: step[key] for key in step if key not in ("known", "instead")}
    if step["do"] == "standing":
        yield {"do": "end-standing", "standing": step["instead"]}
        yield plain
        return
    if "name" not in step:
        yield plain
        for on in _named(step) if _in_play(step) else ():
            yield from _anew(state, step, on)
        return
    if step["do"] == "create":
        yield _entering(_as_printed(plain))
    else:
        blank = not any(getattr(state.objects.get(on), "types", True) for on in _named(step))
        yield _as_printed(plain) if blank else plain
    for on in _named(step):
        yield from _of_its_name(state, step, on, used)


def _as_printed(step: Json) -> Json:
    """*step* with what is printed on the card of its name, unless it says so at least in part.

    A name may be typed and added before the form has learned which card it is.
    """
    card = known_card(step["name"])
    if card is None or not {*card.printed["types"]}.isdisjoint(_types(step)):
        return step
    rest = {key: step[key] for key in step if key not in ("types", "base")}
    return {**rest, **card.printed}


def _types(step: Json) -> Sequence[str]:
    types = step.get("types", ())
    return [each for each in types if type(each) is str] if type(types) is list else ()


def _of_its_name(state: GameState, step: Json, on: str, used: set[str]) -> Iterator[Json]:
    """The parameters that follow from the card *on* in *step*."""
    name = step["name"]
    said = known_card(name)
    if step["do"] == "describe":
        before = state.objects.get(on)
        was = known_card(before.name) if before else None
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
    said = known_card(card.name) if card else None
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
    card = known_card(step["name"])
    return {**card.enters, **step} if card and _enters(step) else step


def _starts(step: Json, card: KnownCard) -> bool:
    """True if *card* changes numbers by itself as *step* brings it."""
    return _in_play(step) if card.triggered else _enters(step)


def _enters(step: Json) -> bool:
    """True if *step* brings a card onto the battlefield that says nothing of its counters."""
    return _in_play(step) and not step.get("counters")


def _in_play(step: Json) -> bool:
    into = {"create": step.get("zone", BATTLEFIELD), "cast": BATTLEFIELD, "move": step.get("to")}
    return into.get(step["do"]) == BATTLEFIELD


def _indestructible(state: GameState, step: Json, on: str, printed: bool) -> Iterator[Json]:
    """Mark the card *on* as it is printed, or no longer as its old name had it."""
    card = state.objects.get(on)
    if card is None:
        marked, there = False, step.get("zone", BATTLEFIELD) == BATTLEFIELD
    else:
        was = known_card(card.name)
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
    known = known_card(card.name)
    if known is None or any(each.object == on for each in state.standings.values()):
        return ()
    used = {*state.standings}
    return [standing(on, card.name, said, used) for said in known.standings]
