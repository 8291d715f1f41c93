"""Own games with a GM: a set is a definition, and its secrets stay secret whatever rules do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from games.rules import scenario, secrecy
from games.rules.history import History
from games.rules.state import Refused
from games.systems import current, presentation_of
from games.systems.own_game import CURRENT, compiled, fault
from games.systems.own_game.led import from_set
from games.tracks.views import read_entries
from tests import laws

Json = dict[str, Any]
OF_SETS = [
    case
    for path in sorted(laws.SCENARIOS.glob("*.json"))
    for case in json.loads(path.read_text(encoding="utf8"))
    if case["system"] == "any-rpg"
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in OF_SETS])
def test_a_set_is_a_definition(case: Mapping[str, Any]) -> None:
    """Every case of Any RPG holds word for word."""
    translated = current(case)

    assert [] == scenario.check(translated, CURRENT.of_table(translated))


def test_words_of_holders_are_no_types_of_a_translated_set() -> None:
    written = {
        "title": " Odd\u202e ",
        "types": [{"type": "gm", "name": "Dread"}, {"type": "hp", "name": "Hits"}],
        "kit": [{"name": "Dread", "type": "gm"}],
        "outcomes": [{"name": "Miss", "ticks": [{"type": "gm"}]}],
    }
    translated = from_set.definition(written)

    assert fault(translated) is None
    assert "Odd" == translated["title"]
    assert "gm-track" == translated["gm"]["outcomes"][0]["ticks"][0]["type"]


# Secrets

TYPES = [
    {"type": "clock", "name": "Clock", "look": "pie", "size": 6},
    {
        "type": "hp",
        "name": "Hit points",
        "look": "bar",
        "size": 12,
        "counts": "down",
        "words": [{"to": 0, "word": "down"}, {"to": 100, "word": "up"}],
    },
    {"type": "stress", "name": "Stress", "size": 3, "colour": "stress"},
    {"type": "plot", "name": "Plot", "size": 8, "visibility": "hidden", "loop": True},
    {"type": "timer", "name": "Countdown", "size": 4, "counts": "actions"},
]
LITTLE = {"all": [{"named": "two"}, [{"number": "plot"}, "<", 3]]}
RULES = [
    {
        "rule": "Blast",
        "when": {"completes": "clock"},
        "do": [{"add": -3, "of": "hp", "on": "players"}, {"tell": "A blast."}],
    },
    {
        "rule": "Rest",
        "when": {"pressed": "Rest", "on": "player"},
        "do": [{"add": 2, "of": "hp"}, {"add": 1, "of": "rests", "on": "table"}],
    },
    {
        "rule": "Ask",
        "when": {"pressed": "Ask", "on": "table"},
        "do": [
            {
                "ask": "How many?",
                "of": "players",
                "most": 4,
                "then": [{"add": "answer", "of": "luck"}],
            }
        ],
    },
    {"rule": "Fallen", "when": {"completes": "hp"}, "do": [{"tell": "Death saves."}]},
    {
        "rule": "Trauma",
        "when": {"completes": "stress"},
        "do": [{"set": 0, "of": "stress"}, {"tell": "Trauma."}],
    },
    # those below are about hidden tracks, and touch nothing else
    {
        "rule": "Web",
        "when": {"changes": "plot"},
        "do": [
            {"add": 1, "of": "plot", "on": {"each": {"things": "plot"}, "if": LITTLE}},
            {"afflict": "Canary"},
            {"tell": "Canary."},
        ],
    },
    {
        "rule": "Brood",
        "when": {"completes": "plot"},
        "if": [{"count": {"things": "plot"}}, "<", 9],
        "do": [{"create": "plot"}, {"ask": "Canary?", "of": "gm", "then": [{"tell": "Canary."}]}],
    },
    {
        "rule": "Tide",
        "when": {"begins": "turn"},
        "do": [{"add": 2, "of": "plot", "on": {"things": "plot"}}],
    },
    {
        "rule": "Night",
        "when": {"acts": "any"},
        "do": [{"add": 1, "of": "plot", "on": {"things": "plot"}}, {"tell": "Canary.", "to": "gm"}],
    },
    {
        "rule": "Stir",
        "when": {"pressed": "Stir", "on": "gm"},
        "do": [
            {"add": 3, "of": "plot", "on": {"things": "plot"}},
            {"roll": "d6", "of": "gm", "then": [{"tell": "Canary."}]},
        ],
    },
    {
        "rule": "Luck",
        "when": {"pressed": "Try one’s luck", "on": "player"},
        "do": [{"roll": "2d6", "then": [{"set": "answer", "of": "luck"}]}],
    },
]
LED = {
    "title": "Night",
    "numbers": [
        {"kind": "luck", "on": "player"},
        {"kind": "rests", "on": "table"},
        {"kind": "armour", "on": ["hp", "plot"], "start": 1},
        {"kind": "spells", "on": "witch", "start": 3},
        {"kind": "gold", "on": "player", "shared": True},
    ],
    "roles": ["witch"],
    "teams": 2,
    "gm": {"types": TYPES, "turns": True},
    "rules": RULES,
}
OPEN = {
    "c": {"type": "clock"},
    "a": {"type": "hp", "owner": "ana", "role": "kit-0", "initiative": 9},
    "b": {"type": "hp", "owner": "ben", "role": "kit-0", "initiative": 5},
    "t": {"type": "timer"},
    "s": {"type": "stress", "owner": "ben"},
}
HIDDEN = {
    "p": {"type": "plot", "name": "one", "visibility": "hidden"},
    "q": {"type": "plot", "name": "two", "visibility": "hidden", "filled": 3},
}
AUDIENCES = ("ana", "ben", None)


def evening(tracks: Mapping[str, Any]) -> History:
    system = compiled(LED)
    given = {"seats": {"gm": {}, "ana": {}, "ben": {}}, "slot_counters": tracks}
    return History(system, scenario.opening(system, {"given": given, "definition": LED}))


def commands(random: Random) -> Iterator[tuple[Json, bool]]:
    """Commands of an evening, each with whether it is about hidden tracks alone."""
    open_ones = (
        lambda: {"do": "fill", "on": random.choice("cab"), "slots": random.randint(1, 4)},
        lambda: {"do": "clear", "on": random.choice("cab"), "slots": random.randint(1, 4)},
        lambda: {"do": "press", "rule": "Rest", "by": random.choice(("ana", "ben"))},
        lambda: {"do": "press", "rule": "Ask", "on": "table", "by": "ana"},
        lambda: {"do": "answer", "prompt": "rule-3:ana", "number": 2, "by": "ana"},
        lambda: {"do": "answer", "prompt": "rule-3:ben", "number": 1, "by": "ben"},
        lambda: {"do": "press", "rule": "Luck", "by": "ben"},
        lambda: {"do": "answer", "prompt": "rule-11:ben", "result": [3, 4], "by": "ben"},
        lambda: {"do": "action", "by": random.choice(("ana", "ben"))},
        lambda: {"do": "next-turn"},
        lambda: {"do": "place", "on": "a", "counter": "armour", "by": "ana"},
        lambda: {"do": "take-role", "seat": "ana", "role": "witch", "by": "ana"},
        lambda: {"do": "take-role", "seat": "ana", "by": "ana"},
        lambda: {"do": "team-up", "seat": "ana", "with": "ben", "by": "ben"},
        lambda: {"do": "team-up", "seat": "ben", "by": "ben"},
        lambda: {"do": "place", "on": "ben", "counter": "gold", "by": "ben"},
        lambda: {"do": "restart", "on": "c"},
        lambda: {"do": "undo", "by": random.choice(("ana", "ben"))},
        lambda: {"do": "redo", "by": random.choice(("ana", "ben"))},
    )
    hidden_ones = (
        lambda: {"do": "fill", "on": random.choice("pq"), "slots": random.randint(1, 6)},
        lambda: {"do": "press", "rule": "Stir"},
        lambda: {"do": "create", "as": f"h{random.randint(0, 9)}", "type": "plot",
                 "visibility": "hidden"},
        lambda: {"do": "place", "on": "p", "counter": "armour"},
        lambda: {"do": "afflict", "on": "q", "name": "Canary"},
        lambda: {"do": "answer", "prompt": "rule-10:gm", "result": [4]},
        lambda: {"do": "answer", "prompt": "rule-7:gm", "number": 1},
    )  # fmt: skip
    yield {"do": "fight", "to": "begin"}, False
    for n in range(60):
        hidden = random.random() < 0.5
        command = random.choice(hidden_ones if hidden else open_ones)()
        yield {**command, "id": f"{'h' if hidden else 'o'}-{n}"}, hidden


def told(history: History, command: Json) -> Any:
    """By audience, what it is sent when a command is given: the refusal for who gave it alone."""
    before = history.lines
    table, raw = secrecy.TableSecrets(history, lambda: "0"), {"by": "gm", **command}
    try:
        applied = secrecy.give(history, table, raw)
    except Refused as refused:
        return (command.get("by"), refused.code, str(refused.message))
    out = {}
    for seat in AUDIENCES:
        heard = secrecy.redacted(applied, seat)
        moved = history.line_for(seat) != before.get(seat or "", 0)
        entry = heard.entry if heard else None
        out[seat] = [moved, entry and (entry.number, [*map(_of_lines, entry.events)])]
    return out


def _of_lines(event: Json) -> Json:
    """An event without the number of the entry that it undid, which screens do not show."""
    return {key: value for key, value in event.items() if key != "of"}


def views(history: History) -> str:
    entries = history.entries
    shown = [secrecy.view(history.system, history.state, seat, entries) for seat in AUDIENCES[:2]]
    return json.dumps(shown, sort_keys=True)


@pytest.mark.parametrize(
    "seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(5, 20))]
)
def test_players_are_sent_the_same_with_and_without_hidden_tracks_and_their_rules(
    seed: int,
) -> None:
    secret, plain = evening({**OPEN, **HIDDEN}), evening(OPEN)
    for command, hidden in commands(Random(seed)):
        heard = told(secret, command)
        if hidden:
            silent = {seat: [False, None] for seat in AUDIENCES}
            assert heard == silent or heard[0] is None, command
        else:
            assert told(plain, command) == heard, command
    assert without_numbers(views(plain)) == without_numbers(views(secret))
    for seat in AUDIENCES:
        assert commands_read(plain, seat) == commands_read(secret, seat)
    assert "anary" not in views(secret)
    assert secret.number > plain.number + 10
    laws.log_leads_to_state(secret)


def test_what_the_gm_did_in_secret_with_what_an_act_led_to_goes_back_with_it() -> None:
    secret, plain = evening({**OPEN, "p": {**HIDDEN["p"], "filled": 7}}), evening(OPEN)
    for said in ({"do": "fight", "to": "begin"}, {"do": "action", "by": "ana"}):
        assert told(plain, said) == told(secret, said)
    (made,) = {*secret.state.slot_counters} - {*OPEN, "p"}
    laws.say(secret, "answer", prompt="rule-7:gm", number=1)
    laws.say(secret, "fill", on=made, slots=1)

    for verb in ("undo", "redo"):
        said = {"do": verb, "by": "ana"}
        assert told(plain, said) == told(secret, said)
    assert [5, 5] == [entry.undone_by for entry in secret.entries[2:4]]
    laws.say(secret, "redo")
    assert [None, None] == [entry.undone_by for entry in secret.entries[2:4]]
    laws.log_leads_to_state(secret)


def commands_read(history: History, seat: str | None) -> list[Any]:
    """The verb of each command that *seat* reads in the log, with its note and what groups it."""
    undone = {entry.number for entry in history.entries if entry.undone_by}
    seen = read_entries(history.state, seat, history.entries, undone)
    return [
        (each.number, {**each.command, "entry": None} if each.command else None) for each in seen
    ]


def test_an_answer_by_a_number_to_a_request_is_no_question_of_a_rule() -> None:
    history = evening(OPEN)
    history.give({"do": "propose", "by": "ana", "command": {"do": "fill", "on": "c", "slots": 1}})
    answer = {"do": "answer", "prompt": "proposal:ana", "number": 1}
    sheets = presentation_of(history.system).sheets

    assert answer == sheets.completed(history.system, history.state, answer)


def without_numbers(shown: str) -> Any:
    """A view without the numbers of entries in the log, which only the GM counts alike, and without
    that something was undone: it is no event about a track. Who is told of it, and what stands in
    their log, goes by what they heard."""
    found = json.loads(shown)
    for view in found:
        left = [event for event in view["log"] if event["kind"] not in ("undone", "redone")]
        view["log"] = [
            {key: each for key, each in event.items() if key not in ("entry", "of")}
            for event in left
        ]
    return found


def test_the_id_of_a_secret_track_that_a_rule_makes_tells_nothing_and_is_the_same_again() -> None:
    made = []
    for already in (0, 3):
        tracks = {f"x{n}": {"type": "plot", "visibility": "hidden"} for n in range(already)}
        history = evening({**tracks, "p": {"type": "plot", "filled": 7, "visibility": "hidden"}})
        laws.say(history, "fill", on="p", slots=1, id="tap-1")
        ids = {*history.state.slot_counters} - {*tracks, "p"}
        history.give({"do": "undo", "id": "tap-2"})
        history.give({"do": "redo", "id": "tap-3"})
        assert ids == {*history.state.slot_counters} - {*tracks, "p"}
        made.append(ids)

    assert made[0] == made[1]
    assert not any(each.startswith(("plot", "secret")) for each in made[0])
