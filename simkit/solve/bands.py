"""One frequency-domain run: bands at k points, or the modes of a guide at given frequencies, with MPB."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import meep as mp
import numpy as np

from simkit.cpu import cpu_s
from simkit.errors import MaterialError, ParameterError
from simkit.media import build_medium, distinct_axes, epsilon_of, is_dispersive
from simkit.runs import BandsRun
from simkit.solve.errors import SolverFailed
from simkit.solve.media import CONDUCTORS, Media
from simkit.solve.progress import Progress
from simkit.solve.shapes import objects

_Bands = Callable[
    [float], tuple[np.ndarray, np.ndarray]
]  # k -> frequencies and group velocities of all modes
LARGEST_LOSS = 1e-2  # Im eps / |eps| from which on MPB's lossless modes are not those of the medium
K_TOLERANCE = 1e-7
MAX_NEWTON = 60
LOOKED_AT = 9  # wave vectors of a period's bands, both ends among them
MAX_HALVED = 30  # times, an interval in which a band turns


def solve(run: BandsRun, progress: Progress, log: dict[str, Any]) -> dict[str, np.ndarray]:
    """Raw arrays: bands/frequency, k, group_velocity, parity_y, parity_z, or modes/k, group_velocity; NaN where no mode is.

    Raises MaterialError (media with poles in a run over k points, metals), SolverFailed.
    """
    began = cpu_s()
    counter = [0]
    try:
        raw = _modes(run, progress, counter) if run.find_k_at else _bands(run, progress, counter)
    except RuntimeError as error:
        raise SolverFailed(f"MPB: {error}") from error
    log["stop"] = {"kind": "eigensolver", "by": run.tolerance, "reached": run.tolerance, "met": True}
    raw |= {
        f"stats/{name}": np.array(value)
        for name, value in {
            "steps": counter[0],
            "meep_time": 0.0,
            "cpu_s": cpu_s() - began,
            "pixels": pixels(run),
            "stop_met": 1,
            "stop_reached": run.tolerance,
            "largest_field": 0.0,
        }.items()
    }
    return raw


def solver_of(run: BandsRun, frequency: float | None = None) -> Any:
    """MPB's solver. frequency: at which media with poles are taken; None refuses them."""
    from meep import mpb

    lengths = [math.sqrt(sum(part**2 for part in row)) for row in run.lattice]
    basis = [mp.Vector3(*row) for row in run.lattice]
    lattice = mp.Lattice(
        size=mp.Vector3(*run.size),
        basis1=basis[0],
        basis2=basis[1],
        basis3=basis[2],
        basis_size=mp.Vector3(*lengths),
    )
    media = Media(run.materials)

    def medium(described: Any) -> Any:
        if described.get("kind") in CONDUCTORS:
            raise MaterialError("MPB has no perfect conductors; find such bands in the time domain.")
        return _constant(media(described), frequency)

    sides = [size * length for size, length in zip(run.size, lengths, strict=True)]
    drawn = objects(run.geometry, medium, sides, run.resolution, to_edge=True)
    for item in drawn:
        _into_lattice(item, lattice)
    # MPB's resolution counts pixels a basis vector.
    return mpb.ModeSolver(
        geometry_lattice=lattice,
        geometry=drawn,
        default_material=medium(run.background),
        num_bands=run.count,
        resolution=mp.Vector3(*(run.resolution * length for length in lengths)),
        tolerance=run.tolerance,
        k_points=[mp.Vector3(*k) for k in run.k_points],
        deterministic=True,
    )


def parity(words: str) -> int:
    """Meep's sum of 'ODD_Z+EVEN_Y'. Raises ParameterError."""
    known = {
        name: getattr(mp, name)
        for name in ("EVEN_X", "ODD_X", "EVEN_Y", "ODD_Y", "EVEN_Z", "ODD_Z", "TE", "TM")
        if hasattr(mp, name)
    }
    parts = [word for word in words.split("+") if word]
    if unknown := [word for word in parts if word not in known]:
        raise ParameterError(f"parity {unknown[0]!r}; known: {', '.join(known)}.")
    return sum(known[word] for word in parts) if parts else mp.NO_PARITY


