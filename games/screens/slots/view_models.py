"""Views of a slot counter, by seat: plain values between the rules and the templates.

A view exists only if the rules let the seat see that counter (R14). It is made for one seat, and a
template may show everything in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from msgspec import Struct, field
from msgspec.structs import replace

from games.rules.state import GameState
from games.screens.slots.names import nameless, translated, translated_counter, turn_shown
from games.screens.words import Words
from games.systems.slot_counters import VERBS, Verbs
from games.tracks.counter import (
    Counter,
    Sight,
    counters_in,
    game_master,
    hits_at_once,
    of_role,
    permitted,
    protagonists,
    runs,
    scene_state,
    sight,
)
from games.tracks.views import redacted, sees

SEEN_BY: Mapping[str, Any] = {
    "hidden": _("Only you"),
    "known": _("Name only"),
    "chosen": _("Some"),
    "open": pgettext_lazy("who sees it", "All"),
}
"""The readers of a counter besides its owner and the GM, as everyone reads it."""
VISIBILITY_WORDS: Mapping[str, Any] = {
    "hidden": _("hidden"),
    "known": _("known"),
    "open": _("open"),
}
"""The same as they are typed in a line."""


class Rights(Struct, frozen=True):
    """The rights of a seat on a counter."""

    fill: bool = False
    clear: bool = False
    spend: bool = False
    items: bool = False
    edit: bool = False
    gm: bool = False


NONE = Rights()


def rights(state: GameState, seat: str | None, counter: Counter) -> Rights:
    """The rights of *seat* on a counter that it sees in full; the rules check again (R15)."""
    if seat is None:
        return NONE
    if game_master(state, seat):
        return Rights(True, True, True, True, True, True)

    mine = counter.owner == seat
    may = {"everyone"} | ({"owner"} if mine else set())
    acts = ("fill", "clear", "spend", "items")
    fill, clear, spend, items = [permitted(state, counter, act) in may for act in acts]
    return Rights(fill, clear, spend, items, mine)


class Place(Struct, frozen=True):
    """A place in an inventory: an item, or room for one. span: its width in columns."""

    name: str
    size: int
    span: int


class Block(Struct, frozen=True):
    """One slot as drawn. state: "temporary", "filled" or "". mark: a threshold's label."""

    state: str
    mark: str = ""


