"""Events as sentences: what happened, how often, from what to what, and by which rule.

Sentences for the events of every game are here, those of a system in its presentation. An event
without a sentence is described by its fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later

from games.rules.state import CEASED, GameState, Phrase, inflected
from games.rules.system import Entry, Rule, System
from games.rules.values import fast_replace, frozen
from games.screens import dice, view_models
from games.screens.words import counted, of_kind, phrase_text, question, word_for
from games.screens.words import kind as kind_text
from games.systems import presentation_of
from games.systems.presentation import Presentation, Sentence

A_WORD = re.compile(r"[a-z]+(?:[-_][a-z]+)*").fullmatch
"""What a system says by an id of its own: a zone, a choice, a condition."""


@frozen
class Part:
    """One event in a line.

    words: the sentence, with "{#}" in place of its number, so that quick taps can be added up, and
    "{×}" after the name of the object that it is about.
    times: of how many objects of that name it tells the same.
    rule: the number of the rule that caused it; why: the text of that rule.
    holder, number: whose number went from `before` to `after`, and which; on: its holder's name.
    aside: it says only with what the rest was done, such as dice.
    """

    words: str
    n: int | None = None
    before: int | None = None
    after: int | None = None
    rule: str = ""
    why: str = ""
    holder: str = ""
    number: str = ""
    on: str = ""
    times: int = 1
    aside: bool = False
    acts: bool = False
    """Whether its words go on from the name of who acted: "took back line 3"."""

    @property
    def text(self) -> str:
        words = self.words
        if self.n == 0 and self.on:  # taps that took each other back
            kind = capfirst(kind_text(self.number))
            words = _("%(kind)s on %(on)s as before") % {"kind": kind, "on": self.on}
        elif self.n is not None:
            words = inflected(words.replace("{#|", "{n|"), {"n": self.n})
        return words.replace("{#}", f"{self.n}").replace(TIMES, times(self.times))

    @property
    def told(self) -> str:
        """The sentence with its number before and after: "2 debuff on Squire, 0 → 2"."""
        return f"{self.text}, {self.change}" if self.change else self.text

    @property
    def change(self) -> str:
        """The number before and after; "" if it is about none."""
        if self.after is None:
            return ""
        ends = (None if self.n == 0 else self.before, self.after)
        shown = [f"{n}".replace("-", "−") for n in ends if n is not None]
        return " → ".join(shown)


ANY = "{#}"
TIMES = "{×}"
COUNTED = frozenset({"placed", "removed", "spent"})
ON_OBJECTS = {
    "placed": later("%(counters)s on %(on)s"),
    "removed": later("%(counters)s removed from %(on)s"),
    "spent": later("%(counters)s spent from %(on)s"),
}
BY_SEATS = {
    "placed": later("%(on)s got %(counters)s"),
    "removed": later("%(on)s lost %(counters)s"),
    "spent": later("%(on)s spent %(counters)s"),
}
"""Counters come and go, on an object and on a player."""


def times(n: int) -> str:
    """How many of one name: " ×20"; nothing for one."""
    return f" ×{n}" if n > 1 else ""


def parts(system: System, before: GameState, after: GameState, entry: Entry) -> Iterator[Part]:
    """What *entry* did, one part for each event that has a sentence."""
    yield from undo_sentences(entry.events)
    for _event, part in told(system, before, after, entry):
        yield part
    if not entry.events:
        yield Part(_("nothing happened"))


def told(
    system: System, before: GameState, after: GameState, entry: Entry
) -> Iterator[tuple[Mapping[str, Any], Part]]:
    """The events of *entry* that have a sentence, without those of undo and redo.

    What happened to several objects of one name in the same way is told once, of all of them.
    """
    found: dict[Any, tuple[Mapping[str, Any], Part]] = {}
    about: dict[Any, set[str]] = {}
    for number, (event, part) in enumerate(_folded(_one_by_one(system, before, after, entry))):
        said = (part.words, part.n, part.before, part.after, part.rule, part.number)
        key: Any = said if TIMES in part.words else number
        found.setdefault(key, (event, part))
        about.setdefault(key, set()).add(_subject(event))
    for key, (event, part) in found.items():
        yield event, fast_replace(part, times=len(about[key]))


def _folded(
    parts: Iterable[tuple[Mapping[str, Any], Part]],
) -> Iterator[tuple[Mapping[str, Any], Part]]:
    """*parts*, of which one that says how much also says what the next one counts.

    "3 damage to Lorraine" and "3 damage on Lorraine, 0 → 3" are one thing to whoever reads.
    """
    kept: tuple[Mapping[str, Any], Part] | None = None
    for event, part in parts:
        if kept and part.before is not None and _same_amount(kept, event):
            first, said = kept
            kept = None
            names = ("holder", "number", "on", "before", "after", "rule", "why")
            yield first, fast_replace(said, **{name: getattr(part, name) for name in names})
            continue
        if kept:
            yield kept
        kept = event, part
    if kept:
        yield kept


def _same_amount(kept: tuple[Mapping[str, Any], Part], event: Mapping[str, Any]) -> bool:
    first, part = kept
    named = part.n is not None and part.after is None and "on" in first
    return named and (first["on"], part.n) == (event.get("on"), event.get("amount"))


def _subject(event: Mapping[str, Any]) -> str:
    """The holder or object that *event* is about; "" if it is about none."""
    subject = event.get("on", event.get("object"))
    return subject if isinstance(subject, str) else ""


def _one_by_one(
    system: System, before: GameState, after: GameState, entry: Entry
) -> Iterator[tuple[Mapping[str, Any], Part]]:
    counts: dict[tuple[str, str], int] = {}
    earlier: dict[Any, Part] = {}
    own = presentation_of(system)

    def held(holder: str, kind: str) -> int:
        return counts.setdefault((holder, kind), before.count(holder, kind))

    for event in entry.events:
        if event["kind"] in ("undone", "redone"):
            continue
        number = event.get("rule", "")
        rule: Rule | None = system.rules.get(number)
        source = entry.command.get("source")
        # A row of a hundred tokens is a hundred events with one sentence.
        obj = after.objects.get(event["on"]) if event["kind"] in COUNTED else None
        like = obj and (
            *(value for key, value in event.items() if key not in ("on", "entry")),
            *(obj.name, view_models.keeper(obj)),
            *(held(event["on"], event["counter"]), source == event["on"]),
        )
        if like in earlier:
            counts[event["on"], event["counter"]] = earlier[like].after or 0
            yield event, earlier[like]
            continue
        part = _part(own, before, after, {"by": entry.by, **event}, held, counts)
        placed = event["kind"] == "placed" and not number and source != event["on"]
        if part and source and placed:
            by = namer(before, after)(source)
            part = fast_replace(
                part, words=_("%(what)s, by %(by)s") % {"what": part.words, "by": by}
            )
        if part:
            part = fast_replace(part, rule=number, why=_(rule.text) if rule else "")
            if like:
                earlier[like] = part
            yield event, part


def attribution(event: Mapping[str, Any], done: Iterable[Part], name: Any) -> Part | None:
    """An "attributed" event with what its entries did (*done*): "−3 life on Ana came from Ben"."""
    by: dict[tuple[str, str], int] = {}
    for part in done:
        if part.holder and part.before is not None and part.after is not None:
            key = (part.holder, part.number)
            by[key] = by.get(key, 0) + part.after - part.before
    changes = [
        _("%(by_how_much)s on %(whose)s")
        % {"by_how_much": counters(signed(n), number), "whose": name(holder)}
        for (holder, number), n in by.items()
        if n
    ]
    if not changes:
        return None
    facts = {"what": ", ".join(changes), "to": name(event["to"])}
    return Part(_("%(what)s came from %(to)s") % facts)


def signed(n: int) -> str:
    """*n* with its sign: "−3", "+2"."""
    return f"{'−' if n < 0 else '+' if n else '±'}{abs(n)}"


def counters(n: str, counter: str) -> str:
    """So many counters: "2 debuff", but "2 × +1/+1", so that two signs never meet.

    n: a number, perhaps with its sign, or "{#}" for one that is not known yet.
    """
    shown = counted(0 if n == ANY else int(n.lstrip("+−±-")), counter)
    if n == ANY and (one := counted(1, counter)) != shown:
        return f"{n} {{#|{one}|{shown}}}"
    return f"{n} {shown}" if shown[:1].isalpha() else f"{n} × {shown}"


def undo_sentences(events: Iterable[Mapping[str, Any]]) -> Iterator[Part]:
    """The lines that *events* undid or redid, as one sentence."""
    numbers: dict[str, list[int]] = {}
    for event in events:
        if event["kind"] in ("undone", "redone"):
            numbers.setdefault(event["kind"], []).append(event["of"])
    for kind, verb in (("undone", "undo"), ("redone", "redo")):
        if of := numbers.get(kind):
            yield Part(undo_sentence(verb, of), acts=True)


def undo_sentence(verb: str, of: Collection[int]) -> str:
    """The lines *of* that were undone or redone: "took back lines 30 to 36"."""
    one, several = {
        "undo": (later("took back line %(of)s"), later("took back lines %(of)s")),
        "redo": (later("brought back line %(of)s"), later("brought back lines %(of)s")),
    }[verb]
    return _(one if len(of) == 1 else several) % {"of": _listed(sorted(of))}


def _listed(numbers: Sequence[int]) -> str:
    """Line numbers as people say them: "3", "4, 5", "7 to 12"."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return _("%(first)s to %(last)s") % {"first": numbers[0], "last": numbers[-1]}
    return ", ".join(map(str, numbers))


