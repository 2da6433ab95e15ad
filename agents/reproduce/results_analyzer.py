"""ResultsAnalyzerAgent: compares results with the paper; the numbers are the evidence's."""

from __future__ import annotations

from agents.reproduce.crew import declare
from agents.reproduce.rules.looking import figures_with_looks
from agents.reproduce.shared import current_stage, dataset_lines, outputs
from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.judging.evidence import Classification, TargetEvidence
from schemas.reproduce.judging.verdicts import AnalysisAnswer, TargetReport
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.planning.target_quantity import derived_quantity
from schemas.reproduce.planning.thresholds import threshold
from schemas.reproduce.state import ReproState

AGENT = declare(
    "results_analyzer",
    AnalysisAnswer,
    (
        "output_files",
        "target_figures",
        "digitized_data",
        "validation_criteria",
        "stage_id",
        "discrepancy_thresholds",
        "evidence",
        "reviewer_feedback",
    ),
    sees_images=True,
)

ORDER: tuple[Classification, ...] = ("SUCCESS", "PARTIAL", "FAILURE")
NO_COMMENT = "no comment by the analyst"


def context(
    state: ReproState, paper: PaperInput, *, evidence: tuple[TargetEvidence, ...], thresholds: str = "default"
) -> dict[str, object]:
    """Outputs, the figures and data this stage's targets belong to, thresholds, and the evidence.

    thresholds: name of the profile in schemas/reproduce/planning/thresholds.py.
    """
    stage = current_stage(state)
    used = {target.reference.file for target in stage.targets}
    shown: dict[str, object] = {
        "output_files": dataset_lines(outputs(state).finest()),
        "target_figures": figures_with_looks(stage, paper, state.stage_evidence),
        "digitized_data": [
            {
                "figure_id": figure.figure_id,
                "file": data.file,
                "origin": data.origin,
                "source": data.source,
                "relative_error_percent": data.relative_error_percent,
            }
            for figure in paper.figures
            for data in figure.data
            if data.file in used
        ],
        "validation_criteria": {"criteria": stage.validation_criteria, "targets": stage.numeric_targets},
        "stage_id": stage.stage_id,
        "discrepancy_thresholds": {
            quantity: threshold(thresholds, quantity)
            for quantity, _ in map(derived_quantity, stage.numeric_targets)
        },
        "evidence": evidence,
    }
    if state.comparison_verdict is not None and state.comparison_verdict.verdict == "needs_revision":
        shown["reviewer_feedback"] = state.comparison_verdict.feedback
    return shown


def stricter(one: Classification, other: Classification) -> Classification:
    """The worse of two classifications."""
    return max(one, other, key=ORDER.index)


def judge(
    answer: AnalysisAnswer | None, stage: Stage, targets: tuple[TargetEvidence, ...], *, refused: str = ""
) -> tuple[FigureComparison, ...]:
    """One comparison per target of the stage: the stricter of the analyst's class and the evidence's.

    refused: why the physics check's agent still called the results unphysical at its limit; then all are FAILURE.

    Of several reports on one target the strictest counts. A target without evidence is a FAILURE: nothing was
    shown. Reports on targets the stage does not have are left out; the comparison check names them.
    """
    by_target = {evidence.target_id: evidence for evidence in targets if evidence.stage_id == stage.stage_id}
    reports: dict[str, TargetReport] = {}
    for report in answer.reports if answer else ():
        known = reports.get(report.target_id)
        if known is None or ORDER.index(report.classification) > ORDER.index(known.classification):
            reports[report.target_id] = report
    if refused:
        reports = {
            target.target_id: TargetReport(
                target_id=target.target_id,
                classification="FAILURE",
                explanation=f"The physics check refused the results: {refused}",
            )
            for target in stage.numeric_targets
        }
    return tuple(
        _comparison(
            stage,
            target,
            by_target.get(target.target_id) or _nothing(stage, target),
            reports.get(target.target_id),
        )
        for target in stage.numeric_targets
    )


def _comparison(
    stage: Stage, target: Target, evidence: TargetEvidence, report: TargetReport | None
) -> FigureComparison:
    base = FigureComparison(
        figure_id=target.figure_id,
        stage_id=stage.stage_id,
        target_id=target.target_id,
        classification=evidence.classification,
        evidence=evidence,
        explanation=NO_COMMENT,
    )
    if report is None:
        return base
    final = stricter(evidence.classification, report.classification)
    return base.model_copy(
        update={
            "classification": final,
            "explanation": report.explanation or NO_COMMENT,
            "visual": report.visual,
            "likely_causes": report.likely_causes,
            "stricter_than_evidence": final != evidence.classification,
        }
    )


def _nothing(stage: Stage, target: Target) -> TargetEvidence:
    return TargetEvidence(
        target_id=target.target_id,
        stage_id=stage.stage_id,
        unit=target.unit,
        ran=False,
        computed=False,
        converged=False,
        physical=False,
        matches=False,
        classification="FAILURE",
        reasons=("no evidence was computed for this target",),
    )
