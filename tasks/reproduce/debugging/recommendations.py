"""What to do next after a debug run: rules over its evidence, no agent's opinion."""

from __future__ import annotations

from schemas.reproduce.simulations.debugging import DebugSummary
from schemas.reproduce.simulations.execution import Execution
from schemas.run.pasted import typed

_FIX = {
    "budget": "a full run allows more time; or choose a smaller cell, a coarser grid or symmetry",
    "numerics": "the fields grew without bound: look at material_check.png (stability) and at metals near the absorber",
}


def _fix(failure_class: str) -> str | None:
    if failure_class == "environment":
        return f"{typed('doctor')} tells what is missing on this computer"
    return _FIX.get(failure_class)


def recommendations(summary: DebugSummary, failed: tuple[Execution, ...]) -> tuple[str, ...]:
    """One sentence a finding, the most urgent first; the last says whether to go on."""
    paper, materials, stage = (
        summary.paper_loading,
        summary.stage0_material_validation,
        summary.stage1_minimal,
    )
    geometry, found = summary.geometry_check, []
    if paper.status != "success":
        found.append(
            f"Mend the paper's folder first: {'; '.join(paper.issues) or 'it was not read in full'} "
            f"({typed('papers', 'check', 'FOLDER')})"
        )
    for execution in failed[:3]:
        if execution.failure is not None:
            failure = execution.failure
            found.append(
                f"{execution.stage_id} did not run ({failure.failure_class}: {failure.reason[:160]}): "
                + (
                    failure.fix
                    or _fix(failure.failure_class)
                    or "read debug_log.txt; a full run lets the code generator mend it"
                )[:200]
            )
    if materials.status == "success":
        found.append(
            "Material validation passed - proceed to full run"
            if materials.confirmed
            else "Material validation ran - look at material_check.png; a full run asks whether the materials are right"
        )
    elif materials.status == "failed":
        found.append(
            "Check the materials before a full run: "
            + ("; ".join(materials.issues[:3]) or "stage 0 did not run")
        )
    if geometry.dimensions_match_design is False:
        found.append(
            "Compare geometry_check.png with the design: "
            + "; ".join(note for note in geometry.notes if "as built" in note)[:300]
        )
    elif stage.simulation_ran and geometry.structures_created == 0:
        found.append("The cell of stage 1 holds no object: look at geometry_check.png")
    elif geometry.dimensions_match_design is None:
        found.append(
            "No size of the structure could be compared with the design: look at geometry_check.png before a full run"
        )
    if stage.status == "success" and stage.resonance_found is False:
        found.append(
            "The saved spectrum shows no peak or dip inside its band: where the paper has one there, check "
            "geometry_check.png and source_spectrum.png"
        )
    if stage.resolution and stage.resolution_designed and stage.resolution < stage.resolution_designed:
        found.append(
            f"Consider increasing resolution for final run (current: {stage.resolution:g}, recommended: "
            f"{stage.resolution_designed:g} pixels per um)"
        )
    elif stage.resolution and stage.described:
        found.append(
            f"One grid was looked at ({stage.resolution:g} pixels per unit of length): a full run begins there and "
            "chooses finer ones until its values hold"
        )
    if not summary.complete:
        found.append(
            f"The diagnosis is not complete ({summary.stop_reason}): allow more time "
            "(debug_max_total_runtime_minutes) or resume it"
        )
    elif (
        materials.status == "success"
        and stage.status in ("success", "not_run")
        and paper.status == "success"
        and geometry.dimensions_match_design
    ):
        found.append("Nothing stands in the way of a full run: the same command without --debug")
    return tuple(found)
