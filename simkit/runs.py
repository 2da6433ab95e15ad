"""What the solver gets: runs of plain numbers, in Meep's terms. Standard library only, as both sides import it.

Lengths are in the run's unit (um, or the free length a), frequencies in c/unit, coordinates relative to the cell's
centre. A run is made by trusted code (simkit/arrange) from a resolved scene; generated code never writes one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal

Vector = tuple[float, float, float]
Axis = Literal["x", "y", "z"]
FDTD_VERSION, BANDS_VERSION = 6, 1  # raised by hand when a translator (simkit/solve) changes what a run gives
FACES_VERSION = (
    1  # the same of faces of ideal metals (simkit/solve/shapes.py): counts in runs that have such bodies
)
INVERSION_VERSION = (
    2  # the same of harmonic inversion (simkit/inversion.py): counts in runs with resonances alone
)
MODES_VERSION = (
    2  # the same of guided modes (simkit/solve/guided_modes.py): counts in runs that light or look for them
)

_CUTOFF = 5.0  # Meep's default
MONITOR_NAME = re.compile(r"[A-Za-z0-9_]{1,80}")  # what raw data are called by, which are read by name


@dataclass(frozen=True)
class Layer:
    """An absorbing layer of the cell: 'pml' or (along a periodic medium, dispersive bodies) 'absorber'."""

    kind: Literal["pml", "absorber"]
    axis: Axis  # x is the radial axis in cylindrical cells
    thickness: float
    side: Literal["both", "low", "high"] = "both"


@dataclass(frozen=True)
class Source:
    """kind 'current': a current of `component` over `size`, times exp(2 pi i k.(r - center)) where `wave_vector` is given.
    kind 'eigenmode': a guided mode number `mode` (1 first) through the plane, travelling along +`axis`.
    kind 'continuous': such a current at `frequency` for ever, switched on over 14 / `width`.
    Pulse: Gaussian around `frequency`, `width` wide (c/unit); `integrated`: for sources that reach into the PML.
    """

    kind: Literal["current", "eigenmode", "continuous"]
    component: str
    center: Vector
    size: Vector
    frequency: float
    width: float
    amplitude: float = 1.0
    phase: float = 0.0
    wave_vector: Vector | None = None
    integrated: bool = False
    mode: int = 1
    axis: Axis = "x"
    parity: str = ""  # '', or Meep's words joined by '+', e.g. 'ODD_Z+EVEN_Y'
    start: float = 0.0

    @property
    def cutoff(self) -> float:
        """Half of the pulse's length, in Meep's widths. Cut at 5, a broad pulse begins with a step of 4e-6 of its height, whose
        part at zero frequency stays in the cell as a static field that no absorber takes."""
        return 7.0 if self.width > 0.6 * self.frequency else _CUTOFF


@dataclass(frozen=True)
class Monitor:
    """Raw data to record.

    flux: power through a plane (size has one zero more than the cell) towards +normal; also E and H of its DFT.
    flux_box: outward power through the closed box. modes: power (count, n) in the guided modes of a plane, their index and the highest
    at its rim, below which a mode is not guided; light comes from one side. far_field: near-to-far box.
    fields: complex DFT fields of `components` on a point, line, plane or volume. resonances: Harminv at a point.
    ldos: of the point source. energy: electric and magnetic energy density integrals over the box. ringdown: the field
    in time at a point, from the start (stats/sources_end says when the sources ended).

    More raw keys than the usual: far_field F (its DFT, may be subtracted), ldos F and J (field and current), resonances
    first_half_frequency and first_half_Q (of half the record: what agrees has rung long enough) and duration. modes index
    is that of the grid (0.7 % off at 13 pixels a wavelength in the core): an index comes from a BandsRun. fields of
    cylindrical cells are (n, r, z), weights with 2 pi r. E, H and F fit runs of the same cell, grid and mirrors only.
    start: a fields or far_field monitor looks from that time after the sources on (a mode that rings), in runs that stop
    after a time.
    """

    kind: Literal[
        "flux", "flux_box", "modes", "far_field", "fields", "resonances", "ldos", "energy", "ringdown"
    ]
    center: Vector
    size: Vector
    frequencies: tuple[float, ...]
    components: tuple[str, ...] = ()
    weight: float = 1.0
    count: int = 1  # modes: how many; far_field: directions over the full circle
    parity: str = ""
    axis: Axis = "x"  # modes: along which they travel
    radius: float = 0.0  # far_field
    directions: tuple[Vector, ...] = ()  # far_field: unit vectors; with radius 1 any points outside the box
    sides: tuple[str, ...] = ()  # boxes: '-x', '+y', ... ; empty: all sides that the cell's dimensions have
    start: float | None = None


@dataclass(frozen=True)
class Stop:
    """When a run ends.

    settled: of every DFT monitor, at every frequency, the change still to come (extrapolated from how it falls from window
    to window) has a square below `by` of the largest DFT field at that frequency, and the cell's energy fell by `by` as
    well; where energy stays, nothing moved for half of the run again (see simkit/solve/stops.py).
    decayed: |field|^2 at all `points` stayed below `by` of its peak over a whole window. time: `max_time` after the sources
    passed; it counts as met, and stats/stop_reached is the share of the peak energy that is still in the cell.
    window: 0, or longer than the solver's own (eight periods or one crossing of the cell in its densest medium).
    max_time: the bound after the sources; for settled and decayed reaching it is reported as not met.
    """

    kind: Literal["settled", "decayed", "time"]
    by: float
    max_time: float
    window: float
    component: str = ""
    points: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class Run:
    """One time-domain run.

    geometry: shapes as plain dictionaries (simkit/describe/shapes.py, resolved, infinite bounds as +-1e20), later over
    earlier; media likewise; `materials`: the confirmed fits of the names they use. `stack_axis`: the plane-stacked axis on
    whose nodes interfaces of `stack` bodies are put exactly (see simkit/interfaces.py); with smoothing they are plain
    blocks. A medium may have 'conductivity', Meep's D_conductivity. In 1D, Ey is solved as Ex with media seen along y.
    subtract: monitor -> (digest of another run, its monitor) whose DFT fields are subtracted.
    """

    dimensions: Literal["1D", "2D", "3D", "cylindrical"]
    cell: Vector
    resolution: float
    layers: tuple[Layer, ...]
    geometry: tuple[dict[str, Any], ...]
    sources: tuple[Source, ...]
    monitors: Mapping[str, Monitor]
    stop: Stop
    unit: str = "um"
    background: Mapping[str, Any] = field(default_factory=lambda: {"kind": "medium", "index": 1.0})
    materials: Mapping[str, Any] = field(default_factory=dict)
    bloch: Vector | None = None
    mirrors: tuple[tuple[Axis, int], ...] = ()
    m: float = 0.0
    courant: float = 0.5
    smoothing: bool = True  # sub-pixel smoothing; off where dispersive interfaces are put on nodes
    stack: tuple[
        tuple[dict[str, Any], float, float], ...
    ] = ()  # (medium, low, high) along `stack_axis`, node-exact
    stack_axis: Axis = "z"
    sheets: tuple[
        tuple[float, float], ...
    ] = ()  # resistive sheets: (position along `stack_axis`, resistance in Z0)
    subtract: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    complex_fields: bool = False

    def __post_init__(self) -> None:
        if odd := [name for name in self.monitors if not MONITOR_NAME.fullmatch(name)]:
            raise ValueError(
                f"names of monitors are letters, digits and underscores, 80 at most; found {odd[0]!r}"
            )

    @property
    def stepped(self) -> bool:
        """Whether faces of bodies lie on whole pixels, wherever they are described: no smoothing, or an ideal metal's."""
        return bool(self.geometry) and (not self.smoothing or any(map(_ideal, self.geometry)))

    def digest(self) -> str:
        """What decides its raw data: its numbers and the translator's version. Computed once: nothing in a run is changed."""
        return self._identity

    @cached_property
    def _identity(self) -> str:
        also: dict[str, Any] = {}
        if set(cutoffs := [source.cutoff for source in self.sources]) - {_CUTOFF}:
            also["cutoffs"] = cutoffs
        if any(monitor.kind == "resonances" for monitor in self.monitors.values()):
            also["inversion"] = INVERSION_VERSION
        lit = any(source.kind == "eigenmode" for source in self.sources)
        if lit or any(monitor.kind == "modes" for monitor in self.monitors.values()):
            also["modes"] = MODES_VERSION
        if any(_ideal(body) for body in self.geometry):
            also["faces"] = FACES_VERSION
        return _digest({"fdtd": FDTD_VERSION, **also, **_nameless(asdict(self))})


