"""Messages between processes about the games that one of them owns.

Each message is packed as an array (MessagePack) that begins with its kind. A session is one
`RemoteTable`'s; a line is one screen in it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Message(Struct, frozen=True, array_like=True):
    """A message from one process to another."""


class OfSession(Message, frozen=True, array_like=True):
    """A message about one session."""

    session: str


# To the process that plays a game


class Open(OfSession, frozen=True, array_like=True, tag="open"):
    """The sender has screens of a game, or soon will."""

    slug: str


class Join(OfSession, frozen=True, array_like=True, tag="join"):
    """A screen to bring up to date from a number, and to keep so.

    audience: the fields of a `fragments.Audience`.
    """

    line: int
    since: int | None
    seat: str | None
    device: str | None
    program: str | None
    docked: bool
    audience: tuple[Any, ...]
    address: str = ""


class Leave(OfSession, frozen=True, array_like=True, tag="leave"):
    """A screen has gone."""

    line: int


class Take(OfSession, frozen=True, array_like=True, tag="take"):
    """A command from a seat, as JSON, whose numbers may have any size.

    ref: what its outcome refers to. line: the screen that it came from; 0 if from none.
    """

    ref: int
    raw: bytes
    seat: str
    line: int = 0


class Shut(OfSession, frozen=True, array_like=True, tag="shut"):
    """The sender has no more screens in that session."""


class Ping(Message, frozen=True, array_like=True, tag="ping"):
    """A liveness probe for each owner of a game that the sender follows."""


# To a process with screens of it


class Frames(OfSession, frozen=True, array_like=True, tag="frames"):
    """The frames of one turn, each with the lines it is for.

    accepted: the refs of the commands that were accepted in it, with the numbers of their entries.
    """

    frames: list[tuple[str, list[int]]]
    accepted: list[tuple[int, int]]


class Known(OfSession, frozen=True, array_like=True, tag="known"):
    """A command's id was accepted before. number: of the last entry, as the seat counts."""

    ref: int
    seat: str
    number: int


class Refusal(OfSession, frozen=True, array_like=True, tag="refused"):
    """A command was refused. phrase: as `phrases.packed` makes it."""

    ref: int
    code: str
    rule: str | None
    phrase: list[Any]


class Close(OfSession, frozen=True, array_like=True, tag="close"):
    """A screen's connection is to be closed."""

    line: int
    code: int
    reason: str


class Present(OfSession, frozen=True, array_like=True, tag="present"):
    """The seats of the game with a screen open, wherever.

    first: the answer to an `Open`, before which nothing can be missing.
    """

    seats: list[str]
    first: bool = True


class Gone(OfSession, frozen=True, array_like=True, tag="gone"):
    """The sender does not play that game, or not any more."""


class Play(Message, frozen=True, array_like=True, tag="play"):
    """The sender has let a game go, which the receiver is to play."""

    slug: str


class Pong(Message, frozen=True, array_like=True, tag="pong"):
    """The answer to a `Ping`."""


# To all processes


class Call(Message, frozen=True, array_like=True, tag="call"):
    """A call that only the process that plays the game can make. It has no answer."""

    slug: str
    name: str
    arguments: list[Any]


class Echo(Message, frozen=True, array_like=True, tag="echo"):
    """A message to oneself: a probe of the connection through Redis."""


Said = (
    Open | Join | Leave | Take | Shut | Ping
    | Frames | Known | Refusal | Close | Present | Gone | Play | Pong
    | Call | Echo
)  # fmt: skip
