"""One run of trusted numbers -> raw arrays: solved in the sandbox once, kept by its own digest and Meep's version."""

from __future__ import annotations

import contextvars
import json
import math
import re
import shutil
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from schemas.errors import InputError, PrerequisiteError
from schemas.reading.strict_json import parse_json
from schemas.reproduce.simulations.execution import Failure
from schemas.reproduce.simulations.served import MAX_BYTES, SolvingProgress, served
from simkit.runs import AnyRun, BandsRun, Run, dump
from tasks.files.store import Store, atomic_write
from tasks.reproduce.collect import CollectLimits, UnsafeOutput, collect, open_beneath, read_json
from tasks.reproduce.meep_interpreter import MeepInterpreter
from tasks.reproduce.solving.run_cost import cost_of, foresee, run_time, time_within
from tasks.reproduce.solving.run_left import Arrays, RunFailed, failure_of, read_raw, was_cut
from tasks.reproduce.solving.session import DISK_MB, Place, Session

PROBE_CPU_S = 120.0
LAST_POINTS_S = 20.0  # CPU time foreseen of the points of a sweep's grid that are solved all the same; it may take several times that
NEARLY_DONE_S = 60.0  # what a run may still take that is under way when a person says that it is enough
WORTH_S = 6.0  # of foreseen CPU time: for less no second sandbox is opened, which costs a second and a half
OVERRUN, SHARE = (
    3.0,
    0.2,
)  # of what was foreseen for a run, or of all that a study may use: more of it no run takes
PATIENCE = 5.0  # times as long as such a cell without resonances needs; guided-resonance's runs take 3.3, binary-grating's 2.2
SLOWER = 4.0  # a busy or old computer needs up to so many times the CPU time that the model counts
Progress = Callable[[float, float | None, str], None]


ENOUGH = Failure(
    failure_class="budget",
    reason="not begun, or ended: a person said that it is enough",
    fix="without the stage's file `enough` it is solved when the stage is done again: everything solved so far is kept",
)


@dataclass
class Budget:
    """CPU seconds that a study may use, as the model of costs counts them (run_cost.py).

    What was in the store costs as much as what ran: a run that is gone on with, a busy computer and a slow one choose the
    same grids as any other.
    """

    left: float
    used: float = 0.0

    def allowed(self, foreseen: float) -> float:
        """What one run may use: a study that one run uses up tells nothing about its error."""
        return max(0.0, min(self.left, max(OVERRUN * foreseen, SHARE * (self.left + self.used))))

    def charge(self, cpu_s: float) -> None:
        """Take what a run used."""
        self.used += cpu_s
        self.left -= cpu_s


@dataclass
class Points:
    """Points of a sweep that are still to come on the grid under way, CPU seconds foreseen for each, and whether none is begun any
    more."""

    count: int
    each_s: float
    given_up: bool = False


