"""Guides that are periodic along x: one period in a supercell, bands below the light line, what has no index, layers in theory."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from benchmarks.dossier.closed_forms import layered
from schemas.reproduce.planning.vocabulary_words import quantities_called
from simkit.arrange import needs
from simkit.describe.waveguide import Waveguide
from simkit.runs import dump, load
from tasks.reproduce.describing.lint_cells import cell_findings
from tasks.reproduce.measuring import NotMeasured, measure
from tasks.reproduce.oracles import oracle
from tasks.reproduce.oracles.bloch_layers import index
from tasks.reproduce.references.polarizations import polarization_of
from tasks.reproduce.solving.run_cost import foresee
from tests.unit.describing.test_described_waveguide import INDEX, INF, arranged, film, made

pytestmark = pytest.mark.unit
GROUP = {"type": "group_index", "id": "g"}
SWG = {"period": 0.32, "polarization": "Hz", "background": {"kind": "medium", "index": 1.32}}


def block(
    x: tuple[float, float], y: tuple[float, float] = (-0.3, 0.3), index: float = 2.85, name: str = "core"
) -> dict[str, Any]:
    return {**film(*y, index, name), "x": list(x)}


def swg(*quantities: dict[str, Any], **scene: Any) -> Any:
    return made(*quantities, **{**SWG, "bodies": [block((-0.08, 0.08))], **scene})


def layers(*bodies: dict[str, Any], **scene: Any) -> Any:
    given = {"period": 0.5, "supercell": 0.4, "background": {"kind": "medium", "index": 1.2}, **scene}
    return made(INDEX, GROUP, bodies=list(bodies), **given)


def layer(low: float, high: float, index: float = 2.0, name: str = "layer") -> dict[str, Any]:
    return block((low, high), (-INF, INF), index, name)


def raw(problem: Any, k: float, velocity: float = 0.4) -> dict[str, Any]:
    f = 1 / float(problem.scenes[0].wavelength)
    found = {
        "k": [[k * f]],
        "group_velocity": [[velocity]],
        "frequency": [f],
        "lowest": [0.4],
        "highest": [0.6],
    }
    return {"modes": {f"modes/{name}": np.array(value) for name, value in found.items()}}


def test_one_period_is_solved_and_padding_widens_free_cladding_alone() -> None:
    run = arranged(swg()).runs["modes"]
    assert load(dump(run)).digest() == run.digest() and run.periodic
    assert (
        run.size == (1, 1, 0) and run.lattice[0] == (0.32, 0, 0) and run.lattice[1][1] / 2 >= 0.3 + 1.2 * 1.55
    )
    assert run.k_range[1:] == (1.32 / 1.55, 0.5 / 0.32)
    assert arranged(swg(), padding=2).runs["modes"].lattice[1][1] > 1.5 * run.lattice[1][1]
    crystal = swg(supercell=2.0)
    assert arranged(crystal).runs["modes"].lattice[1][1] == 2.0 and arranged(crystal).facts["cladding"] == 0
    assert arranged(crystal, padding=2).runs["modes"].digest() == arranged(crystal).runs["modes"].digest()
    slab = block((-0.08, 0.08), (-INF, INF), name="slab") | {"z": [-0.1, 0.1]}
    high = arranged(made(dimensions="3D", bodies=[slab], **SWG, supercell=2.0)).runs["modes"]
    assert high.size == (1, 1, 1) and high.lattice[2][2] / 2 >= 0.1 + 1.2 * 1.55 and high.k_range[1] > 0


def test_a_guide_of_today_gives_the_runs_of_before() -> None:
    """Their digests, whatever their bodies are called: what is kept of them is not solved again."""
    run = arranged(made(INDEX), resolution=30, padding=1.4).runs["modes"]
    assert run.digest() == "c8a77083a64fab90043e7824ac46dca8"
    assert not run.periodic and needs(made(INDEX).scenes[0], {}).periods == ()


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ({"period": None, "bodies": [block((0, 0.1))]}, "core changes along x.*give the period"),
        ({"period": None, "bodies": [film(0, 0.4)], "supercell": 2.0}, "its period along x too"),
        ({"period": 0.0}, "period"),
    ],
)
def test_what_no_periodic_guide_is(scene: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        swg(**scene)


def test_light_that_every_mode_radiates_is_refused_and_so_are_fields() -> None:
    with pytest.raises(ValueError, match=r"light leaves into the cladding \(index 1.32\)"):
        arranged(swg(wavelength=0.84))
    with pytest.raises(ValueError, match="fields of a periodic guide"):
        arranged(swg({"type": "guided_profile", "id": "p", "start": [0, -1, 0], "end": [0, 1, 0]}))


def test_indices_are_read_and_what_has_none_is_told() -> None:
    problem = swg(INDEX, GROUP)
    arrangement = arranged(problem)
    scene, (n, g) = problem.scenes[0], problem.quantities
    assert measure(scene, n, arrangement, raw(problem, 1.9)).value == pytest.approx(1.9)
    assert measure(scene, g, arrangement, raw(problem, 1.9)).value == pytest.approx(2.5)
    for k, words in (
        (math.nan, "in a gap, or above the light line.*\n.*1.66667 to 2.5"),
        (math.inf, "several wave vectors"),
        (1.31, "not guided"),
    ):
        for quantity in (n, g):
            with pytest.raises(NotMeasured, match=words):
                measure(scene, quantity, arrangement, raw(problem, k))


def test_a_band_that_begins_at_no_frequency_is_told_without_end() -> None:
    problem = swg(INDEX, supercell=2.0)
    seen = raw(problem, math.nan)
    seen["modes"]["modes/lowest"] = np.array([0.0])
    with pytest.raises(NotMeasured, match="wavelengths 1.66667 to inf"):
        measure(problem.scenes[0], problem.quantities[0], arranged(problem), seen)


def test_a_falling_band_of_a_dispersive_guide_has_a_positive_group_index() -> None:
    poles = [{"kind": "lorentz", "frequency": 3, "damping": 0, "strength": 2}]
    medium = {"kind": "medium", "epsilon": 4, "poles": poles}
    problem = swg(GROUP, bodies=[{**block((-0.08, 0.08)), "medium": medium}])
    arrangement = arranged(problem)
    f = np.array(arrangement.runs["modes"].find_k_at)
    seen = raw(problem, 1.9)["modes"] | {
        "modes/frequency": f,
        "modes/k": (1.9 * f[1] - 3.5 * (f - f[1]))[:, None],
    }
    value = measure(problem.scenes[0], problem.quantities[0], arrangement, {"modes": seen}).value
    assert value == pytest.approx(3.5)


def test_the_grid_resolves_parts_and_gaps_across_the_period_s_edge() -> None:
    wide, narrow = swg(bodies=[block((-0.14, 0.14))]), swg(bodies=[block((-0.155, 0.155))])
    assert needs(narrow.scenes[0], {}).resolution == pytest.approx(min(4 / 0.01, 200 / 1.55))
    assert needs(wide.scenes[0], {}).resolution == pytest.approx(4 / 0.04)
    assert 0.32 in needs(wide.scenes[0], {}).whole and needs(wide.scenes[0], {}).periods == (0.32,)


def test_a_run_over_a_period_is_foreseen_by_its_pixels() -> None:
    run = arranged(swg()).runs["modes"]
    assert foresee(run).pixels == round(0.32 * 20) * round(run.lattice[1][1] * 20)
    finer = replace(run, resolution=100)
    assert foresee(replace(finer, find_k_at=(0.5, 0.6, 0.7))).cpu_s > 2.5 * foresee(finer).cpu_s


def test_a_film_called_periodic_has_the_film_s_indices_until_it_is_folded() -> None:
    plain, called = made(INDEX, GROUP), made(INDEX, GROUP, period=0.3)
    for one, other in zip(plain.quantities, called.quantities, strict=True):
        there, here = oracle(plain.scenes[0], one, {}), oracle(called.scenes[0], other, {})
        assert there and here and there[1].value == here[1].value
    folded = made(INDEX, period=0.5)
    assert oracle(folded.scenes[0], folded.quantities[0], {}) is None
    assert oracle(swg().scenes[0], swg().quantities[0], {}) is None


@pytest.mark.parametrize("polarization", ["Ez", "Hz"])
@pytest.mark.parametrize("k", [0.05, 0.21, 0.47])
def test_layers_lie_on_the_closed_form_of_two_layers(polarization: str, k: float) -> None:
    """Along the normal, by another formula, for frequency at a wave vector."""
    f = layered(k / 0.5, 2.0, 0.2, 1.2, 0.3, 1)[0]
    problem = layers(layer(0.13, 0.33), wavelength=1 / f, polarization=polarization)
    n, g = (oracle(problem.scenes[0], quantity, {}) for quantity in problem.quantities)
    assert n and g and n[1].value == pytest.approx(k / 0.5 / f, rel=1e-8)
    slope = (layered((k + 1e-5) / 0.5, 2.0, 0.2, 1.2, 0.3, 1)[0] - f) / (1e-5 / 0.5)
    assert g[1].value == pytest.approx(1 / slope, rel=1e-3)


def test_bands_along_the_layers_differ_by_polarisation_and_fold_with_the_supercell() -> None:
    """A homogeneous medium: every band is known. The second one has one wave along y, and comes twice."""
    medium = {"background": {"kind": "medium", "index": 1.5}, "supercell": 2.0, "wavelength": 1.9}
    problem = layers(layer(-0.1, 0.1, 1.5), **medium)
    scene = problem.scenes[0]
    assert index(scene, 1, 1.9, {}) == pytest.approx(1.5)
    along = math.sqrt(1.5**2 - (1.9 / 2.0) ** 2)
    assert [index(scene, mode, 1.9, {}) for mode in (2, 3)] == pytest.approx([along, along])
    thin = {"period": 0.3, "supercell": 0.9, "background": {"kind": "medium", "index": 1.0}}
    ways = {way: layers(layer(-0.05, 0.07, 2.5), **thin, polarization=way).scenes[0] for way in ("Ez", "Hz")}
    assert index(ways["Ez"], 1, 1.55, {}) == index(ways["Hz"], 1, 1.55, {})  # along the normal they are alike
    assert (
        index(ways["Ez"], 2, 1.55, {}) == pytest.approx(0.586154) and index(ways["Hz"], 2, 1.55, {}) is None
    )


@settings(max_examples=40, deadline=None)
@given(
    shift=st.floats(-2, 2),
    width=st.floats(0.05, 0.4),
    dense=st.floats(1.4, 3.0),
    wavelength=st.floats(2.0, 6.0),
    way=st.sampled_from(["Ez", "Hz"]),
)
def test_where_a_period_begins_changes_nothing(
    shift: float, width: float, dense: float, wavelength: float, way: str
) -> None:
    given = {"wavelength": wavelength, "polarization": way}
    here, there = (
        index(layers(layer(at, at + width, dense), **given).scenes[0], 1, wavelength, {})
        for at in (0.0, shift)
    )
    assert (here is None) == (there is None)
    if here is not None and there is not None:
        low, high = sorted((1.2, dense))
        assert here == pytest.approx(there, rel=1e-6) and low < here < wavelength
        assert here >= math.sqrt((width * dense**2 + (0.5 - width) * 1.2**2) / 0.5) * (
            1 - 1e-9
        )  # its long-wave limit


@settings(max_examples=40, deadline=None)
@given(shift=st.floats(-2, 2), width=st.floats(0.02, 0.3), second=st.floats(0.02, 0.15))
def test_the_grid_is_the_same_wherever_a_period_begins(shift: float, width: float, second: float) -> None:
    def resolution(at: float) -> float:
        bodies = [block((at, at + width)), block((at, at + second), (0.35, 0.6), name="tooth")]
        return needs(swg(bodies=bodies).scenes[0], {}).resolution

    assert resolution(shift) == pytest.approx(resolution(0.0), rel=1e-3)


def test_a_body_longer_than_its_period_is_an_error() -> None:
    def said(**scene: Any) -> list[str]:
        problem = swg(**scene)
        return [finding.text for finding in cell_findings(problem.scenes[0], {}, problem.quantities)]

    assert said() == said(bodies=[film(-0.3, 0.3), block((0.1, 0.3), name="across")]) == []
    assert said(bodies=[block((-0.2, 0.2))]) == ["0.4 wide along x, but the period is 0.32"]
    assert said(supercell=0.5) == ["0.6 wide along y, but the period is 0.5"]
    teeth = {"type": "repeat", "body": block((0, 0.1)), "step": [0.32, 0, 0], "count": 3}
    assert said(bodies=[teeth]) == ["0.74 wide along x, but the period is 0.32"]


def test_words_of_papers_find_it() -> None:
    assert "EffectiveIndex" in str(quantities_called("the Bloch index of the fundamental mode"))
    scene = swg().scenes[0]
    assert isinstance(scene, Waveguide)
    own, table = polarization_of(scene) or ("", {})
    assert own == "in" and table["TE"] == "in"  # as of a crystal seen from above
    own, table = polarization_of(made(polarization="Hz").scenes[0]) or ("", {})
    assert own == "in" and table["TE"] == "out"  # as of films
