"""Regressions in a browser: what is red and what a note, what moved since the one before, no file from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.results.kept_regressions import KeptRegressions
from flows.results.regressions_page import HEIGHT, trends
from flows.results.site import Site
from schemas.reproduce.judging.regression import Conditions, Regression, RegressionRecord
from tasks.reproduce.regression.regression_report import page, write_report
from tests.unit.report.test_regression_causes import THEN, found
from tests.unit.results.test_results_site import SECRET, WHOLE, ask

pytestmark = pytest.mark.unit
AT = "/reprolab/regressions/"


def kept(outputs: Path, name: str, result: Regression, now: dict[str, str], given: str = "film") -> Path:
    """A finished regression's folder."""
    folder = outputs / "regressions" / "film" / name
    folder.mkdir(parents=True)
    record = RegressionRecord(
        regression_id=name,
        paper_id="film",
        given=given,
        started=f"2026-01-0{name[-1]}T03:00:00+00:00",
        conditions=Conditions(transcript="a" * 64, paper="b" * 64, settings="c" * 64),
        environment=now,
        finished=True,
    )
    (folder / "started.json").write_text(record.model_dump_json())
    (folder / "regression.json").write_text(result.model_dump_json())
    write_report(folder, result)
    return folder


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    """As it was; another computer moves it within its uncertainty; our own code moves it; our code moves it beyond."""
    other, ours = THEN | {"processor": "two"}, THEN | {"processor": "two", "code of simkit/solve": "t"}
    kept(tmp_path, "20260101-1", found(THEN, step=0), THEN)
    kept(tmp_path, "20260102-2", found(other), other)
    kept(tmp_path, "20260103-3", found(ours), ours)
    kept(tmp_path, "20260104-4", found(ours, uncertainty=0.1), ours)
    return tmp_path


def test_a_note_is_yellow_and_what_fails_is_red(outputs: Path) -> None:
    shown = ask(Site(outputs, WHOLE), AT + "film/").text
    badges = [
        part.partition("</span>")[0] for part in shown.split('<span class="badge ')[1:]
    ]  # the newest first
    assert badges == ['bad">broken', 'bad">drifted', 'fair">drifted, noted', 'good">unchanged']
    listed = ask(Site(outputs, WHOLE), AT).text
    assert "4 regressions" in listed and 'bad">broken' in listed and "our code (simkit/solve)" in listed
    for place, colour in (("20260101-1", "green"), ("20260102-2", "yellow"), ("20260103-3", "red")):
        report = ask(Site(outputs, WHOLE), f"{AT}film/{place}/REGRESSION.html")
        assert report.status == 200 and f'<span class="{colour}">' in report.text
        assert "sandbox" in report.headers["content-security-policy"]
    accepted = found(THEN | {"code of simkit/solve": "t"}).model_copy(update={"accepted": "x"})
    assert '<span class="green">' in page(accepted, outputs)


def test_each_says_what_was_another_since_the_one_before(outputs: Path) -> None:
    newest, third, second, first = KeptRegressions(outputs).by_paper()["film"]
    assert second.since(first) == (("dip",), ("the computer (processor one -> two)",))
    moved, changed = third.since(second)
    assert moved == () and changed == ("our code (simkit/solve)",)  # the same number, by other code
    assert newest.since(third) == ((), ())
    shown = ask(Site(outputs, WHOLE), AT + "film/").text
    assert "moved: dip" in shown and "another: the computer (processor one -&gt; two)" in shown


def test_a_number_over_all_regressions_in_uncertainties_of_its_baseline(outputs: Path) -> None:
    (dip,) = trends(KeptRegressions(outputs).by_paper()["film"])
    assert [dot.state for dot in dip.dots] == ["unchanged", "drifted", "drifted", "broken"]
    heights = [dot.y for dot in dip.dots]
    # 600 nm +- 10 nm moved by 3 nm: a tenth of the half height that three uncertainties are; +- 0.1 nm: at the edge
    assert heights[0] == HEIGHT / 2
    assert heights[1] == heights[2] == pytest.approx(HEIGHT / 2 - 0.1 * (HEIGHT / 2 - 5), abs=0.06)
    assert heights[3] == 5.0 and dip.newest == "603 nm"
    assert [dot.x for dot in dip.dots] == sorted(dot.x for dot in dip.dots)
    assert 'class="drift"' in (shown := ask(Site(outputs, WHOLE), AT + "film/").text) and "603 nm" in shown


def test_what_cannot_be_read_is_told_and_subjects_stand_apart(outputs: Path) -> None:
    kept(outputs, "20260105-5", found(THEN, step=0), THEN, given="20260101-0000-<b>")
    for name, text in (("20260106-6", "{}"), ("20260107-7", "[" * 100_000)):
        folder = kept(outputs, name, found(THEN, step=0), THEN)
        (folder / "started.json").write_text(text)
    begun = kept(outputs, "20260108-8", found(THEN, step=0), THEN)
    (begun / "started.json").write_text(
        (begun / "started.json").read_text().replace('"finished":true', '"finished":false')
    )
    shown = ask(Site(outputs, WHOLE), AT + "film/").text
    assert shown.count("cannot be read") >= 2 and "not finished" in shown
    assert "20260101-0000-&lt;b&gt;" in shown and shown.count("<svg") == 2
    empty = ask(Site(outputs / "nothing", WHOLE), AT)
    assert empty.status == 200 and "No paper was regressed here yet" in empty.text


@pytest.mark.attack("server", "results: no name leads out of a regression's folder")
@pytest.mark.parametrize(
    "name",
    [
        "film/20260101-1/../../../secret.txt",
        "film/20260101-1/%2e%2e/%2e%2e/%2e%2e/secret.txt",
        "film/20260101-1/link.txt",
        "film/20260101-1/replay/.reprolab/password",
        "film/latest/REGRESSION.html",
        "film/../secret.txt",
        "..%2f..%2f/x/secret.txt",
        "elsewhere/20260101-1/REGRESSION.html",
        "film/20260101-1%00/REGRESSION.html",
        "nothing/",
        "film/20260101-1/",
        "%3Cscript%3E/",
    ],
)
def test_a_hostile_name_finds_no_file(outputs: Path, name: str) -> None:
    (outputs / "secret.txt").write_text(SECRET)
    folder = outputs / "regressions" / "film" / "20260101-1"
    (folder / "link.txt").symlink_to(outputs / "secret.txt")
    (folder / "replay" / ".reprolab").mkdir(parents=True)
    (folder / "replay" / ".reprolab" / "password").write_text(SECRET)
    (folder.parent / "latest").symlink_to(folder.name)
    (folder.parents[1] / "elsewhere").symlink_to("film")
    answer = ask(Site(outputs, WHOLE), AT + name)
    assert answer.status == 404 and SECRET not in answer.text and "<script" not in answer.text
