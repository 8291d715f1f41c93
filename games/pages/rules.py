"""The help on a rule system, with rules cited in our words: as a page, and as a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from msgspec import Struct

from games.pages.access import require_guest
from games.pages.sheets import sheet_over
from games.rules import table_rules
from games.rules.state import GameObject, Seat
from games.rules.system import System
from games.screens import view_models
from games.screens.secrets import seen_state
from games.screens.templates import find_own
from games.screens.words import words_of
from games.seats import hosts
from games.seats.guests import Guest
from games.systems import SYSTEMS, find, presentation_of


class Differences(Struct, frozen=True):
    """Differences between editions of the same rules.

    more, less: the numbers of rules that only this edition, or only the other, has. otherwise:
    numbers with different texts. kinds: counters with rules only in this edition. plain: counters
    with rules only in the other, which are generic here.
    """

    edition: str
    more: tuple[str, ...]
    less: tuple[str, ...]
    otherwise: tuple[str, ...]
    kinds: tuple[str, ...]
    plain: tuple[str, ...]

    def __bool__(self) -> bool:
        return any((self.more, self.less, self.otherwise, self.kinds, self.plain))


def differences(system: System) -> Iterator[Differences]:
    """The differences of *system* from each other edition of the same rules."""
    for other in SYSTEMS[system.name]:
        if other.edition != system.edition:
            here, there = system.rulebook, other.rulebook
            yield Differences(
                other.edition,
                more=tuple(number for number in here.rules if number not in there.rules),
                less=tuple(number for number in there.rules if number not in here.rules),
                otherwise=tuple(
                    number
                    for number, rule in here.rules.items()
                    if number in there.rules and rule.text != there.rules[number].text
                ),
                kinds=tuple(kind for kind in here.kinds if kind not in there.kinds),
                plain=tuple(kind for kind in there.kinds if kind not in here.kinds),
            )


def house_rules(system: System, settings: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """Each house rule: the question, its answer in *settings*, and whether it was changed."""
    return [
        (rule.text, words_of(system).answer(value), value != rule.values[0])
        for name, rule in system.rulebook.settings.items()
        for value in [settings.get(name, rule.values[0])]
    ]


def _context(system: System) -> dict[str, Any]:
    return {
        "system": system,
        "editions": SYSTEMS[system.name],
        "differences": [each for each in differences(system) if each],
        "table_rules": table_rules.applying_to(system),
        "explained": presentation_of(system).new_game.explained(system),
        "more": find_own(system, "pages/_help.html"),
    }


@require_GET
def rules_help(request: HttpRequest, system: str) -> HttpResponse:
    """The help page of a rule system: each rule in our words, and what is left to the players."""
    try:
        chosen = find(system, request.GET.get("edition"))
    except KeyError:
        raise Http404 from None
    return render(request, "pages/help.html", _context(chosen))


def _inputs(guest: Guest, prompt_id: str) -> Iterator[str]:
    """The subject of a waiting question, as it stands now: "Ally 3: 2 wither → 2 reserve"."""
    its = words_of(guest.game.rules)
    state = seen_state(guest.game, guest.key) if prompt_id else None
    prompt = state.prompt(prompt_id) if state else None
    if state is None or prompt is None:
        return
    system, names = guest.game.rules, guest.game.names

    def label(obj: GameObject | Seat) -> str:
        if isinstance(obj, Seat):
            return names.get(obj.id, obj.id)
        return view_models.plain_name(its, obj, names.get(view_models.keeper(obj), ""))

    facts = view_models.prompt_facts(system, state, prompt, label)
    yield from map(its.phrase, facts.get("inputs", ()))


@require_GET
@require_guest
def rules_here(request: HttpRequest, guest: Guest) -> HttpResponse:
    """The help as a sheet, with this table's edition and house rules first.

    With the number of a rule in "rule", that rule is first and the rest is folded; with a question
    in "prompt" it says there what that is about.
    """
    system, asked = guest.game.rules, request.GET.get("rule", "")
    if system.defined:
        system = system.defined.read_by(system, knows=hosts.sees_everything(guest))
    rule = {**table_rules.applying_to(system), **system.rulebook.rules}.get(asked)
    context = {
        **_context(system),
        "answers": house_rules(system, guest.game.settings),
        "asked": asked if rule else "",
        "asked_rule": rule,
        "inputs": list(_inputs(guest, request.GET.get("prompt", ""))),
    }
    return sheet_over(request, guest, "sheets/_rules.html", context)
