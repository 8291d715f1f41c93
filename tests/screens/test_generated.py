"""Forms that nobody wrote: what a command's parameters make, and that it reads what they send."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.template import loader
from django.utils import translation
from msgspec.structs import replace

from games.rules import cards, scenario
from games.rules.commands import (
    FLAG,
    ID,
    NAME,
    OBJECT,
    PROMPT,
    SEAT,
    WAITING,
    Command,
    Parameter,
    each,
    one_of,
    table,
    whole,
)
from games.rules.engine import read, step
from games.rules.events import Answered, Event
from games.rules.history import History
from games.rules.state import GameState, Prompt, Refused
from games.rules.system import System, Verb
from games.screens import boards, fragments, sheets, view_models
from games.screens.drawing import Drawing
from games.screens.forms import from_form, of_message
from games.screens.fragments import Audience
from games.screens.generated import Field, Form, Forms
from games.screens.log.event_text import Fields
from games.screens.words import PLAIN, words_of
from games.systems import PRESENTATIONS, find
from games.systems.controls import Stepper
from games.systems.pokemon import CURRENT
from tests.page import Node, parsed


class Court(Command, frozen=True, kw_only=True):
    """Each sort of parameter once."""

    verb: ClassVar[str] = "court"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    whom: Annotated[tuple[str, ...], Parameter(each(ID, 1), names=OBJECT)]
    rival: Annotated[str | None, Parameter(ID, names=SEAT)] = None
    tone: Annotated[str, Parameter(one_of("warm", "cold"))] = "warm"
    gifts: Annotated[tuple[str, ...], Parameter(each(one_of("rose", "ring")))] = ()
    songs: Annotated[int, Parameter(whole(1, 9))] = 2
    steps: Annotated[Mapping[str, int], Parameter(table(one_of("left", "right"), whole(0, 5)))]
    secretly: Annotated[bool, Parameter(FLAG)] = False
    words: Annotated[str, Parameter(NAME)]


def court(system: System, state: GameState, command: Court) -> Iterator[Event]:
    """Only what is on the table courts, and only what is another's."""
    cards.refuse_off_field(state.objects[command.object])  # type: ignore[attr-defined]
    for one in command.whom:
        if state.objects[one].owner == command.by:
            raise Refused("wrong-target", "That is yours.")
    yield from ()


class Breed(Command, frozen=True, kw_only=True):
    """Name a new object."""

    verb: ClassVar[str] = "breed"
    object: Annotated[str, Parameter(ID, names=OBJECT)]
    as_: Annotated[str, Parameter(ID)]


class Answer(Command, frozen=True, kw_only=True):
    """Answer one of two questions."""

    verb: ClassVar[str] = "answer"
    prompt: Annotated[str, Parameter(PROMPT, names=WAITING)]
    dance: Annotated[str | None, Parameter(one_of("waltz", "tango"))] = None
    partner: Annotated[str | None, Parameter(ID, names=OBJECT)] = None


def answer(system: System, state: GameState, command: Answer) -> Iterator[Event]:
    prompt = state.prompt(command.prompt)
    assert prompt
    if prompt.kind == "dance" and (command.dance is None or command.partner):
        raise Refused("wrong-facts", "Which dance?")
    if prompt.kind == "partner":
        if command.partner is None:
            raise Refused("wrong-facts", "Which partner?")
        cards.refuse_off_field(state.objects[command.partner])  # type: ignore[attr-defined]
    yield Answered(prompt.id)


def bred(system: System, state: GameState, command: Breed) -> Iterator[Event]:
    cards.refuse_taken(state, command.as_)  # type: ignore[attr-defined]
    yield from ()


SYSTEM = replace(
    find("any-game"),
    verbs={
        **cards.VERBS,
        "court": Verb(Court, court),
        "breed": Verb(Breed, bred),
        "answer": Verb(Answer, answer, cards.may_answer),
    },
)
GIVEN = {
    "seats": {"ana": {}, "ben": {}},
    "objects": {
        "fox": {"owner": "ana"},
        "owl": {"owner": "ana", "zone": "aside"},
        "cat": {"owner": "ben"},
        "dog": {"owner": "ben"},
    },
}


@pytest.fixture
def state() -> GameState:
    return scenario.opening(SYSTEM, {"given": GIVEN, "settings": {}})


def form(state: GameState, verb: str = "court", holder: str = "fox") -> Form:
    made = Forms(SYSTEM, state, "ana", str.title).of_verb(verb, holder)
    assert made
    return made


def field(made: Form, label: str) -> Field:
    (found,) = [each for each in (*made.fields, made.single) if each and each.label == label]
    return found


