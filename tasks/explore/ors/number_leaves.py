"""Leaves that state a number, graded by code: we measure the repository's programs ourselves, with the frozen program.

What reproduce.sh reports must agree as well, but is never enough: a script can type any number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from schemas.explore.bundle import RESULTS, ExpectedNumber
from schemas.explore.evaluation import MeasuredRecord
from schemas.explore.grade import NumberGrade
from schemas.explore.settings import MeasureSettings
from schemas.reading.beneath import Unopened, read_below
from schemas.reading.strict_json import parse_json
from tasks.explore.bundle.bundled.remeasure import allowed_distance, value_of
from tasks.explore.bundle.run_files import RunFiles
from tasks.explore.measuring.freezing import harness_of
from tasks.explore.measuring.harness import Subject, measure

MEASURED = "ors_measured.json"
_SIMKIT = Path(__file__).resolve().parents[3] / "simkit"


def measured(
    run: RunFiles, repository: Path, keep: Path, settings: MeasureSettings, *, allow_degraded: bool = False
) -> MeasuredRecord | None:
    """Our own measurement of code/ and baseline/ of a repository, in turns; None without any program in code/."""
    code, baseline = repository / "code", repository / "baseline"
    if not _program_in(code):
        return None
    harness = harness_of(
        run.goal,
        run.spec,
        run.run_dir,
        settings,
        libraries={"simkit": _SIMKIT},
        allow_degraded=allow_degraded,
    )
    return measure(
        run.spec,
        harness,
        Subject("code", code),
        Subject("baseline", baseline) if _program_in(baseline) else None,
        keep=keep,
        run_dir=run.run_dir,
    )


def _program_in(folder: Path) -> bool:
    return folder.is_dir() and not folder.is_symlink() and any(path.is_file() for path in folder.rglob("*"))


def reported(outputs: Path) -> dict[str, float]:
    """Values by name in the results.json that reproduce.sh wrote; what does not fit is left out."""
    try:
        value = parse_json(read_below(outputs, RESULTS, 1 << 20).decode("utf-8"), 8)
    except (Unopened, ValueError):
        return {}
    entries = value.get("numbers") if isinstance(value, dict) else None
    found = {}
    for name, entry in entries.items() if isinstance(entries, dict) else ():
        number = entry.get("value") if isinstance(entry, dict) else entry
        if isinstance(number, (int, float)) and not isinstance(number, bool) and math.isfinite(number):
            found[str(name)] = float(number)
    return found


def graded(number: ExpectedNumber, record: MeasuredRecord | None, told: Mapping[str, float]) -> NumberGrade:
    """One number of the paper beside our measurement and beside what reproduce.sh reported."""
    plain = number.model_dump()
    sides: dict[str, dict[str, list[float]]] = {"code": {}, "baseline": {}}
    for side, metrics in (
        (("code", record.metrics), ("baseline", record.parent_metrics)) if record is not None else ()
    ):
        sides[side] = {metric.name: list(metric.values) for metric in metrics}
    found = value_of(plain, sides)
    allowed = allowed_distance(plain, found[1] if found is not None else 0.0)
    said = told.get(number.name)
    reason = _reason(number, record, found, said, allowed)
    return NumberGrade(
        name=number.name,
        paper=number.value,
        uncertainty=number.uncertainty,
        unit=number.unit,
        allowed=allowed,
        measured=None if found is None else found[0],
        measured_uncertainty=None if found is None else found[1],
        reported=said,
        agrees=not reason,
        reason=reason or "measured by us and reported by reproduce.sh within the error bars",
    )


def _reason(
    number: ExpectedNumber,
    record: MeasuredRecord | None,
    found: tuple[float, float] | None,
    said: float | None,
    allowed: float,
) -> str:
    """Why it does not agree; '' if it does."""
    if record is None:
        return "the repository has no program in code/ to measure"
    if found is None:
        return "it could not be measured: " + (
            "; ".join(record.refused[:3]) or f"no {number.metric} of {number.of}"
        )
    if abs(found[0] - number.value) > allowed:
        return f"we measured {found[0]:.6g}, more than {allowed:.3g} from the paper's value"
    if said is None:
        return f"reproduce.sh reported no {number.name} in {RESULTS}"
    if abs(said - number.value) > allowed:
        return f"reproduce.sh reported {said:.6g}, more than {allowed:.3g} from the paper's value"
    return ""
