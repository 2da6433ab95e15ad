"""Emitters among plane films: what goes into a half-space, its exact theory, the waves that are solved for it, and what is refused."""

from __future__ import annotations

import cmath
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from simkit.arrange import Numerics, arrange
from simkit.arrange.half_spaces import critical, on_grid, solved_at, way
from simkit.describe.base import INF, RESOLVED
from simkit.describe.media import Medium, PerfectConductor
from simkit.describe.problem import Problem
from simkit.describe.shapes import Block
from simkit.runs import Run, dump, load
from tasks.reproduce.measuring import measure
from tasks.reproduce.measuring.half_space import cone, spread
from tasks.reproduce.measuring.rational_fit import continued
from tasks.reproduce.oracles import oracle
from tasks.reproduce.references.sizes_told import share_untold

FAR = [-1e20, 1e20]
AIR = {"kind": "medium", "index": 1}


def film(index: float, low: float, high: float, **more: Any) -> dict[str, Any]:
    medium = {"kind": "medium", "index": index}
    return {"type": "block", "id": "f", "medium": medium, "x": FAR, "y": FAR, "z": [low, high], **more}


GLASS = film(1.5, -1e20, 0)
SIDE = {"type": "cone_share", "side": "-z", "over": "alone"}
PATTERN = {"type": "half_space_pattern", "side": "-z", "towards": "x", "over": "isotropic"}


def made(
    bodies: list[dict[str, Any]], height: float, orientation: str, *quantities: dict[str, Any], **scene: Any
) -> Problem:
    whole = {
        "type": "emitter",
        "id": "s",
        "dimensions": "3D",
        "bodies": bodies,
        "background": AIR,
        "position": [0, 0, height],
        "orientation": orientation,
        "band": {"type": "line", "wavelength": 1},
        **scene,
    }
    named = [{"id": f"q{number}", "scene": "s", **q} for number, q in enumerate(quantities)]
    return Problem.model_validate({"scenes": [whole], "quantities": named}, context=RESOLVED)


def exact(problem: Problem, x: Any = None) -> list[Any]:
    return [
        found[1] for q in problem.quantities if (found := oracle(problem.scenes[0], q, {}, x)) is not None
    ]


def numbers(problem: Problem) -> list[float]:
    return [found.value for found in exact(problem)]


@pytest.mark.unit
@given(
    index=st.floats(1.05, 3),
    height=st.floats(0.03, 1.5),
    below=st.booleans(),
    orientation=st.sampled_from(["x", "y", "z", "isotropic"]),
    thin=st.floats(0.01, 0.4),
    between=st.floats(1.0, 1.2),
)
@settings(deadline=None, max_examples=40)
def test_what_goes_into_both_half_spaces_is_all_that_is_emitted(
    index: float, height: float, below: bool, orientation: str, thin: float, between: float
) -> None:
    """Where nothing absorbs or guides, plane waves counted on both sides are the dipole's power, from an integral of another kind."""
    layer = film(min(between, index), 0, thin)
    problem = made(
        [film(index, -1e20, 0), layer],
        -height if below else thin + height,
        orientation,
        SIDE,
        {**SIDE, "side": "+z"},
        {"type": "purcell_factor"},
        {**SIDE, "over": "emitted"},
        {**SIDE, "over": "radiated"},
    )
    down, up, all_of_it, emitted, radiated = numbers(problem)
    assert down + up == pytest.approx(all_of_it, rel=1e-5)
    assert emitted == pytest.approx(radiated, rel=1e-5) == pytest.approx(down / (down + up), rel=1e-5)


