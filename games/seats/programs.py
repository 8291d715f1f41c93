"""Programs: what a seat lets in beside its own devices, such as a foot pedal or a stream overlay.

Each has a token of 130 random bits, shown once and stored as its hash. It stands for the device
that made it: it may do and see what that device's seat may, a host's chores included, and ends when
the device leaves the seat, however that happens. A host without a seat watches and does the chores.
Links, codes and deleting are not for programs.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import timedelta

from django.db import DatabaseError
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct

from games.models import Program, Visitor
from games.models.tokens import CROCKFORD, hashed
from games.rules.state import Refused
from games.seats.guests import Guest

MOST_OF_A_SEAT = 10
"""Programs that one seat may let in."""
TOKEN = "csp_"
"""Prefix of every token, so that people and scanners recognise a leaked one."""
LENGTH = 26
"""Letters and digits after that, which people can type: see `CROCKFORD`."""
USED = timedelta(minutes=1)
"""Resolution of the time at which a program was last used."""


class Caller(Struct, frozen=True):
    """A program that asks for something. guest: whom it stands for."""

    program: Program
    guest: Guest


def of(guest: Guest) -> QuerySet[Program]:
    """The programs of *guest*'s seat, on whichever of its devices they were made."""
    programs = Program.objects.filter(visitor__game=guest.game, key=guest.key or "")
    return programs if guest.seat else programs.filter(visitor=guest.visitor)


def may_let_in(guest: Guest) -> bool:
    """True if *guest* may let programs in: any seat, and a host without one, who watches."""
    return guest.seat is not None or guest.owner


def let_in(guest: Guest, name: str, *, read_only: bool) -> tuple[Program, str]:
    """Let a program in for *guest*'s seat. Returns it and its token, which cannot be read again.

    Raises Refused if the seat has too many.
    """
    if of(guest).count() >= MOST_OF_A_SEAT:
        sentence = _("A seat can have %(n)s programs. Revoke one of them first.")
        raise Refused("over-maximum", sentence % {"n": MOST_OF_A_SEAT})
    token = TOKEN + "".join(secrets.choice(CROCKFORD.lower()) for _letter in range(LENGTH))
    program = Program.objects.create(
        visitor=guest.visitor,
        key=guest.key or "",
        name=name,
        token_hash=hashed(token),
        read_only=read_only,
    )
    return program, token


def caller(token: str) -> Caller | None:
    """The program with *token*; None if there is none, or if its device has left its seat."""
    known = Program.objects.select_related("visitor__game").filter(token_hash=hashed(token))
    program = known.first()
    if program is None or program.visitor.role == Visitor.Role.BARRED:
        return None
    game, visitor = program.visitor.game, program.visitor
    seat = game.seat_of(visitor.device_hash) if program.key else None
    if (seat.key if seat else "") != program.key:
        return None
    if seat is None and visitor.role != Visitor.Role.HOST:
        return None
    _note_use(program)
    return Caller(program, Guest(game, visitor, seat))


def _note_use(program: Program) -> None:
    now = timezone.now()
    if program.used is None or now - program.used > USED:
        before = Q(used=None) | Q(used__lt=now - USED)
        with suppress(DatabaseError):  # on a full disk it may still read
            Program.objects.filter(before, pk=program.pk).update(used=now)
