"""Guides: what changes along x is refused, the supercell, which modes are guided, the dispersion relation of films."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from simkit.arrange import Arrangement, Numerics, arrange, needs
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.runs import dump, load
from tasks.reproduce.measuring import NotMeasured, measure
from tasks.reproduce.oracles import oracle

INF = 1e20


def film(low: float, high: float, index: float = 2.0, name: str = "film") -> dict[str, Any]:
    return {
        "type": "block",
        "id": name,
        "medium": {"kind": "medium", "index": index},
        "x": [-INF, INF],
        "y": [low, high],
        "z": [-INF, INF],
    }


COUPLER = [film(-0.55, -0.15, name="one"), film(0.15, 0.55, name="two")]
BEAT = {"type": "beat_length", "id": "beat"}
INDEX = {"type": "effective_index", "id": "n"}


def made(*quantities: dict[str, Any], **scene: Any) -> Problem:
    whole = {
        "type": "waveguide",
        "id": "s",
        "dimensions": "2D",
        "bodies": COUPLER,
        "wavelength": 1.55,
        "polarization": "Ez",
        "background": {"kind": "medium", "index": 1.444},
        **scene,
    }
    return Problem.model_validate(
        {"scenes": [whole], "quantities": [{"scene": "s", **q} for q in quantities or (INDEX,)]},
        context=RESOLVED,
    )


def arranged(problem: Problem, resolution: float = 20.0, **more: Any) -> Arrangement:
    return arrange(problem.scenes[0], problem.quantities, Numerics(resolution, **more), {})


def measured(problem: Problem, *k: float, number: int = 0) -> float:
    f = np.array([1 / 1.55])
    raw = {
        "modes": {
            "modes/frequency": f,
            "modes/k": np.array([k]) * f[0],
            "modes/group_velocity": np.full((1, len(k)), 0.4),
        }
    }
    return measure(problem.scenes[0], problem.quantities[number], arranged(problem), raw).value


@pytest.mark.unit
@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ({"polarization": "all"}, "in 2D the polarization is"),
        ({"bodies": [{**film(0, 1), "x": [0, 1]}]}, "film changes along x"),
        (
            {
                "bodies": [
                    {"type": "sphere", "id": "ball", "medium": {"kind": "medium", "index": 2}, "radius": 1}
                ]
            },
            "ball changes",
        ),
        ({"background": {"kind": "perfect_conductor"}}, "ideal metal"),
    ],
)
def test_what_no_guide_is(scene: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        made(**scene)


@pytest.mark.unit
def test_the_supercell_holds_cladding_that_padding_widens() -> None:
    problem = made(BEAT)
    run, wide = arranged(problem).runs["modes"], arranged(problem, padding=1.4).runs["modes"]
    assert load(dump(run)).digest() == run.digest()
    assert (
        run.size == (0, 1, 0) and run.polarisation == "tm" and run.count == 2 and run.find_k_at == (1 / 1.55,)
    )
    assert run.lattice[1][1] / 2 - 0.55 >= 1.2 * 1.55 and wide.lattice[1][1] > run.lattice[1][1]
    assert needs(problem.scenes[0], {}).whole == (0.15, 0.55)


@pytest.mark.unit
def test_what_reaches_to_infinity_is_cladding() -> None:
    substrate = film(-INF, 0, 1.6, "substrate")
    assert arranged(made(bodies=[substrate, film(0, 0.4)])).facts["cladding"] == pytest.approx(1.6)
    with pytest.raises(ValueError, match="guides nothing"):
        arranged(made(bodies=[film(-INF, 0, 2.5), film(0, 0.4)]))


@pytest.mark.unit
def test_metal_and_skew_cross_sections_are_refused() -> None:
    drude = {"kind": "medium", "epsilon": 1, "poles": [{"kind": "drude", "frequency": 3, "damping": 0.1}]}
    with pytest.raises(ValueError, match="metal or absorbing media"):
        arranged(made(bodies=[{**film(0, 1), "medium": drude}], dimensions="3D"))
    core = {**film(-0.2, 0.2), "z": [0, 0.22]}
    with pytest.raises(ValueError, match="not symmetric about z = 0"):
        arranged(made(bodies=[core], dimensions="3D"))
    assert arranged(made(bodies=[core], dimensions="3D", polarization="all")).runs["modes"].size == (0, 1, 1)


@pytest.mark.unit
def test_only_guided_modes_have_values() -> None:
    assert measured(made(INDEX), 1.7879) == pytest.approx(1.7879)
    assert measured(made(BEAT), 1.787922, 1.692442) == pytest.approx(8.1169, rel=1e-5)
    assert measured(made({"type": "group_index", "id": "g"}), 1.7) == pytest.approx(2.5)
    for bad, words in ((1.40, "effective index 1.4"), (2.1, "effective index 2.1"), (np.nan, "no such mode")):
        with pytest.raises(NotMeasured, match=words):
            measured(made(INDEX), bad)
    with pytest.raises(NotMeasured, match="cannot be told apart"):
        measured(made(BEAT), 1.7, 1.7)


@pytest.mark.unit
def test_dispersive_media_get_frequencies_beside_the_wavelength() -> None:
    lorentz = {
        "kind": "medium",
        "epsilon": 2,
        "poles": [{"kind": "lorentz", "frequency": 3, "damping": 0, "strength": 2}],
    }
    problem = made({"type": "group_index", "id": "g"}, bodies=[{**film(-0.2, 0.2), "medium": lorentz}])
    assert len(arranged(problem).runs["modes"].find_k_at) == 3
    found = oracle(problem.scenes[0], problem.quantities[0], {})[1].value
    plain = made({"type": "group_index", "id": "g"}, bodies=[film(-0.2, 0.2, 2.0)])
    assert found > oracle(plain.scenes[0], plain.quantities[0], {})[1].value


PROFILE = {"type": "guided_profile", "id": "p", "start": [0, -1, 0], "end": [0, 1, 0]}


@pytest.mark.unit
@pytest.mark.parametrize(
    ("quantity", "words"),
    [
        ({**PROFILE, "end": [0, 9, 0]}, "leaves the cross-section"),
        ({**PROFILE, "start": [0, 0, 0], "end": [0, 0, 1]}, "leaves the cross-section"),
        ({**PROFILE, "end": [1, 1, 0]}, "leaves the cross-section"),
        ({**PROFILE, "end": [1, 1, 1]}, "differ along 3 axes"),
    ],
)
def test_lines_beyond_the_cross_section_are_refused(quantity: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        arranged(made(quantity))
    assert arranged(made(PROFILE, {**PROFILE, "id": "q", "mode": 2})).runs["modes"].fields_of == (1, 2)


@pytest.mark.unit
def test_the_coupler_s_exact_supermodes() -> None:
    problem = made(INDEX, {**INDEX, "id": "m", "mode": 2}, BEAT, {**INDEX, "id": "none", "mode": 5})
    found = [oracle(problem.scenes[0], q, {}) for q in problem.quantities]
    assert [v[1].value for v in found[:3]] == pytest.approx([1.787922, 1.692442, 8.1169], rel=1e-5)
    assert found[2][1].power == 1 and found[3] is None
