"""A rule as chips: every piece of it that can be chosen alone, in lanes that read as a sentence.

The walk goes through the JSON of a rule under way, whatever stands in it. Each chip knows its place
and what may stand there (its sort); `choices` offers that. Source: docs/OWN-GAMES.md, 3 to 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from games.rules.state import Phrase
from games.rules.state import marked as _

from .definition import Definition
from .expressions import COMPARED, PLAYER, TABLE
from .places import Json, Place
from .saying import GAP, Saying, either

MOMENTS = ("begins", "ends", "changes", "enters", "leaves", "pressed", "always")
ACTIONS = ("add", "set", "move", "create", "each", "out", "win", "ask", "tell")
MORE = "…"
"""The end of the place of a chip that offers more where another chip has that place."""
OPS: Mapping[str, str] = {
    "<": _("is less than"),
    "<=": _("is at most"),
    "=": _("is exactly"),
    "!=": _("is not"),
    ">=": _("is at least"),
    ">": _("is more than"),
}
WAYS: Mapping[str, str] = {"up": _("goes up"), "down": _("goes down"), "any": _("changes")}
SPANS: Mapping[str, str] = {
    "turn": _("once a turn"),
    "round": _("once a round"),
    "game": _("once a game"),
}
PRESSERS: Mapping[str, str] = {"holder": _("only its player"), "anyone": _("anyone may press")}
OWNERS: Mapping[str, str] = {
    "holder": _("of yours"),
    "opponents": _("of the opponents"),
    "all": _("of anyone"),
}
BETWEEN: Mapping[str, str] = {"+": "+", "*": "×", "-": "−", "/": "÷"}
BEFORE: Mapping[str, str] = {
    "print": _("printed"),
    "had": _("had"),
    "highest": _("the highest"),
    "lowest": _("the lowest"),
    "min": _("the least of"),
    "max": _("the most of"),
}


class Known(Struct, frozen=True):
    """What a piece may name where it stands, besides what it always may."""

    words: frozenset[str] = frozenset()
    """Of "change", "chosen", "answer", "presser", "target", "answerer"."""
    pick: bool = True
    always: bool = False
    inner: bool = False
    later: bool = False
    nobody: bool = False


class Chip(Struct, frozen=True):
    """A piece of a rule.

    place: in the draft. says: as it is read. sort: what may stand there; "" is a word between.
    value: what stands there. kind: the number whose coin it bears. negated: an amount that is
    taken. usual: what is meant if nothing stands there. free: it may be left out. more: it only
    offers to add something. wrong: why it cannot stay.
    """

    place: Place
    says: Any
    sort: str = ""
    value: Json = None
    kind: str = ""
    negated: bool = False
    usual: Json = None
    free: bool = False
    more: bool = False
    wrong: Any = ""
    known: Known = Known()

    @property
    def gap(self) -> bool:
        """Whether something is missing there."""
        return self.value is None and self.usual is None and not self.more

    @property
    def look(self) -> str:
        """The classes that say what it is, each after a space."""
        usual = self.value is None and self.usual is not None
        signs = {
            "is-gap": self.gap, "is-more": self.more, "is-wrong": self.wrong, "is-usual": usual,
        }  # fmt: skip
        return "".join(f" {sign}" for sign, shown in signs.items() if shown)


class Lane(Struct, frozen=True):
    """A row of chips. depth: how far it is set in. place: of all it says, if it can be removed."""

    label: str
    depth: int = 0
    place: Place = ()
    chips: list[Chip] = field(default_factory=list)


def lanes(definition: Definition, rule: Json, place: Place) -> list[Lane]:
    """The lanes of the rule at *place*. definition: of the same game; its rules do not matter."""
    return _Walk(definition, rule if isinstance(rule, dict) else {}, place).whole()


def asked_in(walked: Sequence[Lane], at: Place) -> Chip | None:
    """The chip at the place that is asked."""
    chips = [chip for lane in walked for chip in lane.chips if chip.sort and chip.place == at]
    return next((chip for chip in chips if not chip.more), chips[0] if chips else None)


def worked_out(definition: Definition, number: Mapping[str, Any], place: Place) -> list[Lane]:
    """The lane of how a number at *place* is worked out."""
    walk = _Walk(definition, subject(number), place)
    walk.lane("")
    walk.amount(number.get("is"), (*place, "is"))
    return walk.made


def subject(number: Mapping[str, Any]) -> Mapping[str, Any]:
    """A moment at which the subject is a holder of *number*."""
    return {"when": {"always": number.get("on")}}


def _map(value: Json) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _word(words: Mapping[str, str], value: Json) -> Any:
    """What one of *words* is called; anything else as it stands there."""
    return Phrase(words[value]) if isinstance(value, str) and value in words else str(value)


def _list(value: Json) -> list[Any]:
    return value if isinstance(value, list) else []


class _Walk:
    def __init__(self, definition: Definition, rule: Mapping[str, Any], place: Place) -> None:
        self.definition = definition
        self.rule = rule
        self.place = place
        self.when = _map(rule.get("when"))
        self.saying = Saying(definition, {**rule, "when": self.when})
        self.made: list[Lane] = []
        self.known = Known()

    # Lanes and chips

    def lane(self, label: str, depth: int = 0, place: Place = ()) -> None:
        self.made.append(Lane(label, depth, place))

    def chip(self, place: Place, says: Any, sort: str = "", **facts: Any) -> None:
        self.made[-1].chips.append(Chip(place, says, sort, known=self.known, **facts))

    def between(self, says: Any) -> None:
        """A word between chips that says nothing of its own."""
        self.chip((), says)

    def word(self, place: Place, value: Json, sort: str, ask: str, **facts: Any) -> None:
        """A chip for a name that stands there, or for the gap."""
        says = str(value) if isinstance(value, str) else Phrase(ask)
        counted = sort in ("kind", "changing") and isinstance(value, str)
        kind = value if counted else ""
        self.chip(place, says, sort, value=value, kind=kind, **facts)

    @contextmanager
    def knowing(self, *words: str, **facts: bool) -> Iterator[None]:
        before = self.known
        self.known = replace(before, words=before.words | {*words}, **facts)
        yield
        self.known = before

    @contextmanager
    def within(self) -> Iterator[None]:
        """Inside an `each`, where the subject is another."""
        was, self.saying.inner = self.saying.inner, True
        yield
        self.saying.inner = was

    # The rule

    def whole(self) -> list[Lane]:
        self.lane(_("When"))
        words = self._moment((*self.place, "when"))
        self.known = Known(
            words=frozenset(words), always="always" in self.when, nobody=self.saying.its_table
        )
        self._if((*self.place, "if"))
        self.actions(self.rule.get("do"), (*self.place, "do"), 0, 10)
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
                (*place, "by"), _word(WAYS, way), "by", value=self.when.get("by"), usual="any"
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

    def names(self, place: Place, value: Json, sort: str, ask: str, **facts: Any) -> None:
        """One name or several of them."""
        named = [str(each) for each in _list(value)] or ([value] if value else [])
        if value == "any":
            says: Any = Phrase(_("anything"))
        else:
            says = either(named) if named else Phrase(ask)
        self.chip(place, says, sort, value=value, **facts)

    def holders(self, place: Place, value: Json) -> None:
        if isinstance(value, str) and value in HOLDER_WORDS:
            self.chip(place, Phrase(HOLDER_WORDS[value]), "holders", value=value)
        else:
            self.names(place, value, "holders", _("on what?"))

    def _button(self, place: Place) -> list[str]:
        when, words = self.when, ["presser"]
        self.chip(
            (*place, "pressed"), when["pressed"] or Phrase(_("its label?")), "text-20",
            value=when["pressed"],
        )  # fmt: skip
        self.between(Phrase(_("on")))
        self.holders((*place, "on"), when.get("on"))
        self.lane(_("Who"))
        table = when.get("on") == TABLE
        usual = "anyone" if table else "holder"
        if not table or "who" in when:
            value = when.get("who", usual)
            self.chip(
                (*place, "who"),
                _word(PRESSERS, value),
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
            says = _word(SPANS, when["once"])
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
                    self._bounds(_map(when["number"]), (*place, "number"))
                    words.append("chosen")
                with self.knowing(*words):
                    self._costs(_list(when.get("costs")), (*place, "costs"))
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
            self._cost(_map(cost), (*place, index))
        if 0 < len(costs) < 4:
            self.chip((*place, len(costs)), Phrase(_("and…")), "cost", more=True)

    def _cost(self, cost: Mapping[str, Any], here: Place) -> None:
        self.amount(cost.get("pay"), (*here, "pay"))
        self.word((*here, "of"), cost.get("of"), "kind", _("of what?"))
        self.who(cost.get("on"), (*here, "on"), usual="it", form=_("of {who}"))

    # Who

    def who(self, value: Json, place: Place, usual: Json = None, form: str = "") -> None:
        """Holders. form: what is said around one word for them: "of {who}"."""
        said = usual if value is None else value
        if isinstance(said, str):
            words = self.saying.atoms()
            says = Phrase(words[said]) if said in words else said
            if form and self._is_you(said):
                says = Phrase(_("yours"))
            elif form:
                says = Phrase(form, who=says)
            self.chip(place, says, "who", value=value, usual=usual)
        elif isinstance(said, dict) and "things" in said:
            self.between(Phrase(_("of each") if form else _("each")))
            self.names((*place, "things"), said["things"], "types", _("what?"))
            of = said.get("of", "all")
            self.chip(
                (*place, "of"), _word(OWNERS, of), "owners", value=said.get("of"), usual="all"
            )
            self.chip(place, Phrase(_("other…")), "who", value=value, more=True)
        elif isinstance(said, dict) and "each" in said:
            self.who(said["each"], (*place, "each"), form=form)
            self.chip(place, Phrase(_("of whom")), "who", value=value)
            with self.within(), self.knowing(pick=False):
                self.condition(said.get("if"), (*place, "if"))
        else:
            self.chip(place, Phrase(_("who?")), "who", value=value)

    # How many

    def amount(
        self, value: Json, place: Place, *, usual: Json = None, negated: bool = False
    ) -> None:
        facts: dict[str, Any] = {"value": value, "usual": usual, "negated": negated}
        said = usual if value is None else value
        if type(said) is int:
            self.chip(place, str(-said if negated else said).replace("-", "−"), "amount", **facts)
        elif isinstance(said, str):
            words = {"change", "answer", "chosen", "round"}
            says = self.saying.amount(said) if said in words else said
            self.chip(place, says, "amount", **facts)
        elif isinstance(said, dict):
            self._worked_out(said, place, facts)
        else:
            self.chip(place, Phrase(_("how many?")), "amount", **facts)

    def _worked_out(self, said: Mapping[str, Any], place: Place, facts: dict[str, Any]) -> None:
        key = next((each for each in said if each not in ("on", "round")), "")
        here, value = (*place, key), said.get(key)
        if key == "number":
            says = value if isinstance(value, str) else Phrase(_("which number?"))
            kind = value if isinstance(value, str) else ""
            facts["value"] = said if kind else None
            self.chip(place, says, "amount", kind=kind, **facts)
            self.of(said, place)
        elif key in ("had", "highest", "lowest", "print"):
            self.chip(place, Phrase(BEFORE[key]), "amount", **facts)
            sort = "print" if key == "print" else "kind"
            self.word(here, value, sort, _("which number?"))
            self.of(said, place)
        elif key == "count":
            self.chip(place, Phrase(_("the number of")), "amount", **facts)
            self.who(value, here)
        elif key in BETWEEN:
            for index, part in enumerate(_list(value)):
                if index:
                    self.chip(place, BETWEEN[key], "amount", **facts)
                self.amount(part, (*here, index))
            if said.get("round") == "up":
                self.chip(place, Phrase(_("rounded up")), "amount", **facts)
        elif key in ("min", "max"):
            self.chip(place, Phrase(BEFORE[key]), "amount", **facts)
            for index, part in enumerate(_list(value)):
                if index:
                    self.between(Phrase(_("and")))
                self.amount(part, (*here, index))
        else:
            self.chip(place, Phrase(_("how many?")), "amount", **facts)

    def of(self, said: Mapping[str, Any], place: Place) -> None:
        """Whose number it is."""
        self.who(said.get("on"), (*place, "on"), usual="it", form=_("of {who}"))

    # Whether

    def condition(self, value: Json, place: Place, *, part: bool = False) -> None:
        """part: one of several, which are joined already."""
        if isinstance(value, list) and len(value) == 3:
            self.amount(value[0], (*place, 0))
            known = isinstance(value[1], str) and value[1] in COMPARED
            sign = value[1] if known else None
            says = Phrase(OPS[sign]) if sign else Phrase(_("is what?"))
            self.chip((*place, 1), says, "op", value=sign)
            self.amount(value[2], (*place, 2))
            if not part:
                self.chip(place, Phrase(_("and, or…")), "condition", value=value, more=True)
        elif isinstance(value, dict) and "is" in value:
            self.who(value["is"], (*place, "is"))
            self.chip(place, Phrase(_("is among")), "condition", value=value)
            self.who(value.get("in"), (*place, "in"))
        elif isinstance(value, dict) and "not" in value:
            self.chip(place, Phrase(_("not")), "condition", value=value)
            self.condition(value["not"], (*place, "not"))
        elif isinstance(value, dict) and ("all" in value or "any" in value):
            key = "all" if "all" in value else "any"
            parts = _list(value[key])
            for index, each in enumerate(parts):
                if index:
                    depth = self.made[-1].depth
                    self.lane(_("and") if key == "all" else _("or"), depth, (*place, key, index))
                self.condition(each, (*place, key, index), part=True)
            self.chip(place, Phrase(_("and, or…")), "condition", value=value, more=True)
        else:
            self.chip(place, Phrase(_("if what?")), "condition", value=value)

    # What happens

    def actions(self, value: Json, place: Place, depth: int, most: int) -> None:
        items = _list(value)
        for index, action in enumerate(items):
            label = _("and") if index else _("Then") if depth == 0 else ""
            self.lane(label, depth, (*place, index) if len(items) > 1 else ())
            self.action(action, (*place, index), depth)
        if len(items) < most and None not in items:
            self.lane("" if items else _("Then"), depth)
            says = Phrase(_("and then…")) if items else Phrase(_("does what?"))
            self.chip((*place, len(items)), says, "action", more=bool(items))

    def action(self, action: Json, place: Place, depth: int) -> None:
        said = _map(action)
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
        whole = isinstance(by, dict) and _list(by.get("-"))[:1] == [0]
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
        return Phrase(yours if self._is_you(who) else others)

    def _is_you(self, who: Json) -> bool:
        """Whether the sentence calls these holders “you”."""
        return who in ("it", "holder") and self.saying.its_player and not self.saying.inner

    def _create(self, said: Mapping[str, Any], place: Place, verb: dict[str, Any]) -> None:
        self.who(said.get("of"), (*place, "of"), usual="holder")
        self.chip(place, Phrase(_("gets a new")), **verb)
        self.word((*place, "create"), said["create"], "type", _("what?"))
        base = _map(said.get("base"))
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
            choices = _list(said["choose"])
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


HOLDER_WORDS = {PLAYER: _("each player"), TABLE: _("the table")}
MOMENT_WORDS: Mapping[str, str] = {
    "begins": _("in your turn begins"),
    "ends": _("it ends"),
    "changes": _("changes"),
    "enters": _("comes into play:"),
    "leaves": _("leaves play:"),
    "pressed": _("a button is pressed:"),
    "always": _("as soon as it is so, for"),
}
TURN_WORDS: Mapping[tuple[str, str], str] = {
    ("begins", "turn"): _("your turn begins"),
    ("begins", "round"): _("a round begins"),
    ("ends", "turn"): _("your turn ends"),
    ("ends", "round"): _("a round ends"),
}

__all__ = ["GAP", "Chip", "Known", "Lane", "lanes"]
