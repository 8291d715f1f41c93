"""How log lines look, without secrets: as text, or as one JSON object a line."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from types import TracebackType

from .security import masked

Raised = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Line(logging.Formatter):
    """A line of text; tracebacks carry no secrets of links either."""

    def formatException(self, ei: Raised) -> str:
        return masked(super().formatException(ei))


class Json(Line):
    """A JSON object a line: time, level, logger, message, and the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": masked(record.getMessage()),
            "process": record.process,
        }
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)
