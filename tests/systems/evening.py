"""Steps of every card game's state machine: lists, marks for a turn, coming back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from games.rules.history import History
from games.rules.state import PlayerSeat


class Evening:
    """Rules for a `RuleBasedStateMachine` that has a history and says its commands with `say`."""

    history: History
    away: Mapping[str, dict[str, int]] = {}

    def say(self, do: str, **facts: Any) -> Any:
        raise NotImplementedError

    def count_who_is_out(
        self, counters: dict[str, dict[str, int]], event: Mapping[str, Any]
    ) -> None:
        """In books kept from the log: what leaves with a seat has no counters until it is back."""
        if event["kind"] == "took-along":
            lay = {obj: counters.pop(obj) for obj in event["objects"] if obj in counters}
            self.away = {**self.away, **lay}
        elif event["kind"] == "came-back":
            counters |= {obj: self.away[obj] for obj in event["objects"] if obj in self.away}

    def some(self, data: st.DataObject, ids: Any) -> list[str]:
        few = st.lists(st.sampled_from(sorted(ids)), min_size=1, max_size=3, unique=True)
        return data.draw(few)

    @rule(data=st.data(), seats=st.booleans(), until=st.booleans())
    def mark_several(self, data: st.DataObject, seats: bool, until: bool) -> None:
        state, system = self.history.state, self.history.system
        marks = system.components.seat.marks if seats else system.components.object.marks
        if not marks:
            return
        name = data.draw(st.sampled_from(sorted(marks)))
        value = data.draw(st.booleans() if marks[name].most is None else st.integers(0, 3))
        on = self.some(data, state.seats if seats else state.objects or state.seats)
        self.say("mark", on=on, mark=name, value=value, **({"until": "turn"} if until else {}))

    @rule(data=st.data())
    def wipe(self, data: st.DataObject) -> None:
        state = self.history.state
        if state.objects:
            to = data.draw(st.sampled_from(self.history.system.zones))
            self.say("move", object=self.some(data, state.objects), to=to)

    @rule(data=st.data())
    def give_away(self, data: st.DataObject) -> None:
        state = self.history.state
        if state.objects and "control" in self.history.system.verbs:
            to = data.draw(st.sampled_from(sorted(state.seats)))
            self.say("control", object=self.some(data, state.objects), to=to)

    @rule(data=st.data(), name=st.sampled_from(["Ash", "Storm"]))
    def rename(self, data: st.DataObject, name: str) -> None:
        if objects := self.history.state.objects:
            self.say("describe", object=data.draw(st.sampled_from(sorted(objects))), name=name)

    @rule(data=st.data(), amount=st.integers(0, 3), restore=st.booleans())
    def put_right(self, data: st.DataObject, amount: int, restore: bool) -> None:
        """Correct a number, of a seat that may have lost; only `restore` brings it back."""
        state, system = self.history.state, self.history.system
        on = data.draw(st.sampled_from(sorted({*state.seats, *state.objects})))
        lives = hasattr(system.components.seat, "life") and data.draw(st.booleans())
        number = {"life": amount} if lives else {"counter": "damage", "to": amount}
        before = {seat.id for seat in state.seats.values() if seat.lost}
        self.say("correct", on=on, **number, **({"restore": True} if restore else {}))
        back = before - {seat.id for seat in self.history.state.seats.values() if seat.lost}
        assert restore or not back

    @rule(data=st.data(), to=st.integers(0, 9))
    def at_once(self, data: st.DataObject, to: int) -> None:
        """A correction and a mark of one effect: all or none, and looked at once."""
        state = self.history.state
        on = data.draw(st.sampled_from(sorted(state.seats)))
        holder = data.draw(st.sampled_from(sorted({*state.seats, *state.objects})))
        lasting = {"do": "mark", "on": on, "mark": "cannot_lose", "until": "turn"}
        correction = {"do": "correct", "on": holder, "counter": "damage", "to": to}
        self.say("together", steps=[lasting, {**correction, "restore": True}, lasting])

    @invariant()
    def what_ends_with_the_turn_is_a_mark_of_who_has_it(self) -> None:
        state = self.history.state
        for seat in state.seats.values():
            assert isinstance(seat, PlayerSeat)
            assert set(seat.until) <= set(seat.marks)
            assert seat.lost or not seat.left
        for obj in state.objects.values():
            assert set(obj.until) <= set(obj.marks)
            assert obj.zone in obj.field_zones or not obj.until
        if state.turn and state.turn.began:
            out = set(state.turn.began) - set(state.turn.active)
            assert out
            assert all(state.seats[seat].lost for seat in out)
