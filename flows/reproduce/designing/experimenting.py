"""Asking a creating agent for its final answer, with the experiments and questions in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from agents.models.replay import ReplayModel
from agents.talking.agent import Agent
from flows.calls.calling import ask_agent, request_images
from flows.questions.consulting import consult
from flows.reproduce.context import Run
from flows.reproduce.counting import count
from flows.reproduce.steps import experiment as experiment_task
from schemas.base import FileRef, canonical_json
from schemas.errors import UnreadableAnswer
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.design import CodeAnswer, DesignAnswer, Experiment
from schemas.reproduce.simulations.execution import ExperimentResult
from schemas.talking.transcript import Position, TranscriptEntry
from tasks.files.store import atomic_write
from tasks.reproduce.experiments import experiment_job
from tasks.reproduce.lint import lint
from tasks.reproduce.simulation import execution_id

Proposal = TypeVar("Proposal", DesignAnswer, CodeAnswer)


def propose(
    run: Run,
    agent: Agent,
    answer_type: type[Proposal],
    stage: Stage,
    attempt: int,
    pictures: tuple[FileRef, ...],
    context: Callable[[tuple[ExperimentResult, ...]], dict[str, object]],
) -> Proposal:
    """Ask until the final answer, running the experiments it asks for in between."""
    position = run.position(agent.name, stage.stage_id, attempt)
    results: tuple[ExperimentResult, ...] = ()
    images = [(ref, "from the last run") for ref in pictures]
    limit = run.settings.limits.max_experiments
    asked = 0
    keep_feedback(run, stage, position, context(results))
    for step in range(limit + 2 + run.settings.limits.max_questions):
        here = position.model_copy(update={"step": step})
        answer = ask_agent(
            run, agent, context(results), answer_type, position=here, images=request_images(run, images)
        )
        questions = answer.questions if isinstance(answer, DesignAnswer) else ()
        more = consult(run, questions, here, asked=asked) if questions else 0
        if more:
            asked += more
            continue
        final = (answer.design or answer.edits) if isinstance(answer, DesignAnswer) else answer.code
        if final is not None:
            return answer
        if answer.experiment is None or run.state.counters.experiments >= limit:
            results = (
                *results,
                ExperimentResult(
                    question="(harness)",
                    code="",
                    exit_code=None,
                    output=f"No experiment is left ({limit} a stage) or none was given, and no question: "
                    "give the final answer now.",
                ),
            )
            continue
        result = _experiment(run, answer.experiment, here, stage)
        count(run, "design" if isinstance(answer, DesignAnswer) else "generate_code", experiments=1)
        results = (*results, result)
        images += [
            (ref, f"experiment {step + 1}: {answer.experiment.question[:120]}") for ref in result.pictures
        ]
    raise UnreadableAnswer(
        f"{agent.name} gave no final answer after {limit + 2} requests",
        allowed=f"{limit} experiments a stage",
        fix="raise max_experiments, or guide the agent",
    )


def keep_feedback(run: Run, stage: Stage, position: Position, context: Mapping[str, object]) -> None:
    """Write down what a blind agent is told about earlier versions, as it is told: results withheld. The report prints it."""
    told = [
        f"## {name}\n\n{text}"
        for name in ("reviewer_feedback", "supervisor_feedback")
        if (text := context.get(name))
    ]
    if told:
        atomic_write(run.run_dir / stage.stage_id / "feedback" / f"{position.label()}.md", "\n\n".join(told))


def _experiment(run: Run, wanted: Experiment, position: Position, stage: Stage) -> ExperimentResult:
    run.console.say(f"experiment: {wanted.question}", stage=stage.stage_id)
    if isinstance(run.model, ReplayModel):
        recorded = run.model.experiment(position, ExperimentResult)
        if recorded is not None:
            _write_down(run, position, recorded.model_copy(update={"pictures": ()}))
            return recorded.model_copy(update={"pictures": ()})
    materials = {name: record.parameters() for name, record in run.materials().items()}
    job = experiment_job(
        wanted,
        paper_id=run.paper.paper_id,
        stage_id=stage.stage_id,
        materials_json=canonical_json(materials),
        cpu_s=run.settings.limits.experiment_cpu_s,
        memory_mb=int(run.settings.limits.max_memory_gb * 1024),
        meep_version=run.meep.meep_version,
    )
    findings = [
        f
        for f in lint(wanted.code, expected_targets=[], known_materials=list(materials))
        if f.severity == "blocking" and f.rule not in ("nothing-simulated", "never-finished")
    ]
    if findings:
        result = ExperimentResult(
            question=wanted.question,
            code=wanted.code,
            exit_code=None,
            output="not run: " + "; ".join(f"line {f.line}: {f.message} {f.fix}" for f in findings),
        )
    else:
        name = execution_id(job)
        result = experiment_task(
            key=f"experiment-{run.line}-{name}",
            label=position.label(),
            run_id=run.handle,
            experiment=wanted,
            job=job,
            folder=f"{stage.stage_id}/experiments/{position.label()}",
        )
    _write_down(run, position, result)
    return result


def _write_down(run: Run, position: Position, result: ExperimentResult) -> None:
    run.transcript.add(
        TranscriptEntry(kind="experiment", position=position, answer=result.model_dump(mode="json"))
    )
