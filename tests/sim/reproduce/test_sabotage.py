"""Sabotaged simulations fail honestly: the recorded code, made wrong, judged by the comparison that judges every run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord
from schemas.reproduce.planning.plan import Plan, PlannerAnswer, Stage
from schemas.reproduce.simulations.design import CodeAnswer, Design, DesignAnswer
from schemas.reproduce.simulations.execution import SimulationJob, StageOutputs
from tasks.files.store import Store
from tasks.files.transcript import read_entries
from tasks.reproduce.evidence.echo import echo_checks
from tasks.reproduce.evidence.execution import execution_evidence
from tasks.reproduce.evidence.possible import physics_evidence
from tasks.reproduce.judging.targets import target_evidence
from tasks.reproduce.judging.together import Stated, with_their_curves
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.papers import BUNDLED
from tasks.reproduce.prepare_materials import prepare_material
from tasks.reproduce.simulation import materialise, run_simulation, simkit_digest

pytestmark = pytest.mark.sim
RECORDINGS = Path(__file__).resolve().parents[2] / "recordings"  # free scripts: the escape hatch


class Recorded:
    """A bundled paper's final plan, and each stage's final design and code."""

    def __init__(self, paper: str):
        self.folder = BUNDLED / paper
        _, entries = read_entries(RECORDINGS / f"{paper}.jsonl")
        answers = [(e.position, e.answer) for e in entries if e.kind == "call"]
        self.plan: Plan = [PlannerAnswer.model_validate(a).plan for p, a in answers if p.agent == "planner"][
            -1
        ]
        self._answers = answers

    def design(self, stage: str) -> Design:
        found = [
            DesignAnswer.model_validate(a).design
            for p, a in self._answers
            if p.agent == "simulation_designer" and p.stage_id == stage
        ]
        return [design for design in found if design][-1]

    def code(self, stage: str) -> str:
        found = [
            CodeAnswer.model_validate(a).code
            for p, a in self._answers
            if p.agent == "code_generator" and p.stage_id == stage
        ]
        return [code for code in found if code][-1]


def classes(
    recorded: Recorded,
    stage: Stage,
    code: str,
    tmp: Path,
    pages: dict[str, str] | None = None,
    scales: tuple[float, ...] = (),
) -> dict[str, str]:
    """target -> classification of `code` run for `stage`, with other material pages where given.

    scales: resolution scales to run; the two finest of the design by default.
    """
    store, meep, run = Store(tmp / "store"), find_meep(), tmp / "run"
    materials: dict[str, MaterialRecord] = {}
    used: dict[str, MaterialRecord] = {}
    for choice in recorded.plan.materials:
        materials[choice.name] = prepare_material(
            choice, store=store, run_dir=run, meep_python=None, with_alternatives=False
        )
        swapped = (pages or {}).get(choice.name)
        used[choice.name] = (
            materials[choice.name]
            if not swapped
            else prepare_material(
                MaterialChoice(
                    name=choice.name,
                    page=swapped,
                    band_um=choice.band_um,
                    reason="sabotage",
                    source="sabotage",
                ),
                store=store,
                run_dir=run,
                meep_python=None,
                with_alternatives=False,
            )
        )
    design = recorded.design(stage.stage_id)
    executions = []
    for scale in scales or design.convergence_scales[-2:]:
        for point in design.sweep_points or ((),):
            job = SimulationJob(
                paper_id="sabotage",
                stage_id=stage.stage_id,
                code=code,
                resolution_scale=scale,
                point=tuple((v.name, v.value) for v in point),
                wall_limit_s=300,
                cpu_limit_s=300,
                materials_json=json.dumps({n: r.parameters() for n, r in used.items()}, sort_keys=True),
                meep_version=meep.meep_version,
                simkit_digest=simkit_digest(),
            )
            execution = run_simulation(job, store=store, meep=meep)
            executions.append(materialise(execution, store, run, f"runs/{execution.execution_id[:12]}"))
    outputs = StageOutputs(stage_id=stage.stage_id, code_sha256="0", executions=tuple(executions))
    ran = execution_evidence(outputs, stage, run)
    typed = echo_checks(code, stage, paper_dir=recorded.folder)
    physical = physics_evidence(outputs, stage, run).level != "fail"
    if ran.level == "fail" or any(check.level == "fail" for check in typed):
        return {
            target.target_id: "FAILURE" for target in stage.targets
        }  # the flow never lets such a run be compared
    found = [
        target_evidence(
            outputs,
            stage,
            target,
            root=run,
            paper_dir=recorded.folder,
            profile="default",
            physical=physical,
            materials=materials,
            origin="reference",
            overlay_dir=run / "plots",
        )[0]
        for target in stage.targets
    ]
    return {
        evidence.target_id: evidence.classification
        for evidence in with_their_curves(
            stage, found, outputs, Stated(), root=run, paper_dir=recorded.folder
        )
    }


def changed(code: str, *edits: tuple[str, str]) -> str:
    """The code with each edit made; every edit must apply."""
    for old, new in edits:
        assert old in code, f"the recorded code no longer holds {old!r}"
        code = code.replace(old, new)
    return code


@pytest.mark.long
@pytest.mark.attack("judgement", "FAILURE, or no evidence")
@pytest.mark.long
def test_another_metal_under_the_germanium(tmp_path):
    recorded = Recorded("ge-on-gold")
    stage = next(s for s in recorded.plan.stages if s.stage_type == "SINGLE_STRUCTURE")
    found = classes(recorded, stage, recorded.code(stage.stage_id), tmp_path, {"gold": "main/Ag/Johnson"})
    assert "SUCCESS" not in found.values(), found


@pytest.mark.long
@pytest.mark.attack("judgement", "FAILURE, or no evidence")
def test_a_wrong_radius(tmp_path):
    """Ten per cent too thin, at the two coarser of the recorded resolutions to save time."""
    recorded = Recorded("bohren-huffman-cylinder")
    stage = recorded.plan.stage("stage1_e_parallel")
    code = changed(
        recorded.code(stage.stage_id),
        ("RADIUS = 0.525", "RADIUS = 0.4725"),
        ("sk.whole_pixels(RADIUS, resolution)\n", ""),
    )
    found = classes(
        recorded, stage, code, tmp_path, scales=recorded.design(stage.stage_id).convergence_scales[:2]
    )
    assert "SUCCESS" not in found.values(), found


@pytest.mark.attack("judgement", "FAILURE, or no evidence")
def test_the_papers_values_printed_instead_of_computed(tmp_path):
    """It even runs a small Meep simulation, and lets the numbers move a little with the resolution."""
    recorded = Recorded("ge-on-gold")
    stage = next(s for s in recorded.plan.stages if s.stage_type == "SINGLE_STRUCTURE")
    curve = next(t for t in stage.targets if t.kind == "curve")
    lines = (recorded.folder / str(curve.reference.file)).read_text().splitlines()
    header = [name.strip() for name in lines[0].split(",")]
    x, y = header.index(str(curve.reference.x_column)), header.index(str(curve.reference.y_column))
    rows = [line.split(",") for line in lines[1:]]
    code = f"""
import meep as mp
import numpy as np
import simkit as sk
run = sk.start()
sim = mp.Simulation(cell_size=mp.Vector3(z=4), dimensions=1, resolution=run.resolution(50), boundary_layers=[mp.PML(1)],
                    sources=[mp.Source(mp.GaussianSource(1.5, fwidth=1), mp.Ex, mp.Vector3())])
sim.run(until=20)
x = np.array([{", ".join(row[x] for row in rows)}])
y = np.array([{", ".join(row[y] for row in rows)}]) * (1 + 1e-4 * run.resolution_scale)
run.spectrum("curve", ("wavelength", "wavelength", "nm", x), [("R", "reflectance", "1", y)],
             targets={{"R": {[t.target_id for t in stage.targets]!r}}}, description="copied")
run.finish()
"""
    found = classes(recorded, stage, code, tmp_path)
    assert "SUCCESS" not in found.values(), found
