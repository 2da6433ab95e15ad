"""One regression from its baseline to its report, with a replay whose numbers are given: what is accepted, what is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.reproduce.outcome import Outcome
from flows.reproduce.regressing import regression
from flows.reproduce.regressing.replay import Replayed
from flows.terminal.console import Console
from schemas.errors import InputError
from schemas.reproduce.judging.regression import Quantity, Regression
from schemas.reproduce.settings import RunSettings

pytestmark = pytest.mark.unit
ENVIRONMENT = {"meep": "1.25", "simkit/": "one"}
NUMBERS = (
    Quantity(kind="target", of="dip", name="value", value=685.0, uncertainty=10.0, unit="nm"),
    Quantity(kind="target", of="dip", name="class", word="SUCCESS"),
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A regression of coupler whose replay gives these numbers; its baseline is in the outputs folder."""
    monkeypatch.setattr(regression, "check_computer", lambda _: None)
    monkeypatch.setattr(regression, "find_meep", lambda _: None)
    monkeypatch.setattr(regression, "environment", lambda _: ENVIRONMENT)
    monkeypatch.setattr(
        regression, "from_outside", lambda: True
    )  # as a worker: accepts into the outputs folder only
    now: dict[str, str] = {}
    monkeypatch.setattr(regression, "sources", lambda: {"simkit/": "one"} | now)

    def regressed(
        numbers: tuple[Quantity, ...] = NUMBERS,
        *,
        accept: str = "",
        course: tuple[str, ...] = (),
        complete: bool = True,
        edited: bool = False,
    ) -> Regression:
        outcome = Outcome(
            paper_id="coupler",
            run_id="r",
            report="",
            html="",
            complete=complete,
            success=1,
            partial=0,
            failure=0,
        )
        monkeypatch.setattr(regression, "replay", lambda *_: Replayed(outcome, numbers, course))
        now.update({"simkit/": "two"} if edited else {})
        return regression.regressed(
            "coupler", tmp_path, RunSettings(), accept=accept, resume="", console=Console(quiet=True)
        )

    return regressed


def moved(value: float) -> tuple[Quantity, ...]:
    return NUMBERS[0].model_copy(update={"value": value}), NUMBERS[1]


def test_numbers_are_held_against_what_was_accepted(run: Any, tmp_path: Path) -> None:
    accepted = run(accept="the first")
    assert Path(accepted.accepted) == tmp_path / "regressions" / "coupler" / "baseline.json"
    assert run().verdict == "unchanged"
    assert run(moved(685.0 * 1.005)).verdict == "drifted"
    gone = run(NUMBERS[1:])
    assert (
        gone.verdict == "broken" and "it is missing now" in (Path(gone.folder) / "REGRESSION.md").read_text()
    )
    again = run(moved(700.0), accept="a better absorber")
    assert again.verdict == "broken" and run(moved(700.0)).verdict == "unchanged"
    kept = json.loads(Path(again.accepted).read_text())
    assert [entry["reason"] for entry in kept["earlier"]][-1] == "the first" and kept[
        "reason"
    ] == "a better absorber"


def test_what_left_the_recorded_course_or_its_code_is_no_baseline(run: Any, tmp_path: Path) -> None:
    run(accept="the first")
    before = (tmp_path / "regressions" / "coupler" / "baseline.json").read_bytes()
    for more in ({"course": ("a recorded opinion stood in",)}, {"complete": False}):
        with pytest.raises(InputError, match="cannot be a baseline"):
            run(moved(700.0), accept="looks good", **more)
    assert (
        run(course=("a recorded opinion stood in",)).verdict == "drifted"
    )  # although every number is the same
    with pytest.raises(InputError, match="sources were changed while the regression ran"):
        run(moved(700.0), accept="looks good", edited=True)
    assert (tmp_path / "regressions" / "coupler" / "baseline.json").read_bytes() == before
