"""Forms: a new game, a name, and any command.

In a command's form, the name of each field says how to read it. So the page's script and this
module make the same JSON of it, for every verb of every system:

    on             text                     {"on": "wolf"}
    amount:number  a whole number           {"amount": 3}
    combat:flag    a checkbox               {"combat": true}, or nothing
    hidden:secret  a checkbox like a flag; the new id then says nothing about the name
    value:no       false                    {"value": false}
    types:list     all values               {"types": ["ally", "unique"]}
    base.life:number   inside a map         {"base": {"life": 4}}
    as.base.life:inside  a whole number inside a map inside a map  {"as": {"base": {"life": 4}}}
    dice:json      any other value          {"dice": [7, 3]}
    paid.wolf:member   a name in a list     {"paid": ["wolf"]} with a value, else {"paid": []}
    as:new         an id no one has         {"as": "wolf-3f7a"}, like the name or else the value
    each.wolf      ids                      what names "wolf" means each of them: see `stacks`

An empty field is left out.
"""

from __future__ import annotations

import re
import secrets
from typing import Any

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.pages import definitions
from games.rules.numbers import whole_number
from games.rules.printable import UNPRINTABLE
from games.rules.sent import read_json
from games.rules.state import Refused
from games.rules.system import System
from games.screens.stacks import for_each
from games.store import demos
from games.systems import SYSTEMS, find, presentation_of, presets, taps
from games.systems.pieces import STRIDE

MOST_SEATS = 8
EACH = "each."
NOT_PARTS = frozenset({"csrfmiddlewaretoken"})
NOT_IN_IDS = re.compile(r"[^a-z0-9]+")


def command(request: HttpRequest, system: System) -> dict[str, Any]:
    """The command in *request*: JSON, a filled-in form, or one button. Raises Refused "invalid"."""
    if request.content_type == "application/json":
        try:
            raw = read_json(request.body)
        except ValueError:
            raise Refused("invalid", "That is not JSON.") from None
        if type(raw) is not dict:
            raise Refused("invalid", "A command is a JSON object.")
        return raw
    made = _tapped(request.POST, system) or from_form(request.POST)
    return for_each(system, made, _rows(request.POST))


def _rows(posted: QueryDict) -> dict[str, list[str]]:
    """What each row means of which the page tells, by its first id."""
    return {
        field.removeprefix(EACH): str(posted[field]).split()
        for field in posted
        if field.startswith(EACH)
    }


def _tapped(posted: QueryDict, system: System) -> dict[str, Any] | None:
    for name, tap in taps(system).items():
        if name in posted:
            holder, _dot, kind = str(posted[name]).partition(".")
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


def from_form(posted: QueryDict) -> dict[str, Any]:
    """The command in a form's fields. Raises Refused "invalid"."""
    made: dict[str, Any] = {}
    new: dict[str, str] = {}
    secret = False
    for field in posted:
        if field in NOT_PARTS or field.startswith(EACH):
            continue
        path, _colon, how = field.partition(":")
        values = [value.strip() for value in posted.getlist(field) if value.strip()]
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


def new_id(name: str) -> str:
    """A unique id for a new object, made from its name."""
    letters = NOT_IN_IDS.sub("-", name.lower()).strip("-")[:30].lstrip("0123456789-") or "card"
    return f"{letters}-{secrets.token_hex(2)}"


class NameField(forms.CharField):
    """A name without unprintable characters, direction marks, and outer or double spaces."""

    def clean(self, value: Any) -> str:
        return str(super().clean(" ".join(UNPRINTABLE.sub(" ", value or "").split())))


class NamesField(forms.CharField):
    """Names with commas between them, as a list; one left out is ""."""

    def clean(self, value: Any) -> list[str]:
        one = NameField(max_length=40, required=False)
        names = [one.clean(name) for name in (value or "").split(",")]
        while names and not names[-1]:
            names.pop()
        return names


class SeatName(forms.Form):
    name = NameField(max_length=40, label=_("Name"))


class NewGame(forms.Form):
    """System and edition, number of seats, preset and house rules."""

    rules = forms.CharField()
    seats = forms.IntegerField(min_value=1, max_value=MOST_SEATS, initial=2)
    preset = forms.CharField(required=False)
    name = NameField(max_length=40, required=False, label=_("Your name"))
    others = NamesField(required=False)

    def clean_rules(self) -> System:
        name, _slash, edition = self.cleaned_data["rules"].partition("/")
        if name not in SYSTEMS:
            raise forms.ValidationError(_("There is no such rule system."))
        try:
            system = find(name, edition or None)
        except KeyError:
            raise forms.ValidationError(_("There is no such edition.")) from None
        draft = presentation_of(system).new_game.draft
        if draft is None:
            return system
        ready = demos.ready_games(name).get(self.data.get("ready", ""))
        if sent := self.data.get("packed", ""):
            try:
                ready = definitions.heard(sent).definition
            except definitions.Unreadable as refused:
                raise forms.ValidationError(refused.why) from None
        made = draft(self.data, ready)
        if made.faults:
            raise forms.ValidationError([gettext(each) for each in made.faults])
        return system.of_table(made.settings)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        system, count = cleaned.get("rules"), cleaned.get("seats")
        if system and count:
            preset = presets.preset(system, cleaned.get("preset", ""))
            least, most = preset.seats
            if not least <= count <= most:
                message = _("%(title)s is for %(least)s to %(most)s seats.")
                facts = {"title": preset.title, "least": least, "most": most}
                self.add_error("seats", forms.ValidationError(message, params=facts))
            if len(others := cleaned.get("others", [])) >= count:
                too_many = ngettext(
                    "There are %(n)s names for %(seats)s other seat.",
                    "There are %(n)s names for %(seats)s other seats.",
                    count - 1,
                )
                facts = {"n": len(others), "seats": count - 1}
                self.add_error("others", forms.ValidationError(too_many, params=facts))
        return cleaned

    def given(self, seats: list[str]) -> dict[str, Any]:
        """The preset's opening, with the life and teams that the host chose."""
        system: System = self.cleaned_data["rules"]
        given = presets.preset(system, self.cleaned_data["preset"]).given(seats)
        switches = presets.switches(system)
        if not switches:
            return given
        shared: dict[str, Any] = {}
        for name, usual in switches.items():
            chosen = self.data.get(f"team.{name}", "")
            if type(usual) is bool:
                shared[name] = chosen == "on"
            elif number := whole_number(chosen, 1, 9999):
                shared[name] = number
        size = whole_number(self.data.get("team.size", ""), 0, MOST_SEATS)
        return presets.own_way(
            given, seats, whole_number(self.data.get("life", ""), 1, 9999), size, shared
        )

    def house_rules(self) -> dict[str, Any]:
        """The settings that differ from their defaults: the preset's and those chosen."""
        system: System = self.cleaned_data["rules"]
        chosen = dict(presets.preset(system, self.cleaned_data["preset"]).settings)
        for name, setting in system.settings.items():
            wanted = self.data.get(f"setting.{name}")
            value = next((each for each in setting.values if str(each) == wanted), None)
            if wanted is not None and value is not None and value != setting.values[0]:
                chosen[name] = value
        return chosen
