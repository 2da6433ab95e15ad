"""DesignReviewerAgent: reviews a design before code is written; code checks what code can check first."""

from __future__ import annotations

from agents.reproduce.crew import declare
from agents.reproduce.rules.design_rules import rule
from agents.reproduce.rules.redaction import (
    blind_assumptions,
    blind_parameters,
    blind_stage,
    secret_values,
    withhold,
)
from agents.reproduce.shared import current_stage, declared_lines
from agents.talking.rendering import plain
from agents.talking.reviewing import judge_review as judge
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.simulations.design import Design
from schemas.reproduce.state import ReproState
from schemas.talking.review import Issue, ReviewAnswer

__all__ = ["AGENT", "context", "judge", "rule"]

AGENT = declare(
    "design_reviewer",
    ReviewAnswer,
    (
        "design_description",
        "description_code",
        "declared_parameters",
        "current_stage",
        "assumptions",
        "paper_domain",
        "findings",
    ),
)


def context(state: ReproState, paper: PaperInput, *, findings: tuple[Issue, ...] = ()) -> dict[str, object]:
    """The design and the stage it should answer; blind too, since its feedback reaches the designer."""
    secrets = secret_values(state)
    design = state.design
    return {
        "design_description": _plain(design) if design else None,
        "description_code": design.code if design else "",
        "declared_parameters": withhold(
            declared_lines(declared(blind_parameters(state.extracted_parameters))), secrets
        ),
        "current_stage": blind_stage(current_stage(state), secrets),
        "assumptions": withhold(plain(blind_assumptions(state.assumptions)), secrets),
        "paper_domain": state.paper_domain or paper.domain,
        "findings": findings,
    }


def _plain(design: Design) -> dict[str, object]:
    """Without its code, which stands apart, and of a description without costs, which code foresees (findings)."""
    foreseen = {"estimated_cpu_s", "estimated_memory_mb"} if design.described else set()
    return design.model_dump(mode="json", exclude={"code"} | foreseen)
