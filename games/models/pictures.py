"""Pictures of handouts, beside the rules, which know only their keys."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.lengths import KEY_LENGTH


class Picture(models.Model):
    """A picture of one game as WebP, made anew by this server from what was uploaded.

    key: a random one, by which notes name it; nobody can tell from it what is on the picture.
    width, height: in pixels.
    """

    game = models.ForeignKey("games.Game", models.CASCADE, related_name="pictures", db_index=False)
    key = models.CharField(max_length=KEY_LENGTH)
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    image = models.BinaryField()
    added = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["game", "added", "pk"]
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        constraints = [
            models.UniqueConstraint(fields=["game", "key"], name="one_picture_of_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.game_id}"
