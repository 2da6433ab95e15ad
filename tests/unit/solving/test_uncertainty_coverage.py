"""Whether stated uncertainties hold the exact value: sequences that were measured, and analytic ones by the hundred."""

from __future__ import annotations

import numpy as np
import pytest

from tasks.reproduce.evidence.convergence import scalar_convergence
from tasks.reproduce.measuring import Curve, Scalar
from tasks.reproduce.uncertainty.climbing import typical_step
from tasks.reproduce.uncertainty.error_parts import Variants, on_grids, parts_of, total

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("resolutions", "values", "exact"),
    [
        # a crystal's band at X by MPB, the last step small by luck (observed order 3.0)
        ((24, 34, 51), (0.2749902922, 0.2748167414, 0.2747660490), 0.274706),
        # a grating's reflectance at 476 nm: the last two grids lie close, so their scatter counts
        ((120, 200, 400, 520), (0.4515, 0.46631, 0.47285, 0.47369), 0.4753),
        # the same at 476.9 nm in a thinner layer: far from regular (observed order 4)
        ((80, 120, 200, 400, 520), (0.25470, 0.21970, 0.21031, 0.206852, 0.206709), 0.2060),
    ],
)
def test_measured_sequences_hold_the_exact_value(
    resolutions: tuple[float, ...], values: tuple[float, ...], exact: float
) -> None:
    found = scalar_convergence(resolutions, values)
    assert found.uncertainty is not None and abs(values[-1] - exact) <= found.uncertainty < 3 * abs(
        values[-1] - exact
    )


def test_two_values_that_agree_by_chance_are_as_uncertain_as_their_kind() -> None:
    """Order 5 of a grating moved by 6e-5 where the others moved by 4e-4, and was 2.6e-4 off."""
    rungs: list[tuple[float, Scalar | Curve]] = [(48.0, Scalar(1.0 + 5.6e-5)), (68.0, Scalar(1.0))]
    alone, beside = (total(parts_of(Variants(list(rungs), typical=typical))[0]) for typical in (0.0, 3.7e-4))
    assert alone is not None and beside is not None and alone < 2.6e-4 < beside < 1e-3


@pytest.mark.parametrize(
    ("steps", "typical"), [([3e-4], 3e-4), ([1e-6, 4e-4], 4e-4), ([4e-4, 1e-6, 3e-4], 3e-4)]
)
def test_of_two_quantities_of_a_kind_the_larger_step_is_typical(steps: list[float], typical: float) -> None:
    """Their mean was called a median: it let one that agreed by chance state a quarter of what the other moved by."""
    assert typical_step(steps) == pytest.approx(typical)


def test_no_point_of_a_sweep_on_two_grids_is_better_than_the_others_relative_to_its_size() -> None:
    """A coupling length at the widest gap moved by 5e-4 of itself where others moved by 1e-3, and was 1.9e-3 off."""
    gap, size = np.linspace(0.05, 0.45, 9), np.array([3.57, 4.6, 6.0, 7.8, 10.0, 12.3, 16.0, 21.0, 27.46])
    steps = 1e-4 * np.array([9.2, 0.3, 3.7, 21.2, 6.1, 7.7, 24.0, 8.2, 5.4])
    rungs: list[tuple[float, Scalar | Curve]] = [
        (30.0, Curve(gap, size * (1 + steps), "parameter", 1)),
        (50.0, Curve(gap, size, "parameter", 1)),
    ]
    points = parts_of(Variants(rungs))[2]
    assert points is not None and 1.9e-3 < points[-1] / size[-1] < 4e-3


def _reflectance(frequency: np.ndarray, index: float, thickness: float) -> np.ndarray:
    """Of a film in air (M. Born, E. Wolf, Principles of Optics, 7.6)."""
    finesse = 4 * ((index - 1) / (index + 1)) ** 2 / (1 - ((index - 1) / (index + 1)) ** 2) ** 2
    turn = np.sin(2 * np.pi * index * thickness * frequency) ** 2
    return np.asarray(finesse * turn / (1 + finesse * turn))


@pytest.mark.parametrize(("count", "most"), [(2, 0.02), (3, 0.01), (4, 0.01)])
def test_films_on_a_grid_whose_waves_are_too_slow_hold_the_exact_curve(count: int, most: float) -> None:
    """A wave on a grid is too short by (k h)^2 / 24, and by 3 (k h)^4 / 640 at most; edges on it leave a little noise."""
    rng = np.random.default_rng(3)
    held, widths = [], []
    for _ in range(60):
        index, thickness = rng.uniform(1.4, 3.5), rng.uniform(0.1, 0.6)
        frequency = np.linspace(1.4, 2.0, 41)
        exact = _reflectance(frequency, index, thickness)
        resolutions = float(rng.uniform(60, 90)) * np.cumprod([1, *rng.uniform(1.3, 1.6, count - 1)])
        rungs = []
        for resolution in resolutions:
            square = (2 * np.pi * index * frequency / resolution) ** 2
            slow = (
                1
                + square / 24
                + rng.uniform(-0.01, 0.01) * square**2
                + rng.uniform(-0.04, 0.04) * square.mean() / 24
            )
            rungs.append(
                (float(resolution), Curve(frequency, _reflectance(frequency * slow, index, thickness)))
            )
        points, told = parts_of(Variants(list(rungs)))[2], on_grids(Variants(list(rungs))).value
        assert points is not None and isinstance(told, Curve)
        held.append(np.mean(np.abs(told.y - exact) <= points))
        widths.append(float(np.sqrt(np.mean(points**2))))
    assert np.mean(np.array(held) >= 0.95) >= 0.95 and np.median(widths) < most, (held, np.median(widths))


