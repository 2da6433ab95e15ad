"""Which tests go to one process of xdist, with `--dist loadfile`."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).resolve().parents[1]


class Scheduling(LoadFileScheduling):
    """A file's tests stay together where they share a fixture or are quick; others go to whichever process is free."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return file if _together(file) else nodeid


@functools.cache
def _together(file: str) -> bool:
    return file.startswith("tests/unit/") or 'scope="module"' in (ROOT / file).read_text(encoding="utf-8")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """Of `--dist loadfile`."""
    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None
