"""Stars and Signs: its cases, laws that hold for any game, and secrets that stay secret."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from msgspec.structs import replace

from games.rules.commands import Command, Redo, Undo, parameters
from games.rules.entry import EntryView
from games.rules.history import History
from games.rules.scenario import check
from games.rules.state import GameState, Refused
from games.rules.system import CITED, Secrets
from games.systems.stars_and_signs import CURRENT, referee, templates
from games.systems.stars_and_signs.checklist import checklist
from games.systems.stars_and_signs.presentation import PRESENTATION
from games.tracks import entry_views, views
from games.tracks.counter import (
    Counter,
    Player,
    Sight,
    counter_in,
    game_master,
    party,
    sight,
)
from games.tracks.play import STEPS
from tests.laws import give, log_leads_to_state, reloaded

SCENARIOS = Path(__file__).parents[1] / "scenarios"
CASES = [
    case
    for name in (
        "stars-and-signs",
        "stars-and-signs-more",
        "stars-and-signs-giving",
        "stars-and-signs-sessions",
    )
    for case in json.loads((SCENARIOS / f"{name}.json").read_text(encoding="utf8"))
]
assert PRESENTATION.slots is not None
ITS = PRESENTATION.slots
SEATS = ("gm", "ana", "ben", "cleo")


def game(**counters: dict[str, Any]) -> History:
    given = {"seats": {seat: {} for seat in SEATS}, "slot_counters": counters}
    return History(CURRENT, CURRENT.opening(CURRENT, given, {}))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    assert [] == check(case, CURRENT)


def test_news_alike_for_all_equals_the_news_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = 0

    def both_ways(*about: Any) -> dict[str, EntryView | None]:
        nonlocal shared
        quickly = entry_views.views(*about)
        with monkeypatch.context() as patch:
            patch.setattr(entry_views, "_whole", lambda watching, entry: False)
            one_by_one = entry_views.views(*about)
        assert one_by_one == quickly
        shared += len({id(each) for each in quickly.values()}) < len(quickly)
        return quickly

    assert CURRENT.secrets is not None
    assert CURRENT.secrets.log is not None
    both = Secrets(log=replace(CURRENT.secrets.log, views=both_ways))
    for case in CASES:
        assert [] == check(case, replace(CURRENT, secrets=both))
    assert shared > len(CASES)


def test_every_rule_is_carried_out_and_has_a_case_or_says_why_not() -> None:
    packages = ("games.systems.stars_and_signs.", "games.tracks.")
    cited = {
        number
        for module, numbers in CITED.items()
        if module.startswith(packages) and not module.startswith("games.tracks.sets.")
        for number in numbers
    }
    in_cases = {number for case in CASES for number in case["cites"]}

    assert set() == set(CURRENT.rulebook.rules) - cited - set(CURRENT.rulebook.not_tracked)
    assert set() == cited - set(CURRENT.rulebook.rules)
    assert set() == set(CURRENT.rulebook.rules) - in_cases - set(CURRENT.rulebook.not_tracked)


def test_every_verb_has_a_case() -> None:
    given = {command["do"] for case in CASES for command in case["when"]}

    assert {*CURRENT.verbs, "undo", "redo"} == given & {*CURRENT.verbs, "undo", "redo"}


BAD_VALUES = (True, 2.5, 2.0, -1, 10_000_000, "", [], {}, [[]], "NO", "x" * 300, None)


@pytest.mark.parametrize("verb", CURRENT.verbs)
def test_a_malformed_parameter_is_invalid_or_has_a_meaning(verb: str) -> None:
    """Whatever the value, the command is refused or becomes an entry."""
    for part in parameters(CURRENT.verbs[verb].command):
        for value in BAD_VALUES:
            history = game(c1={}, bag={"type": "inventory"})
            command = {"do": verb, "on": "c1", "slots": 1, part.key: value}
            try:
                history.give(command)
            except Refused:
                accepted = 0
            else:
                accepted = 1

            assert accepted == history.number, command


# Screens


def test_a_conflicting_undo_says_nothing_about_what_the_seat_cannot_see() -> None:
    history = game(
        hers={"type": "resource", "owner": "ana", "slots": 1,
              "links": [{"to": "c1", "do": "clear"}]},
        c1={"name": "Eclipse", "type": "resource", "filled": 5, "visibility": "hidden"},
    )  # fmt: skip
    history.give({"do": "fill", "on": "hers", "slots": 1, "by": "ana"})
    history.give({"do": "spend", "on": "c1", "slots": 5})

    with pytest.raises(Refused) as refused:
        history.give({"do": "undo", "by": "ana"})
    with pytest.raises(Refused) as refusal:
        history.give({"do": "undo", "entry": 1})

    assert refused.value.code == "conflict"
    assert "Eclipse" not in refused.value.message
    assert "lines" not in refused.value.facts
    assert "1 2" == refusal.value.facts["lines"]


def test_a_visitor_without_a_seat_sees_open_counters_and_known_names() -> None:
    history = game(
        c1={"name": "Bell"},
        c2={"name": "Storm", "visibility": "known"},
        c3={"name": "Eclipse", "visibility": "hidden"},
        c4={"name": "Rumour", "visibility": "chosen", "seats": ["ana"]},
    )

    view = views.view(CURRENT, history.state, None, history.entries)

    assert ["c1", "c2"] == list(view["slot_counters"])
    assert {"name": "Storm", "visibility": "known"} == view["slot_counters"]["c2"]


@pytest.mark.parametrize("name", {**templates.TILES, **templates.TEMPLATES})
def test_every_template_makes_a_counter_in_each_of_its_sizes(name: str) -> None:
    template = {**templates.TILES, **templates.TEMPLATES}[name]
    for slots in template.sizes:
        history = game()
        history.give(template.create("c1", slots=slots))

        assert slots == counter_in(history.state, "c1").slots


def test_a_protagonist_gets_all_counters_in_one_entry() -> None:
    history = game(c3={})
    history.give(ITS.for_player("ana", ["a1", "a2", "a3", "a4", "a5", "a6"]))

    found = party(history.state, ("despair", "hope"))
    assert 1 == history.number
    assert {"despair", "hope"} == set(found["ana"])
    assert {} == found["ben"]


def test_every_line_of_a_milestone_can_be_carried_out() -> None:
    for milestone in ("minor", "major"):
        history = game(
            h={"type": "resource", "role": "hope", "owner": "ana", "filled": 2},
            d={"role": "despair", "slots": 10, "filled": 6, "owner": "ana"},
            e={"type": "resource", "role": "energy", "filled": 5},
            w={"role": "wound"}, m={"type": "inventory", "role": "memories"},
            old={"role": "energy", "filled": 1, "resolved": True},
        )  # fmt: skip
        for line in checklist(history.state, milestone):
            for step in line.steps:
                history.give(dict(step))
                assert step["do"] in STEPS

        assert 0 == counter_in(history.state, "e").filled


# fmt: off
OUTCOMES = [
    # total  flags                  outcome
    (9,      [],                    "miss"),
    (10,     [],                    "graze"),
    (14,     ["Fragile"],           "miss"),
    (15,     ["Fragile"],           "graze"),
    (20,     ["Fragile"],           "hit"),
    (20,     ["fragile", "broken"], "graze"),
    (19,     ["Fragile", "Broken"], "miss"),
]
# fmt: on


@pytest.mark.parametrize(("total", "flags", "expected"), OUTCOMES)
def test_how_a_check_comes_out(total: int, flags: list[str], expected: str) -> None:
    assert expected == referee.shifted(referee.outcome(total), flags)


def test_every_move_of_the_referee_can_be_carried_out() -> None:
    for move in (*referee.COMPLICATIONS.values(), *referee.FALLOUT.values()):
        if not move.types and not move.roles:
            continue
        role = move.roles[0] if move.roles else None
        history = game(c1={"type": (*move.types, "danger")[0], "role": role})
        assert move.fits(counter_in(history.state, "c1"))
        history.give({"do": "action", "steps": [move.step("c1", [3])]})

        assert 1 == counter_in(history.state, "c1").filled


def test_the_log_shows_a_command_to_seats_that_see_all_it_names() -> None:
    history = game(c1={"visibility": "hidden"}, c2={}, clock={"type": "timer"})
    history.give({"do": "fill", "on": "c2", "dice": [4], "note": "A push."})
    history.give({"do": "fill", "on": "c1", "dice": [9], "shield": "c2", "note": "The cult."})
    history.give({"do": "action", "by": "ana", "steps": []})
    history.give({"do": "undo", "entry": 2, "note": "Not the cult."})

    log = views.seen_entries(history.state, "ana", history.entries)

    assert [1, 2, 3, 4] == [entry.number for entry in log]
    assert ["A push.", None, None, None] == [(e.command or {}).get("note") for e in log]
    assert ["fill", None, "action", None] == [e.command and e.command["do"] for e in log]


# Any game at all


IDS = ("c1", "c2", "c3", "c4")
ids = st.sampled_from(IDS)
slots = st.integers(0, 6)
POINTS: list[st.SearchStrategy[dict[str, Any]]] = [
    st.fixed_dictionaries({"points": st.integers(0, 30)}),
    st.fixed_dictionaries(
        {"dice": st.lists(st.integers(1, 10), min_size=1, max_size=3)},
        optional={"add": st.integers(0, 5), "halve": st.booleans()},
    ),
]
SLOTS = st.fixed_dictionaries({"slots": slots})
visibility = st.sampled_from(("hidden", "known", "chosen", "open"))
items = st.sampled_from(("Bat", "Rope", "Coin"))
link = st.one_of(
    st.fixed_dictionaries(
        {"to": ids, "do": st.sampled_from(("advance", "reveal", "start", "fill", "clear"))}
    ),
    st.fixed_dictionaries(
        {"to": ids, "do": st.sampled_from(("fill", "clear")), "slots": st.integers(1, 4)}
    ),
)
permissions = st.dictionaries(
    st.sampled_from(("fill", "clear", "spend", "items")),
    st.sampled_from(("gm", "owner", "everyone")),
    max_size=2,
)
SHARED = {
    "slots": st.integers(1, 10),
    "owner": st.sampled_from((*SEATS, None)),
    "visibility": visibility,
    "seats": st.lists(st.sampled_from(SEATS), unique=True, max_size=2),
    "links": st.lists(link, max_size=2, unique_by=str),
    "permissions": permissions,
    "loop": st.sampled_from(("same", "+1", "-1", None)),
    "paused": st.booleans(),
}


def verb(do: str, *amount: st.SearchStrategy[dict[str, Any]], **more: Any) -> Any:
    """Commands of one verb about one counter."""
    optional = more.pop("optional", {})
    fixed = st.fixed_dictionaries({"do": st.just(do), "on": ids, **more}, optional=optional)
    if not amount:
        return fixed
    return st.builds(lambda one, other: {**one, **other}, fixed, st.one_of(*amount))


ABOUT_SLOTS = st.one_of(
    verb("fill", *POINTS, SLOTS, optional={"shield": ids, "overflow": ids}),
    verb("suffer", *POINTS, optional={"moods": st.lists(slots, max_size=2), "shield": ids}),
    verb("spend", *POINTS, SLOTS, optional={"partial": st.booleans()}),
    verb("clear", *POINTS, SLOTS, st.just({"all": True})),
    verb("clear", st.builds(lambda s: {**s, "excess": "temporary"}, SLOTS)),
    verb("add-temporary", SLOTS),
    verb("restart", optional={"slots": st.integers(1, 10), "temporary": slots}),
    verb("put", item=items, optional={"size": st.integers(0, 3)}),
    verb("take", item=items),
    verb("swap", out=items, item=items, optional={"size": st.integers(0, 3)}),
)
PROMPTS = st.sampled_from(tuple(f"proposal:{s}{n}" for s in SEATS for n in ("", "#2")))
COMMANDS = st.one_of(
    ABOUT_SLOTS,
    ABOUT_SLOTS,
    ABOUT_SLOTS,
    ABOUT_SLOTS,
    verb("fill", SLOTS),
    verb("fill", SLOTS),
    verb("edit", links=st.lists(link, max_size=2, unique_by=str)),
    verb("correct", optional={"filled": slots, "temporary": slots}),
    verb("edit", optional={**SHARED, "worth": st.integers(1, 9)}),
    verb("edit", visibility=visibility),
    verb("resolve", optional={"resolved": st.booleans()}),
    verb("discard"),
    st.fixed_dictionaries(
        {"do": st.just("create"), "as": ids},
        optional={
            **SHARED,
            "type": st.sampled_from(("danger", "resource", "timer", "timer", "inventory")),
            "temporary": slots,
            "on_full": st.just("release"),
        },
    ),
    st.fixed_dictionaries(
        {"do": st.just("action")}, optional={"reaction": st.booleans(), "outcome": st.just("hit")}
    ),
    st.builds(
        lambda steps: {"do": "together", "steps": steps},
        st.lists(ABOUT_SLOTS, min_size=1, max_size=3),
    ),
    st.sampled_from([{"do": "milestone", "milestone": size} for size in ("minor", "major")]),
    st.builds(lambda command: {"do": "propose", "command": command}, ABOUT_SLOTS),
    st.builds(lambda p, yes: {"do": "answer", "prompt": p, "accept": yes}, PROMPTS, st.booleans()),
    st.builds(lambda p: {"do": "withdraw", "prompt": p}, PROMPTS),
    st.builds(
        lambda seat, yes: {"do": "appoint", "seat": seat, "co_gm": yes},
        st.sampled_from(SEATS),
        st.booleans(),
    ),
    st.builds(
        lambda to: {"do": "scene", "scene": "Act", "to": to},
        st.sampled_from(("prepared", "running", "over")),
    ),
    st.fixed_dictionaries({"do": st.sampled_from(("undo", "redo"))}),
    st.fixed_dictionaries(
        {"do": st.sampled_from(("undo", "redo")), "entry": st.integers(1, 12)}
    ),
)  # fmt: skip


class AnyGame(RuleBasedStateMachine):
    """Four seats do whatever they can think of.

    Every counter that is made gets a life of its own, told by its `role`: names, labels and items
    are canaries that carry it, so that each can be traced to the counter it was said of.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lives = 0
        self.history = game(
            c1={"type": "resource", "visibility": "hidden", "slots": 3, **self.canaries()},
            c2={"type": "inventory", "owner": "ana", "visibility": "chosen", **self.canaries()},
            c3={"owner": "ana", "temporary": 2, "thresholds": {"2": "low"}, **self.canaries()},
            c4={"type": "timer", "visibility": "known", "slots": 2, **self.canaries()},
        )
        self.about: list[str | None] = []

    def canaries(self) -> dict[str, Any]:
        self.lives += 1
        life = f"canary{self.lives:03}"
        scene = "Act" if self.lives % 2 else f"{life} scene"
        return {"role": life, "name": f"{life} name", "completes": f"{life} completes",
                "scene": scene}  # fmt: skip

    @rule(command=COMMANDS, by=st.sampled_from((*SEATS, "gm", "gm", "gm", "ana")))
    def give(self, command: dict[str, Any], by: str) -> None:
        command = {**command, "by": by}
        if command["do"] == "create":
            command |= self.canaries()
            if not game_master(self.history.state, by):
                command.pop("scene")
        for item in {"item", "out"} & set(command):
            command[item] = self.item(command["on"], command[item])
        before = self.history.state
        if refused := give(self.history, command):
            self.tells_no_secret(by, refused.message)
            return
        self.note(before)
        if command["do"] not in ("undo", "redo"):
            self.turn_back(before, by)

    def item(self, counter_id: str, name: str) -> str:
        counter = self.history.state.slot_counters.get(counter_id)
        return f"{counter.role} {name}" if isinstance(counter, Counter) else name

    def note(self, before: GameState) -> None:
        """Remember which counter each event of the newest entry is about."""
        for event in self.history.entries[-1].events:
            about = None
            if "on" in event:
                first, second = self.history.state, before
                if event["kind"] in ("discarded", "retracted"):
                    first, second = second, first
                state = first if event["on"] in first.slot_counters else second
                about = counter_in(state, event["on"]).role
            self.about.append(about)
        self.nothing_unheard_shows(before)

    def nothing_unheard_shows(self, before: GameState) -> None:
        """A seat without a view of an entry sees the same as before."""
        entry, after = self.history.entries[-1], self.history.state
        assert entry.views is not None
        for seat in (*SEATS, None):
            view = entry.views.get(seat or "")
            if view is not None and not view.now:
                then, now = (views.view(CURRENT, state, seat, []) for state in (before, after))
                assert then == now, (seat, entry)

    def turn_back(self, before: GameState, by: str) -> None:
        """Undoing and redoing the newest entry changes nothing."""
        after, number = self.history.state, self.history.number
        self.history.give({"do": "undo", "entry": number, "by": by})
        self.note(after)
        undone = self.history.state
        assert before == replace(undone, settled=before.settled)
        self.history.give({"do": "redo", "entry": number, "by": by})
        self.note(undone)
        assert after == self.history.state

    @rule()
    def load(self) -> None:
        """Nothing depends on what is only in memory."""
        self.history = reloaded(self.history)

    @invariant()
    def slots_hold(self) -> None:
        for each in self.history.state.slot_counters:
            counter = counter_in(self.history.state, each)
            assert 0 <= counter.filled <= counter.slots, counter
            assert 0 <= counter.temporary <= 10 - counter.slots, counter
            if counter.inventory:
                assert counter.filled == sum(item.size for item in counter.items), counter
                assert counter.temporary == 0
                assert len({item.name for item in counter.items}) == len(counter.items)
            else:
                assert counter.items == ()

    @invariant()
    def the_log_leads_here(self) -> None:
        log_leads_to_state(self.history)

    @invariant()
    def secrets_are_kept(self) -> None:
        for seat in SEATS:
            view = views.view(CURRENT, self.history.state, seat, self.history.entries)
            self.tells_no_secret(seat, json.dumps(view))
            assert self.expected_log(seat) == view["log"], seat
            entries = views.seen_entries(self.history.state, seat, self.history.entries)
            self.tells_no_secret(seat, json.dumps([entry.command for entry in entries]))

    def tells_no_secret(self, seat: str, text: str) -> None:
        state = self.history.state
        for number in range(1, self.lives + 1):
            life = f"canary{number:03}"
            seen = self.seen_life(seat, life)
            co_gm = getattr(state.seats[seat], "co_gm", False)
            if seat == "gm" or seen is Sight.EVERYTHING or co_gm:
                continue
            if seen is Sight.NAME:
                text = text.replace(f"{life} name", "")
            assert life not in text, (seat, life)

    def seen_life(self, seat: str, life: str) -> Sight:
        for each in self.history.state.slot_counters:
            counter = counter_in(self.history.state, each)
            if counter.role == life:
                return sight(self.history.state, seat, counter)
        return Sight.NOTHING

    def expected_log(self, seat: str) -> list[dict[str, Any]]:
        player = self.history.state.seats[seat]
        everything = seat == "gm" or (isinstance(player, Player) and player.co_gm)
        events = [event for entry in self.history.entries for event in entry.events]
        return [
            event
            for event, life in zip(events, self.about, strict=True)
            if everything
            or (life is None and not event.get("secret"))
            or (life is not None and self.seen_life(seat, life) is Sight.EVERYTHING)
        ]


AnyGame.TestCase.settings = settings(
    max_examples=60, stateful_step_count=25, deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)  # fmt: skip
TestAnyGame = AnyGame.TestCase


def test_every_command_has_a_docstring() -> None:
    """The vocabulary page is made from them."""
    commands: list[type[Command]] = [verb.command for verb in CURRENT.verbs.values()]
    for command in (*commands, Undo, Redo):
        assert command.__doc__, command
