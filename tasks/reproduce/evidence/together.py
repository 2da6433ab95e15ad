"""Targets of a stage judged together: a feature and the curve it was read from."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.reproduce.evidence import TargetEvidence
from schemas.reproduce.plan import Stage
from tasks.reproduce.evidence.classify import worse


def with_their_curves(stage: Stage, found: Sequence[TargetEvidence]) -> tuple[TargetEvidence, ...]:
    """A feature is no better than the curve it was read from: agreement of one point of a wrong curve is chance.

    found: the evidence of the stage's targets, in their order.
    """
    curves = {(t.reference.file, t.reference.y_column): e for t, e in zip(stage.numeric_targets, found, strict=True)
              if t.kind == "curve" and t.reference.kind == "data"}
    result = []
    for target, evidence in zip(stage.numeric_targets, found, strict=True):
        curve = curves.get((target.reference.file, target.reference.y_column))
        if target.reference.kind == "feature" and curve is not None:
            capped = worse(curve.classification, evidence.classification)
            if capped != evidence.classification:
                evidence = evidence.model_copy(update={"classification": capped, "reasons": (
                    *evidence.reasons, f"The curve it is read from, {curve.target_id}, is {curve.classification}.")})
        result.append(evidence)
    return tuple(result)
