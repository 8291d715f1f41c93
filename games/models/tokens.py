"""Names, codes and secrets: how they are made and stored.

A secret has 128 random bits and is stored as its SHA-256. The tokens of links are derived from the
site's secret key, so that they can be shown again.
"""

from __future__ import annotations

import hashlib
import secrets
import string
import unicodedata

from django.utils.crypto import salted_hmac

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 8
SLUG_LENGTH = 12
HASH_LENGTH = 64
CODE_DIGITS = 10
"""Hexadecimal digits of a hash that make a code: both have 40 bits."""
BETWEEN = {"Zs", "Cc", "Cf", "Pd", "Pc"}
"""Unicode's categories of what a code may have between its letters: spaces, dashes, the unseen."""
ROUND = string.punctuation + "“”„«»‘’…"
"""Characters that may surround a code in a message."""
DEVICE_BYTES = 16


def new_slug() -> str:
    """A random public name for a game's address; it does not admit anyone."""
    return "".join(secrets.choice(CROCKFORD.lower()) for _ in range(SLUG_LENGTH))


def new_code() -> str:
    """A code that can be spoken across a table: 8 characters without I, L, O and U."""
    return "".join(secrets.choice(CROCKFORD) for _ in range(CODE_LENGTH))


def normalized_code(text: str) -> str:
    """A spoken code as someone typed or pasted it, normalised: I and L as 1, O as 0.

    Without spaces, dashes of any kind, what cannot be seen, and signs before or after it.
    """
    plain = unicodedata.normalize("NFKC", text).upper().replace("−", "-")
    kept = "".join(each for each in plain if unicodedata.category(each) not in BETWEEN)
    return kept.strip(ROUND).translate(str.maketrans("ILO", "110"))


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
    """The SHA-256 of a secret, which is stored in its place. Tokens have 128 random bits and
    need no salt.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def code_of(secret_hash: str) -> str:
    """The code to speak instead of a secret with that hash: its first 40 bits."""
    number = int(secret_hash[:CODE_DIGITS], 16)
    return "".join(CROCKFORD[number >> 5 * place & 31] for place in reversed(range(CODE_LENGTH)))


def hash_begins(code: str) -> str:
    """The beginning of the hash of a secret whose code is *code*; "" if *code* cannot be one."""
    if len(code) != CODE_LENGTH or not set(code) <= set(CROCKFORD):
        return ""
    number = 0
    for each in code:
        number = number << 5 | CROCKFORD.index(each)
    return f"{number:0{CODE_DIGITS}x}"


def derived(purpose: str, what: str) -> str:
    """A 128-bit token that only this site can make, the same each time."""
    digest = salted_hmac(f"games.{purpose}", what, algorithm="sha256").hexdigest()
    return digest[: DEVICE_BYTES * 2]
