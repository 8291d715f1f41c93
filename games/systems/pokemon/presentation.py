"""Presentation of the Pokémon TCG: damage by tens, a large Active Pokémon, conditions as marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from games.rules.state import GameState, Phrase, Prompt, Seat
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.board import Board
from games.systems.controls import (
    SHARED_TAPS,
    Amounts,
    Panel,
    SheetButton,
    Stat,
    Step,
    Stepper,
)
from games.systems.log_words import Reason, Sentence, SentenceRule, Story
from games.systems.new_game import NewGame, Opening, Preset
from games.systems.presentation import Presentation
from games.systems.sheets import CardAction, Label, NewCard, Sheets, Tile
from games.systems.wording import Wording

from . import attack_sheet, card_acts
from .answers import ASKED
from .attacking import CONFUSED_DAMAGE
from .card import (
    ACTIVE,
    ASLEEP,
    ATTACK,
    BURNED,
    CHECKUP,
    CONDITIONS,
    CONFUSED,
    COUNTER,
    DAMAGE,
    END,
    PARALYZED,
    POISONED,
    PRIZES,
    REMAINS,
    TURN,
    USUAL,
    Pokemon,
    bench,
    in_play,
    opponent,
    player,
    their_turn,
)
from .causes import CAUSES
from .checkup import by_burn, has_something_to_do
from .knocked_out import due
from .known import KNOWN, evolves_into
from .rules import SUGGESTED

WORDS = {
    "active": "Active Spot",
    "bench": "Bench",
    "discard": "discard pile",
    "lost-zone": "Lost Zone",
    "setup": "set-up",
    "end": "end of turn",
    "checkup": "Pokémon Checkup",
    "hp": "HP",
    "hp_left": "HP left",
    "most_hp": "HP",
    "remaining": "HP left",
    "prizes": "Prize cards",
    "poisoned": "Poisoned",
    "burned": "Burned",
    "asleep": "Asleep",
    "confused": "Confused",
    "paralyzed": "Paralyzed",
    "immune": "cannot be affected",
    "takes_less": "takes less from attacks",
    "ability_used": "Ability used",
    "doomed": "will be Knocked Out",
    "energy_attached": "Energy attached",
    "supporter_played": "Supporter played",
    "stadium_played": "Stadium played",
    "gx_used": "GX attack used",
    "vstar_used": "VSTAR Power used",
    "bench_limit": "room on the Bench",
    "poison_more": "more from Poisoned",
    "burn_more": "more from Burned",
    "object": "which Pokémon",
    "objects": "which Pokémon",
    "to": "for",
    "amount": "how much",
}
NUMBERS = {"damage": "damage", "prizes": "Prize cards"}
QUESTIONS = {
    "burned": _("Heads or tails: does Burned end?"),
    "asleep": _("Heads or tails: does it wake up?"),
    "confused": _("Heads or tails: can it attack?"),
    "prizes": _("How many Prize cards?"),
    "promote": _("Which Pokémon is the new Active one?"),
    "bench": _("Which Pokémon leave the Bench?"),
    "remains": _("is any Pokémon left on the Bench?"),
}

ASKED_BY = {
    "burned": "Burned 1",
    "asleep": "Asleep 2",
    "confused": "Confused 1",
    "prizes": "Prizes 3",
    "promote": "Knocked Out 7",
    "bench": "Bench 2",
    "remains": "Winning 2",
}
"""By kind of prompt: the rule that asks it."""


def prompt_facts(
    system: System, state: GameState, prompt: Prompt, label: Label
) -> Mapping[str, Any]:
    return {
        "rule": ASKED_BY[prompt.kind],
        "inputs": [*_inputs(state, prompt, label)],
        "opponent": opponent(state, prompt.to),
    }


def _inputs(state: GameState, prompt: Prompt, label: Label) -> Iterator[Phrase]:
    """Context of a question, with its numbers."""
    if prompt.kind == PRIZES:
        for each in prompt.facts["objects"]:
            mon = state.objects[each]
            assert isinstance(mon, Pokemon), mon
            sentence = _("{name}: {n} {n|Prize card|Prize cards}")
            yield Phrase(sentence, name=label(mon), n=mon.prizes)
    elif prompt.kind == "bench":
        n, room = len(bench(state, prompt.to)), player(state, prompt.to).bench_limit
        yield Phrase(_("{n} on the Bench, room for {room}"), n=n, room=room)
    elif prompt.kind == REMAINS:
        yield Phrase(_("No Pokémon of yours is in play here"))
    elif prompt.kind == "promote":
        n = len(bench(state, prompt.to))
        yield Phrase(_("No one in the Active Spot, {n} on the Bench"), n=n)
    else:
        yield _at_stake(state, prompt, label)


def _at_stake(state: GameState, prompt: Prompt, label: Label) -> Phrase:
    """The effect of a condition's coin, in numbers."""
    mon = state.objects[prompt.source or ""]
    assert isinstance(mon, Pokemon), mon
    name = label(mon)
    if prompt.kind == ASLEEP:
        return Phrase(_("{name}: Asleep, {n} {n|coin|coins}"), name=name, n=prompt.facts["coins"])
    damage = state.count(mon.id, DAMAGE)
    if prompt.kind == BURNED:
        n = by_burn(player(state, mon.owner), mon)
        sentence = _("{name}: Burned, {n} damage each Checkup, {damage} damage on {hp} HP")
        return Phrase(sentence, name=name, n=n, damage=damage, hp=mon.most_hp)
    sentence = _("{name}: Confused, {damage} damage on {hp} HP; tails → {n}")
    return Phrase(sentence, name=name, damage=damage, hp=mon.most_hp, n=damage + CONFUSED_DAMAGE)


