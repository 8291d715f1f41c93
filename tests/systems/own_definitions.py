"""Definitions of own games at random, and commands for them: whatever the grammar allows.

Everything is drawn from a `Random`, so that a seed names a game. Definitions are small, because
small ones meet themselves: the same few numbers are changed, watched, paid and compared.
"""

from __future__ import annotations

from random import Random
from typing import Any

from games.rules.dice import dice_in
from games.rules.state import GameState

Json = Any
KINDS = ("gold", "life", "doom", "rage", "hand")
TYPES = ("ship", "unit")
ROLES = ("cats", "birds")
PRINTS = ("hull", "power")
DICE = ("d6", "2d6", "d2")
SEATS = ("ana", "ben", "cleo")


class Writer:
    """Writes one definition."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.things = random.random() < 0.7
        self.teams = random.random() < 0.3
        self.roles = random.random() < 0.3
        self.order = random.choice(["one", "one", "all", "none"])
        self.phases = random.choice([["turn"], ["day", "night"], ["draw", "main", "end"]])
        self.kinds: list[str] = []
        self.plain: list[str] = []
        self.blanks: list[str] = []
        self.known: set[str] = set()

    def definition(self) -> Json:
        """A definition that can be played."""
        random = self.random
        written: dict[str, Any] = {"title": "A random game", "players": {"most": 5}}
        if self.things:
            written["things"] = [
                {"type": each, "prints": {"hull": random.randint(-1, 6), "power": 2}}
                for each in TYPES
            ]
        written["turns"] = {"order": self.order}
        if self.order != "none":
            written["turns"]["phases"] = self.phases
        if self.order == "one" and self.maybe(0.3):
            written["turns"]["starts"] = random.choice(
                [{"by": "gold"}, {"by": ["life", "gold"], "first": "lowest"}, {"from": "gold"}]
            )
        if random.random() < 0.2:
            written["cooperative"] = True
        if self.teams:
            written["teams"] = 2
        if self.roles:
            written["roles"] = [*ROLES]
        written["numbers"] = [self.number(kind) for kind in KINDS[: random.randint(2, 5)]]
        written["rules"] = [self.rule(n) for n in range(random.randint(1, 6))]
        return written

    def maybe(self, chance: float) -> bool:
        return self.random.random() < chance

    def number(self, kind: str) -> Json:
        random = self.random
        roles = ROLES if self.roles else ()
        holders = ["player", "table", *(TYPES if self.things else ()), *roles]
        on: Json = random.choice(holders)
        if self.maybe(0.3):
            on = sorted(random.sample(holders, random.randint(1, len(holders))))
        number: dict[str, Any] = {"kind": kind, "on": on}
        if self.plain and self.maybe(0.15):
            number["is"] = self.amount(2)
            self.kinds.append(kind)
            return number
        if self.maybe(0.2):
            number["blank"] = True
            number["once"] = self.maybe(0.4)
            self.blanks.append(kind)
        if self.teams and on == "player":
            number["shared"] = self.maybe(0.5)
        if self.maybe(0.4):
            number["least"] = -random.randint(0, 5)
        if self.maybe(0.6):
            number["most"] = random.choice([0, 1, 3, 10, 30])
        if "blank" not in number and self.maybe(0.5):
            least, most = number.get("least", 0), number.get("most", 9)
            number["start"] = random.randint(least, min(most, 9))
            if self.roles and on == "player" and not number.get("shared"):
                number["starts"] = {random.choice(ROLES): random.randint(least, min(most, 9))}
        elif self.things and self.maybe(0.2):
            number["most"] = {"print": random.choice(PRINTS)}
        self.kinds.append(kind)
        self.plain.append(kind)
        return number

    def rule(self, number: int) -> Json:
        rule: dict[str, Any] = {"rule": f"rule {number}"}
        self.known = set()
        rule["when"], always = self.when(number)
        if always or self.maybe(0.4):
            rule["if"] = self.condition(2)
        steps = self.random.randint(1, 3)
        rule["do"] = [self.action(always=always) for _ in range(steps)]
        if "leaves" in rule["when"] and self.maybe(0.5):
            rule["do"][0] = {"move": "it", "to": self.random.choice(["table", "aside"])}
        return rule

    def when(self, number: int) -> tuple[Json, bool]:
        random = self.random
        if self.order != "none" and self.maybe(0.3):
            moments = [
                {"begins": "turn"}, {"begins": "round"}, {"begins": random.choice(self.phases)},
                {"ends": "turn"}, {"ends": "round"},
            ]  # fmt: skip
            return random.choice(moments), False
        if self.maybe(0.3):
            self.known.add("change")
            when = {"changes": random.choice(self.plain)}
            return {
                **when,
                **({"by": random.choice(["up", "down"])} if self.maybe(0.5) else {}),
            }, False
        if self.things and self.maybe(0.2):
            return {random.choice(["enters", "leaves"]): self.types()}, False
        own = [random.choice([*ROLES, [*ROLES]])] if self.roles else []
        things = [self.types()] if self.things else []
        on = random.choice(["player", "player", "table", *things, *own])
        if self.maybe(0.4):
            return {"always": on}, True
        return self.button(on, number), False

    def button(self, on: Json, number: int) -> Json:
        random = self.random
        when: dict[str, Any] = {"pressed": f"press {number}", "on": on}
        self.known.add("presser")
        if on != "table" and self.maybe(0.4):
            when["who"] = random.choice(["holder", "anyone"])
        if self.order != "none" and self.maybe(0.2):
            when["own_turn"] = True
        if self.maybe(0.3):
            when["once"] = "game" if self.order == "none" else random.choice(["turn", "round"])
        if self.maybe(0.3):
            when["target"] = self.who(1)
            self.known.add("target")
        if self.maybe(0.3):
            when["number"] = {"least": 0, "most": self.amount(1)}
            self.known.add("chosen")
        if self.maybe(0.4):
            when["costs"] = [{"pay": self.amount(1), "of": random.choice(self.plain)}]
        return when

    def types(self) -> Json:
        return self.random.choice(["any", "ship", ["ship", "unit"]])

    def who(self, depth: int) -> Json:
        random = self.random
        atoms = ["it", "holder", "active", "players", "opponents", "next", "table"]
        atoms += ["team", "mates", "teams"] if self.teams else []
        atoms += [each for each in ("presser", "target", "answerer") if each in self.known]
        if self.roles and depth and self.maybe(0.2):
            return {"plays": random.choice([*ROLES, [*ROLES]])}
        if self.things and depth and self.maybe(0.3):
            of = random.choice(["holder", "opponents", "all"])
            return {"things": self.types(), "of": of}
        if depth > 1 and self.maybe(0.15):
            return {"each": self.who(0), "if": self.comparison(depth - 1)}
        return random.choice(atoms)

    def amount(self, depth: int) -> Json:
        random = self.random
        if not depth or self.maybe(0.4):
            named = [each for each in ("change", "answer", "chosen") if each in self.known]
            return random.choice([*named, "round", *range(-3, 7)])
        if self.kinds and self.maybe(0.6):
            key = random.choice(["number", "number", "had", "highest", "lowest"])
            return {key: random.choice(self.kinds), "on": self.who(depth - 1)}
        if self.things and self.maybe(0.2):
            return {"print": random.choice(PRINTS), "on": self.who(depth - 1)}
        if self.maybe(0.3):
            return {"count": self.who(depth - 1)}
        if self.kinds and self.maybe(0.15):
            kinds = random.sample(self.kinds, random.randint(1, min(2, len(self.kinds))))
            first = random.choice(["highest", "lowest"])
            return {"rank": kinds, "on": self.who(depth - 1), "first": first}
        if self.maybe(0.3):
            one = self.amount(depth - 1)
            otherwise = {"else": self.amount(depth - 1)} if self.maybe(0.5) else {}
            holds = {"if": self.comparison(depth - 1), "then": one, **otherwise}
            return random.choice([{"abs": one}, {"table": [3, -1, 5], "at": one}, holds])
        key = random.choice(["+", "*", "-", "/", "min", "max"])
        whole: dict[str, Any] = {key: [self.amount(depth - 1), self.amount(depth - 1)]}
        if key == "/" and self.maybe(0.5):
            whole["round"] = random.choice(["up", "down"])
        return whole

    def comparison(self, depth: int) -> Json:
        sign = self.random.choice(["<", "<=", "=", "!=", ">=", ">"])
        return [self.amount(depth), sign, self.amount(depth)]

    def condition(self, depth: int) -> Json:
        if depth and self.maybe(0.3):
            key = self.random.choice(["all", "any", "not"])
            if key == "not":
                return {"not": self.condition(depth - 1)}
            return {key: [self.condition(depth - 1) for _ in range(2)]}
        if self.maybe(0.2):
            return {"is": self.who(0), "in": self.who(0)}
        if self.blanks and self.maybe(0.3):
            return {"written": self.random.choice(self.blanks), "on": self.who(depth)}
        return self.comparison(depth)

    def action(self, *, always: bool, inner: bool = False, later: bool = False) -> Json:
        random = self.random
        if self.maybe(0.5):
            key = random.choice(["add", "set"])
            of, on = random.choice(self.kinds), self.who(2)
            return {key: self.amount(2), "of": of, "on": on}
        if self.things and self.maybe(0.3):
            if not always and self.maybe(0.5):
                return {"create": random.choice(TYPES), "of": self.who(0)}
            return {"move": self.who(1), "to": random.choice(["table", "aside"])}
        if not inner and self.maybe(0.3):
            do = [self.action(always=always, inner=True, later=later)]
            return {"each": self.who(2), "do": do}
        if not (always or inner or later) and self.maybe(0.5):
            return self.roll() if self.maybe(0.3) else self.question()
        if self.maybe(0.15):
            return {random.choice(["out", "win"]): self.who(1)}
        return {"add": random.randint(-2, 2), "of": random.choice(self.plain)}

    def question(self) -> Json:
        ask: dict[str, Any] = {"ask": "How many?", "of": self.who(0)}
        if self.maybe(0.3):
            ask["choose"] = ["No", "Yes", "Perhaps"][: self.random.randint(2, 3)]
        elif self.maybe(0.6):
            ask |= {"least": self.random.randint(-2, 0), "most": self.amount(1)}
            if self.maybe(0.4):
                ask["total"] = self.amount(1)
        return {**ask, "then": self.then()}

    def roll(self) -> Json:
        return {"roll": self.random.choice(DICE), "of": self.who(0), "then": self.then()}

    def then(self) -> Json:
        before = set(self.known)
        self.known |= {"answer", "answerer"}
        actions = [self.action(always=False, later=True)]
        self.known = before
        return actions


def definition(random: Random) -> Json:
    """A definition that can be played."""
    return Writer(random).definition()


def command(random: Random, system: Any, state: GameState) -> dict[str, Any]:
    """A command that may be accepted, by any seat."""
    own, by = system.definition, random.choice([*state.seats])
    holders = [*state.seats, "table", *state.objects]
    kinds = [*own.numbers, "luck"]
    on, kind, amount = random.choice(holders), random.choice(kinds), random.randint(0, 6)
    buttons = [rule for rule in own.rules.values() if rule.button]
    possible: list[dict[str, Any]] = [
        {"do": "place", "on": on, "counter": kind, "amount": amount},
        {"do": "remove", "on": on, "counter": kind, "amount": random.choice([amount, "all"])},
        {"do": "spend", "on": on, "counter": kind, "amount": amount},
        {"do": "correct", "on": on, "counter": kind, "to": random.randint(-4, 9)},
        {"do": "begin-turn"},
        {"do": "begin-turn"},
        {"do": "begin-phase", "phase": random.choice(system.phases)},
        {"do": "undo"},
    ]
    other = random.choice(holders)
    if other != on:
        possible.append(
            {"do": "transfer", "from": on, "to": other, "counter": kind, "amount": amount}
        )
    if own.things:
        new = f"new-{random.randint(0, 999)}"
        kind, token = random.choice([*own.things]), random.random() < 0.5
        possible.append({"do": "create", "as": new, "type": kind, "token": token})
    if state.objects:
        moving = random.sample([*state.objects], random.randint(1, min(2, len(state.objects))))
        possible += [{"do": "move", "object": moving, "to": random.choice(system.zones)}] * 2
    for prompt in state.prompts:
        number = random.randint(-2, 6)
        answered = {"do": "answer", "prompt": prompt.id, "by": prompt.to}
        possible += [{**answered, "number": number}] * 2
        dice = own.rules[prompt.facts["rule"]].questions[prompt.facts["question"]].dice
        count, sides = dice_in(dice or "d6")
        possible.append({**answered, "result": [random.randint(1, sides) for _ in range(count)]})
        possible.append({"do": "void", "prompt": prompt.id})
    for rule in buttons:
        assert rule.button is not None
        press: dict[str, Any] = {"do": "press", "rule": rule.name}
        if rule.button.target:
            press["target"] = random.choice(holders)
        if rule.button.bounds:
            press["number"] = random.randint(0, 6)
        possible += [press, {**press, "on": random.choice(holders)}] * 2
    if own.teams:
        mate = random.choice([None, *state.seats])
        possible.append({"do": "team-up", "seat": by, **({"with": mate} if mate else {})})
    if own.roles:
        role = random.choice([None, *own.roles])
        possible.append({"do": "take-role", "seat": by, **({"role": role} if role else {})})
    if random.random() < 0.03:
        possible = [{"do": "leave", "seat": random.choice([*state.seats])}]
    if random.random() < 0.03:
        possible = [{"do": "add-seat", "as": f"guest-{random.randint(0, 99)}"}]
    if random.random() < 0.05:
        possible = [{"do": "change-rules", "definition": definition(random)}]
    if random.random() < 0.05:
        steps = [{key: each for key, each in one.items() if key != "by"} for one in possible[:2]]
        possible = [{"do": "together", "steps": steps}]
    chosen = random.choice(possible)
    return {"by": by, **chosen}
