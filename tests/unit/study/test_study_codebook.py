"""What a package says of its columns."""

from __future__ import annotations

import json

import pytest

from tasks.study.codebook import codebook_text, dataset_text, described
from tests.unit.study.study_fixture import questionnaire, variables

pytestmark = pytest.mark.unit


def test_each_column_is_told_as_design_and_questionnaire_have_it() -> None:
    rows = described(
        ("participant", "condition", "easy_2", "place", "ease", "odd"), variables(), questionnaire()
    )
    text = codebook_text(rows)
    assert "| easy_2 | I had to think a lot. (reversed) | likert | 1 to 7 |" in text
    assert "| place | Where would you use it? | choice | home / work |" in text
    assert "| condition | voice or touch | nominal | voice / touch |" in text
    assert "| ease | mean of the scale (mean of its items, reversed ones turned) | interval |" in text
    assert "| odd | not described |" in text
    found = json.loads(dataset_text("Voice\nor touch", "Real data.", rows))
    assert (found["@type"], found["name"]) == ("Dataset", "Voice or touch")
    assert [item["name"] for item in found["variableMeasured"]] == [row["name"] for row in rows]


def test_a_cell_makes_no_other_columns() -> None:
    item = questionnaire().items[0].model_copy(update={"text": "a | b\n| c |"})
    rows = described(("easy_1",), variables(), questionnaire().model_copy(update={"items": (item,)}))
    [line] = [line for line in codebook_text(rows).splitlines() if line.startswith("| easy_1")]
    assert line.count("|") - line.count("\\|") == 5
