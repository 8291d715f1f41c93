"""Formats of log lines, without secrets: text, or one JSON object a line."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from types import TracebackType

from games.rules.input import printable

from .security import masked

Raised = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

ORIGINS = "countersite.origins"
STRANGERS = ("django.security", ORIGINS)
"""The loggers, with their children, of refused requests."""
EVERY = 10.0
"""Seconds between two lines of one kind about them."""


class Line(logging.Formatter):
    """A line of text without control characters; tracebacks carry no secrets of links either."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return printable(super().formatMessage(record))

    def formatException(self, ei: Raised) -> str:
        lines = masked(super().formatException(ei)).split("\n")
        return "\n".join(map(printable, lines))


class Json(Line):
    """A JSON object a line: time, level, logger, message, and the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        facts = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": printable(masked(record.getMessage())),
            "process": record.process,
        }
        if record.exc_info:
            facts["exception"] = self.formatException(record.exc_info)
        return json.dumps(facts, ensure_ascii=False)


class Sparing(logging.Filter):
    """Throttles log lines that strangers can cause, such as those of requests under a foreign host
    name: one of each kind every few seconds, without its traceback."""

    def __init__(self) -> None:
        super().__init__()
        self._next: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.name.startswith(STRANGERS):
            return True
        if record.created < self._next.get(record.name, 0):
            return False
        self._next[record.name] = record.created + EVERY
        record.exc_info = record.exc_text = None
        return True
