"""Prompt adaptation and planning: a plan is made, reviewed by code and by an agent, and approved or asked about."""

from __future__ import annotations

from collections.abc import Sequence

from agents.reproduce import plan_reviewer, planner, prompt_adaptor
from agents.reproduce.rules.material_rules import assumed_indices
from agents.reproduce.rules.material_stage import with_material_stage
from agents.reproduce.rules.plan_edits import edited
from agents.reproduce.rules.plan_rules import rule as plan_rule
from agents.talking.reviewing import judge_misfits, judge_review, why_sent_back
from flows.calls.calling import ask_agent, request_images
from flows.calls.review import LimitDecision, review_loop
from flows.pages.artifacts import publish_markdown
from flows.questions.asking import ask
from flows.questions.consulting import consult
from flows.reproduce.context import Run
from flows.reproduce.planning.adapting import effects, prompt_versions, settled, written_for
from flows.reproduce.planning.replanning import Settled, carried_progress, lines, settle, withdrawals
from flows.run.endings import RunStopped
from schemas.base import file_sha256
from schemas.reproduce.paper import PaperFigure
from schemas.reproduce.planning.plan import Plan, PlannerAnswer
from schemas.reproduce.planning.plan_edits import PlanRevisionAnswer
from schemas.reproduce.state import ReproState
from schemas.reproduce.words.contradictions import contradictions_found, contradictions_read
from schemas.talking.adaptation import AdaptationAnalysis, AdaptationAnswer
from schemas.talking.interaction import Choice, Question
from schemas.talking.review import Issue, ReviewAnswer
from schemas.talking.transcript import Position, RequestImage
from tasks.files.store import atomic_write
from tasks.files.tables import read_table
from tasks.reproduce.adaptation_log import adaptation_log
from tasks.reproduce.assumption_ledger import replanned
from tasks.reproduce.materials.changes import settled_materials
from tasks.reproduce.materials.hints import database_hint
from tasks.reproduce.materials.material_findings import material_findings
from tasks.reproduce.papers import data_columns, inside
from tasks.reproduce.prepare_materials import table_folders
from tasks.reproduce.references.against_data import words_against_data
from tasks.reproduce.references.readable import try_references
from tasks.reproduce.state_files import save_adaptations


def adapt_prompts(run: Run) -> None:
    """The prompt adaptor's changes, checked against the confidence gates, logged for people."""
    run.console.say("adapting the prompts to the paper")
    answer = ask_agent(
        run,
        prompt_adaptor.AGENT,
        prompt_adaptor.context(run.state, run.paper),
        AdaptationAnswer,
        position=run.position("prompt_adaptor"),
    )
    records = settled(prompt_adaptor.judge(answer), written_for(run))
    analysis = AdaptationAnalysis(
        domain=answer.domain,
        domain_analysis=answer.domain_analysis,
        materials=answer.materials,
        techniques=answer.techniques,
        warnings=answer.warnings,
        effects=effects(records),
    )
    run.update("adapt_prompts", prompt_adaptations=records, adaptation_analysis=analysis)
    atomic_write(
        run.run_dir / "adaptation_log.txt",
        adaptation_log(run.paper.paper_id, answer, records, prompt_versions(), analysis.effects),
    )
    save_adaptations(run.run_dir, run.state)
    for record in records:
        if record.note.startswith("stale: "):
            name = f"{record.adaptation.adaptation_id} for {record.adaptation.target_agent}"
            run.history.append(f"adaptation {name}: not applied, {record.note}")
            run.console.say(f"adaptation {name} not applied, {record.note}")
    applied = sum(record.applied for record in records)
    run.console.say(f"{applied} of {len(records)} adaptations applied")


def make_plan(run: Run, supervisor_feedback: str = "", reason: str = "") -> None:
    """Plan and plan review until approved. Raises RunStopped if a person gives up; then the old plan stands.

    supervisor_feedback: what the new plan must do better. reason: who asked for it and why, in a few words.
    """
    before = run.state
    if before.plan is not None:
        run.update(
            "replan",
            plan_approved=False,
            supervisor_feedback=supervisor_feedback,
            replan_reason=reason,
            reviewer_feedback="",
            reviewer_verdict=None,
            counters=before.counters.model_copy(
                update={
                    "replans": before.counters.replans + 1,
                    "plan_revisions": 0,
                    "consecutive_stage_failures": 0,
                }
            ),
        )
    try:
        settled = _approved_plan(run, before)
    except RunStopped:
        if before.plan is not None:
            run.update("replan", plan=before.plan, progress=before.progress)
        raise
    plan = settled.plan
    if before.plan is not None:
        run.update("replan", **withdrawals(settled, before, supervisor_feedback, reason))
    # what was said to the planner is not for the agents that come next, which must not know the paper's results
    run.update(
        "replan", plan_approved=True, supervisor_feedback="", reviewer_verdict="approve", reviewer_feedback=""
    )
    run.console.say(f"plan approved: {len(plan.stages)} stages, {len(plan.all_targets())} targets")
    for line in lines(settled):
        run.history.append(f"new plan: {line}")
        run.console.say(line)
    run.checkpoint("after_plan")
    publish_markdown(run, "plan", plan_markdown(plan), "The approved plan")


