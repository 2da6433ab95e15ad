"""What holds for every test and every process that one starts."""

from __future__ import annotations

import os
import sys

from hypothesis import settings

from tests.attack_table import (  # noqa: F401  hooks of pytest
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_sessionfinish,
    pytest_terminal_summary,
)

# Compiled once, not by each of some hundred processes, also where the caller switched that off: half of a start otherwise.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ |= {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}  # as a run's own process; before numpy is imported

settings.register_profile(
    "suite", deadline=None
)  # a deadline is wall time, which a busy machine has no end of
settings.load_profile("suite")

pytest_plugins = ["tests.collecting", "tests.ledger", "tests.scheduling"]
