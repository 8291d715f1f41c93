"""Sentences of the log for the events of slot counters; a name stands for a fact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext_noop as later

from games.rules.slots.notes import is_handout

MOVES: Mapping[str, tuple[str, int]] = {
    "filled": (later("%(slots)s filled on %(on)s"), 1),
    "cleared": (later("%(slots)s cleared on %(on)s"), -1),
    "temporary-lost": (later("%(slots)s temporary filled and lost on %(on)s"), 0),
    "temporary-added": (later("%(slots)s temporary added to %(on)s"), 0),
}
"""Events that change slots: the sentence, and by how much one slot moves what is filled."""
SPENDS: Mapping[str, tuple[str, int]] = {
    "filled": (later("%(slots)s spent from %(on)s"), -1),
    "cleared": (later("%(slots)s regained on %(on)s"), 1),
    "temporary-lost": (later("%(slots)s temporary spent from %(on)s"), -1),
    "temporary-added": (later("%(slots)s temporary added to %(on)s"), 1),
}
"""The same of a resource, and what is left of it."""
FIELDS: Mapping[str, str] = {
    "visibility": later("who can see it"),
    "seats": later("which seats can see it"),
    "slots": later("how many slots"),
    "worth": later("points per slot"),
    "name": later("its name"),
    "links": later("links"),
    "permissions": later("who may act"),
    "scene": later("scene"),
    "order": later("position"),
    "owner": later("owner"),
    "loop": later("looping"),
    "paused": later("pause"),
    "thresholds": later("labels"),
    "completes": later("what completing it means"),
    "gm_note": later("the GM’s note"),
    "look": later("how it is drawn"),
    "words": later("its words"),
    "initiative": later("initiative"),
    "item_texts": later("a line about an item"),
    "item_secrets": later("a secret of an item"),
}
"""The fields of a counter that can be changed, in words."""


def _shown(event: Mapping[str, Any]) -> str:
    """The sentence of a handout that was made, shown or taken back."""
    if event.get("to"):
        return later("showed %(to)s: %(title)s")
    if event.get("secret"):
        return later("for the GM only: %(title)s")
    return later("showed everyone: %(title)s")


FORKS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "acted": lambda event: (
        later("%(seat)s reacts")
        if event.get("reaction")
        else later("%(seat)s acts: %(outcome)s")
        if event.get("outcome")
        else later("%(seat)s acts")
    ),
    "rolled": lambda event: (
        later("rolled %(dice)s for %(on)s")
        if event.get("points") is None
        else later("rolled %(points)s at the table for %(on)s")
    ),
    "answered": lambda event: (
        later("allowed it") if event.get("accepted") else later("declined the request")
    ),
    "noted": lambda event: (
        _shown(event)
        if is_handout(event)
        else later("answered: %(text)s")
        if event.get("answers")
        else later("told you: %(text)s")
        if event.get("to")
        else later("noted: %(text)s")
    ),
    "amended": lambda event: (
        _shown(event)
        if is_handout(event)
        else later("told you: %(text)s")
        if event.get("to")
        else later("noted: %(text)s")
    ),
    "struck": lambda event: (
        later("crossed off: %(title)s") if is_handout(event) else later("crossed off: %(text)s")
    ),
    "resolved": lambda event: (
        later("%(on)s is resolved") if event.get("resolved") else later("%(on)s is open again")
    ),
    "appointed": lambda event: (
        later("%(seat)s is co-GM") if event.get("co_gm") else later("%(seat)s is no longer co-GM")
    ),
    "chair-added": lambda event: later("added a seat for a co-GM without a protagonist"),
    "session-ended": lambda event: (
        later("Session %(session)s is over: %(name)s")
        if event.get("name")
        else later("Session %(session)s is over")
    ),
    "dismissed": lambda event: (
        later("done with what followed %(seat)s’s Action")
        if event.get("outcome")
        else later("read what %(seat)s whispered")
    ),
    "milestone-reached": lambda event: (
        later("Major Milestone") if event["milestone"] == "major" else later("Minor Milestone")
    ),
}
"""Events with one of several sentences."""
NEVER_UNDONE = frozenset({"undo", "redo", "roll"})
"""Commands that are never undone, because they change nothing themselves."""
SENTENCES: Mapping[str, str] = {
    "created": later("added %(on)s"),
    "revealed": later("%(on)s is revealed"),
    "past-shared": later("told the past of %(on)s"),
    "discarded": later("removed %(on)s from the table"),
    "threshold-reached": later("%(on)s: %(threshold)s"),
    "completed": later("%(on)s is complete"),
    "overflowed": later("%(on)s: %(slots)s left over"),
    "gained-while-full": later("%(on)s gained %(slots)s while full"),
    "reopened": later("%(on)s is open again"),
    "retracted": later("%(on)s is no longer complete"),
    "spent": "",
    "made-way": "",
    "note-made-way": "",
    "wounded": later("%(on)s: a Wound of rank %(rank)s"),
    "restarted": later("%(on)s starts again"),
    "put": later("%(item)s put into %(on)s"),
    "taken-out": later("%(item)s taken out of %(on)s"),
    "released": later("%(on)s released %(items)s"),
    "proposed": later("asked the GM about %(on)s"),
    "prompted": "",
    "voided": "",
    "replied": later("replied: %(text)s"),
    "rolls-used": "",
    "allowed": later("changed who may act on counters of the type %(type)s"),
    "scene-prepared": later("%(scene)s is prepared"),
    "scene-began": later("%(scene)s begins"),
    "scene-ended": later("%(scene)s is over"),
    "scene-dropped": later("%(scene)s is no longer prepared"),
    "recalled": later("told you: %(text)s"),
    "noted": later("noted: %(text)s"),
}
