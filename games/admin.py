"""The admin shows tables as they are; only a command at the table can change one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from . import models
from .seats.rate_limit import SIGNING_IN

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Any]
else:  # only mypy sees Django's class as generic
    Admin = admin.ModelAdmin


SHOWN = 200
"""Entries on the page of a game, the newest first."""


class PatientLogin(AdminAuthenticationForm):
    """Limits attempts to guess passwords."""

    def clean(self) -> dict[str, Any]:
        if self.request is not None and not SIGNING_IN.take(self.request):
            raise ValidationError("Too many tries. Wait a minute, then try again.")
        return super().clean()


admin.site.login_form = PatientLogin


class ReadOnly(Admin):
    """Look, search, filter. A row changed here would no longer match the log."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.Game)
class GameAdmin(ReadOnly):
    """A game can be deleted as a whole, with everything that belongs to it."""

    list_display = ["__str__", "system", "edition", "number", "result", "locked", "changed"]
    ordering = ["-last_entry__changed"]
    list_filter = ["system", "edition", "locked"]
    search_fields = ["title", "slug"]
    date_hierarchy = "created"
    exclude = ["invite_hash", "host_hash"]
    readonly_fields = ["slug", "code", "number", "changed", "entries"]

    @admin.display(description="log")
    def entries(self, game: models.Game) -> SafeString:
        """Its newest entries. Django's admin has no pages for rows whose key has two columns."""
        newest = game.entries.order_by("-number")[:SHOWN]
        return format_html_join(
            "",
            "<p>{} {} {} {}{}</p>",
            (
                (
                    entry.number,
                    entry.at.isoformat(" ", "seconds"),
                    entry.seat,
                    json.dumps(entry.command, ensure_ascii=False),
                    f" (undone by {entry.undone_by})" if entry.undone_by else "",
                )
                for entry in newest
            ),
        )

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return Admin.has_delete_permission(self, request, obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """The rows deleted with a game need no permissions of their own."""
        deleted, counts, _missing, protected = super().get_deleted_objects(objs, request)
        return deleted, counts, set(), protected


@admin.register(models.Seat)
class SeatAdmin(ReadOnly):
    list_display = ["name", "key", "game", "order", "taken", "host", "lost", "seen"]
    list_filter = ["host", "lost"]
    search_fields = ["given_name", "game__title", "game__slug"]
    list_select_related = ["game"]
    exclude = ["device_hash"]

    @admin.display(boolean=True)
    def taken(self, seat: models.Seat) -> bool:
        return seat.taken


@admin.register(models.GameObject)
class GameObjectAdmin(ReadOnly):
    list_display = ["name", "key", "game", "zone", "controller", "owner", "token"]
    list_filter = ["zone", "token"]
    search_fields = ["name", "game__title", "game__slug"]
    list_select_related = ["game"]


@admin.register(models.Counter)
class CounterAdmin(ReadOnly):
    list_display = ["kind", "amount", "holder", "game"]
    search_fields = ["kind", "holder", "game__title", "game__slug"]
    list_select_related = ["game"]


@admin.register(models.SlotCounter)
class SlotCounterAdmin(ReadOnly):
    list_display = ["__str__", "key", "game"]
    search_fields = ["key", "game__title", "game__slug"]
    list_select_related = ["game"]


@admin.register(models.Prompt)
class PromptAdmin(ReadOnly):
    list_display = ["key", "kind", "to", "source", "game"]
    search_fields = ["key", "game__title", "game__slug"]
    list_select_related = ["game"]


@admin.register(models.Visitor)
class VisitorAdmin(ReadOnly):
    list_display = ["role", "kind", "at", "game"]
    list_filter = ["role", "kind"]
    search_fields = ["game__title", "game__slug"]
    list_select_related = ["game"]
    exclude = ["device_hash"]


@admin.register(models.Program)
class ProgramAdmin(ReadOnly):
    list_display = ["name", "key", "read_only", "used", "visitor"]
    list_select_related = ["visitor"]
    exclude = ["token_hash"]
