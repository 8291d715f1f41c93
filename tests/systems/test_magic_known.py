"""The cards known to change counters: what each does by its Oracle text, and how it comes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from games.rules.history import History
from games.rules.state import Refused
from games.screens.cards.prompts import question
from games.screens.drawing import Drawing
from games.screens.log.entry_text import parts
from games.screens.previews import previews
from games.systems import presentation_of
from games.systems.lookup import plain
from games.systems.magic import CURRENT, EDITION_2024_06, known, ticking
from games.systems.magic.known import KNOWN
from games.systems.magic.replacement_effects import GIVEN
from games.systems.magic.saying import words
from games.systems.magic.tokens import TOKENS
from tests.types import Json

SAYING = [
    card.name
    for card in KNOWN.values()
    if any(not {"adds", "gives"} & said.keys() for said in card.standings)
]
"""The cards that say something about counters."""
LORDS = [card.name for card in KNOWN.values() if card.standings and card.name not in SAYING]
"""The cards that say something about creatures."""
COUNTING = [name for name in LORDS if any("per" in said for said in KNOWN[plain(name)].standings)]
"""Those of them that count something."""
OBJECTS: dict[str, Json] = {
    "bear": {"types": ["creature"], "owner": "ana"},
    "mate": {"types": ["creature"], "owner": "cleo"},
    "foe": {"types": ["creature"], "owner": "ben"},
    "rock": {"types": ["artifact"], "owner": "ana"},
    "land": {"types": ["land"], "owner": "ana"},
    "walker": {"types": ["planeswalker"], "owner": "ana", "counters": {"loyalty": 3}},
}


def table(**given: Any) -> History:
    described = {
        "seats": {"ana": {}, "ben": {}, "cleo": {}},
        "teams": {"us": {"seats": ["ana", "cleo"]}, "them": {"seats": ["ben"]}},
        "objects": OBJECTS,
        **given,
    }
    return History(CURRENT, CURRENT.opening(CURRENT, described, {}))


def give(history: History, **command: Any) -> None:
    """Give a command as the table takes it from a screen."""
    history.give(dict(known.completed(CURRENT, history.state, command)))


def add(history: History, name: str, card: str = "card", **facts: Any) -> None:
    """Ana adds a card by its name, as the form does."""
    printed = KNOWN.offer(name, most=1)[0].printed
    give(history, do="create", name=name, known=True, by="ana", **{"as": card}, **printed, **facts)


# fmt: off
CASES = [
    # card                         putting                                         becomes
    ("Doubling Season",              ("bear", "+1/+1", 2),                           4),
    ("Doubling Season",              ("land", "charge", 1),                          2),
    ("Doubling Season",              ("bear", "-1/-1", 1, {"by": "ben"}),            2),
    ("Doubling Season",              ("foe", "+1/+1", 2),                            2),
    ("Doubling Season",              ("ana", "energy", 2),                           2),
    ("Doubling Season",              ("walker", "loyalty", 1, {"cause": "cost"}),    1),
    ("Hardened Scales",              ("bear", "+1/+1", 2),                           3),
    ("Hardened Scales",              ("bear", "shield", 2),                          2),
    ("Hardened Scales",              ("rock", "+1/+1", 2),                           2),
    ("Branching Evolution",          ("bear", "+1/+1", 2),                           4),
    ("Branching Evolution",          ("foe", "+1/+1", 2),                            2),
    ("Corpsejack Menace",            ("card", "+1/+1", 2),                           4),
    ("Corpsejack Menace",            ("rock", "+1/+1", 2),                           2),
    ("The Earth Crystal",            ("bear", "+1/+1", 2),                           4),
    ("The Earth Crystal",            ("card", "+1/+1", 2),                           2),
    ("Vorinclex, Monstrous Raider",  ("foe", "-1/-1", 2),                            4),
    ("Vorinclex, Monstrous Raider",  ("ben", "poison", 3),                           6),
    ("Vorinclex, Monstrous Raider",  ("walker", "loyalty", 1, {"cause": "cost"}),    2),
    ("Vorinclex, Monstrous Raider",  ("bear", "+1/+1", 3, {"by": "ben"}),            1),
    ("Vorinclex, Monstrous Raider",  ("ben", "energy", 1, {"by": "ben"}),            0),
    ("Vorinclex, Monstrous Raider",  ("mate", "+1/+1", 3, {"by": "cleo"}),           3),
    ("Winding Constrictor",          ("bear", "shield", 2),                          3),
    ("Winding Constrictor",          ("rock", "charge", 1),                          2),
    ("Winding Constrictor",          ("ana", "poison", 1, {"by": "ben"}),            2),
    ("Winding Constrictor",          ("walker", "loyalty", 1),                       1),
    ("Winding Constrictor",          ("ben", "energy", 2),                           2),
    ("Conclave Mentor",              ("bear", "+1/+1", 1),                           2),
    ("Conclave Mentor",              ("foe", "+1/+1", 1),                            1),
    ("High Score",                   ("bear", "+1/+1", 1),                           2),
    ("High Score",                   ("bear", "-1/-1", 1),                           1),
    ("Yoshimaru, Beloved Companion", ("card", "+1/+1", 1),                           2),
    ("Yoshimaru, Beloved Companion", ("foe", "+1/+1", 1),                            1),
    ("Pir, Imaginative Rascal",      ("mate", "shield", 1, {"by": "ben"}),           2),
    ("Pir, Imaginative Rascal",      ("walker", "loyalty", 1, {"cause": "cost"}),    2),
    ("Pir, Imaginative Rascal",      ("foe", "shield", 1),                           1),
    ("Pir, Imaginative Rascal",      ("cleo", "energy", 1),                          1),
    ("Ozolith, the Shattered Spire", ("rock", "+1/+1", 1),                           2),
    ("Ozolith, the Shattered Spire", ("land", "+1/+1", 1),                           1),
    ("Kami of Whispered Hopes",      ("land", "+1/+1", 1),                           2),
    ("Kami of Whispered Hopes",      ("land", "charge", 1),                          1),
    ("Solid Ground",                 ("land", "+1/+1", 3),                           4),
    ("Solid Ground",                 ("foe", "+1/+1", 3),                            3),
    ("Lae'zel, Vlaakith's Champion", ("walker", "loyalty", 1, {"cause": "cost"}),    2),
    ("Lae'zel, Vlaakith's Champion", ("ana", "energy", 2),                           3),
    ("Lae'zel, Vlaakith's Champion", ("bear", "+1/+1", 1, {"by": "ben"}),            1),
    ("Lae'zel, Vlaakith's Champion", ("rock", "charge", 1),                          1),
    ("Primal Vigor",                 ("foe", "+1/+1", 2, {"by": "ben"}),             4),
    ("Primal Vigor",                 ("rock", "+1/+1", 2),                           2),
    ("Loading Zone",                 ("bear", "charge", 2),                          4),
    ("Loading Zone",                 ("land", "charge", 2),                          2),
    ("Caradora, Heart of Alacria",   ("bear", "+1/+1", 1),                           2),
    ("Caradora, Heart of Alacria",   ("foe", "+1/+1", 1),                            1),
    ("Innkeeper's Talent",           ("bear", "+1/+1", 2),                           2),
    ("Mowu, Loyal Companion",        ("card", "+1/+1", 2),                           3),
    ("Mowu, Loyal Companion",        ("bear", "+1/+1", 2),                           2),
    ("Aether Refinery",              ("ana", "energy", 3),                           6),
    ("Aether Refinery",              ("ana", "experience", 3),                       3),
    ("Izzet Generatorium",           ("ana", "energy", 3),                           4),
    ("Izzet Generatorium",           ("ben", "energy", 3),                           3),
    ("Solemnity",                    ("foe", "+1/+1", 1),                            0),
    ("Solemnity",                    ("ben", "poison", 1),                           0),
    ("Solemnity",                    ("walker", "loyalty", 1),                       1),
    ("Melira, Sylvok Outcast",       ("ana", "poison", 1, {"by": "ben"}),            0),
    ("Melira, Sylvok Outcast",       ("bear", "-1/-1", 1, {"by": "ben"}),            0),
    ("Melira, Sylvok Outcast",       ("foe", "-1/-1", 1),                            1),
    ("Melira, Sylvok Outcast",       ("ana", "rad", 1),                              1),
    ("Darksteel Angel",              ("card", "-1/-1", 1),                           0),
    ("Darksteel Angel",              ("ana", "poison", 1),                           1),
    ("Blightbeetle",                 ("foe", "+1/+1", 1, {"by": "ben"}),             0),
    ("Blightbeetle",                 ("bear", "+1/+1", 1),                           1),
    ("Melira's Keepers",             ("card", "shield", 1),                          0),
    ("Melira's Keepers",             ("bear", "shield", 1),                          1),
    ("Tatterkite",                   ("card", "+1/+1", 1),                           0),
    ("Tatterkite",                   ("rock", "+1/+1", 1),                           1),
    ("Benevolent Hydra",             ("bear", "+1/+1", 1),                           2),
    ("Benevolent Hydra",             ("card", "+1/+1", 1),                           1),
    ("Mauhúr, Uruk-hai Captain",     ("card", "+1/+1", 1),                           2),
    ("Mauhúr, Uruk-hai Captain",     ("bear", "+1/+1", 1),                           1),
]
# fmt: on


@pytest.mark.parametrize(("name", "putting", "becomes"), CASES)
def test_a_known_card_does_what_it_says(name: str, putting: Any, becomes: int) -> None:
    history = table()
    add(history, name)
    on, counter, amount, *more = putting
    before = history.state.count(on, counter)
    extra = {"by": "ana", **(more[0] if more else {})}
    give(history, do="place", on=on, counter=counter, amount=amount, **extra)

    assert becomes == history.state.count(on, counter) - before


def test_every_known_card_is_played_both_ways() -> None:
    def cards(names: Any) -> set[str]:
        return {card.name for name in names if (card := KNOWN.called(name))}

    assert {name for name in SAYING if not KNOWN.called(name).later} == cards(
        name for name, putting, n in CASES if n != putting[2]
    )
    assert {*SAYING} == cards(name for name, putting, n in CASES if n == putting[2])


@pytest.mark.parametrize("name", SAYING)
def test_every_known_card_names_its_source_and_is_said_in_words(name: str) -> None:
    card = KNOWN.called(name)

    assert card
    assert card.source.startswith("Oracle text")
    assert all(words(said) for said in card.standings)


PLURALS = {"elf": "elves", "merfolk": "merfolk", "nonhuman": "non-human", "army": "army"}


@pytest.mark.parametrize("name", [name for name in LORDS if name not in COUNTING])
def test_a_known_lord_says_what_its_text_says(name: str) -> None:
    """Each ability against the phrase of its card's text that is quoted."""
    card = KNOWN.called(name)
    assert card
    quotes = re.findall("“(.*?)”", card.source.replace("“Sleeping Dragon”", "").lower())
    if len(card.standings) == 1:
        quotes = [" ".join(quotes)]
    assert len(quotes) == len(card.standings)
    for said, quote in zip(card.standings, quotes, strict=True):
        adds = said.get("adds")
        size = [f"{adds.get('power', 0):+d}/{adds.get('toughness', 0):+d}"] if adds else []
        assert size == re.findall(r"[+-]\d/[+-]\d", quote.replace("+0/-", "-0/-"))
        whose = re.search("your opponents control|you control", quote)
        called = {"": "any", "you control": "yours", "your opponents control": "opponents"}
        assert called[whose[0] if whose else ""] == said.get("whose", "any")
        assert said.get("others", False) == bool(re.search("other", quote))
        assert {*said.get("gives", ())} == {each for each in GIVEN if each in quote}
        for sort in said.get("sorts", ()):
            assert sort in quote or PLURALS[sort] in quote
        assert all(type_ in quote for type_ in said.get("types", ()))