def test_regular_numbers_hold_the_exact_value_in_nineteen_of_twenty_whatever_their_second_term() -> None:
    rng = np.random.default_rng(5)
    held, wide = [], []
    for _ in range(500):
        size = 1 / (40 * np.cumprod([1, *rng.uniform(1.3, 1.6, int(rng.integers(2, 4)))]))
        second = rng.choice([3, 4])
        error = (size / size[0]) ** 2 + rng.uniform(-0.4, 0.4) * (size / size[0]) ** second
        error = error * rng.uniform(0.97, 1.03, size.size)
        stated = scalar_convergence(list(1 / size), list(2 + 0.01 * error)).uncertainty or 0.0
        held.append(abs(0.01 * error[-1]) <= stated)
        wide.append(stated / abs(0.01 * error[-1]))
    assert np.mean(held) >= 0.95 and np.median(wide) < 2, (np.mean(held), np.median(wide))


PEAK = (814.69, 804.33, 797.94, 792.32)  # nm: of silver slits, on the grids below; its paper says 786.3
GRIDS = (75.0, 125.0, 200.0, 400.0)


def test_one_number_is_extrapolated_from_four_regular_grids_and_not_from_three() -> None:
    rungs: list[tuple[float, Scalar | Curve]] = [(r, Scalar(nm)) for r, nm in zip(GRIDS, PEAK, strict=True)]
    three, four = (on_grids(Variants(rungs[:n], formal=1.0)) for n in (3, 4))
    assert isinstance(three.value, Scalar) and isinstance(four.value, Scalar) and four.left is not None
    assert three.value.value == PEAK[2] and abs(four.value.value - 786.3) < 0.7 < four.left[0] < 3.5
    assert "extrapolation" in four.how and "extrapolation" not in three.how


@pytest.mark.parametrize("moved", [(0.0, 0.15, 0.0), (0.0, 0.0, 0.15), (0.15, 0.0, -0.15)])
def test_a_number_of_a_curve_is_extrapolated_from_three_grids_where_the_whole_curve_is_regular(
    moved: tuple[float, ...],
) -> None:
    x = np.linspace(1.1, 1.4, 61)

    def variants(noise: tuple[float, ...]) -> Variants:
        curves = [
            Curve(x, 1 / (1 + ((x - 1000 / nm) / 0.06) ** 2) + other * np.sin(300 * x))
            for nm, other in zip(PEAK, noise, strict=False)
        ]
        return Variants(list(zip(GRIDS[:3], curves, strict=True)), formal=1.0)

    def place(value: Scalar | Curve) -> float:
        assert isinstance(value, Curve)
        return float(1000 / value.x[np.argmax(value.y)])

    def peak(value: Scalar | Curve) -> float:
        assert isinstance(value, Curve)
        top = int(np.argmax(value.y))
        a, b, c = np.polyfit(value.x[top - 2 : top + 3] - value.x[top], value.y[top - 2 : top + 3], 2)
        return float(1000 / (value.x[top] - b / (2 * a)))

    regular, irregular = on_grids(variants((0.0, 0.0, 0.0)).read(peak)), variants(moved)
    assert isinstance(regular.value, Scalar) and regular.left is not None
    assert abs(regular.value.value - 786.3) < 3 and 786.3 > regular.value.value - regular.left[0]
    assert irregular.limit is None and not irregular.read(place).steady


@pytest.mark.parametrize(("first", "second"), [(1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (1.0, -0.1)])
def test_an_extrapolated_value_is_much_nearer_than_the_finest_and_within_what_is_stated(
    first: float, second: float
) -> None:
    exact, grids = np.linspace(1, 2, 30), (20.0, 30.0, 45.0)
    slope = np.cos(np.linspace(0, 3, 30)) + 2
    curves = [Curve(exact, exact + slope * (first / r + second * 20 / r**2)) for r in grids]
    rungs: list[tuple[float, Scalar | Curve]] = list(zip(grids, curves, strict=True))
    found = on_grids(Variants(rungs))
    assert isinstance(found.value, Curve) and found.left is not None
    away = np.abs(found.value.y - exact)
    assert np.all(away <= found.left) and np.max(away) < 0.4 * np.max(np.abs(curves[-1].y - exact))
