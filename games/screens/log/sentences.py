"""Facts as sentences: what happened, how often, from what to what, and by which rule.

Every kind of event has its sentence here, or is told plainly in the rules' own words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later

from games.rules.state import GameState
from games.rules.system import Entry, Rule, System
from games.screens import dice, view_models
from games.screens.words import kind as kind_said
from games.screens.words import spoken


@dataclass(frozen=True, slots=True)
class Part:
    """One fact of a line.

    words: what happened, with "{#}" where its number stands, so that quick taps add up.
    rule: the number that made it happen by itself; why: its words.
    """

    words: str
    n: int | None = None
    before: int | None = None
    after: int | None = None
    rule: str = ""
    why: str = ""

    @property
    def text(self) -> str:
        return self.words.replace("{#}", f"{self.n}")


def parts(system: System, before: GameState, after: GameState, entry: Entry) -> Iterator[Part]:
    counts: dict[tuple[str, str], int] = {}

    def held(holder: str, kind: str) -> int:
        return counts.setdefault((holder, kind), before.count(holder, kind))

    yield from turned(entry.events)
    for event in entry.events:
        if event["kind"] in ("undone", "redone"):
            continue
        number = event.get("rule", "")
        rule: Rule | None = system.rules.get(number)
        part = _part(before, after, event, held, counts)
        source = entry.command.get("source")
        placed = event["kind"] == "placed" and not number and source != event["on"]
        if part and source and placed:
            by = _naming(before, after)(source)
            part = replace(part, words=_("%(what)s, by %(by)s") % {"what": part.words, "by": by})
        if part:
            yield replace(part, rule=number, why=_(rule.text) if rule else "")
    if not entry.events:
        yield Part(_("nothing happened"))


def turned(events: Iterable[Mapping[str, Any]]) -> Iterator[Part]:
    """The lines that *events* took or gave back, as one sentence."""
    numbers: dict[str, list[int]] = {}
    for event in events:
        if event["kind"] in ("undone", "redone"):
            numbers.setdefault(event["kind"], []).append(event["of"])
    sentences = {
        "undone": (later("Took back line %(of)s"), later("Took back lines %(of)s")),
        "redone": (later("Gave back line %(of)s"), later("Gave back lines %(of)s")),
    }
    for kind, (one, several) in sentences.items():
        if of := numbers.get(kind):
            yield Part(_(one if len(of) == 1 else several) % {"of": _listed(of)})


def _listed(numbers: Sequence[int]) -> str:
    """Numbers of lines as people say them: "3", "5, 4", "12 to 7"."""
    run = list(range(numbers[0], numbers[-1], 1 if numbers[-1] > numbers[0] else -1))
    if len(numbers) > 2 and [*run, numbers[-1]] == list(numbers):
        return _("%(first)s to %(last)s") % {"first": numbers[0], "last": numbers[-1]}
    return ", ".join(map(str, numbers))


def _part(
    before: GameState, after: GameState, event: Mapping[str, Any], held: Any, counts: Any
) -> Part | None:
    kind = event["kind"]
    name = _naming(before, after)
    if kind in ("placed", "removed", "spent"):
        key = (_holder(event), event["counter"])
        was = held(*key)
        now = was + event["amount"] if kind == "placed" else was - event["amount"]
        counts[key] = now
        words = {
            "placed": _("+%(n)s %(kind)s on %(on)s"),
            "removed": _("−%(n)s %(kind)s off %(on)s"),
            "spent": _("%(n)s %(kind)s of %(on)s spent"),
        }[kind]
        text = words % {"n": "{#}", "kind": kind_said(event["counter"]), "on": name(event["on"])}
        return Part(text, event["amount"], was, now)
    if kind in LIFE:
        return _life(before, event, counts, name)
    if kind == "marked":
        return Part(_marked(event, name))
    if kind == "flipped":
        down, up = _("%(object)s: face down"), _("%(object)s: face up")
        return Part((down if event["face_down"] else up) % _Said(event, name))
    if kind == "kind-opened":
        opened, bound = _("%(counter)s: on any card"), _("%(counter)s: only where a card says so")
        return Part((opened if event["open"] else bound) % event)
    if kind == "corrected":
        dealt = _("damage by %(by)s") % {"by": name(event.get("commander", ""))}
        what = dealt if "commander" in event else event.get("counter", "life")
        counts[event["on"], what] = event["to"]
        text = _("%(kind)s on %(on)s corrected") % {
            "kind": kind_said(what),
            "on": name(event["on"]),
        }
        return Part(text, None, event.get("from"), event["to"])
    if kind == "moved":
        for each in list(before.on(event["object"])):
            counts[event["object"], each] = 0
        return Part(_moved(event, name))
    if kind in dice.KINDS:
        return Part(dice.said(event, name))
    sentence = SENTENCES.get(kind)
    if sentence is None:
        return Part(_plainly(event, name))
    if not sentence:
        return None
    n = event.get("amount")
    return Part(_(sentence) % _Said({**event, "amount": "{#}"}, name), n)


LIFE = {"life-lost": -1, "life-gained": 1}


def _life(before: GameState, event: Mapping[str, Any], counts: Any, name: Any) -> Part:
    """Life goes up or down, a player's own or a team's, also twice in one entry."""
    seat, team, n = event["seat"], event.get("team"), event["amount"]
    holder = before.teams.get(team) if team else before.seats.get(seat)
    key = (f"team:{team}" if team else seat, "life")
    was = counts.setdefault(key, getattr(holder, "life", 0))
    now = counts[key] = was + LIFE[event["kind"]] * n
    words = {
        "life-lost": _("%(who)s lost %(n)s life"),
        "life-gained": _("%(who)s gained %(n)s life"),
    }
    if hasattr(holder, "life_word"):
        words = {
            "life-lost": _("%(who)s lost %(n)s life points"),
            "life-gained": _("%(who)s gained %(n)s life points"),
        }
    text = words[event["kind"]] % {"who": name(seat), "n": "{#}"}
    causes = {"radiation": _("radiation"), "commander": _("a commander"), "cost": _("as a cost")}
    cause = event.get("cause")
    return Part(f"{text} ({causes.get(cause, cause)})" if cause else text, n, was, now)


def _marked(event: Mapping[str, Any], name: Any) -> str:
    """A mark was made, taken away, or set to a number."""
    words = {True: _("%(on)s: %(mark)s"), False: _("%(on)s: no longer %(mark)s")}
    value = event["value"]
    sentence = words[value] if type(value) is bool else _("%(on)s: %(mark)s %(value)s")
    return sentence % _Said(event, name)


def _holder(event: Mapping[str, Any]) -> str:
    """Who has the counters of *event*: the team, where a seat shares them."""
    return f"team:{event['team']}" if "team" in event else event["on"]


def _naming(before: GameState, after: GameState) -> Any:
    def name(each: Any) -> str:
        if isinstance(each, list):
            return ", ".join(name(one) for one in each)
        thing = after.objects.get(each) or before.objects.get(each)
        if thing:
            state = after if thing.id in after.objects else before
            plain = replace(thing, name=thing.name.replace("{", "(").replace("}", ")"))
            return view_models.told_apart(state, plain, "{" + view_models.keeper(thing) + "}")
        return "{" + each + "}" if each in after.seats else str(each)

    return name


def _moved(event: Mapping[str, Any], name: Any) -> str:
    words = {
        "moved": _("%(object)s: %(from)s → %(to)s"),
        "died": _("%(object)s died → %(to)s"),
        "destroyed": _("%(object)s was destroyed → %(to)s"),
        "sacrificed": _("%(object)s was sacrificed → %(to)s"),
    }
    zones = {end: spoken(event.get(end, "")) for end in ("from", "to")}
    said = {"object": name(event["object"]), **zones}
    text = words.get(event["how"], words["moved"]) % said
    lost = ", ".join(f"{n} {kind_said(kind)}" for kind, n in event.get("had", {}).items())
    return f"{text} ({_('lost')} {lost})" if lost else text


class _Said(dict[str, Any]):
    """An event's fields for a sentence, with names in place of ids."""

    NAMES = frozenset({"object", "objects", "on", "seat", "champion", "to", "from", "active"})
    SPOKEN = frozenset({"zone", "phase", "mark"})

    def __init__(self, event: Mapping[str, Any], name: Any) -> None:
        super().__init__(event)
        self._name = name

    def __getitem__(self, key: str) -> Any:
        value = self.get(key, "")
        if key in self.SPOKEN:
            return spoken(value)
        if key == "text":  # what somebody wrote holds no places for numbers and names
            return str(value).replace("{", "(").replace("}", ")")
        if key == "prompt":
            kind, _colon, about = str(value).partition(":")
            return f"{spoken(kind)}, {self._name(about.partition('#')[0])}"
        return self._name(value) if key in self.NAMES and value else value