# fmt: off
COUNTED = [
    # card                          who       is
    ("Abzan Battle Priest",         "bear",   (4, 4, "lifelink")),
    ("Abzan Battle Priest",         "human",  (1, 1)),
    ("Adeline, Resplendent Cathar", "card",   (3, 4)),
    ("Ainok Bond-Kin",              "bear",   (4, 4, "first strike")),
    ("Crusader of Odric",           "card",   (3, 3)),
    ("Geist-Honored Monk",          "card",   (3, 3)),
    ("Heedless One",                "card",   (2, 2)),
    ("Joraga Warcaller",            "elf",    (1, 1)),
    ("Kelsien, the Plague",         "card",   (5, 5)),
    ("Kyler, Sigardian Emissary",   "human",  (1, 1)),
    ("Master of Etherium",          "card",   (2, 2)),
    ("Mer-Ek Nightblade",           "bear",   (4, 4, "deathtouch")),
    ("Minthara, Merciless Soul",    "bear",   (7, 4)),
    ("Minthara, Merciless Soul",    "foe",    (5, 5)),
    ("Reckless One",                "card",   (2, 2)),
    ("Scion of the Wild",           "card",   (3, 3)),
    ("Squirrel Mob",                "card",   (3, 3)),
    ("Toxrill, the Corrosive",      "foe",    (3, 3)),
    ("Toxrill, the Corrosive",      "bear",   (4, 4)),
    ("Tuskguard Captain",           "bear",   (4, 4, "trample")),
]
# fmt: on


