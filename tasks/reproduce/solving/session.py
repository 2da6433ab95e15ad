"""A sandbox that stays open for the runs of a study: Meep is imported once, each run is a fork with limits of its own.

Only trusted numbers go in (simkit/runs.py), so that runs of one study can share a sandbox: a description never gets here.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import signal
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from schemas.reproduce.simulations.served import MAX_BYTES, SolvingEnded, served
from tasks.files.store import atomic_write
from tasks.reproduce.collect import UnsafeOutput, open_beneath
from tasks.reproduce.meep_interpreter import MeepInterpreter
from tasks.reproduce.simulation import wall_backstop_s
from tasks.sandbox import Limits, SandboxResult, run_sandboxed, scratch
from tasks.sandbox.command import SANDBOX_UID
from tasks.sandbox.sandbox_result import HARD_LIMITS

DISK_MB = 2048  # of one file; twice that of all
IDLE_S = 120.0  # a sandbox that nobody needs so long is closed
START_S = 60.0  # wall time that the sandbox has to open, on top of the first run's
_POLL_S = 0.2
_SOONEST_S, _LATEST_S = 0.002, 0.05
_TAIL = 32 * 1024
_SIMKIT = Path(__file__).resolve().parents[3] / "simkit"
_LIBRARY, _WORK = "/sandbox/library", "/sandbox/work"
_LIMIT_OF: dict[int, str] = {int(signal.SIGXCPU): "cpu", int(signal.SIGXFSZ): "disk"}


@dataclass(frozen=True)
class Place:
    """Where runs are solved. cpu_s: CPU seconds that the sandbox may use in all."""

    meep: MeepInterpreter
    cpu_s: float
    memory_mb: int = 8192
    processes: int = 1
    cores: Collection[int] = ()
    allow_degraded: bool = False


@dataclass
class _Sandbox:
    """The open sandbox, as its thread sees it: no reference back, so that a forgotten session ends."""

    place: Place
    stop: threading.Event = field(default_factory=threading.Event)
    ready: threading.Event = field(default_factory=threading.Event)
    work: Path = field(default_factory=Path)
    result: SandboxResult | None = None
    error: Exception | None = None
    used: float = field(default_factory=time.monotonic)  # last time
    busy: bool = False
    runs: int = 0
    charged: float = 0.0

    def live(self) -> None:
        """Body of the thread: the sandbox from its start to its end."""
        place = self.place
        try:
            with scratch("reprolab-runs-") as folder:
                library = folder / "library"
                shutil.copytree(
                    _SIMKIT,
                    library / "simkit",
                    ignore=shutil.ignore_patterns("__pycache__", "*.md", "describe"),
                )
                for path in (library, *library.rglob("*")):
                    path.chmod(0o755 if path.is_dir() else 0o644)
                self.work = folder / "work"
                self.ready.set()
                self.result = run_sandboxed(
                    [*place.meep.command("-m", place.processes), "simkit.solve", _WORK, "--serve"],
                    self.work,
                    readonly={library: _LIBRARY},
                    prefixes=place.meep.prefixes,
                    env={"PYTHONPATH": _LIBRARY, **place.meep.environment()},
                    limits=Limits(
                        wall_s=HARD_LIMITS["wall_s"],
                        cpu_s=place.cpu_s,
                        memory_mb=place.memory_mb,
                        processes=48 + 16 * place.processes,
                        file_mb=DISK_MB,
                        disk_mb=2 * DISK_MB,
                    ),
                    allow_degraded=place.allow_degraded,
                    on_poll=self._idle,
                    cancel=self.stop,
                    cores=place.cores,
                    mpi=place.meep.mpi,
                    handed_in=True,
                )
        except Exception as error:  # noqa: BLE001  raised again where a run waits for it
            self.error = error
        finally:
            self.ready.set()

    def _idle(self, _elapsed: float) -> None:
        if not self.busy and time.monotonic() - self.used > IDLE_S:
            self.stop.set()


class Session:
    """Runs one after the other in one sandbox, which is opened when it is needed and again after a run that broke it.

    endings: while one of them is set, no run goes on.
    """

    def __init__(self, place: Place, *endings: threading.Event):
        self.place, self.endings = place, endings
        self._lock = threading.Lock()
        self._open: tuple[_Sandbox, threading.Thread, Any] | None = None

    def close(self) -> None:
        """End the sandbox."""
        with self._lock:
            self._close()

    @contextlib.contextmanager
    def solving(
        self,
        lay_out: Callable[[Path], None],
        cpu_s: float,
        options: tuple[str, ...] = (),
        on_poll: Callable[[Path], None] | None = None,
    ) -> Iterator[tuple[Path, SandboxResult]]:
        """Solve the run that `lay_out` writes into a folder, within `cpu_s`; its folder, removed afterwards, and its end.

        on_poll: called with the folder about five times a second. Raises what `run_sandboxed` raises.
        """
        with self._lock:
            sandbox, thread = self._opened()
            sandbox.busy = True
            try:
                folder = self._handed_in(sandbox, lay_out, {"cpu_s": cpu_s, "options": options})
                result = self._waited(sandbox, thread, folder, cpu_s, on_poll)
                sandbox.charged += result.cpu_s
                yield folder, result
                if thread.is_alive():
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                sandbox.busy, sandbox.used = False, time.monotonic()

    def _opened(self) -> tuple[_Sandbox, threading.Thread]:
        if self._open is not None:
            sandbox, thread, _ = self._open
            if thread.is_alive() and not sandbox.stop.is_set():
                return sandbox, thread
            self._close()
        sandbox = _Sandbox(self.place)
        thread = threading.Thread(target=sandbox.live, name="solver", daemon=True)
        thread.start()
        self._open = sandbox, thread, weakref.finalize(self, _end, sandbox, thread)
        sandbox.ready.wait()
        return sandbox, thread

    def _close(self) -> None:
        if self._open is not None:
            self._open[2]()
            self._open = None

    @staticmethod
    def _handed_in(sandbox: _Sandbox, lay_out: Callable[[Path], None], job: dict[str, Any]) -> Path:
        sandbox.runs += 1
        folder = sandbox.work / f"{sandbox.runs:06d}"
        draft = sandbox.work.parent / "draft"
        draft.mkdir(mode=0o755)
        lay_out(draft)
        atomic_write(draft / "job.json", json.dumps(job))
        for path in draft.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        if os.getuid() == 0:
            os.chown(draft, SANDBOX_UID, SANDBOX_UID)  # as run_sandboxed does with the work directory
        draft.rename(folder)
        return folder

    def _waited(
        self,
        sandbox: _Sandbox,
        thread: threading.Thread,
        folder: Path,
        cpu_s: float,
        on_poll: Callable[[Path], None] | None,
    ) -> SandboxResult:
        began, pause, told = time.monotonic(), _SOONEST_S, time.monotonic()
        bound, over, misfit = wall_backstop_s(cpu_s) + START_S, False, ""
        while thread.is_alive():
            try:
                if not misfit and (ended := _ended(folder)) is not None:
                    return _as_result(ended, folder, cpu_s)
            except ValueError as error:  # no solver of ours wrote it: whatever did is ended
                misfit = f"ended.json does not fit: {error}"
                sandbox.stop.set()
            now = time.monotonic()
            over = over or now - began > bound
            if over or any(ending.is_set() for ending in self.endings):
                sandbox.stop.set()
            if on_poll is not None and now - told > _POLL_S:
                told = now
                on_poll(folder)
            thread.join(pause)
            pause = min(_LATEST_S, pause * 1.2)
        if sandbox.error is not None:
            raise sandbox.error
        assert sandbox.result is not None
        found = replace(
            sandbox.result,
            cpu_s=max(0.0, sandbox.result.cpu_s - sandbox.charged),
            wall_s=time.monotonic() - began,
        )
        if misfit:
            return replace(found, stop_reason=None, signal=None, exit_code=1, stderr_tail=misfit[:_TAIL])
        return replace(found, stop_reason="wall") if over else found


def _end(sandbox: _Sandbox, thread: threading.Thread) -> None:
    sandbox.stop.set()
    if thread is not threading.current_thread():
        thread.join(30)


def _ended(folder: Path) -> SolvingEnded | None:
    """How a run ended, None while it runs. Raises ValueError for a file that does not fit: it never will."""
    if not os.path.lexists(folder / "ended.json"):  # asked first: it may appear at any moment, and then whole
        return None
    try:
        with open_beneath(folder, "ended.json", MAX_BYTES) as handle:
            return served(handle.read(MAX_BYTES), SolvingEnded)
    except OSError:
        return None
    except UnsafeOutput as error:
        raise ValueError(str(error)) from error


def _as_result(ended: SolvingEnded, folder: Path, cpu_s: float) -> SandboxResult:
    from tasks.sandbox.probe import probe_level  # found long ago, when the sandbox was opened

    level = probe_level()
    number, used = ended.signal, ended.cpu_s
    stdout, stderr = _tail(folder, "stdout"), _tail(folder, "stderr")
    reason = _LIMIT_OF.get(number or 0)
    if number == signal.SIGKILL and used >= math.floor(cpu_s):  # the kernel's hard limit
        reason = "cpu"
    return SandboxResult(
        exit_code=ended.exit_code,
        signal=number,
        stop_reason=reason,
        wall_s=ended.wall_s,  # type: ignore[arg-type]
        cpu_s=round(used, 3),
        peak_memory_mb=ended.peak_memory_mb,
        peak_disk_mb=0.0,
        stdout_head=stdout,
        stdout_tail=stdout,
        stderr_tail=stderr,
        output_bytes=len(stdout) + len(stderr),
        level=level.level,
        backend=level.backend,
    )


def _tail(folder: Path, name: str) -> str:
    try:
        with open_beneath(folder, name, 1 << 30) as handle:
            handle.seek(max(0, os.fstat(handle.fileno()).st_size - _TAIL))
            return handle.read(_TAIL).decode("utf-8", "replace")
    except (UnsafeOutput, OSError):
        return ""
