"""The moments of a card game: what everyone at the table, or one player, should notice.

Each is one sentence, with its cause, in the words of the log (`games.screens.log.entry_text`). What
one command did comes together; a phone shows it as one moment, what matters most first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as later
from django.utils.translation import ngettext
from msgspec import Struct
from msgspec.structs import replace

from games.rules.history import Applied
from games.rules.state import GameState
from games.rules.system import System
from games.screens.fragments import amount_id
from games.screens.log.entry_text import worded_events
from games.screens.log.event_text import starting, subject
from games.screens.log.lines import colon_after
from games.screens.log.parts import ANY, ANY_FORM, TIMES, Part, sent, times
from games.screens.ticking import change_text, giver
from games.screens.words import IN_BRACES, words_of
from games.systems import presentation_of
from games.systems.presentation import Presentation

RANKS = {"won": 5, "draw": 5, "out": 4, "turn": 3, "asked": 2, "gone": 2}
"""Kinds of moments that come first; the others follow in the order in which they happened."""
MOST = 8
"""At most so many sentences are told of what is drawn together; the log has the rest."""
ENDS = frozenset({"lost", "ended", "turn-began", "prompted", "restored", "seat-added", "sat-down"})
"""The kinds of events that are moments in every game."""
QUIET = ENDS | {"created", "answered", "voided", "phase-began", "noted", "struck", "attributed"}
"""The kinds that no rule and no other player's hand make a moment of."""
BACK = {
    "restored": later("%(who)s is back"),
    "seat-added": later("%(who)s sat down"),
    "sat-down": later("%(who)s sat down"),
}
BEGINNINGS = frozenset({"turn-began", "phase-began"})
LOSSES = frozenset({"died", "sacrificed", "destroyed", "knocked-out"})
"""The animation of a lost card."""

MOST_TICKED = 4
"""So many numbers that changed by themselves are named; the others are counted."""

Names = Callable[[str], str]
"""The name of a seat."""
Event = Mapping[str, Any]


class Moment(Struct, frozen=True, kw_only=True):
    """One sentence that is told.

    kind: "out", "won", "draw", "turn", "gone", "asked", "rule", "other" (what another player did),
    "revealed", "back" or "undo". title: what happened, with "{#}" for `n`. says: why, or what more
    there is to it; "" for nothing. rule: its number. entry: the number of the log's entry that it
    is of. seat: whom it is about, "" for nobody. to: the seats whose phones tell it; empty for all.
    but: the seats whose phones do not. stays: the seats on whose phones it stands for longer, since
    they may want it back. about: the id of the card it is about. n: a number to which
    a phone adds those of the next taps. numbers: the ids of the numbers whose change it says, so
    that nobody hears it twice. blow: of who has won, what put the last other out: its sentence, and
    their number before and after it. lots: the seats among which the first turn was drawn, who
    has it last.
    """

    kind: str
    title: str
    says: str = ""
    rule: str = ""
    entry: int = 0
    seat: str = ""
    to: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()
    about: str = ""
    n: int | None = None
    numbers: tuple[str, ...] = ()
    blow: tuple[str, int, int] | None = None
    lots: tuple[str, ...] = ()
    does: tuple[str, str] | None = None
    """What its button gives, "undo" or "redo", and the entries; None to undo its own."""


def first_of(moments: Iterable[Moment]) -> tuple[list[Moment], int]:
    """Those of *moments* that are told, what matters most first, and how many are not."""
    found = sorted(once_each(moments), key=lambda each: -RANKS.get(each.kind, 1))
    return found[:MOST], max(0, len(found) - MOST)


def once_each(moments: Iterable[Moment]) -> Iterator[Moment]:
    """*moments*, the same one of several objects of one name as one: "Zombie ×20"."""
    found: dict[Moment, list[Moment]] = {}
    for each in moments:
        found.setdefault(replace(each, numbers=(), about=""), []).append(each)
    for like in found.values():
        if len(like) == 1:
            yield like[0]
            continue
        numbers = tuple(number for each in like for number in each.numbers)
        title = f"{like[0].title}{times(len(like))}"
        yield replace(like[0], title=title, numbers=numbers, about="")


