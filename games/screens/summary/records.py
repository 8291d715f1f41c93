"""The statistics of a game from its log, without undone entries and without secrets.

The log is replayed and counted. How far that has got is kept (`games.models.CountedLog`), so that
the next one goes on from there: a summary costs as much as the last few hundred entries, however
long the evening. What is kept stays LAG entries behind, because most of what is undone is recent;
if something older is undone, the count begins anew.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import json, msgpack

from games import models
from games.models import Game, Outcome
from games.rules import secrecy
from games.rules.commands import Revise
from games.rules.entry import TURNS
from games.rules.log import TURNED
from games.rules.revising import with_number
from games.screens import chairs
from games.screens.summary.counting import Counting
from games.screens.summary.plot import seconds_played
from games.screens.summary.statistics import SLOTS, Curve, GameStatistics, Key, Point, Swing, Turn
from games.store.entries import texts
from games.systems.presentation import Presentation

MOST_CURVES = 8
"""Curves of one kind: those that moved most."""
MOST_CHARTS = 6
LAG, KEEP_EVERY = 100, 500
"""Lag of stored statistics behind the log, and the number of entries between two stores."""
FORM = 6
"""The form of a kept replay; one in another form is not read."""

Row = tuple[int, str, Mapping[str, Any], datetime, Mapping[str, Any] | None, int | None]
"""Of an entry: number, seat, command, when, what was heard of it, and which entry undid it."""


def statistics_of(game: Game, seat: str | None) -> GameStatistics:
    """The statistics of *game* up to its number, as far as *seat* may know; None for anyone."""
    counting, left = _begun(game, seat)
    keep_at = game.number - LAG if len(left) >= KEEP_EVERY else 0
    for row in _as_they_stand(left):
        counting.take(*row)
        if row[0] == keep_at:
            _keep(counting)
    return visible_statistics(counting)


def _as_they_stand(rows: Sequence[Row]) -> Iterator[Row]:
    """The entries, with the number that stands in place of one that was revised."""
    numbers = {
        command["entry"]: command["number"]
        for _number, _seat, command, _at, _heard, undone_by in rows
        if command["do"] == Revise.verb and undone_by is None
    }
    for number, seat, command, at, heard, undone_by in rows:
        now = with_number(command, numbers[number]) if number in numbers else command
        yield number, seat, now, at, heard, undone_by


def audience_of(game: Game, seat: str | None) -> str:
    """The audience that shares the statistics: all, or where there are secrets only the seat
    itself.
    """
    return (seat or "") if secrecy.private_log(game.rules) else ""


def _kept(game: Game) -> Any:
    return models.CountedLog.objects.filter(game=game, form=FORM, number__lte=game.number)


def _keep(counting: Counting) -> None:
    kept = {**counting.kept(), "known": counting.game.number}
    data = zlib.compress(msgpack.encode(kept), 1)
    models.CountedLog.objects.update_or_create(
        game=counting.game,
        audience=audience_of(counting.game, counting.seat),
        defaults={"number": counting.number, "form": FORM, "data": data},
    )


def _begun(game: Game, seat: str | None) -> tuple[Counting, list[Row]]:
    """The stored statistics, and the entries since."""
    kept = _kept(game).filter(audience=audience_of(game, seat)).first()
    if kept is not None:
        stored = msgpack.decode(zlib.decompress(kept.data))
        counting, left = Counting(game, seat), _entries(game, kept.number)
        if _undone_since(game, left, stored["known"]) > kept.number:
            if counting.resume(kept.number, stored):
                return counting, left
    counting = Counting(game, seat)
    counting.start()
    return counting, _entries(game, 0)


def _entries(game: Game, after: int) -> list[Row]:
    stored = game.entries.filter(number__gt=after, number__lte=game.number)
    return [
        (number, seat, json.decode(command), at, heard and json.decode(heard), undone_by)
        for number, seat, command, at, heard, undone_by in texts(
            stored, "number seat command at heard undone_by"
        )
    ]


def _undone_since(game: Game, left: Sequence[Row], known: int) -> int:
    """The first entry that one of those *left* turned; else the one after the last.

    What was undone up to entry *known* was left out when the count was kept.
    """
    reversals = [row[0] for row in left if row[0] > known and row[2]["do"] in TURNS]
    undone = [game.number + 1]
    for at in range(0, len(reversals), 500):
        some = game.entries.filter(number__in=reversals[at : at + 500])
        for events in some.values_list("events", flat=True):
            undone += [each["of"] for each in events if each["kind"] in TURNED]
    return min(undone)


def visible_statistics(counting: Counting) -> GameStatistics:
    """The part of the statistics that the reader may know."""
    state = counting.state
    away = chairs.absent(state)
    statistics = GameStatistics(
        hero=counting.presentation.story.hero,
        acts=dict(counting.acts),
        teams={f"team:{team.id}": tuple(team.seats) for team in state.teams.values()},
        lost=[
            (seat, Point(line, at, 0))
            for seat, (line, at) in counting.lost.items()
            if seat not in away
        ],
        absent=list(away),
        result=state.result,
        winners=list(state.winners),
        played={owner: list(names.values()) for owner, names in counting.played.items()},
        began=counting.began,
        ended=counting.seen_at,
        pauses=counting.pauses,
        last=counting.line,
    )
    if scores := counting.presentation.story.scores(counting.system, state):
        statistics.scored = dict(scores.points())
        statistics.lowest = scores.best == "lowest"
    statistics.turns = _turns(counting)
    for dealt in counting.dealt.values():
        for pair, amount in dealt.items():
            statistics.dealt[pair] = statistics.dealt.get(pair, 0) + amount
    if not secrecy.private_log(counting.system):
        statistics.rules = [
            (number, counting.system.rulebook.rules[number].text, times)
            for number, times in counting.fired.most_common()
            if number not in counting.presentation.story.uncounted
        ][:6]
    else:
        statistics.acts = {}
    shown = {
        key: curve
        for key in counting.curves
        if key[1] not in away and (curve := _curve(counting, key)) is not None
    }
    statistics.charts = _charts(counting, shown)
    statistics.swing = _swing(counting, statistics, shown)
    return statistics


def _turns(counting: Counting) -> list[Turn]:
    """The turns; the opening's only if the first line did not begin another and a later one did."""
    begun = counting.turns
    if [line for _seats, line, _at in begun[:2]] in ([0], [0, 1]):
        begun = begun[1:]
    ends = [*(at for _seats, _line, at in begun[1:]), counting.seen_at]
    return [
        Turn(tuple(seats), line, at or counting.began, end)
        for (seats, line, at), end in zip(begun, ends, strict=False)
    ]


