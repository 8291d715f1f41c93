"""Presentation of a game with its own rules, all from its definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any
from urllib.parse import quote

from games.rules.state import GameState, Phrase, Prompt, Seat
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.board import Board
from games.systems.controls import Act, Coin, Panel, Price, Shared, Stat, Stepper, Tap
from games.systems.log_words import Consequence, Reason, Sentence, SentenceRule, Story
from games.systems.new_game import Explained, NewGame, Preset
from games.systems.presentation import Presentation
from games.systems.sheets import CardAction, Label, NewCard, Sheets, Tile
from games.systems.wording import Wording

from . import CURRENT
from .course import Course
from .events import NAMED, mates, missing, was_pressed
from .holders import OwnSystem, Piece
from .language.coins import coins, coins_in
from .language.definition import KEPT, Definition
from .language.goals import concerned, decides, ends, goal
from .language.meaning import PLAYER, TABLE, About, Button
from .language.numbers import OwnMost
from .language.saying import ENDLESS, sentence
from .language.written_rules import Rule
from .rule_change_preview import changes, changes_in_words
from .score_sheet import is_whole, scores
from .steppers import DRAWN, stepper
from .texts import translated_as
from .turns import bounds, completed, stops
from .writing.page import draft, explained


def numbers_of(system: System, state: GameState, holder: str) -> Iterator[Stepper]:
    """All numbers of a holder in the order of the definition, at 0 too; then what else it has."""
    assert isinstance(system, OwnSystem)
    course = Course(system, state)
    for number in system.definition.numbers.values():
        if course.may_have(holder, number.kind):
            yield stepper(course, number, holder)
    for kind, amount in sorted(state.on(holder).items()):
        if kind not in system.definition.numbers:
            yield Stepper(holder, kind, amount)


COLUMNS = 6
"""The numbers of a player that have a column; the others stand in rows."""


def panel(system: System, state: GameState, seat: Seat, numbers: Sequence[Stepper]) -> Panel:
    """The big number, or a track of the table, or the first; the others each in its place, the
    table's last; what has no column; and on the stage the switches and the buttons of rules."""
    assert isinstance(system, OwnSystem)
    every, shared = [*numbers_of(system, state, seat.id)], [*numbers_of(system, state, TABLE)]
    first = next((each for each in every if each.look != "switch"), None)
    main = next((each for each in every if each.big), None)
    track = next((each for each in shared if each.look == "track"), None) if not main else None
    hero = track or main or first
    plain = [each for each in every if each is not hero and each.look != "switch"]
    bounds = {
        n.most.number for n in system.definition.numbers.values() if isinstance(n.most, OwnMost)
    }
    plain.sort(key=lambda each: each.kind in bounds)  # what only bounds another is seldom tapped
    switches = [each for each in every if each is not hero and each.look == "switch"]
    acts = [
        *(act(system, state, rule, seat.id) for rule in buttons_on(system, PLAYER)),
        *(act(system, state, rule, TABLE) for rule in buttons_on(system, TABLE)),
    ]
    decided = "" if _reached(system, state, hero) else decides(system.definition)
    return Panel(
        hero,
        total=next((each for each in every if each.kind == decided and each is not hero), None),
        places=(*plain, *switches, *(each for each in shared if each is not hero)),
        goal=goal(system.definition, hero),
        strip=first if track else None,
        acts=tuple(acts),
        rows=(*(_held(state, each) for each in switches), *plain[COLUMNS:]),
    )


def _reached(system: OwnSystem, state: GameState, hero: Stepper | None) -> bool:
    """True if a game that is over ended by the goal of the big number: that tells it, no other."""
    if not state.result or hero is None or hero.kind not in ends(system.definition):
        return False
    every = (each for seat in state.seats for each in numbers_of(system, state, seat))
    goals = (goal(system.definition, each) for each in every if each.kind == hero.kind)
    return any(each is not None and not each.left for each in goals)


def _held(state: GameState, switch: Stepper) -> Shared:
    """A seat's switch, and who has it."""
    return Shared(switch, tuple(each for each in state.seats if state.count(each, switch.kind)))


