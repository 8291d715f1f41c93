"""The wire: connections, handshakes and frames, and their limits.

Everything runs in one loop, asyncio's, which twisted's reactor shares:

1. `serving` accepts a connection and looks at its head without taking it (MSG_PEEK). The handshake
   of a websocket is taken: `sockets.Socket` speaks from then on, over asyncio's own transport.
   Anything else goes to daphne untouched, by twisted's public `adoptStreamConnection`.
2. `sockets` reads a tap and writes a frame in one step each, and leaves rare frames to the library
   `websockets`. While more than 64 KiB wait for a phone, frames for it are dropped; it gets one
   board when it has read them.
3. `http` has daphne's request and connection with limits.
4. `limits` has every limit, and counts what each address does.

At the end no more is accepted, what was asked is answered, the games are handed over, and the
websockets are closed with a code.

Only public names of daphne, twisted and websockets are used. The ASGI application knows nothing of
this: under another server, `connection.AsgiConnection` takes the place of `Socket`.
"""