def _curve(counting: Counting, key: Key) -> Curve | None:
    """The part of a number that the reader may know: what it saw then, and what was shared since.

    If it is hidden now, its past is too.
    """
    kind, holder = key
    if secrecy.private_log(counting.system) and not (kind == SLOTS and counting.sees(holder)):
        return None
    every, until = counting.curves[key], counting.shared.get(holder, -1)
    seen = [each for each in every if each[4] or each[0] <= until]
    if not seen:
        return None
    points = [Point(line, at or counting.began, value) for _n, line, at, value, *_seen in seen]
    if seen[0] is every[0] and seen[0][0] and seen[0][5] is not None:
        points.insert(0, _first(counting, holder))
    seats, name, most = _whose(counting, holder)
    lost = counting.lost.get(seats[0]) if len(seats) == 1 and kind != SLOTS else None
    end = Point(*lost, points[-1].value) if lost else None
    return Curve(holder, seats, tuple(points), name, most, end)


def _first(counting: Counting, holder: str) -> Point:
    """The 0 with which a number begins: at the beginning, or when its seat came."""
    line, at = counting.came.get(holder, (0, counting.began))
    return Point(line, at, 0)


def _whose(counting: Counting, holder: str) -> tuple[tuple[str, ...], str, int | None]:
    """The seats of a holder; for a slot counter also its name and how many slots it has."""
    state = counting.state
    if holder in state.slot_counters:
        counter: Any = state.slot_counters[holder]
        seats = (counter.owner,) if counter.owner in state.seats else ()
        return seats, counter.name, getattr(counter, "slots", None)
    team = state.teams.get(holder.removeprefix("team:"))
    return (tuple(team.seats) if team else (holder,)), "", None


