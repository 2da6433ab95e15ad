"""measured.json of one run: written by a program that ran the candidate's code, so hostile until checked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from schemas.explore.evaluation import MetricSpec
from schemas.reading.beneath import Unopened, read_below
from schemas.reading.strict_json import parse_json
from schemas.text.visible import one_visible_line, visible

FILE_NAME = "measured.json"
MAX_BYTES, MAX_DEPTH, MOST_ENTRIES, MAX_NAME, MAX_UNIT = 1_000_000, 6, 50, 80, 40

FORM = '{"metrics": {name: {"value": x, "unit": u}}, "checks": {name: true or false}}'


class Refused(ValueError):
    """A run gave no measurement; the text says why, in words for its author."""


@dataclass(frozen=True)
class MeasuredFile:
    """What one run wrote: (value, unit) by name, and checks. sha256: of the file's bytes."""

    metrics: dict[str, tuple[float, str]]
    checks: dict[str, bool]
    sha256: str


def read_measured(work: Path, spec: MetricSpec) -> MeasuredFile:
    """The measurement in a work directory. Raises Refused: missing, a link, too large, no JSON, NaN, a wrong unit."""
    try:
        raw = read_below(work, FILE_NAME, MAX_BYTES)
    except Unopened as error:
        raise Refused(f"{FILE_NAME} {error}") from None
    try:
        value = parse_json(raw.decode("utf-8"), MAX_DEPTH)
    except ValueError as error:
        raise Refused(f"{FILE_NAME} is not valid: {one_visible_line(str(error), 200)}") from None
    if not isinstance(value, dict) or not isinstance(value.get("metrics"), dict):
        raise Refused(f"{FILE_NAME} is not of the form {FORM}")
    metrics = {_name(name): _metric(name, entry) for name, entry in _limited(value["metrics"], "metrics")}
    reading = MeasuredFile(metrics, _checks(value.get("checks", {})), sha256(raw).hexdigest())
    if spec.name not in metrics:
        raise Refused(f"{FILE_NAME} lacks the metric {spec.name!r}; it has {sorted(metrics)[:10]}")
    unit = metrics[spec.name][1]
    if unit != spec.unit:
        raise Refused(f"the metric {spec.name!r} is in {unit!r}, and {spec.unit!r} was agreed")
    return reading


def _limited(entries: dict[str, object], what: str) -> list[tuple[str, object]]:
    if len(entries) > MOST_ENTRIES:
        raise Refused(f"{FILE_NAME} holds {len(entries)} {what}; at most {MOST_ENTRIES}")
    return list(entries.items())


def _name(name: str) -> str:
    if not 0 < len(name) <= MAX_NAME or visible(name) != name or "\n" in name:
        raise Refused(f"{FILE_NAME}: {one_visible_line(name, 60)!r} is no name of a metric or check")
    return name


def _metric(name: str, entry: object) -> tuple[float, str]:
    if not isinstance(entry, dict):
        raise Refused(f'{FILE_NAME}: the metric {name!r} is not of the form {{"value": x, "unit": u}}')
    value, unit = entry.get("value"), entry.get("unit", "1")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Refused(
            f"{FILE_NAME}: the value of {name!r} is no finite number ({one_visible_line(repr(value), 60)})"
        )
    if not isinstance(unit, str) or len(unit) > MAX_UNIT or visible(unit) != unit:
        raise Refused(f"{FILE_NAME}: the unit of {name!r} is no short text")
    return float(value), unit


def _checks(found: object) -> dict[str, bool]:
    if not isinstance(found, dict):
        raise Refused(f"{FILE_NAME}: checks are not of the form {{name: true or false}}")
    checks: dict[str, bool] = {}
    for name, held in _limited(found, "checks"):
        if not isinstance(held, bool):
            raise Refused(
                f"{FILE_NAME}: the check {name!r} is neither true nor false ({one_visible_line(repr(held), 60)})"
            )
        checks[_name(name)] = held
    return checks
