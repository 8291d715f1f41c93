"""The effects of new rules on a running table: in sentences, before and after, and the objects
that do not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from games.rules.state import GameState, Phrase, Refused
from games.rules.state import marked as _
from games.systems.log_words import Consequence
from games.systems.new_game import Change, Changes

from .change_rules import asked_by_rules, refuse_what_does_not_fit, type_in
from .holders import OwnSystem, role_of
from .language.definition import DEFINITION, Definition, understood
from .language.meaning import TABLE
from .language.saying import order_in_words, purpose, sentence
from .led.sentences import lines

OTHERS: Mapping[str, str] = {
    "things": _("things: {what}"),
    "zones": _("zones: {what}"),
    "cooperative": _("everyone wins or loses together"),
    "teams": _("{what} teams"),
    "roles": _("roles: {what}"),
    "about": "{what}",
    "author": _("by {what}"),
}
MOST_NAMED = 2
"""Changes that a moment names; the rules at the table are all there is."""


def changes(
    was: OwnSystem, now: OwnSystem, state: GameState, name: Callable[[str], str]
) -> Changes:
    """The differences of *now* from *was*. name: of a seat or a thing."""
    try:
        refuse_what_does_not_fit(now.definition, state)
    except Refused as refused:
        return Changes([*differences(was.definition, now.definition)], refused=refused)
    return Changes(
        [*differences(was.definition, now.definition)],
        [*_left_over(now.definition, state, name)],
    )


def differences(was: Definition, now: Definition) -> Iterator[Change]:
    """Each number and each rule that is not as it was."""
    yield from _compared(_about(was), _about(now))
    yield from _compared(_set(was), _set(now))
    if was.set != now.set and _set(was) == _set(now):
        yield Change(None, Phrase(_("Words, colours or who sees what.")))
    yield from _compared(_numbers(was), _numbers(now))
    yield from _compared(_rules(was), _in_place(_rules(was), _rules(now)))


def _in_place(was: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """*now* by the names of *was*: what stands for one that is gone, in its place, is that one."""
    gone = {n: name for n, name in enumerate(was) if name not in now}
    return {
        gone.get(n, name) if name not in was else name: it
        for n, (name, it) in enumerate(now.items())
    }


def _compared(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    for key in {**was, **now}:
        before, after = was.get(key), now.get(key)
        if before == after:
            continue
        said, says = before and before[1], after and after[1]
        if said and says and said == says:
            yield Change(None, Phrase(_("{what}: looks or steps differently"), what=key))
        else:
            yield Change(said, says)


def _about(definition: Definition) -> dict[str, Any]:
    least, most = definition.players
    starts = definition.written.get("turns", {}).get("starts")
    turns = definition.order, definition.phases, starts
    said: dict[str, Any] = {
        "title": (definition.title, Phrase("{title}", title=definition.title)),
        "players": (
            definition.players,
            Phrase(_("for {least} to {most} players"), least=least, most=most),
        ),
        "turns": (
            turns,
            Phrase(_("turns: {phases}"), phases=_named(definition, definition.phases)),
        ),
    }
    for key, words in OTHERS.items():
        written = definition.written.get(key)
        if written:
            said[key] = written, Phrase(words, what=_named(definition, written))
    if starts:
        order = Phrase("{turns}; {starts}", turns=said["turns"][1], starts=order_in_words(starts))
        said["turns"] = (turns, order)
    if definition.order == "none":
        said["turns"] = (turns, Phrase(_("no turns")))
    return said


def _set(definition: Definition) -> dict[str, Any]:
    """What the GM's table counts."""
    said = lines(definition.written["gm"]) if definition.led else {}
    return {key: (str(each), each) for key, each in said.items()}


def _named(definition: Definition, written: Any) -> str:
    """Words as people read them."""
    if not isinstance(written, list | tuple):
        return str(written)
    words = [item if isinstance(item, str) else next(iter(item.values())) for item in written]
    return ", ".join(definition.labels.get(word, word) for word in words)


def _numbers(definition: Definition) -> dict[str, Any]:
    written = definition.written.get("numbers", ())
    return {each["kind"]: (each, purpose(definition, each)) for each in written}


def _rules(definition: Definition) -> dict[str, Any]:
    written = definition.written.get("rules", ())
    return {each["rule"]: (each, sentence(definition, each)) for each in written}


def changes_in_words(given: Consequence) -> Phrase | None:
    """The changes of rules in words, for the moment on every screen and for the log."""
    if given.event["kind"] != "rules-changed":
        return None
    was, now = (understood(state.settings[DEFINITION]) for state in (given.before, given.after))
    changed = sorted(differences(was, now), key=lambda each: None in each)
    found = [_in_words(each) for each in changed]
    if not found:
        return None
    said = found[0]
    for each in found[1:MOST_NAMED]:
        said = Phrase("{one} · {other}", one=said, other=each)
    if len(found) > MOST_NAMED:
        n = len(found) - MOST_NAMED
        said = Phrase(_("{said} · and {n} more"), said=said, n=n)
    return said


def _in_words(change: Change) -> Phrase:
    if change.before is None:
        return Phrase(_("new: {now}"), now=change.after)
    if change.after is None:
        return Phrase(_("gone: {was}"), was=change.before)
    return Phrase("{was} → {now}", was=change.before, now=change.after)


def _left_over(now: Definition, state: GameState, name: Callable[[str], str]) -> Iterator[Phrase]:
    """The objects of the table that do not fit: they stay, but for what the sentence says."""
    for prompt in asked_by_rules(state):
        yield Phrase(_("The question to {who} is dropped."), who=name(prompt.to))
    if state.ticks:
        yield Phrase(_("Counters that change by themselves stay, and need a rule for that."))
    phase = state.turn.phase if state.turn else ""
    if now.order != "none" and phase not in now.phases:
        yield Phrase(_("The turn goes to “{phase}”."), phase=now.phases[0])
    for holder in (
        *state.seats,
        TABLE,
        *(key for key, each in state.objects.items() if each.on_field),
    ):
        for kind, n in state.on(holder).items():
            yield from _of_number(now, state, holder, kind, n, name)


def _of_number(
    now: Definition, state: GameState, holder: str, kind: str, n: int, name: Callable[[str], str]
) -> Iterator[Phrase]:
    sort = TABLE if holder == TABLE else role_of(state, holder)
    if holder in state.objects:
        sort = type_in(now, state.objects[holder])
    facts = {"who": name(holder), "n": n, "what": kind}
    number = now.numbers.get(kind)
    if number is None:
        yield Phrase(_("{who}: {n} {what} stay, but no rule counts them."), **facts)
    elif sort not in number.on or number.follows:
        yield Phrase(_("{who}: {n} {what} stay, but nobody can change them there."), **facts)
    elif isinstance(number.most, int) and n > number.most:
        most = number.most
        yield Phrase(
            _("{who}: {n} {what} are above {most} now, and only go down."), most=most, **facts
        )
    elif n < number.least:
        least = number.least
        yield Phrase(
            _("{who}: {n} {what} are below {least} now, and only go up."), least=least, **facts
        )