BY = {
    "attack": _("%(amount)s damage to %(on)s by an attack"),
    "effect": _("%(amount)s damage to %(on)s by an effect of an attack"),
    "ability": _("%(amount)s damage to %(on)s by an Ability"),
    "trainer": _("%(amount)s damage to %(on)s by a Trainer card"),
    "recoil": _("%(amount)s damage to %(on)s by its own attack"),
}
SAID = {
    "attack": _("attack"),
    "effect": _("effect"),
    "ability": _("Ability"),
    "trainer": _("Trainer"),
    "recoil": _("own attack"),
}

NOW = {
    POISONED: _("%(object)s is now Poisoned"),
    BURNED: _("%(object)s is now Burned"),
    ASLEEP: _("%(object)s is now Asleep"),
    CONFUSED: _("%(object)s is now Confused"),
    PARALYZED: _("%(object)s is now Paralyzed"),
}
NO_LONGER = {
    POISONED: _("%(object)s is no longer Poisoned"),
    BURNED: _("%(object)s is no longer Burned"),
    ASLEEP: _("%(object)s wakes up"),
    CONFUSED: _("%(object)s is no longer Confused"),
    PARALYZED: _("%(object)s is no longer Paralyzed"),
}


def damaged(event: Mapping[str, Any]) -> Sentence:
    """The amount and its cause."""
    return Sentence(BY.get(event.get("cause") or "", ""))


def moved(event: Mapping[str, Any]) -> Sentence | None:
    return Sentence("") if event["how"] == "knocked-out" else None


TAKEN = Sentence(_("%(on)s took Prize cards"), PRIZES, -1, holder="on")


def removed(event: Mapping[str, Any]) -> Sentence | None:
    """Prize cards that are removed one by one were taken."""
    return TAKEN if event["counter"] == PRIZES else None


SENTENCES: Mapping[str, SentenceRule] = {
    "damaged": damaged,
    "healed": Sentence(""),
    "hp-changed": Sentence(_("The HP of %(object)s is now %(hp)s")),
    "described": Sentence(_("corrected the card of %(object)s")),
    "afflicted": lambda event: Sentence(NOW[event["condition"]]),
    "cured": lambda event: Sentence(NO_LONGER[event["condition"]]),
    "had-pokemon": Sentence(""),
    "promoted": Sentence(_("%(object)s is now %(seat)s’s Active Pokémon")),
    "switched": Sentence(_("%(in)s switches in for %(out)s")),
    "retreated": Sentence(_("%(out)s retreats and %(in)s is Active")),
    "evolved": Sentence(_("%(from)s evolves into %(to)s")),
    "devolved": Sentence(_("%(from)s devolves into %(to)s")),
    "turn-passes": Sentence(""),
    "attacked": Sentence(_("%(object)s attacks")),
    "doomed": Sentence(_("%(object)s will be Knocked Out by a card")),
    "knocked-out": Sentence(_("%(object)s is Knocked Out (Prize cards for it: %(prizes)s)")),
    "moved": moved,
    "prizes-taken": TAKEN,
    "removed": removed,
    "sudden-death-began": Sentence(
        _("It is a tie. Sudden death: a new game, Prize cards each: %(prizes)s")
    ),
    "none-left": Sentence(_("%(seat)s has no Pokémon left")),
    "decked-out": Sentence(_("%(seat)s cannot draw")),
    "left": Sentence(_("%(seat)s concedes")),
}


