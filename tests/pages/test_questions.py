"""The reason for a question: its rule, with the numbers that it is about."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.store import rows
from tests.types import Make, Sit

HURT = {"zone": "active", "hp": 60, "prizes": 2}
# fmt: off
ASKED: list[tuple[str, dict[str, Any], list[dict[str, Any]], str, str, list[str]]] = [
    # system, given, commands, question, its rule, what the rule says of it
    ("grand-archive",
     {"objects": {"ally": {"name": "Ally 3", "types": ["ally"], "base": {"life": 3, "power": 1},
                           "counters": {"wither": 2}},
                  "cup": {"name": "Cup", "types": ["item"], "counters": {"wither": 1}}},
      "turn": {"active": ["ana"], "phase": "materialize"}},
     [{"do": "begin-phase", "phase": "main"}], "wither:ana", "Wither 1",
     ["Ally 3: 2 wither → 2 reserve", "Cup: 1 wither → 1 reserve"]),
    ("magic",
     {"seats": {"ana": {"counters": {"rad": 3}, "mills_times": 2}, "ben": {}}},
     [{"do": "begin-phase", "phase": "precombat-main"}], "rad:ana", "728.1",
     ["3 rad → mill 6 cards"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew ex", "owner": "ana", **HURT},
                  "next": {"name": "Eevee", "owner": "ana", "zone": "bench", "hp": 50},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"phase": "turn"}},
     [{"do": "damage", "on": "mon", "amount": 60}], "prizes:ben", "Prizes 3",
     ["Mew ex: 2 Prize cards"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew", "owner": "ana", **HURT, "burned": 20,
                          "counters": {"damage": 10}},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"active": ["ana"], "phase": "turn"}},
     [{"do": "checkup"}], "burned:mon", "Burned 1",
     ["Mew: Burned, 20 damage each Checkup, 30 damage on 60 HP"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew", "owner": "ana", **HURT, "turned": "asleep", "coins": 2},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"active": ["ana"], "phase": "turn"}},
     [{"do": "checkup"}], "asleep:mon", "Asleep 2", ["Mew: Asleep, 2 coins"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew", "owner": "ana", **HURT, "turned": "confused",
                          "counters": {"damage": 20}},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"active": ["ana"], "phase": "turn"}},
     [{"do": "attack", "object": "mon"}], "confused:mon", "Confused 1",
     ["Mew: Confused, 20 damage on 60 HP; tails → 50"]),
    ("pokemon",
     {"seats": {"ana": {}, "ben": {}},
      "objects": {"mon": {"name": "Mew", "owner": "ana", **HURT},
                  "one": {"name": "Eevee", "owner": "ana", "zone": "bench", "hp": 50},
                  "two": {"name": "Onix", "owner": "ana", "zone": "bench", "hp": 90},
                  "foe": {"name": "Abra", "owner": "ben", "zone": "active", "hp": 50}},
      "turn": {"active": ["ana"], "phase": "turn"}},
     [{"do": "move", "object": "mon", "to": "hand"}], "promote:ana", "Knocked Out 7",
     ["No one in the Active Spot, 2 on the Bench"]),
    ("grand-archive",
     {"objects": {"item": {"name": "Cup", "types": ["item"], "counters": {"enlighten": 4}}}},
     [{"do": "activate", "object": "item", "ability": "enlighten"}], "enlighten:item",
     "Enlighten 1", ["Cup: 3 enlighten spent → draw 1 card; 1 left"]),
    ("grand-archive",
     {"objects": {"mage": {"name": "Mage", "types": ["ally"], "base": {"power": 2, "life": 3},
                           "elements": ["arcane"]},
                  "foe": {"name": "Foe", "types": ["ally"], "base": {"power": 1, "life": 9},
                          "owner": "ben"},
                  "orb": {"name": "Orb", "types": ["item"], "counters": {"static": 2}}},
      "turn": {"active": ["ana"], "phase": "combat"}},
     [{"do": "damage", "on": "foe", "source": "mage", "combat": True}], "static:orb",
     "Static 1", ["Orb: 1 of 2 static → 1 damage to Foe"]),
    ("magic",
     {"objects": {"siege": {"name": "Invasion", "types": ["battle"], "base": {"defense": 3},
                            "counters": {"defense": 3}}}},
     [{"do": "remove", "on": "siege", "counter": "defense", "amount": 3}], "siege:siege",
     "310.11b", ["Invasion: 0 defense → exile it"]),
    ("magic",
     {"objects": {"bear": {"name": "Bear", "types": ["creature"], "owner": "ben",
                           "base": {"power": 2, "toughness": 2}},
                  "wall": {"name": "Wall", "types": ["creature"],
                           "base": {"power": 0, "toughness": 4}}}},
     [{"do": "combat", "attacks": {"bear": "ana"}, "asks": True}], "blocks:ana", "509.1",
     ["Bear 2/2 attacks"]),
]
# fmt: on


@pytest.mark.parametrize(("system", "given", "commands", "prompt", "rule", "inputs"), ASKED)
def test_why_opens_the_rule_with_the_numbers(
    make_game: Make,
    sit: Sit,
    system: str,
    given: dict[str, Any],
    commands: list[dict[str, Any]],
    prompt: str,
    rule: str,
    inputs: list[str],
) -> None:
    game = make_game(system, **given)
    rows.give(game, [{**each, "by": "ana"} for each in commands])
    ana = sit(game, "ana")

    board = ana.get(f"/g/{game.slug}/").content.decode()
    (href,) = re.findall(r'class="prompt-why" href="([^"#]+)', board)
    page = ana.get(f"/g/{game.slug}/{href.replace('&amp;', '&')}").content.decode()

    assert f"data-asked>{rule}<" in page
    assert inputs == re.findall(r'class="rule-input">([^<]+)<', page)
    assert [] == re.findall(
        "rule-input", ana.get(f"/g/{game.slug}/rules?prompt=x").content.decode()
    )
