"""Two runs beside each other: what moved, by how much of its uncertainty, and what was different."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.results.changes import MOST_LINES, changes, line_changes, places
from flows.results.told import told
from flows.results.two_runs import TargetBeside, compare_runs
from schemas.errors import InputError
from tests.unit.commands.commands_fixture import reprolab
from tests.unit.report.test_open_run import HOSTILE, kept

pytestmark = pytest.mark.unit

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1, max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


def another(folder: Path, name: str) -> Path:
    """A copy of a run under another id."""
    other = folder.parent / name
    shutil.copytree(folder, other)
    record = json.loads((other / "run.json").read_text())
    (other / "run.json").write_text(json.dumps({**record, "run_id": name}))
    return other


def rewritten(path: Path, change: Any) -> None:
    """A JSON file, changed."""
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def by_name(found: tuple[TargetBeside, ...]) -> dict[str, TargetBeside]:
    return {target.target: target for target in found}


def test_a_run_beside_its_copy_differs_in_nothing(tmp_path: Path) -> None:
    one = kept(tmp_path)
    found = compare_runs(one, another(one, "run-0002"))
    peak = by_name(found.targets)["fig2_peak"]
    assert (
        (peak.difference, peak.over) == ("0", 0.0)
        and peak.values[0] == peak.values[1]
        and "nm" in peak.values[0]
    )
    assert all(target.verdicts[0] == target.verdicts[1] for target in found.targets)
    assert any(target.verdicts[0] == "not compared" for target in found.targets)
    assert not any(table.rows for table in found.tables) and not found.texts and not found.notes


def test_what_moved_is_told_over_both_uncertainties_and_what_was_different(tmp_path: Path) -> None:
    one = kept(tmp_path)
    other = another(one, "run-0002")
    shown: dict[str, float] = {}

    def moved(state: Any) -> None:
        (comparison,) = [c for c in state["figure_comparisons"] if c["target_id"] == "fig2_peak"]
        evidence = comparison["evidence"]
        size = abs(evidence["reference"]) if evidence["measure"] == "relative_percent" else 100.0
        shown["step"] = 3.0 * evidence["uncertainty"] / 100 * size
        evidence["simulated"] += shown["step"]
        comparison["classification"] = "PARTIAL"
        state["plan"]["stages"][0]["targets"] = state["plan"]["stages"][0]["targets"][::-1]
        state["plan"]["title"] = "another plan"

    rewritten(other / "checkpoints" / "one.json", moved)
    rewritten(other / "run.json", lambda record: record["settings"].update(thresholds="loose"))
    (one / "transcript.jsonl").write_text(
        '{"header": {"versions": {"meep": "1.25"}, "sources": {"simkit/": "a"}}}\n'
    )
    (other / "transcript.jsonl").write_text(
        '{"header": {"versions": {"meep": "1.30"}, "sources": {"simkit/": "a"}}}\n'
    )
    for folder, text in ((one, "a = 1\nb = 2\n"), (other, "a = 1\nb = 3\n")):
        (folder / "film").mkdir(exist_ok=True)
        (folder / "film" / "code.py").write_text(text)
    found = compare_runs(one, other)
    peak = by_name(found.targets)["fig2_peak"]
    assert (
        peak.over == pytest.approx(3 / math.sqrt(2))
        and peak.difference.startswith("+")
        and "nm" in peak.difference
    )
    assert peak.verdicts == ("SUCCESS", "PARTIAL")
    assert "SUCCESS -> PARTIAL" in told(found) and peak.reference.endswith("(paper)")
    tables = {table.title: table.rows for table in found.tables}
    assert ("title",) == tuple(row[0] for row in tables["Plan"])  # another order of targets is no change
    assert ("settings.thresholds", "default", "loose") in tables["Started with"]
    assert tables["Environment"] == (("meep", "1.25", "1.30"),)
    [(name, lines)] = [each for each in found.texts if each[0] == "film: code.py"]
    assert "-b = 2" in lines and "+b = 3" in lines


def test_the_command_tells_it_in_words_and_shows_nothing_hidden(tmp_path: Path) -> None:
    one = kept(tmp_path, HOSTILE)
    another(one, "run-0002")
    done = reprolab("compare", "run-0001", "run-0002", "--outputs", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert "\x1b" not in done.output and "both runs have the same plan" in done.output
    lost = reprolab("compare", "run-0001", "run-9", "--outputs", str(tmp_path))
    assert lost.exit_code == 2 and "no such run" in lost.output


@pytest.mark.parametrize("spoil", ["[]", "{", "[" * 90_000, '{"workflow": "study"}', "\0"])
def test_a_run_whose_files_do_not_fit_is_refused_with_a_reason(tmp_path: Path, spoil: str) -> None:
    one = kept(tmp_path)
    other = another(one, "run-0002")
    (other / "run.json").write_text(spoil)
    with pytest.raises(InputError):
        compare_runs(one, other)
    (other / "run.json").write_text((one / "run.json").read_text())
    (other / "transcript.jsonl").write_text(spoil)  # for showing only
    compare_runs(one, other)
    (other / "checkpoints" / "one.json").unlink()
    with pytest.raises(InputError, match="nothing of this run was saved"):
        compare_runs(one, other)


@given(JSON, JSON)
def test_changes_are_none_of_equal_documents_and_name_both_sides(one: Any, other: Any) -> None:
    assert changes(one, one) == ()
    there, here = dict(places(one)), dict(places(other))
    found = changes(one, other)
    assert bool(found) == (there != here)
    assert len(found) == sum(there.get(name) != here.get(name) for name in {*there, *here})


def test_entries_of_a_list_go_by_their_id() -> None:
    one, other = (
        [{"id": "a", "v": 1}, {"id": "b", "v": 2}],
        [{"id": "new", "v": 0}, {"id": "a", "v": 1}, {"id": "b", "v": 3}],
    )
    assert {row[0] for row in changes(one, other)} == {"[new].id", "[new].v", "[b].v"}


@given(
    st.lists(st.text(alphabet="ab\n", max_size=4), max_size=900),
    st.lists(st.text(alphabet="ab\n", max_size=4), max_size=9),
)
def test_a_difference_of_texts_has_an_end(one: list[str], other: list[str]) -> None:
    texts = "\n".join(one), "\n".join(other)
    found = line_changes(*texts, ("a", "b"))
    assert len(found) <= MOST_LINES + 1
    assert bool(found) == (texts[0].splitlines() != texts[1].splitlines())
