"""A goal is three lines; what it names is taken only from its own folder, and every fault is said."""

from __future__ import annotations

import os

import pytest

from schemas.errors import InputError
from tasks.explore.goals import load_goal, read_goal_file

pytestmark = pytest.mark.unit

THREE = "# Faster sums\nMake the sum of a million numbers faster.\nThe result must stay exact to 1e-9.\n"
FULL = (
    THREE
    + """
## Provided Files
- `data/input.csv`: the numbers
- readme.txt - what they are

## Measure
`measure.py`

## Metric
- name: time_s
- unit: s
- direction: lower is better
- kind: timed
- repeats: 3
"""
)


def written(folder, text=FULL):
    (folder / "data").mkdir()
    (folder / "data" / "input.csv").write_text("x\n1\n")
    (folder / "readme.txt").write_text("numbers")
    (folder / "measure.py").write_text("print(1)\n")
    (folder / "goal.md").write_text(text)
    return folder


def refused(folder, text):
    (folder / "goal.md").write_text(text)
    with pytest.raises(InputError) as error:
        load_goal(folder)
    return str(error.value)


def test_three_lines_are_a_goal(tmp_path):
    (tmp_path / "mine.md").write_text("Find a faster sort.\nFor a million floats.\nStable, please.\n")
    goal = load_goal(tmp_path / "mine.md")
    assert (goal.goal_id, goal.title) == ("find-a-faster-sort", "Find a faster sort.")
    assert goal.measure is None and goal.provided == () and goal.metric.direction is None


def test_its_sections_are_read_and_its_files_hashed(tmp_path):
    goal = load_goal(written(tmp_path))
    assert [file.path for file in goal.provided] == ["data/input.csv", "readme.txt"]
    assert goal.measure and goal.measure.path == "measure.py" and len(goal.measure.sha256) == 64
    assert goal.metric.model_dump() == {
        "name": "time_s",
        "unit": "s",
        "direction": "lower",
        "kind": "timed",
        "repeats": 3,
    }
    assert read_goal_file(goal, goal.provided[1]) == b"numbers"
    assert "folder" not in goal.content
    (tmp_path / "readme.txt").write_text("other numbers")
    with pytest.raises(InputError, match="changed since the run began"):
        read_goal_file(goal, goal.provided[1])


def test_a_section_in_a_code_fence_is_no_section(tmp_path):
    (tmp_path / "goal.md").write_text(THREE + "```\n## Measure\n/etc/passwd\n```\n")
    assert load_goal(tmp_path).measure is None


@pytest.mark.parametrize(
    "name, why",
    [
        ("../secret.txt", "leaves the folder"),
        ("/etc/passwd", "leaves the folder"),
        ("missing.csv", "is missing"),
        ("link.txt", "is a link"),
        ("linked/input.csv", "link"),
        ("twice.txt", "hard links"),
        ("pipe", "no regular file"),
        ("data", "no regular file"),
        ("measured.json", "name that is taken"),
        ("big.bin", "bytes; at most"),
    ],
)
def test_hostile_paths_are_refused(tmp_path, name, why):
    folder = written(tmp_path / "goal" if (tmp_path / "goal").mkdir() is None else tmp_path)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "linked").symlink_to(folder / "data")
    (folder / "measured.json").write_text("{}")
    os.link(tmp_path / "secret.txt", folder / "twice.txt")
    os.mkfifo(folder / "pipe")
    with (folder / "big.bin").open("wb") as big:
        big.truncate(20_000_001)
    assert why in refused(folder, THREE + f"## Provided Files\n- `{name}`\n")


@pytest.mark.parametrize(
    "text, why",
    [
        ("one line", "fewer than three lines"),
        (THREE + "## Metric\ndirection: sideways\nrepeats: 0\n", "direction"),
        (THREE + "## Measure\n`measure.sh`\n", "one Python program"),
        ("# 目標\n日本語\n三行\n", "## Id"),
    ],
)
def test_each_fault_is_named_with_what_is_allowed(tmp_path, text, why):
    found = refused(written(tmp_path, ""), text)
    assert why in found and "allowed:" in found and "fix:" in found


def test_a_text_that_is_no_text_and_no_file_at_all(tmp_path):
    (tmp_path / "goal.md").write_bytes(b"\xff\xfe goal \x80")
    with pytest.raises(InputError, match="UTF-8"):
        load_goal(tmp_path)
    with pytest.raises(InputError, match="is missing"):
        load_goal(tmp_path / "nowhere.md")
