"""Our own arithmetic over numbers that somebody else chose, with an end: CPU time and memory of one call in this process."""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from schemas.errors import UnreadableAnswer

Done = TypeVar("Done")
_LOOK_S = 0.2
_PAGE = os.sysconf("SC_PAGE_SIZE")


class _Over(BaseException):
    """Raised within the call from outside, so that nothing in it takes it for an error of its own."""


def limited(work: Callable[[], Done], what: str, *, cpu_s: float, memory_mb: int = 4096) -> Done:
    """What `work` returns. Raises UnreadableAnswer when its thread took more CPU time, or the process grew by more memory.

    Between two instructions of Python: one call into a library comes to its end first, so sizes of arrays have bounds of their
    own. what: the work in words.
    """
    watch = _Watch(cpu_s, memory_mb << 20)
    try:
        watch.start()
        try:
            return work()
        finally:
            watch.end()
    except _Over:
        raise UnreadableAnswer(
            f"{what} takes too much",
            found=watch.reason,
            allowed=f"{cpu_s:g} s of CPU time, {memory_mb} MB",
            fix="use numbers that a simulation can have: sizes, counts and bands of a few magnitudes",
        ) from None


class _Watch:
    """A thread that looks at the thread that made it."""

    def __init__(self, cpu_s: float, memory: int):
        self._thread = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._thread)
        self._cpu, self._memory = time.clock_gettime(self._clock) + cpu_s, _resident() + memory
        self._lock, self._ended = threading.Lock(), threading.Event()
        self.reason = ""

    def start(self) -> None:
        """Begin to look."""
        threading.Thread(target=self._look, name="limited", daemon=True).start()

    def end(self) -> None:
        """Look no more; nothing is raised from now on."""
        with self._lock:
            self._ended.set()
            if self.reason:
                _raise_in(self._thread, None)

    def _look(self) -> None:
        while not self._ended.wait(_LOOK_S):
            try:
                over = (
                    "more CPU time"
                    if time.clock_gettime(self._clock) > self._cpu
                    else ("more memory" if _resident() > self._memory else "")
                )
            except OSError:  # the thread is gone, and its work with it
                return
            with self._lock:
                if over and not self._ended.is_set():
                    self.reason = over
                    _raise_in(self._thread, _Over)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise in another thread, or take back what was not yet raised. Source: PyThreadState_SetAsyncExc, Python's C API."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error) if error else None
    )


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE
