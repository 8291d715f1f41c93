"""A game, its links and who may open it; saved set-ups to start other games from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from games.models.lengths import KEY_LENGTH, NAME_LENGTH, URL_LENGTH
from games.models.people import Seat, Visitor, hold
from games.models.tokens import (
    CODE_LENGTH,
    HASH_LENGTH,
    code_of,
    derived,
    hash_begins,
    hashed,
    new_code,
    new_device,
    new_slug,
    normalized_code,
    spoken,
)
from games.rules.input import printable
from games.rules.system import System
from games.systems import find, presentation_of

DEMO_DAYS = 1
"""Days after its last tap that a demo is deleted, unless its host chooses more."""


def _newest(game: Game | None) -> Game | None:
    """The last rematch of *game*: the links and codes of an evening lead to its current game."""
    return game.newest if game else None


class GameQuerySet(models.QuerySet["Game"]):
    def latest_first(self) -> GameQuerySet:
        """The games by when they were last played."""
        return self.order_by("-last_entry__changed")

    def select_for_update(self, *args: Any, **kwargs: Any) -> GameQuerySet:
        """Lock the games, and not their last entries, which the tables write."""
        return super().select_for_update(*args, **kwargs).select_related(None)

    def invited_by(self, token: str) -> Game | None:
        """The game whose invitation link has *token*."""
        return _newest(self.filter(invite_hash=hashed(token)).first())

    def watched_by(self, token: str) -> Game | None:
        """The game whose watch link has *token*."""
        return _newest(self.filter(watch_hash=hashed(token)).first())

    def watched_by_code(self, text: str) -> Game | None:
        """The game whose watch link has that spoken code, however it was typed."""
        if not (begins := hash_begins(normalized_code(text))):
            return None
        # Not by "startswith", which no index of SQLite answers. No hash has a "g".
        return _newest(self.filter(watch_hash__gte=begins, watch_hash__lt=f"{begins}g").first())

    def hosted_by(self, token: str) -> Game | None:
        """The game whose host link has *token*."""
        return _newest(self.filter(host_hash=hashed(token)).first())

    def by_code(self, text: str) -> Game | None:
        """The game with that spoken code, however it was typed."""
        return _newest(self.filter(code=normalized_code(text)).first())


_Games = models.Manager.from_queryset(GameQuerySet)


class GameManager(_Games["Game"]):
    """Reads a game together with the number of its last entry."""

    def get_queryset(self) -> GameQuerySet:
        return cast(GameQuerySet, super().get_queryset().select_related("last_entry"))


class Game(models.Model):
    """A shared table with a link.

    turn, teams, result, winners, settled, notes, scenes, standings, parts, settings: the parts of
    the state without rows of their own.
    clock: what `games.screens.clock` keeps; null while nobody uses it.
    invitation: counts the invitation and watch links; only the latest two admit anyone.
    summary_link, host_link: count those links; only the latest one works.
    host_since: when its host last changed or came back; null if that never happened.
    followed_by: the rematch that took over its seats.
    keep_days: days after its last tap until it is deleted; null for as long as the site keeps it.
    only_own: each seat changes only its own; for another's it asks. asks: those that wait
    (`games.seats.asks`).
    webhook: the address of the program that opened it, which hears how it ended; "" for none.
    """

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    title = models.CharField(max_length=NAME_LENGTH, blank=True)
    invitation = models.PositiveIntegerField(default=1)
    invite_hash = models.CharField(max_length=HASH_LENGTH, unique=True, editable=False)
    watch_hash = models.CharField(max_length=HASH_LENGTH, unique=True, editable=False)
    host_hash = models.CharField(max_length=HASH_LENGTH, unique=True, editable=False)
    system = models.CharField(max_length=KEY_LENGTH)
    edition = models.CharField(max_length=KEY_LENGTH)
    settings = models.JSONField(_("house rules"), default=dict, blank=True)
    turn = models.JSONField(null=True, blank=True)
    teams = models.JSONField(default=list, blank=True)
    result = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001 no result is not ""
    winners = models.JSONField(default=list, blank=True)
    settled = models.BooleanField(default=False)
    locked = models.BooleanField(default=False)
    summary_link = models.PositiveIntegerField(default=1)
    host_link = models.PositiveIntegerField(default=1)
    host_since = models.DateTimeField(null=True, blank=True)
    notes = models.JSONField(default=list, blank=True)
    scenes = models.JSONField(default=list, blank=True)
    standings = models.JSONField(default=list, blank=True)
    parts = models.JSONField(default=dict, blank=True)
    clock = models.JSONField(null=True, blank=True)
    followed_by = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="follows"
    )
    keep_days = models.PositiveSmallIntegerField(null=True, blank=True)
    only_own = models.BooleanField(default=False, db_default=False)
    asks = models.JSONField(default=list, blank=True, db_default=[])
    webhook = models.CharField(max_length=URL_LENGTH, blank=True, default="", db_default="")
    created = models.DateTimeField(auto_now_add=True)

    objects = GameManager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("game")
        verbose_name_plural = _("games")

    def __str__(self) -> str:
        """Its title, for a terminal or a log."""
        return printable(self.title) or f"{self.system} {self.slug}"

    def hash_links(self) -> None:
        """Note the hashes by which its links are found."""
        self.invite_hash = hashed(self.invite_token)
        self.watch_hash = hashed(self.watch_token)
        self.host_hash = hashed(self.host_token)

    @property
    def number(self) -> int:
        """The number of the last entry."""
        return self.last_entry.number

    @property
    def changed(self) -> datetime:
        """The time of the last entry, or else of the game's creation."""
        return self.last_entry.changed

    @cached_property
    def rules(self) -> System:
        """The rule system in this game's edition."""
        return find(self.system, self.edition).of_table(self.settings)

    @property
    def is_demo(self) -> bool:
        """True if it is someone's copy of a demo, and nobody chose to keep it longer."""
        return self.keep_days == DEMO_DAYS

    @property
    def has_party(self) -> bool:
        """True if its seats are protagonists, who are named when the table is made."""
        return bool(presentation_of(self.rules).new_game.others_label)

    @property
    def invite_token(self) -> str:
        """The token in the invitation link and its QR code, until it is rotated."""
        return derived("invite", f"{self.slug} {self.invitation}")

    @property
    def watch_token(self) -> str:
        """The token in the watch link, which never leads to a seat; rotated with the invitation."""
        return derived("watch", f"{self.slug} {self.invitation}")

    @property
    def watch_code(self) -> str:
        """The code to speak instead of the watch link; it leads to no seat either."""
        return spoken(code_of(self.watch_hash))

    @property
    def host_token(self) -> str:
        """The token in the host's own link, which is never shown as a QR code."""
        made = "" if self.host_link == 1 else f" {self.host_link}"
        return derived("host", f"{self.slug}{made}")

    @property
    def summary_token(self) -> str:
        """The token in the summary link, which shows what everyone may know, until it is ended."""
        return derived("summary", f"{self.slug} {self.summary_link}")

    @property
    def spoken_code(self) -> str:
        """The code as it is read out: two groups of four."""
        return spoken(self.code)

    _seats: Sequence[Seat] = ()

    def read_seats(self) -> Sequence[Seat]:
        """Read its seats once for all that asks for them from now on.

        They do not remember this object, which remembers them: else each would keep the other until
        Python's collector comes.
        """
        self._seats = [*Seat.objects.filter(game=self.pk)]
        return self._seats

    @property
    def places(self) -> dict[str, Seat]:
        """Its seats by key, in order."""
        return {seat.key: seat for seat in self._seats or self.seats.all()}

    @property
    def names(self) -> dict[str, str]:
        """The names of its seats by key, in order, in the active language."""
        return {key: seat.name for key, seat in self.places.items()}

    @property
    def given_names(self) -> dict[str, str]:
        """The names that people gave its seats, by key; "" for a seat without one."""
        return {key: seat.given_name for key, seat in self.places.items()}

    @property
    def looks(self) -> dict[str, dict[str, int]]:
        """The colours and emblems that were chosen for its seats, by key."""
        return {
            key: {"colour": seat.colour, "emblem": seat.emblem}
            for key, seat in self.places.items()
            if seat.chosen_colour or seat.chosen_emblem
        }

    def rotate_invitation(self) -> None:
        """Make new links and a new code; the old ones no longer admit anyone."""
        with transaction.atomic():
            if earlier := self.earlier:
                earlier.rotate_invitation()  # its links lead here
            hold(self.pk)
            self.refresh_from_db(fields=["invitation"])
            self._rotate_invitation()

    def _rotate_invitation(self) -> None:
        self.invitation += 1
        self.hash_links()
        self.code = new_code()
        self.save(update_fields=["invitation", "invite_hash", "watch_hash", "code"])

    def rotate_host_link(self) -> None:
        """Make a new host link; the old one no longer makes anyone the host."""
        if earlier := self.earlier:
            earlier.rotate_host_link()  # its link leads here
        self.host_link += 1
        self.hash_links()
        self.save(update_fields=["host_link", "host_hash"])

    def end_summary_link(self) -> None:
        """Make a new link to the summary; the old one no longer works."""
        self.summary_link += 1
        self.save(update_fields=["summary_link"])

    @property
    def earlier(self) -> Game | None:
        """The game that this one is a rematch of, or that was put aside for it."""
        return Game.objects.filter(followed_by=self).first()

    @property
    def evening(self) -> list[Game]:
        """All games that belong together as rematches, the oldest first."""
        games = [self]
        while earlier := games[0].earlier:
            games.insert(0, earlier)
        while later := games[-1].followed_by:
            games.append(later)
        return games

    @property
    def newest(self) -> Game:
        """The last rematch of this game, or itself."""
        return self.followed_by.newest if self.followed_by else self

    def admit(self, device_hash: str, role: str, kind: str = "") -> Visitor:
        """Let a device open this game. A link that allows more than its last one counts.

        kind: a `Visitor.Kind`.
        """
        visitor, _new = Visitor.objects.get_or_create(
            game=self, device_hash=device_hash, defaults={"role": role, "kind": kind}
        )
        invited = role == Visitor.Role.GUEST and visitor.role == Visitor.Role.ONLOOKER
        if invited or (role == Visitor.Role.HOST and visitor.role != role):
            # Unless it was removed, or let in, at this moment.
            if self.visitors.filter(pk=visitor.pk, role=visitor.role).update(role=role):
                visitor.role = role
        return visitor

    def open_for(self, host: Visitor) -> None:
        """Give the host's seat in this game to a device that has not been saved yet."""
        with transaction.atomic():
            self.seats.filter(host=True).update(device_hash=host.device_hash)
            self.visitors.add(host, bulk=False)

    def admitted(self, device_hash: str) -> Visitor | None:
        """The visitor record of a device; None if it may not open this game."""
        known = self.visitors.filter(device_hash=device_hash)
        return known.exclude(role=Visitor.Role.BARRED).first()

    def barred(self, device_hash: str) -> bool:
        """True if a device was removed from this game."""
        return self.visitors.filter(device_hash=device_hash, role=Visitor.Role.BARRED).exists()

    def seat_of(self, device_hash: str) -> Seat | None:
        """The seat at which a device plays, whether it took the seat or plays there too."""
        beside = self.visitors.filter(device_hash=device_hash).values("beside")
        taken = Q(device_hash=device_hash) | Q(device_hash__isnull=False, key__in=beside)
        return self.seats.filter(taken).first()


