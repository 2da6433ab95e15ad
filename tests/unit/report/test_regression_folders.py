"""What is regressed and where: subjects, baselines' places, and which regression may be continued."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.reproduce.regressing.record import (
    REPLAY,
    begin,
    begun,
    keep_result,
    last_batch,
    of_batch,
    unfinished,
)
from flows.reproduce.regressing.subject import Subject, subject
from schemas.errors import InputError
from schemas.reproduce.judging.regression import Regression
from schemas.reproduce.settings import RunSettings
from tasks.reproduce.papers import BUNDLED, recorded_ids

pytestmark = pytest.mark.unit
ENVIRONMENT = {"meep": "1.25", "simkit/": "one", "commit": "a"}


@pytest.fixture
def paper(tmp_path: Path) -> Subject:
    return subject("ge-on-gold", tmp_path, RunSettings())


def test_a_bundled_paper_and_its_places(paper: Subject, tmp_path: Path) -> None:
    assert paper.transcript == BUNDLED / "ge-on-gold" / "transcript.jsonl"
    assert paper.places == (
        tmp_path / "regressions" / "ge-on-gold" / "baseline.json",
        BUNDLED / "ge-on-gold" / "regression.json",
    )
    loose = subject("ge-on-gold", tmp_path, RunSettings(thresholds="loose"))
    assert loose.conditions != paper.conditions and loose.conditions.transcript == paper.conditions.transcript


@pytest.mark.parametrize("name", recorded_ids())
def test_every_shipped_baseline_is_of_todays_paper(name: str, tmp_path: Path) -> None:
    """A field that a later version gives to papers changes no baseline while it is empty (`LATER`)."""
    kept = json.loads((BUNDLED / name / "regression.json").read_text())["conditions"]
    assert subject(name, tmp_path, RunSettings()).conditions.model_dump() == kept


def test_what_is_neither_a_paper_nor_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for given in ("no-such-thing", "../../etc/passwd", "\0"):
        with pytest.raises(InputError):
            subject(given, tmp_path, RunSettings())
    monkeypatch.setenv("PREFECT__FLOW_RUN_ID", "from a deployment")  # then no path is looked at
    for given in (str(BUNDLED / "ge-on-gold"), "/etc", "../x"):
        with pytest.raises(InputError, match="this worker regresses bundled papers"):
            subject(given, tmp_path, RunSettings())


def test_only_the_same_code_continues_a_regression_and_a_finished_one_never(
    paper: Subject, tmp_path: Path
) -> None:
    folder, record = begin(tmp_path, paper, ENVIRONMENT, "all-1", "flow-1")
    assert unfinished(tmp_path, paper, ENVIRONMENT | {"commit": "b"}, "latest") == (folder, record)
    assert (
        begun(tmp_path, "ge-on-gold", flow_run="flow-1")
        == begun(tmp_path, "ge-on-gold", batch="all-1")
        == folder.name
    )
    assert not begun(tmp_path, "ge-on-gold", flow_run="flow-2") and not begun(
        tmp_path, "coupler", batch="all-1"
    )
    with pytest.raises(InputError, match="other code") as error:
        unfinished(tmp_path, paper, ENVIRONMENT | {"simkit/": "two"}, folder.name)
    assert "simkit/: one -> two" in str(error.value)
    kept = folder / REPLAY / ".reprolab" / "runs" / "x"
    kept.mkdir(parents=True)
    found = Regression(paper_id="ge-on-gold", given="ge-on-gold", verdict="drifted")
    keep_result(folder, record, found)
    assert (
        not kept.exists()
        and of_batch(tmp_path, "all-1") == {"ge-on-gold": found}
        and last_batch(tmp_path) == "all-1"
    )
    assert not begun(tmp_path, "ge-on-gold", flow_run="flow-1")
    with pytest.raises(InputError, match="no unfinished regression"):
        unfinished(tmp_path, paper, ENVIRONMENT, folder.name)


def test_each_regression_has_a_store_of_its_own(paper: Subject, tmp_path: Path) -> None:
    first, second = (begin(tmp_path, paper, ENVIRONMENT, "", "")[0] for _ in range(2))
    assert (
        first != second
        and not list(second.glob(f"{REPLAY}/*"))
        and tmp_path / ".reprolab" not in first.parents
    )


@pytest.mark.parametrize("name", [path.parent.name for path in sorted(BUNDLED.glob("*/regression.json"))])
def test_a_shipped_baseline_is_as_the_tool_wrote_it_and_of_what_is_bundled(name: str, tmp_path: Path) -> None:
    of = subject(name, tmp_path, RunSettings())
    found = of.baseline()
    assert (
        found is not None and found[0].conditions == of.conditions
    )  # else: reprolab regress NAME --accept REASON
    classes = {
        entry.of: entry.word
        for entry in found[0].quantities
        if (entry.kind, entry.name) == ("target", "class")
    }
    quick = json.loads((BUNDLED / name / "baseline.json").read_text())["targets"]
    assert classes == {target: entry["classification"] for target, entry in quick.items()}