@pytest.mark.parametrize(("name", "who", "size"), COUNTED)
def test_a_known_lord_counts_what_its_text_counts(name: str, who: str, size: Json) -> None:
    bear, slime = {"+1/+1": 2, "slime": 1}, {"slime": 2}
    human = {"types": ["creature"], "base": {"power": 1, "toughness": 1}, "owner": "ana"}
    theirs = {**human, "owner": "ben", "token": True}
    history = table(
        seats={"ana": {"counters": {"experience": 3}}, "ben": {}},
        teams={},
        objects={
            "bear": {**human, "base": {"power": 2, "toughness": 2}, "counters": bear},
            "human": {**human, "subtypes": {"human": True}},
            "foe": {**theirs, "base": {"power": 5, "toughness": 5}, "counters": slime},
            "rock": {"types": ["artifact"], "owner": "ana"},
            **{each: {**theirs, "name": each} for each in ("elf", "goblin", "squirrel")},
        },
    )
    add(history, name)

    given = CURRENT.derived(CURRENT, history.state, history.state.objects[who]).get("given", ())
    assert size == (*size_of(history, who), *given)


def test_each_known_card_that_counts_is_tried() -> None:
    assert {*COUNTING} == {name for name, _who, _size in COUNTED}


def test_what_a_known_lord_adds_grows_with_its_counters() -> None:
    history = table()
    add(history, "Joraga Warcaller", "elf-lord")
    add(history, "Llanowar Elves", "elf")
    add(history, "Kyler, Sigardian Emissary", "kyler")
    add(history, "Thalia’s Lieutenant", "human")

    give(history, do="place", on="elf-lord", counter="+1/+1", amount=2)

    assert {"+1/+1": 1} == history.state.on("kyler"), "it still triggers"
    assert [(3, 3), (2, 2)] == [size_of(history, each) for each in ("elf", "human")]


@pytest.mark.parametrize("name", LORDS)
def test_a_known_lord_counts_as_it_comes_and_is_said_in_words(name: str) -> None:
    history = table()
    add(history, name)
    card = KNOWN.called(name)

    assert card
    assert all(words(said) for said in card.standings)
    assert (0 if card.later else len(card.standings)) == len(history.state.standings)
    if card.types[-1] == "creature":
        assert card.subtypes
        assert dict.fromkeys(card.subtypes, True) | {"other": False} == getattr(
            history.state.objects["card"], "subtypes", None
        )


def test_a_creature_known_for_something_comes_with_its_numbers_and_types() -> None:
    history = table()
    add(history, "Captivating Vampire", "lord")
    add(history, "Vampire Nighthawk", "night")
    add(history, "Typhoid Rats", "rats")
    add(history, "Blood Artist", "artist")

    sizes = [size_of(history, each) for each in ("night", "rats", "artist")]
    assert [(3, 4), (1, 1), (1, 2)] == sizes


SORT_IN_DOUBT = {"Fungusaur", "Stuffy Doll"}
"""Creatures whose types have changed since the prints that were read."""


def test_a_known_creature_has_its_numbers_and_types_and_what_changes_by_itself_is_known() -> None:
    creatures = [card for card in KNOWN.values() if "creature" in card.types]

    assert all({"power", "toughness"} <= card.base.keys() for card in creatures)
    assert SORT_IN_DOUBT == {card.name for card in creatures if not card.subtypes}
    assert {*ticking.TRIGGERED} <= KNOWN.keys()


def test_a_creature_of_every_type_has_what_each_lord_gives() -> None:
    history = table()
    add(history, "Taurean Mauler")
    add(history, "Elvish Archdruid", "elf")
    add(history, "Captivating Vampire", "vampire")

    assert (4, 4) == size_of(history, "card")


def size_of(history: History, card: str) -> tuple[Any, Any]:
    numbers = CURRENT.derived(CURRENT, history.state, history.state.objects[card])
    return numbers["power"], numbers["toughness"]


def test_an_elf_known_by_name_is_counted_and_what_is_not_known_is_asked() -> None:
    history = table()
    add(history, "Elvish Archdruid", "lord")
    add(history, "Llanowar Elves", "elf")
    bear = {"types": ["creature"], "base": {"power": 2, "toughness": 2}}
    give(history, do="create", name="Fyndhorn", by="ana", known=True, **{"as": "who"}, **bear)
    sheets, board = presentation_of(CURRENT).sheets, presentation_of(CURRENT).board

    def asked() -> tuple[list[Any], list[str]]:
        who = history.state.objects["who"]
        facts = sheets.object_facts(CURRENT, history.state, who, lambda obj: obj.name)
        return facts["asked"], [act.label for act in board.acts(CURRENT, history.state, who)]

    assert ((2, 2), (2, 2)) == (size_of(history, "elf"), size_of(history, "who"))
    ((type_, yes, no),), acts = asked()
    assert ("Elf", ["Elf?"]) == (type_, acts)
    for said, size in ((no, (2, 2)), (yes, (3, 3))):
        give(history, do="describe", object="who", subtypes=json.loads(said), by="ana")
        assert ([], []) == asked()
        assert size == size_of(history, "who")