class CounterView(Struct, frozen=True):
    """A counter as one seat sees it. masked: only its name.

    hopeless: it should not be spent while its owner's hero is complete.
    """

    its: Words
    counter: Counter
    rights: Rights = NONE
    masked: bool = False
    hopeless: bool = False
    seers: tuple[tuple[str, str], ...] = ()
    """For the GM: the seats that see it, each with "all" or "name"."""
    prepared: bool = False
    """True if its scene has not begun."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """The facts that go with the name where the seat sees only that."""
    turn: str = ""
    """Its turn: "now", or "done"."""

    @property
    def id(self) -> str:
        return self.counter.id

    @property
    def type_word(self) -> str:
        """Its type; "" if the game gives it none."""
        slots = self.its.slots
        named = self.counter.role in slots.meanings
        return "" if named else self.its.said(slots.types[self.counter.type].word)

    @property
    def verbs(self) -> Verbs:
        """What its change is called."""
        return verbs_of(self.its, self.counter.type)

    @property
    def meaning(self) -> str:
        """What completing it means."""
        slots, of = self.its.slots, self.counter
        text = of.completes or slots.meanings.get(of.role or "") or slots.types[of.type].meaning
        return self.its.said(text)

    @property
    def ended(self) -> str:
        """What it says once it is complete: the word for that, or else what it means, as its table
        wrote it; "" before."""
        if not self.counter.complete:
            return ""
        if not self.its.slots.written:
            return gettext("complete")
        return self.its.said(self.counter.word) or self.meaning.rstrip(".")

    @property
    def words(self) -> list[tuple[int, str]]:
        """What it says, by the largest number that it says so of; the last of all above."""
        its, counter = self.its, self.counter
        if counter.limits:
            return [(to, its.said(word)) for to, word in counter.limits]
        end = self.meaning.rstrip(".") if its.slots.written else gettext("complete")
        return (
            [(counter.least, end), (counter.top, "")]
            if counter.resource
            else [(counter.top - 1, ""), (counter.top, end)]
        )

    @property
    def flags(self) -> list[str]:
        """Its labels in red: those that it reached, and at last its loss."""
        lost = self.counter.loss and not self.counter.resolved and self.ended
        return [*self.counter.flags, lost] if lost else self.counter.flags

    @property
    def blocks(self) -> list[Block]:
        """Temporary slots first, because they are filled first; then filled ones, then the rest.

        A resource shows what is left, so its spent slots are the empty ones, at the end.
        """
        counter = self.counter
        if counter.look == "bar":
            return []
        left = counter.resource
        filled = counter.slots - counter.filled if left else counter.filled
        marks = {counter.slots - at if left else at: label for at, label in counter.marks()}
        return [Block("temporary")] * counter.temporary + [
            Block("filled" if number <= filled else "", marks.get(number, ""))
            for number in range(1, counter.slots + 1)
        ]

    @property
    def places(self) -> list[Place]:
        """The items in an inventory, then its free places."""
        counter = self.counter
        kept = [Place(i.name, i.size, min(2, i.size)) for i in counter.items if i.size]
        return kept + [Place("", 1, 1)] * max(0, counter.unfilled)

    @property
    def compact(self) -> list[str]:
        """The names of the items that take no place."""
        return [item.name for item in self.counter.items if not item.size]

    @property
    def plus(self) -> str:
        """The command of its plus button; "" if this seat may not press it."""
        fill = "fill-slot" if self.rights.fill else ""
        clear = "clear-slot" if self.rights.clear else ""
        return self._one_slot(clear if self.counter.resource else fill)

    @property
    def minus(self) -> str:
        """The command of its minus button, which spends a resource; "" if it may not be pressed."""
        clear = "clear-slot" if self.rights.clear else ""
        spend = "spend-slot" if self.rights.spend else ""
        return self._one_slot(spend if self.counter.resource else clear)

    def ends(self, command: str) -> bool:
        """True if the button of *command* has nothing left to do."""
        return not self.counter.filled if command[:5] == "clear" else self.counter.complete

    def _one_slot(self, command: str) -> str:
        if self.counter.resolved or self.counter.inventory or not command:
            return ""
        return command if self.counter.step == 1 else f"{command}-{self.counter.step}"

    @property
    def secrecy(self) -> str:
        """For the GM, what keeps it from being open; "" if nothing does.

        "hidden", "known" (its name only), "chosen" (some seats see it), "prepared" (until its scene
        begins).
        """
        counter = self.counter
        if not self.rights.gm:
            return ""
        chosen = counter.visibility == "chosen"
        if counter.visibility == "hidden" or (chosen and not counter.seats):
            return "chosen" if self.seers else "hidden"
        if self.prepared:
            return "prepared"
        if counter.visibility == "open":
            return ""
        return "known" if all(how == "name" for _seat, how in self.seers) else "chosen"

    @property
    def next_mark(self) -> tuple[int, str] | None:
        """The first label that is not reached yet, and its number of slots."""
        ahead = ((at, label) for at, label in self.counter.marks() if at > self.counter.filled)
        return next(ahead, None)


def verbs_of(its: Words, kind: str) -> Verbs:
    """What a change of a type's counters is called."""
    of = its.slots.types[kind]
    return VERBS[of.verbs or ("spend" if of.counts == "down" else "fill")]


class Standing(NamedTuple):
    """How a seat stands to a counter. Seats of one standing see the same of it, but for its links,
    and for whether it is hopeless.

    who: "gm", "owner", "seat" or "watcher". turn: the counter's, as in `CounterView`.
    """

    how: Sight
    who: str
    turn: str


def standing(its: Words, state: GameState, seat: str | None, counter: Counter) -> Standing:
    turn = _turn(its, state, seat, counter) if its.slots.turns else ""
    if game_master(state, seat):
        return Standing(Sight.EVERYTHING, "gm", turn)
    who = "watcher" if seat is None else "owner" if seat == counter.owner else "seat"
    return Standing(sight(state, seat, counter), who, turn)


