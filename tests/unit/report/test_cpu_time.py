"""The CPU time that a report states is that of every simulation behind its results."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from flows.reproduce.report_facts import simulation_cpu_s


def stage(*runs: tuple[str, float]) -> Any:
    return SimpleNamespace(study=SimpleNamespace(solved=dict(runs)))


def ran(stage_id: str, cpu_s: float) -> Any:
    return SimpleNamespace(stage_id=stage_id, cpu_s=cpu_s)


def test_what_an_earlier_design_solved_counts_and_what_stages_share_counts_once():
    """A stage that was designed anew found 938 of its 943 CPU seconds solved already, and the report said 4.8."""
    outputs = {
        "one": stage(("reference", 3.0), ("cylinder", 900.0)),
        "two": stage(("reference", 3.0), ("film", 40.0)),
        "script": SimpleNamespace(study=None),
    }
    executions = [ran("one", 4.8), ran("two", 0.0), ran("script", 10.0), ran("script", 12.0)]
    assert simulation_cpu_s(outputs, executions) == 943.0 + 22.0
