"""The creating half of a stage: design and code, each in its review loop, each free to experiment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from agents import code_generator, code_reviewer, design_reviewer, simulation_designer
from agents.core import Agent
from agents.models.replay import ReplayModel
from agents.reviewing import judge_review
from flows.asking import ask
from flows.calls import ask_agent, request_images
from flows.consulting import consult
from flows.context import Run
from flows.describing import description_findings, take_description
from flows.endings import RunStopped, StageAbandoned
from flows.review import LimitDecision, review_loop
from flows.steps import experiment as experiment_task
from schemas.base import FileRef, canonical_json
from schemas.design import CodeAnswer, CodeNote, Design, DesignAnswer, Experiment, NamedValue
from schemas.errors import AnswerError
from schemas.execution import Execution, ExperimentResult
from schemas.interaction import Choice, Question
from schemas.plan import Stage
from schemas.progress import Counters
from schemas.review import BacktrackSuggestion, Issue, ReviewAnswer
from schemas.transcript import Position, TranscriptEntry
from tasks.assumptions import revised
from tasks.experiments import experiment_job
from tasks.lint import lint
from tasks.lint.names import simkit_names
from tasks.meep_interpreter import meep_names
from tasks.simulation import execution_id
from tasks.store import atomic_write

Proposal = TypeVar("Proposal", DesignAnswer, CodeAnswer)


def count(run: Run, node: str, **changes: int) -> Counters:
    """Add to the run's counters as a node that owns them."""
    counters = run.state.counters
    new = counters.model_copy(update={name: getattr(counters, name) + by for name, by in changes.items()})
    run.update(node, counters=new)
    return new


def suggested(run: Run, suggestion: BacktrackSuggestion | None, by: str) -> BacktrackSuggestion | None:
    """The newest backtrack suggestion, signed; an earlier one stays if there is no new one."""
    return suggestion.model_copy(update={"suggested_by": by}) if suggestion else run.state.backtrack_suggestion


def preflight_findings(run: Run, design: Design) -> tuple[Issue, ...]:
    """What would exceed this run's limits, found before anything is computed."""
    found = []
    memory = run.settings.limits.max_memory_gb * 1024
    if design.estimated_memory_mb > memory:
        found.append(Issue(severity="blocking", where="estimated_memory_mb", fix="a smaller cell, symmetries, fewer DFT points",
                           description=f"needs {design.estimated_memory_mb:.0f} MB; a simulation may use {memory:.0f} MB"))
    # the estimate is of the full grid, which a debug run does not use
    if run.budget_left_s() < design.estimated_cpu_s and not run.settings.debug_mode:
        found.append(Issue(severity="blocking", where="estimated_cpu_s", fix="a cheaper design",
                           description=f"the finest run needs {design.estimated_cpu_s:.0f} s; the run has "
                                       f"{run.budget_left_s():.0f} s left"))
    return tuple(found)


def make_design(run: Run, stage: Stage, attempt: int, feedback: str = "", pictures: tuple[FileRef, ...] = ()) -> None:
    """A reviewed design in the state. Raises StageAbandoned or RunStopped when a person gives up."""

    def produce(words: str, revisions: int) -> Design:
        run.console.say(f"designing{_round(revisions)}", stage=stage.stage_id)
        run.update("design", reviewer_feedback=words,
                   reviewer_verdict="needs_revision" if words else run.state.reviewer_verdict)
        answer = _propose(run, simulation_designer.AGENT, DesignAnswer, stage, attempt, pictures,
                          lambda results: simulation_designer.context(run.state, run.paper, experiments=results,
                                                                      earlier=_earlier(run, stage)))
        design = answer.design
        if design is None:
            raise AnswerError("the designer gave neither a design nor an experiment")
        run.designs[stage.stage_id] = design
        run.update("design", design=design, performance_estimate=(
            NamedValue(name="cpu_s_of_the_finest_run", value=design.estimated_cpu_s),
            NamedValue(name="memory_mb", value=design.estimated_memory_mb)),
                   assumptions=revised(run.state.assumptions, design.new_assumptions))
        atomic_write(run.run_dir / stage.stage_id / "design.json", design.model_dump_json(indent=1))
        return design

    def review(design: Design) -> ReviewAnswer:
        run.console.say("reviewing the design", stage=stage.stage_id)
        if design.described:
            found = description_findings(run, stage, design)
            if any(issue.severity == "blocking" for issue in found):  # refused by code: no opinion is needed
                return reviewed(judge_review(None, found))
        findings = (*design_reviewer.rule(design, stage, tuple(run.materials().values())),
                    *preflight_findings(run, design), *(found if design.described else ()))
        answer = ask_agent(run, design_reviewer.AGENT,
                           design_reviewer.context(run.state, run.paper, findings=findings), ReviewAnswer,
                           position=run.position("design_reviewer", stage.stage_id, attempt))
        return reviewed(judge_review(answer, findings))

    def reviewed(verdict: ReviewAnswer) -> ReviewAnswer:
        run.update("design_review", review=verdict, reviewer_verdict=verdict.verdict,
                   reviewer_feedback=verdict.feedback)
        return verdict

    _loop(run, stage, "design", produce, review, run.settings.limits.max_design_revisions, feedback)