def asked(state: GameState, kind: str) -> Form:
    """The form of a question of that kind, put to Ana."""
    prompt = Prompt(kind, kind, "ana", None)
    return Forms(SYSTEM, replace(state, prompts=(prompt,)), prompt.to, str.title).of_prompt(prompt)


# What becomes of a parameter


def test_choices_are_offered_by_their_words(state: GameState) -> None:
    tone = field(form(state), "tone")

    assert ("choice", (("warm", "warm"), ("cold", "cold"))) == (tone.how, tone.options)
    assert "warm" == tone.value, "what the command takes if nobody says it"


def test_a_number_has_its_bounds_and_its_usual_value(state: GameState) -> None:
    songs = field(form(state), "songs")

    assert ("songs:number", "number", 1, 9, 2) == (
        songs.name,
        songs.how,
        songs.least,
        songs.most,
        songs.value,
    )


def test_objects_are_those_that_the_command_accepts(state: GameState) -> None:
    whom = field(form(state), "whom")

    assert ("ticks", (("cat", "Cat"), ("dog", "Dog"))) == (whom.how, whom.options)


def test_seats_are_offered_by_name(state: GameState) -> None:
    assert (("ana", "Ana"), ("ben", "Ben")) == field(form(state), "rival").options


def test_a_list_of_words_is_ticks_a_flag_one_tick_and_a_map_a_number_for_each(
    state: GameState,
) -> None:
    made = form(state)

    assert [("gifts:list", "rose", "rose"), ("gifts:list", "ring", "ring")] == field(
        made, "gifts"
    ).ticks
    assert ("secretly:flag", "flag") == (
        field(made, "secretly").name,
        field(made, "secretly").how,
    )
    assert ("steps.left:number", 0, 5) == (
        field(made, "left").name,
        field(made, "left").least,
        field(made, "left").most,
    )
    assert "text" == field(made, "words").how


def test_nobody_is_asked_for_the_id_of_something_new(state: GameState) -> None:
    assert ("as:new", "new") == (
        field(form(state, "breed"), "as").name,
        field(form(state, "breed"), "as").how,
    )


def test_a_verb_is_not_offered_to_what_cannot_do_it(state: GameState) -> None:
    assert Forms(SYSTEM, state, "ana", str.title).of_verb("court", "owl") is None


def test_a_verb_is_offered_if_it_finds_anybody_and_not_only_the_first(state: GameState) -> None:
    """The first object of the table is the one that asks, and would be refused."""
    assert next(iter(state.objects)) == "fox"
    assert form(state).verb == "court"


def test_a_verb_that_finds_nobody_is_not_offered(state: GameState) -> None:
    alone = replace(state, objects={"fox": state.objects["fox"]})

    assert Forms(SYSTEM, alone, "ana", str.title).of_verb("court", "fox") is None


# Questions


def test_a_question_shows_only_what_answers_it(state: GameState) -> None:
    """Without a word in the presentation: the rules are asked."""
    dance, partner = asked(state, "dance"), asked(state, "partner")

    assert dance.single
    assert ("dance", ()) == (dance.single.name, dance.fields)
    assert partner.single
    assert ("partner", ()) == (partner.single.name, partner.fields)
    assert ["fox", "cat", "dog"] == [value for value, _label in partner.single.options]


def test_one_choice_is_answered_by_one_tap(state: GameState) -> None:
    prompt = Prompt("dance", "dance", "ana", None)
    drawn = loader.render_to_string(
        "sheets/_fields.html", {"form": asked(state, "dance"), "its": PLAIN}
    )

    assert [("dance", "waltz"), ("dance", "tango")] == [
        (node.attributes["name"], node.attributes["value"]) for node in nodes(drawn, "button")
    ]
    command = read(SYSTEM, {"do": "answer", "prompt": "dance", "dance": "tango"}, "ana")
    after, _events = step(SYSTEM, replace(state, prompts=(prompt,)), command)
    assert () == after.prompts


# What the form sends, the command reads


def nodes(html: str, tag: str) -> list[Node]:
    def walk(node: Node) -> Iterator[Node]:
        for child in node.children:
            if isinstance(child, Node):
                yield child
                yield from walk(child)

    return [node for node in walk(parsed(f"<div>{html}</div>")) if node.tag == tag]


def filled(html: str, **values: str) -> dict[str, Any]:
    """The form data of *html*: all ticked, the last of each choice, numbers as given."""
    sent = QueryDict(mutable=True)
    for node in nodes(html, "input"):
        name = str(node.attributes["name"])
        value = values.get(name, str(node.attributes.get("value") or "on"))
        sent.appendlist(name, value)
    for node in nodes(html, "select"):
        options = [each for each in node.children if isinstance(each, Node)]
        sent.appendlist(str(node.attributes["name"]), str(options[-1].attributes["value"]))
    return from_form(sent)


