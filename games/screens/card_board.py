"""Boards of the card games: seats and cards, and the moments that are told to the whole table.

A waiting question is redrawn whenever the numbers it asks about change.

Ids: "moments" for what is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from operator import itemgetter
from typing import Any
from urllib.parse import quote

from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import replace

from games.rules.history import Applied
from games.rules.state import GameState
from games.screens.fragments import MORPH, OOB, Audience, amount_id
from games.screens.log import sentences
from games.screens.log.parts import times
from games.screens.log.undo import taken_back
from games.screens.looks import letter, looks
from games.screens.updates import Screens
from games.screens.words import IN_BRACES, question, word_for

KIND = itemgetter("kind")
MOST_MOMENTS = 5
"""At most this many moments are told of one command, the last ones."""


class Moment(Struct, frozen=True, kw_only=True):
    """Something that everybody at the table should notice.

    kind: "out", "won", "draw", "turn", "asked", "rule", "revealed", "back" or "undo". seat: whom it
    is about, "" for nobody. title: a few words. says: one more sentence, or "". rule: its number.
    to: the seats whose phones tell it; empty for all. but: a seat whose phone does not.
    numbers: the ids of the numbers whose change it says, so that no one hears it twice.
    """

    kind: str
    title: str
    seat: str = ""
    says: str = ""
    rule: str = ""
    to: tuple[str, ...] = ()
    but: str = ""
    numbers: tuple[str, ...] = ()


TOLD = frozenset({"lost", "ended", "turn-began", "prompted", "restored", "moved"})
"""The kinds of events that can be moments in every game; those of "removed" are told together."""


@lru_cache(maxsize=4_096)
def _address(rule: str) -> str:
    """Where a rule can be read, safe in an attribute."""
    return f"rules?rule={escape(quote(rule))}"


def once_each(moments: Iterable[Moment]) -> Iterator[Moment]:
    """*moments*, the same one of several objects of one name as one: "Zombie ×20"."""
    found: dict[Moment, list[Moment]] = {}
    for each in moments:
        found.setdefault(replace(each, numbers=()), []).append(each)
    for first, like in found.items():
        if len(like) == 1:
            yield like[0]
            continue
        numbers = tuple(number for each in like for number in each.numbers)
        yield replace(first, title=f"{first.title}{times(len(like))}", numbers=numbers)


class CardScreens(Screens):
    """The fragments of one table of a card game."""

    def changes(self, given: Applied, audience: Audience) -> str:
        if not self._tells(given):
            return super().changes(given, audience)
        with self.reading(audience):
            shown = self._numbers_only(given)
            if shown is None:
                shown = self._changed(given, audience)
            told = list(once_each(self.moments(given)))[-MOST_MOMENTS:]
            return shown + self._told(given, told) if told else shown

    def _tells(self, given: Applied) -> bool:
        """Whether there may be moments in it: in a plain tap there are none."""
        if given.entry is None or given.reversals:
            return given.entry is not None
        kinds = list(map(KIND, given.entry.events))
        if "removed" in kinds and len(kinds) > 1:
            return True
        return not (TOLD.isdisjoint(kinds) and self.presentation.news.isdisjoint(kinds))

    def _told(self, given: Applied, moments: list[Moment]) -> str:
        """What is told. A template for it took nearly half of a whole chain of events."""
        number = given.entry.number if given.entry else 0
        back = next(reversed([*taken_back(self.system, given, self.name)]), None)
        does, entries = (back.opposite, back.turned) if back else ("undo", number)
        word = _("Redo") if does == "redo" else _("Undo")
        button = (
            f'<button type="button" data-does="{does}" data-entries="{entries}">{word}</button>'
        )
        places = {seat: place for place, seat in enumerate(given.after.seats, 1)}
        marked = {
            seat: self._marked(places[seat], seat)
            for seat in {each.seat for each in moments}
            if seat in places
        }
        drawn = [
            self._moment(
                each,
                marked.get(each.seat, ("", "")),
                number,
                button if does == "redo" or each.kind not in ("turn", "asked") else "",
            )
            for each in moments
        ]
        return f'<div id="moments" hidden{OOB}>{"".join(drawn)}</div>'

    def _marked(self, place: int, seat: str) -> tuple[str, str]:
        """The attributes of what belongs to *seat*, and its mark."""
        initial = escape(letter(place, self.name(seat)))
        return f" {looks(place)}", f'<b class="seat-mark" aria-hidden="true">{initial}</b>'

    def _moment(self, it: Moment, marked: tuple[str, str], entry: int, button: str) -> str:
        """One moment. marked: the attributes and the mark of its seat. button: what takes it back,
        or "".

        The attributes say who is told of it, and which numbers it is about.
        """
        seat, mark = marked
        facts, rule, says = f' data-moment="{it.kind}" data-entry="{entry}"{seat}', "", ""
        for name, words in (("for", it.to), ("but", (it.but,)), ("numbers", it.numbers)):
            if text := " ".join(words):
                facts += f' data-{name}="{escape(text)}"'
        if it.rule:
            rule = f'<a class="button" href="{_address(it.rule)}" data-sheet>{_("Rule")}</a>'
        if it.says or it.rule:
            cited = f" <cite>{escape(it.rule)}</cite>" if it.rule else ""
            says = f"<p>{escape(it.says)}{cited}</p>"
        return (
            f'<div class="moment is-{it.kind}"{facts}>{mark}<strong>{escape(it.title)}</strong>'
            f'<span class="moment-do">{rule}{button}</span>{says}</div>'
        )

    def moments(self, given: Applied) -> Iterator[Moment]:
        """What to tell of an accepted command, in the order in which it happened."""
        before, after, entry = given.before, given.after, given.entry
        if entry is None:
            return
        for back in taken_back(self.system, given, self.name):
            yield Moment(kind="undo", seat=back.by, title=back.title, says=back.text)
        several, told = len(entry.events) > 1, TOLD | self.presentation.news
        for event in entry.events:
            if event["kind"] in told:
                yield from self._moments_of(before, after, event, several=several)
        if several:
            yield from self._taken_off(after, entry.events)

    def _moments_of(
        self, before: GameState, after: GameState, event: Mapping[str, Any], *, several: bool
    ) -> Iterator[Moment]:
        kind, rule = event["kind"], event.get("rule") or ""
        if kind == "lost" and event["seat"] in before.winners:
            return  # who had won only puts away their life
        if kind == "lost":
            seat = event["seat"]
            because = self.reason(after, seat)
            yield Moment(
                kind="out",
                seat=seat,
                title=_("%(who)s is out") % {"who": self.name(seat)},
                says=because["why"],
                rule=because["rule"] or rule,
            )
        elif kind == "restored":
            title = _("%(who)s is back") % {"who": self.name(event["seat"])}
            yield Moment(kind="back", seat=event["seat"], title=title)
        elif kind == "ended":
            yield self._won(after, rule)
        elif kind == "turn-began":
            active = tuple(event["active"])
            yield Moment(kind="turn", seat="".join(active[:1]), title=_("Your turn"), to=active)
        elif kind == "prompted":
            yield Moment(
                kind="asked",
                seat=event["to"],
                title=_("%(who)s is asked") % {"who": self.name(event["to"])},
                says=self._asked(after, event["prompt"]),
                but=event["to"],
            )
        elif several or kind in self.presentation.news:
            # Only what follows from something else is told, so a plain tap never is.
            yield from self._by_a_rule(after, event, rule)

    def _won(self, state: GameState, rule: str) -> Moment:
        if not state.winners:
            return Moment(kind="draw", title=_("It’s a draw"), rule=rule)
        names = ", ".join(map(self.name, state.winners))
        return Moment(
            kind="won",
            seat=state.winners[0],
            title=_("%(who)s wins") % {"who": names},
            rule=rule,
        )

    def _asked(self, state: GameState, prompt: str) -> str:
        found = state.prompt(prompt)
        return question(found.kind) if found else ""

    def _by_a_rule(self, state: GameState, event: Mapping[str, Any], rule: str) -> Iterator[Moment]:
        """A milestone of the system's own, or something that a rule did by itself."""
        kind = event["kind"]
        named = str(event.get("object", event.get("on", "")))
        obj = state.objects.get(named)
        seat = obj.controller if obj else named if named in state.seats else ""
        name = obj.name if obj else self.name(named)
        if kind in self.presentation.news:
            text = sentences.announced(self.system, state, event)
            says = IN_BRACES.sub(lambda found: self.name(found[1]), text)
            title = name or event.get("name", "")
            seat = seat or self.presentation.told(state, event).get("seat", "")
            if title:
                says = says.removeprefix(f"{title}: ").removeprefix(f"{title} ")
                yield Moment(kind="rule", seat=seat, title=title, says=says, rule=rule)
            else:
                yield Moment(kind="rule", seat=seat, title=says, rule=rule)
        elif rule in self.presentation.announced and kind == "moved":
            yield Moment(kind="rule", seat=seat, title=name, says=self._gone(event), rule=rule)

    def _taken_off(self, state: GameState, events: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
        """The counters that a rule took off, together for each card."""
        removed = [event for event in events if event["kind"] == "removed" and event.get("rule")]
        rules = {
            event["on"]: event["rule"]
            for event in reversed(removed)
            if event["rule"] in self.presentation.announced
        }
        for on, rule in rules.items():
            taken = [event for event in removed if event["on"] == on]
            kinds = [f"−{event['amount']} {event['counter']}" for event in taken]
            obj = state.objects.get(on)
            yield Moment(
                kind="rule",
                seat=obj.controller if obj else "",
                title=self._object_name(state, on),
                says=", ".join(kinds),
                rule=rule,
                numbers=tuple([amount_id(on, event["counter"]) for event in taken]),
            )

    def _gone(self, event: Mapping[str, Any]) -> str:
        words = {
            "died": _("died"),
            "sacrificed": _("was sacrificed"),
            "destroyed": _("was destroyed"),
        }
        return words.get(event["how"]) or _("is in: %(zone)s") % {"zone": word_for(event["to"])}

    # Updates

    def _prompts_and_turn(self, before: GameState, after: GameState, moved: bool) -> Iterator[str]:
        yield from super()._prompts_and_turn(before, after, moved)
        if moved or before.prompts is not after.prompts:
            return
        facts = self._prompt_facts
        for seat in {prompt.to: None for prompt in after.prompts}:
            if any(
                facts(before, each) != facts(after, each)
                for each in after.prompts
                if each.to == seat
            ):
                yield self.prompts(after, seat, MORPH)
