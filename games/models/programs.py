"""Other programs that a seat lets in, each by a token of its own."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.lengths import KEY_LENGTH, NAME_LENGTH
from games.models.tokens import HASH_LENGTH


class Program(models.Model):
    """A program that may see, and unless it only reads also do, what a seat may.

    visitor: the device that let it in. key: the seat it is for; "" if the host let it in without a
    seat, and it sees what watchers see. It ends when that device no longer plays at that seat.
    used: when it last asked for something, to the minute.
    """

    visitor = models.ForeignKey("games.Visitor", models.CASCADE, related_name="programs")
    key = models.CharField(max_length=KEY_LENGTH, blank=True, default="")
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    token_hash = models.CharField(max_length=HASH_LENGTH, unique=True, editable=False)
    read_only = models.BooleanField(default=False)
    made = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["visitor", "made", "pk"]
        verbose_name = _("program")
        verbose_name_plural = _("programs")

    def __str__(self) -> str:
        return self.name