def make_code(run: Run, stage: Stage, attempt: int, feedback: str = "", pictures: tuple[FileRef, ...] = ()) -> None:
    """Reviewed code in the state; a description is its own code, and is mended by a new design.

    Raises StageAbandoned or RunStopped when a person gives up.
    """
    if run.state.design is not None and run.state.design.described and feedback:
        make_design(run, stage, attempt, feedback, pictures)
        feedback, pictures = "", ()
    if run.state.design is not None and run.state.design.described:
        take_description(run, stage)
        return

    def produce(words: str, revisions: int) -> str:
        run.console.say(f"writing the simulation{_round(revisions)}", stage=stage.stage_id)
        run.update("generate_code", reviewer_feedback=words,
                   reviewer_verdict="needs_revision" if words else run.state.reviewer_verdict)
        answer = _propose(run, code_generator.AGENT, CodeAnswer, stage, attempt, pictures,
                          lambda results: code_generator.context(run.state, run.paper, experiments=results,
                                                                 earlier=_earlier(run, stage)))
        if answer.code is None:
            raise AnswerError("the code generator gave neither code nor an experiment")
        run.update("generate_code", code=answer.code, code_note=CodeNote(
            explanation=answer.explanation, expected_outputs=answer.expected_outputs,
            estimated_cpu_s=answer.estimated_cpu_s))
        atomic_write(run.run_dir / stage.stage_id / "code.py", answer.code)
        return answer.code

    def review(code: str) -> ReviewAnswer:
        run.console.say("reviewing the simulation", stage=stage.stage_id)
        limit_s = 60 * min(run.settings.limits.max_stage_runtime_minutes, stage.runtime_budget_minutes)
        findings = code_reviewer.rule(run.state, limit_s) + tuple(
            Issue(severity="blocking" if f.severity == "blocking" else "minor", where=f"line {f.line}: {f.rule}",
                  description=f.message, fix=f.fix)
            for f in lint(code, expected_targets=[t.target_id for t in stage.targets],
                          known_materials=list(run.materials()),
                          known_names={**meep_names(run.meep.path), "simkit": simkit_names()}))
        answer = ask_agent(run, code_reviewer.AGENT, code_reviewer.context(run.state, run.paper, findings=findings),
                           ReviewAnswer, position=run.position("code_reviewer", stage.stage_id, attempt))
        verdict = judge_review(answer, findings)
        run.update("code_review", review=verdict, reviewer_verdict=verdict.verdict, reviewer_feedback=verdict.feedback,
                   backtrack_suggestion=suggested(run, verdict.backtrack_suggestion, "CodeReviewerAgent"))
        return verdict

    _loop(run, stage, "code", produce, review, run.settings.limits.max_code_revisions, feedback)


def _earlier(run: Run, stage: Stage) -> tuple[Execution, ...]:
    """The finest executions of the stages this one depends on, whose files its simulations may read."""
    return tuple(e for name in stage.dependencies if name in run.outputs for e in run.outputs[name].finest())


def _loop(run: Run, stage: Stage, what: str, produce: Callable[[str, int], object],
          review: Callable[..., ReviewAnswer], limit: int, feedback: str) -> None:
    counter = f"{what}_revisions"  # per stage attempt, also across a design that is made again within it

    def sent_back(verdict: ReviewAnswer, so_far: int) -> None:
        first = verdict.issues[0].description if verdict.issues else verdict.feedback[:200]
        run.history.append(f"{stage.stage_id}: {what} sent back ({so_far}): {first}")
        run.console.say(f"{what} sent back: {first}", stage=stage.stage_id)
        count(run, f"{what}_review", **{counter: 1})

    def on_limit(_version: object, verdict: ReviewAnswer, so_far: int) -> LimitDecision:
        decision = ask_limit(run, stage, f"{what}_limit", f"The {what} of {stage.stage_id} was sent back {so_far} times",
                             "\n".join(f"- **{i.severity}** {i.where}: {i.description}" for i in verdict.issues)
                             + f"\n\n{verdict.feedback}",
                             agent="simulation_designer" if what == "design" else "code_generator",
                             may_accept=not any(issue.severity == "blocking" for issue in verdict.issues))
        run.update(f"{what}_review", counters=run.state.counters.model_copy(update={counter: 0}))
        return decision

    _, approved, _ = review_loop(produce, review, limit=limit, on_revision=sent_back, on_limit=on_limit,
                                 feedback=feedback, sent_back=getattr(run.state.counters, counter))
    if not approved:
        raise StageAbandoned(f"no approved {what}")


