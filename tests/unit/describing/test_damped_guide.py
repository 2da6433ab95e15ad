"""Guides of metal and absorbing films: what is refused and why, the runs, the way from real to complex wave vectors, lossless runs kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.arrange import Arrangement, Numerics, arrange, needs
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.runs import Run
from tasks.reproduce.measuring import NotMeasured, measure
from tasks.reproduce.oracles import oracle
from tests.unit.describing.test_described_waveguide import BEAT, COUPLER, INDEX, PROFILE, film, made

pytestmark = pytest.mark.unit
INF = 1e20
GROUP, LENGTH, LOSS = (
    {"type": name, "id": name} for name in ("group_index", "propagation_length", "attenuation")
)


def metal(damping: float = 0.05) -> dict[str, Any]:
    """Much like silver: epsilon 5 - 7.25^2 / (f^2 + i f damping)."""
    return {
        "kind": "medium",
        "epsilon": 5,
        "poles": [{"kind": "drude", "frequency": 7.25, "damping": damping, "strength": 1}],
    }


def epsilon(f: complex, damping: float = 0.05) -> complex:
    return 5 - 7.25**2 / (f**2 + 1j * f * damping)


def plasmon(*quantities: dict[str, Any], damping: float = 0.05, **scene: Any) -> Problem:
    """On the metal below y = 0.3, in air."""
    below = {**film(-INF, 0.3, name="metal"), "medium": metal(damping)}
    air = {"kind": "medium", "index": 1.0}
    return made(
        *quantities,
        **{"bodies": [below], "background": air, "polarization": "Hz", "wavelength": 0.8, **scene},
    )


def arranged(problem: Problem, resolution: float = 100.0, **more: Any) -> Arrangement:
    return arrange(problem.scenes[0], problem.quantities, Numerics(resolution, **more), {})


def raw_of(found: Arrangement, frequency_at: Any, number: int = 1) -> dict[str, dict[str, np.ndarray]]:
    """What probes would record of a mode with these complex frequencies at its wave vectors."""
    about, out = found.facts["damped"][str(number)], {}
    for name, k in zip(about["runs"], about["k"], strict=True):
        f = complex(frequency_at(k))
        quality = f.real / (-2 * f.imag)
        seen = {"frequency": f.real, "Q": quality, "amplitude": 1.0, "error": 1e-12}
        seen |= {"first_half_frequency": f.real, "first_half_Q": quality}
        out[name] = {
            f"{probe}/{key}": np.array([value])
            for probe in found.facts["probes"]
            for key, value in seen.items()
        }
    return out


def of_plasmon(k: float, damping: float = 0.05) -> complex:
    """The exact complex frequency of a plasmon on the metal in air."""
    f = 1.25 + 0j
    for _ in range(200):
        e = epsilon(f, damping)
        f = 0.5 * f + 0.5 * k / np.sqrt(e / (1 + e))
    return f


def test_the_complex_wave_vector_follows_from_frequencies_at_real_ones() -> None:
    problem = plasmon(INDEX, GROUP, LENGTH, LOSS)
    found = arranged(problem)
    raw = raw_of(found, of_plasmon)
    n, group, length, loss = (measure(problem.scenes[0], q, found, raw).value for q in problem.quantities)
    exact = np.sqrt(epsilon(1.25) / (1 + epsilon(1.25)))
    assert n == pytest.approx(exact.real, rel=1e-7) and length == pytest.approx(
        0.8 / (4 * np.pi * exact.imag), rel=2e-4
    )
    assert loss * length == pytest.approx(10 / np.log(10)) and group == pytest.approx(1.0612, rel=2e-4)
    for quantity in problem.quantities:  # theory knows nothing of all this
        value = measure(problem.scenes[0], quantity, found, raw)
        theory = oracle(problem.scenes[0], quantity, {})[1]
        assert (theory.value, theory.power) == (pytest.approx(value.value, rel=3e-4), value.power)


def test_a_mode_of_much_loss_is_right_as_long_as_five_wave_vectors_tell_and_has_no_value_beyond() -> None:
    problem = plasmon(LENGTH, damping=0.6, wavelength=0.45)
    found = arranged(problem)
    assert len(found.runs) == 5
    about = found.facts["damped"]["1"]

    def exact(k: float) -> complex:
        f = complex(*about["frequency"][2])
        for _ in range(400):
            e = epsilon(f, 0.6)
            f = 0.6 * f + 0.4 * k / np.sqrt(e / (1 + e))
        return f

    value = measure(problem.scenes[0], problem.quantities[0], found, raw_of(found, exact)).value
    assert value == pytest.approx(oracle(problem.scenes[0], problem.quantities[0], {})[1].value, rel=2e-3)
    middle = about["k"][2]
    bent = raw_of(found, lambda k: exact(k) - 0.3j * abs(k - middle))
    with pytest.raises(NotMeasured, match="wave vectors that are real"):
        measure(problem.scenes[0], problem.quantities[0], found, bent)
    strong = plasmon(LENGTH, damping=1.0, wavelength=0.36)
    assert not arranged(strong).runs
    with pytest.raises(NotMeasured, match="loses its power too fast"):
        measure(strong.scenes[0], strong.quantities[0], arranged(strong), {})


def test_a_mode_that_is_not_seen_or_not_steady_or_far_away_has_no_value() -> None:
    problem = plasmon(INDEX)
    found = arranged(problem)
    good = raw_of(found, of_plasmon)
    for change, words in (
        (lambda key, v: v * 1.2 if key.endswith("frequency") else v, "was not seen"),
        (lambda key, v: v * 1.3 if key.endswith("first_half_Q") else v, "not steady"),
        (lambda key, v: v * 1.045 if key.endswith("frequency") else v, "from where its films have it"),
    ):
        bad = {run: {key: change(key, v) for key, v in arrays.items()} for run, arrays in good.items()}
        with pytest.raises(NotMeasured, match=words):
            measure(problem.scenes[0], problem.quantities[0], found, bad)


def test_modes_that_there_are_not_are_told_with_those_that_there_are() -> None:
    problem = plasmon({**INDEX, "mode": 2})
    with pytest.raises(NotMeasured, match=r"mode 2 is not guided[\s\S]*1\.0179"):
        measure(problem.scenes[0], problem.quantities[0], arranged(problem), {})
    across = plasmon(INDEX, polarization="Ez")
    with pytest.raises(NotMeasured, match="mode 1 is not guided"):
        measure(across.scenes[0], across.quantities[0], arranged(across), {})


def test_what_loses_no_power_has_no_length_and_keeps_its_index() -> None:
    problem = made(INDEX, LENGTH, bodies=[film(-0.2, 0.2)])
    found = arranged(problem)
    assert list(found.runs) == ["modes"]
    with pytest.raises(NotMeasured, match="loses nothing"):
        measure(problem.scenes[0], problem.quantities[1], found, {})
    assert oracle(problem.scenes[0], problem.quantities[1], {}) is None


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ({"dimensions": "3D", "polarization": "all"}, "had in 2D alone"),
        ({"period": 0.3}, "had in 2D alone"),
        (
            {"bodies": [{"type": "cylinder", "id": "rod", "medium": metal(), "radius": 0.1, "axis": "x"}]},
            "rod is no block",
        ),
    ],
)
def test_metal_where_it_is_not_had_is_refused_with_what_to_do(scene: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        arranged(plasmon(INDEX, **scene))


def test_a_loss_of_guides_that_are_no_films_is_refused() -> None:
    with pytest.raises(ValueError, match="loss per length is had of 2D guides"):
        arranged(
            made(LOSS, dimensions="3D", bodies=[{**film(-0.2, 0.2), "z": [-0.1, 0.1]}], polarization="all")
        )


def test_profiles_of_films_run_along_y_in_components_that_there_are() -> None:
    with pytest.raises(ValueError, match="have no Ez"):
        arranged(plasmon({**PROFILE, "component": "Ez"}))
    with pytest.raises(ValueError, match="change along y alone"):
        arranged(plasmon({**PROFILE, "end": [1, -1, 0]}))


def test_the_cell_holds_the_tail_and_the_profile_and_faces_lie_on_pixels() -> None:
    plain, long, wide = (
        arranged(plasmon(INDEX), 100),
        arranged(plasmon({**PROFILE, "end": [0, 9, 0]}), 100),
        arranged(plasmon(INDEX), 100, padding=2),
    )
    runs: list[Run] = [next(iter(found.runs.values())) for found in (plain, long, wide)]  # type: ignore[misc]
    for run in runs:
        (_, low, face), (_, same, high) = run.stack
        assert same == face and face * 100 == pytest.approx(round(face * 100), abs=1e-9)
        assert low == -run.cell[1] / 2 and high == -low
        count = run.cell[1] * 100
        assert count == pytest.approx(round(count)) and round(count) % 2 == 0
    assert runs[1].cell[1] > 8.7 and runs[2].cell[1] > runs[0].cell[1] + 2
    assert plain.runs.keys() == {f"mode_1_{n}" for n in range(3)}
    found = needs(plasmon(INDEX, bodies=[{**film(0.1, 0.17), "medium": metal()}]).scenes[0], {})
    assert found.whole == (0.07,) and found.alone


def test_a_run_is_the_same_whatever_order_its_films_are_drawn_in() -> None:
    """Bodies that cover others, and films cut in two, are the same films, and the same run."""
    low, gap, top = film(-INF, 0, name="low"), film(0, 0.1, 1.0, "gap"), film(0.1, INF, name="top")
    low["medium"] = top["medium"] = metal()
    whole = {**film(-INF, INF, name="all"), "medium": metal()}
    halves = [film(0, 0.04, 1.0, "a"), film(0.04, 0.1, 1.0, "b")]
    first = arranged(plasmon(INDEX, bodies=[low, gap, top]))
    for bodies in ([whole, gap], [low, *halves, top]):
        other = arranged(plasmon(INDEX, bodies=bodies))
        assert [run.stack for run in other.runs.values()] == [run.stack for run in first.runs.values()]  # type: ignore[union-attr]


def test_guides_without_loss_are_the_runs_that_they_were() -> None:
    """Digests of before there were guides with loss; what is kept of them stands."""
    mild = {
        "kind": "medium",
        "epsilon": 2,
        "poles": [{"kind": "lorentz", "frequency": 3, "damping": 0.001, "strength": 2}],
    }
    problems = (
        (made(BEAT), "85cc759db2d790e7d973c29779392b50"),
        (made(INDEX, {"type": "group_index", "id": "g"}, PROFILE), "5ea4ab40fc876e96b2449fa22126fe1b"),
        (
            made(
                {"type": "group_index", "id": "g"},
                bodies=[{**film(-0.2, 0.2), "medium": mild}],
                polarization="Hz",
            ),
            "7f8c8734b5f8c57d579c64534833017b",
        ),
        (made(INDEX, period=0.3), "d500f6d4135e93fd98fa626234579026"),
        (
            made(INDEX, dimensions="3D", bodies=[{**film(-0.2, 0.2), "z": [-0.1, 0.1]}], polarization="all"),
            "2bbbb0b85332f6cbb68bf861741fa853",
        ),
    )
    for problem, digest in problems:
        found = arrange(problem.scenes[0], problem.quantities, Numerics(20.0), {})
        assert [run.digest() for run in found.runs.values()] == [digest]
    asked = arrange(made(BEAT, LOSS).scenes[0], made(BEAT, LOSS).quantities, Numerics(20.0), {})
    assert asked.runs["modes"].digest() == problems[0][1] and len(COUPLER) == 2


def test_the_description_takes_them() -> None:
    read = Problem.model_validate(plasmon(LENGTH, LOSS).model_dump(mode="json"), context=RESOLVED)
    assert [q.power for q in read.quantities] == [1, -1]


def test_one_medium_everywhere_guides_nothing() -> None:
    """As where every body is made of its surroundings, to see whether a value comes from them."""
    for scene in ({"background": metal()}, {"bodies": [{**film(-INF, INF), "medium": metal()}]}):
        with pytest.raises(ValueError, match="one medium everywhere"):
            arranged(plasmon(LENGTH, **scene))
