"""The address of a run's report: known where `up` serves its folder, told where a run tells its end."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from flows.explore.outcome import Outcome as Explored
from flows.pages.results import results_links
from flows.reproduce.outcome import Outcome as Reproduced
from flows.study.outcome import Outcome as Studied
from flows.up.place import only_one, open_place, write_record
from flows.up.results_page import address_of, address_of_regression
from tests.unit.commands.commands_fixture import reprolab
from tests.unit.report.test_open_run import kept

pytestmark = pytest.mark.unit

SITE = "http://127.0.0.1:4200"


def test_an_address_is_given_while_the_folder_is_served_and_of_no_other_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = kept(tmp_path / "out")
    report = folder / "REPRODUCTION_REPORT_ge on gold?.html"
    report.write_text("x")
    report.with_suffix(".md").write_text("x")
    assert address_of(folder, report.name) == "" and results_links(folder, report.name) == []
    place = open_place(tmp_path / "out")
    assert address_of(folder) == ""  # nobody is up
    with only_one(place):
        write_record(place, {"pid": 1, "address": SITE})
        there = f"{SITE}/reprolab/runs/ge_on_gold/run-0001/"
        assert address_of(folder) == there
        assert address_of(folder, report.name) == there + "REPRODUCTION_REPORT_ge%20on%20gold%3F.html"
        assert address_of(folder.parent / "latest" / ".." / "run-0001") == there
        assert results_links(folder, report.name)[0] == (
            "[Open the report](/reprolab/runs/ge_on_gold/run-0001/REPRODUCTION_REPORT_ge%20on%20gold%3F.html)"
        )
        told = reprolab("report", "run-0001", "--outputs", str(tmp_path / "out"))
        assert told.output.splitlines()[-1] == there + "REPRODUCTION_REPORT_ge%20on%20gold%3F.html"
        assert address_of(kept(tmp_path / "another")) == ""
        regression = tmp_path / "out" / "regressions" / "ge_on_gold" / "20260101-1"
        regression.mkdir(parents=True)
        shown = f"{SITE}/reprolab/regressions/ge_on_gold/20260101-1/REGRESSION.html"
        assert address_of_regression(regression, "REGRESSION.html") == shown
        assert address_of_regression(tmp_path / "another" / "regressions" / "p" / "r", "x") == ""
        assert address_of(Path("/")) == ""
    with place.record.open("rb") as handle:  # another run looks at the same moment
        fcntl.flock(handle, fcntl.LOCK_SH)
        assert address_of(folder) == ""
    with only_one(place):
        write_record(place, {"pid": 1, "address": SITE})
        assert address_of(folder) == there
        (place.home / "made-here").write_text("x" * 32)  # a folder that somebody else brought
        assert address_of(folder) == ""


def test_another_course_says_where_it_left_the_recorded_one() -> None:
    shared = {
        "run_id": "r",
        "report": "/r.html",
        "complete": True,
        "unused_recordings": ("the answer of analyst (stage film, attempt 2)", "an experiment"),
    }
    for end in (
        Reproduced(**shared, paper_id="p", html="/r.html", success=1, partial=0, failure=0),
        Explored(**shared, goal_id="g", nodes=1, working=1),
        Studied(**shared, study_id="s", folder="/f"),
    ):
        assert end.end.name == "OtherCourse"
        assert (
            "2 recorded answers were not used, first the answer of analyst (stage film, attempt 2)"
            in end.line
        )
        assert "another course" not in end.model_copy(update={"unused_recordings": ()}).line


@pytest.mark.parametrize("address", ["", f"{SITE}/reprolab/runs/a/b/c.html"])
def test_the_end_of_a_run_names_it(address: str) -> None:
    shared = {"run_id": "r", "report": "/r.html", "complete": True, "address": address}
    ends = (
        Reproduced(**shared, paper_id="p", html="/r.html", success=1, partial=0, failure=0),
        Explored(**shared, goal_id="g", nodes=1, working=1),
        Studied(**shared, study_id="s", folder="/f"),
        Studied(**{**shared, "complete": False}, study_id="s", folder="/f"),
    )
    for end in ends:
        assert end.line.endswith(f"; in a browser {address}") if address else "browser" not in end.line