MARKS = {
    "immune": (_("%(on)s cannot be affected"), _("%(on)s can be affected again")),
    "ability_used": (_("%(on)s has used its Ability"), _("%(on)s has not used its Ability")),
    "cannot_attack": (_("%(on)s cannot attack"), _("%(on)s can attack again")),
    "cannot_retreat": (_("%(on)s cannot retreat"), _("%(on)s can retreat again")),
    "takes_less": (
        _("%(on)s takes %(value)s less from attacks"),
        _("%(on)s takes all damage of attacks again"),
    ),
    "energy_attached": (_("%(on)s has attached Energy"), _("%(on)s has not attached Energy")),
    "supporter_played": (
        _("%(on)s has played a Supporter"),
        _("%(on)s has not played a Supporter"),
    ),
    "stadium_played": (_("%(on)s has played a Stadium"), _("%(on)s has not played a Stadium")),
    "retreated": (_("%(on)s has retreated"), _("%(on)s has not retreated")),
    "gx_used": (_("%(on)s has used a GX attack"), _("%(on)s has not used a GX attack")),
    "vstar_used": (_("%(on)s has used a VSTAR Power"), _("%(on)s has not used a VSTAR Power")),
    "bench_limit": (_("%(on)s has room for %(value)s on the Bench"), ""),
    "poison_more": (
        _("Poisoned does %(value)s more damage to %(on)s’s Pokémon"),
        _("Poisoned does no more damage than usual to %(on)s’s Pokémon"),
    ),
    "burn_more": (
        _("Burned does %(value)s more damage to %(on)s’s Pokémon"),
        _("Burned does no more damage than usual to %(on)s’s Pokémon"),
    ),
}


def stats(
    system: System, state: GameState, mon: Pokemon, follows: Mapping[str, Any]
) -> Iterator[Stat]:
    """The HP left, and the HP with all changes next to the printed HP; what lowers damage."""
    if mon.on_field and mon.hp:
        yield Stat("hp_left", follows["remaining"], None)
        yield Stat("hp", follows["most_hp"], mon.hp)
    if mon.on_field:
        for name, usual in USUAL.items():
            if getattr(mon, name) not in (0, usual):
                yield Stat(name, getattr(mon, name), None)
        if mon.takes_less:
            yield Stat("takes_less", mon.takes_less, None)
    if mon.prizes != 1:
        yield Stat("prizes", mon.prizes, None)


def steps(system: System, state: GameState, mon: Pokemon, stat: str) -> Iterator[Step]:
    """The HP as printed and as changed by cards, and what damage leaves of it."""
    if stat == "most_hp" and mon.hp_change:
        yield Step(f"{mon.hp}", "")
        yield Step(f"{mon.hp_change:+}".replace("-", "−"), "")
    if stat == "remaining" and (damage := state.count(mon.id, DAMAGE)):
        yield Step(f"{mon.most_hp} − {damage}", "")


TENS = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 150, 180, 200, 250)
HEALS = (10, 20, 30, 40, 50, 60, 80, 100, 120)
HP_CHANGES = (-50, -30, -20, -10, 10, 20, 30, 50, 60, 100)


def object_facts(system: System, state: GameState, mon: Pokemon, label: Label) -> Mapping[str, Any]:
    """Its Special Conditions, to switch on and off, and the numbers that cards use most."""
    return {
        "its_turn": their_turn(state, mon.owner),
        "attacks": [*card_acts.acts(state, mon, label)],
        "conditions": [(name, name in mon.conditions) for name in CONDITIONS],
        "causes": list(SAID.items()),
        "tens": TENS,
        "moves_damage": [each for each in TENS if each <= state.count(mon.id, DAMAGE)],
        "heals": [each for each in HEALS if each < state.count(mon.id, DAMAGE)],
        "hp_changes": [(each, f"{each:+}".replace("-", "−")) for each in HP_CHANGES],
        "tools": [(name, n, f"{n:+}".replace("-", "−")) for name, n, _source in card_acts.TOOLS],
        "below": mon.below[-1] if mon.below else None,
        "evolutions": list(evolves_into(mon)),
    }


