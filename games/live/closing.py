"""The codes with which websockets are closed; pages and programs decide by them what to do next."""

NO_SEAT = 4401
"""The client has not been invited, or a program's token is invalid."""
WRONG_ORIGIN = 4403
"""The handshake comes from the page of another site."""
NO_GAME = 4404
TAKEN_OVER = 4409
"""The phone has been sent away, or its seat belongs to another phone now."""
RELOAD = 4410
"""The seat of the page has changed; it reloads."""
TOO_BIG = 4413
TOO_FAST = 4429
BROKEN = 4511
"""The screen could not be drawn; a phone reconnects."""
RESTART = 4512
"""This process plays the game no longer; a phone reconnects.

The last two stand for 1011 and 1012 of RFC 6455, which not every server can send.
"""
