"""The creating half of a stage: design and code, each in its review loop, each free to experiment."""

from __future__ import annotations

from collections.abc import Callable

from agents.reproduce import code_generator, code_reviewer, design_reviewer, simulation_designer
from agents.reproduce.rules.design_edits import edited
from agents.talking.reviewing import judge_misfits, judge_review, why_sent_back
from flows.calls.calling import ask_agent
from flows.calls.review import LimitDecision, review_loop
from flows.questions.asking import ask
from flows.reproduce.context import Run
from flows.reproduce.counting import count
from flows.reproduce.designing.describing import (
    description_findings,
    solved_before,
    take_description,
    without_unanswered,
)
from flows.reproduce.designing.experimenting import propose
from flows.run.endings import RunStopped, StageAbandoned
from schemas.base import FileRef
from schemas.errors import UnreadableAnswer
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.design import CodeAnswer, CodeNote, Design, DesignAnswer, NamedValue
from schemas.reproduce.simulations.execution import Execution
from schemas.talking.interaction import Choice, Question
from schemas.talking.review import BacktrackSuggestion, Issue, ReviewAnswer
from tasks.files.store import atomic_write
from tasks.reproduce.assumption_ledger import revised
from tasks.reproduce.lint import lint
from tasks.reproduce.lint.simkit_names import simkit_names


def suggested(run: Run, suggestion: BacktrackSuggestion | None, by: str) -> BacktrackSuggestion | None:
    """The newest backtrack suggestion, signed; an earlier one stays if there is no new one."""
    return (
        suggestion.model_copy(update={"suggested_by": by}) if suggestion else run.state.backtrack_suggestion
    )


def preflight_findings(run: Run, design: Design) -> tuple[Issue, ...]:
    """What would exceed this run's limits, found before anything is computed."""
    found = []
    memory = run.settings.limits.max_memory_gb * 1024
    if design.estimated_memory_mb > memory:
        found.append(
            Issue(
                severity="blocking",
                where="estimated_memory_mb",
                fix="a smaller cell, symmetries, fewer DFT points",
                description=f"needs {design.estimated_memory_mb:.0f} MB; a simulation may use {memory:.0f} MB",
            )
        )
    # the estimate is of the full grid, which a debug run does not use
    if run.budget_left_s() < design.estimated_cpu_s and not run.settings.debug_mode:
        found.append(
            Issue(
                severity="blocking",
                where="estimated_cpu_s",
                fix="a cheaper design",
                description=f"the finest run needs {design.estimated_cpu_s:.0f} s; the run has "
                f"{run.budget_left_s():.0f} s left",
            )
        )
    return tuple(found)