def _answered(run: Run, feedback: str) -> tuple[PlannerAnswer | None, tuple[Issue, ...]]:
    """The planner's answer, after its questions to people; None, with the faults, where its edits twice do not fit."""
    run.console.say(f"planning (round {run.state.plan_round + 1})")
    if feedback:
        run.update("plan_review", reviewer_feedback=feedback, reviewer_verdict="needs_revision")
    position = run.position("planner")
    images = request_images(run, [], figure_images(run, run.paper.figures))
    asked, again = 0, False
    answer: PlannerAnswer | None = None
    wrong: tuple[Issue, ...] = ()
    for step in range(
        run.settings.limits.max_questions + 2
    ):  # one more: edits that do not fit are asked for again once
        here = position.model_copy(update={"step": step})
        given = _asked(run, here, images)
        if more := consult(run, given.questions, here, asked=asked) if given.questions else 0:
            asked += more
            continue
        answer, wrong = (
            (given, ()) if isinstance(given, PlannerAnswer) else edited(run.state, run.paper, given)
        )
        if again or not wrong:
            break
        again = True
        run.console.say(f"edits of the plan do not fit, asking again: {wrong[0].description}")
        run.update(
            "plan_review",
            reviewer_verdict="needs_revision",
            reviewer_feedback=judge_misfits(wrong, feedback).feedback,
        )
    return answer, wrong


def _approved_plan(run: Run, before: ReproState) -> Settled:
    """The approved plan, finished stages kept. Raises RunStopped when a person gives up."""

    faults: list[Issue] = []  # of edits that do not fit
    standing = ""  # what the last review said: it stays open when edits do not fit
    draft: Settled | None = None

    def produce(feedback: str, revisions: int) -> Settled:
        nonlocal draft
        answer, faults[:] = _answered(run, feedback)
        if answer is None:
            run.update("plan", plan_round=run.state.plan_round + 1)
            assert run.state.plan is not None
            return draft or Settled(run.state.plan)
        plan, remarks = with_material_stage(answer.plan, before.plan)
        settled = draft = settle(plan, before, answer.keep)._replace(remarks=remarks)
        assumed = answer.assumptions + assumed_indices(settled.plan, run.paper, answer.assumptions)
        candidates = (
            *contradictions_found(run.paper, answer.extracted_parameters),
            *words_against_data(settled.plan, run.paper, run.paper_dir),
            *contradictions_read(run.paper, answer.extracted_parameters, answer.drawn),
        )
        run.update(
            "plan",
            plan=settled.plan,
            assumptions=replanned(run.state.assumptions, assumed),
            plan_round=run.state.plan_round + 1,
            extracted_parameters=answer.extracted_parameters,
            contradictions=answer.contradictions,
            contradiction_candidates=candidates,
            drawn=answer.drawn,
            instructions_found=planner.instructions_found(answer, run.paper),
            progress=carried_progress(settled, before),
        )
        return settled

    def review(settled: Settled) -> ReviewAnswer:
        nonlocal standing
        if faults:  # nothing of them was applied: there is nothing new to review
            return reviewed(judge_misfits(tuple(faults), standing))
        run.console.say("reviewing the plan")
        plan = settled.plan
        unreadable, taken = try_references(plan, run.paper_dir)
        ruled = plan_rule(
            plan,
            run.paper,
            data_columns(run.paper, run.paper_dir),
            extracted=run.state.extracted_parameters,
            assumptions=run.state.assumptions,
            limits=run.settings.limits,
            candidates=run.state.contradiction_candidates,
            taken=taken,
        )
        said = {issue.where for issue in ruled if issue.severity == "blocking"}
        findings = (
            *settled.findings(),
            *ruled,
            *(issue for issue in unreadable if issue.where not in said),
            *material_findings(
                settled_materials(plan.materials, run.state.material_changes),
                table_folders(run.paper_dir, run.run_dir),
            ),
        )
        answer = ask_agent(
            run,
            plan_reviewer.AGENT,
            plan_reviewer.context(run.state, run.paper, findings=findings),
            ReviewAnswer,
            position=run.position("plan_reviewer"),
        )
        verdict = judge_review(answer, findings)
        standing = verdict.feedback
        return reviewed(verdict)

    def reviewed(verdict: ReviewAnswer) -> ReviewAnswer:
        run.update(
            "plan_review",
            review=verdict,
            reviewer_verdict=verdict.verdict,
            reviewer_feedback=verdict.feedback,
            plan_approved=verdict.verdict == "approve",
        )
        return verdict

    def sent_back(verdict: ReviewAnswer, count: int) -> None:
        counters = run.state.counters
        run.update("plan_review", counters=counters.model_copy(update={"plan_revisions": count}))
        run.history.append(f"plan: sent back ({count}): {why_sent_back(verdict)}")
        run.console.say(f"plan sent back: {why_sent_back(verdict)}")

    def on_limit(settled: Settled, verdict: ReviewAnswer, count: int) -> LimitDecision:
        return _ask_plan_limit(run, verdict, count)

    settled, approved, _ = review_loop(
        produce,
        review,
        limit=run.settings.limits.max_plan_revisions,
        on_revision=sent_back,
        on_limit=on_limit,
        sent_back=run.state.counters.plan_revisions,
    )
    if not approved:
        run.update("ask_user", stop_reason="stopped by the user: no approved plan")
        raise RunStopped("no approved plan")
    return settled


