"""The formats as data: life, teams and what teams share. The New game page offers them.

Source: Comprehensive Rules 806 (free-for-all), 810 (Two-Headed Giant), 903 (Commander), 904
(Archenemy; 904.13 with Commander decks).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from games.rules.state import Words


class Format(Struct, frozen=True):
    """One way to play.

    seats: the least and most players. usual: how many there usually are. life: of each player.
    alone: the life of the first player, who plays against all the others as a team.
    team_of: how many players make a team, in table order.
    team: the fields of each team: what it shares, and its numbers.
    commanders: each player has a commander.
    """

    key: str
    title: Words
    sentence: Words
    seats: tuple[int, int] = (2, 8)
    usual: int = 2
    life: int = 20
    alone: int | None = None
    team_of: int | None = None
    team: Mapping[str, Any] = field(default_factory=dict)
    commanders: bool = False

    def given(self, seats: Sequence[str]) -> dict[str, Any]:
        """The opening for *seats*, as a scenario writes it."""
        opening: dict[str, Any] = {
            "seats": {seat: {"life": self.life, "starting_life": self.life} for seat in seats},
        }
        if self.alone is not None and len(seats) > 1:
            opening["seats"][seats[0]] = {"life": self.alone, "starting_life": self.alone}
            opening["teams"] = {"heroes": {"seats": list(seats[1:]), **self.team}}
        elif self.team_of is not None:
            size = self.team_of if len(seats) > self.team_of else 1
            opening["teams"] = {
                f"team-{start // size + 1}": {
                    "seats": list(seats[start : start + size]),
                    **self.team,
                }
                for start in range(0, len(seats), size)
            }
        if self.commanders:
            opening["objects"] = {
                f"{seat}-commander": {
                    "name": "Commander",
                    "types": ["creature"],
                    "zone": "command",
                    "owner": seat,
                    "commander": True,
                }
                for seat in seats
            }
        opening["turn"] = {"active": _first(opening, seats)}
        return opening


def _first(opening: Mapping[str, Any], seats: Sequence[str]) -> list[str]:
    """The seats that take the first turn: the first seat, and teammates who share turns."""
    for team in opening.get("teams", {}).values():
        if team.get("shared_turns") and seats[0] in team["seats"]:
            return list(team["seats"])
    return [seats[0]]


FORMATS = (
    Format(
        "commander",
        "Commander",
        "40 life each; 21 combat damage from one commander and you lose.",
        usual=4,
        life=40,
        commanders=True,
    ),
    Format(
        "free-for-all",
        "Duel or free-for-all",
        "20 life each, everyone for themselves.",
    ),
    Format(
        "two-headed-giant",
        "Two-Headed Giant",
        "Teams of two share turns, 30 life and poison; they lose at 15 poison.",
        seats=(4, 8),
        usual=4,
        life=30,
        team_of=2,
        team={
            "shared_turns": True,
            "shared_life": True,
            "shared_poison": True,
            "poison_limit": 15,
            "life": 30,
        },
    ),
    Format(
        "archenemy",
        "Archenemy",
        "The first seat has 40 life; the others share turns, with 20 life each.",
        seats=(3, 8),
        usual=4,
        alone=40,
        team={"shared_turns": True},
    ),
    Format(
        "archenemy-commander",
        "Archenemy Commander",
        "The first seat has 60 life; the others share turns and 60 life, but no poison.",
        seats=(3, 8),
        usual=4,
        life=60,
        alone=60,
        team={"shared_turns": True, "shared_life": True, "life": 60},
        commanders=True,
    ),
    Format(
        "teams",
        "Team vs. Team",
        "Teams of two win and lose together; life, turns and poison are each player's own.",
        seats=(4, 8),
        usual=4,
        team_of=2,
    ),
)