def _charts(counting: Counting, shown: Mapping[Key, Curve]) -> dict[str, list[Curve]]:
    charts: dict[str, list[Curve]] = {}
    for (kind, _holder), curve in shown.items():
        if curve.moved:
            charts.setdefault(kind, []).append(curve)
    hero = about(counting.presentation, charts)
    if hero:  # a seat that lost none of it is part of the picture
        charts[hero] = [curve for (kind, _holder), curve in shown.items() if kind == hero]
        charts[hero] += _at_zero(counting, hero, charts[hero])
    order = list(counting.state.seats)
    chosen = sorted(
        charts, key=lambda kind: (kind != hero, -sum(c.moved for c in charts[kind]), kind)
    )[:MOST_CHARTS]
    for kind in chosen:
        moving = sorted(charts[kind], key=lambda curve: -curve.moved)[:MOST_CURVES]
        moving.sort(key=lambda curve: ([order.index(each) for each in curve.seats], curve.name))
        charts[kind] = moving
    return {kind: charts[kind] for kind in chosen}


def _at_zero(counting: Counting, kind: str, there: Sequence[Curve]) -> list[Curve]:
    """The seats that never had any of a number that every player has: they are at 0."""
    presentation, state = counting.presentation, counting.state
    if kind not in presentation.board.always_shown or secrecy.private_log(counting.system):
        return []
    away = {*chairs.absent(state), *(curve.holder for curve in there)}
    return [
        Curve(seat, (seat,), (_first(counting, seat),)) for seat in state.seats if seat not in away
    ]


def about(presentation: Presentation, charts: Container[str]) -> str | None:
    """The number in *charts* that the game is about; None if it is about none of them."""
    kinds = (
        presentation.story.hero,
        *presentation.board.always_shown,
        *presentation.board.player_kinds,
    )
    return next((kind for kind in kinds if kind in charts), None)


def _swing(
    counting: Counting, statistics: GameStatistics, shown: Mapping[Key, Curve]
) -> Swing | None:
    """The largest change, if it is more than a tap; of what the game is about, if that moved."""
    only = about(counting.presentation, statistics.charts)
    best: tuple[int, int] = (0, 0)
    found: tuple[Key, list[Any]] | None = None
    for key in shown:
        if key[0] == only or (only is None and key[0] in statistics.charts):
            for point in counting.curves[key]:
                by = abs(point[5] or 0)
                if (by, -point[0]) > best and by > 1:
                    best, found = (by, -point[0]), (key, point)
    if found is None:
        return None
    key, (number, line, at, value, _seen, by) = found
    dealers = [pair[0] for pair in counting.dealt.get(number, {}) if pair[1] == key[1]]
    dealer = dealers[0] if len(dealers) == 1 else ""
    return Swing(key[0], shown[key], Point(line, at, value), value - by, dealer)


def note_outcome(game: Game) -> Outcome | None:
    """Note how *game* stands as what everyone at the table may know; None if nothing happened."""
    statistics = statistics_of(game, None)
    if not game.number:
        return None
    outcome, _new = Outcome.objects.update_or_create(
        game=game,
        defaults={
            "number": game.number,
            "winners": statistics.winners,
            "played": statistics.played,
            "scored": statistics.scored,
            "lowest": statistics.lowest,
            "seconds": int(seconds_played(statistics)),
            "turns": len(statistics.turns),
            "ended": datetime.fromtimestamp(statistics.ended, UTC),
        },
    )
    return outcome