def announced(system: System, state: GameState, event: Mapping[str, Any]) -> str:
    """One event as its system tells it, with seats' ids in braces; "" if it has no sentence."""
    own = presentation_of(system)
    if event["kind"] not in own.sentences:
        return ""
    part = _part(own, state, state, event, state.count, {})
    return part.text if part else ""


def _part(
    own: Presentation,
    before: GameState,
    after: GameState,
    event: Mapping[str, Any],
    held: Any,
    counts: Any,
) -> Part | None:
    kind = event["kind"]
    name = _counting(namer(before, after), before, after, _subject(event))
    if kind == "created" and "name" in event:
        event = {**event, "name": f"{event['name']}{TIMES}"}
    telling = own.sentences.get(kind)
    sentence = telling(event) if callable(telling) else telling
    if sentence is not None:
        return _sentence_part(before, {**event, **own.told(after, event)}, sentence, counts, name)
    if kind in COUNTED:
        key = (_holder(event), event["counter"])
        was = held(*key)
        now = was + event["amount"] if kind == "placed" else was - event["amount"]
        counts[key] = now
        words = (BY_SEATS if event["on"] in after.seats else ON_OBJECTS)[kind]
        on = name(event["on"])
        text = _(words) % {"counters": counters(ANY, event["counter"]), "on": on}
        return Part(text, event["amount"], was, now, holder=key[0], number=key[1], on=on)
    if kind == "marked":
        return Part(_marked(own, event, name))
    if kind == "corrected" and "counter" in event:
        counts[event["on"], event["counter"]] = event["to"]
        facts = {"kind": kind_text(event["counter"]), "on": name(event["on"])}
        text = _("%(kind)s on %(on)s corrected") % facts
        holder = _holder(event)
        number = event["counter"]
        return Part(text, None, event.get("from"), event["to"], holder=holder, number=number)
    if kind in TELLINGS:
        return TELLINGS[kind](before, after, event, name)
    if kind == "moved":
        for each in list(before.on(event["object"])):
            counts[event["object"], each] = 0
        return Part(_moved(own, event, name))
    if kind in dice.KINDS:
        return Part(dice.sentence_without_actor(event, name), acts=True)
    if kind == "described" and (text := _renamed(before, after, event)):
        return Part(text)
    if kind in SENTENCES:
        return _sentence_part(before, event, SENTENCES[kind], counts, name)
    return Part(_from_fields(event, name))


