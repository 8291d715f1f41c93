"""What is stored of a game: its rows, its log, and who may open it.

The rules write these rows through `rows` only; everything that is not a rule (claiming a seat,
rotating an invitation) is a method here.
"""

from __future__ import annotations

from typing import Any

from django.db import models, transaction
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from games.models.tokens import (
    CODE_LENGTH,
    HASH_LENGTH,
    derived,
    hashed,
    heard_code,
    new_code,
    new_device,
    new_slug,
)
from games.rules.state import MOST
from games.rules.system import System
from games.systems import find

KEY_LENGTH = 40
HOLDER_LENGTH = 45
"""A key, or "team:" and a key."""
NAME_LENGTH = 80


def _newest(game: Game | None) -> Game | None:
    """The last rematch of *game*: links and codes of an evening lead to where it is now."""
    return game.newest if game else None


class GameQuerySet(models.QuerySet["Game"]):
    def invited_by(self, token: str) -> Game | None:
        """The game whose invitation *token* is."""
        return _newest(self.filter(invite_hash=hashed(token)).first())

    def hosted_by(self, token: str) -> Game | None:
        """The game whose host link carries *token*."""
        return _newest(self.filter(host_hash=hashed(token)).first())

    def by_code(self, text: str) -> Game | None:
        """The game with that spoken code, however it was typed."""
        return _newest(self.filter(code=heard_code(text)).first())


class Game(models.Model):
    """A shared table with a link.

    number: of the last entry.
    turn, teams, result, settled, notes, house_rules: those parts of the state that are no rows.
    clock: what `games.screens.clock` keeps; null while nobody uses one.
    invitation: counts the rotations of the invitation; older links admit nobody.
    summary_link: counts the links to its summary that were ended.
    host_since: when its host changed last; null if it never did.
    followed_by: the rematch, which has its seats now.
    """

    slug = models.SlugField(max_length=16, unique=True, default=new_slug, editable=False)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    title = models.CharField(max_length=NAME_LENGTH, blank=True)
    invitation = models.PositiveIntegerField(default=1)
    invite_hash = models.CharField(max_length=HASH_LENGTH, unique=True, editable=False)
    host_hash = models.CharField(max_length=HASH_LENGTH, unique=True, editable=False)
    system = models.CharField(max_length=KEY_LENGTH)
    edition = models.CharField(max_length=KEY_LENGTH)
    settings = models.JSONField(_("house rules"), default=dict, blank=True)
    number = models.PositiveIntegerField(_("last entry"), default=0)
    turn = models.JSONField(null=True, blank=True)
    teams = models.JSONField(default=list, blank=True)
    result = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001 no result is not ""
    settled = models.BooleanField(default=False)
    locked = models.BooleanField(default=False)
    summary_link = models.PositiveIntegerField(default=1)
    host_since = models.DateTimeField(null=True, blank=True)
    notes = models.JSONField(default=list, blank=True)
    clock = models.JSONField(null=True, blank=True)
    followed_by = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="follows"
    )
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True, db_index=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        ordering = ["-changed"]
        verbose_name = _("game")
        verbose_name_plural = _("games")

    def __str__(self) -> str:
        return self.title or f"{self.system} {self.slug}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self._state.adding:
            self.invite_hash = hashed(self.invite_token)
            self.host_hash = hashed(self.host_token)
        super().save(*args, **kwargs)

    @cached_property
    def rules(self) -> System:
        """The rule system in this game's edition."""
        return find(self.system, self.edition)

    @property
    def invite_token(self) -> str:
        """The token of the invitation link and its QR, until it is rotated."""
        return derived("invite", f"{self.slug} {self.invitation}")

    @property
    def host_token(self) -> str:
        """The token of the host's own link; never in a QR."""
        return derived("host", self.slug)

    @property
    def summary_token(self) -> str:
        """The token of the summary's link, which shows what all may know, until it is ended."""
        return derived("summary", f"{self.slug} {self.summary_link}")

    @property
    def spoken_code(self) -> str:
        """The code as it is read out: two groups of four."""
        return f"{self.code[:4]}-{self.code[4:]}"

    @property
    def names(self) -> dict[str, str]:
        """How its seats are called, by key, in their order."""
        return dict(self.seats.values_list("key", "name"))

    def rotate_invitation(self) -> None:
        """Make a new link and a new code; the old ones admit nobody any more."""
        if earlier := Game.objects.filter(followed_by=self).first():
            earlier.rotate_invitation()  # its links lead here
        self.invitation += 1
        self.invite_hash = hashed(self.invite_token)
        self.code = new_code()
        self.save(update_fields=["invitation", "invite_hash", "code", "changed"])

    def end_summary_link(self) -> None:
        """Make a new link to the summary; the old one shows nothing any more."""
        self.summary_link += 1
        self.save(update_fields=["summary_link", "changed"])

    @property
    def newest(self) -> Game:
        """The last rematch of this game, or itself."""
        return self.followed_by.newest if self.followed_by else self

    def admit(self, device_hash: str, role: str) -> Visitor:
        """Let a device open this game. A host stays host, whatever link it uses later."""
        visitor, new = Visitor.objects.get_or_create(
            game=self, device_hash=device_hash, defaults={"role": role}
        )
        if not new and role == Visitor.Role.HOST and visitor.role != role:
            visitor.role = role
            visitor.save(update_fields=["role"])
        return visitor

    def admitted(self, device_hash: str) -> Visitor | None:
        """How a device may open this game; None if it may not."""
        return self.visitors.filter(device_hash=device_hash).first()

    def seat_of(self, device_hash: str) -> Seat | None:
        """The seat that a device has taken."""
        return self.seats.filter(device_hash=device_hash).first()


