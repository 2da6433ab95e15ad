"""ExecutionValidatorAgent: did the simulations run correctly? Code classes failures, the agent explains."""

from __future__ import annotations

import re
from collections import Counter

from agents.reproduce.crew import declare
from agents.reproduce.shared import dataset_lines, expected_outputs, outputs
from agents.talking.reviewing import issue_lines, join, merge
from schemas.reproduce.judging.evidence import Check, ExecutionEvidence
from schemas.reproduce.judging.verdicts import ExecutionAnswer
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.simulations.execution import Execution
from schemas.reproduce.state import ReproState
from schemas.talking.review import Issue

AGENT = declare(
    "execution_validator",
    ExecutionAnswer,
    ("stdout", "stderr", "exit_code", "output_files", "expected_outputs", "runtime_seconds", "evidence"),
)

TAIL_CHARACTERS = 6000
# New code mends neither a missing Meep nor a full disk: such failures never go to an agent.
NOT_FOR_AGENTS: frozenset[str] = frozenset({"environment", "infrastructure"})
# What follows from any failed run; its cause is the check named "failure".
DERIVED: frozenset[str] = frozenset(
    {
        "process ended",
        "manifest complete",
        "failure",
        "datasets",
        "data present",
        "Meep ran",
        "CPU time fits the steps",
        "run time",
    }
)
ERROR_CHARACTERS = 2000
_ORDER = ("pass", "warning", "fail")
_FOLDERS = re.compile(r"(?<![\w./])(?:/[\w.+@~-]+)+/(?=[\w.+-])")


def context(state: ReproState, paper: PaperInput, *, evidence: ExecutionEvidence) -> dict[str, object]:
    """Output of the run that says most (the first failed one, else a finest one), files, evidence."""
    ran = outputs(state)
    shown = _telling(ran.executions)
    return {
        "stdout": tail(shown.stdout_tail),
        "stderr": tail(shown.stderr_tail),
        "exit_code": "none; it was ended by " + (shown.stop_reason or f"signal {shown.signal}")
        if shown.exit_code is None
        else shown.exit_code,
        "output_files": dataset_lines(ran.executions),
        "expected_outputs": expected_outputs(state),
        "runtime_seconds": [
            {
                "resolution_scale": e.resolution_scale,
                "point": dict(e.point),
                "wall_s": round(e.wall_s, 1),
                "cpu_s": round(e.cpu_s, 1),
            }
            for e in ran.executions
        ]
        + _estimates(state),
        "evidence": evidence.model_copy(
            update={
                "checks": independent(evidence),
                # stderr holds the same text
                "failure": evidence.failure.model_copy(update={"detail": ""}) if evidence.failure else None,
            }
        ),
    }


def rule(evidence: ExecutionEvidence) -> ExecutionAnswer:
    """The verdict the evidence demands. Recoverable means that new code can mend it."""
    failure = evidence.failure
    issues = check_issues(independent(evidence))
    if failure is not None:
        issues = merge(
            (
                Issue(
                    severity="blocking",
                    where=failure.failure_class,
                    description=failure.reason,
                    fix=failure.fix,
                ),
            ),
            issues,
        )
    return ExecutionAnswer(
        verdict="fail" if failure else evidence.level,
        recoverable=failure is None or failure.failure_class not in NOT_FOR_AGENTS,
        issues=issues,
        advice=join(issue_lines(issues), tail(failure.detail)[-ERROR_CHARACTERS:] if failure else ""),
    )


def independent(evidence: ExecutionEvidence) -> tuple[Check, ...]:
    """The checks without those that only follow from a run that failed, one of each kind of finding.

    A script that raised left no datasets, no manifest and nothing for any target: one cause, not a dozen.
    """
    failure = evidence.failure
    failed = failure is not None and any(check.name == "failure" for check in evidence.checks)
    first: dict[tuple[str, str], Check] = {}
    more: Counter[tuple[str, str]] = Counter()
    for check in evidence.checks:
        follows = failed and (check.name in DERIVED or check.name.startswith("dataset for "))
        itself = failure is not None and failure.reason == f"{check.name}: {check.measured}"
        if check.level == "pass" or not (follows or itself):
            kind = (check.name, check.level)
            more[kind] += kind in first and check.level != "pass"
            first.setdefault(kind, check)
    return (
        tuple(
            check.model_copy(update={"measured": f"{check.measured} (and {more[kind]} more)"})
            if more[kind]
            else check
            for kind, check in first.items()
        )
        or evidence.checks
    )


def judge(answer: ExecutionAnswer | None, evidence: ExecutionEvidence) -> ExecutionAnswer:
    """The stricter of the agent's verdict and the evidence's; environment failures stay unrecoverable.

    An agent that calls a failure unrecoverable knows no cause that new code could mend: a person is asked.
    """
    ruled = rule(evidence)
    if answer is None or not ruled.recoverable:
        return ruled
    return ExecutionAnswer(
        verdict=max(ruled.verdict, answer.verdict, key=_ORDER.index),
        recoverable=answer.recoverable,
        issues=merge(ruled.issues, answer.issues),
        advice=join(ruled.advice, answer.advice),
    )


def check_issues(checks: tuple[Check, ...]) -> tuple[Issue, ...]:
    """An issue for each check that did not pass; one for the lack of any check."""
    if not checks:
        return (
            Issue(
                severity="blocking",
                where="evidence",
                description="no check was made, so nothing was shown",
                fix="write the datasets the design asks for",
            ),
        )
    return tuple(
        Issue(
            severity="blocking" if check.level == "fail" else "minor",
            where=check.name,
            description=f"{check.measured}; allowed: {check.allowed}"
            + (f" ({check.source})" if check.source else ""),
            fix=check.hint,
        )
        for check in checks
        if check.level != "pass"
    )


def tail(text: str) -> str:
    """The end of a program's output, without the folders of this machine."""
    return _FOLDERS.sub("", text)[-TAIL_CHARACTERS:]


def _estimates(state: ReproState) -> list[dict[str, float]]:
    """CPU seconds of the finest run as the designer and the coder expected them."""
    found = {
        "estimated_by_design_cpu_s": state.design.estimated_cpu_s if state.design else 0,
        "estimated_by_coder_cpu_s": state.code_note.estimated_cpu_s if state.code_note else 0,
    }
    known = {name: value for name, value in found.items() if value}
    return [known] if known else []


def _telling(executions: tuple[Execution, ...]) -> Execution:
    failed = [execution for execution in executions if execution.failure or execution.exit_code]
    return failed[0] if failed else max(executions, key=lambda execution: execution.resolution_scale)
