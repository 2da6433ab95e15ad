"""What a person sees while a run goes on: stage, agent, round, simulation progress and remaining time."""

from __future__ import annotations

import sys
import threading
import time
from typing import TextIO

from schemas.visible import one_visible_line, visible


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


class Console:
    """Lines for events, and one live line for running simulations where the output is a terminal."""

    def __init__(self, stream: TextIO | None = None, quiet: bool = False):
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty() and not quiet
        self.quiet = quiet
        self.start = time.monotonic()
        self._lock = threading.RLock()
        self._running: dict[str, tuple[float, float | None, str]] = {}
        self._shown = False
        self._last_plain = 0.0
        self.kept: list[str] = []  # every line said, for the log of a debug run

    def say(self, text: str, *, stage: str = "") -> None:
        """One line with the elapsed time."""
        if self.quiet:
            return
        with self._lock:
            self._wipe()
            clock = int(time.monotonic() - self.start)
            place = f"{stage}: " if stage else ""
            line = f"[{clock // 60:3d}:{clock % 60:02d}] {place}{printable(text)}"
            self.kept.append(line)
            print(line, file=self.stream, flush=True)
            self._draw()

    def simulation(self, name: str, fraction: float, remaining_s: float | None, message: str) -> None:
        """Progress of a running simulation."""
        if self.quiet:
            return
        with self._lock:
            self._running[name] = (fraction, remaining_s, message)
            if self.live:
                self._wipe()
                self._draw()
            elif time.monotonic() - self._last_plain > 10:
                self._last_plain = time.monotonic()
                self.say(self._line())

    def simulation_done(self, name: str) -> None:
        """Forget a simulation that ended."""
        with self._lock:
            self._running.pop(name, None)

    def _line(self) -> str:
        parts = []
        for name, (fraction, remaining, message) in sorted(self._running.items()):
            left = f", {duration(remaining)} left" if remaining is not None else ""
            parts.append(f"{name} {100 * fraction:.0f} %{left}" + (f" ({message})" if message else ""))
        return "simulating " + "; ".join(parts)

    def _wipe(self) -> None:
        if self._shown:
            self.stream.write("\r\x1b[2K")
            self._shown = False

    def _draw(self) -> None:
        if self.live and self._running:
            self.stream.write(one_visible_line(self._line(), 150))
            self.stream.flush()
            self._shown = True
