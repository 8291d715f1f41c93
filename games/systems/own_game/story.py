"""The words of what rules do, for the log and for moments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from games.rules.state import GameState, Phrase, Words
from games.rules.state import marked as _
from games.rules.system import System
from games.systems.controls import Coin
from games.systems.log_words import Consequence, Reason, Sentence, SentenceRule
from games.systems.wording import Wording

from .events import NAMED
from .language.coins import coins, coins_in
from .language.definition import Definition
from .language.meaning import TABLE, Question
from .texts import translated_as


def changed(event: Mapping[str, Any]) -> Sentence:
    """A number with what was added: its noun is whatever a table typed, so nobody gets or loses it,
    and no word agrees with it."""
    sign = 1 if event["kind"] == "placed" else -1
    said = f"%(counter_name)s {'+' if sign > 0 else '−'}%(amount)s"
    return Sentence(f"{_whose(event)}{said}", event["counter"], sign, "on")


def silent(kinds: Collection[str], event: Mapping[str, Any]) -> Sentence:
    """As `changed`; nothing of numbers of these *kinds*, which are not shown."""
    return Sentence("") if event["counter"] in kinds else changed(event)


def corrected(event: Mapping[str, Any]) -> Sentence:
    """A number that was set by hand."""
    return Sentence(f"{_whose(event)}%(counter_name)s", event["counter"], 0, "on")


def written(event: Mapping[str, Any]) -> Sentence:
    """A blank number that became 0 without a change."""
    return Sentence(f"{_whose(event)}%(counter_name)s = 0")


def _whose(event: Mapping[str, Any]) -> str:
    """The holder of a number: nobody of the table's, all of a team that shares it."""
    if event["on"] == TABLE:
        return ""
    return "%(seats)s: " if "seats" in event else "%(on)s: "


def teamed_up(event: Mapping[str, Any]) -> Sentence:
    """A player is on another team."""
    return Sentence(
        _("%(seat)s plays with %(with)s") if event.get("with") else _("%(seat)s plays alone")
    )


def role_taken(event: Mapping[str, Any]) -> Sentence:
    """A player has another role."""
    return Sentence(
        _("%(seat)s plays %(role)s") if event.get("role") else _("%(seat)s has no role any more")
    )


def revealed(event: Mapping[str, Any]) -> Sentence:
    """A hidden answer that all may see now."""
    return Sentence("%(seat)s: %(number)s")


def revised(event: Mapping[str, Any]) -> Sentence:
    """A number of an earlier line that is another from now on."""
    if "round" not in event:
        was, now = (
            _("corrected line %(of)s: as it was"),
            _("corrected line %(of)s: %(from)s → %(to)s"),
        )
    elif event["seat"] == event.get("by"):
        was = _("corrected round %(round)s: as it was")
        now = _("corrected round %(round)s: %(from)s → %(to)s")
    else:
        was = _("corrected round %(round)s of %(seat)s: as it was")
        now = _("corrected round %(round)s of %(seat)s: %(from)s → %(to)s")
    return Sentence(now if "to" in event else was)


def tells(event: Mapping[str, Any]) -> Sentence:
    """The message of a rule, with its subject: “Ana pays memory”, “Ana: A death move”."""
    if event.get("on") in (None, TABLE):
        return Sentence("%(text)s")
    return Sentence("%(on)s %(text)s" if event["text"][0].islower() else "%(on)s: %(text)s")


def answered(event: Mapping[str, Any]) -> Sentence | None:
    """An answer; dice have said it already."""
    return Sentence("") if event.get("rolled") else None


def lost(event: Mapping[str, Any]) -> Sentence | None:
    """The loss by a rule; that of who leaves goes without saying."""
    return None if event.get("rule") else Sentence("")


COUNTED = "placed", "removed", "spent"
SENTENCES: Mapping[str, SentenceRule] = {
    **dict.fromkeys(COUNTED, changed),
    "written": written,
    "revealed": revealed,
    **dict.fromkeys(("revised", "round-corrected"), revised),
    "teamed-up": teamed_up,
    "role-taken": role_taken,
    "pressed": Sentence(_("pressed %(rule)s")),
    "told": tells,
    "rules-changed": Sentence(_("changed the rules")),
    "left": Sentence(_("%(seat)s left the game")),
    "answered": answered,
    "lost": lost,
}

UNDO_WORDS = {
    "pressed": "%(rule)s",
    "revised": _("correction"),
    "round-corrected": _("correction"),
    "rules-changed": _("rules"),
    "role-taken": _("role"),
}


def named_by(system: System, state: GameState, seat: str) -> Reason | None:
    """The rule by which a seat is out or has won."""
    rule = state.parts.get(NAMED, {}).get(seat)
    return Reason(text=Phrase("{rule}", rule=rule), rule=rule) if rule else None


UNEXPECTED = frozenset({"always", "changes", "enters", "leaves"})
"""The moments at which nobody pressed a button or went on to a turn or phase: what rules do then is
announced."""


def by_rule(given: Consequence) -> Phrase | None:
    """The rule by which something happened; a press names its rule for all that follows from it."""
    rule = given.event["rule"]
    pressed = any(each["kind"] == "pressed" and each["rule"] == rule for each in given.earlier)
    if pressed or given.event["kind"] in ("pressed", "told"):
        return None
    return Phrase("{rule}", rule=rule)


def asks(question: Question) -> Words:
    """The words of a question."""
    return Phrase(_("Roll {dice}"), dice=question.dice) if question.dice else question.text


class OwnWording(Wording, frozen=True, kw_only=True):
    """The words of a definition."""

    coins: Mapping[str, Coin]
    labels: Mapping[str, str]
    written: str
    coins_in: Callable[[Callable[[str], str]], Mapping[str, Coin]] | None


def words_of(definition: Definition) -> OwnWording:
    """The words of a definition's game."""
    context = translated_as(definition.written)
    return OwnWording(
        counted_as=(_("thing"), _("things")),
        coins=coins(definition),
        labels=definition.labels,
        coins_in=partial(coins_in, definition) if context else None,
        written=context,
        questions={
            f"rule-{rule.place}": asks(rule.questions[0])
            for rule in definition.rules.values()
            if rule.questions
        },
    )
