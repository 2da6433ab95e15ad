"""The suite's own rules: what a test may cost, whose CPU seconds count, which tests stay together."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.collecting import share
from tests.ledger import FAILS_AT, MAY_S, apart, spent_s, too_long
from tests.scheduling import Scheduling

pytestmark = pytest.mark.unit
BUSY = "import time\nwhile time.process_time() < 0.4: pass"


def item(kind: str, told: str = "") -> Any:
    return SimpleNamespace(
        get_closest_marker=lambda name: name == kind, function=SimpleNamespace(__doc__=told)
    )


@pytest.mark.parametrize(
    ("kind", "told", "cpu_s", "words", "fails"),
    [
        ("unit", "", MAY_S["unit"] - 0.1, "", False),
        ("unit", "CPU: it is slow.", MAY_S["unit"] + 1, "a unit test of 6 CPU s; allowed: 5", False),
        ("unit", "", MAY_S["unit"] * FAILS_AT + 1, "a unit test of 16 CPU s; allowed: 5", True),
        ("flow", "", MAY_S["flow"] - 1, "", False),
        ("flow", "It is slow.", MAY_S["flow"] + 1, "or a reason", False),
        ("flow", "CPU: two whole runs.", MAY_S["flow"] * FAILS_AT - 1, "", False),
        ("flow", "CPU: two whole runs.", MAY_S["flow"] * FAILS_AT + 1, "allowed: 60", True),
        ("sim", "", 999.0, "", False),
    ],
)
def test_a_test_over_its_kind_s_limit_is_told_so_and_fails_far_beyond(
    kind: str, told: str, cpu_s: float, words: str, fails: bool
) -> None:
    found, failed = too_long(item(kind, told), cpu_s)
    assert words in found and bool(found) is bool(words) and failed is fails


def test_what_nobody_waits_for_counts() -> None:
    """A child's child, killed by nobody's order; as sandboxes end."""
    group = apart(str(os.getpid()), os.getpid())
    if group is None:
        pytest.skip("needs to make groups of cpuacct")
    before = spent_s(group)
    subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -c '{BUSY}' & read line"], stdin=subprocess.DEVNULL, check=False
    )
    until = time.monotonic() + 60
    while spent_s(group) - before < 0.3:
        assert time.monotonic() < until, "what is left to itself is not counted"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("test", "alone"),
    [
        ("tests/flow/reproduce/test_limits.py::test_no_stage_succeeds", True),
        ("tests/sim/solving/test_solved_device.py::test_a_tee", True),
        ("tests/flow/reproduce/test_unseen.py::test_nothing_is_left_running", False),
        ("tests/unit/house/test_suite.py::test_it", False),
    ],
)
def test_tests_that_share_a_fixture_and_quick_ones_stay_together(test: str, alone: bool) -> None:
    split = Scheduling._split_scope(cast(Any, None), test)
    assert split == (test if alone else test.partition("::")[0])


def test_no_property_fails_for_the_time_it_takes() -> None:
    assert settings().deadline is None


@given(st.integers(0, 40), st.integers(1, 7))
def test_every_module_is_rewritten_by_one_process(modules: int, processes: int) -> None:
    files = [Path(f"test_{number}.py") for number in range(modules)]
    shares = [share(files, number, processes) for number in range(processes)]
    assert sorted(file for part in shares for file in part) == sorted(files)


def test_rewritten_modules_are_kept() -> None:
    assert not sys.dont_write_bytecode and "PYTHONDONTWRITEBYTECODE" not in os.environ
