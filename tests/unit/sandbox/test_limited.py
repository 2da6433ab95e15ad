"""Our own arithmetic ends: more CPU time or memory than a call may take is an error of whoever chose its numbers."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from schemas.errors import UnreadableAnswer
from tasks.limited import limited
from tasks.reproduce.describing import lint as looking
from tasks.reproduce.describing.in_sandbox import DescriptionRefused, declared
from tasks.reproduce.lint import lint as lint_code
from tests.unit.describing.described_fixture import CODE, FILM
from tests.unit.solving.test_solving_lint import _made

pytestmark = pytest.mark.unit


def _endless(*_given: Any) -> None:
    while True:
        try:
            sum(range(1000))
        except Exception:  # noqa: BLE001  as careless code does
            continue


@pytest.mark.attack("answers", "ended: arithmetic in our own process that does not end")
def test_an_endless_loop_ends_whatever_it_catches() -> None:
    with pytest.raises(UnreadableAnswer, match="CPU time"):
        limited(_endless, "the sum", cpu_s=0.1)


def test_memory_has_a_limit_too() -> None:
    held: list[bytes] = []

    def eat() -> None:
        while True:
            held.append(b"x" * (1 << 20))

    with pytest.raises(UnreadableAnswer, match="memory"):
        limited(eat, "the list", cpu_s=60, memory_mb=100)
    assert len(held) < 4000


def test_work_within_the_limits_is_left_alone_and_waiting_does_not_count() -> None:
    assert limited(lambda: time.sleep(0.6) or 3, "waiting", cpu_s=0.1) == 3
    with pytest.raises(KeyError):
        limited(lambda: {}["x"], "a look-up", cpu_s=5)


def test_each_thread_has_its_own_limit() -> None:
    ends: list[object] = []

    def work(what: Any) -> None:
        try:
            ends.append(limited(what, "the work", cpu_s=0.2))
        except UnreadableAnswer:
            ends.append("ended")

    threads = [
        threading.Thread(target=work, args=(what,))
        for what in (_endless, lambda: time.sleep(1.5) or "waited")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(map(str, ends)) == ["ended", "waited"]


@pytest.mark.attack("answers", "refused: a description that takes our process too long to look at")
def test_a_description_that_cannot_be_looked_at_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = _made(CODE, FILM)
    monkeypatch.setattr(looking, "LOOK_CPU_S", 0.1)
    monkeypatch.setattr(looking, "cell_findings", _endless)
    [found] = looking.lint(made, {})
    assert found.level == "error" and "takes too much" in found.text
    monkeypatch.setattr("tasks.reproduce.describing.in_sandbox.READ_CPU_S", 0.1)
    monkeypatch.setattr("tasks.reproduce.describing.in_sandbox.parameters_from", _endless)
    with pytest.raises(DescriptionRefused, match="takes too much"):
        declared(FILM)


def test_code_too_deep_to_look_at_is_a_finding() -> None:
    deep = "x = " + "(" * 90 + "1" + " + 1)" * 90 + "\n"
    assert all(
        finding.message
        for finding in lint_code(deep + "y = " + " + ".join(["1"] * 3000), expected_targets=[])
    )
