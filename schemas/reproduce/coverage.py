"""Whether a plan leaves a figure of the paper out without saying so."""

from __future__ import annotations

import re

from schemas.reproduce.paper import PaperInput
from schemas.reproduce.plan import Plan

# A reason is more than the figure's name: this many letters at least.
MIN_REASON = 6


def reason_for(plan: Plan, figure_id: str) -> str:
    """Why the plan does not attempt a figure, in its own words; empty if it gives no reason."""
    for entry in plan.not_reproducible:
        if re.search(rf"(?<!\w){re.escape(figure_id)}(?!\w)", entry, re.IGNORECASE):
            rest = entry.partition(":")[2] or entry.replace(figure_id, "")
            if sum(character.isalpha() for character in rest) >= MIN_REASON:
                return rest.strip()
    return ""


def left_out(plan: Plan, paper: PaperInput) -> tuple[str, ...]:
    """Figures within the reader's scope with neither target nor reason."""
    used = {target.figure_id for _, target in plan.all_targets()}
    return tuple(figure.figure_id for figure in paper.figures if figure.figure_id not in used
                 and paper.scope.covers(figure.figure_id) and not reason_for(plan, figure.figure_id))


def uncovered(plan: Plan, paper: PaperInput) -> tuple[str, ...]:
    """Figures whose numbers no target that counts covers, and no reason excuses.

    Besides `left_out`: figures with data of which the plan judges a picture only, or tests an inferred reading only.
    """
    counted = {target.figure_id for stage, target in plan.targets() if plan.role(stage, target) in ("claim", "major", "minor")}
    return (*left_out(plan, paper), *(
        figure.figure_id for figure in paper.figures
        if figure.data and figure.figure_id not in counted and paper.scope.covers(figure.figure_id)
        and figure.figure_id not in left_out(plan, paper) and not reason_for(plan, figure.figure_id)))
