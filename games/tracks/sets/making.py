"""Making and changing counters: what a table's set adds to what every GM's table can do.

Source: docs/ANY-RPG.md.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from ...rules.commands import ID, NAME, Parameter, Reader, Terms, each, invalid, one_of, table
from ...rules.commands import whole as number
from ...rules.system import cites
from .. import filling, making, permissions
from ..counter import ACTS, PERMITTED, Link
from ..making import or_null
from .set_system import SetSystem
from .tracker import LOOKS, MOST_INITIATIVE, Word

MOST = 9999
COUNT = number(1, MOST)
LOOK = one_of(*LOOKS)
INITIATIVE = number(0, MOST_INITIATIVE)
BONUS = number(-MOST_INITIATIVE, MOST_INITIATIVE)
THRESHOLDS = table(one_of(*(str(count) for count in range(1, 13))), NAME)
LINK = Reader(
    "a link {to: counter, do: advance, fill, clear, reveal, start or resolve, slots: 1-10}",
    making.link(*making.LINK_ACTS, "resolve"),
)
LINKS = each(LINK, 0, making.MOST_LINKS)
LATER = each(one_of("completes", *(str(count) for count in range(1, 13))))


def _word(value: Any, system: Terms) -> Word:
    if type(value) is not dict or set(value) != {"to", "word"}:
        raise ValueError
    return Word(number(0, 100).read(value["to"], system), NAME.read(value["word"], system))


WORDS = each(Reader("a word {to: 0-100, word: text}", _word), 0, 8)


class Create(making.Create, frozen=True, kw_only=True):
    """Make a counter of one of the set's types. A player owns the counters they make.

    type: the set's first if none is said. look, slots: the type's if none are said. filled: how
    many slots are filled already. initiative: its place in the turn order. words: what those who
    know it by name are told. scene, order: the tab it is under, and its place. later: the texts
    that players read only when it happens: "completes", and thresholds by their number of slots.
    permissions, links, later: only the GM can set these. gm_note: only the GM can write and read
    it.
    """

    verb: ClassVar[str] = "create"
    type: Annotated[str, Parameter(ID)] = ""
    slots: Annotated[int | None, Parameter(COUNT)] = None  # type: ignore[assignment]
    thresholds: Annotated[dict[str, str] | None, Parameter(THRESHOLDS)] = None
    later: Annotated[tuple[str, ...] | None, Parameter(LATER)] = None
    links: Annotated[tuple[Link, ...] | None, Parameter(LINKS, names=making.LINKED)] = None
    look: Annotated[str | None, Parameter(LOOK)] = None
    filled: Annotated[int | None, Parameter(number(0, MOST))] = None
    initiative: Annotated[int | None, Parameter(INITIATIVE)] = None
    words: Annotated[tuple[Word, ...] | None, Parameter(WORDS)] = None

    def holds_items(self, system: SetSystem) -> bool:
        return bool(self.usual(system)["counts"] == "items")

    def usual(self, system: SetSystem) -> dict[str, Any]:
        return system.usual(self.type)

    @cites("Any 1")
    def check(self, system: SetSystem) -> None:
        if self.type and system.set.type_of(self.type) is None:
            raise invalid("There is no type “{type}” in this table’s set.", type=self.type)
        making.Create.check(self, system)
        if self.filled and self.holds_items(system):
            raise invalid("An inventory cannot have “{parameter}”.", parameter="filled")

    @cites("Any 2")
    def refused(self, counter: Any) -> None:
        making.Create.refused(self, counter)
        if counter.filled > counter.slots:
            raise invalid("It cannot have more filled slots than slots.")


class Edit(making.Edit, frozen=True, kw_only=True):
    """Change fields of a counter; filled slots stay filled as far as there is room.

    null clears `owner`, `scene`, `role`, `loop`, `completes`, `gm_note`, `initiative` and `bonus`,
    with which a d20 is rolled as a turn order begins. Only the GM can set `owner`, `permissions`,
    `links` and `later`: the texts that players read only when it happens. Only the GM can write and
    read `gm_note`. Texts that a player cannot read stay as they are.
    """

    verb: ClassVar[str] = "edit"
    races: ClassVar[bool] = True
    slots: Annotated[int | None, Parameter(COUNT)] = None
    thresholds: Annotated[dict[str, str] | None, Parameter(THRESHOLDS)] = None
    later: Annotated[tuple[str, ...] | None, Parameter(LATER)] = None
    links: Annotated[tuple[Link, ...] | None, Parameter(LINKS, names=making.LINKED)] = None
    look: Annotated[str | None, Parameter(LOOK)] = None
    initiative: Annotated[Any, Parameter(or_null(INITIATIVE))] = None
    bonus: Annotated[Any, Parameter(or_null(BONUS))] = None
    words: Annotated[tuple[Word, ...] | None, Parameter(WORDS)] = None


class Restart(filling.Restart, frozen=True, kw_only=True):
    """Restart a counter: empty, by default with as many slots as before and no temporary ones."""

    verb: ClassVar[str] = "restart"
    slots: Annotated[int | None, Parameter(COUNT)] = None
    temporary: Annotated[int, Parameter(number(0, MOST))] = 0


class Allow(permissions.Allow, frozen=True, kw_only=True):
    """Say who may do what with the table's counters of a type without asking. GM only.

    acts: all that is settled for the type; what is left out is the owner's.
    """

    verb: ClassVar[str] = "allow"
    type: Annotated[str, Parameter(ID)]

    @cites("Any 1")
    def check(self, system: SetSystem) -> None:
        if system.set.type_of(self.type) is None:
            raise invalid("There is no type “{type}” in this table’s set.", type=self.type)


BY_TYPE = table(ID, table(one_of(*ACTS), one_of(*PERMITTED)))
