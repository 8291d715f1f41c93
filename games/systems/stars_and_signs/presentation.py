"""Presentation of Stars and Signs: a board of slot counters, with a GM in the first seat."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from msgspec.structs import replace

from games.rules.state import marked as _
from games.systems import slot_counters, slot_sentences
from games.systems.log_words import Story
from games.systems.new_game import NewGame, Preset
from games.systems.presentation import Presentation
from games.systems.sheets import Sheets
from games.systems.slot_counters import Outcome, SlotBoard, Slots
from games.tracks.permissions import NEW_SESSION

from .checklist import MILESTONES, checklist
from .referee import RANGES, WORDS, after, counts_as
from .templates import MEANINGS, PROTAGONIST, TEMPLATES, TILES, TYPES

SETTLED = {"permissions": NEW_SESSION}


class StarsAndSignsSlots(Slots, frozen=True, kw_only=True, eq=False):
    """The slot counters of Stars and Signs."""

    meanings = MEANINGS
    gains: ClassVar = {"despair": "suffer"}
    shields = frozenset({"protective"})
    hopeless = "hope"
    dice = True
    counts_as = staticmethod(counts_as)
    after = staticmethod(after)
    checklists: ClassVar = {each: partial(checklist, milestone=each) for each in MILESTONES}


SLOTS = StarsAndSignsSlots(
    types=TYPES,
    templates=TEMPLATES,
    kit=PROTAGONIST,
    strip=("despair", "corruption", "hope", "energy"),
    hero="despair",
    outcomes={key: Outcome(word, RANGES[key]) for key, word in WORDS.items()},
)

PRESENTATION = Presentation(
    board=SlotBoard(taps=slot_counters.TAPS),
    sheets=Sheets(
        seat_verbs=(),
    ),
    story=Story(
        sentences=slot_sentences.SENTENCES,
        undo_words={
            **slot_counters.UNDO_WORDS,
            "milestone": _("milestone"),
            "fill": _("points"),
            "suffer": _("points"),
            "spend": _("points"),
            "clear": _("points"),
        },
    ),
    slots=SLOTS,
    new_game=NewGame(
        icon="star",
        aliases=("sas", "stars & signs"),
        others_label="The protagonists’ names, with commas between them",
        usual_seats=4,
        presets=(
            Preset(
                "session",
                _("A GM and protagonists"),
                _("Despair, Corruption, Hope, Energy, Memories and Assets for each."),
                SLOTS.party,
                settings=SETTLED,
            ),
            replace(slot_counters.EMPTY_BOARD, settings=SETTLED),
        ),
        unnamed={each.title: each.title for each in (*TILES.values(), *TEMPLATES.values())},
    ),
)
