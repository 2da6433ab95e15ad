"""The bundled goals: read without a fault, measured by a program of their own, with literature that can be cited."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tasks.explore.goals import load_goal
from tasks.literature import read_corpus

pytestmark = pytest.mark.unit
GOALS = Path(__file__).resolve().parents[3] / "goals"
NAMES = sorted(path.parent.name for path in GOALS.glob("*/goal.md"))


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_goal_is_complete(name: str) -> None:
    goal = load_goal(GOALS / name)
    assert goal.goal_id == name and goal.measure is not None and goal.provided
    assert goal.metric.name and goal.metric.unit and goal.metric.direction == "lower" and goal.metric.kind
    written = ast.walk(ast.parse((GOALS / name / "measure.py").read_text()))
    assert goal.metric.name in {node.value for node in written if isinstance(node, ast.Constant)}
    assert f"`{name}`" in (GOALS / "README.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_its_literature_is_read_and_every_note_belongs_to_a_work(name: str) -> None:
    corpus = read_corpus(GOALS / name / "corpus")
    assert corpus.faults == () and len(corpus.works) == 10
    assert all(
        work.reference.authors and work.reference.year and work.reference.venue for work in corpus.works
    )
    assert {path.stem for path in (GOALS / name / "corpus").glob("*.md")} <= {
        work.reference.key for work in corpus.works
    }
    assert not any(work.reference.addressed for work in corpus.works)


def test_the_goals_words_find_what_they_need() -> None:
    found = read_corpus(GOALS / "heat-stencil" / "corpus").search(
        "cache blocking of stencil over time steps", 3
    )
    assert found[0].key == "frigo2005cache"
    found = read_corpus(GOALS / "antireflection" / "corpus").search(
        "three layer antireflection coating quarter half", 3
    )
    assert "cox1962triple" in [item.key for item in found[:2]]
