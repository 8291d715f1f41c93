"""Play again: a new game at the same table, with its seats, its watchers and its links.

The same tap chooses who begins, which is the first line of the new log. The game before stays one
tap away, to be read and, if the rematch was a mistake, to be played on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from secrets import choice
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from msgspec.structs import replace

from games.live import table_registry as tables
from games.models import Entry, Game, LastEntry, Program, Visitor
from games.pages.access import afterwards, require_guest
from games.rules.dice import FIRST_TURN
from games.rules.state import GameState, Refused
from games.rules.system import System
from games.screens import chairs
from games.screens.cards import moments
from games.screens.cards.announcements import drawn_moment
from games.screens.match import is_rematch, match_text
from games.screens.words import words_of
from games.seats import guests, hosts
from games.seats.guests import Guest
from games.store import pictures, rows
from games.systems import presentation_of

MOST_BEFORE = 2
"""Entries of a rematch that has just begun: who starts, after the chairs that were taken away."""
LOT, LOSER, SAME = "lot", "loser", "same"


@require_POST
@require_guest
@afterwards
def again(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Begin a rematch and take everyone there; of two taps at once, one begins it.

    Any seat may do this, as any seat may undo anything; in a game with secrets, only those who know
    them. The old game stays as it is, to be read.
    """
    anew = play_again(guest, request.POST.get("begins", ""))
    return _to_same_page(request, anew)


def _to_same_page(request: HttpRequest, game: Game) -> HttpResponse:
    """The way to *game*: a phone in the middle of the table stays that."""
    flat = request.headers.get("HX-Current-URL", "").endswith("/flat")
    return redirect("flat" if flat else "board", slug=game.slug)


def play_again(guest: Guest, begins: str) -> Game:
    """Begin the rematch of *guest*'s game and take everyone there; return it. Raises Refused."""
    _refuse_restart(guest)
    anew = begin(guest.game, begins, guest.key)
    tables.end(guest.game.slug)
    return anew


def _refuse_restart(guest: Guest | None) -> None:
    """Refuse to begin the game anew, or an earlier one, for those who may not."""
    if guest is None or not hosts.may_restart(guest):
        why = _("Take a seat to play again. If there’s a GM, only the GM can.")
        raise Refused("forbidden", why)


def begin(game: Game, begins: str = "", by: str | None = None) -> Game:
    """The rematch of *game*: its opening once more, for the same seats and devices.

    Its heroes keep the names that people gave them.
    begins: "lot", "loser", "same", or "" if nobody chose. by: the seat that chose.
    """
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game.pk)
        if game.followed_by:
            return game.newest
        last = rows.state(game)
        first = game.rules.seating.rematch(_named(game.rules, rows.opening(game), last), last)
        names, looks = game.given_names, game.looks
        anew = rows.create(game.rules, first, title=game.title, names=names, looks=looks)
        pictures.copy(game, anew, pictures.of_notes(first))
        rows.give(anew, _begun(game, first, begins, by))
        bring_along(game, anew)
        game.followed_by = anew
        game.save(update_fields=["followed_by"])
    return anew


