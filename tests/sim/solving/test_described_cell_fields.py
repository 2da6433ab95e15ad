"""Fields in and beside the layers of a unit cell, on lines and rectangles, against the transfer matrix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.arrange import Numerics, arrange
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import describe
from tasks.reproduce.measuring import Curve, Map
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.oracles import oracle
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within
from tests.sim.solving.described_kit import AIR, problem, values

pytestmark = pytest.mark.sim
FILM = """from simkit.describe import *


def describe(p):
    cell = UnitCell(id="film", below=vacuum(), layers=(Film(medium=Medium(index=p.n), thickness=p.t),), above=vacuum(),
                    light_from="below", polarization="x", band=Line(wavelength=p.w))
    return Problem(scenes=(cell,), quantities=(CellField(id="inside", scene="film", start=(0, 0, 0), end=(0, 0, p.t)),))
"""


def medium(index: float) -> dict[str, Any]:
    return {"kind": "medium", "index": index}


def film(index: float, thickness: float, *pattern: dict[str, Any]) -> dict[str, Any]:
    return {"type": "film", "medium": medium(index), "thickness": thickness, "pattern": list(pattern)}


def cell(light_from: str, **more: Any) -> dict[str, Any]:
    """Two films on glass."""
    return {
        "type": "unit_cell",
        "below": medium(1.52),
        "above": AIR,
        "light_from": light_from,
        "polarization": "x",
        "layers": [film(2.3, 0.2), film(1.38, 0.31)],
        "band": {"type": "line", "wavelength": 0.65},
        **more,
    }


def field(name: str, start: list[float], end: list[float], **more: Any) -> dict[str, Any]:
    return {"type": "cell_field", "id": name, "start": start, "end": end, **more}


def exact(light_from: str, z: np.ndarray) -> np.ndarray:
    made = problem(cell(light_from), field("line", [0, 0, 0], [0, 0, 1]))
    found = oracle(made.scenes[0], made.quantities[0], {}, z)
    assert found is not None and isinstance(found[1], Curve)
    return found[1].y


@pytest.mark.parametrize("light_from", ["below", "above"])
def test_the_field_through_films_is_the_transfer_matrix_s_from_either_side(
    tmp_path: Path, light_from: str
) -> None:
    made = problem(
        cell(light_from),
        field("far", [0, 0, -0.9], [0, 0, 1.5]),  # farther than the cell would reach by itself
        field("down", [0, 0, 0.5], [0, 0, 0], field="Ex", origin=[0, 0, 0.2]),
    )
    off = {}
    for resolution in (60, 120):
        found = values(tmp_path, made, resolution)
        for quantity in made.quantities:
            own, theory = found[quantity.id], oracle(made.scenes[0], quantity, {}, found[quantity.id].x)
            off[quantity.id, resolution] = np.abs(own.y - theory[1].y).max()
    assert found["far"].x[[0, -1]] == pytest.approx([-0.9, 1.5], abs=0.02)
    assert found["down"].x[[0, -1]] == pytest.approx([-0.3, 0.2], abs=0.02)
    for name, most in (("far", 0.03), ("down", 0.01)):
        assert off[name, 120] < most and off[name, 60] > 2.5 * off[name, 120], off


@pytest.mark.parametrize(
    ("period", "light_from"),
    [([0.2], "below"), ([0.2], "above"), pytest.param([0.2, 0.15], "above", marks=pytest.mark.long)],
)
def test_a_map_is_the_line_s_field_everywhere_and_goes_on_beyond_the_cell(
    tmp_path: Path, period: list[float], light_from: str
) -> None:
    made = problem(
        cell(light_from, period=period),
        field("map", [-0.25, 0, -0.3], [0.37, 0, 0.8]),
        field("across", [-0.3, 0, 0.1], [0.3, 0, 0.1]),
        field("none", [0.05, 0.02, -0.3], [0.05, 0.02, 0.8], field="Ex"),
    )
    found = values(tmp_path, made, 60)
    own = found["map"]
    assert isinstance(own, Map) and own.labels == ("x", "z")
    assert [(axis[0], axis[-1]) for axis in own.grid] == [(-0.25, 0.37), (-0.3, 0.8)]
    theory = exact(light_from, own.grid[1])
    assert np.abs(own.table - theory).max() < 0.05 * theory.max()
    assert np.ptp(found["across"].y) < 1e-2 * found["across"].y.mean()
    assert np.abs(found["none"].y ** 2 - exact(light_from, found["none"].x)).max() < 0.05 * theory.max()


def test_a_grating_s_field_is_that_of_its_mirror_image_and_of_the_next_period(tmp_path: Path) -> None:
    bar = {"type": "bar", "medium": medium(2.0), "x": [-0.1, 0.1]}
    made = problem(
        cell(
            "above",
            layers=[film(1.2, 0.2, bar)],
            period=[0.4],
            polarization="y",
            band={"type": "line", "wavelength": 0.5},
        ),
        field("map", [-0.4, 0, -0.2], [0.4, 0, 0.4]),
    )
    own = values(tmp_path, made, 50)["map"]
    x = own.grid[0]
    assert np.ptp(own.table, axis=0).max() > 0.1 * own.table.mean()
    assert np.abs(own.table - own.table[::-1]).max() < 0.03 * own.table.max()
    half = (len(x) - 1) // 2
    assert (
        x[half] == pytest.approx(0)
        and np.abs(own.table[: half + 1] - own.table[half:]).max() < 0.01 * own.table.max()
    )


def test_a_study_states_what_covers_the_error_of_a_field(tmp_path: Path) -> None:
    given = [
        {"id": name, "value": value, "origin": "paper", "quotation": f"{name} = {value}", **unit}
        for name, value, unit in (("t", 0.3, {"unit": "um"}), ("w", 0.6, {"unit": "um"}), ("n", 2.0, {}))
    ]
    store = Store(tmp_path)
    found = study(
        describe(FILM, given, store=store),
        {},
        Solver(store, find_meep(), Budget(300.0)),
        tmp_path / "out",
        wanted={"inside": within(0.01)},
        examine=False,
    )
    (inside,) = found.quantities
    assert inside.status == "converged", inside.reason
    assert inside.oracle is not None and inside.oracle.theory == "transfer matrix" and inside.oracle.within


@pytest.mark.parametrize(
    ("scene", "quantity", "words"),
    [
        ({"angle": 0.3, "polarization": "s"}, field("f", [0, 0, 0], [0, 0, 1]), "of normal incidence"),
        ({}, field("f", [0, 0, 0], [0, 0, 1], field="Ez"), "has no Ez in s; it has Ex"),
        ({}, field("f", [0, 0, 0], [1, 0, 1]), "nothing changes along x in s"),
        ({"period": [0.3]}, field("f", [0, -1, 0], [0, 1, 0]), "nothing changes along y in s"),
        (
            {"period": [0.3], "polarization": "y"},
            field("f", [0, 0, 0], [0, 0, 1], field="Ex"),
            "has no Ex in s; it has Ey",
        ),
        ({"period": [0.3]}, field("f", [0, 0, 0], [0, 0, 0]), "differ along 0 axes"),
    ],
)
def test_what_no_field_of_a_cell_is(scene: dict[str, Any], quantity: dict[str, Any], words: str) -> None:
    made = problem(cell("above", **scene), quantity)
    with pytest.raises(ValueError, match=words):
        arrange(made.scenes[0], made.quantities, Numerics(50), {})
