"""Ideal metals are drawn later than what only touches them, and nothing that is painted over them vanishes by it."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.arrange.placing import drawing_order
from simkit.describe.base import INF

pytestmark = pytest.mark.unit
_BOUNDS = st.sampled_from([(-INF, INF), *combinations([-INF, -2.0, -1.0, 0.0, 1.0, 2.0, INF], 2)])
_PLACES = st.sampled_from([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5])


@st.composite
def _blocks(draw: Any) -> list[Any]:
    def block(number: int) -> Any:
        kind = draw(st.sampled_from(["perfect_conductor", "medium"]))
        x, y, z = draw(_BOUNDS), draw(_BOUNDS), (-INF, INF)
        return SimpleNamespace(type="block", id=str(number), medium=SimpleNamespace(kind=kind), x=x, y=y, z=z)

    return [block(number) for number in range(draw(st.integers(1, 5)))]


def _at(bodies: Any, x: float, y: float) -> str:
    """Whether the last body that holds the place is an ideal metal, another medium, or none."""
    there = [b.medium.kind for b in bodies if b.x[0] < x < b.x[1] and b.y[0] < y < b.y[1]]
    return there[-1] if there else "background"


@settings(max_examples=500)
@given(_blocks(), _PLACES, _PLACES)
def test_what_is_at_a_place_is_what_was_painted_there_last(bodies: list[Any], x: float, y: float) -> None:
    """An opening in a metal that is endless along an axis was drawn before the metal, and vanished."""
    assert _at(drawing_order(bodies), x, y) == _at(bodies, x, y)
