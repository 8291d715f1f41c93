"""A rule as lanes of chips that read as a sentence: its moment, its condition, what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.state import Phrase
from games.rules.state import marked as _

from ..language.definition import Definition
from ..language.expressions import TABLE
from .chips import (
    ACTIONS,
    MOMENT_WORDS,
    MOMENTS,
    MORE,
    PRESSERS,
    SPANS,
    TURN_WORDS,
    WAYS,
    Chip,
    Known,
    Lane,
    as_list,
    as_map,
    called,
)
from .phrases import Phrases
from .places import Json, Place


def lanes(definition: Definition, rule: Json, place: Place) -> list[Lane]:
    """The lanes of the rule at *place*. definition: of the same game; its rules do not matter."""
    return _Sentence(definition, as_map(rule)).whole(place)


def asked_in(walked: Sequence[Lane], at: Place) -> Chip | None:
    """The chip at the place that is asked."""
    chips = [chip for lane in walked for chip in lane.chips if chip.sort and chip.place == at]
    return next((chip for chip in chips if not chip.more), chips[0] if chips else None)


def worked_out(definition: Definition, number: Mapping[str, Any], place: Place) -> list[Lane]:
    """The lane of how a number at *place* is worked out."""
    walk = Phrases(definition, subject(number))
    walk.lane("")
    walk.amount(number.get("is"), (*place, "is"))
    return walk.made


def subject(number: Mapping[str, Any]) -> Mapping[str, Any]:
    """A moment at which the subject is a holder of *number*."""
    return {"when": {"always": number.get("on")}}


class _Sentence(Phrases):
    """Lays the lanes of one rule."""

    def whole(self, place: Place) -> list[Lane]:
        self.lane(_("When"))
        words = self._moment((*place, "when"))
        self.known = Known(
            words=frozenset(words), always="always" in self.when, nobody=self.saying.its_table
        )
        self._if((*place, "if"))
        self.actions(self.rule.get("do"), (*place, "do"), 0, 10)
        return self.made

    def _if(self, place: Place) -> None:
        holds = self.rule.get("if")
        if "if" in self.rule or "always" in self.when:
            self.lane(_("If"), 0, () if "always" in self.when else place)
            self.condition(holds, place)
        elif self.when:
            self.lane(_("If"))
            self.chip(place, Phrase(_("only if…")), "condition", more=True)

    def _moment(self, place: Place) -> list[str]:
        """The chips of the moment; the words that are known then."""
        moment = next((each for each in MOMENTS if each in self.when), None)
        if moment is None:
            self.chip(place, Phrase(_("what happens?")), "when", value=self.rule.get("when"))
            return []
        value, here = self.when[moment], (*place, moment)
        says = Phrase(MOMENT_WORDS[moment])
        if moment in ("begins", "ends") and value in ("turn", "round"):
            says = Phrase(TURN_WORDS[moment, value])
        if moment == "changes":
            self.word(here, value, "changing", _("which number?"))
            way = self.when.get("by", "any")
            self.chip(
                (*place, "by"), called(WAYS, way), "by", value=self.when.get("by"), usual="any"
            )
            self.chip(place, Phrase(_("another moment")), "when", value=self.when, more=True)
            return ["change"]
        self.chip(place, says, "when", value=self.when)
        if moment == "begins" and value not in ("turn", "round"):
            self.names(here, value, "phases", _("which phase?"))
        elif moment in ("enters", "leaves"):
            self.names(here, value, "types", _("what?"))
        elif moment == "always":
            self.holders(here, value)
        elif moment == "pressed":
            return self._button(place)
        return []

    def _button(self, place: Place) -> list[str]:
        when, words = self.when, ["presser"]
        self.chip(
            (*place, "pressed"), when["pressed"] or Phrase(_("its label?")), "text-20",
            value=when["pressed"],
        )  # fmt: skip
        self.between(Phrase(_("of")))
        self.holders((*place, "on"), when.get("on"))
        self.lane(_("Who"))
        table = when.get("on") == TABLE
        usual = "anyone" if table else "holder"
        if not table or "who" in when:
            value = when.get("who", usual)
            self.chip(
                (*place, "who"),
                called(PRESSERS, value),
                "presses",
                value=when.get("who"),
                usual=usual,
            )
        if "own_turn" in when:
            says = Phrase(_("in your own turn") if when["own_turn"] is True else _("in any turn"))
            self.chip((*place, "own_turn"), says, "flag", value=when["own_turn"], free=True)
        if "during" in when:
            self.between(Phrase(_("during")))
            phases = when["during"]
            self.names((*place, "during"), phases, "phases", _("which phase?"), free=True)
        if "once" in when:
            says = called(SPANS, when["once"])
            self.chip((*place, "once"), says, "once", value=when["once"], free=True)
        self.chip((*place, MORE), Phrase(_("more…")), "button", value=when, more=True)
        with self.knowing("presser"):
            if "target" in when:
                self.lane(_("Target"), 0, (*place, "target"))
                self.who(when["target"], (*place, "target"))
                words.append("target")
            with self.knowing(*words):
                if "number" in when:
                    self.lane(_("Number"), 0, (*place, "number"))
                    self._bounds(as_map(when["number"]), (*place, "number"))
                    words.append("chosen")
                with self.knowing(*words):
                    self._costs(as_list(when.get("costs")), (*place, "costs"))
        return words

    def _bounds(self, bounds: Mapping[str, Any], place: Place) -> None:
        self.between(Phrase(_("from")))
        self.amount(bounds.get("least"), (*place, "least"), usual=0)
        self.between(Phrase(_("to")))
        self.amount(bounds.get("most"), (*place, "most"), usual=9999)

    def _costs(self, costs: list[Any], place: Place) -> None:
        for index, cost in enumerate(costs):
            here = (*place, index) if len(costs) > 1 else place
            self.lane(_("Price") if index == 0 else _("and"), 0, here)
            self._cost(as_map(cost), (*place, index))
        if 0 < len(costs) < 4:
            self.chip((*place, len(costs)), Phrase(_("and…")), "cost", more=True)

    def _cost(self, cost: Mapping[str, Any], here: Place) -> None:
        self.amount(cost.get("pay"), (*here, "pay"))
        self.word((*here, "of"), cost.get("of"), "kind", _("of what?"))
        self.who(cost.get("on"), (*here, "on"), usual="it", form=_("of {who}"))

    # What happens

    def actions(self, value: Json, place: Place, depth: int, most: int) -> None:
        items = as_list(value)
        for index, action in enumerate(items):
            label = _("and") if index else _("Then") if depth == 0 else ""
            self.lane(label, depth, (*place, index) if len(items) > 1 else ())
            self.action(action, (*place, index), depth)
        if len(items) < most and None not in items:
            self.lane("" if items else _("Then"), depth)
            says = Phrase(_("and then…")) if items else Phrase(_("does what?"))
            self.chip((*place, len(items)), says, "action", more=bool(items))

    def action(self, action: Json, place: Place, depth: int) -> None:
        said = as_map(action)
        key = next((each for each in ACTIONS if each in said), None)
        if key is None:
            self.chip(place, Phrase(_("does what?")), "action", value=action)
            return
        verb: dict[str, Any] = {"sort": "action", "value": action}
        if key == "add":
            self._add(said, place, verb)
        elif key == "set":
            self.word((*place, "of"), said.get("of"), "kind", _("which number?"))
            self.who(said.get("on"), (*place, "on"), usual="it", form=_("of {who}"))
            self.chip(place, Phrase(_("becomes")), **verb)
            self.amount(said["set"], (*place, "set"))
        elif key == "move":
            self.who(said["move"], (*place, "move"))
            self.chip(place, Phrase(_("goes to")), **verb)
            self.word((*place, "to"), said.get("to"), "zone", _("where?"))
        elif key == "create":
            self._create(said, place, verb)
        elif key == "each":
            self.chip(place, Phrase(_("for")), **verb)
            self.who(said["each"], (*place, "each"))
            with self.within(), self.knowing(inner=True):
                self.actions(said.get("do"), (*place, "do"), depth + 1, 6)
        elif key in ("out", "win"):
            self.who(said[key], (*place, key))
            yours, others = (_("are out"), _("is out")) if key == "out" else (_("win"), _("wins"))
            self.chip(place, self._verb(said[key], yours, others), **verb)
        elif key == "ask":
            self._ask(said, place, verb, depth)
        else:
            self.chip(place, Phrase(_("say")), **verb)
            self.text((*place, "tell"), said["tell"])

    def text(self, place: Place, value: Json) -> None:
        says = f"“{value}”" if isinstance(value, str) else Phrase(_("which words?"))
        self.chip(place, says, "text-200", value=value)

    def _add(self, said: Mapping[str, Any], place: Place, verb: dict[str, Any]) -> None:
        by, here = said["add"], (*place, "add")
        taken = type(by) is int and by < 0
        whole = isinstance(by, dict) and as_list(by.get("-"))[:1] == [0]
        self.who(said.get("on"), (*place, "on"), usual="it")
        yours, others = (_("lose"), _("loses")) if taken or whole else (_("get"), _("gets"))
        self.chip(place, self._verb(said.get("on", "it"), yours, others), **verb)
        if whole and len(by["-"]) == 2:
            self.amount(by["-"][1], (*here, "-", 1))
        else:
            self.amount(by, here, negated=taken)
        self.word((*place, "of"), said.get("of"), "kind", _("of what?"))

    def _verb(self, who: Json, yours: str, others: str) -> Phrase:
        """A verb as it is said of “you”, or of others."""
        return Phrase(yours if self.is_you(who) else others)

    def _create(self, said: Mapping[str, Any], place: Place, verb: dict[str, Any]) -> None:
        self.who(said.get("of"), (*place, "of"), usual="holder")
        self.chip(place, Phrase(_("gets a new")), **verb)
        self.word((*place, "create"), said["create"], "type", _("what?"))
        base = as_map(said.get("base"))
        for name, amount in base.items():
            self.between(Phrase(_("with")))
            self.chip((*place, "base", name), name, "named", value=name, free=True)
            self.amount(amount, (*place, "base", name))
        if len(base) < 10:
            self.chip((*place, "base"), Phrase(_("with…")), "base", value=base, more=True)

    def _ask(self, said: Mapping[str, Any], place: Place, verb: dict[str, Any], depth: int) -> None:
        self.who(said.get("of"), (*place, "of"), usual="holder")
        self.chip(place, Phrase(_("answers")), **verb)
        self.text((*place, "ask"), said["ask"])
        self.lane(_("Answer"), depth)
        if "choose" in said:
            choices = as_list(said["choose"])
            for index, each in enumerate(choices):
                self.text((*place, "choose", index), each)
            if len(choices) < 6:
                there = (*place, "choose", len(choices))
                self.chip(there, Phrase(_("or…")), "text-200", more=True)
        else:
            self._bounds(said, place)
            if "total" in said:
                self.between(Phrase(_("together")))
                self.amount(said["total"], (*place, "total"))
        here = (*place, MORE)
        self.chip(here, Phrase(_("ask otherwise…")), "asking", value=dict(said), more=True)
        with self.knowing("answer", "answerer", later=True):
            self.actions(said.get("then"), (*place, "then"), depth + 1, 6)
        if "after" in said:
            self.lane(_("When all have answered"), depth, (*place, "after"))
            with self.knowing("answerer", later=True):
                self.actions(said["after"], (*place, "after"), depth + 1, 6)