def seat_facts(system: System, state: GameState, seat: Seat, label: Label) -> Mapping[str, Any]:
    """What its sheets ask: the attack of whose turn it is."""
    return {"fight": attack_sheet.facts(system, state, label)}


def object_steppers(system: System, state: GameState, mon: Pokemon) -> Iterator[Stepper]:
    """Damage in tens, shown even at 0; then the other counters."""
    kinds = dict(state.on(mon.id))
    if mon.on_field:
        yield _damage(mon, kinds.pop(DAMAGE, 0))
    for kind in sorted(kinds):
        yield Stepper(mon.id, kind, kinds[kind])


def panel(system: System, state: GameState, seat: Seat, numbers: Sequence[Stepper]) -> Panel:
    """The damage on the Active Pokémon big, with the HP that are left; then the Prize cards."""
    numbers = [replace(each, armed=-1) if each.kind == PRIZES else each for each in numbers]
    prizes = next((each for each in numbers if each.kind == PRIZES), None)
    for mon in state.objects.values():
        if isinstance(mon, Pokemon) and mon.zone == ACTIVE and mon.controller == seat.id:
            hero = next(iter(object_steppers(system, state, mon)))
            most = mon.most_hp if mon.hp else 0
            left = (max(0, most - hero.amount), most) if most else None
            amounts = Amounts(DAMAGE, DAMAGES, "less", "more", holder=mon.id, adds=True)
            attack = SheetButton(_("Attack"), "acts/attack")
            return Panel(hero, left, (*numbers, attack, amounts), prizes)
    return Panel(None, places=tuple(numbers), total=prizes)


def next_phases(system: System, state: GameState) -> Sequence[str]:
    """The end of an attack only for a Knock Out, and Checkup only if it has something to do.

    An attack begins on its Pokémon’s sheet, for only what it does besides damage needs one.
    """
    ends = (END,) if due(state) else ()
    return (TURN, *ends, *((CHECKUP,) if has_something_to_do(state) else ()))


def out_because(system: System, state: GameState, seat: str) -> Reason | None:
    """No Pokémon in play, or someone has taken all Prize cards (Winning 1 and 2)."""
    if next(iter(in_play(state, seat)), None) is None:
        return Reason(_("no Pokémon left in play"), rule="Winning 2")
    for each in state.remaining():
        if not state.count(each.id, PRIZES):
            text = _("%(by)s took the last Prize card")
            return Reason(text, {"by": f"{{{each.id}}}"}, rule="Winning 1")
    return None


DAMAGES = (20, 50, 100)
QUICK = (60, 80, 100, 120, 150, 180, 210, 240, 280, 330)
"""The usual HP of Pokémon, and damage that many taps would take."""


def _damage(mon: Pokemon, dealt: int) -> Stepper:
    big = mon.zone == ACTIVE
    stride = (COUNTER, 50)
    return Stepper(
        mon.id, DAMAGE, dealt, big=big, stride=stride, unit=COUNTER, armed=1, quick=QUICK
    )


def tiles(system: System, state: GameState, mon: Pokemon) -> Iterator[Tile]:
    """Its damage, what it does next, and its end by a card; its conditions are just below."""
    if not mon.on_field:
        return
    yield _damage(mon, state.count(mon.id, DAMAGE))
    if mon.zone != ACTIVE:
        yield CardAction(_("Switch it in"), "switch")
    yield CardAction(_("Knock Out"), "knock-out", loss=True)


def usual_kinds(system: System, mon: Pokemon) -> Sequence[str]:
    return SUGGESTED


def _active(seats: Sequence[str]) -> Opening:
    return {
        "seats": {seat: {} for seat in seats},
        "objects": {
            f"{seat}-active": {"name": "Active Pokémon", "hp": 60, "zone": ACTIVE, "owner": seat}
            for seat in seats
        },
    }


def _empty(seats: Sequence[str]) -> Opening:
    return {"seats": {seat: {} for seat in seats}}


HOUSE = {"bench_asked": True}
"""Tables of people: whoever adds only their Active Pokémon has not lost their Bench."""


