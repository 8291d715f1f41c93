"""For the operator: a page behind the admin's login, and Prometheus' metrics behind a token."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from hmac import compare_digest
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db import connection
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum, TextField
from django.db.models.functions import Cast, Length
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.live.figures import of_all
from games.live.measured import HISTOGRAMS, closes, statuses
from games.live.table_registry import registry
from games.live.watch import watch
from games.models import Entry, Game
from games.store import backup, disk

SHOWN = 100
"""Games on the page, the last used first."""
BEARER = "Bearer "
FAMILIES = (
    ("gauge", "tables", "tables", "Games that this process plays."),
    ("gauge", "screens", "screens", "Open screens of those games, in any process."),
    ("gauge", "event_loop_lag_seconds", "lag", "Longest delay of the event loop in a minute."),
    ("counter", "commands_accepted", "accepted", "Commands accepted."),
    ("counter", "commands_refused", "refused", "Commands refused by a rule."),
    ("counter", "commits_failed", "failed", "Transactions that could not be saved."),
    ("gauge", "database_away", "database_away", "Whether the database does not answer."),
)
"""Kind, name, figure and description of what a process tells of itself."""
SHARED = (
    ("gauge", "redis_away", "redis_away", "Whether Redis does not answer."),
    ("gauge", "processes", "processes", "Processes that share the games and live."),
    ("gauge", "locks", "locks", "Games whose lock this process holds."),
    ("gauge", "remote_tables", "remote_tables", "Games here that another process plays."),
    ("gauge", "remote_screens", "remote_screens", "Screens here of games played elsewhere."),
    ("counter", "relay_messages", "relay_messages", "Messages sent to other processes."),
    ("counter", "relay_dropped", "relay_dropped", "Messages dropped before they were sent."),
    ("counter", "relay_gaps", "relay_gaps", "Times that a message to this process was missing."),
    ("counter", "handed_over", "handed_over", "Games handed to where their phones are."),
    ("counter", "followed_on", "followed_on", "Games whose screens went on at a new owner."),
    ("counter", "sessions_ended", "sessions_ended", "Silent processes that this one fenced."),
)
"""The same, of one of several processes."""
LABELLED = (
    ("sockets_closed", "code", "Websockets that this process closed, by code.", closes),
    ("pages_answered", "status", "Pages answered, by the first digit of the status.", statuses),
)
"""Name, label, description and values of what is counted by kind."""


@require_safe
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Games with their sizes, when each was last used, and all processes with their lag."""
    processes = [
        {**each, "started": datetime.fromtimestamp(each["started"], UTC)}
        for each in of_all(watch.figures())
    ]
    context = {
        **admin.site.each_context(request),
        "title": _("Operating"),
        "processes": processes,
        "games": _games(),
        "shown": SHOWN,
        "count": Game.objects.count(),
        "size": database_size(),
        "room": disk.room(),
        "backed_up": backup.last(),
        "keep_days": settings.KEEP_DAYS,
        "here": registry.tables,
    }
    return render(request, "pages/operating.html", context)


def _games() -> QuerySet[Game]:
    """The games that were used last. log: bytes of the log. taken: seats with a phone."""
    text = [Length(Cast(name, TextField())) for name in ("command", "events")]
    log = Entry.objects.filter(game=OuterRef("pk")).order_by().values("game")
    log = log.annotate(bytes=Sum(text[0] + text[1]))
    taken = Count("seats", filter=Q(seats__device_hash__isnull=False))
    latest = Game.objects.latest_first()
    return latest.annotate(taken=taken, log=Subquery(log.values("bytes")))[:SHOWN]


def database_size() -> int:
    """The bytes of the database, all tables and SQLite's log included."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        files = (f"{name}{end}" for end in ("", "-wal", "-shm"))
        return sum(os.path.getsize(file) for file in files if os.path.exists(file))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """This process's figures and the site's, in the form that Prometheus reads.

    Only for `Authorization: Bearer` and the token in COUNTERSITE_METRICS_TOKEN. Each process is
    asked at its own port.
    """
    given = request.headers.get("Authorization", "")
    wanted = f"{BEARER}{settings.METRICS_TOKEN}"
    if not compare_digest(given.encode(), wanted.encode()):
        return HttpResponse(
            "a token is needed\n", status=401, headers={"WWW-Authenticate": "Bearer"}
        )
    from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector
    from prometheus_client.exposition import choose_encoder

    collected = CollectorRegistry()
    collected.register(Collector())
    ProcessCollector(registry=collected)
    GCCollector(registry=collected)
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(collected), content_type=content_type)


class Collector:
    """Reads the figures when they are asked for; counting them costs a tap an addition."""

    def collect(self) -> Iterator[Any]:
        """The families of figures, as `prometheus_client` has them."""
        from prometheus_client.core import (
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
        )

        kinds = {"gauge": GaugeMetricFamily, "counter": CounterMetricFamily}
        mine = watch.figures()
        for kind, name, figure, described in (*FAMILIES, *(SHARED if settings.SHARED else ())):
            yield kinds[kind](f"countersite_{name}", described, value=mine[figure])
        for name, histogram in HISTOGRAMS.items():
            yield HistogramMetricFamily(
                f"countersite_{name}",
                histogram.described,
                buckets=histogram.buckets(),
                sum_value=histogram.sum,
            )
        for name, label, described, counted in LABELLED:
            family = CounterMetricFamily(f"countersite_{name}", described, labels=[label])
            for value, count in counted.items():
                family.add_metric([str(value)], count)
            yield family
        yield GaugeMetricFamily("countersite_games", "Games kept.", value=Game.objects.count())
        yield GaugeMetricFamily(
            "countersite_database_bytes", "Size of the database.", value=database_size()
        )
        if (room := disk.room()) is not None:
            yield GaugeMetricFamily("countersite_disk_free_bytes", "Room on its disk.", value=room)
        yield GaugeMetricFamily(
            "countersite_disk_low", "Whether no new games are taken for want of room.", disk.low()
        )
        if backed_up := backup.last():
            yield GaugeMetricFamily(
                "countersite_last_backup_timestamp_seconds",
                "Time of the last whole backup that was made with this data folder.",
                value=backed_up.timestamp(),
            )
