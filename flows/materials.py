"""Materials: prepared before stage 0, confirmed by a person after it."""

from __future__ import annotations

from flows.artifacts import publish_markdown
from flows.asking import ask
from flows.context import Run
from flows.steps import material as material_task
from schemas.base import FileRef, digest
from schemas.errors import InputError
from schemas.interaction import Choice, Question, UserAnswer
from schemas.materials import MaterialChoice, MaterialRecord
from schemas.parameters import Assumption
from tasks.materials import load_page


def chosen_materials(run: Run) -> tuple[MaterialChoice, ...]:
    """The plan's materials with the corrections people made."""
    assert run.state.plan is not None
    corrected = {a.parameter: a.value for a in run.state.assumptions
                 if a.category == "material" and a.source == "user"}
    return tuple(m.model_copy(update={"page": corrected[m.name], "index": None, "source": "the user's correction"})
                 if m.name in corrected else m for m in run.state.plan.materials)


def prepare_materials(run: Run) -> None:
    """Table, fit, plot and alternatives of every material; a page of artifacts."""
    records = []
    for choice in chosen_materials(run):
        run.console.say(f"material {choice.name}: {choice.page or f'n = {choice.index}'}")
        key = f"material-{run.run_id}-{digest(choice, 24)}"
        records.append(material_task(key=key, label=choice.name, run_id=run.handle, choice=choice))
    run.update("prepare_materials", materials=tuple(records))
    publish_markdown(run, "materials", material_table(run.state.materials), "Materials and their fits",
                     tuple(record.plot for record in records if record.plot))


def material_table(records: tuple[MaterialRecord, ...]) -> str:
    """The materials as a Markdown table."""
    lines = ["| material | database page | reference | valid, um | used, um | fit: rms (largest) error of eps | stable in 3D "
             "from, px/um |", "|---|---|---|---|---|---|---|"]
    for r in records:
        if r.index is not None and r.page is None:
            lines.append(f"| {r.name} | constant n = {r.index:g} | {r.reference} | - | "
                         f"{r.band_um[0]:g} to {r.band_um[1]:g} | - | - |")
            continue
        valid = f"{r.valid_um[0]:g} to {r.valid_um[1]:g}" if r.valid_um else "-"
        lines.append(f"| {r.name} | {r.page} | {r.reference} | {valid} | {r.band_um[0]:g} to {r.band_um[1]:g} | "
                     f"{100 * r.rms_relative_error:.2f} % ({100 * r.max_relative_error:.1f} %) | "
                     f"{r.min_stable_resolution or 'never'} |")
    remarks = [f"- {r.name}: {remark}" for r in records for remark in r.remarks]
    return "\n".join([*lines, "", *remarks])


def material_list(records: tuple[MaterialRecord, ...]) -> str:
    """The same as a list: the page of a question is too narrow for the table."""
    lines = []
    for r in records:
        if r.index is not None and r.page is None:
            facts = [f"constant n = {r.index:g} ({r.reference})"]
        else:
            facts = [f"{r.page} ({r.reference})",
                     f"valid {r.valid_um[0]:g} to {r.valid_um[1]:g} um" if r.valid_um else "valid range not stated",
                     f"error of the fitted eps {100 * r.rms_relative_error:.2f} % rms, "
                     f"{100 * r.max_relative_error:.1f} % at most",
                     f"stable in 3D from {r.min_stable_resolution} px/um" if r.min_stable_resolution
                     else "never stable in 3D"]
        facts.append(f"used {r.band_um[0]:g} to {r.band_um[1]:g} um")
        lines.append(f"- **{r.name}**: {'; '.join((*facts, *r.remarks))}")
    return "\n".join(lines)


