"""The run's wall time: kept over processes, still while people are waited for, and hard at its end."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from flows.run.clock import Clock
from schemas.errors import LimitExceeded

pytestmark = pytest.mark.unit


def test_time_is_kept_for_the_next_process_and_waiting_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "time_used.json"
    clock = Clock(path, 3600)
    with clock.waiting(), clock.waiting():
        before = clock.used_s
        time.sleep(0.05)
        assert clock.used_s == before
    time.sleep(0.15)
    clock.save()
    assert before < clock.used_s and Clock(path, 3600).used_s >= 0.1
    path.write_text("{broken")
    assert Clock(path, 3600).used_s < 1


def test_its_end_stops_what_runs_and_what_is_waited_for(tmp_path: Path) -> None:
    clock, stop, never = Clock(tmp_path / "t.json", 0.3), threading.Event(), threading.Event()
    with clock.watched(stop):
        with pytest.raises(LimitExceeded, match=r"(?s)time is used up.*--max-hours"):
            clock.within(never.wait)
        assert stop.wait(5)
    never.set()
    assert clock.up and (tmp_path / "t.json").is_file()


def test_work_within_the_time_returns_and_raises_as_it_would(tmp_path: Path) -> None:
    clock = Clock(tmp_path / "t.json", 60)
    assert clock.within(lambda: 7) == 7
    with pytest.raises(KeyError):
        clock.within(lambda: {}["x"])
