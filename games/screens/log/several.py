"""What people call several cards or players, and where cards went: "22 creatures to exile"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.state import CEASED, GameObject
from games.rules.system import System
from games.screens.log.parts import times
from games.screens.words import word_for
from games.systems import presentation_of


def called(system: System, cards: Sequence[GameObject]) -> Iterator[str]:
    """What to call *cards*, the most telling first: a name, "Zombie ×20", "22 creatures"."""
    own, names = presentation_of(system), set(map(attrgetter("name"), cards))
    if len(names) == 1:
        yield f"{names.pop()}{times(len(cards))}"
    for sort, word in own.words.sorts.items():
        if all(sort in (*getattr(card, "types", ()), card.zone) for card in cards):
            yield f"{len(cards)} {_(word)}"
    yield f"{len(cards)} {_(own.words.counted_as[len(cards) != 1])}"
    yield ngettext("%(n)s card", "%(n)s cards", len(cards)) % {"n": len(cards)}


def players(n: int) -> str:
    return ngettext("%(n)s player", "%(n)s players", n) % {"n": n}


def sent(system: System, cards: Sequence[GameObject], ends: Sequence[str]) -> str:
    """What went where: "22 creatures to the graveyard".

    ends: the zones they went to. Of tokens among other cards, people say the same.
    """
    zones = [end for end in ends if end != CEASED]
    to = max(zones, key=zones.count) if zones else CEASED
    if where := presentation_of(system).words.into.get(to):
        words = _(where)
    elif to == CEASED:
        words = _("gone")
    else:
        words = _("to %(zone)s") % {"zone": word_for(to)}
    return f"{next(called(system, cards))} {words}"
