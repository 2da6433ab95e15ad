"""A small paper, its plan and the state of a run at its second stage, for the tests of agents and prompts."""

from __future__ import annotations

from schemas.base import FileRef
from schemas.reproduce.handed_pattern import PaperPattern
from schemas.reproduce.judging.evidence import Check, ExecutionEvidence, PhysicsEvidence, TargetEvidence
from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord, Pole
from schemas.reproduce.paper import PaperData, PaperFigure, PaperInput
from schemas.reproduce.planning.parameters import Assumption, ExtractedParameter
from schemas.reproduce.planning.plan import Plan, Reference, Stage, Target
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.simulations.design import Design, NamedValue, OutputSpec
from schemas.reproduce.simulations.execution import Column, Dataset, DatasetTarget, Execution, StageOutputs
from schemas.reproduce.state import ReproState
from schemas.talking.interaction import UserInteraction

TEXT = """# Thin gold films

## Abstract
We report a reflectance of 0.8734 for a gold film at 633 nm, and a dip at 523.4 nm.

## Introduction
Gold has been studied for a long time.

## Methods
The film is 45 nm thick and stands in air; glass has an index of 1.5. Optical constants follow Johnson and Christy.

### Simulation
We used a period of 412.5 nm \u2014 the fill factor is 62 %.

## Results
The dip lies at 523.4\u202fnm with a depth of 0.27.
"""

PAPER = PaperInput(
    paper_id="thin_gold",
    title="Thin gold films",
    citation="A. Author, J. Opt. 1, 1 (2020)",
    domain="thin_films",
    text=TEXT,
    patterns=(PaperPattern(name="design", file="data/design.csv", source="its supplement"),),
    figures=(
        PaperFigure(
            figure_id="fig1",
            caption="Reflectance of the film",
            image="fig1.png",
            data=(PaperData(file="fig1.csv", origin="digitised", source="digitised from figure 1"),),
        ),
        PaperFigure(figure_id="fig2", caption="A photograph of the sample"),
    ),
)

MEASURED = "text: the reflectance of 0.8734 was measured on a sample"
COLUMNS = {"fig1.csv": ("wavelength_nm", "R")}

CURVE = Target(
    target_id="fig1_R",
    figure_id="fig1",
    description="reflectance curve with its dip near 523.4 nm",
    kind="curve",
    quantity="curve",
    x_unit="nm",
    x_range=(450.0, 750.0),
    reference=Reference(kind="data", file="fig1.csv", x_column="wavelength_nm", y_column="R"),
)
DIP = Target(
    target_id="fig1_dip",
    figure_id="fig1",
    description="position of the dip",
    kind="scalar",
    quantity="peak_position",
    unit="nm",
    reference=Reference(kind="quotation", value=523.4, quotation="The dip lies at 523.4 nm", place="Results"),
)
MINOR = DIP.model_copy(update={"target_id": "fig1_note", "major": False})

MATERIALS = Stage(
    stage_id="stage0",
    stage_type="MATERIAL_VALIDATION",
    name="materials",
    description="bare surface",
    materials=("gold",),
)
FILM = Stage(
    stage_id="stage1",
    stage_type="SINGLE_STRUCTURE",
    name="film",
    dependencies=("stage0",),
    description="A 45 nm film, whose dip the paper sees at 523.4 nm.",
    targets=(CURVE, DIP, MINOR),
    materials=("gold", "glass"),
    validation_criteria=("dip at 523.4nm within 2 %",),
    estimated_runtime_s=120,
    runtime_budget_minutes=10,
)
LATE = Stage(
    stage_id="stage2",
    stage_type="ARRAY_SYSTEM",
    name="array",
    description="An array.",
    dependencies=("stage1",),
    targets=(DIP.model_copy(update={"target_id": "array_dip"}),),
)
PLAN = Plan(
    title="plan",
    summary="three stages",
    main_claim="a dip",
    claim_targets=("fig1_dip",),
    stages=(MATERIALS, FILM, LATE),
    materials=(
        MaterialChoice(
            name="gold", page="main/Au/Johnson", band_um=(0.45, 0.75), reason="named", source="Methods"
        ),
        MaterialChoice(
            name="glass", index=1.5, band_um=(0.45, 0.75), reason="stated", source="glass has an index of 1.5"
        ),
    ),
    not_reproducible=("fig2: a photograph", MEASURED),
)

# FILM tells its result in prose, to show that it is masked; an honest plan does not.
HONEST_FILM = FILM.model_copy(
    update={
        "description": "A thin film.",
        "validation_criteria": ("one dip",),
        "targets": tuple(target.model_copy(update={"description": "reflectance"}) for target in FILM.targets),
    }
)
HONEST_PLAN = PLAN.model_copy(update={"stages": (MATERIALS, HONEST_FILM, LATE)})

