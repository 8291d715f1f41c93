"""Rules as a person would say them: "When your turn begins, set energy to 3."

A sentence is made of phrases within phrases, so that it can be said in every language. It is made
from the JSON of a rule that has been read, and says all of it: who has understood the sentence has
understood the rule. Where a rule under way has a gap, its sentence has one too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.rules.state import Phrase
from games.rules.state import marked as _

from .definition import Definition
from .expressions import PLAYER, TABLE

Json = Any
GAP = "……"


def sentence(definition: Definition, rule: Mapping[str, Any]) -> Phrase:
    """The whole of a rule."""
    return Saying(definition, rule).whole()


def purpose(definition: Definition, number: Mapping[str, Any]) -> Phrase:
    """A number in one line: "energy: each player’s, from 0 to 6, starts with 3"."""
    saying = Saying(definition, {})
    if "is" in number:
        worked_out = saying.amount(number["is"])
        return Phrase(_("{what} is {amount}"), what=number["kind"], amount=worked_out)
    parts: list[Any] = [saying.owners(number["on"])]
    if number.get("least", 0) or "most" in number:
        most = number.get("most")
        least = number.get("least", 0)
        if most is None:
            parts.append(Phrase(_("never below {least}"), least=least))
        elif isinstance(most, dict):
            parts.append(Phrase(_("at most its {most}"), most=next(iter(most.values()))))
        else:
            parts.append(Phrase(_("from {least} to {most}"), least=least, most=most))
    if start := number.get("start", 0):
        parts.append(Phrase(_("starts at {start}"), start=start))
    return Phrase("{what}: {parts}", what=number["kind"], parts=_row(parts))


def joined(parts: Sequence[Any]) -> Any:
    """*parts* as one reads them aloud: a, b and c."""
    if len(parts) < 2:
        return parts[0] if parts else GAP
    return Phrase(_("{first} and {last}"), first=_row(parts[:-1]), last=parts[-1])


def either(parts: Sequence[Any]) -> Any:
    """*parts* of which one is meant: a, b or c."""
    if len(parts) < 2:
        return parts[0] if parts else GAP
    return Phrase(_("{first} or {last}"), first=_row(parts[:-1]), last=parts[-1])


def _row(parts: Sequence[Any]) -> Any:
    row = parts[0]
    for part in parts[1:]:
        row = Phrase("{row}, {part}", row=row, part=part)
    return row


SIGNS: Mapping[str, str] = {
    "<": _("{a} is less than {b}"),
    "<=": _("{a} is at most {b}"),
    "=": _("{a} is {b}"),
    "!=": _("{a} is not {b}"),
    ">=": _("{a} is at least {b}"),
    ">": _("{a} is more than {b}"),
}

EXTREMES: Mapping[str, str] = {
    "highest": _("{who} with the most {what}"),
    "lowest": _("{who} with the least {what}"),
}


VERDICTS: Mapping[tuple[str, ...], str] = {
    (">=", "win"): _("Who has {n} {what} wins."),
    ("<=", "win"): _("Who has {n} {what} or less wins."),
    (">=", "out"): _("Who has {n} {what} is out."),
    ("<=", "out"): _("Who has {n} {what} or less is out."),
}
"""By the sign of a comparison and its only action: what a rule says with it."""


class Saying:
    """Says the parts of one rule. it: what its subject is called."""

    def __init__(self, definition: Definition, rule: Mapping[str, Any]) -> None:
        self.definition = definition
        self.rule = rule
        self.when: Mapping[str, Any] = rule.get("when") or {}
        self.its_player = self._about_players()
        self.its_table = self._about_the_table()
        self.inner = False

    def _about_players(self) -> bool:
        """True if the subject is a player, whom the sentence calls “you”."""
        when = self.when
        if "changes" in when:
            return self._kinds_holders(when["changes"]) == {PLAYER}
        if "begins" in when:
            return bool(when["begins"] != "round")
        if "ends" in when:
            return bool(when["ends"] == "turn")
        return PLAYER in (when.get("on"), when.get("always"))

    def _about_the_table(self) -> bool:
        when = self.when
        if "changes" in when:
            return self._kinds_holders(when["changes"]) == {TABLE}
        if "round" in (when.get("begins"), when.get("ends")):
            return True
        return TABLE in (when.get("on"), when.get("always"))

    def _kinds_holders(self, kind: str | None) -> frozenset[str]:
        number = self.definition.numbers.get(kind or "")
        return number.on if number else frozenset()

    def whole(self) -> Phrase:
        """The sentence."""
        if said := self._verdict_alone():
            return said
        does = joined([self.action(each) for each in self.rule["do"] or ()])
        facts: dict[str, Any] = {"when": self.moment(), "does": does}
        if "pressed" in self.when:
            template = _("{when}: {does}.")
            if "if" in self.rule:
                facts["if"] = self.condition(self.rule["if"])
                template = _("{when}, if {if}: {does}.")
            return Phrase(template, **facts)
        if "always" in self.when:
            facts["if"] = self.condition(self.rule["if"])
            return Phrase(_("As soon as {if}{when}: {does}."), **facts)
        if "if" in self.rule:
            facts["if"] = self.condition(self.rule["if"])
            return Phrase(_("{when}, if {if}: {does}."), **facts)
        return Phrase(_("{when}, {does}."), **facts)

    def _verdict_alone(self) -> Phrase | None:
        """The sentence of a rule that says no more than who wins, or who is out, with how much."""
        match self.when, self.rule.get("if"), self.rule.get("do"):
            case {"always": "player"}, [{"number": str(kind), **more}, sign, int(n)], [verdict]:
                said = VERDICTS.get((str(sign), *map(str, verdict))) if verdict else None
                if said and not more and [*verdict.values()] == ["it"]:
                    return Phrase(said, n=n, what=kind)
        return None

    # When

    def moment(self) -> Any:
        when = self.when
        for key, say in self._moments().items():
            if key in when:
                return say(when)
        return Phrase(_("When {what}"), what=GAP)

    def _moments(self) -> Mapping[str, Callable[[Mapping[str, Any]], Any]]:
        return {
            "begins": self._begins,
            "ends": self._ends,
            "changes": self._changes,
            "enters": lambda when: Phrase(
                _("When {thing} comes into play"), thing=self.a_thing(when["enters"])
            ),
            "leaves": lambda when: Phrase(
                _("When {thing} leaves play"), thing=self.a_thing(when["leaves"])
            ),
            "pressed": self._pressed,
            "always": self._always,
        }

    def _begins(self, when: Mapping[str, Any]) -> Phrase:
        if when["begins"] == "turn":
            return Phrase(_("When your turn begins"))
        if when["begins"] == "round":
            return Phrase(_("When a round begins"))
        phases = when["begins"] if isinstance(when["begins"], list) else [when["begins"] or GAP]
        return Phrase(_("When {phase} begins in your turn"), phase=either(phases))

    def _ends(self, when: Mapping[str, Any]) -> Phrase:
        if when["ends"] == "turn":
            return Phrase(_("When your turn ends"))
        return Phrase(_("When a round ends"))

    def _changes(self, when: Mapping[str, Any]) -> Phrase:
        by = when.get("by", "any")
        of = self.own(when["changes"])
        if by == "up":
            return Phrase(_("When {number} goes up"), number=of)
        if by == "down":
            return Phrase(_("When {number} goes down"), number=of)
        return Phrase(_("When {number} changes"), number=of)

    def own(self, kind: str) -> Any:
        """A number of the subject."""
        on = self._kinds_holders(kind)
        if not on:
            return kind or GAP
        if on == {TABLE}:
            return Phrase(_("the table’s {what}"), what=kind)
        if on == {PLAYER}:
            return Phrase(_("your {what}"), what=kind)
        if PLAYER not in on and TABLE not in on:
            return Phrase(_("{what} of {thing}"), what=kind, thing=self.a_thing(sorted(on)))
        return Phrase(_("somebody’s {what}"), what=kind)

    def _pressed(self, when: Mapping[str, Any]) -> Phrase:
        parts: list[Any] = [Phrase("“{label}”", label=when["pressed"] or GAP)]
        if when["on"] not in (PLAYER, TABLE):
            parts.append(Phrase(_("on {thing}"), thing=self.a_thing(when["on"])))
        if when["on"] != TABLE and when.get("who") == "anyone":
            parts.append(Phrase(_("by anyone")))
        if when.get("own_turn"):
            parts.append(Phrase(_("in your turn")))
        if "during" in when:
            during = [when["during"]] if isinstance(when["during"], str) else when["during"]
            parts.append(Phrase(_("during {phase}"), phase=either(during)))
        if "once" in when:
            spans = {"turn": _("once a turn"), "round": _("once a round"), "game": _("once a game")}
            parts.append(Phrase(spans[when["once"]]))
        if "target" in when:
            parts.append(Phrase(_("with a target among {who}"), who=self.who(when["target"])))
        if "number" in when:
            bounds = when["number"]
            least = self.amount(bounds.get("least", 0))
            most = self.amount(bounds.get("most", 9999))
            parts.append(Phrase(_("with a number from {least} to {most}"), least=least, most=most))
        if "costs" in when:
            costs = joined([self.cost(each) for each in when["costs"]])
            parts.append(Phrase(_("for {costs}"), costs=costs))
        return Phrase("{parts}", parts=_row(parts))

    def cost(self, cost: Mapping[str, Any]) -> Any:
        """The cost, and its payer if that is not the subject."""
        paid = Phrase("{n} {what}", n=self.amount(cost["pay"]), what=cost["of"] or GAP)
        if self._its_own(cost.get("on", "it")):
            return paid
        return Phrase(_("{paid} of {who}"), paid=paid, who=self.who(cost["on"]))

    def _always(self, when: Mapping[str, Any]) -> Any:
        if when["always"] in (PLAYER, TABLE):
            return Phrase("")
        return Phrase(_(" (looked at for {thing})"), thing=self.a_thing(when["always"]))

    # Who

    def a_thing(self, types: Json) -> Any:
        if types is None:
            return GAP
        if types == "any":
            return Phrase(_("anything"))
        named = [types] if isinstance(types, str) else list(types)
        template = _("an {type}") if named[0][:1] in "aeiou" else _("a {type}")
        return Phrase(template, type=either(named))

    def things(self, types: Json) -> Any:
        if types is None:
            return GAP
        if types == "any":
            return Phrase(_("thing"))
        return either([types] if isinstance(types, str) else list(types))

    def owners(self, on: Json) -> Any:
        named = [on] if isinstance(on, str) else list(on)
        words = {PLAYER: _("each player’s"), TABLE: _("the table’s")}
        return joined(
            [
                Phrase(words[each]) if each in words else Phrase(_("each {type}’s"), type=each)
                for each in named
            ]
        )

    def who(self, who: Json) -> Any:
        if who is None:
            return GAP
        if isinstance(who, str):
            return Phrase(self.atoms()[who])
        if "each" in who:
            was, self.inner = self.inner, True
            holds = self.condition(who["if"])
            self.inner = was
            match who["if"]:
                case [{"number": str(kind), **more}, "=", {"on": on, **end}] if (
                    not more and on == who["each"] and end in ({"highest": kind}, {"lowest": kind})
                ):
                    template = EXTREMES["highest" if "highest" in end else "lowest"]
                    return Phrase(template, who=self.who(on), what=kind)
                case [{"number": str(kind), **more}, str(sign), second] if not more:
                    self.inner = True
                    facts = {"a": Phrase(_("whose {what}"), what=kind), "b": self.amount(second)}
                    self.inner = was
                    whose = Phrase(SIGNS[sign], **facts)
                    return Phrase("{who} {whose}", who=self.who(who["each"]), whose=whose)
            return Phrase(_("{who} of whom {if}"), who=self.who(who["each"]), **{"if": holds})
        templates = {
            "holder": _("each {type} of yours"),
            "opponents": _("each {type} of the opponents"),
            "all": _("each {type}"),
        }
        return Phrase(templates[who.get("of", "all")], type=self.things(who["things"]))

    def atoms(self) -> Mapping[str, str]:
        """Words for holders."""
        you = self.its_player and not self.inner
        return {
            "it": _("you") if you else _("the table") if self._table() else _("it"),
            "holder": _("you") if you else _("its player"),
            "active": _("the player whose turn it is"),
            "players": _("everyone"),
            "opponents": _("every opponent"),
            "next": _("the next player"),
            "table": _("the table"),
            "presser": _("the player who pressed"),
            "target": _("the target"),
            "answerer": _("the player who answered"),
        }

    # How many

    def amount(self, amount: Json) -> Any:
        if amount is None:
            return GAP
        if isinstance(amount, int):
            return Phrase("{n}", n=amount)
        if isinstance(amount, str):
            return Phrase(
                {
                    "change": _("that many"),
                    "answer": _("the answer"),
                    "chosen": _("the number chosen"),
                    "round": _("the number of the round"),
                }[amount]
            )
        key = next(each for each in amount if each not in ("on", "round"))
        value = amount[key]
        if key in ("number", "print", "had", "highest", "lowest"):
            return self._of(key, value, amount.get("on", "it"))
        if key == "count":
            return Phrase(_("the number of {who}"), who=self.who(value))
        parts = [self.amount(each) for each in value]
        if key in ("min", "max"):
            template = _("the least of {parts}") if key == "min" else _("the most of {parts}")
            return Phrase(template, parts=joined(parts))
        signs = {"+": "{a} + {b}", "*": "{a} × {b}", "-": "{a} − {b}", "/": "{a} ÷ {b}"}
        whole = parts[0]
        for part in parts[1:]:
            whole = Phrase(signs[key], a=whole, b=part)
        whole = Phrase("({whole})", whole=whole)
        if amount.get("round") == "up":
            return Phrase(_("{amount} rounded up"), amount=whole)
        return whole

    def _of(self, key: str, word: str | None, on: Json) -> Any:
        word = word or GAP
        if key in ("number", "print") and self._its_own(on):
            return Phrase(self._mine(), what=word)
        templates = {
            "number": _("{what} of {who}"),
            "print": _("printed {what} of {who}"),
            "had": _("{what} that {who} had"),
            "highest": _("the highest {what} of {who}"),
            "lowest": _("the lowest {what} of {who}"),
        }
        return Phrase(templates[key], what=word, who=self.who(on))

    def _mine(self) -> str:
        """The name of a number of the subject."""
        if self._you():
            return _("your {what}")
        if self._table():
            return _("the table’s {what}")
        return _("its {what}")

    def _its_own(self, on: Json) -> bool:
        """True if a number is the subject's: that of “you”, if the subject is a player."""
        return on == "it" or (on == "holder" and self._you())

    def _table(self) -> bool:
        return self.its_table and not self.inner

    def _you(self) -> bool:
        return self.its_player and not self.inner

    # Whether

    def condition(self, condition: Json) -> Any:
        if condition is None:
            return GAP
        if isinstance(condition, list):
            first, sign, second = condition
            return Phrase(SIGNS[sign], a=self.amount(first), b=self.amount(second))
        if "is" in condition:
            if condition == {"is": "it", "in": "active"} and self._you():
                return Phrase(_("it is your turn"))
            among = {"a": self.who(condition["is"]), "b": self.who(condition["in"])}
            return Phrase(_("{a} is among {b}"), **among)
        if "not" in condition:
            return Phrase(_("not ({condition})"), condition=self.condition(condition["not"]))
        if "all" in condition:
            return joined([self.condition(each) for each in condition["all"]])
        return either([self.condition(each) for each in condition["any"]])

    # What happens

    def action(self, action: Mapping[str, Any] | None) -> Any:
        if action is None:
            return GAP
        for key, say in self._actions().items():
            if key in action:
                return say(action)
        raise AssertionError(action)

    def _actions(self) -> Mapping[str, Callable[[Mapping[str, Any]], Any]]:
        return {
            "add": self._add,
            "set": self._set,
            "move": lambda action: Phrase(
                _("move {who} to {zone}"), who=self.who(action["move"]), zone=action["to"] or GAP
            ),
            "create": self._create,
            "ask": self._ask,
            "each": self._each,
            "out": lambda action: self._verdict(_("{who} is out"), _("you are out"), action["out"]),
            "win": lambda action: self._verdict(_("{who} wins"), _("you win"), action["win"]),
            "tell": lambda action: Phrase(_("say “{text}”"), text=action["tell"] or GAP),
        }

    def _verdict(self, template: str, of_you: str, who: Json) -> Phrase:
        if who in ("it", "holder") and self._you():
            return Phrase(of_you)
        return Phrase(template, who=self.who(who))

    def _add(self, action: Mapping[str, Any]) -> Phrase:
        by, on = action["add"], action.get("on", "it")
        facts = {"what": action["of"] or GAP, "n": self.amount(by)}
        mine = self._its_own(on)
        if isinstance(by, int) and by < 0:
            facts["n"] = self.amount(-by)
            template = _("take {n} {what}") if mine else _("take {n} {what} from {who}")
        elif isinstance(by, dict) and by.get("-", ())[:1] == [0]:
            facts["n"] = self.amount(by["-"][1])
            template = _("take {n} from {what}") if mine else _("take {n} from {what} of {who}")
        elif isinstance(by, int) or by is None:
            template = _("add {n} {what}") if mine else _("add {n} {what} to {who}")
        else:
            template = _("add {n} to {what}") if mine else _("add {n} to {what} of {who}")
        return Phrase(template, **facts, **({} if mine else {"who": self.who(on)}))

    def _set(self, action: Mapping[str, Any]) -> Phrase:
        facts = {"what": action["of"] or GAP, "n": self.amount(action["set"])}
        on = action.get("on", "it")
        if self._its_own(on):
            return Phrase(_("set {what} to {n}"), **facts)
        return Phrase(_("set {what} of {who} to {n}"), **facts, who=self.who(on))

    def _create(self, action: Mapping[str, Any]) -> Phrase:
        of = action.get("of", "holder")
        if of == "holder":
            return Phrase(_("make a {type}"), type=action["create"] or GAP)
        return Phrase(_("make a {type} for {who}"), type=action["create"] or GAP, who=self.who(of))

    def _ask(self, action: Mapping[str, Any]) -> Phrase:
        facts: dict[str, Any] = {
            "who": self.who(action.get("of", "holder")),
            "text": action["ask"] or GAP,
        }
        if "choose" in action:
            choices = either([Phrase("“{text}”", text=each or GAP) for each in action["choose"]])
            facts["text"] = Phrase("{text} {choices}", text=action["ask"], choices=choices)
        then = joined([self.action(each) for each in action["then"]])
        if "total" in action:
            facts["total"] = self.amount(action["total"])
            template = _("ask {who} “{text}”, together {total}, and then {then}")
        else:
            template = _("ask {who} “{text}” and then {then}")
        return Phrase(template, **facts, then=then)

    def _each(self, action: Mapping[str, Any]) -> Phrase:
        who = self.who(action["each"])
        was, self.inner = self.inner, True
        does = joined([self.action(each) for each in action["do"]])
        self.inner = was
        return Phrase(_("for {who}: {does}"), who=who, does=does)
