"""Theory of guides that lose power: closed forms, the order of modes, perturbation, and two eigenproblems that share nothing with it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from simkit.arrange.film_modes import Films, film_modes
from tasks.reproduce.oracles import oracle
from tasks.reproduce.oracles.damped_films import damped_indices
from tests.unit.describing.test_damped_guide import GROUP, LENGTH, LOSS, epsilon, plasmon
from tests.unit.describing.test_described_waveguide import INDEX, PROFILE, film, made

pytestmark = pytest.mark.unit
SILVER, WAVE = epsilon(1.25), 0.8
K0 = 2 * math.pi / WAVE


def spectral(media: list[complex], faces: list[float], polarization: str) -> list[complex]:
    """The modes by spectral elements, of media that do not change with frequency."""
    same = tuple((one, one, one) for one in media)
    return [m.index for m in film_modes(Films(1 / WAVE, polarization, same, same, same, tuple(faces)))]


def layers(media: list[complex], faces: list[float]) -> list[tuple[complex, float]]:
    return list(zip(media, [0.0, *np.diff(faces), 0.0], strict=True))


@pytest.mark.parametrize("other", [1.0, 1.77, 2.25])
def test_a_plasmon_of_one_face(other: float) -> None:
    [found] = damped_indices([(SILVER, 0.0), (other, 0.0)], WAVE, True)
    assert found == pytest.approx(np.sqrt(SILVER * other / (SILVER + other)), rel=1e-12)
    assert damped_indices([(SILVER, 0.0), (other, 0.0)], WAVE, False) == []


@pytest.mark.parametrize("gap", [0.005, 0.02, 0.05, 0.2])
def test_the_gap_between_metals_lies_on_its_tanh(gap: float) -> None:
    found = damped_indices([(SILVER, 0.0), (1.0, gap), (SILVER, 0.0)], WAVE, True)[0]
    inside, outside = np.sqrt(found**2 - 1), np.sqrt(found**2 - SILVER)
    assert np.tanh(K0 * inside * gap / 2) == pytest.approx(-outside / (SILVER * inside), rel=1e-9)


def test_the_short_ranged_mode_of_a_metal_film_is_the_first() -> None:
    """Both run into the plasmon of one face as the film grows; the thinner it is, the farther apart."""
    face = np.sqrt(SILVER * 2.25 / (SILVER + 2.25))
    apart, reach = [], []
    for thick in (0.02, 0.03, 0.05, 0.1, 0.3):
        short, long = damped_indices([(2.25, 0.0), (SILVER, thick), (2.25, 0.0)], WAVE, True)
        assert short.real > face.real > long.real and short.imag > face.imag > long.imag
        for mode, turned in (
            (short, lambda q: 1 / np.tanh(q)),
            (long, np.tanh),
        ):  # Hz odd, then even across the film
            q, g = np.sqrt(mode**2 - SILVER), np.sqrt(mode**2 - 2.25)
            assert turned(K0 * q * thick / 2) == pytest.approx(-SILVER * g / (2.25 * q), rel=1e-8)
        apart.append(short.real - long.real)
        reach.append(long.imag)
    assert apart == sorted(apart, reverse=True) and reach == sorted(reach) and apart[-1] < 1e-4


@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
def test_weak_absorption_is_perturbation_of_first_order(polarization: str) -> None:
    """The loss grows with the imaginary part of the permittivity as a slab without loss has it change with the real part."""
    across, faces = polarization == "Hz", [-0.2, 0.2]

    def first(eps: complex) -> complex:
        return damped_indices(layers([2.1, eps, 2.1], faces), WAVE, across)[0]

    step = 1e-4
    slope = (first(6 + step) - first(6 - step)).real / (2 * step)
    for loss in (1e-3, 1e-2, 0.1):
        assert first(6 + 1j * loss).imag == pytest.approx(slope * loss, rel=0.3 * loss**2 + 1e-6)


def uniform(media: list[complex], faces: list[float], across: bool, step: float, free: float) -> np.ndarray:
    """Squares of effective indices by finite differences: a uniform grid with faces half way between nodes."""
    y = np.arange(faces[0] - free + step / 2, faces[-1] + free, step)
    number = np.searchsorted(faces, y)
    eps = np.array(media, complex)[number]
    if across:
        between = 1 / np.concatenate([[eps[0]], (eps[1:] + eps[:-1]) / 2, [eps[-1]]])
    else:
        between = np.ones(y.size + 1, complex)
    keep = eps if across else np.ones(y.size)
    matrix = np.diag(K0**2 * (np.ones(y.size) if across else eps) - (between[1:] + between[:-1]) / step**2)
    matrix += np.diag(between[1:-1] / step**2, 1) + np.diag(between[1:-1] / step**2, -1)
    return np.linalg.eigvals(keep[:, None] * matrix) / K0**2


@pytest.mark.parametrize(("across", "media"), [(True, [4.0, SILVER, 2.0]), (False, [1.0, 6 + 0.4j, 2.0])])
def test_finite_differences_run_into_the_roots(across: bool, media: list[complex]) -> None:
    faces = [0.0, 0.2]
    for exact in damped_indices(layers(media, faces), WAVE, across):
        off = []
        for step in (0.01, 0.005):
            squares = uniform(media, faces, across, step, 1.2)
            off.append(np.abs(np.sqrt(squares) - exact).min())
        assert off[1] < 0.35 * off[0] and off[1] < 0.03


EPS = st.one_of(
    st.floats(1.0, 13.0).map(complex),
    st.tuples(st.floats(1.5, 13.0), st.floats(0.0, 1.5)).map(lambda both: complex(*both)),
    st.tuples(st.floats(-80.0, -3.0), st.floats(0.1, 4.0)).map(lambda both: complex(*both)),
)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(EPS, min_size=2, max_size=5),
    st.lists(st.floats(0.01, 0.5), min_size=3, max_size=3),
    st.sampled_from(["Ez", "Hz"]),
)
def test_all_modes_of_any_stack_are_those_of_an_eigenproblem(
    media: list[complex], thick: list[float], polarization: str
) -> None:
    """Metals, absorbing and lossless films in any order: as many roots, the same and in the same order."""
    pairs = list(zip(media, media[1:], strict=False))
    assume(all(abs(a + b) > 0.3 * abs(a) and abs(a - b) > 0.05 for a, b in pairs))
    faces = [0.0, *np.cumsum(thick[: len(media) - 2])]
    found = damped_indices(layers(media, faces), WAVE, polarization == "Hz")
    other = spectral(media, faces, polarization)
    edge = max(np.sqrt(media[side]).real for side in (0, -1))
    bound = [n for n in found if min(np.sqrt(n**2 - media[s]).real for s in (0, -1)) * K0 * 40 * WAVE > 6]
    inside = [n for n in bound if n.real > edge + 1e-6 and n.imag < 0.99 * n.real]
    for root in inside:
        assert min((abs(root - one) for one in other), default=math.inf) < 2e-4 * abs(root), (root, other)
    for one in other:
        if one.imag < 0.99 * one.real and one.real > edge + 1e-6:
            assert min((abs(root - one) for root in found), default=math.inf) < 2e-4 * abs(one), (one, found)


def test_a_search_that_was_thrown_far_away_and_came_back_found_nothing() -> None:
    """The secant method stood still where it began, in a box that holds one root: a mode of 1.644 + 0.078i, and 1.888 was missing."""
    media = [
        -80 + 3.97446230256j,
        11.05003135965,
        9.9473397111833,
        -66.99089062518746 + 0.13808296j,
        1.875 + 0.75j,
    ]
    faces = [0.0, *np.cumsum([0.40625, 0.46484375, 0.4375])]
    found = damped_indices(layers(media, faces), WAVE, True)
    other = spectral(media, faces, "Hz")
    assert len(found) == len(other) == 8
    assert np.allclose(found, other, rtol=2e-4)


def test_the_two_faces_of_thick_metal_have_their_plasmon_each_and_nothing_else() -> None:
    """The search placed a false mode, finer than its elements, before both."""
    metal, around = -75.5738 + 2.9332j, 4.473143
    face = np.sqrt(metal * around / (metal + around))
    found = spectral([around, metal, around], [0.0, 0.26028], "Hz")
    assert found == pytest.approx([face, face], rel=1e-4)


def test_five_films_of_metal_and_glass_have_no_mode_that_no_root_has() -> None:
    media = [-70.99 + 1.11j, -11.34 + 3.63j, 12.5 + 0.906j, 6.58 + 0j, -70.99 + 1.11j]
    faces = [0.0, 0.06243, 0.471, 0.647]
    found = damped_indices(layers(media, faces), WAVE, True)
    other = spectral(media, faces, "Hz")
    assert other == pytest.approx(found[: len(other)], rel=1e-4) and len(other) > 1


def test_the_values_of_a_scene_are_those_of_its_roots() -> None:
    problem = plasmon(
        INDEX, GROUP, LENGTH, LOSS, {**PROFILE, "component": "Hz", "start": [0, 0, 0], "end": [0, 2, 0]}
    )
    n, group, length, loss, profile = (oracle(problem.scenes[0], q, {})[1] for q in problem.quantities)
    exact = np.sqrt(SILVER / (SILVER + 1))
    assert n.value == pytest.approx(exact.real) and length.value == pytest.approx(
        WAVE / (4 * math.pi * exact.imag)
    )
    assert (length.power, loss.power) == (1, -1) and loss.value == pytest.approx(
        4.342945 / length.value, rel=1e-6
    )
    beside = [np.sqrt(epsilon(f) / (epsilon(f) + 1)).real * f for f in (1.2499, 1.2501)]
    assert group.value == pytest.approx((beside[1] - beside[0]) / 2e-4, rel=1e-5)
    own = np.exp(-K0 * np.sqrt(exact**2 - 1) * (profile.x - 0.3)[profile.x > 0.3])
    assert profile.y[profile.x > 0.3] == pytest.approx(np.abs(own), abs=2e-3)


def test_a_guide_with_little_loss_keeps_the_theory_of_one_without_and_has_a_length() -> None:
    mild: dict[str, Any] = {
        "kind": "medium",
        "epsilon": 6,
        "poles": [{"kind": "lorentz", "frequency": 3, "damping": 0.01, "strength": 0.1}],
    }
    problem = made(INDEX, LENGTH, bodies=[{**film(-0.2, 0.2), "medium": mild}])
    names = [oracle(problem.scenes[0], q, {})[0] for q in problem.quantities]
    assert names == ["dispersion relation of films", "complex roots of the dispersion relation of films"]
