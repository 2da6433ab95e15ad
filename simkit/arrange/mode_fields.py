"""Where the fields of a mode that rings alone are recorded: along a line or over a rectangle, around the bodies, or far away.

Fields are taken from a tenth of the ring-down on, when what the sources radiated is gone, at the mode's frequency and half
a line width beside it: what differs between the two is not this mode alone. A strongly damped mode gets complex fields,
which have no part at the negative frequency (it would be 1/(4 Q) of the field).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange.modes import Mode
from simkit.arrange.patterns import FAR, angles, circle
from simkit.arrange.permittivity import index_of
from simkit.arrange.places import axes_of, ends, recorded
from simkit.arrange.resonator_cell import unbounded_along
from simkit.describe.resonator import ModePattern, ModeProfile, ModeVolume, Resonator
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import GuidedProfile
from simkit.runs import Monitor, Run

OF_FIELDS = (ModeProfile, ModeVolume, ModePattern)
SINCE = 0.1  # of the run's time
SHARP = 300.0  # Q from which on the negative frequency does not matter
AROUND = 0.5  # wavelengths around the bodies that belong to the volume
BOX = 0.25  # of the longest wavelength: from the bodies to the box whose fields give the far field
LOSSLESS = 1e-12


def recording(
    run: Run,
    scene: Resonator,
    wanted: Sequence[tuple[Quantity, Mode]],
    outline: Sequence[float],
    axes: Sequence[int],
    materials: Mapping[str, Any],
    samples: int,
) -> Run:
    """The run of one mode with monitors for its profiles, volumes and patterns.

    outline: half sizes that hold the bodies' bounds. samples: of a curve.
    """
    shown = [(q, mode) for q, mode in wanted if isinstance(q, OF_FIELDS)]
    if not shown:
        return run
    mode, radial = shown[0][1], run.dimensions == "cylindrical"
    beside = max(mode.frequency / (2 * abs(mode.q)), 0.5 / run.stop.max_time)
    at, start = (mode.frequency, mode.frequency + beside), SINCE * run.stop.max_time
    monitors = dict(run.monitors)
    for quantity, _ in shown:
        if isinstance(quantity, ModePattern):
            monitors[f"fields_{quantity.mark}"] = replace(
                _pattern(quantity, scene, run, outline, axes, materials, samples), frequencies=at, start=start
            )
            continue
        if isinstance(quantity, ModeProfile):
            center, size = _recorded(quantity, run, axes, radial)
            names = _components(scene, quantity.component)
        else:
            center, size = _around(scene, run, outline, axes, around(scene, mode.frequency, materials))
            names = tuple(f"{field}{name[1]}" for name in _components(scene, "E") for field in "ED")
        monitors[f"fields_{quantity.mark}"] = Monitor(
            "fields", _three(center), _three(size), at, components=names, start=start
        )
    return replace(run, monitors=monitors, complex_fields=abs(mode.q) < SHARP)


def corners(quantity: Quantity) -> tuple[Sequence[float], ...]:
    """The points that a quantity looks at, and so must lie in the cell."""
    return ends(quantity) if isinstance(quantity, (ModeProfile, GuidedProfile)) else ()


def _recorded(
    quantity: ModeProfile, run: Run, axes: Sequence[int], radial: bool
) -> tuple[list[float], list[float]]:
    centre, size = recorded(quantity, 1 / run.resolution, axes)
    if radial and 0 in axes_of(quantity):
        lowest = min(point[0] for point in ends(quantity))
        if lowest < 0:
            raise ValueError(f"mode profile {quantity.id}: a radius is 0 or more; found {lowest:g}")
        high = centre[0] + size[0] / 2
        low = max(centre[0] - size[0] / 2, 0.0)
        centre[0], size[0] = (low + high) / 2, high - low
    return centre, size


def _pattern(
    quantity: ModePattern,
    scene: Resonator,
    run: Run,
    outline: Sequence[float],
    axes: Sequence[int],
    materials: Mapping[str, Any],
    samples: int,
) -> Monitor:
    plane = {"xyz".index(quantity.zero), "xyz".index(quantity.towards)}
    if axes == (0,):
        raise ValueError(
            f"mode pattern {quantity.id}: with m in 2D a mode radiates the same to all sides; leave out m and "
            "give parities"
        )
    if run.dimensions == "cylindrical" and quantity.zero != "z":
        raise ValueError(
            f"mode pattern {quantity.id}: in a cylindrical resonator angles are from 'z'; found {quantity.zero!r}"
        )
    if run.dimensions == "2D" and not plane <= set(axes):
        raise ValueError(
            f"mode pattern {quantity.id}: nothing changes along z in this scene; zero and towards are 'x' and 'y'"
        )
    low, high = scene.search.frequencies()
    if scene.periodic or any(unbounded_along(scene, i) for i in axes):
        raise ValueError(f"mode pattern {quantity.id}: far away it needs finite bodies, and nothing periodic")
    if any(abs(index_of(scene.background, f, materials).imag) > LOSSLESS for f in (low, high)):
        raise ValueError(f"mode pattern {quantity.id}: in an absorbing background nothing arrives far away")
    longest = 1 / (low * index_of(scene.background, low, materials).real)
    center, size = _box(run, outline, axes, BOX * longest)
    towards = "x" if run.dimensions == "cylindrical" else quantity.towards
    directions = circle(quantity.zero, towards, angles(samples))
    if run.dimensions == "cylindrical":
        directions = [(abs(x), y, z) for x, y, z in directions]
    return Monitor(
        "far_field", _three(center), _three(size), (), directions=tuple(directions), radius=FAR * longest
    )


def _around(
    scene: Resonator, run: Run, outline: Sequence[float], axes: Sequence[int], beyond: float
) -> tuple[list[float], list[float]]:
    center, size = _box(run, outline, axes, beyond)
    for part in scene.periodic:
        i = "xyz".index(part.axis)
        center[i], size[i] = 0.0, run.cell[i]
    return center, size


def _box(
    run: Run, outline: Sequence[float], axes: Sequence[int], beyond: float
) -> tuple[list[float], list[float]]:
    center, size = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for i in axes:
        half = outline[i] + beyond
        center[i], size[i] = (
            (half / 2, half) if run.dimensions == "cylindrical" and i == 0 else (0.0, 2 * half)
        )
    return center, size


def around(scene: Resonator, frequency: float, materials: Mapping[str, Any]) -> float:
    """How far beyond the bodies a mode volume reaches: half a wavelength in the background."""
    return AROUND / (frequency * index_of(scene.background, frequency, materials).real)


def _components(scene: Resonator, component: str) -> tuple[str, ...]:
    present = {"Ez": ("Ez", "Hx", "Hy"), "Hz": ("Ex", "Ey", "Hz")}.get(
        scene.field, ("Ex", "Ey", "Ez", "Hx", "Hy", "Hz")
    )
    names = tuple(name for name in present if name[0] == "E") if component == "E" else (component,)
    if not set(names) <= set(present):
        raise ValueError(f"a mode of resonator {scene.id} has no {component}; it has {', '.join(present)}")
    return names


def _three(values: Sequence[float]) -> Any:
    return tuple(float(value) for value in values)
