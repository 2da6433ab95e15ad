"""SimulationDesignerAgent: designs a stage's simulation without knowing what the paper found."""

from __future__ import annotations

from typing import Any

from agents.reproduce.crew import declare
from agents.reproduce.rules.redaction import (
    blind_assumptions,
    blind_parameters,
    blind_stage,
    secret_values,
    withhold,
    without_rows,
)
from agents.reproduce.shared import (
    answers_to,
    blind_interactions,
    current_stage,
    declared_lines,
    earlier_outputs,
)
from agents.talking.rendering import plain
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.simulations.design import DesignAnswer, SolvedBefore
from schemas.reproduce.simulations.execution import Execution, ExperimentResult
from schemas.reproduce.state import ReproState

AGENT = declare(
    "simulation_designer",
    DesignAnswer,
    (
        "current_stage_id",
        "current_stage",
        "assumptions",
        "declared_parameters",
        "extracted_parameters",
        "paper_domain",
        "available_materials",
        "available_patterns",
        "earlier_descriptions",
        "earlier_outputs",
        "experiments",
        "answers_to_questions",
        "previous_design",
        "previous_code",
        "reviewer_feedback",
        "revision_count",
        "user_interactions",
        "supervisor_feedback",
    ),
    sees_images=True,
)


def context(
    state: ReproState,
    paper: PaperInput,
    *,
    experiments: tuple[ExperimentResult, ...] = (),
    earlier: tuple[Execution, ...] = (),
    solved: tuple[SolvedBefore, ...] = (),
) -> dict[str, object]:
    """The stage, parameters and assumptions, with every reference value removed.

    earlier: the finest executions of the stages this one depends on. solved: descriptions of earlier stages.

    Blind reproduction: the designer cannot echo the paper, because it never reads what the paper found.
    Feedback of the execution and physics checks arrives in reviewer_feedback. People's words pass the same gate.
    """
    stage = current_stage(state)
    secrets = secret_values(state)
    inputs = blind_parameters(state.extracted_parameters)
    found = declared(inputs)
    handed = [f"{pattern.name}: {pattern.file}, {pattern.source}" for pattern in paper.patterns]
    return {
        **({"available_patterns": withhold(handed, secrets)} if handed else {}),
        "current_stage_id": stage.stage_id,
        "current_stage": blind_stage(stage, secrets),
        "assumptions": withhold(plain(blind_assumptions(state.assumptions)), secrets),
        "declared_parameters": withhold(declared_lines(found), secrets),
        "extracted_parameters": withhold(
            plain(tuple(p for p in inputs if p.name in found.names_left_out)), secrets
        ),
        "paper_domain": state.paper_domain or paper.domain,
        "available_materials": [
            material_summary(record) for record in state.validated_materials or state.materials
        ],
        "earlier_descriptions": "\n\n".join(_solved_text(entry, secrets) for entry in solved),
        "earlier_outputs": earlier_outputs(earlier),
        "experiments": experiments,
        "answers_to_questions": withhold(answers_to(state, AGENT.name, stage.stage_id), secrets),
        "previous_design": state.design.model_copy(update={"code": ""}) if state.design else None,
        "previous_code": state.design.code if state.design else "",
        "reviewer_feedback": withhold(without_rows(state.reviewer_feedback), secrets),
        "revision_count": state.counters.design_revisions,
        "user_interactions": withhold(blind_interactions(state), secrets),
        "supervisor_feedback": withhold(state.supervisor_feedback, secrets),
    }


def _solved_text(entry: SolvedBefore, secrets: frozenset[float]) -> str:
    """A description as it was solved, what it added, what it cost, and what code remarked."""
    added = [f"# added: {p.id} = {p.expression or p.value} {p.unit}, {p.origin}" for p in entry.parameters]
    said = [f"# {line}" for line in withhold(list(entry.remarks), secrets)]
    return "\n".join(
        [f"# {entry.stage_id}: solved, {entry.cpu_s:.0f} s of CPU time", *said, *added, entry.code.strip()]
    )


def material_summary(record: MaterialRecord) -> dict[str, Any]:
    """What a designer needs of a material: what it is, where it holds, how good its fit is."""
    summary: dict[str, Any] = {
        "name": record.name,
        "band_um": record.band_um,
        "what": record.description,
        "chi2": record.chi2,
        "chi3": record.chi3,
    }
    if record.axes:
        return summary | {
            "axes": dict(zip("xyz", (material_summary(axis) for axis in record.axes), strict=True))
        }
    if record.index is not None:
        return summary | {"index": record.index}
    return summary | {
        "page": record.page,
        "valid_um": record.valid_um,
        "poles": len(record.poles),
        "rms_relative_error": record.rms_relative_error,
        "max_relative_error": record.max_relative_error,
        "min_stable_resolution_px_per_um": record.min_stable_resolution
        or "never stable in 3D at Courant factor 0.5",
        "remarks": record.remarks,
    }
