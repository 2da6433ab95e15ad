"""Passages as optics papers write them, written before the word tables were read: nothing in them is lowered or refused.

Each stands under a heading with the inputs (> name = value unit | quotation) and results (! quantity value unit feature |
quotation) that an honest planner takes from it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from agents.reproduce.material_stage import with_material_stage
from agents.reproduce.plan_rules import rule
from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.reproduce.parameters import ExtractedParameter
from schemas.reproduce.plan import Plan

pytestmark = pytest.mark.unit

PASSAGES = dict(re.findall(r"(?ms)^# (\S+)\n(.*?)(?=^# \S+\n|\Z)",
                           (Path(__file__).parent / "honest_passages.txt").read_text(encoding="utf-8")))
_ENTRY = re.compile(r"(?ms)^([>!] .*? \| .*?)(?=^[>!] |\Z)")


def extracted(entry: str) -> ExtractedParameter:
    head, words = entry[2:].split(" | ", 1)
    name, _, value = head.partition(" = ")
    number, unit = re.fullmatch(r"(.*?[\d.])(?: (\D\S*))?", value).groups("")  # type: ignore[union-attr]
    return ExtractedParameter(name=name, value=number, unit=unit, role="input", quotation=words.strip(), place="Methods")


def target(entry: str, place: int) -> dict[str, Any]:
    head, words = entry[2:].split(" | ", 1)
    quantity, value, unit, kind, *more = head.split()
    feature: dict[str, Any] | None = None
    if kind != "-":
        feature = {"kind": kind}
        if kind == "value_at":
            feature["at"] = [float(more[0])]
        elif kind == "band_gap":
            feature["measure"] = more[0]
        else:
            feature |= {"extremum": more[0], "number": int(more[1])} if len(more) > 1 else {"extremum": more[0]}
    x_unit = unit if kind == "position" else "um" if kind == "value_at" and float(more[0]) < 20 else "nm"
    return {"target_id": f"t{place}", "figure_id": "fig1", "description": "what the words say", "kind": "scalar",
            "quantity": quantity, "unit": unit, "x_unit": x_unit, "major": not place,
            "reference": {"kind": "quotation", "value": float(value), "quotation": words.strip(), "feature": feature}}


def plan(name: str) -> tuple[PaperInput, Plan, tuple[ExtractedParameter, ...]]:
    """The passage as a paper, and the plan that takes from it what stands under it."""
    text, entries = re.split(r"(?m)^(?=[>!] )", PASSAGES[name], maxsplit=1)
    found = [entry.rstrip("\n") for entry in _ENTRY.findall(entries)]
    targets = [target(entry, place) for place, entry in enumerate(e for e in found if e[0] == "!")]
    body = "We study how light meets a small structure, and describe below what was computed. " * 3
    paper = PaperInput(paper_id="passage", title="A passage", citation="An honest author, A journal, 2020",
                       text=f"{body}\n\n{text}", figures=(PaperFigure(figure_id="fig1", caption="What was computed."),))
    none = {"target_id": "t", "figure_id": "fig1", "description": "a picture", "kind": "scalar", "quantity": "scalar",
            "reference": {"kind": "quotation", "value": 1, "quotation": "none"}}
    stage = {"stage_id": "s", "stage_type": "SINGLE_STRUCTURE", "name": "the structure", "description": "as the inputs say",
             "targets": targets or [none], "materials": ["metal"]}
    made = Plan.model_validate({"title": "A passage", "summary": "what it computes", "main_claim": "what it computes",
                                "claim_targets": ["t0"] if targets else [], "stages": [stage], "materials": [
                                    {"name": "metal", "page": "main/Au/Johnson", "band_um": [0.4, 1.9], "source": "chosen", "reason": "chosen"}]})
    return paper, with_material_stage(made)[0], tuple(extracted(entry) for entry in found if entry[0] == ">")


@pytest.mark.parametrize("name", PASSAGES)
def test_an_honest_passage_is_neither_lowered_nor_refused(name: str) -> None:
    paper, made, inputs = plan(name)
    empty = made.stages[-1].targets[0].target_id == "t"
    found = [f"{issue.where}: {issue.description}" for issue in rule(made, paper, {}, extracted=inputs)
             if not (empty and issue.where == "s/t")]
    assert not found, "\n".join(found)
