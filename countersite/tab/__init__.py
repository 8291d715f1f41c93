"""The whole site in a browser's tab, with one thread in place of a server.

`one_thread` is the machine, `host` the door; both run in any Python, and are tested in a server's.
The scripts beside them start them in a worker, and let other phones in; the command `tab` puts
all of it into a folder.
"""
