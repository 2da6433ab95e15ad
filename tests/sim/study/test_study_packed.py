"""xlsx and parquet are read in the sandbox, and hostile ones are told what to do."""

from __future__ import annotations

import shutil
import zipfile
from datetime import datetime
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from schemas.errors import InputError
from tasks.study.inputs import analyse, read_all

pytestmark = [
    pytest.mark.sim,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing"),
]


def book(path: Path, rows: list[list[object]]) -> Path:
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    made.save(path)
    return path


def test_sheets_and_parquet_become_the_tables_they_hold(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "score", "when"], ["p1", 3.5, datetime(2025, 3, 1)], ["p2", 4, None]]
    frame = read_all(book(tmp_path / "a.xlsx", rows))["a.xlsx Sheet"]
    assert frame.to_dict("list") == {
        "id": ["p1", "p2"],
        "score": ["3.5", "4"],
        "when": ["2025-03-01T00:00:00", ""],
    }
    pd.DataFrame({"id": ["p1", "p2"], "score": [3.5, None], "ok": [True, False]}).to_parquet(
        tmp_path / "b.parquet"
    )
    [table] = analyse(tmp_path / "b.parquet").tables
    assert [(column.name, column.type, column.missing) for column in table.columns] == [
        ("id", "category", 0),
        ("score", "number", 1),
        ("ok", "truth", 0),
    ]


def test_formulas_and_broken_books_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds a formula(.|\n)*sheet Sheet, B2(.|\n)*Paste Special"):
        analyse(book(tmp_path / "a.xlsx", [["id", "score"], ["p1", "=SUM(C1:C9)"]]))
    path = book(tmp_path / "b.xlsx", [["id"], ["p1"]])
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"][:200]
    with zipfile.ZipFile(path, "w") as archive:
        [archive.writestr(name, content) for name, content in parts.items()]
    with pytest.raises(InputError, match="could not be read"):
        analyse(path)
    (tmp_path / "c.parquet").write_bytes(b"PAR1" + b"\0" * 200 + b"PAR1")
    with pytest.raises(InputError, match="could not be read"):
        analyse(tmp_path / "c.parquet")
