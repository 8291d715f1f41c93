"""Seats: who is present, taking and leaving a seat, and asking for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.live import table_registry as tables
from games.live.closing import RELOAD, TAKEN_OVER
from games.models import LOOKS, Game, Seat, Visitor
from games.pages.access import require_guest
from games.pages.forms import named
from games.pages.parts import done
from games.pages.sheets import sheet_over, table_of
from games.pages.slots.numbers import asked
from games.rules.input import whole_number
from games.rules.state import Refused
from games.screens import sheets
from games.screens.looks import COLOURS, EMBLEMS
from games.seats import devices, guests, hosts, requests
from games.seats.guests import Guest

MOST_SHOWN = 24
"""Devices without a seat that are listed to those who lead the table."""
WELCOME = "?welcome=1"
"""The query with which the board asks a new player's name."""


@require_GET
@require_guest
def seats(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The list of seats: those taken, those free, and what this phone may do with each."""
    here = tables.present(guest.game.slug)
    places = [_place(guest, each, here) for each in guest.game.seats.all()]
    context = {
        "places": places,
        "free": hosts.open_seats(guest.game),
        "chair": hosts.may_bring_chair(guest),
        "host": next((each["place"] for each in places if each["place"].host), None),
        "leads": hosts.leads(guest),
        "may_lock": hosts.may_lock(guest),
        "gm": bool(hosts.knowing(guest.game)),
        "watching": _watching(guest) if hosts.leads(guest) else [],
    }
    return sheet_over(request, guest, "sheets/_seats.html", context)


@require_GET
@require_guest
def who(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Ask a newcomer who they are, where seats have names: one tap takes the seat, or asks for it.

    Of the seats without a name, somebody else gets the first.
    """
    if not hosts.may_say_who(guest):
        return redirect("board", slug=guest.game.slug)
    here = tables.present(guest.game.slug)
    seats = [each for each in guest.game.seats.all() if not hosts.guarded(guest.game, each.key)]
    context = {
        "game": guest.game,
        "guest": guest,
        "named": [each for each in seats if not each.taken and each.given_name],
        "unnamed": next((each for each in seats if each.free), None),
        "taken": [{"place": each, "here": each.key in here} for each in seats if each.taken],
    }
    return render(request, "pages/who.html", context)


def _watching(guest: Guest) -> list[Visitor]:
    """The devices without a seat that *guest* may remove, the newest first."""
    lookers = guest.game.visitors.exclude(role=Visitor.Role.BARRED).order_by("-at")[:MOST_SHOWN]
    seatless = [each for each in lookers if guest.game.seat_of(each.device_hash) is None]
    return [each for each in seatless if hosts.may_bar(guest, each)]


def _place(guest: Guest, each: Seat, here: set[str]) -> dict[str, Any]:
    """The context of one seat in the list, for *guest*."""
    mine, asks = guest.seat == each, requests.must_ask(guest, each)
    leads = hosts.leads(guest)
    return {
        "place": each,
        "here": each.key in here,
        "mine": mine,
        "guarded": hosts.guarded(guest.game, each.key),
        "devices": devices.of_seat(each) if mine else [],
        "asking": guest.visitor.news == Visitor.News.ASKING and guest.visitor.about == each.key,
        "asks": asks,
        "may_move": guest.seat is None or guest.game.rules.secrets is None,
        "may_free": leads and not mine and hosts.may_answer(guest, each),
        "may_bar": [device for device in each.devices if hosts.may_bar(guest, device)],
        "may_lead": each.taken and not each.host and (leads or (mine and guest.owner)),
    }


@require_GET
@require_guest
def seat(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """One seat: the player's own numbers, and forms to take, rename or leave it.

    `?add` begins with the form for another counter.
    """
    place = get_object_or_404(guest.game.seats, key=key)
    table = table_of(guest)
    sheet = sheets.of_seat(table, table.state.seats[key])
    sits = _place(guest, place, tables.present(guest.game.slug))
    return sheet_over(
        request,
        guest,
        "sheets/_seat.html",
        {
            **sheet,
            "place": place,
            "alone": True,
            "adds": "add" in request.GET,
            "sits": sits,
            "leads": hosts.leads(guest),
            "colours": list(_choices(place, "colour", COLOURS)),
            "emblems": list(_choices(place, "emblem", EMBLEMS)),
        },
    )


def _choices(place: Seat, part: str, words: Sequence[str]) -> Iterator[dict[str, Any]]:
    """All colours or emblems for a seat: whether it has each, and who else does."""
    others = Seat.objects.filter(game=place.game_id).exclude(pk=place.pk)
    worn = {getattr(each, part): each.name for each in others if not each.free}
    for number, word in enumerate(words, 1):
        yield {
            "number": number,
            "word": _(word),
            "mine": getattr(place, part) == number,
            "whose": worn.get(number, ""),
        }


@require_POST
@require_guest
def claim(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Take a free seat; of two phones, the first gets it. A closed seat must be requested.

    The phone's other pages, which show its last seat, reload.
    """
    place = get_object_or_404(guest.game.seats, key=key)
    _refuse_onlookers(guest)
    if requests.must_ask(guest, place):
        return request_seat(request, slug=guest.game.slug, key=key)
    if not place.claim(guest.visitor.device_hash):
        place.refresh_from_db()
        if not place.taken:  # the table has just sent this phone away, and tells it so
            return redirect("board", slug=guest.game.slug)
        taken = _("Another phone is using %(name)s’s seat.") % {"name": place.name}
        raise Refused("taken", taken)
    requests.forget(guest.visitor)
    left = guest.seat and guest.game.seats.get(pk=guest.seat.pk)
    if (guest.owner and left is None) or (left and left.host and not left.taken):
        hosts.make_host(guest.game, place)
    disconnect(guest.game, RELOAD, guest.visitor.device_hash)
    named = place.given_name or (guest.seat is not None and guest.seat.given_name)
    tables.refresh(guest.game.slug)
    page = "slot-own" if named and left is None and asked(guest.game, key) else "board"
    address = reverse(page, args=[guest.game.slug])
    return guests.renew(request, redirect(address if named else address + WELCOME))


def _refuse_onlookers(guest: Guest) -> None:
    if guest.looks_on:
        why = _("This link only lets you watch. To play, ask the table for the code.")
        raise Refused("forbidden", why)


@require_POST
@require_guest
def request_seat(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Request a seat that is taken or closed, and redirect to the board to wait for the answer."""
    place = get_object_or_404(guest.game.seats, key=key)
    _refuse_onlookers(guest)
    if requests.plays_elsewhere(guest.game, guest.visitor.device_hash, place):
        sentence = _("You play as %(name)s here. Leave that seat before you ask for this one.")
        raise Refused("forbidden", sentence % {"name": guest.seat})
    if guest.seat != place:
        requests.ask(guest, place)
        tables.push_sidebar(guest.game.slug)
    return guests.renew(request, redirect("board", slug=guest.game.slug))


@require_POST
@require_guest
def all_right(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Withdraw this phone's request and dismiss its notice; without a seat, stay a watcher."""
    requests.forget(guest.visitor)
    if guest.seat is None:
        devices.watch(guest.visitor)
    tables.push_sidebar(guest.game.slug)
    return redirect("board", slug=guest.game.slug)


def _own(guest: Guest, key: str, *, or_led: bool = False) -> Seat:
    """The seat of *guest*; or_led: any seat, for those who lead the table. Raises Refused."""
    place = get_object_or_404(guest.game.seats, key=key)
    if not (guest.seat == place or (or_led and hosts.leads(guest))):
        raise Refused("forbidden", _("That’s not your seat."))
    return place


@require_POST
@require_guest
def rename(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Rename a seat: one's own, or any seat for those who lead the table."""
    place = _own(guest, key, or_led=True)
    place.call(named(request.POST))
    if "welcome" in request.POST and asked(guest.game, key):
        tables.refresh(guest.game.slug)
        return redirect("slot-own", slug=guest.game.slug)
    return refresh_and_return(request, guest)


@require_POST
@require_guest
def look(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Choose the colour or the emblem of one's own seat, or of any for those who lead the table."""
    place = _own(guest, key, or_led=True)
    part = "colour" if "colour" in request.POST else "emblem"
    chosen = whole_number(request.POST.get(part, ""), 1, LOOKS)
    if chosen is None:
        message = _("Choose one of the colours and shapes offered.")
        raise Refused("invalid", message)
    if not place.choose(part, chosen):
        message = _("Someone else has that already. Choose another.")
        raise Refused("taken", message)
    return refresh_and_return(request, guest)


@require_POST
@require_guest
def leave(request: HttpRequest, guest: Guest, key: str) -> HttpResponse:
    """Leave one's seat and watch; or, for those who lead the table, free another phone's seat."""
    place = get_object_or_404(guest.game.seats, key=key)
    vacate(guest, place)
    if guest.seat != place:
        return refresh_and_return(request, guest)
    tables.refresh(guest.game.slug)
    return redirect("board", slug=guest.game.slug)


def vacate(guest: Guest, place: Seat) -> None:
    """Take *guest* from its own seat, or everyone from another's; the caller redraws the screens.

    Raises Refused.
    """
    mine = guest.seat == place
    if not mine and not (hosts.leads(guest) and hosts.may_answer(guest, place)):
        raise Refused("forbidden", _("That’s not your seat."))
    if mine:
        devices.leave(place, guest.visitor)
        if place.host and not place.taken:
            _hand_on(guest, place)
        disconnect(guest.game, RELOAD, guest.visitor.device_hash)
    else:
        for gone in devices.send_away(place):
            disconnect(guest.game, TAKEN_OVER, gone)
        if place.host and guest.seat and not hosts.guarded(guest.game, place.key):
            hosts.make_host(guest.game, guest.seat)


def _hand_on(guest: Guest, place: Seat) -> None:
    """The host has left *place*: someone stands in, and is the host now, unless that was the GM."""
    others = tables.present(guest.game.slug) - {place.key}
    hosts.succeed(guest.game.pk, others, [guest.visitor.device_hash])
    next_one = guest.game.seats.exclude(stands_in=None).first()
    if next_one and not hosts.guarded(guest.game, place.key):
        hosts.make_host(guest.game, next_one)


@require_POST
@require_guest
def remove_device(request: HttpRequest, guest: Guest, key: str, device: int) -> HttpResponse:
    """Take another device off one's own seat. It is told, and cannot come back without asking."""
    place = _own(guest, key)
    gone = next((each for each in place.devices if each.pk == device), None)
    if gone == guest.visitor:
        return leave(request, slug=guest.game.slug, key=key)
    if gone is not None:
        devices.remove(place, gone, guest.visitor)
        disconnect(guest.game, TAKEN_OVER, gone.device_hash)
    return refresh_and_return(request, guest)


@require_POST
@require_guest
def bar(request: HttpRequest, guest: Guest, visitor: int) -> HttpResponse:
    """Remove a device from the game for good; its pages close, and link and code change."""
    gone = get_object_or_404(guest.game.visitors, pk=visitor)
    if not hosts.may_bar(guest, gone):
        message = _("Only those who lead the table can send someone away for good.")
        raise Refused("forbidden", message)
    seat = devices.bar(guest.game, gone)
    if seat is not None and seat.host and guest.seat and not hosts.guarded(guest.game, seat.key):
        hosts.make_host(guest.game, guest.seat)
    for each in guest.game.evening:
        disconnect(each, RELOAD, gone.device_hash)
    return refresh_and_return(request, guest)


def disconnect(game: Game, code: int, device: str) -> None:
    """Close the connections of a device, so that its pages reload."""
    tables.disconnect(game.slug, code, "reload", device)


def refresh_and_return(request: HttpRequest, guest: Guest, query: str = "") -> HttpResponse:
    """Redraw every screen, then redirect to the board; a script stays where it is."""
    tables.refresh(guest.game.slug)
    return done(request, guest.game, then=query)
