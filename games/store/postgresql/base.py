"""Django's PostgreSQL backend, whose connections do not wait for ever.

A server that hangs, or a network that swallows everything, looks like one that is slow: nothing
arrives. The kernel gives up unacknowledged data after some seconds (`countersite.environment`), but
not if something in between acknowledges and forwards nothing. So a server process (`limits`) gives
up a connection on which it has heard nothing for a while. Commands such as `restore` have patience.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from types import SimpleNamespace
from typing import Any, Self

import psycopg  # noqa: TID253 this module is the extra's
from django.db.backends.postgresql import base

SET = """
SELECT set_config(name, given.value, false)
FROM unnest(%s::text[], %s::text[]) AS given (name, value) JOIN pg_settings USING (name)
WHERE source <> 'client'
"""


class Connection(psycopg.Connection[Any]):
    """A connection that breaks off if it hears nothing.

    patience: for so many seconds at most. settings: PostgreSQL's, by name, for its session. They
    are set after connecting, because a pooler refuses those that come with it. What an operator
    gives in PGOPTIONS stands.
    """

    patience: float | None = None
    settings: Mapping[str, str] = {}

    @classmethod
    def connect(cls, *args: Any, **options: Any) -> Self:
        connection: Self = super().connect(*args, **options)
        if not cls.settings:
            return connection
        try:
            connection.execute(SET, [list(cls.settings), list(cls.settings.values())])
            connection.commit()
        except BaseException:
            connection.close()
            raise
        return connection

    def wait(self, gen: Any, *args: Any, **options: Any) -> Any:
        if self.patience is None:
            return super().wait(gen, *args, **options)
        try:
            return super().wait(heard_within(self.patience, gen), *args, **options)
        except Silence:
            self.pgconn.finish()  # whatever arrives now answers a question that nobody asks
            raise


class Silence(psycopg.OperationalError):
    """No answer in time. Whether the last statement was executed is not known."""


def heard_within(seconds: float, waiting: Any) -> Generator[Any, Any, Any]:
    """*waiting*, a generator of psycopg, as one that raises Silence after *seconds* of it."""
    until = time.monotonic() + seconds
    try:
        state = next(waiting)
        while True:
            ready = yield state
            if ready:
                until = time.monotonic() + seconds
            elif time.monotonic() > until:
                raise Silence(f"PostgreSQL has said nothing for {seconds:g} seconds")
            state = waiting.send(ready)
    except StopIteration as end:
        return end.value


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with connections of our own."""

    Database = SimpleNamespace(  # type: ignore[assignment]
        **{**vars(psycopg), "connect": Connection.connect}
    )

    def __init__(self, settings: dict[str, Any], *args: Any, **options: Any) -> None:
        super().__init__(settings, *args, **options)
        if pool := self.settings_dict["OPTIONS"].get("pool"):
            pool["connection_class"] = Connection
