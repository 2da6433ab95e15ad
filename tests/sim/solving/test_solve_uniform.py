"""A run that is solved one pixel wide has the raw data of its whole cell, to rounding, whatever the mirrors, phases and planes."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.runs import Layer, Monitor, Run, Source, Stop
from simkit.uniform import narrowed
from tests.sim.solving.described_kit import solved

pytestmark = pytest.mark.sim
LINES = (1.3, 1.5)


def _run(dims: str, component: str, wave: float, offset: float, **more: Any) -> Run:
    flat = dims == "2D"
    period = (0.3, 0.0, 0.0) if flat else (0.3, 0.2, 0.0)

    def at(place: float) -> tuple[float, float, float]:
        return (0.0, place, 0.0) if flat else (0.0, 0.0, place)

    axis = "y" if flat else "z"
    plane = Monitor("flux", at(0.3 + offset), period, LINES, axis=axis)
    fields = Monitor(
        "fields", at(0.4 + offset), period, LINES, components=(component,) if flat else ("Ex", "Ey", "Hx")
    )
    bloch = (wave, 0.0, 0.0)
    return Run(
        dimensions=dims,  # type: ignore[arg-type]
        cell=(period[0], 3.0, 0.0) if flat else (*period[:2], 3.0),
        resolution=more.pop("resolution", 30.0),
        layers=(Layer("pml", axis, 0.6),),  # type: ignore[arg-type]
        geometry=(),
        sources=(
            Source("current", component, at(-0.6), period, 1.4, 0.4, wave_vector=bloch if wave else None),
        ),
        monitors={"reflection": plane, "seen": fields},
        stop=Stop("settled", 1e-6, 60.0, 4.0),
        bloch=bloch,
        **more,
    )


@pytest.mark.parametrize(
    "run",
    [
        _run("2D", "Ez", 0.0, 0.0),
        _run("2D", "Hz", 0.0, 0.007, mirrors=(("x", -1),), resolution=40.0),
        _run("2D", "Hz", 0.5, 0.007),
        _run("3D", "Ex", 0.0, 0.01, mirrors=(("x", -1), ("y", 1))),
        _run("3D", "Ey", 0.4, 0.0, background={"kind": "medium", "index": 1.4}),
    ],
)
def test_a_narrow_run_has_the_whole_cells_raw_data(tmp_path: Path, run: Run) -> None:
    assert narrowed(run) is not None
    found = solved(tmp_path / "narrow", run)
    # A source that ends half a billionth before the cell does is solved as it is: the same light.
    source = run.sources[0]
    whole = dataclasses.replace(
        run, sources=(dataclasses.replace(source, size=tuple(0.999999998 * side for side in source.size)),)
    )
    assert narrowed(whole) is None
    want = solved(tmp_path / "whole", whole)
    assert found["stats/pixels"] < want["stats/pixels"] / 5
    for name, values in want.items():
        if not name.startswith("stats/"):
            assert found[name].shape == values.shape, name
            assert np.allclose(found[name], values, rtol=1e-6, atol=1e-12 + 1e-6 * np.abs(values).max()), name