@dataclass(frozen=True)
class BandsRun:
    """One frequency-domain run (MPB): frequencies at k points, or with `find_k_at` the modes' propagation constants.

    size: cells along each lattice vector, 0 where there is no extent. find_k_at: k along the Cartesian `k_direction`, NaN
    where a mode does not pass through the frequency within `k_range`; media with poles are taken at each frequency. With an
    extent along x modes are bands of a period: of any slope, group_velocity its magnitude, k inf where a band passes more than
    once; modes/lowest and modes/highest are each band's frequencies within `k_range`, at the middle one of `find_k_at`.
    fields_of: numbers of modes (1 first) whose fields at the middle one of `find_k_at` are kept, up to a common factor:
    modes/E1 and modes/H1 (ny, nz, 3) of mode 1, with modes/y and modes/z.
    Raw: bands/frequency, k, k_cartesian (1/unit), group_velocity, parity_y, parity_z; modes/frequency, k, group_velocity
    (along k).

    lattice: basis vectors as rows, in the run's unit. k_points in reciprocal
    lattice coordinates. polarisation: 'tm' (E along z), 'te' (H along z), 'all', or a parity in Meep's words.
    """

    lattice: tuple[Vector, Vector, Vector]
    size: Vector
    geometry: tuple[dict[str, Any], ...]
    count: int
    polarisation: str
    resolution: float
    k_points: tuple[Vector, ...] = ()
    find_k_at: tuple[float, ...] = ()
    k_direction: Vector = (1.0, 0.0, 0.0)
    k_range: Vector = (0.0, 0.0, 0.0)  # guess, lowest, highest, in 1/unit
    group_velocity: bool = False
    unit: str = "um"
    background: Mapping[str, Any] = field(default_factory=lambda: {"kind": "medium", "index": 1.0})
    materials: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-7
    fields_of: tuple[int, ...] = ()

    @property
    def periodic(self) -> bool:
        """Whether it looks for the modes of a guide that is periodic along x."""
        return bool(self.find_k_at and self.size[0])

    def digest(self) -> str:
        """What decides its raw data: its numbers and the translator's version."""
        return _digest({"bands": BANDS_VERSION, **_nameless(asdict(self))})


