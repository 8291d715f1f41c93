"""A typed line in words: what it would make, and who would see it."""

from __future__ import annotations

import json
from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from msgspec import Struct

from games.rules.state import GameState
from games.screens.slots import view_models, words
from games.screens.slots.names import translated
from games.screens.words import Words
from games.systems.typed_line import NUMBER, Dice, TypedLine, folded
from games.tracks.counter import (
    Counter,
    Sight,
    counter_in,
    game_master,
    scene_state,
    sight,
)

SHORTEST = 4
"""Letters at least of a word that stands for a scene: "in the" names none."""


class Preview(Struct, frozen=True):
    """What a typed line would make.

    parts: in words: "The assassin is Cleo", "Danger", "6 slots", "Only you".
    seen: whether anyone else would see it, or its name. untyped: it still needs a type.
    token: what a form brings back to say that exactly this was shown. ways: the lines that may be
    meant instead, each a button. act: what is done, in the players' word: "Hit 2d6".
    """

    command: dict[str, Any]
    parts: tuple[str, ...]
    seen: bool
    untyped: bool
    token: str
    offers: str = ""
    ways: tuple[str, ...] = ()
    act: str = ""


def preview(
    its: Words,
    after: GameState,
    seat: str,
    commands: Sequence[dict[str, Any]],
    names: Mapping[str, str],
    *,
    typed: TypedLine,
    untyped: bool,
    offers: str = "",
) -> Preview:
    """The preview of *commands*, typed by *seat*, which lead to the state *after*."""
    made = [counter_in(after, each["as"]) for each in commands if "as" in each]
    counter, last = made[0], made[-1]
    command = {"do": "together", "steps": [*commands]} if len(commands) > 1 else commands[0]
    name = f"{counter.name} – {last.name}" if counter is not last else counter.name
    seers = [each for each, _how in view_models.seers(after, counter) if each != seat]
    watched = sight(after, None, counter) is not Sight.NOTHING
    turn = getattr(counter, "initiative", None)
    kind = _("pick a type") if untyped else view_models.CounterView(its, counter).type_word
    rolled = {field: str(each) for field, each in typed.options.items() if isinstance(each, Dice)}
    size = words.slots(counter.top - counter.least)
    parts = (
        _("There is no scene “%(scene)s”") % {"scene": offers} if offers else "",
        translated(its, typed.template.title) if typed.template else name,
        kind,
        _("%(dice)s slots") % {"dice": rolled["slots"]} if "slots" in rolled else size,
        words.worth(counter.worth) if "worth" in typed.options else "",
        _("+%(n)s temp") % {"n": counter.temporary} if counter.temporary else "",
        _("initiative %(n)s") % {"n": rolled.get("initiative", turn)} if turn is not None else "",
        names.get(counter.owner or "", ""),
        _where(after, seat, counter),
        _seen(after, counter, seers, names),
    )
    options = sorted((field, rolled.get(field, value)) for field, value in typed.options.items())
    shown = [typed.count, typed.name, options, counter.scene, counter.visibility, seers]
    shown_parts = tuple(part for part in parts if part)
    token = json.dumps(shown, ensure_ascii=False)
    return Preview(command, shown_parts, watched or bool(seers), untyped, token, offers)


def _seen(state: GameState, counter: Counter, seers: list[str], names: Mapping[str, str]) -> str:
    """The readers it would have: "open", "hidden", "seen by Ana", "open once Act II begins"."""
    if counter.visibility != "hidden" and scene_state(state, counter.scene) == "prepared":
        facts = {"seen": view_models.SEEN_BY[counter.visibility], "scene": counter.scene}
        return _("%(seen)s once %(scene)s begins") % facts
    worded = bool(getattr(counter, "word", ""))
    if counter.visibility == "known" and worded:
        return _("in words")
    if counter.visibility in ("open", "known"):
        return str(view_models.SEEN_BY[counter.visibility])
    if seers:
        return _("seen by %(names)s") % {"names": ", ".join(names.get(e, e) for e in seers)}
    return str(view_models.SEEN_BY["hidden"])


def _where(state: GameState, seat: str, counter: Counter) -> str:
    """The heading of the GM's board that it would be under, if there are several to be under."""
    shown_later = counter.visibility != "hidden" and scene_state(state, counter.scene) == "prepared"
    if counter.owner or shown_later or not game_master(state, seat):
        return ""
    if counter.scene:
        return _("in %(scene)s") % {"scene": counter.scene}
    named = any(counter_in(state, each).scene for each in state.slot_counters)
    return _("The table") if state.scenes or named else ""


def line_templates(its: Words) -> dict[str, str]:
    """The game's own counters by their names in the reader's language."""
    return {translated(its, each.title): key for key, each in its.slots.templates.items()}


def scene_words(scenes: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Each scene by "in" and its name, and by "in" and a word that no other's name has."""
    names = {each: folded(each) for each in scenes}
    words_in = Tally(word for name in names.values() for word in {*name.split()})
    called = {
        word: scene
        for scene, name in names.items()
        for word in name.split()
        if words_in[word] == 1 and len(word) >= SHORTEST
    } | {name: scene for scene, name in names.items()}
    # Translators: before the name of a scene, in a typed line: "bell danger 6 in attic".
    leads = {"in", folded(pgettext("scene", "in"))}
    return {f"{lead} {name}": {"scene": called[name]} for lead in leads for name in called}


def unknown_scene(line: str) -> tuple[str, str] | None:
    """The line before "in" and a scene at its end, and that scene."""
    leads = {"in", folded(pgettext("scene", "in"))}
    said = line.split()
    for at in range(len(said) - 2, 1, -1):
        if folded(said[at]) in leads:
            return " ".join(said[:at]), " ".join(said[at + 1 :])
    return None


def line_words(its: Words) -> dict[str, dict[str, Any]]:
    """Words of the reader's language that a typed line may use, besides the rules' own."""
    types = {its.said(each.word): {"type": kind} for kind, each in its.slots.types.items()}
    seen = {str(word): {"visibility": e} for e, word in view_models.VISIBILITY_WORDS.items()}
    seen[str(view_models.SEEN_BY["known"])] = {"visibility": "known"}
    counts = {_("temp"): {"temporary": NUMBER}, _("worth"): {"worth": NUMBER}}
    hit_points, clock = (its.slots.types.get("hp") and "hp") or its.slots.foe, its.slots.clock
    # Translators: hit points, as short as one types them: "goblin hp 7".
    short = {pgettext("hit points", "hp"): {"type": hit_points}} if hit_points else {}
    # Translators: a clock of a story, in a typed line: "patrol clock 6".
    clocks = {pgettext("track", "clock"): {"type": clock}} if clock else {}
    return {**counts, **seen, **short, **clocks, **types}
