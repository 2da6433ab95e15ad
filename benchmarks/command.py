"""A `reprolab` command as a child process: when each line came, how much memory it took, how to kill it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from flows.reproduce.outcome import ENDS, NOT_TESTED

ROOT = Path(__file__).resolve().parent.parent
SERVER_LINE, SERVER_MODULE = "Prefect's server", b"server_app"
COMPLETE = {
    NOT_TESTED.code,
    *(end.code for end in ENDS.values()),
}  # exit codes of runs that came to their end
_SAMPLE_S = 0.1


@dataclass
class Command:
    """`reprolab <arguments>`, or a module of ours, in a session of its own, with nobody to ask.

    lines: (seconds after the start, text) of each line on standard error. out: standard output.
    peak_mb: MiB, high-water mark of resident memory of the process itself. server_mb: the same of the largest
    Prefect server it started, 0 without one. own_cpu_s, server_cpu_s: CPU seconds of these two, without their children.
    Both are read from /proc (Linux).
    """

    arguments: tuple[str, ...]
    module: str = "flows.cli"
    lines: list[tuple[float, str]] = field(default_factory=list)
    out: str = ""
    peak_mb: float = 0.0
    server_mb: float = 0.0
    own_cpu_s: float = 0.0
    server_cpu_s: float = 0.0
    wall_s: float = 0.0

    def __enter__(self) -> Command:
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", self.module, *self.arguments],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "REPROLAB_NON_INTERACTIVE": "1"},
        )
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._read_lines, self._read_out, self._watch_memory)
        ]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()

    def elapsed_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    def wait(self) -> int:
        """Wait for the end; the exit code."""
        code = self.process.wait()
        self.wall_s = self.elapsed_s()
        for thread in self._threads:
            thread.join(timeout=10)
        return code

    def finish(self) -> Command:
        """Wait for the end. Raises SystemExit with the last lines if a run did not come to its end, whatever the verdict."""
        code = self.wait()
        if code not in COMPLETE:
            tail = "\n".join(text for _, text in self.lines[-15:])
            raise SystemExit(f"reprolab {' '.join(self.arguments)} ended with code {code}:\n{tail}")
        return self

    def kill(self) -> None:
        """SIGKILL to the whole session, as a crash would end it: flow and server at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.wait()

    def at(self, text: str) -> float | None:
        """When the first line with `text` came, seconds after the start; None if it never did."""
        return next((when for when, line in self.lines if text in line), None)

    def server_interval(self) -> tuple[float, float]:
        """Seconds after the start at which the run turned to Prefect's server, and at which work followed."""
        begun = self.at(SERVER_LINE)
        if begun is None:
            raise SystemExit(f"no line with {SERVER_LINE!r} on standard error; benchmarks/ needs it")
        later = (when for when, line in self.lines if when > begun and SERVER_LINE not in line)
        return begun, next(later, begun)

    def _read_lines(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append((self.elapsed_s(), line.rstrip("\n")))

    def _read_out(self) -> None:
        assert self.process.stdout is not None
        self.out = self.process.stdout.read()

    def _watch_memory(self) -> None:
        server = 0
        while self.process.poll() is None:
            self.peak_mb = max(self.peak_mb, _high_water_mb(self.process.pid))
            self.own_cpu_s = max(self.own_cpu_s, _own_cpu_s(self.process.pid))
            server = server or _server_of(self.process.pid)
            if server:
                self.server_mb = max(self.server_mb, _high_water_mb(server))
                self.server_cpu_s = max(self.server_cpu_s, _own_cpu_s(server))
            time.sleep(_SAMPLE_S)


def _high_water_mb(pid: int) -> float:
    """VmHWM of a process in MiB, 0 if it is gone; the kernel keeps the mark, so sampling misses no peak."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    marks = (int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
    return next(marks, 0.0)


def _own_cpu_s(pid: int) -> float:
    """CPU seconds of a process without its children, 0 if it is gone."""
    try:
        words = (
            Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        )
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _server_of(pid: int) -> int:
    """The process id of the Prefect server among the children of `pid`; 0 if there is none yet."""
    try:
        children = Path(f"/proc/{pid}/task").glob("*/children")
        for child in {int(word) for path in children for word in path.read_text().split()}:
            if SERVER_MODULE in Path(f"/proc/{child}/cmdline").read_bytes():
                return child
    except OSError:
        pass
    return 0
