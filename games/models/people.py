"""The people at a game: the seats, and the devices that may open it."""

from __future__ import annotations

from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.lengths import KEY_LENGTH, NAME_LENGTH
from games.models.tokens import HASH_LENGTH


class Seat(models.Model):
    """A place in a game, taken by one phone, and the player who sits there.

    key: the seat's id in the rules. facts: the system's own fields.
    seen: when the phone last renewed its presence; a server that dies could not report its absence.
    """

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="seats", db_index=False)
    key = models.CharField(max_length=KEY_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    order = models.PositiveSmallIntegerField()
    device_hash = models.CharField(max_length=HASH_LENGTH, null=True, blank=True)  # noqa: DJ001 free is not ""
    seen = models.DateTimeField(null=True, blank=True)
    host = models.BooleanField(default=False)
    facts = models.JSONField(default=dict, blank=True)
    lost = models.BooleanField(default=False)

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
    def taken(self) -> bool:
        return self.device_hash is not None

    def claim(self, device_hash: str) -> bool:
        """Take this seat for a device, which leaves its other seat. False if someone was faster.

        The test and the change are one statement, so only one of two simultaneous phones gets it.
        """
        with transaction.atomic():
            others = Seat.objects.filter(game=self.game_id).exclude(pk=self.pk)
            others.filter(device_hash=device_hash).update(device_hash=None)
            free = Q(device_hash=None) | Q(device_hash=device_hash)
            if not Seat.objects.filter(free, pk=self.pk).update(device_hash=device_hash):
                transaction.set_rollback(True)
                return False
        self.device_hash = device_hash
        return True

    def release(self) -> None:
        """Free this seat: its phone left or was sent away."""
        self.device_hash = None
        self.save(update_fields=["device_hash"])

    def hand_to(self, device_hash: str) -> None:
        """Give this seat to another phone that the table has approved."""
        with transaction.atomic():
            Seat.objects.filter(game=self.game_id, device_hash=device_hash).update(device_hash=None)
            self.device_hash = device_hash
            self.save(update_fields=["device_hash"])


class Visitor(models.Model):
    """A device that an invitation or code let into a game, seated or not.

    asked: when it last asked for a seat. sent_away: it can sit down only if the table says yes.
    """

    class Role(models.TextChoices):
        HOST = "host", _("host")
        GUEST = "guest", _("guest")
        WATCHER = "watcher", _("watcher")

    class News(models.TextChoices):
        """What to tell a device the next time it looks. `about` is the seat this concerns."""

        ASKING = "asking", _("asks for a seat")
        REFUSED = "refused", _("was refused")
        LATE = "late", _("was not answered")
        FREED = "freed", _("its seat was freed by the host")
        HANDED = "handed", _("another device has its seat now")
        HOST = "host", _("someone else is host now")

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="visitors", db_index=False)
    device_hash = models.CharField(max_length=HASH_LENGTH)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.GUEST)
    news = models.CharField(max_length=10, choices=News.choices, blank=True, default="")
    about = models.CharField(max_length=KEY_LENGTH, blank=True, default="")
    asked = models.DateTimeField(null=True, blank=True)
    sent_away = models.BooleanField(default=False)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["game", "at"]
        verbose_name = _("visitor")
        verbose_name_plural = _("visitors")
        constraints = [
            models.UniqueConstraint(fields=["game", "device_hash"], name="one_visitor_of_a_device"),
            models.CheckConstraint(
                condition=Q(role__in=["host", "guest", "watcher"]), name="a_known_role"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} since {self.at:%Y-%m-%d %H:%M}"
