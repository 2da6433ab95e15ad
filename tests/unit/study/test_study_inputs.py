"""What a user may hand in, and what hostile data are told: a clear error with the fix, and nothing written."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from schemas.errors import InputError
from schemas.study.pipeline import InputType, PipelineMode
from tasks.study.inputs import analyse, for_models, read_all
from tasks.study.inputs.input_files import InputLimits
from tasks.study.inputs.unpacking import check_archive
from tasks.study.workspace import Workspace
from tasks.study.workspace.given import import_input

pytestmark = pytest.mark.unit
GOOD = "participant_id,condition,score\n" + "".join(
    f"p{i},{c},{i % 7 + 1}\n" for i in range(12) for c in ("voice", "touch")
)


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_kind_and_mode_follow_from_the_file(tmp_path: Path) -> None:
    records = [{"participant_id": f"p{i}", "score": i} for i in range(6)]
    data = {
        "a.csv": GOOD,
        "b.tsv": GOOD.replace(",", "\t"),
        "c.json": json.dumps(records),
        "d.jsonl": "\n".join(map(json.dumps, records)),
        "e.json": json.dumps({"score": [1, 2, 3], "group": ["a", "b", "a"]}),
    }
    for name, content in data.items():
        found = analyse(put(tmp_path, name, content))
        assert (found.kind, found.mode, found.tables[0].name) == ("data", PipelineMode.REAL_DATA, name)
    for name in ("q.txt", "q.md", "q.text"):
        found = analyse(put(tmp_path, name, "Is voice easier than touch?\n"))
        assert (found.kind, found.mode, found.text) == (
            "text",
            PipelineMode.SIMULATED,
            "Is voice easier than touch?\n",
        )
    assert analyse(tmp_path / "q.txt", mode=PipelineMode.REAL_DATA).mode is PipelineMode.REAL_DATA, (
        "waits for data"
    )
    assert len(analyse(tmp_path).tables) == 5, "a folder is all its data files"
    with pytest.raises(InputError, match="do not go together"):
        analyse(tmp_path / "a.csv", mode=PipelineMode.SIMULATED)


def test_what_the_user_wrote_on_data_is_read_beside_them(tmp_path: Path) -> None:
    path = put(tmp_path, "votes.csv", GOOD)
    put(tmp_path, "other.md", "of something else")
    assert analyse(path).notes == "" and analyse(tmp_path).notes == ""
    put(tmp_path, "votes.md", "score: 1 low to 7 high\n")
    put(tmp_path, "Codebook.txt", "condition: how it was done\n")
    found = analyse(path)
    assert found.notes == "score: 1 low to 7 high" and [item.path for item in found.files] == [
        "votes.csv",
        "votes.md",
    ]
    space = Workspace.create(
        tmp_path / "out", "votes", mode=PipelineMode.REAL_DATA, input_type=InputType.DATASET, nodes=()
    )
    assert [item.name for item in import_input(space.root, path, found)] == ["votes.csv", "votes.md"]
    assert analyse(tmp_path).notes == "condition: how it was done"
    put(tmp_path, "votes.md", "x" * 50_001)
    with pytest.raises(InputError, match="too large") as refused:
        analyse(path)
    assert "give it another name" in refused.value.text()


def test_a_profile_has_types_missing_values_ranges_and_repeated_measures(tmp_path: Path) -> None:
    lines = [
        f"p{i},{c},{i + 0.5},{i},{'yes' if i % 2 else 'no'},2024-05-0{i % 9 + 1},{'NA' if i == 3 else 'red'}"
        for i in range(10)
        for c in ("voice", "touch")
    ]
    [table] = analyse(
        put(tmp_path, "a.csv", "id,condition,seconds,clicks,liked,day,colour\n" + "\n".join(lines))
    ).tables
    columns = {column.name: column for column in table.columns}
    assert {name: column.type for name, column in columns.items()} == {
        "id": "category",
        "condition": "category",
        "seconds": "number",
        "clicks": "whole",
        "liked": "truth",
        "day": "date",
        "colour": "category",
    }
    assert (columns["seconds"].minimum, columns["seconds"].maximum, columns["seconds"].mean) == (
        0.5,
        9.5,
        5.0,
    )
    assert columns["colour"].missing == 2 and [item.count for item in columns["condition"].categories] == [
        10,
        10,
    ]
    assert table.participant == "id" and table.repeated and table.rows == 20


PERSONAL = {
    "name": ("full_name", ["Anna Schmidt", "Juan de la Cruz", "Mary Ann Smith", "Lee Chen"]),
    "e-mail": ("contact", ["a@example.org", "b@example.org", "call me", "c@x.de"]),
    "phone": ("reach_at", ["+49 30 1234567", "030-7654321", "(555) 010-9999", "+1 555 010 1234"]),
    "birth date": ("day", ["1990-02-03", "1985-12-24", "2001-07-30", "1977-01-01"]),
    "IP address": ("source", ["192.0.2.1", "198.51.100.7", "2001:db8::1", "203.0.113.9"]),
    "identity number": ("number", ["123-45-6789", "987-65-4321", "111-22-3333", "222-33-4444"]),
    "address": ("postal code", ["10115", "20095", "80331", "50667"]),
    "place": ("latitude", ["52.5", "53.6", "48.1", "50.9"]),
    "free text": (
        "remarks",
        [
            "My neighbour Karl in Berlin told me to try it",
            "I live alone and use it every day " * 2,
            "Since my operation I cannot type any more at all",
            "It reminded me of my time as a nurse",
        ],
    ),
    "identifier": ("worker_id", ["A1", "B2", "C3", "D4"]),
}


@pytest.mark.parametrize("kind", PERSONAL)
def test_personal_data_are_flagged_and_nothing_of_them_is_told(tmp_path: Path, kind: str) -> None:
    column, values = PERSONAL[kind]
    rows = "".join(f'"{values[i % 4]}{"" if kind != "identifier" else i}",{i % 5}\n' for i in range(4))
    found = analyse(put(tmp_path, "a.csv", f"{column},score\n{rows}"), allow_rows=True)
    assert [(flag.kind, flag.column) for flag in found.flags] == [(kind, column)]
    told = json.dumps(for_models(found))
    assert kind in told and not any(value.strip() in told for value in values), (
        "not even where rows are allowed"
    )


def test_models_see_no_row_and_no_rare_value_unless_rows_are_allowed(tmp_path: Path) -> None:
    rows = "".join(f"{'nurse' if i else 'astronaut'},{41.25 + i}\n" for i in range(30))
    path = put(tmp_path, "a.csv", "job,seconds\n" + rows)
    told = json.dumps(for_models(analyse(path)))
    assert "nurse" in told and "astronaut" not in told and "sample" not in told and "52.25" not in told
    [column, _] = analyse(path).tables[0].columns
    assert (column.rare, column.distinct) == (1, 2)
    allowed = analyse(path, allow_rows=True).tables[0].sample
    assert len(allowed) == 5 and allowed[0] == {"job": "astronaut", "seconds": "41.25"}


def test_harmless_columns_are_not_flagged(tmp_path: Path) -> None:
    rows = "".join(
        f"{i},{20 + i % 30},{i * 0.013:.3f},{1000000 + i * 37},2025-03-{i % 28 + 1:02d},{'ab'[i % 2]},{i % 7}\n"
        for i in range(40)
    )
    found = analyse(put(tmp_path, "a.csv", "trial,age,seconds,keys,day,hand,valid\n" + rows))
    assert found.flags == ()


CSV = "id,score\np1,3\np2,4\np3,5\n"
HOSTILE: dict[str, tuple[str, str | bytes, str, str]] = {
    "semicolons": ("a.csv", CSV.replace(",", ";"), "not separated by commas", "export it with commas"),
    "tabs in a csv": ("a.csv", CSV.replace(",", "\t"), "not separated by commas", "rename it to .tsv"),
    "decimal commas": ("a.csv", 'id,score\np1,"3,5"\np2,4\np3,"2,5"\n', "decimal commas", "with a point"),
    "mixed types": (
        "a.csv",
        "id,score\np1,3\np2,four\np3,5\n",
        "score mixes numbers and text",
        "row 2: 'four'",
    ),
    "ids twice": ("a.csv", CSV + "p1,5\n", "id names a participant twice", r"rows 1, 4"),
    "a participant without id": ("a.csv", CSV + ",5\n", "a participant has no id", "row 4"),
    "empty": ("a.csv", "", "is empty", "save it again"),
    "only spaces": ("a.csv", " \n \n", "is empty", "save it again"),
    "only a header": ("a.csv", "id,score\n", "has no rows", "at least one row"),
    "no header": ("a.csv", "1,2\n3,4\n5,6\n", "has no header", "names"),
    "ragged": ("a.csv", CSV + "p4,5,6\n", "line 5 has 3 cells, the header 2", "quote cells"),
    "an open quotation mark": (
        "a.csv",
        'id,score\np1,"3\np2,4\n',
        "is no table",
        "close every quotation mark",
    ),
    "two columns of one name": ("a.csv", "score,score\n1,2\n", "the same name", "rename"),
    "a column without name": ("a.csv", ",score\n1,2\n2,3\n", "a column has no name", "name every column"),
    "control characters": ("a.csv", "sc\x1b[31more,b\n1,2\n", "control characters", "shorten"),
    "a formula": ("a.csv", CSV + "p4,=SUM(B2:B4)\n", "holds a formula", "row 4, score"),
    "a command": ("a.csv", CSV + "p4,@cmd|' /C calc'!A0\n", "holds a formula", "paste values"),
    "infinite": ("a.csv", CSV + "p4,inf\n", "infinite number", "row 4"),
    "beyond a float": ("a.csv", CSV + "p4,1e999\n", "infinite number", "row 4"),
    "binary": ("a.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is no text", "a PNG"),
    "an xlsx called csv": ("a.csv", b"PK\x03\x04\x14\0\0\0", "is no text", "a zip archive, as xlsx is"),
    "latin-1": ("a.csv", "id,ort\np1,Köln\n".encode("latin-1"), "is not UTF-8", "line 2"),
    "too many columns": (
        "a.csv",
        ",".join(f"c{i}" for i in range(501)) + "\n1,2\n",
        "too many columns",
        "501",
    ),
    "JSON with NaN": ("a.json", '[{"score": NaN}]', "no JSON number", "null"),
    "JSON cut short": ("a.json", '[{"score": 3', "malformed JSON", "correct it"),
    "JSON nested": ("a.json", '[{"score": {"a": 1}}]', "a cell holds an object", "row 1, score"),
    "JSON that is no table": ("a.json", "[1, 2]", "is no table", "int"),
    "JSON very deep": ("a.json", "[" * 100_000, "no JSON that can be read", "nested"),
    "JSON lines with a bad line": ("a.jsonl", '{"a": 1}\n{"a": }\n', "no JSON", "line 2"),
    "an xlsx that is none": ("a.xlsx", b"hello", "is no xlsx file", "save it again"),
    "a parquet that is none": ("a.parquet", b"hello", "is no parquet file", "PAR1"),
    "an unknown kind": ("a.sav", b"$FL2", "cannot be told what the input is", r"\.csv"),
    "a text with NUL": ("a.txt", b"a\0b", "is no text", "binary"),
    "a long text": ("a.txt", "word " * 50_000, "too large", "0.2 MB"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_data_get_a_clear_error_with_the_fix(tmp_path: Path, case: str) -> None:
    name, content, said, fix = HOSTILE[case]
    path = put(tmp_path, name, content)
    with pytest.raises(InputError, match=rf"{said}(.|\n)*{fix}|{fix}(.|\n)*{said}"):
        analyse(path)
    assert os.listdir(tmp_path) == [name], "nothing was written"


def test_500_megabytes_are_refused_before_they_are_read(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", CSV)
    with path.open("r+b") as stream:
        stream.truncate(500_000_000)  # without using the disk
    with pytest.raises(InputError, match=r"too large(.|\n)*500 MB(.|\n)*at most 100 MB(.|\n)*aggregate"):
        analyse(path)


def test_too_many_rows_links_folders_and_missing_files(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", CSV)
    with pytest.raises(InputError, match="too many rows"):
        analyse(path, limits=InputLimits(rows=2))
    (tmp_path / "link.csv").symlink_to(path)
    for bad, said in ((tmp_path / "link.csv", "is a link"), (tmp_path / "none.csv", "does not exist")):
        with pytest.raises(InputError, match=said):
            analyse(bad)
    with pytest.raises(InputError, match="no regular file"):
        analyse(tmp_path)  # a folder with a link in it
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no data file"):
        analyse(tmp_path / "empty")


def test_nan_counts_as_missing_and_is_said(tmp_path: Path) -> None:
    [table] = analyse(put(tmp_path, "a.csv", "group,score\na,1\nb,NaN\na,3\n")).tables
    assert table.columns[1].missing == 1 and table.remarks == (
        "score: 1 cells say NaN; they count as missing",
    )


def test_zip_bombs_are_refused_by_their_directory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "x")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 30_000_000)
    assert path.stat().st_size < 100_000
    with pytest.raises(InputError, match="unfolds to more than a table does"):
        check_archive(path, InputLimits())
    with zipfile.ZipFile(tmp_path / "many.xlsx", "w") as archive:
        [archive.writestr(f"part-{number}", "") for number in range(2001)]
    with pytest.raises(InputError, match="2001 parts"):
        check_archive(tmp_path / "many.xlsx", InputLimits())
    with zipfile.ZipFile(tmp_path / "other.xlsx", "w") as archive:
        archive.writestr("readme", "no spreadsheet")
    with pytest.raises(InputError, match="a zip archive of something else"):
        check_archive(tmp_path / "other.xlsx", InputLimits())


def test_tables_are_read_as_they_are_written(tmp_path: Path) -> None:
    frame = read_all(put(tmp_path, "a.csv", '\ufeffid,said\np1,"a, ""b"""\n\np2,007\n'))["a.csv"]
    assert frame.to_dict("list") == {"id": ["p1", "p2"], "said": ['a, "b"', "007"]}
