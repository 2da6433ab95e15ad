"""A command that is a fork of a warm process is as one that was started anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.flow import warm
from tests.flow.kit import ROOT

pytestmark = pytest.mark.flow
MODULE = "tests.flow.settings_read"


def test_prefect_reads_its_settings_when_it_is_imported(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    env |= {"PYTHONPATH": str(ROOT), "PREFECT_LOGGING_LEVEL": "DEBUG"}
    anew = subprocess.run(
        [sys.executable, "-m", MODULE, str(tmp_path)],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert anew.returncode == 0, anew.stderr
    out, err = tmp_path / "out", tmp_path / "err"
    with out.open("wb") as said, err.open("wb") as warned, open(os.devnull, "rb") as nothing:
        forked = warm.parent().start(
            MODULE, [str(tmp_path)], env, nothing.fileno(), said.fileno(), warned.fileno()
        )
    assert forked.wait(120) == 0, err.read_text()
    expected, found = json.loads(anew.stdout), json.loads(out.read_text())
    assert expected["before"] == found["before"] == [] and found["settings"]["logging"]["level"] == "ERROR"
    assert found == expected
