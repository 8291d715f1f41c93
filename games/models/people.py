"""The people at a game: the seats, and the devices that may open it."""

from __future__ import annotations

from datetime import datetime

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models.lengths import KEY_LENGTH, NAME_LENGTH
from games.models.programs import Program
from games.models.tokens import HASH_LENGTH, derived
from games.rules.names import told_apart

LOOKS = 8
"""The number of colours and of emblems to choose from; tokens.css draws them."""


def hold(*games: int) -> None:
    """Let nobody else change who sits where in *games* (primary keys) until the transaction ends.

    A change of that does this first, and only then reads who sits there now: two phones at once
    wait for each other, and neither acts on what the other has just changed. A table, too, writes
    its game before its seats.
    """
    if not connection.features.has_select_for_update:
        return  # SQLite: a transaction of ours holds everything from its beginning
    rows = apps.get_model("games.Game").objects.select_for_update(no_key=True)
    list(rows.filter(pk__in=games).order_by("pk").values_list("pk"))


class Seat(models.Model):
    """A place in a game, taken by one phone, and the player who sits there.

    device_hash: the device that took it; `join` lets others play there too (`Visitor.beside`).
    key: the seat's id in the rules. facts: the system's own fields.
    given_name: what someone called this player; "" until then. former_name: of whoever played here
    last, while nobody does; "" if nobody did.
    chosen_colour, chosen_emblem: 1 to LOOKS; None while the seat has those of its place.
    seen: when the phone last renewed its presence; a server that dies could not report its absence.
    stands_in: since when it does the host's chores, because the host is away; None if it does not.
    """

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="seats", db_index=False)
    key = models.CharField(max_length=KEY_LENGTH)
    given_name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True, default="")
    former_name = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="")
    order = models.PositiveSmallIntegerField()
    chosen_colour = models.PositiveSmallIntegerField(_("colour"), null=True, blank=True)
    chosen_emblem = models.PositiveSmallIntegerField(_("emblem"), null=True, blank=True)
    device_hash = models.CharField(max_length=HASH_LENGTH, null=True, blank=True)  # noqa: DJ001 free is not ""
    seen = models.DateTimeField(null=True, blank=True)
    host = models.BooleanField(default=False)
    stands_in = models.DateTimeField(null=True, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    lost = models.BooleanField(default=False)
    played_for = False
    """Whether another's phone plays there while it is free: set where it is drawn, not stored."""

    class Meta:
        ordering = ["game", "order", "pk"]
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["game", "key"], name="one_seat_of_a_key"),
            models.UniqueConstraint(
                fields=["game", "device_hash"], name="one_seat_of_a_device_in_a_game"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name of this seat on every screen, in the active language.

        A seat that nobody has named is "Player 2"; that it is free is said by its mark. What
        somebody played before they left stays theirs, until somebody else sits down.
        """
        if self.given_name or self._role:
            return self.given_name or self._role
        if self.former_name and not self.taken:
            return self.former_name
        return gettext("Player %(n)s") % {"n": self.place}

    @property
    def letter(self) -> str:
        """The sign in its mark: the initial, the place if nobody named it, "+" if nobody plays."""
        if self.free and not self.played_for:
            return "+"
        return self.name[:1].upper() if self.given_name or self._role else str(self.place)

    @property
    def _role(self) -> str:
        """The name that its key implies: the GM's seat or a co-GM's own; "" for a player's."""
        if self.key == "gm":
            return gettext("GM")
        if self.key.startswith("co-gm"):
            return f"{gettext('Co-GM')} {self.key[6:]}".strip()
        return ""

    @property
    def place(self) -> int:
        """Its place in the order of the table, from 1."""
        return self.order + 1

    @property
    def colour(self) -> int:
        """Its colour, 1 to LOOKS."""
        return self.chosen_colour or self.order % LOOKS + 1

    @property
    def emblem(self) -> int:
        """The shape of its mark, 1 to LOOKS."""
        return self.chosen_emblem or self.order % LOOKS + 1

    @property
    def hosting(self) -> bool:
        """True if this seat does the host's chores, as the host or in their place."""
        return self.host or self.stands_in is not None

    @property
    def taken(self) -> bool:
        """True if a phone has this seat."""
        return self.device_hash is not None

    @property
    def free(self) -> bool:
        """True if nobody plays here: no phone has it, and nobody named a player without a phone."""
        return not (self.taken or self.given_name)

    def choose(self, part: str, number: int) -> bool:
        """Give this seat a "colour" or an "emblem". False if another player has it.

        A free seat that has it gets this seat's in exchange. number: 1 to LOOKS.
        """
        with transaction.atomic():
            hold(self.game_id)
            seats = Seat.objects.filter(game=self.game_id)
            this = seats.get(pk=self.pk)
            for other in seats.exclude(pk=self.pk):
                if getattr(other, part) == number:
                    if not other.free:
                        return False
                    other._set(part, getattr(this, part))
            self._set(part, number)
        return True

    def _set(self, part: str, number: int) -> None:
        setattr(self, f"chosen_{part}", number)
        self.save(update_fields=[f"chosen_{part}"])

    def claim(self, device_hash: str) -> bool:
        """Take this seat for a device, which leaves its other seat. False if someone was faster.

        So it is if the device may not sit down by itself: the table has just put it out, or has
        freed its seat. The name goes along, unless this seat has one.
        """
        with transaction.atomic():
            hold(self.game_id)
            freed = self._leave_others(device_hash)
            free = Q(device_hash=None) | Q(device_hash=device_hash)
            mine = Seat.objects.filter(free, pk=self.pk).update(device_hash=device_hash)
            if not (mine and self._comes(device_hash)):
                transaction.set_rollback(True)
                return False
            for seat, name in freed:
                if name and not self.given_name:
                    self._rename(name)
                    seat._rename("")
                    seat._forget()
        self.device_hash = device_hash
        return True

    def join(self, device_hash: str) -> None:
        """Let a device play here too, beside those that do; it leaves its other seat.

        Both are this seat: they see and do the same. A free seat is simply taken.
        """
        with transaction.atomic():
            hold(self.game_id)
            if self.claim(device_hash):
                return
            self._leave_others(device_hash)
            self._comes(device_hash, beside=self.key)

    def _comes(self, device_hash: str, beside: str = "") -> bool:
        """Note that a device came here, and no longer only watches.

        False if it may not, or is unknown: it has another token by now.
        """
        known = Visitor.objects.filter(game=self.game_id, device_hash=device_hash)
        may = known.exclude(role=Visitor.Role.BARRED).filter(
            Q(sent_away=False) | Q(role=Visitor.Role.HOST)
        )
        if not may.update(beside=beside, sat=timezone.now(), sent_away=False):
            return False
        known.filter(role=Visitor.Role.WATCHER).update(role=Visitor.Role.GUEST)
        return True

    @property
    def devices(self) -> list[Visitor]:
        """The devices that play here: the one that took the seat, then those beside it."""
        if self.device_hash is None:
            return []
        here = Q(device_hash=self.device_hash) | Q(beside=self.key)
        found = Visitor.objects.filter(here, game=self.game_id).order_by("sat", "pk")
        return sorted(found, key=lambda each: each.device_hash != self.device_hash)

    def remove(self, device_hash: str) -> None:
        """Take one device off this seat; the next one keeps it, and the last one frees it."""
        with transaction.atomic():
            hold(self.game_id)
            seat = Seat.objects.get(pk=self.pk)
            self._end_programs(device_hash)
            beside = Visitor.objects.filter(game=self.game_id, beside=self.key)
            others = [each.device_hash for each in seat.devices if each.device_hash != device_hash]
            if seat.device_hash != device_hash:
                beside.filter(device_hash=device_hash).update(beside="")
            elif others:
                seat.device_hash = others[0]
                seat.save(update_fields=["device_hash"])
                beside.filter(device_hash=others[0]).update(beside="")
            else:
                seat.release()
        self.refresh_from_db()

    def _leave_others(self, device_hash: str) -> list[tuple[Seat, str]]:
        """Let a device leave its other seats. Returns those now free, with their names."""
        freed = []
        taken = Seat.objects.filter(game=self.game_id, device_hash=device_hash)
        for seat in taken.exclude(pk=self.pk):
            name = seat.given_name
            seat.remove(device_hash)
            freed += [(seat, name)] if not seat.taken else []
        came = Visitor.objects.filter(game=self.game_id, device_hash=device_hash)
        for beside in came.exclude(beside__in=["", self.key]).values_list("beside", flat=True):
            Program.objects.filter(visitor__in=came, key=beside).delete()
        came.update(beside="")
        return freed

    def call(self, name: str) -> None:
        """Give this seat *name*, with a number behind it if another seat's looks the same."""
        with transaction.atomic():
            hold(self.game_id)
            others = Seat.objects.filter(game=self.game_id).exclude(pk=self.pk)
            taken = others.exclude(given_name="").values_list("given_name", flat=True)
            self._rename(told_apart(name, taken))

    def _rename(self, name: str) -> None:
        self.given_name = name
        self.save(update_fields=["given_name"])

    def release(self) -> None:
        """Free this seat: its phone left or was sent away, and the player with it.

        A protagonist stays at the table and keeps its name; any other name leaves with its player.
        """
        self._end_programs()
        Visitor.objects.filter(game=self.game_id, beside=self.key).update(beside="")
        self.device_hash, self.stands_in = None, None
        if self._role or not self.game.has_party:
            self.former_name, self.given_name = self.given_name if self.game.number else "", ""
        self.save(update_fields=["device_hash", "given_name", "former_name", "stands_in"])

    def _forget(self) -> None:
        """Forget who played here: they play elsewhere now."""
        self.former_name = ""
        self.save(update_fields=["former_name"])

    def hand_to(self, device_hash: str) -> None:
        """Give this seat, with its name, to another phone that the table has approved."""
        with transaction.atomic():
            hold(self.game_id)
            self._leave_others(device_hash)
            self._end_programs()
            Visitor.objects.filter(game=self.game_id, beside=self.key).update(beside="")
            self.device_hash = device_hash
            self.save(update_fields=["device_hash"])
            self._comes(device_hash)

    def _end_programs(self, device_hash: str | None = None) -> None:
        """End the programs that a device let in for this seat; without one, all of the seat's."""
        here = Program.objects.filter(visitor__game=self.game_id, key=self.key)
        (here if device_hash is None else here.filter(visitor__device_hash=device_hash)).delete()


class Visitor(models.Model):
    """A device that an invitation or code let into a game: seated, watching, or removed from it.

    asked: when it last asked for a seat. sent_away: it can sit down only if the table says yes.
    beside: the key of the seat at which it plays too, beside the device that took it; "" if none.
    sat: when it came to its seat.
    """

    class Role(models.TextChoices):
        HOST = "host", _("host")
        GUEST = "guest", _("guest")
        WATCHER = "watcher", _("watcher")
        ONLOOKER = "onlooker", _("onlooker")
        """Came by the watch link, which never leads to a seat."""
        BARRED = "barred", _("barred")

    class News(models.TextChoices):
        """News for a device at its next visit. `about` is the seat this concerns."""

        ASKING = "asking", _("asks for a seat")
        REFUSED = "refused", _("was refused")
        LATE = "late", _("was not answered")
        FREED = "freed", _("its seat was freed by the host")
        HANDED = "handed", _("another device has its seat now")
        REMOVED = "removed", _("another device of its seat took it off")

    class Kind(models.TextChoices):
        """The sort of device by its user agent."""

        UNKNOWN = "", _("device")
        PHONE = "phone", _("phone")
        TABLET = "tablet", _("tablet")
        COMPUTER = "computer", _("computer")

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="visitors", db_index=False)
    device_hash = models.CharField(max_length=HASH_LENGTH)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.GUEST)
    news = models.CharField(max_length=10, choices=News.choices, blank=True, default="")
    about = models.CharField(max_length=KEY_LENGTH, blank=True, default="")
    asked = models.DateTimeField(null=True, blank=True)
    sent_away = models.BooleanField(default=False)
    kind = models.CharField(max_length=10, choices=Kind.choices, blank=True, default="")
    beside = models.CharField(max_length=KEY_LENGTH, blank=True, default="")
    sat = models.DateTimeField(null=True, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["game", "at"]
        verbose_name = _("visitor")
        verbose_name_plural = _("visitors")
        indexes = [models.Index(fields=["device_hash"], name="games_of_a_device")]
        constraints = [
            models.UniqueConstraint(fields=["game", "device_hash"], name="one_visitor_of_a_device"),
            models.CheckConstraint(
                condition=Q(role__in=["host", "guest", "watcher", "onlooker", "barred"]),
                name="a_known_role",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} since {self.at:%Y-%m-%d %H:%M}"

    def plays_at(self, seat: Seat) -> bool:
        """True if this device took *seat*, or plays there too."""
        return seat.taken and (seat.device_hash == self.device_hash or seat.key == self.beside)

    def become(self, device_hash: str) -> None:
        """Be another device from now on, at the same seat and with the same rights.

        If that device is here already, it leaves its seat.
        """
        with transaction.atomic():
            hold(self.game_id)
            there = Visitor.objects.filter(game=self.game_id, device_hash=device_hash).first()
            if there is not None:
                for seat in Seat.objects.filter(game=self.game_id, device_hash=device_hash):
                    seat.remove(device_hash)
                if there.role == self.Role.HOST:
                    self.role = self.Role.HOST
                there.delete()
            same = Seat.objects.filter(game=self.game_id, device_hash=self.device_hash)
            same.update(device_hash=device_hash)
            self.device_hash = device_hash
            now = {"role": self.role} if self.role == self.Role.HOST else {}
            Visitor.objects.filter(pk=self.pk).update(device_hash=device_hash, **now)

    @property
    def sign(self) -> str:
        """Its sign on pages. Its number would tell how many devices this server has let in."""
        return derived("visitor", str(self.pk))[:12]

    @property
    def watches(self) -> bool:
        """True if it looks on, by its own choice or because its link allows no more."""
        return self.role in (self.Role.WATCHER, self.Role.ONLOOKER)

    @property
    def since(self) -> datetime:
        """Since when it plays at its seat, or may look on."""
        return self.sat or self.at


class Renewal(models.Model):
    """A device's new token, which takes the place of its last one when it is first used.

    Until then the last one goes on working, so that an answer that never arrives costs no seat.
    last, fresh: the hashes of both. used: when that was; None while it has not come.
    """

    last = models.CharField(max_length=HASH_LENGTH, unique=True)
    fresh = models.CharField(max_length=HASH_LENGTH, unique=True)
    used = models.DateTimeField(null=True, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at"]
        verbose_name = _("renewal")
        verbose_name_plural = _("renewals")

    def __str__(self) -> str:
        return f"since {self.at:%Y-%m-%d %H:%M}"
