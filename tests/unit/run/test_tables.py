"""Tables of numbers: what a CSV may hold, and what is refused before it is parsed or turned into NaN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tasks.files.tables import TableLimits, parse_table, read_table, write_table
from tasks.reproduce.evidence.result_tables import write_targets
from tests.unit.evidence.evidence_fixture import WAVELENGTH_NM, Run, curve_target, dips

pytestmark = pytest.mark.unit


def test_a_paper_table_keeps_every_digit_and_skips_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        '# digitised\nwavelength_nm,"R (t = 20, p)"\n500, 0.1\n\n510,0.30000000000000004\n',
        encoding="utf-8-sig",
    )
    table = read_table(path)
    assert list(table.columns) == ["wavelength_nm", "R (t = 20, p)"]
    assert table.dtypes.tolist() == [float, float]
    assert table["R (t = 20, p)"].tolist() == [0.1, 0.30000000000000004]
    assert read_table(write_table(tmp_path / "b.csv", table)).equals(table)


@pytest.mark.parametrize(("text", "complaint"), [
    ("", "header line"), ("a,b\n", "at least one row"), ("a,a\n1,2\n", "different"), ("a,\n1,2\n", "not empty"),
    ("a,b\n1\n", "row 2, column 'b'"), ("a,b\n1,2\n1,2,3\n", "equally long"), ("a,b\n1,2\n1,x\n", "row 3, column 'b': 'x'"),
    ("a,b\n1,nan\n", "NaN"), ("a,b\n1,1e999\n", "infinite"), ("a,b\n1,true\n", "'true'"), ("a,b\n1,1_0\n", "'1_0'"),
    ("a;b\n1;2\n", "plain number"), ("a,b\n1,=1+1\n", "plain number"), ("a,b\n1,NA\n", "'NA'"), ("a,b\n1,2\x00\n", "NUL"),
    ("a,b\n1," + "1" * 41 + "\n", "plain number"), ('a,b\n"1,2\n', "equally long"),
])  # fmt: skip
def test_what_is_no_table_of_numbers_is_refused_with_its_row(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_table(text)


def test_size_is_checked_before_parsing(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "1,2\n" * 100)
    for limits, complaint in (
        (TableLimits(bytes=100), "bytes"),
        (TableLimits(rows=50), "too much"),
        (TableLimits(columns=1), "too much"),
        (TableLimits(cells=150), "too much"),
    ):
        with pytest.raises(ValueError, match=complaint):
            read_table(path, limits=limits)
    assert np.all(read_table(path)["b"] == 2)


def test_the_data_behind_a_plot_are_joined_and_written(tmp_path: Path) -> None:
    run = Run(tmp_path)
    x = WAVELENGTH_NM[::2]
    run.paper_table(wavelength_nm=x, T=dips(x))
    for scale in (0.5, 1.0):
        run.spectrum(dips(scale=0.97 + 0.01 * scale), scale=scale)
    found = run.judge(curve_target(), drawn=True)
    table = pd.read_csv(run.root / "overlays/fig2_T.csv")
    assert list(table.columns) == ["x", "simulation_x0.5", "simulation_x1", "exact theory"]
    assert len(table) == WAVELENGTH_NM.size and table["exact theory"].isna().sum() == x.size - 1
    assert table["simulation_x1"].to_numpy() == pytest.approx(dips(scale=0.98))
    rows = pd.read_csv(write_targets([found], tmp_path / "targets.csv"))
    assert (
        rows.loc[0, "target_id"] == "fig2_T"
        and rows.loc[0, "classification"] == "SUCCESS"
        and rows.loc[0, "converged"]
    )
