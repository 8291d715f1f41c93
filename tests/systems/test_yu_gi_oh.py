"""Yu-Gi-Oh!: what may hold which counters, checked against a second, slower implementation."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from games.rules import scenario
from games.rules.history import History
from games.rules.state import MOST
from games.systems import find
from games.systems.attacks import Target
from games.systems.yu_gi_oh import faces, rules
from games.systems.yu_gi_oh.attacks import attacks
from games.systems.yu_gi_oh.card import Card, bound
from games.systems.yu_gi_oh.card import card as card_of
from games.systems.yu_gi_oh.zones import FIELD_ZONES
from tests import laws
from tests.systems.evening import Evening

CURRENT = find("yu-gi-oh")
DEMO = Path(__file__).parents[2] / "games/systems/yu_gi_oh/demo.json"


def duel(objects: dict[str, Any] | None = None, **settings: Any) -> History:
    """A Duel of Ana and Ben with these cards on the table."""
    given = {"seats": {"ana": {}, "ben": {}}, "objects": objects or {}}
    return History(CURRENT, scenario.opening(CURRENT, {"given": given, "settings": settings}))


def refusal(history: History, **command: Any) -> str | None:
    """The code of the refusal; None if the command is accepted."""
    refused = laws.give(history, command)
    return refused.code if refused else None


# The reasons to refuse a placement, in the order of the rules

FLAGS = "face_down doomed unaffected negated unusable activating summoning".split()
flags = st.fixed_dictionaries({}, optional={flag: st.just(True) for flag in FLAGS})
some_zones = st.lists(st.sampled_from(FIELD_ZONES), unique=True)
permit = st.fixed_dictionaries({}, optional={"maximum": st.integers(1, 4), "zones": some_zones})
a_card = st.builds(
    lambda zone, marks, permits, held: {
        "zone": zone,
        **marks,
        "permits": permits,
        "counters": held,
    },
    st.sampled_from([*FIELD_ZONES, "monster", "hand"]),
    flags,
    st.dictionaries(st.sampled_from(["spell", "ice", "bes"]), permit),
    st.dictionaries(st.sampled_from(["spell", "ice"]), st.integers(1, 4)),
)


def expected(card: dict[str, Any], command: dict[str, Any], prohibited: bool) -> str | int:
    """The rules read line by line: the code of the refusal, or how many are placed."""
    kind = command["counter"]
    permits = {
        kind: each
        for kind, each in card["permits"].items()
        if card["zone"] in each.get("zones", FIELD_ZONES)
    }
    own = command.get("source") == "m" or command.get("activation")
    open_kind = kind == "ice"
    reasons = [
        ("no-effect", "source" not in command),
        ("prohibited", prohibited),
        ("not-on-field", card["zone"] == "hand"),
        ("face-down", "face_down" in card),
        ("doomed", "doomed" in card),
        ("unaffected", "unaffected" in card and not own),
        ("not-permitted", not open_kind and kind not in permits),
        ("negated", not open_kind and ("negated" in card or "unusable" in card)),
        (
            "pending",
            not open_kind
            and ("activating" in card or "summoning" in card)
            and not command.get("activation"),
        ),
    ]
    for code, applies in reasons:
        if applies:
            return code
    there = card["counters"].get(kind, 0)
    most = permits.get(kind, {}).get("maximum", MOST)
    wanted = int(command.get("amount", 1))
    if command.get("up_to_maximum") and wanted:
        wanted = min(wanted, max(1, most - there))
    return "over-maximum" if there + wanted > most else wanted


placement = st.fixed_dictionaries(
    {"counter": st.sampled_from(["spell", "ice", "crown"])},
    optional={
        "amount": st.integers(0, 6),
        "source": st.sampled_from(["m", "an effect"]),
        "up_to_maximum": st.booleans(),
        "activation": st.booleans(),
    },
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(card=a_card, command=placement, prohibited=st.booleans())
def test_a_placement_is_refused_for_the_first_reason_of_the_list(
    card: dict[str, Any], command: dict[str, Any], prohibited: bool
) -> None:
    given = {"seats": {"ana": {"prohibited": prohibited}, "ben": {}}, "objects": {"m": card}}
    history = History(CURRENT, scenario.opening(CURRENT, {"given": given}))
    wanted = expected(card, command, prohibited)
    code = refusal(history, do="place", on="m", **command)

    if isinstance(wanted, str):
        assert wanted == code
    else:
        placed = [e["amount"] for e in history.entries[0].events if e["kind"] == "placed"]
        assert code is None
        assert ([wanted] if wanted else []) == placed


# A whole Duel at random

CARDS = ["m", "n", "o", "t"]
HOLDERS = [*CARDS, "ana"]
KIND_NAMES = ["spell", "ice", "a", "crown", "bes"]
cards = st.sampled_from(CARDS)
kinds = st.sampled_from(KIND_NAMES)
seats = st.sampled_from(["ana", "ben"])
scopes = st.sampled_from([*HOLDERS, "own-field", "opponents-field", "any-field"])
amounts = st.integers(0, 6)
zones = st.sampled_from([*FIELD_ZONES, *FIELD_ZONES, "hand", "graveyard", "material"])
splits = st.none() | st.dictionaries(cards, st.integers(0, 3), max_size=3)


class Duel(Evening, RuleBasedStateMachine):
    """Two players, four cards, any commands; the laws hold after each."""

    def __init__(self) -> None:
        super().__init__()
        self.history = duel(
            {
                "m": {"permits": {"spell": {}}, "counters": {"spell": 2, "ice": 1}},
                "n": {"owner": "ben", "permits": {"spell": {"maximum": 3}, "ice": {"maximum": 2}}},
                "o": {"zone": "field-zone", "permits": {"bes": {"zones": ["pendulum"]}}},
                "t": {"token": True, "counters": {"a": 4}, "thresholds": {"a": 0}},
            }
        )
        self.turned_back = False

    def say(self, do: str, **facts: Any) -> None:
        self.give(do=do, **facts)

    def give(self, **command: Any) -> None:
        said = {key: value for key, value in command.items() if value is not None}
        laws.give(self.history, said)

    @rule(
        on=st.lists(st.sampled_from(HOLDERS), min_size=1, max_size=3, unique=True),
        kind=kinds,
        amount=amounts,
        source=st.sampled_from([None, "m", "an effect", "an effect"]),
        fill=st.booleans(),
        activation=st.booleans(),
        by=seats,
    )
    def place(
        self,
        on: list[str],
        kind: str,
        amount: int,
        source: str | None,
        fill: bool,
        activation: bool,
        by: str,
    ) -> None:
        self.give(
            do="place",
            on=on,
            counter=kind,
            amount=amount,
            source=source,
            up_to_maximum=fill,
            activation=activation,
            by=by,
        )

    @rule(on=cards, kind=kinds, of=cards)
    def place_as_many_as_it_had(self, on: str, kind: str, of: str) -> None:
        self.give(do="place", on=on, counter=kind, had_by=of, source="an effect")

    @rule(on=scopes, kind=kinds, amount=amounts, split=splits, by=seats)
    def spend(self, on: str, kind: str, amount: int, split: dict[str, int], by: str) -> None:
        self.give(do="spend", on=on, counter=kind, amount=amount, split=split, by=by)

    @rule(
        on=scopes, kind=st.none() | kinds, amount=amounts | st.just("all"), split=splits, by=seats
    )
    def remove(
        self, on: str, kind: str | None, amount: Any, split: dict[str, int], by: str
    ) -> None:
        self.give(do="remove", on=on, counter=kind, amount=amount, split=split, by=by)

    @rule(one=st.sampled_from(HOLDERS), other=st.sampled_from(HOLDERS), kind=kinds, amount=amounts)
    def transfer(self, one: str, other: str, kind: str, amount: int) -> None:
        command = {"do": "transfer", "from": one, "to": other, "counter": kind, "amount": amount}
        laws.give(self.history, command | {"source": "an effect"})

    @rule(on=st.sampled_from(HOLDERS), kind=kinds, amount=amounts)
    def correct(self, on: str, kind: str, amount: int) -> None:
        self.give(do="correct", on=on, counter=kind, to=amount)

    @rule(card=cards, to=zones, controller=st.none() | seats)
    def move(self, card: str, to: str, controller: str | None) -> None:
        self.give(do="move", object=card, to=to, controller=controller)

    @rule(card=cards, face_down=st.booleans())
    def flip(self, card: str, face_down: bool) -> None:
        self.give(do="flip", object=card, face_down=face_down)

    @rule(card=cards, to=seats)
    def control(self, card: str, to: str) -> None:
        self.give(do="control", object=card, to=to)

    @rule(
        on=st.sampled_from(HOLDERS),
        mark=st.sampled_from([*FLAGS[1:], "prohibited"]),
        value=st.booleans(),
    )
    def mark(self, on: str, mark: str, value: bool) -> None:
        self.give(do="mark", on=on, mark=mark, value=value)

    @rule(card=cards, kind=kinds, maximum=st.none() | st.integers(1, 3), zones=some_zones)
    def permit(self, card: str, kind: str, maximum: int | None, zones: list[str]) -> None:
        self.give(do="permit", object=card, counter=kind, maximum=maximum, zones=zones or None)

    @rule(card=cards, kind=kinds)
    def revoke(self, card: str, kind: str) -> None:
        self.give(do="revoke", object=card, counter=kind)

    @rule(card=cards, kind=kinds, amount=st.integers(0, 3), at=st.none() | amounts)
    def tell_its_text(self, card: str, kind: str, amount: int, at: int | None) -> None:
        self.give(do="register", object=card, counter=kind, amount=amount)
        self.give(do="watch", object=card, counter=kind, at=at)

    @rule(kind=kinds, open=st.booleans())
    def open_kind(self, kind: str, open: bool) -> None:
        self.give(do="open-kind", counter=kind, open=open)

    @rule(on=st.none() | st.lists(cards, min_size=1, unique=True))
    def resolve_spell(self, on: list[str] | None) -> None:
        self.give(do="resolve-spell", on=on)

    @rule(seat=seats, amount=st.integers(0, 9000), cost=st.booleans())
    def lose_life(self, seat: str, amount: int, cost: bool) -> None:
        self.give(do="lose-life", seat=seat, amount=amount, cost=cost)

    @rule(seat=seats, amount=st.integers(0, 9000))
    def gain_life(self, seat: str, amount: int) -> None:
        self.give(do="gain-life", seat=seat, amount=amount)

    @rule(seat=seats)
    def halve_life(self, seat: str) -> None:
        self.give(do="halve-life", seat=seat)

    @rule(back=st.sampled_from(["undo", "redo"]), entry=st.none() | st.integers(1, 20))
    def turn_back(self, back: str, entry: int | None) -> None:
        self.turned_back = True
        self.give(do=back, entry=entry)

    @rule()
    def start_the_process_again(self) -> None:
        self.history = laws.reloaded(self.history)

    @invariant()
    def only_cards_that_may_hold_counters_hold_them(self) -> None:
        state = self.history.state
        if not state.settled:
            return
        for holder, held in state.counters.items():
            card = state.objects[holder]
            assert isinstance(card, Card)
            assert card.zone in FIELD_ZONES
            assert not card.face_down
            for kind in held:
                if bound(state, kind):
                    assert card.zone in card.permits[kind].zones
                    assert not card.negated
                    assert not card.unusable

    @invariant()
    def off_the_field_nothing_is_said_of_a_card(self) -> None:
        for card in self.history.state.objects.values():
            if not card.on_field:
                assert not any(getattr(card, mark) for mark in Card.marks)
                assert card.controller == card.owner

    @invariant()
    def life_points_end_at_0(self) -> None:
        for seat in self.history.state.seats.values():
            assert seat.life >= 0  # type: ignore[attr-defined]
            if not seat.left and not seat.cannot_lose:  # type: ignore[attr-defined]
                assert seat.lost == (seat.life == 0)  # type: ignore[attr-defined]

    @precondition(lambda self: not self.turned_back)
    @invariant()
    def the_log_accounts_for_every_counter(self) -> None:
        opening = self.history.opening
        sums = Counter({(c, k): n for c, held in opening.counters.items() for k, n in held.items()})
        for entry in self.history.entries:
            for event in entry.events:
                if event["kind"] == "moved":
                    for kind in event["had"]:
                        assert event["had"][kind] == sums.pop((event["object"], kind))
                elif "counter" in event and "on" in event:
                    key = (event["on"], event["counter"])
                    if event["kind"] == "placed":
                        sums[key] += event["amount"]
                    elif event["kind"] in ("removed", "spent"):
                        sums[key] -= event["amount"]
                    elif event["kind"] == "corrected":
                        assert event["from"] == sums[key]
                        sums[key] = event["to"]
        here = self.history.state.counters
        held_now = {(c, k): n for c, held in here.items() for k, n in held.items()}
        assert held_now == {key: amount for key, amount in sums.items() if amount}

    def teardown(self) -> None:
        laws.log_leads_to_state(self.history)


TestDuel = Duel.TestCase
TestDuel.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, derandomize=True
)


# Refusals and their reasons


REASONS = [
    # command                                               what the player reads
    ({"do": "place", "on": "m", "counter": "ice"}, "name the card"),
    ({"do": "place", "on": "m", "counter": "spell", "source": "x"}, "its text does not allow it"),
    ({"do": "place", "on": "n", "counter": "spell", "source": "x"}, "at most 1 spell counter"),
    ({"do": "spend", "on": "n", "counter": "spell", "amount": 3}, "There is only 1 spell counter"),
    ({"do": "spend", "on": "any-field", "counter": "ice"}, "2 cards have ice counters"),
    ({"do": "lose-life", "seat": "ana", "amount": 9000, "cost": True}, "ana has 8000 life points"),
]


@pytest.mark.parametrize(("command", "words"), REASONS)
def test_a_refusal_gives_the_reason_in_the_words_of_the_game(
    command: dict[str, Any], words: str
) -> None:
    history = duel(
        {
            "m": {"counters": {"ice": 1}},
            "n": {"permits": {"spell": {"maximum": 1}}, "counters": {"spell": 1, "ice": 1}},
        }
    )
    refused = laws.give(history, command)

    assert refused is not None
    assert words in refused.message
    assert refused.rule in rules.RULES


def test_every_automatic_removal_names_its_rule() -> None:
    held = {"permits": {"spell": {}}, "counters": {"spell": 1}}
    history = duel({name: dict(held) for name in "abcdef"})
    for command in (
        {"do": "mark", "on": "a", "mark": "negated"},
        {"do": "mark", "on": "b", "mark": "unusable"},
        {"do": "flip", "object": "c", "face_down": True},
        {"do": "revoke", "object": "d", "counter": "spell"},
        {"do": "permit", "object": "e", "counter": "spell", "zones": ["pendulum"]},
    ):
        laws.give(history, command)
    removed = [e for entry in history.entries for e in entry.events if e["kind"] == "removed"]

    assert ["R8", "R10", "R5", "R11", "R14"] == [event["rule"] for event in removed]
    assert {"f": {"spell": 1}} == {holder: dict(k) for holder, k in history.state.counters.items()}


def test_a_duel_that_both_players_lose_at_once_has_no_winner() -> None:
    history = duel()
    laws.give(history, {"do": "lose-life", "seat": ["ben", "ana"], "amount": 8000})

    assert history.state.result == "draw"


# The table of kinds


# Around it


def test_the_demo_plays_to_its_end() -> None:
    demo = json.loads(DEMO.read_text(encoding="utf8"))

    assert [] == scenario.check(demo, CURRENT)


def test_the_kinds_that_a_table_opens_are_a_list_of_kinds() -> None:
    history = duel({"m": {}}, open_kinds=["crown"])

    assert refusal(history, do="place", on="m", counter="crown", source="x") is None
    for wrong in ("crown", ["Crown"], ["crown", "crown"], [1]):
        with pytest.raises(scenario.SpecificationError):
            duel(open_kinds=wrong)


@pytest.mark.parametrize("permits", [{"spell": {"most": 1}}, {"spell": 3}, {"S": {}}, ["spell"]])
def test_an_opening_with_a_malformed_permit_is_refused(permits: Any) -> None:
    with pytest.raises(scenario.SpecificationError):
        duel({"m": {"permits": permits}})


BATTLE: dict[str, Any] = {
    "mage": {"base": {"atk": 1900}, "permits": {"spell": {}}, "counters": {"spell": 1},
             "per_counter": {"spell": {"atk": 100}}},
    "wall": {"name": "Wall", "base": {"atk": 0, "def": 2300}, "defense": True, "owner": "ben"},
    "elf": {"name": "Elf", "base": {"atk": 1900}, "owner": "ben"},
    "twin": {"name": "Twin", "base": {"atk": 2000}, "owner": "ben"},
    "set": {"name": "Bug", "base": {"def": 9000}, "face_down": True, "owner": "ben"},
}  # fmt: skip


def ways(history: History, seat: str, monster: str) -> list[Any]:
    """What its sheet says as *seat* sees it: by way, each target with what it comes to."""
    seen = {key: faces.as_seen(card_of(history.state, key), seat) for key in history.state.objects}
    state = replace(history.state, objects=seen)
    found = attacks(CURRENT, state, card_of(state, monster), lambda obj: str(obj.name))
    return [[_target(to) for to in way.targets] for way in found]


def _target(to: Target) -> Any:
    lives = ((end.seat, end.then, end.lost) for end in to.ends)
    return (to.id, to.number, to.falls, to.back, *lives)


def test_a_sheet_says_what_comes_of_each_attack_but_not_of_one_on_a_set_card() -> None:
    history = duel(BATTLE)

    assert [
        [
            ("wall", 2300, False, False, ("ana", 7700, False)),
            ("elf", 1900, True, False, ("ben", 7900, False)),
            ("twin", 2000, True, True),
            ("set", None, False, False),
        ],
        [("ben", None, False, False, ("ben", 6000, False))],
    ] == ways(history, "ana", "mage")


def test_a_direct_attack_is_offered_where_no_monster_stands_and_says_that_it_kills() -> None:
    history = duel({"mage": BATTLE["mage"]})
    history.give({"do": "lose-life", "seat": "ben", "amount": 7000, "by": "ana"})

    assert [[("ben", None, False, False, ("ben", 0, True))]] == ways(history, "ana", "mage")


def test_a_refused_attack_does_not_name_a_set_card() -> None:
    history = duel({"mage": BATTLE["mage"], "set": {"face_down": True, "owner": "ben"}})

    assert "wrong-facts" == refusal(history, do="attack", object="mage", on="set", by="ana")
    assert card_of(history.state, "set").face_down
