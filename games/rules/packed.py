"""A definition of rules as a word that fits into a link: its JSON, compressed, in base64url."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

MOST_BYTES = 64 * 1024
"""Of the JSON. What would unpack to more is not unpacked."""
MOST_PACKED = 96 * 1024
"""Characters of the word, even if nothing in it can be compressed."""


class TooLong(ValueError):
    """A word holds more than a definition may be."""


def packed(written: Mapping[str, Any]) -> str:
    """*written* as a word of letters, digits, "-" and "_"; the same for all that say the same."""
    text = json.dumps(written, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpacked(word: str) -> str:
    """The text in *word*. Raises ValueError if that is not whole, TooLong if too long."""
    if len(word) > MOST_PACKED:
        raise TooLong
    try:
        body = urlsafe_b64decode(word + "=" * (-len(word) % 4))
        reader = zlib.decompressobj()
        text = reader.decompress(body, MOST_BYTES + 1)
    except zlib.error as error:
        raise ValueError("not whole") from error
    if len(text) > MOST_BYTES:
        raise TooLong
    if not reader.eof:
        raise ValueError("not whole")
    return text.decode()
