"""Scenes: the parts of a session that counters belong to, and which of them are in play.

A scene is prepared, running or over. One that was only ever named on a counter is running, as all
were before scenes had states.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec.structs import replace

from ..rules.commands import NAME, Command, Parameter, one_of
from ..rules.events import Event
from ..rules.state import GameState, Refused
from ..rules.system import System, cites
from .counter import (
    SCENE_STATES,
    Counter,
    Sight,
    counter_in,
    game_master,
    scene_state,
    sight,
)

MOST_SCENES = 100


class SceneFact(Event, frozen=True):
    """A scene is in another state. secret: players never knew of it."""

    scene: str
    secret: bool | None = None

    becomes: ClassVar[str | None]

    def evolve(self, state: GameState) -> GameState:
        scenes = dict(state.scenes)
        if self.becomes is None:
            scenes.pop(self.scene, None)
        else:
            scenes[self.scene] = self.becomes
        return replace(state, scenes=scenes)


class ScenePrepared(SceneFact, frozen=True):
    """Players see nothing of it until it begins."""

    kind: ClassVar[str] = "scene-prepared"
    becomes = "prepared"


class SceneBegan(SceneFact, frozen=True):
    kind: ClassVar[str] = "scene-began"
    becomes = "running"


class SceneEnded(SceneFact, frozen=True):
    kind: ClassVar[str] = "scene-ended"
    becomes = "over"


class SceneDropped(SceneFact, frozen=True):
    """It was prepared, and holds nothing: it is forgotten."""

    kind: ClassVar[str] = "scene-dropped"
    becomes = None


class SetScene(Command, frozen=True, kw_only=True):
    """Prepare a scene, begin it, or say that it is over. GM only.

    A prepared scene that holds nothing is forgotten when it is over.
    """

    verb: ClassVar[str] = "scene"
    scene: Annotated[str, Parameter(NAME)]
    to: Annotated[str, Parameter(one_of(*SCENE_STATES))]


@cites("R30", "R14")
def set_scene(system: System, state: GameState, command: SetScene) -> Iterator[Event]:
    scene, to = command.scene, command.to
    held = list(counters_of(state, scene))
    known = scene in state.scenes or bool(held)
    was = scene_state(state, scene)
    if known and to == was:
        return
    if to == "over" and not known:
        raise Refused("unknown", "There is no scene called {scene}.", "R30", scene=scene)
    if to == "over" and was == "prepared" and held:
        sentence = "“{scene}” has not begun, so it cannot be over."
        raise Refused("wrong-phase", sentence, "R30", scene=scene)
    if scene not in state.scenes and len(state.scenes) >= MOST_SCENES:
        sentence = "A session has at most {most} scenes."
        raise Refused("over-maximum", sentence, "R30", most=MOST_SCENES)
    if to == "prepared":
        yield ScenePrepared(scene, secret=True)
    elif to == "running":
        yield SceneBegan(scene)
    elif was == "prepared":
        yield SceneDropped(scene, secret=True)
    else:
        yield SceneEnded(scene, None if knows_scene(state, None, scene) else True)


def counters_of(state: GameState, scene: str) -> Iterator[Counter]:
    """The counters of *scene*."""
    every = (counter_in(state, counter_id) for counter_id in state.slot_counters)
    return (counter for counter in every if counter.scene == scene)


@cites("R14", "R30")
def knows_scene(state: GameState, seat: str | None, scene: str) -> bool:
    """True if *seat* may know of a scene: it was sent its beginning, or sees a counter of it."""
    if game_master(state, seat) or state.scenes.get(scene) == "running":
        return True
    return any(
        sight(state, seat, counter) is Sight.EVERYTHING for counter in counters_of(state, scene)
    )


@cites("R14", "R30")
def refuse_unknown_scene(state: GameState, by: str, scene: str | None) -> None:
    """Refuse a scene that the seat may not know of as one that does not exist."""
    if scene and not knows_scene(state, by, scene):
        raise Refused("unknown", "There is no such scene.", "R14")
