"""How values become words: numbers, errors, durations, and text with its traps taken out."""

from __future__ import annotations

import math
import re

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.text.visible import visible
from tasks.reproduce.judging.limits import unit_of_measure
from tasks.reproduce.report.document import Cell, Tone
from tasks.reproduce.report.tex import readable

NONE = "–"
TONES: dict[str, Tone] = {
    "SUCCESS": "good",
    "PARTIAL": "fair",
    "FAILURE": "bad",
    "not compared": "plain",
    "pass": "good",
    "warning": "fair",
    "fail": "bad",
    "passed": "good",
    "partial": "fair",
    "failed": "bad",
    "not_done": "plain",
    "completed_success": "good",
    "completed_partial": "fair",
    "completed_failed": "bad",
    "blocked": "bad",
    "low": "good",
    "medium": "fair",
    "high": "bad",
    "acceptable": "good",
    "investigate": "fair",
    "blocking": "bad",
}


def clean(text: str) -> str:
    """Text whose hidden characters (control, direction, without width) are shown as U+FFFD."""
    return visible(text)


def shown(text: str) -> str:
    """Text for readers: no traps, and formulas as plain Unicode instead of TeX."""
    return readable(clean(text))


def slug(text: str) -> str:
    """Lower-case letters, digits and dashes; for anchors and file names."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"


def number(value: float | None, digits: int = 4) -> str:
    """A number with `digits` significant digits, plain notation where that is readable."""
    if value is None:
        return NONE
    if not math.isfinite(value):
        return "not finite"
    if value == 0:
        return "0"
    magnitude = math.floor(math.log10(abs(value)))
    if not -4 <= magnitude < 9:
        return f"{value:.{digits - 1}e}"
    text = f"{value:.{max(0, digits - 1 - magnitude)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def quantity(value: float | None, unit: str, digits: int = 4) -> str:
    """A number with its unit; '1' and '' are dimensionless."""
    suffix = f" {unit}" if unit not in ("1", "") and value is not None else ""
    return number(value, digits) + suffix


def reference_quantity(evidence: TargetEvidence, digits: int = 4) -> str:
    """The paper's value or range, "6 to 7 nm", with its unit."""
    if evidence.reference_upper is None or evidence.reference is None:
        return quantity(evidence.reference, evidence.unit, digits)
    return (
        f"{number(evidence.reference, digits)} to {quantity(evidence.reference_upper, evidence.unit, digits)}"
    )


def in_measure(value: float | None, evidence: TargetEvidence, digits: int = 3) -> str:
    """A value in the measure of a target's threshold: percent, percentage points, or the target's unit."""
    return NONE if value is None else number(value, digits) + _unit_suffix(evidence)


def thresholds(evidence: TargetEvidence) -> str:
    """excellent / acceptable / investigate, with the unit once."""
    bounds = (evidence.excellent, evidence.acceptable, evidence.investigate)
    return (
        NONE if None in bounds else " / ".join(number(bound, 3) for bound in bounds) + _unit_suffix(evidence)
    )


def _unit_suffix(evidence: TargetEvidence) -> str:
    own = unit_of_measure(evidence.measure, evidence.unit)
    return {"": "", "percentage points": " pp"}.get(own, f" {own}")


def duration(seconds: float | None) -> str:
    """Seconds in readable units."""
    if seconds is None or not math.isfinite(seconds):
        return NONE
    if seconds < 60:
        return f"{number(seconds, 3)} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def badge(text: str) -> Cell:
    """A classification, level or status as a coloured badge that also says it in words."""
    return Cell(text.replace("_", " "), tone=TONES.get(text, "plain"))


def mark(value: bool) -> Cell:
    """A finding: yes or no."""
    return Cell("yes" if value else "no", tone="good" if value else "bad")


def num(value: float | None, digits: int = 4) -> Cell:
    """A right-aligned number."""
    return Cell(number(value, digits), number=True)


def short_hash(value: str | None) -> Cell:
    """A digest shortened to 12 digits, the whole of it in the title."""
    return Cell(value[:12], title=value, code=True) if value else Cell(NONE)


def counted(count: int, singular: str, plural: str = "") -> str:
    """'1 target', '3 targets'."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"
