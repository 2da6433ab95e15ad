"""What agents are told so that the next version is better: causes first, nothing twice, nothing that must stay hidden."""

from __future__ import annotations

import pytest

from agents.reproduce import code_reviewer, execution_validator, simulation_designer
from agents.reproduce.rules.redaction import WITHHELD, blind_parameters
from agents.talking.rendering import show
from schemas.reproduce.judging.evidence import Check, ExecutionEvidence
from schemas.reproduce.judging.verdicts import ExecutionAnswer, PhysicsAnswer
from schemas.reproduce.planning.parameters import Assumption, ExtractedParameter
from schemas.reproduce.simulations.design import CodeNote
from schemas.reproduce.simulations.execution import Execution, Failure, MeepRun
from tasks.reproduce.assumption_ledger import branched, revised
from tasks.reproduce.experiments import meep_run_lines
from tests.unit.agents.agents_fixture import PAPER, run_state

pytestmark = pytest.mark.unit


def check(name: str, level: str = "fail", measured: str = "none") -> Check:
    return Check(name=name, level=level, measured=measured, allowed="some", hint="mend it")


def test_a_crash_is_told_as_one_cause_and_not_as_a_dozen_findings() -> None:
    derived = (
        "process ended",
        "manifest complete",
        "failure",
        "datasets",
        "Meep ran",
        "dataset for R_curve",
        "dataset for T",
    )
    checks = tuple(check(name) for name in derived for _ in range(2)) + (
        check("outputs accepted", "warning", "a link"),
    )
    failure = Failure(
        failure_class="code",
        reason="NameError: name 'mpp' is not defined",
        detail="Traceback\n  line 3",
        fix="correct the script",
    )
    ruled = execution_validator.rule(ExecutionEvidence(checks=checks, failure=failure))
    assert ruled.verdict == "fail" and [issue.where for issue in ruled.issues] == ["code", "outputs accepted"]
    assert ruled.advice.startswith("- [blocking] code: NameError") and ruled.advice.endswith(
        "Traceback\n  line 3"
    )
    assert ruled.advice.count("NameError") == 1


def test_what_a_finished_run_lacks_is_still_told_once_a_kind() -> None:
    checks = (
        check("dataset for R_curve"),
        check("dataset for T"),
        check("values finite", measured="3 NaN"),
        check("values finite", measured="4 NaN"),
        check("Meep ran", "pass"),
    )
    failure = Failure(failure_class="code", reason="dataset for R_curve: none", fix="save it")
    ruled = execution_validator.rule(ExecutionEvidence(checks=checks, failure=failure))
    assert [issue.where for issue in ruled.issues] == ["code", "dataset for T", "values finite"]
    assert "3 NaN (and 1 more)" in ruled.advice


def test_only_failures_of_its_own_leave_no_empty_evidence() -> None:
    alone = ExecutionEvidence(
        checks=(check("failure"),), failure=Failure(failure_class="budget", reason="CPU limit")
    )
    assert [issue.where for issue in execution_validator.rule(alone).issues][0] == "budget"


def test_a_row_of_a_table_keeps_only_inputs_for_the_blind() -> None:
    row = "| 300 nm | 20 nm | 685.1 nm | 0.95 |"
    given = (
        ExtractedParameter(
            name="period", value="0.3", unit="um", role="input", quotation=row, place="table 1"
        ),
        ExtractedParameter(name="width", value="20", unit="nm", role="input", quotation=row, place="table 1"),
    )
    assert [p.quotation for p in blind_parameters(given)] == [
        f"| 300 nm | 20 nm | {WITHHELD} nm | {WITHHELD} |"
    ] * 2


def test_a_designer_revises_its_last_design_and_knows_the_files_of_earlier_stages() -> None:
    state = run_state()
    told = simulation_designer.context(state, PAPER, earlier=state.stage_outputs.executions)
    assert told["previous_design"] == state.design
    assert told["earlier_outputs"] and all("/" not in line.split(":")[0] for line in told["earlier_outputs"])
    assert simulation_designer.context(run_state(design=None), PAPER)["previous_design"] is None


def test_the_code_reviewer_knows_what_was_demanded_and_why_the_code_is_so() -> None:
    note = CodeNote(
        explanation="the film ends before the PML", expected_outputs=("x.csv",), estimated_cpu_s=5000
    )
    failed = ExecutionAnswer(verdict="fail", recoverable=True, issues=(), advice="end the film at y = 1")
    told = code_reviewer.context(run_state(code_note=note, execution_verdict=failed), PAPER)
    assert told["coder_explanation"] == note.explanation and told["validator_advice"] == failed.advice
    flaw = PhysicsAnswer(verdict="design_flaw", issues=(), advice="thicker PML")
    passed = failed.model_copy(update={"verdict": "pass"})
    told = code_reviewer.context(run_state(execution_verdict=passed, physics_verdict=flaw), PAPER)
    assert told["validator_advice"] == "thicker PML"
    found = {issue.where: issue.severity for issue in code_reviewer.rule(run_state(code_note=note), 900)}
    assert found == {"expected_outputs": "minor", "estimated_cpu_s": "blocking"}
    assert code_reviewer.rule(run_state(code_note=None), 900) == ()


def test_every_meep_run_is_told_with_steps_stop_and_time() -> None:
    runs = tuple(
        MeepRun(
            label=f"run {n}",
            resolution=50,
            time_steps=1000 * n,
            meep_time=10.0,
            wall_s=2.5,
            stop_reached=3e-4,
            stop_criterion="decay 1e-9",
            stop_met=n != 20,
        )
        for n in range(1, 21)
    )
    lines = meep_run_lines(
        Execution(
            execution_id="e", stage_id="s", resolution_scale=1, exit_code=0, directory="d", meep_runs=runs
        )
    )
    assert len(lines) == 20
    assert lines[-1] == (
        "run 20: resolution 50, 20000 steps to t = 10 in 2.5 s, stop decay 1e-9: reached 0.0003, NOT MET"
    )


def assumption(name: str, value: str = "1", **more: object) -> Assumption:
    return Assumption(
        assumption_id=name,
        category="other",
        parameter="p",
        value=value,
        reason="r",
        sensitivity="low",
        **{"source": "agent"} | more,
    )


def test_a_revised_assumption_takes_the_place_of_the_old_one_but_never_of_a_persons() -> None:
    ledger = (assumption("A1"), assumption("A2"), assumption("U1", source="user"))
    new = (
        assumption("A1", "2"),
        assumption("A9", replaces="A2"),
        assumption("U1", "9"),
        assumption("A8", replaces="U1"),
    )
    found = revised(ledger, new)
    assert {a.assumption_id: a.value for a in found} == {"U1": "1", "A1": "2", "A9": "1", "A8": "1"}
    assert "A2" not in show(found).replace('"replaces": "A2"', "")


def test_branches_revise_the_common_ledger_and_keep_both_of_two_new_ones() -> None:
    base = (assumption("A1"), assumption("A2"))
    mine = (assumption("A1"), assumption("A2"), assumption("A3", "mine", stages=("s1",)))
    theirs = (assumption("A1", "2"), assumption("A3", "theirs", stages=("s2",)))
    found = branched(base, mine, theirs)
    assert {a.assumption_id: a.value for a in found} == {"A1": "2", "A3": "mine", "A3-s2": "theirs"}
