"""Numbers of methods and tables that no input or target states, as the report lists them."""

from __future__ import annotations

import pytest

from tasks.reproduce.report.document import Fold, Paragraph, Table
from tasks.reproduce.report.sections.unquoted import unquoted_blocks
from tasks.reproduce.report.source import Source
from tests.unit.report.report_fixture import make_facts, make_paper, make_state, settings

pytestmark = pytest.mark.unit

ABSTRACT = """# A film

## Abstract

In 2009 we found (ref. 17) that the film absorbs at 720 nm, 0.720 um, with a width of 85 nm and a loss of 3.2 dB.
Two films do so, from one m to the next.

## 1 Results

The dip is 41 % deep.

| film | peak (nm) | depth |
|------|-----------|-------|
| thin | 720       | 0.61  |
| thick| 655       | 0.62  |
"""


def listed(tmp_path, text: str) -> list[tuple[str, str]] | str:
    run_dir, paper_dir = tmp_path / "run", tmp_path / "paper"
    run_dir.mkdir()
    paper_dir.mkdir()
    paper = make_paper(paper_dir).model_copy(update={"text": text})
    (block,) = unquoted_blocks(
        Source(make_state(run_dir), paper, run_dir, paper_dir, settings(), make_facts())
    )
    if isinstance(block, Paragraph):
        return block.text
    assert isinstance(block, Fold)
    (table,) = (part for part in block.blocks if isinstance(part, Table))
    return [(row[0].text, row[1].text) for row in table.rows]


def test_what_no_target_covers_is_listed_with_its_place_and_labels_are_not(tmp_path):
    assert listed(tmp_path, ABSTRACT) == [("table 1", "0.61"), ("table 1", "655"), ("table 1", "0.62")]


def test_a_paper_whose_numbers_are_all_covered_is_said_to_be_one(tmp_path):
    assert "Every number" in listed(
        tmp_path, "## Abstract\n\nIt absorbs at 720 nm.\n\n## Results\n\nA dip of 99 nm."
    )


def test_a_number_of_the_methods_that_no_input_takes_up_is_listed(tmp_path):
    """Lie: the index of the prism is quoted for the film; the film's own stands in the methods, unused."""
    assert listed(
        tmp_path,
        "## Abstract\n\nIt absorbs at 720 nm.\n\n## 2 Methods\n\nThe film has a thickness of 133 nm.\n\n"
        "## Results\n\nA dip of 99 nm.",
    ) == [("methods", "133 nm")]