def test_a_form_sends_what_its_command_reads(state: GameState) -> None:
    html = loader.render_to_string("sheets/_fields.html", {"form": form(state), "its": PLAIN})
    raw = filled(html, **{"steps.left:number": "3", "steps.right:number": "0", "words": "Hello"})

    command = read(SYSTEM, {"do": "court", "object": "fox", **raw}, "ana")

    assert command == Court(
        by="ana",
        object="fox",
        whom=("cat", "dog"),
        rival="ben",
        tone="cold",
        gifts=("rose", "ring"),
        songs=2,
        steps={"left": 3, "right": 0},
        secretly=True,
        words="Hello",
    )


def test_a_new_id_is_made_from_the_form(state: GameState) -> None:
    html = loader.render_to_string("sheets/_fields.html", {"form": form(state, "breed")})
    raw = filled(html)

    command = read(SYSTEM, {"do": "breed", "object": "fox", **raw}, "ana")

    assert isinstance(command, Breed)
    assert command.as_.startswith("breed-")


def test_news_without_a_template_is_told_by_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    own = PRESENTATIONS["yu-gi-oh"]
    said = replace(own, story=replace(own.story, news=frozenset({"spell-resolved"})))
    monkeypatch.setitem(PRESENTATIONS, "yu-gi-oh", said)
    history = History(
        find("yu-gi-oh"),
        scenario.opening(
            find("yu-gi-oh"), {"given": {"seats": {"ana": {}, "ben": {}}}, "settings": {}}
        ),
    )

    given = history.give({"do": "resolve-spell"})
    shown = boards.changes(Drawing(history.system), given, Audience())

    assert "A Spell resolved" in shown


def test_players_counters_keep_the_places_that_their_system_gives() -> None:
    magic = find("magic")
    given = {"seats": {"ana": {"counters": {"energy": 2, "age": 1, "rad": 1}}, "ben": {}}}
    state = scenario.opening(magic, {"given": given, "settings": {}})

    kinds = [each.kind for each in view_models.seat_steppers(magic, state, state.seats["ana"])]

    assert ["life", "poison", "rad", "energy", "age"] == kinds


def test_a_question_in_the_log_is_called_as_on_the_board() -> None:
    fields = Fields(words_of(find("pokemon")), {"kind": "answered", "prompt": "burned:mew"}, str)
    assert "“Heads or tails: does Burned end?” (mew)" == fields["prompt"]


@pytest.fixture
def game() -> GameState:
    """Ana has the Active Pokémon that is not a candidate, and one on the Bench that is."""
    given = {
        "seats": {"ana": {}, "ben": {}},
        "objects": {
            "snom": {"owner": "ana", "zone": "active", "hp": 50},
            "mew": {"owner": "ana", "zone": "bench", "hp": 60},
            "abra": {"owner": "ben", "zone": "active", "hp": 40},
        },
        "turn": {"active": ["ana"], "phase": "turn"},
    }
    return CURRENT.opening(CURRENT, given, {})


def test_a_verb_that_names_a_second_object_has_a_form_with_its_candidates(game: GameState) -> None:
    form = Forms(CURRENT, game, "ana", str).of_verb("retreat", "snom")

    assert form
    assert form.single
    assert [("mew", "mew")] == list(form.single.options)
    assert Forms(CURRENT, game, "ana", str).of_verb("retreat", "mew") is None


def test_a_mark_that_is_a_number_is_set_within_its_own_bounds(game: GameState) -> None:
    numbers = sheets.of_seat(sheets.Table(CURRENT, game, {}), game.seats["ana"])["numbers"]

    bounds = {mark: (each.least, each.most, each.step) for mark, _value, each in numbers}
    assert {"bench_limit": (1, 8, 1), "poison_more": (0, 990, 10), "burn_more": (0, 990, 10)} == (
        bounds
    )


def test_a_number_in_tens_says_so_to_the_pad() -> None:
    assert "data-unit=10" in fragments.stepper(PLAIN, Stepper("snom", "damage", 20, unit=10))
    assert "data-unit" not in fragments.stepper(PLAIN, Stepper("snom", "energy", 2))


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "“Heads or tails: does Burned end?”"), ("es", "«Cara o cruz: ¿termina Quemado?»")],
)
def test_a_refusal_names_a_question_in_words(game: GameState, language: str, said: str) -> None:
    waits = replace(game, prompts=(Prompt("burned:snom", "burned", "ana", "snom"),))
    with pytest.raises(Refused) as refused:
        step(CURRENT, waits, read(CURRENT, {"do": "begin-turn", "active": ["ben"]}, "ana"))

    with translation.override(language):
        assert said in words_of(CURRENT).refusal(refused.value)


