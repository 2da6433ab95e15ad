"""A solved quantity against a reference that a person gives, judged as a target of a run is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.evidence import Check, TargetEvidence
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.simulations.execution import Dataset, DatasetTarget, StageOutputs
from tasks.limited import limited
from tasks.reproduce.evidence.own_functions import examined
from tasks.reproduce.evidence.possible import physics_evidence
from tasks.reproduce.judging.controls import with_controls
from tasks.reproduce.judging.targets import Material, judged_target
from tasks.reproduce.judging.two_ways import beside_paper

COMPARING_CPU_S = 600.0


@dataclass(frozen=True)
class Against:
    """What the comparison found. checks: physics, then its negative controls. material: both sides, in the target's unit.

    budget: what its difference is worth; nothing where no value or reference could be had.
    """

    target: Target
    evidence: TargetEvidence
    checks: tuple[Check, ...]
    material: Material
    budget: Budget | None


def against(
    outputs: StageOutputs,
    quantity: str,
    target: Target,
    *,
    root: Path,
    reference_dir: Path,
    profile: str = "default",
    materials: Mapping[str, MaterialRecord] | None = None,
) -> Against:
    """Compare the quantity of that id with the target's reference, from the files of `outputs` below `root`.

    reference_dir: where a reference's table lies. Nothing is written. What cannot be had makes it a FAILURE with the reason.
    """
    answering = _answering(outputs, quantity, target.target_id)
    stage = Stage(
        stage_id=outputs.stage_id,
        stage_type="SINGLE_STRUCTURE",
        name=outputs.stage_id,
        description="solved by hand",
        targets=(target,),
        materials=tuple(materials or ()),
    )
    place: dict[str, Any] = {
        "root": root,
        "paper_dir": reference_dir,
        "profile": profile,
        "materials": materials or {},
    }

    def judged() -> Against:
        physics = physics_evidence(answering, stage, root)
        evidence, found, budget = judged_target(
            answering, stage, target, physical=physics.level != "fail", **place
        )
        evidence, controls = with_controls(evidence, answering, stage, target, **place)
        told = beside_paper(examined(evidence, answering), target, answering)
        return Against(target, told, (*physics.checks, *controls), found, budget)

    return limited(judged, "comparing", cpu_s=COMPARING_CPU_S)


def _answering(outputs: StageOutputs, quantity: str, target: str) -> StageOutputs:
    """The same, with the quantity as what answers the target, and nothing else."""

    def told(dataset: Dataset) -> Dataset:
        mine = (DatasetTarget(target=target, column=quantity),) if dataset.dataset_id == quantity else ()
        return dataset.model_copy(update={"targets": mine})

    study = outputs.study
    return outputs.model_copy(
        update={
            "executions": tuple(
                execution.model_copy(update={"datasets": tuple(map(told, execution.datasets))})
                for execution in outputs.executions
            ),
            "study": study
            and study.model_copy(
                update={
                    "quantities": tuple(
                        q.model_copy(update={"answers": (target,) if q.id == quantity else ()})
                        for q in study.quantities
                    )
                }
            ),
        }
    )
