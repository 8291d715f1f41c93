"""Ready games with a GM: an evening by each book, in which every rule fires, and random ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from games.rules import scenario
from games.rules.history import History
from games.rules.snapshot import as_json
from games.rules.state import GameState
from games.store import demos
from games.systems.own_game import compiled, fault
from games.systems.own_game.holders import OwnSystem
from games.tracks.counter import counter_in
from tests import laws

from .test_led_game import told, views, without_numbers

Json = dict[str, Any]
READY = {
    name: game
    for name, game in sorted(demos.ready_games("own-game").items())
    if game.get("gm") and game.get("rules")
}
PLAYERS = ("ana", "ben")


@pytest.mark.parametrize("name", READY)
def test_a_ready_game_can_be_played_and_has_texts_in_reach_of_translators(name: str) -> None:
    written = READY[name]

    assert fault(written) is None
    assert written["author"] == "Countersite"
    assert name == _plain(written["title"])


def _plain(title: str) -> str:
    return title.lower().replace("&", "and").replace(" ", "-")


@pytest.mark.parametrize("name", READY)
def test_every_rule_fires_in_the_evening_and_is_expected_there(name: str) -> None:
    (case,) = json.loads((laws.SCENARIOS / f"gm-evening-{name}.json").read_text("utf-8"))
    history, _refused = scenario.play(case, compiled(READY[name]))
    fired = {event.get("rule") for entry in history.entries for event in entry.events}
    expected = {event.get("rule") for event in case["then"]["events"]["include"]}
    rules = {rule["rule"] for rule in READY[name]["rules"]}

    assert READY[name] == case["definition"]
    assert rules <= fired
    assert rules <= expected


# Evenings at random

HIDDEN = {
    "blades-in-the-dark": "long",
    "call-of-cthulhu": "foe",
    "daggerheart": "countdown",
    "dungeons-and-dragons": "foe",
    "fabula-ultima": "foe",
    "fate": "aspect",
    "ironsworn": "epic",
    "mothership": "clock",
}
"""By game: a type whose rules, where such a track is hidden, touch nothing else."""
SECRETS = ("secret-a", "secret-b")


def _sized(own: Json) -> Json:
    return {("slots" if key == "size" else key): own[key] for key in own}


def opened(name: str, *secrets: str) -> History:
    """An evening's beginning: the kits, what the table begins with, and a track of each type."""
    written, system = READY[name], compiled(READY[name])
    kit = written["gm"]["kit"]
    types = [kind["type"] for kind in written["gm"]["types"] if kind.get("counts") != "items"]
    tracks: Json = {
        **{
            f"{seat}-{place}": {**_sized(each), "owner": seat, "role": f"kit-{place}"}
            for seat in PLAYERS
            for place, each in enumerate(kit)
        },
        **{
            f"shared-{place}": _sized(own)
            for place, own in enumerate(written["gm"].get("shared", ()))
        },
        **{f"one-{kind}": {"type": kind} for kind in types if kind not in _kinds(kit)},
        **{key: {"type": HIDDEN[name], "visibility": "hidden"} for key in secrets},
    }
    tracks["ana-0"]["initiative"], tracks["ben-1"]["initiative"] = 12, 7
    given = {"seats": {"gm": {}, "ana": {}, "ben": {}}, "slot_counters": tracks}
    return History(system, scenario.opening(system, {"given": given, "definition": written}))


def _kinds(kit: list[Json]) -> set[str]:
    return {each["type"] for each in kit}


def command(random: Random, system: OwnSystem, state: GameState) -> Json:
    """Something that a table with that game may do next, or almost."""
    definition = system.definition
    tracks = [key for key in state.slot_counters if key not in SECRETS]
    by = random.choice(("gm", *PLAYERS))
    conditions = [each.name for each in definition.set.conditions] or ["Afraid"]
    outcomes = [*definition.set.by_outcome] or [None]
    numbers = [*definition.numbers] or ["luck"]
    holders = [*PLAYERS, "table", *tracks, *state.objects]
    turn = random.choice(("begin", "end"))
    kinds: tuple[Callable[[], Json], ...] = (
        lambda: _press(random, system, state, tracks),
        lambda: _press(random, system, state, tracks),
        lambda: _answer(random, state),
        lambda: _answer(random, state),
        lambda: {"do": "fill", "on": random.choice(tracks), "slots": random.randint(1, 9)},
        lambda: {"do": "fill", "on": random.choice(tracks), "slots": random.randint(1, 60)},
        lambda: {"do": "clear", "on": random.choice(tracks), "slots": random.randint(1, 9)},
        lambda: {"do": "add-temporary", "on": random.choice(tracks), "slots": 2},
        lambda: {"do": "action", "by": by, "outcome": random.choice(outcomes)},
        lambda: {"do": "afflict", "on": random.choice(tracks), "name": random.choice(conditions)},
        lambda: {
            "do": random.choice(("place", "remove")),
            "on": random.choice(holders),
            "counter": random.choice(numbers),
            "amount": random.randint(1, 7),
            "by": by,
        },
        lambda: {"do": "next-turn"},
        lambda: {"do": "fight", "to": turn} if random.random() < 0.3 else {"do": "next-turn"},
        lambda: {
            "do": "undo" if random.random() < 0.7 else "redo",
            "by": random.choice(PLAYERS),  # the GM's newest act may be a hidden one
        },
        lambda: {"do": "end-session"} if random.random() < 0.2 else {"do": "next-turn"},
    )
    return random.choice(kinds)()