@pytest.mark.unit
def test_closed_forms() -> None:
    """A dipole far from glass, one in glass far from its face, one before an ideal mirror and its image, one beside nothing."""
    angle = np.linspace(-1.5, 1.5, 31)
    nothing = made([film(1 + 1e-9, -1e20, 0)], 0.3, "z", PATTERN, {**PATTERN, "polarization": "s"})
    along, across = exact(nothing, angle)
    assert along.y == pytest.approx(1.5 * np.sin(angle) ** 2, abs=1e-6) and not across.y.any()
    mirror = film(1, -1e20, 0, medium={"kind": "perfect_conductor"})
    up = {**PATTERN, "side": "+z"}
    (image,) = exact(made([mirror], 0.3, "z", up), angle)
    phase = 2 * np.pi * 0.3 * np.cos(angle)
    assert image.y == pytest.approx(6 * np.sin(angle) ** 2 * np.cos(phase) ** 2, abs=1e-6)
    flat = made([mirror], 0.3, "x", up, {**up, "towards": "y"})
    in_it, beside = exact(flat, angle)
    assert in_it.y == pytest.approx(6 * np.cos(angle) ** 2 * np.sin(phase) ** 2, abs=1e-6)
    assert beside.y == pytest.approx(6 * np.sin(phase) ** 2, abs=1e-6)
    isotropic = made([mirror], 0.3, "isotropic", up)
    assert exact(isotropic, angle)[0].y == pytest.approx((image.y + in_it.y + beside.y) / 3)
    # head on through the face: the field that a wave from the glass has behind it, 2 n / (n + 1), squared, times 3/2 n
    head_on = exact(made([GLASS], 0.2, "x", PATTERN), np.array([0.0]))[0].y[0]
    assert head_on == pytest.approx(1.5 * 1.5 * (3 / 2.5) ** 2, abs=1e-6)


@pytest.mark.unit
def test_an_evanescent_wave_reaches_the_glass_beyond_the_critical_angle_only_from_near_it() -> None:
    beyond = {**SIDE, "over": "side", "lowest": math.asin(1 / 1.5)}
    shares = [numbers(made([GLASS], height, "z", beyond))[0] for height in (0.02, 0.2, 0.6, 2)]
    assert sorted(shares, reverse=True) == shares and shares[0] > 0.7 and shares[-1] < 0.15
    inside = made([GLASS], 0.2, "x", {**SIDE, "highest": 0.4}, {**SIDE, "lowest": 0.4}, SIDE)
    small, large, both = numbers(inside)
    assert small + large == pytest.approx(both)


@pytest.mark.unit
@given(
    front=st.floats(1, 3),
    back=st.floats(1, 3),
    loss=st.sampled_from([0, 0, 0.5, 4]),
    count=st.integers(9, 30),
)
@settings(deadline=None, max_examples=30)
def test_angles_lie_apart_from_where_light_travels_along_the_films(
    front: float, back: float, loss: float, count: int
) -> None:
    eps = complex(back, loss) ** 2
    angles = solved_at(front, eps, count)
    assert angles[0] == 0 and all(a < b for a, b in zip(angles, angles[1:], strict=False))
    assert front * math.cos(angles[-1]) >= 0.2 * front - 1e-9 and 3 < len(angles) <= count
    edge = critical(front, eps)
    assert (edge is None) == (loss > 0 or back >= front * (1 - 1e-9))
    if edge is not None:
        assert min(abs(angle - edge) for angle in angles) > 0.01
    assert way(0.0, front, eps) == pytest.approx(front + cmath.sqrt(eps))


@pytest.mark.unit
def test_a_field_goes_on_across_the_critical_angle_and_to_the_films() -> None:
    """Transmission through a bare face, which has a cusp over the angle and none over w."""
    angles = solved_at(1.5, 1 + 0j, 19)
    where = np.radians(np.linspace(0, 90, 400))

    def passed(angle: Any) -> Any:
        q, sine = 1.5 * np.cos(angle), 1.5 * np.sin(angle)
        return 2 * q / (q + np.sqrt(1 - sine**2 + 0j)) * np.exp(0.2j * np.pi * np.sqrt(1 - sine**2 + 0j))

    points = np.array([way(math.sin(a), 1.5, 1 + 0j) for a in (*angles, math.pi / 2)])
    wanted = np.array([way(math.sin(a), 1.5, 1 + 0j) for a in where])
    found = continued(points, np.append(passed(np.array(angles)), 0), wanted, 1e-6)
    assert found == pytest.approx(passed(where), abs=1e-4)


