"""Honest papers in plain text, and the checks of words that a whole run makes of them, without a simulation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.reproduce.rules.choice_words import choice_words
from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.input_rules import input_words
from agents.reproduce.rules.reference_rules import quotable
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.paper import PaperData, PaperFigure, PaperInput
from schemas.reproduce.planning.declared import declared as declared_inputs
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.words.structure_words import structure_words
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import Description, declared, from_document
from tasks.reproduce.describing.inputs_used import altered, inputs_used, materials_used, taken_for_another
from tasks.reproduce.references.choices import choice_faults
from tasks.reproduce.references.structure import structure_faults

FOLDER = Path(__file__).parent / "honest_papers"
MODES = ("ResonanceFrequency", "BandFrequency", "BandEdge", "Gap")  # places found without a curve
ORIGINS = {"view": "numerical", "derived": "derived", "assumed": "assumption"}
PROCESS = {"Reflectance": "reflected", "Transmittance": "transmitted", "Absorptance": "absorbed"}


@dataclass(frozen=True)
class Case:
    """A paper, what was taken from it, and what was described and is to be compared."""

    paper: PaperInput
    extracted: tuple[ExtractedParameter, ...]
    materials: tuple[MaterialChoice, ...]
    found: Description
    targets: tuple[Target, ...]
    media: Mapping[str, list[tuple[float, str]]] = field(default_factory=dict)


def case_texts() -> dict[str, str]:
    """The papers of the folder by name."""
    parts = [
        part
        for path in sorted(FOLDER.glob("*.txt"))
        for part in ("\n" + path.read_text()).split("\n=== ")[1:]
    ]
    return {part.partition(" | ")[0]: part for part in parts}


def as_it_is(found: dict[str, Any]) -> None:
    """Changes nothing."""


def case(part: str, change: Callable[[dict[str, Any]], None] = as_it_is) -> Case:
    """A paper of the folder, read; its description changed in place. A line is `name = value unit | quotation`,
    `material name page | quotation`,
    `terms name real imaginary | quotation`, or of the design: `view name = value unit`, `assumed name = value unit`,
    `derived name unit = expression`."""
    head, *pieces = part.split("\n--- ")
    name, _, title = head.partition(" | ")
    sections = {piece.partition("\n")[0].strip(): piece.partition("\n")[2].strip("\n") for piece in pieces}
    figures = []
    for line in filter(None, sections["figures"].splitlines()):
        figure, caption, *columns = line.split(" | ")
        data = tuple(
            PaperData(file=f"data/{figure}.csv", origin="digitised", source="read off the figure")
            for _ in columns
        )
        figures.append(PaperFigure(figure_id=figure, caption=caption, data=data))
    extracted, materials, own = [], [], []
    media: dict[str, list[tuple[float, str]]] = {}
    for line in filter(None, sections["inputs"].splitlines()):
        said, _, quotation = line.partition(" | ")
        first = said.split()[0]
        if first in ("material", "terms"):
            _, material, *given = said.split()
            media[material] = [(float(number), "1") for number in given] if first == "terms" else []
            more: dict[str, Any] = (
                {"page": given[0]} if first == "material" else {"index": 1.0}
            )  # which one is no matter here
            materials.append(
                MaterialChoice(name=material, band_um=(0.3, 2.0), reason="named", source=quotation, **more)
            )
        elif first in ORIGINS:
            (_, parameter, *units), rest = said.partition(" = ")[0].split(), said.partition(" = ")[2]
            more = (
                {"expression": rest, "unit": units[0]}
                if units
                else dict(zip(("value", "unit"), rest.split(), strict=True))
            )
            own.append(
                {
                    "id": parameter,
                    "origin": ORIGINS[first],
                    "assumption_id": "A" * (first == "assumed"),
                    **more,
                }
            )
        else:
            parameter, _, rest = said.partition(" = ")
            value, _, unit = rest.partition(" ")
            extracted.append(
                ExtractedParameter(
                    name=parameter, value=value, unit=unit, role="input", quotation=quotation, place="text"
                )
            )
    entries = [*(one.model_dump(mode="json") for one in declared_inputs(extracted).parameters), *own]
    code = f"def describe(p):\n{sections['code']}\n"
    paper = PaperInput(
        paper_id=name,
        title=title.strip(),
        citation="nobody, nowhere (2020)",
        text=sections["text"].replace("\n", "\n\n"),
        figures=tuple(figures),
    )
    targets = tuple(_target(line, paper) for line in sections["targets"].strip().splitlines())
    said = document(described(code, entries))
    change(said)
    found = from_document(said, declared(entries), code)
    return Case(paper, tuple(extracted), tuple(materials), found, targets, media)


def _target(line: str, paper: PaperInput) -> Target:
    name, quantity, unit, value, *rest = line.split(" | ")
    figure = paper.figures[0].figure_id if paper.figures else "text"
    if value.startswith("@"):
        x, y = value[1:].split(",")
        figure = next((each.figure_id for each in paper.figures if each.data), figure)
        reference: dict[str, Any] = {
            "kind": "data",
            "file": f"data/{figure}.csv",
            "x_column": x,
            "y_column": y,
        }
        kind, x_unit = "curve", x.rpartition("_")[2]
    else:
        kind, x_unit = "scalar", rest[2] if len(rest) > 2 else "nm"
        feature = rest[1] if len(rest) > 1 else None
        reference = {
            "kind": "quotation",
            "value": float(value),
            "quotation": rest[0],
            "feature": json.loads(feature) if feature and feature[0] == "{" else feature,
        }
    return Target.model_validate(
        {
            "target_id": name,
            "figure_id": figure,
            "description": f"what the paper says of {name}",
            "kind": kind,
            "quantity": quantity,
            "unit": unit,
            "x_unit": x_unit,
            "reference": reference,
        }
    )


def lowered(one: Case) -> Iterator[tuple[str, str, str]]:
    """(target, check, why) for each reason that would make a target of this paper PARTIAL at most."""
    words = input_words(one.extracted, one.materials, quotable(one.paper))
    unbound = {
        **{name: ("altered", why) for name, why in altered(one.found, words).items()},
        **{name: ("taken_for_another", why) for name, why in taken_for_another(one.found, words).items()},
        **{name: ("fault", said.fault) for name, said in words.items() if said.fault},
    }
    for target in one.targets:
        rests = inputs_used(one.found, target.target_id) | materials_used(one.found, target.target_id)
        for name, (check, why) in unbound.items():
            if name.strip() in rests:
                yield target.target_id, check, f"{name.strip()}: {why}"
        left = bound(target, quotable(one.paper), one.extracted)
        kinds = {
            type(each).__name__ for each in one.found.problem.quantities if target.target_id in each.answers
        }
        for why in (
            *left.refused,
            *left.loose,
            *(f"window {low:g} to {high:g}" for low, high in left.windows),
        ):
            yield target.target_id, "bound", why
        if left.modes_only and not kinds <= set(MODES):
            yield target.target_id, "bound", left.modes_only
        if left.lines_only and kinds != {"LineWidth"}:
            yield target.target_id, "bound", left.lines_only
        if left.process and not {PROCESS.get(kind, left.process) for kind in kinds} <= {left.process}:
            yield target.target_id, "bound", f"of {left.process} light"
        for why in choice_faults(one.found, target.target_id, choice_words(target, one.paper), words):
            yield target.target_id, "choice", why
    references = [(t.reference.value, t.unit) for t in one.targets if t.reference.value is not None]
    said = structure_words(quotable(one.paper))
    for target in one.targets:
        for why in structure_faults(one.found, target.target_id, said, one.media, references):
            yield target.target_id, "structure", why
