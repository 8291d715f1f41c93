"""Boards of the card games: beside seats and cards, the teams, and news that all should hear.

What a team shares is shown once, above the seats; a question that waits is drawn again whenever
the numbers it asks about change.

Ids: "teams" for all teams, "news" for what has just been reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

from games import faces
from games.faces import MANY, Dial
from games.fragments import MORPH, OOB, Audience
from games.rules.history import Given
from games.rules.state import GameState, Team
from games.screens import Screens

NEWS = frozenset({"threshold-reached"})
"""The facts that are announced on every screen."""


class CardScreens(Screens):
    """The fragments of one table of a card game."""

    def changes(self, given: Given, audience: Audience) -> str:
        shown = super().changes(given, audience)
        events = given.entry.events if given.entry else ()
        # What is news follows from something else, so a plain tap is none.
        reached = [each for each in events if each["kind"] in NEWS] if len(events) > 1 else ()
        if not reached:
            return shown
        with translation.override(audience.language):
            return shown + "".join(self.news(given.after, each) for each in reached[-1:])

    def news(self, state: GameState, event: Mapping[str, Any]) -> str:
        """One fact for everybody."""
        name = self._object_name(state, event["on"])
        return self._render("_news", event=event, name=name, swap=mark_safe(OOB))

    def turn(self, state: GameState, swap: str = "") -> str:
        return super().turn(state, swap) + self.teams(state, swap)

    def teams(self, state: GameState, swap: str = "") -> str:
        """The teams with what each shares; nothing where nobody plays in a team."""
        if not state.teams:
            return ""
        shown = [
            {
                "id": team.id,
                "names": [self.name(seat) for seat in team.seats],
                "dials": tuple(self._shared(state, team)),
                "turns": getattr(team, "shared_turns", False),
                "limit": getattr(team, "poison_limit", None),
                "poison": getattr(team, "shared_poison", False),
                **faces.derived(self.system, state, team),
            }
            for team in state.teams.values()
        ]
        return self._render("_teams", teams=shown, swap=mark_safe(swap))

    def _shared(self, state: GameState, team: Team) -> Iterator[Dial]:
        """What the players of *team* share. Turning it is turning it for the first of them."""
        seat = team.seats[0]
        if getattr(team, "shared_life", False):
            yield faces.life_dial(self.system, seat, getattr(team, "life", 0))
        if getattr(team, "shared_counters", False):
            for kind, n in sorted(state.on(f"team:{team.id}").items()):
                yield Dial(seat, kind, n, hold=self.system.holds.get(kind, MANY))
        for kind in self.system.always_shown:
            if getattr(team, f"shared_{kind}", False):
                hold = self.system.holds.get(kind, MANY)
                yield Dial(seat, kind, state.count(f"team:{team.id}", kind), hold=hold)

    # Updates

    def _plain(
        self, before: GameState, after: GameState, touched: frozenset[str]
    ) -> SafeString | str | None:
        if before.teams is not after.teams:
            return None
        if after.teams and any(each.startswith("team:") for each in touched):
            return None  # what a team shares is shown with the team, and not where it was meant
        return super()._plain(before, after, touched)

    def _differences(
        self, before: GameState, after: GameState, touched: frozenset[str]
    ) -> Iterator[str]:
        shared = [team for team in after.teams.values() if f"team:{team.id}" in touched]
        mates = {seat for team in shared for seat in team.seats}
        yield from super()._differences(before, after, touched | mates)
        if shared:
            yield self.teams(after, MORPH)

    def _around(self, before: GameState, after: GameState, moved: bool) -> Iterator[str]:
        yield from super()._around(before, after, moved)
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
