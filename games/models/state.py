"""The state of a game and its log. Only `games.store.rows` writes these rows."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game, OneWay
from games.models.lengths import HOLDER_LENGTH, KEY_LENGTH, NAME_LENGTH
from games.rules.state import MOST


class Opening(models.Model):
    """The state of a game before its first entry, as `rows` writes it."""

    game = OneWay(Game, models.CASCADE, primary_key=True, related_name="opening")
    state = models.JSONField()

    class Meta:
        verbose_name = _("opening")
        verbose_name_plural = _("openings")

    def __str__(self) -> str:
        return str(self.game)


class Checkpoint(models.Model):
    """The state of a game just after one of its entries, so that a long log can be read in pages.

    Made from the log and never needed: what is missing is made again. state: as
    `store.checkpoints` packs it.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="checkpoints", db_index=False)
    number = models.PositiveIntegerField()
    state = models.BinaryField()

    class Meta:
        ordering = ["game", "number"]
        verbose_name = _("checkpoint")
        verbose_name_plural = _("checkpoints")
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_checkpoint_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} after {self.number}"


class GameObject(models.Model):
    """A card, token or other object. facts: the system's own fields. order: its place."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="game_objects", db_index=False)
    key = models.CharField(max_length=KEY_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    zone = models.CharField(max_length=KEY_LENGTH)
    owner = models.CharField(max_length=KEY_LENGTH)
    controller = models.CharField(max_length=KEY_LENGTH)
    token = models.BooleanField(default=False)
    had = models.JSONField(_("counters before it last changed zones"), default=dict, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    order = models.PositiveIntegerField()

    class Meta:
        ordering = ["game", "order", "pk"]
        verbose_name = _("object")
        verbose_name_plural = _("objects")
        constraints = [
            models.UniqueConstraint(fields=["game", "key"], name="one_object_of_a_key"),
        ]

    def __str__(self) -> str:
        return self.name


class Counter(models.Model):
    """The number of counters of one kind on one holder: a seat, an object, or "team:" and its
    id.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="counters", db_index=False)
    holder = models.CharField(max_length=HOLDER_LENGTH)
    kind = models.CharField(max_length=KEY_LENGTH)
    amount = models.IntegerField()

    class Meta:
        ordering = ["game", "holder", "kind"]
        verbose_name = _("counter")
        verbose_name_plural = _("counters")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "holder", "kind"], name="one_row_of_a_kind_on_a_holder"
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=-MOST, amount__lte=MOST) & ~Q(amount=0),
                name="amount_within_bounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.kind} on {self.holder}"


class SlotCounter(models.Model):
    """A slot counter. facts: all of its fields."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="slot_counters", db_index=False)
    key = models.CharField(max_length=KEY_LENGTH)
    facts = models.JSONField(default=dict, blank=True)
    order = models.PositiveIntegerField()

    class Meta:
        ordering = ["game", "order", "pk"]
        verbose_name = _("slot counter")
        verbose_name_plural = _("slot counters")
        constraints = [
            models.UniqueConstraint(fields=["game", "key"], name="one_slot_counter_of_a_key"),
        ]

    def __str__(self) -> str:
        return str(self.facts.get("name", self.key))


class Prompt(models.Model):
    """A question waiting for a seat. facts: what else it shows. order: the oldest first."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="prompts", db_index=False)
    key = models.CharField(max_length=2 * NAME_LENGTH)
    kind = models.CharField(max_length=KEY_LENGTH)
    to = models.CharField(max_length=KEY_LENGTH)
    source = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001 a rule without source
    facts = models.JSONField(default=dict, blank=True)
    order = models.PositiveIntegerField()

    class Meta:
        ordering = ["game", "order", "pk"]
        verbose_name = _("prompt")
        verbose_name_plural = _("prompts")
        constraints = [
            models.UniqueConstraint(fields=["game", "key"], name="one_prompt_of_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.key} to {self.to}"


class Entry(models.Model):
    """One accepted command with its events; append-only except for `undone_by`.

    Its key is the last safeguard against two processes that both think they own a game. It has no
    other index: each would cost every tap a page of its own. `store.ids` knows which ids were
    accepted. heard: what each audience heard of it (`rules.entry`), where seats keep secrets.
    """

    pk = models.CompositePrimaryKey("game_id", "number")
    game = models.ForeignKey(Game, models.CASCADE, related_name="entries", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.CharField(max_length=KEY_LENGTH)
    command_id = models.CharField(max_length=NAME_LENGTH, null=True, blank=True)  # noqa: DJ001 many have none
    command = models.JSONField()
    events = models.JSONField(default=list)
    heard = models.JSONField(null=True, blank=True)
    undone_by = models.PositiveIntegerField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["game", "number"]
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=1), name="entries_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.seat}: {self.command.get('do', '')}"
