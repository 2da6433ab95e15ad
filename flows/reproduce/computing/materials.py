"""Stage 0: materials made ready, their bare surfaces solved by code, and both shown to people. No agent is asked."""

from __future__ import annotations

from flows.pages.artifacts import publish_markdown
from flows.pages.tables import short_cell
from flows.reproduce.computing.solving import tally, task_solver
from flows.reproduce.context import Run
from flows.reproduce.steps import material as material_task
from schemas.base import FileRef, digest
from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord
from schemas.reproduce.planning.plan import MATERIALS, Plan, Stage
from schemas.reproduce.planning.thresholds import threshold
from tasks.reproduce.materials.changes import settled_materials
from tasks.reproduce.prepare_materials import along_axes
from tasks.reproduce.solving.bare_surface import bare_surface


def chosen_materials(run: Run) -> tuple[MaterialChoice, ...]:
    """The plan's materials with the corrections people made."""
    assert run.state.plan is not None
    return settled_materials(run.state.plan.materials, run.state.material_changes)


def validate_materials(run: Run, stage: Stage) -> None:
    """Stage 0: constants, fit, plot and alternatives of every material, and whether its bare surface reflects as it must."""
    records, checked, used = _prepared(run), [], 0.0
    run.update("prepare_materials", materials=records)
    solver, limit = task_solver(run, stage), threshold(run.settings.thresholds, "efficiency")
    for record in records:
        check = bare_surface(record, solver, run.run_dir, limit)
        run.console.say(f"bare {record.name} {check.words()}", stage=stage.stage_id)
        tally(run, check.runs)
        used += check.cpu_s
        checked.append(record.model_copy(update={"check": check}))
    run.update("prepare_materials", materials=tuple(checked), runtime_used_s=run.state.runtime_used_s + used)
    publish_markdown(
        run,
        "materials",
        material_list(run.state.materials),
        "Materials and their fits",
        material_pictures(run.state.materials),
    )


def material_pictures(records: tuple[MaterialRecord, ...]) -> tuple[FileRef, ...]:
    """Plots of the constants and their fits, then of the bare surfaces against Fresnel."""
    return (
        *(record.plot for record in records if record.plot),
        *(record.check.plot for record in records if record.check and record.check.plot),
    )


def _prepared(run: Run) -> tuple[MaterialRecord, ...]:
    records: list[MaterialRecord] = []
    choices = chosen_materials(run)
    for choice in sorted(
        choices, key=lambda material: bool(material.axes)
    ):  # those along axes are made of the others
        run.console.say(f"material {choice.name}: {choice.words()}")
        if choice.axes:
            record = along_axes(choice, records)
        else:
            key = f"material-{run.line}-{digest(choice, 24)}"
            record = material_task(key=key, label=choice.name, run_id=run.handle, choice=choice)
        changes = [change for change in run.state.material_changes if change.choice.name == choice.name]
        if changes:
            record = record.model_copy(
                update={"planned": changes[0].planned, "change_reason": changes[-1].reason}
            )
        records.append(record)
    order = [choice.name for choice in choices]
    records.sort(key=lambda record: order.index(record.name))
    return tuple(records)


def material_table(records: tuple[MaterialRecord, ...], plan: Plan) -> str:
    """What is to be confirmed at a glance, narrow enough for the form of a question: data, range, fit, and what hangs on them."""
    lines = ["| material | data | range, um | fit of eps | decides |", "|---|---|---|---|---|"]
    for r in records:
        if _constant(r):
            span, fit = f"used {r.band_um[0]:g} to {r.band_um[1]:g}", "one number"
        else:
            valid = (
                f"valid {r.valid_um[0]:.4g} to {r.valid_um[1]:.4g}"
                if r.valid_um
                else "valid range not stated"
            )
            span = f"{valid}<br>used {r.band_um[0]:g} to {r.band_um[1]:g}"
            fit = f"{100 * r.rms_relative_error:.2g} % rms<br>{100 * r.max_relative_error:.2g} % at most"
        check = f"<br>bare surface {r.check.status}" if r.check else ""
        lines.append(
            f"| **{r.name}** | {short_cell(r.words())} | {span} | {fit}{check} | {_decided(r.name, plan)} |"
        )
    return "\n".join(lines)


def _decided(material: str, plan: Plan) -> str:
    """The targets of the stages that use a material: what another one would move, by how much the simulations will tell."""
    using = [stage for stage in plan.stages if material in stage.materials]
    targets = [
        target.target_id for stage in using for target in stage.targets if target.figure_id != MATERIALS
    ]
    more = f" and {len(targets) - 1} more" if len(targets) > 1 else ""
    return short_cell(targets[0], 40) + more if targets else "no target"


def material_list(records: tuple[MaterialRecord, ...]) -> str:
    """Everything of the materials, as a Markdown list: Prefect's pages are too narrow for so much in a table."""
    lines = []
    for r in records:
        facts = [f"{r.words()} ({r.reference})"]
        if not _constant(r):
            facts += [
                f"valid {r.valid_um[0]:.5g} to {r.valid_um[1]:.5g} um"
                if r.valid_um
                else "valid range not stated",
                f"error of the fitted eps {100 * r.rms_relative_error:.2f} % rms, "
                f"{100 * r.max_relative_error:.1f} % at most",
                "never stable in 3D" if _stable(r) == "never" else f"stable in 3D from {_stable(r)} px/um",
            ]
        facts.append(f"used {r.band_um[0]:g} to {r.band_um[1]:g} um")
        lines.append(f"- **{r.name}**: {'; '.join((*facts, *_remarks(r)))}")
    return "\n".join(lines)


def _constant(record: MaterialRecord) -> bool:
    return record.index is not None and record.page is None


def _remarks(record: MaterialRecord) -> tuple[str, ...]:
    changed = (
        (f"chosen by a person instead of {record.planned}: {record.change_reason}",) if record.planned else ()
    )
    checked = (f"bare surface {record.check.words()}",) if record.check else ()
    return (*changed, *checked, *record.remarks)


def _stable(record: MaterialRecord) -> str:
    if record.min_stable_resolution:
        return f"{record.min_stable_resolution}"
    return "never" if record.all_poles() else "any resolution"
