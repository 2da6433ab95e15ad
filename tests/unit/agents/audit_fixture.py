"""The coating paper half way through its second stage: a state in which every agent has something to be told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agents.reproduce import (
    code_generator,
    code_reviewer,
    comparison_validator,
    design_reviewer,
    execution_validator,
    figure_reader,
    physics_sanity,
    plan_reviewer,
    planner,
    prompt_adaptor,
    results_analyzer,
    simulation_designer,
    supervisor,
)
from agents.reproduce.registry import AGENTS, CONCLUSIONS
from agents.reproduce.rules.prose_rules import withhold_adaptations
from agents.talking.agent import build_request
from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.judging.evidence import Check, ExecutionEvidence, PhysicsEvidence, TargetEvidence
from schemas.reproduce.judging.verdicts import AnalysisAnswer, ComparisonAnswer, Discrepancy, ExecutionAnswer
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.settings import Limits, RunSettings
from schemas.reproduce.simulations.design import CodeAnswer, CodeNote, DesignAnswer, NamedValue, SolvedBefore
from schemas.reproduce.simulations.execution import Execution, ExperimentResult, StageOutputs
from schemas.reproduce.state import ReproState
from schemas.talking.adaptation import AdaptationAnswer
from schemas.talking.interaction import UserInteraction
from schemas.talking.review import BacktrackSuggestion, Issue
from schemas.talking.transcript import AgentRequest, Position, RequestImage
from tests.flow import coating
from tests.unit.papers.reader_tries import figure

STAGE = "stage1_coating"
QUOTATION = "the reflectance is 1.26 %"
FILM = "The film on glass, light from air at normal incidence"
PICTURE = "stages/epsilon.png"
ANSWER = PlannerAnswer.model_validate(coating.PLAN)
CODE = CodeAnswer.model_validate(
    {"code": coating.STAGE1_CODE, "expected_outputs": ["curve.csv"], "explanation": ""}
)
DESIGN = DesignAnswer.model_validate(coating.design(STAGE, [0.5, 1.0], coating.STAGE1_OUT)).design
assert DESIGN is not None
DESIGN = DESIGN.model_copy(update={"expectations": ("R + T = 1",)})
FINDING = (Issue(severity="minor", where="resolution", description="90 pixels per wavelength", fix=""),)
ADAPTATIONS = AdaptationAnswer.model_validate(
    {
        "domain": "thin_films",
        "materials": ["glass"],
        "techniques": ["FDTD"],
        "adaptations": [
            {
                "adaptation_id": f"for_{name}",
                "target_agent": name,
                "modification_type": "append",
                "section": "Pitfalls",
                "content": "Light comes from air; the minimum of 1.26 % lies at 550 nm.",
                "confidence": 0.9,
                "reason": "stated",
            }
            for name in ("planner", "simulation_designer", "code_generator")
        ],
    }
)


SOLVED = SolvedBefore(
    stage_id="stage1_bare",
    code="def describe(p):\n    return Problem(scenes=[], quantities=[])\n",
    cpu_s=7,
    remarks=("padding mattered",),
)
SHAPE = ExtractedParameter(
    name="shape", value="a slab", unit="1", role="input", quotation="a single film", place="Methods"
)


def paper() -> PaperInput:
    """The coating paper, with a supplement so that its keys are shown too."""
    return PaperInput.model_validate(
        {
            "paper_id": "coating",
            "title": "A quarter-wave coating",
            "citation": "Born and Wolf, section 1.6",
            "domain": "thin_films",
            "text": coating.TEXT,
            "supplementary_text": "# Supplement\n\nThe lamp is stable.",
            "patterns": [{"name": "design", "file": "data/design.csv", "source": "its supplement"}],
            "figures": [
                {
                    "figure_id": "fig1",
                    "caption": "Reflectance of the coated glass.",
                    "data": [
                        {
                            "file": "data/fig1.csv",
                            "origin": "computed_from_exact_theory",
                            "source": "one film",
                        }
                    ],
                },
                {"figure_id": "figS1", "caption": "The lamp."},
            ],
            "scope": {"figures": ["fig1"]},
        }
    )


def _execution() -> Execution:
    return Execution.model_validate(
        {
            "execution_id": "e1",
            "stage_id": STAGE,
            "resolution_scale": 1.0,
            "exit_code": 0,
            "wall_s": 3,
            "messages": [{"name": "geometry_warning", "value": 1, "detail": "the source touches the PML"}],
            "cpu_s": 3,
            "complete": True,
            "stdout_tail": "wrote curve.csv",
            "directory": f"{STAGE}/e1",
            "stderr_tail": 'File "/tmp/reprolab/x/simulation.py", line 3\nWarning: slow',
            "pictures": [{"path": f"{STAGE}/e1/epsilon.png", "sha256": "1" * 64, "bytes": 10}],
            "datasets": [
                {
                    "dataset_id": "curve",
                    "kind": "spectrum",
                    "rows": 101,
                    "columns": [{"name": "R", "quantity": "reflectance", "unit": "1"}],
                    "targets": [{"target": "R_curve", "column": "R"}],
                    "file": {"path": f"{STAGE}/e1/curve.csv", "sha256": "0" * 64, "bytes": 10},
                }
            ],
        }
    )


def evidence() -> tuple[TargetEvidence, ...]:
    """Evidence on both targets of the stage; one of them falls short."""
    common: dict[str, Any] = {
        "stage_id": STAGE,
        "ran": True,
        "computed": True,
        "converged": True,
        "physical": True,
    }
    return tuple(
        TargetEvidence.model_validate(common | own)
        for own in (
            {
                "target_id": "R_550",
                "matches": True,
                "classification": "SUCCESS",
                "simulated": 1.2604,
                "reference": 1.26,
                "unit": "%",
                "error": 0.03,
                "measure": "relative_percent",
                "acceptable": 15.0,
            },
            {
                "target_id": "R_curve",
                "matches": False,
                "classification": "PARTIAL",
                "error": 16.2,
                "nrms_percent": 8.1,
                "overlay": f"{STAGE}/R_curve.png",
                "reasons": ("error beyond acceptable",),
            },
        )
    )


def full_state() -> ReproState:
    """The state in which the coated glass has just been compared, after a replan, revisions and a question."""
    shortfall = Discrepancy(
        target_id="R_curve",
        description="16 % off at the red end",
        likely_cause="band edge",
        severity="investigate",
        action="widen the source",
    )
    comparisons = tuple(
        FigureComparison(
            figure_id="fig1",
            stage_id=STAGE,
            target_id=e.target_id,
            evidence=e,
            classification=e.classification,
            explanation="see the overlay",
        )
        for e in evidence()
    )
    asked = UserInteraction(
        id="U1",
        timestamp="2026-01-02T03:04:05Z",
        interaction_type="material_checkpoint",
        stage_id=STAGE,
        agent="SupervisorAgent",
        reason="stage 0",
        question="Are the materials right?",
        user_response="approve",
        answered_by="terminal",
    )
    own = tuple(
        asked.model_copy(
            update={
                "id": f"U{number}",
                "interaction_type": "clarification",
                "stage_id": stage,
                "agent": agent,
                "addressed_to": agent,
                "question": "One layer or two?",
                "user_response": "one_layer",
                "impact": "take one layer",
            }
        )
        for number, (agent, stage) in enumerate(
            (("planner", None), ("simulation_designer", STAGE), ("supervisor", STAGE)), 2
        )
    )
    return ReproState(
        paper_id="coating",
        run_id="run1",
        paper_title=paper().title,
        paper_domain="thin_films",
        plan=ANSWER.plan,
        prompt_adaptations=prompt_adaptor.judge(ADAPTATIONS),
        plan_approved=True,
        plan_round=1,
        assumptions=ANSWER.assumptions,
        extracted_parameters=(*ANSWER.extracted_parameters, SHAPE),
        contradictions=("the abstract says a third",),
        contradiction_candidates=("drawn as 90 nm",),
        instructions_found=("none",),
        current_stage_id=STAGE,
        validated_materials=tuple(
            MaterialRecord(name=m.name, index=m.index, band_um=m.band_um) for m in ANSWER.plan.materials
        ),
        current_stage_type="SINGLE_STRUCTURE",
        design=DESIGN.model_copy(update={"code": SOLVED.code}),
        code=CODE.code,
        code_note=CodeNote(explanation="flux is normalised by the bare run", expected_outputs=("curve.csv",)),
        execution_verdict=ExecutionAnswer(
            verdict="fail", recoverable=True, issues=(), advice="end the film at y = 1"
        ),
        performance_estimate=(NamedValue(name="cpu_s", value=3),),
        reviewer_verdict="needs_revision",
        reviewer_feedback="R at 550 nm was 1.26 % instead of what the design says",
        stage_outputs=StageOutputs(stage_id=STAGE, code_sha256="0" * 64, executions=(_execution(),)),
        progress=(
            StageProgress(stage_id="stage0_materials", status="completed_success"),
            StageProgress(stage_id=STAGE, status="in_progress"),
        ),
        analysis=AnalysisAnswer(reports=(), discrepancies=(shortfall,), summary="one of two targets agrees"),
        comparison_verdict=ComparisonAnswer(verdict="needs_revision", issues=(), feedback="name the cause"),
        figure_comparisons=comparisons,
        discrepancies=(shortfall,),
        systematic_discrepancies=("all 16 % high",),
        backtrack_suggestion=BacktrackSuggestion(
            target_stage_id="stage0_materials",
            reason="index",
            severity="minor",
            confidence="low",
            suggested_by="physics_sanity",
        ),
        supervisor_feedback="watch the band edges",
        user_interactions=(asked, *own),
        stop_reason="the budget was reached",
    )


def contexts(state: ReproState) -> dict[str, dict[str, object]]:
    """prompt -> what its agent is told, by the functions the flows use."""
    about, checks = paper(), (Check(name="T+R+A", level="pass", measured="1.000", allowed="0.9 to 1.1"),)
    tried = (ExperimentResult(question="is 200 enough?", code="print(1)", exit_code=0, output="R = 0.0421"),)
    table = planner.describe_table("fig1", about.figures[0].data[0], "wavelength_nm,R\n450.0,0.02\n")
    facts = supervisor.gather(state, ANSWER.plan.stage(STAGE), Limits(), runtime_left_s=3600)
    return {
        "figure_reader": figure_reader.context(figure(False), "Reflectance of the coated glass."),
        "prompt_adaptor": prompt_adaptor.context(state, about),
        "planner": planner.context(state, about, data_tables=(table,), database_hint="shelf/book/page"),
        "plan_reviewer": plan_reviewer.context(state, about, findings=FINDING),
        "simulation_designer": simulation_designer.context(
            state, about, experiments=tried, earlier=(_execution(),), solved=(SOLVED,)
        ),
        "design_reviewer": design_reviewer.context(state, about, findings=FINDING),
        "code_generator": code_generator.context(state, about, experiments=tried, earlier=(_execution(),)),
        "code_reviewer": code_reviewer.context(state, about, findings=FINDING),
        "execution_validator": execution_validator.context(
            state, about, evidence=ExecutionEvidence(checks=checks)
        ),
        "physics_sanity": physics_sanity.context(state, about, evidence=PhysicsEvidence(checks=checks)),
        "results_analyzer": results_analyzer.context(state, about, evidence=evidence()),
        "comparison_validator": comparison_validator.context(state, about, evidence=evidence()),
        "supervisor": supervisor.context(state, about, facts=facts),
        "supervisor_report": supervisor.conclusions_context(state, about),
    }


def requests(state: ReproState, run_dir: Path) -> dict[str, AgentRequest]:
    """prompt -> the request as flows/calls/calling.py builds it; those who see pictures get one."""
    picture = RequestImage(
        path=str(run_dir / PICTURE), sha256="1" * 64, media_type="image/png", caption="permittivity"
    )
    adaptations = withhold_adaptations(state.prompt_adaptations or (), state)
    made = {}
    for name, shown in contexts(state).items():
        agent = CONCLUSIONS if name == CONCLUSIONS.prompt else AGENTS[name]
        made[name] = build_request(
            agent,
            shown,
            position=Position.model_validate({"agent": agent.name, "stage_id": STAGE}),
            adaptations=adaptations,
            settings=RunSettings(),
            images=(picture,) if agent.sees_images else (),
        )
    assert json.dumps([request.model_dump(mode="json") for request in made.values()])
    return made
