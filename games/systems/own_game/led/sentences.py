"""What the GM's table counts, in sentences."""

from __future__ import annotations

from games.rules.slots.sets.definition import Outcome, Set, TypeOf
from games.rules.state import Phrase

from ..language.saying import row


def lines(made: Set) -> dict[str, Phrase]:
    """A set in sentences, by what each is about."""
    said: dict[str, Phrase] = {}
    for each in made.types:
        said[f"type {each.type}"] = _type(each)
    for own in made.kit:
        said[f"kit {own.name}"] = Phrase("Every player has {name}.", name=own.name)
    for own in made.shared:
        said[f"shared {own.name}"] = Phrase("The table begins with {name}.", name=own.name)
    for key, outcome in made.by_outcome.items():
        said[f"outcome {key}"] = _outcome(made, outcome)
    for scale in made.scales:
        steps = row(
            Phrase("{name} {n}", name=step.name, n=f"{step.adds:+d}") if step.adds else step.name
            for step in scale.steps
        )
        said[f"scale {scale.name}"] = Phrase("{name}: {steps}", name=scale.name, steps=steps)
    for condition in made.conditions:
        said[f"condition {condition.name}"] = (
            Phrase(
                "Condition {name}, for {n} {n|round|rounds}",
                name=condition.name,
                n=condition.rounds,
            )
            if condition.rounds
            else Phrase("Condition {name}", name=condition.name)
        )
    if made.turns:
        said["turns"] = Phrase("There is a turn order.")
    return said


def _outcome(made: Set, outcome: Outcome) -> Phrase:
    ticks = []
    for each in outcome.ticks:
        kind, by = made.type_of(each.type), f"{'−' if each.clears else '+'}{each.slots}"
        named = kind and Phrase("{name} {n}", name=kind.name, n=by)
        ticks.append(named or Phrase("any counter {ticks}", ticks=by))
    return Phrase("Outcome {name}: {ticks}", name=outcome.name, ticks=row(ticks or ["—"]))


def _type(each: TypeOf) -> Phrase:
    sentences = {
        "blocks": Phrase("{name}: {n} blocks", name=each.name, n=each.size),
        "pie": Phrase("{name}: a pie of {n}", name=each.name, n=each.size),
        "boxes": Phrase("{name}: {n} boxes", name=each.name, n=each.size),
        "bar": Phrase("{name}: a number out of {n}", name=each.name, n=each.size),
    }
    said = sentences[each.look]
    if each.least:
        said = Phrase("{one}, from {n} up", one=said, n=each.least)
    if each.parts > 1:
        said = Phrase("{one} of {n} ticks", one=said, n=each.parts)
    if each.step > 1:
        said = Phrase("{one}, {n} with each tap", one=said, n=each.step)
    words = (Phrase("“{word}” {n} %", word=word.word, n=word.to) for word in each.words)
    whole: Phrase = row([said, *words])
    return whole
