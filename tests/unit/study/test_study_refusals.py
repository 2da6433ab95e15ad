"""Malformed data by the command line: a clear error with the fix, before a server starts, and nothing written."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app

pytestmark = pytest.mark.unit
ROWS = [f"p{number},{'voice' if number % 2 else 'touch'},{number % 7 + 1}" for number in range(12)]


def table(*rows: str, header: str = "id,condition,ease") -> bytes:
    return "\n".join((header, *rows)).encode() + b"\n"


CASES: dict[str, tuple[str, bytes, tuple[str, ...]]] = {
    "wrong delimiter": (
        "a.csv",
        table(*(row.replace(",", ";") for row in ROWS), header="id;condition;ease"),
        ("not separated by commas", "export it with commas"),
    ),
    "mixed types": (
        "a.csv",
        table(*ROWS, "p13,voice,very easy"),
        ("ease mixes numbers and text", "row 13", "fix:"),
    ),
    "participants twice": (
        "a.csv",
        table(*ROWS, ROWS[3].replace(",4", ",5")),
        ("rows 4, 13", "delete the copies"),
    ),
    "empty": ("a.csv", b"", ("empty", "fix:")),
    "only a header": ("a.csv", table(), ("a.csv", "fix:")),
    "a formula": ("a.csv", table(*ROWS, 'p13,voice,"=HYPERLINK(""http://x"",""3"")"'), ("formula", "fix:")),
    "binary": ("a.csv", b"\x7fELF" + bytes(400), ("is no text", "fix:")),
    "a simulated row": (
        "a.csv",
        table(*(f"{row},false" for row in ROWS), "p13,voice,3,true", header="id,condition,ease,simulated"),
        ("marked as simulated", "row 13", "mode A"),
    ),
    "ragged": ("a.csv", table(*ROWS, "p13,voice"), ("line 14", "fix:")),
    "another kind": ("a.sav", b"$FL2", ("cannot be told what the input is", ".csv")),
}


def refused(path: Path, outputs: Path) -> str:
    """What is said of the input. Fails if a server is begun or anything is written."""
    before = sorted(path.parent.iterdir())
    done = CliRunner().invoke(app, ["study", str(path), "--model", "manual", "--outputs", str(outputs)])
    said = done.output
    assert done.exit_code == 2 and said.startswith("error: "), said
    assert "Traceback" not in said and "Prefect" not in said and not outputs.exists()
    assert sorted(path.parent.iterdir()) == before
    return said


@pytest.mark.parametrize("case", CASES)
def test_malformed_data_are_refused_with_the_fix_and_nothing_is_written(tmp_path: Path, case: str) -> None:
    name, content, words = CASES[case]
    (tmp_path / name).write_bytes(content)
    said = " ".join(refused(tmp_path / name, tmp_path / "out").split())
    assert [word for word in words if word not in said] == [], said


def test_500_megabytes_and_a_folder_of_other_tables_are_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    with large.open("wb") as stream:
        stream.write(table(*ROWS))
        os.truncate(stream.fileno(), 500_000_000)  # sparse: it takes no space
    said = refused(large, tmp_path / "out")
    assert "too large" in said and "500 MB" in said and "leave out columns" in said
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "a.csv").write_bytes(table(*ROWS))
    (folder / "b.csv").write_bytes(table("1,2", "3,4", header="x,y"))
    assert "different columns" in refused(folder, tmp_path / "out")


def test_a_workbook_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("xl/workbook.xml", "<nonsense/>")
    assert "a.xlsx" in refused(path, tmp_path / "out")
