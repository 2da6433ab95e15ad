"""Stop conditions that say what they reached, and never run for ever."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Any

import meep as mp

from simkit.errors import SimkitError

MAX_PERIODS = 20_000
SETTLED_INTERVALS = 3
SAMPLES_PER_PERIOD = 20  # of the highest source frequency: misses at most 2.5 % of a peak of |E|^2


def lowest_frequency(sim: Any) -> float:
    """Lower edge of the lowest source band, c/um; 0.2 when no source declares a frequency."""
    edges = []
    for source in sim.sources:
        frequency = float(getattr(source.src, "frequency", 0.0) or 0.0)
        width = float(getattr(source.src, "width", 0.0) or 0.0)
        if frequency > 0:
            edges.append(max(frequency - (0.5 / width if width else 0.0), 0.3 * frequency))
    return min(edges, default=0.2)


def steps_between_samples(sim: Any, window: float) -> int:
    """Time steps from one look at a field to the next, many in a window; 1 when a source declares no frequency."""
    edges = []
    for source in sim.sources:
        frequency = float(getattr(source.src, "frequency", 0.0) or 0.0)
        width = float(getattr(source.src, "width", 0.0) or 0.0)
        if frequency <= 0:
            return 1
        edges.append(frequency + (1 / width if width else 0.0))
    shortest = min(1 / max(edges), window) if edges else 0.0
    return max(1, int(shortest / (SAMPLES_PER_PERIOD * sim.fields.dt)))


class Stop:
    """A stop condition for sim.run(until_after_sources=...): `reached` is the last value, `met` whether it sufficed."""

    criterion = "stop"

    def __init__(self, by: float, max_time: float | None) -> None:
        self.by, self.max_time = by, max_time
        self.reached: float | None = None
        self.met = False
        self._next_time: float | None = None
        self._interval = 0.0
        self._limit = math.inf

    def __call__(self, sim: Any) -> bool:
        now = sim.round_time()
        if self._next_time is None:
            self._interval = self.interval(sim)
            self._limit = now + (self.max_time or MAX_PERIODS / lowest_frequency(sim))
            self._next_time = now + self._interval
        self.sample(sim)
        if now >= self._next_time:
            self._next_time = now + self._interval
            self.met = self.settled(sim) and now >= sim.fields.last_source_time()
            if self.met:
                return True
        return now >= self._limit

    def interval(self, sim: Any) -> float:
        raise NotImplementedError

    def sample(self, sim: Any) -> None:
        """Called at every time step."""

    def settled(self, sim: Any) -> bool:
        raise NotImplementedError

    def record(self) -> dict[str, Any]:
        """The manifest's "stop" entry."""
        return {"criterion": self.criterion, "reached": self.reached, "met": bool(self.met)}


class _FieldDecay(Stop):
    def __init__(
        self, component: int, points: Sequence[Any], by: float, window: float | None, max_time: float | None
    ):
        super().__init__(by, max_time)
        self.component, self.points, self.window = component, list(points), window
        self.peaks = [0.0] * len(self.points)
        self.current = [0.0] * len(self.points)
        self._stride = self._skip = 1
        self.criterion = (
            f"|{mp.component_name(component)}|^2 at {len(self.points)} point(s) decayed by {by:g}"
        )

    def interval(self, sim: Any) -> float:
        # Longer than one crossing of the cell, so that the gap between two echoes is not taken for the end.
        crossing = 1.5 * max(sim.cell_size.x, sim.cell_size.y, sim.cell_size.z)
        window = self.window or max(10 / lowest_frequency(sim), crossing)
        self._stride = steps_between_samples(sim, window)
        return window

    def sample(self, sim: Any) -> None:
        self._skip -= 1  # a look costs as much as a step of a small cell
        if self._skip > 0:
            return
        self._skip = self._stride
        for number, point in enumerate(self.points):
            self.current[number] = max(
                self.current[number], abs(sim.get_field_point(self.component, point)) ** 2
            )

    def settled(self, sim: Any) -> bool:
        self.peaks = [max(pair) for pair in zip(self.peaks, self.current, strict=False)]
        # Behind a metal the grid's own noise, 1e-10 of the field, decays ten times slower than anything that counts.
        least = self.by * max(self.peaks)
        pairs = zip(self.current, self.peaks, strict=False)
        ratios = [now / max(peak, least) if peak > 0 else math.inf for now, peak in pairs]
        self.current = [0.0] * len(self.points)
        worst = max(ratios)
        self.reached = worst if math.isfinite(worst) else None
        return worst <= self.by


class _DftDecay(Stop):
    def __init__(self, by: float, max_time: float | None):
        super().__init__(by, max_time)
        self.criterion = f"relative change of all DFT monitors below {by:g} in {SETTLED_INTERVALS} intervals"
        self.previous, self.largest, self.changes = 0.0, 0.0, deque([math.inf], maxlen=SETTLED_INTERVALS)

    def interval(self, sim: Any) -> float:
        if not sim.dft_objects:
            raise SimkitError(
                "stop_when_dft_decayed without any flux or DFT monitor would never stop. Add the monitor before sim.run, or"
                " use sk.stop_when_decayed(component, point)."
            )
        return 1 / lowest_frequency(sim)

    def settled(self, sim: Any) -> bool:
        norm = float(abs(sim.fields.dft_norm()))
        change, self.previous = abs(norm - self.previous), norm
        self.largest = max(self.largest, change)
        if self.largest == 0:
            return False
        self.changes.append(change / self.largest)
        self.reached = max(c for c in self.changes if math.isfinite(c))
        return len(self.changes) == SETTLED_INTERVALS and max(self.changes) <= self.by


def stop_when_decayed(
    component: int, point: Any, by: float = 1e-9, window: float | None = None, max_time: float | None = None
) -> Stop:
    """Stop when |component|^2 at the point(s) fell to `by` of its peak over one whole window.

    point: mp.Vector3 or a list of them, not on a node of the field. window, max_time: Meep time units;
    by default a window of ten periods or 1.5 cell crossings and at most 20 000 periods. A point that never sees a
    field does not count as decayed (Meep's own condition stops at once there); one that sees hardly any is measured
    against `by` of the largest peak of all points.
    """
    points = point if isinstance(point, (list, tuple)) else [point]
    return _FieldDecay(component, points, by, window, max_time)


def stop_when_dft_decayed(by: float = 1e-9, max_time: float | None = None) -> Stop:
    """Stop when the norm of all DFT monitors changed by less than `by` of its largest change, three periods running.

    Meep's condition accepts one quiet interval, which a beating spectrum passes by chance. For R + T good to 1e-3
    use 1e-9 (measured: 1e-6 leaves 0.04). max_time in Meep time units, by default 20 000 periods.
    """
    return _DftDecay(by, max_time)


def describe(condition: Any, reached_time: float) -> dict[str, Any]:
    """The manifest's "stop" entry for any condition given to sim.run."""
    if isinstance(condition, Stop):
        return condition.record()
    if isinstance(condition, (list, tuple)):
        ours = [c for c in condition if isinstance(c, Stop)]
        if ours:
            return ours[0].record()
        return {"criterion": f"any of {len(condition)} conditions", "reached": None, "met": True}
    if isinstance(condition, (int, float)):
        return {"criterion": f"time {condition:g}", "reached": float(reached_time), "met": True}
    name = getattr(condition, "__qualname__", type(condition).__name__).split(".")[0]
    return {"criterion": name, "reached": None, "met": True}
