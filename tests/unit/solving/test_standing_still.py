"""A run whose share stands still promises no time: its rest grew from 7 to 27 s while nobody knew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.terminal.console import progress_words
from simkit.solve import progress

pytestmark = pytest.mark.unit


def test_no_time_is_promised_while_nothing_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    told = progress.Progress(tmp_path / "progress.json", writer=True)
    found = []
    for now, share in ((10, 0.5), (20, 0.9), (24, 0.9), (40, 0.9), (44, 0.95)):
        clock[0] = float(now)
        told.report(share)
        data = json.loads((tmp_path / "progress.json").read_text())
        found.append((data["remaining_s"] is not None, data["fraction"]))
    assert found == [(True, 0.5), (True, 0.9), (True, 0.9), (False, 0.9), (True, 0.95)]
    assert progress_words({"film": (0.9, None, "")}) == ["film: 90 % done, its fields still settle"]
    assert progress_words({"film": (0.0, None, "")}) == ["film: 0 % done"]
