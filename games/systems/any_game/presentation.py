"""Presentation of a game without rules: the counters that most games use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

from msgspec.structs import replace

from games.rules.state import GameState, Seat
from games.rules.state import marked as _
from games.rules.state import marked_for as pgettext
from games.rules.system import System
from games.systems.board import Board
from games.systems.controls import Coin, Panel, SheetButton, Stepper
from games.systems.new_game import NewGame
from games.systems.presentation import Presentation
from games.systems.sheets import Sheets
from games.systems.wording import Wording

POINTS = "points"
COUNTERS = frozenset(
    {
        pgettext("counter", "points"),
        pgettext("counter", "life"),
        pgettext("counter", "coins"),
        pgettext("counter", "energy"),
        pgettext("counter", "victory points"),
    }
)
LEADING = (POINTS, "victory points", "life")
"""The kinds that a game is usually about, the likeliest first."""

PICTURED = frozenset({"life", "energy"})
HUES = 12


class Coins(Mapping[str, Coin]):
    """A mark for whatever kind players name: two letters and a hue that follow from the name.

    It lists none, since the game knows none before.
    """

    def __getitem__(self, kind: str) -> Coin:
        spelled = ["".join(filter(str.isalnum, word)) for word in kind.split()]
        words = [*filter(None, spelled)]
        letters = "".join([word[0] for word in words[:2]]).upper()
        if kind in PICTURED or kind == POINTS or not letters:
            raise KeyError(kind)
        if len(letters) == 1:
            letters = words[0][:2].capitalize()
        return Coin(crc32(kind.encode()) % HUES + 1, letters)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def panel(system: System, state: GameState, seat: Seat, numbers: Sequence[Stepper]) -> Panel:
    """The counter that the game is about big, or points; then the others, and a way to more."""
    by_kind = {each.kind: each for each in numbers}
    leading = next((kind for kind in LEADING if kind in by_kind), POINTS)
    hero = by_kind.pop(leading, Stepper(seat.id, POINTS, 0))
    if leading != "life":
        hero = replace(hero, armed=1)  # points are won, mostly
    return Panel(
        hero, places=(*by_kind.values(), SheetButton(_("Add a counter"), f"seats/{seat.id}?add"))
    )


class AnyGameNewGame(NewGame, frozen=True, kw_only=True):
    """The start of any game."""

    offered = False


class AnyGameBoard(Board, frozen=True, kw_only=True):
    """The board of any game."""

    panel = staticmethod(panel)


PRESENTATION = Presentation(
    new_game=AnyGameNewGame(),
    words=Wording(
        names={
            "shared_turns": "turns",
            "shared_counters": "counters",
        },
        counters=COUNTERS,
        into={"aside": _("set aside")},
        singular={POINTS: _("point"), "coins": _("coin"), "victory points": _("victory point")},
        coins=Coins(),
        pictured=PICTURED,
    ),
    board=AnyGameBoard(),
    sheets=Sheets(
        suggested=(POINTS, "life", "coins", "energy", "victory points"),
    ),
)
