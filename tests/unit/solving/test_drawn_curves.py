"""A solved curve for people: the same points over wavelength, a plot, and nothing of a file that was changed."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from flows.reproduce.computing.drawn_curves import draw_curve, over_wavelength
from schemas.base import FileRef
from schemas.errors import InputError
from schemas.reproduce.simulations.numerics import QuantityResult
from tests.unit.commands.commands_fixture import reprolab

pytestmark = pytest.mark.unit

POINTS = st.lists(st.tuples(st.floats(1e-6, 1e6), st.floats(-1, 1), st.floats(0, 1)), max_size=20)


def solved(folder: Path, rows: str, axis: str = "frequency") -> QuantityResult:
    """A quantity whose curve is that CSV."""
    (folder / "R.csv").write_text(f"{axis},R,uncertainty\n{rows}")
    return QuantityResult(
        id="R",
        kind="reflectance",
        scene="film",
        status="converged",
        axis=axis,
        curve=FileRef.of(folder / "R.csv", folder),
    )


@given(POINTS, st.sampled_from([1.0, 1000.0]))
def test_every_frequency_is_one_wavelength_and_no_point_is_lost(
    points: list[tuple[float, ...]], size: float
) -> None:
    found = over_wavelength([list(point) for point in points], size)
    assert len(found) == len(points) and [row[0] for row in found] == sorted(row[0] for row in found)
    again = sorted((size / x, y, doubt) for x, y, doubt in found)
    for one, other in zip(again, sorted(points), strict=True):
        assert math.isclose(one[0], other[0], rel_tol=1e-12)
    assert sorted(row[1] for row in found) == sorted(point[1] for point in points)
    assert over_wavelength([[0.0, 1.0, 0.0]], size) == []


@pytest.mark.parametrize(
    ("nm", "scale", "head", "first"),
    [
        (True, "um", "wavelength_nm", 500.0),
        (False, "um", "wavelength_um", 0.5),
        (True, "a", "wavelength_a", 0.5),
    ],
)
def test_a_spectrum_is_drawn_and_written_over_wavelength(
    tmp_path: Path, nm: bool, scale: str, head: str, first: float
) -> None:
    found = solved(tmp_path, "1.5,0.2,0.01\n2,0.1,\n")
    table, plot = draw_curve(found, "1", scale, tmp_path, nm=nm)
    with table.open() as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == [head, "R", "uncertainty"] and [float(rows[1][0]), float(rows[1][1])] == [first, 0.1]
    assert rows[1][2] == "" and rows[2][2] == "0.01"
    with Image.open(plot) as image:
        assert image.format == "PNG" and image.width > 500


def test_other_axes_have_a_plot_only_and_maps_and_changed_files_nothing(tmp_path: Path) -> None:
    found = solved(tmp_path, "0,1,0.1\n1,2,0.1\n", axis="position")
    assert [path.name for path in draw_curve(found, "um", "um", tmp_path, nm=True)] == ["R.png"]
    assert draw_curve(found.model_copy(update={"axis": "point"}), "1", "um", tmp_path, nm=True) == []
    assert draw_curve(found.model_copy(update={"curve": None}), "1", "um", tmp_path, nm=True) == []
    (tmp_path / "R.csv").write_text("position,R,uncertainty\n0,9,0\n")
    with pytest.raises(InputError, match="not as it was written"):
        draw_curve(found, "1", "um", tmp_path, nm=True)


def test_the_vocabulary_is_printed_without_a_path_and_a_missing_path_is_said() -> None:
    shown = reprolab("describe", "--contract")
    assert shown.exit_code == 0 and "`UnitCell(" in shown.output and "`Reflectance(" in shown.output
    missing = reprolab("describe")
    assert missing.exit_code == 2 and "no description is named" in missing.output
