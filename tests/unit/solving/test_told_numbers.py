"""A solved quantity in words, and a curve of one point as the number that it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.reproduce.computing.told import curve_rows, value_words, with_its_number
from schemas.base import FileRef
from schemas.errors import InputError
from schemas.reproduce.simulations.numerics import QuantityResult

pytestmark = pytest.mark.unit


def kept(folder: Path, rows: str, **more: object) -> QuantityResult:
    (folder / "R.csv").write_text(f"frequency,R,uncertainty\n{rows}")
    curve = FileRef.of(folder / "R.csv", folder)
    return QuantityResult(id="R", kind="reflectance", scene="film", status="converged", curve=curve, **more)


@given(st.floats(-1e9, 1e9), st.floats(1e-12, 1e9))
def test_the_words_hold_the_number_and_its_error(value: float, error: float) -> None:
    made = QuantityResult(id="R", kind="k", scene="s", status="converged", value=value, uncertainty=error)
    number, sign, doubt, unit = value_words(made, "um").split()
    assert float(number) == pytest.approx(value, rel=1e-7) and float(doubt) == pytest.approx(error, rel=0.05)
    assert (sign, unit) == ("+-", "um") and value_words(made, "1") == f"{number} +- {doubt}"


def test_a_curve_of_one_point_is_a_number_and_others_are_not(tmp_path: Path) -> None:
    one = with_its_number(kept(tmp_path, "1.6,0.25,0.001\n", uncertainty=0.001), tmp_path)
    assert (one.value, one.uncertainty, one.curve) == (0.25, 0.001, None)
    two = kept(tmp_path, "1.6,0.25,\n1.7,0.5,\n")
    assert with_its_number(two, tmp_path) == two and len(curve_rows(tmp_path, two.curve)) == 2
    assert value_words(two, "1") == ""


@pytest.mark.parametrize("rows", ["1.6,thick,\n", "1.6,0.25\n", "1.6,0.25,,\n", "", "1.6,0.25,\n1.7\n"])
def test_a_curve_that_is_no_table_of_numbers_is_refused(tmp_path: Path, rows: str) -> None:
    with pytest.raises(InputError, match="no table of numbers"):
        with_its_number(kept(tmp_path, rows), tmp_path)


def test_a_study_names_no_file_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    found = kept(tmp_path, "1.6,0.25,\n")
    assert found.curve is not None
    outside = found.model_copy(update={"curve": found.curve.model_copy(update={"path": "../R.csv"})})
    with pytest.raises(InputError, match="not as it was written"):
        with_its_number(outside, tmp_path / "study")


@pytest.mark.parametrize(
    "spoil", [lambda p: p.unlink(), lambda p: p.write_text(p.read_text().replace("0.25", "0.26"))]
)
def test_a_curve_that_is_not_as_it_was_written_is_refused(tmp_path: Path, spoil: object) -> None:
    found = kept(tmp_path, "1.6,0.25,\n1.7,0.5,\n")
    spoil(tmp_path / "R.csv")  # type: ignore[operator]
    with pytest.raises(InputError, match="not as it was written") as error:
        with_its_number(found, tmp_path)
    assert error.value.fix
