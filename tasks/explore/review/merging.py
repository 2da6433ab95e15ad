"""merge_reviews: the review of the text with that of the figures attached; code only, and the score stays the text's."""

from __future__ import annotations

import json
from pathlib import Path

from schemas.errors import InputError
from schemas.explore.reviewing import ReviewReport
from schemas.reading.beneath import Unopened, read_below
from tasks.explore.paper.building import read_model
from tasks.explore.review.reviewing import REPORT
from tasks.files.store import atomic_write

FIGURES = "vlm_review.json"


def merge_reviews(run_dir: Path) -> ReviewReport:
    """review_report.json with vlm_figure_review; the same again when done twice. Raises InputError without a review."""
    report = read_model(run_dir / REPORT, ReviewReport)
    found = None
    if (run_dir / FIGURES).exists():
        try:
            found = json.loads(read_below(run_dir, FIGURES, 4 << 20))
        except (Unopened, ValueError, RecursionError) as error:
            raise InputError(
                f"{FIGURES} cannot be read", found=str(error)[:200], fix="run vlm_review_figures again"
            ) from None
        if not isinstance(found, dict):
            raise InputError(
                f"{FIGURES} is no review", found=type(found).__name__, fix="run vlm_review_figures again"
            )
    merged = report.model_copy(update={"vlm_figure_review": found})
    atomic_write(run_dir / REPORT, merged.model_dump_json(indent=1))
    return merged
