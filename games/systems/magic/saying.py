"""Standings in the words of a card: "twice as many +1/+1 counters on your creatures"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.rules.state import GameState, Phrase, to_facts
from games.rules.state import marked as _

from .known import KNOWN, missing
from .player import Card, Player
from .replacement_effects import Standing, standings, you

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


def words(said: Mapping[str, Any]) -> Phrase:
    """The text of a standing with the fields *said*, to be translated."""
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


def _what(said: Mapping[str, Any]) -> Phrase:
    counters = Phrase(_("counters"))
    if kinds := said.get("kinds"):
        counters = Phrase(_("{kinds} counters"), kinds=", ".join(kinds))
    putter, where = said.get("putter") or "anybody", _where(said)
    if where is None:
        return Phrase(PUT_ANYWHERE[putter], counters=counters)
    return Phrase(PUT[putter], counters=counters, where=where)


def _where(said: Mapping[str, Any]) -> Phrase | None:
    """On whom and what, after "on"; None if everywhere."""
    whose, of = said.get("whose") or "any", said.get("of")
    if of == "self":
        return Phrase(_("this card"))
    if types := said.get("types"):
        return Phrase(OF_TYPES[whose], types=_listed([Phrase(TYPES[each]) for each in types]))
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
    """The effects of *card* on counters.

    standings: its abilities as they stand, each with what it does. unsaid: the commands that say
    what it is known to do, and what that is. later: the card itself says when. but: what its text
    names besides.
    """
    known, unsaid = KNOWN.called(card.name), missing(state, card.id)
    return {
        "standings": _said(each for each in standings(state) if each.object == card.id),
        "unsaid": unsaid,
        "unsaid_words": [words(each) for each in unsaid],
        "later": bool(known and known.later),
        "but": known.but if known else "",
        **_to_choose(state),
    }


def of_player(state: GameState, seat: Player) -> Mapping[str, Any]:
    """The effects without a card that change counters for *seat*, each with what it does."""
    mine = _said(each for each in standings(state) if each.seat == seat.id)
    return {"standings": mine, **_to_choose(state)}


def _said(found: Iterable[Standing]) -> list[tuple[Standing, Phrase]]:
    return [(each, words(to_facts(each))) for each in found]


def _to_choose(state: GameState) -> Mapping[str, Any]:
    """Fields of the form for an effect on counters."""
    return {"permanent_types": PERMANENT_TYPES, "teams": bool(state.teams)}
