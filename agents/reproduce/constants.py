"""Constants that prompts quote, rendered from where they are defined, so that no prompt repeats a number."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from schemas.errors import PrerequisiteError
from schemas.reproduce.planning.thresholds import PROFILES, Threshold
from schemas.reproduce.settings import Limits, RunSettings
from simkit.describe.contract import contract, measurable

_MEASURES = {
    "relative_percent": "relative, %",
    "absolute": "absolute",
    "absolute_percentage_points": "absolute, percentage points",
}


@cache
def _contracts() -> dict[str, str]:
    """The contract of free scripts, and of descriptions from the vocabulary's classes; of these a short list."""
    scripts = Path(__file__).resolve().parents[2] / "simkit" / "CONTRACT.md"
    if not scripts.is_file():
        raise PrerequisiteError(
            "simkit/CONTRACT.md is missing",
            found=str(scripts),
            fix="reinstall ReproLab; the file belongs to the package",
        )
    return {
        "SIMKIT_CONTRACT": scripts.read_text(encoding="utf-8").strip(),
        "DESCRIPTION_CONTRACT": contract(),
        "MEASURABLE": measurable(),
    }


def prompt_constants(settings: RunSettings) -> dict[str, str]:
    """Placeholder name -> text for every placeholder a prompt may use."""
    return {
        **_contracts(),
        "THRESHOLDS_TABLE": thresholds_table(settings.thresholds),
        **limit_constants(settings.limits),
    }


def limit_constants(limits: Limits) -> dict[str, str]:
    """The constants that tell limits, which a person may raise while a run goes on."""
    return {
        "MAX_DESIGN_REVISIONS": str(limits.max_design_revisions),
        "MAX_CODE_REVISIONS": str(limits.max_code_revisions),
        "MAX_EXECUTION_FAILURES": str(limits.max_execution_failures),
        "MAX_PHYSICS_FAILURES": str(limits.max_physics_failures),
        "MAX_ANALYSIS_REVISIONS": str(limits.max_analysis_revisions),
        "MAX_PLAN_REVISIONS": str(limits.max_plan_revisions),
        "MAX_REPLANS": str(limits.max_replans),
        "MAX_BACKTRACKS": str(limits.max_backtracks),
        "MAX_EXPERIMENTS": str(limits.max_experiments),
        "MAX_QUESTIONS": str(limits.max_questions),
        "EXPERIMENT_CPU_S": f"{limits.experiment_cpu_s:g}",
    }


def thresholds_table(profile: str) -> str:
    """Markdown table of a threshold profile: the errors up to which a quantity gets each grade."""
    rows = ["| quantity | measure | excellent | acceptable | investigate |", "|---|---|---|---|---|"]
    for quantity, bound in PROFILES[profile].items():
        cells = [_cell(bound, position, value) for position, value in enumerate(bound.words())]
        rows.append(f"| {quantity} | {_MEASURES[bound.measure]} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _cell(bound: Threshold, position: int, value: str) -> str:
    return value if bound.pearson is None else f"{value} and r >= {bound.pearson[position]:g}"