@dataclass
class Solver:
    """Where and how runs are solved, in a sandbox (for `ahead` in several) that is open from the first run to `close`.

    side_by_side: how many runs are solved at the same time. cpu_limit_s: of one run, as measured. ends_at: Meep time at which a
    run ends with what it has, where somebody else chose it. enough: whether a person wants no more runs begun. ran: measured CPU seconds of
    each run solved now, by digest; kept: of every run, also of those that were in the store; costs: what each was charged.
    lasted: Meep time that runs like this one took at most, by scene and name: how long light rings no model of a cell tells.
    """

    store: Store
    meep: MeepInterpreter
    budget: Budget
    cpu_limit_s: float = 3600.0
    memory_mb: int = 8192
    allow_degraded: bool = False
    processes: int = 1
    cores: Collection[int] = ()
    ends_at: float | None = None
    progress: Progress | None = None
    cancel: threading.Event | None = None
    side_by_side: int = 1
    say: Callable[[str], None] | None = None
    enough: Callable[[], bool] = lambda: False
    ran: dict[str, float] = field(default_factory=dict)
    kept: dict[str, float] = field(default_factory=dict)
    costs: dict[str, float] = field(default_factory=dict)
    lasted: dict[str, float] = field(default_factory=dict)
    _expected: dict[str, float] = field(default_factory=dict, repr=False, init=False)
    _session: Session | None = field(default=None, repr=False, init=False)
    _others: list[Solver] = field(default_factory=list, repr=False, init=False)
    _under_way: dict[str, threading.Lock] = field(default_factory=dict, repr=False, init=False)
    _halted: threading.Event = field(default_factory=threading.Event, repr=False, init=False)
    _given_up: threading.Event = field(default_factory=threading.Event, repr=False, init=False)
    _told: set[str] = field(default_factory=set, repr=False, init=False)
    _points: Points | None = field(default=None, repr=False, init=False)

    @property
    def hard_limit_s(self) -> float:
        """Measured CPU seconds after which a run is ended."""
        return max(1.0, min(self.cpu_limit_s, SLOWER * self.budget.left))

    def until(self, run: AnyRun) -> float | None:
        """Meep time at which a run that has not settled ends with what it has; None where its own bound comes first."""
        if isinstance(run, BandsRun) or run.stop.kind == "time":
            return None
        return (
            self.ends_at
            if self.ends_at is not None
            else time_within(run, self.budget.allowed(self.foreseen_s(run)))
        )

    def expect(self, run: AnyRun, alike: str) -> None:
        """Foresee of a run what those like it took on another grid or with other parameters."""
        if isinstance(run, Run) and alike in self.lasted:
            self._expected[run.digest()] = max(self.lasted[alike], run_time(run))

    def foreseen_s(self, run: AnyRun) -> float:
        """CPU seconds by the model, for as long as runs like it lasted where that is known."""
        return foresee(run, self._expected.get(run.digest())).cpu_s

    def has(self, run: AnyRun) -> bool:
        """Whether the store holds it, as far as it may go."""
        try:
            cut = read_json(self.entry(run.digest()) / "outcome.json", 1 << 20).get("cut")
        except (UnsafeOutput, OSError):
            return False
        until = self.until(run)
        return cut is None or (until is not None and until <= cut * (1 + 1e-9))

    def beyond(self, runs: Iterable[AnyRun]) -> RunFailed | None:
        """The failure of runs that are not begun, because what they are foreseen to take is not left."""
        new = [run for run in runs if not self.has(run)]
        if new and self._over():
            return RunFailed.of(ENOUGH)
        needed = sum(self.foreseen_s(run) for run in new)
        if needed <= self.budget.left:
            return None
        return RunFailed.of(
            Failure(
                failure_class="budget",
                reason=f"not begun: about {needed:.0f} s of CPU time are foreseen, "
                f"{max(0.0, self.budget.left):.0f} s are left",
                fix="raise the limit, or describe a smaller scene",
            )
        )

    def tell(self, words: str) -> None:
        """Say something about what is solved now, once: what is asked for in turn was told when it was solved ahead."""
        if self.say is not None and words not in self._told:
            self._told.add(words)
            self.say(words)

    @contextmanager
    def finishing(self, count: int, each_s: float) -> Iterator[None]:
        """While the other points of a sweep's grid are solved: how many there are, and CPU seconds foreseen for each; 0 where the
        first one was lost."""
        before, self._points = self._points, Points(count, each_s or math.inf) if count else None
        try:
            yield
        finally:
            self._points = before

    def one_less(self) -> None:
        """One of these points is over."""
        if self._points is not None:
            self._points.count -= 1

    def close(self) -> None:
        """End the sandboxes; the next run opens another."""
        while self._others:
            self._others.pop().close()
        if self._session is not None:
            self._session.close()
            self._session = None

    def entry(self, digest: str) -> Path:
        """The store's folder of a run; of several processes its own, as the order of fields to subtract is theirs."""
        apart = f"-mpi{self.processes}" if self.processes > 1 and self.meep.launcher else ""
        return self.store.entry(
            "runs", f"{digest}-{re.sub(r'[^A-Za-z0-9.]', '_', self.meep.meep_version)}{apart}"
        )

    def solve(self, run: AnyRun, label: str = "", alike: str = "") -> Arrays:
        """Raw arrays of a run by 'monitor/array', from the store if it was solved before.

        alike: what runs of its kind are called (`lasted`).
        The runs it subtracts must have been solved. Raises RunFailed; PrerequisiteError for faults of the environment.
        """
        digest = run.digest()
        kept = self.entry(digest)
        self.expect(run, alike)
        raw: Arrays | None = None
        try:
            if not self.has(run):
                self._afford(label or digest[:8])
                with self._under_way.setdefault(digest, threading.Lock()):
                    if not self.has(run):
                        self._solve(run, digest, label)
            outcome = read_json(kept / "outcome.json", 1 << 20)
            self.kept.setdefault(digest, float(outcome["cpu_s"]))
            if outcome["failure"] is not None:
                raise RunFailed.of(Failure.model_validate(outcome["failure"]))
            raw = read_raw(kept / "raw.npz")
            if alike and "stats/meep_time" in raw:
                self.lasted[alike] = max(self.lasted.get(alike, 0.0), float(np.real(raw["stats/meep_time"])))
            return raw
        finally:
            if digest not in self.costs and (digest in self.kept or digest in self.ran):
                self.costs[digest] = (
                    cost_of(run, raw) if raw is not None else min(cost_of(run), self.hard_limit_s)
                )
                self.budget.charge(self.costs[digest])

    def ahead(self, calls: Sequence[Callable[[Solver], object]], each_s: float) -> None:
        """Fill the store side by side with the runs that these calls will ask a solver for; what they give is not used.

        Whoever asks in turn afterwards finds the runs there and is charged for each as ever: no value and no choice depends on
        what was solved ahead. each_s: CPU seconds foreseen for one call.
        """
        count = min(self.side_by_side, len(calls)) if self.processes == 1 else 1
        if count < 2 or each_s * len(calls) < WORTH_S:
            return
        while len(self._others) < count:
            self._others.append(self._another())
        waiting, others = deque(calls), self._others[:count]
        for other in others:
            other.budget = Budget(self.budget.left, self.budget.used)
            other._halted.clear()
            other._points = self._points

        def work(other: Solver) -> None:
            with suppress(IndexError):  # nothing waits any more
                while True:
                    call = waiting.popleft()
                    with suppress(RunFailed):  # said to whoever asks in turn
                        call(other)

        with ThreadPoolExecutor(max_workers=count) as pool:
            futures = [pool.submit(contextvars.copy_context().run, work, other) for other in others]
            broken = True
            try:
                done = wait(futures, return_when=FIRST_EXCEPTION).done
                broken = any(future.exception() is not None for future in done)
            finally:
                waiting.clear()
                for other in others if broken else ():
                    other._halt()
        for future in futures:
            future.result()

    def _another(self) -> Solver:
        """The same with a sandbox of its own."""
        made = replace(self, side_by_side=1, kept={}, costs={}, lasted=dict(self.lasted))
        made._under_way, made._told = self._under_way, self._told
        return made

    def _halt(self) -> None:
        """End the run under way, or about to begin, from another thread, and begin no other."""
        self._halted.set()
        self.budget = Budget(0.0)

    def _over(self) -> bool:
        """Whether a person wants nothing more begun. What little is left of a sweep's grid is all the same: without it all of the
        grid would be lost."""
        left = self._points
        if not self.enough() or left is None:
            return self.enough()
        left.given_up |= left.count * left.each_s > LAST_POINTS_S
        return left.given_up

    def _afford(self, name: str) -> None:
        if self._over():
            raise RunFailed.of(ENOUGH)
        if self.budget.left <= 0:
            raise RunFailed.of(
                Failure(
                    failure_class="budget",
                    reason=f"no CPU time is left for {name}",
                    fix="raise the limit: everything solved so far is kept",
                )
            )

    def probe(self, run: AnyRun, steps: int = 100) -> dict[str, float]:
        """Plain numbers of some timed steps on this machine (simkit/solve/timing.py).

        Raises RunFailed: the run cannot even be set up.
        """
        with self._sandbox().solving(
            lambda folder: self._lay_out(_alone(run), folder), PROBE_CPU_S, ("--probe", str(steps))
        ) as (_, result):
            failure = failure_of(run, result, None, PROBE_CPU_S)
            try:
                told = [
                    line for line in result.stdout_tail.splitlines() if line.startswith("{")
                ]  # Meep adds lines of its own
                found = parse_json(told[-1], max_depth=2) if failure is None else {}
                return {
                    name: float(found[name])
                    for name in (
                        "cpu_s_per_step",
                        "cpu_s_per_look",
                        "window",
                        "setup_cpu_s",
                        "memory_bytes",
                        "steps_bound",
                    )
                }
            except (ValueError, IndexError, KeyError, TypeError) as error:
                raise RunFailed.of(
                    failure
                    or Failure(
                        failure_class="infrastructure",
                        reason="the probe gave no numbers",
                        detail=result.stderr_tail[-1000:],
                    )
                ) from error

    def draw(self, run: AnyRun, folder: Path, names: Sequence[str]) -> None:
        """The run's cell, set up and not solved, into `folder` (simkit/solve/picture.py). Raises RunFailed."""
        with self._sandbox().solving(
            lambda place: self._lay_out(_alone(run), place), PROBE_CPU_S, ("--picture",)
        ) as (place, result):
            if failure := failure_of(run, result, None, PROBE_CPU_S):
                raise RunFailed.of(failure)
            collect(place, folder, names, CollectLimits(file_mb=20, total_mb=40))

    def _solve(self, run: AnyRun, digest: str, label: str) -> None:
        limit, until = self.hard_limit_s, self.until(run)
        options = () if until is None else ("--until", repr(until))
        if not isinstance(run, BandsRun):
            options += ("--patience", repr(PATIENCE * run_time(run)))

        def poll(folder: Path) -> None:
            if (last := _progress_of(folder)) is None:
                return
            if self.progress is not None:
                self.progress(*last, label)
            if last[1] is not None and last[1] > NEARLY_DONE_S and self.enough():
                self._given_up.set()

        with (
            self.store.building("runs", self.entry(digest).name) as draft,
            self._sandbox().solving(
                lambda folder: self._lay_out(run, folder), limit, options, on_poll=poll
            ) as (folder, result),
        ):
            self.ran[digest] = result.cpu_s
            if self._given_up.is_set():
                self._given_up.clear()
                raise RunFailed.of(ENOUGH)
            if folder.is_dir():  # it went with a sandbox that was ended
                collect(
                    folder,
                    draft,
                    ["raw.npz", "log.json"],
                    CollectLimits(file_mb=DISK_MB, total_mb=DISK_MB + 10),
                )
            failure = failure_of(run, result, draft, limit)
            if failure and failure.failure_class == "environment":
                raise PrerequisiteError(
                    "the solver's environment is broken", found=failure.reason, fix=failure.fix
                )
            if failure and failure.failure_class in ("infrastructure", "budget"):
                raise RunFailed.of(failure)  # another time or limit may succeed: not kept
            atomic_write(draft / "run.json", dump(run))
            atomic_write(
                draft / "outcome.json",
                json.dumps(
                    {
                        "cpu_s": result.cpu_s,
                        "wall_s": result.wall_s,
                        "peak_memory_mb": result.peak_memory_mb,
                        "sandbox_level": result.level,
                        "cut": until if failure is None and was_cut(draft) else None,
                        "failure": None if failure is None else failure.model_dump(),
                    }
                ),
            )

    def _sandbox(self) -> Session:
        if self._session is None:
            self._session = Session(
                Place(
                    self.meep,
                    SLOWER * max(self.budget.left, 1.0) + PROBE_CPU_S,
                    self.memory_mb,
                    self.processes,
                    self.cores,
                    self.allow_degraded,
                ),
                *filter(None, (self.cancel, self._halted, self._given_up)),
            )
        return self._session

    def _lay_out(self, run: AnyRun, folder: Path) -> None:
        atomic_write(folder / "run.json", dump(run))
        wanted = set() if isinstance(run, BandsRun) else {digest for digest, _ in run.subtract.values()}
        (folder / "subtract").mkdir()
        for digest in wanted:
            source = self.entry(digest) / "raw.npz"
            if not source.is_file():
                raise InputError(
                    "a run to subtract is not solved", found=digest, fix="solve runs in their order"
                )
            shutil.copyfile(source, folder / "subtract" / f"{digest}.npz")


def _alone(run: AnyRun) -> AnyRun:
    """The run without the fields that it subtracts, which nobody may have solved."""
    return replace(run, subtract={}) if isinstance(run, Run) else run


def _progress_of(work: Path) -> tuple[float, float | None] | None:
    """Fraction done and remaining seconds."""
    try:
        with open_beneath(work, "progress.json", MAX_BYTES) as handle:
            found = served(handle.read(MAX_BYTES), SolvingProgress)
        return found.fraction, found.remaining_s
    except (UnsafeOutput, OSError, ValueError):  # what is shown while it runs is not worth an end
        return None
