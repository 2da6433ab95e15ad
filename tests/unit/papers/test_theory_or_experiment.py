"""What the figure reader calls theory or experiment reaches the planner where a person took it, and only there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce import planner
from schemas.reproduce.figure_names import FigureNames
from tasks.reproduce.papers import load_paper
from tasks.reproduce.papers.proposed_figures import curves_in, figure_words
from tasks.reproduce.papers.read_figures import put_curves
from tasks.reproduce.papers.reader_names import taking_names, with_names
from tests.unit.papers.reader_tries import curve, figure

pytestmark = pytest.mark.unit
_WHAT = st.sampled_from(["theory", "experiment", "unclear"])


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), _WHAT), max_size=5))
def test_it_is_taken_with_the_names_and_not_without(said: list[tuple[int, str]]) -> None:
    answer = FigureNames.model_validate({"curves": [{"curve": n, "what": what} for n, what in said]})
    seen = with_names(figure(False), answer)
    assert not any(curve.what for curve in curves_in(seen).values())
    taken = [curve.what for curve in curves_in(taking_names(seen)).values()]
    for number, what in enumerate(taken, 1):
        mine = [other for n, other in said if n == number]
        assert what == (mine[0] if len(mine) == 1 and mine[0] != "unclear" else "")


def test_the_planner_reads_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    paper: dict[str, Any] = {
        "paper_id": "film", "title": "A film", "citation": "A. Author, A film (2020)",
        "figures": [{"figure_id": "fig1", "caption": "Transmittance of a film."}],
    }  # fmt: skip
    (tmp_path / "paper.json").write_text(json.dumps(paper))
    (tmp_path / "paper.md").write_text(
        "# A film\n\n## Methods\n\nA film of 100 nm. " + "It is lit from above. " * 12
    )
    seen = with_names(figure(False), FigureNames.model_validate(curve(2, name="measured", what="experiment")))
    named = taking_names(seen)
    assert "measured, experiment" in figure_words(named, "a caption")
    put_curves(tmp_path, "fig1", tuple(curves_in(named).values()), "approved by a person (me)")
    found = load_paper(tmp_path)[0].figures[0].data
    assert "experiment, as an AI read the figure" in found[1].source and "an AI" not in found[0].source
    table = planner.describe_table("fig1", found[1], (tmp_path / found[1].file).read_text())
    assert "experiment" in table.source, "what the planner is sent"
