"""A counter described in one line: only what stands at the end is an option, and nothing slips."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.history import History
from games.rules.state import Refused
from games.systems.stars_and_signs import CURRENT
from games.systems.stars_and_signs.presentation import PRESENTATION
from games.systems.stars_and_signs.templates import TEMPLATES
from games.systems.typed_line import read_line
from games.tracks.counter import TYPES, counter_in

assert PRESENTATION.slots is not None
SLOTS = PRESENTATION.slots
SEATS = {"Ann": "ana", "Bo": "ben", "Zoé María": "cleo", "ana": "ana"}
SPANISH = {
    "progreso": {"type": "progress"},
    "derrota": {"type": "defeat"},
    "cronómetro": {"type": "timer"},
    "cuenta atrás": {"type": "timer"},
    "oculto": {"visibility": "hidden"},
    "abierto": {"visibility": "open"},
}

# fmt: off
LINES: list[tuple[str, str, dict[str, Any]]] = [
    ("alarm danger 8", "alarm", {"type": "danger", "slots": 8}),
    ("alarm 8 danger", "alarm", {"type": "danger", "slots": 8}),
    ("alarm DANGER Open 8", "alarm", {"type": "danger", "slots": 8, "visibility": "open"}),
    ("ammo resource 5x5 @Ann", "ammo",
     {"type": "resource", "slots": 5, "worth": 5, "owner": "ana"}),
    ("oil @zoemaria resource", "oil", {"type": "resource", "owner": "cleo"}),
    ("Ritual progress 5 x 3", "Ritual", {"type": "progress", "slots": 5, "worth": 3}),
    ("Ritual progress 5×3", "Ritual", {"type": "progress", "slots": 5, "worth": 3}),
    ("the cult danger known", "the cult", {"type": "danger", "visibility": "known"}),
    ("alarm danger 8 temp 2", "alarm", {"type": "danger", "slots": 8, "temporary": 2}),
    ("alarm temporary 1 danger", "alarm", {"type": "danger", "temporary": 1}),
    ("Ritual progress worth 3 5", "Ritual", {"type": "progress", "slots": 5, "worth": 3}),
    ("a fair temp danger", "a fair temp", {"type": "danger"}),
    ("what it is worth danger", "what it is worth", {"type": "danger"}),
    # The rulebook's own, unless they are quoted or of another type.
    ("wound 3 @ann", "Wound", {"slots": 3, "owner": "ana"}),
    ("flashback timer", "Flashback", {"type": "timer"}),
    ("DESPAIR", "Despair", {}),
    ("high-potency wound temp 2", "High-potency Wound", {"temporary": 2}),
    ("potent-wound", "High-potency Wound", {}),
    ("wound danger 3", "wound", {"type": "danger", "slots": 3}),
    ("an old wound 3", "an old wound", {"slots": 3}),
    ('"Wound" 3', "Wound", {"slots": 3}),
    # Words in the name stay in the name.
    ("The hidden door progress 4", "The hidden door", {"type": "progress", "slots": 4}),
    ("open the coffin progress 5", "open the coffin", {"type": "progress", "slots": 5}),
    ("Danger room progress 6", "Danger room", {"type": "progress", "slots": 6}),
    ("Room 5 danger 8", "Room 5", {"type": "danger", "slots": 8}),
    ("alarm danger progress", "alarm danger", {"type": "progress"}),
    ("mail @ann about it progress", "mail @ann about it", {"type": "progress"}),
    # No type, or none where a type counts.
    ("The assassin is Cleo dangr 6", "The assassin is Cleo dangr", {"slots": 6}),
    ("alarm", "alarm", {}),
    ("Échelle défaite 4", "Échelle défaite", {"slots": 4}),
    ("Ghosts 6x", "Ghosts 6x", {}),
    ("Ghosts danger 6x", "Ghosts danger 6x", {}),
    ("the way is open", "the way is", {"visibility": "open"}),
    ("chosen few chosen", "chosen few chosen", {}),
    ("Keep it open hidden danger 6", "Keep it open",
     {"type": "danger", "slots": 6, "visibility": "hidden"}),
    ('"What is hidden" open timer', "What is hidden", {"type": "timer", "visibility": "open"}),
    # Quotes.
    ('"danger" danger 6', "danger", {"type": "danger", "slots": 6}),
    ('"Room  101"', "Room 101", {}),
    ("“The way is open” timer", "The way is open", {"type": "timer"}),
    ("«Fin 8» defeat 4", "Fin 8", {"type": "defeat", "slots": 4}),
    ('the "danger" danger', 'the "danger"', {"type": "danger"}),
    # Words of the reader's language, with and without accents, of one word or two.
    ("La torre derrota 4", "La torre", {"type": "defeat", "slots": 4}),
    ("La marea cronometro oculto", "La marea", {"type": "timer", "visibility": "hidden"}),
    ("La marea Cuenta Atrás 6", "La marea", {"type": "timer", "slots": 6}),
    ("El progreso oculto danger", "El progreso", {"type": "danger", "visibility": "hidden"}),
]
REFUSED = [
    ("", "A counter needs a name."), ("   ", "A counter needs a name."),
    ("8", "A counter needs a name."), ("danger", "A counter needs a name."),
    ("danger hidden 6 @ann", "A counter needs a name."), ('"" danger', "A counter needs a name."),
    ("bogus danger 80", "1 to 10 slots"), ("Agent 47", "1 to 10 slots"), ("none 0x5", "1 to 10"),
    ("alarm danger 5x0", "worth 1 to 9999"), ("alarm danger 5x10000", "worth 1 to 9999"),
    ("ammo @zoe", "No one here is called zoe."), ("ammo @", "No one here is called"),
    ('"alarm danger 6', "Close the quotes"),
    ('"Night" falls danger', "After a name in quotes come only options; “falls” is none."),
    ("x" * 81, "at most 80"), ("alarm 9999999999999999999", "1 to 10 slots"),
    # Two words at the end that say who sees it, of which the name would swallow the one that hides.
    ("tide timer 6 hidden open", "“hidden” or not"),
    ("The vault HIDDEN known danger 6", "“HIDDEN” or not"),
    ("La torre oculto derrota abierto", "“oculto” or not"),
]
# fmt: on


@pytest.mark.parametrize(("line", "name", "options"), LINES, ids=[line for line, *_ in LINES])
def test_only_the_words_at_the_end_are_options(
    line: str, name: str, options: dict[str, Any]
) -> None:
    read = read_line(line, SEATS, SLOTS, SPANISH)

    assert (name, options) == (read.name, dict(read.options))


@pytest.mark.parametrize(("line", "why"), REFUSED, ids=[line[:20] for line, _ in REFUSED])
def test_a_line_without_sense_is_refused(line: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        read_line(line, SEATS, SLOTS, SPANISH)


def made(line: str, kind: str = "progress") -> Any:
    given = {"seats": {"gm": {}, "ana": {}, "ben": {}, "cleo": {}}}
    history = History(CURRENT, CURRENT.opening(CURRENT, given, {}))
    history.give(read_line(line, SEATS, SLOTS).create("c1", kind))
    return counter_in(history.state, "c1")


@pytest.mark.parametrize("kind", TYPES)
def test_a_line_without_a_type_is_hidden_whatever_type_it_gets(kind: str) -> None:
    counter = made("The assassin is Cleo dangr 6", kind)

    assert (kind, "hidden", 6) == (counter.type, counter.visibility, counter.slots)


def test_a_type_that_was_typed_brings_its_usual_visibility() -> None:
    usual = {kind: made(f"It {kind}").visibility for kind in TYPES}

    assert {"danger", "defeat"} == {kind for kind, seen in usual.items() if seen == "hidden"}
    assert {"hidden", "open"} == set(usual.values())


def test_an_inventory_takes_no_worth() -> None:
    assert (1, 2) == (made("bag inventory 2x4").worth, made("bag inventory 2x4").slots)


@given(st.text(alphabet='ab 5x×@"“”dangeroph', max_size=40))
def test_no_line_is_public_without_saying_so(line: str) -> None:
    """It is refused, or its type is there to be read, or it is hidden unless it says "open"."""
    try:
        read = read_line(line, SEATS, SLOTS)
    except Refused:
        return
    counter = read.create("c1", "progress", lambda dice: [1])
    said = read.options.get("visibility")
    assert counter["name"]
    if read.type is None and said is None:
        assert "hidden" == counter["visibility"]


@pytest.mark.parametrize(
    ("line", "template"),
    [
        ("wound 3 @ann", "wound"), ("flashback timer", "flashback"), ("despair", "despair"),
        ("herida 2", "wound"), ("wound danger", None), ('"wound"', None), ("wounds", None),
    ],
)  # fmt: skip
def test_the_rulebook_s_own_counters_are_made_by_their_names(
    line: str, template: str | None
) -> None:
    typed = read_line(line, SEATS, SLOTS, SPANISH, {"Herida": "wound"})
    made = typed.create("c1", "progress")

    assert typed.template is (TEMPLATES[template] if template else None)
    if template:
        own = {"name": TEMPLATES[template].title, **TEMPLATES[template].counter, **typed.options}
        assert {"do": "create", "as": "c1", **own} == made


@pytest.mark.parametrize("line", ["alarm danger temp 0", "alarm danger temp 10", "oil worth 0"])
def test_an_impossible_number_is_refused(line: str) -> None:
    with pytest.raises(Refused, match="goes from 1 to"):
        read_line(line, SEATS, SLOTS)
