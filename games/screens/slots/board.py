"""The board of a table with slot counters, drawn separately for each seat.

What a seat may not see is left out before drawing: fragments are made of counter views
(`view_models`), which exist only for what the rules show that seat. A tap redraws the one counter
it touched; the board around it is sent only when counters appear, disappear or move.

Ids: "k-" and a counter's id for the counter; "asked" (proposals), "notices", "moments", "notebook",
"party", "tabs", "groups", "own" (my Despair) and "chips" (what I have) for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.models import Seat
from games.rules.history import Applied
from games.rules.state import GameState, Prompt
from games.rules.system import System
from games.screens.cards.changes import Screens
from games.screens.drawing import Held
from games.screens.fragments import MORPH, OOB, Audience
from games.screens.slots import fragments, layout, notebook, view_models, words
from games.screens.slots.sheets import aftermath
from games.screens.slots.words import OUTCOMES, proposal
from games.systems.stars_and_signs.counter import (
    GM,
    Counter,
    counter_in,
    game_master,
    protagonists,
)
from games.systems.stars_and_signs.follow_ups import FOLLOW_UP
from games.systems.stars_and_signs.seen import seen_prompts

Events = tuple[Mapping[str, Any], ...]
TURNS_OUT = frozenset(
    {
        *("completed", "reopened", "restarted", "resolved", "edited", "discarded", "wounded"),
        "threshold-reached",
    }
)
"""Events that can add, remove or rename a completion, or are a moment themselves."""
SCENES = frozenset({"scene-began", "scene-ended"})
"""Events that are announced as moments, where players know of them."""


class SlotScreens(Screens):
    """Renders the fragments of one table with slot counters."""

    def __init__(self, system: System, seats: Mapping[str, Seat | str] | None = None) -> None:
        super().__init__(system, seats)
        self._drawn: dict[tuple[Any, ...], tuple[Counter, str]] = {}
        self._grouped: tuple[GameState | None, dict[Any, list[layout.Group]]] = (None, {})

    def reseat(self, seats: Mapping[str, Seat]) -> None:
        super().reseat(seats)
        self._drawn.clear()

    # Updates

    def changes(self, given: Applied, audience: Audience) -> str:
        """The fragments that an accepted command changed for *audience*."""
        before, after, seat = given.before, given.after, audience.seat
        events: Events = given.entry.events if given.entry else ()
        if before is after:
            return self._wounds(after, audience, events) + self.notices(given, audience)
        settled = before.settings is after.settings
        if given.touched is None or before.seats is not after.seats or not settled:
            return self.whole(after, audience, events) + self.notices(given, audience)
        if before.scenes is not after.scenes:
            return self._scenes_changed(given, audience, events)
        with self.reading(audience):
            here = [each for each in after.slot_counters if each in given.touched]
            there = before.slot_counters
            left = any(each in there for each in given.touched if each not in after.slot_counters)
            moved = left or any(layout.moved(before, after, seat, each) for each in here)
            out = self._counters(before, after, here, seat, moved=moved)
            if moved or any(layout.in_strip(after, each) for each in here):
                if layout.strip(before, seat) != layout.strip(after, seat):
                    out += self.party(after, seat, MORPH)
            out += self._own_changes(before, after, here, seat)
            told = self._told(before, seat) != self._told(after, seat)
            if told or moved or any(event["kind"] in TURNS_OUT for event in events):
                number = given.entry.number if given.entry else 0
                new = dict.fromkeys(view_models.revealed(before, after, seat), number)
                gone = view_models.revealed(after, before, seat)
                turned = _moments(before, seat) != _moments(after, seat, events)
                kept = game_master(after, seat) and any(view_models.kept_hidden(after, events))
                if told or new or gone or turned or kept:
                    out += self.moments(after, seat, events, MORPH, new)
            out += self._notebook_changes(before, after, seat)
            if _waiting_for(before, seat) or _waiting_for(after, seat):
                if self.proposals(before, seat) != self.proposals(after, seat):
                    out += self.proposals(after, seat, MORPH)
            return out + self.notices(given, audience)

    def _wounds(self, state: GameState, audience: Audience, events: Events) -> str:
        """The moments, if somebody suffered a Wound: that changes no counter."""
        if not any(event["kind"] == "wounded" for event in events):
            return ""
        with self.reading(audience):
            found = self.moments(state, audience.seat, events, MORPH)
        return found if ".wound." in found else ""

    def _scenes_changed(self, given: Applied, audience: Audience, events: Events) -> str:
        """The board, unless nothing of it changed for *audience*: a scene is prepared in secret."""
        now = self.whole(given.after, audience, events)
        same = now == self.whole(given.before, audience)
        return self.notices(given, audience) if same else now + self.notices(given, audience)

    def notices(self, given: Applied, audience: Audience) -> str:
        """Notices that the seat reads once and dismisses; nothing if there are no new ones."""
        events = given.entry.events if given.entry else ()
        if not any(event["kind"] == "answered" for event in events):
            return ""
        with self.reading(audience):
            new = list(self._notices(given, audience.seat))
            return self._render("board/_notices", notices=new, swap=mark_safe(MORPH)) if new else ""

    def _notices(self, given: Applied, seat: str | None) -> Iterator[Mapping[str, Any]]:
        """For a player, how the GM decided, if not plainly yes."""
        entry = given.entry
        if entry is None:
            return
        replies = {e["prompt"]: e["text"] for e in entry.events if e["kind"] == "replied"}
        for event in entry.events:
            if event["kind"] != "answered":
                continue
            prompt = given.before.prompt(event["prompt"])
            if prompt and prompt.facts["by"] == seat:
                reply = replies.get(event["prompt"], "")
                wish = proposal(self.system, given.before, seat, prompt)["wish"]
                if text := words.decided(event, wish, reply):
                    yield {
                        "who": self.name(entry.by),
                        "place": self._place(given.after, entry.by),
                        "text": text,
                        "reply": reply,
                    }

    def _counters(
        self,
        before: GameState,
        after: GameState,
        here: Sequence[str],
        seat: str | None,
        *,
        moved: bool,
    ) -> str:
        """The counters of *here* that look different to *seat*; all if the layout changed."""
        if moved and layout.arrangement(before, seat) != layout.arrangement(after, seat):
            return self.groups(after, seat, MORPH) + self._tabs_changes(before, after, seat)
        out = []
        for each in dict.fromkeys((*here, *view_models.hope_of(after, here))):
            if each not in before.slot_counters:
                continue  # new and hidden from this seat, or the layout would differ
            then = view_models.counter_view(before, seat, counter_in(before, each))
            now = view_models.counter_view(after, seat, counter_in(after, each))
            if now is None or then == now:
                continue
            if then and view_models.only_filled(then, now):
                out.append(fragments.filling(then, now))
            else:
                out.append(self.counter(after, now, OOB))
        return "".join(out)

    def whole(self, state: GameState, audience: Audience, events: Events = ()) -> str:
        """All fragments of the table, inside the board's frame."""
        seat = audience.seat
        with self.reading(audience):
            return (
                self.proposals(state, seat, MORPH)
                + self.moments(state, seat, events, MORPH)
                + self.party(state, seat, MORPH)
                + self.scene_bar(state, seat, MORPH)
                + self.groups(state, seat, MORPH)
                + self.own(state, seat, MORPH)
                + self.bar(state, seat, MORPH)
                + self.notebook(state, seat, MORPH)
            )

    # The fragments

    def board(
        self, state: GameState, seat: str | None, audience: Audience, swap: str = MORPH
    ) -> str:
        """The whole board as *seat* sees it."""
        with self.reading(audience):
            waiting = self.proposals(state, seat)
            waiting += self._render("board/_notices", notices=[], swap="")
            board = self.party(state, seat, swap)
            board += f'<div id="in-sight" class="in-sight"{swap}>{waiting}</div>'
            board += self.scene_bar(state, seat, swap)
            parts = self.moments(state, seat) + self.groups(state, seat)
            board += f'<div id="board" class="board has-slots"{swap}>{parts}</div>'
            held = Held(apart=self.remembers)
            acts = {"own": self.own(state, seat), "bar": self.bar(state, seat)}
            context = {name: held.hold(part) for name, part in acts.items()}
            swapped = mark_safe(swap)
            board += self._around("board/_cockpit", held, **context, seat=seat, swap=swapped)
            return board + self.notebook(state, seat, swap)

    def proposals(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The proposals and follow-ups that wait for *seat*, and the proposals it made."""
        waiting = [self._asked(state, seat, prompt) for prompt in _waiting_for(state, seat)]
        return self._render("board/_asked", proposals=waiting, swap=mark_safe(swap))

    def _asked(self, state: GameState, seat: str | None, prompt: Prompt) -> Mapping[str, Any]:
        by = prompt.facts["by"]
        asked = {"prompt": prompt, "who": self.name(by), "place": self._place(state, by)}
        if prompt.kind == FOLLOW_UP:
            outcome = prompt.facts["outcome"]
            facts = {"seat": self.name(by), "outcome": _(OUTCOMES[outcome])}
            said = _("%(seat)s acts: %(outcome)s") % facts
            return {**asked, "acted": said, "then": aftermath(outcome, by, prompt.id)}
        mine = by == seat
        return {**asked, "mine": mine, **proposal(self.system, state, seat, prompt)}

    def moments(
        self,
        state: GameState,
        seat: str | None,
        events: Events = (),
        swap: str = "",
        shown: Mapping[str, int] | None = None,
    ) -> str:
        """The completed counters, those *shown* just now, the scenes that began or ended, and what
        was told: each screen announces each once.
        """
        found = [
            {
                "moment": each,
                "owner": (owner := self._owner(each.counter_view.counter.owner, seat)),
                "small": bool(owner) and not each.counter_view.rights.gm,
            }
            for each in view_models.moments(state, seat, events, shown)
        ]
        began = [each for each in events if each["kind"] in SCENES and not each.get("secret")]
        gm = game_master(state, seat)
        return self._render(
            "board/_moments",
            moments=found,
            scenes=began,
            kept=list(view_models.kept_hidden(state, events)) if gm else [],
            everyone=", ".join([*map(self.name, protagonists(state)), _("TV")]),
            told=self._told(state, seat),
            gm=gm,
            swap=mark_safe(swap),
        )

    def _told(self, state: GameState, seat: str | None) -> list[dict[str, Any]]:
        return notebook.moments(state, seat, self._names(state)) if state.notes else []

    def _names(self, state: GameState) -> dict[str, str]:
        return {each: self.name(each) for each in state.seats}

    def notebook(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The notes beside the board, for those who have a seat."""
        if seat is None:
            return ""
        context = notebook.of_seat(state, seat, self._names(state))
        return self._render("board/_notebook", **context, swap=mark_safe(swap))

    def _notebook_changes(self, before: GameState, after: GameState, seat: str | None) -> str:
        if before.notes is after.notes:
            return ""
        now = self.notebook(after, seat, MORPH)
        return now if now != self.notebook(before, seat, MORPH) else ""

    def _owner(self, owner: str | None, seat: str | None) -> str:
        """The name of a counter's owner, for other seats."""
        return self.name(owner) if owner and owner not in (seat, GM) else ""

    def party(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The protagonists' own counters at a glance."""
        members = [
            {
                "seat": each.seat,
                "name": self.name(each.seat),
                "place": self._place(state, each.seat),
                "mine": each.seat == seat,
                "flags": each.flags,
                "despair": each.despair,
                "others": [pair for pair in each.counters if pair[0] != "despair"],
            }
            for each in layout.strip(state, seat)
            if each.counters
        ]
        return self._render("board/_party", party=members, swap=mark_safe(swap))

    def groups(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """All counters, under their headings."""
        parts = Held(apart=self.remembers)
        drawn = [
            {
                "kind": group.kind,
                "name": group.name,
                "title": self._title(group),
                "state": group.state,
                "place": self._place(state, group.name) if group.kind == "seat" else 0,
                "counters": parts.hold(
                    "".join(self.counter(state, each) for each in group.counter_views)
                ),
                "count": len(group.counter_views),
            }
            for group in self._groups(state, seat)
        ]
        context = {"groups": drawn, "gm": game_master(state, seat), "seat": seat}
        chips = parts.hold(self.chips(state, seat))
        return self._around("board/_groups", parts, **context, chips=chips, swap=mark_safe(swap))

    def _groups(self, state: GameState, seat: str | None) -> list[layout.Group]:
        """The counters that *seat* sees, by heading; several parts of a board show them."""
        key = seat, translation.get_language() or ""
        if self._grouped[0] is not state:
            self._grouped = (state, {})
        if key not in self._grouped[1]:
            self._grouped[1][key] = layout.groups(state, seat)
        return self._grouped[1][key]

    def scene_bar(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The GM's tabs, and the line to type a counter in; empty for everyone else."""
        parts = Held(apart=self.remembers)
        tabs = parts.hold(self.tabs(state, seat))
        return self._around("board/_scene_bar", parts, tabs=tabs, swap=mark_safe(swap))

    def tabs(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The GM's tabs: one for each scene, one for the protagonists, one for all that is over."""
        if not game_master(state, seat):
            return ""
        tabs: dict[str, dict[str, Any]] = {}
        for group in self._groups(state, seat):
            key, title = group.key, self._title(group)
            if group.kind == "seat":
                key, title = "party", _("Party")
            elif group.kind == "done" or group.state == "over":
                key, title = "done", _("Done")
            tab = tabs.setdefault(key, {"key": key, "title": title, "count": 0})
            tab["state"] = group.state
            tab["count"] += len(group.counter_views)
        return self._render("board/_tabs", tabs=tabs.values(), swap=mark_safe(swap))

    def _tabs_changes(self, before: GameState, after: GameState, seat: str | None) -> str:
        now = self.tabs(after, seat, MORPH)
        return now if now != self.tabs(before, seat, MORPH) else ""

    def own(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The player's Despair, large, with its slots; empty for the GM."""
        if seat is None:
            return ""
        seen = layout.hero(state, seat)
        shield = next(view_models.shields(state, seat, seen.counter), None) if seen else None
        context = {"counter_view": seen, "place": self._place(state, seat), "shield": shield}
        return self._render("board/_own", **context, swap=mark_safe(swap))

    def chips(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The player's counters that are not empty, each a number and a name."""
        if seat is None or game_master(state, seat):
            return ""
        hero = layout.hero(state, seat)
        mine = [
            each
            for group in self._groups(state, seat)
            if group.kind == "mine"
            for each in group.counter_views
            if not (hero and each.id == hero.id)
        ]
        full = [each for each in mine if words.amount(each.counter) or each.counter.items]
        return self._render("board/_chips", chips=full, swap=mark_safe(swap))

    def _own_changes(
        self, before: GameState, after: GameState, here: Sequence[str], seat: str | None
    ) -> str:
        """The Despair and the chips of *seat*, if they look different."""
        if seat is None or not any(seat == counter_in(after, each).owner for each in here):
            return ""
        out = ""
        for drawn in (self.own, self.chips):
            now = drawn(after, seat, MORPH)
            out += now if now != drawn(before, seat, MORPH) else ""
        return out

    def bar(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """What can be started at any time: an Action, and for the GM with its outcome."""
        gm = game_master(state, seat)
        able = [
            {"seat": each, "name": self.name(each), "place": self._place(state, each)}
            for each in (protagonists(state) if gm else ())
        ]
        place = self._place(state, seat) if seat else 0
        context = {"seat": seat, "gm": gm, "who": able, "place": place}
        return self._render("board/_bar", **context, swap=mark_safe(swap))

    def counter(self, state: GameState, seen: view_models.CounterView, swap: str = "") -> str:
        """One counter, redrawn only if it or the rights to it changed."""
        language = translation.get_language() or ""
        shown = (seen.rights, seen.masked, seen.hopeless, seen.seers, seen.prepared)
        key = (seen.id, *shown, language)
        kept = self._drawn.get(key)
        if kept and kept[0] == seen.counter:
            drawn = kept[1]
        else:
            counter = seen.counter
            drawn = self._render(
                "board/_slot_counter",
                counter_view=seen,
                counter=counter,
                owner=self.name(counter.owner) if counter.owner else "",
                owner_place=self._place(state, counter.owner) if counter.owner else 0,
                seers=[
                    {"name": self.name(each), "place": self._place(state, each), "how": how}
                    for each, how in seen.seers
                ],
            )
            self._drawn[key] = (counter, drawn)
        return drawn.replace('">', f'"{swap}>', 1) if swap else drawn

    def _title(self, group: layout.Group) -> str:
        if group.kind == "seat":
            return self.name(group.name)
        titles = {"mine": _("Mine"), "known": _("Something stirs"), "done": _("Resolved")}
        return titles.get(group.kind) or group.name or _("The table")

    def _place(self, state: GameState, seat: str) -> int:
        return list(state.seats).index(seat) + 1 if seat in state.seats else 0


def _waiting_for(state: GameState, seat: str | None) -> list[Any]:
    """The waiting prompts that *seat* sees: the GM all, others their own."""
    if seat is None:
        return []
    seen = seen_prompts(state, seat)
    return [each for each in seen if game_master(state, seat) or each.facts["by"] == seat]


def _moments(state: GameState, seat: str | None, events: Events = ()) -> list[tuple[str, Any]]:
    found = view_models.moments(state, seat, events)
    return [(each.key, each.counter_view.counter.name) for each in found]