def make_design(
    run: Run, stage: Stage, attempt: int, feedback: str = "", pictures: tuple[FileRef, ...] = ()
) -> None:
    """A reviewed design in the state. Raises StageAbandoned or RunStopped when a person gives up."""

    faults: list[Issue] = []  # of edits that do not fit
    standing = ""  # what the last review said: it stays open when edits do not fit

    def produce(words: str, revisions: int) -> Design:
        run.console.say(f"designing{_round(revisions)}", stage=stage.stage_id)
        run.update(
            "design",
            reviewer_feedback=words,
            reviewer_verdict="needs_revision" if words else run.state.reviewer_verdict,
        )
        answer = propose(
            run,
            simulation_designer.AGENT,
            DesignAnswer,
            stage,
            attempt,
            pictures,
            lambda results: simulation_designer.context(
                run.state,
                run.paper,
                experiments=results,
                earlier=_earlier(run, stage),
                solved=solved_before(run, stage),
            ),
        )
        design, wrong = edited(run.state.design, answer.edits) if answer.edits else (answer.design, ())
        faults[:] = wrong
        if design is None:
            raise UnreadableAnswer("the designer gave neither a design nor an experiment")
        if design.described and 0 < revisions >= run.settings.limits.max_design_revisions - 1:
            design = without_unanswered(run, stage, design)
        run.designs[stage.stage_id] = design
        run.update(
            "design",
            design=design,
            performance_estimate=(
                NamedValue(name="cpu_s_of_the_finest_run", value=design.estimated_cpu_s),
                NamedValue(name="memory_mb", value=design.estimated_memory_mb),
            ),
            assumptions=revised(run.state.assumptions, design.new_assumptions),
        )
        atomic_write(run.run_dir / stage.stage_id / "design.json", design.model_dump_json(indent=1))
        return design

    def review(design: Design) -> ReviewAnswer:
        if faults:  # nothing of them was applied: there is nothing new to review
            return told(judge_misfits(tuple(faults), standing))
        run.console.say("reviewing the design", stage=stage.stage_id)
        if design.described:
            found = description_findings(run, stage, design)
            if any(issue.severity == "blocking" for issue in found):  # refused by code: no opinion is needed
                return reviewed(judge_review(None, found))
        findings = (
            *design_reviewer.rule(design, stage, tuple(run.materials().values())),
            *preflight_findings(run, design),
            *(found if design.described else ()),
        )
        answer = ask_agent(
            run,
            design_reviewer.AGENT,
            design_reviewer.context(run.state, run.paper, findings=findings),
            ReviewAnswer,
            position=run.position("design_reviewer", stage.stage_id, attempt),
        )
        return reviewed(judge_review(answer, findings))

    def reviewed(verdict: ReviewAnswer) -> ReviewAnswer:
        nonlocal standing
        standing = verdict.feedback
        return told(verdict)

    def told(verdict: ReviewAnswer) -> ReviewAnswer:
        run.update(
            "design_review",
            review=verdict,
            reviewer_verdict=verdict.verdict,
            reviewer_feedback=verdict.feedback,
            backtrack_suggestion=suggested(run, verdict.backtrack_suggestion, "DesignReviewerAgent"),
        )
        return verdict

    _loop(run, stage, "design", produce, review, run.settings.limits.max_design_revisions, feedback)


def make_code(
    run: Run, stage: Stage, attempt: int, feedback: str = "", pictures: tuple[FileRef, ...] = ()
) -> None:
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
        run.update(
            "generate_code",
            reviewer_feedback=words,
            reviewer_verdict="needs_revision" if words else run.state.reviewer_verdict,
        )
        answer = propose(
            run,
            code_generator.AGENT,
            CodeAnswer,
            stage,
            attempt,
            pictures,
            lambda results: code_generator.context(
                run.state, run.paper, experiments=results, earlier=_earlier(run, stage)
            ),
        )
        if answer.code is None:
            raise UnreadableAnswer("the code generator gave neither code nor an experiment")
        run.update(
            "generate_code",
            code=answer.code,
            code_note=CodeNote(
                explanation=answer.explanation,
                expected_outputs=answer.expected_outputs,
                estimated_cpu_s=answer.estimated_cpu_s,
            ),
        )
        atomic_write(run.run_dir / stage.stage_id / "code.py", answer.code)
        return answer.code

    def review(code: str) -> ReviewAnswer:
        run.console.say("reviewing the simulation", stage=stage.stage_id)
        limit_s = 60 * min(run.settings.limits.max_stage_runtime_minutes, stage.runtime_budget_minutes)
        findings = code_reviewer.rule(run.state, limit_s) + tuple(
            Issue(
                severity="blocking" if f.severity == "blocking" else "minor",
                where=f"line {f.line}: {f.rule}",
                description=f.message,
                fix=f.fix,
            )
            for f in lint(
                code,
                expected_targets=[t.target_id for t in stage.targets],
                known_materials=list(run.materials()),
                known_names={**run.meep.names, "simkit": simkit_names()},
            )
        )
        answer = ask_agent(
            run,
            code_reviewer.AGENT,
            code_reviewer.context(run.state, run.paper, findings=findings),
            ReviewAnswer,
            position=run.position("code_reviewer", stage.stage_id, attempt),
        )
        verdict = judge_review(answer, findings)
        run.update(
            "code_review",
            review=verdict,
            reviewer_verdict=verdict.verdict,
            reviewer_feedback=verdict.feedback,
            backtrack_suggestion=suggested(run, verdict.backtrack_suggestion, "CodeReviewerAgent"),
        )
        return verdict

    _loop(run, stage, "code", produce, review, run.settings.limits.max_code_revisions, feedback)


