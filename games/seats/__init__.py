"""Permissions: the phone's token, seats, hosts, and requests to be let in."""
