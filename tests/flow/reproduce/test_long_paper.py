"""A paper of 400 pages does not fit a model's context: a person decides that its methods are enough, and the run goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flow import coating
from tests.flow.kit import PARTLY, Model

pytestmark = [pytest.mark.flow, pytest.mark.long]


def write_long_paper(folder: Path) -> Path:
    """The coating paper with 400 pages of history in the middle."""
    paper = coating.write_paper(folder) / "paper.md"
    page = (
        "The history of coatings is long and has been told many times, from Fraunhofer's tarnished lenses on. "
        * 30
    )
    head, results = paper.read_text().split("## Results")
    paper.write_text(head + "## Background\n" + (page + "\n\n") * 400 + "## Results" + results)
    assert paper.stat().st_size > 1_000_000
    return folder


def test_four_hundred_pages(benches):
    bench, model = benches(write_long_paper), Model()
    with model:
        run = bench.reproduce(
            model, "--answer", "material_checkpoint=approve", "--answer", "context_overflow=shorten"
        )
        assert run.wait() == PARTLY, run.err
    assert "truncate paper to methods" in run.err
    planner = next(r for r in model.requests if "PlannerAgent" in str(r["system"]))
    assert len(str(planner)) < 300_000 and "a quarter of 550 nm" in str(planner)
    assert "context overflow" in bench.report()
