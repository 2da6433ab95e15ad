"""When a time-domain run ends. A stop says what it reached; reaching the bound is never called met.

Settled is judged by what is still to come, not by what just happened. Meep's rule (the DFT's norm changes little over
one period) and three quiet periods running were both fooled by slow light at a band's edge: the DFTs stand still while
it is under way (measured: 5 % afterwards). Here
- the change of the complex DFT fields themselves counts, for every monitor and every frequency alone;
- its remainder is extrapolated from the rate at which it falls, as a geometric series: a slow ring counts in full;
- light still in the cell forbids the stop: its energy has to be down by `by` as well, or, where energy stays for good
  (a mode that no monitor sees), the run goes on for half of its own length again and the DFTs must not have moved;
- changes that turn and cancel beside a mode's frequency never fall as a series: what they leave is then told from how they
  turn, and the run has to pass the same second test;
- a run of many times what such cells need may end with less, on the same terms, and says so;
- a cell without light has nothing to come, and ends at once: an empty one as soon as the pulse has left it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import meep as mp
import numpy as np

from simkit.errors import ParameterError
from simkit.runs import Run
from simkit.solve.monitors import Attached
from simkit.solve.sources import band, component, last_time

PERIODS_A_WINDOW = 8
WINDOWS = 3
SAMPLES_A_PERIOD = 12
# Of `patience` (PATIENCE of tasks/reproduce/solving/one_run.py times that), how long such cells need; how much of a run that is.
LIKELY, SURE = 0.2, 0.9
AGAIN = 0.5  # the second test: this share of the time since the sources
SLOWEST = 0.995  # ratio of successive changes from which on nothing is extrapolated
NEGLIGIBLE = 1e-3  # of the tolerance: rounding noise, whatever its ratio
STEPS, STEP_NUMBERS = (
    4,
    200_000,
)  # changes that are kept, and numbers of each, for what a run that has to end leaves
EMPTY = 1e-7  # of `by`: share of the peak energy below which no light is left
SOONEST = 1 / 8  # of a window: how soon the energy of a cell that empties is looked at again
ENOUGH = 1e-7  # square of what may still be to come when a run lasts many times longer than such cells need
MAX_NUMBERS = 4_000_000


class StopRule:
    """Callable for sim.run(until=...). reached: to be compared with `by`; met: whether it sufficed; fraction: 0..1.

    until: Meep time after which whoever pays ends the run with what it has; cut: whether that came first. patience: Meep time
    after which less is enough, told as not met.
    """

    def __init__(self, run: Run, crossing: float) -> None:
        self.until, self.patience, self.cut = math.inf, math.inf, False
        self.by, self.max_time, self.kind = run.stop.by, run.stop.max_time, run.stop.kind
        self.run = run
        self.window = max(run.stop.window, PERIODS_A_WINDOW / band(run)[0], crossing)
        self.reached, self.met, self.fraction = math.inf, False, 0.0
        self.slowest = 0.0  # the frequency at which most is still to come; 0 where nothing is known
        self.sources_end = math.nan
        self._next = 0.0

    def __call__(self, sim: Any) -> bool:
        now = sim.round_time()
        if math.isnan(self.sources_end):
            self.sources_end = last_time(self.run, sim)
            self._next = now + self.window
        self.sample(sim, now)
        if now > self.sources_end and self.empty():
            self.met = True
            return True
        if now >= self._next:
            self._next = now + self.window
            self.look(sim, now)
            if now > self.sources_end and self.done(now):
                self.met = True
                return True
            if now > max(self.sources_end, self.patience) and self.enough(now):
                return self.late(sim, now)
        bound = self.sources_end + self.max_time
        end = min(bound, self.until)
        self.fraction = max(self.fraction, self.passed(now, end), self.guess())
        self.cut = self.until <= now < bound
        return now >= end and self.late(sim, now)

    def passed(self, now: float, end: float) -> float:
        """Share of the run that is done by time: of what such cells need, nine tenths of it; of the bound, which is many times
        that and made every run look hopeless, the rest."""
        likely = min(end, LIKELY * self.patience)
        if now < likely:
            return SURE * now / likely
        return min(0.99, SURE + (1 - SURE) * (now - likely) / max(end - likely, 1e-9)) if end > 0 else 0.99

    @property
    def energy_counts(self) -> bool:
        """Whether it looks at the energy of the cell."""
        return False

    @property
    def settled_to(self) -> float:
        """What `by` is compared with at the end; below it, the run would have gone on."""
        return self.reached

    def late(self, sim: Any, now: float) -> bool:
        """The bound is reached."""
        return True

    def sample(self, sim: Any, now: float) -> None:
        """At every time step."""

    def look(self, sim: Any, now: float) -> None:
        """At the end of every window."""

    def done(self, now: float) -> bool:
        """Whether the run may end."""
        return False

    def empty(self) -> bool:
        """Whether no light is left in the cell."""
        return False

    def enough(self, now: float) -> bool:
        """Whether a run that has lasted very long may end with what it has."""
        return False

    def guess(self) -> float:
        """Share of the run that is done, from how far the quantity fell."""
        if not (0 < self.by < 1 and 0 < self.reached < 1):
            return 0.0
        return min(0.95, max(0.0, math.log(self.reached) / math.log(self.by)))


class Still:
    """Since when, and with which fields, what is still to come has been at most `by`."""

    def __init__(self, by: float) -> None:
        self.by = by
        self.since: float | None = None
        self.fields: list[np.ndarray] = []

    def look(self, now: float, fields: list[np.ndarray], left: float) -> None:
        if left > self.by:
            self.since, self.fields = None, []
        elif self.since is None:
            self.since, self.fields = now, fields


class Settled(StopRule):
    """`by`: square of the change still to come of any DFT field, relative to the largest at its frequency."""

    def __init__(self, run: Run, crossing: float, monitors: Sequence[Attached]) -> None:
        super().__init__(run, crossing)
        self.monitors = monitors
        self._last: list[np.ndarray] = []
        self._changes: list[
            list[np.ndarray]
        ] = []  # per window and monitor: norm of the change at each frequency
        self._steps: list[list[np.ndarray]] = []
        self._largest: list[np.ndarray] = [np.zeros(len(m.frequencies)) for m in monitors]
        self._energy = Energy(run)
        self._still, self._nearly = Still(self.by), Still(ENOUGH)
        self._falls = False  # whether what is still to come is small as a series that falls
        self.second_tests = 0

    @property
    def energy_counts(self) -> bool:
        """Whether it looks at the energy of the cell."""
        return self._energy.known

    @property
    def settled_to(self) -> float:
        """Of the fields and of the energy: no second test is behind it."""
        return max(self.reached, self._energy.left)

    def late(self, sim: Any, now: float) -> bool:
        """The end came first: `reached` is what is still to come as its changes turn, with a factor of two."""
        if len(self._steps) == STEPS and now - self.sources_end >= STEPS * self.window:
            self.reached = (2 * self._relative(self._turning())) ** 2
        return True

    def enough(self, now: float) -> bool:
        if self._nearly.since is None:
            return False
        return self._energy.left <= ENOUGH or self._stood(self._nearly, now)

    def _turning(self) -> list[np.ndarray]:
        """What is still to come at each frequency, as a mode that goes on ringing adds it up.

        Beside a mode's frequency its changes turn and cancel, which their sizes alone do not show: within a factor of
        two of the truth for slits near an order's onset and the Fano lines of a slab, where `_remainders` never ended.
        """
        found = []
        for number in range(len(self.monitors)):
            ratio = _turned([step[number] for step in self._steps])
            size = np.maximum(self._changes[-1][number], self._changes[-2][number])
            found.append(size / np.maximum(np.abs(1 - ratio), 1 - SLOWEST))
        return found

    def sample(self, sim: Any, now: float) -> None:
        if now < self.sources_end:
            self._energy.sample(sim, now, self.window / 2)
        else:
            soon = self._energy.falls_to(EMPTY * self.by)
            self._energy.sample(sim, now, min(self.window, max(SOONEST * self.window, soon)))

    def empty(self) -> bool:
        if self._energy.left > EMPTY * self.by:
            return False
        self.reached = min(self.reached, self._energy.left / (10 * EMPTY))
        return True

    def look(self, sim: Any, now: float) -> None:
        fields = [_numbers(m) for m in self.monitors]
        for number, values in enumerate(fields):
            self._largest[number] = np.maximum(self._largest[number], _norms(values))
        if self._last:
            steps = [a - b for a, b in zip(fields, self._last, strict=True)]
            self._changes.append([_norms(step) for step in steps])
            self._steps = [
                *self._steps[1 - STEPS :],
                [step[:: math.ceil(step.size / STEP_NUMBERS)] for step in steps],
            ]
        self._last = fields
        if now - self.sources_end < WINDOWS * self.window:
            self._changes = self._changes[-WINDOWS:]
            return
        turning = 2 * self._relative(self._turning()) if len(self._steps) == STEPS else math.inf
        rest = self._relative(self._remainders())
        self._falls = rest**2 <= self.by
        self.reached = rest**2 if self._falls else min(rest, turning) ** 2
        self._still.look(now, fields, self.reached)
        self._nearly.look(now, fields, turning**2)

    def done(self, now: float) -> bool:
        if self._still.since is None:
            return False
        return (self._falls and self._energy.left <= self.by) or self._stood(self._still, now)

    def _stood(self, still: Still, now: float) -> bool:
        """The second test: whether the fields are what they were when they first seemed still."""
        assert still.since is not None
        if now - still.since < max(WINDOWS * self.window, AGAIN * (still.since - self.sources_end)):
            return False
        self.second_tests += 1
        moved = self._relative([_norms(a - b) for a, b in zip(self._last, still.fields, strict=True)])
        self.reached = max(self.reached, moved**2)
        if moved**2 <= still.by:
            return True
        still.since, still.fields = now, self._last
        return False

    def _remainders(self) -> list[np.ndarray]:
        """What is still to come, monitor by monitor and at each frequency."""
        recent = self._changes[-WINDOWS:]
        if len(recent) < WINDOWS:
            return [np.full(len(m.frequencies), math.inf) for m in self.monitors]
        found = []
        for number in range(len(self.monitors)):
            series = [window[number] for window in recent]
            tiny = 1e-300
            ratio = np.maximum.reduce(
                [b / np.maximum(a, tiny) for a, b in zip(series, series[1:], strict=False)]
            )
            rest = series[-1] * np.where(ratio < SLOWEST, 1 / np.maximum(1 - ratio, 1 - SLOWEST), math.inf)
            noise = np.max(series, axis=0) <= NEGLIGIBLE * math.sqrt(self.by) * self._scales()[number]
            found.append(np.where(noise, series[-1], rest))
        return found

    def _scales(self) -> list[np.ndarray]:
        """Largest norm of any monitor with the same frequencies: weak light counts against the strong."""
        best: dict[tuple[float, ...], np.ndarray] = {}
        for monitor, norms in zip(self.monitors, self._largest, strict=True):
            best[monitor.frequencies] = np.maximum(best.get(monitor.frequencies, 0.0), norms)
        return [best[m.frequencies] for m in self.monitors]

    def _relative(self, norms: Sequence[np.ndarray]) -> float:
        worst = slowest = 0.0
        for monitor, change, scale in zip(self.monitors, norms, self._scales(), strict=True):
            with np.errstate(invalid="ignore", divide="ignore"):
                share = np.where(scale > 0, change / scale, math.inf)
            if share.max() > worst:
                worst, slowest = float(share.max()), monitor.frequencies[int(share.argmax())]
        self.slowest = slowest
        return worst


class Energy:
    """Field energy of the cell relative to its peak, looked at now and then (a look costs some ten steps).

    With an Absorber it stays unknown (inf): Meep 1.25 crashes there in field_energy_in_box.
    """

    def __init__(self, run: Run) -> None:
        self.known = not any(layer.kind == "absorber" for layer in run.layers)
        self.peak, self.left = 0.0, math.inf
        self._next = -math.inf
        self._seen: list[tuple[float, float]] = []  # the last two looks: time, energy

    def sample(self, sim: Any, now: float, interval: float) -> None:
        """Look if `interval` has passed."""
        if now < self._next or not self.known:
            return
        self._next = now + interval
        value = float(sim.fields.field_energy_in_box(sim.fields.total_volume()))
        self.peak = max(self.peak, value)
        self.left = value / self.peak if self.peak > 0 else math.inf
        self._seen = [*self._seen[-1:], (now, value)]

    def falls_to(self, share: float) -> float:
        """Time in which it falls to that share of its peak, at the rate of the last two looks; 0 where none is known."""
        if len(self._seen) < 2 or self.left <= share:
            return 0.0
        (before, more), (now, less) = self._seen
        if less >= more:  # of a pulse that came in between; of what stays for good
            return 0.0 if less > more else math.inf
        return (now - before) * math.log(self.left / share) / math.log(more / less)


class Decayed(StopRule):
    """`by`: largest |field|^2 at any point over a window, relative to its peak."""

    def __init__(self, run: Run, crossing: float) -> None:
        super().__init__(run, crossing)
        self.component = component(run, run.stop.component)
        self.points = [mp.Vector3(*point) for point in run.stop.points]
        self.peaks, self.current = [0.0] * len(self.points), [0.0] * len(self.points)
        self._step = 1 / (SAMPLES_A_PERIOD * band(run)[1])
        self._due = -math.inf

    def sample(self, sim: Any, now: float) -> None:
        if now < self._due:
            return
        self._due = now + self._step
        for number, point in enumerate(self.points):
            self.current[number] = max(
                self.current[number], abs(sim.get_field_point(self.component, point)) ** 2
            )

    def look(self, sim: Any, now: float) -> None:
        self.peaks = [max(pair) for pair in zip(self.peaks, self.current, strict=True)]
        if now - self.sources_end >= self.window:
            # A point that never saw a field has not decayed.
            self.reached = max(
                (c / p if p > 0 else math.inf for c, p in zip(self.current, self.peaks, strict=True)),
                default=math.inf,
            )
        self.current = [0.0] * len(self.points)

    def done(self, now: float) -> bool:
        return self.reached <= self.by


class Elapsed(StopRule):
    """A time after the sources: met says that it passed; `reached` is the share of the energy still in the cell."""

    def late(self, sim: Any, now: float) -> bool:
        self.met = True
        self._energy.sample(sim, now, 0.0)
        self.reached = self._energy.left
        return True

    def __init__(self, run: Run, crossing: float) -> None:
        super().__init__(run, crossing)
        self._energy = Energy(run)

    @property
    def energy_counts(self) -> bool:
        """Whether it looks at the energy of the cell."""
        return self._energy.known

    def sample(self, sim: Any, now: float) -> None:
        if now <= self.sources_end + self.window:
            self._energy.sample(sim, now, self.window / 2)

    def guess(self) -> float:
        return 0.0


def stop_rule(run: Run, monitors: Sequence[Attached], crossing: float) -> StopRule:
    """The run's stop. crossing: time that light needs through the cell. Raises ParameterError."""
    if run.stop.kind == "settled" and not monitors:
        raise ParameterError(
            "a run stops when its DFT fields settled, but it has no such monitor; stop it after a time."
        )
    if run.stop.kind == "decayed" and not (run.stop.points and run.stop.component):
        raise ParameterError("a run stops when a field decayed, but its stop names no component or no point.")
    if run.stop.kind == "time":
        return Elapsed(run, crossing)
    if run.stop.kind == "decayed":
        return Decayed(run, crossing)
    return Settled(run, crossing, monitors)


def _turned(steps: Sequence[np.ndarray]) -> np.ndarray:
    """(frequencies,) complex ratio of successive changes, (points, frequencies) each, that fits them best."""
    above = sum((np.conj(a) * b).sum(axis=0) for a, b in zip(steps, steps[1:], strict=False))
    below = sum((np.abs(a) ** 2).sum(axis=0) for a in steps[:-1])
    return np.asarray(above / np.maximum(below, 1e-300))


def _numbers(monitor: Attached) -> np.ndarray:
    """All DFT fields of a monitor, (points, frequencies); thinned out where that would be too many to keep."""
    count = len(monitor.frequencies)
    parts = [np.reshape(values, (-1, count)) for values in monitor.data().values()]
    rows = sum(len(part) for part in parts)
    every = max(1, math.ceil(rows * count / MAX_NUMBERS))
    # Electric and magnetic fields in Meep's units are of one size, so one norm serves both.
    return np.concatenate([part[::every] for part in parts]) if parts else np.zeros((0, count))


def _norms(values: np.ndarray) -> np.ndarray:
    return np.sqrt((np.abs(values) ** 2).sum(axis=0))
