"""Boards of the card games: seats and cards, teams, and announcements to the whole table.

What a team shares is shown once, above the seats. A waiting question is redrawn whenever the
numbers it asks about change.

Ids: "teams" for all teams, "news" for announcements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games.rules.history import Applied
from games.rules.state import GameState
from games.screens import view_models
from games.screens.fragments import MORPH, OOB, Audience
from games.screens.log import sentences
from games.screens.log.lines import IN_BRACES
from games.screens.updates import Screens

MOST_NEWS = 3
"""At most this many events are announced at once, the last ones."""


class CardScreens(Screens):
    """The fragments of one table of a card game."""

    def changes(self, given: Applied, audience: Audience) -> str:
        shown = super().changes(given, audience)
        events = given.entry.events if given.entry else ()
        # Only what follows from something else is announced, so a plain tap never is.
        announced = [each for each in events if self._announced(each)] if len(events) > 1 else ()
        if not announced:
            return shown
        with self.reading(audience):
            return shown + self.news(given.after, announced[-MOST_NEWS:])

    def _announced(self, event: Mapping[str, Any]) -> bool:
        """Whether to announce *event*: a milestone, or something that a rule did by itself."""
        if event["kind"] in self.presentation.news:
            return True
        announced = event.get("rule") in self.presentation.announced
        return announced and event["kind"] in ("moved", "removed")

    def news(self, state: GameState, events: Sequence[Mapping[str, Any]]) -> str:
        """The announcements, one line per event."""
        lines = [
            {
                **each,
                "name": self._object_name(state, each.get("object", each.get("on"))),
                "text": self._told(state, each),
            }
            for each in events
        ]
        return self._render("board/_news", lines=lines, swap=mark_safe(OOB))

    def _told(self, state: GameState, event: Mapping[str, Any]) -> str:
        """*event* in its system's own words, if it is news of the system."""
        if event["kind"] not in self.presentation.news:
            return ""
        text = sentences.announced(self.system, state, event)
        return IN_BRACES.sub(lambda found: self.name(found[1]), text)

    def turn(self, state: GameState, swap: str = "") -> str:
        return super().turn(state, swap) + self.teams(state, swap)

    def teams(self, state: GameState, swap: str = "") -> str:
        """The teams with what each shares; nothing if there are no teams."""
        if not state.teams:
            return ""
        shown = [
            {
                "id": team.id,
                "names": [self.name(seat) for seat in team.seats],
                "steppers": tuple(view_models.team_steppers(self.system, state, team)),
                "team": team,
                "turns": getattr(team, "shared_turns", False),
                **view_models.derived(self.system, state, team),
            }
            for team in state.teams.values()
        ]
        return self._render("board/_teams", teams=shown, swap=mark_safe(swap))

    # Updates

    def _numbers_only(
        self, before: GameState, after: GameState, touched: frozenset[str]
    ) -> SafeString | str | None:
        if before.teams is not after.teams:
            return None
        if after.teams and any(each.startswith("team:") for each in touched):
            return None  # what a team shares is shown with the team, not with its holder
        return super()._numbers_only(before, after, touched)

    def _differences(
        self, before: GameState, after: GameState, touched: frozenset[str]
    ) -> Iterator[str]:
        shared = [team for team in after.teams.values() if f"team:{team.id}" in touched]
        mates = {seat for team in shared for seat in team.seats}
        yield from super()._differences(before, after, touched | mates)
        if shared:
            yield self.teams(after, MORPH)

    def _prompts_and_turn(self, before: GameState, after: GameState, moved: bool) -> Iterator[str]:
        yield from super()._prompts_and_turn(before, after, moved)
        if moved or before.prompts is not after.prompts:
            return
        derive = self.system.derived
        for seat in {prompt.to: None for prompt in after.prompts}:
            if any(
                derive(self.system, before, each) != derive(self.system, after, each)
                for each in after.prompts
                if each.to == seat
            ):
                yield self.prompts(after, seat, MORPH)
