"""The choices for a chip: only those that fit there, each as the change that makes it.

A change is JSON that the page sends back as it got it; `draft.changed` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.rules.state import Phrase
from games.rules.state import marked as _

from ..language.definition import Definition, rule_fault
from ..language.expressions import PLAYER, TABLE
from ..language.numbers import Number
from ..language.saying import Saying
from .chips import ACTIONS, MORE, OPS, OWNERS, PRESSERS, SPANS, WAYS, Chip
from .places import Json, Place, gaps, path, put, there

Change = Mapping[str, Any]


class Choice(Struct, frozen=True):
    """Something to tap. chosen: it stands there now. kind: the number whose coin it bears."""

    says: Any
    change: Change
    chosen: bool = False
    kind: str = ""


class Group(Struct, frozen=True):
    """Choices of one sort. keys: they are digits, drawn as keys."""

    label: str
    choices: Sequence[Choice]
    keys: bool = False


class Typed(Struct, frozen=True):
    """A typed choice. number: a whole number, else a text of at most *most*."""

    place: Place
    value: Any
    most: int
    number: bool = False
    negated: bool = False

    @property
    def change(self) -> Change:
        return {"type": [*self.place], "number": self.number, "negated": self.negated}


class Asked(Struct, frozen=True):
    """The choices for the chip that is open. says: its present value."""

    chip: Chip
    groups: Sequence[Group] = ()
    typed: Typed | None = None
    cut: Change | None = None


def asked(
    definition: Definition,
    rule: Mapping[str, Any],
    chip: Chip,
    fits: Callable[[Change], bool] | None = None,
) -> Asked:
    """The choices for *chip* in *rule*.

    fits: whether a change can be made where the chip is none of a rule.
    """
    offer = _Offer(definition, rule, chip, fits)
    fitting = [
        Group(group.label, [each for each in group.choices if offer.fits(each)], group.keys)
        for group in offer.groups()
    ]
    return Asked(
        chip,
        [group for group in fitting if group.choices],
        offer.typed(),
        {"cut": [*chip.place]} if chip.free else None,
    )


def elsewhere(definition: Definition, saying: Saying, number: Number) -> dict[str, Any]:
    """The key for the owner of a number, where the subject cannot have it."""
    if TABLE in number.on and PLAYER not in number.on and not saying.its_table:
        return {"on": TABLE}
    if PLAYER in number.on and saying.its_table and TABLE not in number.on:
        return {"on": "players"}
    if number.on <= set(definition.things) and saying.its_player:
        return {"on": {"things": sorted(number.on)[0], "of": "holder"}}
    return {}


def label_of(action: Json) -> str:
    """A label for the button of an action; "" if none can be said in a word."""
    match action:
        case {"add": int(by), "of": str(kind)}:
            return f"{kind[:1].upper()}{kind[1:]} {'−' if by < 0 else '+'}{abs(by)}"
        case {"set": int(to), "of": str(kind)}:
            return f"{kind[:1].upper()}{kind[1:]} = {to}".replace("-", "−")
        case {"create": str(kind)} | {"move": _, "to": str(kind)}:
            return kind[:1].upper() + kind[1:]
        case {"ask": _}:
            return str(Phrase(_("Round is over")))
        case {"win": _}:
            return str(Phrase(_("Game over")))
    return ""


class _Offer:
    def __init__(
        self,
        definition: Definition,
        rule: Mapping[str, Any],
        chip: Chip,
        fits: Callable[[Change], bool] | None,
    ) -> None:
        self.definition = definition
        self.elsewhere_fits = fits
        self.chip = chip
        self.rule = rule
        self.value = chip.usual if chip.value is None else chip.value
        when = rule.get("when")
        self.when = when if isinstance(when, dict) else {}
        self.saying = Saying(definition, {**rule, "when": self.when})
        self.turns = definition.order != "none"

    def put(self, says: Any, value: Json, *, chosen: bool | None = None, kind: str = "") -> Choice:
        chosen = value == self.value if chosen is None else chosen
        place = self.chip.place[:-1] if self.chip.place[-1] == MORE else self.chip.place
        return Choice(says, {"put": [*place], "is": value}, chosen, kind)

    def fits(self, choice: Choice) -> bool:
        """True if a choice makes no fault where it is put, beside its own gaps."""
        if self.elsewhere_fits is not None:
            return self.elsewhere_fits(choice.change)
        place: Place = tuple(choice.change["put"])
        inside = ("rules", 0, *place[2:])
        now = put({"rules": [self.rule]}, inside, choice.change["is"])
        fault = rule_fault(self.definition, now["rules"][0], 0)
        if fault is None or not fault.startswith(path(inside)):
            return True
        empty = {path(each) for each in gaps(now)}
        return fault in empty or any(each.startswith(f"{fault}[") for each in empty)

    def groups(self) -> Iterator[Group]:
        sorts: Mapping[str, Callable[[], Iterator[Group]]] = {
            "when": self._when,
            "by": lambda: self._words(WAYS),
            "op": lambda: self._words(OPS),
            "once": lambda: self._words(self._spans()),
            "owners": lambda: self._words(OWNERS),
            "presses": lambda: self._words(PRESSERS),
            "flag": lambda: self._words({True: _("in your own turn")}),
            "kind": self._kinds,
            "changing": self._kinds,
            "type": lambda: self._names(self.definition.things),
            "zone": lambda: self._names(self.definition.zones),
            "print": lambda: self._names(self.printed()),
            "base": self._base,
            "phases": lambda: self._several(self.definition.phases),
            "types": lambda: self._several(self.definition.things, any_of=True),
            "holders": self._holders,
            "button": self._button,
            "cost": self._cost,
            "asking": self._asking,
            "who": self._who,
            "amount": self._amounts,
            "condition": self._conditions,
            "action": self._actions,
        }
        sort = self.chip.sort
        if self.chip.place[-1] == "pressed":
            return self._labels()
        return sorts[sort]() if sort in sorts else iter(())

    def typed(self) -> Typed | None:
        sort, value = self.chip.sort, self.value
        if sort.startswith("text-"):
            most = int(sort.removeprefix("text-"))
            return Typed(self.chip.place, value if isinstance(value, str) else "", most)
        if sort == "amount":
            number = -value if self.chip.negated and type(value) is int else value
            shown = number if type(number) is int else ""
            return Typed(self.chip.place, shown, 7, number=True, negated=self.chip.negated)
        return None

    # Words

    def _words(self, words: Mapping[Any, str]) -> Iterator[Group]:
        yield Group("", [self.put(Phrase(says), word) for word, says in words.items()])

    def _spans(self) -> dict[str, str]:
        return {span: says for span, says in SPANS.items() if self.turns or span == "game"}

    def _names(self, names: Any) -> Iterator[Group]:
        yield Group("", [self.put(name, name) for name in names])

    def printed(self) -> list[str]:
        return [*dict.fromkeys(n for each in self.definition.things.values() for n in each.prints)]

    def _several(self, names: Any, *, any_of: bool = False) -> Iterator[Group]:
        """Names of which several may be meant: each tap adds one, or takes it away."""
        value = self.value
        now = [*value] if isinstance(value, list) else [value] if value in names else []
        choices = [self.put(Phrase(_("anything")), "any")] if any_of else []
        for name in names:
            left = [n for n in now if n != name] if name in now else [*now, name]
            meant: Json = (left[0] if len(left) == 1 else left) if left else name
            choices.append(self.put(name, meant, chosen=name in now))
        yield Group("", choices)

    def _holders(self) -> Iterator[Group]:
        words = [(Phrase(_("each player")), PLAYER), (Phrase(_("the table")), TABLE)]
        yield Group("", [self.put(says, word) for says, word in words])
        if self.definition.things:
            yield from self._several(self.definition.things, any_of=True)

    def _kinds(self) -> Iterator[Group]:
        numbers = self.definition.numbers.values()
        fitting = [each for each in numbers if not each.follows or self.chip.sort == "had"]
        beside = there(self.rule, self.chip.place[2:-1])
        counted = isinstance(beside, dict) and ("add" in beside or "set" in beside)
        if self.chip.place[-1] != "of" or not counted or "on" in beside:
            yield Group("", [self.put(each.kind, each.kind, kind=each.kind) for each in fitting])
            return
        action = {"put": [*self.chip.place[:-1]]}
        yield Group(
            "",
            [
                Choice(
                    each.kind,
                    {**action, "is": {**beside, "of": each.kind, **self.elsewhere(each)}},
                    each.kind == self.value,
                    each.kind,
                )
                for each in fitting
            ],
        )

    # When

    def _when(self) -> Iterator[Group]:
        moments: list[tuple[str, Json]] = []
        if self.turns:
            moments += [
                (_("your turn begins"), {"begins": "turn"}),
                (_("your turn ends"), {"ends": "turn"}),
                (_("a round begins"), {"begins": "round"}),
                (_("a round ends"), {"ends": "round"}),
            ]
            if self.definition.phases != ("turn",):
                moments.append((_("a phase begins"), {"begins": None}))
        moments += [
            (_("a number changes"), {"changes": None}),
            (_("a button is pressed"), {"pressed": None, "on": PLAYER}),
            (_("as soon as something is so"), {"always": PLAYER}),
        ]
        if self.definition.things:
            moments += [
                (_("something comes into play"), {"enters": None}),
                (_("something leaves play"), {"leaves": None}),
            ]
        yield Group("", [self.put(Phrase(says), moment) for says, moment in moments])

    def _labels(self) -> Iterator[Group]:
        """What the button does, as its label: "Wood +1"."""
        actions = self.rule.get("do")
        said = (label_of(each) for each in (actions if isinstance(actions, list) else ()))
        yield Group("", [self.put(each, each) for each in dict.fromkeys(filter(None, said))])

    def _button(self) -> Iterator[Group]:
        offered: list[tuple[str, str, Json]] = [
            ("own_turn", _("only in your own turn"), True),
            ("during", _("only in a phase"), None),
            ("once", _("only once"), "turn" if self.turns else "game"),
            ("costs", _("for a price"), [{"pay": 1, "of": self.only_kind()}]),
            ("target", _("with a target"), "opponents"),
            ("number", _("with a number"), {"least": 1, "most": 10}),
        ]
        if not self.turns:
            offered = [each for each in offered if each[0] not in ("own_turn", "during")]
        choices = [
            Choice(Phrase(says), {"put": [*self.chip.place[:-1], key], "is": value})
            for key, says, value in offered
            if key not in self.when
        ]
        yield Group("", choices)

    def _cost(self) -> Iterator[Group]:
        numbers = [each for each in self.definition.numbers.values() if not each.follows]
        yield Group(
            "",
            [self.put(each.kind, {"pay": 1, "of": each.kind}, kind=each.kind) for each in numbers],
        )

    def _base(self) -> Iterator[Group]:
        now = self.value if isinstance(self.value, dict) else {}
        yield Group(
            "",
            [
                Choice(name, {"put": [*self.chip.place, name], "is": 1})
                for name in self.printed()
                if name not in now
            ],
        )

    def _asking(self) -> Iterator[Group]:
        said = self.value if isinstance(self.value, dict) else {}
        kept = {key: said[key] for key in ("ask", "of", "then", "after") if key in said}
        number = {key: said[key] for key in ("least", "most") if key in said}
        yes = [Phrase(_("Yes")), Phrase(_("No"))]
        ways = [
            self.put(Phrase(_("a number")), {**kept, **number}),
            self.put(
                Phrase(_("numbers that add up to a sum")), {**kept, **number, "total": 26},
                chosen="total" in said,
            ),
            self.put(
                Phrase(_("one of several answers")), {**kept, "choose": yes},
                chosen="choose" in said,
            ),
        ]  # fmt: skip
        yield Group("", ways)

    # Who

    def who_words(self) -> list[str]:
        """The words for holders that are known there."""
        atoms = ["it", "holder", "active", "players", "opponents", "next", "table"]
        if self.saying.its_player and not self.saying.inner:
            atoms.remove("holder")
        if not self.turns:
            atoms.remove("active")
        return [*atoms, *(w for w in ("presser", "target", "answerer") if w in self.known)]

    @property
    def known(self) -> frozenset[str]:
        return self.chip.known.words

    def _who(self) -> Iterator[Group]:
        words = self.saying.atoms()
        yield Group("", [self.put(Phrase(words[each]), each) for each in self.who_words()])
        if self.definition.things:
            of = [
                (_("each thing of yours"), {"things": "any", "of": "holder"}),
                (_("each thing of the opponents"), {"things": "any", "of": "opponents"}),
                (_("each thing"), {"things": "any"}),
            ]
            yield Group(_("Things"), [self.put(Phrase(says), value) for says, value in of])
        if self.chip.known.pick:
            now: Json = self.value if self.value is not None else "players"
            picked = isinstance(now, dict) and "each" in now
            choices = [self.put(Phrase(_("only those of whom…")), {"each": now, "if": None})]
            if picked:
                choices = [self.put(Phrase(_("all of them, no “of whom”")), now["each"])]
            yield Group(_("Only some"), choices)

    # How many

    def amount(self, value: Json) -> Json:
        """An amount as it stands there: what is taken is written below 0."""
        if not self.chip.negated or value is None:
            return value
        return -value if type(value) is int else {"-": [0, value]}

    def _amounts(self) -> Iterator[Group]:
        keys = [self.put(str(n), self.amount(n)) for n in range(10)]
        yield Group("", keys, keys=True)
        more = [*self._known_amounts(), *self._plain_parts()]
        yield Group(_("As much as"), more)
        yield Group(_("Work it out"), [*self._worked_out()])

    def _known_amounts(self) -> Iterator[Choice]:
        words = [word for word in ("change", "answer", "chosen") if word in self.known]
        for word in [*words, *(["round"] if self.turns else [])]:
            yield self.put(self.saying.amount(word), self.amount(word))
        for number in self.definition.numbers.values():
            value = {"number": number.kind, **self.elsewhere(number)}
            now = self.value if isinstance(self.value, dict) else {}
            yield self.put(
                number.kind, self.amount(value),
                chosen=now.get("number") == number.kind, kind=number.kind,
            )  # fmt: skip

    def elsewhere(self, number: Number) -> dict[str, Any]:
        return elsewhere(self.definition, self.saying, number)

    def _plain_parts(self) -> Iterator[Choice]:
        """The parts of what is worked out, to leave the rest."""
        now = self.value if isinstance(self.value, dict) else {}
        for key in ("+", "-", "*", "/", "min", "max"):
            parts = now.get(key)
            for part in parts if isinstance(parts, list) else ():
                says = Phrase(_("only {amount}"), amount=self._said(part))
                yield self.put(says, self.amount(part), chosen=False)

    def _said(self, amount: Json) -> Any:
        try:
            return self.saying.amount(amount)
        except (KeyError, TypeError, ValueError, StopIteration, AttributeError):
            return "?"

    def _worked_out(self) -> Iterator[Choice]:
        now = self.value
        if self.chip.negated:
            now = -now if type(now) is int else now
        things = (
            [(_("a printed value"), {"print": None})] if self.printed() else []
        )  # fmt: skip
        ways: list[tuple[str, Json]] = [
            (_("plus…"), {"+": [now, None]}),
            (_("minus…"), {"-": [now, None]}),
            (_("times…"), {"*": [now, None]}),
            (_("half of it"), {"/": [now, 2]}),
            (_("half, rounded up"), {"/": [now, 2], "round": "up"}),
            (_("the number of…"), {"count": None}),
            (_("the highest…"), {"highest": None, "on": "players"}),
            (_("the lowest…"), {"lowest": None, "on": "players"}),
            (_("at most…"), {"min": [now, None]}),
            (_("at least…"), {"max": [now, None]}),
            (_("what it had of…"), {"had": None}),
            *things,
        ]
        for says, value in ways:
            yield self.put(Phrase(says), self.amount(value), chosen=False)

    # Whether

    def _conditions(self) -> Iterator[Group]:
        now = self.chip.value
        if now is not None:
            yield Group(_("Add to it"), [*self._joined(now)])
        label = _("Instead") if now is not None else ""
        yield Group(label, [*self._compared()])

    def _joined(self, now: Json) -> Iterator[Choice]:
        for key, says in (("all", _("and also…")), ("any", _("or else…"))):
            if isinstance(now, dict) and key in now:
                place = [*self.chip.place, key, len(now[key])]
                yield Choice(Phrase(says), {"put": place, "is": None})
            else:
                yield self.put(Phrase(says), {key: [now, None]})
        if isinstance(now, dict) and "not" in now:
            yield self.put(Phrase(_("without “not”")), now["not"])
        else:
            yield self.put(Phrase(_("not")), {"not": now})

    def _compared(self) -> Iterator[Choice]:
        for number in self.definition.numbers.values():
            value = {"number": number.kind, **self.elsewhere(number)}
            says = Phrase(_("{number} is…"), number=number.kind)
            yield self.put(says, [value, ">=", None], kind=number.kind)
        if self.turns and not self.saying.its_table:
            says = Phrase(_("it is your turn"))
            yield self.put(says, {"is": "holder", "in": "active"})
        if self.turns:
            yield self.put(Phrase(_("the round is…")), ["round", ">=", None])
        yield self.put(Phrase(_("other amounts…")), [None, ">=", None])
        yield self.put(Phrase(_("somebody is among…")), {"is": None, "in": None})

    # What happens

    def only_kind(self) -> str | None:
        """The number that is meant where there is only one."""
        counted = [each for each in self.definition.numbers.values() if not each.follows]
        return counted[0].kind if len(counted) == 1 else None

    def _actions(self) -> Iterator[Group]:
        kind = self.only_kind()
        now: Mapping[str, Any] = self.value if isinstance(self.value, dict) else {}
        counted = "add" in now or "set" in now
        kept = {key: now[key] for key in ("of", "on") if counted and key in now}
        mine = "players" if self.saying.its_table else "it"
        where: dict[str, Any] = kept or {"of": kind, **self._whose(kind)}
        by, taken = _changed_by(now)
        known, things = self.chip.known, self.definition.things
        ways: list[tuple[str, str, Json]] = [
            ("add", _("gets…"), {"add": by or 1, **where}),
            ("take", _("loses…"), {"add": _negative(by or 1), **where}),
            ("set", _("a number becomes…"), {"set": by if counted else 0, **where}),
            ("win", _("wins"), {"win": mine}),
            ("out", _("is out"), {"out": mine}),
        ]
        if not known.always:
            ways.append(("tell", _("say something"), {"tell": None}))
            if not (known.inner or known.later):
                of = {"of": "players"} if self.saying.its_table else {}
                then = [{"add": "answer", "of": kind, "on": "answerer"}]
                ways.append(("ask", _("ask…"), {"ask": None, **of, "then": then}))
        if not known.inner:
            ways.append(("each", _("for each of…"), {"each": "players", "do": [None]}))
        if things:
            ways.append(("move", _("a thing goes to…"), {"move": self._a_thing(), "to": None}))
            if not known.always:
                ways.append(("create", _("gets a new thing"), {"create": self._only(things), **(
                    {"of": "players"} if self.saying.its_table else {})}))  # fmt: skip
        key = next((each for each in ACTIONS if each in now), "")
        yield Group(
            "",
            [
                self.put(Phrase(says), value, chosen=name == ("take" if taken else key))
                for name, says, value in ways
            ],
        )

    def _whose(self, kind: str | None) -> dict[str, Any]:
        number = self.definition.numbers.get(kind or "")
        return dict(self.elsewhere(number)) if number else {}

    def _a_thing(self) -> Json:
        thing = not (self.saying.its_player or self.saying.its_table)
        return "it" if thing else {"things": "any", "of": "holder"}

    def _only(self, names: Mapping[str, Any]) -> str | None:
        return next(iter(names)) if len(names) == 1 else None


def _changed_by(action: Mapping[str, Any]) -> tuple[Json, bool]:
    """The amount by which an action changes a number, and whether it takes that away."""
    if "set" in action:
        return action["set"], False
    match action.get("add", 1):
        case int(by):
            return abs(by), by < 0
        case {"-": [0, by]}:
            return by, True
        case by:
            return by, False


def _negative(amount: Json) -> Json:
    return -amount if isinstance(amount, int) else {"-": [0, amount]}
