"""The material checkpoint: after stage 0 a person confirms the materials, or changes them."""

from __future__ import annotations

from typing import Literal

from flows.pages.artifacts import publish_markdown
from flows.questions.answers import APPROVE_AGAIN, APPROVE_FAILED
from flows.questions.asking import ask
from flows.questions.pausing import DETAILS
from flows.reproduce.allowed import check_named
from flows.reproduce.computing.materials import (
    chosen_materials,
    material_list,
    material_pictures,
    material_table,
)
from flows.reproduce.context import Run
from flows.reproduce.counting import returns_used
from flows.reproduce.planning.approved_plan import plan_markdown
from schemas.errors import InputError
from schemas.reproduce.judging.comparison import Turn
from schemas.reproduce.materials.prepared_material import MaterialChange
from schemas.reproduce.planning.parameters import Assumption
from schemas.talking.interaction import Choice, Question, UserAnswer
from schemas.text.visible import one_visible_line
from tasks.reproduce.judging import record
from tasks.reproduce.materials.changes import HANDED_IN, changed_plan, material_change
from tasks.reproduce.materials.checkpoint_words import FORMS, corrections
from tasks.reproduce.materials.sources import held
from tasks.reproduce.papers import ADDRESSED_TITLE
from tasks.reproduce.prepare_materials import table_folders


def material_checkpoint(run: Run, stage_id: str, attempt: int) -> str:
    """The mandatory question after stage 0. Returns "confirmed", "again" (stage 0 runs again) or "stop".

    A plan without materials has nothing to ask (its media are vacuum, ideal metals, and numbers that the plan quotes), unless
    the paper addresses an AI: then a person sees that first.
    """
    if run.state.plan is not None and not run.state.plan.materials and not _addressed(run):
        run.console.say(
            "no materials to confirm: media are vacuum, ideal metals or stated numbers", stage=stage_id
        )
        run.update("material_checkpoint", validated_materials=())
        return "confirmed"
    help_text, number = "", 0
    given = dict(run.settings.answers).get("material_checkpoint", "")
    if given.startswith("need_help"):
        raise InputError(
            "need_help cannot be given beforehand: it would be asked for ever",
            found=given,
            allowed="approve, change_database: name=page, change_material: name=page, stop",
        )
    problem = ""
    failed = ", ".join(r.name for r in run.state.materials if r.check and r.check.status == "failed")
    while True:
        number += 1
        answer = ask(
            run,
            Question(
                question_id=f"material-checkpoint-{attempt}"
                + (f"-{number}" if number > 1 else "")
                + ("-failed" if failed else ""),
                kind="material_checkpoint",
                title="Are the materials right?",
                body=problem + _body(run, failed, _sent_back(run, stage_id) + help_text),
                pictures=material_pictures(run.state.materials),
                stage_id=stage_id,
                reason="mandatory after stage 0: if material data are wrong, everything built on them is",
                choices=(
                    _approval(failed, returned(run, stage_id) is not None),
                    Choice(
                        name="change_database",
                        effect="same material, other data: name=shelf/book/page, table:FILE, "
                        "2.1+0.3i@633nm or a model; 'because ...' gives your reason" + returns_used(run),
                        words="line",
                    ),
                    Choice(
                        name="change_material",
                        effect="another material, written alike ('as NAME' names it); it "
                        f"changes the plan{returns_used(run)}",
                        words="line",
                    ),
                    Choice(
                        name="need_help", effect="show the available databases side by side and ask again"
                    ),
                    Choice(name="stop", effect="stop the run and report what there is"),
                ),
            ),
        )
        if answer.choice == "need_help":
            help_text = (
                "\n\n".join(
                    f"## Alternatives for {r.name}\n\n{r.comparison}"
                    for r in run.state.materials
                    if r.comparison
                )
                or "No table has alternatives: no material is one of the database."
            )
            help_text += f"\n\n## How to write another material\n\n{FORMS}"
            continue
        if answer.choice in ("change_database", "change_material"):
            try:
                _change(run, answer, stage_id)
            except InputError as error:
                if answer.answered_by in ("given beforehand", "answers file"):
                    raise
                problem = f"**That did not fit:**\n\n```\n{error}\n```\n\n"
                continue
            return "again"
        if answer.choice == "stop":
            run.update("ask_user", stop_reason="stopped by the user at the material checkpoint")
            return "stop"
        progress = run.state.stage_progress(stage_id)
        confirmed = "completed_partial" if progress.status == "completed_failed" else progress.status
        run.update(
            "material_checkpoint",
            validated_materials=run.state.materials,
            progress=run.state.with_progress(
                stage_id,
                status=confirmed,
                issues=(
                    *progress.issues,
                    *(
                        ("confirmed by a person although its check failed",)
                        if confirmed != progress.status
                        else ()
                    ),
                ),
            ),
        )
        return "confirmed"


def returned(run: Run, stage_id: str) -> Turn | None:
    """The return that sent these materials here again; None where they are new here, or other ones."""
    turns = [turn for turn in run.state.turns if turn.to == stage_id or turn.kind == "new plan"]
    return turns[-1] if turns and turns[-1].kind == "return" else None


def _sent_back(run: Run, stage_id: str) -> str:
    """Who sent the materials back and why, what else there is, and what another choice would change."""
    turn, plan = returned(run, stage_id), run.state.plan
    if turn is None or plan is None:
        return ""
    lines = [
        f"**Sent back by {turn.asked_by or 'the supervisor'}**: {turn.reason}",
        f"Another choice is used by {', '.join(plan.dependents(stage_id)) or 'no stage'}; these run again in any case.",
    ]
    lines += [f"## Alternatives for {r.name}\n\n{r.comparison}" for r in run.state.materials if r.comparison]
    return "\n\n".join(lines) + "\n\n"