def starts(
    active: Sequence[str], name: Names, entry: int, drawn: Event, state: GameState
) -> Iterator[Moment]:
    """Everyone is told who has the first turn. drawn: the event that said so, in *state*."""
    seats = tuple(active)
    among = () if drawn["by_hand"] else _lots([each.id for each in state.remaining()], seats[0])
    turn = Moment(kind="turn", seat="".join(seats[:1]), title="", entry=entry, lots=among)
    who = get_text_list([name(each) for each in seats], _("and"))
    yield replace(turn, title=_("You start"), to=seats)
    yield replace(turn, title=starting(who, len(seats)), but=seats)


def _lots(seats: Sequence[str], first: str) -> tuple[str, ...]:
    """*seats*, in table order, up to *first*."""
    at = seats.index(first) + 1
    return (*seats[at:], *seats[:at])


def _by(event: Event) -> int:
    """By how much a tick changed its number."""
    return int(event["amount"]) * (-1 if event["kind"] == "removed" else 1)


def others_hand(state: GameState, event: Event, by: str) -> str:
    """The seat whose card *event* is about, if another seat did it; else ""."""
    obj = state.objects.get(subject(event))
    return obj.controller if obj and obj.controller != by else ""


def noteworthy(own: Presentation, given: Applied, event: Event) -> bool:
    """True if *event* may be a moment: the end of something, a milestone, a rule's or another's."""
    if (
        event["kind"] in ENDS
        or event["kind"] in own.story.news
        or event.get("rule") in own.story.announced
        or event.get("tick")
    ):
        return True
    obj, entry = given.before.objects.get(subject(event)), given.entry
    if obj is None or entry is None:
        return False
    return obj.controller != given.givers.get(
        event["entry"], entry.by
    )  # spelled out: each tap asks


