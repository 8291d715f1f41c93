"""Views of the table and its log by seat. All that a screen shows passes through here.

A seat learns only what it can see of a counter now (R14): hiding a counter removes its history from
every player's log. In `view`, which knows no time, revealing it brings the history back; what
screens show is `read_entries`, which has of the past only what a seat could see when it happened
(R31).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..rules.chapters import chapters_read
from ..rules.entry import Entry, told_to_some, view_of
from ..rules.state import GameState, Prompt, to_facts
from ..rules.system import System, cites
from . import notes
from .counter import OF_THE_GM, Counter, Link, Sight, counter_in, derived, game_master, sight
from .follow_ups import FOR_THE_GM
from .scenes import knows_scene

TABLE = "table"
"""The holder of the table's own numbers, which everyone sees."""


@cites("R14")
def view(
    system: System, state: GameState, seat: str | None, entries: Sequence[Entry]
) -> dict[str, Any]:
    """Everything that *seat* may see, as JSON values; None is someone without a seat."""
    return {
        "seat": seat,
        "seats": {i: to_facts(player) for i, player in state.seats.items()},
        "slot_counters": seen_counters(system, state, seat),
        "scenes": seen_scenes(state, seat),
        "notes": seen_notes(state, seat),
        "chapters": seen_chapters(state, seat),
        "prompts": [shown_prompt(state, seat, prompt) for prompt in seen_prompts(state, seat)],
        "log": seen_log(state, seat, entries),
    }


@cites("R14")
def seen_counters(system: System, state: GameState, seat: str | None) -> dict[str, dict[str, Any]]:
    """By id: what *seat* can see of each counter that it may know of.

    A player's `order` counts only the counters that the seat sees, or its gaps would count others.
    """
    seen = {}
    placed = {} if game_master(state, seat) else places(state, seat)
    for counter_id in state.slot_counters:
        counter = counter_in(state, counter_id)
        how = sight(state, seat, counter)
        if how is Sight.EVERYTHING:
            shown = redacted(state, seat, counter)
            if counter_id in placed:
                shown = replace(shown, order=placed[counter_id])
            unread = () if game_master(state, seat) else OF_THE_GM
            seen[counter_id] = to_facts(shown, unread) | derived(system, state, shown)
        elif how is Sight.NAME:
            known = {"name": counter.name, "visibility": counter.visibility}
            seen[counter_id] = known | counter.by_name
    return seen


@cites("R14", "R30")
def seen_scenes(state: GameState, seat: str | None) -> dict[str, str]:
    """The scenes that *seat* may know of: those that began, and those it sees a counter of."""
    return {scene: how for scene, how in state.scenes.items() if knows_scene(state, seat, scene)}


@cites("R14", "R27", "R32")
def redacted(state: GameState, seat: str | None, counter: Counter) -> Counter:
    """*counter*, which *seat* sees in full, with the texts and links that it may read.

    The very same if that is all of them.
    """
    secret = counter.links or counter.later or counter.gm_note or counter.rolls
    if not (secret or counter.item_secrets) or game_master(state, seat):
        return counter
    kept = {
        count: label
        for count, label in counter.thresholds.items()
        if count not in counter.later or int(count) <= counter.filled
    }
    concealed = "completes" in counter.later and not counter.complete
    return replace(
        counter,
        links=seen_links(state, seat, counter),
        thresholds=kept,
        completes=None if concealed else counter.completes,
        later=(),
        gm_note=None,
        rolls=(),
        item_secrets={},
    )


def places(state: GameState, seat: str | None) -> dict[str, int]:
    """By counter that *seat* sees: its place among them, equal orders share one."""
    orders = {
        key: counter.order
        for key in state.slot_counters
        if sight(state, seat, counter := counter_in(state, key)) is Sight.EVERYTHING
    }
    ranks = {order: place for place, order in enumerate(sorted(set(orders.values())), 1)}
    return {key: ranks[order] for key, order in orders.items()}


def seen_notes(state: GameState, seat: str | None) -> dict[str, dict[str, Any]]:
    """The notes on the table's list that *seat* may read."""
    return {
        note_id: notes.without_other_readers(state, seat, to_facts(note))
        for note_id, note in notes.readable(state, seat).items()
    }


@cites("R35", "R14")
def seen_chapters(state: GameState, seat: str | None) -> list[dict[str, Any]]:
    """The sessions that are over, with as much of their recaps as *seat* reads."""
    return chapters_read(state, seat, everything=game_master(state, seat))


def seen_links(state: GameState, seat: str | None, counter: Counter) -> tuple[Link, ...]:
    """The links of *counter* to counters that *seat* may know of."""
    return tuple(link for link in counter.links if knows(state, seat, link.to))