def _sentence_part(
    before: GameState, event: Mapping[str, Any], sentence: Sentence, counts: Any, name: Any
) -> Part | None:
    """*event* in a sentence, with the number that it changes, before and after."""
    if not sentence.text:
        return None
    fields = _Fields({**event, "amount": ANY}, name)
    n = event.get("amount")
    words = inflected(_(sentence.text).replace("{amount|", "{#|"), event) % fields
    if not sentence.number:
        return Part(words, n, acts=sentence.text[:1].islower())
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
    on = name(holder)
    return Part(words, n, was, now, holder=key[0], number=sentence.number, on=on)


def _marked(own: Presentation, event: Mapping[str, Any], name: Any) -> str:
    """A mark was set, removed, or given a number."""
    value = event["value"]
    if event["mark"] in own.marks:
        sentence = own.marks[event["mark"]][0 if value else 1]
    elif type(value) is bool:
        sentence = later("%(on)s: %(mark)s") if value else later("%(on)s: no longer %(mark)s")
    else:
        sentence = later("%(on)s: %(mark)s %(value)s")
    said = _(sentence) % _Fields(event, name)
    return _("%(said)s until end of turn") % {"said": said} if event.get("until") else said


def _holder(event: Mapping[str, Any]) -> str:
    """The holder of *event*'s counters: the team, if the seat shares them."""
    return f"team:{event['team']}" if "team" in event else event["on"]