def parity_of(run: BandsRun) -> int:
    """MPB's parity of 'tm', 'te', 'all', or of Meep's words."""
    known = {"tm": mp.ODD_Z, "te": mp.EVEN_Z, "all": mp.NO_PARITY, "": mp.NO_PARITY}
    return known[run.polarisation] if run.polarisation in known else parity(run.polarisation)


def pixels(run: BandsRun) -> int:
    """Pixels of the cell."""
    lengths = [math.sqrt(sum(part**2 for part in row)) for row in run.lattice]
    return math.prod(
        max(1, math.ceil(size * length * run.resolution))
        for size, length in zip(run.size, lengths, strict=True)
    )


def _constant(medium: Any, frequency: float | None) -> Any:
    """The medium without poles: its real permittivity at the frequency."""
    if not is_dispersive(medium):
        return medium
    if frequency is None:
        raise MaterialError(
            "MPB solves at given k, where the frequency of a medium with poles is unknown; give it a constant"
            " index, or look for the modes at given frequencies."
        )
    if distinct_axes(medium) != "x":
        raise MaterialError("MPB: an anisotropic medium with poles; give it a constant epsilon.")
    epsilon = complex(epsilon_of(medium, frequency))
    if epsilon.real <= 0 or abs(epsilon.imag) > LARGEST_LOSS * abs(epsilon):
        raise MaterialError(
            f"MPB needs lossless dielectrics; at f = {frequency:g} the medium has eps = {epsilon:.4g}."
        )
    return build_medium(epsilon.real, [])


def _into_lattice(item: Any, lattice: Any) -> None:
    """Places and directions from Cartesian into lattice coordinates (lengths stay)."""

    def into(vector: Any) -> Any:
        return mp.cartesian_to_lattice(vector, lattice)

    if isinstance(item, mp.Prism):
        item.vertices = [into(vertex) for vertex in item.vertices]
        item.axis = into(item.axis)
        if item.center is not None:
            item.center = into(item.center)
        return
    item.center = into(item.center)
    for name in ("e1", "e2", "e3", "axis"):
        if isinstance(getattr(item, name, None), mp.Vector3):
            setattr(item, name, into(getattr(item, name)))


def _bands(run: BandsRun, progress: Progress, counter: list[int]) -> dict[str, np.ndarray]:
    solver = solver_of(run)
    lattice, velocities, even_y, even_z = solver.geometry_lattice, [], [], []

    def after_each(at: Any) -> None:
        counter[0] += 1
        if run.group_velocity:
            velocities.append([list(v) for v in at.compute_group_velocities()])
        even_y.append(list(at.compute_yparities()))
        even_z.append(list(at.compute_zparities()))
        progress.report(counter[0] / max(1, len(run.k_points)), steps=counter[0])
        # From the fields of the k before, whose symmetry they keep, bands of another one are missed: the highest of three runs in five.
        at.randomize_fields()

    solver.run_parity(parity_of(run), True, after_each)
    cartesian = [list(mp.reciprocal_to_cartesian(mp.Vector3(*k), lattice)) for k in run.k_points]
    raw = {
        "frequency": np.array(solver.all_freqs, float),
        "k": np.array(run.k_points, float),
        "k_cartesian": np.array(cartesian, float),
        "parity_y": np.array(even_y),
        "parity_z": np.array(even_z),
    }
    if run.group_velocity:
        raw["group_velocity"] = np.array(velocities, float)
    return {f"bands/{name}": values for name, values in raw.items()}