def _approval(failed: str, again: bool) -> Choice:
    """The answer that goes on; where a check failed, or the same materials were sent back, it has a name of its own, which no
    approval given before that says."""
    if again:
        return Choice(
            name=APPROVE_AGAIN,
            effect="keep the same materials although they were sent back, and go on"
            + (f"; the check of {failed} failed" if failed else ""),
        )
    if failed:
        return Choice(
            name=APPROVE_FAILED, effect=f"the check of {failed} failed; use it all the same and go on"
        )
    return Choice(name="approve", effect="the materials are right; go on")


def _body(run: Run, failed: str, help_text: str) -> str:
    parts = [
        f"**The check of {failed} failed**: see its bare surface." if failed else "",
        "These materials are used by every simulation. Please check page, range and fit."
        if run.state.materials
        else "The plan has no materials: media are vacuum, ideal metals or stated numbers.",
        material_table(run.state.materials, run.state.plan) if run.state.plan and run.state.materials else "",
        help_text,
        _addressed(run),
        f"{DETAILS}\n\n{material_list(run.state.materials)}" if run.state.materials else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _addressed(run: Run) -> str:
    """What of the paper addresses an AI: whoever confirms the materials should know that somebody tried."""
    found = dict.fromkeys((*run.addressed, *run.state.instructions_found))
    words = "\n".join(one_visible_line(entry, 300).replace("`", "'") for entry in found)
    return f"**{ADDRESSED_TITLE}:**\n\n```text\n{words}\n```" if found else ""


def _change(run: Run, answer: UserAnswer, stage_id: str) -> None:
    """Take in a person's correction: the ledger, for another material the plan, and stage 0 again (counts as a backtrack)."""
    plan = run.state.plan
    assert plan is not None
    in_use = {material.name: material for material in chosen_materials(run)}
    folders = table_folders(run.paper_dir, run.run_dir)
    found = corrections(answer.text, in_use)
    kind: Literal["change_database", "change_material"] = (
        "change_database" if answer.choice == "change_database" else "change_material"
    )
    for correction in found:
        if correction.choice.table and not held(correction.choice.table, folders):
            check_named("a table of materials", correction.choice.table)
    changes = tuple(
        material_change(
            kind,
            correction,
            plan,
            in_use[correction.replaced],
            folders=folders,
            handed_in=run.run_dir / "materials" / HANDED_IN,
        )
        for correction in found
    )
    if kind == "change_material":
        for change in changes:
            plan = changed_plan(plan, change)
    touched = {stage_id, *plan.dependents(stage_id), *(name for change in changes for name in change.stages)}
    progress = tuple(
        p.model_copy(update={"status": "needs_rerun"})
        if p.stage_id == stage_id
        else p.model_copy(update={"status": "invalidated", "invalidation_reason": "the materials changed"})
        if p.stage_id in touched and p.status.startswith("completed")
        else p
        for p in run.state.progress
    )
    targets = {target.target_id for name in touched for target in plan.stage(name).targets}
    counters = run.state.counters
    why = f"a person asked for {answer.text}"
    run.update(
        "material_checkpoint",
        plan=plan,
        comparison_history=(
            *run.state.comparison_history,
            *record.withdrawn(run.state, dict.fromkeys(touched, why)),
        ),
        turns=(
            *run.state.turns,
            Turn(
                kind="other materials",
                plan_round=run.state.plan_round,
                reason=answer.text,
                asked_by="a person",
                to=stage_id,
            ),
        ),
        material_changes=(*run.state.material_changes, *changes),
        assumptions=_ledger(run, changes),
        progress=progress,
        validated_materials=None,
        figure_comparisons=tuple(c for c in run.state.figure_comparisons if c.stage_id not in touched),
        visual_comparisons=tuple(c for c in run.state.visual_comparisons if c.stage_id not in touched),
        discrepancies=tuple(d for d in run.state.discrepancies if d.target_id not in targets),
        counters=counters.model_copy(update={"backtracks": counters.backtracks + 1}),
        supervisor_feedback=f"the user asked for {answer.text}",
    )
    for change in changes:
        run.history.append(
            f"{change.kind}: {change.replaced} ({change.planned}) became {change.choice.name} "
            f"({change.choice.words()}): {change.reason}"
        )
    if kind == "change_material":
        publish_markdown(run, "plan", plan_markdown(plan), "The plan with the person's materials")


def _ledger(run: Run, changes: tuple[MaterialChange, ...]) -> tuple[Assumption, ...]:
    """The assumptions with the person's choices; a choice replaces what was assumed of the material by its name."""
    replaced = {name for change in changes for name in (change.replaced, change.choice.name)}
    kept = tuple(
        a for a in run.state.assumptions if not (a.category == "material" and a.parameter in replaced)
    )
    return (
        *kept,
        *(
            Assumption(
                assumption_id=f"user-material-{change.choice.name}",
                category="material",
                parameter=change.choice.name,
                value=change.choice.words(),
                source="user",
                sensitivity="high",
                stages=change.stages,
                reason=f"{change.kind} at the material checkpoint, instead of {change.replaced} ({change.planned}): {change.reason}",
            )
            for change in changes
        ),
    )
