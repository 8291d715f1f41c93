"""The machine of the grammar: reads and walks what a table of forms says.

A form is a map with certain keys; each key has a sort, which says what may stand there: a word, a
number, one of the forms of that sort. `forms` is the table. Whoever reads it here is told the first
fault, or what the parts mean; whoever walks it, every place with its sort. Nothing else knows what
a rule may be made of. Source: docs/OWN-GAMES.md, "Faults".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from games.tracks.sets.definition import WITHOUT_GM, Set

from .meaning import Amount, Question
from .numbers import Number
from .reading import Fault, inside, listed

Json = Any
Place = tuple[str | int, ...]
DEEPEST = 6
"""How deep parts of an expression nest."""


class Scope(Struct, frozen=True):
    """What may be named at a place, and what may stand there.

    kinds: of the numbers that can be read. taken: what stands under a name of its own in the list
    that is read. words: those that are known only at some moments (`change`, `target`, …). nobody:
    the subject can only be the table. always: the rule is looked at when the table settles. later:
    in the `then` or `after` of a question. led: there is a GM. teams: it is played in teams.
    roles: those that players can have. set: what the GM's table counts; tracks: the types of its
    tracks, which may be named before all of it is read.
    inner: in the `each` of an action. picking: `each` may
    choose holders. depth: the maps and comparisons around it. questions: the rule's, as they are
    read.
    compared: gets both sides of each comparison of its condition, as Why? tells their numbers.
    """

    types: Collection[str] = ()
    printed: Collection[str] = ()
    numbers: Mapping[str, Number] = {}
    kinds: Collection[str] = ()
    zones: Collection[str] = ()
    phases: Collection[str] = ()
    turns: bool = True
    led: bool = False
    teams: bool = False
    roles: Collection[str] = ()
    set: Set = WITHOUT_GM
    tracks: Collection[str] = ()
    taken: Mapping[str, Any] = {}
    words: frozenset[str] = frozenset()
    nobody: bool = False
    always: bool = False
    later: bool = False
    inner: bool = False
    picking: bool = True
    depth: int = 0
    questions: tuple[()] | list[Question] = ()
    compared: list[Amount] | None = None


Absent = Callable[[Mapping[str, Any], Scope], bool]
"""Whether a key is none, beside what is written."""


class Law(Struct, frozen=True):
    """A law between keys of a map; it is broken at the last of them that is written."""

    keys: tuple[str, ...]
    holds: Callable[[Mapping[str, Any], Scope], bool]


class Key(Struct, frozen=True):
    """A key of a form.

    usual: what is meant where it is left out; UNSET if it must be written. instead: what is meant
    then by what else is written, if that is something else. many: how few and how
    many stand in a list there. different: none of them twice. by: the field by whose value they
    are kept, each under its own. absent: where it is no key. law: looked at once it is read.
    within, then: the scope inside it, by what is written, and after it, by what that means.
    """

    sort: str
    usual: Any = UNSET
    instead: Callable[[Mapping[str, Any], Scope], Any] | None = None
    many: tuple[int, int] | None = None
    different: bool = False
    by: str = ""
    absent: Absent | None = None
    law: Law | None = None
    within: Callable[[Any, Scope], Scope] | None = None
    then: Callable[[Any, Scope], Scope] | None = None


class Form(Struct, frozen=True, eq=False):
    """A map: its keys in reading order, and what it means by what stands at them.

    The first key tells it from the other forms of its sort. may: whether it may stand there.
    within: the scope of its keys, by what is written. scoped: its meaning depends on the scope.
    says: its sentence, with its keys as places, where
    `saying` has none that is closer to what people say; says_with: another where that key is
    written.
    """

    keys: Mapping[str, Key]
    means: Callable[..., Any]
    may: Callable[[Mapping[str, Any], Scope], bool] | None = None
    within: Callable[[Mapping[str, Any], Scope], Scope] | None = None
    scoped: bool = False
    says: str = ""
    says_with: Mapping[str, str] = {}

    @property
    def head(self) -> str:
        return next(iter(self.keys))


Reads = Callable[["Grammar", Json, str, Scope], Any]
"""Reads what stands at a place. Raises Fault."""


class Sort(Struct, frozen=True):
    """What may stand at a place.

    read: reads what is no map of a form. schema: the same as JSON Schema. forms: the maps. names:
    that it names numbers, things, zones or phases. kept: makes of what it means what is worked out
    once, where it may be. items: the sort of each part of a list or map
    there. deepens: its maps nest. whole: `read` reads the maps, too.
    """

    read: Reads | None = None
    schema: Mapping[str, Any] | None = None
    forms: Sequence[Form] = ()
    names: str = ""
    items: Sequence[str] = ()
    deepens: bool = False
    whole: bool = False
    kept: Callable[[Grammar, Json, Any], Any] | None = None


class Grammar:
    """A language, from its table of sorts."""

    def __init__(self, sorts: Mapping[str, Sort]) -> None:
        self.sorts = sorts
        self._forms = {
            name: {form.head: form for form in sort.forms} for name, sort in sorts.items()
        }
        self._keys = {form: _keys(form) for sort in sorts.values() for form in sort.forms}
        self._known = {
            name: frozenset(key for form in sort.forms for key in form.keys)
            for name, sort in sorts.items()
        }

    def keys(self, sort: str) -> Mapping[str, Key]:
        """The keys of a sort that has one form."""
        (form,) = self.sorts[sort].forms
        return form.keys

    # Reading

    def read(self, sort: str, value: Json, place: str, scope: Scope) -> Any:
        """What stands at *place* means. Raises Fault."""
        meant = self.sorts[sort]
        if meant.forms and not meant.whole and type(value) is dict:
            form = self._form(sort, value, place, scope)
            found = self._map(form, meant, value, place, scope)
        elif meant.read is None:
            raise Fault(place)
        else:
            found = meant.read(self, value, place, scope)
        return meant.kept(self, value, found) if meant.kept else found

    def may_stand(self, sort: str, value: Json, scope: Scope) -> bool:
        """True if *value* has a meaning there."""
        try:
            self.read(sort, value, "", scope)
        except Fault:
            return False
        return True

    def form(self, sort: str, value: Json) -> Form | None:
        """The form of a map; None if it is not exactly one."""
        forms = self._forms[sort]
        if not isinstance(value, dict):
            return None
        if len(forms) == 1:
            return next(iter(forms.values()))
        heads = [key for key in value if key in forms]
        return forms[heads[0]] if len(heads) == 1 else None

    def _form(self, sort: str, value: Mapping[str, Any], place: str, scope: Scope) -> Form:
        form = self.form(sort, value)
        if form is None:
            raise Fault(place, _stray(value, self._known[sort]))
        known, needed, unsure = self._keys[form]
        if unsure:
            known = known - {key for key, absent in unsure if absent(value, scope)}
        if not needed <= value.keys() <= known:
            raise Fault(place, _stray(value, known))
        if form.may and not form.may(value, scope):
            raise Fault(place)
        return form

    def _map(
        self, form: Form, sort: Sort, value: Mapping[str, Any], place: str, scope: Scope
    ) -> Any:
        if sort.deepens:
            scope = deeper(scope, place)
        if form.within:
            scope = form.within(value, scope)
        found: dict[str, Any] = {}
        for name, key in form.keys.items():
            written = key.instead(value, scope) if key.instead else key.usual
            found[name] = None
            if name in value or written is not None:
                written = value.get(name, written)
                found[name] = self._at(key, written, inside(place, name), scope)
            if key.law and not key.law.holds(found, scope):
                last = next(each for each in reversed(key.law.keys) if each in value)
                raise Fault(inside(place, last))
            if key.then:
                scope = key.then(found[name], scope)
        return form.means(scope, *found.values()) if form.scoped else form.means(*found.values())

    def _at(self, key: Key, value: Json, place: str, scope: Scope) -> Any:
        if key.within:
            scope = key.within(value, scope)
        if key.many is None:
            return self.read(key.sort, value, place, scope)
        taken: dict[str, Any] = {}
        if key.by:
            scope = replace(scope, taken=taken)

        def one(item: Json, here: str) -> Any:
            found = self.read(key.sort, item, here, scope)
            if key.by:
                taken[getattr(found, key.by)] = found
            return found

        found = listed(value, place, one, *key.many, different=key.different)
        return taken if key.by else found

    # Walking

    def walk(self, sort: str, value: Json, place: Place = ()) -> Iterator[tuple[Place, str, Json]]:
        """Every place of what is written there, whole or not, with its sort and its value."""
        yield place, sort, value
        items = self.sorts[sort].items
        if form := self.form(sort, value):
            for name, key in form.keys.items():
                if name in value:
                    yield from self._walk_key(key, value[name], (*place, name))
        elif items and isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.walk(items[index % len(items)], item, (*place, index))
        elif items and isinstance(value, dict):
            for name, item in value.items():
                yield from self.walk(items[0], item, (*place, name))

    def _walk_key(self, key: Key, value: Json, place: Place) -> Iterator[tuple[Place, str, Json]]:
        if key.many is None:
            yield from self.walk(key.sort, value, place)
            return
        yield place, key.sort + LISTED, value
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield from self.walk(key.sort, item, (*place, index))

    def at(self, sort: str, value: Json, place: Place) -> tuple[str, Key | None]:
        """The sort of a place in what is written there, be anything at it or not, and its key.

        sort: of the whole. A list that a key has is of the sort of its items, as `LISTED`; "" is
        that nothing may stand there.
        """
        key: Key | None = None
        for step in place:
            form = self.form(sort, value) if sort in self.sorts else None
            key = form.keys.get(str(step)) if form else None
            if key is not None:
                sort = key.sort + LISTED if key.many else key.sort
            elif sort in self.sorts:
                items = self.sorts[sort].items
                sort = items[step % len(items) if isinstance(step, int) else 0] if items else ""
            else:
                sort = sort.removesuffix(LISTED)
            value = within(value, step)
        return sort, key

    def names(self, sort: str, value: Json, of: str) -> Iterator[tuple[Place, str]]:
        """Every place at which a number, thing, zone or phase is named, and its name there."""
        for place, found, name in self.walk(sort, value):
            meant = self.sorts.get(found)
            if meant and meant.names == of and isinstance(name, str):
                yield place, name


def place_of(written: str) -> Place:
    """The place that a fault names: rules[3].do[0].of."""
    return tuple(name or int(index) for name, index in STEP.findall(written))


STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def within(value: Json, step: str | int) -> Json:
    """What stands under a key or index; None if nothing does."""
    if isinstance(value, dict):
        return value.get(step)
    has = isinstance(value, list) and isinstance(step, int) and step < len(value)
    return value[step] if has else None


def _keys(form: Form) -> tuple[frozenset[str], frozenset[str], Sequence[tuple[str, Absent]]]:
    """The keys that a form may have, those that it must have, and where some are none."""
    keys = form.keys.items()
    needed = frozenset(name for name, key in keys if key.usual is UNSET)
    return frozenset(form.keys), needed, [(name, key.absent) for name, key in keys if key.absent]


def _stray(value: Mapping[str, Any], known: Collection[str]) -> str:
    """The first key that is not known."""
    return next((str(key) for key in value if key not in known), "")


LISTED = "s"
"""The end of the sort of a list: actions, costs, …"""


def deeper(scope: Scope, place: str) -> Scope:
    """*scope* inside a map or a comparison at *place*. Raises Fault."""
    if scope.depth == DEEPEST:
        raise Fault(place)
    return replace(scope, depth=scope.depth + 1)
