"""Stored results of played games, so that no log is replayed to read about them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game
from games.models.lengths import KEY_LENGTH


class CountedLog(models.Model):
    """Stored statistics of a log, up to a number. Only `games.screens.summary.records` reads them.

    audience: "", or where there are secrets the seat that reads. number: the last entry counted.
    data: what was counted, in the form numbered *form*.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="counted_logs", db_index=False)
    audience = models.CharField(max_length=KEY_LENGTH, blank=True, default="")
    number = models.PositiveIntegerField()
    form = models.PositiveSmallIntegerField()
    data = models.BinaryField()

    class Meta:
        verbose_name = _("counted log")
        verbose_name_plural = _("counted logs")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "audience"], name="one_counted_log_of_an_audience"
            )
        ]

    def __str__(self) -> str:
        return f"{self.game} to {self.number}"


class Outcome(models.Model):
    """The end of a game, for the shelf of past evenings; facts that everyone at the table may know.

    number: the entry that it was told at; a game with a higher number is told anew.
    winners: the keys of the seats that won. played: what each seat played, by its key.
    scored: by seat, of a score sheet; an outcome without them is told anew. lowest: the fewest win.
    seconds: how long it was played, without pauses. ended: when the last entry was made.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="outcome")
    number = models.PositiveIntegerField()
    winners = models.JSONField(default=list, blank=True)
    played = models.JSONField(default=dict, blank=True)
    scored = models.JSONField(blank=True, null=True)
    lowest = models.BooleanField(default=False, db_default=False)
    seconds = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    ended = models.DateTimeField()

    class Meta:
        verbose_name = _("outcome")
        verbose_name_plural = _("outcomes")

    def __str__(self) -> str:
        return str(self.game)