def _press(random: Random, system: OwnSystem, state: GameState, tracks: list[str]) -> Json:
    """The button of a rule, on something it may be on."""
    buttons = [rule for rule in system.definition.rules.values() if rule.when.button]
    rule = random.choice(buttons)
    button = rule.when.button
    assert button is not None
    by, written = random.choice(PLAYERS), _when(system, rule.name)
    given: Json = {"do": "press", "rule": rule.name, "by": by}
    if "gm" in button.on:
        given["by"] = "gm"
    elif "player" in button.on:
        given["on"] = random.choice(PLAYERS)
    else:
        of_them = [key for key in tracks if counter_in(state, key).type in button.on]
        things = [key for key, piece in state.objects.items() if piece.zone == "table"]
        given["on"] = random.choice([*of_them, *things] or PLAYERS)
        given["by"] = random.choice(("gm", by))
    if "number" in written:
        least, most = (written["number"][key] for key in ("least", "most"))
        given["number"] = random.randint(least, min(most, 20))
    if "target" in written:
        given["target"] = random.choice(PLAYERS)
    return given


def _when(system: OwnSystem, rule: str) -> Mapping[str, Any]:
    rules = system.definition.written["rules"]
    found: Mapping[str, Any] = next(each["when"] for each in rules if each["rule"] == rule)
    return found


def _answer(random: Random, state: GameState) -> Json:
    """An answer to a question that waits, which a hidden track never asked."""
    waiting = [each for each in state.prompts if each.source not in SECRETS] if state else []
    if not waiting:
        return {"do": "next-turn"}
    prompt = random.choice(waiting)
    return {
        "do": "answer",
        "prompt": prompt.id,
        "number": random.randint(1, random.choice((3, 20))),
        "by": prompt.to,
    }


def evenings(of_each: int, all_of_them: int) -> list[Any]:
    """(name, seed) of so many evenings of each game; those up to so many in all are for a sweep."""
    seeds = [([*READY][n % len(READY)], n // len(READY)) for n in range(all_of_them)]
    return [pytest.param(*each, marks=[pytest.mark.sweep] * (each[1] >= of_each)) for each in seeds]


@pytest.mark.parametrize(("name", "seed"), evenings(2, 120))
def test_a_random_evening_keeps_the_laws_and_each_undo_restores(name: str, seed: int) -> None:
    random, history = Random(seed), opened(name, *SECRETS)
    assert isinstance(history.system, OwnSystem)
    for n in range(30):
        before, said = as_json(history.state), command(random, history.system, history.state)
        refusal = laws.give(history, {**said, "id": f"tap-{n}"})
        if refusal or said["do"] in ("undo", "redo"):
            continue
        after = as_json(history.state)
        if laws.give(history, {"do": "undo", "by": "gm"}):
            continue  # a session has ended
        assert before == as_json(history.state), said
        laws.give(history, {"do": "redo", "by": "gm"})
        assert after == as_json(history.state), said
    laws.log_leads_to_state(history)


@pytest.mark.parametrize(("name", "seed"), evenings(2, 120))
def test_players_are_sent_the_same_with_and_without_hidden_tracks(name: str, seed: int) -> None:
    random, secret, plain = Random(seed), opened(name, *SECRETS), opened(name)
    assert isinstance(plain.system, OwnSystem)
    for n in range(40):
        if random.random() < 0.4:
            said = {**hidden_command(random, secret.state), "id": f"h-{n}"}
            heard = told(secret, said)
            if not isinstance(heard, dict):
                continue
            assert not any(any(each) for each in heard.values()), said
            if random.random() < 0.3:
                number = secret.entries[-1].number
                back = told(secret, {"do": "undo", "entries": [number], "id": f"u-{n}"})
                assert not isinstance(back, dict) or not any(map(any, back.values())), said
        else:
            said = {**command(random, plain.system, plain.state), "id": f"o-{n}"}
            assert told(plain, said) == told(secret, said), said
    assert without_numbers(views(plain)) == without_numbers(views(secret))
    assert not any(key in views(secret) for key in SECRETS)


def hidden_command(random: Random, state: GameState) -> Json:
    """What the GM does with hidden tracks, and what these asked."""
    on = random.choice(SECRETS)
    asked = [each for each in state.prompts if each.source in SECRETS]
    if asked and random.random() < 0.5:
        return {"do": "answer", "prompt": asked[0].id, "number": random.randint(1, 2)}
    name = random.choice(("Concentrating", "Canary"))
    kinds: tuple[Json, ...] = (
        {"do": "fill", "on": on, "slots": random.randint(1, 9)},
        {"do": "clear", "on": on, "slots": random.randint(1, 9)},
        {"do": "afflict", "on": on, "name": name},
        {"do": "relieve", "on": on, "name": name},
        {"do": "edit", "on": on, "name": "Canary"},
        {"do": "together", "steps": [{"do": "fill", "on": each, "slots": 2} for each in SECRETS]},
    )
    return random.choice(kinds)
