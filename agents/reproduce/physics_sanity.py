"""PhysicsSanityAgent: are the results physically possible? Independent of what the paper found."""

from __future__ import annotations

from collections.abc import Mapping

from agents.reproduce.crew import declare
from agents.reproduce.execution_validator import check_issues
from agents.reproduce.rules.redaction import blind_stage, secret_values
from agents.reproduce.shared import current_stage, dataset_lines, outputs, simulation_messages
from agents.talking.reviewing import issue_lines, join, merge
from schemas.reproduce.judging.evidence import PhysicsEvidence
from schemas.reproduce.judging.verdicts import PhysicsAnswer
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.state import ReproState

AGENT = declare(
    "physics_sanity",
    PhysicsAnswer,
    (
        "output_data_files",
        "simulation_messages",
        "simulation_code",
        "paper_domain",
        "current_stage",
        "expectations",
        "evidence",
    ),
    sees_images=True,
)

# design_flaw is the gravest: it sends the stage back to its designer.
ORDER = ("pass", "warning", "fail", "design_flaw")


def context(
    state: ReproState,
    paper: PaperInput,
    *,
    evidence: PhysicsEvidence,
    data_tables: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """The data, the code behind it, and the stage without reference values: advice reaches the creators.

    data_tables: file -> short table as text.
    """
    return {
        "output_data_files": {"files": dataset_lines(outputs(state).finest()), "tables": data_tables or {}},
        "simulation_messages": simulation_messages(state),
        "simulation_code": state.code,
        "paper_domain": state.paper_domain or paper.domain,
        "current_stage": blind_stage(current_stage(state), secret_values(state)),
        "expectations": state.design.expectations if state.design else (),
        "evidence": evidence,
    }


def rule(evidence: PhysicsEvidence) -> PhysicsAnswer:
    """The verdict the evidence demands."""
    issues = check_issues(evidence.checks)
    return PhysicsAnswer(verdict=evidence.level, issues=issues, advice=issue_lines(issues))


def judge(answer: PhysicsAnswer | None, evidence: PhysicsEvidence) -> PhysicsAnswer:
    """The stricter of the agent's verdict and the evidence's; the agent alone can find a design flaw."""
    ruled = rule(evidence)
    if answer is None:
        return ruled
    return PhysicsAnswer(
        verdict=max(ruled.verdict, answer.verdict, key=ORDER.index),
        issues=merge(ruled.issues, answer.issues),
        advice=join(ruled.advice, answer.advice),
        backtrack_suggestion=answer.backtrack_suggestion,
        cause_known=answer.cause_known,
    )
