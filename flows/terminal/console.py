"""What a person sees while a run goes on: stage, agent, round, simulation progress and remaining time."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import TextIO

from schemas.text.visible import one_visible_line, visible


def duration(seconds: float) -> str:
    """12 s, 3 min 20 s, 2 h 05 min."""
    total = int(round(seconds))
    if total < 60:
        return f"{total} s"
    if total < 3600:
        return f"{total // 60} min {total % 60:02d} s"
    return f"{total // 3600} h {total % 3600 // 60:02d} min"


def printable(text: str, longest: int = 20_000) -> str:
    """Text of papers and models as a terminal may show it: nothing hidden, and not without end."""
    return visible(text, longest)


def show(text: object = "", *, end: str = "\n", file: TextIO | None = None, flush: bool = False) -> None:
    """`print` for everything that reaches a terminal: what is hidden in it is made visible first."""
    print(visible(str(text)), end=end, file=file, flush=flush)


# Running simulation -> how much of it is done (0 to 1), seconds left if known, what it says.
Running = dict[str, tuple[float, float | None, str]]


class Console:
    """Lines for events, and one live line for running simulations where the output is a terminal.

    listeners: told every line, without the clock. watchers: told what is simulated whenever that changes.
    """

    def __init__(self, stream: TextIO | None = None, quiet: bool = False):
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty() and not quiet
        self.quiet = quiet
        self.start = time.monotonic()
        self._lock = threading.RLock()
        self._running: Running = {}
        self._shown = False
        self._last_plain = 0.0
        self.kept: list[str] = []  # every line said, for the log of a debug run
        self.listeners: list[Callable[[str], None]] = []
        self.watchers: list[Callable[[Running], None]] = []

    def say(self, text: str, *, stage: str = "") -> None:
        """One line with the elapsed time."""
        words = (f"{stage}: " if stage else "") + printable(text)
        for listener in self.listeners:
            listener(words)
        self._print(words)

    def _print(self, words: str) -> None:
        if self.quiet:
            return
        with self._lock:
            self._wipe()
            clock = int(time.monotonic() - self.start)
            line = f"[{clock // 60:3d}:{clock % 60:02d}] {words}"
            self.kept.append(line)
            print(line, file=self.stream, flush=True)
            self._draw()

    def simulation(self, name: str, fraction: float, remaining_s: float | None, message: str) -> None:
        """Progress of a running simulation."""
        with self._lock:
            self._running[name] = (fraction, remaining_s, message)
            self._tell_watchers()
            if self.live:
                self._wipe()
                self._draw()
            elif time.monotonic() - self._last_plain > 10:
                self._last_plain = time.monotonic()
                self._print(self._line())

    def simulation_done(self, name: str) -> None:
        """Forget a simulation that ended."""
        with self._lock:
            self._running.pop(name, None)
            self._tell_watchers()

    def _tell_watchers(self) -> None:
        for watcher in self.watchers:
            watcher(dict(self._running))

    def _line(self) -> str:
        return "simulating " + "; ".join(progress_words(self._running))

    def _wipe(self) -> None:
        if self._shown:
            self.stream.write("\r\x1b[2K")
            self._shown = False

    def _draw(self) -> None:
        if self.live and self._running:
            self.stream.write(one_visible_line(self._line(), 150))
            self.stream.flush()
            self._shown = True


def progress_words(running: Running) -> list[str]:
    """Each running simulation in words: how far it is, how long it will take."""
    parts = []
    for name, (fraction, remaining, message) in sorted(running.items()):
        left = (
            f", {duration(remaining)} left"
            if remaining is not None
            else ", its fields still settle" * (fraction > 0.5)
        )
        parts.append(f"{name}: {100 * fraction:.0f} % done{left}" + (f" ({message})" if message else ""))
    return parts