def test_a_known_werewolf_makes_it_day_and_turns_over_by_night() -> None:
    history = table()
    add(history, "Tovolar, Dire Overlord", "tovolar", owner="ana")
    add(history, "Captivating Vampire", "lord")

    assert ["day", 1] == [
        getattr(history.state.seats["ana"], each) for each in ("daytime", "spells_cast")
    ]
    give(history, do="day-night", to="night")
    add(history, "Brutal Cathar", "cathar")
    cards = history.state.objects

    assert ("Tovolar, the Midnight Scourge", (4, 4)) == (
        cards["tovolar"].name,
        size_of(history, "tovolar"),
    )
    assert ("Moonrage Brute", (3, 3)) == (cards["cathar"].name, size_of(history, "cathar"))
    assert {"werewolf": True, "other": False} == getattr(cards["cathar"], "subtypes", None)
    give(history, do="move", object="cathar", to="hand")
    assert "Brutal Cathar" == history.state.objects["cathar"].name


@pytest.mark.parametrize("card", [card for card in KNOWN.values() if card.night])
def test_a_known_face_by_night_is_one_that_create_takes(card: known.KnownCard) -> None:
    assert {"name", "base", "subtypes"} == {*card.night}
    assert card.base.keys() == card.night["base"].keys()
    assert card.subtypes[-1] == "werewolf"
    add(table(), card.name)


def test_a_card_that_is_said_to_be_another_has_the_types_of_that() -> None:
    history = table()
    add(history, "Elvish Archdruid", "lord")
    bear = {"types": ["creature"], "base": {"power": 1, "toughness": 1}}
    give(history, do="create", name="Bear", by="ana", **{"as": "who"}, **bear)
    for name, size in (("Elvish Mystic", 2), ("Goblin Chieftain", 1), ("Bear", 1)):
        give(history, do="describe", object="who", name=name, known=True, by="ana", **bear)
        assert (size, size) == size_of(history, "who")


def test_a_death_names_the_lord_that_left_or_came_and_the_rule() -> None:
    opening = CURRENT.opening(CURRENT, {"seats": {"ana": {}, "ben": {}}}, {"creatures_die": True})
    history = History(CURRENT, opening)
    add(history, "Elvish Archdruid", "lord")
    add(history, "Llanowar Elves", "elf")
    add(history, "Elvish Mystic", "other")
    give(history, do="damage", on="elf", amount=1, by="ben")

    def whys(**command: Any) -> list[str]:
        before, count = history.state, len(history.entries)
        give(history, by="ben", **command)
        entry = history.entries[count]
        return [part.aloud for part in parts(CURRENT, before, history.state, entry)]

    assert [
        "Elvish Archdruid moved from battlefield to graveyard",
        "Llanowar Elves died: 1 damage on 1 toughness without Elvish Archdruid (613.4c)",
    ] == whys(do="move", object="lord", to="graveyard")
    norn = {"name": "Elesh Norn, Grand Cenobite", "known": True, "as": "norn", "owner": "ben"}
    died = "{} died: no toughness left with Elesh Norn, Grand Cenobite (613.4c)"
    assert died.format("Elvish Mystic") == whys(do="create", **norn)[-1]
    late = {"name": "Elf", "as": "late", "types": ["creature"], "owner": "ana"}
    assert died.format("Elf") == whys(do="create", base={"power": 1, "toughness": 2}, **late)[-1]


def test_both_editions_know_them() -> None:
    opening = EDITION_2024_06.opening(EDITION_2024_06, {"seats": {"ana": {}}}, {})
    history = History(EDITION_2024_06, opening)
    add(history, "Doubling Season")

    assert ["card"] == list(history.state.standings)


# How it comes


def test_a_card_and_what_it_says_are_one_entry_and_one_undo() -> None:
    history = table()
    add(history, "Winding Constrictor")
    assert ["card", "card-2"] == list(history.state.standings)
    assert ["created", "standing-began", "standing-began"] == [
        event["kind"] for event in history.entries[-1].events
    ]
    give(history, do="undo", by="ana")

    assert {} == history.state.standings
    assert "card" not in history.state.objects


def test_a_card_added_faster_than_it_was_found_is_what_is_printed() -> None:
    history = table()
    typed = {"do": "create", "known": True, "types": ["creature"], "by": "ana"}
    give(history, **typed, name="Doubling Season", base={"power": 1}, **{"as": "season"})
    give(history, **typed, name="Corpsejack Menace", base={"power": 9}, **{"as": "menace"})

    objects: Any = history.state.objects
    season, menace = objects["season"], objects["menace"]
    assert (("enchantment",), {}) == (season.types, season.base)
    assert (("creature",), {"power": 9, "toughness": 4}) == (menace.types, menace.base)


def test_several_that_get_a_name_at_once_each_say_what_that_card_says() -> None:
    history = table()
    give(history, do="describe", object=["bear", "rock"], name="Solemnity", known=True, by="ana")

    standing = [each.object for each in history.state.standings.values()]
    assert ["bear", "bear", "rock", "rock"] == standing


def test_a_commander_says_the_same_in_a_rematch_and_other_cards_do_not() -> None:
    commander = {"commander": True, "zone": "command", "owner": "ana"}
    history = table(objects={**OBJECTS, "card": commander})
    opening = history.state
    give(history, do="describe", object="card", name="Conclave Mentor", known=True, by="ana")
    give(history, do="describe", object="bear", name="Corpsejack Menace", known=True, by="ana")
    anew = CURRENT.seating.rematch(opening, history.state)

    assert ["card"] == [each.object for each in anew.standings.values()]
    found: Any = history.state.objects["card"]
    printed = {"types": [*found.types], "base": found.base, "subtypes": found.subtypes}
    assert KNOWN.called("Conclave Mentor").printed == printed, "as it had no types"
    assert CURRENT.seating.rematch(anew, opening).standings == anew.standings


def test_two_copies_are_two_standings_each() -> None:
    history = table()
    cards = [
        {"do": "create", "as": f"season-{n}", "name": "Doubling Season", "known": True}
        for n in (1, 2)
    ]
    give(history, do="together", steps=cards, by="ana", id="x1", note="both")
    give(history, do="place", on="bear", counter="+1/+1", by="ana")

    assert 4 == history.state.count("bear", "+1/+1")
    assert "both" == history.entries[0].command["note"]


def test_a_card_that_is_not_known_is_created_alone() -> None:
    history = table()
    give(history, do="create", name="Bear Cub", known=True, by="ana", **{"as": "cub"})

    command = {"do": "create", "name": "Bear Cub", "by": "ana", "as": "cub"}
    assert command == history.entries[0].command
    assert {} == history.state.standings


def test_a_command_that_does_not_ask_does_what_it_says_and_no_more() -> None:
    command = {"do": "create", "as": "season", "name": "Doubling Season", "by": "ana"}

    assert command is known.completed(CURRENT, table().state, command)


@pytest.mark.parametrize(
    "command",
    [
        {"do": "together", "steps": "none", "by": "ana"},
        {"do": "together", "steps": [7, None], "by": "ana"},
        {"do": "create", "known": True, "by": "ana", "name": 7, "as": ["x"]},
        {"do": "describe", "known": True, "by": "ana", "name": "Solemnity", "object": "nobody"},
        {"do": "place", "known": "yes", "by": "ana", "on": "bear"},
        {"do": "standing", "instead": 3, "by": "ana"},
    ],
)
def test_a_senseless_value_goes_on_to_the_rules(command: Json) -> None:
    state = table().state
    made = known.completed(CURRENT, state, command)

    with pytest.raises(Refused):
        History(CURRENT, state).give(dict(made))


def test_it_stands_for_its_controller_wherever_it_was_created() -> None:
    history = table()
    add(history, "Hardened Scales", zone="hand")
    give(history, do="place", on="bear", counter="+1/+1", by="ana")
    give(history, do="move", object="card", to="battlefield", by="ana")
    give(history, do="place", on="bear", counter="+1/+1", by="ana")

    assert 1 + 2 == history.state.count("bear", "+1/+1")


def test_a_card_that_gets_its_name_later_says_what_that_card_says() -> None:
    history = table()
    give(history, do="describe", object="bear", name="Corpsejack Menace", known=True, by="ana")

    def multiplied() -> list[tuple[int | None, int | None]]:
        standings: Any = history.state.standings.values()
        return [(standing.times, standing.plus) for standing in standings]

    assert [(2, None)] == multiplied()
    give(history, do="describe", object="bear", name="Conclave Mentor", known=True, by="ana")
    assert [(None, 1)] == multiplied()
    give(history, do="describe", object="bear", name="Bear", known=True, by="ana")

    assert {} == history.state.standings


def test_saving_the_same_name_changes_nothing_that_was_said() -> None:
    history = table()
    add(history, "Hardened Scales")
    give(history, do="end-standing", standing="card", by="ana")
    give(history, do="describe", object="card", name="Hardened Scales", known=True, by="ana")

    assert {} == history.state.standings


def test_a_class_says_it_once_it_is_said_to() -> None:
    history = table()
    add(history, "Innkeeper’s Talent")
    assert {} == history.state.standings
    give(history, do="together", steps=known.missing(history.state, "card"), by="ana")
    give(history, do="place", on="bear", counter="+1/+1", by="ana")

    assert 2 == history.state.count("bear", "+1/+1")
    assert () == known.missing(history.state, "card")


def test_a_cards_ability_can_be_said_anew_in_one_act() -> None:
    history = table()
    add(history, "Hardened Scales")
    anew = {"as": "anew", "object": "card", "name": "Hardened Scales", "plus": 2}
    give(history, do="standing", instead="card", by="ana", **anew)
    assert ["anew"] == list(history.state.standings)
    give(history, do="undo", by="ana")

    assert ["card"] == list(history.state.standings)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("dou", ["Doubling Season"]),
        ("laezel", ["Lae’zel, Vlaakith’s Champion"]),
        ("Lae'zel", ["Lae’zel, Vlaakith’s Champion"]),
        ("melira", ["Melira’s Keepers", "Melira, Sylvok Outcast"]),
        ("!", []),
        ("bear cub", []),
    ],
)
def test_cards_are_found_by_part_of_their_name(typed: str, found: list[str]) -> None:
    assert found == [card.name for card in KNOWN.offer(typed)]


def test_a_found_card_tells_its_types_and_what_it_does() -> None:
    card = KNOWN.offer("Vorinclex")[0]

    subtypes = {"phyrexian": True, "praetor": True, "other": False}
    base = {"power": 6, "toughness": 6}
    assert {"types": ["creature"], "base": base, "subtypes": subtypes} == card.printed
    assert {"note": "×2, ÷2"} == card.listing


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Doubling Season", ["twice as many counters on your permanents"]),
        ("Hardened Scales", ["+1/+1 counters on your creatures come with one more"]),
        (
            "Vorinclex, Monstrous Raider",
            [
                "twice as many counters that you put",
                "half as many counters that your opponents put, rounded down",
            ],
        ),
        (
            "Solemnity",
            [
                "no counters on players",
                "no counters on artifacts, creatures, enchantments and lands",
            ],
        ),
        ("Mowu, Loyal Companion", ["+1/+1 counters on this card come with one more"]),
    ],
)
def test_a_cards_effect_in_words(name: str, said: list[str]) -> None:
    assert said == [words(each) for each in KNOWN.called(name).standings]


@pytest.mark.parametrize(("name", "most"), [("Hardened Scales", 20), ("Winding Constrictor", 13)])
def test_more_copies_than_one_act_may_be_are_refused_in_words(name: str, most: int) -> None:
    def copies(n: int) -> Any:
        one = {"do": "create", "name": name, "known": True}
        return {"do": "together", "steps": [{**one, "as": f"card-{k}"} for k in range(n)]}

    history = table()
    history.give(known.completed(CURRENT, history.state, copies(most)))
    with pytest.raises(Refused) as refused:
        known.completed(CURRENT, history.state, copies(most + 1))

    assert most == sum(name == each.name for each in history.state.objects.values())
    assert ("invalid", most) == (refused.value.code, refused.value.facts["n"])
    assert [] == previews(CURRENT, history.state, {**copies(40), "by": "ana"}, {})


def test_a_known_saga_comes_with_lore_goes_on_and_ends() -> None:
    history = table()
    add(history, "Long List of the Ents")
    assert {"lore": 1} == history.state.on("card")

    for chapter in range(2, 7):
        give(history, do="begin-turn", active=["ana"])
        give(history, do="begin-phase", phase="precombat-main")
        assert {"lore": chapter} == history.state.on("card")
    give(history, do="answer", prompt="saga:card")

    assert "graveyard" == history.state.objects["card"].zone


