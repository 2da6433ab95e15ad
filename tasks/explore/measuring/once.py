"""One run of the measure program over one candidate, in a fresh folder that the candidate cannot write to."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from schemas.errors import StateError
from schemas.explore.evaluation import MetricSpec
from schemas.explore.settings import MeasureSettings
from schemas.text.visible import one_visible_line
from tasks.explore.measuring.beside import Beside, beside_of, doubled, imported_first
from tasks.explore.measuring.clocks import Blind, Timed, blind_of, slowed, time_of
from tasks.explore.measuring.interpreter import Interpreter, interpreter
from tasks.explore.measuring.reading import FILE_NAME, MeasuredFile, Refused, read_measured
from tasks.files.store import atomic_write
from tasks.sandbox import Limits, SandboxResult, probe_level, run_sandboxed, scratch
from tasks.sandbox.sandbox_result import HARD_LIMITS

PROGRAM, CANDIDATE, REPEAT = "measure.py", "candidate", "REPROLAB_REPEAT"
_INSIDE = "/sandbox/measure"
_LIBRARY = "/sandbox/library"
# runs the program as its own __main__, and says at the very end which file it left: a candidate that ends the process early,
# or writes the file behind the program's back, leaves no such line. Before the program opens the file to write it, every other
# process of the sandbox is ended (kill -1 in a namespace of its own): what a candidate left running writes nothing more
_START = """
import hashlib, os, runpy, sys, time
folder, token = sys.argv[1:3]
fork, leave, waitpid = os.fork, os._exit, os.waitpid
sys.argv = ["measure.py"]
sys.path[0] = folder
def alone(event, given, kill=os.kill, text=os.fsdecode):
    written = event == "open" and given[1] not in ("r", "rb", "rt")
    target = given[0] if written else given[1] if event == "os.rename" else ""
    if not isinstance(target, int) and text(target).endswith("measured.json"):
        try:
            kill(-1, 9)
        except OSError:
            pass  # there is no other
if folder == "INSIDE" and os.getpid() < 10:
    sys.addaudithook(alone)
try:
    runpy.run_path("measure.py", run_name="__main__")
except SystemExit as end:
    if end.code not in (None, 0):
        raise
with open("measured.json", "rb") as file:
    found = hashlib.sha256(file.read()).hexdigest()
begun = fork()  # its number tells how many processes and threads there were before it
if not begun:
    leave(0)
waitpid(begun, 0)
sys.stdout.write("\\n" + token + " " + found + " " + str(begun) + "\\n")
sys.stdout.flush()
time.sleep(0.05)  # this line wakes who counts the CPU time of this process, which it can while the process lives
""".replace("INSIDE", _INSIDE)


@dataclass(frozen=True)
class Harness:
    """What every run of a search's measure program has in common.

    program: its bytes, frozen. files: the goal's provided files by path. libraries: name -> folder of packages of ours that it
    may import. python: which interpreter. blind: where the clock of a timed metric does not look (`blind_to`). beside: what the
    goal's files cost beside it (`beside_in`).
    """

    program: bytes
    files: Mapping[str, bytes] = field(default_factory=dict)
    settings: MeasureSettings = field(default_factory=MeasureSettings)
    libraries: Mapping[str, Path] = field(default_factory=dict)
    python: Interpreter = field(default_factory=interpreter)
    allow_degraded: bool = False
    blind: tuple[Blind, ...] = ()
    beside: Beside | None = None

    def check(self, spec: MetricSpec) -> None:
        """Raises StateError if the program is not the frozen one."""
        found = hashlib.sha256(self.program).hexdigest()
        if found != spec.sha256:
            raise StateError(
                "the measure program is not the one that was frozen before the search",
                found=found,
                allowed=spec.sha256,
                fix="restore it; a search that measures differently is another search",
            )


@dataclass(frozen=True)
class HarnessRun:
    """One run: its reading, or why there is none. begun: processes and threads that there were in it; 0 where nobody can tell."""

    reading: MeasuredFile | None
    reason: str
    result: SandboxResult
    begun: int = 0

    def timed(self, spec: MetricSpec) -> Timed | None:
        """Its time; None where it gave none, or a check failed."""
        if self.reading is None or not all(self.reading.checks.values()):
            return None
        return Timed(time_of(self.reading, spec), self.result, self.begun)


@contextmanager
def alone() -> Iterator[None]:
    """While one process of this user measures a time on this computer, others that would wait. Where somebody else took the
    lock's name nobody waits: the error bars hold what that costs."""
    path = Path(tempfile.gettempdir()) / f"reprolab-timing-{os.getuid()}.lock"
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def drawn_seeds(count: int) -> tuple[int, ...]:
    """So many seeds that nobody knows beforehand: a candidate that was written for the ones of before gains nothing."""
    return tuple(secrets.randbelow(2**31) for _ in range(count))