class OneWay(models.OneToOneField[Any, Any]):
    """Remembers no object at its other end, which remembers this one.

    Each would keep the other until Python's collector comes, which it seldom does.
    """

    def set_cached_value(self, instance: models.Model, value: Any) -> None:
        pass

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.OneToOneField", args, kwargs


class LastEntry(models.Model):
    """The number of a game's last entry, and when that was accepted; 0 before the first.

    Every tap changes it. A row of its own is small, and a hundred games share a page; SQLite writes
    a whole row anew when one column of it changes, and a whole page when one row does.
    """

    game = OneWay(Game, models.CASCADE, primary_key=True, related_name="last_entry")
    number = models.PositiveIntegerField(_("last entry"), default=0)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("last entry")
        verbose_name_plural = _("last entries")

    def __str__(self) -> str:
        return f"{self.game_id} at {self.number}"


class SetupQuerySet(models.QuerySet["Setup"]):
    def by_code(self, text: str) -> Setup | None:
        """The set-up with that spoken code, however it was typed."""
        return self.filter(code=normalized_code(text)).first()


class Setup(models.Model):
    """A saved table, behind a link and a code, to start games from.

    The code works at whatever address the server has that day.
    given, settings: as in a scenario. names, looks: of the seats, by id, as `Game` gives them.
    """

    token = models.CharField(max_length=32, unique=True, default=new_device, editable=False)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="setups")
    title = models.CharField(max_length=NAME_LENGTH, blank=True)
    system = models.CharField(max_length=KEY_LENGTH)
    edition = models.CharField(max_length=KEY_LENGTH)
    settings = models.JSONField(default=dict, blank=True)
    given = models.JSONField()
    names = models.JSONField(default=dict, blank=True)
    looks = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    objects = SetupQuerySet.as_manager()

    class Meta:
        ordering = ["-created"]
        verbose_name = _("set-up")
        verbose_name_plural = _("set-ups")

    def __str__(self) -> str:
        return printable(self.title) or f"{self.system} {self.edition}"

    @property
    def spoken_code(self) -> str:
        """The code as it is read out: two groups of four."""
        return spoken(self.code)
