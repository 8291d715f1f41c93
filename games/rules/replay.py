"""A log played again, so that the state just after any of its entries can be looked up.

It shows what was, not what stands: an entry that was undone later did count until then. A state is
kept every so many entries and after each undo or redo, so that from one kept state to the next
there are only commands to resolve.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence

from .audiences import REVERSALS
from .history import replayed
from .state import GameState
from .system import Entry, System

KEEP_EVERY = 50
"""After so many entries a state is kept."""
LATELY = 4 * KEEP_EVERY
"""Entries that stay in memory: what is undone was mostly done a moment ago."""
RECENT = 64
"""Looked-up states that stay in memory: the next step starts from the last one."""

Load = Callable[[int, int], Sequence[Entry]]
"""The entries after one number, up to and including another."""


class Replay:
    """The states that one game went through.

    number: of the last entry that was played. state: the state just after it. undone: the entries
    that are undone by then.
    """

    def __init__(self, system: System, opening: GameState, load: Load) -> None:
        self.system = system
        self.number = 0
        self.state = opening
        self.undone: set[int] = set()
        self._load = load
        self._lately: deque[Entry] = deque(maxlen=LATELY)
        self._numbers = [0]
        self._kept = {0: opening}
        self._standing = {0: opening}
        self._recent: OrderedDict[int, GameState] = OrderedDict()

    def play(self, entries: Iterable[Entry]) -> None:
        """Go on with *entries*, the next ones of the log."""
        for entry in entries:
            assert entry.number == self.number + 1, f"{entry.number} after {self.number}"
            reverses = entry.command["do"] in REVERSALS
            if reverses:
                self._reverse(entry)
            else:
                self.state = replayed(self.system, self.state, entry)
            self.number = entry.number
            self._lately.append(entry)
            self._stand(self.number, self.state)
            if reverses or self.number % KEEP_EVERY == 0:
                self._numbers.append(self.number)
                self._kept[self.number] = self.state

    def _reverse(self, entry: Entry) -> None:
        """Resolve what stands after an undo or redo again, from the last state before it."""
        turned = [event for event in entry.events if event["kind"] in ("undone", "redone")]
        for event in turned:
            (self.undone.add if event["kind"] == "undone" else self.undone.discard)(event["of"])
        first = min((event["of"] for event in turned), default=entry.number)
        self._standing = {n: state for n, state in self._standing.items() if n < first}
        start = max(self._standing)
        state = self._standing[start]
        for each in self._since(start):
            if each.command["do"] not in REVERSALS and each.number not in self.undone:
                state = replayed(self.system, state, each)
            self._stand(each.number, state)
        self.state = state

    def _stand(self, number: int, state: GameState) -> None:
        """Keep *state* for an undo to start from: all of the last ones, then some."""
        self._standing[number] = state
        old = number - RECENT
        if old % KEEP_EVERY:
            self._standing.pop(old, None)

    def _since(self, start: int) -> Sequence[Entry]:
        """The entries after number *start* that were played."""
        if self._lately and self._lately[0].number <= start + 1:
            return [each for each in self._lately if each.number > start]
        return self._load(start, self.number)

    def at(self, number: int) -> GameState:
        """The state just after entry *number* was accepted; the opening for 0.

        number: at most that of the last entry that was played.
        """
        if number in self._recent:
            self._recent.move_to_end(number)
            return self._recent[number]
        start = self._numbers[bisect_right(self._numbers, number) - 1]
        near = max((each for each in self._recent if start < each < number), default=start)
        state = self._recent[near] if near != start else self._kept[start]
        for entry in self._load(near, number) if near < number else ():
            state = replayed(self.system, state, entry)
        self._recent[number] = state
        if len(self._recent) > RECENT:
            self._recent.popitem(last=False)
        return state
