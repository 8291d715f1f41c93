"""The form language: how the fields of a form become a command.

The name of each field says how its value is read:

    on             text                     {"on": "wolf"}
    amount:number  a whole number           {"amount": 3}
    counter:kind   a kind of counter, typed {"counter": "energia"}, of "Energía!"
    kinds:kinds    all values, as kinds     {"kinds": ["+1/+1"]}
    combat:flag    a checkbox               {"combat": true}, or nothing
    hidden:secret  a checkbox like a flag; the new id then says nothing about the name
    value:no       false                    {"value": false}
    types:list     all values               {"types": ["ally", "unique"]}
    base.life:number   inside a map         {"base": {"life": 4}}
    as.base.life:inside  a whole number inside a map inside a map  {"as": {"base": {"life": 4}}}
    dice:json      any other value          {"dice": [7, 3]}
    paid.wolf:member   a name in a list     {"paid": ["wolf"]} with a value, else {"paid": []}
    as:new         an id nobody has          {"as": "wolf-3f7a"}, like the name or else the value
    each.wolf      ids                      what names "wolf" means each of them: see `stacks`
    copies:copies  how often, in one command, each with an id of its own
    copies:numbered    the same, and the number at the end of each one's name counts on

An empty field is left out. Without scripts a browser posts the fields; the page's script sends the
same ones over the socket, in the `form` of a message that also has the command's id.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import TooManyFieldsSent
from django.http import QueryDict

from games.rules.batch import MOST_STEPS
from games.rules.input import read_json, whole_number
from games.rules.state import Refused
from games.rules.system import System
from games.screens.stacks import for_each
from games.systems import taps
from games.systems.controls import STRIDE

EACH = "each."
COPIES, NUMBERED = "copies:copies", "copies:numbered"
NOT_PARTS = frozenset({"csrfmiddlewaretoken", COPIES, NUMBERED})
NOT_IN_IDS = re.compile(r"[^a-z0-9]+")
NOT_IN_KINDS = re.compile(r"[^a-z0-9 +\-/'.:]+")
LAST_NUMBER = re.compile(r"[0-9]{1,9}\Z")

Json = dict[str, Any]
Rows = Mapping[str, list[str]]
"""The ids that each row of a page means, by its first id."""


def of_message(system: System, sent: Json) -> Json:
    """The command in a message of a page's script. Raises Refused "invalid".

    That is `{"form": "do=place&on=wolf", "id": ...}`, the fields as a browser encodes them; or a
    command, perhaps with `"rows": {"wolf": ["wolf", "wolf-2"]}`.
    """
    if "form" in sent:
        made = of_fields(system, _fields(sent["form"]))
    elif "rows" in sent:
        made = {key: value for key, value in sent.items() if key not in ("rows", "id")}
        if _are_rows(sent["rows"]):
            made = for_each(system, made, sent["rows"])
    else:
        return sent
    return {**made, "id": sent["id"]} if "id" in sent else made


def _fields(form: Any) -> QueryDict:
    if type(form) is not str:
        raise Refused("invalid", "A form is text.")
    try:
        return QueryDict(form)
    except TooManyFieldsSent:
        raise Refused("invalid", "That form has too many fields.") from None


def _are_rows(rows: Any) -> bool:
    return type(rows) is dict and all(
        type(ids) is list and all(type(each) is str for each in ids) for ids in rows.values()
    )


def of_fields(system: System, fields: QueryDict) -> Json:
    """The command in a form, or of one button of the board. Raises Refused "invalid"."""
    made = _tapped(fields, system) or from_form(fields)
    for numbered, field in enumerate((COPIES, NUMBERED)):
        if copies := whole_number(fields.get(field, ""), 2, MOST_STEPS):
            return _copied(made, copies, apart=bool(numbered))
    return for_each(system, made, _rows(fields))


def _copied(made: Json, copies: int, *, apart: bool) -> Json:
    """The command that makes several copies of one thing. apart: their names are numbered."""
    note = {key: made[key] for key in ("note",) if key in made}
    step = {key: value for key, value in made.items() if key not in note}
    others = [{**step, "as": f"{step.get('as', '')}-{n}"} for n in range(1, copies)]
    if apart:
        others = [
            {**each, "name": _counted(each.get("name"), n)} for n, each in enumerate(others, 1)
        ]
    return {"do": "together", "steps": [step, *others], **note}


def _counted(name: Any, by: int) -> Any:
    """*name* with the number at its end counted on: "Ditto 3" is "Ditto 4"."""
    if type(name) is not str:
        return name
    return LAST_NUMBER.sub(lambda found: str(int(found[0]) + by), name)


def _rows(fields: QueryDict) -> Rows:
    return {
        field.removeprefix(EACH): str(fields[field]).split()
        for field in fields
        if field.startswith(EACH)
    }


def _tapped(fields: QueryDict, system: System) -> dict[str, Any] | None:
    for name, tap in taps(system).items():
        if name in fields:
            holder, _dot, kind = str(fields[name]).partition(".")
            made: dict[str, Any] = {"do": tap.do, **tap.fixed}
            if holder:
                made[tap.holder] = [holder] if tap.listed else holder
            if tap.kind:
                made[tap.kind] = kind
            if tap.source:
                made[tap.source] = holder
            if tap.counted:
                made["amount"] = STRIDE[0]
            return made
    return None


def from_form(fields: QueryDict) -> dict[str, Any]:
    """The command in a form's fields. Raises Refused "invalid"."""
    made: dict[str, Any] = {}
    new: dict[str, str] = {}
    secret = False
    for field in fields:
        if field in NOT_PARTS or field.startswith(EACH):
            continue
        path, _colon, how = field.partition(":")
        values = [value.strip() for value in fields.getlist(field) if value.strip()]
        if how == "member":
            key, _dot, member = path.partition(".")
            members = made.setdefault(key, [])
            if type(members) is not list:
                raise contradiction()
            if values and member:
                members.append(member)
        elif how == "new":
            new[path] = values[-1] if values else ""
        elif values:
            key, dot, inner = path.partition(".")
            value = _read(how, values)
            secret = secret or how == "secret"
            inside = made.setdefault(key, {}) if dot else made
            if type(inside) is not dict:
                raise contradiction()
            if how == "inside":
                outer, _dot, inner = inner.partition(".")
                inside = inside.setdefault(outer, {})
                if type(inside) is not dict:
                    raise contradiction()
            inside[inner if dot else key] = value
    if made.get("do") == "create":
        new.setdefault("as", "")
    for key, like in new.items():
        made.setdefault(key, new_id("" if secret else str(made.get("name", like))))
    return made


