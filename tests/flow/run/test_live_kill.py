"""SIGKILL at every moment of a live run: only open calls are made again. In make test test_resuming.py kills at four."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.counts import table
from benchmarks.kill import SCENARIOS, killed_and_resumed
from tests.flow import coating

pytestmark = [pytest.mark.flow, pytest.mark.long, pytest.mark.timeout(300)]


@pytest.fixture(autouse=True)
def _shared_server(prefect_api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of this test use the session's Prefect server and nothing else of the environment."""
    for name in (
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "PREFECT_HOME",
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PREFECT_API_URL", prefect_api)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all scenarios: what one has simulated, the next need not."""
    return tmp_path_factory.mktemp("killed")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name.replace(" ", "-"))
def test_resume_asks_only_for_what_was_not_answered(scenario, outputs: Path, tmp_path: Path) -> None:
    paper = str(coating.write_paper(tmp_path / "paper"))
    counts = killed_and_resumed(scenario, paper, coating.answer, outputs, tmp_path)
    assert all(count.met for count in counts), table(counts)
    assert len(counts) >= 10
