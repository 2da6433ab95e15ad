"""Plan, material, evidence and executions of the small finished run that the report's tests use."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from schemas.base import FileRef
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord, Pole
from schemas.reproduce.planning.plan import Plan, Reference, Stage, Target
from schemas.reproduce.simulations.execution import Execution, Failure, MeepRun


def dip(x: np.ndarray, centre: float) -> np.ndarray:
    return 0.9 - 0.7 / (1 + ((x - centre) / 60) ** 2)


def gold_record(plot: Path, run_dir: Path) -> MaterialRecord:
    return MaterialRecord(
        name="gold",
        page="main/Au/Johnson",
        reference="P. B. Johnson and R. W. Christy, Phys. Rev. B 6, 4370 (1972)",
        valid_um=(0.188, 1.937),
        band_um=(0.4, 1.0),
        eps_inf=1.9,
        rms_relative_error=0.012,
        max_relative_error=0.08,
        poles=(
            Pole(kind="drude", f0=1, gamma=0.05, sigma=41),
            Pole(kind="lorentz", f0=2.2, gamma=0.6, sigma=1.5),
        ),
        remarks=("the fit is worst near 0.48 um",),
        plot=FileRef.of(plot, run_dir),
    )


def film_plan(words: str) -> Plan:
    def target(name: str, figure: str, kind: str, quantity: str, unit: str, text: str) -> Target:
        return Target(
            target_id=name,
            figure_id=figure,
            description=text,
            kind=kind,
            quantity=quantity,
            unit=unit,
            reference=Reference(kind="quotation", value=720, quotation="a dip at 720 nm", place="Results"),
        )

    fresnel = Target(
        target_id="gold_R",
        figure_id="materials",
        description="bare gold",
        kind="scalar",
        quantity="efficiency",
        reference=Reference(kind="fresnel", material="gold"),
    )
    return Plan(
        title="Germanium on gold",
        summary="Three stages.",
        main_claim=words or "A 10 nm film absorbs strongly.",
        materials=(
            MaterialChoice(
                name="gold",
                page="main/Au/Johnson",
                band_um=(0.4, 1.0),
                reason="usual choice",
                source="the paper names none",
            ),
        ),
        stages=(
            Stage(
                stage_id="materials",
                stage_type="MATERIAL_VALIDATION",
                name="Materials",
                description="gold",
                targets=(fresnel,),
            ),
            Stage(
                stage_id="film",
                stage_type="SINGLE_STRUCTURE",
                name="Film",
                description="film",
                dependencies=("materials",),
                targets=(
                    target("fig2_peak", "fig2", "scalar", "peak_position", "nm", "wavelength of the dip"),
                    target("fig2_R", "fig2", "curve", "curve", "1", "reflectance of the 10 nm film"),
                ),
            ),
            Stage(
                stage_id="sweep",
                stage_type="PARAMETER_SWEEP",
                name="Sweep",
                description="thickness",
                dependencies=("film",),
                targets=(
                    target("fig3_max", "fig3", "scalar", "scalar", "nm", "thickness of strongest absorption"),
                ),
            ),
        ),
        not_reproducible=("fig4: a photograph",),
    )


def film_evidence(run_dir: Path, target_id: str, **values: object) -> TargetEvidence:
    file = "stages/film/R_10nm.csv"
    standing = {
        "matches": True,
        "classification": "SUCCESS",
        "ran": True,
        "computed": True,
        "converged": True,
        "physical": True,
    }
    return TargetEvidence(
        target_id=target_id,
        stage_id="film",
        execution_id="4f" * 32,
        file=file,
        sha256=hashlib.sha256((run_dir / file).read_bytes()).hexdigest(),
        reference_source="quotation, Results",
        overlay="stages/film/overlay.png",
        **(standing | values),
    )


def film_executions(words: str) -> tuple[Execution, ...]:
    run = MeepRun(
        label="film",
        dimensions=1,
        cell=(0, 0, 4),
        resolution=400,
        courant=0.5,
        pixels=1600,
        time_steps=120000,
        meep_time=150,
        wall_s=2,
        stop_criterion="decay 1e-8",
        stop_reached=6e-9,
        max_field=1.2,
    )
    good = {
        "stage_id": "film",
        "exit_code": 0,
        "wall_s": 3.2,
        "cpu_s": 3.0,
        "peak_memory_mb": 140,
        "complete": True,
        "meep_version": "1.25.0",
        "meep_runs": (run,),
        "directory": "stages/film",
    }
    return (
        Execution(execution_id="4f" * 32, resolution_scale=1.0, **good),
        Execution(execution_id="5a" * 32, resolution_scale=0.5, **good),
        Execution(
            execution_id="6b" * 32,
            stage_id="film",
            resolution_scale=1.0,
            exit_code=1,
            directory="x",
            failure=Failure(failure_class="code", reason=words or "NameError: mirror"),
            rejected=(words or "link.csv: a symbolic link",),
        ),
    )