def namer(before: GameState, after: GameState) -> Callable[[Any], str]:
    """What a sentence calls an object, a seat or a word; seats are ids in braces."""

    def name(each: Any) -> str:
        if isinstance(each, list):
            return get_text_list([name(one) for one in each], _("and"))
        obj = after.objects.get(each) or before.objects.get(each)
        if obj:
            state = after if obj.id in after.objects else before
            plain = fast_replace(obj, name=obj.name.replace("{", "(").replace("}", ")"))
            return view_models.distinct_name(state, plain, "{" + view_models.keeper(obj) + "}")
        word = str(each)
        if word.startswith("team:") and (team := after.teams.get(word.removeprefix("team:"))):
            return " + ".join(name(seat) for seat in team.seats)
        if word in after.seats:
            return "{" + word + "}"
        return word_for(word) if A_WORD(word) else word

    return name


def _counting(
    name: Callable[[Any], str], before: GameState, after: GameState, subject: str
) -> Callable[[Any], str]:
    """*name*, with a place for how many objects of that name the sentence is about."""
    if subject not in after.objects and subject not in before.objects:
        return name
    return lambda each: name(each) + TIMES if each == subject else name(each)


def _moved(own: Presentation, event: Mapping[str, Any], name: Any) -> str:
    ceased = event["to"] == CEASED
    usual = later("%(object)s ceased to exist") if ceased else GONE
    sentence = MOVED.get(event["how"], own.moves.get(event["to"], usual))
    zones = {end: word_for(event.get(end, "")) for end in ("from", "to")}
    text: str = _(sentence) % {"object": name(event["object"]), **zones}
    aside = (
        [_("to %(zone)s") % {"zone": zones["to"]}] if event["how"] in MOVED and not ceased else []
    )
    if lost := ", ".join(counters(str(n), kind) for kind, n in event.get("had", {}).items()):
        aside.append(f"{_('lost')} {lost}")
    return f"{text} ({'; '.join(aside)})" if aside else text


GONE = later("%(object)s moved from %(from)s to %(to)s")
MOVED = {
    "died": later("%(object)s died"),
    "destroyed": later("%(object)s was destroyed"),
    "sacrificed": later("%(object)s was sacrificed"),
}
"""By how it went: sentences that leave it open where to."""


def _changed(before: GameState, after: GameState, event: Mapping[str, Any], name: Any) -> Part:
    """Numbers of a card were changed: "Bear: +3 power, +3 toughness until end of turn"."""
    signs: Mapping[str, Callable[[int, str], str]] = {
        "add": lambda n, word: f"{signed(n)} {word}",
        "multiply": lambda n, word: f"{word} × {n}",
        "set": lambda n, word: f"{word} = {n}".replace("-", "−"),
    }
    changes = [
        sign(n, word_for(number))
        for how, sign in signs.items()
        for number, n in (event.get(how) or {}).items()
    ]
    told = ", ".join(changes) or _("switched")
    said = f"{name(event['object'])}: {told}"
    temporary = not event.get("lasting")
    return Part(_("%(said)s until end of turn") % {"said": said} if temporary else said)


def _turn_began(before: GameState, after: GameState, event: Mapping[str, Any], name: Any) -> Part:
    """Whoever acted takes the turn, or gives it to others."""
    own, n = event["by"] in event["active"], event.get("number")
    facts = {"active": name(list(event["active"])), "n": n}
    if n:
        words = _("started turn %(n)s") if own else _("passed turn %(n)s to %(active)s")
    else:
        words = _("started a turn") if own else _("passed the turn to %(active)s")
    return Part(words % facts, acts=True)


def _about(prompt: str) -> str:
    """The id of what a prompt is about; "" if it is about nothing."""
    return prompt.partition("#")[0].partition(":")[2]


def _question(prompt: str, name: Any, known: str = "") -> str:
    """A prompt in words, with what it is about unless that is *known*."""
    asked, about = question(prompt.partition(":")[0]), _about(prompt)
    return f"{asked} ({name(about)})" if about and about != known else asked


def _asked(before: GameState, after: GameState, event: Mapping[str, Any], name: Any) -> Part:
    """A question was asked, answered or dropped: "answered “the coin for Burned” (Pikachu)"."""
    prompt, about = event["prompt"], _about(event["prompt"])
    waiting = before.prompt(prompt) or after.prompt(prompt)
    to = waiting.to if waiting else about if about in after.seats else ""
    facts = {"to": name(to), "asked": _question(prompt, name, known=to)}
    if event["kind"] == "prompted":
        return Part(_("%(to)s is asked: %(asked)s") % facts)
    if event["kind"] == "voided":
        return Part(_("%(to)s need not answer: %(asked)s") % facts)
    if to in ("", event["by"]):
        return Part(_("answered: %(asked)s") % facts, acts=True)
    return Part(_("answered for %(to)s: %(asked)s") % facts, acts=True)


