"""Axes from labelled ticks: every even axis is found, one wrong label is refused; labels as numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.digitise.labels import factor_of, number
from tasks.digitise.scale import NoScale, scale_of

pytestmark = pytest.mark.unit


@settings(max_examples=60, deadline=None)
@given(
    st.integers(3, 12),
    st.floats(20, 80),
    st.sampled_from([-1, 1]),
    st.booleans(),
    st.integers(-6, 6),
    st.integers(-50, 50),
)
def test_every_even_axis_is_found(
    count: int, spacing: float, way: int, log: bool, power: int, start: int
) -> None:
    places = 100 + spacing * np.arange(count)[::way]
    steps = np.arange(count, dtype=float)
    values = 10.0 ** (power + steps) if log else (start + steps) * 10.0**power
    scale = scale_of(places.tolist(), values.tolist(), sorted(places), (places.min(), places.max()))
    assert scale.kind == ("logarithmic" if log else "linear")
    assert np.abs(scale.places(values) - places).max() < 0.01


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 12), st.floats(20, 80), st.integers(0, 3), st.floats(0.1, 0.9))
def test_a_wrong_label_is_refused(count: int, spacing: float, which: int, off: float) -> None:
    places, values = 100 + spacing * np.arange(count), np.arange(count, dtype=float) - 2
    values[which] += off
    with pytest.raises(NoScale):
        scale_of(places.tolist(), values.tolist(), places.tolist(), (100.0, float(places.max())))


def test_two_labels_are_too_few_on_a_linear_axis() -> None:
    with pytest.raises(NoScale, match="are needed"):
        scale_of([100, 200], [0, 1], [100, 150, 200], (100, 200))


def test_lost_powers_are_denied_by_the_ticks_between() -> None:
    places = [100.0, 200.0, 300.0]
    ticks = places + [p + 100 * float(np.log10(k)) for p in places[:2] for k in range(2, 10)]
    with pytest.raises(NoScale):
        scale_of(places, [100.0, 101.0, 102.0], ticks, (100, 300))


@pytest.mark.parametrize(
    ("text", "comma", "value"),
    [
        ("\u22120.5", False, -0.5), ("10^\u22123", False, 1e-3), ("2\u00d710^4", False, 2e4), ("0,25", True, 0.25),
        ("1,500", False, 1500.0), ("1,5", False, None), ("0,500", False, None), ("20%", False, 0.2),
        ("3\u03c0/2", False, 1.5 * np.pi), ("1/4", False, 0.25), ("\u0393", False, None),
    ],
)  # fmt: skip
def test_labels_as_numbers(text: str, comma: bool, value: float | None) -> None:
    assert number(text, comma) == value


def test_factors_at_an_axis_end() -> None:
    assert factor_of("\u00d710^\u22126") == (1e-6, 0.0)
    assert factor_of("1e6") == (1e6, 0.0)
    assert factor_of("Position") is None
