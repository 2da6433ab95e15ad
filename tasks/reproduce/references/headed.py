"""Whether the column of data that a target is compared with is headed by the size of another sample than the one that was computed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.simulations.units import converted
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.inputs_used import inputs_used
from tasks.reproduce.judging.doubts import doubted

_SIZE = re.compile(r"(?<![A-Za-z\d.])(\d{1,9}(?:\.\d{1,9})?)[ _]?(nm|um|mm|deg)(?![A-Za-z\d])")
_CLOSE, _LONGEST = 1e-3, 200


def of_its_column(
    stage: Stage, found: Sequence[TargetEvidence], description: Description | None
) -> tuple[TargetEvidence, ...]:
    """The evidence of a stage's targets, at most PARTIAL where the head of its data names an input on which it does not rest."""
    if description is None:
        return tuple(found)
    targets = {target.target_id: target for target in stage.numeric_targets}
    return tuple(
        doubted(evidence, headed_by_another(targets[evidence.target_id], description), "called")
        if evidence.target_id in targets
        else evidence
        for evidence in found
    )


def headed_by_another(target: Target, description: Description) -> Iterator[str]:
    """Sizes in the head of a target's column that are an input of the paper's, and of none that the target rests on: 'R_20nm'."""
    head = (target.reference.y_column or "")[:_LONGEST]
    items = description.parameters.items()
    used = inputs_used(description, target.target_id)
    for size, unit in _SIZE.findall(head.replace("_", " ")):
        same = {
            name
            for name, item in items.items()
            if item.value is not None
            and (own := converted(item.value, item.unit or "1", unit)) is not None
            and math.isclose(own, float(size), rel_tol=_CLOSE)
        }
        if same and not same & set(used):
            yield f"Its data are the column {head!r}, and it does not rest on {', '.join(sorted(same))}, which is {size} {unit}"
