"""The summary of a game as its page shows it: facts, charts, and who dealt what, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from games.screens.log.parts import signed
from games.screens.looks import seat_at
from games.screens.places import places
from games.screens.summary import charts
from games.screens.summary.labels import Note
from games.screens.summary.plot import (
    FINE,
    FINEST,
    Line,
    Picture,
    axis_of,
    bands,
    cut,
    line,
    turns_played,
)
from games.screens.summary.records import about
from games.screens.summary.statistics import (
    SLOTS,
    Curve,
    GameStatistics,
    comeback,
    leads,
    time_of_turns,
)
from games.screens.words import Words

MOST_ROWS, MOST_TURNS = 30, 80
"""Rows of a table with the values of a chart, by changes and by turns."""
MOST_TICKS = 4
"""Ticks after the beginning of the axis."""
NOTEWORTHY = 2
"""Changes of the lead from which they are worth telling."""


class Fact(Struct, frozen=True):
    """Something worth telling: a number or a time in big letters, and what it is."""

    big: str
    text: str


class Summary:
    """A game's statistics in words and pictures.

    names: of its seats, in order.
    """

    def __init__(self, statistics: GameStatistics, its: Words, names: Mapping[str, str]) -> None:
        self.statistics, self.its, self.names = statistics, its, names
        self.presentation = its.own
        self.places = {key: seat_at(its, place) for place, key in enumerate(names, start=1)}
        self.axis = axis_of(statistics)
        self.seconds = turns_played(statistics, self.axis)
        turns = bands(statistics.turns, self.places, self.axis)
        self.picture = Picture(self.axis, turns, *self._ticks())

    def context(self) -> dict[str, Any]:
        """The context of "pages/_summary.html"."""
        statistics = self.statistics
        main = self._main()
        return {
            "its": self.its,
            "some_lost": bool(statistics.lost),
            "some_acts": bool(statistics.acts),
            "timed": self.axis.timed,
            "facts": list(self._facts()),
            "axis_says": self._axis_says(),
            "axis_data": json.dumps(self._axis_data()),
            "main": self._whole_chart(main) if main else None,
            "panels": [self._panels(kind) for kind in statistics.charts if kind != main],
            "dealt": self._dealt(),
            "by_seat": self._by_seat(),
            "turns": len(statistics.turns),
            "rules": statistics.rules,
        }

    # Words

    def name(self, seats: Sequence[str]) -> str:
        """The seats as a group, in words."""
        return " + ".join(self.names.get(each, each) for each in seats)

    def called(self, curve: Curve) -> str:
        """The name of a curve: its holder, and a slot counter's name."""
        whose = self.name(curve.seats)
        name = self.its.unnamed(curve.name, "") or self.its.own_text(curve.name)
        return (f"{whose}: {name}" if whose else name) if name else whose

    def _says(self, curve: Curve) -> str:
        facts = {"name": self.called(curve), "first": curve.first, "last": curve.last}
        return _("%(name)s from %(first)s to %(last)s") % facts

    def headline(self) -> str:
        """The end of the game, in a few words; "" while it goes on."""
        return headline(self.statistics.result, [self.names[e] for e in self.statistics.winners])

    def _turn_name(self, number: int) -> str:
        who = self.name(self.statistics.turns[number].seats)
        return _("turn %(n)s, %(who)s") % {"n": number + 1, "who": who}

    def _turn_at(self, line: int) -> int | None:
        """The number of the turn in which *line* was, from 0."""
        begun = [n for n, turn in enumerate(self.statistics.turns) if turn.line <= line]
        return begun[-1] if begun else None

    def _in_turn(self, line: int) -> str:
        turn = self._turn_at(line)
        return "" if turn is None else ", " + _("turn %(n)s") % {"n": turn + 1}

    def _title(self, kind: str) -> str:
        return _("Counters") if kind == SLOTS else capfirst(self.its.kind(kind))

    # The axis

    def _ticks(self) -> tuple[tuple[tuple[float, str], ...], str]:
        """The labels of the axis, as many as stand apart on the narrowest phone, and their unit."""
        labels, unit = [(0.0, "0")], ""
        for most in range(MOST_TICKS, 0, -1):
            ticks = list(self.axis.ticks(most))
            unit, written = self._written([value for _place, value in ticks])
            labels = [(0.0, "0"), *zip((place for place, _value in ticks), written, strict=True)]
            if charts.stand_apart(labels):
                break
        return tuple(labels), unit

    def _written(self, values: Sequence[float]) -> tuple[str, list[str]]:
        """The *values* of ticks without their unit, and that."""
        whole = [round(value) for value in values]
        if not self.axis.timed:
            return "", [str(value) for value in whole]
        if any(value % 60 for value in whole):
            return _("s"), [str(value) for value in whole]
        if max(whole, default=0) < 3600:
            return _("min"), [str(value // 60) for value in whole]
        if any(value % 3600 for value in whole):
            return _("h"), [f"{value // 3600}:{value // 60 % 60:02}" for value in whole]
        return _("h"), [str(value // 3600) for value in whole]

    def _axis_says(self) -> list[str]:
        """The axis in words, for the reader: where it is no plain time."""
        if not self.axis.timed:
            return [_("From left to right: the lines of the log.")]
        said = []
        if self._main() is None:
            text = _("From left to right: %(time)s of play.")
            said.append(text % {"time": lasted(self.axis.length)})
        for _place, seconds in self.axis.pauses:
            said.append(_("A %(time)s break is shortened.") % {"time": lasted(seconds)})
        return said

    def _axis_data(self) -> dict[str, Any]:
        """The axis for the reading cursor, in thousandths: its parts, and the turns with names."""
        return {
            "timed": self.axis.timed,
            "parts": [
                [round(left * 1000), round(right * 1000), round(first), round(last)]
                for left, right, first, last in self.axis.parts
            ],
            "turns": [
                [round(band[2] * 1000), self._turn_name(number)]
                for number, band in enumerate(self.picture.bands)
            ],
        }

    # Charts

    def _main(self) -> str | None:
        """The number that gets the big chart: what the game is about, else what players have."""
        found = self.statistics.charts
        several = (kind for kind in found if kind != SLOTS and len(found[kind]) > 1)
        return about(self.presentation, found) or next(several, None)

    def _line(self, curve: Curve, most: int = FINEST) -> Line:
        place = self.places.get(curve.seats[0], 0) if curve.seats else 0
        return line(curve, self.called(curve), place, self.axis, most)

    def _whole_chart(self, kind: str) -> dict[str, Any]:
        curves = self.statistics.charts[kind]
        lines = [self._line(curve) for curve in curves]
        return {
            "title": self._title(kind),
            "drawn": charts.chart(
                lines,
                self.picture,
                title=self._title(kind),
                text="; ".join(map(self._says, curves)),
                loses_at=self.presentation.story.loses_at.get(kind),
                notes=list(self._notes(kind)),
            ),
            "names": [self.called(each) for each in curves],
            "rows": self._table(curves),
        }

    def _notes(self, kind: str) -> Iterator[Note]:
        """The biggest swing, and who was out; several at once have one note."""
        curves, swing = self.statistics.charts[kind], self.statistics.swing
        out: dict[int, list[Curve]] = {}
        for curve in curves:
            if curve.lost:
                out.setdefault(curve.lost.line, []).append(curve)
        if swing and swing.kind == kind and swing.curve.seats:
            text = f"{self._short(swing.curve)} {signed(swing.point.value - swing.before)}"
            alone = out.get(swing.point.line) == [swing.curve]
            if alone:
                del out[swing.point.line]
            place = self.places[swing.curve.seats[0]]
            yield Note(text, place, self.axis.place(swing.point), swing.point.value, out=alone)
        for first, *rest in out.values():
            who = str(len(rest) + 1) if rest else self._short(first)
            yield self._out_note(first, _("%(who)s out") % {"who": who}, several=bool(rest))
            for curve in rest:
                yield self._out_note(curve, "")

    def _out_note(self, curve: Curve, text: str, several: bool = False) -> Note:
        assert curve.lost is not None
        place = 0 if several else self.places[curve.seats[0]]
        return Note(text, place, self.axis.place(curve.lost), curve.last, out=True)

    def _short(self, curve: Curve) -> str:
        return cut(self.name(curve.seats), 12, 60)

    def _panels(self, kind: str) -> dict[str, Any]:
        """Small charts side by side, on one scale; a slot counter's is that of its slots."""
        curves = self.statistics.charts[kind]
        most = max(point.value for curve in curves for point in curve.points)
        loses_at = self.presentation.story.loses_at.get(kind)
        if loses_at is not None and loses_at <= 2 * most:
            most = max(most, loses_at)
        found = []
        for curve in curves:
            drawn = self._line(curve, FINE)
            found.append(
                {
                    "name": drawn.name,
                    "place": drawn.place,
                    "first": curve.first,
                    "last": curve.last,
                    "most": curve.most,
                    "drawn": charts.panel(
                        drawn,
                        self.picture,
                        max(1, curve.most or most),
                        title=self._says(curve),
                        loses_at=loses_at,
                    ),
                }
            )
        names = [self.called(each) for each in curves]
        return {
            "title": self._title(kind),
            "panels": found,
            "names": names,
            "rows": self._table(curves),
        }

    def _table(self, curves: Sequence[Curve]) -> list[tuple[str, list[int | None]]]:
        """The same values as rows: at the end of each turn, or after some lines of the log."""
        turns = self.statistics.turns
        if 2 <= len(turns):
            rows = [(_("start"), max(0, turns[0].line - 1))]
            every = -(-len(turns) // MOST_TURNS)
            for number in range(len(turns)):
                if number % every and number + 1 != len(turns):
                    continue
                ends = turns[number + 1].line - 1 if number + 1 < len(turns) else None
                rows.append((capfirst(self._turn_name(number)), ends or self.statistics.last))
        else:
            changes = sorted({point.line for curve in curves for point in curve.points})
            every = -(-len(changes) // MOST_ROWS)
            chosen = [n for i, n in enumerate(changes) if i % every == 0 or n == changes[-1]]
            rows = [(_("line %(n)s") % {"n": n}, n) for n in chosen]
        return [(text, [curve.at(line) for curve in curves]) for text, line in rows]

    # Facts

    def _facts(self) -> Iterator[Fact]:
        statistics = self.statistics
        turns = statistics.turns
        if self.axis.timed:
            yield Fact(lasted(self.axis.length), _("of play"))
        if len(turns) > 1:
            text = ngettext("turn", "turns", len(turns))
            yield Fact(str(len(turns)), text)
        longest = max(range(len(turns)), key=lambda n: self.seconds[turns[n].line], default=None)
        if longest is not None and len(turns) > 1 and self.axis.timed:
            yield Fact(
                lasted(self.seconds[turns[longest].line]),
                _("the longest turn: %(turn)s") % {"turn": self._turn_name(longest)},
            )
        yield from self._swing_fact()
        yield from self._comeback_fact()
        if self.presentation.story.hero in self.presentation.story.loses_at:
            changes = leads(statistics)
            if changes >= NOTEWORTHY:
                yield Fact(f"{changes} ×", _("the lead changed"))

    def _swing_fact(self) -> Iterator[Fact]:
        swing = self.statistics.swing
        if swing is None:
            return
        by = swing.point.value - swing.before
        facts = {
            "who": self.called(swing.curve),
            "kind": self.its.kind(swing.kind) if swing.kind != SLOTS else "",
            "by": self.names.get(swing.by, ""),
        }
        hero = swing.kind == self.presentation.story.hero
        if by < 0 and hero and swing.by and swing.by not in swing.curve.seats:
            text = _("the biggest hit: %(by)s on %(who)s") % facts
        elif by < 0 and hero:
            text = _("the biggest hit: on %(who)s") % facts
        elif swing.kind == SLOTS:
            text = _("the biggest change: %(who)s") % facts
        else:
            text = _("the biggest change: %(who)s’s %(kind)s") % facts
        yield Fact(signed(by), text + self._in_turn(swing.point.line))

    def _comeback_fact(self) -> Iterator[Fact]:
        if self.presentation.story.hero not in self.presentation.story.loses_at:
            return
        found = comeback(self.statistics)
        if found is None:
            return
        text = _("the comeback: %(who)s was %(behind)s behind and won") % {
            "who": self.name(found.curve.seats),
            "behind": found.behind,
        }
        now = f"{found.point.value} {self.its.kind(self.presentation.story.hero)}"
        yield Fact(now, text + self._in_turn(found.point.line))

    def _by_seat(self) -> list[dict[str, Any]]:
        statistics = self.statistics
        took = time_of_turns(statistics, self.seconds)
        lost, ranks = dict(statistics.lost), self._ranks()
        found = [
            {
                "key": key,
                "rank": ranks.get(key),
                "name": name,
                "place": self.places[key],
                "won": key in statistics.winners,
                "with": ", ".join(statistics.played.get(key, ())),
                "turns": took.get(key, (0, 0.0))[0],
                "took": lasted(took[key][1]) if key in took and self.axis.timed else "",
                "acts": statistics.acts.get(key, 0),
                "out": self._out(lost[key].line) if key in lost else "",
            }
            for key, name in self.names.items()
            if key not in statistics.absent
        ]

        def standing(each: Mapping[str, Any]) -> tuple[int, ...]:
            fell = -lost[each["key"]].line if each["out"] else 0
            return each["rank"] or len(found), not each["won"], bool(each["out"]), fell

        return sorted(found, key=standing)

    def _ranks(self) -> Mapping[str, int]:
        """The places of the players, if the number that the game is about decided."""
        main = self._main()
        curves = self.statistics.charts.get(main or "", ())
        totals = {curve.seats[0]: curve.last for curve in curves if len(curve.seats) == 1}
        playing = [key for key in self.names if key not in self.statistics.absent]
        if self.statistics.lost or totals.keys() != {*playing}:
            return {}
        return places(totals, self.statistics.winners)

    def _out(self, line: int) -> str:
        turn = self._turn_at(line)
        if turn is None:
            return _("line %(n)s") % {"n": line}
        return _("turn %(n)s") % {"n": turn + 1}

    def _dealt(self) -> dict[str, Any] | None:
        """The hero's losses by dealer, where that is known.

        unknown: how much was taken of which nobody said by whom; whole: how much was taken.
        """
        dealt = {pair: amount for pair, amount in self.statistics.dealt.items() if amount > 0}
        if not any(dealer for dealer, _holder in dealt):
            return None
        teams = self.statistics.teams
        order = [*self.names, *teams]
        known = {pair: amount for pair, amount in dealt.items() if pair[0]}
        holders = sorted({holder for _dealer, holder in known}, key=order.index)

        def named(key: str) -> dict[str, Any]:
            return {"name": self.name(teams.get(key, (key,))), "place": self.places.get(key, 0)}

        lines = []
        for dealer in self.names:
            amounts = [known.get((dealer, holder), 0) for holder in holders]
            if any(amounts):
                lines.append({**named(dealer), "amounts": amounts, "total": sum(amounts)})
        whole = sum(dealt.values())
        return {
            "to": [named(holder) for holder in holders],
            "lines": lines,
            "unknown": whole - sum(known.values()),
            "whole": whole,
        }


def headline(result: str | None, winners: Sequence[str]) -> str:
    """The end of a game, in a few words; "" while it goes on."""
    if result == "draw":
        return _("It’s a draw: no one is left.")
    if result == "lost":
        return _("The game is lost.")
    if winners:
        says = ngettext("%(who)s wins.", "%(who)s win.", len(winners))
        return says % {"who": ", ".join(winners)}
    return _("The end") if result else ""


def lasted(seconds: float) -> str:
    """A duration as people say it: "1 h 20 min", "3 min", "20 s"."""
    seconds = int(seconds)
    if seconds < 60:
        return _("%(n)s s") % {"n": seconds}
    hours, minutes = divmod(seconds // 60, 60)
    if not hours:
        return ngettext("%(n)s min", "%(n)s min", minutes) % {"n": minutes}
    if not minutes or hours >= 24:
        return _("%(h)s h") % {"h": hours}
    return _("%(h)s h %(n)s min") % {"h": hours, "n": minutes}
