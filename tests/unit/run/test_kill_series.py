"""What a series of kills keeps, and what it calls a fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import explore_kills
from benchmarks.explore_kills import Kill, Left, faults, kept_calls, last_of_each_lane
from benchmarks.kill_series import Series

pytestmark = pytest.mark.unit
SERIES = Series(
    "explore_kills",
    "guide/explore.md",
    Left,
    Kill,
    explore_kills.undisturbed,
    explore_kills.disturbed,
    lambda kill: kill.place,
    explore_kills.summary,
)


def test_kills_of_another_seed_or_of_none_are_not_gone_on_with(tmp_path: Path) -> None:
    path, line = (
        tmp_path / "kills.jsonl",
        {"at_s": 1.0, "place": "n001", "ended_before": False, "again": [], "faults": []},
    )
    assert SERIES.kept(path, 0) == []
    path.write_text(json.dumps({"seed": 3, **line}) + "\n")
    assert [kill.place for kill in SERIES.kept(path, 3)] == ["n001"]
    with pytest.raises(SystemExit, match="seed 3, not of seed 0"):
        SERIES.kept(path, 0)
    path.write_text(json.dumps(line) + "\n")
    with pytest.raises(SystemExit, match="no seed"):
        SERIES.kept(path, 0)


def _run(folder: Path, idea: str, *positions: dict[str, object]) -> Path:
    folder.mkdir()
    entries = [
        {
            "position": position,
            "request": {} if position.get("turn") else {"context": [{"title": "idea", "text": idea}]},
        }
        for position in positions
    ]
    lines = [
        json.dumps(entry)
        for entry in ({"header": {}}, *entries, {"kind": "question", "request": {"question_id": "q"}})
    ]
    (folder / "transcript.jsonl").write_text("\n".join(lines) + '\n{"position": {"agent": "half a li')
    return folder


def test_an_answer_that_was_kept_may_not_be_bought_again_though_it_was_the_last(tmp_path: Path) -> None:
    first, second = (
        {"agent": "experimenter", "stage_id": "n000"},
        {"agent": "experimenter", "stage_id": "n000", "turn": 1},
    )
    kept = kept_calls(
        [
            _run(tmp_path / "a", "Convergents: p/q", first),
            _run(tmp_path / "b", "Decimals: 3.14", first, second),
            tmp_path / "none",
        ]
    )
    [label] = {one for one in kept if "@" not in one}
    assert kept == {label, f"{label}@decimals", f"{label}.t01@decimals"}
    under_way = last_of_each_lane([label, f"{label}.t01"]) - kept
    assert under_way == {f"{label}.t01"}, "the second turn of the run was answered and not kept"
    alone, bought = Left([], {label: 1}, {}, {}, 9.0), Left([], {label: 2}, {}, {}, 9.0)
    assert faults(bought, alone, (label,), last_of_each_lane([label]) - kept) == [f"bought again: {label}"]
    assert not faults(bought, alone, (label,), last_of_each_lane([label]))