def material_checkpoint(run: Run, stage_id: str, attempt: int) -> str:
    """The mandatory question after stage 0. Returns "confirmed", "again" (stage 0 runs again) or "stop"."""
    help_text, number = "", 0
    given = dict(run.settings.answers).get("material_checkpoint", "")
    if given.startswith("need_help"):
        raise InputError("need_help cannot be given beforehand: it would be asked for ever", found=given,
                         allowed="approve, change_database: name=page, change_material: name=page, stop")
    problem = ""
    while True:
        number += 1
        answer = ask(run, Question(
            question_id=f"material-checkpoint-{attempt}" + (f"-{number}" if number > 1 else ""),
            kind="material_checkpoint", title="Are the materials right?",
            body=problem + _body(run, help_text), pictures=_pictures(run, stage_id),
            stage_id=stage_id, reason="mandatory after stage 0: if material data are wrong, everything built on them is",
            choices=(Choice(name="approve", effect="the materials are right; go on"),
                     Choice(name="change_database", effect="same material, another page: name=shelf/book/page", words="line"),
                     Choice(name="change_material", effect="another material: name=shelf/book/page", words="line"),
                     Choice(name="need_help", effect="show the available databases side by side and ask again"),
                     Choice(name="stop", effect="stop the run and report what there is"))))
        if answer.choice == "need_help":
            help_text = "\n\n".join(f"## Alternatives for {r.name}\n\n{r.comparison}" for r in run.state.materials
                                    if r.comparison) or "No table has alternatives: all materials have a constant index."
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
        run.update("material_checkpoint", validated_materials=run.state.materials, progress=run.state.with_progress(
            stage_id, status=confirmed, issues=(*progress.issues, *(
                ("confirmed by a person although the comparison failed",) if confirmed != progress.status else ()))))
        return "confirmed"


def _body(run: Run, help_text: str) -> str:
    comparisons = "\n".join(
        f"- {c.target_id}: {c.classification}"
        + (f", error {c.evidence.error:.3g} ({c.evidence.measure.replace('_', ' ')})" if c.evidence.error is not None else "")
        for c in run.state.figure_comparisons)
    parts = ["These materials are used by every simulation. Please check page, range and fit.",
             material_list(run.state.materials),
             f"FDTD check of each bare surface against Fresnel:\n\n{comparisons}" if comparisons else "", help_text]
    return "\n\n".join(part for part in parts if part)


def _pictures(run: Run, stage_id: str) -> tuple[FileRef, ...]:
    """Plots of the constants and their fits, then the simulated bare surfaces against Fresnel."""
    overlays = [c.evidence.overlay for c in run.state.figure_comparisons if c.stage_id == stage_id]
    return (*(record.plot for record in run.state.materials if record.plot),
            *(FileRef.of(run.run_dir / path, run.run_dir) for path in overlays if path and (run.run_dir / path).is_file()))


def _change(run: Run, answer: UserAnswer, stage_id: str) -> None:
    """Note a correction as an assumption by the user and send stage 0 round again (counts as a backtrack)."""
    assumptions = list(run.state.assumptions)
    names = {m.name: m for m in chosen_materials(run)}
    for part in answer.text.replace(";", ",").split(","):
        name, _, page = (item.strip() for item in part.partition("="))
        if name not in names:
            raise InputError(f"the plan has no material {name!r}", found=name, allowed=", ".join(names))
        constants = load_page(page)
        low, high = names[name].band_um
        if constants.valid_um[0] > low or constants.valid_um[1] < high:
            raise InputError(f"{page} does not cover the band of {name}", found=f"{constants.valid_um} um",
                             allowed=f"{low} to {high} um", fix="choose another page; need_help lists them")
        assumptions = [a for a in assumptions if not (a.category == "material" and a.parameter == name)]
        assumptions.append(Assumption(
            assumption_id=f"user-material-{name}", category="material", parameter=name, value=page, source="user",
            reason=f"{answer.choice} at the material checkpoint", sensitivity="high"))
    assert run.state.plan is not None
    dependents = set(run.state.plan.dependents(stage_id))
    progress = tuple(
        p.model_copy(update={"status": "needs_rerun"}) if p.stage_id == stage_id
        else p.model_copy(update={"status": "invalidated", "invalidation_reason": "the materials changed"})
        if p.stage_id in dependents and p.status.startswith("completed") else p for p in run.state.progress)
    counters = run.state.counters
    run.update("material_checkpoint", assumptions=tuple(assumptions), progress=progress, validated_materials=None,
               counters=counters.model_copy(update={"backtracks": counters.backtracks + 1}),
               supervisor_feedback=f"the user asked for {answer.text}")
