"""The overview of an exploration on Prefect's page."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flows.explore.outcome import Outcome
from flows.explore.pages.overview import overview
from flows.questions.pending import Pending, announced
from schemas.explore.evaluation import MetricSpec
from schemas.explore.settings import ExploreSettings
from schemas.explore.state import StageEnd
from schemas.explore.tree import Node, Tree
from schemas.talking.interaction import Choice, Question
from tasks.explore.report.tree_page import round_marks
from tests.unit.explore.exploration_fixture import exploration

pytestmark = pytest.mark.unit


@pytest.fixture
def run(tmp_path: Path) -> Any:
    folder = exploration(tmp_path)
    tree = Tree.model_validate_json((folder / "tree.json").read_text())
    spec = MetricSpec.model_validate_json((folder / "evaluation_criteria.json").read_text())
    late = Node(
        id="n004",
        parent="n000",
        depth=1,
        ancestor_ids=("n000",),
        label="ablation",
        direction="without the | blocks",
    )
    grown = tree.model_copy(update={"nodes": (*tree.nodes, late)})
    state = SimpleNamespace(
        goal_title="A faster <b>sum</b>", spec=spec, tree=grown, stages=(), current="", user_interactions=()
    )
    return SimpleNamespace(
        state=state,
        settings=ExploreSettings(),
        run_dir=folder,
        run_id="r",
        flow_run_id="page",
        children=[],
        stage_runs={"n001": "abc"},
        workflow=SimpleNamespace(ordered=lambda: ()),
    )


def test_it_says_where_it_stands_and_what_was_tried(run: Any) -> None:
    page = overview(run)
    assert (
        "At work on n004; at most 12 experiments." in page and "Best so far: **n001, 12.5 ± 0.2 ms**" in page
    )
    rows = [line for line in page.splitlines() if line.startswith("| ") and "n00" in line]
    assert [row.split("n00")[1][0] for row in rows] == ["0", "1", "2", "3", "4"], (
        "children stand below their parents"
    )
    assert (
        "[n001](/runs/flow-run/abc)" in rows[1]
        and "improve: swap the loops" in rows[1]
        and "| better |" in rows[1]
    )
    assert rows[1].startswith("| ↳ ") and rows[2].startswith("| ··↳ ")
    assert "without the / blocks" in rows[4] and "at work" in rows[4]
    assert "it did not compile" in rows[3]


def test_a_question_has_a_link_and_the_end_its_files(run: Any) -> None:
    question = Question(
        question_id="after-ideas",
        kind="after_ideas",
        title="Explore the idea?",
        body="",
        reason="a checkpoint",
        choices=(Choice(name="approve", effect="go on"),),
        asked_by="ReproLab",
    )
    with announced(Pending(question, "there", run.run_dir)):
        assert "[Explore the idea?](/runs/flow-run/there)" in overview(run)
    assert "[Explore the idea?](/runs/flow-run/page)" in overview(run, suspended=question)
    run.state.stages = (StageEnd(stage="write_paper", status="done", words="4 pages"),)
    outcome = Outcome(
        goal_id="sum",
        run_id="r",
        report="/x/REPORT.html",
        complete=True,
        nodes=5,
        working=3,
        paper="/x/paper.pdf",
    )
    page = overview(run, outcome)
    assert (
        "explored: 3 of 5 nodes measured" in page
        and "| write paper | done | 4 pages |" in page
        and "`REPORT.html`" in page
    )


@pytest.mark.parametrize(
    ("low", "high", "log", "shown"),
    [
        (0.09, 1.59, False, ["0.5", "1", "1.5"]),
        (-0.2, 0.2, False, ["-0.2", "-0.1", "0", "0.1", "0.2"]),
        (2.99, 3.01, False, ["2.99", "2.995", "3", "3.005", "3.01"]),
        (-3.1, 0.2, True, ["0.001", "0.01", "0.1", "1"]),
    ],
)
def test_the_marks_of_the_reports_chart_are_round(
    low: float, high: float, log: bool, shown: list[str]
) -> None:
    assert [f"{value:.12g}" for value in round_marks(low, high, log)] == shown
