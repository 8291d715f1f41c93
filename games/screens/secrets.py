"""Views by seat of a table with face-down objects, in the language of the screen.

`games.rules.secrecy` hides; here what is hidden gets a name to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils import translation
from msgspec.structs import replace

from games.models import Game
from games.rules import secrecy
from games.rules.history import Applied, Reversal
from games.rules.state import GameObject, GameState
from games.rules.system import System
from games.screens.languages import active_language
from games.screens.words import Words, words_of
from games.store import rows

Objects = Mapping[str, GameObject]
Whose = tuple[str | None, str]
"""A seat and a language."""


def seen_state(game: Game, seat: str | None) -> GameState:
    """The stored state of *game* as *seat* sees it, in the active language."""
    return Eyes(game.rules).state(rows.state(game), seat)


class Eyes:
    """The views of one table by seat.

    Views are kept for the last two states, so that what is the same in both is the same object in
    both views, and a tap that touches no object costs nothing here.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._kept: dict[Whose, tuple[tuple[Objects, Objects], ...]] = {}

    def state(self, state: GameState, seat: str | None, language: str = "") -> GameState:
        """*state* as *seat* sees it; the very same if it sees all.

        language: of its screen; the active one if none is given.
        """
        if self.system.secrets is None:
            return state
        objects = self._objects(state.objects, (seat, language or active_language()))
        return state if objects is state.objects else replace(state, objects=objects)

    def _objects(self, objects: Objects, whose: Whose) -> Objects:
        kept = self._kept.get(whose, ())
        for known, view in kept:
            if known is objects:
                return view
        view = secrecy.seen_objects(self.system, objects, whose[0])
        if view is not objects:
            (last, shown), its = kept[-1] if kept else ({}, {}), words_of(self.system)
            with translation.override(whose[1]):
                view = {
                    key: shown[key] if last.get(key) is objects[key] else _worded(its, obj)
                    for key, obj in view.items()
                }
        self._kept[whose] = (*kept[-1:], (objects, view))
        return view


def applied_as_seen(eyes: Eyes, given: Applied, seat: str | None, language: str) -> Applied:
    """*given* as *seat* sees it; the very same if it sees all."""
    before, after = (eyes.state(each, seat, language) for each in (given.before, given.after))
    if before is given.before and after is given.after:
        return given
    return replace(
        given,
        before=before,
        after=after,
        entry=given.entry and secrecy.entry_seen(eyes.system, after, given.entry, seat),
        reversals=tuple(_reversals(eyes, given, before, seat)),
    )


def _reversals(
    eyes: Eyes, given: Applied, before: GameState, seat: str | None
) -> Iterator[Reversal]:
    """The undone or redone entries, as *seat* may read them."""
    for each in given.reversals:
        entries = (secrecy.entry_seen(eyes.system, before, entry, seat) for entry in each.of)
        yield replace(each, of=tuple(entry for entry in entries if entry))


def _worded(its: Words, obj: GameObject) -> GameObject:
    return replace(obj, name=its.phrase(obj.name)) if obj.unseen else obj
