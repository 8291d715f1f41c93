"""Permissions of commands: the policy of every verb, checked against all cases.

A verb that is not in POLICY fails, and so does one that no case plays. What a seat may not do is
refused and changes nothing; what it may do is never "forbidden". Requests that never reach the
rules, from everyone without a seat, are in `tests/live/test_who_commands.py`.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import pytest

from games.rules import scenario, secrecy
from games.rules.history import History
from games.rules.log import Stored
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens.words import words_of
from games.store import demos
from games.systems import SYSTEMS, presentation_of
from games.systems.own_game import compiled
from games.systems.own_game.holders import OwnSystem
from games.tracks import notes, views
from games.tracks.sets import fight
from tests.laws import all_scenarios, ids_of

Raw = Mapping[str, Any]
May = Callable[[System, GameState, Raw, str], bool | None]
"""True if a seat may give a command; None where only the rule itself decides."""

LED, PLAIN = "own-game with a GM", "own-game without rules"
KINDS = (*SYSTEMS, LED, PLAIN)
"""The systems, and the games with a GM, or without rules, of the one in which tables write."""

# fmt: off
ANY_SEAT = """
    place spend remove transfer correct create move control mark describe begin-turn begin-phase
    note strike attribute add-seat sit-out sit-down
"""
READY = {LED: "any-rpg", PLAIN: "any-game"}
"""The ready game that is of that kind."""
DICE = "throw toss draw-seat"
OF_TEAMS = "team-up take-role"
"""Where a game has teams or roles: the game without a definition has none."""
POLICY: dict[str, dict[str, str]] = {
    # system          who                  what
    PLAIN:           {"any seat":          f"{ANY_SEAT} void tick end-tick",
                      "as its steps":      "together",
                      "the server":        f"{DICE} change-rules"},
    "grand-archive": {"any seat":          f"""{ANY_SEAT} void copy transform level-up delevel
                                           change damage recover wield tick end-tick leave""",
                      "its controller":    "activate",
                      "as its steps":      "together",
                      "who is asked":      "answer",
                      "the server":        DICE},
    "magic":         {"any seat":          f"""{ANY_SEAT} void proliferate standing end-standing
                                           change cast copy lose-life gain-life commander-damage
                                           day-night count-spells tempt venture complete-dungeon
                                           leave restart combat damage set-life exchange-life tick
                                           end-tick make draw-cards""",
                      "as its steps":      "together",
                      "who is asked":      "answer",
                      "the server":        f"{DICE} planar-die"},
    "pokemon":       {"any seat":          f"""{ANY_SEAT.replace(" control", "")} void damage heal
                                           afflict cure attack retreat switch evolve devolve
                                           change-hp knock-out checkup take-prizes deck-out
                                           leave""",
                      "as its steps":      "together",
                      "who is asked":      "answer",
                      "the server":        DICE},
    "yu-gi-oh":      {"any seat":          f"""{ANY_SEAT.replace(" describe", "")} correct-zone flip
                                           open-kind change gain-life lose-life halve-life
                                           exchange-life leave attack""",
                      "as its steps":      "together",
                      "who sees the card": "describe permit register resolve-spell revoke watch",
                      "the server":        DICE},
    "own-game":      {"any seat":          f"""{ANY_SEAT.replace(" mark", "")} void leave
                                           {OF_TEAMS}""",
                      "whose button it is": "press",
                      "as its steps":      "together",
                      "who is asked":      "answer",
                      "the server":        f"{DICE} change-rules"},
    "stars-and-signs": {
                      "openly":            "note",
                      "the GM, no co-GM":  "appoint add-co-gm",
                      "the GM":            """correct scene resolve share-past milestone allow
                                           answer dismiss end-session""",
                      "who keeps it, or the GM": "amend",
                      "a player":          "propose",
                      "who proposed it":   "withdraw",
                      "its owner":         """fill suffer spend clear add-temporary restart put take
                                           swap give describe edit arrange discard""",
                      "for itself":        "create action",
                      "as its steps":      "together",
                      "who may read it":   "strike",
                      "the server":        f"{DICE} roll make-way note-makes-way"},
    LED:             {"any seat":          """begin-turn begin-phase add-seat sit-out sit-down leave
                                           control attribute void take-role
                                           team-up""",
                      "openly":            "note",
                      "the GM, no co-GM":  "appoint add-co-gm",
                      "the GM":            """scene resolve share-past allow dismiss fight next-turn
                                           end-session""",
                      "the GM, or a number": "correct answer",
                      "a player":          "propose",
                      "who proposed it":   "withdraw",
                      "its owner":         """fill clear add-temporary restart put take swap
                                           give edit arrange discard afflict relieve""",
                      "its owner, or a number": "spend describe place remove transfer",
                      "for itself":        "create action",
                      "only the rules":    "move",
                      "whose button it is": "press",
                      "whose turn it is":  "finish-turn",
                      "who keeps it, or the GM": "amend",
                      "as its steps":      "together",
                      "who may read it":   "strike",
                      "the server":        f"{DICE} roll make-way note-makes-way change-rules"},
}
# fmt: on


def of_the_gm(system: System, state: GameState, raw: Raw, by: str) -> bool:
    return secrecy.knows(system, state, by)


def of_the_first_gm(system: System, state: GameState, raw: Raw, by: str) -> bool:
    return system.seating.default_by(state) == by


def of_its_first_step(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    """A later step may depend on an earlier one."""
    step = raw["steps"][0] if raw.get("steps") else None
    if type(step) is not dict or {"by", "id", "note"} & {*step}:
        return None
    who = policy(kind(system)).get(str(step.get("do")), "any seat")
    return False if WHO[who](system, state, step, by) is False else None


def of_whom_is_asked(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    prompt = state.prompt(str(raw.get("prompt")))
    if not prompt or (system.name == "own-game" and "result" in raw):  # the server rolls dice
        return None
    shared = prompt.kind in presentation_of(system).board.finishing_questions
    return prompt.to == by or (shared and prompt.source == by)


def of_its_controller(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    card = state.objects.get(str(raw.get("object")))
    return card.controller == by if card else None


def of_who_sees_it(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    mine = secrecy.seen(system, state, by)
    named = [mine.objects[each] for each in strings(raw) if each in mine.objects]
    return not any(each.unseen for each in named) or None


def of_its_owner(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    """Its owner and the GM, unless the GM has settled it otherwise for the counter or its type."""
    if secrecy.knows(system, state, by):
        return True
    named = [raw.get(key) for key in ("on", "shield", "overflow")]
    ids = [each for one in named for each in (one if type(one) is list else [one])]
    counters: list[Any] = [state.slot_counters[i] for i in ids if i in state.slot_counters]
    given = state.settings.get("permissions") or any(each.permissions for each in counters)
    if given or not counters:
        return None
    if raw["do"] == "describe" and "secret" in raw:
        return False
    if {"owner", "permissions", "links", "later", "gm_note", "scene", "partial"} & {*raw}:
        return None
    owned = all(each.owner == by for each in counters)
    return None if owned and "to" in raw else owned  # what `to` names must be seen, too


def of_the_gm_or_a_number(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    return None if {"counter", "number"} & {*raw} else of_the_gm(system, state, raw, by)


def of_its_owner_or_a_number(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    return None if "object" in raw else of_its_owner(system, state, raw, by)


def of_itself(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    """A player makes and does things only for that player; the GM for all."""
    if secrecy.knows(system, state, by):
        return True
    whom = raw.get("owner") or raw.get("seat")
    return False if whom not in (None, by) else None


def of_a_player(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    return False if secrecy.knows(system, state, by) else None


def of_who_proposed(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    prompt = state.prompt(str(raw.get("prompt")))
    return prompt.facts["by"] == by if prompt else None


def of_its_reader(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    if raw.get("item") not in state.notes:
        return None
    return False if raw["item"] not in notes.readable(state, by) else None


def of_its_keeper(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    """The GM's notes by the GM; what a note of one's own says, by whose it is."""
    note: Any = state.notes.get(str(raw.get("item")))
    if note and note.own and note.by == by:
        return not ({"to", "everyone"} & {key for key in raw if raw[key] not in (None, False)})
    return secrecy.knows(system, state, by)


def openly(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    """Every seat may for all to read; only the GM tells secrets and shows handouts.

    Only who heard a secret answers it.
    """
    if "answers" in raw:
        return None
    if raw.get("own"):
        return False if secrecy.knows(system, state, by) else None
    of_the_gms = {"secret", "to", "title", "picture"} & {key for key in raw if raw[key]}
    return secrecy.knows(system, state, by) or not of_the_gms


def of_its_presser(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    """The seat on which, or on whose thing, a button is, unless its rule lets anyone press it."""
    rule = system.definition.rules.get(str(raw.get("rule")))  # type: ignore[attr-defined]
    if rule is None or rule.button is None or not rule.button.by_holder:
        return None
    on = str(raw.get("on", by))
    piece, track = state.objects.get(on), state.slot_counters.get(on)
    whose = piece.controller if piece else getattr(track, "owner", on)
    return None if whose == by or secrecy.knows(system, state, by) else False


def of_whose_turn_it_is(system: System, state: GameState, raw: Raw, by: str) -> bool | None:
    """The owner of the counter whose turn the seat is shown, and the GM while there is one."""
    turn = fight.shown(state, by)
    whose: Any = state.slot_counters.get(turn["turn"] or "") if turn else None
    return whose is not None and (secrecy.knows(system, state, by) or whose.owner == by)


WHO: Mapping[str, May] = {
    "any seat": lambda system, state, raw, by: True,
    "the server": lambda system, state, raw, by: None,  # refused at the door: see `refuse_served`
    "openly": openly,
    "the GM": of_the_gm,
    "the GM, no co-GM": of_the_first_gm,
    "who is asked": of_whom_is_asked,
    "its controller": of_its_controller,
    "whose button it is": of_its_presser,
    "who sees the card": of_who_sees_it,
    "its owner": of_its_owner,
    "for itself": of_itself,
    "the GM, or a number": of_the_gm_or_a_number,
    "its owner, or a number": of_its_owner_or_a_number,
    "only the rules": lambda system, state, raw, by: None,
    "a player": of_a_player,
    "who proposed it": of_who_proposed,
    "whose turn it is": of_whose_turn_it_is,
    "who may read it": of_its_reader,
    "who keeps it, or the GM": of_its_keeper,
    "as its steps": of_its_first_step,
}
SETTLED = {
    "openly",
    "the GM",
    "the GM, no co-GM",
    "who is asked",
    "its controller",
    "its owner",
    "who proposed it",
    "who keeps it, or the GM",
}
"""Those of whom it is clear who may; the others only who may not."""


def editions(name: str) -> tuple[System, ...]:
    if name in READY:
        return (compiled(demos.ready_games("own-game")[READY[name]]),)
    return SYSTEMS[name]


def kind(system: System) -> str:
    if isinstance(system, OwnSystem):
        return LED if system.definition.led else PLAIN if system.definition.plain else system.name
    return system.name


def policy(name: str) -> dict[str, str]:
    if name not in POLICY:
        return {verb: _usual(verb) for each in editions(name) for verb in each.verbs}
    return {verb: who for who, verbs in POLICY[name].items() for verb in verbs.split()}


def _usual(verb: str) -> str:
    """The default policy, for systems without a row in POLICY."""
    if verb in DICE.split():
        return "the server"
    return {"together": "as its steps", "answer": "who is asked"}.get(verb, "any seat")


def strings(value: Any) -> Iterator[str]:
    """All texts in a command, but those that people write."""
    if type(value) is str:
        yield value
    elif type(value) is list:
        for each in value:
            yield from strings(each)
    elif type(value) is dict:
        for key, each in value.items():
            if key not in ("do", "by", "id", "note", "text", "name"):
                yield from strings(each)


def outcome(history: History, raw: Raw, by: str) -> Refused | None:
    """The answer of a running table to a seat; the table stays as it is."""
    entries = list(history.entries)
    tried = History(
        history.system, history.opening, state=history.state, number=history.number,
        ids=lambda after, last: ids_of(entries[after:last]),
        stored=Stored(lambda after=0, last=0: entries[after:last]), lines=history.lines,
    )  # fmt: skip
    command: Raw = {**raw, "by": by}
    system = tried.system
    try:
        random = map("{:06x}".format, itertools.count()).__next__
        secrets = secrecy.at_table(tried, random)
        for first in secrets.first(command) if secrets else ():
            tried.give(first)
        command = presentation_of(system).sheets.completed(system, tried.state, command)
        secrecy.give(tried, secrets, command)
    except Refused as refused:
        return refused
    return None


def played(name: str) -> Iterator[tuple[str, History, dict[str, Any]]]:
    """Each command of the cases of a system, with the game just before it."""
    for case, system in all_scenarios():
        if kind(system) == name:
            history = History(system, scenario.opening(system, case))
            for raw in case["when"]:
                if type(do := raw.get("do")) is str and do in system.verbs:
                    bare = {key: each for key, each in raw.items() if key not in ("by", "id")}
                    yield case["id"], history, bare
                try:
                    history.give(dict(raw))
                except Refused:
                    continue


@pytest.mark.parametrize("name", KINDS)
def test_every_command_has_a_policy(name: str) -> None:
    who, verbs = policy(name), {k: v for each in editions(name) for k, v in each.verbs.items()}

    assert {*verbs} == {*who} - {*OF_TEAMS.split()}
    assert {k for k, each in verbs.items() if each.served} == {
        verb for verb, each in who.items() if each == "the server"
    }


@pytest.mark.parametrize("name", KINDS)
def test_a_command_is_taken_from_those_who_may_give_it_and_from_no_one_else(name: str) -> None:
    who, wrong = policy(name), []
    could: dict[str, set[bool | None]] = {verb: set() for verb in who}
    for case, history, raw in played(name):
        verb = raw["do"]
        for seat in history.state.seats:
            may = WHO[who[verb]](history.system, history.state, raw, seat)
            refused = outcome(history, raw, seat)
            could[verb].add(may)
            if may is False and refused is None:
                wrong.append(f"{case}: {seat} could {raw}")
            if may and refused and refused.code == "forbidden":
                wrong.append(f"{case}: {seat} could not {raw}: {refused.message}")
    assert not wrong, "\n".join(wrong)
    for verb, tried in could.items():
        if who[verb] in ("any seat", "as its steps"):
            assert tried or not editions(name)[0].verbs[verb].may, f"no case plays {verb}"
        elif who[verb] in SETTLED:
            assert {True, False} <= tried, f"no case tries {verb} with all sorts of seats"
        elif who[verb] != "the server":
            assert tried, f"no case plays {verb}"


# What a seat may not know of is refused as if it were not there.


def hidden_from(history: History, seat: str) -> dict[str, str]:
    """One of each sort of thing on the table that *seat* may not know of."""
    state, mine = history.state, notes.readable(history.state, seat)
    prompts = {each.id for each in views.seen_prompts(state, seat)}
    found = {
        "counter": [i for i in state.slot_counters if not views.knows(state, seat, i)],
        "note": [each for each in state.notes if each not in mine],
        "prompt": [each.id for each in state.prompts if each.id not in prompts],
    }
    return {sort: ids[0] for sort, ids in found.items() if ids}


def with_another(value: Any, old: str, new: str) -> Any:
    """*value* with the id *new* wherever *old* was."""
    if type(value) is list:
        return [with_another(each, old, new) for each in value]
    if type(value) is dict:
        return {with_another(k, old, new): with_another(v, old, new) for k, v in value.items()}
    return new if value == old else value


def naming() -> Iterator[tuple[dict[str, Any], str]]:
    """Of the cases' commands the first of each verb for each key that names a thing, with its id.

    The dice that only the server rolls are asked for by pages, which look first.
    """
    known = set()
    for _case, history, raw in played("stars-and-signs"):
        state = history.state
        there = {*state.slot_counters, *state.notes, *(each.id for each in state.prompts)}
        if history.system.verbs[raw["do"]].served:
            continue
        for old in sorted(there & {*strings(raw)}):
            which = (raw["do"], *[key for key, each in raw.items() if old in strings([each])])
            if which not in known and [*strings(raw)].count(old) == 1:
                known.add(which)
                yield raw, old


def answer_to(history: History, raw: Raw, seat: str, named: str) -> str:
    refused = outcome(history, raw, seat)
    if refused is None:
        return "accepted"
    said = json.dumps(words_of(history.system).refusal_facts(refused), ensure_ascii=False)
    return said.replace(f"“{named}”", "“ID”")


def test_a_hidden_object_is_refused_in_the_words_for_a_missing_one() -> None:
    samples, wrong = [*naming()], []
    tried = dict.fromkeys(("counter", "note", "prompt"), 0)
    for case, history, _raw in [*{each[0]: each for each in played("stars-and-signs")}.values()]:
        for seat in history.state.seats:
            if secrecy.knows(history.system, history.state, seat):
                continue
            for (sort, new), (raw, old) in product(hidden_from(history, seat).items(), samples):
                if new in strings(raw):
                    continue  # twice the same is refused for that
                nowhere = "proposal:nobody" if sort == "prompt" else "nothing"
                got, right = (
                    answer_to(history, with_another(raw, old, each), seat, each)
                    for each in (new, nowhere)
                )
                tried[sort] += 1
                if got != right:
                    wrong.append(f"{case}: {seat} {raw['do']} {old}={new}\n  {got}\n  {right}")

    assert not wrong, "\n".join(wrong[:20])
    assert {verb for verb, who in policy("stars-and-signs").items() if who == "its owner"} <= {
        raw["do"] for raw, _old in samples
    }
    assert all(count >= 30 for count in tried.values()), tried
