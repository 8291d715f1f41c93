"""Names, codes and secrets: how they are made and stored.

A secret has 128 random bits and is stored as its SHA-256. The tokens of links are derived from the
site's secret key, so that they can be shown again.
"""

from __future__ import annotations

import hashlib
import secrets

from django.utils.crypto import salted_hmac

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 8
SLUG_LENGTH = 12
HASH_LENGTH = 64
DEVICE_BYTES = 16


def new_slug() -> str:
    """A random public name for a game's address; it does not admit anyone."""
    return "".join(secrets.choice(CROCKFORD.lower()) for _ in range(SLUG_LENGTH))


def new_code() -> str:
    """A code that can be spoken across a table: 8 characters without I, L, O and U."""
    return "".join(secrets.choice(CROCKFORD) for _ in range(CODE_LENGTH))


def heard_code(text: str) -> str:
    """A spoken code as someone typed it, normalised: no spaces or dashes, I and L as 1, O as 0."""
    letters = "".join(text.upper().split()).replace("-", "").replace("–", "")
    return letters.translate(str.maketrans("ILO", "110"))


def spoken(code: str) -> str:
    """A code as it is read out: two groups of four."""
    return f"{code[:4]}-{code[4:]}"


def new_device() -> str:
    """A random 128-bit token for a phone's cookie."""
    return secrets.token_urlsafe(DEVICE_BYTES)


def next_device(last: str) -> str:
    """The token that takes the place of the one with the hash *last*; the same each time."""
    return derived("device", last)


def hashed(token: str) -> str:
    """What is stored of a secret: its SHA-256. Tokens have 128 random bits and need no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def derived(purpose: str, what: str) -> str:
    """A 128-bit token that only this site can make, the same each time."""
    digest = salted_hmac(f"games.{purpose}", what, algorithm="sha256").hexdigest()
    return digest[: DEVICE_BYTES * 2]
