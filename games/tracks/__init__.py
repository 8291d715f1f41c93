"""Slot counters, and the secrets of a GM and of players: what every game with a GM's table shares.

A system takes its commands from here (`filling`, `items`, `making`, `scenes`, `notes`, `play`,
`permissions`, `rolls`, `follow_ups`) and says which counters there are. `counter` has who sees one
and who may act on it, `course` what follows from filling one, `views` and `entry_views` what a seat
is told.
"""