EXTRACTED = (
    ExtractedParameter(
        name="thickness",
        value="45",
        unit="nm",
        role="input",
        place="Methods",
        quotation="The film is 45 nm thick",
    ),
    ExtractedParameter(
        name="period",
        value="412.5",
        unit="nm",
        role="input",
        place="Methods",
        quotation="We used a period of 412.5 nm - the fill factor",
    ),
    ExtractedParameter(
        name="reflectance",
        value="0.8734",
        role="result",
        place="Abstract",
        quotation="a reflectance of 0.8734 for a gold film",
    ),
)

RECORDS = (
    MaterialRecord(
        name="gold",
        page="main/Au/Johnson",
        band_um=(0.45, 0.75),
        valid_um=(0.2, 1.9),
        eps_inf=5.0,
        poles=(Pole(kind="drude", f0=1, gamma=0.05, sigma=50),),
        rms_relative_error=0.02,
        max_relative_error=0.05,
        min_stable_resolution=100,
    ),
    MaterialRecord(name="glass", index=1.5, band_um=(0.45, 0.75)),
)

DESIGN = Design(
    stage_id="stage1",
    summary="film in 1D",
    dimensions="1D",
    length_unit="1 um",
    geometry=("film",),
    materials=("gold", "glass", "air"),
    sources=("plane wave, Ex",),
    boundaries=("PML 1 um",),
    monitors=("flux",),
    resolution=400,
    resolution_reason="skin depth",
    stop="fields decayed by 1e-6",
    estimated_cpu_s=20,
    outputs=(
        OutputSpec(
            dataset_id="R",
            kind="spectrum",
            targets=("fig1_R", "fig1_dip", "fig1_note"),
            columns=("wavelength (wavelength, nm)", "R (reflectance, 1)"),
        ),
    ),
)

EXECUTION = Execution(
    execution_id="e1",
    stage_id="stage1",
    resolution_scale=1.0,
    exit_code=0,
    wall_s=3,
    cpu_s=3,
    complete=True,
    stdout_tail="done",
    directory="stages/stage1/e1",
    datasets=(
        Dataset(
            dataset_id="R",
            kind="spectrum",
            rows=100,
            columns=(Column(name="R", quantity="reflectance", unit="1"),),
            targets=(DatasetTarget(target="fig1_R", column="R"),),
            file=FileRef(path="stages/stage1/e1/R.csv", sha256="0" * 64, bytes=10),
        ),
    ),
)

PASSED = Check(name="T+R+A", level="pass", measured="1.000", allowed="0.9 to 1.1")
EXECUTED = ExecutionEvidence(checks=(PASSED,))
PHYSICAL = PhysicsEvidence(checks=(PASSED,))


def evidence(target_id: str, classification: str = "SUCCESS", **changes: object) -> TargetEvidence:
    """Evidence on a target of stage1."""
    good = classification == "SUCCESS"
    return TargetEvidence.model_validate(
        {
            "target_id": target_id,
            "stage_id": "stage1",
            "ran": True,
            "computed": True,
            "converged": True,
            "physical": True,
            "matches": good,
            "classification": classification,
            "error": 1.27,
            **changes,
        }
    )


def run_state(**changes: object) -> ReproState:
    """The state of a run in which stage1 has just been compared."""
    return ReproState(
        paper_id="thin_gold", run_id="run1", plan=PLAN, plan_approved=True, plan_round=1
    ).model_copy(
        update={
            "extracted_parameters": EXTRACTED,
            "validated_materials": RECORDS,
            "current_stage_id": "stage1",
            "assumptions": (
                Assumption(
                    assumption_id="a1",
                    category="geometry",
                    parameter="substrate",
                    value="none",
                    source="inferred",
                    reason="the paper finds 523.4 nm without",
                    sensitivity="low",
                ),
            ),
            "current_stage_type": "SINGLE_STRUCTURE",
            "design": DESIGN,
            "code": "import simkit\n",
            "performance_estimate": (NamedValue(name="cpu_s", value=20),),
            "reviewer_feedback": "dip must be at 523.4 nm",
            "stage_outputs": StageOutputs(stage_id="stage1", code_sha256="0" * 64, executions=(EXECUTION,)),
            "progress": (
                StageProgress(stage_id="stage0", status="completed_success"),
                StageProgress(stage_id="stage1", status="in_progress"),
                StageProgress(stage_id="stage2"),
            ),
            "user_interactions": (
                UserInteraction(
                    id="q1",
                    timestamp="2026-01-02T03:04:05Z",
                    interaction_type="material_checkpoint",
                    stage_id="stage0",
                    agent="SupervisorAgent",
                    reason="stage 0",
                    question="Correct?",
                    user_response="approve",
                    answered_by="terminal",
                ),
            ),
            **changes,
        }
    )
