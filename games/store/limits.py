"""Timeouts of a server process towards PostgreSQL, and of PostgreSQL towards it."""

from __future__ import annotations

import os
import secrets

from django.db import connections

PROCESS = secrets.token_hex(6)
"""The name of this process in PostgreSQL, at the end of `application_name` of each connection."""
PATIENCE = 5.0
"""Seconds without a byte of an answer after which a connection is given up."""
OF_SESSIONS = {
    "statement_timeout": "15s",
    "idle_in_transaction_session_timeout": "15s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10s",
}
"""Timeouts that PostgreSQL enforces: on our statements, and on sessions without a process."""


def limit() -> None:
    """Limit all waiting of this process, which serves. Call it before it connects."""
    if connections["default"].vendor != "postgresql":
        return
    from .postgresql.base import Connection

    Connection.patience = PATIENCE
    limit_sessions()
    # libpq takes it as the default for every connection of the process and of its helpers.
    os.environ.setdefault("PGAPPNAME", f"countersite pages {PROCESS}")


def limit_sessions() -> None:
    """Limit what PostgreSQL waits for in sessions of this process, which serves or helps one."""
    if connections["default"].vendor == "postgresql":
        from .postgresql.base import Connection

        Connection.settings = OF_SESSIONS
