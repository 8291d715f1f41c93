"""Django forms: a name, and a new game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.pages import definitions
from games.rules.input import whole_number
from games.rules.names import MOST, visible
from games.rules.state import Refused
from games.rules.system import System
from games.store import demos
from games.systems import SYSTEMS, asked_for, find, presentation_of, presets

MOST_SEATS = 8


class NameField(forms.CharField):
    """A name of what is seen of the typed text."""

    def clean(self, value: Any) -> str:
        return str(super().clean(visible(value or "")))


class NamesField(forms.CharField):
    """Names with commas between them, as a list; one left out is ""."""

    def clean(self, value: Any) -> list[str]:
        one = NameField(max_length=MOST, required=False)
        names = [one.clean(name) for name in (value or "").split(",")]
        while names and not names[-1]:
            names.pop()
        return names


def named(posted: Mapping[str, str]) -> str:
    """The name in a form. Raises Refused."""
    try:
        return NameField(max_length=MOST).clean(posted.get("name"))
    except forms.ValidationError:
        message = gettext("A name must have 1 to 40 characters that people see.")
        raise Refused("invalid", message) from None


class NewGame(forms.Form):
    """System and edition, number of seats, preset and house rules.

    phones: "one" if a single phone lies in the middle for all.
    """

    rules = forms.CharField()
    seats = forms.IntegerField(min_value=1, max_value=MOST_SEATS, initial=2)
    preset = forms.CharField(required=False)
    name = NameField(max_length=MOST, required=False, label=_("Your name"))
    others = NamesField(required=False)
    phones = forms.CharField(required=False)

    def clean_rules(self) -> System:
        name, edition, chosen = asked_for(self.cleaned_data["rules"], self.data.get("ready", ""))
        if name not in SYSTEMS:
            raise forms.ValidationError(_("There is no such rule system."))
        try:
            system = find(name, edition or None)
        except KeyError:
            raise forms.ValidationError(_("There is no such edition.")) from None
        draft = presentation_of(system).new_game.draft
        if draft is None:
            return system
        ready = demos.ready_games(name).get(chosen)
        if sent := self.data.get("packed", ""):
            try:
                ready = definitions.parsed(sent).definition
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
        for name, setting in system.rulebook.settings.items():
            wanted = self.data.get(f"setting.{name}")
            value = next((each for each in setting.values if str(each) == wanted), None)
            if wanted is not None and value is not None:
                chosen[name] = value
        defaults = system.rulebook.settings
        return {k: value for k, value in chosen.items() if value != defaults[k].values[0]}