def test_a_card_off_the_field_is_said_as_the_game_says_it(game: GameState) -> None:
    away = step(CURRENT, game, read(CURRENT, {"do": "move", "object": "mew", "to": "deck"}, "ana"))
    with pytest.raises(Refused, match="not in play"):
        step(CURRENT, away[0], read(CURRENT, {"do": "heal", "on": "mew", "amount": 10}, "ana"))


MAGIC = find("magic")
ROW = ["a", "b", "c"]


def sent(*fields: tuple[str, str], **more: Any) -> dict[str, Any]:
    """The command of a form's fields in the order of the page, as its script sends them."""
    return of_message(MAGIC, {"form": urlencode(fields), **more})


# fmt: off
KINDS = [
    # typed                 kind
    ("Energía!",            "energia"),
    ("+1/+1",               "+1/+1"),
    ("-1/-1",               "-1/-1"),
    ("  Verse Counter ",    "verse counter"),
    ("/.:charge",           "charge"),
    ("ΩΩ",                  ""),
]
# fmt: on


@pytest.mark.parametrize(("typed", "kind"), KINDS)
def test_a_typed_kind_is_spelt_as_the_rules_spell_it(typed: str, kind: str) -> None:
    assert kind == from_form(QueryDict(urlencode({"counter:kind": typed})))["counter"]


def test_the_later_of_two_fields_counts_and_an_empty_one_does_not() -> None:
    chip, typed = ("counter", "charge"), ("counter:kind", "Verse")

    assert "verse" == sent(("do", "place"), chip, typed)["counter"]
    assert "charge" == sent(("do", "place"), chip, ("counter:kind", " "))["counter"]


def test_kinds_that_are_ticked_and_typed_go_into_one_list() -> None:
    kinds = [("kinds:kinds", each) for each in ("+1/+1", "", "Loyalty ")]

    assert ["+1/+1", "loyalty"] == sent(("do", "stand"), *kinds)["kinds"]


def test_the_id_of_the_message_is_the_commands() -> None:
    assert {"do": "undo", "id": "x@7"} == sent(("do", "undo"), id="x@7")


def test_a_form_about_a_row_means_each_of_it() -> None:
    fields = [("do", "place"), ("each.a", " ".join(ROW)), ("on", "a"), ("counter", "charge")]

    assert {"do": "place", "on": ROW, "counter": "charge"} == sent(*fields)


def test_a_button_of_a_row_means_each_of_it() -> None:
    tap = {"do": "spend", "on": "a", "counter": "charge"}
    each = {"do": "together", "steps": [tap], "each": {"a": ROW}, "id": "x"}

    assert each == of_message(MAGIC, {**tap, "rows": {"a": ROW}, "id": "x"})
    assert tap == of_message(MAGIC, {**tap, "rows": {"a": ["a"]}})


@pytest.mark.parametrize("rows", [None, [], "a", {"a": "a"}, {"a": [1]}, {"a": None}])
def test_rows_of_another_shape_mean_nothing(rows: Any) -> None:
    tap = {"do": "place", "on": "a", "counter": "charge"}

    assert tap == of_message(MAGIC, {**tap, "rows": rows})


@pytest.mark.parametrize("form", [None, 1, ["do"], {}, "&".join("a=1" for _ in range(1001))])
def test_a_form_that_is_none_is_refused(form: Any) -> None:
    with pytest.raises(Refused, match="form"):
        of_message(MAGIC, {"form": form, "id": "x"})


CARD = [("do", "create"), ("name", "Ditto 3"), ("note", "again")]


def test_copies_are_one_command_with_an_id_for_each() -> None:
    made = sent(*CARD, ("copies:copies", "3"))
    first, *others = made["steps"]

    assert ("together", "again") == (made["do"], made["note"])
    assert [f"{first['as']}-1", f"{first['as']}-2"] == [each["as"] for each in others]
    assert {"Ditto 3"} == {each["name"] for each in made["steps"]}
    assert not any("note" in each for each in made["steps"])


def test_numbered_copies_count_on() -> None:
    names = [each["name"] for each in sent(*CARD, ("copies:numbered", "3"))["steps"]]

    assert ["Ditto 3", "Ditto 4", "Ditto 5"] == names


@pytest.mark.parametrize("copies", ["", "1", "0", "-3", "many", "1000000"])
def test_one_copy_is_the_card_itself(copies: str) -> None:
    assert "create" == sent(*CARD, ("copies:copies", copies))["do"]


def test_a_script_and_a_page_without_scripts_give_the_same() -> None:
    fields = "do=place&on=a&each.a=a+b+c&counter%3Akind=Charge&amount%3Anumber=2"

    assert of_message(MAGIC, {"form": fields}) == {
        "do": "place",
        "on": ROW,
        "counter": "charge",
        "amount": 2,
    }
