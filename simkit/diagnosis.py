"""What a debug run looks at: the cell as Meep built it, written to results.json and drawn, for every Meep run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import meep as mp
import numpy as np

from simkit.bounds import bounds_of
from simkit.cell import interior, is_cylindrical

if TYPE_CHECKING:
    from simkit.run import Run

MAX_CELLS = 6
MAX_ITEMS = 100  # of objects, sources and monitors each
SPECTRUM_POINTS = 101


def record_cell(run: Run, sim: Any, label: str) -> None:
    """Enter the cell of a Meep run about to start; never a reason for the run to fail."""
    cells = run.diagnosed
    if len(cells) >= MAX_CELLS:
        return
    try:
        entry = cell_entry(sim, label, run.name_of)
        from simkit.pictures import picture_of

        entry["picture"] = picture_of(sim, run, f"debug: {label}", f"debug_cell_{len(cells) + 1}")
    except Exception as error:  # noqa: BLE001  a picture is never worth a simulation
        entry = {"label": label[:80], "fault": f"{type(error).__name__}: {error}"[:300]}
    cells.append(entry)
    run.save_diagnosis()


def cell_entry(sim: Any, label: str, name_of: Callable[[Any], str]) -> dict[str, Any]:
    """The cell in plain numbers, lengths and frequencies as Meep has them: size, absorber-free interior, objects, sources,
    monitors. name_of: what a medium is called."""
    return {
        "label": label[:80],
        "size": _vector(sim.cell_size),
        "resolution": float(sim.resolution),
        "cylindrical": is_cylindrical(sim),
        "interior": {axis: [float(low), float(high)] for axis, (low, high) in interior(sim).items()},
        "object_count": len(sim.geometry),
        "objects": [_object(name_of, item) for item in sim.geometry[:MAX_ITEMS]],
        "sources": [_source(item) for item in sim.sources[:MAX_ITEMS]],
        "monitors": _monitors(sim)[:MAX_ITEMS],
    }


def _object(name_of: Callable[[Any], str], item: Any) -> dict[str, Any]:
    low, high = bounds_of(item)
    found: dict[str, Any] = {
        "kind": type(item).__name__.lower(),
        "low": [finite(v) for v in low],
        "high": [finite(v) for v in high],
        "material": name_of(item.material),
    }
    for name in ("radius", "height"):
        value = getattr(item, name, None)
        if isinstance(value, (int, float)) and math.isfinite(value):
            found[name] = float(value)
    return found


def _source(item: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": type(item.src).__name__,
        "component": str(mp.component_name(item.component)),
        "center": _vector(item.center),
        "size": _vector(item.size),
    }
    frequency = finite(getattr(item.src, "frequency", None))
    if frequency and frequency > 0:
        found["frequency"] = frequency
        width = getattr(item.src, "fwidth", None) or (
            1 / item.src.width if getattr(item.src, "width", 0) else 0
        )
        if isinstance(width, (int, float)) and 0 < width < 1e3:
            found["fwidth"] = float(width)
            found["spectrum"] = _spectrum(item.src, frequency, float(width))
    return found


def _spectrum(source: Any, frequency: float, width: float) -> list[list[float]]:
    """[[f, |current|^2 relative to its largest]]: Meep's own Fourier transform where it has one."""
    low = max(0.05 * frequency, frequency - 1.5 * width)
    axis = np.linspace(low, frequency + 1.5 * width, SPECTRUM_POINTS)
    if hasattr(source, "fourier_transform"):
        values = np.array([abs(source.fourier_transform(float(f))) ** 2 for f in axis])
    else:
        values = np.exp(-(((axis - frequency) / width) ** 2))
    top = float(values.max()) or 1.0
    return [[float(f), float(v / top)] for f, v in zip(axis, values, strict=True) if math.isfinite(v)]


def _monitors(sim: Any) -> list[dict[str, Any]]:
    found = []
    for number, monitor in enumerate(sim.dft_objects):
        frequencies = [float(f) for f in np.atleast_1d(getattr(monitor, "freq", []))]
        for region in getattr(monitor, "regions", None) or []:
            found.append(
                {
                    "name": f"{type(monitor).__name__} {number}",
                    "center": _vector(region.center),
                    "size": _vector(region.size),
                    "frequencies": len(frequencies),
                    "band": [min(frequencies), max(frequencies)] if frequencies else [],
                }
            )
    return found


def _vector(value: Any) -> list[float]:
    return [finite(getattr(value, axis)) or 0.0 for axis in "xyz"]


def finite(value: Any) -> float | None:
    try:
        number = float(np.real(value))
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) and abs(number) < 1e10 else None
