"""The template tags, and how the source of a template is loaded."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.template import Context, Template
from django.utils import timezone

from games import screens
from games.screens import fragments
from games.screens.forms import from_form
from games.screens.templates import squeeze
from tests.page import Node, parsed


def drawn(source: str, **context: Any) -> str:
    return Template(source).render(Context(context))


def posted(form: str) -> dict[str, Any]:
    """The command in the hidden fields of *form*."""
    fields = QueryDict(mutable=True)
    (node,) = parsed(form).children
    assert isinstance(node, Node)
    for each in node.children:
        if isinstance(each, Node) and each.attributes.get("type") == "hidden":
            fields.appendlist(str(each.attributes["name"]), str(each.attributes["value"]))
    return from_form(fields)


def test_a_command_is_a_form_that_posts_to_its_board() -> None:
    form = drawn(
        '{% command "retreat" object=card.id %}<button>Go</button>{% endcommand %}',
        card={"id": "wolf"},
        board_url="/g/friday/",
        csrf_token="secret",
    )

    assert form == (
        '<form method="post" action="/g/friday/command" data-command>'
        '<input type="hidden" name="csrfmiddlewaretoken" value="secret">'
        '<input type="hidden" name="do" value="retreat">'
        '<input type="hidden" name="object" value="wolf">'
        '<button>Go</button><p class="refusal" role="alert"></p></form>'
    )


def test_a_form_posts_to_a_page_of_its_game_with_its_fields_and_a_place_for_its_refusal() -> None:
    source = '{% post "seats" seat "leave" then=page class="row" data-leads %}Go{% endpost %}'
    form = drawn(source, seat='a"b', page="share", board_url="/g/friday/", csrf_token="secret")
    on_a_board = drawn(source, seat="ana", page="")

    assert form == (
        '<form method="post" action="/g/friday/seats/a&quot;b/leave" class="row" data-leads'
        ' hx-boost="true"><input type="hidden" name="csrfmiddlewaretoken" value="secret">'
        '<input type="hidden" name="then" value="share">Go'
        '<p class="refusal" role="alert"></p></form>'
    )
    assert ' action="seats/ana/leave"' in on_a_board
    assert "csrf" not in on_a_board, "all phones share it"


# fmt: off
VALUES = [
    # written               value                   read
    ("'wolf'",              None,                   "wolf"),
    ("3",                   None,                   3),
    ("True",                None,                   True),
    ("False",               None,                   False),
    ("value",               {"power": [1, 2]},      {"power": [1, 2]}),
    ("value",               ["ana", "ben"],         ["ana", "ben"]),
    ("value",               '"><script>',           '"><script>'),
]
# fmt: on


@pytest.mark.parametrize(("written", "value", "read"), VALUES)
def test_a_parameter_is_read_as_what_it_is(written: str, value: object, read: object) -> None:
    form = drawn(f"{{% command 'mark' value={written} %}}{{% endcommand %}}", value=value)

    assert {"do": "mark", "value": read} == posted(form)


def test_a_parameter_that_is_none_is_left_out() -> None:
    assert {"do": "note"} == posted(drawn("{% command 'note' item=gone %}{% endcommand %}"))


def test_without_a_verb_the_buttons_say_what_to_do() -> None:
    assert 'name="do"' not in drawn("{% command on='wolf' %}{% endcommand %}")


def test_the_verb_may_be_a_variable() -> None:
    form = drawn("{% command move.verb %}{% endcommand %}", move={"verb": "level-up"})

    assert {"do": "level-up"} == posted(form)


def test_class_id_hidden_and_names_with_a_hyphen_are_the_forms_own() -> None:
    form = drawn(
        "{% command 'place' class='section' id='p-'|add:key data-after='close' data-stays hidden %}"
        "{% endcommand %}",
        key="1",
    )

    assert form.startswith(
        '<form method="post" action="command" class="section" id="p-1" data-after="close"'
        " data-stays hidden data-command>"
    )
    assert {"do": "place"} == posted(form)


def test_a_refusal_stands_where_the_form_wants_it() -> None:
    own = '<p class="refusal" role="alert"></p><button>Go</button>'

    assert 1 == drawn(f"{{% command 'end' %}}{own}{{% endcommand %}}").count("refusal")


# fmt: off
SOURCES = [
    # written                                           read
    ("<ul>\n  <li>one</li>\n\n  <li>two</li>\n</ul>\n", "<ul><li>one</li><li>two</li></ul>"),
    ("<p>\n  two\n  words\n</p>",                       "<p>two words</p>"),
    ("<b>3</b> <small>of 4</small>",                    "<b>3</b> <small>of 4</small>"),
    ("<i>a</i>{{ ' ' }}\n<i>b</i>",                     "<i>a</i>{{ ' ' }}<i>b</i>"),
    ("{% if a %}\n  {{ a }}\n{% endif %}",              "{% if a %}{{ a }}{% endif %}"),
    ("<input\n  name=a\n  value=b\n>",                  "<input name=a value=b>"),
    ("<p\n  a{% if b %} c{% endif %}>",                 "<p a{% if b %} c{% endif %}>"),
    ("<p\n  {% if a < 2 %} b{% endif %}\n>",            "<p{% if a < 2 %} b{% endif %}>"),
    ("<pre>\n  a\n</pre>",                              "<pre>\n  a\n</pre>"),
    ("<textarea>\n {{ a }}</textarea>",                 "<textarea>\n {{ a }}</textarea>"),
    ("{% blocktrans trimmed %}\n  a <b>b</b>\n  <i>c</i>\n{% endblocktrans %}",
     "{% blocktrans trimmed %}\n  a <b>b</b>\n  <i>c</i>\n{% endblocktrans %}"),
    ("a < b\nand c",                                    "a < b and c"),
]
# fmt: on


@pytest.mark.parametrize(("written", "read"), SOURCES)
def test_a_line_break_is_for_the_reader_of_a_template(written: str, read: str) -> None:
    assert read == squeeze(written)


@pytest.mark.parametrize(("seconds", "said"), [(0, ""), (59, ""), (61, "1\xa0minute")])
def test_less_than_a_minute_ago_is_no_minutes(seconds: int, said: str) -> None:
    when = timezone.now() - timedelta(seconds=seconds)

    assert said == drawn("{{ when|age }}", when=when)


def test_no_page_says_0_minutes() -> None:
    templates = Path(__file__).parents[2] / "templates"

    assert [] == [
        str(each) for each in templates.rglob("*.html") if "|timesince" in each.read_text()
    ]


ROOM = Path(screens.__file__).parent
DRAWINGS = ("summary", "replay")
"""Their charts and the film strip are drawings, not pages."""
OPENED = re.compile(r"<[a-z]+")
LISTED = re.compile(r"^- `([\w.]+)`.*: (\d+) µs, (\d+) µs$", re.MULTILINE)
"""An exception, and what it takes as a function and as a template."""


def of_function(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a function, without those of functions in it."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.FunctionDef):
            yield each
            yield from of_function(each)


def tags(nodes: Iterable[ast.AST]) -> int:
    """The number of elements that the texts among *nodes* begin; a picture is one, with all in
    it.
    """
    words = [each.value for each in nodes if isinstance(each, ast.Constant)]
    found = [tag for word in words if isinstance(word, str) for tag in OPENED.findall(word)]
    return 1 if "<svg" in found else len(found)


def with_children(source: ast.AST) -> Iterator[str]:
    """The functions that write more than one element, other than one or another."""
    for each in ast.walk(source):
        if isinstance(each, ast.FunctionDef):
            ends = [end for end in of_function(each) if isinstance(end, ast.Return)]
            counts = [tags(of_function(end)) for end in ends]
            documented = len(OPENED.findall(ast.get_docstring(each, clean=False) or ""))
            if tags(of_function(each)) - sum(counts) + max(counts, default=0) - documented > 1:
                yield each.name


def test_elements_with_children_are_templates_but_for_the_exceptions_with_their_figures() -> None:
    found = {
        ".".join((*file.relative_to(ROOM).with_suffix("").parts, name))
        for file in ROOM.rglob("*.py")
        if file.relative_to(ROOM).parts[0] not in DRAWINGS
        for name in with_children(ast.parse(file.read_text()))
    }

    listed = LISTED.findall(fragments.__doc__ or "")
    assert {name for name, _by_function, _by_template in listed} == found
    assert all(2 * int(by_function) < int(by_template) for _, by_function, by_template in listed)
