"""The end of a session: what is settled, and the recap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from ..rules import chapters
from ..rules.commands import ID, NAME, SEAT, TIME, Command, Parameter, each, table, text
from ..rules.state import GameState, Refused
from ..rules.system import System, cites
from .course import Course
from .play import STEP_LIST, take_steps

LINES = each(text(300), 0, chapters.MOST_LINES, distinct=False)
ALONE = table(ID, LINES)


class EndSession(Command, frozen=True, kw_only=True):
    """End the session, with its `steps`, as one chapter of the log. GM only.

    lines: the recap that everyone reads. alone: by seat, what only it reads besides. word: a last
    one for everyone. at: when, in seconds since 1970.
    """

    verb: ClassVar[str] = "end-session"
    steps: Annotated[tuple[Mapping[str, Any], ...], Parameter(STEP_LIST)] = ()
    name: Annotated[str | None, Parameter(NAME)] = None
    lines: Annotated[tuple[str, ...], Parameter(LINES)] = ()
    alone: Annotated[Mapping[str, tuple[str, ...]] | None, Parameter(ALONE, names=SEAT)] = None
    word: Annotated[str | None, Parameter(text(300))] = None
    at: Annotated[int | None, Parameter(TIME)] = None


def end_session(system: System, state: GameState, command: EndSession) -> Course:
    return ended(Course(system, state), command)


@cites("R35")
def ended(course: Course, command: EndSession) -> Course:
    """End the session after what *course* has done already."""
    over = len(chapters.chapters(course.state))
    if over >= chapters.MOST_CHAPTERS:
        sentence = "A game has at most {most} sessions. Start a rematch to continue."
        raise Refused("over-maximum", sentence, "R35", most=chapters.MOST_CHAPTERS)
    take_steps(course, command.by, command.steps, given_as=command.given_as)
    course.happen(
        chapters.SessionEnded(over + 1, command.lines, command.name, command.word, command.at)
    )
    for seat, lines in (command.alone or {}).items():
        for line in lines:
            course.happen(chapters.Recalled(line, command.by, (seat,)))
    return course
