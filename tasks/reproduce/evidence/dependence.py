"""Values of a field computation depend on the resolution. Values that do not were not computed."""

from __future__ import annotations

from schemas.reproduce.judging.evidence import Check, Level
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.simulations.execution import StageOutputs
from tasks.reproduce.evidence.kept_files import Reader
from tasks.reproduce.evidence.not_computed import EvidenceError, OtherCurve
from tasks.reproduce.evidence.simulated import rungs
from tasks.reproduce.judging.judge import identical


def resolution_checks(outputs: StageOutputs, stage: Stage, reader: Reader) -> list[Check]:
    """One check for each target: values at several resolutions, and not the same value at all of them."""
    return [
        _check(outputs, target, reader)
        for target in stage.numeric_targets
        if not outputs.not_attempted(target.target_id)
    ]


def _check(outputs: StageOutputs, target: Target, reader: Reader) -> Check:
    try:
        found, _ = rungs(outputs, target, reader)
    except OtherCurve as error:
        return Check(
            name=f"value of {target.target_id}",
            level="warning",
            measured=" ".join(str(error).split()),
            allowed="",
            source="",
            hint="nothing is to be mended here: the target is judged as a disagreement",
        )
    except EvidenceError as error:
        return Check(
            name=f"value of {target.target_id}",
            level="fail",
            measured=" ".join(str(error).split()),
            allowed="one value or curve in the target's unit",
            source="",
            hint=error.fix or "",
        )
    value = found[-1].value
    scales = ", ".join(f"{rung.scale:g}" for rung in found)
    level: Level = "pass"
    measured, hint = f"differs between scales {scales}", ""
    if len(found) < 2:
        level, measured = "warning", f"scale {scales} only"
        hint = "without a second resolution there is no error bar"
    elif not found[-1].edge and identical([rung.value for rung in found]):
        what = f"{value:.6g}" if isinstance(value, float) else f"{value.x.size} samples"
        level, measured = "fail", f"identical at all resolutions ({scales}): {what}; nothing was computed"
        hint = (
            "constants and formulas are no simulation; a position read off the sample grid needs a parabola "
            "through three samples"
        )
    return Check(
        name=f"{target.target_id} depends on resolution",
        level=level,
        measured=measured,
        allowed="two or more resolution scales, values that differ by more than 1e-12",
        source=f"{found[-1].dataset.file.path}, column {found[-1].column}",
        hint=hint,
    )