@pytest.mark.unit
@given(edge=st.none() | st.floats(0.1, 1.4), low=st.floats(0, 1), size=st.floats(0.1, 0.5))
def test_cones_have_their_solid_angle_and_curves_their_cusp(
    edge: float | None, low: float, size: float
) -> None:
    angle, weight = cone(low, low + size, edge)
    assert np.sum(weight * np.sin(angle)) == pytest.approx(math.cos(low) - math.cos(low + size))
    over = spread({"front": 1.5, "back": complex((1.5 * math.sin(edge)) ** 2) if edge else 4 + 1j})
    assert np.all(np.diff(over) > 0) and over[0] == 0 and over[-1] == pytest.approx(math.pi / 2)
    assert edge is None or np.min(np.abs(over - edge)) < 1e-9


@pytest.mark.unit
def test_waves_have_their_angle_on_the_grid_and_heights_share_them() -> None:
    runs = [
        arrange(made([GLASS], height, "z", PATTERN).scenes[0], made([GLASS], height, "z", PATTERN).quantities, Numerics(20.0), {}).runs
        for height in (0.1, 0.7)
    ]  # fmt: skip
    assert {n: r.digest() for n, r in runs[0].items()} == {n: r.digest() for n, r in runs[1].items()}
    assert len(runs[0]) == 36 and all(
        " p " in name for name in runs[0]
    )  # a dipole along the normal sends no s
    one = runs[0]["-z p 17"]
    assert isinstance(one, Run) and load(dump(one)).digest() == one.digest()
    steepest = 1.5 * math.sin(math.acos(0.35 / 1.5))
    assert (
        one.bloch is not None
        and one.bloch[0] == pytest.approx(on_grid(one, steepest, 1.0), rel=1e-5) != steepest
    )
    step = one.courant / one.resolution
    along, upright = (
        math.sin(math.pi * on_grid(one, 1.5 * part, 1.0) / 20) * 20 for part in (math.sin(1.3), math.cos(1.3))
    )
    assert math.atan2(along, upright) == pytest.approx(1.3)
    assert math.hypot(along, upright) == pytest.approx(1.5 * math.sin(math.pi * step) / step)


@pytest.mark.unit
def test_an_isotropic_emitter_is_solved_along_the_normal_and_along_the_films() -> None:
    problem = made([GLASS], 0.1, "isotropic", {"type": "purcell_factor"})
    arrangement = arrange(problem.scenes[0], problem.quantities, Numerics(20.0), {})
    assert list(arrangement.runs) == ["empty", "bodies", "empty x", "bodies x"]
    raw = {
        name: {"ldos/frequency": np.ones(1), "ldos/ldos": np.array([value])}
        for name, value in zip(arrangement.runs, (2.0, 3.0, 2.0, 1.0), strict=True)
    }
    assert measure(problem.scenes[0], problem.quantities[0], arrangement, raw).value == pytest.approx(5 / 6)
    whole = numbers(problem)[0]
    parts = [numbers(made([GLASS], 0.1, axis, {"type": "purcell_factor"}))[0] for axis in "xyz"]
    assert whole == pytest.approx(sum(parts) / 3)


@pytest.mark.unit
@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (([GLASS], 0.0, "z", PATTERN), "lies on a face"),
        (([GLASS], 0.1, "z", {**PATTERN, "side": "-x", "towards": "y"}), "half-spaces of s are -z and [+]z"),
        (([{**GLASS, "x": [-1, 1]}], 0.1, "z", PATTERN), "plane films in 3D"),
        (([], 0.1, "z", PATTERN), "plane films in 3D"),
        (([film(1, -1e20, 0)], 0.1, "z", PATTERN), "all is of one medium"),
        (([film(1, -1e20, 0, medium={"kind": "perfect_conductor"})], 0.1, "z", PATTERN), "it absorbs"),
        (([{**GLASS, "z": [-1, 0]}], 0.1, "isotropic", {"type": "radiation_pattern", "zero": "z", "towards": "x"}), "along one axis"),
    ],
)  # fmt: skip
def test_what_no_half_space_is(problem: tuple[Any, ...], words: str) -> None:
    described = made(*problem)
    with pytest.raises(ValueError, match=words):
        arrange(described.scenes[0], described.quantities, Numerics(20.0), {})