AnyRun = Run | BandsRun


def _ideal(body: Mapping[str, Any]) -> bool:
    """Whether a body, what is repeated or what fills it is of ideal metal."""
    own = body["body"] if body.get("type") == "repeat" else body
    return any((own.get(key) or {}).get("kind") == "perfect_conductor" for key in ("medium", "filling"))


def dump(run: AnyRun) -> str:
    """The run as canonical JSON, with its kind."""
    return json.dumps(
        {"kind": "bands" if isinstance(run, BandsRun) else "fdtd", **asdict(run)}, sort_keys=True
    )


def load(text: str) -> AnyRun:
    """The run of `dump`. Raises ValueError, TypeError or KeyError for anything else."""
    data = json.loads(text)
    kind = data.pop("kind")
    data = {name: _tuples(value) for name, value in data.items()}
    if kind == "bands":
        return BandsRun(**data)
    data["layers"] = tuple(Layer(**layer) for layer in data["layers"])
    data["sources"] = tuple(Source(**source) for source in data["sources"])
    data["monitors"] = {name: Monitor(**monitor) for name, monitor in data["monitors"].items()}
    data["stop"] = Stop(**data["stop"])
    return Run(**data)


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_tuples(item) for item in value)
    if isinstance(value, dict):
        return {name: _tuples(item) for name, item in value.items()}
    return value


def _nameless(data: dict[str, Any]) -> dict[str, Any]:
    """A run without what its bodies are called, which changes nothing of what is solved."""

    def plain(body: Mapping[str, Any]) -> dict[str, Any]:
        own = {key: value for key, value in body.items() if key != "id"}
        return own | {"body": plain(own["body"])} if "body" in own else own

    return data | {"geometry": [plain(body) for body in data["geometry"]]}


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]
