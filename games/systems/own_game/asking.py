"""The questions of rules: what each asks, which answers fit, and which a number could not take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.state import GameState, Phrase, Prompt
from games.rules.state import marked as _
from games.systems.sheets import Label

from .course import Course
from .events import mates, missing
from .holders import OwnSystem
from .language.saying import ENDLESS
from .score_sheet import is_whole
from .steppers import DRAWN
from .story import asks
from .turns import bounds, stops


def asked(system: OwnSystem, state: GameState, prompt: Prompt, label: Label) -> Mapping[str, Any]:
    """Context of a question: its text, the choices or the bounds of the number, and its rule.

    left: of a sum that several bring together, what is missing; only: the one answer that fits.
    numbers: those to choose from, if they are few.
    """
    rule = system.definition.rules[prompt.facts["rule"]]
    question = rule.questions[prompt.facts["question"]]
    least, most = bounds(Course(system, state), prompt)
    total, hidden = prompt.facts.get("total"), "hidden" in prompt.facts
    left = total if hidden else missing(state, prompt)
    last = not hidden and len(mates(state, prompt.facts.get("group"))) == 1
    inputs = []
    if not (question.choices or question.dice) and least > -ENDLESS and most < ENDLESS:
        inputs.append(Phrase(_("From {least} to {most}"), least=least, most=most))
    if total is not None:
        inputs.append(Phrase(_("{left} of {total} are left"), left=left, total=total))
    top = most if left is None else min(most, max(left, least))
    drawn = -1 if question.dice else DRAWN
    stopped = stops(system, state, prompt)
    if stopped is not None and stopped[1] > least and not question.choices:
        least = stopped[1]
    return {
        "rule": rule.name,
        "inputs": inputs,
        "text": asks(question),
        "dice": question.dice,
        "hidden": hidden,
        "choices": [*enumerate(question.choices, 1)],
        "numbers": [*range(least, top + 1)] if 0 <= top - least <= drawn else [],
        "least": least,
        "most": most,
        "total": total,
        "left": left,
        "taken": None if total is None or left is None else total - left,
        "only": left if last else None,
        "stops": stopped[0] if stopped else "",
        "in_sheet": not (question.choices or question.dice) and is_whole(system.definition),
    }