@pytest.mark.unit
@pytest.mark.parametrize(
    ("orientation", "scene", "quantity", "words"),
    [
        ("isotropic", {"dimensions": "2D"}, {"type": "purcell_factor"}, "line of dipoles"),
        ("z", {}, {**PATTERN, "towards": "z"}, "normal of '-z'"),
        ("z", {}, {**SIDE, "lowest": 0.5, "highest": 0.4}, "0 <= lowest < highest <= 90"),
        ("z", {"band": {"type": "frequencies", "lowest": 0.9, "highest": 1.1}}, SIDE, "of one wavelength"),
    ],
)
def test_what_is_not_described(orientation: str, scene: Any, quantity: Any, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        made([GLASS], 0.1, orientation, quantity, **scene)


def test_a_share_of_a_cone_waits_for_a_person() -> None:
    """No rule holds its angles, its side and its denominator against the paper's words yet."""
    quantity = SimpleNamespace(lowest=0.0, highest=math.radians(41.8), side="-z", over="emitted")
    [told] = share_untold(SimpleNamespace(type="cone_share", quantity=quantity), ())  # type: ignore[arg-type]
    assert "0 to 41.8 degrees on -z" in told and "emitted" in told
    assert not share_untold(SimpleNamespace(type="half_space_pattern"), ())  # type: ignore[arg-type]


def _block(name: str, medium: Any, **bounds: Any) -> Block:
    return Block.model_validate({"id": name, "medium": medium, **bounds}, context=RESOLVED)


def _guided(over: str, sides: tuple[str, ...], *bodies: Block) -> Any:
    film = _block("film", Medium(index=2), y=(0, 1))
    scene = SimpleNamespace(bodies=(film, *bodies), orientation="z", dimensions="2D")
    return SimpleNamespace(
        type="guided_share", quantity=SimpleNamespace(over=over, sides=sides, mode=1), scene=scene
    )


def test_a_share_in_a_guided_mode_is_of_all_its_ends_and_over_what_the_words_say() -> None:
    both = ("-x", "+x")
    assert not share_untold(_guided("emitted", both), ("the beta factor of the fundamental guided mode is",))
    assert not share_untold(
        _guided("emitted", both), ("## Results The fraction of the light that goes into the TE mode is",)
    )
    over = ("it reaches 1.5", "", "The guided rate, over that in the bulk, oscillates")
    assert not share_untold(_guided("alone", both), over) and share_untold(_guided("alone", both), over[:1])
    assert share_untold(_guided("emitted", both), over)
    for words in (
        "the TM mode",
        "guided modes",
        "the mode in each direction",
        "the mode, in units of that in vacuum,",
    ):
        assert share_untold(
            _guided("emitted", both), (f"the fraction of the light that goes into {words} is",)
        )
    assert share_untold(
        _guided("emitted", both), ("beta is", "", "Its propagation constant is beta. The emission is told.")
    )
    beta = ("the beta factor is",)
    [told] = share_untold(_guided("emitted", ("+x",)), beta)
    assert "goes on to -x" in told
    facet = _block("facet", PerfectConductor(), x=(-INF, 0))
    assert not share_untold(_guided("emitted", ("+x",), facet), beta)
    for plate in ({"y": (2, INF)}, {"x": (-INF, 0), "y": (0, 1)}):
        assert share_untold(_guided("emitted", ("+x",), _block("plate", PerfectConductor(), **plate)), beta)
    clad = Medium(index=1)
    between = SimpleNamespace(
        bodies=(_block("low", clad, y=(-INF, 0)), _block("high", clad, y=(1, INF))),
        orientation="z",
        dimensions="2D",
    )
    one = _guided("emitted", ("+x",))
    one.scene = between
    assert share_untold(one, beta)