def knows(state: GameState, seat: str | None, counter_id: str) -> bool:
    """True if *seat* may know that the counter exists."""
    if counter_id not in state.slot_counters:
        return False
    return sight(state, seat, counter_in(state, counter_id)) is not Sight.NOTHING


def reads(state: GameState, seat: str | None, event: Mapping[str, Any]) -> bool:
    """True if *seat* sees what *event* is about, or made a hit that counted at once."""
    own = event.get("hits") and event["seat"] == seat
    return (knows if own else sees)(state, seat, event["on"])


def sees(state: GameState, seat: str | None, counter_id: str) -> bool:
    """True if *seat* can see all of a counter that exists; anything else is seen by all."""
    if counter_id not in state.slot_counters:
        return counter_id in state.seats or counter_id in state.objects or counter_id == TABLE
    return sight(state, seat, counter_in(state, counter_id)) is Sight.EVERYTHING


@cites("R20", "R33", "R14")
def seen_prompts(state: GameState, seat: str | None) -> list[Prompt]:
    """The prompts that *seat* can see: its own proposals, and those about counters it can see.

    The GM sees all, and alone what Actions call for.
    """

    def shown(prompt: Prompt) -> bool:
        if game_master(state, seat):
            return True
        if prompt.kind in FOR_THE_GM:
            return False
        if "rule" in prompt.facts:
            of_all = not prompt.facts.get("secret") and sees(state, seat, prompt.source or TABLE)
            return prompt.to == seat or of_all
        look = knows if prompt.facts["by"] == seat else sees
        return all(look(state, seat, counter_id) for counter_id in proposed_about(prompt))

    return [prompt for prompt in state.prompts if shown(prompt)]


def proposed_about(prompt: Prompt) -> Sequence[str]:
    """The counters that a proposal is about; none of any other prompt."""
    about = prompt.facts["about"]
    return about if isinstance(about, list) else ()


@cites("R29")
def shown_prompt(state: GameState, seat: str | None, prompt: Prompt) -> dict[str, Any]:
    """A prompt as *seat* sees it: the GM's reply is for the seat that proposed, and the rule that
    asks for those who may read it and see its subject.
    """
    shown = {**to_facts(prompt, {"facts"}), **prompt.facts}
    if game_master(state, seat):
        return shown
    if "rule" in shown:
        secret = shown.get("unread") or not sees(state, seat, prompt.source or TABLE)
        left_out = ("source", "rule", "about", "unread") if secret else ("about",)
        return {name: value for name, value in shown.items() if name not in left_out}
    if prompt.facts["by"] != seat:
        shown.pop("reply", None)
    return shown


@cites("R14")
def shows(state: GameState, seat: str | None, event: Mapping[str, Any]) -> bool:
    """True if *seat* may learn of *event*, which has just happened and led to *state*.

    For past events use `seen_log`: another counter may have had the same id then.
    """
    if game_master(state, seat):
        return True
    if notes.withheld(state, seat, event):
        return False
    answered = "prompt" in event  # who asked hears it of a creature that it knows by name, too
    if "on" in event and not (answered or told_to_some(event) or reads(state, seat, event)):
        return False
    if answered:
        return any(event["prompt"] == prompt.id for prompt in seen_prompts(state, seat))
    return True


