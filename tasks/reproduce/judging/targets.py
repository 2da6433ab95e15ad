"""The evidence of one target of a stage: simulated value, reference, judgement, overlay plot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.simulations.execution import StageOutputs
from tasks.reproduce.evidence.extrapolating import AtNoPixel, limit_of
from tasks.reproduce.evidence.kept_files import Reader
from tasks.reproduce.evidence.not_computed import EvidenceError, OtherCurve
from tasks.reproduce.evidence.numerics import formal_order, variants
from tasks.reproduce.evidence.overlay import draw_target
from tasks.reproduce.evidence.result_tables import write_values
from tasks.reproduce.evidence.rung import Rung, Value
from tasks.reproduce.evidence.simulated import rungs
from tasks.reproduce.judging.budget import budget_of
from tasks.reproduce.judging.judge import judge
from tasks.reproduce.judging.limits import Limits, limits_for
from tasks.reproduce.judging.phases import nearest_turns
from tasks.reproduce.references.paper_value import ReferenceValue, resolve


@dataclass(frozen=True)
class Material:
    """What a target's judgement needs, gathered once; each part missing has its reason in `problems`. lacking: the finest rung,
    where our curve lacks the feature that the paper's has. limit: the value for a pixel of no size, of a judged target only where it
    is what was judged."""

    rungs: tuple[Rung, ...]
    reference: ReferenceValue | None
    limits: Limits | None
    problems: tuple[str, ...]
    lacking: Rung | None = None
    limit: AtNoPixel | None = None

    @property
    def last(self) -> Rung | None:
        """The finest rung, also where its curve lacks the feature."""
        return self.rungs[-1] if self.rungs else self.lacking

    @property
    def values(self) -> tuple[tuple[float, Value], ...]:
        """(resolution scale, value) of every rung, ascending."""
        return tuple((rung.scale, rung.value) for rung in self.rungs)

    @property
    def shown(self) -> tuple[tuple[float, Value], ...]:
        """The same with the value for a pixel of no size behind them, at a scale without end, where it is the one that is told."""
        return self.values if self.limit is None else (*self.values, (math.inf, self.limit.value))


def target_evidence(
    outputs: StageOutputs,
    stage: Stage,
    target: Target,
    *,
    root: Path,
    paper_dir: Path,
    profile: str,
    physical: bool,
    materials: Mapping[str, MaterialRecord],
    origin: str,
    overlay_dir: Path,
) -> tuple[TargetEvidence, Budget | None]:
    """Compare one target with the paper, from files alone; arguments as of `judged_target`.

    origin: where the reference comes from, for plot and table (`origin_words`).
    overlay_dir: where the plot <target_id>.png is written; below `root`.
    """
    evidence, found, budget = judged_target(
        outputs,
        stage,
        target,
        root=root,
        paper_dir=paper_dir,
        profile=profile,
        physical=physical,
        materials=materials,
    )
    picture = draw_target(target, evidence, found.shown, found.reference, origin, overlay_dir)
    write_values(target, found.shown, found.reference, origin, overlay_dir)
    overlay = str(picture.resolve().relative_to(root.resolve()))
    return evidence.model_copy(update={"overlay": overlay}), budget


def judged_target(
    outputs: StageOutputs,
    stage: Stage,
    target: Target,
    *,
    root: Path,
    paper_dir: Path,
    profile: str,
    physical: bool,
    materials: Mapping[str, MaterialRecord],
) -> tuple[TargetEvidence, Material, Budget | None]:
    """One target compared with its reference, from files alone, and its uncertainty budget; nothing is written.

    Args:
        root: the run's directory; data files are found below it and checked against their sha256.
        paper_dir: the paper's folder; reference tables lie inside it.
        profile: name of the threshold profile ("default", "loose").
        physical: whether no physics check of the stage failed.
        materials: prepared materials by name.

    Whatever cannot be had (a value, a unit, a reference) makes the target a FAILURE with the reason; nothing
    raises for what a simulation or an agent wrote.
    """
    found = gather(
        outputs, stage, target, root=root, paper_dir=paper_dir, profile=profile, materials=materials
    )
    last = found.last
    evidence, convergence = judge(
        target,
        stage.stage_id,
        found.values,
        found.reference,
        found.limits,
        ran=last is not None and last.ran,
        used_meep=last is not None and last.used_meep,
        physical=physical,
        remarks=found.problems,
        sampling=last.sampling if last is not None else 0.0,
        width=last.width if last is not None else None,
        edge=last.edge if last is not None else "",
        lacks=found.lacking is not None,
        varied=variants(outputs, target, Reader(root)) if last is not None else (),
        formal=formal_order(outputs, target),
        limit=found.limit,
        curves=[rung.curve for rung in found.rungs],
    )
    if convergence is None or not convergence.extrapolated:
        found = replace(found, limit=None)
    if last is not None:
        evidence = evidence.model_copy(
            update={
                "execution_id": last.executions[-1].execution_id,
                "file": last.dataset.file.path,
                "sha256": last.dataset.file.sha256,
                "column": last.column,
            }
        )
    if found.reference is None or found.limits is None or convergence is None:
        return evidence, found, None
    budget = budget_of(
        target, evidence, found.shown[-1][1], found.reference, found.limits, convergence, outputs.study
    )
    return evidence, found, budget


def gather(
    outputs: StageOutputs,
    stage: Stage,
    target: Target,
    *,
    root: Path,
    paper_dir: Path,
    profile: str,
    materials: Mapping[str, MaterialRecord],
) -> Material:
    """Simulated values, reference and thresholds of a target; what cannot be had is named in `problems`."""
    trouble = outputs.trouble(target.target_id)
    problems: list[str] = [f"{trouble[:1].upper()}{trouble[1:]}."] if trouble else []
    found: tuple[Rung, ...] = ()
    lacking = None
    try:
        found, remarks = rungs(outputs, target, Reader(root))
        problems += [f"{remark[:1].upper()}{remark[1:]}" for remark in remarks]
    except EvidenceError as error:
        lacking = error.rung if isinstance(error, OtherCurve) else None
        if not trouble:
            problems.append(_sentence(error))
        elif outputs.answered(target.target_id):  # what is missing in a value has the cause that stands first
            problems.append(_sentence(EvidenceError(error.what, found=error.found)))
    try:
        reference = resolve(target, paper_dir)
    except EvidenceError as error:
        return Material(found, None, None, (*problems, _sentence(error)))
    found, reference, turned = nearest_turns(target, found, reference)
    problems += [turned] if turned else []
    limits = limits_for(target, profile, reference, has_metal(stage, materials))
    return Material(found, reference, limits, tuple(problems), lacking, limit_of(outputs, target, found))


def has_metal(stage: Stage, materials: Mapping[str, MaterialRecord]) -> bool:
    """Whether a material of the stage has a negative permittivity in its band: only there plasmons live."""
    used = [materials[name] for name in stage.materials if name in materials]
    return any(_metallic(part) for record in used for part in (record, *record.axes))


def _metallic(record: MaterialRecord) -> bool:
    if not record.poles:
        return False
    frequency = np.linspace(1 / record.band_um[1], 1 / record.band_um[0], 101)
    epsilon = np.full(frequency.size, record.eps_inf or 1.0, dtype=complex)
    for pole in record.poles:
        resonance = pole.f0**2 if pole.kind == "lorentz" else 0.0
        epsilon += pole.sigma * pole.f0**2 / (resonance - frequency**2 - 1j * frequency * pole.gamma)
    return bool(np.any(epsilon.real < 0))


def _sentence(error: EvidenceError) -> str:
    text = "; ".join(" ".join(line.split()) for line in str(error).splitlines())
    return f"{text[:1].upper()}{text[1:]}."