def test_a_known_saga_that_comes_elsewhere_or_with_counters_has_no_more() -> None:
    history = table()
    add(history, "Time of Ice", "drawn", zone="hand")
    add(history, "Time of Ice", "copied", counters={"lore": 2})

    assert ({}, {"lore": 2}) == (history.state.on("drawn"), history.state.on("copied"))
    assert {} == history.state.ticks


@pytest.mark.parametrize("name", [card.name for card in KNOWN.values() if card.enters])
def test_a_known_card_enters_with_its_counters(name: str) -> None:
    history, it = table(), KNOWN.called(name)
    [(kind, amount)] = it.enters["counters"].items()

    add(history, name)

    assert ({kind: amount} if amount else {}) == history.state.on("card")
    assert it.enters.get("tapped", False) == getattr(history.state.objects["card"], "tapped", None)
    assert len(it.ticks) == len(history.state.ticks)


def test_what_doubles_counters_doubles_those_that_a_card_enters_with_but_not_lore() -> None:
    history = table()
    add(history, "Doubling Season", "season")
    add(history, "Blastoderm")
    add(history, "History of Benalia", "saga")

    assert ({"fade": 6}, {"lore": 1}) == (history.state.on("card"), history.state.on("saga"))


def test_fading_takes_the_card_away_in_the_upkeep_after_its_last_counter() -> None:
    history = table()
    add(history, "Blastoderm")
    zones = []
    for _upkeep in range(4):
        give(history, do="begin-turn", active=["ana"])
        give(history, do="begin-phase", phase="upkeep")
        zones.append(history.state.objects["card"].zone)

    assert ["battlefield"] * 3 + ["graveyard"] == zones


def test_a_known_planeswalker_enters_with_its_loyalty() -> None:
    history = table()
    add(history, "Jace, the Mind Sculptor")

    assert {"loyalty": 3} == history.state.on("card")


def test_numbers_for_which_the_form_has_no_field_are_those_printed() -> None:
    history = table()
    ship = {"do": "create", "name": "Galvanizing Sawship", "types": ["artifact"], "known": True}
    give(history, **ship, by="ana", **{"as": "ship"})
    give(history, **ship, by="ana", base={"power": 9}, **{"as": "other"})

    for card, power in (("ship", 6), ("other", 9)):
        base = {"power": power, "toughness": 5, "station": 3}
        assert base == history.state.objects[card].base  # type: ignore[attr-defined]


def test_a_known_station_card_is_charged_by_its_players_untapped_creatures() -> None:
    history = table(objects={
        "bear": {"name": "Bear", "types": ["creature"], "base": {"power": 4, "toughness": 2}},
        "tired": {"types": ["creature"], "base": {"power": 2, "toughness": 2}, "tapped": True},
        "wall": {"types": ["creature"], "base": {"power": 0, "toughness": 4}},
        "foe": {"types": ["creature"], "base": {"power": 2, "toughness": 2}, "owner": "ben"},
    })  # fmt: skip
    add(history, "Wurmwall Sweeper")

    facts = presentation_of(CURRENT).sheets.object_facts

    def crew() -> list[Any]:
        ship = history.state.objects["card"]
        return list(facts(CURRENT, history.state, ship, lambda obj: obj.name)["crew"])

    (by,) = crew()
    give(history, do="together", steps=by["steps"])

    assert ("Bear", 4) == (by["name"], by["power"])
    assert ("artifact", "creature") == getattr(history.state.objects["card"], "types", ())
    assert [] == crew()


CUB: Json = {"types": ["creature"]}
# fmt: off
TRIGGERS = [
    # card                       what happens                                 on it, on the bear
    ("Ajani’s Pridemate",        {"do": "gain-life", "seat": "ana", "amount": 3},            1, 0),
    ("Ajani’s Pridemate",        {"do": "gain-life", "seat": "ben", "amount": 1},            0, 0),
    ("Gideon’s Company",         {"do": "gain-life", "seat": "ana", "amount": 1},            2, 0),
    ("Archangel of Thune",       {"do": "gain-life", "seat": "ana", "amount": 1},            1, 1),
    ("Cathars’ Crusade",         {"do": "create", "as": "new", **CUB},       0, 1),
    ("Cathars’ Crusade",         {"do": "create", "as": "new", "types": ["artifact"]},       0, 0),
    ("Cathars’ Crusade",         {"do": "create", "as": "cub", **CUB, "owner": "ben"},       0, 0),
    ("Cathars’ Crusade",         {"do": "move", "object": "grave", "to": "battlefield"},     0, 1),
    ("Good-Fortune Unicorn",     {"do": "create", "as": "new", **CUB},       0, 0),
    ("Juniper Order Ranger",     {"do": "create", "as": "new", **CUB},       1, 0),
    ("Champion of Lambholt",     {"do": "create", "as": "new", **CUB},       1, 0),
    ("Managorger Hydra",         {"do": "count-spells", "seat": "ben", "amount": 2},         2, 0),
    ("Taurean Mauler",           {"do": "count-spells", "seat": "ben"},                      1, 0),
    ("Taurean Mauler",           {"do": "count-spells", "seat": "cleo"},                     0, 0),
    ("Predator Ooze",            {"do": "combat", "attacks": {"card": "ben"}},               1, 0),
    ("Predator Ooze",            {"do": "combat", "attacks": {"bear": "ben"}},               0, 0),
    ("Kalonian Hydra",           {"do": "combat", "attacks": {"card": "ben"}},               4, 0),
    ("Nykthos Paragon",          {"do": "gain-life", "seat": "ana", "amount": 3},            3, 3),
    ("Elvish Vanguard",          {"do": "create", "as": "new", "name": "Elf Warrior",
                                  "token": True, "owner": "ben", **CUB},                     1, 0),
    ("Marwyn, the Nurturer",     {"do": "create", "as": "new", "name": "Goblin",
                                  "token": True, **CUB},                                     0, 0),
]
# fmt: on


