"""Long random games in which the rules of several scenarios meet, and their laws.

A table begins with what two scenarios of one system begin with, and gets commands of all of them,
every other one of `NEWEST`, and taps on the numbers that boards show. Without Hypothesis: a game is
its seed, and thousands are played in minutes. `python -m tests.meeting --games 3000 magic` says
which seeds break a law, and where; `python -m tests.meeting --seed 17 --games 1 magic` plays one
again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from django.http import QueryDict

from games.rules import record, scenario
from games.rules.history import History
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.forms import of_fields
from games.screens.view_models import numbers_of, panel
from games.systems import SYSTEMS
from tests import laws
from tests.random_games import names_in, opened, pool

if TYPE_CHECKING:  # it needs the models, which are not ready before `set_up`
    from tests.types import Json

NEWEST = ("evening-", "judges-next", "next", "readings-", "replacement-", "settled", "ticks")
"""Parts of the names of files: the scenarios of what was added last, and of what it adds to."""
LENGTH = 30
"""Commands of a game."""
TAPS = 0.3
"""The share of taps on the numbers that games are about."""


@cache
def newest_ids() -> frozenset[str]:
    """The ids of the scenarios in the files of `NEWEST`."""
    files = [f for f in laws.SCENARIOS.glob("*.json") if any(part in f.name for part in NEWEST)]
    return frozenset(case["id"] for f in files for case in json.loads(f.read_text("utf8")))


@cache
def cases(name: str, edition: str) -> tuple[Sequence[laws.Scenario], Sequence[laws.Scenario]]:
    """The scenarios of a system, and those of `NEWEST` among them; all if there are none."""
    all_of_it = pool(next(each for each in SYSTEMS[name] if each.edition == edition))
    newest = [case for case in all_of_it if case["id"] in newest_ids()]
    return all_of_it, newest or all_of_it


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """*value* with every id of *names* replaced, as a value and as a key."""
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    return names.get(value, value) if isinstance(value, str) else value


def both(one: laws.Scenario, two: laws.Scenario) -> Json:
    """The scenario *one* with the objects, standings and ticks of *two* for its own seats."""
    given, other = dict(one["given"]), two["given"]
    seats = list(given["seats"])
    names = {seat: seats[n % len(seats)] for n, seat in enumerate(other["seats"])}
    for part in ("objects", "standing", "ticks"):
        names |= {each: f"{each}-2" for each in other.get(part, {}) if each in given.get(part, {})}
    for part in ("objects", "standing", "ticks"):
        if part in other:
            given[part] = {**given.get(part, {}), **renamed(other[part], names)}
    return {**one, "given": given}


def opening(system: System, chance: Random) -> History:
    """A table of two scenarios; of one, if the two do not go together."""
    of_it, newest = cases(system.name, system.edition)
    one, two = chance.choice(newest), chance.choice(of_it)
    if system.defined is None and chance.random() < 0.8:
        try:
            return opened(system, both(one, two))
        except scenario.SpecificationError:
            pass
    return opened(system, one)


def meant(chance: Random, state: GameState, value: Any, said: set[str]) -> Any:
    """*value* with most ids of another game replaced by ids of this one."""
    if isinstance(value, list):
        return [meant(chance, state, each, said) for each in value]
    if isinstance(value, dict):
        return {
            str(meant(chance, state, key, said)): meant(chance, state, each, said)
            for key, each in value.items()
        }
    if not isinstance(value, str) or value not in said:
        return value
    here = [*state.seats], [*state.objects], [*state.slot_counters], [p.id for p in state.prompts]
    alike = next((ids for ids in here if value in ids), None)
    if alike and chance.random() < 0.7:
        return chance.choice(alike)
    return chance.choice([*(each for ids in here for each in ids), value])


def command(system: System, state: GameState, chance: Random) -> Json:
    """A tap on a number that the board shows, or a command of some scenario with its ids."""
    if chance.random() < TAPS and (tap := a_tap(system, state, chance)):
        return tap
    some = chance.choice(cases(system.name, system.edition))
    case = chance.choice([each for each in some if each["when"]])
    raw = chance.choice(case["when"])
    said = names_in(case)
    made = {
        key: value if key in ("do", "as") else meant(chance, state, value, said)
        for key, value in raw.items()
        if key != "id"
    }
    if "as" in made and chance.random() < 0.5:
        made["as"] = f"new-{len(state.objects) + len(state.slot_counters) + len(state.ticks)}"
    if state.prompts and made.get("do") in ("answer", "void") and chance.random() < 0.8:
        made["prompt"] = chance.choice(state.prompts).id
    return made


def a_tap(system: System, state: GameState, chance: Random) -> Json:
    """A tap of some seat on a slot counter, or on a number of its panel: mostly the first, which
    the game is about. Nothing if the seat has none."""
    by = chance.choice([*state.seats])
    if slots := [*state.slot_counters]:
        does = chance.choice(["fill", "fill", "clear"])
        return {"do": does, "on": chance.choice(slots), "slots": 1, "by": by}
    hero, *others = [*numbers_of(panel(system, state, by))] or [None]
    number = chance.choice(others) if others and chance.random() < 0.3 else hero
    button = number and chance.choice([number.increment, number.increment, number.decrement])
    if not (number and button):
        return {}
    fields = QueryDict(mutable=True)
    fields[button] = f"{number.holder}.{number.kind}"
    return {**of_fields(system, fields), "by": by}


def turning(history: History, chance: Random) -> Json:
    """An undo or a redo of the last entry, of one, of some, or back to a line."""
    numbers = range(1, history.number + 1)
    more: Sequence[Json] = [{}]
    if numbers:
        some = sorted(chance.sample(numbers, min(len(numbers), chance.randint(1, 4))))
        more = [{}, {"entry": chance.choice(numbers)}, {"entries": some}]
    do = chance.choice(["undo", "undo", "redo"])
    if do == "undo" and chance.random() < 0.2:
        return {"do": do, "to": chance.randint(0, history.number)}
    return {"do": do, **chance.choice(more)}


class Game:
    """One random game: the table, and the same with its state-based effects in another order."""

    def __init__(self, system: System, seed: int) -> None:
        self.chance = Random(seed)
        self.history = opening(system, self.chance)
        self.system = self.history.system
        effects = list(self.system.automatic.effects)
        self.chance.shuffle(effects)
        self.other = History(laws.reordered(self.system, effects), self.history.opening)
        self.given: list[Json] = []

    def give(self, raw: Json) -> bool:
        """Give *raw* to both tables, and check the laws; True if it was accepted."""
        self.given.append(raw)
        refusal = laws.give(self.history, raw)
        assert code(self.other, raw) == (refusal.code if refusal else None), "the order of effects"
        assert self.other.state == self.history.state, "the order of effects"
        return refusal is None

    def play(self, length: int) -> None:
        for _ in range(length):
            if self.chance.random() < 0.12:
                self.give(turning(self.history, self.chance))
            else:
                self.give(command(self.system, self.history.state, self.chance))
            if self.history.number and self.chance.random() < 0.1:
                self.back_and_forth()
        laws.log_leads_to_state(self.history)
        assert self.history.state == laws.reloaded(self.history).state
        self.exported()
        self.back_to_a_line()

    def back_and_forth(self) -> None:
        """An entry that is undone and redone leaves the table as it was."""
        before = self.history.state
        turned = {"entry": self.chance.randint(1, self.history.number)}
        if self.give({"do": "undo", **turned}):
            assert self.give({"do": "redo", **turned}), "an undo that cannot be redone"
            assert before == self.history.state, "undo and redo"

    def exported(self) -> None:
        """A game that is passed on as a file is the same."""
        made = record.written(self.history, "evening", "An evening")
        written = json.loads(json.dumps({**made, "when": [*made["when"]]}))
        assert [] == scenario.check(written, self.system), "the file"
        first, commands = record.read(self.system, written)
        assert (self.history.opening, self.history.number) == (first, len(commands)), "the file"

    def back_to_a_line(self) -> None:
        """Undo to a line is the table as it was there."""
        history = History(self.system, self.history.opening)
        states = [history.state]
        for raw in self.given:
            if raw.get("do") not in ("undo", "redo") and code(history, raw) is None:
                states.append(history.state)
        to = self.chance.randint(0, history.number)
        if to < history.number and code(history, {"do": "undo", "to": to}) is None:
            assert states[to] == history.state, "undo to a line"
            assert code(history, {"do": "redo"}) is None, "redo from a line"
            assert states[-1] == history.state, "redo from a line"


def code(history: History, raw: Mapping[str, Any]) -> str | None:
    """The code with which *raw* is refused; None if it is given."""
    try:
        history.give(raw)
    except Refused as refused:
        return refused.code
    return None


def played(system: System, seed: int, length: int = LENGTH) -> Game:
    """The game of that seed, in which every law held."""
    game = Game(system, seed)
    game.play(length)
    return game


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.meeting", description=__doc__)
    parser.add_argument("systems", nargs="*", help="all, if none is named")
    parser.add_argument("--games", type=int, default=300, help="of each edition")
    parser.add_argument("--seed", type=int, default=0, help="of the first")
    parser.add_argument("--length", type=int, default=LENGTH)
    parser.add_argument("--screens", action="store_true", help="check each phone's frames, too")
    asked = parser.parse_args()
    set_up()
    broken = 0
    for name in asked.systems or SYSTEMS:
        for system in SYSTEMS[name]:
            broken += _all_of(system, asked)
    return min(broken, 1)


def set_up() -> None:
    """Get the words of the screens ready."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()


def _all_of(system: System, asked: argparse.Namespace) -> int:
    began, broken, given, accepted = time.monotonic(), 0, 0, 0
    for seed in range(asked.seed, asked.seed + asked.games):
        game = None
        try:
            game = played(system, seed, asked.length)
            if asked.screens:
                seen(game)
        except Exception as error:
            broken += 1
            print(f"{system.name} {system.edition}, seed {seed}: {type(error).__name__}")
            traceback.print_exc(limit=-4, file=sys.stdout)
        given += len(game.given) if game else 0
        accepted += game.history.number if game else 0
    seconds = time.monotonic() - began
    print(
        f"{system.name} {system.edition}: {asked.games} games, {broken} broken, {given} commands, "
        f"{accepted} entries, {seconds:.0f} s",
        flush=True,
    )
    return broken


def seen(game: Game) -> None:
    """Every phone that follows *game* by its frames has the page of a newcomer."""
    from tests.screens.test_updates import follow

    follow(History(game.system, game.history.opening), game.given)


if __name__ == "__main__":
    sys.exit(main())
