"""A resonator into ring-down runs: a survey of the band with every set of parities, then each chosen mode alone.

Currents and probes stand at several places off all symmetry planes, with all components in turn. The survey finds the
modes; `refined` narrows source and harmonic inversion on one mode (a band with neighbours in it gave a Q that hung on the run
time) and lets it ring for 10 Q/(pi f), for half of one where nothing but its frequency and Q is asked for: of single modes with Q from
76 to 2,300 Q is then what 10 give, to 3e-8; of two near each other 20 over half their distance is longer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange.extent import finite, symmetric
from simkit.arrange.mode_fields import corners, recording
from simkit.arrange.modes import NEAR, KnownMode, Mode, NoMode, chosen, modes, room
from simkit.arrange.narrowest import THIN, axes_in, coarsest, solids_of
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.permittivity import dispersive, index_of, stepped
from simkit.arrange.placing import drawing_order, overlapping
from simkit.arrange.resonator_cell import (
    AXES,
    RADIAL,
    as_stack,
    bloch_vector,
    form_of,
    is_circular,
    is_closed,
    media_of,
    metal_at,
    outline_of,
    places_in,
    unbounded_along,
    walls_of,
)
from simkit.arrange.ringing import longest_trace, tracing
from simkit.describe.base import INF
from simkit.describe.media import PerfectConductor, names_of_materials
from simkit.describe.resonator import LineWidth, QualityFactor, ResonanceFrequency, Resonator
from simkit.describe.scene import Quantity
from simkit.runs import Layer, Monitor, Run, Source, Stop

PIXELS_PER_WAVELENGTH = {"2D": 12, "circular": 16, "cylindrical": 12, "3D": 10}  # of the coarsest grid
OPEN = 0.5  # longest wavelengths of free space
ABSORBING = {
    "2D": 0.5,
    "3D": 0.5,
    "cylindrical": 1.0,
    "circular": 2.0,
}  # of PML; along r it only absorbs (1: Q 1.7 % off)
SURVEY_PERIODS, SURVEY_WIDTHS = 60, 15  # of the lowest frequency; over the band's width
FOR_NUMBERS, FOR_FIELDS = 0.5, 10  # times Q/(pi f), in which the field falls to 1/e
LONGEST, LONGEST_FOR_FREQUENCY = 2500, 400  # periods that a mode rings at most
SURVEY_ERROR, LARGEST_ERROR = 1e-3, 1e-5  # of the harmonic inversion
INVARIANT_PX = 4
WALL_PX = 4  # of an ideal metal that closes the cell
TIME_ONLY = 1e-9  # a run that ends after a time settles to nothing: no run depends on the decay
Known = Mapping[str, KnownMode]
NUMBERS = (ResonanceFrequency, QualityFactor, LineWidth)  # what harmonic inversion gives
REACH, ALONE = (
    1.25,
    1.5,
)  # times a parameter's change: how far a mode may move, room that it needs to be the same one then
COMPONENTS = {"2D": (), "circular": (), "3D": ("Ex", "Ey", "Ez"), "cylindrical": ("Ez", "Ey", "Ex")}


def needs(scene: Resonator, materials: Mapping[str, Any]) -> Needs:
    """Pixels per wavelength in the densest medium, six in the narrowest body, four in the narrowest gap; edges and periods
    whole."""
    low, high = scene.search.frequencies()
    media = [m for m in (*media_of(scene), scene.background) if not isinstance(m, PerfectConductor)]
    index = max(abs(index_of(m, f, materials).real) for m in media for f in (low, high))
    edges = {
        round(abs(float(v)), 9)
        for body in scene.bodies
        if body.type == "block"
        for pair in (body.x, body.y, body.z)
        for v in pair
        if finite(float(v)) and abs(float(v)) > 0
    }
    periods = {float(part.period) / 2 for part in scene.periodic if part.period is not None}
    if form_of(scene) == "circular":
        shapes: list[Any] = list(scene.bodies)
        edges = {float(r) for s in shapes for r in ((s.inner, s.outer) if s.type == "ring" else (s.radius,))}
    lattice = [
        [float(part.period) * (part.axis == axis) for axis in "xyz"]
        for part in scene.periodic
        if part.period is not None
    ]
    waves = PIXELS_PER_WAVELENGTH[form_of(scene)] * high * max(index, 1.0)
    ideal = any(isinstance(m, PerfectConductor) for m in media_of(scene))
    most = math.inf if ideal or _is_stepped(scene, materials) else THIN * waves
    solids = solids_of(scene.bodies, axes_in(scene.dimensions))
    finest = max(waves, coarsest(solids, 6, lattice, scene.background, most=most))
    return Needs(resolution=finest, whole=tuple(sorted({*edges, *periods})), periods=tuple(sorted(periods)))


def arrange(
    scene: Resonator,
    quantities: Sequence[Quantity],
    numerics: Numerics,
    materials: Mapping[str, Any],
    known: Known | None = None,
) -> Arrangement:
    """Runs 'survey_<n>', one for each set of parities; facts: group of each quantity, probes.

    known: modes that another grid showed (`found`): of them runs 'mode_<n>' at once, and no survey.
    """
    parities = _parities(scene, quantities, materials)
    groups = sorted(set(parities.values()))
    runs, lowest = {}, scene.search.frequencies()[0]
    for number, group in enumerate(groups):
        runs[f"survey_{number}"] = _survey(scene, group, quantities, numerics, materials)
    facts = {
        "survey": {name: f"survey_{groups.index(group)}" for name, group in parities.items()},
        "final": {},
        "probes": sorted(next(iter(runs.values())).monitors),
        "samples": numerics.samples,
        "longest": 1 / (lowest * index_of(scene.background, lowest, materials).real),
        "lossless": is_closed(scene, materials),
    }
    if known is not None and set(known) >= {q.id for q in quantities}:
        alone = _alone(
            scene,
            [(q, KnownMode(*known[q.id])) for q in quantities],
            runs,
            facts["survey"],
            numerics,
            materials,
        )
        return Arrangement(alone[0], {**facts, "final": alone[1], "known": dict(known)})
    return Arrangement(runs, facts)


def refined(
    scene: Resonator,
    quantities: Sequence[Quantity],
    numerics: Numerics,
    materials: Mapping[str, Any],
    arrangement: Arrangement,
    raw: Mapping[str, Mapping[str, Any]],
) -> Arrangement | None:
    """The arrangement with a run of its own for each mode that the surveys found; None where there is none to add."""
    modes_of = found(scene, quantities, arrangement, raw)
    if "known" in arrangement.facts or not modes_of:
        return None
    surveys = {name: run for name, run in arrangement.runs.items() if isinstance(run, Run)}
    wanted = [(quantity, modes_of[quantity.id]) for quantity in quantities if quantity.id in modes_of]
    runs, final = _alone(scene, wanted, surveys, arrangement.facts["survey"], numerics, materials)
    return Arrangement({**arrangement.runs, **runs}, {**arrangement.facts, "final": final})


def found(
    scene: Resonator,
    quantities: Sequence[Quantity],
    arrangement: Arrangement,
    raw: Mapping[str, Mapping[str, Any]],
) -> Known:
    """The mode of each quantity and half the width of a band that holds it alone: of the survey, or of its own run."""
    facts, out = arrangement.facts, {}
    for quantity in quantities:
        survey, own = facts["survey"][quantity.id], facts["final"].get(quantity.id)
        low, high = band(scene, quantity)
        try:
            reach = NEAR
            if survey in raw:
                seen = modes(raw[survey], facts["probes"], SURVEY_ERROR)
                mode = chosen(seen, quantity.choose, low, high)  # type: ignore[attr-defined]
                half = room(seen, mode, *scene.search.frequencies())
            else:
                mode, half, reach = KnownMode(*facts["known"][quantity.id])
            if own in raw:
                mode = alone(raw[own], facts["probes"], mode, reach)
        except (NoMode, KeyError):
            continue  # the reducer says so
        out[quantity.id] = KnownMode(mode, half)
    return out


def known_after(known: Known, share: float) -> Known:
    """What a variant starts from whose parameter is changed by this share of itself: a mode moves by no more, but for the grid.

    Nothing where a neighbour could be taken for it; it is surveyed then.
    """
    if any(found.half < ALONE * share * found.mode.frequency for found in known.values()):
        return {}
    return {name: found._replace(reach=max(NEAR, REACH * share)) for name, found in known.items()}


def alone(raw: Mapping[str, Any], probes: Sequence[str], mode: Mode, reach: float = NEAR) -> Mode:
    """The mode again, from the run in which it rings alone; one that moved farther must be the only one. Raises NoMode."""
    choose = "nearest" if reach <= NEAR else "only"
    return chosen(
        modes(raw, probes, LARGEST_ERROR), choose, mode.frequency * (1 - reach), mode.frequency * (1 + reach)
    )


def _alone(
    scene: Resonator,
    wanted: Sequence[tuple[Quantity, KnownMode]],
    surveys: Mapping[str, Run],
    group: Mapping[str, str],
    numerics: Numerics,
    materials: Mapping[str, Any],
) -> tuple[dict[str, Run], dict[str, str]]:
    """A run of its own for each mode, narrow and long, and the run of each quantity."""
    runs: dict[str, Run] = {}
    final: dict[str, str] = {}
    alike: dict[str, list[tuple[Quantity, Mode]]] = {}
    for quantity, (mode, half, _) in wanted:
        survey = surveys[group[quantity.id]]
        own = [q for q, other in wanted if other.mode.frequency == mode.frequency]
        numbers = all(isinstance(q, NUMBERS) for q in own)
        frequency = all(isinstance(q, ResonanceFrequency) for q in own)
        widths = FOR_NUMBERS if numbers else FOR_FIELDS
        longest = LONGEST_FOR_FREQUENCY if frequency else LONGEST
        rings = max(
            min(widths * abs(mode.q) / math.pi, longest) / mode.frequency,
            longest_trace([(q, found.mode) for q, found in wanted]),
        )
        limits = (mode.frequency - half, mode.frequency + half)
        narrow = replace(
            survey,
            sources=tuple(replace(s, frequency=mode.frequency, width=1.5 * half) for s in survey.sources),
            monitors={key: replace(m, frequencies=limits) for key, m in survey.monitors.items()},
            stop=replace(survey.stop, max_time=max(rings, 20 / half) * numerics.run_time),
        )
        name = next((key for key, run in runs.items() if run == narrow), f"mode_{len(runs)}")
        runs[name], final[quantity.id] = narrow, name
        alike.setdefault(name, []).append((quantity, mode))
    for name, of_it in alike.items():
        runs[name] = tracing(runs[name], of_it)
        runs[name] = recording(
            runs[name],
            scene,
            of_it,
            outline_of(scene),
            AXES[form_of(scene)],
            materials,  # type: ignore[arg-type]
            numerics.samples,
        )
    return runs, final


def band(scene: Resonator, quantity: Quantity) -> tuple[float, float]:
    """Where a quantity's mode is looked for, c/length."""
    within = quantity.within  # type: ignore[attr-defined]
    low, high = scene.search.frequencies()
    if within is None:
        return low, high
    first, last = within.frequencies()
    if first < low * (1 - 1e-9) or last > high * (1 + 1e-9):
        raise ValueError(
            f"quantity {quantity.id}: its band {first:.6g} to {last:.6g} leaves the scene's, "
            f"{low:.6g} to {high:.6g}"
        )
    return first, last