class Setup(models.Model):
    """A table as it was laid once, behind a link, to begin games with.

    given, settings: as a scenario writes them. names: of the seats, by their ids.
    """

    token = models.CharField(max_length=32, unique=True, default=new_device, editable=False)
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="setups")
    title = models.CharField(max_length=NAME_LENGTH, blank=True)
    system = models.CharField(max_length=KEY_LENGTH)
    edition = models.CharField(max_length=KEY_LENGTH)
    settings = models.JSONField(default=dict, blank=True)
    given = models.JSONField()
    names = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created"]
        verbose_name = _("set-up")
        verbose_name_plural = _("set-ups")

    def __str__(self) -> str:
        return self.title or f"{self.system} {self.edition}"


class Opening(models.Model):
    """The state of a game before its first entry, as `rows` writes it.

    A row of its own, because SQLite writes the whole row when one column changes: every tap sets
    the number of its game, and would write a thousand cards again.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="opening")
    state = models.JSONField()

    class Meta:
        verbose_name = _("opening")
        verbose_name_plural = _("openings")

    def __str__(self) -> str:
        return str(self.game)


class Seat(models.Model):
    """A place in a game, taken by one phone, and the player who sits there.

    key: the seat's id in the rules. facts: the system's own fields. seen: presence is a lease that
    the phone renews, because a server that dies tells nobody.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats", db_index=False)
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
        """Take this seat for a device, leaving its other one; False if somebody was quicker.

        The test and the change are one statement: of two phones that tap at once, one gets it.
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
        """Free this seat: its phone left, or was sent away."""
        self.device_hash = None
        self.save(update_fields=["device_hash"])

    def hand_to(self, device_hash: str) -> None:
        """Give this seat to another phone, which the table has approved."""
        with transaction.atomic():
            Seat.objects.filter(game=self.game_id, device_hash=device_hash).update(device_hash=None)
            self.device_hash = device_hash
            self.save(update_fields=["device_hash"])


class GameObject(models.Model):
    """A card, token or thing. facts: the system's own fields; order: among the game's objects."""

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
    """How many counters of one kind are on one holder: a seat, an object, or "team:" and its id."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="counters", db_index=False)
    holder = models.CharField(max_length=HOLDER_LENGTH)
    kind = models.CharField(max_length=KEY_LENGTH)
    amount = models.PositiveIntegerField()

    class Meta:
        ordering = ["game", "holder", "kind"]
        verbose_name = _("counter")
        verbose_name_plural = _("counters")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "holder", "kind"], name="one_row_of_a_kind_on_a_holder"
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=1, amount__lte=MOST), name="amount_within_bounds"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.kind} on {self.holder}"


class SlotCounter(models.Model):
    """A counter of slots. facts: all that the system knows of it."""

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
    """A question that waits for a seat. facts: what else it shows; order: the oldest first."""

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
    """One accepted command with its events; append-only but for `undone_by`.

    (game, number) is the last fence between two processes that both think they own a game;
    (game, command_id) makes a command that is sent twice happen once.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="entries", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.CharField(max_length=KEY_LENGTH)
    command_id = models.CharField(max_length=NAME_LENGTH, null=True, blank=True)  # noqa: DJ001 many have none
    command = models.JSONField()
    events = models.JSONField(default=list)
    undone_by = models.PositiveIntegerField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["game", "number"]
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_entry_of_a_number"),
            models.UniqueConstraint(fields=["game", "command_id"], name="a_command_happens_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="entries_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.seat}: {self.command.get('do', '')}"


class Visitor(models.Model):
    """A device that an invitation or a code has let into a game, seated or not.

    asked: when it asked for a seat last. sent_away: it may sit down only when the table says yes.
    """

    class Role(models.TextChoices):
        HOST = "host", _("host")
        GUEST = "guest", _("guest")
        WATCHER = "watcher", _("watcher")

    class News(models.TextChoices):
        """What a device is to be told when it looks next; `about` says of which seat."""

        ASKING = "asking", _("asks for a seat")
        REFUSED = "refused", _("was refused")
        LATE = "late", _("was not answered")
        FREED = "freed", _("its seat was freed by the host")
        HANDED = "handed", _("another device has its seat now")
        HOST = "host", _("someone else is host now")

    game = models.ForeignKey(Game, models.CASCADE, related_name="visitors", db_index=False)
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
