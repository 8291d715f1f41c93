"""Rules as a person would say them: "When your turn begins, set energy to 3."

A sentence is made of phrases within phrases, so that it can be said in every language. It is made
from the JSON of a rule that has been read, and says all of it: who has understood the sentence has
understood the rule. Where a rule under way has a gap, its sentence has one too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any

from games.rules.state import Phrase, is_many
from games.rules.state import marked as _

from .definition import Definition
from .forms import GRAMMAR
from .goals import best_of
from .grammar import Key
from .meaning import COMPARED, GM, PLAYER, TABLE
from .placed import GAP, at, missing, opposite, spot
from .reading import SIX_DIGITS

Json = Any
ENDLESS = 9999
"""The limit of a number that is asked for, where nobody set one; and more than any track has."""


def sentence(definition: Definition, rule: Mapping[str, Any]) -> Phrase:
    """The whole of a rule."""
    return Saying(definition, rule).whole()


def purpose(definition: Definition, number: Mapping[str, Any]) -> Phrase:
    """A number in one line: "energy: each player’s, from 0 to 6, starts with 3"."""
    saying = Saying(definition, {})
    if "is" in number:
        worked_out = saying.amount(number["is"], bare=True)
        return Phrase(_("{what} is {amount}"), what=number["kind"], amount=worked_out)
    parts: list[Any] = [saying.owners(number["on"])]
    parts += _limits(number)
    if start := number.get("start", 0):
        parts.append(Phrase(_("starts at {start}"), start=_signed(start)))
    for role, start in number.get("starts", {}).items():
        parts.append(Phrase(_("{start} as {role}"), start=_signed(start), role=role))
    if number.get("shared"):
        parts.append(Phrase(_("one for a team")))
    return Phrase("{what}: {parts}", what=number["kind"], parts=row(parts))


def _limits(number: Mapping[str, Any]) -> Iterator[Phrase]:
    """The bounds of a number that somebody set."""
    most, least = number.get("most", SIX_DIGITS), number.get("least", 0)
    if isinstance(most, dict):
        yield Phrase(_("at most its {most}"), most=next(iter(most.values())))
    elif -SIX_DIGITS < least and most < SIX_DIGITS:
        yield Phrase(_("from {least} to {most}"), least=_signed(least), most=most)
    elif most < SIX_DIGITS:
        yield Phrase(_("never above {most}"), most=most)
    elif -SIX_DIGITS < least < 0:
        yield Phrase(_("never below {least}"), least=_signed(least))


def _signed(n: int) -> str:
    return str(n).replace("-", "−")


def joined(parts: Sequence[Any], last: str = _("{first} and {last}")) -> Any:
    """*parts* as one reads them aloud: a, b and c."""
    if len(parts) < 2:
        return parts[0] if parts else GAP
    return Phrase(last, first=row(parts[:-1]), last=parts[-1])


def either(parts: Sequence[Any]) -> Any:
    """*parts* of which one is meant: a, b or c."""
    return joined(parts, _("{first} or {last}"))


def in_turn(kinds: Json) -> Any:
    """Numbers of which the next decides where those before are equal."""
    named = [kinds or GAP] if not isinstance(kinds, list) else kinds
    said = named[0]
    for kind in named[1:]:
        said = Phrase(_("{first}, then {next}"), first=said, next=kind)
    return said


def order_in_words(starts: Mapping[str, Any]) -> Phrase:
    """The order of a round."""
    if "from" in starts:
        return Phrase(_("who has “{what}” begins each round"), what=starts["from"])
    said = {
        "highest": _("each round in the order of the most {what}"),
        "lowest": _("each round in the order of the least {what}"),
    }
    return Phrase(said[starts.get("first", "highest")], what=in_turn(starts["by"]))


def row(parts: Iterable[Any]) -> Any:
    """*parts* with commas between."""
    return reduce(lambda said, part: Phrase("{row}, {part}", row=said, part=part), parts)


SIGNS: Mapping[str, str] = {
    "<": _("{a} {what|is|are} less than {b}"),
    "<=": _("{a} {what|is|are} at most {b}"),
    "=": _("{a} {what|is|are} {b}"),
    "!=": _("{a} {what|is|are} not {b}"),
    ">=": _("{a} {what|is|are} at least {b}"),
    ">": _("{a} {what|is|are} more than {b}"),
}
YOURS: Mapping[str, str] = {
    "<": _("your {what} {what|is|are} less than {n}"),
    "<=": _("your {what} {what|is|are} at most {n}"),
    "=": _("your {what} {what|is|are} {n}"),
    "!=": _("your {what} {what|is|are} not {n}"),
    ">=": _("your {what} {what|is|are} at least {n}"),
    ">": _("your {what} {what|is|are} more than {n}"),
}
ITS: Mapping[str, str] = {
    "<": _("its {what} {what|is|are} less than {n}"),
    "<=": _("its {what} {what|is|are} at most {n}"),
    "=": _("its {what} {what|is|are} {n}"),
    "!=": _("its {what} {what|is|are} not {n}"),
    ">=": _("its {what} {what|is|are} at least {n}"),
    ">": _("its {what} {what|is|are} more than {n}"),
}
HAVING: Mapping[str, str] = {
    "<": _("{who} with less than {n} {what}"),
    "<=": _("{who} with at most {n} {what}"),
    "=": _("{who} with exactly {n} {what}"),
    "!=": _("{who} with other than {n} {what}"),
    ">=": _("{who} with at least {n} {what}"),
    ">": _("{who} with more than {n} {what}"),
}
ON: Mapping[tuple[str, int], bool] = {
    **dict.fromkeys((("=", 1), (">=", 1), (">", 0), ("!=", 0)), True),
    **dict.fromkeys((("=", 0), ("<=", 0), ("<", 1), ("!=", 1)), False),
}
"""Comparisons that ask if a switch is on (True) or off."""
EXTREMES: Mapping[str, str] = {
    "highest": _("{who} with the most {what}"),
    "lowest": _("{who} with the least {what}"),
}
WINNERS: Mapping[str, str] = {
    "highest": _("who has the most {what} wins"),
    "lowest": _("who has the least {what} wins"),
}
YOUR_PLACE: Mapping[str, str] = {
    "highest": _("your place by the most {what}"),
    "lowest": _("your place by the least {what}"),
}
PLACES: Mapping[str, str] = {
    "highest": _("the place of {who} by the most {what}"),
    "lowest": _("the place of {who} by the least {what}"),
}
ONCE: Mapping[str, str] = {
    ">=": _("if somebody has {n} {what}, {wins}"),
    "<=": _("if somebody has only {n} {what}, {wins}"),
}
VERDICTS: Mapping[tuple[str, ...], str] = {
    (">=", "win"): _("Whoever’s {what} {what|reaches|reach} {n} wins."),
    ("<=", "win"): _("Whoever’s {what} {what|falls|fall} to {n} wins."),
    (">=", "out"): _("Whoever’s {what} {what|reaches|reach} {n} is out."),
    ("<=", "out"): _("Whoever’s {what} {what|falls|fall} to {n} is out."),
}
"""By the sign of a comparison and its only action: what a rule says with it."""
MOMENTS: Mapping[str, str] = {
    "begins turn": _("When your turn begins"),
    "begins round": _("When a round begins"),
    "ends turn": _("When your turn ends"),
    "ends round": _("When a round ends"),
    "ends session": _("When the session ends"),
}
A_TURN = {"begins": _("When a turn begins"), "ends": _("When a turn ends")}
"""The same of a turn where tracks take turns."""
SHOWN: Mapping[str, str] = {**{sign: sign for sign in SIGNS}, "<=": "≤", "!=": "≠", ">=": "≥"}
NEGATED: Mapping[str, str] = {"<": ">=", "<=": ">", "=": "!=", "!=": "=", ">=": "<", ">": "<="}
SINGLE = ("it", "holder", "active", "next", "table", "presser", "target", "answerer")
"""Words for one holder at most."""
PEOPLE = (
    "holder", "active", "players", "opponents", "next", "presser", "answerer", "team", "mates",
    "teams",
)  # fmt: skip
"""Words for players alone."""
ANY_THING: Mapping[str, str] = {
    "holder": _("each thing of yours"),
    "opponents": _("each thing of the opponents"),
    "all": _("each thing"),
    "nobody": _("each thing that nobody has"),
}
TYPED: Mapping[str, str] = {
    "holder": _("each {type} of yours"),
    "opponents": _("each {type} of the opponents"),
    "all": _("each {type}"),
    "nobody": _("each {type} that nobody has"),
}


SEEN: Mapping[str, str] = {
    "open": _("{type} that everyone sees"),
    "known": _("{type} known by its name"),
    "hidden": _("hidden {type}"),
}


def _comparisons(condition: Json, *, negated: bool = False) -> Iterator[tuple[Json, str, Json]]:
    """The comparisons in a condition as it is written, each with the sign that must hold."""
    match condition:
        case [first, str(sign), second]:
            yield first, NEGATED[sign] if negated else sign, second
        case {"not": inner}:
            yield from _comparisons(inner, negated=not negated)
        case {"all": parts} | {"any": parts}:
            for part in parts:
                yield from _comparisons(part, negated=negated)


class Saying:
    """Says the parts of one rule.

    inner: inside an `each`, whose subject is another. people: that one is a player. you_answer: who
    answered is the subject. rolled: the answer is the sum of dice.
    """

    def __init__(self, definition: Definition, rule: Mapping[str, Any]) -> None:
        self.definition = definition
        self.rule = rule
        when = rule.get("when")
        self.when: Mapping[str, Any] = when if isinstance(when, dict) else {}
        self.its_player = self._about_players()
        self.its_table = self._about_the_table()
        self.inner = False
        self.people = False
        self.you_answer = False
        self.rolled = False

    def _about_players(self) -> bool:
        """True if the subject is a player, whom the sentence calls “you”."""
        when = self.when
        if "changes" in when:
            on = self._kinds_holders(when["changes"])
            return bool(on) and on <= self.definition.of_players
        if "begins" in when:
            return not self.definition.led and bool(when["begins"] != "round")
        if "ends" in when:
            return not self.definition.led and bool(when["ends"] == "turn")
        if "acts" in when:
            return True
        return any(map(self._players, (when.get("on"), when.get("always"))))

    def _players(self, on: Json) -> bool:
        """True if only players are named: all, or those with some roles."""
        named = on if isinstance(on, list) else [on]
        return all(isinstance(each, str) and each in self.definition.of_players for each in named)

    def _about_the_table(self) -> bool:
        when = self.when
        if "changes" in when:
            return self._kinds_holders(when["changes"]) == {TABLE}
        if "round" in (when.get("begins"), when.get("ends")) or when.get("ends") == "session":
            return True
        if when.get("on") == GM:
            return True
        return TABLE in (when.get("on"), when.get("always"))

    def _kinds_holders(self, kind: str | None) -> frozenset[str]:
        if kind and kind in self.definition.tracks:
            return frozenset({kind})
        number = self.definition.numbers.get(kind or "")
        return number.on if number else frozenset()

    def whole(self) -> Phrase:
        """The sentence."""
        if said := self._verdict_alone():
            return at(self.rule, said)
        does = joined([self.action(each) for each in self.rule["do"] or ()])
        facts: dict[str, Any] = {"when": self.moment(), "does": does}
        if "pressed" in self.when:
            template = _("{when}: {does}.")
            if "if" in self.rule:
                facts["if"] = self.condition(self.rule["if"])
                template = _("{when}, if {if}: {does}.")
            return Phrase(template, **facts)
        if "always" in self.when:
            return at(self.when, self._as_soon_as(self.when["always"], does))
        if "if" in self.rule:
            facts["if"] = self.condition(self.rule["if"])
            return Phrase(_("{when}, if {if}: {does}."), **facts)
        return Phrase(_("{when}, {does}."), **facts)

    def _as_soon_as(self, on: Json, does: Any) -> Phrase:
        facts = {"if": self.condition(self.rule["if"]), "does": does}
        if on in (PLAYER, TABLE):
            return Phrase(_("As soon as {if}: {does}."), **facts)
        if self._players(on):
            role = self.things(on)
            return Phrase(_("As {role}, as soon as {if}: {does}."), role=role, **facts)
        if on == "any":
            return Phrase(_("For each thing, as soon as {if}: {does}."), **facts)
        said = _("For each {type}, as soon as {if}: {does}.")
        return Phrase(said, type=self.things(on), **facts)

    def _verdict_alone(self) -> Phrase | None:
        """The sentence of a rule that says no more than who wins, or who is out, with how much."""
        match self.when, self.rule.get("if"), self.rule.get("do"):
            case {"always": "player"}, [{"number": str(kind), **more}, sign, int(n)], [verdict]:
                said = VERDICTS.get((str(sign), *map(str, verdict))) if verdict else None
                if said and not more and [*verdict.values()] == ["it"]:
                    return Phrase(said, n=n, what=kind)
        return None

    def formed(self, sort: str, written: Mapping[str, Any]) -> Phrase | None:
        """The sentence that the table has for a form, if it has one."""
        form = GRAMMAR.form(sort, written)
        if form is None or not form.says:
            return None
        parts = {
            name: self._formed(key, written.get(name, key.usual)) for name, key in form.keys.items()
        }
        further = (says for name, says in form.says_with.items() if name in written)
        return Phrase(next(further, form.says), **parts)

    def _formed(self, key: Key, written: Json) -> Any:
        parts = [self.of_sort(key.sort, part) for part in (written if key.many else [written])]
        return joined(parts)

    def of_sort(self, sort: str, written: Json) -> Any:
        """What is written at a place of that sort; a word as it is."""
        says: Mapping[str, Callable[[Json], Any]] = {
            "who": self.who,
            "amount": self.amount,
            "six-digits": self.amount,
            "condition": self.condition,
            "action": self.action,
            "when": self.moment_of,
            "cost": self.cost,
            **dict.fromkeys(("types", "track-types"), self.a_thing),
        }
        return says[sort](written) if sort in says else written or GAP

    # When

    def moment(self) -> Any:
        return self.moment_of(self.when)

    def moment_of(self, when: Mapping[str, Any]) -> Any:
        """The moment that a `when` is."""
        return at(when, self._moment(when))

    def _moment(self, when: Mapping[str, Any]) -> Any:
        for key, say in self._moments().items():
            if key in when:
                return say(when)
        if said := self.formed("when", when):
            return said
        return Phrase(_("When {what}"), what=self.rule.get("when") or GAP)

    def _moments(self) -> Mapping[str, Callable[[Mapping[str, Any]], Any]]:
        return {
            "begins": self._of_turns,
            "ends": self._of_turns,
            "changes": self._changes,
            "completes": self._completes,
            "pressed": self._pressed,
            "acts": self._acts,
            "always": lambda when: Phrase(""),
        }

    def _completes(self, when: Mapping[str, Any]) -> Any:
        """What counts down is not full at its end: it is what its word for that says, or at 0."""
        types = when["completes"] if isinstance(when["completes"], list) else [when["completes"]]
        found = [self.definition.tracks.get(str(each)) for each in types]
        down = [each for each in found if each and each.counts == "down"]
        if len(down) < len(types):
            return self.formed("when", when)
        what = self.a_thing(when["completes"])
        words = {each.words[0].word if each.words and not each.words[0].to else "" for each in down}
        if len(words) == 1 and (word := words.pop()):
            return Phrase(_("When {completes} is “{word}”"), completes=what, word=word)
        ends = dict.fromkeys(_signed(each.least) for each in down)
        return Phrase(_("When {completes} reaches {n}"), completes=what, n=either([*ends]))

    def _of_turns(self, when: Mapping[str, Any]) -> Phrase:
        ((key, of),) = when.items()
        if of == "turn" and self.definition.led:
            return Phrase(A_TURN[key])
        if isinstance(of, str) and (said := MOMENTS.get(f"{key} {of}")):
            return Phrase(said)
        phases = of if isinstance(of, list) else [of or GAP]
        named = either([Phrase("“{label}”", label=each) for each in phases])
        return Phrase(_("When the {phase} phase of your turn begins"), phase=named)

    def _acts(self, when: Mapping[str, Any]) -> Phrase:
        outcome = self.definition.set.by_outcome.get(when["acts"])
        if when["acts"] == "any":
            return Phrase(_("When you act"))
        name = outcome.name if outcome else when["acts"] or GAP
        return Phrase(_("When you act with the outcome “{outcome}”"), outcome=name)

    def _changes(self, when: Mapping[str, Any]) -> Phrase:
        by = when.get("by", "any")
        facts = {"number": self.own(when["changes"]), "what": when["changes"] or GAP}
        if by == "up":
            return Phrase(_("When {number} {what|goes|go} up"), **facts)
        if by == "down":
            return Phrase(_("When {number} {what|goes|go} down"), **facts)
        return Phrase(_("When {number} {what|changes|change}"), **facts)

    def own(self, kind: str) -> Any:
        """A number of the subject."""
        on = self._kinds_holders(kind)
        if not on:
            return kind or GAP
        if on == {TABLE}:
            return Phrase(_("the table’s {what}"), what=kind)
        if on <= self.definition.of_players:
            return Phrase(_("your {what}"), what=kind)
        if PLAYER not in on and TABLE not in on:
            if on == {kind}:
                return self.a_thing(kind)
            return Phrase(_("{what} of {thing}"), what=kind, thing=self.a_thing(sorted(on)))
        return Phrase(_("somebody’s {what}"), what=kind)

    def _pressed(self, when: Mapping[str, Any]) -> Phrase:
        parts: list[Any] = [Phrase("“{label}”", label=when["pressed"] or GAP)]
        if when["on"] not in (PLAYER, TABLE, GM):
            if self._players(when["on"]):
                parts.append(Phrase(_("as {role}"), role=self.things(when["on"])))
            else:
                parts.append(Phrase(_("on {thing}"), thing=self.a_thing(when["on"])))
        if when["on"] != TABLE and when.get("who") == "anyone":
            parts.append(spot(when, "who", Phrase(_("by anyone"))))
        if when.get("own_turn"):
            parts.append(spot(when, "own_turn", Phrase(_("in your turn"))))
        if "during" in when:
            during = (
                [when["during"]] if isinstance(when["during"], str) else when["during"] or [GAP]
            )
            parts.append(spot(when, "during", Phrase(_("during {phase}"), phase=either(during))))
        if "once" in when:
            spans = {
                "turn": _("once a turn"),
                "round": _("once a round"),
                "session": _("once a session"),
                "game": _("once a game"),
            }
            parts.append(spot(when, "once", Phrase(spans[when["once"]])))
        if "target" in when:
            said = Phrase(_("with a target among {who}"), who=self.who(when["target"]))
            parts.append(spot(when, "target", said))
        if "number" in when:
            parts.append(at(when["number"], self._number_of(when["number"])))
        if "costs" in when:
            costs = joined([self.cost(each) for each in when["costs"]])
            parts.append(spot(when, "costs", Phrase(_("for {costs}"), costs=costs)))
        return Phrase("{parts}", parts=row(parts))

    def _number_of(self, bounds: Mapping[str, Any]) -> Phrase:
        least, most = bounds.get("least", 0), bounds.get("most", ENDLESS)
        facts = {"least": self.amount(least), "most": self.amount(most)}
        if most is None or isinstance(most, dict | str) or most < ENDLESS:
            return Phrase(_("with a number from {least} to {most}"), **facts)
        if isinstance(least, int) and (least == 0 or least <= -ENDLESS):
            return Phrase(_("with a number"))
        return Phrase(_("with a number of at least {least}"), **facts)

    def cost(self, cost: Mapping[str, Any]) -> Any:
        """The cost, and its payer if that is not the subject."""
        return at(cost, self._cost(cost))

    def _cost(self, cost: Mapping[str, Any]) -> Any:
        pay, of, on = cost["pay"], cost["of"] or GAP, cost.get("on", "it")
        if pay == 1 and is_many(of):
            paid = Phrase(_("one of the {what}"), what=of)
        elif isinstance(pay, int) or missing(pay):
            paid = Phrase("{n} {what}", n=self.amount(pay), what=of)
        else:
            paid = Phrase(_("{n} from {what}"), n=self.amount(pay), what=of)
        if self._its_own(on):
            return paid
        return Phrase(_("{paid} of {who}"), paid=paid, who=self.who(cost["on"]))

    # Who

    def a_thing(self, types: Json) -> Any:
        return at(types, self._a_thing(types))

    def _a_thing(self, types: Json) -> Any:
        if missing(types):
            return types or GAP
        if types == "any":
            return Phrase(_("anything"))
        named = [types] if isinstance(types, str) else list(types)
        vowel = named[0][:1] in "aeiou" and not named[0].startswith(("uni", "eu", "use"))
        template = _("an {type}") if vowel else _("a {type}")
        return Phrase(template, type=either(named))

    def things(self, types: Json) -> Any:
        return at(types, self._things(types))

    def _things(self, types: Json) -> Any:
        if missing(types):
            return types or GAP
        if types == "any":
            return Phrase(_("thing"))
        return either([types] if isinstance(types, str) else list(types))

    def owners(self, on: Json) -> Any:
        named = [on] if isinstance(on, str) else list(on)
        words = {
            PLAYER: _("each player’s"),
            TABLE: _("the table’s"),
            **dict.fromkeys(self.definition.roles, _("for {type}")),
        }
        said = [Phrase(words.get(each, _("each {type}’s")), type=each) for each in named]
        return joined(said)

    def who(self, who: Json) -> Any:
        return at(who, self._who(who))

    def _who(self, who: Json) -> Any:
        if missing(who):
            return who or GAP
        if isinstance(who, str):
            return Phrase(self.atoms()[who])
        if "each" in who:
            return self._picked(who["each"], who["if"])
        if "plays" in who:
            return Phrase(_("the player of {role}"), role=self.things(who["plays"]))
        of = who.get("of", "all")
        if who["things"] == "any":
            return Phrase(ANY_THING[of])
        return Phrase(TYPED[of], type=self.things(who["things"]))

    def _picked(self, among: Json, condition: Json) -> Phrase:
        """Those of some for whom a condition holds."""
        who = self.who(among)
        if among not in SINGLE:
            match condition:
                case [{"number": str(kind), **more}, "=", {"on": on, **end}] if (
                    not more and on == among and end in ({"highest": kind}, {"lowest": kind})
                ):
                    return Phrase(
                        EXTREMES["highest" if "highest" in end else "lowest"], who=who, what=kind
                    )
                case [{"rank": kinds, **more}, "=", 1] if among == "players" and "on" not in more:
                    extreme = EXTREMES[str(more.get("first", "highest"))]
                    return Phrase(extreme, who=who, what=in_turn(kinds))
                case [{"number": str(kind)} as number, str(sign), int(n)] if len(number) == 1:
                    if self._is_switch(kind) and (sign, n) in ON:
                        on_or_off = (_("{who} with “{what}” on"), _("{who} with “{what}” off"))
                        return Phrase(on_or_off[not ON[sign, n]], who=who, what=kind)
                    return Phrase(HAVING[sign], who=who, n=n, what=kind)
        facts = {"who": who, "if": self.holding(among, condition)}
        if among in SINGLE:
            return Phrase(_("{who} (if {if})"), **facts)
        if isinstance(among, str):
            return Phrase(_("{who} for whom {if}"), **facts)
        return Phrase(_("{who} for which {if}"), **facts)

    def holding(self, among: Json, condition: Json) -> Any:
        """A condition as it is said about *among*."""
        with self.within(among):
            return self.condition(condition)

    def enter(self, among: Json) -> None:
        """Go inside an `each` for good: what is said and chosen is about those."""
        if not self._its_own(among):
            self.inner, self.people = True, isinstance(among, str) and among in PEOPLE
            self.its_player, self.its_table = self.people, False

    @contextmanager
    def within(self, among: Json) -> Iterator[None]:
        """Inside an `each` for these: its subject is another, unless it is the rule’s own."""
        was = self.inner, self.people
        if not self._its_own(among):
            self.inner, self.people = True, isinstance(among, str) and among in PEOPLE
        yield
        self.inner, self.people = was

    def _is_switch(self, kind: str) -> bool:
        number = self.definition.numbers.get(kind)
        return number is not None and number.look == "switch"

    def atoms(self) -> Mapping[str, str]:
        """Words for holders."""
        you = self.its_player and not self.inner
        return {
            "it": _("you") if you else self._subject(),
            "holder": _("you") if you else _("its player"),
            "active": _("the player whose turn it is"),
            "players": _("everyone"),
            "opponents": _("every opponent"),
            "next": _("the next player"),
            "table": _("the table"),
            "gm": _("the GM"),
            "presser": _("the player who pressed"),
            "target": _("the target"),
            "team": _("your team") if you else _("its team"),
            "mates": _("your teammates") if you else _("its teammates"),
            "teams": _("each team"),
            "answerer": _("you") if you and self.you_answer else _("the player who answered"),
        }

    def _subject(self) -> str:
        if self._table():
            return _("the table")
        return _("that player") if self.people else _("it")

    # How many

    def amount(self, amount: Json, *, bare: bool = False) -> Any:
        """bare: nothing stands beside it, so that a sum needs no brackets."""
        return at(amount, self._amount(amount, bare=bare))

    def _amount(self, amount: Json, *, bare: bool) -> Any:
        if missing(amount):
            return amount or GAP
        if amount == ENDLESS:
            return Phrase(_("its maximum"))
        if isinstance(amount, int):
            return Phrase("{n}", n=amount) if amount >= 0 else Phrase("−{n}", n=opposite(amount))
        if isinstance(amount, str):
            return Phrase(
                {
                    "change": _("that many"),
                    "answer": _("the roll") if self.rolled else _("the answer"),
                    "chosen": _("the number chosen"),
                    "round": _("the number of the round"),
                }[amount]
            )
        form = GRAMMAR.form("amount", amount)
        key = form.head if form else ""
        value = amount[key]
        if key in ("number", "print", "had", "highest", "lowest"):
            return self._of(key, value, amount.get("on", "it"))
        if key == "count":
            return self._count(value)
        if key == "rank":
            return self._rank(amount)
        if said := self.formed("amount", amount):
            return said
        parts = [self._operand(each) for each in value]
        signs = {"+": "{a} + {b}", "*": "{a} × {b}", "-": "{a} − {b}", "/": "{a} ÷ {b}"}
        whole = parts[0]
        for part in parts[1:]:
            whole = at(amount, Phrase(signs[key], a=whole, b=part))
        if not bare:
            whole = Phrase("({whole})", whole=whole)
        if amount.get("round") == "up":
            return Phrase(_("{amount} rounded up"), amount=whole)
        return whole

    def _operand(self, amount: Json) -> Any:
        said = self.amount(amount)
        chosen = isinstance(amount, dict) and ("min" in amount or "max" in amount)
        return Phrase("({whole})", whole=said) if chosen else said

    def _count(self, who: Json) -> Phrase:
        known = {"players": _("the number of players"), "opponents": _("the number of opponents")}
        if isinstance(who, str) and who in known:
            return Phrase(known[who])
        if isinstance(who, dict) and who.get("each") in SINGLE:
            return Phrase(_("(1 if {if})"), **{"if": self.holding(who["each"], who["if"])})
        return Phrase(_("the number of {who}"), who=self.who(who))

    def _rank(self, amount: Mapping[str, Any]) -> Phrase:
        """A place, by what decides, in that order."""
        on, best = amount.get("on", "it"), amount.get("first", "highest")
        what = at(amount["rank"], in_turn(amount["rank"]))
        if self._its_own(on) and self._you():
            return Phrase(YOUR_PLACE[best], what=what)
        return Phrase(PLACES[best], what=what, who=self.who(on))

    def _of(self, key: str, word: str | None, on: Json) -> Any:
        word = word or GAP
        if key in EXTREMES and isinstance(on, str) and on in SINGLE:
            key = "number"
        if key == "print" and self._its_own(on):
            return Phrase(_("its printed {what}"), what=word)
        if key == "number" and self._its_own(on):
            return Phrase(self._mine(), what=word)
        if key == "number" and on == TABLE:
            return Phrase(_("the table’s {what}"), what=word)
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
        return _("their {what}") if self.people else _("its {what}")

    def _its_own(self, on: Json) -> bool:
        """True if a number is the subject's: that of “you”, if the subject is a player."""
        return on == "it" or (
            self._you() and (on == "holder" or (on == "answerer" and self.you_answer))
        )

    def _table(self) -> bool:
        return self.its_table and not self.inner

    def _you(self) -> bool:
        return self.its_player and not self.inner

    # Whether

    def condition(self, condition: Json) -> Any:
        return at(condition, self._condition(condition))

    def _condition(self, condition: Json) -> Any:
        if missing(condition):
            return condition or GAP
        if isinstance(condition, list):
            return self._comparison(*condition)
        if "is" in condition:
            return self._among(condition["is"], condition["in"])
        if "written" in condition:
            return self._filled_in(condition)
        if "has" in condition and self._you() and self._its_own(condition.get("on", "it")):
            return Phrase(_("you are {has}"), has=condition["has"] or GAP)
        if said := self.formed("condition", condition):
            return said
        if "all" in condition:
            return joined([self._part(each) for each in condition["all"]])
        return either([self._part(each) for each in condition["any"]])

    def _filled_in(self, condition: Mapping[str, Any]) -> Phrase:
        kinds, who = condition["written"] or GAP, self.who(condition.get("on", "it"))
        if isinstance(kinds, str) or len(kinds) == 1:
            kind = kinds if isinstance(kinds, str) else kinds[0]
            return Phrase(_("{what} {what|is|are} filled in for {who}"), what=kind, who=who)
        named = at(kinds, joined(kinds))
        return Phrase(_("{what} are filled in for {who}"), what=named, who=who)

    def _part(self, condition: Json) -> Any:
        """One of several conditions, in brackets if it has several itself."""
        said = self.condition(condition)
        match condition:
            case {"all": [_, _, *_]} | {"any": [_, _, *_]}:
                return Phrase("({whole})", whole=said)
        return said

    def _comparison(self, first: Json, sign: str, second: Json) -> Phrase:
        kind, on = "", None
        if isinstance(first, dict) and isinstance(first.get("number"), str):
            kind, on = first["number"], first.get("on", "it")
        if kind and isinstance(second, int):
            if self._is_switch(kind) and (sign, second) in ON and (on == "it" or on in SINGLE):
                return self._switched(kind, on, ON[sign, second])
            if self._its_own(on) and not self._table() and not self.people:
                return Phrase((YOURS if self._you() else ITS)[sign], n=second, what=kind)
        facts = {"a": self.amount(first, bare=True), "b": self.amount(second, bare=True)}
        return Phrase(SIGNS[sign], **facts, what=kind)

    def compared(self, numbers: Sequence[int]) -> Any:
        """The comparisons that held, with the *numbers* that they compared: “gold 3 ≥ 3”.

        numbers: two for each comparison of the rule's condition, as it is written.
        """
        written = _comparisons(self.rule.get("if"))
        held = [
            self._numbers(comparison, first, second)
            for comparison, first, second in zip(written, numbers[::2], numbers[1::2], strict=False)
            if COMPARED[comparison[1]](first, second)
        ]
        return row(held) if held else None

    def _numbers(self, comparison: tuple[Json, str, Json], first: int, second: int) -> Phrase:
        a, sign, b = comparison
        facts = {"a": self._side(a, first), "sign": SHOWN[sign], "b": self._side(b, second)}
        return Phrase("{a}\N{NO-BREAK SPACE}{sign}\N{NO-BREAK SPACE}{b}", **facts)

    def _side(self, amount: Json, n: int) -> Any:
        """One side of a comparison with its number then; a plain number is just that."""
        if type(amount) is int:
            return _signed(n)
        match amount:
            case {"number": str(kind), **more} if more in ({}, {"on": "it"}):
                return Phrase("{what} {n}", what=kind, n=_signed(n))
        return Phrase("{what} {n}", what=self.amount(amount, bare=True), n=_signed(n))

    def _switched(self, kind: str, on: Json, up: bool) -> Phrase:
        if self._its_own(on):
            return Phrase(_("“{what}” is on") if up else _("“{what}” is off"), what=kind)
        of = _("“{what}” of {who} is on") if up else _("“{what}” of {who} is off")
        return Phrase(of, what=kind, who=self.who(on))

    def _among(self, first: Json, second: Json) -> Phrase:
        if second == "active":
            if self._its_own(first) and self._you():
                return Phrase(_("it is your turn"))
            return Phrase(_("{who} has the turn"), who=self.who(first))
        match first, second:
            case str(), {"things": str() | list() as types, **more} if not more and types != "any":
                facts = {"who": self.who(first), "type": self.a_thing(types)}
                return Phrase(_("{who} is {type}"), **facts)
        if self._its_own(first) and self._you():
            return Phrase(_("you are among {b}"), b=self.who(second))
        return Phrase(_("{a} is among {b}"), a=self.who(first), b=self.who(second))

    # What happens

    def action(self, action: Json) -> Any:
        return at(action, self._action(action))

    def _action(self, action: Json) -> Any:
        if missing(action):
            return action or GAP
        for key in ("on", "move", "out", "win", "each"):
            match action.get(key):
                case {"each": str(one), "if": condition} if one in SINGLE and "ask" not in action:
                    does = self.action({**action, key: one})
                    if len(action.get("do", ())) > 1:
                        does = Phrase("({whole})", whole=does)
                    return Phrase(
                        _("{does} (if {if})"), does=does, **{"if": self.holding(one, condition)}
                    )
        for key, say in self._actions().items():
            if key in action:
                return say(action)
        return self.formed("action", action) or GAP

    def _actions(self) -> Mapping[str, Callable[[Mapping[str, Any]], Any]]:
        return {
            "add": self._add,
            "set": self._set,
            "create": self._create,
            "ask": lambda action: self._after(action, self._asking(action)),
            "roll": lambda action: self._after(action, self._rolling(action)),
            "each": self._each,
            "out": lambda action: self._verdict("out", action["out"]),
            "win": lambda action: self._verdict("win", action["win"]),
        }

    def _verdict(self, key: str, who: Json) -> Phrase:
        wins = key == "win"
        if self._its_own(who) and self._you():
            return Phrase(_("you win") if wins else _("you are out"))
        known = {
            "players": _("everyone wins") if wins else _("everyone is out"),
            "opponents": _("every opponent wins") if wins else _("every opponent is out"),
        }
        if isinstance(who, str) and who in known:
            return Phrase(known[who])
        match who:
            case {"each": "players", "if": condition} if wins and (best := best_of(condition)):
                return Phrase(WINNERS[best.best], what=best.kind)
            case {"each": "players", "if": [{"rank": kinds, **more}, "=", 1]} if "on" not in more:
                if wins:
                    first = str(more.get("first", "highest"))
                    return Phrase(WINNERS[first], what=in_turn(kinds))
            case {
                "each": "players",
                "if": {"all": [[{"on": "players", **end}, ">=" | "<=" as sign, int(n)], best]},
            }:
                ranked = best[0].get("rank", best[0].get("number"))
                first = ranked[0] if isinstance(ranked, list) else ranked
                if wins and end == {"highest" if sign == ">=" else "lowest": first}:
                    said = self._verdict(key, {"each": "players", "if": best})
                    return Phrase(ONCE[sign], n=n, what=first, wins=said)
        if isinstance(who, str):
            return Phrase(_("{who} wins") if wins else _("{who} is out"), who=self.who(who))
        return Phrase(_("let {who} win") if wins else _("put {who} out"), who=self.who(who))

    def _add(self, action: Mapping[str, Any]) -> Phrase:
        by, on = action["add"], action.get("on", "it")
        facts = {"what": self._changed(action), "n": self.amount(by)}
        mine = self._its_own(on) or on == TABLE
        one = by in (1, -1) and is_many(action["of"] or GAP)
        if isinstance(by, int) and by < 0:
            facts["n"] = self.amount(opposite(by))
            template = _("take {n} {what}") if mine else _("take {n} {what} from {who}")
            if one:
                template = _("take {n} from {what}") if mine else _("take {n} from {what} of {who}")
        elif isinstance(by, dict) and by.get("-", ())[:1] == [0]:
            facts["n"] = self.amount(by["-"][1])
            template = _("take {n} from {what}") if mine else _("take {n} from {what} of {who}")
        elif (isinstance(by, int) and not one and on != TABLE) or missing(by):
            template = _("add {n} {what}") if mine else _("add {n} {what} to {who}")
        else:
            template = _("add {n} to {what}") if mine else _("add {n} to {what} of {who}")
        return Phrase(template, **facts, **({} if mine else {"who": self.who(on)}))

    def _changed(self, action: Mapping[str, Any]) -> Any:
        """The number that an action changes: by its word alone, if it is the subject's."""
        kind, on = action["of"] or GAP, action.get("on", "it")
        if on != TABLE or self._its_own(on):
            return kind
        return Phrase(_("the table’s {what}"), what=kind)

    def _set(self, action: Mapping[str, Any]) -> Phrase:
        kind, on, to = action["of"] or GAP, action.get("on", "it"), action["set"]
        if isinstance(to, int) and to in (0, 1) and self._is_switch(kind):
            if self._its_own(on):
                return Phrase(
                    _("switch “{what}” on") if to else _("switch “{what}” off"), what=kind
                )
            of = _("switch “{what}” of {who} on") if to else _("switch “{what}” of {who} off")
            return Phrase(of, what=kind, who=self.who(on))
        facts = {"what": self._changed(action), "n": self.amount(to, bare=True)}
        if self._its_own(on) or on == TABLE:
            return Phrase(_("set {what} to {n}"), **facts)
        return Phrase(_("set {what} of {who} to {n}"), **facts, who=self.who(on))

    def _create(self, action: Mapping[str, Any]) -> Phrase:
        of, made = action.get("of"), action["create"] or GAP
        if "name" in action:
            made = Phrase(_("{type} “{name}”"), type=made, name=action["name"])
        if "slots" in action:
            made = Phrase(_("{type} of {n}"), type=made, n=self.amount(action["slots"]))
        if "seen" in action:
            made = Phrase(SEEN[action["seen"]], type=made)
        if of is None or (of == "holder" and action["create"] not in self.definition.tracks):
            return Phrase(_("make a {type}"), type=made)
        return Phrase(_("make a {type} for {who}"), type=made, who=self.who(of))

    def _rolling(self, action: Mapping[str, Any]) -> Phrase:
        facts = {"dice": action["roll"] or GAP, **self._answered(action)}
        if "who" in facts:
            return Phrase(_("let {who} roll {dice} and then {then}"), **facts)
        return Phrase(_("roll {dice} and then {then}"), **facts)

    def _answered(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """What comes of the answers, and who gives them, if not “you”."""
        of = action.get("of", "holder")
        self.rolled, self.you_answer = "roll" in action, self._you() and self._its_own(of)
        then = joined([self.action(each) for each in action["then"]])
        alone, self.rolled, self.you_answer = self.you_answer, False, False
        return {"then": then, **({} if alone else {"who": self.who(of)})}

    def _after(self, action: Mapping[str, Any], asks: Phrase) -> Phrase:
        """What is asked or rolled, how long, and what comes when all have answered."""
        if "while" in action:
            needed = self.condition(action["while"])
            asks = Phrase(_("{asks} (only while {needed})"), asks=asks, needed=needed)
        if action.get("hidden"):
            facts = {"asks": asks, "hidden": spot(action, "hidden", Phrase(_("hidden from all")))}
            asks = Phrase(_("{asks} ({hidden} until everyone has answered)"), **facts)
        if "after" not in action:
            return asks
        after = joined([self.action(each) for each in action["after"]])
        return Phrase(_("{asks}. When all have answered, {after}"), asks=asks, after=after)

    def _asking(self, action: Mapping[str, Any]) -> Phrase:
        text = Phrase("“{text}”", text=action["ask"] or GAP)
        if "choose" in action:
            choices = either([Phrase("“{text}”", text=each or GAP) for each in action["choose"]])
            text = Phrase("{text} ({choices})", text=text, choices=choices)
        facts = {"text": text, **self._answered(action)}
        if "total" in action:
            facts["total"] = self.amount(action["total"], bare=True)
            if "who" in facts:
                return Phrase(_("ask {who} {text}, together {total}, and then {then}"), **facts)
            return Phrase(_("answer {text}, together {total}, and then {then}"), **facts)
        if "who" in facts:
            return Phrase(_("ask {who} {text} and then {then}"), **facts)
        return Phrase(_("answer {text} and then {then}"), **facts)

    def _each(self, action: Mapping[str, Any]) -> Phrase:
        with self.within(action["each"]):
            does = joined([self.action(each) for each in action["do"]])
        if self._its_own(action["each"]):
            return Phrase("{does}", does=does)
        return Phrase(_("for {who}: {does}"), who=self.who(action["each"]), does=does)