def act(system: OwnSystem, state: GameState, rule: Rule, holder: str) -> Act:
    """The button of a rule on a holder: at once, or by the sheet that asks what else it needs."""
    button = rule.button
    assert button is not None
    asks = button.target is not None or button.bounds is not None
    sheet = f"acts/press?rule={quote(rule.name)}&on={quote(holder)}" if asks else ""
    price = tuple(prices(system, state, button, holder))
    later = _later(state, button, holder)
    used = button.once is not None and was_pressed(state, button.once, rule.name, holder)
    value, own = f"{holder}.{rule.name}", holder != TABLE
    return Act("press", button.label, value, price, sheet, later, used, own)


def _later(state: GameState, button: Button, holder: str) -> bool:
    """True if a button waits for its holder's turn, or for another phase."""
    turn = state.turn
    if turn is None or not (button.during or button.own_turn):
        return False
    piece = state.objects.get(holder)
    seat = piece.controller if piece else holder
    return bool(
        (button.during and (not turn.active or turn.phase not in button.during))
        or (button.own_turn and seat in state.seats and seat not in turn.active)
    )


def prices(system: OwnSystem, state: GameState, button: Button, holder: str) -> Iterator[Price]:
    """The price of a button for its holder, as far as it is known before a press."""
    for payer, price, _rest in _costs(system, state, button, holder, 0):
        if payer == holder:
            yield price


def _costs(
    system: OwnSystem, state: GameState, button: Button, holder: str, chosen: int
) -> Iterator[tuple[str, Price, int]]:
    """What each payer pays for a button, and the rest."""
    course, about = Course(system, state), About(holder, presser=holder, chosen=chosen)
    for cost in button.costs:
        amount = cost.pay(course, about)
        for payer in cost.on(course, about):
            if amount > 0:
                has = course.count(payer, cost.of)
                left = course.above_least(payer, cost.of)
                yield payer, Price(cost.of, amount, max(0, amount - left)), has - amount


def _key(
    system: OwnSystem, state: GameState, button: Button, holder: str, n: int
) -> tuple[int, bool, str]:
    """A key of a number that a button asks for: whether all can pay, and who gets the turn by it.

    A price that takes the table's number below 0 hands it to the next player.
    """
    costs = [*_costs(system, state, button, holder, n)]
    crossing = any(payer == TABLE and rest < 0 <= rest + each.amount for payer, each, rest in costs)
    course = Course(system, state)
    seat = course.holder(About(holder)) if crossing else None
    after = course.following(seat) if seat else []
    return n, not any(each.short for _payer, each, _rest in costs), "".join(after)


def table_numbers(system: System, state: GameState) -> Iterator[Stepper]:
    """The numbers of the definition that the table has, for the strip."""
    assert isinstance(system, OwnSystem)
    known = system.definition.numbers
    yield from (each for each in numbers_of(system, state, TABLE) if each.kind in known)


def curves(system: System, state: GameState, holder: Any) -> Iterator[tuple[str, str, int]]:
    """The big number of a player that follows from others, for which there are no counters."""
    assert isinstance(system, OwnSystem)
    kind = system.definition.charted
    if kind is not None and isinstance(holder, Seat):
        yield kind, holder.id, Course(system, state).count(holder.id, kind)


def numbers_on(system: System, state: GameState, piece: Any) -> Iterator[Stepper]:
    """The numbers of a thing in play."""
    return numbers_of(system, state, piece.id)


def printed_on(
    system: System, state: GameState, piece: Any, derived: Mapping[str, Any]
) -> Iterator[Stat]:
    """The printed values of a thing, but for those that a number of that name says now."""
    assert isinstance(system, OwnSystem)
    assert isinstance(piece, Piece)
    for name, value in piece.base.items():
        number = system.definition.numbers.get(name)
        if number is None or piece.type not in number.on:
            yield Stat(name, value, value)


def presses(system: System, state: GameState, seat: Seat, label: Label) -> Mapping[str, Any]:
    """The buttons that ask something first, for the sheet that asks it."""
    assert isinstance(system, OwnSystem)
    holders = {**dict.fromkeys(state.seats, PLAYER), TABLE: TABLE}
    for key, piece in state.objects.items():
        if piece.on_field:
            assert isinstance(piece, Piece)
            holders[key] = piece.type
    found = [
        _press(system, state, rule, holder, seat.id, label)
        for holder, sort in holders.items()
        for rule in buttons_on(system, sort)
        if act(system, state, rule, holder).sheet
    ]
    return {"presses": found}