@pytest.mark.parametrize(("name", "happens", "on_it", "on_the_bear"), TRIGGERS)
def test_a_known_trigger_puts_its_counters(
    name: str, happens: Json, on_it: int, on_the_bear: int
) -> None:
    grave = {"types": ["creature"], "owner": "ana", "zone": "graveyard"}
    history = table(objects={**OBJECTS, "grave": grave})
    add(history, name)
    before = history.state.count("card", "+1/+1")
    give(history, **{"by": "ana", **happens})

    there = history.state.count("card", "+1/+1") - before, history.state.count("bear", "+1/+1")
    assert (on_it, on_the_bear) == there
    placed = [each for each in history.entries[-1].events if each["kind"] == "placed"]
    assert all("603.2c" == each["rule"] for each in placed)


@pytest.mark.parametrize(("chosen", "by", "life"), [
    (["walker"], "ana", (22, 18)), ([], "ana", (22, 18)), (["walker"], "ben", (20, 20)),
])  # fmt: skip
def test_who_proliferates_sets_it_off_whatever_is_chosen(
    chosen: list[str], by: str, life: tuple[int, int]
) -> None:
    history = table()
    add(history, "Scheming Aspirant")
    give(history, do="proliferate", choose=chosen, by=by)

    assert life == tuple(getattr(history.state.seats[seat], "life", 0) for seat in ("ana", "ben"))


def test_an_attack_is_dealt_with_what_it_set_off() -> None:
    history = table()
    add(history, "Kalonian Hydra")
    give(history, do="combat", attacks={"card": "ben"}, by="ana")

    assert 20 - 8 == getattr(history.state.seats["ben"], "life", None)


def test_each_trigger_is_one_putting_for_what_puts_more() -> None:
    history = table()
    add(history, "Managorger Hydra")
    add(history, "Hardened Scales", "scales")
    give(history, do="count-spells", seat="ben", amount=3)

    assert 3 * 2 == history.state.count("card", "+1/+1")


def test_a_known_trigger_counts_whatever_its_card_enters_with() -> None:
    history = table()
    add(history, "Primordial Hydra", counters={"+1/+1": 3})
    give(history, do="begin-turn", active=["ana"])
    give(history, do="begin-phase", phase="upkeep")

    assert 6 == history.state.count("card", "+1/+1")


@pytest.mark.parametrize("tick", [
    {"begins": "attacks", "change": -1},
    {"begins": "attacks", "change": "clear"},
    {"begins": "attacks", "change": 1, "at_zero": "graveyard"},
    {"begins": "upkeep", "change": -1, "to": "creatures"},
    {"begins": "upkeep", "change": 1, "to": "it"},
    {"begins": "upkeep", "change": 1, "whose": "itself"},
    {"begins": "upkeep", "change": 1, "whose": "others"},
    {"begins": "upkeep", "change": 1, "of": "elf"},
    {"begins": "upkeep", "change": 1, "once": True},
    {"begins": "sneezes", "change": 1},
    {"begins": "upkeep", "change": 1, "to": "sneezers"},
])  # fmt: skip
def test_what_happens_only_puts_counters_on(tick: Json) -> None:
    with pytest.raises(Refused) as refused:
        give(table(), do="tick", on="bear", counter="oil", by="ana", **{"as": "tick"}, **tick)

    assert "invalid" == refused.value.code


def test_the_tokens_of_known_cards_are_created_as_they_are_printed() -> None:
    history = table()
    for n, token in enumerate(TOKENS):
        fields = {key: token[key] for key in token if key != "makers"}
        give(history, do="create", by="ana", **{"as": f"token-{n}"}, **fields)
        made = history.state.objects[f"token-{n}"]
        assert (True, True) == (made.token, made.on_field), token["name"]
        assert len(token["makers"]) == len({*token["makers"]})


def test_the_ozolith_keeps_what_had_left_and_gives_it_to_a_creature() -> None:
    history = table(turn={"active": ["ana"], "phase": "precombat-main"})
    add(history, "The Ozolith")
    give(history, do="place", on="bear", counters={"+1/+1": 2, "flying": 1}, by="ana")
    give(history, do="move", object="bear", to="graveyard", by="ben")
    give(history, do="begin-phase", phase="combat", by="ana")
    asked = history.state.prompts[0]
    drawn = question(Drawing(CURRENT, {}), history.state, asked, "The Ozolith")
    assert "+2 +1/+1, +1 flying: on which creature?" in " ".join(drawn.split())
    assert {"foe", "mate"} == {*re.findall('name="on" value="(.*?)"', drawn)}
    give(history, do="answer", prompt=asked.id, on="mate", by="ana")

    assert ({"+1/+1": 2, "flying": 1}, {}) == (history.state.on("mate"), history.state.on("card"))


def test_a_known_card_may_be_indestructible_and_ask_where_its_counters_go() -> None:
    history = table()
    add(history, "Heliod, Sun-Crowned", "heliod")
    give(history, do="gain-life", seat="ana", amount=3, by="ana")
    give(history, do="answer", prompt="puts:heliod", on="bear", by="ana")

    assert history.state.objects["heliod"].indestructible  # type: ignore[attr-defined]
    assert {"+1/+1": 1} == history.state.on("bear")


@pytest.mark.parametrize("name", ["Predator Ooze", "Toski, Bearer of Secrets"])
def test_what_changes_by_itself_may_be_indestructible(name: str) -> None:
    history = table()
    add(history, name)

    assert history.state.objects["card"].indestructible  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "happens"), [
    ("Korvold, Fae-Cursed King",
     {"do": "move", "object": "rock", "to": "graveyard", "sacrifice": True}),
    ("Setessan Champion", {"do": "create", "as": "shrine", "types": ["enchantment"]}),
])  # fmt: skip
def test_a_known_trigger_puts_a_counter_and_draws_a_card(name: str, happens: Json) -> None:
    history = table()
    add(history, name)
    give(history, by="ana", **happens)

    assert ["placed", "drawn"] == [each["kind"] for each in history.entries[-1].events[1:]]


def test_all_counters_of_what_dies_go_to_a_creature_where_its_card_says_so() -> None:
    history = table()
    add(history, "Essence Channeler")
    give(history, do="place", on="card", counters={"+1/+1": 2, "flying": 1}, by="ana")
    give(history, do="move", object="card", to="graveyard", by="ana")
    give(history, do="answer", prompt=history.state.prompts[0].id, on="bear", by="ana")

    assert {"+1/+1": 2, "flying": 1} == history.state.on("bear")