@require_POST
@require_guest
@afterwards
def resume(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Go on with this earlier game and take everyone there: the rematch was a mistake, say.

    The rematch is then a game before, with all that happened in it. A seat that may start the
    current game again may do this.
    """
    game, last = guest.game, guest.game.newest
    _refuse_restart(guests.at(last, guest.visitor.device_hash))
    if put_last(game):
        tables.end(last.slug)
        tables.resume(game.slug)
    return _to_same_page(request, game.newest)


def put_last(game: Game) -> bool:
    """Make *game* the last of its evening, the one that is played. False if it is already.

    That counts as a tap in it.
    """
    with transaction.atomic():
        evening = Game.objects.select_for_update().get(pk=game.pk).evening
        last, place = evening[-1], evening.index(game)
        if last == game:
            return False
        _follow(game, None)
        if place:
            _follow(evening[place - 1], evening[place + 1])
        _follow(last, game)
        LastEntry.objects.filter(game=game).update(changed=timezone.now())
        bring_along(last, game)
    game.refresh_from_db()
    return True


def _follow(game: Game, by: Game | None) -> None:
    Game.objects.filter(pk=game.pk).update(followed_by=by)


def bring_along(last: Game, anew: Game) -> None:
    """Let everyone at *last* have the same seat, device, name and rights at *anew*."""
    anew.seats.update(device_hash=None)
    for seat in last.seats.all():
        anew.seats.filter(key=seat.key).update(
            device_hash=seat.device_hash,
            given_name=seat.given_name,
            host=seat.host,
            stands_in=seat.stands_in,
            seen=seat.seen,
        )
    anew.visitors.all().delete()
    Visitor.objects.bulk_create(
        Visitor(
            game=anew,
            device_hash=each.device_hash,
            role=each.role,
            kind=each.kind,
            sent_away=each.sent_away,
            beside=each.beside,
            sat=each.sat,
        )
        for each in last.visitors.all()
    )
    came = {each.device_hash: each for each in anew.visitors.all()}
    for program in Program.objects.filter(visitor__game=last).select_related("visitor"):
        program.visitor = came[program.visitor.device_hash]
        program.save(update_fields=["visitor"])
    anew.locked, anew.keep_days, anew.webhook = last.locked, last.keep_days, last.webhook
    anew.only_own = last.only_own
    anew.save(update_fields=["locked", "keep_days", "webhook", "only_own"])


EVENING = timedelta(hours=12)
"""Time after its last tap for which a game is offered as the one before."""


def around(guest: Guest) -> dict[str, Any]:
    """The context of a table's page about the games before and after this one.

    before: the game that this phone played just before. starts: the moment that says who starts.
    match: the score of the evening.
    """
    game = guest.game
    later = is_rematch(game)
    return {
        "before": before(guest) if later else None,
        "starts": starts(game) if later else SafeString(),
        "match": match_text(game) if later or game.followed_by_id else "",
    }


def before(guest: Guest) -> Game | None:
    """The game that this phone played just before this one; None if that was another evening."""
    earlier = guest.game.earlier
    if earlier is None or timezone.now() - earlier.changed > EVENING:
        return None
    return earlier if earlier.admitted(guest.visitor.device_hash) else None


def starts(game: Game) -> SafeString:
    """The moment that says who starts this rematch, while nothing else has happened in it."""
    last = _beginning(game) if is_rematch(game) else None
    if last is None:
        return SafeString()
    facts = {each["kind"]: each for each in reversed(last.events)}
    its, active, drawn = (
        words_of(game.rules, game.places),
        facts["turn-began"]["active"],
        facts["seat-drawn"],
    )
    names = {key: seat.name for key, seat in its.seats.items()}
    told = moments.starts(active, names.__getitem__, last.number, drawn, rows.state(game))
    return mark_safe("".join(drawn_moment(its, each, names) for each in told))


def _beginning(game: Game) -> Entry | None:
    """The entry of a rematch that says who starts, while nothing else has happened in it."""
    entries = list(game.entries.order_by("number")[: MOST_BEFORE + 1])
    last = entries[-1] if 0 < len(entries) <= MOST_BEFORE else None
    kinds = {each["kind"] for each in last.events} if last else set()
    return last if {"turn-began", "seat-drawn"} <= kinds else None


def way_back(guest: Guest) -> dict[str, str]:
    """What Undo is for who began this rematch, while that is all that has happened in it: a tap
    that takes everyone back to the game before. Where nobody was drawn, anyone may."""
    game = guest.game
    if not is_rematch(game):  # asked after every few taps of any game
        return {}
    begun = _beginning(game)
    mine = begun.seat == guest.key if begun else not game.entries.exists()
    earlier = before(guest) if mine and hosts.may_restart(guest) else None
    if earlier is None:
        return {}
    return {
        "back": reverse("resume", args=[earlier.slug]),
        "undo_short": _("The game before"),
        "undo_text": _("Back to the game before"),
    }


def _named(system: System, first: GameState, last: GameState) -> GameState:
    """The opening *first*, with the house rules of *last* and the names given by then."""
    first = replace(first, settings=last.settings)
    presentation = presentation_of(system)
    for obj in first.objects.values():
        hero = not presentation.board.heroes.isdisjoint(getattr(obj, "types", ()))
        if obj.id in last.objects and (hero or obj.name in presentation.new_game.unnamed):
            given = last.objects[obj.id].names[0]  # a higher level has a name of its own
            first = first.with_object(replace(obj, name=given))
    return first


def beginners(game: Game) -> dict[str, str]:
    """The seats that could begin the rematch: "loser" and "same", where known.

    "loser" is the first seat that lost. "same" is the seat with the first turn, from the opening or
    from the first entry (the choice made for an earlier rematch).
    """
    if "begin-turn" not in game.rules.verbs:
        return {}
    state, turn = rows.state(game), rows.opening(game).turn
    began = list(turn.active[:1]) if turn else []
    lost = []
    stored = game.entries.filter(undone_by=None).order_by("number")
    for number, events in stored.values_list("number", "events"):
        for event in events:
            if event["kind"] == "lost" and state.seats[event["seat"]].lost:
                lost.append(event["seat"])
            elif event["kind"] == "turn-began" and (number == 1 or not began):
                began = event["active"][:1]
    found = {LOSER: lost[:1], SAME: began[:1]}
    return {which: seats[0] for which, seats in found.items() if seats}


def draws_lots(game: Game) -> bool:
    """True if one seat begins, not all at once, and turns are not left to the table."""
    one = presentation_of(game.rules).board.turns == "one"
    return one and "begin-turn" in game.rules.verbs


def _begun(
    game: Game, first: GameState, begins: str, by: str | None
) -> Sequence[Mapping[str, Any]]:
    """The commands that give the first turn to the chosen seat, without the chairs that nobody sits
    on; none if nobody was chosen."""
    empty = chairs.empty(game.rules, game.places, first)
    if begins == LOT and draws_lots(game):
        seat = choice([each for each in first.seats if each not in empty])
        drawn = {"do": "draw-seat", "seat": seat, **FIRST_TURN, "by": by or seat}
        return chairs.taken_away(empty, drawn)
    chosen = beginners(game).get(begins)
    if chosen is None:
        return []
    named = {"do": "draw-seat", "seat": chosen, "by_hand": True, **FIRST_TURN, "by": by or chosen}
    return chairs.taken_away(empty, named)
