"""A frozen value is what the frozen dataclass of the same fields would be."""

from __future__ import annotations

import copy
import importlib.util
import pickle
import sys
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any

import pytest

import games.live.wire.serving
import games.urls  # noqa: F401 so that all values are defined
from games.rules.maps import Copied, Map, Ordered
from games.rules.values import SHARED, fast_replace, frozen


@frozen
class SlowBase:
    rule: str | None = field(default=None, kw_only=True)


@frozen
class Slow(SlowBase):
    on: str
    amount: int = 1
    more: list[int] = field(default_factory=list)


@frozen
class Base:
    rule: str | None = field(default=None, kw_only=True)


@frozen
class Fast(Base):
    on: str
    amount: int = 1
    more: list[int] = field(default_factory=list)


def ours() -> Iterator[type[Any]]:
    """Every class that is defined in games."""
    for name, module in list(sys.modules.items()):
        if name.startswith("games."):
            for each in vars(module).values():
                if isinstance(each, type) and each.__module__ == name:
                    yield each


def is_value(cls: type[Any]) -> bool:
    return vars(cls).get("__setattr__") is SHARED["__setattr__"]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("a",), {}),
        (("a", 2), {"rule": "R1"}),
        ((), {"amount": 3, "on": "b"}),
        (("a", 2, [3]), {}),
    ],
)
def test_it_has_the_same_fields_equality_hash_and_repr(
    given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    slow, fast = Slow(*given, **named), Fast(*given, **named)

    assert [(part.name, part.default, part.kw_only) for part in fields(slow)] == [
        (part.name, part.default, part.kw_only) for part in fields(fast)
    ]
    for part in fields(slow):
        assert getattr(slow, part.name) == getattr(fast, part.name)
    assert repr(slow).replace("Slow", "Fast") == repr(fast)
    assert fast == Fast(*given, **named)
    assert fast != replace(fast, amount=9)
    assert fast != slow
    with pytest.raises(TypeError):
        hash(fast)  # a list has no hash, and so has neither of them
    assert hash(Base(rule="a")) == hash(Base(rule="a"))


def test_each_has_a_default_of_its_own() -> None:
    assert Fast("a").more is not Fast("a").more


def test_it_cannot_be_changed() -> None:
    for one in (Fast("a"), fast_replace(Fast("a"), amount=2), replace(Fast("a"), amount=2)):
        with pytest.raises(FrozenInstanceError, match="amount"):
            one.amount = 5  # type: ignore[misc]
        with pytest.raises(FrozenInstanceError):
            del one.amount
        with pytest.raises((AttributeError, TypeError)):
            one.colour = "red"  # type: ignore[attr-defined]


def test_a_missing_or_unknown_field_is_an_error() -> None:
    for _before_and_after_the_first in range(2):
        with pytest.raises(TypeError):
            Fast()  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            Fast("a", colour="red")  # type: ignore[call-arg]
        with pytest.raises(AttributeError):
            fast_replace(Fast("a"), colour="red")


def test_a_subclass_has_its_own_fields_and_defaults() -> None:
    @frozen(kw_only=True)
    class Faster(Fast):
        amount: int = 5
        cause: str = "attack"

    assert repr(Faster("a")).endswith(
        "Faster(rule=None, on='a', amount=5, more=[], cause='attack')"
    )
    assert Faster("a") != Fast("a", 5)


def test_what_runs_after_a_constructor_has_no_place() -> None:
    with pytest.raises(AssertionError):

        @frozen
        class Late:
            on: str

            def __post_init__(self) -> None: ...


def test_every_value_can_be_made_compared_copied_and_not_changed() -> None:
    seen = 0
    for cls in filter(is_value, ours()):
        parts = fields(cls)
        one, same = (cls(**{part.name: part.name for part in parts}) for _ in range(2))
        assert one == same == copy.copy(one) == pickle.loads(pickle.dumps(one)) == replace(one), cls
        assert hash(one) == hash(same)
        assert all(getattr(one, part.name) == part.name for part in parts), cls
        assert type(one) is cls
        if parts:
            other = fast_replace(one, **{parts[0].name: "another"})
            assert other == replace(one, **{parts[0].name: "another"}) != one
            with pytest.raises(FrozenInstanceError):
                setattr(other, parts[0].name, "changed")
        seen += 1
    assert seen > 300


def test_a_subclass_without_fields_of_its_own_stays_what_it_is() -> None:
    class Still(Fast):
        __slots__ = ()

    still = Still("a", rule="R1")

    assert type(still) is type(fast_replace(still, amount=2)) is type(replace(still)) is Still
    assert still == Still("a", rule="R1") != Fast("a", rule="R1")


def test_a_subclass_that_could_be_changed_cannot_be_made() -> None:
    class Loose(Fast):
        pass

    with pytest.raises(TypeError):
        Loose("a")


@pytest.mark.parametrize("kind", [Map, Copied])
def test_a_mapping_stays_as_it_is_when_a_changed_one_is_made(kind: Any) -> None:
    first = kind({"ana": 1, "ben": 2})
    second, third = first.set("ana", 3), first.delete("ben")

    assert [{"ana": 1, "ben": 2}, {"ana": 3, "ben": 2}, {"ana": 1}] == [
        dict(each) for each in (first, second, third)
    ]
    assert second.delete("ben") == kind({"ana": 3})
    with pytest.raises(KeyError):
        first.delete("dan")


def test_an_ordered_mapping_is_the_dictionary_that_it_stands_for() -> None:
    plain = {"ben": 1, "ana": 2, "cleo": 3}
    first = Ordered(plain)
    second = first.with_value("ana", 5)

    assert first == plain
    assert {**second} == {"ben": 1, "ana": 5, "cleo": 3}
    assert [*second] == [*plain]
    assert len(second) == 3
    assert "ana" in second
    assert "dan" not in second
    assert second == pickle.loads(pickle.dumps(second))
    with pytest.raises(KeyError):
        second["dan"]


def test_without_immutables_a_mapping_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "immutables", None)

    spec = importlib.util.find_spec("games.rules.maps")
    assert spec
    assert spec.loader
    anew = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(anew)

    assert anew.Map is anew.Copied