def counter_view(
    its: Words, state: GameState, seat: str | None, counter: Counter, stands: Standing | None = None
) -> CounterView | None:
    """*counter* as *seat* sees it; None if it cannot see it. stands: its standing, if known."""
    how, _who, turn = stands or standing(its, state, seat, counter)
    if how is Sight.NOTHING:
        return None
    if how is Sight.NAME:
        known = counter.by_name
        if seat is not None and counter.type == its.slots.foe and "word" in known:
            known = {**known, "hits": hits_at_once(state, seat, counter, "fill") or "asks"}
        return CounterView(
            its, masked_counter(its, counter), NONE, masked=True, known=known, turn=turn
        )
    may = rights(state, seat, counter)
    return CounterView(
        its,
        translated_counter(its, redacted(state, seat, counter)),
        may,
        hopeless=_hopeless(its, counter) and may.spend and _broken(its, state, seat, counter.owner),
        seers=tuple(seers(state, counter)) if may.gm else (),
        prepared=scene_state(state, counter.scene) == "prepared",
        turn=turn,
    )


def _turn(its: Words, state: GameState, seat: str | None, counter: Counter) -> str:
    """If *seat* sees that it is the counter's turn, "now" or "done"; else ""."""
    turn = turn_shown(its, state, seat)
    if turn is None or turn["turn"] != counter.id:
        return ""
    return "done" if turn["done"] else "now"


def unfilled(seen: CounterView) -> tuple[Any, ...]:
    """What a counter shows besides how full it is."""
    of = seen.counter
    rest = replace(seen, counter=replace(of, filled=0))
    return rest, of.complete, of.by_name, of.flags


def _hopeless(its: Words, counter: Counter) -> bool:
    """True if it should not be spent while its owner's hero is complete."""
    role = its.slots.hopeless
    return bool(role) and counter.role == role


def _broken(its: Words, state: GameState, seat: str | None, who: str | None) -> bool:
    """True if *seat* sees that the hero of *who* is complete."""
    hero = of_role(state, who, its.slots.hero)
    if hero is None or sight(state, seat, hero) is not Sight.EVERYTHING:
        return False
    return bool(hero.flags) and hero.complete


def hope_of(its: Words, state: GameState, touched: Iterable[str]) -> list[str]:
    """The counters that should not be spent, or may be again, of seats whose hero is among
    *touched*.
    """
    own, every = its.slots, counters_in(state)
    if not (own.hero and own.hopeless):
        return []
    owners = {every[each].owner for each in touched if every[each].role == own.hero}
    return [k for k, c in every.items() if c.role == own.hopeless and c.owner in owners]


def masked_counter(its: Words, counter: Counter) -> Counter:
    """A stand-in with the same id and name, and nothing else of *counter*."""
    name = gettext("Something") if nameless(counter) else translated(its, counter.name)
    return Counter(id=counter.id, name=name, type=next(iter(its.slots.types)), visibility="known")


def seers(state: GameState, counter: Counter) -> Iterator[tuple[str, str]]:
    """The seats with a protagonist that see *counter*, and how much of it."""
    for seat in protagonists(state):
        how = sight(state, seat, counter)
        if how is not Sight.NOTHING:
            yield seat, "name" if how is Sight.NAME else "all"


def counter_views(
    its: Words, state: GameState, seat: str | None, *, in_play: bool = False
) -> list[CounterView]:
    """All counters that *seat* sees; with *in_play* only those of no scene or of a running one."""
    every = counters_in(state).values()
    played = (counter for counter in every if not in_play or runs(state, counter))
    return [seen for counter in played if (seen := counter_view(its, state, seat, counter))]


def choices(its: Words, state: GameState, seat: str | None) -> list[Counter]:
    """The counters that *seat* is offered wherever it may choose: in play, and seen in full."""
    return [e.counter for e in counter_views(its, state, seat, in_play=True) if not e.masked]


def shields(its: Words, state: GameState, seat: str | None, counter: Counter) -> Iterator[Counter]:
    """The counters that may take slots instead of *counter*."""
    roles = its.slots.shields
    for each in counters_in(state).values():
        if each.role not in roles or each.owner != counter.owner or each.id == counter.id:
            continue
        if not (each.complete or each.resolved) and runs(state, each):
            seen = counter_view(its, state, seat, each)
            if seen and not seen.masked:
                yield seen.counter


# Moments


class Moment(Struct, frozen=True):
    """A completion, or a counter that is seen for the first time, to announce to a seat.

    key: unique. passing: it is announced once and then over, as when the counter has restarted.
    entry: the number of the entry that completed it; 0 if that was earlier. over, over_as: how much
    did not fit, and its unit. revealed: the seat sees the counter from now on. wound: the rank of
    the Wound that was suffered while it was full; 0 if this is about none. label: of the slot that
    was reached ("Fragile").
    """

    key: str
    counter_view: CounterView
    passing: bool = False
    entry: int = 0
    over: int = 0
    over_as: str = "points"
    revealed: bool = False
    wound: int = 0
    label: str = ""


