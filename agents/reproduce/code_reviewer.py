"""CodeReviewerAgent: reviews simulation.py before it runs; the static lint is done by code."""

from __future__ import annotations

from agents.reproduce.crew import declare
from agents.reproduce.rules.redaction import secret_values, withhold
from agents.reproduce.shared import expected_outputs, simulation_messages
from agents.talking.reviewing import judge_review as judge
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.state import ReproState
from schemas.talking.review import Issue, ReviewAnswer

__all__ = ["AGENT", "context", "judge", "rule"]

AGENT = declare(
    "code_reviewer",
    ReviewAnswer,
    (
        "code",
        "design_description",
        "expected_outputs",
        "coder_explanation",
        "validator_advice",
        "findings",
        "simulation_messages",
    ),
)
FAR_OFF = 3.0


def context(state: ReproState, paper: PaperInput, *, findings: tuple[Issue, ...] = ()) -> dict[str, object]:
    """The code, the design it implements, the datasets it must write, the lint's findings, and what the last run warned of.

    Also why the code is as it is: its author's explanation, and what the execution or physics check demanded of it, so
    that no review undoes a repair.
    """
    secrets = secret_values(state)
    return {
        "code": state.code,
        "design_description": state.design,
        "expected_outputs": expected_outputs(state),
        "coder_explanation": withhold(state.code_note.explanation, secrets) if state.code_note else "",
        "validator_advice": withhold(_advice(state), secrets),
        "findings": findings,
        "simulation_messages": simulation_messages(state),
    }


def rule(state: ReproState, limit_s: float) -> tuple[Issue, ...]:
    """What the coder's own words say against the code: files it will not write, a time it will not keep.

    limit_s: CPU seconds one simulation may take.
    """
    note, design = state.code_note, state.design
    if note is None or design is None:
        return ()
    issues = []
    written = {name.rsplit("/", 1)[-1].rsplit(".", 1)[0] for name in note.expected_outputs}
    missing = [output.dataset_id for output in design.outputs if output.dataset_id not in written]
    if written and missing and not any(name.startswith(f"{m}_") for m in missing for name in written):
        issues.append(
            Issue(
                severity="minor",
                where="expected_outputs",
                fix="write them under these ids",
                description=f"the coder names no file for dataset {', '.join(missing)}",
            )
        )
    if note.estimated_cpu_s > limit_s:
        issues.append(
            Issue(
                severity="blocking",
                where="estimated_cpu_s",
                fix="simulate less, or ask for a cheaper design",
                description=f"the coder expects {note.estimated_cpu_s:.0f} CPU s; a simulation may take "
                f"{limit_s:.0f} s",
            )
        )
    elif note.estimated_cpu_s > FAR_OFF * design.estimated_cpu_s > 0:
        issues.append(
            Issue(
                severity="minor",
                where="estimated_cpu_s",
                fix="find out which of the two is wrong",
                description=f"the coder expects {note.estimated_cpu_s:.0f} CPU s, the design "
                f"{design.estimated_cpu_s:.0f} s",
            )
        )
    return tuple(issues)


def _advice(state: ReproState) -> str:
    if state.execution_verdict is not None and state.execution_verdict.verdict == "fail":
        return state.execution_verdict.advice
    if state.physics_verdict is not None and state.physics_verdict.verdict in ("fail", "design_flaw"):
        return state.physics_verdict.advice
    return ""
