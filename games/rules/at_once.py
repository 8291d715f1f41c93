"""Commands that are too much work for where they are tried.

A table tries each command in the loop that all tables share, and there it says `AT_ONCE`. What
counts the work of commands, their events or what rules look at, raises `Later` when it becomes too
much for that; then the table gives the command again where nobody else waits for it.
"""

from __future__ import annotations

from contextvars import ContextVar

AT_ONCE: ContextVar[bool] = ContextVar("at_once", default=False)
"""True where others wait for the command that is being worked out."""


class Later(Exception):
    """A command is too much work to be worked out at once. Nothing has changed."""
