"""Drawing context of a table, and its cache: the first argument of every function that renders.

The boards are functions over it (`cards`, `slots`), in the language of the audience that it is
`reading` for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial as bound
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar, cast

from django.template import Context
from django.utils import translation

from games.models import Seat
from games.rules import secrecy
from games.rules.state import GameObject, GameState
from games.rules.system import System
from games.screens import view_models
from games.screens.cache import Cache
from games.screens.fragments import Audience
from games.screens.looks import named
from games.screens.parts import Part
from games.screens.secrets import Eyes
from games.screens.stacks import Stacks
from games.screens.templates import find_in, room_of
from games.screens.words import Words
from games.systems import presentation_of

NOTHING = nullcontext()
F = TypeVar("F", bound=Callable[..., Any])


class Reading:
    """A table in one language.

    A class, because each audience of a tap enters one, and a generator takes three times as long.
    """

    __slots__ = ("_before", "_drawing", "_language", "_override")

    def __init__(self, drawing: Drawing, language: str) -> None:
        self._drawing, self._language = drawing, language

    def __enter__(self) -> None:
        drawing, language = self._drawing, self._language
        self._before, drawing.language = drawing.language, language
        spoken = translation.get_language() == language
        self._override = None if spoken else translation.override(language)
        if self._override:
            self._override.__enter__()

    def __exit__(self, *error: object) -> None:
        if self._override:
            self._override.__exit__(None, None, None)
        self._drawing.language = self._before


class Drawing:
    """Drawing context of one table. Not thread-safe.

    seats: by id, in table order, or only their names; a seat that is not there shows its id.
    any_free: whether nobody plays on one of them. away: those whose phones have left the table to
    the one in the middle.
    sidebar_context: from `games.screens.sidebar`, for the one fragment that no command changes.
    about: the constant part of the game's document, for programs.
    special: the kinds of counters that change more than their number. eyes: what each seat sees.
    zones: those that have cards, with the *others* off the field.
    language: of the audience that is reading.
    """

    def __init__(
        self,
        system: System,
        seats: Mapping[str, Seat | str] | None = None,
        about: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.system = system
        self.about = about
        self.presentation = presentation_of(system)
        self.room = room_of(system)
        self._seat(seats or {})
        self.away: frozenset[str] = frozenset()
        self.sidebar_context: Mapping[str, Any] = {}
        self.language = ""
        board, kinds = self.presentation.board, system.rulebook.kinds
        self.special = frozenset({*kinds, *board.redraws})
        self.cache = Cache()
        self.eyes = Eyes(system)
        self.stacks = Stacks(system, self.cache)
        self.fields = view_models.field_zones(system)
        self.others = view_models.other_zones(system)
        self.zones = (*self.fields, *self.others)

    def beside(self, system: System) -> Drawing:
        """Another drawing of this table, by the rules of *system*."""
        drawing = Drawing(system, about=self.about)
        drawing.seats, drawing.any_free, drawing.away = self.seats, self.any_free, self.away
        drawing.its = Words(drawing.presentation, self.seats)
        drawing.sidebar_context = self.sidebar_context
        return drawing

    def reseat(self, seats: Mapping[str, Seat]) -> None:
        """Show these seats, with their names and looks, from now on."""
        self._seat(seats)
        self.cache.clear()

    def leave(self, away: frozenset[str]) -> None:
        """Leave the seats that are *away*, and only those, to the phone in the middle."""
        self.away = away
        self.cache.clear()

    def _seat(self, seats: Mapping[str, Seat | str]) -> None:
        self.seats = named(seats)
        self.its = Words(self.presentation, self.seats)
        self.any_free = any(seat.free for seat in self.seats.values())

    @property
    def adds(self) -> bool:
        """True if cards can be added to this table."""
        return "create" in self.system.verbs

    def answered_by_any(self, seat: str) -> bool:
        """True if every seat may answer for *seat*: its phone is not here, and the game has no
        secrets."""
        return (
            not secrecy.private_log(self.system)
            and seat in self.seats
            and (seat in self.away or not self.seats[seat].taken)
        )

    def reading(self, audience: Audience) -> AbstractContextManager[None]:
        """Draw in the language of *audience*.

        Within another one of that language it does nothing: several audiences share one.
        """
        same = self.language == audience.language
        return NOTHING if same else Reading(self, audience.language)

    def render(self, partial: str, **context: Any) -> str:
        """Render the partial of that name: the system's own, if it has one."""
        template = find_in(self.room, self.system.name, f"{partial}.html")
        drawn: str = template.render(Context({"its": self.its, **context})).strip()
        return drawn

    def part(self, id: str, partial: str, /, **context: Any) -> Part:
        """The element with that id, which the partial of that name renders: its context is all that
        it shows."""
        return Part(id, context, bound(self.render, partial, **context))

    # What things are called

    def word(self, text: str, of: Callable[[str], str] = translation.gettext) -> str:
        """The word *of* a text in the active language, looked up once: for what each tap says."""
        key, known = (of, text, self.language), self.cache.lasting
        if key not in known:
            known[key] = of(text)
        found: str = known[key]
        return found

    def name(self, seat: str) -> str:
        """The name of *seat*, in the active language."""
        return self.seats[seat].name if seat in self.seats else seat

    def plain_name(self, obj: GameObject) -> str:
        return view_models.plain_name(self.its, obj, self.name(view_models.keeper(obj)))

    def object_name(self, state: GameState, each: Any) -> str:
        obj = state.objects.get(each) if isinstance(each, str) else None
        return self.plain_name(obj) if obj else str(each)

    def distinct_name(self, state: GameState, each: str) -> str:
        """The name of an object, followed by its keeper's if others share the name."""
        obj = state.objects.get(each)
        if obj is None:
            return each
        return view_models.distinct_name(self.its, state, obj, self.name(view_models.keeper(obj)))

    def namer(self, state: GameState) -> Callable[[str], str]:
        """A function from ids to names."""
        return lambda each: (
            self.distinct_name(state, each) if each in state.objects else self.name(each)
        )


def kept(name: str, *, spoken: bool = False) -> Callable[[F], F]:
    """Make it once for a state, while that is one of the last two of its table.

    Its key in the cache is *name* with the other arguments; spoken: and with the active language.
    """

    def keeping(make: F) -> F:
        @wraps(make)
        def found(drawing: Drawing, state: GameState, *of: Any) -> Any:
            key = (name, *of, drawing.language) if spoken else (name, *of)
            known = drawing.cache.of(state)
            if key not in known:
                known[key] = make(drawing, state, *of)
            return known[key]

        return cast(F, found)

    return keeping
