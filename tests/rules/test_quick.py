"""The fast ways to make a value make the same value as the ordinary ones."""

from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from games.rules.events import Placed
from games.rules.quick import fast_replace, quick


@dataclass(frozen=True, slots=True)
class Base:
    rule: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Slow(Base):
    on: str
    amount: int = 1


@quick
@dataclass(frozen=True, slots=True)
class Fast(Base):
    on: str
    amount: int = 1


@pytest.mark.parametrize(
    ("given", "named"), [(("a",), {}), (("a", 2), {"rule": "R1"}), ((), {"amount": 3, "on": "b"})]
)
def test_a_quick_class_fills_the_same_fields(given: tuple[str, ...], named: dict[str, str]) -> None:
    slow, fast = Slow(*given, **named), Fast(*given, **named)  # type: ignore[arg-type]

    assert (slow.on, slow.amount, slow.rule) == (fast.on, fast.amount, fast.rule)
    assert repr(slow).replace("Slow", "Fast") == repr(fast)


def test_a_quick_value_is_frozen_equal_and_replaceable() -> None:
    event = Placed("wolf", "buff", 2)

    assert Placed("wolf", "buff", 2) == event
    assert Placed("wolf", "buff", 3) == replace(event, amount=3)
    with pytest.raises(FrozenInstanceError):
        event.amount = 5  # type: ignore[misc]


def test_a_missing_or_unknown_field_is_an_error() -> None:
    with pytest.raises(TypeError):
        Fast()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Fast("a", colour="red")  # type: ignore[call-arg]


def test_a_subclass_that_is_a_dataclass_has_its_own_fields() -> None:
    @quick
    @dataclass(frozen=True, slots=True)
    class Faster(Fast):
        amount: int = 5
        cause: str = "attack"

    assert repr(Faster("a")).endswith("Faster(rule=None, on='a', amount=5, cause='attack')")


def test_a_subclass_must_be_decorated_as_a_dataclass_too() -> None:
    """Otherwise it would be made as its parent, without its own fields and defaults."""

    class Forgotten(Fast):
        amount: int = 5

    with pytest.raises(AssertionError, match="decorate"):
        quick(Forgotten)


def test_fast_replace_makes_what_replace_makes() -> None:
    slow = Slow("wolf", 2, rule="R1")
    copy = fast_replace(slow, amount=3)

    assert replace(slow, amount=3) == copy
    assert type(copy) is Slow
    assert Slow("wolf", 2, rule="R1") == slow
    with pytest.raises(FrozenInstanceError):
        copy.amount = 5  # type: ignore[misc]


def test_fast_replace_refuses_unknown_fields() -> None:
    with pytest.raises(AttributeError):
        fast_replace(Slow("wolf"), colour="red")
