"""Presentation of a game without rules: whatever players count, and a way to count more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

from msgspec.structs import replace

from games.rules.state import GameState, Seat
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.board import Board
from games.systems.controls import Coin, Panel, SheetButton, Stepper
from games.systems.log_words import Story
from games.systems.presentation import Presentation
from games.systems.sheets import Sheets

from ..language.definition import Definition
from ..new_game import OwnNewGame
from ..rule_change_preview import changes_in_words
from ..story import SENTENCES, UNDO_WORDS, words_of
from .counters import COUNTERS, LEADING, PICTURED, POINTS

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
    kind = next(filter(by_kind.__contains__, LEADING), POINTS)
    hero = by_kind.pop(kind, Stepper(seat.id, POINTS, 0))
    if kind != "life":
        hero = replace(hero, armed=1)  # points are won, mostly
    return Panel(
        hero, places=(*by_kind.values(), SheetButton(_("Add a counter"), f"seats/{seat.id}?add"))
    )


class PlainBoard(Board, frozen=True, kw_only=True):
    """The board of a game without rules."""

    panel = staticmethod(panel)


def of_definition(definition: Definition, new_game: OwnNewGame) -> Presentation:
    """The presentation of a game without rules. new_game: its start."""
    return Presentation(
        new_game=new_game,
        words=replace(
            words_of(definition),
            names={"shared_turns": "turns", "shared_counters": "counters"},
            counters=COUNTERS,
            into={"aside": _("set aside")},
            singular={POINTS: _("point"), "coins": _("coin"), "victory points": _("victory point")},
            coins=Coins(),
            coins_in=None,
            pictured=PICTURED,
        ),
        board=PlainBoard(),
        sheets=Sheets(suggested=(POINTS, "life", "coins", "energy", "victory points")),
        story=Story(
            undo_words=UNDO_WORDS,
            sentences={"rules-changed": SENTENCES["rules-changed"]},
            news=frozenset({"rules-changed"}),
            causes={"": changes_in_words},
        ),
    )
