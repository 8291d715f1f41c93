"""Forms that nobody wrote: what a command's parameters make, and that it reads what they send."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

import pytest
from django.http import QueryDict
from django.template import loader
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
from games.screens import boards, view_models
from games.screens.drawing import Drawing
from games.screens.forms import from_form
from games.screens.fragments import Audience
from games.screens.generated import Field, Form, Forms
from games.screens.log.event_text import Fields
from games.screens.words import PLAIN, words_of
from games.systems import PRESENTATIONS, find
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
