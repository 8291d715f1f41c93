"""The cards and questions of one table, used by its page and by every update.

Whole cards are cached per table until they change. Ids are made here and in `fragments`, which says
how.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from secrets import token_hex
from typing import Any

from django.template import Context
from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext

from games.models import Seat
from games.rules.state import GameObject, GameState, Prompt
from games.rules.system import System
from games.screens import view_models
from games.screens.cache import Lately
from games.screens.clock import read_now
from games.screens.fragments import MORPH, Audience, attribute, stats, stepper
from games.screens.generated import Form, Forms
from games.screens.looks import named, seated
from games.screens.stacks import Row, Stacks
from games.screens.templates import find, find_any
from games.screens.words import speaking, word_for
from games.systems import presentation_of
from games.systems.pieces import Act, Panel, Stepper

CARDS = "board cell panel head turn"
SLOTS = "asked bar chips cockpit groups moments notebook notices own party scene_bar tabs"
REMEMBERED = frozenset(f"board/_{part}" for part in f"{CARDS} {SLOTS} slot_counter".split())
"""The partials that are worth remembering: plain values say all that they show."""
NONCE = token_hex(8)
HELD = re.compile(f"{NONCE}-(\\d+);")
"""What stands for a part of a board: nothing that anyone could write into a name."""
MOST_REMEMBERED = 2_000


@dataclass(slots=True)
class _Shown:
    """A card as last shown, with everything it depends on.

    row: those that shared its row when it was drawn. drawn: its HTML, once rendered.
    """

    obj: GameObject
    kinds: Mapping[str, int]
    follows: Mapping[str, Any]
    card_view: view_models.CardView
    ground: view_models.Ground
    row: Row = ()
    drawn: str = ""


class Held(list[str]):
    """Parts that are drawn already, for `Renderer._around`.

    apart: whether what is around them is remembered; if not, they stand in it at once.
    """

    def __init__(self, *, apart: bool) -> None:
        self.apart = apart

    def hold(self, part: str) -> SafeString:
        """What stands for *part* in a context; an empty part is shown as it is."""
        if not (part and self.apart):
            return SafeString(part)
        self.append(part)
        return SafeString(f"{NONCE}-{len(self) - 1};")


class Renderer:
    """Renders the fragments of one table.

    seats: by id, in table order, or only their names; a seat that is not there shows its id.
    sidebar_context: from `games.screens.sidebar`, for the one fragment that no command changes.
    remembers: whether to keep what was rendered, for who looks at many states that differ
    little from each other.
    """

    def __init__(self, system: System, seats: Mapping[str, Seat | str] | None = None) -> None:
        self.system = system
        self.presentation = presentation_of(system)
        self.seats = named(seats or {})
        self.sidebar_context: Mapping[str, Any] = {}
        self.stacks = Stacks(system)
        self.remembers = False
        self._others = view_models.other_zones(system)
        self._zones = (*view_models.field_zones(system), *self._others)
        self._cards: dict[tuple[str, str], _Shown] = {}
        self._checked = Lately[tuple[str, str], _Shown]()
        self._panels = Lately[str, Panel]()
        self._rendered: dict[tuple[str, str, str], str] = {}
        self._sidebars: dict[tuple[str, str], str] = {}  # by language and way to swap
        self._sidebars_of: Mapping[str, Any] | None = None

    def reseat(self, seats: Mapping[str, Seat]) -> None:
        """Show these seats, with their names and looks, from now on."""
        self.seats = named(seats)
        self._cards.clear()
        self._checked = Lately()
        self._rendered.clear()
        self._sidebars_of = None

    def started(self) -> bool:
        """Ask no longer who starts. Whether that was asked until now."""
        asked = bool(self.sidebar_context.get("who_starts"))
        if asked:
            self.sidebar_context = {**self.sidebar_context, "who_starts": []}
        return asked

    def answered_by_any(self, seat: str) -> bool:
        """Whether every seat may answer for *seat*: no phone holds it, and no one has secrets."""
        return self.system.view is None and seat in self.seats and not self.seats[seat].taken

    @contextmanager
    def reading(self, audience: Audience) -> Iterator[None]:
        """Use this system's words and these seats' looks, in the language of *audience*."""
        with (
            translation.override(audience.language),
            speaking(self.system),
            seated(lambda: self.seats),
        ):
            yield

    def name(self, seat: str) -> str:
        """What *seat* is called, in the active language."""
        return self.seats[seat].name if seat in self.seats else seat

    def sidebar(self, audience: Audience, swap: str = MORPH) -> str:
        """The sidebar (`games.screens.sidebar`); without a clock, drawn once for all screens."""
        context, clock = self.sidebar_context, self.sidebar_context.get("clock")
        if self._sidebars_of is not context:
            self._sidebars_of, self._sidebars = context, {}
        key = audience.language, swap
        if key in self._sidebars:
            return self._sidebars[key]
        with self.reading(audience):
            now = read_now(clock, self.name)
            drawn = self._render("board/_sidebar", **context, **now, swap=mark_safe(swap))
        if clock is None:
            self._sidebars[key] = drawn
        return drawn

    def prompts(self, state: GameState, seat: str, swap: str = "") -> str:
        """The questions put to *seat*; without any, an element with no whitespace in it."""
        of_seat = [each for each in state.prompts if each.to == seat]
        asked = [
            self._prompt(state, each, place, len(of_seat)) for place, each in enumerate(of_seat, 1)
        ]
        return f'<div id="{seat}.prompts" class="prompts"{swap}>{"".join(asked)}</div>'

    def _prompt(self, state: GameState, prompt: Prompt, place: int, count: int) -> str:
        """One question, the one at *place* of the *count* that its seat is asked."""
        facts = self._prompt_facts(state, prompt)
        context = {
            "prompt": prompt,
            "place": place,
            "count": count,
            "generated": self._generated(state, prompt),
            "voidable": "void" in self.system.verbs,
            "to": self.name(prompt.to),
            "source": self._source(state, prompt),
            "dues": view_models.dues(self.system, state, prompt, self._plain_name),
            "facts": facts,
            "rule": facts.get("rule", ""),
        }
        template = find(self.system, f"prompts/_{prompt.kind}.html", "prompts/_prompt.html")
        drawn: str = template.render(Context(context))
        return drawn.strip()

    def _source(self, state: GameState, prompt: Prompt) -> str:
        """What a question comes from; "" for the table or the game itself."""
        if not prompt.source or prompt.source in self.system.reserved:
            return ""
        return self._object_name(state, prompt.source)

    def _prompt_facts(self, state: GameState, prompt: Prompt) -> dict[str, Any]:
        named = self._namer(state)
        return view_models.prompt_facts(self.system, state, prompt, lambda obj: named(obj.id))

    def _generated(self, state: GameState, prompt: Prompt) -> Form | None:
        """The generated form that answers *prompt*; None if its kind has a template."""
        if find_any(self.system, f"prompts/_{prompt.kind}.html"):
            return None
        return Forms(self.system, state, prompt.to, self._namer(state)).of_prompt(prompt)

    def _namer(self, state: GameState) -> Callable[[str], str]:
        """A function from ids to names."""
        return lambda each: (
            self._distinct_name(state, each) if each in state.objects else self.name(each)
        )

    def zone(self, state: GameState, seat: str, zone: str, swap: str = "") -> str:
        """The cards in *zone* of *seat*; without any, an element with no whitespace in it."""
        cards = [self.card(state, obj) for obj in view_models.in_zone(state, seat, zone)]
        where = f'id="{seat}.{zone}.zone" class="zone" data-zone={attribute(zone)}'
        return f"<div {where}{swap}>{self._zone_name(zone) if cards else ''}{''.join(cards)}</div>"

    def _zone_name(self, zone: str) -> str:
        """The heading of a zone on the field, if there are several."""
        fields = view_models.field_zones(self.system)
        named = self.presentation.board.zone_names
        if zone not in fields or not (len(fields) > 1 if named is None else named):
            return ""
        return f'<h2 class="zone-name">{escape(capfirst(word_for(zone)))}</h2>'

    def tally(self, state: GameState, seat: str, zone: str, swap: str = "") -> str:
        """The number of cards in *zone* of *seat*."""
        return f'<b id="{seat}.{zone}.n"{swap}>{len(view_models.in_zone(state, seat, zone))}</b>'

    def piles(self, state: GameState, seat: str, swap: str = "") -> str:
        """The zones off the field in which *seat* has cards."""
        shown = [
            f'<details id="{seat}.{zone}.pile" class="pile">'
            f"<summary>{escape(word_for(zone))} {self.tally(state, seat, zone)}</summary>"
            f"{self.zone(state, seat, zone)}</details>"
            for zone in self._others
            if view_models.in_zone(state, seat, zone)
        ]
        return f'<div id="{seat}.piles" class="piles"{swap}>{"".join(shown)}</div>'

    def card(self, state: GameState, obj: GameObject, swap: str = "") -> str:
        """One card, redrawn only if it, its row, its counters or its derived values changed.

        Those that share a row are drawn once: nothing is drawn of all but the first.
        """
        row = self.stacks.row(state, obj.id)
        if row[0] != obj.id:
            return ""
        shown = self._shown(state, obj)
        if shown.row != row:
            shown.drawn, shown.row = self._whole_card(shown.card_view, row), row
        drawn = shown.drawn
        return drawn.replace("<article", f"<article{swap}", 1) if swap else drawn

    def _whole_card(self, card: view_models.CardView, row: Row) -> str:
        """All of *card*. A board has many: a template for it took a third of a first board."""
        name, each = f"<h3>{escape(card.name)}</h3>", ""
        if len(row) > 1:
            name = self._render("board/_stacked", card=card, n=len(row))
            ids = f'name="each.{card.id}" value="{" ".join(row)}"'
            each = f"<input type=hidden form=t autocomplete=off {ids}>"
        steppers = "".join(
            [stepper(number, looks=_worded(card, number)) for number in card.tokens]
            + [_act(act, card.id) for act in card.acts]
        )
        below = self._stats(card) if card.stats or card.states or card.stranger else ""
        return (
            f"<article id=o-{card.id} class={attribute(f'card {card.looks}'.strip())}"
            f" data-type={attribute(card.type)}>"
            f"<a href={attribute(f'objects/{card.id}')}>{name}</a>{each}"
            f"{f'<ul class=steppers>{steppers}</ul>' if steppers else ''}{below}</article>"
        )

    def _stats(self, card: view_models.CardView, swap: str = "") -> str:
        owner = self.name(card.stranger) if card.stranger else ""
        return stats(card.id, card.stats, card.states, owner, swap)

    def _card_view(self, state: GameState, obj: GameObject) -> view_models.CardView:
        """What *obj* shows, in the active language."""
        return self._shown(state, obj).card_view

    def _shown(self, state: GameState, obj: GameObject) -> _Shown:
        """*obj* as it is shown in *state*, in the active language."""
        key, checked = (obj.id, translation.get_language() or ""), self._checked.of(state)
        if key in checked:
            return checked[key]
        kinds, follows = state.on(obj.id), view_models.derived(self.system, state, obj)
        panel_of = partial(self._panel, state)
        kept = self._cards.get(key)
        if (
            kept
            and kept.obj is obj
            and kept.kinds is kinds
            and kept.follows == follows
            # What can be done with a card may depend on the turn, too.
            and kept.card_view.acts == tuple(self.presentation.board.acts(self.system, state, obj))
            # What a tap gives may depend on every card of the table.
            and self._gives_the_same(state, kept)
            # Which of its numbers are on its player's panel depends on the player's other cards.
            and kept.card_view.tokens
            == view_models.in_row(panel_of, state, obj, kept.card_view.steppers)
        ):
            checked[key] = kept
            return kept
        card_view = view_models.card_view(
            self.system, state, obj, follows, self.name(view_models.keeper(obj)), panel_of
        )
        ground = view_models.Ground.of(state)
        kept = checked[key] = self._cards[key] = _Shown(obj, kinds, follows, card_view, ground)
        return kept

    def _panel(self, state: GameState, seat: str) -> Panel:
        """The panel of *seat*."""
        panels = self._panels.of(state)
        if seat not in panels:
            panels[seat] = view_models.panel(self.system, state, seat)
        return panels[seat]

    def _gives_the_same(self, state: GameState, shown: _Shown) -> bool:
        """Whether a tap on a card still gives what is shown."""
        ground = view_models.Ground.of(state)
        if ground.same(shown.ground):
            return True
        steppers = view_models.object_steppers(self.system, state, shown.obj)
        if shown.card_view.steppers != steppers:
            return False
        shown.ground = ground
        return True

    def _distinct_name(self, state: GameState, each: str) -> str:
        """The name of an object, followed by its keeper's if others share the name."""
        obj = state.objects.get(each)
        return (
            view_models.distinct_name(state, obj, self.name(view_models.keeper(obj)))
            if obj
            else each
        )

    def _object_name(self, state: GameState, each: Any) -> str:
        obj = state.objects.get(each) if isinstance(each, str) else None
        return self._plain_name(obj) if obj else str(each)

    def _plain_name(self, obj: GameObject) -> str:
        return view_models.plain_name(obj, self.name(view_models.keeper(obj)))

    def _around(self, partial: str, parts: Held, **context: Any) -> str:
        """Render the partial of that name, whose *context* holds *parts*, and fill these in.

        What was rendered around other parts is as good for these.
        """
        frame = self._render(partial, **context)
        if not parts:
            return frame
        pieces = HELD.split(frame)
        pieces[1::2] = [parts[int(each)] for each in pieces[1::2]]
        return "".join(pieces)

    def _render(self, partial: str, **context: Any) -> str:
        """Render the partial of that name: the system's own, if it has one."""
        key = ("", "", "")
        if self.remembers and partial in REMEMBERED:
            key = partial, translation.get_language() or "", repr(context)
            if key in self._rendered:
                return self._rendered[key]
        drawn: str = find(self.system, f"{partial}.html").render(Context(context))
        drawn = drawn.strip()
        if key[0]:
            if len(self._rendered) >= MOST_REMEMBERED:
                self._rendered.clear()
            self._rendered[key] = drawn
        return drawn


def _worded(card: view_models.CardView, number: Stepper) -> str:
    """The class of a number whose kind has no picture on *card*, but its word."""
    return "" if card.pictured is None or number.kind in card.pictured else "is-worded"


def _act(act: Act, card: str) -> str:
    """The button of what one tap does with a card."""
    label = escape(capfirst(gettext(act.label)))
    if act.sheet:
        link = f'<a class="button" href="{escape(act.sheet)}" data-sheet>{label}</a>'
        return f'<li class="act">{link}</li>'
    value = attribute(act.holder or card)
    return f'<li class="act"><button form=t name={act.tap} value={value}>{label}</button></li>'
