"""One event as a sentence: what happened, how often, from what to what.

Sentences for the events of every game are here, those of a system in its presentation. An event
without a sentence is described by its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from django.utils.translation import ngettext

from games.rules import marks
from games.rules.state import CEASED, GameState, Phrase, inflected
from games.screens import dice
from games.screens.log.parts import ANY, TIMES, Part, counters, namer, signed
from games.screens.ticking import in_words, whose_are
from games.screens.words import Words
from games.systems.log_words import Sentence
from games.systems.presentation import Presentation

COUNTED = frozenset({"placed", "removed", "spent"})
ON_OBJECTS = {
    "placed": later("%(counters)s on %(on)s"),
    "removed": later("%(counters)s removed from %(on)s"),
    "spent": later("%(counters)s spent from %(on)s"),
}
TAKEN_OFF = later("%(on)s lost {#} %(counter)s {#|counter|counters}")
"""A rule took them, and not a player."""
BY_SEATS = {
    "placed": later("%(on)s got %(counters)s"),
    "removed": later("%(on)s lost %(counters)s"),
    "spent": later("%(on)s spent %(counters)s"),
}
"""Counters come and go, on an object and on a player."""


def event_part(
    its: Words,
    before: GameState,
    after: GameState,
    event: Mapping[str, Any],
    held: Callable[[str, str], int],
    counts: dict[tuple[str, str], int],
) -> Part | None:
    """*event* as its line tells it; None if it is not told.

    held: how many of a kind a holder has. counts: the same by (holder, kind), as far as known; what
    *event* changes is noted there.
    """
    kind, own = event["kind"], its.own
    name = _counting(namer(its, before, after), before, after, subject(event))
    if kind == "created" and "name" in event:
        event = {**event, "name": f"{event['name']}{TIMES}"}
    sentence = own_sentence(own, event)
    if sentence is not None:
        return _sentence_part(
            its, before, {**event, **own.story.phrases(after, event)}, sentence, counts, name
        )
    if kind in COUNTED:
        key = (_holder(event), event["counter"])
        was = held(*key)
        now = was + event["amount"] if kind == "placed" else was - event["amount"]
        counts[key] = now
        on = name(event["on"])
        words = (BY_SEATS if event["on"] in after.seats else ON_OBJECTS)[kind]
        facts = {"counters": counters(its, ANY, event["counter"]), "on": on}
        if kind == "removed" and event.get("rule") and event["counter"] not in own.words.numbers:
            words, facts["counter"] = TAKEN_OFF, its.of_kind(event["counter"])
        text = _(words) % facts
        return Part(text, event["amount"], was, now, holder=key[0], number=key[1], on=on, its=its)
    if kind == "marked":
        return Part(_marked(its, event, name))
    if kind == "corrected" and "counter" in event:
        counts[event["on"], event["counter"]] = event["to"]
        facts = {"kind": its.kind(event["counter"]), "on": name(event["on"])}
        text = _("%(kind)s on %(on)s corrected") % facts
        holder = _holder(event)
        number = event["counter"]
        return Part(text, None, event.get("from"), event["to"], holder=holder, number=number)
    if kind in EVENT_PARTS:
        return EVENT_PARTS[kind](its, before, after, event, name)
    if kind == "moved":
        for each in list(before.on(event["object"])):
            counts[event["object"], each] = 0
        return _moved(its, event, name)
    if kind in dice.KINDS:
        return Part(dice.sentence_without_actor(its, event, name), acts=True)
    if kind == "tick-began" and (text := _ticking(its, after, event, name)):
        return Part(text)
    if kind == "described" and (text := _reworded(its, before, after, event)):
        return Part(text)
    if kind in SENTENCES:
        return _sentence_part(its, before, event, SENTENCES[kind], counts, name)
    return Part(_from_fields(its, event, name))


def own_sentence(own: Presentation, event: Mapping[str, Any]) -> Sentence | None:
    """The game's own sentence for *event*; None if it has none."""
    rule = own.story.sentences.get(event["kind"])
    return rule(event) if callable(rule) else rule


def subject(event: Mapping[str, Any]) -> str:
    """The holder or object that *event* is about; "" if it is about none."""
    subject = event.get("on", event.get("object"))
    return subject if isinstance(subject, str) else ""