@cites("R14")
def seen_log(state: GameState, seat: str | None, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The events that *seat* may learn of now, in order."""
    return [
        notes.without_other_readers(state, seat, event)
        for seen in seen_entries(state, seat, entries)
        for event in seen.events
    ]


class SeenEntry(Struct, frozen=True):
    """As much of an entry as a seat may read.

    number: as the seat counts. entry: its number in the log. past: events that the seat had not
    heard of and that this entry tells it, each with the number of their entry.
    events: those about counters that it can see.
    command: as given, with dice and note; None unless the seat can see every counter that the
    command names, and all that happened but what followed from it in secret.
    """

    number: int
    by: str
    events: tuple[dict[str, Any], ...]
    command: Mapping[str, Any] | None
    undone_by: int | None
    entry: int
    past: tuple[tuple[int, dict[str, Any]], ...] = ()


@cites("R14")
def seen_entries(state: GameState, seat: str | None, entries: Sequence[Entry]) -> list[SeenEntry]:
    """The log as far as *seat* may read it now, without entries of which it may read nothing.

    It has the history of a counter only since that counter was made: an earlier one, discarded or
    undone, may have had the same id. A part of the log is read like the whole if it comes with the
    entries that it undid and with those of `DISCLOSING`.
    """
    everything = game_master(state, seat)
    lives = _Lives()
    traced = [(entry, lives.trace(entry)) for entry in entries]

    def there(counter_id: str, life: Life | None) -> bool:
        return life is not None and life == lives.now(counter_id)

    def shown(counter_id: str, life: Life | None) -> bool:
        return everything or (there(counter_id, life) and sees(state, seat, counter_id))

    def told(event: Mapping[str, Any], life: Life | None) -> bool:
        if everything or "on" not in event or told_to_some(event):
            return True
        return there(event["on"], life) and reads(state, seat, event)

    def hidden(entry: Entry, event: Mapping[str, Any]) -> bool:
        """A secret of others; one that was undone is the GM's and its giver's alone.

        So is a handout that was struck off: that takes it back for good.
        """
        if not everything and notes.is_handout(event) and event["note"] not in state.notes:
            return True
        undone = event.get("secret") and not lives.stands(entry.number) and entry.by != seat
        return notes.withheld(state, seat, event) or bool(undone and not everything)

    out = []
    readable: dict[int, bool] = {}
    for entry, facts in traced:
        events = tuple(
            event for event, life in facts if told(event, life) and not hidden(entry, event)
        )
        done = [(event, life) for event, life in facts if not _follows(entry.command, event)]
        about = {(event["on"], life) for event, life in done if "on" in event}
        about |= {
            (named, lives.now(named))
            for named in named_counters(entry.command)
            if named not in {counter_id for counter_id, _ in about}
        }
        gave_way = _gave_way(entry)
        reversed_entries = [
            event["of"] for event, _ in facts if "of" in event and event["of"] not in gave_way
        ]
        readable[entry.number] = (
            all(shown(counter_id, life) for counter_id, life in about)
            and all(readable.get(of, False) for of in reversed_entries)
            and not any(
                hidden(entry, event)
                or (event.get("secret") and not everything and entry.by != seat)
                for event, _life in done
            )
        )
        if events or readable[entry.number]:
            command = entry.command if readable[entry.number] else None
            number = entry.number
            out.append(SeenEntry(number, entry.by, events, command, entry.undone_by, number))
    return out


def named_counters(command: Mapping[str, Any]) -> Iterator[str]:
    """The ids of all counters that a command names."""
    into = ("to",) if command.get("do") == "give" else ()
    for key in ("as", "on", "shield", "overflow", *into):
        named = command.get(key)
        yield from named if isinstance(named, list) else [named] if named else []
    yield from (link["to"] for link in command.get("links", ()))
    for step in (*(command.get("steps") or ()), command.get("command")):
        if step is not None:
            yield from named_counters(step)


DISCLOSING = ("created", "discarded", "undone", "redone", "past-shared")
"""The events that decide what may be read of other entries."""
CONCEALED = {"links", "later"}
"""Fields of which no player reads that they changed."""


@cites("R14", "R31", "R32")
def read_entries(
    state: GameState, seat: str | None, entries: Sequence[Entry], undone: Collection[int]
) -> list[SeenEntry]:
    """The log as screens show it: what *seat* may read now and could see when it happened.

    undone: the numbers of the entries that are. Numbered as the seat counts. Entries from before it
    was noted what was heard are as in `seen_entries`.
    """
    seen = seen_entries(state, seat, entries)
    stored = {entry.number: entry for entry in entries}
    if game_master(state, seat):
        return [_revealed(each, stored[each.number]) for each in seen]
    out: list[SeenEntry] = []
    untold: list[tuple[int, dict[str, Any]]] = []
    for each in seen:
        entry = stored[each.number]
        stands = each.number not in undone
        if stands and view_of(entry, seat) is not None:
            untold += [(each.number, event) for event in _unheard(seat, each, entry)]
        if read := _heard(state, seat, each, entry):
            shared = {event["on"] for event in read.events if event["kind"] == "past-shared"}
            past = tuple(about for about in untold if stands and about[1]["on"] in shared)
            untold = [about for about in untold if about not in past]
            out.append(replace(read, past=past) if past else read)
    return out


def _unheard(seat: str | None, seen: SeenEntry, entry: Entry) -> list[dict[str, Any]]:
    """The events of *entry* on counters that *seat* sees now and that it was not sent."""
    view = view_of(entry, seat)
    learned = [entry.events[place] for place in view.events] if view else []
    return [
        event for event in seen.events if "on" in event and not any(event is e for e in learned)
    ]


def _heard(state: GameState, seat: str | None, seen: SeenEntry, entry: Entry) -> SeenEntry | None:
    """*seen* without the parts of *entry* that *seat* was not sent; None if it was sent nothing."""
    view = view_of(entry, seat)
    if view is None:
        return seen
    if not view.now:
        return None
    events = []
    for place in view.events:
        event = entry.events[place]
        if event["kind"] not in TURNED and not any(event is each for each in seen.events):
            continue
        made = event.get("rule") not in (None, "R16")
        event = view.told(place, event)
        if made and "rule" not in event:
            event = {**event, "unexplained": True}
        if place in view.revealed:
            event = {**event, "kind": "revealed"}
        elif event["kind"] == "edited":
            event = {**event, "fields": _sayable(state, event)}
        events.append(notes.without_other_readers(state, seat, event))
    whole = all(
        place in view.events
        or _follows(entry.command, event)
        or event.get("of") in _gave_way(entry)
        for place, event in enumerate(entry.events)
    )
    command = seen.command if whole else None
    return replace(seen, number=view.line, events=tuple(events), command=command)


def _gave_way(entry: Entry) -> frozenset[int]:
    """The entries that a player's undo or redo took along: all it undid but what the player heard
    of it (`PrivateLog.gives_way`)."""
    view = view_of(entry, entry.by)
    if view is None:
        return frozenset()
    heard = {entry.events[place].get("of") for place in view.events}
    turned = {each["of"] for each in entry.events if each["kind"] == "undone"}
    return frozenset(turned - heard)


def _follows(command: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """True if an event came of a command without being named by it.

    If it is hidden from who may read the command, that must read the same as without it.
    """
    given = event["kind"] == "created" or event.get("secret") or "on" not in event
    if event["kind"] == "pressed" or (given and "rule" not in event):
        return False
    return event.get("on") not in {*named_counters(command)}


TURNED = ("undone", "redone")


@cites("R14", "R31")
def visible_entry(state: GameState, seat: str | None, entry: Entry) -> SeenEntry | None:
    """*entry* as *seat* was sent it when it happened; None if it was sent nothing.

    state: the one just after it. An entry from before it was noted what was heard tells only of
    counters that the seat saw in that state.
    """
    if game_master(state, seat):
        number = entry.number
        return _revealed(
            SeenEntry(number, entry.by, entry.events, entry.command, None, number), entry
        )
    events = entry.events
    if view_of(entry, seat) is None:
        events = tuple(event for event in events if shows(state, seat, event))
        if entry.views is not None or not events:
            return None
    read = all(sees(state, seat, each) for each in named_counters(entry.command))
    whole = read and len(events) == len(entry.events)
    command = entry.command if whole else None
    seen = SeenEntry(entry.number, entry.by, events, command, None, entry.number)
    return _heard(state, seat, seen, entry)


def _revealed(seen: SeenEntry, entry: Entry) -> SeenEntry:
    """*seen*, for the GM, with an edit that showed a counter to somebody told as what it is."""
    places = {place for view in (entry.views or {}).values() for place in view.revealed}
    if not places:
        return seen
    events = [
        {**event, "kind": "revealed"} if place in places else event
        for place, event in enumerate(entry.events)
    ]
    return replace(seen, events=tuple(events))


def _sayable(state: GameState, event: Mapping[str, Any]) -> list[str]:
    """The changed fields that a player may read of."""
    counter = counter_in(state, event["on"])
    concealed = {"completes"} & set(counter.later) | ({"thresholds"} if counter.later else set())
    return [name for name in event["fields"] if name not in CONCEALED | concealed]


Life = tuple[int, int]
"""Identity of a counter: (entry, event), the place in the log where it was made."""
FROM_THE_OPENING: Life = (0, 0)


class _Lives:
    """Counters by id, as the log is read from its beginning.

    Undone entries do not count; redone entries count again at their old place.
    """

    def __init__(self) -> None:
        self._ends: dict[str, list[tuple[int, Life | None]]] = {}
        self._undone: set[int] = set()

    def now(self, counter_id: str) -> Life | None:
        """The counter that has the id at this point of the log; None if none has."""
        for entry, life in reversed(self._ends.get(counter_id, [])):
            if entry not in self._undone:
                return life
        return FROM_THE_OPENING

    def stands(self, entry: int) -> bool:
        """True if the entry with that number is not undone."""
        return entry not in self._undone

    def trace(self, entry: Entry) -> list[tuple[dict[str, Any], Life | None]]:
        """The events of the next *entry*, each with the counter that it is about."""
        traced = []
        for place, event in enumerate(entry.events):
            if event["kind"] == "created" and "on" in event:  # and not a thing
                self._ends.setdefault(event["on"], []).append((entry.number, (entry.number, place)))
            traced.append((event, self.now(event["on"]) if "on" in event else None))
            if event["kind"] == "discarded":
                self._ends.setdefault(event["on"], []).append((entry.number, None))
        for event in entry.events:
            if event["kind"] == "undone":
                self._undone.add(event["of"])
            elif event["kind"] == "redone":
                self._undone.discard(event["of"])
        return traced
