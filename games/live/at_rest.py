"""What an open socket keeps of autobahn's protocol: a quarter of the memory that it begins with.

A phone mostly waits. What only the handshake needed is dropped; what has the usual value is the
class's; and what our short text messages never need is made again when autobahn reads it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from autobahn.websocket.protocol import TrafficStats
from autobahn.websocket.utf8validator import Utf8Validator

NOTHING = object()
OF_THE_HANDSHAKE = frozenset(
    "_raw_query_string _transport_details _wskey application_deferred clean_headers http_headers "
    "http_request_data http_request_host http_request_params http_request_path http_request_uri "
    "http_response_data http_status_line protocol_to_accept request root_path server_addr "
    "websocket_extensions websocket_extensions_in_use websocket_origin websocket_protocol_in_use "
    "websocket_protocols".split()
)
"""Attributes of a protocol that nothing reads once its socket is open."""
AT_REST: dict[str, Any] = {
    **dict.fromkeys(
        "closedByMe droppedByMe failedByMe inside_message triggered wasClean "
        "wasCloseHandshakeTimeout wasMaxFramePayloadSizeExceeded wasMaxMessagePayloadSizeExceeded "
        "wasOpenHandshakeTimeout wasServerConnectionDropTimeout "
        "wasServingFlashSocketPolicyFile".split(),
        False,
    ),
    **dict.fromkeys(
        "_perMessageCompress autoPingPending autoPingPendingCall autoPingPendingSent "
        "autoPingTimeoutCall closeHandshakeTimeoutCall current_frame localCloseCode "
        "localCloseReason openHandshakeTimeoutCall remoteCloseCode remoteCloseReason "
        "trackedTimings wasNotCleanReason".split()
    ),
    "autoPingPendingSeq": 0,
    "send_state": 0,
    "data": b"",
}
"""Attributes that autobahn sets on each protocol, with the values that most of them keep."""
WHEN_NEEDED: dict[str, Callable[[], Any]] = {
    "send_queue": deque,
    "trafficStats": TrafficStats,
    "utf8validator": Utf8Validator,
}
"""Attributes that autobahn makes for each protocol, and that our short text messages never need."""


class WhenNeeded:
    """An attribute of an open socket that is made when it is first read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, protocol: Any, owner: type[Any]) -> Any:
        made = protocol.__dict__[self._name] = WHEN_NEEDED[self._name]()
        return made


def prepare(protocol: type[Any]) -> None:
    """Let the class of open sockets answer for what `settle` takes from them."""
    for name, value in AT_REST.items():
        setattr(protocol, name, value)
    for name in WHEN_NEEDED:
        setattr(protocol, name, WhenNeeded(name))
    protocol.request = SimpleNamespace(path="")  # daphne logs it


def settle(protocol: Any) -> None:
    """Take from a protocol, whose socket has just opened, what it will not need."""
    protocol.__dict__ = {
        name: value
        for name, value in protocol.__dict__.items()
        if not (
            name in OF_THE_HANDSHAKE or name in WHEN_NEEDED or value == AT_REST.get(name, NOTHING)
        )
    }
