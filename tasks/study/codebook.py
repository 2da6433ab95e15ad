"""The columns of a package's data, for people (codebook.md) and for programs (dataset_description.json, as Psych-DS asks for it)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from schemas.study.design import Variable, Variables
from schemas.study.questionnaire import Item, Questionnaire
from schemas.text.visible import one_visible_line

_OWN = {
    "participant": "number of the participant",
    "condition": "condition that the row is about",
    "condition_order": "place of the condition in the order that the participant met, 1 for the first",
    "simulated": "true where a language model answered",
}


def described(
    columns: Sequence[str], variables: Variables, questionnaire: Questionnaire | None
) -> list[dict[str, str]]:
    """Each column with what it is, as far as design and questionnaire say."""
    known = {item.name: item for item in variables.variables}
    items = {item.id: item for item in questionnaire.items} if questionnaire else {}
    scales = {item.scale for item in items.values() if item.scale}
    return [{"name": name, **_of(name, known.get(name), items.get(name), name in scales)} for name in columns]


def _of(name: str, variable: Variable | None, item: Item | None, scale: bool) -> dict[str, str]:
    what = (
        _line(item.text)
        if item
        else _line(variable.definition)
        if variable
        else _OWN.get(name, "not described")
    )
    values = ""
    if item is not None:
        if item.minimum is not None and item.maximum is not None:
            values = f"{item.minimum:g} to {item.maximum:g}"
        values = values or " / ".join(map(_line, item.options))
        what += " (reversed)" if item.reverse else ""
    elif variable is not None:
        values = " / ".join(map(_line, variable.levels)) or _line(variable.unit)
    if scale:
        what += " (mean of its items, reversed ones turned)"
    return {"what": what, "kind": variable.kind if variable else item.kind if item else "", "values": values}


def codebook_text(rows: Sequence[dict[str, str]]) -> str:
    """codebook.md."""
    lines = ["# Columns of raw_data.csv", "", "| column | what | kind | values |", "|---|---|---|---|"]
    lines += [
        "| " + " | ".join(row[part].replace("|", "\\|") for part in ("name", "what", "kind", "values")) + " |"
        for row in rows
    ]
    return "\n".join([*lines, "", "An empty cell is a missing value."]) + "\n"


def dataset_text(title: str, description: str, rows: Sequence[dict[str, str]]) -> str:
    """dataset_description.json: a schema.org Dataset with the fields that Psych-DS requires."""
    found: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": _line(title),
        "description": description,
        "variableMeasured": [
            {"@type": "PropertyValue", "name": row["name"], "description": row["what"]}
            | ({"valueReference": row["values"]} if row["values"] else {})
            for row in rows
        ],
    }
    return json.dumps(found, indent=1, ensure_ascii=False)


def _line(text: str) -> str:
    return one_visible_line(text, 600)
