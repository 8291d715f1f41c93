"""The phrases of a rule as chips: whose, how many, whether.

What stands in a rule under way may be anything; what cannot be read is a gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from games.rules.state import Phrase
from games.rules.state import marked as _

from ..language.definition import Definition
from ..language.expressions import COMPARED
from ..language.saying import Saying, either
from .chips import (
    BEFORE,
    BETWEEN,
    HOLDER_WORDS,
    OPS,
    OWNERS,
    Chip,
    Known,
    Lane,
    as_list,
    as_map,
    called,
)
from .places import Json, Place


class Phrases:
    """Lays the chips of phrases: whose, how many, whether.

    made: the lanes so far; chips go into the last one. saying: reads the rule at its moment.
    known: what a piece may name here.
    """

    def __init__(self, definition: Definition, rule: Mapping[str, Any]) -> None:
        self.rule = rule
        self.when = as_map(rule.get("when"))
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

    # Who

    def names(self, place: Place, value: Json, sort: str, ask: str, **facts: Any) -> None:
        """One name or several of them."""
        named = [str(each) for each in as_list(value)] or ([value] if value else [])
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

    def who(self, value: Json, place: Place, usual: Json = None, form: str = "") -> None:
        """Holders. form: what is said around one word for them: "of {who}"."""
        said = usual if value is None else value
        if isinstance(said, str):
            words = self.saying.atoms()
            says = Phrase(words[said]) if said in words else said
            if form and self.is_you(said):
                says = Phrase(_("yours"))
            elif form:
                says = Phrase(form, who=says)
            self.chip(place, says, "who", value=value, usual=usual)
        elif isinstance(said, dict) and "things" in said:
            self.between(Phrase(_("of each") if form else _("each")))
            self.names((*place, "things"), said["things"], "types", _("what?"))
            of = said.get("of", "all")
            self.chip(
                (*place, "of"), called(OWNERS, of), "owners", value=said.get("of"), usual="all"
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
            for index, part in enumerate(as_list(value)):
                if index:
                    self.chip(place, BETWEEN[key], "amount", **facts)
                self.amount(part, (*here, index))
            if said.get("round") == "up":
                self.chip(place, Phrase(_("rounded up")), "amount", **facts)
        elif key in ("min", "max"):
            self.chip(place, Phrase(BEFORE[key]), "amount", **facts)
            for index, part in enumerate(as_list(value)):
                if index:
                    self.between(Phrase(_("and")))
                self.amount(part, (*here, index))
        else:
            self.chip(place, Phrase(_("how many?")), "amount", **facts)

    def of(self, said: Mapping[str, Any], place: Place) -> None:
        """The owner of the number."""
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
            among = _("are among") if self.is_you(value["is"]) else _("is among")
            self.chip(place, Phrase(among), "condition", value=value)
            self.who(value.get("in"), (*place, "in"))
        elif isinstance(value, dict) and "not" in value:
            self.chip(place, Phrase(_("not")), "condition", value=value)
            self.condition(value["not"], (*place, "not"))
        elif isinstance(value, dict) and ("all" in value or "any" in value):
            key = "all" if "all" in value else "any"
            parts = as_list(value[key])
            for index, each in enumerate(parts):
                if index:
                    depth = self.made[-1].depth
                    self.lane(_("and") if key == "all" else _("or"), depth, (*place, key, index))
                self.condition(each, (*place, key, index), part=True)
            self.chip(place, Phrase(_("and, or…")), "condition", value=value, more=True)
        else:
            self.chip(place, Phrase(_("if what?")), "condition", value=value)

    def is_you(self, who: Json) -> bool:
        """True if the sentence calls these holders “you”."""
        return who in ("it", "holder") and self.saying.its_player and not self.saying.inner
