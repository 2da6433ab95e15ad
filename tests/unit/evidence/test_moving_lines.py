"""Curves whose lines move by more than their width from grid to grid: extrapolated along the lines, or not at all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tasks.reproduce.evidence.convergence import extrapolated
from tasks.reproduce.evidence.moving_lines import extrapolated_curve

pytestmark = pytest.mark.unit

X = np.linspace(1.0, 1.4, 401)
SCALES = (19.0, 27.0, 41.0)
Array = NDArray[np.float64]


def lines(x: Array, places: tuple[float, ...], width: float) -> Array:
    """Lorentzian peaks of height 1, 2, ... on a sloping background."""
    y = 0.3 + 0.1 * x
    for height, place in enumerate(places, 1):
        y = y + height / (1 + ((x - place) / (width / 2)) ** 2)
    return np.asarray(y)


def ladder(places: tuple[float, ...], width: float, moves: tuple[float, ...], order: float) -> Array:
    """The curves on SCALES: each place moves by its share with the pixel to that order; heights change by a tenth of it."""
    grids = (1 / np.array(SCALES) * SCALES[0]) ** order
    return np.array(
        [
            lines(X, tuple(p * (1 + m * h) for p, m in zip(places, moves, strict=True)), width)
            * (1 + 0.01 * h)
            for h in grids
        ]
    )


def rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))


@settings(max_examples=40, deadline=None)
@given(
    places=st.tuples(st.floats(1.08, 1.16), st.floats(1.22, 1.32)),
    width=st.floats(0.004, 0.03),
    move=st.floats(0.002, 0.02),
    tilt=st.floats(0.8, 1.25),
    down=st.booleans(),
    order=st.floats(1.0, 2.0),
)
@example(places=(1.12, 1.26), width=0.005, move=0.006, tilt=1.2, down=True, order=1.9)
def test_lines_that_move_regularly_are_followed_to_no_pixel(
    places: tuple[float, float], width: float, move: float, tilt: float, down: bool, order: float
) -> None:
    move = -move if down else move
    table, truth = ladder(places, width, (move, move * tilt), order), lines(X, places, width)
    found = extrapolated_curve(SCALES, X, table)
    if found is None:  # nothing is claimed
        return
    left = np.maximum(found.left, rms(found.left) / 4)
    assert np.mean(np.abs(found.values - truth) <= left) >= 0.9
    assert rms(found.values - truth) <= 0.6 * rms(table[-1] - truth)


def test_what_no_point_shows_alone_the_lines_do() -> None:
    """The disc of index 2 whose peaks lay at 1405.4, 1401.9 and 1399.7 nm on these grids, 5.9 nm wide (exact: 1398.2)."""
    places, width = (1.12, 1.26), 0.0053
    table, truth = ladder(places, width, (0.0051, 0.0042), 1.95), lines(X, places, width)
    assert extrapolated(SCALES, table, 3) is None
    found = extrapolated_curve(SCALES, X, table)
    assert found is not None and found.along_lines
    assert rms(found.values - truth) < 0.2 * rms(table[-1] - truth)
    assert "along its lines" in found.convergence(0.1, 3).method + str(found.convergence(0.1, 3).grid)


@pytest.mark.parametrize(
    "moves",
    [(0.006, -0.006), (0.008, 0.0)],
    ids=["lines that move apart", "one that moves and one that stays"],
)
def test_lines_that_move_each_its_own_way_are_not_laid_on_each_other(moves: tuple[float, float]) -> None:
    table = ladder((1.12, 1.26), 0.005, moves, 2.0)
    found = extrapolated_curve(SCALES, X, table)
    truth = lines(X, (1.12, 1.26), 0.005)
    assert (
        found is None
        or np.mean(np.abs(found.values - truth) <= np.maximum(found.left, rms(found.left) / 4)) > 0.9
    )


@pytest.mark.parametrize("shifts", [(0.006, -0.004, 0.003), (0.001, 0.004, 0.002), (0.004, 0.002, -0.003)])
def test_lines_that_turn_or_speed_up_are_not_followed(shifts: tuple[float, ...]) -> None:
    table = np.array([lines(X, (1.12 + s, 1.26 + s), 0.005) for s in shifts])
    assert extrapolated_curve(SCALES, X, table) is None


def test_fringes_are_not_followed_by_a_period() -> None:
    """A whole period more fits a row of fringes as well: the nearest one counts."""
    grids = (1 / np.array(SCALES) * SCALES[0]) ** 2
    table = np.array([np.sin(2 * np.pi * X * (1 + 0.004 * h) / 0.03) for h in grids])
    truth = np.sin(2 * np.pi * X / 0.03)
    found = extrapolated_curve(SCALES, X, table)
    assert found is not None
    assert rms(found.values - truth) < 0.5 * rms(table[-1] - truth)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_no_curve_is_not_followed(bad: float) -> None:
    table = ladder((1.12, 1.26), 0.005, (0.005, 0.005), 2.0)
    broken = table.copy()
    broken[0, 7] = bad
    assert extrapolated_curve(SCALES, X, broken) is None
    assert extrapolated_curve(SCALES, X, np.ones_like(table)) is None
    assert (
        extrapolated_curve(SCALES, X[::-1], table) is None
        or not extrapolated_curve(SCALES, X[::-1], table).along_lines
    )  # type: ignore[union-attr]
    assert extrapolated_curve(SCALES[:2], X, table[:2]) is None