class PokemonBoard(Board, frozen=True, kw_only=True):
    """The board of the Pokémon TCG."""

    stats = staticmethod(stats)
    object_steppers = staticmethod(object_steppers)
    panel = staticmethod(panel)
    next_phases = staticmethod(next_phases)
    counting_phases = (ATTACK,)
    finishing_questions = frozenset({CONFUSED})

    def stacked(self, mon: Pokemon) -> bool:
        """False for each Pokémon in play, which is one of its own."""
        return not mon.on_field


class PokemonSheets(Sheets, frozen=True, kw_only=True):
    """The sheets of the Pokémon TCG."""

    known_cards = KNOWN.offer
    tiles = staticmethod(tiles)
    steps = staticmethod(steps)
    object_facts = staticmethod(object_facts)
    seat_facts = staticmethod(seat_facts)
    usual_kinds = staticmethod(usual_kinds)
    prompt_facts = staticmethod(prompt_facts)


class PokemonStory(Story, frozen=True, kw_only=True):
    """The story of a game of the Pokémon TCG."""

    out_because = staticmethod(out_because)


PRESENTATION = Presentation(
    words=Wording(
        as_written=(
            "damage",
            "retreat",
        ),
        names=WORDS,
        numbers=NUMBERS,
        singular={"prizes": _("Prize card")},
        questions=QUESTIONS,
        into={
            "discard": _("to the discard pile"),
            "hand": _("to hand"),
            "deck": _("to the deck"),
            "lost-zone": _("to the Lost Zone"),
            "bench": _("to the Bench"),
            "active": _("to the Active Spot"),
        },
        several={"damage": _("Damage"), "heal": _("Heal")},
    ),
    board=PokemonBoard(
        plain=frozenset({"damage"}),
        taps={"more": replace(SHARED_TAPS["more"], lowers=True)},  # damage is a card's first number
        player_kinds=(PRIZES,),
        always_shown=(PRIZES,),
    ),
    sheets=PokemonSheets(
        edit_verbs=("mark", "place"),
        object_verbs=(
            "attack",
            "afflict",
            "damage",
            "heal",
            "transfer",
            "retreat",
            "evolve",
            "devolve",
            "change-hp",
            "describe",
        ),
        seat_verbs=("leave", "take-prizes", "deck-out"),
        suggested=SUGGESTED,
        deck_headings=tuple("pokémon pokemon trainer trainers energy".split()),
        new_cards={"": NewCard(_("Pokémon"), {"hp": 60}, {"hp": QUICK})},
        asks={kind: tuple(sorted(asked)) for kind, asked in ASKED.items()},
    ),
    story=PokemonStory(
        sentences=SENTENCES,
        undo_words={
            "attack": _("Attack"),
            "checkup": _("Checkup"),
            "knock-out": _("Knock Out"),
            "damaged": _("damage"),
            "healed": _("healing"),
            "hp-changed": _("HP"),
            "afflicted": _("condition"),
            "cured": _("condition"),
            "promoted": _("switch"),
            "switched": _("switch"),
            "retreated": _("retreat"),
            "evolved": _("evolution"),
            "devolved": _("evolution"),
            "attacked": _("attack"),
            "doomed": _("KO"),
            "knocked-out": _("KO"),
            "prizes-taken": _("Prizes"),
            "none-left": _("defeat"),
            "decked-out": _("defeat"),
        },
        causes=CAUSES,
        marks=MARKS,
        moves={"lost-zone": _("%(object)s was sent to the Lost Zone")},
        news=frozenset({"knocked-out", "sudden-death-began"}),
        announced=frozenset(
            {"Asleep 2", "Burned 1", "Confused 2", "Knocked Out 7", "Paralyzed 2", "Poisoned 1"}
        ),
    ),
    new_game=NewGame(
        icon="paw-print",
        aliases=("ptcg", "pkmn", "pokemon cards", "pokémon trading card game"),
        presets=(
            Preset(
                "empty",
                _("Empty table"),
                _("Add your Pokémon as they come."),
                _empty,
                (2, 2),
                2,
                HOUSE,
            ),
            Preset(
                "active",
                _("An Active Pokémon each"),
                _("60 HP; change name and HP on the board."),
                _active,
                (2, 2),
                2,
                HOUSE,
            ),
        ),
    ),
)