def revealed(before: GameState, after: GameState, seat: str | None) -> list[str]:
    """The counters in both states that *seat* sees only in the second."""
    if before.slot_counters is after.slot_counters or game_master(before, seat):
        return []
    return [
        key
        for key, counter in after.slot_counters.items()
        if key in before.slot_counters
        and before.slot_counters[key] is not counter
        and sees(after, seat, key)
        and not sees(before, seat, key)
    ]


def kept_hidden(
    its: Words, state: GameState, events: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[Counter, int]]:
    """The counters that *events* moved out of a prepared scene and hid, each with its entry."""
    for event in events:
        if event["kind"] == "edited" and {"scene", "visibility"} <= {*event["fields"]}:
            counter = state.slot_counters.get(event["on"])
            if isinstance(counter, Counter) and counter.visibility == "hidden":
                yield translated_counter(its, counter), event.get("entry", 0)


def moments(
    its: Words,
    state: GameState,
    seat: str | None,
    events: Iterable[Mapping[str, Any]] = (),
    shown: Mapping[str, int] | None = None,
) -> list[Moment]:
    """The completed counters, those that *events* completed and restarted, the labels that they
    reached, and Wounds.

    shown: the counters that were just revealed, each with the number of the entry.
    """
    completions = _completions(events)
    wounds = {event["on"]: event for event in events if event["kind"] == "wounded"}
    told = {event.get("on") for event in events} | {*(shown or ())}
    found = []
    for counter in counters_in(state).values():
        if not (counter.complete or counter.id in told) or not runs(state, counter):
            continue
        each = counter_view(its, state, seat, counter)
        if each is None or each.masked or counter.resolved or _anothers_bag(each, seat):
            continue
        facts = dict(completions.get(each.id, {}))
        facts.pop("completes", None)
        if each.counter.complete:
            found.append(Moment(each.id, each, **facts))
        elif facts.get("entry") and (each.counter.loop or each.counter.on_full != "keep"):
            key = f"{each.id}.{facts['entry']}"
            meant = replace(each.counter, completes=completions[each.id]["completes"])
            found.append(Moment(key, replace(each, counter=meant), passing=True, **facts))
        if each.id in wounds:
            entry, rank = wounds[each.id].get("entry", 0), wounds[each.id]["rank"]
            key = f"{each.id}.wound.{entry}"
            found.append(Moment(key, each, passing=True, entry=entry, wound=rank))
        if not each.counter.complete and (label := _reached(its, each, events)):
            key = f"{each.id}.at.{label[0]}"
            found.append(Moment(key, each, passing=True, entry=label[0], label=label[1]))
        if (entry := (shown or {}).get(each.id)) is not None:
            key = f"{each.id}.seen.{entry}"
            found.append(Moment(key, each, passing=True, revealed=True))
    return found


def _reached(
    its: Words, each: CounterView, events: Iterable[Mapping[str, Any]]
) -> tuple[int, str] | None:
    """The last label that *events* reached, of those that the seat may read, with its entry."""
    found = None
    for event in events:
        if event["kind"] == "threshold-reached" and event["on"] == each.id:
            label = translated(its, event["threshold"])
            if {label, event["threshold"]} & {*each.counter.thresholds.values()}:
                found = event.get("entry", 0), label
    return found


def _anothers_bag(each: CounterView, seat: str | None) -> bool:
    """True if it is another seat's inventory: a full one concerns only its owner and the GM."""
    counter = each.counter
    if not counter.inventory or counter.on_full != "keep" or each.rights.gm:
        return False
    return counter.owner is not None and counter.owner != seat


def _completions(events: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By counter: the entry that completed it, what that means, and how much did not fit."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        if event["kind"] == "completed":
            about = {"entry": event.get("entry", 0), "completes": event.get("completes")}
            found[event["on"]] = about
        elif event["kind"] == "overflowed" and event["on"] in found:
            points = event.get("points")
            over = {"over": event["slots"], "over_as": "slots"}
            found[event["on"]] |= over if points is None else {"over": points}
    return found