def _modes(run: BandsRun, progress: Progress, counter: list[int]) -> dict[str, np.ndarray]:
    """k of each mode at each frequency: Newton's method on the band, kept within the range."""
    n = len(run.find_k_at)
    found, speed = np.full((n, run.count), np.nan), np.full((n, run.count), np.nan)
    fields: dict[str, np.ndarray] = {}
    edges: dict[str, np.ndarray] = {}
    solver, shared = None, False
    for number, frequency in enumerate(run.find_k_at):
        if solver is None or not shared:
            made = solver_of(run, frequency)
            shared = solver is None and not _disperses(run)
            solver = made
            at = _evaluator(run, solver, counter)
        if run.periodic and number == n // 2:
            edges = _edges(at, run)
        for mode in range(run.count):
            guess = (
                found[number - 1, mode] if number and np.isfinite(found[number - 1, mode]) else run.k_range[0]
            )
            found[number, mode], speed[number, mode] = (
                _passage(at, mode, frequency, run.k_range[1:])
                if run.periodic
                else _root(at, mode, frequency, guess, run.k_range[1:])
            )
            if number == n // 2 and mode + 1 in run.fields_of and np.isfinite(found[number, mode]):
                fields |= _fields(run, solver, mode + 1, float(found[number, mode]))
            progress.report((number * run.count + mode + 1) / (n * run.count), steps=counter[0])
    return (
        {
            "modes/frequency": np.array(run.find_k_at, float),
            "modes/k": found,
            "modes/group_velocity": speed,
        }
        | fields
        | edges
    )


def _fields(run: BandsRun, solver: Any, mode: int, k: float) -> dict[str, np.ndarray]:
    """E and H of a mode over the cross-section, on MPB's grid: from -1/2 of each side on."""
    unit = mp.Vector3(*run.k_direction).unit()
    solver.k_points = [mp.cartesian_to_reciprocal(unit.scale(k), solver.geometry_lattice)]
    solver.run_parity(parity_of(run), False)
    sides = [
        math.sqrt(sum(part**2 for part in row)) if size else 0.0
        for row, size in zip(run.lattice, run.size, strict=True)
    ]
    counts = [max(1, math.ceil(side * run.resolution)) if side else 1 for side in sides[1:]]
    raw = {}
    for name, field in (("E", solver.get_efield(mode, False)), ("H", solver.get_hfield(mode, False))):
        raw[f"modes/{name}{mode}"] = np.asarray(field, complex).reshape(*_shape(np.shape(field), counts), 3)
    first = raw[f"modes/E{mode}"].shape
    for axis, side, count in zip("yz", sides[1:], first[:2], strict=True):
        raw[f"modes/{axis}"] = (np.arange(count) / count - 0.5) * side
    return raw


def _shape(found: tuple[int, ...], counts: list[int]) -> tuple[int, int]:
    """(ny, nz) of MPB's array, which leaves out axes without extent."""
    sizes = [size for size in found[:-1] if size > 1] or [1]
    if len(sizes) == 2:
        return sizes[0], sizes[1]
    return (sizes[0], 1) if counts[1] == 1 else (1, sizes[0])


def _disperses(run: BandsRun) -> bool:
    media = Media(run.materials)
    described = [
        run.background,
        *(
            part
            for body in run.geometry
            for key in ("medium", "filling")
            if (part := (body.get("body") or body).get(key))
        ),
    ]
    return any(is_dispersive(media(one)) for one in described if one.get("kind") not in CONDUCTORS)


def _evaluator(run: BandsRun, solver: Any, counter: list[int]) -> _Bands:
    """k (1/unit, along the direction) -> frequencies and group velocities of all modes; remembers what it solved."""
    unit = mp.Vector3(*run.k_direction).unit()
    lattice = solver.geometry_lattice
    along = mp.cartesian_to_reciprocal(unit, lattice)
    known: dict[float, tuple[np.ndarray, np.ndarray]] = {}
    anew = run.periodic  # a k at the edge has a symmetry that fields would keep, and bands be missed

    def at(k: float) -> tuple[np.ndarray, np.ndarray]:
        if k not in known:
            counter[0] += 1
            solver.k_points = [mp.cartesian_to_reciprocal(unit.scale(k), lattice)]
            solver.run_parity(parity_of(run), anew or not known)
            velocity = solver.mode_solver.compute_group_velocity_component(along)
            known[k] = np.array(solver.freqs, float), np.array(velocity, float)
        return known[k]

    return at