def _press(
    system: OwnSystem, state: GameState, rule: Rule, holder: str, by: str, label: Label
) -> dict[str, Any]:
    """The fields a button asks for.

    targets: (id, name). bounds: of the number; empty if none. usual: what stands there first.
    numbers: a key for each if they are few.
    """
    button = rule.button
    assert button is not None
    course, about = Course(system, state), About(holder, presser=by)
    named = [*button.target(course, about)] if button.target else []
    bounds = [each(course, about) for each in button.bounds or ()]
    return {
        "rule": rule.name,
        "label": button.label,
        "on": holder,
        "says": rule.says
        or sentence(system.definition, system.definition.written["rules"][rule.place - 1]),
        "asks_target": button.target is not None,
        "targets": [
            (key, label(state.objects[key]) if key in state.objects else key) for key in named
        ],
        "bounds": bounds,
        "usual": max(bounds[0], min(0, bounds[1])) if bounds else 0,
        "numbers": [
            _key(system, state, button, holder, n)
            for n in (range(bounds[0], bounds[1] + 1) if _are_few(bounds) else ())
        ],
    }


MOST_KEYS = 36
"""The numbers of which each has a key of its own on a button's sheet."""


def _are_few(bounds: Sequence[int]) -> bool:
    return bool(bounds) and 0 <= bounds[1] - bounds[0] < MOST_KEYS


def asked(system: System, state: GameState, prompt: Prompt, label: Label) -> Mapping[str, Any]:
    """Context of a question: its text, the choices or the bounds of the number, and its rule.

    left: of a sum that several bring together, what is missing; only: the one answer that fits.
    numbers: those to choose from, if they are few.
    """
    assert isinstance(system, OwnSystem)
    rule = system.definition.rules[prompt.facts["rule"]]
    question = rule.questions[prompt.facts["question"]]
    least, most = bounds(Course(system, state), prompt)
    total, hidden = prompt.facts.get("total"), "hidden" in prompt.facts
    left = total if hidden else missing(state, prompt)
    last = not hidden and len(mates(state, prompt.facts.get("group"))) == 1
    inputs = []
    if not question.choices and least > -ENDLESS and most < ENDLESS:
        inputs.append(Phrase(_("From {least} to {most}"), least=least, most=most))
    if total is not None:
        inputs.append(Phrase(_("{left} of {total} are left"), left=left, total=total))
    top = most if left is None else min(most, max(left, least))
    stopped = stops(system, state, prompt)
    if stopped is not None and stopped[1] > least and not question.choices:
        least = stopped[1]
    return {
        "rule": rule.name,
        "inputs": inputs,
        "text": question.text,
        "choices": [*enumerate(question.choices, 1)],
        "numbers": [*range(least, top + 1)] if 0 <= top - least <= DRAWN else [],
        "least": least,
        "most": most,
        "total": total,
        "left": left,
        "taken": None if total is None or left is None else total - left,
        "only": left if last else None,
        "stops": stopped[0] if stopped else "",
        "in_sheet": not question.choices and is_whole(system.definition),
    }


def acts(system: System, state: GameState, piece: Any) -> Iterator[Act]:
    """The buttons of rules on a thing in play."""
    assert isinstance(system, OwnSystem)
    if piece.on_field:
        for rule in buttons_on(system, piece.type):
            yield act(system, state, rule, piece.id)


def tiles(system: System, state: GameState, piece: Any) -> Iterator[Tile]:
    """The numbers of a thing, the buttons of rules on it, and where else it can go."""
    assert isinstance(system, OwnSystem)
    if piece.on_field:
        yield from numbers_on(system, state, piece)
        for rule in buttons_on(system, piece.type):
            assert rule.button is not None
            if rule.button.target is None and rule.button.bounds is None:
                yield CardAction(rule.button.label, "press", {"rule": rule.name}, holder="on")
        yield from (CardAction("", "move", {"to": zone}) for zone in system.zones[1:2])


