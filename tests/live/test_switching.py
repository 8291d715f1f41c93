"""Which thread Python runs next."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.live import switching

LATE_BY = "/proc/{}/timerslack_ns"


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    interval, late = sys.getswitchinterval(), late_by()
    yield
    sys.setswitchinterval(interval)
    switching._woken_late_by(late)


def late_by() -> int:
    """The nanoseconds by which the kernel may wake this thread late."""
    path = Path(LATE_BY.format(threading.get_native_id()))
    return int(path.read_text()) if path.exists() else 0


@pytest.mark.skipif(not Path(LATE_BY.format("self")).exists(), reason="only on Linux")
def test_the_loop_is_woken_on_time_and_pages_late() -> None:
    switching.first()
    pages = switching.threads(1, "page")

    assert switching.SWITCH == pytest.approx(sys.getswitchinterval())
    assert switching.ON_TIME == late_by()
    assert switching.LATE == pages.submit(late_by).result()
    pages.shutdown()


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux")
def test_pages_weigh_less_than_the_loop() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    loop = niceness()
    switching.first()
    pages = switching.threads(2, "page")

    assert loop + switching.NICENESS == pages.submit(niceness).result()
    assert loop == niceness()
    pages.shutdown()


def test_where_the_kernel_cannot_be_told_all_the_same_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gone(_path: Path, _text: str) -> int:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "write_text", gone)
    switching.first()

    assert 4 == switching.threads(1, "page").submit(lambda: 4).result()
