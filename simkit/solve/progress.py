"""progress.json while a run runs: how much is done, how long it may still take. Replaced whole, at most once a second."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from simkit.cpu import cpu_s

MIN_INTERVAL_S = 1.0
STILL_S, STILL = (
    5.0,
    0.1,
)  # for so long, and this share of the run, nothing grew: nobody knows how long it still takes


def write_json(path: Path, data: Any) -> None:
    """Write whole or not at all."""
    partial = path.with_name(path.name + ".part")
    partial.write_text(json.dumps(data, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(partial, path)


class Progress:
    """fraction 0..1 never goes back; remaining_s is None until something is known, and while the fraction stands still."""

    def __init__(self, path: Path | None, writer: bool) -> None:
        self.path, self.writer = path, writer
        self.began, self._last, self.fraction = time.monotonic(), -MIN_INTERVAL_S, 0.0
        self._grew = 0.0

    def report(self, fraction: float, force: bool = False, **more: Any) -> None:
        """Say how far the run is, with further plain numbers (steps, meep_time)."""
        elapsed = time.monotonic() - self.began
        if fraction > self.fraction:
            self.fraction, self._grew = min(1.0, fraction), elapsed
        if not self.writer or self.path is None or (not force and elapsed - self._last < MIN_INTERVAL_S):
            return
        self._last = elapsed
        still = elapsed - self._grew > max(STILL_S, STILL * elapsed)
        left = elapsed * (1 - self.fraction) / self.fraction if self.fraction > 0.01 and not still else None
        write_json(
            self.path,
            {
                "fraction": round(self.fraction, 4),
                "remaining_s": None if left is None else round(left, 1),
                "elapsed_s": round(elapsed, 2),
                "cpu_s": round(cpu_s(), 2),
                **more,
            },
        )
