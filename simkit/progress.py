"""progress.jsonl: elapsed and remaining time, one JSON object a line."""

from __future__ import annotations

import json
import time
from pathlib import Path

from simkit.cpu import cpu_s

MIN_INTERVAL_S = 1.0


class Progress:
    """Appends progress lines at most once a second. `expected_runs` and `expected_s` refine the fraction."""

    def __init__(self, path: Path, writer: bool = True) -> None:
        self.path, self.writer = path, writer
        self.started = time.monotonic()
        self._cpu_started = cpu_s()
        self.expected_runs: int | None = None
        self.expected_s: float | None = None
        self.runs_done = 0
        self._last = -MIN_INTERVAL_S
        self._fraction = 0.0

    @property
    def cpu_s(self) -> float:
        """CPU seconds since the start: what a limit counts, so that a busy machine ends nothing early."""
        return cpu_s() - self._cpu_started

    @property
    def elapsed_s(self) -> float:
        """Wall seconds since sk.start()."""
        return time.monotonic() - self.started

    def fraction(self, within_run: float | None) -> float:
        """Part of the script done, 0..1, never going back; `within_run` is the part of the current Meep run."""
        guess = 0.0
        if self.expected_runs:
            guess = (self.runs_done + (within_run or 0.0)) / self.expected_runs
        elif self.expected_s:
            guess = self.elapsed_s / self.expected_s
        self._fraction = max(self._fraction, min(0.99, guess))
        return self._fraction

    def report(self, message: str, within_run: float | None = None, force: bool = False) -> None:
        """Write a line unless one was written less than a second ago."""
        if not force and self.elapsed_s - self._last < MIN_INTERVAL_S:
            return
        self._last = self.elapsed_s
        done = self.fraction(within_run)
        self._write(done, self.elapsed_s * (1 - done) / done if done > 0.01 else None, message)

    def finish(self) -> None:
        """The last line: fraction 1."""
        self._write(1.0, 0.0, "finished")

    def _write(self, fraction: float, remaining_s: float | None, message: str) -> None:
        line = {
            "elapsed_s": round(self.elapsed_s, 3),
            "fraction": round(fraction, 4),
            "remaining_s": None if remaining_s is None else round(remaining_s, 1),
            "message": message[:300],
        }
        if self.writer:
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