class Moments:
    """The moments of one accepted command, or of several at once.

    given: it, as the reader sees it. name: of a seat. reason: why a seat is out or has won, with
    its rule.
    shown: the id of the card whose number is big on a seat's panel: everyone sees it change.
    """

    def __init__(
        self,
        system: System,
        given: Applied,
        name: Names,
        reason: Callable[[str], Mapping[str, str]],
        shown: Callable[[str], str],
    ) -> None:
        assert given.entry is not None
        self.system, self._its, self._given = system, words_of(system), given
        self.before, self.after, self.entry = given.before, given.after, given.entry
        self.own = presentation_of(system)
        self._name, self._reason, self._shown = name, reason, shown

    def moments(self) -> Iterator[Moment]:
        """All of them, in the order in which they happened."""
        found = list(worded_events(self.system, self.before, self.after, self.entry, self._wanted))
        lost = {event["seat"] for event, _part in found if event["kind"] == "lost"}
        why = self._why(found, lost) if lost else {}
        for event, part in found:
            if event["kind"] == "prompted":
                continue
            if event["kind"] in ENDS:
                yield from self._end(event, why)
            elif self._by_itself(event, part) and not (why and part in why.values()):
                yield self._consequence(event, part)
        yield from self._asked(found)
        yield from self._ticked(found)
        yield from self._taken_off(found)
        yield from self._moved_by_others()
        yield from self._touched_by_others(found)

    def _why(self, found: Sequence[tuple[Event, Part]], lost: set[str]) -> dict[str, Part]:
        """What put the seats *lost* out, by the sentence that says so."""
        out = {self._reason(seat)["why"] for seat in lost}
        return {text: part for _, part in found if (text := self._named(part.plain)) in out}

    def _wanted(self, event: Event) -> bool:
        """True if *event* may be one of them."""
        return noteworthy(self.own, self._given, event)

    def _named(self, text: str) -> str:
        return IN_BRACES.sub(lambda found: self._name(found[1]), text)

    # The turn, questions, and the end

    def _end(self, event: Event, why: Mapping[str, Part]) -> Iterator[Moment]:
        """why: what put a seat out, by its sentence, which is not told a second time."""
        kind, entry, rule = event["kind"], event["entry"], event.get("rule") or ""
        if kind == "lost":
            yield from self._out(event["seat"], entry, rule, why)
        elif kind in BACK:
            title = _(BACK[kind]) % {"who": self._name(seat := event["seat"])}
            yield Moment(kind="back", seat=seat, title=title, entry=entry)
        elif kind == "ended":
            yield from self._won(entry, rule)
        elif kind == "turn-began":
            active = tuple(event["active"])
            if drawn := self._drawn(entry):
                yield from starts(active, self._name, entry, drawn, self.after)
            elif len(active) > 1 and self._all_but_lost() == set(active):
                title = _("Everyone’s turn")
                yield Moment(kind="turn", title=title, to=active, entry=entry)
            else:
                seat = "".join(active)
                yield Moment(kind="turn", seat=seat, title=_("Your turn"), to=active, entry=entry)

    def _drawn(self, entry: int) -> Event | None:
        """The event by which a seat was drawn for the turn that began with *entry*, if one was."""
        drawn = (each for each in self.entry.events if each["kind"] == "seat-drawn")
        return next((each for each in drawn if each["entry"] == entry), None)

    def _all_but_lost(self) -> set[str]:
        return {each for each, seat in self.after.seats.items() if not seat.lost}

    def _asked(self, found: Sequence[tuple[Event, Part]]) -> Iterator[Moment]:
        """Questions to seats: several that get the same question at once are one moment."""
        questions: dict[tuple[int, str], dict[str, None]] = {}
        shared = self.own.board.finishing_questions
        answering = set[str]()
        for event, part in found:
            if event["kind"] == "prompted":
                prompt = self.after.prompt(event["prompt"])
                if prompt and prompt.source and prompt.kind in shared:
                    answering.add(prompt.source)
                says = self._its.question(prompt.kind) if prompt else ""
                says += f" ({self._named(part.because)})" if part.because else ""
                questions.setdefault((event["entry"], says), {})[event["to"]] = None
        for (entry, says), asked in questions.items():
            seats = [*asked]
            names = {"who": get_text_list([self._name(each) for each in seats], _("and"))}
            title = (_("%(who)s is asked") if len(seats) == 1 else _("%(who)s are asked")) % names
            but = (*seats, *answering)
            seat = seats[0] if len(seats) == 1 else ""
            yield Moment(kind="asked", seat=seat, title=title, says=says, but=but, entry=entry)

    def _out(self, seat: str, entry: int, rule: str, why: Mapping[str, Part]) -> Iterator[Moment]:
        """A seat is out; its own phone says "you". Who has won only puts away their life."""
        if seat in self.before.winners:
            return
        because = self._reason(seat)
        part = why.get(because["why"])
        numbers = f": {self._named(part.because)}" if part and part.because else ""
        says = ". ".join(filter(None, [because["why"] + numbers, *self._gone_with(seat)]))
        rule = because["rule"] or rule
        out = Moment(kind="out", seat=seat, title="", says=says, rule=rule, entry=entry)
        yield replace(out, title=_("You’re out"), to=(seat,))
        yield replace(out, title=_("%(who)s is out") % {"who": self._name(seat)}, but=(seat,))

    def _gone_with(self, seat: str) -> Iterator[str]:
        """What left the game with *seat*, and what is its owner's again."""
        events = self.entry.events
        gone = [each for each in events if each["kind"] == "took-along" and each["seat"] == seat]
        if gone:
            told = worded_events(
                self.system, self.before, self.after, self.entry, gone.__contains__
            )
            yield from (self._named(part.plain) for _event, part in told)
        for each in events if gone else ():
            if each["kind"] == "controlled" and each["from"] == seat and "rule" in each:
                what = self.after.objects[each["object"]].name
                yield _("%(who)s has %(what)s again") % {
                    "who": self._name(each["to"]),
                    "what": what,
                }

    def _won(self, entry: int, rule: str) -> Iterator[Moment]:
        winners = self.after.winners
        if not winners:
            lost = self.after.result == "lost"
            title = _("The game is lost") if lost else _("It’s a draw")
            yield Moment(kind="draw", title=title, rule=rule, entry=entry)
            return
        because = self._reason(winners[0])
        says, rule = because["why"], because["rule"] or rule
        facts: dict[str, Any] = {"says": says, "rule": rule, "entry": entry, "blow": self._blow()}
        won = Moment(kind="won", seat=winners[0], title="", **facts)
        yield replace(won, title=_("You win"), to=winners)
        title = ngettext("%(who)s wins", "%(who)s win", len(winners))
        title %= {"who": ", ".join(map(self._name, winners))}
        yield replace(won, title=title, but=winners)

    def _blow(self) -> tuple[str, int, int] | None:
        """What took the last number from who is out now, or hit their first card, and that number
        before and after it."""
        lost = {event["seat"] for event in self.entry.events if event["kind"] == "lost"}
        cards = {key for key, each in self.before.objects.items() if each.controller in lost}
        told = worded_events(self.system, self.before, self.after, self.entry)
        changed = [part for _event, part in told if None not in (part.before, part.after)]
        hit = [part for part in changed if part.holder in cards][:1]
        for part in [*hit, *(part for part in changed if part.holder in lost)][-1:]:
            return self._named(part.plain), part.before or 0, part.after or 0
        return None

    # What happens by itself

    def _by_itself(self, event: Event, part: Part) -> bool:
        """True if an announced rule made it happen, or if it is a milestone of the system."""
        kind = event["kind"]
        if kind in self.own.story.news:
            return True
        return part.rule in self.own.story.announced and kind not in QUIET and kind != "removed"

    def _consequence(self, event: Event, part: Part) -> Moment:
        about = subject(event)
        obj = self.after.objects.get(about)
        seat = obj.controller if obj else about if about in self.after.seats else ""
        lost = event.get("how") in LOSSES or event["kind"] in LOSSES
        title, says = self._named(part.plain), self._named(part.because)
        if part.acts:
            seat = self._given.giver(event)
            title = f"{self._name(seat)} {title}"
        if event["kind"] in self.own.story.news and not says:
            title, _colon, says = title.partition(": ")
        return Moment(
            kind="gone" if lost or event["kind"] == "moved" else "rule",
            title=title,
            says=says,
            rule=part.rule,
            entry=event["entry"],
            seat=seat or self.own.story.phrases(self.after, event).get("seat", ""),
            about=about if obj else "",
        )

    def _ticked(self, found: Sequence[tuple[Event, Part]]) -> Iterator[Moment]:
        """Changes that came by themselves as one entry's turn or phase began, together."""
        entries: dict[int, list[tuple[Event, Part]]] = {}
        for event, part in found:
            if event.get("tick") and "amount" in event:  # it began to tick, or no longer does
                entries.setdefault(event["entry"], []).append((event, part))
        for entry, ticked in entries.items():
            givers = {giver(self.after, event) for event, _part in ticked}
            ticked.sort(key=lambda one: "counter" in one[0])  # what is done by hand comes first
            each = [self._ticked_one(event, part) for event, part in ticked]
            more = len(each) - MOST_TICKED
            if more > 0:
                each = [*each[:MOST_TICKED], f"+{more}"]
            yield Moment(
                kind="rule",
                title=(givers.pop() if len(givers) == 1 else "") or _("By itself"),
                says=self._named(", ".join(each)),
                entry=entry,
                numbers=tuple(
                    amount_id(event["on"], event["counter"]) for event, _ in ticked if "on" in event
                ),
            )

    def _ticked_one(self, event: Event, part: Part) -> str:
        """By how much one number changed, and where its card went with the last counter."""
        if "counter" not in event:
            return part.plain
        was, obj = self.before.objects.get(event["on"]), self.after.objects.get(event["on"])
        name = obj.name if obj else self._name(event["on"])
        text = f"{change_text(self._its, _by(event), event['counter'])} ({name})"
        gone = was is not None and obj is not None and was.zone != obj.zone
        return f"{text} → {self._its.word(obj.zone)}" if obj and gone else text

    def _taken_off(self, found: Sequence[tuple[Event, Part]]) -> Iterator[Moment]:
        """The counters that a rule took off, together for each card."""
        cards: dict[tuple[str, str, int], list[tuple[Event, Part]]] = {}
        for event, part in found:
            if event["kind"] == "removed" and part.rule in self.own.story.announced:
                key = part.on, part.because, event["entry"]
                cards.setdefault(key, []).append((event, part))
        for (_on, because, entry), taken in cards.items():
            event, part = taken[0]
            about, title, cancels = event["on"], part.plain, False
            if len(taken) > 1:
                cancels = len({part.n for _event, part in taken}) == 1
                counters = [
                    f"{ANY if cancels else one.n} {self._its.kind(event['counter'])}"
                    for event, one in taken
                ]
                facts = {"on": part.on, "counters": get_text_list(counters, _("and"))}
                title = _("%(on)s lost %(counters)s counters") % facts
                title = title.replace(TIMES, times(part.times))
            obj = self.after.objects.get(about)
            yield Moment(
                kind="rule" if cancels else "gone",
                title=self._named(title),
                says=self._named(because),
                rule=part.rule,
                entry=entry,
                seat=obj.controller if obj else "",
                about=about,
                n=part.n if cancels else None,
                numbers=self._numbers({each.rule for _event, each in taken}),
            )

    def _numbers(self, rules: set[str]) -> tuple[str, ...]:
        numbers = [
            amount_id(event["on"], event["counter"])
            for event in self.entry.events
            if event["kind"] == "removed" and event.get("rule") in rules
        ]
        return tuple(numbers)

    # What another player did to somebody's cards

    def _moved_by_others(self) -> Iterator[Moment]:
        """Cards that another player sent somewhere: one to its own player, several to everyone."""
        moved: dict[tuple[int, str], list[Event]] = {}
        for event in self.entry.events:
            if event["kind"] != "moved" or event.get("rule") or self._has_ticked(event["object"]):
                continue
            by = self._given.giver(event)
            moved.setdefault((event["entry"], by), []).append(event)
        for (entry, by), events in moved.items():
            hit = {others_hand(self.before, event, by): event["object"] for event in events}
            hit.pop("", None)
            if not hit:
                continue
            cards = [self.before.objects[event["object"]] for event in events]
            one = len(cards) == 1
            what = sent(self.system, cards, [event["to"] for event in events])
            yield Moment(
                kind="gone",
                title=f"{self._name(by)}: {what}",
                entry=entry,
                seat=by,
                to=tuple(hit) if one else (),
                about=cards[0].id if one else "",
            )

    def _has_ticked(self, about: str) -> bool:
        return any(each.get("tick") and subject(each) == about for each in self.entry.events)

    def _touched_by_others(self, found: Sequence[tuple[Event, Part]]) -> Iterator[Moment]:
        """Other changes to a card by another player, shown on its own player's phone."""
        quiet = QUIET | self.own.story.news | {"moved"}
        for event, part in found:
            if part.rule in self.own.story.announced or event["kind"] in quiet or event.get("tick"):
                continue
            if part.rule and self._turned(event["entry"]):  # it untaps, whoever passed the turn
                continue
            if part.rule and event["kind"] == "controlled":  # said of who is out
                continue
            by = self._given.giver(event)
            whose, about = others_hand(self.before, event, by), subject(event)
            if not whose or about == self._shown(whose):
                continue
            name, sums = self._name(by), part.n is not None and ANY_FORM not in part.words
            plain = self._named(part.counting(ANY) if sums else part.plain)
            if not plain.startswith(name):
                plain = f"{name}{colon_after(name, [part])} {plain}"
            yield Moment(
                kind="other",
                title=plain,
                says=self._named(part.because),
                entry=event["entry"],
                seat=by,
                to=(whose,),
                about=about,
                n=part.n if sums else None,
            )

    def _turned(self, entry: int) -> bool:
        """True if a turn or a phase began in *entry*."""
        events = self.entry.events
        return any(each["entry"] == entry and each["kind"] in BEGINNINGS for each in events)