def _sentence_part(
    its: Words,
    before: GameState,
    event: Mapping[str, Any],
    sentence: Sentence,
    counts: dict[tuple[str, str], int],
    name: Any,
) -> Part | None:
    """*event* in a sentence, with the number that it changes, before and after."""
    if not sentence.text:
        return None
    fields = Fields(its, {**event, "amount": ANY}, name)
    n = event.get("amount")
    words = inflected(_(sentence.text).replace("{amount|", "{#|"), event) % fields
    if not sentence.number:
        return Part(words, n, acts=sentence.text[:1].islower(), aside=sentence.aside)
    team, holder = event.get("team"), event[sentence.holder]
    key = (f"team:{team}" if team else holder, sentence.number)
    has = before.teams.get(team) if team else before.seats.get(holder) or before.objects.get(holder)
    if not sentence.sign:
        counts[key] = event["to"]
        own = key if hasattr(has, sentence.number) else ("", "")
        return Part(words, None, event.get("from"), event["to"], holder=own[0], number=own[1])
    held = before.count(key[0], sentence.number)
    was = counts.setdefault(key, getattr(has, sentence.number, held))
    now = counts[key] = was + sentence.sign * (n or 0)
    on, aside = name(holder), sentence.aside
    number = sentence.number
    return Part(words, n, was, now, holder=key[0], number=number, on=on, its=its, aside=aside)


def _marked(its: Words, event: Mapping[str, Any], name: Any) -> str:
    """A mark was set, removed, or given a number."""
    value = event["value"]
    if event["mark"] in its.own.story.marks:
        sentence = its.own.story.marks[event["mark"]][0 if value else 1]
    elif type(value) is bool:
        sentence = later("%(on)s: %(mark)s") if value else later("%(on)s: no longer %(mark)s")
    else:
        sentence = later("%(on)s: %(mark)s %(value)s")
    said = _(sentence) % Fields(its, event, name)
    ends = ENDS.get(event.get("until", ""))
    return _(ends) % {"said": said} if ends else said


ENDS = {
    "turn": later("%(said)s until end of turn"),
    "later": later("%(said)s through the next turn"),
    "next": later("%(said)s until the same player’s next turn"),
    "own": later("%(said)s through the same player’s next turn"),
}


def _holder(event: Mapping[str, Any]) -> str:
    """The holder of *event*'s counters: the team, if the seat shares them."""
    return f"team:{event['team']}" if "team" in event else event["on"]


def _counting(
    name: Callable[[Any], str], before: GameState, after: GameState, subject: str
) -> Callable[[Any], str]:
    """*name*, with a place for how many objects of that name the sentence is about."""
    if subject not in after.objects and subject not in before.objects:
        return name
    return lambda each: name(each) + TIMES if each == subject else name(each)


def _moved(its: Words, event: Mapping[str, Any], name: Any) -> Part:
    ceased = event["to"] == CEASED
    usual = later("%(object)s ceased to exist") if ceased else GONE
    where = its.own.words.into.get(event["to"])
    if where and event.get("rule"):  # nobody moved it
        usual = WENT
    sentence = MOVED.get(event["how"], its.own.story.moves.get(event["to"], usual))
    zones = {end: its.word(event.get(end, "")) for end in ("from", "to")}
    zones["where"] = _(where) if where else ""
    text: str = _(sentence) % {"object": name(event["object"]), **zones}
    aside = (
        [_("to %(zone)s") % {"zone": zones["to"]}] if event["how"] in MOVED and not ceased else []
    )
    if lost := ", ".join(counters(its, str(n), kind) for kind, n in event.get("had", {}).items()):
        aside.append(f"{_('lost')} {lost}")
    return Part(text, note="; ".join(aside))


WENT = later("%(object)s went %(where)s")
GONE = later("%(object)s moved from %(from)s to %(to)s")
MOVED = {
    "died": later("%(object)s died"),
    "destroyed": later("%(object)s was destroyed"),
    "sacrificed": later("%(object)s was sacrificed"),
}
"""By how it went: sentences that leave it open where to."""


def _changed(
    its: Words, before: GameState, after: GameState, event: Mapping[str, Any], name: Any
) -> Part:
    """Numbers of a card were changed: "Bear: +3 power, +3 toughness until end of turn"."""
    signs: Mapping[str, Callable[[int, str], str]] = {
        "add": lambda n, word: f"{signed(n)} {word}",
        "multiply": lambda n, word: f"{word} × {n}",
        "set": lambda n, word: f"{word} = {n}".replace("-", "−"),
    }
    changes = [
        sign(n, its.word(number))
        for how, sign in signs.items()
        for number, n in (event.get(how) or {}).items()
    ]
    listed = ", ".join(changes) or _("switched")
    said = f"{name(event['object'])}: {listed}"
    until = ENDS[marks.ending(event.get("later") or "")]
    return Part(said if event.get("lasting") else _(until) % {"said": said})


