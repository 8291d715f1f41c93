"""Standings in the words of a card: "twice as many +1/+1 counters on your creatures"."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.rules.state import GameState, Phrase, to_facts
from games.rules.state import marked as _

from .creatures import unknown_types
from .known import KNOWN, missing
from .player import Card, Player
from .replacement_effects import GIVEN, Standing, size, standings, you

PERMANENTS = {
    "any": _("permanents"),
    "yours": _("your permanents"),
    "opponents": _("your opponents’ permanents"),
    "team": _("your team’s permanents"),
}
PLAYERS = {
    "any": _("players"),
    "yours": _("you"),
    "opponents": _("your opponents"),
    "team": _("your team"),
}
OF_TYPES = {
    "any": _("{types}"),
    "yours": _("your {types}"),
    "opponents": _("your opponents’ {types}"),
    "team": _("your team’s {types}"),
}
TYPES = {
    "artifact": _("artifacts"),
    "battle": _("battles"),
    "creature": _("creatures"),
    "enchantment": _("enchantments"),
    "instant": _("instants"),
    "kindred": _("kindred cards"),
    "land": _("lands"),
    "planeswalker": _("planeswalkers"),
    "sorcery": _("sorceries"),
}
PERMANENT_TYPES = ("creature", "artifact", "enchantment", "land", "planeswalker", "battle")
"""In the order in which they are offered."""
PUT = {
    "anybody": _("{counters} on {where}"),
    "you": _("{counters} that you put on {where}"),
    "opponents": _("{counters} that your opponents put on {where}"),
}
PUT_ANYWHERE = {
    "anybody": _("{counters}"),
    "you": _("{counters} that you put"),
    "opponents": _("{counters} that your opponents put"),
}


KEYWORD_WORDS = {
    "first strike": _("first strike"),
    "double strike": _("double strike"),
    "trample": _("trample"),
    "vigilance": _("vigilance"),
    "menace": _("menace"),
    "lifelink": _("lifelink"),
    "deathtouch": _("deathtouch"),
    "infect": _("infect"),
    "wither": _("wither"),
    "indestructible": _("indestructible"),
}


def words(said: Mapping[str, Any]) -> Phrase:
    """The text of a standing with the fields *said*, to be translated."""
    if said.get("adds") or said.get("gives"):
        gives = [Phrase(KEYWORD_WORDS[each]) for each in said.get("gives") or ()]
        what = _listed([*map(Phrase, size(said.get("adds"))), *gives])
        found = Phrase(_("{what} for {where}"), what=what, where=_where(said, _("creatures")) or "")
        if (per := said.get("per")) is None:
            return found
        each, any_ = _("{what}, for each of these: {counted}"), _("{what}, if there are {counted}")
        return Phrase(each if said.get("adds") else any_, what=found, counted=_counted(per))
    what = _what(said)
    if said.get("none"):
        return Phrase(_("no {what}"), what=what)
    if (times := said.get("times")) == 2:
        return Phrase(_("twice as many {what}"), what=what)
    if times:
        return Phrase(_("{n} times as many {what}"), what=what, n=times)
    if (plus := said.get("plus")) == 1:
        return Phrase(_("{what} come with one more"), what=what)
    if plus:
        return Phrase(_("{what} come with {n} more"), what=what, n=plus)
    if said.get("half") == "up":
        return Phrase(_("half as many {what}, rounded up"), what=what)
    return Phrase(_("half as many {what}, rounded down"), what=what)


def _counted(per: Mapping[str, Any]) -> Phrase | None:
    """What is counted: "your artifacts", "+1/+1 counters on this card"."""
    if per.get("kinds") is not None:
        return _what(per)
    return _where(per, "" if per.get("types") else _("creatures"))


def _what(said: Mapping[str, Any]) -> Phrase:
    counters = Phrase(_("counters"))
    if kinds := said.get("kinds"):
        counters = Phrase(_("{kinds} counters"), kinds=", ".join(kinds))
    putter, where = said.get("putter") or "anybody", _where(said)
    if where is None:
        return Phrase(PUT_ANYWHERE[putter], counters=counters)
    return Phrase(PUT[putter], counters=counters, where=where)


def _where(said: Mapping[str, Any], creatures: str = "") -> Phrase | None:
    """On whom and what, after "on"; None if everywhere. creatures: only on those, so called."""
    whose, of = said.get("whose") or "any", said.get("of")
    if of in ("self", "it"):
        return Phrase(_("this card") if of == "self" else _("that creature"))
    types = [Phrase(TYPES[each]) for each in said.get("types") or ()]
    if types or creatures:
        them = _listed(types) if types else Phrase(creatures)
        if types and creatures:
            them = Phrase(_("{types} that are creatures"), types=them)
        where = Phrase(OF_TYPES[whose], types=them)
        if sorts := said.get("sorts"):
            listed = " / ".join(each.title() for each in sorts)
            where = Phrase(_("{where} of the type “{sorts}”"), where=where, sorts=listed)
        return Phrase(_("{where}, not this one"), where=where) if said.get("others") else where
    if of == "permanents":
        return Phrase(PERMANENTS[whose])
    if of == "players":
        own = whose == "yours" and said.get("putter") == "you"
        return Phrase(_("yourself") if own else PLAYERS[whose])
    if whose == "any":
        return None
    both = [Phrase(PERMANENTS[whose]), Phrase(PLAYERS[whose])]
    return _listed(both)


def _listed(phrases: Sequence[Phrase]) -> Phrase:
    """ "artifacts, creatures and lands"."""
    first, *rest = phrases
    for phrase in rest[:-1]:
        first = Phrase(_("{first}, {second}"), first=first, second=phrase)
    for phrase in rest[-1:]:
        first = Phrase(_("{first} and {second}"), first=first, second=phrase)
    return first


# What the log and the sheets need


def phrases(state: GameState, event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The phrases for a standing's sentence: its effect, and its player now; or its change of
    the counters that are put."""
    if "amounts" in event:
        was, now = event["amounts"][0], event["amounts"][-1]
        signs = event["text"].removeprefix(f"{was}, ").removesuffix(f": {now}")
        return {"was": f"{was}", "now": f"{now}", "signs": signs}
    if "standing" not in event:
        return {}
    stands = state.standings.get(event["standing"])
    if not isinstance(stands, Standing):  # the same command took it off again
        return {"what": event["how"]}
    return {"what": words(to_facts(stands)), "seat": you(state, stands) or ""}


