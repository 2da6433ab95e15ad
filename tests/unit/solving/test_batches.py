"""A stage's simulations as one batch: when one fails its siblings stop, and nothing finished is lost."""

from __future__ import annotations

import threading

import pytest

from flows.reproduce.computing.simulating import until_one_fails
from flows.reproduce.context import Run
from flows.reproduce.judging.converging import convergence_checks, worth_refining
from flows.reproduce.steps import EitherEvent, SiblingFailed
from schemas.reproduce.judging.evidence import RungValue, TargetEvidence
from schemas.reproduce.simulations.execution import Execution, Failure
from tests.unit.evidence.evidence_fixture import a_stage, scalar_target

pytestmark = pytest.mark.unit


def an_execution(name: str, failed: bool = False) -> Execution:
    return Execution(
        execution_id=name,
        stage_id="stage1",
        resolution_scale=1,
        exit_code=int(failed),
        directory=".",
        failure=Failure(failure_class="code", reason="x") if failed else None,
    )


class Future:
    """A future of Prefect's as `as_completed` needs it; what it gives is known beforehand."""

    _final_state = True

    def __init__(self, outcome: Execution | Exception) -> None:
        self.outcome = outcome

    def result(self) -> Execution:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def test_a_failure_stops_the_batch_and_keeps_what_ended() -> None:
    stop = threading.Event()
    futures = {
        "a": Future(an_execution("a")),
        "b": Future(an_execution("b", failed=True)),
        "c": Future(SiblingFailed("c")),
    }
    ended = until_one_fails(futures, stop)  # type: ignore[arg-type]
    assert stop.is_set() and sorted(ended) == ["a", "b"] and ended["b"].failure is not None
    stop = threading.Event()
    assert sorted(until_one_fails({"a": Future(an_execution("a"))}, stop)) == ["a"]  # type: ignore[arg-type]
    assert not stop.is_set()


def test_either_event_and_one_event_for_each_batch() -> None:
    one, other = threading.Event(), threading.Event()
    either = EitherEvent(one, other)
    assert not either.is_set()
    other.set()
    assert either.is_set()
    run = Run.__new__(Run)
    run.lock, run._batches = threading.RLock(), {}
    assert run.batch("a") is run.batch("a") and run.batch("a") is not run.batch("b")


def evidence(name: str, *, converged: bool, **changes: object) -> TargetEvidence:
    return TargetEvidence.model_validate(
        {
            "target_id": name,
            "stage_id": "stage1",
            "simulated": 1.0,
            "uncertainty": 0.5 if converged else 9.0,
            "acceptable": 2.0,
            "ran": True,
            "computed": True,
            "converged": converged,
            "physical": True,
            "matches": True,
            "classification": "SUCCESS" if converged else "PARTIAL",
            **changes,
        }
    )


def test_only_major_targets_that_were_computed_are_worth_another_design() -> None:
    targets = (
        scalar_target(target_id="a"),
        scalar_target(target_id="b", major=False),
        scalar_target(target_id="c"),
        scalar_target(target_id="d"),
    )
    stage = a_stage(*targets)
    found = (
        evidence("a", converged=False),
        evidence("b", converged=False),
        evidence("c", converged=True),
        evidence("d", converged=False, computed=False),
    )
    assert worth_refining(stage, found) == ("a",)
    levels = {check.name: check.level for check in convergence_checks(found)}
    assert levels == {
        "convergence of a": "warning",
        "convergence of b": "warning",
        "convergence of c": "pass",
    }


def test_a_creator_is_not_told_an_uncertainty_that_gives_the_paper_s_value_away() -> None:
    """Shares of the paper's value, as percentages, beside all grids' values told the value itself to a per cent."""
    told = set()
    for times in (2.1, 2.7, 3.9):
        miss = evidence("a", converged=False).model_copy(
            update={"uncertainty": times * 1.0, "acceptable": 2.0}
        )
        (check,) = convergence_checks((miss,))
        told.add(check.measured.partition(";")[0])
    assert told == {"uncertainty above 2 times what is allowed"}


def test_a_creator_reads_by_how_much_grids_move_a_value_and_not_the_values() -> None:
    """Those near the paper's value were withheld and the others were not: the rest told it to a per cent."""
    rungs = tuple(
        RungValue(resolution_scale=scale, value=value) for scale, value in ((0.5, 0.3647), (1, 0.3766))
    )
    (check,) = convergence_checks((evidence("a", converged=False).model_copy(update={"rungs": rungs}),))
    assert "x0.5 to x1 moves it by 3.3 %" in check.measured
    assert "0.36" not in check.measured and "0.37" not in check.measured