def _looked_at(limits: tuple[float, float]) -> list[float]:
    return [float(k) for k in np.linspace(*limits, LOOKED_AT)]


def _edges(at: _Bands, run: BandsRun) -> dict[str, np.ndarray]:
    """The lowest and highest frequency of each band of a period within the range."""
    seen = np.array([at(k)[0] for k in _looked_at(run.k_range[1:])])
    return {"modes/lowest": seen.min(axis=0), "modes/highest": seen.max(axis=0)}


def _passage(at: _Bands, band: int, frequency: float, limits: tuple[float, float]) -> tuple[float, float]:
    """(k, magnitude of the group velocity) where a period's band passes through a frequency; NaN where it does nowhere, k inf
    where it does more than once."""
    looked, found = _looked_at(limits), []
    for low, high in zip(looked, looked[1:], strict=False):
        middle = _turn(at, band, frequency, low, high)
        ends = [low, high] if middle is None else [low, middle, high]
        found += [
            pair
            for pair in zip(ends, ends[1:], strict=False)
            if (at(pair[0])[0][band] > frequency) != (at(pair[1])[0][band] > frequency)
        ]
    if len(found) != 1:
        return (math.inf if found else math.nan), math.nan
    (low, high) = found[0]
    sign = 1.0 if at(high)[0][band] > frequency else -1.0

    def rising(k: float) -> tuple[np.ndarray, np.ndarray]:
        frequencies, velocities = at(k)
        return sign * frequencies, sign * velocities

    return _root(rising, band, sign * frequency, (low + high) / 2, (low, high))


def _turn(at: _Bands, band: int, frequency: float, low: float, high: float) -> float | None:
    """A k between two on one side of a frequency at which the band is on the other, because it turns between them."""
    above = at(low)[0][band] > frequency
    towards = -1.0 if above else 1.0
    if (at(high)[0][band] > frequency) != above:
        return None
    for _ in range(MAX_HALVED):
        (f_low, v_low), (f_high, v_high) = ((at(k)[0][band], towards * at(k)[1][band]) for k in (low, high))
        farthest = max(v_low, -v_high) * (
            high - low
        )  # that it may come nearer, as its slope falls up to the turn
        nearest = max(towards * f_low, towards * f_high)
        if v_low <= 0 or v_high >= 0 or nearest + farthest < towards * frequency:
            return None
        middle = (low + high) / 2
        if (at(middle)[0][band] > frequency) != above:
            return middle
        low, high = (middle, high) if towards * at(middle)[1][band] > 0 else (low, middle)
    return None


def _root(
    at: _Bands,
    mode: int,
    frequency: float,
    guess: float,
    limits: tuple[float, float],
) -> tuple[float, float]:
    """(k, group velocity) of a mode at a frequency, (NaN, NaN) where its band does not pass through it in the range."""
    low, high = float(limits[0]), float(limits[1])
    if not low < high:
        raise ParameterError(f"k_range {low:g} .. {high:g} is empty; give guess, lowest and highest k.")
    k, ends = min(max(guess, low), high), {low, high}  # of the range, where nothing was solved
    for _ in range(MAX_NEWTON):
        frequencies, velocities = at(k)
        excess = frequencies[mode] - frequency
        low, high = (low, k) if excess > 0 else (k, high)
        step = -excess / velocities[mode] if velocities[mode] else math.inf
        new = k + step if low < k + step < high else (low + high) / 2
        if abs(new - k) <= K_TOLERANCE * max(abs(k), K_TOLERANCE) or high - low <= K_TOLERANCE * high:
            return new, float(velocities[mode])
        end = low if step < 0 else high
        if (
            new != k + step and end in ends
        ):  # it leaves the range, which two solutions of each guide went to show
            ends.remove(end)
            if (at(end)[0][mode] > frequency) == (step < 0):
                return math.nan, math.nan
        k = new
    return k, float(velocities[mode])
