"""The board of a table with slot counters, for each pair of eyes its own.

What a seat may not see is left out before anything is drawn: fragments are made of faces
(`view_models`), and a face exists only for what the rules show that seat. A tap redraws the one
counter it touched; only when counters come, go or change places is the board around them sent.

Ids: "k-" and a counter's id for the counter; "asked", "notices", "moments", "party", "groups" for
the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.rules.history import Applied
from games.rules.state import GameState
from games.rules.system import System
from games.screens.fragments import MORPH, OOB, Audience
from games.screens.slots import view_models
from games.screens.slots.sheets import aftermath
from games.screens.slots.words import OUTCOMES, asked
from games.screens.updates import Screens
from games.systems.stars_and_signs.counter import GM, Counter, counter_in, game_master
from games.systems.stars_and_signs.seen import seen_prompts

Events = tuple[Mapping[str, Any], ...]
TURNS_OUT = frozenset({"completed", "reopened", "restarted", "resolved", "edited", "discarded"})
"""The facts after which another completion may stand, or one no longer, or under another name."""


class SlotScreens(Screens):
    """The fragments of one table with slot counters."""

    def __init__(self, system: System, names: Mapping[str, str] | None = None) -> None:
        super().__init__(system, names)
        self._drawn: dict[tuple[Any, ...], tuple[Counter, str]] = {}
        self._places: dict[str, int] = {}

    def rename(self, names: Mapping[str, str]) -> None:
        super().rename(names)
        self._drawn.clear()

    # Updates

    def changes(self, given: Applied, audience: Audience) -> str:
        """What an accepted command has changed for *audience*; nothing if it may not tell."""
        before, after, seat = given.before, given.after, audience.seat
        if before is after:
            return self.told(given, audience)
        events: Events = given.entry.events if given.entry else ()
        if given.touched is None or before.seats is not after.seats:
            return self.whole(after, audience, events) + self.told(given, audience)
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
            if _asked(before, seat) or _asked(after, seat):
                if self.asked(before, seat) != self.asked(after, seat):
                    out += self.asked(after, seat, MORPH)
            return out + self.told(given, audience)

    def told(self, given: Applied, audience: Audience) -> str:
        """What the seat is told once and then puts away itself; nothing if nothing is new."""
        with self.reading(audience):
            told = list(self._tidings(given, audience.seat))
            return (
                self._render("board/_notices", notices=told, swap=mark_safe(MORPH)) if told else ""
            )

    def _tidings(self, given: Applied, seat: str | None) -> Iterator[Mapping[str, Any]]:
        """An Action of a player's, to the GM; a wish declined, to who had it.

        What may follow a player's Action is the GM's to choose; nobody sees it before.
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
                    wish = asked(self.system, given.before, seat, prompt.facts["command"])["wish"]
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
        """The counters of *here* that look different to *seat*; all if any came, went or moved."""
        if moved and view_models.layout(before, seat) != view_models.layout(after, seat):
            return self.groups(after, seat, MORPH)
        out = []
        for each in here:
            if each not in before.slot_counters:
                continue  # new: this seat sees nothing of it, or it would lie on another board
            then = view_models.counter_view(before, seat, counter_in(before, each))
            now = view_models.counter_view(after, seat, counter_in(after, each))
            if now and then != now:
                out.append(self.counter(after, now, OOB))
        return "".join(out)

    def whole(self, state: GameState, audience: Audience, events: Events = ()) -> str:
        """All the fragments of the table; the frame of the board around them stays."""
        seat = audience.seat
        with self.reading(audience):
            return (
                self.asked(state, seat, MORPH)
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
            waiting = self.asked(state, seat) + self._render("board/_notices", notices=[], swap="")
            parts = (
                f'<div class="in-sight">{waiting}</div>',
                self.moments(state, seat),
                self.party(state, seat),
                self.groups(state, seat),
                self.bar(state, seat),
            )
            return f'<div id="board" class="board has-slots"{swap}>{"".join(parts)}</div>'

    def asked(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The proposals that wait for *seat*, or that it made itself."""
        return self._render(
            "board/_asked",
            proposals=[
                {
                    "prompt": prompt,
                    "mine": prompt.facts["by"] == seat,
                    "who": self.name(prompt.facts["by"]),
                    "place": self._place(state, prompt.facts["by"]),
                    **asked(self.system, state, seat, prompt.facts["command"]),
                }
                for prompt in _asked(state, seat)
            ],
            swap=mark_safe(swap),
        )

    def moments(
        self, state: GameState, seat: str | None, events: Events = (), swap: str = ""
    ) -> str:
        """What stands completed, to be told once on each screen."""
        found = [
            {"moment": each, "owner": self._owner(each.counter_view.counter.owner, seat)}
            for each in view_models.moments(state, seat, events)
        ]
        return self._render("board/_moments", moments=found, swap=mark_safe(swap))

    def _owner(self, owner: str | None, seat: str | None) -> str:
        """Whose a counter is, said to somebody else."""
        return self.name(owner) if owner and owner not in (seat, GM) else ""

    def party(self, state: GameState, seat: str | None, swap: str = "") -> str:
        """The protagonists' own counters at a glance."""
        told = [
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
        return self._render("board/_party", party=told, swap=mark_safe(swap))

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
        """What can be begun at any time: a new counter, an Action."""
        context = {"seat": seat, "gm": game_master(state, seat), "swap": mark_safe(swap)}
        return self._render("board/_bar", **context)

    def counter(self, state: GameState, seen: view_models.CounterView, swap: str = "") -> str:
        """One counter; drawn again only if it changed or who may do what with it."""
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


def _asked(state: GameState, seat: str | None) -> list[Any]:
    """The waiting proposals that are shown: to the GM all, to others their own."""
    if seat is None:
        return []
    seen = seen_prompts(state, seat)
    return [each for each in seen if game_master(state, seat) or each.facts["by"] == seat]


def _moments(state: GameState, seat: str | None, events: Events = ()) -> list[tuple[str, Any]]:
    told = view_models.moments(state, seat, events)
    return [(each.key, each.counter_view.counter.name) for each in told]
