"""Boards of the card games: seats and cards, and the moments that are told to the whole table.

A waiting question is redrawn whenever the numbers it asks about change.

Ids: "moments" for what is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from urllib.parse import quote

from django.utils.translation import gettext as _

from games.rules.history import Applied, Reversal
from games.rules.state import GameState
from games.screens.cards.changes import Screens
from games.screens.cards.moments import Moment, Telling, first_of, others_hand, worth_telling
from games.screens.fragments import MORPH, OOB, Audience
from games.screens.log.parts import ANY
from games.screens.log.undo import taken_back
from games.screens.looks import letter, looks


@lru_cache(maxsize=4_096)
def _address(rule: str) -> str:
    """Where a rule can be read, safe in an attribute."""
    return f"rules?rule={escape(quote(rule))}"


class CardScreens(Screens):
    """The fragments of one table of a card game."""

    def changes(self, given: Applied, audience: Audience) -> str:
        if not self._tells(given):
            return super().changes(given, audience)
        with self.reading(audience):
            shown = self._numbers_only(given)
            if shown is None:
                shown = self._changed(given, audience)
            told, more = first_of(self.moments(given))
            return shown + self._told(given, told, more) if told else shown

    def _tells(self, given: Applied) -> bool:
        """Whether there may be moments in it: in most plain taps there are none."""
        if given.entry is None or given.reversals:
            return given.entry is not None
        own = self.presentation
        for event in given.entry.events:  # noqa: SIM110 a generator costs as much as this saves
            if worth_telling(own, given, event):
                return True
        return False

    def _told(self, given: Applied, moments: Sequence[Moment], more: int) -> str:
        """What is told, and whose cards another player changed. more: how much else there is.

        A template for it took nearly half of a whole chain of events.
        """
        places = {seat: place for place, seat in enumerate(given.after.seats, 1)}
        marked = {
            seat: self._marked(places[seat], seat)
            for seat in {each.seat for each in moments}
            if seat in places
        }
        reversals = {each.entry.number: each for each in given.reversals}
        drawn = [
            self._moment(each, marked.get(each.seat, ("", "")), self._button(each, reversals))
            for each in moments
        ]
        facts = f' data-more="{more}"' if more else ""
        if hit := self._hit(given):
            facts += f' data-hit="{escape(" ".join(hit))}"'
        return f'<div id="moments" hidden{facts}{OOB}>{"".join(drawn)}</div>'

    def _hit(self, given: Applied) -> dict[str, None]:
        """The seats whose cards another player changed, each with who did: "ben:ana"."""
        entry = given.entry
        if entry is None or given.reversals:
            return {}
        found: dict[str, None] = {}
        for event in entry.events:
            by = given.giver(event)
            if whose := others_hand(given.before, event, by):
                found[f"{whose}:{by}"] = None
        return found

    def _button(self, it: Moment, reversals: Mapping[int, Reversal]) -> str:
        """What takes back what is told: its own entry, or for an undo what that took."""
        if it.kind in ("turn", "asked"):
            return ""
        does, entries = "undo", f"{it.entry}"
        if it.kind == "undo":
            back = reversals[it.entry]
            undone = back.entry.command["do"] == "undo"
            numbers = [each.number for each in back.of]
            does = "redo" if undone else "undo"
            entries = " ".join(map(str, numbers if undone else reversed(numbers)))
        word = _("Redo") if does == "redo" else _("Undo")
        return f'<button type="button" data-does="{does}" data-entries="{entries}">{word}</button>'

    def _marked(self, place: int, seat: str) -> tuple[str, str]:
        """The attributes of what belongs to *seat*, and its mark."""
        initial = escape(letter(place, self.name(seat)))
        return f" {looks(place)}", f'<b class="seat-mark" aria-hidden="true">{initial}</b>'

    def _moment(self, it: Moment, marked: tuple[str, str], button: str) -> str:
        """One moment. marked: the attributes and the mark of its seat. button: what takes it back,
        or "".

        The attributes say who is told of it, and which card and numbers it is about.
        """
        seat, mark = marked
        facts, rule, says = f' data-moment="{it.kind}" data-entry="{it.entry}"{seat}', "", ""
        about = {"for": " ".join(it.to), "but": it.but, "about": it.about, "rule": it.rule}
        for name, words in (about | {"numbers": " ".join(it.numbers)}).items():
            if words:
                facts += f' data-{name}="{escape(words)}"'
        title = escape(it.title)
        if it.n is not None:  # a phone adds up what quick taps do to one card
            title = title.replace(ANY, f"<b data-n>{it.n}</b>")
        if it.rule:
            cited = escape(_("Rule %(number)s") % {"number": it.rule})
            rule = (
                f' <a class="moment-rule" href="{_address(it.rule)}" data-sheet'
                f' aria-label="{cited}">{_("Rule")}</a>'
            )
        if it.says:
            says = f"<i>: </i><span>{escape(it.says)}</span>"
        return (
            f'<div class="moment is-{it.kind}"{facts}>{mark}'
            f'<p class="moment-says"><strong>{title}</strong>{says}{rule}</p>'
            f'<span class="moment-do">{button}</span></div>'
        )

    def moments(self, given: Applied) -> Iterator[Moment]:
        """What to tell of an accepted command, in the order in which it happened."""
        entry = given.entry
        if entry is None:
            return
        for back, reversal in zip(
            taken_back(self.system, given, self.name), given.reversals, strict=True
        ):
            number = reversal.entry.number
            yield Moment(kind="undo", seat=back.by, title=back.title, says=back.text, entry=number)
        yield from Telling(
            self.system,
            given,
            self.name,
            lambda seat: self.reason(given.after, seat),
            lambda seat: self._hero(given.after, seat),
        ).moments()

    def _hero(self, state: GameState, seat: str) -> str:
        """The holder of the number that stands big on the panel of *seat*; "" without one."""
        hero = self._panel(state, seat).hero
        return hero.holder if hero else ""

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
