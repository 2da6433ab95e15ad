"""The suite's own rules: what a test may cost, whose CPU seconds count, which tests stay together."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.ledger import FLOW_S, REASON_ABOVE_S, UNIT_S, spent_s, too_long
from tests.scheduling import Scheduling

pytestmark = pytest.mark.unit
BUSY = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"


def item(kind: str, told: str = "") -> Any:
    return SimpleNamespace(get_closest_marker=lambda name: name == kind, function=SimpleNamespace(__doc__=told))


@pytest.mark.parametrize(("kind", "told", "cpu_s", "words"), [
    ("unit", "", UNIT_S - 0.1, ""), ("unit", "CPU: it is slow.", UNIT_S + 0.1, "a unit test of 5.1 CPU s; allowed: 5"),
    ("flow", "", REASON_ABOVE_S - 1, ""), ("flow", "It is slow.", REASON_ABOVE_S + 1, "without a reason"),
    ("flow", "CPU: two whole runs.", FLOW_S - 1, ""), ("flow", "CPU: two whole runs.", FLOW_S + 1, "allowed: 180"),
    ("sim", "", 999.0, "")])
def test_a_test_over_its_kind_s_limit_is_told_so(kind: str, told: str, cpu_s: float, words: str) -> None:
    found = too_long(item(kind, told), cpu_s)
    assert words in found and bool(found) is bool(words)


def test_what_a_child_spent_counts_while_it_lives_and_once_when_it_has_ended() -> None:
    before = spent_s()
    with subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        living = spent_s() - before
        child.communicate("\n", timeout=60)
    assert 0.25 < living < 2 and living <= spent_s() - before < living + 0.5


@pytest.mark.parametrize(("test", "alone"), [
    ("tests/flow/test_limits.py::test_no_stage_succeeds", True), ("tests/sim/test_solved_device.py::test_a_tee", True),
    ("tests/flow/test_unseen.py::test_nothing_is_left_running", False), ("tests/unit/test_suite.py::test_it", False)])
def test_tests_that_share_a_fixture_and_quick_ones_stay_together(test: str, alone: bool) -> None:
    split = Scheduling._split_scope(cast(Any, None), test)
    assert split == (test if alone else test.partition("::")[0])
