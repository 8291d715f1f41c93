"""A page's script sends the fields of a form, or a command and its rows: both are read here."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from games.rules.state import Refused
from games.screens.forms import from_form, of_message
from games.systems import find

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
