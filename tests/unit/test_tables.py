"""Tables of numbers: what a CSV may hold, and what is refused before it is parsed or turned into NaN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tasks.tables import TableLimits, parse_table, read_table, write_table

pytestmark = pytest.mark.unit


def test_a_paper_table_keeps_every_digit_and_skips_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('# digitised\nwavelength_nm,"R (t = 20, p)"\n500, 0.1\n\n510,0.30000000000000004\n', encoding="utf-8-sig")
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
    for limits, complaint in ((TableLimits(bytes=100), "bytes"), (TableLimits(rows=50), "too much"),
                              (TableLimits(columns=1), "too much"), (TableLimits(cells=150), "too much")):
        with pytest.raises(ValueError, match=complaint):
            read_table(path, limits=limits)
    assert np.all(read_table(path)["b"] == 2)
