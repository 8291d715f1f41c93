"""Moments: one sentence each, with its cause, in the words of the log, to whom it concerns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from games.live.shown_game import merged
from games.rules import scenario
from games.rules.history import Applied, History
from games.rules.state import Refused
from games.screens import boards
from games.screens.cards import announcements
from games.screens.cards.moments import Moment, first_of
from games.screens.drawing import Drawing
from games.screens.fragments import Audience
from games.screens.log.entry_text import parts
from games.screens.log.undo import acts
from games.screens.words import words_of
from games.systems import current, find, named_by, presentation_of
from tests.types import Json

EVERYBODY = Audience()
NAMES = {"ana": "Ana", "ben": "Ben", "cleo": "Cleo"}
SCENARIOS = Path(__file__).parents[1] / "scenarios"
CARD_SYSTEMS = ("any-game", "grand-archive", "magic", "pokemon", "yu-gi-oh")


def table(system: str, **given: Any) -> History:
    rules = find(system)
    described: dict[str, Any] = {"seats": {"ana": {}, "ben": {}, "cleo": {}}, **given}
    if system == "pokemon":
        described |= {"seats": {"ana": {}, "ben": {}}, "turn": {"phase": "turn"}}
    return History(rules, scenario.opening(rules, {"given": described, "settings": {}}))


def moments(history: History, given: Applied, seat: str = "") -> list[Moment]:
    """The moments on the phone of *seat*; without one, on a screen without a seat."""
    screens = Drawing(history.system, NAMES)
    with screens.reading(EVERYBODY):
        found, _more = first_of(announcements.moments(screens, given))
    return [each for each in found if seat not in each.but and (not each.to or seat in each.to)]


def spoken(it: Moment) -> str:
    title = it.title.replace("{#}", f"{it.n}")
    return f"{title}: {it.says}" if it.says else title


def moment_texts(history: History, phone: str, **command: Any) -> list[str]:
    return [spoken(each) for each in moments(history, history.give(command), phone)]


WOLF = {"name": "Ally 2", "types": ["ally"], "base": {"power": 1, "life": 1}, "owner": "ana"}
SWORD = {"name": "Sword", "types": ["weapon"], "base": {"power": 1, "durability": 1},
         "counters": {"durability": 1}}  # fmt: skip
CHAMPION = {"name": "Lorraine", "types": ["champion"], "base": {"life": 3}, "owner": "ben"}
GATEWAY = {"name": "Gateway to Chaos", "permits": {"spell": {"maximum": 6}}, "owner": "ana",
           "counters": {"spell": 4}, "thresholds": {"spell": 6}}  # fmt: skip
JACE = {"name": "Jace", "types": ["planeswalker"], "base": {"loyalty": 2}, "owner": "ana",
        "counters": {"loyalty": 2}}  # fmt: skip
BEAR = {"name": "Bear", "types": ["creature"], "owner": "ana", "counters": {"+1/+1": 2}}
PIKACHU = {"name": "Pikachu", "zone": "active", "hp": 60, "owner": "ana"}
EEVEE = {"name": "Eevee", "zone": "active", "hp": 60, "owner": "ben"}
DEBUFF = {"do": "place", "on": "wolf", "counter": "debuff"}
SPELL = {"do": "place", "on": "gateway", "counter": "spell", "source": "gateway"}
HIT = {"do": "damage", "on": "mon", "amount": 70}

# fmt: off
CASES: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, list[str]]]] = [
    # system, objects, command, by seat: what its phone is told ("" is a screen without a seat)
    ("grand-archive", {"wolf": {**WOLF, "counters": {"buff": 2}}}, {**DEBUFF, "amount": 3},
     {"ana": ["Ally 2 died: life 0 after 3 debuff",
              "Ally 2 lost 2 buff and 2 debuff counters: they cancel out"]}),
    ("grand-archive", {"wolf": WOLF}, {"do": "damage", "on": "wolf", "amount": 3},
     {"ben": ["Ally 2 died: 3 damage on 1 life"]}),
    ("grand-archive", {"sword": SWORD}, {"do": "wield", "object": "sword"},
     {"ben": ["Sword was destroyed: no durability left"]}),
    ("grand-archive", {"lorraine": CHAMPION},
     {"do": "damage", "on": "lorraine", "amount": 4, "by": "ana"},
     {"ana": ["Ben is out: Lorraine is defeated: 4 damage on 3 life"],
      "ben": ["You’re out: Lorraine is defeated: 4 damage on 3 life"]}),
    ("grand-archive", {"wolf": WOLF}, {"do": "move", "object": "wolf", "to": "banishment",
                                       "by": "ben"},
     {"ana": ["Ben: Ally 2 to banishment"], "cleo": [], "ben": []}),
    ("yu-gi-oh", {"gateway": GATEWAY},
     {"do": "mark", "on": "gateway", "mark": "negated", "value": True, "by": "ben"},
     {"ana": ["Gateway to Chaos lost 4 spell counters: it is negated",
              "Ben: Gateway to Chaos is negated"],
      "cleo": ["Gateway to Chaos lost 4 spell counters: it is negated"]}),
    ("yu-gi-oh", {"gateway": GATEWAY}, {"do": "flip", "object": "gateway", "face_down": True,
                                        "by": "ana"},
     {"ana": ["Gateway to Chaos lost 4 spell counters: it is face-down"]}),
    ("yu-gi-oh", {"gateway": GATEWAY}, {**SPELL, "amount": 2, "by": "ana"},
     {"ben": ["Gateway to Chaos has reached 6 spell counters"]}),
    ("yu-gi-oh", {"gateway": GATEWAY}, {**SPELL, "amount": 1, "by": "ben"},
     {"ana": ["Ben: 1 spell on Gateway to Chaos"], "ben": [], "cleo": []}),
    ("magic", {"jace": JACE}, {"do": "remove", "on": "jace", "counter": "loyalty", "amount": 2},
     {"cleo": ["Jace went to the graveyard: no loyalty left"]}),
    ("magic", {"bear": BEAR}, {"do": "place", "on": "bear", "counter": "-1/-1", "amount": 3},
     {"ana": ["Bear lost 2 +1/+1 and 2 -1/-1 counters: they cancel out"]}),
    ("magic", {}, {"do": "lose-life", "seat": "ben", "amount": 40, "by": "ana"},
     {"ana": ["Ben is out: −20 life"], "ben": ["You’re out: −20 life"],
      "": ["Ben is out: −20 life"]}),
    ("magic", {}, {"do": "begin-turn", "active": ["ben"]},
     {"ben": ["Your turn"], "ana": [], "": []}),
    ("magic", {"bear": BEAR}, {"do": "change", "object": "bear", "add": {"power": 3},
                               "by": "ben"},
     {"ana": ["Ben: Bear: +3 power until end of turn"], "ben": []}),
    ("pokemon", {"mon": PIKACHU, "eevee": EEVEE}, HIT,
     {"ben": ["Pikachu is Knocked Out (Prize cards for it: 1): 70 damage on 60 HP"],
      "ana": ["Pikachu is Knocked Out (Prize cards for it: 1): 70 damage on 60 HP",
              "Ben is asked: How many Prize cards?"]}),
    ("any-game", {"rocket": {"name": "Rocket", "owner": "ana"}},
     {"do": "place", "on": "rocket", "counter": "fuel", "amount": 2, "by": "ben"},
     {"ana": ["Ben: 2 fuel on Rocket"], "ben": []}),
    ("any-game", {"rocket": {"name": "Rocket", "owner": "ana"}},
     {"do": "move", "object": "rocket", "to": "aside", "by": "ben"},
     {"ana": ["Ben: Rocket set aside"], "cleo": []}),
]
# fmt: on


@pytest.mark.parametrize(("system", "objects", "command", "by_seat"), CASES)
def test_a_moment_says_what_happened_and_why(
    system: str,
    objects: dict[str, Any],
    command: dict[str, Any],
    by_seat: dict[str, list[str]],
) -> None:
    history = table(system, objects=objects)
    given = history.give({"by": "ana", **command})

    found = {seat: [spoken(each) for each in moments(history, given, seat)] for seat in by_seat}
    assert by_seat == found


def test_wither_is_asked_with_what_it_costs_and_told_by_what_was_not_paid() -> None:
    ring = {"name": "Item 1", "types": ["item"], "owner": "ana", "counters": {"wither": 2}}
    history = table(
        "grand-archive", objects={"ring": ring}, turn={"active": ["ana"], "phase": "materialize"}
    )

    assert ["Ana is asked: What is paid for wither? (2 reserve for Item 1)"] == moment_texts(
        history, "ben", do="begin-phase", phase="main", by="ana"
    )
    answered = {"do": "answer", "prompt": "wither:ana", "paid": [], "by": "ana"}
    assert ["Item 1 was sacrificed: wither not paid"] == moment_texts(history, "ben", **answered)


def test_radiation_is_asked_with_its_counters() -> None:
    history = table("magic", seats={"ana": {"counters": {"rad": 3}}, "ben": {}})
    history.give({"do": "begin-turn", "active": ["ana"]})

    shown = moment_texts(history, "ben", do="begin-phase", phase="precombat-main")
    assert ["Ana is asked: How many nonland cards does radiation mill? (3 rad)"] == shown


def test_the_crown_is_handed_on_with_the_reason() -> None:
    history = table("magic", seats={"ana": {"monarch": True}, "ben": {}, "cleo": {}})
    history.give({"do": "begin-turn", "active": ["ben"]})

    shown = moment_texts(history, "cleo", do="lose-life", seat="ana", amount=99)
    assert ["Ana is out: −79 life", "Ana is no longer the monarch: Ana is out",
            "Ben is the monarch: Ana is out"] == shown  # fmt: skip


def creatures(n: int, **more: Any) -> dict[str, Any]:
    return {
        f"c{k}": {"name": f"Creature {k}", "types": ["creature"],
                  "owner": "ana" if k else "cleo", **more}
        for k in range(n)
    }  # fmt: skip


def test_a_board_wipe_is_one_sentence_for_everyone() -> None:
    history = table("magic", objects=creatures(22))
    given = history.give({"do": "move", "object": [f"c{k}" for k in range(22)],
                          "to": "graveyard", "by": "ben"})  # fmt: skip

    for seat in ("ana", "ben", "cleo", ""):
        assert ["Ben: 22 creatures to the graveyard"] == [
            spoken(each) for each in moments(history, given, seat)
        ]
    shown = boards.changes(Drawing(history.system, NAMES), given, EVERYBODY)
    assert 'data-hit="cleo:ben ana:ben"' in shown


def test_changes_as_a_turn_begins_are_nobodys_act() -> None:
    ticking = {"t": {"on": "c1", "counter": "time", "begins": "upkeep", "change": -1}}
    objects = creatures(2, counters={"time": 2}, tapped=True)
    history = table("magic", objects=objects, ticks=ticking, turn={"active": ["ben"]})
    given = history.give({"do": "begin-turn", "active": ["ana"], "to_main": True, "by": "ben"})

    shown = boards.changes(Drawing(history.system, NAMES), given, EVERYBODY)
    assert "−1 time (Creature 1)" in shown
    assert "data-hit" not in shown


def test_a_wipe_of_tokens_alike_is_one_name_with_its_count() -> None:
    wolves = creatures(3, token=True)
    for each in wolves.values():
        each["name"] = "Wolf"
    history = table("magic", objects=wolves)

    shown = moment_texts(history, "ana", do="move", object=[*wolves], to="graveyard", by="ben")
    assert ["Ben: Wolf ×3 gone"] == shown


def test_changes_of_ones_own_cards_are_no_moment() -> None:
    history = table("magic", objects={"bear": BEAR})
    commands: list[Json] = [
        {"do": "place", "on": "bear", "counter": "+1/+1"},
        {"do": "move", "object": "bear", "to": "graveyard"},
        {"do": "lose-life", "seat": "ana", "amount": 3},
    ]

    assert [[]] * 3 == [moment_texts(history, "ana", **each, by="ana") for each in commands]


def test_commands_that_are_shown_together_keep_their_givers_and_their_undo() -> None:
    history = table("any-game", objects={"rocket": {"name": "Rocket", "owner": "ana"}})
    place = {"do": "place", "on": "rocket", "counter": "fuel", "amount": 1}
    given = merged([history.give({**place, "by": seat}) for seat in ("cleo", "ana", "ben")])

    found = moments(history, given, "ana")
    assert [("Cleo: {#} fuel on Rocket", 1), ("Ben: {#} fuel on Rocket", 3)] == [
        (each.title, each.entry) for each in found
    ]


def test_the_rule_is_a_link_and_no_number_beside_the_sentence() -> None:
    history = table("grand-archive", objects={"wolf": WOLF})
    shown = boards.changes(
        Drawing(history.system, NAMES),
        history.give({"do": "damage", "on": "wolf", "amount": 3, "by": "ana"}),
        EVERYBODY,
    )
    moment = shown[shown.index('<div class="moment') :]

    assert 'href="rules?rule=Damage%203"' in moment
    assert "Ally 2 died: 3 damage on 1 life" in re.sub(
        "<span class=.moment-do.*|<[^>]+>", "", moment
    )
    assert "Damage 3" not in re.sub("<[^>]+>", "", moment)


def test_two_thresholds_of_one_spell_are_both_told() -> None:
    libraries = {
        each: {"name": each, "owner": "ana", "permits": {"spell": {"maximum": 3}},
               "thresholds": {"spell": 3}, "on_spell": {"spell": 3}}
        for each in ("one", "two")
    }  # fmt: skip
    shown = moment_texts(table("yu-gi-oh", objects=libraries), "ana", do="resolve-spell", by="ana")

    assert ["one has reached 3 spell counters", "two has reached 3 spell counters"] == shown


def test_who_is_out_goes_with_their_cards_in_one_moment() -> None:
    bears = {f"b{n}": {**BEAR, "owner": "ben"} for n in range(7)}
    wolf = {"name": "Wolf", "types": ["creature"], "owner": "ana", "controller": "ben"}
    history = table("magic", objects={**bears, "wolf": wolf})
    given = history.give({"do": "lose-life", "seat": "ben", "amount": 40, "by": "cleo"})

    says = "−20 life. Gone with Ben: 7 cards. Ana has Wolf again"
    told = {seat: [*map(spoken, moments(history, given, seat))] for seat in ("ana", "ben", "")}
    out = [f"Ben is out: {says}"]
    assert {"ana": out, "ben": [f"You’re out: {says}"], "": out} == told


def test_a_seat_that_leaves_is_out_because_of_that() -> None:
    history = table("magic", seats={"ana": {}, "ben": {}})

    given = history.give({"do": "leave", "seat": "ana", "by": "ana"})
    seats = ("ana", "ben", "")
    said = {seat: [spoken(it) for it in moments(history, given, seat)] for seat in seats}

    assert {
        "ana": ["Ben wins", "You’re out: left the game"],
        "ben": ["You win", "Ana is out: left the game"],
        "": ["Ben wins", "Ana is out: left the game"],
    } == said


def test_spanish_phones_are_told_in_spanish() -> None:
    history = table("grand-archive", objects={"wolf": {**WOLF, "counters": {"buff": 2}}})
    given = history.give({**DEBUFF, "amount": 3, "by": "ana"})
    screens = Drawing(history.system, NAMES)

    with translation.override("es"):
        died, lost = list(first_of(announcements.moments(screens, given))[0])
    assert "Ally 2 murió: vida 0 tras 3 debuff" == spoken(died)
    assert "Ally 2 perdió contadores: 2 buff y 2 debuff: se anulan" == spoken(lost)


# Every rule


def played(system: str) -> Iterator[tuple[History, Applied]]:
    for file in sorted(SCENARIOS.glob("*.json")):
        for case in json.loads(file.read_text()):
            for rules in named_by(current(case)) if case["system"] == system else ():
                history = History(rules, scenario.opening(rules, current(case)))
                for command in case["when"]:
                    with suppress(Refused):
                        yield history, history.give(command)


@pytest.mark.parametrize("system", CARD_SYSTEMS)
def test_every_rule_that_makes_something_happen_says_why(system: str) -> None:
    causes = presentation_of(find(system)).story.causes
    named = {
        event["rule"]
        for _history, given in played(system)
        for event in (given.entry.events if given.entry else ())
        if event.get("rule")
    }

    assert set() == named - set(causes)


@pytest.mark.parametrize("system", ["grand-archive", "magic", "pokemon"])
def test_every_prompt_is_a_question_in_the_log(system: str) -> None:
    played_out = [given.after for _history, given in played(system)]
    kinds = {prompt.kind for state in played_out for prompt in state.prompts}

    assert kinds
    for language in ("en", "de", "es"):
        with translation.override(language):
            asked = {kind: words_of(find(system)).question(kind) for kind in kinds}
        assert {} == {kind: said for kind, said in asked.items() if not said.endswith("?")}


def test_damage_is_told_with_numbers_that_kill() -> None:
    seen = 0
    for system, rule in (("grand-archive", "Damage 3"), ("pokemon", "Knocked Out 1")):
        for history, given in played(system):
            if given.entry is None:
                continue
            worded = list(parts(history.system, given.before, given.after, given.entry))
            for part in worded:
                damage = re.match(r"(\d+) damage on (\d+)", part.because)
                if part.rule == rule and damage:
                    seen += 1
                    assert int(damage[1]) >= int(damage[2]), part

    assert seen > 50


def test_the_log_says_the_same_as_the_moment() -> None:
    history = table("grand-archive", objects={"wolf": WOLF})
    given = history.give({"do": "damage", "on": "wolf", "amount": 3, "by": "ana"})
    assert given.entry
    log = list(parts(history.system, given.before, given.after, given.entry))

    assert ["3 damage to Ally 2", "Ally 2 died: 3 damage on 1 life"] == [each.aloud for each in log]
    assert "Ally 2 died (to graveyard): 3 damage on 1 life" == log[-1].full_text


def test_damage_that_puts_other_counters_says_both() -> None:
    bear = {"owner": "ben", "name": "Bear", "types": ["creature"], "base": {"toughness": 4}}
    history = table("magic", objects={"bear": bear})
    dealt = {"do": "damage", "on": ["ben", "bear"], "amount": 2, "infect": True, "by": "ana"}
    given = history.give(dealt)
    assert given.entry
    log = list(parts(history.system, given.before, given.after, given.entry))
    assert [
        "2 damage to {ben}",
        "{ben} got 2 poison: infect",
        "2 damage to Bear",
        "2 × -1/-1 on Bear: wither or infect",
    ] == [each.aloud for each in log]


def test_automatic_changes_of_a_turn_are_one_moment() -> None:
    saga = {"name": "Saga", "types": ["enchantment"], "owner": "ben", "counters": {"lore": 1}}
    bear = {"name": "Calciderm", "types": ["creature"], "owner": "ben", "counters": {"time": 1}}
    up = {"on": "saga", "counter": "lore", "begins": "precombat-main", "change": 1}
    down = {"on": "bear", "counter": "time", "begins": "upkeep", "change": -1}
    ticks = {"up": up, "down": {**down, "at_zero": "graveyard"}}
    history = table("magic", objects={"saga": saga, "bear": bear}, ticks=ticks)

    assert [
        "By itself: −1 time (Calciderm) → graveyard, +1 lore (Saga)",
    ] == moment_texts(history, "ana", do="begin-turn", active=["ben"], to_main=True, by="ana")


def test_what_a_card_puts_on_others_is_told_by_its_name() -> None:
    crusade = {"name": "Crusade", "types": ["enchantment"], "owner": "ben"}
    bear = {"name": "Bear", "types": ["creature"], "owner": "ben"}
    enters = {"on": "crusade", "counter": "+1/+1", "begins": "creature-enters", "change": 1}
    ticks = {"enters": {**enters, "to": "creatures"}}
    history = table("magic", objects={"crusade": crusade, "bear": bear}, ticks=ticks)
    cub = {"as": "cub", "name": "Cub", "types": ["creature"]}

    assert "Crusade: +1 +1/+1 (Bear), +1 +1/+1 (Cub)" in moment_texts(
        history, "ana", do="create", **cub, by="ben"
    )


def test_finality_is_told_with_its_rule_and_so_is_a_maximum() -> None:
    bear = {"name": "Bear", "types": ["creature"], "owner": "ana", "counters": {"finality": 1}}
    engine = {"name": "Engine", "types": ["artifact"], "owner": "ana", "limits": {"charge": 3}}
    history = table("magic", objects={"bear": bear, "engine": engine})
    given = history.give({"do": "move", "object": "bear", "to": "graveyard"})
    exiled = moments(history, given, "ben")
    given = history.give({"do": "place", "on": "engine", "counter": "charge", "amount": 5})
    lost = moments(history, given, "ben")

    assert [("Bear was exiled from battlefield: a finality counter", "122.1h")] == [
        (spoken(each), each.rule) for each in exiled
    ]
    assert [("Engine lost 2 charge counters: it can’t have more", "704.5r")] == [
        (spoken(each), each.rule) for each in lost
    ]


def test_the_log_marks_what_changes_by_itself() -> None:
    bear = {"name": "Calciderm", "types": ["creature"], "owner": "ben", "counters": {"time": 1}}
    down = {"on": "bear", "counter": "time", "begins": "upkeep", "change": -1}
    ticks = {"down": {**down, "at_zero": "graveyard"}}
    history = table("magic", objects={"bear": bear}, ticks=ticks)
    given = history.give({"do": "begin-turn", "active": ["ben"], "to_main": True, "by": "ana"})
    assert given.entry
    log = [each.full_text for each in parts(history.system, given.before, given.after, given.entry)]

    assert [
        "passed the turn to {ben}",
        "moved on to upkeep",
        "1 time removed from Calciderm, 1 → 0: by itself",
        "Calciderm moved from battlefield to graveyard: by itself",
        "moved on to main phase",
    ] == log


def test_passing_the_turn_untaps_nobodys_cards() -> None:
    tapped = {"types": ["creature"], "owner": "ben", "tapped": True}
    objects = {
        "bear": {"name": "Bear", **tapped},
        "ox": {"name": "Ox", **tapped, "counters": {"stun": 1}},
    }
    history = table("magic", objects=objects)

    assert ["Your turn", "Ox lost 1 stun counter: it is stunned"] == moment_texts(
        history, "ben", do="begin-turn", active=["ben"], to_main=True, by="ana"
    )


def own(definition: dict[str, Any], **given: Any) -> History:
    """A table of Ana, Ben and Cleo by the rules of *definition*."""
    rules = find("own-game")
    described = {"seats": {"ana": {}, "ben": {}, "cleo": {}}, **given}
    opened = scenario.opening(rules, {"given": described, "definition": definition})
    return History(rules.of_table({"definition": definition}), opened)


ASKS = {"ask": "How many?", "of": "players", "most": 9, "then": [{"add": "answer", "of": "score"}]}
ROUNDS: dict[str, Any] = {
    "title": "Rounds",
    "numbers": [{"kind": "score", "on": "player"}],
    "turns": {"order": "all"},
    "rules": [
        {"rule": "Count", "when": {"pressed": "Over", "on": "table"}, "do": [ASKS]},
        {
            "rule": "Ten",
            "when": {"changes": "score", "by": "up"},
            "if": [{"number": "score"}, "=", 3],
            "do": [{"add": 5, "of": "score"}, {"tell": "takes the lead"}, {"tell": "Three!"}],
        },
        {
            "rule": "Tired",
            "when": {"pressed": "Rest", "on": "player"},
            "do": [{"tell": "rests"}],
        },
    ],
}


def test_a_turn_of_all_is_everyones() -> None:
    assert ["Everyone’s turn"] == moment_texts(own(ROUNDS), "ben", do="begin-turn")


def test_several_who_are_asked_the_same_are_one_moment() -> None:
    history = own(ROUNDS)
    pressed = history.give({"do": "press", "rule": "Count", "on": "table", "by": "ana"})

    assert [] == moments(history, pressed, "ben")
    assert ["Ana, Ben and Cleo are asked: How many?"] == [
        spoken(each) for each in moments(history, pressed)
    ]


def test_a_rule_that_nobody_pressed_is_told_with_its_name_and_its_subject() -> None:
    history = own(ROUNDS)
    placed = {"do": "place", "on": "ben", "counter": "score", "amount": 3, "by": "ben"}

    assert ["Ben: score +5: Ten", "Ben takes the lead", "Ben: Three!"] == moment_texts(
        history, "ana", **placed
    )


def test_a_buttons_message_names_its_subject() -> None:
    assert ["Ana rests"] == moment_texts(own(ROUNDS), "ben", do="press", rule="Tired", by="ana")


CLOCKS: dict[str, Any] = {
    "title": "Clocks",
    "things": [{"type": "clock"}],
    "numbers": [{"kind": "ticks", "on": "clock", "most": 4}],
    "rules": [
        {
            "rule": "New clock",
            "when": {"pressed": "New", "on": "player"},
            "do": [{"create": "clock"}],
        },
        {"rule": "Full", "when": {"changes": "ticks"}, "do": [{"tell": "The clock is full"}]},
    ],
}


def test_a_thing_that_a_rule_made_is_called_by_its_type() -> None:
    history = own(CLOCKS)
    history.give({"do": "press", "rule": "New clock", "by": "ana"})
    ticked = {"do": "place", "on": "clock-1", "counter": "ticks", "amount": 1, "by": "ana"}

    assert ["Clock 1: The clock is full"] == moment_texts(history, "ben", **ticked)


def test_who_has_won_is_told_with_the_blow_that_put_the_last_other_out() -> None:
    cards = {"bear": {"owner": "ana", "types": ["creature"], "base": {"power": 2, "toughness": 2}}}
    history = table("magic", seats={"ana": {}, "ben": {"life": 1}}, objects=cards)

    given = history.give({"do": "combat", "attacks": {"bear": "ben"}, "by": "ana"})
    won, _out = moments(history, given, "")

    assert ("2 damage to Ben", 1, -1) == won.blow

    champion = {"types": ["champion"], "base": {"life": 20}, "name": "Lorraine", "owner": "ben"}
    history = table("grand-archive", seats={"ana": {}, "ben": {}}, objects={"lorraine": champion})
    given = history.give({"do": "damage", "on": "lorraine", "amount": 21, "by": "ana"})
    assert ("21 damage to Lorraine", 0, 21) == moments(history, given, "")[0].blow
    (done,) = acts(history.system, history.state, history.state, history.entries)
    assert ("damaged", 21) == (done.event["kind"], done.change), "Undo takes back that, not the end"