SENTENCES: Mapping[str, str] = {
    "created": later("%(name)s (new) → %(zone)s"),
    "controlled": later("%(object)s: %(from)s → %(to)s"),
    "turn-began": later("Turn of %(active)s"),
    "phase-began": later("Phase: %(phase)s"),
    "prompted": later("Waiting: %(prompt)s"),
    "answered": later("Answered: %(prompt)s"),
    "voided": later("Taken off unresolved: %(prompt)s"),
    "lost": later("%(seat)s lost"),
    "ended": later("The game ended: %(result)s"),
    "damaged": later("%(amount)s damage to %(on)s"),
    "recovered": later("%(champion)s recovered %(amount)s"),
    "defeated": later("%(object)s is defeated"),
    "drew": later("%(seat)s drew %(amount)s"),
    "reserved": later("%(seat)s paid %(amount)s reserve"),
    "leveled": later("%(object)s is level %(level)s with %(life)s life"),
    "transformed": later("%(object)s was changed"),
    "changed": later("%(object)s: power and life changed"),
    "permitted": later("%(object)s may hold %(counter)s"),
    "revoked": later("%(object)s may not hold %(counter)s any more"),
    "registered": later("%(object)s: +%(amount)s %(counter)s when a Spell resolves"),
    "watched": later("%(object)s: told at %(at)s %(counter)s"),
    "spell-resolved": later("A Spell resolved"),
    "threshold-reached": later("%(on)s has reached %(threshold)s %(counter)s counters"),
    "commander-damaged": later(
        "%(from)s dealt %(amount)s combat damage to %(seat)s: %(total)s in all"
    ),
    "commander-cast": later("%(object)s was cast from the command zone: %(times)s in all"),
    "milled": later("%(seat)s milled %(amount)s of %(due)s"),
    "nonland-milled": later("%(amount)s of them no lands, in one batch"),
    "left": later("%(seat)s left the game"),
    "restarted": later("The game begins anew"),
    "turn-ended": later("Marked damage and passing changes end: %(objects)s"),
    "had-champion": "",
    "noted": later("noted: %(text)s"),
    "struck": later("struck off: %(text)s"),
}


def _plainly(event: Mapping[str, Any], name: Any) -> str:
    """A fact that has no sentence yet, in the rules' own words."""
    said = _Said(event, name)
    rest = [f"{key} {said[key]}" for key in event if key not in ("kind", "entry", "rule")]
    return " ".join([event["kind"].replace("-", " "), ", ".join(rest)]).strip()
