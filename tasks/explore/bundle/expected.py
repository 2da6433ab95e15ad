"""Which of the paper's numbers the bundle can measure again, and how close a second measurement has to come.

A number counts if the harness measured it on the best program or on the baseline, or if it is the ratio of two such. Who states
the number: science_data.json; who chose how close: this module, for every run alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from schemas.explore.bundle import ExpectedNumber
from schemas.explore.evaluation import MeasuredRecord, MetricSpec
from schemas.explore.goal import MetricKind
from schemas.explore.science_data import Number, ScienceData

FLOORS: dict[MetricKind, float] = {"deterministic": 1e-6, "random": 0.0, "timed": 0.3}
"""Relative distance that is allowed at least: rounding; nothing; the state of one computer from one hour to the next."""
RATIO_FLOOR = 0.1
"""The same for the ratio of two timed programs measured in turn: caches, frequency and what else runs."""
_OTHER_COMPUTER = "a time, which is another computer's; the ratio is judged"


def expected_numbers(
    science: ScienceData, records: Mapping[str, MeasuredRecord], spec: MetricSpec, best: str, baseline: str
) -> tuple[ExpectedNumber, ...]:
    """In the order of science_data.json. baseline: '' where the best program is the first. A number that is named after a
    node has its second name here, such as best.time."""
    nodes = {found.node_id.lower() for found in science.configurations}
    named = [number for number in science.derived if number.name.partition(".")[0] not in nodes]
    sides: dict[str, Literal["code", "baseline"]] = {
        best: "code",
        **({baseline: "baseline"} if baseline else {}),
    }
    made = [
        _of_one(number, records, spec, sides) or _of_both(number, science.numbers, spec, sides)
        for number in named
    ]
    found = tuple(number for number in made if number is not None)
    if any(number.judged for number in found):
        return found
    return tuple(
        number.model_copy(update={"judged": True, "why": ""}) for number in found
    )  # without a ratio, what there is


def _of_one(
    number: Number, records: Mapping[str, MeasuredRecord], spec: MetricSpec, sides: Mapping[str, str]
) -> ExpectedNumber | None:
    """A metric of one program, if the node's own record has that value of it."""
    record = records.get(number.node_id)
    if number.kind != "measured" or number.node_id not in sides or record is None:
        return None
    metric = next(
        (found for found in record.metrics if (found.name, found.value) == (number.key, number.value)), None
    )
    if metric is None:
        return None
    timed = spec.kind == "timed"
    return _made(
        number,
        spec,
        metric=metric.name,
        of=sides[number.node_id],
        floor=FLOORS[spec.kind] * abs(number.value),
        judged=not timed,
        why=_OTHER_COMPUTER if timed else "",
    )


def _of_both(
    number: Number, numbers: Mapping[str, Number], spec: MetricSpec, sides: Mapping[str, str]
) -> ExpectedNumber | None:
    """A ratio of two measured numbers, in one of the three ways to state it."""
    sources = [numbers[name] for name in number.derived_from if name in numbers]
    by_side = {
        sides[source.node_id]: source
        for source in sources
        if source.kind == "measured" and source.node_id in sides
    }
    if number.kind != "derived" or len(sources) != 2 or len(by_side) != 2 or sources[0].key != sources[1].key:
        return None
    code, base = by_side["code"].value, by_side["baseline"].value
    if not code or not base:
        return None
    share = RATIO_FLOOR if spec.kind == "timed" else FLOORS[spec.kind]
    for way, value, size in (
        ("ratio", code / base, code / base),
        ("inverse", base / code, base / code),
        ("change", 100 * (code / base - 1), 100 * code / base),
    ):
        if math.isclose(number.value, value, rel_tol=1e-6, abs_tol=1e-9):
            return _made(number, spec, metric=sources[0].key, of=way, floor=share * abs(size))
    return None


def _made(number: Number, spec: MetricSpec, **fields: object) -> ExpectedNumber:
    kind = spec.kind if fields["metric"] == spec.name else "random"
    unit = "" if number.unit == "1" else number.unit
    return ExpectedNumber.model_validate(
        {
            "name": number.name,
            "value": number.value,
            "unit": unit,
            "kind": kind,
            "uncertainty": number.uncertainty or 0.0,
            **fields,
        }
    )