def _earlier(run: Run, stage: Stage) -> tuple[Execution, ...]:
    """The finest executions of the stages this one depends on, whose files its simulations may read."""
    return tuple(e for name in stage.dependencies if name in run.outputs for e in run.outputs[name].finest())


def _loop(
    run: Run,
    stage: Stage,
    what: str,
    produce: Callable[[str, int], object],
    review: Callable[..., ReviewAnswer],
    limit: int,
    feedback: str,
) -> None:
    counter = f"{what}_revisions"  # per stage attempt, also across a design that is made again within it

    def sent_back(verdict: ReviewAnswer, so_far: int) -> None:
        first = why_sent_back(verdict)
        run.history.append(f"{stage.stage_id}: {what} sent back ({so_far}): {first}")
        run.console.say(f"{what} sent back: {first}", stage=stage.stage_id)
        count(run, f"{what}_review", **{counter: 1})

    def on_limit(_version: object, verdict: ReviewAnswer, so_far: int) -> LimitDecision:
        decision = ask_limit(
            run,
            stage,
            f"{what}_limit",
            f"The {what} of {stage.stage_id} was sent back {so_far} times",
            "\n".join(f"- **{i.severity}** {i.where}: {i.description}" for i in verdict.issues)
            + f"\n\n{verdict.feedback}",
            agent="simulation_designer" if what == "design" else "code_generator",
            may_accept=not any(issue.severity == "blocking" for issue in verdict.issues),
        )
        run.update(f"{what}_review", counters=run.state.counters.model_copy(update={counter: 0}))
        return decision

    _, approved, _ = review_loop(
        produce,
        review,
        limit=limit,
        on_revision=sent_back,
        on_limit=on_limit,
        feedback=feedback,
        sent_back=getattr(run.state.counters, counter),
    )
    if not approved:
        raise StageAbandoned(f"no approved {what}")


# Whose answer a limit is about.
_WHO = {
    "design": "design_reviewer",
    "code": "code_reviewer",
    "execution": "execution_validator",
    "physics": "physics_sanity",
}


def ask_limit(
    run: Run, stage: Stage, kind: str, title: str, body: str, *, agent: str, may_accept: bool = False
) -> LimitDecision:
    """Ask what to do when a stage cannot go on by itself: guide `agent`, accept, skip the stage, or stop the run."""
    choices = [
        Choice(name="guide", effect="try again with your words", words="text", words_to=agent),
        Choice(name="skip_stage", effect="give this stage up; the run goes on without it"),
        Choice(name="stop", effect="stop the run and report what there is"),
    ]
    if may_accept:
        choices.append(Choice(name="accept", effect="use the last version as it is"))
    number = sum(entry.interaction_type == kind for entry in run.state.user_interactions) + 1
    answer = ask(
        run,
        Question(
            question_id=f"{kind}-{stage.stage_id}-{number}".replace("_", "-").lower(),
            kind=kind,
            title=title,
            body=body,
            choices=tuple(choices),
            stage_id=stage.stage_id,
            asked_by=_WHO[kind.partition("_")[0]],
            reason=f"limit reached: {kind}",
        ),
    )
    if answer.choice == "stop":
        run.update("ask_user", stop_reason=f"stopped by the user: {title}")
        raise RunStopped(title)
    kinds = {"guide": "retry", "accept": "accept", "skip_stage": "stop"}
    return LimitDecision(kinds[answer.choice], answer.text)  # type: ignore[arg-type]


def _round(revisions: int) -> str:
    return f" (revision {revisions})" if revisions else ""
