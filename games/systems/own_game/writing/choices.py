"""The choices for a place of a sentence: those that fit there, each as the change that makes it.

What may stand at a place is read from the table of forms, and each choice is said as the sentence
will say it. A change is JSON that the page sends back as it got it; `draft.changed` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from games.rules.state import Phrase, Words
from games.rules.state import marked as _

from ..language.definition import Definition, rule_fault, scope_of
from ..language.forms import GRAMMAR
from ..language.grammar import LISTED, Form, Json, Key, Place
from ..language.meaning import ATOMS, GM, PLAYER, TABLE, WORDS
from ..language.numbers import Number
from ..language.placed import Placed, placed
from ..language.reading import SIX_DIGITS
from ..language.saying import Saying
from ..led import sentences
from .places import filled, path, put, there

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
    """A typed choice. number: a whole number, else a text of at most *most*. less, more: one beside
    it, where one stands there."""

    place: Place
    value: Any
    most: int
    number: bool = False
    negated: bool = False
    less: Change | None = None
    more: Change | None = None

    @property
    def change(self) -> Change:
        return {"type": [*self.place], "number": self.number, "negated": self.negated}


class Asked(Struct, frozen=True):
    """The choices for the place that is open.

    says: what stands there. wider: what it is a part of, the nearest first.
    """

    place: Place
    says: Any
    groups: Sequence[Group] = ()
    typed: Typed | None = None
    cut: Change | None = None
    wider: Sequence[Choice] = ()


FEW = (
    "sign", "owners", "rounding", "best", "ending", "way", "span", "presses", "flag", "beginning",
    "seen", "track-look", "counts", "visibility", "track-colour",
)  # fmt: skip
"""Sorts of which all that may stand there is offered wherever their form is open."""
OWN_FIELDS = ("rule-name", "sentence", "track-word")
"""Sorts that have fields of their own on the page, or none."""
SEEN: Mapping[Json, str] = {
    "open": _("all see it"), "known": _("its name only"), "hidden": _("only the GM"),
}  # fmt: skip
SAYS: Mapping[str, tuple[str, Mapping[Json, str]]] = {
    "track-look": (
        _("Look"),
        {
            "blocks": _("Blocks"), "pie": _("Pie"), "boxes": _("Boxes"), "bar": _("Number 17/23"),
        },
    ),
    "counts": (
        _("Counting"),
        {
            "up": _("is filled"), "down": _("goes down"),
            "actions": _("fills with each Action"), "items": _("holds things"),
        },
    ),
    "track-verbs": (_("Its change"), sentences.CALLED),
    "visibility": (_("A new one"), SEEN),
    "seen": ("", SEEN),
    "track-colour": (
        _("Colour"),
        {
            "goal": _("Green"), "danger": _("Amber"), "fear": _("Red"), "hope": _("Yellow"),
            "temp": _("Blue"), "rival": _("Lilac"), "stress": _("Pink"), "armor": _("Grey"),
            "plain": _("Sand"),
        },
    ),
}  # fmt: skip
"""What rows of words are called, and each word, where no sentence says them."""
MOMENTS = ("beginning", "ending")
"""Sorts of which each word is a moment of its own."""
NUMBERS = ("kind", "own-kind", "changing", "earlier-kind")
NAMED = ("phase", "type", "track", "owner", "kind", "blank-kind")
"""Sorts of names of which several may stand in a list."""
KEYS: Mapping[tuple[str, str], str] = {
    ("when", "who"): _("Who presses"),
    ("when", "during"): _("only in a phase"),
    ("when", "own_turn"): _("only in your own turn"),
    ("when", "once"): _("only once"),
    ("when", "target"): _("with a target"),
    ("when", "number"): _("with a number"),
    ("when", "costs"): _("for a price"),
    ("rule", "if"): _("only if"),
    ("action", "of"): _("whom"),
    ("action", "least"): _("at least"),
    ("action", "most"): _("at most"),
    ("action", "total"): _("together"),
    ("action", "choose"): _("one of several answers"),
    ("action", "hidden"): _("hidden until everyone has answered"),
    ("action", "while"): _("only while"),
    ("action", "base"): _("printed values"),
    ("action", "to"): _("to whom"),
    ("action", "rounds"): _("for some rounds"),
    ("action", "name"): _("a name"),
    ("action", "slots"): _("its size"),
    ("kept-type", "size"): _("its size"),
    ("kept-type", "full"): _("words for when it is over"),
    ("kept-type", "words"): _("words for those who see its name only"),
    ("kept-type", "loop"): _("it begins again when it is full"),
    ("kept-type", "least"): _("a number below 0 when it is empty"),
    ("kept-type", "parts"): _("several ticks fill a box"),
    ("kept-type", "step"): _("a tap changes several"),
    ("kept-type", "verbs"): _("what its change is called"),
    ("kit", "type"): _("which counter it is"),
    ("kit", "size"): _("its size"),
    ("kit", "filled"): _("filled at first"),
    ("shared", "type"): _("which counter it is"),
    ("shared", "size"): _("its size"),
    ("shared", "filled"): _("filled at first"),
    ("outcome-of", "ticks"): _("ticks"),
    ("ticks", "slots"): _("how many"),
    ("ticks", "type"): _("of what"),
    ("ticks", "clears"): _("clears them"),
    ("step-to", "adds"): _("more ticks, or fewer"),
    ("condition-of", "rounds"): _("ends after rounds"),
    ("condition-of", "good"): _("it is good to have"),
    ("amount", "else"): _("otherwise"),
    ("bounds", "least"): _("at least"),
    ("bounds", "most"): _("at most"),
}
"""What a key adds, where the sentence does not say it yet."""
PARTS: Mapping[str, str] = {
    "who": _("whose"),
    "amount": _("how many"),
    "kind": _("which number"),
    "types": _("of what"),
    "track-types": _("of what"),
    "holders": _("on what"),
    "when": _("when"),
    "condition": _("if"),
    "action": _("what happens"),
    "text": _("its words"),
    "dice": _("which dice"),
}
"""What else a part is called, by its sort."""
STARTS: Mapping[str, Mapping[str, Json]] = {
    "highest": {"on": "players"},
    "lowest": {"on": "players"},
}
"""What a form is begun with besides gaps."""
DICE = ("d6", "2d6", "3d6", "d4", "d8", "d10", "d12", "d20", "d100")
"""The dice that are offered; others are typed."""
LIST_KEYS: Mapping[str, str] = {
    "action": _("also"),
    "cost": _("and"),
    "amount": _("and"),
    "condition": _("and"),
    "six-digits": _("and"),
    "text": _("or"),
    "word-to": _("one more word"),
    "ticks": _("one more tick"),
    "step-to": _("one more step"),
}
"""What another item of a list is called, by its sort."""
BEGUN: Mapping[str, Json] = {
    "size": 6, "full": "…", "words": [{"to": 50, "word": "…"}], "loop": True, "least": -6,
    "parts": 4, "step": 5, "verbs": "lose", "filled": 1, "ticks": [{}], "type": "",
    "clears": True, "slots": 1, "adds": 1, "rounds": 1, "good": True,
}  # fmt: skip
"""What a key of a part of a set is begun with: it has no gaps."""
ITEMS: Mapping[str, Json] = {
    "word-to": {"to": 50, "word": "…"}, "step-to": {"name": "…"}, "ticks": {},
}  # fmt: skip
"""The same of another item of its lists, by its sort."""


class Under(Struct, frozen=True):
    """What is written: a rule, or how a number is worked out.

    root: its place. sort: of all of it. about: the rule that its sentence is said in. fault: the
    place of the first fault if it were another; None if that can be played.
    """

    definition: Definition
    root: Place
    sort: str
    value: Json
    about: Mapping[str, Any]
    fault: Callable[[Json], str | None]

    def said(self, value: Json) -> Phrase:
        """Its sentence, whose words know their places; the same with other things written there."""
        try:
            if self.sort == "rule":
                rule = {"when": None, "do": [None], **value}
                return Saying(self.definition, placed(rule, self.root)).whole()
            if self.root[0] == "gm":
                return sentences.SAYS[str(self.root[1])](placed(value, self.root))
            saying = Saying(self.definition, self.about)
            return Phrase("{amount}", amount=saying.amount(placed(value, self.root), bare=True))
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration, IndexError):
            return Phrase(_("This rule cannot be read yet."))


def of_rule(definition: Definition, rule: Json, place: Place) -> Under:
    """The rule at *place*. definition: of the same game; its rules do not matter."""
    value = rule if isinstance(rule, dict) else {}

    def fault(changed: Json) -> str | None:
        return rule_fault(definition, changed, int(place[1]))

    return Under(definition, place, "rule", value, value, fault)


def of_a_set(definition: Definition, place: Place, fault: Callable[[Json], str | None]) -> Under:
    """The part of a set at *place*. fault: of the whole definition, if another part stood there."""
    sort, _key = GRAMMAR.at("definition", definition.written, place)
    return Under(definition, place, sort, there(definition.written, place), {}, fault)


def asked(under: Under, at: Place) -> Asked:
    """The choices for the place *at*."""
    return _Offer(under, at).asked()


def words(under: Under, value: Json) -> Iterator[tuple[Place, Any]]:
    """Each place that the words of a sentence stand for, and those words."""
    return _words(under.said(value))


def _words(said: Any) -> Iterator[tuple[Place, Any]]:
    if isinstance(said, Placed):
        yield said.place, said
    if isinstance(said, Phrase):
        for fact in said.facts.values():
            yield from _words(fact)


def elsewhere(definition: Definition, saying: Saying, number: Number) -> dict[str, Any]:
    """The key for the owner of a number, where the subject cannot have it."""
    if TABLE in number.on and PLAYER not in number.on and not saying.its_table:
        return {"on": TABLE}
    if PLAYER in number.on and saying.its_table and TABLE not in number.on:
        return {"on": "players"}
    if number.on <= set(definition.things) and saying.its_player:
        return {"on": {"things": sorted(number.on)[0], "of": "holder"}}
    return {}


def label_of(action: Json) -> Words:
    """A label for the button of an action; "" if none can be said in a word."""
    match action:
        case {"add": int(by), "of": str(kind)}:
            return Phrase("{what} {n}", what=kind, n=f"{by:+d}".replace("-", "−"))
        case {"set": int(to), "of": str(kind)}:
            return Phrase("{what} = {n}", what=kind, n=str(to).replace("-", "−"))
        case {"create": str(kind)} | {"move": _, "to": str(kind)}:
            return Phrase("{what}", what=kind)
        case {"ask": _}:
            return Phrase(_("Round is over"))
        case {"win": _}:
            return Phrase(_("Game over"))
    return ""


def toggled(now: Sequence[str], name: str) -> Json:
    """The names with one more, or without it while another is left."""
    left = [each for each in now if each != name] if name in now else [*now, name]
    return left if len(left) > 1 else next(iter(left), name)


class _Offer:
    """Works out what may stand at a place."""

    def __init__(self, under: Under, at: Place) -> None:
        self.under = under
        self.definition = under.definition
        named = isinstance(at[-1], int) and self._at(at)[0] in NAMED
        self.at = at[:-1] if named else at  # one of several names is chosen beside the others
        self.value = self._there(self.at)
        self.sort, self.key = self._at(self.at)
        self.saying = Saying(self.definition, under.about)
        self._enter(at)
        self.turns = self.definition.order != "none" or self.definition.set.turns
        self.part = under.root[:1] == ("gm",)
        self.types = [*self.definition.things, *self.definition.tracks]
        self.kinds = [*self.definition.numbers, *self.definition.tracks]

    def _enter(self, at: Place) -> None:
        """Inside an `each` its holders are the subject, whatever that of the rule is."""
        for end in range(len(self.under.root), len(at)):
            around = self._there(at[:end])
            if isinstance(around, dict) and "each" in around and at[end] in ("do", "if"):
                self.saying.enter(around["each"])

    def _there(self, place: Place) -> Json:
        return there(self.under.value, place[len(self.under.root) :])

    def _at(self, place: Place) -> tuple[str, Key | None]:
        """The sort of a place, be anything there or not, and its key."""
        under = self.under
        return GRAMMAR.at(under.sort, under.value, place[len(under.root) :])

    def asked(self) -> Asked:
        groups = []
        for group in self._groups():
            fitting = [each for each in group.choices if self._fits(each)]
            if fitting:
                groups.append(Group(group.label, fitting, group.keys))
        said = self._says(self.at, self.value)
        if self.value is None and self.sort in PARTS:
            said = Phrase(PARTS[self.sort])
        if self.part and self.at == self.under.root:
            said = ""  # its sentence stands above
        return Asked(
            self.at, said, groups, self._typed(), self._cut(),
            [*self._wider()],
        )  # fmt: skip

    # What it says

    def _says(self, place: Place, value: Json) -> Any:
        """A place as its sentence says it with that *value*; with what it is a part of, if the
        sentence has no words for it alone."""
        under = self.under
        whole = under.said(put(under.value, place[len(under.root) :], value))
        said = dict(reversed([*_words(whole)]))
        found = next(
            (said[place[:end]] for end in range(len(place), 0, -1) if place[:end] in said), whole
        )
        return Phrase("{n}", n=found) if isinstance(found, int) else found

    def put(
        self, place: Place, value: Json, says: Any = None, *, chosen: bool | None = None,
        kind: str = "",
    ) -> Choice:  # fmt: skip
        said = self._says(place, value) if says is None else says
        now = self._there(place)
        chosen = value == now if chosen is None else chosen
        return Choice(said, {"put": [*place], "is": value}, chosen, kind)

    def _fits(self, choice: Choice) -> bool:
        """True if a choice makes no fault where it is put, whatever stands in the gaps."""
        if "put" not in choice.change:
            return True
        place = tuple(choice.change["put"])
        changed = put(self.under.value, place[len(self.under.root) :], choice.change["is"])
        fault = self.under.fault(filled(self.definition, self.under.sort, changed))
        return fault is None or not fault.startswith(path(place))

    # What may stand there

    def _groups(self) -> Iterator[Group]:
        yield from self._parts()
        sorts: Mapping[str, Callable[[], Iterator[Group]]] = {
            "when": self._moments,
            "who": self._who,
            "amount": self._amounts,
            "condition": self._conditions,
            "action": self._actions,
            "cost": self._costs,
            "label": self._labels,
            "dice": lambda: self._names(DICE),
            "type": lambda: self._names(self.types),
            "track": lambda: self._names(self._ticked()),
            "ticked": lambda: self._names(["", *self._ticked()]),
            "outcome": lambda: self._names(["any", *self.definition.set.by_outcome]),
            "zone": lambda: self._names(self.definition.zones),
            "printed": lambda: self._names(self.printed()),
            "phases": lambda: self._several(self.definition.phases),
            "types": lambda: self._several(self.types, "any"),
            "track-types": lambda: self._several(self.definition.tracks, "any"),
            "holders": lambda: self._several(
                [*self.definition.roles, *self.types], "any", PLAYER, TABLE, GM
            ),
            "roles": lambda: self._several(self.definition.roles),
            "amounts-by-word": self._base,
            "ranked": lambda: self._several(self.kinds),
            "blanks": lambda: self._several(sorted(self.definition.blanks)),
            **dict.fromkeys(NUMBERS, self._kinds),
            **dict.fromkeys(FEW, lambda: self._few(self.at, self.sort)),
        }
        if self.sort in sorts:
            yield from sorts[self.sort]()
        elif self.sort.endswith(LISTED) and (key := self.key):
            yield Group("", [*self._another(self.at, key)])

    def _parts(self) -> Iterator[Group]:
        """Parts of a form that its sentence says in few words or not at all."""
        said = {place for place, _said in words(self.under, self.under.value)}
        if self.sort == "condition" and isinstance(self.value, list):
            yield from self._few((*self.at, 1), "sign")
            sides = [each for n in (0, 2) for each in self._unsaid((*self.at, n), "amount", said)]
            yield Group("", sides)
        form = GRAMMAR.form(self.sort, self.value) if self.sort in GRAMMAR.sorts else None
        if form is None:
            return
        more: list[Choice] = []
        for name, key in form.keys.items():
            place = (*self.at, name)
            if key.sort in OWN_FIELDS or (name == form.head and key.sort in MOMENTS):
                continue
            if key.absent and key.absent(self.value, scope_of(self.definition)):
                continue
            if key.sort in FEW:
                yield from self._few(place, key.sort, optional=key.usual is not UNSET)
            else:
                more += self._further(place, key, said)
        if more:
            yield Group(_("Add to it"), more)

    def _further(self, place: Place, key: Key, said: set[Place]) -> Iterator[Choice]:
        """What a key adds where it is not written; what of it the sentence has no words for."""
        name = str(place[-1])
        label = KEYS.get((self.sort, name)) or PARTS.get(key.sort, "")
        if name not in self.value:
            if label and key.usual is not UNSET:
                yield self.more(place, self._start(name), Phrase(label))
        elif key.many:
            listed = self._there(place)
            for index in range(len(listed) if isinstance(listed, list) else 0):
                yield from self._unsaid((*place, index), key.sort, said)
            yield from self._another(place, key)
        else:
            yield from self._unsaid(place, key.sort, said)

    def _unsaid(self, place: Place, sort: str, said: set[Place]) -> Iterator[Choice]:
        """A part that no word of the sentence stands for."""
        if not any(each[: len(place)] == place for each in said):
            label = KEYS.get((self.sort, str(place[-1]))) or PARTS.get(sort, _("this"))
            yield Choice(Phrase(label), self.open(place))

    def _another(self, place: Place, key: Key) -> Iterator[Choice]:
        """One more item of a list."""
        listed = self._there(place)
        if not isinstance(listed, list) or key.many is None or None in listed:
            return
        if len(listed) < key.many[1]:
            item = ITEMS.get(key.sort) if self.part else None
            says = Phrase(LIST_KEYS.get(key.sort, _("also")))
            yield self.more((*place, len(listed)), item, says)

    def more(self, place: Place, value: Json, what: Phrase) -> Choice:
        """A part that is added; one of a set is whole, and asked for at once."""
        change = {"put": [*place], "is": value, **(self.open(place) if self.part else {})}
        return Choice(Phrase("+ {what}", what=what), change)

    def open(self, place: Place) -> Change:
        page = "part" if self.part else "rule" if self.under.sort == "rule" else "number"
        return {"go": page, "at": [*place]}

    def _start(self, name: str) -> Json:
        """What an optional key begins with."""
        starts: Mapping[str, Json] = {
            "costs": [{"pay": 1, "of": self._only(self._counted())}],
            "target": "opponents",
            "number": {"least": 1, "most": 10},
            "on": "players",
            "of": "players",
            "least": 0,
            "most": 10,
            "total": 26,
            "choose": [Phrase(_("Yes")), Phrase(_("No"))],
            "base": {},
        }
        return BEGUN.get(name) if self.part else starts.get(name)

    def _few(self, place: Place, sort: str, *, optional: bool = False) -> Iterator[Group]:
        """All that may stand at a place that takes few words; what may be left out, a second tap
        takes away."""
        now = self._there(place)
        label, said = SAYS.get(sort, ("", {}))
        key = self._at(place)[1] if now is None and self.part else None
        usual = key.usual if key else now
        choices = [
            self.put(place, word, Phrase(said[word]) if said else None, chosen=word == usual)
            for word in self._words_of(sort)
        ]
        if optional and now is not None:
            away = {"cut": [*place]}
            choices = [
                Choice(each.says, away, chosen=True) if each.chosen else each for each in choices
            ]
        if sort == "flag" and self.part:
            label = KEYS[self._at(place[:-1])[0], str(place[-1])]
            yield Group("", [replace(each, says=Phrase(label)) for each in choices])
        elif now is not None or not optional or sort != "flag":
            yield Group(label, choices)
        else:
            label = KEYS.get((self.sort, str(place[-1])), "")
            yield Group("", [self.put(place, True, Phrase(label))])

    def _words_of(self, sort: str) -> Sequence[Json]:
        if sort == "flag":
            return (True,)
        if sort == "beginning":
            phases = () if self.definition.phases == ("turn",) else self.definition.phases
            return ("turn", "round", *phases)
        schema, scope = GRAMMAR.sorts[sort].schema or {}, scope_of(self.definition)
        return [word for word in schema.get("enum", ()) if GRAMMAR.may_stand(sort, word, scope)]

    # Names

    def _names(self, names: Any) -> Iterator[Group]:
        said: dict[str, Words] = {"": Phrase(_("any counter")), "any": Phrase(_("anything"))}
        outcomes = self.definition.set.by_outcome if self.sort == "outcome" else {}
        said.update({key: outcome.name for key, outcome in outcomes.items()})
        yield Group("", [self.put(self.at, name, said.get(name, name)) for name in names])

    def _ticked(self) -> list[str]:
        """The types of tracks that may stand there."""
        tracks = self.definition.tracks
        if self.sort == "track" and self.under.sort != "scale":
            return [*tracks]
        return [key for key, each in tracks.items() if each.counts != "items"]

    def printed(self) -> list[str]:
        return [*dict.fromkeys(n for each in self.definition.things.values() for n in each.prints)]

    def _several(self, names: Any, *words: str) -> Iterator[Group]:
        """Words that stand alone, and names of which several may be meant: each tap adds one, or
        takes it away."""
        said = {
            "any": _("anything"), PLAYER: _("each player"), TABLE: _("the table"), GM: _("the GM"),
        }  # fmt: skip
        yield Group("", [self.put(self.at, word, Phrase(said[word])) for word in words])
        value = self.value
        now = [*value] if isinstance(value, list) else [value] if value in names else []
        yield Group("", [self.put(self.at, toggled(now, n), n, chosen=n in now) for n in names])

    def _counted(self) -> list[str]:
        numbers = [each.kind for each in self.definition.numbers.values() if not each.follows]
        return [*numbers, *self.definition.tracks]

    def _where(self, kind: str) -> dict[str, Any]:
        """The key for the owner of a number or a track, where the subject cannot have it."""
        if number := self.definition.numbers.get(kind):
            return elsewhere(self.definition, self.saying, number)
        when = self.saying.when
        if kind in (when.get("completes"), when.get("changes"), when.get("on")):
            return {}
        if any(own.type == kind for own in self.definition.set.shared):
            return {} if self.saying.its_table else {"on": TABLE}
        if self.saying.its_player:
            return {}
        return {"on": "players" if self.saying.its_table else "holder"}

    def _only(self, names: Sequence[str]) -> str | None:
        """The name that is meant where there is only one."""
        return names[0] if len(names) == 1 else None

    def _kinds(self) -> Iterator[Group]:
        """Numbers. Where an action says no holder, one that its subject lacks brings its own."""
        action = self._there(self.at[:-1])
        counts = isinstance(action, dict) and ("add" in action or "set" in action)
        choices = []
        for kind in self.kinds:
            if self.at[-1] == "of" and counts and "on" not in action:
                value = {**action, "of": kind, **self._where(kind)}
                change = {"put": [*self.at[:-1]], "is": value}
                choices.append(Choice(kind, change, kind == self.value, kind))
            else:
                choices.append(self.put(self.at, kind, kind, kind=kind))
        yield Group("", choices)

    def _base(self) -> Iterator[Group]:
        now = self.value if isinstance(self.value, dict) else {}
        names = [name for name in self.printed() if name not in now]
        yield Group("", [self.put((*self.at, name), 1, name) for name in names])
        yield Group(
            "", [Choice(Phrase("{n}", n=name), self.open((*self.at, name))) for name in now]
        )

    def _labels(self) -> Iterator[Group]:
        """What the button does, as its label: "wood +1"."""
        actions = self.under.about.get("do")
        said = map(label_of, actions if isinstance(actions, list) else ())
        yield Group(
            "", [self.put(self.at, each, each) for each in dict.fromkeys(filter(None, said))]
        )

    def _costs(self) -> Iterator[Group]:
        costs = [(kind, {"pay": 1, "of": kind}) for kind in self._counted()]
        yield Group("", [self.put(self.at, cost, kind=kind) for kind, cost in costs])

    # Forms

    def forms(self, *without: str) -> Iterator[Choice]:
        """Each form of the sort that is asked, with as much as it can keep of what stands there."""
        for form in GRAMMAR.sorts[self.sort].forms:
            if form.head not in without:
                starts = STARTS.get(form.head, {})
                yield self._longer(form) or self.put(
                    self.at, self.started(form, **starts), chosen=form is self._form()
                )

    def _longer(self, form: Form) -> Choice | None:
        """One part more, where a list of that form stands, or is what this is a part of."""
        key = form.keys[form.head]
        if key.sort != self.sort or not key.many or key.many[1] == 2:
            return None
        part = self.at[-2:-1] == (form.head,)
        whole = self.at[:-2] if part else self.at
        parts = self._there((*whole, form.head))
        if not isinstance(parts, list) or None in parts or len(parts) >= key.many[1]:
            return None
        after = int(self.at[-1]) + 1 if part else len(parts)
        longer = [*parts[:after], None, *parts[after:]]
        return self.put(whole, {**self._there(whole), form.head: longer}, chosen=False)

    def _form(self) -> Form | None:
        return GRAMMAR.form(self.sort, self.value)

    def started(self, form: Form, **starts: Json) -> Json:
        """A form with gaps for what must be said; what suits it stays."""
        now = self.value if isinstance(self.value, dict) else {}
        head, was = form.keys[form.head], self._form()
        if form is was:
            return dict(now)
        made: dict[str, Json] = {}
        for name, key in form.keys.items():
            same = was.keys.get(name) if was else None
            if same and same.sort == key.sort and name in now:
                made[name] = now[name]
            elif name in starts:
                made[name] = starts[name]
            elif key.usual is UNSET:
                made[name] = [None] * min(2, key.many[1]) if key.many else None
        if head.sort == self.sort and self.value is not None:
            made[form.head] = [self.value, None] if head.many else self.value
        elif was and was.keys[was.head].sort == head.sort and was.head in now:
            made[form.head] = now[was.head]
        return made

    def _moments(self) -> Iterator[Group]:
        choices = []
        words = [*(("turn", "round") if self.turns else ())]
        phase = [None] if words and self.definition.phases != ("turn",) else []
        of: Mapping[str, Sequence[Json]] = {
            "begins": [*words, *phase], "ends": [*words, "session"], "always": [PLAYER],
        }  # fmt: skip
        for form in GRAMMAR.sorts["when"].forms:
            starts = {"on": PLAYER} if form.head == "pressed" else {}
            whole = form.head in of
            moments = [{form.head: each} for each in of.get(form.head, ())]
            for made in moments if whole else [self.started(form, **starts)]:
                moment = Saying(self.definition, {"when": made}).moment_of(placed(made, ()))
                says = moment or Phrase(_("as soon as something is so"))
                chosen = None if whole else form is self._form()
                choices.append(self.put(self.at, made, says, chosen=chosen))
        yield Group("", choices)

    def _who(self) -> Iterator[Group]:
        atoms = [*ATOMS]
        if self.saying.its_player and "each" not in self.at:
            atoms.remove("holder")
        yield Group("", [self.put(self.at, word) for word in atoms])
        things = [
            {"things": "any", "of": "holder"},
            {"things": "any", "of": "opponents"},
            {"things": "any"},
        ]
        if self.types:
            yield Group(_("Things"), [self.put(self.at, each) for each in things])
        now: Json = self.value if self.value is not None else "players"
        if isinstance(now, dict) and "each" in now:
            says = Phrase(_("all of them, no “of whom”"))
            yield Group(_("Only some"), [self.put(self.at, now["each"], says)])
        else:
            says = Phrase(_("only those of whom…"))
            yield Group(_("Only some"), [self.put(self.at, {"each": now, "if": None}, says)])

    @property
    def negated(self) -> bool:
        """True if the amount there is one that is taken, and is written below 0."""
        return self.at[-1] == "add" and type(self.value) is int and self.value < 0

    def amount(self, value: Json) -> Json:
        """An amount as it stands there: what is taken is written below 0."""
        return _negative(value) if self.negated and value is not None else value

    def _amounts(self) -> Iterator[Group]:
        keys = [self.put(self.at, self.amount(n), str(n)) for n in range(10)]
        yield Group("", keys, keys=True)
        yield Group(_("As much as"), [*self._known_amounts(), *self._plain_parts()])
        yield Group(_("Work it out"), [*self.forms("number")])

    def _known_amounts(self) -> Iterator[Choice]:
        for word in WORDS:
            if word != "round" or self.turns:
                yield self.put(self.at, self.amount(word), self.saying.amount(word))
        now = self.value if isinstance(self.value, dict) else {}
        for kind in self.kinds:
            yield self.put(
                self.at, self.amount({"number": kind, **self._where(kind)}), kind,
                chosen=now.get("number") == kind, kind=kind,
            )  # fmt: skip

    def _plain_parts(self) -> Iterator[Choice]:
        """The parts of what is worked out, to leave the rest."""
        form = self._form()
        parts = self.value[form.head] if form and form.keys[form.head].sort == "amount" else ()
        for part in parts if isinstance(parts, list) and self.sort == "amount" else ():
            said = self.saying.amount(part) if part is not None else "?"
            says = Phrase(_("only {amount}"), amount=said)
            yield self.put(self.at, self.amount(part), says, chosen=False)

    def _conditions(self) -> Iterator[Group]:
        label = "" if self.value is None else _("Instead")
        yield Group(label, [*self._compared(), *self.forms()])

    def _compared(self) -> Iterator[Choice]:
        for kind in self.kinds:
            value = {"number": kind, **self._where(kind)}
            yield self.put(self.at, [value, ">=", None], kind=kind)
        if self.turns and not self.saying.its_table:
            yield self.put(self.at, {"is": "holder", "in": "active"})
        if self.turns:
            yield self.put(self.at, ["round", ">=", None])
        yield self.put(self.at, [None, ">=", None])

    def _actions(self) -> Iterator[Group]:
        kind = self._only(self._counted())
        where = self._where(kind) if kind else {}
        thing = not (self.saying.its_player or self.saying.its_table)
        mine = "players" if self.saying.its_table else "it"
        asked: dict[str, Any] = {"of": "players"} if self.saying.its_table else {}
        then = [{"add": "answer", "of": kind, "on": "answerer"}]
        starts: Mapping[str, Mapping[str, Any]] = {
            "add": {"add": 1, "of": kind, **where},
            "set": {"set": 0, "of": kind, **where},
            "win": {"win": mine},
            "out": {"out": mine},
            "each": {"each": "players", "do": [None]},
            "ask": {"then": then, **asked},
            "roll": {"roll": "2d6", "then": then, **asked},
            "move": {"move": "it" if thing else {"things": "any", "of": "holder"}},
            "create": {"create": self._only(self.types), **asked},
        }
        choices = []
        by, taken = _changed_by(self.value if isinstance(self.value, dict) else {})
        for form in GRAMMAR.sorts["action"].forms:
            if form.head == "move" and not self.definition.things:
                continue
            made = self.started(form, **starts.get(form.head, {}))
            chosen = form is self._form()
            if form.head == "add":
                made["add"] = by or 1
                taking = {**made, "add": _negative(by or 1)}
                choices.append(self.put(self.at, made, chosen=chosen and not taken))
                choices.append(self.put(self.at, taking, chosen=chosen and taken))
                continue
            if form.head == "set" and form is not self._form() and "add" in (self.value or {}):
                made["set"] = by
            choices.append(self.put(self.at, made, chosen=chosen))
        yield Group(_("Instead") if self.value is not None else "", choices)

    # What is typed, and what is around

    def _typed(self) -> Typed | None:
        meant = GRAMMAR.sorts.get(self.sort)
        schema = (meant.schema or {}) if meant else {}
        if self.sort == "amount" or schema.get("type") == "integer":
            number = -self.value if self.negated else self.value
            if type(number) is not int:
                return Typed(self.at, "", 7, number=True)
            beside = (
                {"put": [*self.at], "is": self.amount(number + by), **self.open(self.at)}
                if schema.get("minimum", -SIX_DIGITS)
                <= number + by
                <= schema.get("maximum", SIX_DIGITS)
                else None
                for by in (-1, 1)
            )
            return Typed(self.at, number, 7, True, self.negated, *beside)
        most = schema.get("maxLength")
        return (
            Typed(self.at, self.value if isinstance(self.value, str) else "", most)
            if most
            else None
        )

    def _cut(self) -> Change | None:
        """Takes away what may be left out."""
        if isinstance(self.at[-1], int):
            around, listed = self._at(self.at[:-1])[1], self._there(self.at[:-1])
            if around is None or around.many is None or not isinstance(listed, list):
                return None
            return {"cut": [*self.at]} if len(listed) > around.many[0] else None
        key = self.key
        if key is None or key.usual is UNSET or self._there(self.at) is None:
            return None
        always = self.at[-1] == "if" and "always" in self.saying.when
        return None if always else {"cut": [*self.at]}

    def _wider(self) -> Iterator[Choice]:
        """What the place is a part of, the nearest first."""
        for end in range(len(self.at) - 1, len(self.under.root) - self.part, -1):
            place = self.at[:end]
            if self._at(place)[0] in GRAMMAR.sorts and GRAMMAR.sorts[self._at(place)[0]].forms:
                yield Choice(self._says(place, self._there(place)), self.open(place))


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
