"""Start the shipped server on a port of 127.0.0.1, without the words that `table` prints."""

import sys

from countersite.asgi import application
from games.live.server import serve

serve(application, "127.0.0.1", int(sys.argv[1]))