def of_card(state: GameState, card: Card) -> Mapping[str, Any]:
    """The effects of *card* on counters and creatures, and what such effects ask of it.

    standings: its abilities as they stand, each with what it does. unsaid: the commands that say
    what it is known to do, and what that is. later: the card itself says when. but: what its text
    names besides. asked: the creature types that nobody has said of it, each with what to say of
    the card if it is one, and if it is not.
    """
    known, unsaid = KNOWN.called(card.name), missing(state, card.id)
    return {
        "standings": _said(each for each in standings(state) if each.object == card.id),
        "unsaid": unsaid,
        "unsaid_words": [words(each) for each in unsaid],
        "later": bool(known and known.later),
        "but": known.but if known else "",
        "asked": [(sort.title(), *_answers(card, sort)) for sort in unknown_types(state, card)],
        **_to_choose(state),
    }


def _answers(card: Card, sort: str) -> list[str]:
    """What *card* is said to be if it is of that creature type, and if it is not, as JSON."""
    return [json.dumps({**card.subtypes, sort: said}) for said in (True, False)]


def of_player(state: GameState, seat: Player) -> Mapping[str, Any]:
    """The effects without a card that change counters for *seat*, each with what it does."""
    mine = _said(each for each in standings(state) if each.seat == seat.id)
    return {"standings": mine, **_to_choose(state)}


def _said(found: Iterable[Standing]) -> list[tuple[Standing, Phrase]]:
    return [(each, words(to_facts(each))) for each in found]


def _to_choose(state: GameState) -> Mapping[str, Any]:
    """Fields of the form for an effect on counters."""
    return {"permanent_types": PERMANENT_TYPES, "given": GIVEN, "teams": bool(state.teams)}
