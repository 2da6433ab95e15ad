"""Honest mistakes of a plan's recorded inputs and readings, and misprints of the paper itself."""

from __future__ import annotations

import copy
import csv
import itertools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from schemas.reproduce.planning.declared import parameter_name
from tests.faults.parsed import Recorded

Planned = dict[str, Any]
Made = Iterator[tuple[str, str, Planned, str]]
"""(what was done; a pattern of words that lead to it; the planner's answer with the mistake; the paper's text, '' as it is)"""


@dataclass(frozen=True)
class PlanKind:
    """A kind of mistake in what the planner read, or of the paper."""

    name: str
    words: str
    find: Callable[[Recorded], Made]


_UNITS = {"nm": "um", "um": "nm", "deg": "rad", "rad": "deg", "mm": "um", "THz": "GHz"}


def _inputs(planned: Planned) -> Iterator[tuple[int, dict[str, Any]]]:
    yield from ((n, p) for n, p in enumerate(planned["extracted_parameters"]) if p["role"] == "input")


def _with(planned: Planned, number: int, **fields: Any) -> Planned:
    made = copy.deepcopy(planned)
    made["extracted_parameters"][number] |= fields
    return made


def _unit(recorded: Recorded) -> Made:
    for number, item in _inputs(recorded.planned):
        if other := _UNITS.get(item["unit"]):
            made = _with(recorded.planned, number, unit=other)
            yield f"{item['name']} in {other} for {item['unit']}", re.escape(item["name"]), made, ""


def _another_line(recorded: Recorded) -> Made:
    for (number, one), (_, other) in itertools.permutations(_inputs(recorded.planned), 2):
        if one["unit"] == other["unit"] and one["value"] != other["value"]:
            made = _with(
                recorded.planned,
                number,
                value=other["value"],
                quotation=other["quotation"],
                place=other["place"],
            )
            yield f"{one['name']} with value and words of {other['name']}", re.escape(one["name"]), made, ""


def _typing_error(recorded: Recorded) -> Made:
    for number, item in _inputs(recorded.planned):
        if new := _misprinted(item["value"]):
            yield (
                f"{item['name']} {new} for {item['value']}, its words as they are",
                re.escape(item["name"]),
                _with(recorded.planned, number, value=new),
                "",
            )


def _misprinted(value: str) -> str:
    """Two neighbouring digits the other way round, or one that is one more; '' for what is no number."""
    if not re.fullmatch(r"\d+(?:\.\d+)?", value):
        return ""
    for one, two in itertools.pairwise(m.start() for m in re.finditer(r"\d", value)):
        if value[one] != value[two] and not (one == 0 and value[two] == "0") and one > 0:
            digits = list(value)
            digits[one], digits[two] = digits[two], digits[one]
            return "".join(digits)
    last = len(value.rstrip("0.")) - 1
    return f"{value[:last]}{(int(value[last]) + 1) % 10}{value[last + 1 :]}" if last >= 0 else ""


def _targets(planned: Planned) -> Iterator[dict[str, Any]]:
    for stage in planned["plan"]["stages"]:
        yield from stage["targets"]


def _extremum(recorded: Recorded) -> Made:
    names = [t["target_id"] for t in _targets(recorded.planned)]
    for name in names:
        made = copy.deepcopy(recorded.planned)
        reference = next(t for t in _targets(made) if t["target_id"] == name)["reference"]
        feature = reference.get("feature")
        if isinstance(feature, str) and re.match("maximum|minimum", feature):
            reference["feature"] = (
                feature.replace("maximum", "m?").replace("minimum", "maximum").replace("m?", "minimum")
            )
        elif isinstance(feature, dict) and feature.get("kind") in ("position", "value", "width"):
            feature["extremum"] = "minimum" if feature.get("extremum", "maximum") == "maximum" else "maximum"
        else:
            continue
        yield f"{name}: dip for peak or peak for dip", r"maximum|minimum|peak|dip", made, ""


def _column(recorded: Recorded) -> Made:
    for name in [t["target_id"] for t in _targets(recorded.planned)]:
        made = copy.deepcopy(recorded.planned)
        reference = next(t for t in _targets(made) if t["target_id"] == name)["reference"]
        if not reference.get("file") or not reference.get("y_column"):
            continue
        lines = (recorded.folder / reference["file"]).read_text(encoding="utf-8").splitlines()
        columns = next(csv.reader(line for line in lines if not line.startswith("#")))
        for other in columns:
            if other not in (reference["x_column"], reference["y_column"]):
                again = copy.deepcopy(made)
                next(t for t in _targets(again) if t["target_id"] == name)["reference"]["y_column"] = other
                yield (
                    f"{name}: column {other} for {reference['y_column']}",
                    f"column|{re.escape(other)}",
                    again,
                    "",
                )


def _erratum(recorded: Recorded) -> Made:
    """The paper's own words state another input than its results were computed with; the planner reads them as they stand."""
    text = (recorded.folder / "paper.md").read_text(encoding="utf-8")
    shaping = {name for stage in recorded.stages for name in stage.shaping}
    for number, item in _inputs(recorded.planned):
        if parameter_name(item["name"]) not in shaping:
            continue
        new, words = _misprinted(item["value"]), item["quotation"]
        token = rf"(?<![\d.]){re.escape(item['value'])}(?!\.?\d)"
        if not new or words not in text or len(re.findall(token, words)) != 1:
            continue
        printed = re.sub(token, new, words)
        changed = text.replace(words, printed)
        made = _requoted(recorded.planned, text, changed, token, new)
        made["extracted_parameters"][number] |= {"value": new, "quotation": printed}
        for material in made["plan"]["materials"]:
            if material.get("index") == float(item["value"]) and material["source"] not in text:
                material["index"] = float(new)
        yield (
            f"the paper prints {item['name']} {new}, computed with {item['value']}",
            re.escape(item["name"]),
            made,
            changed,
        )


def _requoted(planned: Planned, text: str, changed: str, token: str, new: str) -> Planned:
    """The plan with its quotations as the changed text has them."""

    def walk(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: walk(value) for key, value in node.items()}
        if isinstance(node, list):
            return [walk(value) for value in node]
        if (
            isinstance(node, str)
            and len(node) > 8
            and node.rstrip(".") in text
            and node.rstrip(".") not in changed
        ):
            return re.sub(token, new, node)
        return node

    made: Planned = walk(json.loads(json.dumps(planned)))
    return made


PLAN_KINDS: tuple[PlanKind, ...] = (
    PlanKind("unit of an input", "nm for um, degrees for radians, in the planner's inputs", _unit),
    PlanKind("input of another line", "value and words of another input", _another_line),
    PlanKind("typing error", "an input's value other than its words", _typing_error),
    PlanKind("peak for dip", "the other extremum of a curve", _extremum),
    PlanKind("another column", "another curve of the figure's data", _column),
    PlanKind("erratum", "the paper's own stated input is a misprint", _erratum),
)  # fmt: skip