def _asked(run: Run, here: Position, images: tuple[RequestImage, ...]) -> PlannerAnswer | PlanRevisionAnswer:
    """The planner's answer; once there is a plan it may be edits of it."""
    context = _planner_context(run)
    if run.state.plan_round == 0:
        return ask_agent(run, planner.AGENT, context, PlannerAnswer, position=here, images=images)
    return ask_agent(run, planner.REVISING, context, PlanRevisionAnswer, position=here, images=images)


def _planner_context(run: Run) -> dict[str, object]:
    tables = []
    for figure in run.paper.figures:
        for data in figure.data:
            path = inside(run.paper_dir, data.file)
            if path is not None:
                tables.append(
                    planner.describe_table(figure.figure_id, data, path.read_text(encoding="utf-8"))
                )
    return planner.context(run.state, run.paper, data_tables=tuple(tables), database_hint=_hint(run))


def _hint(run: Run) -> str:
    """The pages of the database for the materials the paper names, and the tables it brings."""
    columns = []
    for figure in run.paper.figures:
        for data in figure.data:
            path = inside(run.paper_dir, data.file)
            if path is not None:
                table = read_table(path)
                columns += [
                    (str(name), float(table[name].min()), float(table[name].max()))
                    for name in table.columns[:1]
                ]
    handed_in = [f"{material.file} ({material.name}: {material.source})" for material in run.paper.materials]
    return database_hint(run.paper.words(), columns, handed_in, own=run.paper.words(bibliography=False))


def figure_images(run: Run, figures: Sequence[PaperFigure]) -> list[tuple[str, str, str, str]]:
    """The paper's own pictures of figures, as `request_images` takes them."""
    found = []
    for figure in figures:
        path = inside(run.paper_dir, figure.image) if figure.image else None
        if path is not None:
            media = "image/png" if path.suffix.lower() == ".png" else "image/jpeg"
            found.append((str(path), file_sha256(path), media, f"{figure.figure_id}: {figure.caption[:200]}"))
    return found


def _ask_plan_limit(run: Run, verdict: ReviewAnswer, count: int) -> LimitDecision:
    blocking = any(issue.severity == "blocking" for issue in verdict.issues)
    choices = [
        Choice(name="guide", effect="plan again with your words", words="text", words_to="planner"),
        Choice(name="stop", effect="stop the run and report what there is"),
    ]
    if not blocking:
        choices.append(Choice(name="accept", effect="use the last plan as it is"))
    answer = ask(
        run,
        Question(
            question_id=f"plan-limit-{run.state.plan_round}",
            kind="plan_limit",
            title=f"The plan was sent back {count} times",
            choices=tuple(choices),
            body="The last review:\n\n"
            + "\n".join(f"- **{i.severity}** {i.where}: {i.description}" for i in verdict.issues)
            + f"\n\n{verdict.feedback}",
            asked_by="plan_reviewer",
            reason="limit on plan revisions",
        ),
    )
    kind = {"guide": "retry", "accept": "accept", "stop": "stop"}[answer.choice]
    return LimitDecision(kind, answer.text)  # type: ignore[arg-type]


def plan_markdown(plan: Plan) -> str:
    """The plan as a Markdown page."""
    lines = [
        f"# {plan.title}",
        "",
        plan.summary,
        "",
        f"**Main claim.** {plan.main_claim}",
        "",
        "| stage | kind | depends on | targets | est. CPU s |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {s.stage_id} | {s.stage_type} | {', '.join(s.dependencies) or '-'} | "
        f"{', '.join(t.target_id for t in s.targets)} | {s.estimated_runtime_s:g} |"
        for s in plan.stages
    ]
    lines += ["", "| material | from | band, um |", "|---|---|---|"]
    lines += [f"| {m.name} | {m.words()} | {m.band_um[0]:g} to {m.band_um[1]:g} |" for m in plan.materials]
    return "\n".join([*lines, "", *(f"- not attempted: {entry}" for entry in plan.not_reproducible)])
