"""Fingers on a phone's screen, as the browser gets their events: down, move, up."""

from __future__ import annotations

from typing import Any

READ = """(selector) => {
  const element = document.querySelector(selector);
  return element.value ?? element.textContent;
}"""


class Hand:
    """The fingers on one phone. Each has a number; several may be down at once."""

    def __init__(self, phone: Any) -> None:
        self.phone = phone
        self._wire = phone.context.new_cdp_session(phone)
        self._down: dict[int, tuple[float, float]] = {}

    def down(self, at: tuple[float, float], finger: int = 0) -> None:
        self._down[finger] = at
        self._send("touchStart")

    def to(self, at: tuple[float, float], finger: int = 0) -> None:
        self._down[finger] = at
        self._send("touchMove")

    def up(self, finger: int = 0) -> None:
        del self._down[finger]
        self._send(
            "touchMove" if self._down else "touchEnd"
        )  # a finger that is no longer listed is up

    def tap(self, at: tuple[float, float]) -> None:
        self.down(at)
        self.up()

    def hold(self, at: tuple[float, float], number: str) -> None:
        """Hold a finger there until *number* (a selector) changes: a while later it would again."""
        before = self.phone.evaluate(READ, number)
        self.down(at)
        self.phone.wait_for_function(
            f"([at, before]) => before !== ({READ})(at)", arg=[number, before]
        )
        self.up()

    def drag(self, start: tuple[float, float], by: tuple[float, float], steps: int = 8) -> None:
        """Put a finger down, move it and lift it."""
        self.down(start)
        for step in range(1, steps + 1):
            part = step / steps
            self.to((start[0] + by[0] * part, start[1] + by[1] * part))
            self.phone.wait_for_timeout(16)
        self.up()

    def _send(self, kind: str) -> None:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in self._down.items()]
        self._wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


POINT = """([selector, across, down]) => {
  const box = () => document.querySelector(selector).getBoundingClientRect();
  const stage = document.querySelector(selector).closest('#board')?.getBoundingClientRect();
  if (stage && (box().top < stage.top || box().bottom > stage.bottom))
    document.querySelector(selector).scrollIntoView({block: 'center'});
  return [box().left + box().width * across, box().top + box().height * down];
}"""


def place(phone: Any, selector: str, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
    """The point of the first such element that lies so far *across* and *down* it, in sight.

    At once: a number that has just changed is another element.
    """
    x, y = phone.evaluate(POINT, [selector, across, down])
    return x, y
