"""The dungeons, their rooms, and where the arrows lead.

Source: the dungeon cards of Adventures in the Forgotten Realms, and Undercity of Battle for
Baldur's Gate. What a room does is left to the players.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.state import Words

DUNGEONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "lost-mine-of-phandelver": {
        "cave-entrance": ("goblin-lair", "mine-tunnels"),
        "goblin-lair": ("storeroom", "dark-pool"),
        "mine-tunnels": ("dark-pool", "fungi-cavern"),
        "storeroom": ("temple-of-dumathoin",),
        "dark-pool": ("temple-of-dumathoin",),
        "fungi-cavern": ("temple-of-dumathoin",),
        "temple-of-dumathoin": (),
    },
    "dungeon-of-the-mad-mage": {
        "yawning-portal": ("dungeon-level",),
        "dungeon-level": ("goblin-bazaar", "twisted-caverns"),
        "goblin-bazaar": ("lost-level",),
        "twisted-caverns": ("lost-level",),
        "lost-level": ("runestone-caverns", "muirals-graveyard"),
        "runestone-caverns": ("deep-mines",),
        "muirals-graveyard": ("deep-mines",),
        "deep-mines": ("mad-wizards-lair",),
        "mad-wizards-lair": (),
    },
    "tomb-of-annihilation": {
        "trapped-entry": ("veils-of-fear", "oubliette"),
        "veils-of-fear": ("sandfall-cell",),
        "sandfall-cell": ("cradle-of-the-death-god",),
        "oubliette": ("cradle-of-the-death-god",),
        "cradle-of-the-death-god": (),
    },
    "undercity": {
        "secret-entrance": ("forge", "lost-well"),
        "forge": ("trap", "arena"),
        "lost-well": ("arena", "stash"),
        "trap": ("archives",),
        "arena": ("archives", "catacombs"),
        "stash": ("catacombs",),
        "archives": ("throne-of-the-dead-three",),
        "catacombs": ("throne-of-the-dead-three",),
        "throne-of-the-dead-three": (),
    },
}
"""By dungeon: its rooms, the topmost first and the bottommost last, each with those that follow.

Rooms are numbered in this order, from 1.
"""

NAMES: Mapping[str, Words] = {
    "lost-mine-of-phandelver": "Lost Mine of Phandelver",
    "cave-entrance": "Cave Entrance",
    "goblin-lair": "Goblin Lair",
    "mine-tunnels": "Mine Tunnels",
    "storeroom": "Storeroom",
    "dark-pool": "Dark Pool",
    "fungi-cavern": "Fungi Cavern",
    "temple-of-dumathoin": "Temple of Dumathoin",
    "dungeon-of-the-mad-mage": "Dungeon of the Mad Mage",
    "yawning-portal": "Yawning Portal",
    "dungeon-level": "Dungeon Level",
    "goblin-bazaar": "Goblin Bazaar",
    "twisted-caverns": "Twisted Caverns",
    "lost-level": "Lost Level",
    "runestone-caverns": "Runestone Caverns",
    "muirals-graveyard": "Muiral’s Graveyard",
    "deep-mines": "Deep Mines",
    "mad-wizards-lair": "Mad Wizard’s Lair",
    "tomb-of-annihilation": "Tomb of Annihilation",
    "trapped-entry": "Trapped Entry",
    "veils-of-fear": "Veils of Fear",
    "sandfall-cell": "Sandfall Cell",
    "oubliette": "Oubliette",
    "cradle-of-the-death-god": "Cradle of the Death God",
    "undercity": "Undercity",
    "secret-entrance": "Secret Entrance",
    "forge": "Forge",
    "lost-well": "Lost Well",
    "trap": "Trap!",
    "arena": "Arena",
    "stash": "Stash",
    "archives": "Archives",
    "catacombs": "Catacombs",
    "throne-of-the-dead-three": "Throne of the Dead Three",
}
"""Names of dungeons and rooms."""


def room_of(dungeon: str | None, number: int) -> str | None:
    """The id of the room with that number; None if there is none."""
    rooms = list(DUNGEONS.get(dungeon or "", ()))
    return rooms[number - 1] if 0 < number <= len(rooms) else None


def exits(dungeon: str | None, number: int) -> list[int]:
    """The numbers of the rooms that follow room *number*; empty at the bottom, and nowhere."""
    room = room_of(dungeon, number)
    if dungeon is None or room is None:
        return []
    rooms = list(DUNGEONS[dungeon])
    return [rooms.index(following) + 1 for following in DUNGEONS[dungeon][room]]
