"""Crystals: lattices and their points, the run of k points, gaps from bands, plane waves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from simkit.arrange import Arrangement, Numerics, arrange, needs
from simkit.arrange.crystal import reciprocal
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.runs import dump, load
from tasks.reproduce.measuring import NotMeasured, measure
from tasks.reproduce.oracles import oracle

INF = 1e20
AIR = {"kind": "medium", "index": 1}
ROD = {
    "type": "cylinder",
    "id": "rod",
    "medium": {"kind": "medium", "epsilon": 8.9},
    "center": [0, 0, 0],
    "radius": 0.2,
    "axis": "z",
    "bounds": [-INF, INF],
}
SQUARE = {"type": "square", "period": 1}


def made(*quantities: dict[str, Any], **scene: Any) -> Problem:
    whole = {
        "type": "crystal",
        "id": "s",
        "lattice": SQUARE,
        "bodies": [ROD],
        "background": AIR,
        "polarization": "tm",
        **scene,
    }
    given = quantities or ({"type": "gap", "id": "g", "above": 1, "what": "ratio"},)
    return Problem.model_validate(
        {"scenes": [whole], "quantities": [{"scene": "s", **q} for q in given]}, context=RESOLVED
    )


def arranged(problem: Problem, resolution: float = 16.0) -> Arrangement:
    return arrange(problem.scenes[0], problem.quantities, Numerics(resolution), {})


@pytest.mark.unit
@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ({"path": ["Gamma", "K"]}, "K is no point of a square lattice; its points: Gamma, X, M"),
        ({"path": ["Gamma"]}, "two corners"),
        ({"background": {"kind": "perfect_conductor"}}, "cannot travel"),
        (
            {"lattice": {"type": "vectors", "vectors": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}},
            "polarization='all'",
        ),
    ],
)
def test_what_no_crystal_is(scene: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        made(**scene)


@pytest.mark.unit
@pytest.mark.parametrize(
    "lattice", [SQUARE, {"type": "hexagonal", "period": 0.7}, {"type": "chain", "period": 2}]
)
def test_reciprocal_vectors(lattice: dict[str, Any]) -> None:
    basis = made(lattice=lattice).scenes[0].basis()
    products = np.array(basis) @ np.array(reciprocal(basis))[: len(basis)].T
    assert products == pytest.approx(np.eye(len(basis)), abs=1e-12)


@pytest.mark.unit
def test_the_hexagonal_corner_lies_where_three_zones_meet() -> None:
    scene = made(lattice={"type": "hexagonal", "period": 1}).scenes[0]
    vectors = np.array(reciprocal(scene.basis()))
    corner, middle = np.array(scene.point("K")) @ vectors, np.array(scene.point("M")) @ vectors
    assert np.linalg.norm(corner) == pytest.approx(2 / 3) and np.linalg.norm(middle) == pytest.approx(
        1 / math.sqrt(3)
    )
    far = [
        np.linalg.norm(corner - g) for g in (0 * vectors[0], vectors[0], vectors[1], vectors[0] + vectors[1])
    ]
    assert sum(abs(d - 2 / 3) < 1e-12 for d in far) == 3


@pytest.mark.unit
def test_one_run_holds_the_path_and_the_single_points() -> None:
    problem = made(
        {"type": "gap", "id": "g", "above": 1, "what": "width"},
        {"type": "band_frequency", "id": "m", "band": 3, "k": "M"},
        {"type": "band_frequency", "id": "n", "band": 1, "k": [0.25, 0.1, 0]},
    )
    arrangement = arranged(problem)
    run = arrangement.runs["bands"]
    assert load(dump(run)).digest() == run.digest() and run.count == 4
    assert run.k_points[arrangement.facts["single"]["m"]] == (0.5, 0.5, 0)
    assert run.k_points[-1] == (0.25, 0.1, 0) and len(arrangement.facts["path"]) == len(run.k_points) - 1
    assert arrangement.facts["way"][-1] == pytest.approx(1 + math.sqrt(0.5))
    assert run.size == (1, 1, 0) and needs(problem.scenes[0], {}).whole == (1,)


@pytest.mark.unit
def test_metals_are_sent_to_the_time_domain_and_free_lattices_need_a_path() -> None:
    drude = {"kind": "medium", "epsilon": 1, "poles": [{"kind": "drude", "frequency": 1, "damping": 0.1}]}
    with pytest.raises(ValueError, match="describe a resonator that is periodic"):
        arranged(made(bodies=[{**ROD, "medium": drude}]))
    with pytest.raises(ValueError, match="a free lattice needs a path"):
        arranged(made(lattice={"type": "vectors", "vectors": [[1, 0, 0], [0, 2, 0]]}))
    with pytest.raises(ValueError, match="in one line or plane"):
        arranged(
            made(
                lattice={"type": "vectors", "vectors": [[1, 0, 0], [2, 0, 0]]}, path=[[0, 0, 0], [0.5, 0, 0]]
            )
        )


def bands_of(arrangement: Arrangement, lower: float, upper: float) -> dict[str, Any]:
    count = len(arrangement.facts["path"])
    shape = np.sin(np.linspace(0, np.pi, count))
    return {"bands": {"bands/frequency": np.stack([lower * shape, upper + 0 * shape, 1 + shape], 1)}}


@pytest.mark.unit
def test_gaps_edges_and_curves() -> None:
    kinds = ("lower_edge", "upper_edge", "width", "middle", "ratio")
    problem = made(
        *({"type": "gap", "id": what, "above": 1, "what": what} for what in kinds),
        {"type": "band_edge", "id": "top", "band": 1, "edge": "maximum"},
        {"type": "bands", "id": "curve", "band": 1},
    )
    arrangement = arranged(problem)
    found = {
        q.id: measure(problem.scenes[0], q, arrangement, bands_of(arrangement, 0.3, 0.5))
        for q in problem.quantities
    }
    top = 0.3 * np.sin(np.linspace(0, np.pi, len(arrangement.facts["path"]))).max()
    assert found["lower_edge"].value == found["top"].value == pytest.approx(top)
    assert found["ratio"].value == pytest.approx((0.5 - top) / (0.5 + top) * 2) and found["ratio"].power == 0
    assert found["curve"].axis == "wavenumber" and np.all(np.diff(found["curve"].x) > 0)
    with pytest.raises(NotMeasured, match="no gap above band 1"):
        measure(problem.scenes[0], problem.quantities[0], arrangement, bands_of(arrangement, 0.6, 0.5))


@pytest.mark.unit
@pytest.mark.parametrize(
    ("polarization", "lattice"), [("tm", SQUARE), ("te", {"type": "chain", "period": 1})]
)
def test_plane_waves_without_bodies_are_the_light_line(polarization: str, lattice: dict[str, Any]) -> None:
    problem = made(
        {"type": "band_frequency", "id": "f", "band": 1, "k": "X"},
        bodies=[],
        polarization=polarization,
        lattice=lattice,
        background={"kind": "medium", "index": 2},
    )
    name, value = oracle(problem.scenes[0], problem.quantities[0], {})
    assert name == "plane waves" and value.value == pytest.approx(0.25)


@pytest.mark.unit
def test_plane_waves_of_layers_agree_with_the_exact_dispersion() -> None:
    layer = {"type": "block", "id": "layer", "medium": {"kind": "medium", "index": 2}, "x": [-0.2, 0.2]}
    problem = made(
        {"type": "band_frequency", "id": "f", "band": 1, "k": [0.3, 0, 0]},
        bodies=[layer],
        lattice={"type": "chain", "period": 1},
    )
    _, value = oracle(problem.scenes[0], problem.quantities[0], {})
    a, b = (
        2 * np.pi * value.value * 2 * 0.4,
        2 * np.pi * value.value * 0.6,
    )  # phases in the layer and beside it
    assert np.cos(a) * np.cos(b) - (2 + 0.5) / 2 * np.sin(a) * np.sin(b) == pytest.approx(
        np.cos(2 * np.pi * 0.3), abs=1e-4
    )


@pytest.mark.unit
def test_plane_waves_say_nothing_of_a_cell_that_they_do_not_resolve() -> None:
    """Seven by seven rods, one of them left out: 3 % off, and called exact."""
    rods = [
        {**ROD, "id": f"r{i + 3}{j + 3}", "radius": 0.18, "center": [i, j, 0]}
        for i in range(-3, 4)
        for j in range(-3, 4)
        if (i, j) != (0, 0)
    ]
    large = made(
        {"type": "band_frequency", "id": "f", "band": 49, "k": "Gamma"},
        bodies=rods,
        lattice={**SQUARE, "period": 7},
    )
    assert oracle(large.scenes[0], large.quantities[0], {}) is None
    far = made({"type": "band_frequency", "id": "f", "band": 190, "k": "M"})
    assert oracle(far.scenes[0], far.quantities[0], {}) is None


@pytest.mark.unit
def test_plane_waves_know_the_gap_of_rods_and_refuse_what_they_cannot() -> None:
    lower = made({"type": "band_frequency", "id": "f", "band": 1, "k": "M"})
    assert oracle(lower.scenes[0], lower.quantities[0], {})[1].value == pytest.approx(0.32241, rel=2e-3)
    for scene in (
        {"bodies": [{**ROD, "radius": 0.6}]},
        {"polarization": "all"},
        {"polarization": "te"},
        {"bodies": [{**ROD, "axis": "x"}]},
    ):
        other = made({"type": "band_frequency", "id": "f", "band": 1, "k": "M"}, **scene)
        assert oracle(other.scenes[0], other.quantities[0], {}) is None
