"""Bundled papers as people have papers: a PDF with their figures drawn in it and no data. The same classes come out as from data."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.reproduce.papers import BUNDLED
from tests.flow.browser import CHROMIUM
from tests.flow.kit import Bench, Model
from tests.flow.typeset import typeset
from tests.messages_server import context_answerer
from tests.messages_server.alike import agent_of, sections_of
from tests.messages_server.answerers import Answerer

pytestmark = [pytest.mark.flow, pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")]
# What a column of the paper's data is called in its figure's legend; a figure of one curve needs no name.
LEGENDS = {
    "coupler": {"n_eff_even": "even", "n_eff_odd": "odd", "coupling_length_um": ""},
    "ge-on-gold": {"R_10nm": "10 nm Ge", "R_15nm": "15 nm Ge", "R_20nm": "20 nm Ge"},
    "guided-resonance": {"reflectance": "grating", "R_125nm": "125 nm", "R_175nm": "175 nm"},
}


def answers(paper: str) -> Answerer:
    """As recorded; the plan names the tables that the request shows in place of those that the PDF does not have."""
    recorded = context_answerer(BUNDLED / paper / "transcript.jsonl")

    def answer(request: dict[str, Any]) -> Any:
        found = recorded(request)
        if agent_of(request) != "planner":
            return found
        tables = json.loads(sections_of(request)["data_files"])
        found = copy.deepcopy(found)
        for stage in found["plan"]["stages"]:
            for target in stage["targets"]:
                _renamed(target, tables, LEGENDS[paper])
        return found

    return answer


def _renamed(target: dict[str, Any], tables: list[dict[str, Any]], legends: dict[str, str]) -> None:
    reference = target["reference"]
    if not reference["file"]:
        return
    name = legends[reference["y_column"]]
    [table] = (
        t
        for t in tables
        if t["figure_id"] == Path(reference["file"]).stem and (repr(name) in t["source"] or not name)
    )
    x, y = table["columns"]
    reference |= {"file": table["file"], "x_column": x, "y_column": y}


@pytest.mark.long
@pytest.mark.parametrize("paper", list(LEGENDS))
def test_the_same_classes_as_from_data(paper: str, benches: Callable[..., Bench]) -> None:
    bench = benches(lambda folder: typeset(paper, folder))
    with Model(answers(paper)) as model:
        run = bench.reproduce(
            model, "--answer", "figures_checkpoint=approve", "--answer", "material_checkpoint=approve",
            env={"REPROLAB_NON_INTERACTIVE": "1", "ANTHROPIC_API_KEY": "k"},
        )  # fmt: skip
        code = run.wait()
    expected = json.loads((BUNDLED / paper / "baseline.json").read_text())["targets"]
    found = bench.comparisons()
    assert {name: entry["classification"] for name, entry in found.items()} == {
        name: entry["classification"] for name, entry in expected.items()
    }, run.err[-3000:]
    assert code == 0 and "digitised from the paper" in bench.report()
    figures = json.loads((bench.run_dir / "paper" / "paper.json").read_text())["figures"]
    assert {data["origin"] for figure in figures for data in figure["data"]} == {"digitised"}
