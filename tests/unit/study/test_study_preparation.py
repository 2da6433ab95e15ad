"""Data as they are: steps that the user declares, what they refuse, and that a package repeats them without us."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.study.preparation import Step
from tasks.study import statistics
from tasks.study.inputs import analyse
from tasks.study.inputs.declared import told
from tasks.study.participants.raw_data import read_rows
from tasks.study.participants.real_data import imported
from tasks.study.participants.study_table import examined, kept_preparation, kept_table, one_table
from tasks.study.statistics.preparation import prepared
from tasks.study.workspace.given import import_input
from tasks.study.workspace.places import INPUT

pytestmark = pytest.mark.unit
QUALTRICS = """ResponseId;group;score;share;often;age
Response ID;Which group?;Score;Share;How often?;Age
{"ImportId":"_recordId"};{"ImportId":"QID1"};{"ImportId":"QID2"};{"ImportId":"QID3"};{"ImportId":"QID4"};{"ImportId":"QID5"}
R_1;Control ;3,5;51%;never;23
R_2;control;1.204,25;7 %;often;-99
R_3;treated;2;100%;sometimes;41
R_4;treated;9999;12,5%;often;38
R_5;CONTROL;4;;never;
"""
STEPS: list[dict[str, Any]] = [
    {"kind": "decimal_commas", "columns": ["score"]},
    {"kind": "percent", "columns": ["share"]},
    {"kind": "missing", "columns": ["age", "score"], "values": ["-99", "9999"]},
    {"kind": "merge", "columns": ["group"], "values": ["control", "CONTROL"], "into": "Control"},
    {"kind": "ranks", "columns": ["often"], "values": ["never", "sometimes", "often"]},
]
DECLARED = {"delimiter": ";", "header_rows": 3, "steps": STEPS}


def given_in(folder: Path, text: str = QUALTRICS, declared: Any = DECLARED, name: str = "votes.csv") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    if declared is not None:
        (folder / "votes.preparation.json").write_text(
            json.dumps(declared) if not isinstance(declared, str) else declared
        )
    return folder / name


def test_an_export_as_it_is_becomes_the_data_that_were_declared(tmp_path: Path) -> None:
    source = given_in(tmp_path / "in")
    frame, profile = one_table(source)
    assert {name: frame[name].tolist() for name in ("group", "score", "share", "often", "age")} == {
        "group": ["Control", "Control", "treated", "treated", "Control"],
        "score": ["3.5", "1204.25", "2", "", "4"],
        "share": ["51", "7", "100", "12.5", ""],
        "often": ["1", "3", "2", "3", "1"],
        "age": ["23", "", "41", "38", ""],
    }
    types = {column.name: column.type for column in profile.columns}
    assert (types["score"], types["share"], types["often"], types["age"]) == (
        "number",
        "number",
        "whole",
        "whole",
    )
    report = examined(source, None)
    assert report.preparation is not None and report.preparation.changed == (2, 4, 2, 2, 5)
    assert (
        "prepared as declared: merge of group, control / CONTROL into Control: 2 cells"
        in report.tables[0].remarks
    )
    assert [file.path for file in report.files] == ["votes.csv", "votes.preparation.json"]
    assert told(report.preparation)[1] == "prepared as declared: percent of share: 4 cells"


def test_what_is_kept_repeats_the_steps_without_us(tmp_path: Path) -> None:
    source = given_in(tmp_path / "in")
    report = analyse(source)
    import_input(tmp_path / "space", source, report)
    found = kept_preparation(tmp_path / "space" / INPUT, report)
    assert found is not None
    data, steps = found
    after = imported(*kept_table(tmp_path / "space" / INPUT, report)).data
    assert b"CONTROL" in data and b"R_1" not in data and b"CONTROL" not in after
    shutil.copytree(
        Path(statistics.__file__).parent,
        tmp_path / "study_statistics",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (tmp_path / "as_collected.csv").write_bytes(data)
    (tmp_path / "preparation.json").write_text(steps.model_dump_json())
    done = subprocess.run(
        [sys.executable, "-P", "-m", "study_statistics.preparation", "as_collected.csv", "preparation.json"],
        cwd=tmp_path, text=True, capture_output=True, timeout=120, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert read_rows(done.stdout.encode()) == read_rows(after)


def test_a_folder_has_one_preparation_for_all_tables(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    given_in(folder, "id,age\n1,20\n2,-99\n", None, "a.csv")
    given_in(folder, "id,age\n3,30\n4,31\n", None, "b.csv")
    (folder / "preparation.json").write_text(json.dumps({"steps": [{"kind": "missing", "values": ["-99"]}]}))
    assert one_table(folder)[0]["age"].tolist() == ["20", "", "30", "31"]
    report = analyse(folder)
    import_input(tmp_path / "space", folder, report)
    assert kept_preparation(tmp_path / "space" / INPUT, report) is not None
    (folder / "b.preparation.json").write_text("{}")
    with pytest.raises(InputError, match="twice"):
        one_table(folder)


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ("{", "no JSON"),
        ({"steps": [{"kind": "guess"}]}, "does not fit"),
        (
            {
                "delimiter": ";",
                "header_rows": 3,
                "steps": [{"kind": "missing", "columns": ["weight"], "values": ["9"]}],
            },
            "prepared as",
        ),
        (
            {"delimiter": ";", "header_rows": 3, "steps": [{"kind": "missing", "values": ["-98"]}]},
            "changes nothing",
        ),
        (
            {
                "delimiter": ";",
                "header_rows": 3,
                "steps": [{"kind": "ranks", "columns": ["often"], "values": ["never"]}],
            },
            "prepared as",
        ),
        (
            {"delimiter": ";", "header_rows": 3, "steps": [{"kind": "percent", "columns": ["group"]}]},
            "prepared as",
        ),
        (
            {"delimiter": ";", "header_rows": 3, "steps": [{"kind": "decimal_commas", "columns": ["often"]}]},
            "prepared as",
        ),
        (None, "not separated by commas"),
        ({"delimiter": ";"}, "mixes|text"),
    ],
)
def test_what_does_not_fit_is_refused_with_words(tmp_path: Path, declared: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        examined(given_in(tmp_path / "in", declared=declared), None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "missing"},
        {"kind": "percent", "values": ("1",)},
        {"kind": "merge", "columns": ("a",), "values": ("x",)},
        {"kind": "merge", "values": ("x",), "into": "y"},
        {"kind": "ranks", "columns": ("a",), "values": ("x", "x ")},
    ],
)
def test_steps_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="values|into|columns|rank"):
        Step(**wrong)


@settings(max_examples=150, deadline=None)
@given(cells=st.lists(st.text(max_size=30), min_size=1, max_size=8), step=st.sampled_from(STEPS))
def test_no_cell_breaks_a_step_and_steps_without_columns_never_refuse(
    cells: list[str], step: dict[str, Any]
) -> None:
    whole = {"values": [], "into": "", **step}
    name = whole["columns"][0]
    try:
        prepared({name: cells}, [{**whole, "columns": [name]}], lambda cell: not cell)
    except ValueError as error:
        assert str(error).startswith("step 1 (")
    if whole["kind"] != "ranks":
        found, _ = prepared({name: cells}, [{**whole, "columns": []}], lambda cell: not cell)
        assert len(found[name]) == len(cells)


@pytest.mark.parametrize(
    "cell", ["1" * 50_000 + "x", "1.234" * 20_000, "-" * 50_000, "1," * 50_000, "9" * 50_000 + " %%"]
)
def test_a_long_cell_is_read_at_once(cell: str) -> None:
    for kind in ("decimal_commas", "percent"):
        prepared(
            {"a": [cell] * 20},
            [{"kind": kind, "columns": [], "values": [], "into": ""}],
            lambda text: not text,
        )