def ask_limit(run: Run, stage: Stage, kind: str, title: str, body: str, *, agent: str, may_accept: bool = False
              ) -> LimitDecision:
    """Ask what to do when a stage cannot go on by itself: guide `agent`, accept, skip the stage, or stop the run."""
    choices = [Choice(name="guide", effect="try again with your words", words="text", words_to=agent),
               Choice(name="skip_stage", effect="give this stage up; the run goes on without it"),
               Choice(name="stop", effect="stop the run and report what there is")]
    if may_accept:
        choices.append(Choice(name="accept", effect="use the last version as it is"))
    number = sum(entry.interaction_type == kind for entry in run.state.user_interactions) + 1
    answer = ask(run, Question(
        question_id=f"{kind}-{stage.stage_id}-{number}".replace("_", "-").lower(), kind=kind, title=title, body=body,  # type: ignore[arg-type]
        choices=tuple(choices), stage_id=stage.stage_id, reason=f"limit reached: {kind}"))
    if answer.choice == "stop":
        run.update("ask_user", stop_reason=f"stopped by the user: {title}")
        raise RunStopped(title)
    kinds = {"guide": "retry", "accept": "accept", "skip_stage": "stop"}
    return LimitDecision(kinds[answer.choice], answer.text)  # type: ignore[arg-type]


def _propose(run: Run, agent: Agent, answer_type: type[Proposal], stage: Stage, attempt: int,
             pictures: tuple[FileRef, ...],
             context: Callable[[tuple[ExperimentResult, ...]], dict[str, object]]) -> Proposal:
    """Ask until the final answer, running the experiments it asks for in between."""
    position = run.position(agent.name, stage.stage_id, attempt)
    results: tuple[ExperimentResult, ...] = ()
    images = [(ref, "from the last run") for ref in pictures]
    limit = run.settings.limits.max_experiments
    asked = 0
    for step in range(limit + 2 + run.settings.limits.max_questions):
        here = position.model_copy(update={"step": step})
        answer = ask_agent(run, agent, context(results), answer_type, position=here,
                           images=request_images(run, images))
        questions = answer.questions if isinstance(answer, DesignAnswer) else ()
        more = consult(run, questions, here, asked=asked) if questions else 0
        if more:
            asked += more
            continue
        final = answer.design if isinstance(answer, DesignAnswer) else answer.code
        if final is not None:
            return answer
        if answer.experiment is None or run.state.counters.experiments >= limit:
            results = (*results, ExperimentResult(
                question="(harness)", code="", exit_code=None,
                output=f"No experiment is left ({limit} a stage) or none was given, and no question: "
                       "give the final answer now."))
            continue
        result = _experiment(run, answer.experiment, here, stage)
        count(run, "design" if isinstance(answer, DesignAnswer) else "generate_code", experiments=1)
        results = (*results, result)
        images += [(ref, f"experiment {step + 1}: {answer.experiment.question[:120]}") for ref in result.pictures]
    raise AnswerError(f"{agent.name} gave no final answer after {limit + 2} requests",
                      allowed=f"{limit} experiments a stage", fix="raise max_experiments, or guide the agent")


def _experiment(run: Run, wanted: Experiment, position: Position, stage: Stage) -> ExperimentResult:
    run.console.say(f"experiment: {wanted.question}", stage=stage.stage_id)
    if isinstance(run.model, ReplayModel):
        recorded = run.model.experiment(position)
        if recorded is not None:
            _write_down(run, position, recorded.model_copy(update={"pictures": ()}))
            return recorded.model_copy(update={"pictures": ()})
    materials = {name: record.parameters() for name, record in run.materials().items()}
    job = experiment_job(wanted, paper_id=run.paper.paper_id, stage_id=stage.stage_id,
                         materials_json=canonical_json(materials), cpu_s=run.settings.limits.experiment_cpu_s,
                         memory_mb=int(run.settings.limits.max_memory_gb * 1024), meep_version=run.meep.meep_version)
    findings = [f for f in lint(wanted.code, expected_targets=[], known_materials=list(materials))
                if f.severity == "blocking" and f.rule not in ("nothing-simulated", "never-finished")]
    if findings:
        result = ExperimentResult(question=wanted.question, code=wanted.code, exit_code=None,
                                  output="not run: " + "; ".join(f"line {f.line}: {f.message} {f.fix}" for f in findings))
    else:
        name = execution_id(job)
        result = experiment_task(
            key=f"experiment-{run.line}-{name}", label=position.label(), run_id=run.handle, experiment=wanted, job=job,
            folder=f"{stage.stage_id}/experiments/{position.label()}")
    _write_down(run, position, result)
    return result


def _write_down(run: Run, position: Position, result: ExperimentResult) -> None:
    run.transcript.add(TranscriptEntry(kind="experiment", position=position, answer=result.model_dump(mode="json")))


def _round(revisions: int) -> str:
    return f" (revision {revisions})" if revisions else ""