def run_once(harness: Harness, spec: MetricSpec, candidate: Path, seed: int) -> HarnessRun:
    """Run the program with `candidate` (a folder) as candidate/; seed: told to the program in the variable
    REPROLAB_REPEAT, for whatever is random in it.

    Raises FileNotFoundError where files that it was given vanish meanwhile: the candidate can only read them, so that is no
    failure of its own. Without isolation it could remove them itself, and they are.
    """
    token = secrets.token_hex(16)
    with scratch("reprolab-measure-") as folder:
        fresh = _laid_out(harness, candidate, folder / "fresh")
        given = _names(fresh)
        inside = str(fresh) if probe_level().degraded else _INSIDE
        for name in sorted(os.listdir(fresh)):
            (folder / "work" / name).symlink_to(f"{inside}/{name}")
        libraries = {path: f"{_LIBRARY}/{name}" for name, path in harness.libraries.items()}
        cpu_s = harness.settings.cpu_s
        result = run_sandboxed(
            [harness.python.path, "-c", _START, inside, token],
            folder / "work",
            readonly={fresh: _INSIDE, **libraries},
            prefixes=harness.python.prefixes,
            env={REPEAT: str(seed), **({"PYTHONPATH": _LIBRARY} if libraries else {})},
            limits=Limits(
                cpu_s=cpu_s,
                wall_s=min(4 * cpu_s + 120, HARD_LIMITS["wall_s"]),
                disk_mb=512,
                memory_mb=harness.settings.memory_mb,
            ),
            allow_degraded=harness.allow_degraded,
        )
        try:
            reading, begun = _read(folder / "work", spec, result, token)
            timed = Timed(time_of(reading, spec), result, begun)
            if fault := next(filter(None, (blind.fault(timed) for blind in harness.blind)), ""):
                raise Refused(fault)
            return HarnessRun(reading, "", result, begun)
        except Refused as error:
            lost = given - _names(fresh) if result.level == "A" else set()
            if lost or not (folder / "work").is_dir():
                what = f"files vanished while a candidate was measured ({', '.join(sorted(lost)[:3]) or 'its folder'})"
                raise FileNotFoundError(errno.ENOENT, what, str(fresh)) from None
            return HarnessRun(None, str(error), result)


def blind_to(harness: Harness, spec: MetricSpec, provided: Mapping[str, bytes]) -> tuple[Blind, ...]:
    """Where a candidate could work unseen by a timed metric; () where it sees everything, or that cannot be told."""
    if spec.kind != "timed" or all(
        slowed(raw, "own") == raw for path, raw in provided.items() if path.endswith(".py")
    ):
        return ()
    seed = drawn_seeds(1)[0]

    def timed(how: str) -> Timed | None:
        return _of_files(harness, spec, _slowed(provided, how), seed)

    with alone():
        return blind_of(timed)


def beside_in(harness: Harness, spec: MetricSpec, provided: Mapping[str, bytes]) -> Beside | None:
    """What the goal's files cost beside the clock of a timed metric; None where that cannot be told."""
    twice = doubled(provided)
    if spec.kind != "timed" or twice == dict(provided) or probe_level().degraded:
        return None
    seed = drawn_seeds(1)[0]

    def timed(how: str) -> Timed | None:
        return _of_files(harness, spec, twice if how == "twice" else _slowed(provided, how), seed)

    with alone():
        return beside_of(timed)


def beside_now(harness: Harness, spec: MetricSpec, statements: str, seed: int) -> Beside | None:
    """What the goal's files cost beside the clock here and now, with what these imports cost them; None where they gave no time."""
    plain = _of_files(harness, spec, harness.files, seed)
    if harness.beside is None or plain is None or plain.time <= 0:
        return None
    importing = imported_first(harness.files, statements)
    return harness.beside.again(plain, _of_files(harness, spec, importing, seed) if statements else None)


def _slowed(files: Mapping[str, bytes], how: str) -> dict[str, bytes]:
    return {path: slowed(raw, how) if how and path.endswith(".py") else raw for path, raw in files.items()}


def _of_files(harness: Harness, spec: MetricSpec, files: Mapping[str, bytes], seed: int) -> Timed | None:
    with scratch("reprolab-clock-") as folder:
        for path, raw in files.items():
            atomic_write(folder / "c" / path, raw)
        return run_once(harness, spec, folder / "c", seed).timed(spec)


def _names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def _read(work: Path, spec: MetricSpec, result: SandboxResult, token: str) -> tuple[MeasuredFile, int]:
    if not result.ok:
        raise Refused(_end(result))
    reading = read_measured(work, spec)
    said = result.stdout_tail.rstrip().rpartition("\n")[2].split()
    if said[:2] != [token, reading.sha256] or not "".join(said[2:]).isdecimal():
        raise Refused(
            f"the measure program did not come to its end, or {FILE_NAME} changed behind its back; its numbers are "
            "the candidate's own word"
        )
    value = reading.metrics[spec.name][0]
    if spec.kind == "timed" and spec.unit == "s" and not 0 < value <= result.wall_s:
        raise Refused(f"{value:.3g} s were measured in a run that took {result.wall_s:.3g} s in all")
    return reading, int(
        said[2]
    ) if result.level == "A" else 0  # elsewhere it is a number of the whole computer


def _end(result: SandboxResult) -> str:
    tail = one_visible_line(result.stderr_tail[-400:], 400)
    if result.stop_reason:
        return f"it was stopped at its limit ({result.stop_reason}) after {result.cpu_s:.1f} CPU seconds. {tail}".strip()
    how = f"signal {result.signal}" if result.signal else f"exit code {result.exit_code}"
    return f"it ended with {how}. {tail}".strip()


def _laid_out(harness: Harness, candidate: Path, fresh: Path) -> Path:
    fresh.mkdir()
    shutil.copytree(candidate, fresh / CANDIDATE, symlinks=True)
    for path, raw in harness.files.items():
        atomic_write(fresh / path, raw)
    atomic_write(fresh / PROGRAM, harness.program)
    for each in (fresh, *fresh.rglob("*")):
        if not each.is_symlink():
            executable = each.is_dir() or each.stat().st_mode & 0o100
            each.chmod(0o755 if executable else 0o644)
    return fresh
