"""Pictures of handouts: read, made smaller and written anew, kept with their game.

A picture is decoded and encoded again, so that nothing of the file stays: no place or time of the
photo, no script behind its end. Bytes stay until their game is deleted, since an undo may show a
handout again; those that no note names make way when a game has too many.
"""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Collection, Mapping
from io import BytesIO
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _
from msgspec import Struct

from games.models import Game, Picture
from games.rules.state import GameState, Refused

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("JPEG", "PNG", "WEBP")
"""The formats that are read, recognised by their bytes alone."""
LONGEST_SIDE = 1600
"""Pixels of the longer side of a stored picture."""
MOST_PIXELS = 16_000_000
"""The most pixels that are decoded; a JPEG of more is read at a half, a quarter or an eighth."""
MOST_BYTES = 512 * 1024
"""The most bytes of a stored picture."""
MOST = 50
"""The most pictures of a game."""
QUALITIES = (84, 68, 52)
"""Of WebP, tried in this order until the picture is small enough; then it gets fewer pixels."""
SMALLER = 0.75
"""By so much each side, each time."""


class Reduced(Struct, frozen=True):
    """A picture as it is stored. width, height: in pixels. image: WebP."""

    width: int
    height: int
    image: bytes


def reduced(file: bytes) -> Reduced:
    """The picture in *file*, upright, at most `LONGEST_SIDE` long. Raises Refused "invalid"."""
    from PIL import Image  # ten megabytes that most processes never need

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(file), formats=FORMATS) as picture:
                return _reduced(picture)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_large() from None
    except (OSError, SyntaxError, ValueError, EOFError):  # what Pillow raises for broken files
        raise unreadable() from None


def unreadable() -> Refused:
    why = _("That isn’t a picture this server can read. Choose a JPEG, PNG or WebP.")
    return Refused("invalid", why)


def _too_large() -> Refused:
    return Refused("invalid", _("That picture has too many pixels. Make it smaller first."))


def _reduced(picture: Image.Image) -> Reduced:
    from PIL import ImageOps

    scale = min(1, LONGEST_SIDE / max(picture.size))
    width, height = (max(1, int(side * scale)) for side in picture.size)
    picture.draft(None, (width, height))  # a JPEG, while it is decoded
    if picture.width * picture.height > MOST_PIXELS:
        raise _too_large()
    upright = ImageOps.exif_transpose(picture)
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    plain = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    for quality in chain(QUALITIES, repeat(QUALITIES[-1])):
        out = BytesIO()
        plain.save(out, "WEBP", quality=quality, exif=b"", icc_profile=None)
        if out.tell() <= MOST_BYTES:
            break
        if quality == QUALITIES[-1]:
            plain.thumbnail((int(plain.width * SMALLER), int(plain.height * SMALLER)))
    return Reduced(plain.width, plain.height, out.getvalue())


def add(game: Game, state: GameState, picture: Reduced) -> Picture:
    """Keep *picture* with *game*. Raises Refused "over-maximum".

    state: the game's, whose notes say which pictures are needed.
    """
    with transaction.atomic():
        over = game.pictures.count() + 1 - MOST
        if over > 0:
            needed = of_notes(state)
            spare = game.pictures.exclude(key__in=needed).values_list("pk", flat=True)[:over]
            if len(spare) < over:
                why = _("This game already has %(n)s pictures. Cross off a handout first.")
                raise Refused("over-maximum", why % {"n": MOST})
            Picture.objects.filter(pk__in=[*spare]).delete()
        return Picture.objects.create(
            game=game,
            key=f"p-{secrets.token_hex(16)}",
            width=picture.width,
            height=picture.height,
            image=picture.image,
        )


def copy(last: Game, anew: Game, keys: Collection[str]) -> None:
    """Let *anew* have those pictures of *last*, under the same keys."""
    Picture.objects.bulk_create(
        Picture(game=anew, key=e.key, width=e.width, height=e.height, image=e.image)
        for e in last.pictures.filter(key__in=keys)
    )


def of_notes(state: GameState) -> set[str]:
    """The keys of the pictures that the notes of *state* name."""
    return {note.picture for note in state.notes.values() if note.picture}


def of_given(given: Mapping[str, Any]) -> set[str]:
    """The same of the `given` of a scenario."""
    return {each["picture"] for each in given.get("notes", {}).values() if each.get("picture")}