def contradiction() -> Refused:
    """The refusal of fields that name one parameter in different ways."""
    return Refused("invalid", "Two fields of that form contradict each other.")


def _read(how: str, values: list[str]) -> Any:
    if how == "list":
        return values
    if how in ("kind", "kinds"):
        kinds = [typed_kind(value) for value in values]
        return kinds if how == "kinds" else kinds[-1]
    if how in ("flag", "no", "secret"):
        return how != "no"
    if how == "json":
        try:
            return read_json(values[-1])
        except ValueError:
            return values[-1]
    if how in ("number", "inside"):
        number = whole_number(values[-1])
        return values[-1] if number is None else number
    return values[-1]


def typed_kind(text: str) -> str:
    """Typed text as the rules spell a kind of counter: "Energía!" is "energia"."""
    parts = unicodedata.normalize("NFD", text)
    plain = "".join(each for each in parts if not unicodedata.combining(each)).lower()
    return NOT_IN_KINDS.sub(" ", plain).lstrip("/'.: ").rstrip(" ")


def new_id(name: str) -> str:
    """A unique id for a new object, made from its name."""
    letters = NOT_IN_IDS.sub("-", name.lower()).strip("-")[:30].lstrip("0123456789-") or "card"
    return f"{letters}-{secrets.token_hex(2)}"