def _ended(before: GameState, after: GameState, event: Mapping[str, Any], name: Any) -> Part:
    """Who has won, or that it is a draw."""
    if event["result"] == "draw":
        return Part(_("The game ended in a draw"))
    if event["result"] != "won" or not after.winners:
        return Part(_("The game ended: %(result)s") % event)
    return Part(_("%(who)s won the game") % {"who": name(list(after.winners))})


def _lost(before: GameState, after: GameState, event: Mapping[str, Any], name: Any) -> Part:
    """Someone lost; whoever had won by then is just out."""
    who = name(event["seat"])
    if event["seat"] in before.winners:
        return Part(_("%(who)s is out") % {"who": who})
    return Part(_("%(seat)s lost the game") % {"seat": who})


TELLINGS: Mapping[str, Callable[..., Part]] = {
    "changed": _changed,
    "turn-began": _turn_began,
    "prompted": _asked,
    "answered": _asked,
    "voided": _asked,
    "lost": _lost,
    "ended": _ended,
}
"""Events whose sentence depends on who acted, or on the states around them."""


def _renamed(before: GameState, after: GameState, event: Mapping[str, Any]) -> str:
    """A card got another name, and nothing else was corrected; else ""."""
    was, now = before.objects.get(event["object"]), after.objects.get(event["object"])
    if event["fields"] not in (["name"], ("name",)) or not (was and now and was.name and now.name):
        return ""
    if was.name == now.name:  # of states that are not those just before and after
        return ""
    text: str = _("%(was)s is now called %(name)s") % {"was": was.name, "name": now.name}
    return text.replace("{", "(").replace("}", ")")


class _Fields(dict[str, Any]):
    """An event's fields for a sentence, with names in place of ids."""

    SPOKEN = frozenset({"zone", "phase", "mark"})
    WRITTEN = frozenset({"counter", "name", "how", "cause", "rule"})
    """Fields that are never ids, whatever cards and seats are called."""

    def __init__(self, event: Mapping[str, Any], name: Any) -> None:
        super().__init__(event)
        self._name = name

    def __getitem__(self, key: str) -> Any:
        value = self.get(key, "")
        if isinstance(value, Phrase):
            return phrase_text(value)
        if key == "counter" and value:
            return of_kind(value)
        if key == "counter_name":
            return kind_text(self.get("counter", ""))
        if key in self.SPOKEN:
            return word_for(value)
        if key == "text":  # braces that a player wrote are not placeholders
            return str(value).replace("{", "(").replace("}", ")")
        if key == "prompt":
            return _question(str(value), self._name)
        as_it_is = key in self.WRITTEN or isinstance(value, bool | Mapping) or not value
        return value if as_it_is else self._name(value)


SENTENCES: Mapping[str, Sentence] = {
    "created": Sentence(later("added %(name)s to %(zone)s")),
    "shifted": Sentence(later("%(object)s: %(from)s → %(to)s")),
    "controlled": Sentence(later("%(to)s took control of %(object)s from %(from)s")),
    "phase-began": Sentence(later("moved on to %(phase)s")),
    "described": Sentence(later("corrected %(object)s: %(fields)s")),
    "restored": Sentence(later("%(seat)s is back in the game")),
    "result-withdrawn": Sentence(later("The result no longer holds")),
    "attributed": Sentence(later("Lines %(entries)s came from %(to)s")),
    "noted": Sentence(later("noted: %(text)s")),
    "struck": Sentence(later("crossed off: %(text)s")),
}
"""For the events of every game; a system has its own in `Presentation.sentences`."""


def _from_fields(event: Mapping[str, Any], name: Any) -> str:
    """An event without a sentence, by its fields: "Switched: Pikachu ex, with Charmander"."""
    fields = _Fields(event, name)
    shown = [
        words
        for number, key in enumerate(key for key in event if key not in ("kind", "entry", "rule"))
        if (words := _field(key, fields[key], first=number == 0))
    ]
    words = word_for(event["kind"]).capitalize()
    return f"{words}: {', '.join(shown)}" if shown else words


def _field(key: str, value: Any, *, first: bool) -> str:
    """One field of an event in words; nothing if it is false."""
    if type(value) is bool:
        return word_for(key) if value else ""
    if isinstance(value, Mapping):
        value = ", ".join(f"{n} {kind_text(each)}" for each, n in value.items())
    return str(value) if first else f"{word_for(key)} {value}"