def buttons_on(system: OwnSystem, sort: str) -> Iterator[Rule]:
    """The rules with a button on a player ("player"), the table, or things of a type."""
    for rule in system.definition.rules.values():
        if rule.button and sort in rule.button.on:
            yield rule


def changed(event: Mapping[str, Any]) -> Sentence:
    """A number with what was added: its noun is whatever a table typed, so nobody gets or loses it,
    and no word agrees with it."""
    sign = 1 if event["kind"] == "placed" else -1
    said = f"%(counter_name)s {'+' if sign > 0 else '−'}%(amount)s"
    whose = "" if event["on"] == TABLE else "%(on)s: "
    return Sentence(f"{whose}{said}", event["counter"], sign, "on")


def written(event: Mapping[str, Any]) -> Sentence:
    """A blank number that became 0 without a change."""
    return Sentence(f"{'' if event['on'] == TABLE else '%(on)s: '}%(counter_name)s = 0")


def revealed(event: Mapping[str, Any]) -> Sentence:
    """A hidden answer that all may see now."""
    return Sentence("%(seat)s: %(number)s")


def revised(event: Mapping[str, Any]) -> Sentence:
    """A number of an earlier line that is another from now on."""
    if "to" not in event:
        return Sentence(_("corrected line %(of)s: as it was"))
    return Sentence(_("corrected line %(of)s: %(from)s → %(to)s"))


def tells(event: Mapping[str, Any]) -> Sentence:
    """The message of a rule, with its subject: “Ana pays memory”, “Ana: A death move”."""
    if event["on"] in (None, TABLE):
        return Sentence("%(text)s")
    return Sentence("%(on)s %(text)s" if event["text"][0].islower() else "%(on)s: %(text)s")


def lost(event: Mapping[str, Any]) -> Sentence | None:
    """The loss by a rule; that of who leaves goes without saying."""
    return None if event.get("rule") else Sentence("")


SENTENCES: Mapping[str, SentenceRule] = {
    **dict.fromkeys(("placed", "removed", "spent"), changed),
    "written": written,
    "revealed": revealed,
    "revised": revised,
    "pressed": Sentence(_("pressed %(rule)s")),
    "told": tells,
    "rules-changed": Sentence(_("changed the rules")),
    "left": Sentence(_("%(seat)s left the game")),
    "lost": lost,
}

UNDO_WORDS = {"pressed": "%(rule)s", "revised": _("correction"), "rules-changed": _("rules")}


def named_by(system: System, state: GameState, seat: str) -> Reason | None:
    """The rule by which a seat is out or has won."""
    rule = state.parts.get(NAMED, {}).get(seat)
    return Reason(text=Phrase("{rule}", rule=rule), rule=rule) if rule else None


UNEXPECTED = frozenset({"always", "changes", "enters", "leaves"})
"""The moments at which nobody pressed a button or went on to a turn or phase: what rules do then is
announced."""


def dependent(definition: Definition) -> frozenset[str]:
    """The numbers of which other numbers, or prices, may depend."""
    follow = any(number.follows for number in definition.numbers.values())
    buttons = [rule.button for rule in definition.rules.values() if rule.button]
    if follow or any(not isinstance(each.most, int) for each in definition.numbers.values()):
        return frozenset(definition.numbers)
    switches = {number.kind for number in definition.numbers.values() if number.look == "switch"}
    costs = {cost.of for button in buttons for cost in button.costs}
    sheet = {definition.scored} if definition.scored else set()
    return concerned(definition) | switches | costs | sheet


def turns_shown(definition: Definition) -> str:
    """The order of turns on the board; none where the game says nothing of turns and needs none."""
    written = definition.written
    needed = "turns" in written or _reads_turns(written.get("rules", []))
    return definition.order if needed else "none"


def _reads_turns(part: Any) -> bool:
    """True if a part of a rule is about turns, rounds, or the player whose turn it is."""
    if isinstance(part, dict):
        return not OF_TURNS.isdisjoint(part) or any(map(_reads_turns, part.values()))
    if isinstance(part, list):
        return any(map(_reads_turns, part))
    return part in ("turn", "round", "active")


OF_TURNS = frozenset({"begins", "ends", "during", "own_turn"})
"""The keys of a rule that are about turns."""


