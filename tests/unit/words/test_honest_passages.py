"""Passages as optics papers write them, written before the word tables were read: nothing in them is lowered or refused.

Each stands under a heading with the inputs (> name = value unit | quotation) and results (! quantity value unit feature |
quotation) that an honest planner takes from it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.input_rules import input_words
from agents.reproduce.rules.material_stage import with_material_stage
from agents.reproduce.rules.plan_rules import rule
from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Plan, Target

pytestmark = pytest.mark.unit

PASSAGES = dict(
    re.findall(
        r"(?ms)^# (\S+)\n(.*?)(?=^# \S+\n|\Z)",
        (Path(__file__).parent / "honest_passages.txt").read_text(encoding="utf-8"),
    )
)
_ENTRY = re.compile(r"(?ms)^([>!] .*? \| .*?)(?=^[>!] |\Z)")


def extracted(entry: str) -> ExtractedParameter:
    head, words = entry[2:].split(" | ", 1)
    name, _, value = head.partition(" = ")
    number, unit = re.fullmatch(r"(.*?[\d.])(?: (\D\S*))?", value).groups("")  # type: ignore[union-attr]
    return ExtractedParameter(
        name=name, value=number, unit=unit, role="input", quotation=words.strip(), place="Methods"
    )


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
            feature |= (
                {"extremum": more[0], "number": int(more[1])} if len(more) > 1 else {"extremum": more[0]}
            )
    x_unit = unit if kind == "position" else "um" if kind == "value_at" and float(more[0]) < 20 else "nm"
    return {
        "target_id": f"t{place}",
        "figure_id": "fig1",
        "description": "what the words say",
        "kind": "scalar",
        "quantity": quantity,
        "unit": unit,
        "x_unit": x_unit,
        "major": not place,
        "reference": {
            "kind": "quotation",
            "value": float(value),
            "quotation": words.strip(),
            "feature": feature,
        },
    }


def plan(name: str) -> tuple[PaperInput, Plan, tuple[ExtractedParameter, ...]]:
    """The passage as a paper, and the plan that takes from it what stands under it."""
    text, entries = re.split(r"(?m)^(?=[>!] )", PASSAGES[name], maxsplit=1)
    found = [entry.rstrip("\n") for entry in _ENTRY.findall(entries)]
    targets = [target(entry, place) for place, entry in enumerate(e for e in found if e[0] == "!")]
    body = "We study how light meets a small structure, and describe below what was computed. " * 3
    paper = PaperInput(
        paper_id="passage",
        title="A passage",
        citation="An honest author, A journal, 2020",
        text=f"{body}\n\n{text}",
        figures=(PaperFigure(figure_id="fig1", caption="What was computed."),),
    )
    none = {
        "target_id": "t",
        "figure_id": "fig1",
        "description": "a picture",
        "kind": "scalar",
        "quantity": "scalar",
        "reference": {"kind": "quotation", "value": 1, "quotation": "none"},
    }
    stage = {
        "stage_id": "s",
        "stage_type": "SINGLE_STRUCTURE",
        "name": "the structure",
        "description": "as the inputs say",
        "targets": targets or [none],
        "materials": ["metal"],
    }
    made = Plan.model_validate(
        {
            "title": "A passage",
            "summary": "what it computes",
            "main_claim": "what it computes",
            "claim_targets": ["t0"] if targets else [],
            "stages": [stage],
            "materials": [
                {
                    "name": "metal",
                    "page": "main/Au/Johnson",
                    "band_um": [0.4, 1.9],
                    "source": "chosen",
                    "reason": "chosen",
                }
            ],
        }
    )
    return paper, with_material_stage(made)[0], tuple(extracted(entry) for entry in found if entry[0] == ">")


@pytest.mark.parametrize("name", PASSAGES)
def test_an_honest_passage_is_neither_lowered_nor_refused(name: str) -> None:
    paper, made, inputs = plan(name)
    empty = made.stages[-1].targets[0].target_id == "t"
    found = [
        f"{issue.where}: {issue.description}"
        for issue in rule(made, paper, {}, extracted=inputs)
        if not (empty and issue.where == "s/t")
    ]
    assert not found, "\n".join(found)


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The maximum of the reflectance lies at 720.7 nm, at 601 nm little is seen.", 601),
        ("The reflectance has its maximum at 720.7 nm, is 20 % at 601 nm.", 601),
        ("The reflectance has a maximum, and at 601 nm the film is dark.", 601),
        ("The lowest reflectance, 3 %, is found at 601 nm.", 601),
        ("The following is not true: its maximum of the reflectance lies at 601 nm.", 601),
    ],
)
def test_words_that_place_something_else_bind_no_maximum(text: str, value: float) -> None:
    """Lie: a place in a clause beside the maximum is given as its place."""
    found = bound(
        Target.model_validate(
            {
                "target_id": "t",
                "figure_id": "fig1",
                "description": "",
                "kind": "scalar",
                "quantity": "peak_position",
                "unit": "nm",
                "x_unit": "nm",
                "reference": {
                    "kind": "quotation",
                    "value": value,
                    "quotation": text,
                    "feature": {"kind": "position", "extremum": "maximum"},
                },
            }
        ),
        text,
        (),
    )
    assert found.refused or found.loose


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("bar_width", 60, "the bars have a gap of 60 nm"),
        ("period", 60, "The width of the slot is 60 nm"),
        ("wavelength", 60, "with pitch \u039b = 60 nm"),
        ("period", 60, "light of \u03bb = 60 nm"),
        ("thickness", 60, "a gap width of 60 nm"),
    ],
)
def test_a_size_is_only_of_what_has_it(name: str, value: float, words: str) -> None:
    """Lie: the size of one thing is given as another's."""
    given = ExtractedParameter(
        name=name, value=str(value), unit="nm", role="input", quotation=words, place="Methods"
    )
    assert input_words([given], (), f"A film is studied. {words}. It is dark.")[name].fault


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gap_width", "a gap of 60 nm"),
        ("slot", "a slot width of 60 nm"),
        ("slot", "The width of the slot is 60 nm"),
        ("Lambda", "period \u039b = 60 nm"),
    ],
)
def test_a_size_is_of_what_has_it(name: str, words: str) -> None:
    given = ExtractedParameter(
        name=name, value="60", unit="nm", role="input", quotation=words, place="Methods"
    )
    assert not input_words([given], (), f"A film is studied. {words}. It is dark.")[name].fault
