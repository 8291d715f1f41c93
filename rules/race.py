#!/usr/bin/env python3
"""A race to ten in the terminal, by the engine alone (`pip install countersite-rules`).

python race.py ana ben   # a number adds points, u undoes, ? says why
python race.py --laws    # the laws of all rule systems, on 1,000 games at random
"""

import sys
from collections.abc import Collection, Iterator

from countersite_rules import cards, laws
from countersite_rules.events import Event, Lost, Removed
from countersite_rules.history import History
from countersite_rules.state import GameState, Refused
from countersite_rules.system import Automatic, Rule, Rulebook, System, cites

POINTS, GOAL = "points", 10
RULES = {
    "Slide 1": Rule("Exactly seven points slide back to three.", "Race", "1"),
    "Goal 1": Rule("The first with ten points wins.", "Race", "1"),
}


@cites("Slide 1")
def slide(system: System, state: GameState, changed: Collection[str]) -> Iterator[Event]:
    """A state-based effect: it looks at what changed, until nothing does any more."""
    for seat in changed:
        if state.count(seat, POINTS) == 7:
            yield Removed(seat, POINTS, 4, rule="Slide 1")


@cites("Goal 1")
def behind(system: System, state: GameState, changed: Collection[str]) -> Iterator[Event]:
    """Who loses now; the engine sees who is left, and that the game is won."""
    scores = {seat.id: state.count(seat.id, POINTS) for seat in state.remaining()}
    if max(scores.values(), default=0) >= GOAL:
        yield from (Lost(seat, rule="Goal 1") for seat, its in scores.items() if its < GOAL)


AUTOMATIC = Automatic(effects=(slide,), losing=behind, outcomes={"won": "Goal 1"})
RACE = System(
    name="race", title="Race", sentence="Points of a race to ten.", edition="1",
    rulebook=Rulebook(document="Race", rules=RULES), zones=("table",), phases=("turn",),
    opening=cards.opening, verbs={"place": cards.VERBS["place"]}, automatic=AUTOMATIC,
)  # fmt: skip
ADD = {"do": "place", "on": "ana", "counter": POINTS}
CASE = {
    "id": "slide", "title": "A slide, and a goal.", "system": "race", "cites": [*RULES],
    "given": {"seats": {"ana": {}, "ben": {}}}, "then": {"result": None},
    "when": [{**ADD, "amount": 7}, {"do": "undo"}, {**ADD, "amount": 7}, {**ADD, "amount": 6}],
}  # fmt: skip


def play(names: list[str]) -> None:
    """Everyone in turn types what they threw."""
    game = History(RACE, cards.opening(RACE, {"seats": {name: {} for name in names}}, {}))
    turn, why = 0, "No rule."
    while game.state.result is None:
        name = names[turn % len(names)]
        score = ", ".join(f"{each} {game.state.count(each, POINTS)}" for each in names)
        typed = input(f"{score}. {name}> ").strip()
        amount = int(typed) if typed.isdigit() else typed
        command = {"do": "undo"} if typed == "u" else {**ADD, "on": name, "amount": amount}
        try:
            done = game.give({**command, "by": name}) if typed != "?" else print(why)
        except Refused as refused:
            done = print(refused.message)
        if done:
            turn += -1 if typed == "u" else 1
            named = [event["rule"] for event in done.entry.events if event.get("rule")]
            why = " ".join(f"{rule}: {RULES[rule].text}" for rule in named) or "No rule."
    print("Won:", *game.state.winners)


if __name__ == "__main__":
    if sys.argv[1:] == ["--laws"]:
        for law, faults in laws.findings(laws.Kept(RACE, __name__, [CASE])):
            print("broken" if faults else "kept", law.says, *faults)
    else:
        play(sys.argv[1:] or ["ana", "ben"])