def _is_stepped(scene: Resonator, materials: Mapping[str, Any]) -> bool:
    along = form_of(scene) == "2D" and scene.field == "Ez"
    return stepped(media_of(scene), scene.search.frequencies(), materials, along)


def _survey(
    scene: Resonator,
    parities: tuple[int, int, int],
    quantities: Sequence[Quantity],
    numerics: Numerics,
    materials: Mapping[str, Any],
) -> Run:
    low, high = scene.search.frequencies()
    form = form_of(scene)
    pixel, axes = 1 / numerics.resolution, AXES[form]
    longest = 1 / (low * index_of(scene.background, low, materials).real)
    period = {"xyz".index(p.axis): p for p in scene.periodic}
    half, reach, layers = [0.0] * 3, [0.0] * 3, []
    outline = outline_of(scene)
    metal = any(dispersive(m, materials) for m in media_of(scene))
    walls = walls_of(scene)
    for i in axes:
        if i in period:
            length = period[i].period
            half[i] = float(length) / 2 if length is not None else INVARIANT_PX * pixel / 2
            reach[i] = half[i]
            continue
        if i in walls:
            reach[i] = math.ceil(outline[i] / pixel) * pixel
            half[i] = reach[i] + WALL_PX * pixel
            continue
        reach[i] = math.ceil(max(outline[i], 0.1 * longest) / pixel) * pixel
        free, thick = OPEN * longest * numerics.padding, ABSORBING[form] * longest * numerics.absorber
        shown = max((abs(point[i]) + 3 * pixel for q in quantities for point in corners(q)), default=0.0)
        half[i] = math.ceil((max(reach[i] + free, shown) + thick) / pixel) * pixel
        kind = "absorber" if metal and unbounded_along(scene, i) else "pml"
        radial = form in RADIAL and i == 0
        layers.append(Layer(kind, "xyz"[i], thick, "high" if radial else "both"))  # type: ignore[arg-type]
    cell = [half[0] if form in RADIAL and i == 0 else 2 * half[i] for i in range(3)]
    centre, width = (low + high) / 2, 1.2 * (high - low)
    names = COMPONENTS[form] or (scene.field,)
    places = places_in(reach, form, metal_at(scene, pixel))
    each = len(places) // 2
    lit = [
        Source("current", names[n % len(names)], places[n], (0.0, 0.0, 0.0), centre, width)
        for n in range(each)
    ]
    probes = {
        f"probe_{n}_{name}": Monitor(
            "resonances", places[each + n], (0.0, 0.0, 0.0), (low, high), components=(name,)
        )
        for n in range(each)
        for name in names
    }
    for i, parity in enumerate(parities):
        if parity and (i not in axes or (form in RADIAL and i == 0) or not symmetric(scene.bodies, i)):
            raise ValueError(
                f"resonator {scene.id} is not symmetric about the plane {'xyz'[i]} = 0; it has no "
                "parity there"
            )
        if parity and i in period and float(period[i].k):
            raise ValueError(f"resonator {scene.id}: a Bloch wavenumber along {'xyz'[i]} has no parity there")
    time = max(SURVEY_PERIODS / low, SURVEY_WIDTHS / (high - low)) * numerics.run_time
    bodies = list(scene.bodies)
    for i, numbers in walls.items():  # to beyond the cell's edge
        for side, number in enumerate(numbers):
            ends = [*getattr(bodies[number], "xyz"[i])]
            ends[side] = (-INF, INF)[side]
            bodies[number] = bodies[number].model_copy(update={"xyz"[i]: tuple(ends)})
    drawn = tuple(
        overlapping(body.model_dump(mode="json"), numerics.resolution) for body in drawing_order(bodies)
    )
    plain = scene.model_dump(mode="json")
    run = Run(
        dimensions="cylindrical" if form in RADIAL else scene.dimensions,  # type: ignore[arg-type]
        cell=(cell[0], cell[1], cell[2]),
        resolution=numerics.resolution,
        layers=tuple(layers),
        geometry=drawn,
        sources=tuple(lit),
        monitors=probes,
        background=plain["background"],
        stop=Stop(kind="time", by=TIME_ONLY, max_time=time, window=0.0),
        m=float(scene.m or 0),
        smoothing=not _is_stepped(scene, materials),
        materials={name: materials[name] for name in sorted(names_of_materials(plain))},
        bloch=bloch_vector(scene),
        mirrors=tuple(("xyz"[i], p) for i, p in enumerate(parities) if p),
    )  # type: ignore[misc]
    return as_stack(run, scene) if metal else run


def _parities(
    scene: Resonator, quantities: Sequence[Quantity], materials: Mapping[str, Any]
) -> dict[str, tuple[int, int, int]]:
    """The mirrors of each quantity's runs. Turned, every mode of a circular resonator is one with a field that is even about
    y = 0: where nothing but frequency and Q is asked for, half of the cell is enough."""
    groups = {quantity.id: _group(quantity) for quantity in quantities}
    if (
        set(groups.values()) == {(0, 0, 0)}
        and is_circular(scene, materials)
        and form_of(scene) != "circular"
        and all(isinstance(quantity, NUMBERS) for quantity in quantities)
    ):
        return dict.fromkeys(groups, (0, 1 if scene.field == "Ez" else -1, 0))
    return groups


def _group(quantity: Quantity) -> tuple[int, int, int]:
    sign = {"even": 1, "odd": -1, None: 0}
    x, y, z = quantity.parities()  # type: ignore[attr-defined]
    return sign[x], sign[y], sign[z]
