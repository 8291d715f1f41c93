"""A line of numbers as one types it, and the coins that mark them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.store import demos
from games.systems.own_game import compiled, fault
from games.systems.own_game.language.coins import coins
from games.systems.own_game.language.forms import GRAMMAR
from games.systems.own_game.language.meaning import COMPARED
from games.systems.own_game.language.saying import sentence
from games.systems.own_game.writing import draft, typed
from games.systems.own_game.writing.names import shown

# fmt: off
NUMBERS = [
    # typed                       what a definition says of it, besides its kind
    ("wood",                      {"kind": "wood"}),
    ("wood ",                     {"kind": "wood"}),
    ("energía",                   {"kind": "energia", "label": "energía"}),
    ("Victory Points 0 → 10",     {"kind": "victory points", "label": "Victory Points"}),
    ("VP",                        {"kind": "vp", "label": "VP"}),
    ("años 3",                    {"kind": "anos", "label": "años", "start": 3}),
    ("Größe 0/5 Tisch",           {"kind": "grosse", "label": "Größe", "most": 5, "on": "table"}),
    ("得分",                      {"kind": "n1", "label": "得分"}),
    ("🏆",                        {"kind": "n1", "label": "🏆"}),
    ("£",                         {"kind": "n1", "label": "£"}),
    ("HP!",                       {"kind": "hp", "label": "HP!"}),
    ("<b>",                       {"kind": "b", "label": "<b>"}),
    ("Größe: ñ 2",                {"kind": "n", "label": "ñ", "on": "grosse", "start": 2}),
    ("energy 3",                  {"kind": "energy", "start": 3}),
    ("energy 3/6",                {"kind": "energy", "start": 3, "most": 6}),
    ("victory points 0 → 10",     {"kind": "victory points"}),
    ("victory points 0->10",      {"kind": "victory points"}),
    ("points 5 to 10",            {"kind": "points", "start": 5}),
    ("points to 10",              {"kind": "points"}),
    ("puntos hasta 10",           {"kind": "puntos"}),
    ("memory -10…10",             {"kind": "memory", "least": -10, "most": 10, "look": "track"}),
    ("memory -10..10",            {"kind": "memory", "least": -10, "most": 10, "look": "track"}),
    ("memory -10 to 10",          {"kind": "memory", "least": -10, "most": 10, "look": "track"}),
    ("debt -3",                   {"kind": "debt", "start": -3, "least": -999999}),
    ("storm 0/5 table",           {"kind": "storm", "most": 5, "on": "table"}),
    ("storm 0/5 on the table",    {"kind": "storm", "most": 5, "on": "table"}),
    ("nivel 1 mesa",              {"kind": "nivel", "start": 1, "on": "table"}),
    ("ghoul: damage 0/3",         {"kind": "damage", "most": 3, "on": "ghoul"}),
    ("score 501 → 0",             {"kind": "score", "start": 501}),
    ("punkte bis 10",             {"kind": "punkte"}),
    ("sturm 0/5 auf dem Tisch",   {"kind": "sturm", "most": 5, "on": "table"}),
    ("score 0-240",               {"kind": "score", "most": 240}),
    ("wood tokens (0-8)",         {"kind": "wood tokens", "most": 8}),
    ("warriors 25 max 25",        {"kind": "warriors", "start": 25, "most": 25}),
    ("warriors max. 25",          {"kind": "warriors", "most": 25}),
    ("kraft höchstens 5",         {"kind": "kraft", "most": 5}),
    ("ghoul: -1/-1",              {"kind": "-1/-1", "on": "ghoul"}),
    ("meeples: 7",                {"kind": "meeples", "start": 7}),
    ("points: 0 → 10",            {"kind": "points"}),
    ("points: to 10",             {"kind": "points"}),
    ("track: -5…40",              {"kind": "track", "least": -5, "most": 40, "look": "track"}),
    ("re-roll",                   {"kind": "re-roll"}),
    ("x-1",                       {"kind": "x-1"}),
    ("+1/+1",                     {"kind": "+1/+1"}),
]
WRONG = ["", "to 10", "life 3/2", "table: x", "a" * 41, "track -10…-5", "x 3 to 3", "a\u202eb"]
FORMULAS = [
    # typed               what it works out: numbers are their names
    ("a + b/3 + c",       {"+": ["a", {"/": ["b", 3]}, "c"]}),
    ("a - b − 2 + c",     {"-": [{"+": ["a", "c"]}, {"+": ["b", 2]}]}),
    ("2 × (a + b) ÷ c",   {"/": [{"*": [2, {"+": ["a", "b"]}]}, "c"]}),
    ("a / b / 2",         {"/": [{"/": ["a", "b"]}, 2]}),
    ("min(a, b, 3)",      {"min": ["a", "b", 3]}),
    ("MAX (a,b) * 2",     {"*": [{"max": ["a", "b"]}, 2]}),
    ("-a",                {"-": [0, "a"]}),
    ("a * -3",            {"*": ["a", -3]}),
    ("re-roll - 1",       {"-": ["re-roll", 1]}),
    ("coins left",        "coins left"),
    ("coins",             "coins"),
    ("storm",             "storm"),
    ("Años*2",            {"*": ["anos", 2]}),
    ("abs(a - b) * 2",    {"*": [{"abs": {"-": ["a", "b"]}}, 2]}),
    ("a ≤ b ? 3 : -c",    {"if": ["a", "<=", "b"], "then": 3, "else": {"-": [0, "c"]}}),
    ("(a=1?b:2)+c<a?b:a!=b?1:2", {
        "if": [{"+": [{"if": ["a", "=", 1], "then": "b", "else": 2}, "c"]}, "<", "a"],
        "then": "b", "else": {"if": ["a", "!=", "b"], "then": 1, "else": 2},
    }),
]
NO_FORMULAS = {
    "": "ends too soon", "a +": "ends too soon", "min(a": "ends too soon",
    "a + + b": "does not fit at “+”", "a)": "does not fit at “)”",
    "2 coins": "“2 coins” is no whole number up to 999999",
    "1.5 * a": "“1.5” is no whole number up to 999999",
    "a + 1000000": "“1000000” is no whole number up to 999999",
    "a = b": "ends too soon", "a = b ? 1": "ends too soon",
    "abs(a, b)": "does not fit at “,”", "a ? 1 : 2": "does not fit at “?”",
    "a=1?" * 9 + "1" + ":2" * 9: "has too many brackets in brackets",
    "total + 1": "is worked out from itself",
    "(" * 50: "has too many brackets in brackets",
    "a+(a+(a*(a+(a*(a+(a*2)))))) ": "has too many brackets in brackets",
    " + ".join(["a"] * 41): "has too many parts: 40 is the most",
}
# fmt: on


@pytest.mark.parametrize(("text", "said"), NUMBERS, ids=[each[0] for each in NUMBERS])
def test_a_number_that_is_typed(text: str, said: dict[str, Any]) -> None:
    (read,) = typed.line(text)

    assert {"on": "player", **said} == {k: v for k, v in (read.number or {}).items() if k != "big"}
    assert fault(draft.with_line({"title": "Game"}, [read])) is None


def amount_of(said: Any) -> Any:
    """The amount of a formula whose numbers are said by their names alone."""
    if isinstance(said, str) and said not in COMPARED:
        return {"number": said, **({"on": "table"} if said == "storm" else {})}
    if isinstance(said, dict):
        return {sign: amount_of(parts) for sign, parts in said.items()}
    if isinstance(said, list):
        return [amount_of(each) for each in said]
    return said


GAME = {
    "title": "Game",
    "numbers": [
        {"kind": "coins", "on": "player"},
        {"kind": "coins left", "on": "player"},
        {"kind": "re-roll", "on": "player"},
        {"kind": "storm", "on": "table"},
        {"kind": "anos", "on": "player", "label": "años"},
    ],
}


@pytest.mark.parametrize(("text", "said"), FORMULAS, ids=[each[0] for each in FORMULAS])
def test_a_formula_works_a_number_out_from_those_that_it_names(text: str, said: Any) -> None:
    (read,) = typed.line(f"total = {text}", GAME)
    whole = draft.with_line(GAME, [read])

    assert amount_of(said) == (read.number or {})["is"]
    assert fault(whole) is None
    assert (
        read.number
        == typed.line(typed.text_of(read.number or {}, None, whole) or "", GAME)[0].number
    )


@pytest.mark.parametrize("text", NO_FORMULAS)
def test_a_malformed_formula_says_which_part_does_not_fit(text: str) -> None:
    (*_before, read) = typed.line(f"total = {text}")

    assert read.number is None
    assert str(read.why) == NO_FORMULAS[text]


def test_a_formula_makes_the_numbers_that_are_not_there_yet() -> None:
    made = draft.with_line(
        {"title": "7"}, typed.line("total = military + coins/3 + Wunder, coins 3 → 50")
    )

    assert [("military", 0), ("Wunder", 0), ("total", 0), ("coins", 3)] == [
        (shown(each), each.get("start", 0)) for each in made["numbers"]
    ]
    assert ["total"] == [each["kind"] for each in made["numbers"] if each.get("big")]
    assert fault(made) is None


def test_a_formula_may_have_forty_parts() -> None:
    names = [f"part {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(39)]
    made = draft.with_line({"title": "Sheet"}, typed.line(f"total = {' + '.join(names)} + 1"))

    assert (40, 40) == (len(made["numbers"]), len(made["numbers"][-1]["is"]["+"]))
    assert fault(made) is None


def test_a_formula_that_wins_is_a_rule() -> None:
    (rule,) = draft.with_line({"title": "Sheet"}, typed.line("total = a + b → 50"))["rules"]

    assert [{"number": "total"}, ">=", 50] == rule["if"]


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("most wins", "highest"),
        ("Least wins", "lowest"),
        ("más gana", "highest"),
        ("die meisten gewinnen", "highest"),
        ("niedrigste gewinnt", "lowest"),
    ],
)
def test_a_line_says_who_wins_when_the_game_is_over(text: str, way: str) -> None:
    once = draft.with_line({"title": "7"}, typed.line(f"total, wonder, {text}"))
    twice = draft.with_line(once, typed.line(text, once))
    (rule,) = compiled(twice).definition.written["rules"]

    best = [{"number": "total"}, "=", {way: "total", "on": "players"}]
    assert [{"win": {"each": "players", "if": best}}] == rule["do"]
    said = text.removeprefix("die ")
    assert {"pressed": said[0].upper() + said[1:], "on": "table"} == rule["when"]


@pytest.mark.parametrize(
    ("line", "ends", "best"),
    [
        ("rounds to 500", [{"highest": "points", "on": "players"}, ">=", 500], "highest"),
        ("12 rounds, most wins", ["round", ">=", 12], "highest"),
        (
            "rondas hasta 100, menos gana",
            [{"highest": "puntos", "on": "players"}, ">=", 100],
            "lowest",
        ),
        (
            "Runden → 66, wenigste gewinnt",
            [{"highest": "punkte", "on": "players"}, ">=", 66],
            "lowest",
        ),
    ],
)
def test_rounds_ask_everyone_for_points_until_they_end(line: str, ends: Any, best: str) -> None:
    at_once = draft.with_line({"title": "Rummy"}, typed.line(line))
    piece_by_piece: Any = {"title": "Rummy"}
    for piece in typed.parts(line):
        piece_by_piece = draft.with_line(piece_by_piece, typed.line(piece, piece_by_piece))

    assert at_once == piece_by_piece
    (rule,) = compiled(at_once).definition.written["rules"]
    asks, number = rule["do"][0], at_once["numbers"][0]
    way = [{"number": number["kind"]}, "=", {best: number["kind"], "on": "players"}]
    assert [{"win": {"each": "players", "if": {"all": [ends, way]}}}] == asks["after"]
    assert ("all", number["label"]) == (at_once["turns"]["order"], asks["ask"])
    assert asks["least"] < 0  # points are taken off, too


def test_rounds_are_no_line_of_a_game_that_has_them_nor_of_a_gms_table() -> None:
    (again,) = typed.line("rounds to 500", draft.with_line({}, typed.line("rounds to 100")))

    assert "is there already" == str(again.why)
    assert typed.line("rounds to 500", {"gm": {}})[0].why


@pytest.mark.parametrize(
    ("line", "ranked"),
    [
        ("total = a + b, most wins, then b", {"rank": ["total", "b"]}),
        ("total = a + b, least wins, then fewest b", {"rank": ["total", "b"], "first": "lowest"}),
        ("total = a + b, most wins, luego menos c", {"rank": ["total", "menos c"]}),
        ("rounds to 9, dann Karten, dann b", {"rank": ["points", "karten", "b"]}),
        ("a, most a wins, then most b, then c, then d, then e", {"rank": ["a", "b", "c", "d"]}),
        ("a, most wins then b then fewest c", {"rank": ["a", "b", "fewest c"]}),
        ("a, then b", None),
    ],
)
def test_a_line_says_what_decides_between_equal_ones(line: str, ranked: Any) -> None:
    written = draft.with_line({"title": "Ties"}, typed.line(line))

    assert fault(written) is None
    parts = [part for rule in written.get("rules", ()) for part in GRAMMAR.walk("rule", rule)]
    ranks = [part for _at, _sort, part in parts if isinstance(part, dict) and "rank" in part]
    assert ([ranked] if ranked else []) == ranks


REFUSED = {
    "a, most wins, then b, then c, then d, then e": "is one too many: 3 ties is the most",
    "a, most wins, then b, then b": "“b” cannot decide a tie here",
    "a, b table, most wins, then b": "“b” cannot decide a tie here",
    "a, then b": "comes after “most wins” or rounds",
    "a, most wins, then b, least wins": "comes too late: who wins is said already",
    "a table, most wins": "comes after what is counted",
    "a, b, most b wins": "“b” is not the big number",
    "ghoul: damage 0 → 3": "is on a card: it has no goal, and is not the table’s",
    "ghoul: damage table": "is on a card: it has no goal, and is not the table’s",
    "*a table": "is no player’s, and cannot be the big one",
    "a, b to 10 = c": "“b to 10” cannot be added up",
    "a, ghoul: b = c": "“ghoul: b” cannot be added up",
    ", ".join(f"{chr(97 + n)}: x{n}" for n in range(21)): "is one too many: 20 types is the most",
    "a" * 2001: "is too long: 2000 signs is the most",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_a_line_cannot_say_is_refused_in_words(line: str) -> None:
    *before, last = typed.line(line)

    assert ([], REFUSED[line]) == ([each for each in before if each.why], str(last.why))


name = st.sampled_from(["ash", "bud", "cog", "dew", "elm", "fig"])
amount = st.integers(1, 60).map(str)
pieces = st.sampled_from([
    "N", "N D", "*N D/D", "N D/D table", "T: N", "T: N D/D", "N D → D", "T: N to D", "N -D…D",
    "*N to D table", "N = N + N*D", "N/3 = N", "N D = N", "T: N = N", "rounds to D", "D rounds",
    "D rounds of N?, N? : N = N ? D : N", "most wins", "least N wins", "most wins then N",
    "then N", "then fewest N", "then most N",
]).flatmap(lambda form: st.tuples(*(
    {"N": name, "T": name, "D": amount}.get(part, st.just(part))
    for part in re.split(r"\b([NTD])\b", form)
))).map("".join)  # fmt: skip
SAID = {"table", "to", "rounds", "of", "most", "least", "wins", "then", "fewest"}


@given(st.lists(pieces, max_size=3), st.lists(pieces, max_size=7))
def test_nothing_that_is_typed_gets_lost(first: list[str], then: list[str]) -> None:
    """Each part changes the game, its numbers and names stand there, or it says why not."""
    game = draft.with_line({"title": "Game"}, typed.line(", ".join(first)))
    read = typed.line(", ".join(then), game)
    whole = draft.with_line(game, read)
    written = json.dumps(whole).lower()

    assert fault(whole) is None
    for n, part in enumerate(read):
        words = {*re.findall(r"\w+", part.text.lower())} - SAID
        assert part.why or all(each in written for each in words), part.text
        if not (part.why or part.parted or "wins" in part.text):
            assert draft.with_line(game, read[:n] + read[n + 1 :]) != whole, part.text


def test_a_comma_in_the_brackets_of_a_formula_ends_no_number() -> None:
    assert "wood," == typed.finished("wood, total = min(a, b")
    assert ["total = min(a, b)", "ore"] == [
        each.text for each in typed.line("total = min(a, b), ore")
    ]


def test_names_that_make_one_word_are_two_numbers() -> None:
    made = draft.with_line({"title": "Two"}, typed.line("años, anos, 得分, 金, AÑOS"))

    assert [("anos", "años"), ("anos 2", "anos"), ("n1", "得分"), ("n2", "金")] == [
        (each["kind"], each["label"]) for each in made["numbers"]
    ]


def test_a_thing_that_is_typed_twice_is_one() -> None:
    made = draft.with_line({"title": "One"}, typed.line("Größe: damage, größe: Alter"))

    assert [{"type": "grosse", "label": "Größe"}] == made["things"]
    assert ["grosse", "grosse"] == [each["on"] for each in made["numbers"]]


@pytest.mark.parametrize("text", WRONG)
def test_an_unreadable_line_stays_as_it_was_typed(text: str) -> None:
    for read in typed.line(text):
        assert (None, text) == (read.number, read.text)
        assert read.why


@pytest.mark.parametrize(
    ("line", "big"),
    [("wood, ore", "wood"), ("wood, *ore", "ore"), ("storm table, wood, ore", "wood")],
)
def test_the_first_number_of_a_player_is_big_unless_a_star_stands_elsewhere(
    line: str, big: str
) -> None:
    assert [big] == [each.kind for each in typed.line(line) if (each.number or {}).get("big")]


def test_the_same_name_twice_is_one_number() -> None:
    first, second = typed.line("wood, Wood 3")

    assert ("wood", None) == (first.kind, second.number)


def test_a_goal_is_a_rule_that_wins() -> None:
    made = draft.with_line({"title": "Race"}, typed.line("laps to 3, wood"))

    assert ["3 laps"] == [rule["rule"] for rule in made["rules"]]
    assert "most" not in made["numbers"][0]


def test_a_goal_below_the_start_is_reached_from_above() -> None:
    (rule,) = draft.with_line({"title": "Darts"}, typed.line("score 501 → 0"))["rules"]

    assert [{"number": "score"}, "<=", 0] == rule["if"]


@given(st.text(max_size=300))
def test_any_typed_line_makes_a_game_that_can_be_played(text: str) -> None:
    assert fault(draft.with_line({"title": "Game"}, typed.line(text))) is None


@given(st.lists(st.text("abc 01", min_size=1, max_size=6), max_size=60))
def test_no_two_numbers_are_marked_alike(names: list[str]) -> None:
    definition = compiled(
        draft.with_line({"title": "Game"}, typed.line(",".join(names)))
    ).definition
    marks = coins(definition).values()

    assert len(definition.numbers) == len({each.letter for each in marks})
    assert len({each.hue for each in marks}) == min(12, len(definition.numbers))


@pytest.mark.parametrize("name", demos.ready_games("own-game"))
def test_the_numbers_of_a_ready_game_are_marked_apart(name: str) -> None:
    marks = coins(compiled(demos.ready_games("own-game")[name]).definition).values()

    assert len(marks) == len({each.letter for each in marks})


SEVEN = ["military", "coins/3", "wonder", "science = total", "most wins"]


@pytest.mark.parametrize("pieces", [[", ".join(SEVEN)], SEVEN])
def test_a_sum_is_typed_after_its_parts_at_once_or_one_by_one(pieces: list[str]) -> None:
    written: Any = {"title": "7"}
    for each in pieces:
        written = draft.with_line(written, typed.line(each, written))

    by_name = {each["kind"]: each for each in written["numbers"]}
    assert ["military", "coins", "wonder", "science", "total"] == [*by_name]
    third = {"/": [{"number": "coins"}, 3]}
    rest = [{"number": kind} for kind in ("wonder", "science")]
    assert {"+": [{"number": "military"}, third, *rest]} == by_name["total"]["is"]
    assert ["total"] == [kind for kind, each in by_name.items() if each.get("big")]
    cells = ["military", "coins", "wonder", "science"]
    assert cells == [kind for kind, each in by_name.items() if each.get("blank")]
    (over,) = compiled(written).definition.written["rules"]
    assert {"written": cells, "on": "players"} == over["if"]
    assert "who has the most total wins" in str(sentence(compiled(written).definition, over))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("danger = fear table", {"number": "fear", "on": "players"}),
        ("peligro = fear + 1 en la mesa", {"+": [{"number": "fear", "on": "players"}, 1]}),
        ("danger = (fear + 2) table", {"+": [{"number": "fear", "on": "players"}, 2]}),
    ],
)
def test_a_formula_of_the_table_counts_what_all_players_have(text: str, read: Any) -> None:
    game = {"title": "Storm", "numbers": [{"kind": "fear", "on": "player"}]}
    (number,) = typed.line(text, game)
    whole = draft.with_line(game, [number])

    assert ("table", read) == ((number.number or {})["on"], (number.number or {})["is"])
    assert (
        number.number
        == typed.line(typed.text_of(number.number or {}, None, whole) or "", game)[0].number
    )
    assert fault(whole) is None


def test_a_sum_without_parts_says_so() -> None:
    (read,) = typed.line("= total", {"title": "Empty"})

    assert "has no parts" == read.why


def test_a_sum_is_the_big_number_though_a_star_stands_at_its_last_part() -> None:
    made = draft.with_line({"title": "Star"}, typed.line("a, *b = total"))

    assert fault(made) is None
    assert ["total"] == [each["kind"] for each in made["numbers"] if each.get("big")]


def test_words_with_a_colour_take_it() -> None:
    definition = compiled(
        draft.with_line({"title": "Game"}, typed.line("wood, brick, ore"))
    ).definition

    assert [(1, "W"), (2, "B"), (10, "O")] == [tuple(each) for each in coins(definition).values()]
