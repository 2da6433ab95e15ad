"""The wall time of a run: all its processes together, without the waiting for people. Its end stops what runs."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from schemas.errors import LimitExceeded
from schemas.reading.strict_json import parse_json
from tasks.files.store import atomic_write

Result = TypeVar("Result")
_POLL_S = 0.2
_SAVED_EVERY_S = 10.0


class Clock:
    """Counts from its start on. path: where the seconds used are kept, so that a resumed run goes on counting."""

    def __init__(self, path: Path, limit_s: float):
        self.path, self.limit_s = path, limit_s
        self._lock = threading.RLock()
        self._before = self._kept()
        self._since: float | None = time.monotonic()
        self._waiting = 0

    @property
    def used_s(self) -> float:
        """Seconds of work so far, earlier processes included."""
        with self._lock:
            return self._before + (time.monotonic() - self._since if self._since is not None else 0.0)

    @property
    def up(self) -> bool:
        """Whether the run's time is used up."""
        return self.used_s >= self.limit_s

    def check(self) -> None:
        """Raises LimitExceeded when the time is used up."""
        if self.up:
            raise LimitExceeded(
                "the run's time is used up",
                found=f"{self.used_s:.0f} s",
                allowed=f"{self.limit_s / 3600:g} h",
                fix="raise it with --max-hours and resume",
            )

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A person is waited for: the clock stands still. With stages side by side it does while anybody waits."""
        with self._lock:
            self._waiting += 1
            self._before, self._since = self.used_s, None
        self.save()
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1
                if not self._waiting:
                    self._since = time.monotonic()

    @contextmanager
    def watched(self, stop: threading.Event) -> Iterator[None]:
        """While the run works: `stop` is set when the time is up, and the time used is kept every few seconds."""
        ended = threading.Event()

        def watch() -> None:
            saved = time.monotonic()
            while not ended.wait(_POLL_S):
                if self.up:
                    stop.set()
                if time.monotonic() - saved > _SAVED_EVERY_S:
                    self.save()
                    saved = time.monotonic()

        threading.Thread(target=watch, name="clock", daemon=True).start()
        try:
            yield
        finally:
            ended.set()
            self.save()

    def within(self, work: Callable[[], Result]) -> Result:
        """What `work` returns, given up when the time is up: then it goes on unheard and LimitExceeded is raised."""
        box: list[Result] = []
        failed: list[BaseException] = []
        done = threading.Event()

        def run() -> None:
            try:
                box.append(work())
            except BaseException as error:  # noqa: BLE001  raised below, in the thread that waits
                failed.append(error)
            finally:
                done.set()

        threading.Thread(target=run, name="model call", daemon=True).start()
        while not done.wait(_POLL_S):
            self.check()
        if failed:
            raise failed[0]
        return box[0]

    def save(self) -> None:
        """Keep the time used; a full disk is noticed elsewhere."""
        if self.path.parent.is_dir():
            with suppress(OSError):
                atomic_write(self.path, json.dumps({"used_s": round(self.used_s, 1)}))

    def _kept(self) -> float:
        try:
            return max(0.0, float(parse_json(self.path.read_text(encoding="utf-8"))["used_s"]))
        except (OSError, ValueError, KeyError, TypeError):
            return 0.0
