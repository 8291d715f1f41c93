"""What happens in every game with a field, so that numbers change by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.events import Created, Event, Moved
from games.rules.state import GameState
from games.rules.system import Happening, Occasion


def enters(type_: str) -> Occasion:
    """A card of that type enters the field."""

    def occasion(state: GameState, event: Event) -> Iterator[Happening]:
        card = state.objects[event.object] if isinstance(event, Created | Moved) else None
        if card and card.on_field and type_ in getattr(card, "types", ()):
            yield Happening(card.controller, card.id)

    return occasion


def leaves(type_: str = "", to: str = "", how: str = "") -> Occasion:
    """A card leaves, if they are said of that type, to that zone, and so; it looks back."""

    def occasion(state: GameState, event: Event) -> Iterator[Happening]:
        if isinstance(event, Moved):
            card = state.objects[event.object]
            said = type_ in ("", *getattr(card, "types", ())), to in ("", event.to, event.sent)
            if event.from_ in card.field_zones and not card.on_field and all(said):
                if how in ("", event.how):
                    yield Happening(event.left or event.controller, card.id, had=event.had)

    return occasion
