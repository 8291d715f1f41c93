"""Commands that say in short what takes several: `known`, of a card that is known by its name.

A system says what a step means; here it becomes one act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from games.rules.batch import MOST_STEPS
from games.rules.commands import HEAD
from games.rules.state import Refused

Json = Mapping[str, Any]
NAMES = {
    "create": "as",
    "describe": "object",
    "level-up": "object",
    "cast": "object",
    "move": "object",
}
"""By verb: where it names the card that it names, or that enters."""
NAMELESS = ("cast", "move")


def is_known(step: Any) -> bool:
    """True if *step* says `known` of cards."""
    if type(step) is not dict or step.get("known") is not True:
        return False
    named = step.get("do") in NAMELESS or type(step.get("name")) is str
    return named and bool(cards_in(step))


def cards_in(step: Json) -> Sequence[str]:
    """The ids of the cards that *step* names; none if they are not ids."""
    on = step.get(NAMES.get(str(step.get("do")), ""))
    listed = on if type(on) is list else [on]
    ids = [each for each in listed if type(each) is str]
    return ids if len(ids) == len(listed) else ()


def in_play(step: Json, field: str) -> bool:
    """True if *step* brings cards onto the field."""
    into = {"create": step.get("zone", field), "cast": field, "move": step.get("to")}
    return into.get(step["do"]) == field


def as_one(
    command: Json,
    short: Callable[[Any], bool],
    steps_of: Callable[[Any], Iterable[Json]],
    rule: str | None = None,
) -> Json:
    """*command* with all that its steps mean, in one `together`; as it is if none is *short*.

    Raises Refused "invalid" if that is more than one act may be.
    """
    head = {key: command[key] for key in HEAD & command.keys() if key != "do"}
    alone = {key: command[key] for key in command if key not in head}
    steps = command.get("steps") if command.get("do") == "together" else [alone]
    if type(steps) is not list or not any(map(short, steps)):
        return command
    made = [each for step in steps for each in steps_of(step)]
    if len(steps) <= MOST_STEPS < len(made):
        n = MOST_STEPS * len(steps) // len(made)
        raise Refused("invalid", "Add at most {n} such cards at once.", rule, n=n)
    return {"do": "together", "steps": made, **head} if len(made) > 1 else {**made[0], **head}
