"""A scene and its quantities are complete: every place that has to know them does. Of a new one: the list of what is to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

import simkit.describe
from simkit.arrange import _ARRANGED
from simkit.describe.problem import AnyQuantity, AnyScene
from tasks.reproduce.measuring import _REDUCERS
from tasks.reproduce.oracles import _ORACLES
from tasks.reproduce.references.called import _NAMED

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]
SCENES: tuple[Any, ...] = get_args(get_args(AnyScene)[0])
QUANTITIES: tuple[Any, ...] = get_args(get_args(AnyQuantity)[0])
TABLES = {
    "simkit/arrange/__init__.py": _ARRANGED,
    "tasks/reproduce/measuring/__init__.py": _REDUCERS,
    "tasks/reproduce/oracles/__init__.py": _ORACLES,
}
NOT_TOLD = {"bands"}  # a diagram: what words tell of it is a band's frequency, an edge, a gap


def lacking() -> Iterator[str]:
    """Each place that does not know a scene or a quantity: the file, and what it lacks."""
    page = (ROOT / "docs/guide/describe.md").read_text(encoding="utf-8")
    for scene in SCENES:
        kind = scene.model_fields["type"].default
        yield from (f"{file}: {kind}" for file, table in TABLES.items() if kind not in table)
        if not any(getattr(quantity, "of_scene", "") == kind for quantity in QUANTITIES):
            yield f"simkit/describe/problem.py: a quantity of {kind}"
    for told in (*SCENES, *QUANTITIES):
        if told.__name__ not in simkit.describe.__all__:
            yield f"simkit/describe/__init__.py: {told.__name__}"
        if f"`{told.__name__}" not in page:
            yield f"docs/guide/describe.md: {told.__name__}"
    for quantity in QUANTITIES:
        kind = quantity.model_fields["type"].default
        of_a_scene, shown = getattr(quantity, "of_scene", ""), quantity.view is True
        if of_a_scene and not shown and kind not in _NAMED and kind not in NOT_TOLD:
            yield f"tasks/reproduce/references/called.py: {kind}"


def test_every_place_knows_every_scene_and_quantity() -> None:
    assert len(SCENES) > 5 and len(QUANTITIES) > 30
    assert [*lacking()] == [], "CONTRIBUTING.md, A scene"


def test_no_table_knows_a_scene_that_there_is_not() -> None:
    there = {scene.model_fields["type"].default for scene in SCENES}
    assert [{*table} - there for table in TABLES.values()] == [set(), set(), set()]
