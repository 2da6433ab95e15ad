"""CodeGeneratorAgent: writes simulation.py from an approved design."""

from __future__ import annotations

from agents.reproduce.crew import declare
from agents.reproduce.rules.redaction import secret_values, withhold, without_rows
from agents.reproduce.shared import current_stage, earlier_outputs
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.simulations.design import CodeAnswer
from schemas.reproduce.simulations.execution import Execution, ExperimentResult
from schemas.reproduce.state import ReproState

AGENT = declare(
    "code_generator",
    CodeAnswer,
    (
        "design_description",
        "performance_estimate",
        "stage_id",
        "paper_id",
        "output_dir",
        "materials",
        "earlier_outputs",
        "experiments",
        "reviewer_feedback",
        "revision_count",
        "previous_code",
    ),
    sees_images=True,
)

OUTPUT_DIR = "the directory named by SIMKIT_OUTPUT, which is the current directory; simkit writes there"


def context(
    state: ReproState,
    paper: PaperInput,
    *,
    experiments: tuple[ExperimentResult, ...] = (),
    earlier: tuple[Execution, ...] = (),
) -> dict[str, object]:
    """The design and what is needed to write it down as code; blind to the paper like the designer.

    A deliberate departure from the specification: on a revision the previous code is shown, because a repair
    without the code is a rewrite, and rewrites bring back mistakes that were already mended.
    """
    stage = current_stage(state)
    used = set(state.design.materials) if state.design else set()
    records = state.validated_materials or state.materials
    shown: dict[str, object] = {
        "design_description": state.design,
        "performance_estimate": {entry.name: entry.value for entry in state.performance_estimate},
        "stage_id": stage.stage_id,
        "paper_id": paper.paper_id,
        "output_dir": OUTPUT_DIR,
        "materials": [
            {"name": record.name, "band_um": record.band_um, "what": record.description}
            for record in records
            if record.name in used
        ],
        "earlier_outputs": earlier_outputs(earlier),
        "experiments": experiments,
        "reviewer_feedback": withhold(without_rows(state.reviewer_feedback), secret_values(state)),
        "revision_count": state.counters.code_revisions,
    }
    if state.code:
        shown["previous_code"] = state.code
    return shown