def _turn_began(
    its: Words, before: GameState, after: GameState, event: Mapping[str, Any], name: Any
) -> Part:
    """The acting seat takes the turn, or gives it to others; several at once play a round."""
    own, n = event["by"] in event["active"], event.get("number")
    several = len(event["active"]) > 1 and event.get("round")
    facts = {"active": name(list(event["active"])), "n": several or n}
    if several:
        words = _("started round %(n)s")
    elif n:
        words = _("started turn %(n)s") if own else _("passed turn %(n)s to %(active)s")
    else:
        words = _("started a turn") if own else _("passed the turn to %(active)s")
    return Part(words % facts, acts=True)


def starting(who: str, count: int) -> str:
    """That *count* seats have the first turn."""
    return ngettext("%(who)s starts", "%(who)s start", count) % {"who": who}


def _about(prompt: str) -> str:
    """The id of what a prompt is about; "" if it is about nothing."""
    return prompt.partition("#")[0].partition(":")[2]


def _question(its: Words, prompt: str, name: Any, known: str = "") -> str:
    """A question in quotation marks, with what it is about unless that is *known*."""
    about = _about(prompt)
    asked = _("“%(asked)s”") % {"asked": its.question(prompt.partition(":")[0])}
    return f"{asked} ({name(about)})" if about and about != known else asked


def _asked(
    its: Words, before: GameState, after: GameState, event: Mapping[str, Any], name: Any
) -> Part:
    """A question was asked, answered or dropped: "answered: “Was the card drawn?” (Tome)"."""
    prompt, about = event["prompt"], _about(event["prompt"])
    waiting = before.prompt(prompt) or after.prompt(prompt)
    to = event.get("to") or (waiting.to if waiting else about if about in after.seats else "")
    facts = {"to": name(to), "asked": _question(its, prompt, name, known=to)}
    if event["kind"] == "prompted":
        return Part(_("%(to)s is asked: %(asked)s") % facts, aside=True)
    if event["kind"] == "voided":
        return Part(_("%(to)s need not answer: %(asked)s") % facts)
    if event.get("number") is not None:
        facts["asked"] += f" {event['number']}"
    if to in ("", event["by"]):
        return Part(_("answered: %(asked)s") % facts, acts=True, aside=True)
    return Part(_("answered for %(to)s: %(asked)s") % facts, acts=True, aside=True)


def _ended(
    its: Words, before: GameState, after: GameState, event: Mapping[str, Any], name: Any
) -> Part:
    """The winners, a draw, or that those who play together have lost."""
    if event["result"] == "draw":
        return Part(_("The game ended in a draw"))
    if event["result"] == "lost":
        return Part(_("The game is lost"))
    if event["result"] != "won" or not after.winners:
        return Part(_("The game ended: %(result)s") % event)
    return Part(_("%(who)s won the game") % {"who": name(list(after.winners))})


def _lost(
    its: Words, before: GameState, after: GameState, event: Mapping[str, Any], name: Any
) -> Part:
    """A seat lost; one that had won by then is just out."""
    who = name(event["seat"])
    if event["seat"] in before.winners:
        return Part(_("%(who)s is out") % {"who": who})
    return Part(_("%(seat)s lost the game") % {"seat": who})


WITH_A_SEAT = {
    "took-along": later("Gone with %(seat)s: %(objects)s"),
    "came-back": later("Back with %(seat)s: %(objects)s"),
}
MOST_NAMED = 3


def _with_a_seat(
    its: Words, before: GameState, after: GameState, event: Mapping[str, Any], name: Any
) -> Part | None:
    """What left the game with a seat, or is back with it: by name, if it is little."""
    n = len(event["objects"])
    if not n:
        return None
    many = ngettext("%(n)s card", "%(n)s cards", n) % {"n": n}
    objects = many if n > MOST_NAMED else name([*event["objects"]])
    facts = {"seat": name(event["seat"]), "objects": objects}
    return Part(_(WITH_A_SEAT[event["kind"]]) % facts)


EVENT_PARTS: Mapping[str, Callable[..., Part | None]] = {
    "changed": _changed,
    "turn-began": _turn_began,
    "prompted": _asked,
    "answered": _asked,
    "voided": _asked,
    "lost": _lost,
    "took-along": _with_a_seat,
    "came-back": _with_a_seat,
    "ended": _ended,
}
"""Events whose sentence depends on who acted, or on the states around them."""


def _ticking(its: Words, after: GameState, event: Mapping[str, Any], name: Any) -> str:
    """The tick of a number from now on, in words; "" in a state without it."""
    on, said = event["on"], after.ticks.get(event["tick"])
    if said is None or said["on"] != on or said["counter"] != event["counter"]:
        return ""
    whose = after.objects[on].controller if on in after.objects else on
    how = in_words(its, said, whose_are(name(whose)))
    text: str = _("%(on)s from now on: %(how)s") % {"on": name(on), "how": how}
    return text


