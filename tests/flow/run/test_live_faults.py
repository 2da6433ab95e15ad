"""A run over HTTP with faults on the way ends with the replayed run's numbers and an exact bill."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.counts import table
from benchmarks.live import FAULTS, live, replayed
from benchmarks.papers import COATING, recorded

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


def test_every_fault_is_survived_and_every_token_counted(tmp_path: Path) -> None:
    faults = tuple(fault for fault in FAULTS if fault is None or fault.kind != "timeout")  # waits for seconds
    assert len({fault.kind for fault in faults if fault}) >= 10
    outputs = tmp_path / "out"
    source = recorded(COATING, tmp_path, outputs)
    found = live(source, replayed(source, outputs), outputs, tmp_path, faults)
    assert all(count.met for count in found.counts), table(found.counts)
    assert len(found.counts) >= 10
    assert "supervisor" in found.prefixes and "cache read" in found.prefixes