def by_rule(given: Consequence) -> Phrase | None:
    """The rule by which something happened; a press names its rule for all that follows from it."""
    rule = given.event["rule"]
    pressed = any(each["kind"] == "pressed" and each["rule"] == rule for each in given.earlier)
    if pressed or given.event["kind"] in ("pressed", "told"):
        return None
    return Phrase("{rule}", rule=rule)


class OwnWording(Wording, frozen=True, kw_only=True):
    """The words of a definition."""

    labels: Mapping[str, str]
    written: str
    coins_in: Callable[[Callable[[str], str]], Mapping[str, Coin]] | None


class OwnBoard(Board, frozen=True, kw_only=True):
    """The board of a definition's game."""

    turns: str
    redraws: frozenset[str]
    panel = staticmethod(panel)
    object_steppers = staticmethod(numbers_on)
    stats = staticmethod(printed_on)
    acts = staticmethod(acts)
    table = staticmethod(table_numbers)

    def shown_by_all(self, before: GameState, after: GameState, holder: str) -> bool:
        """True: whatever a table's rules count may stand on every panel."""
        return True


class OwnSheets(Sheets, frozen=True, kw_only=True):
    """The sheets of a definition's game."""

    prompt_facts = staticmethod(asked)
    completed = staticmethod(completed)
    seat_facts = staticmethod(presses)
    tiles = staticmethod(tiles)


class OwnStory(Story, frozen=True, kw_only=True):
    """The story of a definition's game."""

    uncounted: frozenset[str]
    curves = staticmethod(curves)
    scores = staticmethod(scores)
    out_because = staticmethod(named_by)
    won_because = staticmethod(named_by)


class OwnNewGame(NewGame, frozen=True, kw_only=True):
    """The start of a definition's game."""

    definition: Definition
    draft = staticmethod(draft)
    changes = staticmethod(changes)

    def explained(self, system: System) -> Explained:
        """The numbers and rules of the definition in sentences."""
        return explained(self.definition)


@lru_cache(KEPT)
def of_definition(definition: Definition) -> Presentation:
    """The presentation of a definition's game."""
    numbers, rules = definition.numbers.values(), definition.rules.values()
    context = translated_as(definition.written)
    return Presentation(
        words=OwnWording(
            counted_as=(_("thing"), _("things")),
            coins=coins(definition),
            labels=definition.labels,
            coins_in=partial(coins_in, definition) if context else None,
            written=context,
            questions={
                f"rule-{rule.place}": rule.questions[0].text for rule in rules if rule.questions
            },
        ),
        board=OwnBoard(
            taps={"press": Tap("press", "on", kind="rule")},
            turns=turns_shown(definition),
            redraws=dependent(definition),
            types=tuple(definition.things),
            always_shown=tuple(number.kind for number in numbers if PLAYER in number.on),
        ),
        sheets=OwnSheets(
            new_cards={
                kind: NewCard(stats=dict(thing.prints)) for kind, thing in definition.things.items()
            },
        ),
        story=OwnStory(
            undo_words=UNDO_WORDS,
            sentences=SENTENCES,
            news=frozenset({"told", "rules-changed"}),
            causes={**dict.fromkeys(definition.rules, by_rule), "": changes_in_words},
            announced=frozenset(rule.name for rule in rules if rule.when.moment in UNEXPECTED),
            uncounted=frozenset(rule.name for rule in rules if rule.questions),
            hero=next((each.kind for each in numbers if each.big), ""),
        ),
        new_game=_new_game(definition),
    )


def _new_game(definition: Definition) -> OwnNewGame:
    least, most = definition.players
    preset = Preset(
        "empty",
        definition.title,
        definition.about or _("Add things as you play them."),
        lambda seats: {"seats": {seat: {} for seat in seats}},
        seats=(least, most),
    )
    return OwnNewGame(
        icon="plus",
        definition=definition,
        usual_seats=min(max(least, 4), most),
        presets=(preset,),
    )


def of_table(system: System) -> Presentation:
    """The presentation of a table with its own rules."""
    assert isinstance(system, OwnSystem)
    return of_definition(system.definition)


PRESENTATION = of_definition(CURRENT.definition)