def _reworded(its: Words, before: GameState, after: GameState, event: Mapping[str, Any]) -> str:
    """A card became another, or got another name or other types and nothing else; else ""."""
    was, now = before.objects.get(event["object"]), after.objects.get(event["object"])
    if not (was and now and was.name and now.name):
        return ""
    text, fields = "", [*event["fields"]]
    renamed = "name" in fields and was.name != now.name  # equal in states of another moment
    if fields == ["name"] and renamed:
        text = _("%(was)s is now called %(name)s") % {"was": was.name, "name": now.name}
    types = getattr(now, "types", ())
    retyped = fields == ["types"] and types != getattr(was, "types", ())
    if types and (retyped or (renamed and len(fields) > 1)):
        said = ", ".join([*([now.name] if renamed else ()), *map(its.word, types)])
        text = _("%(name)s is now: %(types)s") % {"name": was.name, "types": said}
    return text.replace("{", "(").replace("}", ")")


class Fields(dict[str, Any]):
    """An event's fields for a sentence, with names in place of ids."""

    SPOKEN = frozenset({"zone", "phase", "mark"})
    WRITTEN = frozenset({"counter", "name", "how", "cause", "rule"})
    """Fields that are never ids, whatever cards and seats are called."""

    def __init__(self, its: Words, event: Mapping[str, Any], name: Any) -> None:
        super().__init__(event)
        self._its, self._name = its, name

    def __getitem__(self, key: str) -> Any:
        value = self.get(key, "")
        if isinstance(value, Phrase):
            return self._its.phrase(value)
        if key == "counter" and value:
            return self._its.of_kind(value)
        if key == "rule" or (key == "text" and "rule" in self):
            return self._its.own_text(value)
        if key == "counter_name":
            return self._its.kind(self.get("counter", ""))
        if key in self.SPOKEN:
            return self._its.word(value)
        if key == "text":  # braces that a player wrote are not placeholders
            return str(value).replace("{", "(").replace("}", ")")
        if key == "prompt":
            return _question(self._its, str(value), self._name)
        as_it_is = key in self.WRITTEN or isinstance(value, bool | Mapping) or not value
        return value if as_it_is else self._name(value)


SENTENCES: Mapping[str, Sentence] = {
    "created": Sentence(later("added %(name)s to %(zone)s")),
    "shifted": Sentence(later("%(object)s: %(from)s → %(to)s")),
    "controlled": Sentence(later("%(to)s took control of %(object)s from %(from)s")),
    "phase-began": Sentence(later("moved on to %(phase)s")),
    "described": Sentence(later("corrected %(object)s: %(fields)s")),
    "tick-began": Sentence(later("%(counter_name)s on %(on)s now changes by itself")),
    "tick-used": Sentence(""),
    "tick-ended": Sentence(later("%(counter_name)s on %(on)s no longer changes by itself")),
    "seat-added": Sentence(later("%(seat)s sat down")),
    "sat-out": Sentence(later("%(seat)s does not play: nobody sits there"), aside=True),
    "sat-down": Sentence(later("%(seat)s sat down")),
    "restored": Sentence(later("%(seat)s is back in the game")),
    "result-withdrawn": Sentence(later("The result no longer holds")),
    "attributed": Sentence(later("Lines %(entries)s came from %(to)s")),
    "noted": Sentence(later("noted: %(text)s")),
    "struck": Sentence(later("crossed off: %(text)s")),
}
"""For the events of every game; a system has its own in `Story.sentences`."""


UNTOLD = frozenset({"kind", "entry", "rule", "compared"})
"""The fields that no event tells by itself: Why? does."""


def _from_fields(its: Words, event: Mapping[str, Any], name: Any) -> str:
    """An event without a sentence, by its fields: "Switched: Pikachu ex, with Charmander"."""
    fields = Fields(its, event, name)
    shown = [
        words
        for number, key in enumerate(key for key in event if key not in UNTOLD)
        if (words := _field(its, key, fields[key], first=number == 0))
    ]
    words = its.word(event["kind"]).capitalize()
    return f"{words}: {', '.join(shown)}" if shown else words


def _field(its: Words, key: str, value: Any, *, first: bool) -> str:
    """One field of an event in words; nothing if it is false."""
    if type(value) is bool:
        return its.word(key) if value else ""
    if isinstance(value, Mapping):
        value = ", ".join(f"{n} {its.kind(each)}" for each, n in value.items())
    return str(value) if first else f"{its.word(key)} {value}"
