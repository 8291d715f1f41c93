"""The board of a card game in which objects may be face-down: every seat gets its own.

The state is turned into the seat's view here, once, before anything is drawn; nothing else on the
board knows of secrets. While nothing is hidden from anyone, all seats share what is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _
from msgspec.structs import replace

from games.models import Seat
from games.rules import secrecy
from games.rules.history import Applied, Reversal
from games.rules.state import GameObject, GameState
from games.rules.system import System
from games.screens.cards.moments import Moment
from games.screens.cards.telling import CardScreens
from games.screens.fragments import MORPH, Audience
from games.screens.secrets import Eyes


class SeatedCardScreens(CardScreens):
    """The fragments of one table, drawn for each seat from what it sees."""

    def __init__(self, system: System, seats: Mapping[str, Seat | str] | None = None) -> None:
        super().__init__(system, seats)
        self._eyes = Eyes(system)
        self._shared: tuple[GameState, GameState, str, str] | None = None

    def board(
        self, state: GameState, seat: str | None, audience: Audience, swap: str = MORPH
    ) -> str:
        seen = self._seen(state, audience)
        if seen is state:
            audience = audience._replace(seat=None)
        return super().board(seen, seat, audience, swap)

    def changes(self, given: Applied, audience: Audience) -> str:
        before, after = self._seen(given.before, audience), self._seen(given.after, audience)
        if before is not given.before or after is not given.after:
            seat = audience.seat
            shown = replace(
                given,
                before=before,
                after=after,
                entry=given.entry and secrecy.entry_seen(self.system, after, given.entry, seat),
                reversals=tuple(self._reversals(given, before, seat)),
            )
            return super().changes(shown, audience)
        # This seat sees everything, and may share what another one got that does.
        shared = self._shared
        if shared and shared[0] is before and shared[1] is after:
            if shared[2] == audience.language:
                return shared[3]
        drawn = super().changes(given, audience)
        self._shared = (before, after, audience.language, drawn)
        return drawn

    def _tells(self, given: Applied) -> bool:
        return super()._tells(given) or any(self._revealed(given))

    def moments(self, given: Applied) -> Iterator[Moment]:
        """Also the cards whose faces this seat sees for the first time."""
        yield from super().moments(given)
        for obj in self._revealed(given):
            title = _("%(name)s was revealed") % {"name": obj.name}
            entry = given.entry.number if given.entry else 0
            yield Moment(kind="revealed", seat=obj.controller, title=title, entry=entry)

    def _revealed(self, given: Applied) -> Iterator[GameObject]:
        """The objects that were unseen before a command. An undo or a redo shows nothing new."""
        before, after = given.before.objects, given.after.objects
        if given.entry is None or given.reversals or before is after:
            return
        for key, obj in before.items():
            if obj.unseen and key in after and not after[key].unseen:
                yield after[key]

    def _reversals(self, given: Applied, before: GameState, seat: str | None) -> Iterator[Reversal]:
        """What was undone or redone, as *seat* may read it."""
        for each in given.reversals:
            entries = (secrecy.entry_seen(self.system, before, entry, seat) for entry in each.of)
            yield replace(each, of=tuple(entry for entry in entries if entry))

    def _seen(self, state: GameState, audience: Audience) -> GameState:
        return self._eyes.state(state, audience.seat, audience.language)
