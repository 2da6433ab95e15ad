"""Values that come from a field computation depend on the resolution. Values that do not were not computed."""

from __future__ import annotations

from schemas.evidence import Check
from schemas.execution import StageOutputs
from schemas.plan import Stage
from tasks.curves.curve import Curve
from tasks.evidence.errors import EvidenceError
from tasks.evidence.files import Reader
from tasks.evidence.judge import identical
from tasks.evidence.simulated import rungs


def resolution_checks(outputs: StageOutputs, stage: Stage, reader: Reader) -> list[Check]:
    """One check for each target that has values: several resolutions, and not the same value at all of them."""
    checks: list[Check] = []
    for target in stage.targets:
        try:
            found, _ = rungs(outputs, target, reader)
        except EvidenceError as error:
            checks.append(
                Check(
                    name=f"value of {target.target_id}",
                    level="fail",
                    measured=" ".join(str(error).split()),
                    allowed="one value or curve in the target's unit",
                    hint=error.fix or "",
                )
            )
            continue
        source = f"{found[-1].dataset.file.path}, column {found[-1].column}"
        name = f"{target.target_id} depends on resolution"
        scales = ", ".join(f"{rung.scale:g}" for rung in found)
        if len(found) < 2:
            checks.append(
                Check(
                    name=name,
                    level="warning",
                    measured=f"scale {scales} only",
                    allowed="two or more resolution scales",
                    source=source,
                    hint="without a second resolution there is no error bar",
                )
            )
        elif identical([rung.value for rung in found]):
            value = found[-1].value
            what = f"{value.x.size} samples" if isinstance(value, Curve) else f"{value:.6g}"
            checks.append(
                Check(
                    name=name,
                    level="fail",
                    measured=f"identical at all resolutions ({scales}): {what}; nothing was computed",
                    allowed="values that differ by more than 1e-12",
                    source=source,
                    hint="constants and formulas are no simulation; a position read off the sample grid needs a parabola",
                )
            )
        else:
            checks.append(
                Check(
                    name=name,
                    level="pass",
                    measured=f"differs between scales {scales}",
                    allowed="values that differ by more than 1e-12",
                    source=source,
                )
            )
    return checks
