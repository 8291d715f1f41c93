"""Sentences of the log for the events of slot counters: what `Story.sentences` begins with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from games.rules.state import Words
from games.rules.state import marked as _
from games.tracks.notes import is_handout

from .log_words import Sentence, SentenceRule

Event = Mapping[str, Any]
ByField = Mapping[str, Words]
"""By field: the sentence of an event in which it is set. The first counts; "" is for all others."""

HANDOUT: ByField = {
    "to": _("showed %(to)s: %(title)s"),
    "secret": _("for the GM only: %(title)s"),
    "": _("showed everyone: %(title)s"),
}
"""Of a handout that was made, shown or taken back."""
NOTE: ByField = {"to": _("told you: %(text)s"), "": _("noted: %(text)s")}
BY_FIELD: Mapping[str, ByField] = {
    "acted": {
        "reaction": _("%(seat)s reacts"),
        "outcome": _("%(seat)s acts: %(outcome)s"),
        "": _("%(seat)s acts"),
    },
    "proposed": {"hits": _("hit %(on)s for %(hits)s"), "": _("asked the GM about %(on)s")},
    "answered": {"accepted": _("allowed it"), "": _("declined the request")},
    "resolved": {"resolved": _("%(on)s is resolved"), "": _("%(on)s is open again")},
    "appointed": {"co_gm": _("%(seat)s is co-GM"), "": _("%(seat)s is no longer co-GM")},
    "session-ended": {
        "name": _("Session %(session)s is over: %(name)s"),
        "": _("Session %(session)s is over"),
    },
    "dismissed": {
        "outcome": _("done with what followed %(seat)s’s Action"),
        "": _("read what %(seat)s whispered"),
    },
}
PLAIN: Mapping[str, Words] = {
    "created": _("added %(on)s"),
    "revealed": _("%(on)s is revealed"),
    "past-shared": _("told the past of %(on)s"),
    "discarded": _("removed %(on)s from the table"),
    "threshold-reached": _("%(on)s: %(threshold)s"),
    "completed": _("%(on)s is complete"),
    "overflowed": _("%(on)s: %(slots)s left over"),
    "gained-while-full": _("%(on)s gained %(slots)s while full"),
    "reopened": _("%(on)s is open again"),
    "retracted": _("%(on)s is no longer complete"),
    "spent": "",
    "made-way": "",
    "note-made-way": "",
    "wounded": _("%(on)s: a Wound of rank %(rank)s"),
    "restarted": _("%(on)s starts again"),
    "put": _("%(item)s put into %(on)s"),
    "taken-out": _("%(item)s taken out of %(on)s"),
    "released": _("%(on)s released %(items)s"),
    "prompted": "",
    "voided": "",
    "replied": _("replied: %(text)s"),
    "rolls-used": "",
    "allowed": _("changed who may act on counters of the type %(type)s"),
    "scene-prepared": _("%(scene)s is prepared"),
    "scene-began": _("%(scene)s begins"),
    "scene-ended": _("%(scene)s is over"),
    "scene-dropped": _("%(scene)s is no longer prepared"),
    "recalled": _("told you: %(text)s"),
    "chair-added": _("added a seat for a co-GM without a protagonist"),
}


def by_field(sentences: ByField, event: Event) -> Sentence:
    """The sentence of *event* among several."""
    return Sentence(next(text for key, text in sentences.items() if not key or event.get(key)))


def noted(event: Event) -> Sentence:
    if is_handout(event):
        return by_field(HANDOUT, event)
    return by_field({"answers": _("answered: %(text)s"), **NOTE}, event)


def amended(event: Event) -> Sentence:
    return by_field(HANDOUT if is_handout(event) else NOTE, event)


def struck(event: Event) -> Sentence:
    handout = _("crossed off: %(title)s")
    return Sentence(handout if is_handout(event) else _("crossed off: %(text)s"))


def rolled(event: Event) -> Sentence:
    at_table = _("rolled %(points)s at the table for %(on)s")
    return Sentence(_("rolled %(dice)s for %(on)s") if event.get("points") is None else at_table)


def milestone(event: Event) -> Sentence:
    major = event["milestone"] == "major"
    return Sentence(_("Major Milestone") if major else _("Minor Milestone"))


SENTENCES: Mapping[str, SentenceRule] = {
    **{kind: Sentence(text) for kind, text in PLAIN.items()},
    **{kind: partial(by_field, sentences) for kind, sentences in BY_FIELD.items()},
    "noted": noted,
    "amended": amended,
    "struck": struck,
    "rolled": rolled,
    "milestone-reached": milestone,
}
