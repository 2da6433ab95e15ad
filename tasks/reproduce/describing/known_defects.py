"""Known defects of Meep: which versions, what touches them, what comes of it, where it is told, and which a run touches.

A row is a fact about Meep that is published or that a test of ours shows (tests/sim/solving/test_known_defects.py). What touches it is
read off the runs that Meep gets, not off the description: the arrangement decides where cells are cut and how they end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schemas.reproduce.simulations.numerics import Finding, StudyResult
from simkit.runs import AnyRun, Run, Source

if TYPE_CHECKING:
    from tasks.reproduce.uncertainty.climbed import Climb

NEAR_AXIS_PX = 1.5  # of a radial current: nearer, Meep weighs it wrongly
_EPS = 1e-9


@dataclass(frozen=True)
class KnownDefect:
    """A defect of Meep. since, fixed: the first versions with and without it; '' for as long as anybody looked, and for not yet.

    here: what ReproLab does about it. touches: whether a run has what it takes.
    """

    name: str
    since: str
    fixed: str
    feature: str
    consequence: str
    reference: str
    here: str
    touches: Callable[[Run], bool]

    @property
    def versions(self) -> str:
        """The versions that have it, in words."""
        if not self.fixed:
            return f"from {self.since} on" if self.since else "all so far"
        return f"{self.since} to before {self.fixed}" if self.since else f"before {self.fixed}"

    @property
    def source(self) -> str:
        """What a finding names as its source."""
        return f"known defect of Meep: {self.reference}"

    def concerns(self, version: str) -> bool:
        """Whether a version has it; of a version that is no number nobody knows, so it counts."""
        number = _numbers(version)
        if number is None:
            return True
        since, fixed = _numbers(self.since), _numbers(self.fixed)
        return (since is None or since <= number) and (fixed is None or number < fixed)

    def words(self) -> str:
        """The row in a line."""
        return f"{self.feature}: {self.consequence} ({self.reference}; {self.versions}). Here: {self.here}"


def _numbers(version: str) -> tuple[int, int, int] | None:
    """1.25.0 of '1.25.0', '1.25', '1.25.0-beta'; None where it does not begin with two numbers."""
    found = re.match(r"\s*v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?", version, re.ASCII)
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


def _turned(run: Run, *orders: int) -> bool:
    """Whether its cell is cylindrical (x is then the radius, y goes round), of one of these orders m where any is named."""
    return run.dimensions == "cylindrical" and (not orders or run.m in orders)


def _layer(run: Run, kind: str, axis: str) -> bool:
    return any(layer.kind == kind and layer.axis == axis for layer in run.layers)


def _inner(source: Source) -> float:
    return max(0.0, source.center[0] - source.size[0] / 2)


def _radial_near_axis(run: Run) -> bool:
    near = NEAR_AXIS_PX / run.resolution - _EPS
    return _turned(run, 1, -1) and any(
        source.component == "Ex" and _inner(source) < near for source in run.sources
    )


def _azimuthal_on_axis(run: Run) -> bool:
    return _turned(run, 1, -1) and any(
        source.component == "Ey" and _inner(source) <= _EPS for source in run.sources
    )


def _point_fields(run: Run) -> bool:
    return any(monitor.kind == "fields" and not any(monitor.size) for monitor in run.monitors.values())


def _bloch_mirror(run: Run) -> bool:
    phase = dict(zip("xyz", run.bloch or (0.0,) * 3, strict=True))
    return any(phase[axis] != 0 for axis, _ in run.mirrors)


KNOWN = (
    KnownDefect(
        "cylinder_minus_one",
        "",
        "1.26.0",
        "a cylindrical cell with m = -1",
        "the magnetic field on the axis is stepped as if m were +1, so powers differ from those of m = +1",
        "NanoComp/meep #2382",
        "never asked for: cells are solved with m of 0 or more.",
        lambda run: _turned(run, -1),
    ),
    KnownDefect(
        "cylinder_pml_on_axis",
        "",
        "1.26.0",
        "a cylindrical cell with |m| = 1 whose PML along z crosses the axis",
        "on the axis the layer does not absorb: fields stay there for ever, and powers change with the run's length",
        "NanoComp/meep #2383, #2182",
        "not avoided; run time and absorber are varied, and what that changes counts as uncertainty.",
        lambda run: _turned(run, 1, -1) and _layer(run, "pml", "z"),
    ),
    KnownDefect(
        "cylinder_pml_on_axis_zero",
        "1.26.0",
        "1.28.0",
        "a cylindrical cell with m = 0 whose PML along z crosses the axis",
        "the field along z is wrong on the axis, and radiated fields do not converge with the grid",
        "NanoComp/meep #2538, #2489",
        "not avoided: take another version.",
        lambda run: _turned(run, 0) and _layer(run, "pml", "z"),
    ),
    KnownDefect(
        "cylinder_source_refused",
        "1.26.0",
        "1.27.0",
        "a cylindrical cell with |m| = 1 and an azimuthal current that reaches the axis",
        "Meep ends and calls a possible source impossible",
        "NanoComp/meep #2459",
        "not avoided: the run ends with Meep's words and has no value.",
        _azimuthal_on_axis,
    ),
    KnownDefect(
        "cylinder_radial_current",
        "",
        "",
        f"a cylindrical cell with |m| = 1 and a radial current nearer to the axis than {NEAR_AXIS_PX:g} pixels",
        "the current on the grid is not the one that was asked for, so its own power and the power that leaves do not agree",
        "NanoComp/meep #2704",
        "not avoided; a Purcell factor is a ratio to the same dipole, on the same grid, with nothing around it.",
        _radial_near_axis,
    ),
    KnownDefect(
        "cylinder_high_order",
        "",
        "1.33.0",
        "a cylindrical cell with |m| of 2 or more",
        "near the axis half of the field's components are not kept at zero: a source that reaches it grows without bound, and what "
        "lies near the axis is a little off",
        "NanoComp/meep #3164, #2644",
        "sources are put away from the axis; a mode near it is as good as its ladder of grids.",
        lambda run: _turned(run) and abs(run.m) >= 2,
    ),
    KnownDefect(
        "cylinder_radial_absorber",
        "",
        "",
        "a cylindrical cell with an absorber of conductivity along r",
        "it absorbs near the axis too, also where only its outer side is asked for: a dipole's power is 1.5 times the true one",
        "NanoComp/meep #2824",
        "emitters have a PML along r; a resonator in a layer of metal that goes on for ever along r has this absorber.",
        lambda run: _turned(run) and _layer(run, "absorber", "x"),
    ),
    KnownDefect(
        "point_fields",
        "1.16.0",
        "1.30.1",
        "fields of a frequency at a single point",
        "the value is that of one corner of the pixel times its weight",
        "NanoComp/meep #3010, #1333",
        "avoided: a line of two pixels is recorded and read at the point.",
        _point_fields,
    ),
    KnownDefect(
        "bloch_mirror",
        "",
        "1.33.0",
        "a mirror plane across an axis along which the fields have a Bloch phase",
        "the phase is that of half the cell, so modes lie elsewhere or are not there",
        "NanoComp/meep #3155, #132",
        "never asked for: a description with both is refused.",
        _bloch_mirror,
    ),
)


def concerning(version: str) -> tuple[KnownDefect, ...]:
    """The rows that a version of Meep has."""
    return tuple(defect for defect in KNOWN if defect.concerns(version))


def touched(runs: Iterable[AnyRun], version: str) -> tuple[KnownDefect, ...]:
    """The rows that a version has and that any of these runs touches."""
    timed = [run for run in runs if isinstance(run, Run)]
    return tuple(defect for defect in concerning(version) if any(map(defect.touches, timed)))


def defect_findings(where: str, runs: Iterable[AnyRun], version: str) -> Iterator[Finding]:
    """A note for each row that the runs of a scene touch."""
    for defect in touched(runs, version):
        yield Finding(
            level="note", where=where, text=f"Meep {version}: {defect.words()}", source=defect.source
        )


def with_notes(study: StudyResult, climbs: Sequence[Climb]) -> StudyResult:
    """The study with a note for each row that the runs behind it touch, on every grid; itself where there is none."""
    found: list[Finding] = []
    for made in climbs:
        scene = made.group.scene(made.group.description.problem)
        outcomes = [made.coarse, *(outcome for _, outcome in made.outcomes)]
        runs = [run for outcome in outcomes for run in outcome.runs.values()]
        found += defect_findings(scene.id, runs, study.meep_version)
    new = [note for note in dict.fromkeys(found) if note not in study.findings]
    return study.model_copy(update={"findings": (*study.findings, *new)}) if new else study
