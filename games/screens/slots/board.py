"""The board of a table with slot counters, drawn separately for each seat.

What a seat may not see is left out before drawing: fragments are made of counter views
(`view_models`), which exist only for what the rules show that seat. A tap redraws the one counter
it touched; the board around it is sent only when counters appear, disappear or move.

Ids: "k-" and a counter's id for the counter; "asked" (proposals), "notices", "moments", "party" and
"groups" for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.models import Seat
from games.rules.history import Applied
from games.rules.state import GameState
from games.rules.system import System
from games.screens.fragments import MORPH, OOB, Audience
from games.screens.slots import view_models
from games.screens.slots.sheets import aftermath
from games.screens.slots.words import OUTCOMES, proposal
from games.screens.updates import Screens
from games.systems.stars_and_signs.counter import GM, Counter, counter_in, game_master
from games.systems.stars_and_signs.seen import seen_prompts

Events = tuple[Mapping[str, Any], ...]
TURNS_OUT = frozenset({"completed", "reopened", "restarted", "resolved", "edited", "discarded"})
"""Events that can add, remove or rename a completion."""


class SlotScreens(Screens):
    """Renders the fragments of one table with slot counters."""

    def __init__(self, system: System, seats: Mapping[str, Seat | str] | None = None) -> None:
        super().__init__(system, seats)
        self._drawn: dict[tuple[Any, ...], tuple[Counter, str]] = {}
        self._places: dict[str, int] = {}

    def reseat(self, seats: Mapping[str, Seat]) -> None:
        super().reseat(seats)
        self._drawn.clear()

    # Updates

    def changes(self, given: Applied, audience: Audience) -> str:
        """The fragments that an accepted command changed for *audience*."""
        before, after, seat = given.before, given.after, audience.seat
        if before is after:
            return self.notices(given, audience)
        events: Events = given.entry.events if given.entry else ()
        if given.touched is None or before.seats is not after.seats:
            return self.whole(after, audience, events) + self.notices(given, audience)
        with self.reading(audience):
            here = [each for each in after.slot_counters if each in given.touched]
            moved = len(here) != len(given.touched & _ids(before, after)) or any(
                view_models.moved(before, after, seat, each) for each in here
            )
            out = self._counters(before, after, here, seat, moved=moved)
            if moved or any(view_models.in_strip(after, each) for each in here):
                if view_models.strip(before, seat) != view_models.strip(after, seat):
                    out += self.party(after, seat, MORPH)
            if moved or any(event["kind"] in TURNS_OUT for event in events):
                if _moments(before, seat) != _moments(after, seat, events):
                    out += self.moments(after, seat, events, MORPH)
            if _waiting_for(before, seat) or _waiting_for(after, seat):
                if self.proposals(before, seat) != self.proposals(after, seat):
                    out += self.proposals(after, seat, MORPH)
            return out + self.notices(given, audience)

    def notices(self, given: Applied, audience: Audience) -> str:
        """Notices that the seat reads once and dismisses; nothing if there are no new ones."""
        with self.reading(audience):
            new = list(self._notices(given, audience.seat))
            return self._render("board/_notices", notices=new, swap=mark_safe(MORPH)) if new else ""

    def _notices(self, given: Applied, seat: str | None) -> Iterator[Mapping[str, Any]]:
        """For the GM, a player's Action; for a player, a request that the GM declined.

        The GM chooses what follows an Action, so no one else sees the notice.
        """
        entry = given.entry
        if entry is None or entry.by == seat:
            return
        for event in entry.events:
            who = event.get("seat", "")
            if event["kind"] == "acted" and game_master(given.after, seat):
                if not event.get("reaction"):
                    yield self._acted(given.after, who, event.get("outcome") or "")
            elif event["kind"] == "answered" and not event.get("accepted"):
                prompt = given.before.prompt(event["prompt"])
                if prompt and prompt.facts["by"] == seat:
                    wish = proposal(self.system, given.before, seat, prompt.facts["command"])[
                        "wish"
                    ]
                    yield {
                        "who": self.name(entry.by),
                        "place": self._place(given.after, entry.by),
                        "text": _("The GM declined: %(wish)s") % {"wish": wish},
                    }

    def _acted(self, state: GameState, who: str, outcome: str) -> Mapping[str, Any]:
        facts = {"seat": self.name(who), "outcome": _(OUTCOMES[outcome]) if outcome else ""}
        said = _("%(seat)s acts: %(outcome)s") if outcome else _("%(seat)s acts")
        return {
            "who": self.name(who),
            "place": self._place(state, who),
            "text": said % facts,
            "then": aftermath(outcome, who),
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
        if moved and view_models.layout(before, seat) != view_models.layout(after, seat):
            return self.groups(after, seat, MORPH)
        out = []
        for each in here:
            if each not in before.slot_counters:
                continue  # new and hidden from this seat, or the layout would differ
            then = view_models.counter_view(before, seat, counter_in(before, each))
            now = view_models.counter_view(after, seat, counter_in(after, each))
            if now and then != now:
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
                + self.groups(state, seat, MORPH)
                + self.bar(state, seat, MORPH)
            )

    # The fragments

    def board(
        self, state: GameState, seat: str | None, audience: Audience, swap: str = MORPH
    ) -> str:
        """The whole board as *seat* sees it."""
        with self.reading(audience):
            waiting = self.proposals(state, seat)
            waiting += self._render("board/_notices", notices=[], swap="")
            parts = (
                f'<div class="in-sight">{waiting}</div>',
                self.moments(state, seat),
                self.party(state, seat),
                self.groups(state, seat),
            )
            board = f'<div id="board" class="board has-slots"{swap}>{"".join(parts)}</div>'
            bar = mark_safe(self.bar(state, seat))
            return board + self._render("board/_cockpit", bar=bar, seat=seat, swap=mark_safe(swap))

    def proposals(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The proposals that wait for *seat*, and those it made."""
        return self._render(
            "board/_asked",
            proposals=[
                {
                    "prompt": prompt,
                    "mine": prompt.facts["by"] == seat,
                    "who": self.name(prompt.facts["by"]),
                    "place": self._place(state, prompt.facts["by"]),
                    **proposal(self.system, state, seat, prompt.facts["command"]),
                }
                for prompt in _waiting_for(state, seat)
            ],
            swap=mark_safe(swap),
        )

    def moments(
        self, state: GameState, seat: str | None, events: Events = (), swap: str = ""
    ) -> str:
        """The completed counters, each announced once on each screen."""
        found = [
            {"moment": each, "owner": self._owner(each.counter_view.counter.owner, seat)}
            for each in view_models.moments(state, seat, events)
        ]
        return self._render("board/_moments", moments=found, swap=mark_safe(swap))

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
                "flags": each.flags,
                "counters": each.counters,
            }
            for each in view_models.strip(state, seat)
            if each.seat != seat or game_master(state, seat)
        ]
        return self._render("board/_party", party=members, swap=mark_safe(swap))

    def groups(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """All counters, under their headings."""
        drawn = [
            {
                "kind": group.kind,
                "name": group.name,
                "title": self._title(group),
                "place": self._place(state, group.name) if group.kind == "seat" else 0,
                "counters": mark_safe(
                    "".join(self.counter(state, each) for each in group.counter_views)
                ),
                "count": len(group.counter_views),
            }
            for group in view_models.groups(state, seat)
        ]
        gm = game_master(state, seat)
        return self._render("board/_groups", groups=drawn, gm=gm, seat=seat, swap=mark_safe(swap))

    def bar(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """What can be started at any time: a new counter, an Action."""
        context = {"seat": seat, "gm": game_master(state, seat), "swap": mark_safe(swap)}
        return self._render("board/_bar", **context)

    def counter(self, state: GameState, seen: view_models.CounterView, swap: str = "") -> str:
        """One counter, redrawn only if it or the rights to it changed."""
        language = translation.get_language() or ""
        key = (seen.id, seen.rights, seen.masked, seen.seers, language)
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

    def _title(self, group: view_models.Group) -> str:
        if group.kind == "seat":
            return self.name(group.name)
        titles = {"mine": _("Mine"), "known": _("Something stirs"), "done": _("Resolved")}
        return titles.get(group.kind) or group.name or _("The table")

    def _place(self, state: GameState, seat: str) -> int:
        return list(state.seats).index(seat) + 1 if seat in state.seats else 0


def _ids(before: GameState, after: GameState) -> frozenset[str]:
    return frozenset(before.slot_counters) | frozenset(after.slot_counters)


def _waiting_for(state: GameState, seat: str | None) -> list[Any]:
    """The waiting proposals that *seat* sees: the GM all, others their own."""
    if seat is None:
        return []
    seen = seen_prompts(state, seat)
    return [each for each in seen if game_master(state, seat) or each.facts["by"] == seat]


def _moments(state: GameState, seat: str | None, events: Events = ()) -> list[tuple[str, Any]]:
    found = view_models.moments(state, seat, events)
    return [(each.key, each.counter_view.counter.name) for each in found]
