"""What a plan leaves out of a paper, and whether the reason it gives names what is missing. Whether it is true, nobody can see
from its words: it is shown beside the paper's own."""

from __future__ import annotations

import re
from collections import Counter

from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.reproduce.planning.plan import Plan, Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.unclaimed import denied

# A reason is more than the figure's name: this many letters at least.
MIN_REASON = 6
# What may be missing: numbers to compare with, what a figure shows instead of them, and means that its simulation would take.
_NO_NUMBERS = re.compile(
    r"(?i)\b(?:data|numbers?|values?|columns?|tables?|digiti[sz]\w+|axis|axes|units?|scale|dimensions?|paramet\w+|photo\w*|"
    r"(?:not|never)\s+(?:stated|given|said|specified)|micrograph\w*|image|picture|drawing|sketch\w*|schematic\w*|diagram|"
    r"illustration\w*|cartoon|flow ?chart|set-?up)\b|"
    r"\bno\s+(?:[\w-]+\s+){1,7}?(?:is|are|was|were)\s+(?:given|shown|stated|told|reported|plotted)\b"
)
_NO_MEANS = re.compile(
    r"(?i)\b(?:budgets?|costs?|costly|hours?|days?|minutes?|memory|pixels?|voxels?|grid|mesh|resol\w+|time[ -]?steps?|runs?|"
    r"sweeps?|three[ -]dimension\w*|3d|too (?:large|long|many|big|slow|fine)|ring\w*|cores?|cluster|experiment\w*|measure\w*|"
    r"fabricat\w*|samples?|temperature\w*|thermal\w*|heat\w*|quantum|carriers?|electronic\w*|mechanic\w*|chemi\w*|fluid\w*|"
    r"las(?:er|ers|ing)|gain|non-?linear\w*|nonlocal\w*|magnet\w*|lifetimes?|noise|disorder|spread|statist\w*|vocabulary|meep|"
    r"solver|software|formula|analytic\w*)\b|\b(?:no|any)\s+(?:\w+\s+(?:or|nor)\s+)?(?:scenes?|features?|quantit(?:y|ies))\b"
)

_SEVERAL = 3  # numbers that make up a figure of a few points: efficiencies of orders, resonances
# A number may follow so from inputs; a figure does not.
_BY_HAND = re.compile(r"(?i)\b(?:by hand|by arithmetic|fresnel|follows? from)\b")


def reason_for(plan: Plan, figure_id: str) -> str:
    """Why the plan does not attempt a figure, in its own words; empty if it gives no reason."""
    for entry in plan.not_reproducible:
        if re.search(rf"(?<!\w){re.escape(figure_id)}(?!\w)", entry, re.IGNORECASE):
            rest = entry.partition(":")[2] or entry.replace(figure_id, "")
            if sum(character.isalpha() for character in rest) >= MIN_REASON:
                return rest.strip()
    return ""


def names_what_is_missing(reason: str, figure: PaperFigure | None = None) -> bool:
    """Whether a reason names something that may be missing. Numbers are not missing where a figure brings its data."""
    return bool(_NO_MEANS.search(reason) or (_NO_NUMBERS.search(reason) and not (figure and figure.data)))


def follows_by_hand(reason: str) -> bool:
    """Whether a reason says that a number needs no simulation, and denies nothing; whether it does, `left.py` works out."""
    return _BY_HAND.search(reason) is not None and not denied(reason)


def left_out(plan: Plan, paper: PaperInput) -> tuple[str, ...]:
    """Figures within the reader's scope with neither target nor reason."""
    used = {target.figure_id for _, target in plan.all_targets()}
    return tuple(
        figure.figure_id
        for figure in paper.figures
        if figure.figure_id not in used
        and paper.scope.covers(figure.figure_id)
        and not reason_for(plan, figure.figure_id)
    )


def not_attempted(plan: Plan, paper: PaperInput) -> tuple[PaperFigure, ...]:
    """Figures within the reader's scope that no target attempts, and those with data of which the plan judges a picture only,
    tests an inferred reading only, or takes one or two values only: a false curve has true points."""
    used = {target.figure_id for _, target in plan.all_targets()}
    found = [
        target for stage, target in plan.targets() if plan.role(stage, target) in ("claim", "major", "minor")
    ]
    points = Counter(target.figure_id for target in found)
    counted = {t.figure_id for t in found if _of_a_curve(t) or points[t.figure_id] >= _SEVERAL}
    return tuple(
        figure
        for figure in paper.figures
        if figure.figure_id not in (counted if figure.data else used) and paper.scope.covers(figure.figure_id)
    )


def _of_a_curve(target: Target) -> bool:
    """Whether a target is more than a value at one place: a curve or map, a place, or a feature that is held against the data."""
    feature = target.reference.feature
    if target.kind != "scalar":
        return True
    if feature is None:
        return dimension(target.unit) in ("length", "frequency", "normalised")
    return as_feature(feature).kind != "value_at"


def uncovered(plan: Plan, paper: PaperInput) -> tuple[str, ...]:
    """Those of them that no reason excuses which names what is missing."""
    return tuple(
        figure.figure_id
        for figure in not_attempted(plan, paper)
        if not names_what_is_missing(reason_for(plan, figure.figure_id), figure)
    )
