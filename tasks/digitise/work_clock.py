"""The CPU time that reading one page may take."""

from __future__ import annotations

import time

from schemas.errors import InputError

MAX_CPU_S = 60.0


class Clock:
    """CPU time since it was made; `check` raises InputError when a page takes too much."""

    def __init__(self, most: float = MAX_CPU_S) -> None:
        self._start, self._most = time.process_time(), most

    def check(self) -> None:
        """Raises InputError beyond the limit."""
        if time.process_time() - self._start > self._most:
            raise InputError(
                "the page is too much work",
                found=f"more than {self._most:g} s of CPU time",
                fix="save the figure alone, with fewer points",
            )
