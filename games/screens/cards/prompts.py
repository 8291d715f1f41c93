"""The questions that wait for an answer."""

from __future__ import annotations

from typing import Any

from django.template import Context
from django.utils.safestring import mark_safe

from games.rules.state import GameState, Prompt
from games.screens import view_models
from games.screens.drawing import Drawing
from games.screens.generated import Form, Forms
from games.screens.parts import Part
from games.screens.templates import find, find_any


def prompts(drawing: Drawing, state: GameState, seat: str, choices: object = None) -> Part:
    """The questions put to *seat*, or by it, if it may answer these, too; without any, an element
    with no whitespace in it.

    choices: all that it may be asked to choose from.
    """
    shared = drawing.presentation.board.finishing_questions
    of_seat = [
        each
        for each in state.prompts
        if each.to == seat or (each.source == seat and each.kind in shared)
    ]
    facts = [(choices, each, prompt_facts(drawing, state, each)) for each in of_seat]

    def drawn() -> str:
        every = enumerate(of_seat, 1)
        asked = [
            question(
                drawing,
                state,
                each,
                _source(drawing, state, each),
                place,
                len(of_seat),
                shared=each.to != seat,
            )
            for place, each in every
        ]
        return drawing.render("board/_prompts", seat=seat, asked=mark_safe("".join(asked)))

    return Part(f"{seat}.prompts", facts, drawn)


def question(
    drawing: Drawing,
    state: GameState,
    prompt: Prompt,
    source: str,
    place: int = 1,
    count: int = 1,
    *,
    mine: bool = True,
    shared: bool = False,
    explained: bool = True,
) -> str:
    """One question, the one at *place* of the *count* that its seat is asked.

    source: the name of what it comes from. mine: its reader may answer it, shared: though
    another seat is asked. explained: its reader may know the rule that asks.
    """
    facts = prompt_facts(drawing, state, prompt)
    context = {
        "prompt": prompt,
        "form_id": f"p-{prompt.id}{'.by' if shared else ''}",
        "place": place,
        "count": count,
        "generated": _generated(drawing, state, prompt),
        "voidable": "void" in drawing.system.verbs,
        "to": drawing.name(prompt.to),
        "names": {each: drawing.name(each) for each in state.seats},
        "source": source,
        "mine": mine,
        "shared": shared,
        "dues": view_models.dues(drawing.system, state, prompt, drawing.plain_name),
        "facts": facts,
        "rule": facts.get("rule", "") if explained else "",
    }
    template = find(drawing.system, f"prompts/_{prompt.kind}.html", "prompts/_prompt.html")
    drawn: str = template.render(Context({"its": drawing.its, **context}))
    return drawn.strip()


def _source(drawing: Drawing, state: GameState, prompt: Prompt) -> str:
    """The source of a question; "" for the table, the game itself or the seat it is put to."""
    source = prompt.source
    if not source or source == prompt.to or source in drawing.system.components.reserved:
        return ""
    return drawing.name(source) if source in state.seats else drawing.object_name(state, source)


def prompt_facts(drawing: Drawing, state: GameState, prompt: Prompt) -> dict[str, Any]:
    named = drawing.namer(state)
    return view_models.prompt_facts(drawing.system, state, prompt, lambda obj: named(obj.id))


def _generated(drawing: Drawing, state: GameState, prompt: Prompt) -> Form | None:
    """The generated form that answers *prompt*; None if its kind has a template."""
    if find_any(drawing.system, f"prompts/_{prompt.kind}.html"):
        return None
    return Forms(drawing.system, state, prompt.to, drawing.namer(state)).of_prompt(prompt)
