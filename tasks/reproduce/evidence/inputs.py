"""A result is no better bound to the paper than the inputs it was computed from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemas.reproduce.bound import InputWords
from schemas.reproduce.evidence import TargetEvidence
from tasks.reproduce.evidence.classify import worse
from tasks.reproduce.solving.describing import Description
from tasks.reproduce.solving.inputs_used import inputs_used, materials_used, taken_for_another

_MOST = 3  # reasons that are told


def within_inputs(found: Sequence[TargetEvidence], description: Description | None, words: Mapping[str, InputWords]
                  ) -> tuple[TargetEvidence, ...]:
    """The evidence of a stage's targets, at most PARTIAL where the paper's words do not bind an input that it rests on."""
    if description is None:  # a free script's results are PARTIAL anyway
        return tuple(found)
    unbound = {name: one.fault for name, one in words.items() if one.fault}
    unbound = {**taken_for_another(description, words), **unbound}
    out = []
    for evidence in found:
        rests = inputs_used(description, evidence.target_id) | materials_used(description, evidence.target_id)
        reasons = [f"It rests on {name}: {why}; at most PARTIAL." for name, why in unbound.items() if name in rests]
        out.append(evidence.model_copy(update={
            "classification": worse("PARTIAL", evidence.classification),
            "reasons": (*evidence.reasons, *reasons[:_MOST])}) if reasons else evidence)
    return tuple(out)