def test_modular_counters_go_to_an_artifact_creature_as_their_card_dies() -> None:
    history = table()
    add(history, "Arcbound Ravager", "ravager")
    add(history, "Arcbound Worker", "worker")
    give(history, do="move", object="ravager", to="graveyard", by="ana")
    asked = history.state.prompts[0]
    drawn = question(Drawing(CURRENT, {}), history.state, asked, "Arcbound Ravager")
    assert "+1 +1/+1: on which creature?" in " ".join(drawn.split())
    give(history, do="answer", prompt=asked.id, by="ana")

    assert {"+1/+1": 2} == history.state.on("worker")


def test_what_goes_round_and_whom_it_costs_is_asked() -> None:
    history = table()
    add(history, "Scurry Oak", "oak")
    add(history, "Cathars’ Crusade", "crusade")
    add(history, "Blood Artist", "artist")
    asked = history.state.prompts[0]
    drawn = question(Drawing(CURRENT, {}), history.state, asked, "Scurry Oak")
    assert "+1 +1/+1: this goes round: once more?" in " ".join(drawn.split())
    give(history, do="void", prompt=asked.id, by="ana")

    give(history, do="move", object="oak-1", to="graveyard", by="ana")
    drawn = " ".join(
        question(Drawing(CURRENT, {}), history.state, history.state.prompts[0], "").split()
    )
    assert "+1 life loss: on whom?" in drawn
    assert drawn.index('value="ben"') < drawn.index('value="ana"')


def test_whether_a_card_is_of_the_type_is_asked_by_its_name() -> None:
    history = table()
    add(history, "Champion of the Parish")
    give(history, do="create", name="Thalia", by="ana", **{"as": "thalia"}, **CUB)
    asked = history.state.prompts[0]
    drawn = question(Drawing(CURRENT, {}), history.state, asked, "Champion of the Parish")

    assert "+1 +1/+1: is Thalia of the type “human”?" in " ".join(drawn.split())


# fmt: off
ENTERING = [
    # card                     whence         on it  its ticks
    ("Kalonian Hydra",         "command",     4,     1),
    ("Kalonian Hydra",         "graveyard",   4,     1),
    ("Hangarback Walker",      "graveyard",   0,     0),
    ("Darksteel Myr",          "exile",       0,     0),
    ("A Bear",                 "hand",        0,     0),
]
# fmt: on


@pytest.mark.parametrize(("name", "whence", "counters", "ticks"), ENTERING)
def test_a_known_card_enters_anew_as_it_did_first(
    name: str, whence: str, counters: int, ticks: int
) -> None:
    facts = {"types": ["creature"], "owner": "ana", "zone": whence, "commander": True}
    history = table(objects={**OBJECTS, "card": {"name": name, **facts}})
    enters = {"do": "cast"} if whence == "command" else {"do": "move", "to": "battlefield"}
    for _time in range(2):
        give(history, object="card", by="ana", known=True, **enters)
        there = history.state.count("card", "+1/+1"), len(history.state.ticks)
        assert (counters, ticks) == there
        indestructible: bool = history.state.objects["card"].indestructible  # type: ignore[attr-defined]
        assert ("Darksteel" in name) == indestructible
        give(history, do="move", object="card", to=whence, by="ana")


# fmt: off
SPELLS = [
    # is added                                                              of its player
    ({"name": "Cub", "types": ["creature"]},                                    1),
    ({"name": "Lotus", "types": ["artifact"], "copies": 3},                     3),
    ({"name": "Cub", "types": ["creature"], "owner": "ben"},                    0),
    ({"name": "Forest", "types": ["land"]},                                     0),
    ({"name": "Goblin", "types": ["creature"], "token": True},                  0),
    ({"name": "Cub", "types": ["creature"], "zone": "graveyard"},               0),
]
# fmt: on


@pytest.mark.parametrize(("card", "cast"), SPELLS)
@pytest.mark.parametrize("counts", ["day", "ability", ""])
def test_what_is_added_was_cast_where_something_looks_at_spells(
    card: Json, cast: int, counts: str
) -> None:
    seats: Json = {"ana": {"daytime": "day"}, "ben": {"daytime": "day"}} if counts == "day" else {}
    history = table(seats=seats or {"ana": {}, "ben": {}}, teams={})
    if counts == "ability":
        add(history, "Managorger Hydra", owner="ben")
    names = [f"new-{n}" for n in range(card.get("copies", 1))]
    fields = {key: each for key, each in card.items() if key != "copies"}
    steps = [
        {"do": "create", "as": name, "owner": "ana", "known": True, **fields} for name in names
    ]
    give(history, do="together", steps=steps, by="ana")

    assert (cast if counts else 0) == history.state.seats["ana"].spells_cast  # type: ignore[attr-defined]
    if counts == "ability" and cast:
        assert {"+1/+1": cast} == history.state.on("card")


def test_a_cast_commander_is_a_spell_and_no_card_sees_its_own() -> None:
    commander = {"owner": "ana", "types": ["creature"], "zone": "command", "commander": True}
    history = table(objects={**OBJECTS, "lead": {"name": "Animar, Soul of Elements", **commander}})
    add(history, "Sprite Dragon")
    give(history, do="cast", object="lead", known=True, by="ana")

    assert (1, (), {}) == (
        history.state.seats["ana"].spells_cast,  # type: ignore[attr-defined]
        history.state.prompts,
        history.state.on("card"),
    ), "a creature, which is known"

    give(history, do="create", **{"as": "mox"}, name="Mox", types=["artifact"], owner="ana",
         known=True, by="ana")  # fmt: skip
    add(history, "Animar, Soul of Elements", "other", owner="ana")
    assert {"+1/+1": 1} == history.state.on("card")
    assert {"+1/+1": 1} == history.state.on("lead")
    assert {} == history.state.on("other")


def test_whether_a_spell_is_of_the_type_is_asked() -> None:
    history = table()
    add(history, "Sprite Dragon")
    give(history, do="count-spells", seat="ana", amount=2, by="ana")
    first, second = history.state.prompts
    drawn = question(Drawing(CURRENT, {}), history.state, first, "Sprite Dragon")
    assert "was the spell of the type “noncreature”?" in " ".join(drawn.split())
    give(history, do="void", prompt=first.id, by="ana")
    give(history, do="answer", prompt=second.id, by="ana")

    assert {"+1/+1": 1} == history.state.on("card")
