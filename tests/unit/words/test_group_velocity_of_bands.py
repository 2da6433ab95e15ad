"""A group velocity is the slope of a band, and of nothing else that is measured over frequency."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from schemas.reproduce.simulations.features import SimpleFeature
from schemas.reproduce.words.bound import Saying
from tasks.reproduce.references.matching import matches

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("words", "of", "kind", "agrees"),
    [
        ("group velocity", "bands", "slope", True),
        ("group velocity", "bands", "position", False),
        ("group index", "bands", "slope", False),  # its reciprocal
        ("group velocity", "reflectance", "slope", False),
        ("group index", "group_index", "", True),
    ],
)
def test_what_gives_a_group_velocity(words: str, of: str, kind: str, agrees: bool) -> None:
    answer: Any = SimpleNamespace(type=of)
    target: Any = SimpleNamespace(unit="1")
    feature = SimpleFeature(kind=kind) if kind else None  # type: ignore[arg-type]
    assert matches(Saying(kind="group", words=words), feature, answer, target, words) is agrees
