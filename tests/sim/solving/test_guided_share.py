"""Light of a dipole in guided modes against exact residues and fibre modes, and sources that light one mode alone."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import jv, jvp, kv, kvp

from simkit.describe.problem import Problem
from simkit.runs import Layer, Monitor, Run, Source, Stop
from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import problem, values
from tests.sim.solving.solve_kit import solve

FAR = [-1e20, 1e20]
SLAB, AROUND, THICK, WAVE = 2.4, 1.45, 0.3, 0.7
CORE = {"kind": "medium", "index": SLAB}
CLAD = {"kind": "medium", "index": AROUND}
EVERYWHERE = {"type": "block", "id": "all", "medium": CLAD, "x": FAR, "y": FAR, "z": FAR}
FILM = {"type": "block", "id": "film", "medium": CORE, "x": FAR, "y": [-THICK / 2, THICK / 2], "z": FAR}


def mode(number: int, polarization: str) -> tuple[float, float, float]:
    """beta, transverse wave number and decay of a symmetric slab's mode (0 first)."""
    k0, ratio = 2 * math.pi / WAVE, 1.0 if polarization == "Ez" else (SLAB / AROUND) ** 2

    def off(index: float) -> float:
        k, g = math.sqrt(SLAB**2 - index**2), math.sqrt(index**2 - AROUND**2)
        return k0 * THICK * k - number * math.pi - 2 * math.atan(ratio * g / k)

    index = brentq(off, AROUND + 1e-9, SLAB - 1e-9)
    return k0 * index, k0 * math.sqrt(SLAB**2 - index**2), k0 * math.sqrt(index**2 - AROUND**2)


def guided(number: int, orientation: str, y: float) -> float:
    """Rate into a mode, both ways, over the rate in the slab's medium without end; the dipole in the slab at y."""
    polarization, k0 = ("Ez" if orientation == "z" else "Hz"), 2 * math.pi / WAVE
    beta, k, g = mode(number, polarization)
    even = number % 2 == 0
    wave, slope = (math.cos, lambda a: -math.sin(a)) if even else (math.sin, math.cos)
    inside = THICK / 2 + (1 if even else -1) * math.sin(k * THICK) / (2 * k)
    outside = wave(k * THICK / 2) ** 2 / g
    if orientation == "z":
        return 2 * wave(k * y) ** 2 / (beta * (inside + outside))
    weight = inside / SLAB**2 + outside / AROUND**2
    field = beta * wave(k * y) if orientation == "y" else k * slope(k * y)
    return 4 * field**2 / (beta * k0**2 * SLAB**4 * weight)


def described(asked: list[dict[str, Any]], **scene: Any) -> Problem:
    plain = {
        "type": "emitter",
        "dimensions": "2D",
        "bodies": [EVERYWHERE, FILM],
        "background": CORE,
        "orientation": "z",
        "band": {"type": "line", "wavelength": WAVE},
    }
    defaults = {"type": "guided_share", "sides": ["-x", "+x"], "over": "alone"}
    return problem(plain | scene, *(defaults | {"id": f"g{n}"} | one for n, one in enumerate(asked)))


def shares(tmp_path: Path, resolution: float, asked: list[dict[str, Any]], **scene: Any) -> list[float]:
    made = described(asked, **scene)
    found = values(tmp_path, made, resolution)
    assert not (without := [one for one in found.values() if isinstance(one, str)]), without
    return [found[f"g{n}"].value for n in range(len(asked))]


@pytest.mark.unit
@pytest.mark.parametrize("orientation", "xyz")
def test_the_theory_beside_it_has_the_residues(orientation: str) -> None:
    made = described([{}, {"mode": 2}, {"sides": ["+x"]}], position=[0, 0.06, 0], orientation=orientation)
    found = [oracle(made.scenes[0], quantity, {}) for quantity in made.quantities]
    first, second = (guided(number, orientation, 0.06) for number in (0, 1))
    exact = [first, second, first / 2]
    assert [one[1].value for one in found if one] == pytest.approx(exact, rel=1e-9)  # type: ignore[union-attr]


@pytest.mark.unit
def test_of_what_is_not_guided_or_lies_in_the_films_there_is_no_theory() -> None:
    made = described([{"mode": 4}, {"sides": ["-y"]}], position=[0, 0.06, 0])
    assert [oracle(made.scenes[0], quantity, {}) for quantity in made.quantities] == [None, None]


@pytest.mark.sim
@pytest.mark.parametrize("orientation", "xyz")
def test_each_mode_takes_its_share(tmp_path: Path, orientation: str) -> None:
    asked = [{}, {"mode": 2}, {"sides": ["+x"]}, {"over": "emitted"}, {"mode": 2, "over": "emitted"}]
    found = shares(tmp_path, 80, asked, position=[0, 0.06, 0], orientation=orientation)
    first, second = (guided(number, orientation, 0.06) for number in (0, 1))
    assert found[:3] == pytest.approx([first, second, first / 2], rel=0.012)
    assert found[3] / found[4] == pytest.approx(first / second, rel=0.02) and found[3] + found[4] < 1


@pytest.mark.sim
@pytest.mark.parametrize("side", [1, -1])
def test_before_a_facet_of_ideal_metal_the_image_adds_its_light(tmp_path: Path, side: int) -> None:
    """On the one side that is left: twice the sine of the way to the facet, squared, of what goes there without it."""
    ends = sorted((0, -side * 1e20))
    facet = {
        "type": "block",
        "id": "facet",
        "medium": {"kind": "perfect_conductor"},
        "x": ends,
        "y": FAR,
        "z": FAR,
    }
    half = {"x": sorted((0, side * 1e20))}
    scene = {"bodies": [EVERYWHERE | half, FILM | half, facet], "position": [side * 0.1, 0, 0]}
    out, behind = ("+x", "-x") if side > 0 else ("-x", "+x")
    [found] = shares(tmp_path, 80, [{"sides": [out]}], **scene)
    exact = 2 * math.sin(mode(0, "Ez")[0] * 0.1) ** 2 * guided(0, "z", 0)
    assert found == pytest.approx(exact, rel=0.015)
    with pytest.raises(ValueError, match="behind the mirror|no body"):
        shares(tmp_path, 40, [{"sides": [behind]}], **scene)


@pytest.mark.sim
def test_above_an_ideal_mirror_a_guide_has_half_of_its_modes(tmp_path: Path) -> None:
    """The upper half of the slab on a mirror has the slab's odd modes of Ez, and all light above it."""
    mirror = {
        "type": "block",
        "id": "mirror",
        "medium": {"kind": "perfect_conductor"},
        "x": FAR,
        "y": [-1e20, 0],
        "z": FAR,
    }
    upper = FILM | {"y": [0, THICK / 2]}
    [found] = shares(tmp_path, 80, [{}], bodies=[EVERYWHERE, upper, mirror], position=[0, 0.06, 0])
    assert found == pytest.approx(2 * guided(1, "z", 0.06), rel=0.015)


@pytest.mark.sim
def test_a_mode_that_is_not_guided_has_no_share(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="mode 4 .* is not guided"):
        shares(tmp_path, 40, [{"mode": 4}], position=[0, 0.06, 0])


def wire_share(radius: float, core: float, clad: float, wave: float) -> float:
    """Rate of a dipole across a wire's axis into HE11, both ways, over that in the core's medium (Snyder and Love, chapter 12)."""
    k = 2 * math.pi / wave

    def parts(beta: float) -> tuple[float, float, float, float]:
        u, w = radius * math.sqrt((k * core) ** 2 - beta**2), radius * math.sqrt(beta**2 - (k * clad) ** 2)
        return u, w, jvp(1, u) / (u * jv(1, u)), kvp(1, w) / (w * kv(1, w))

    def off(beta: float) -> float:
        u, w, j, h = parts(beta)
        return (j + h) * (core**2 * j + clad**2 * h) - (beta / k) ** 2 * (1 / u**2 + 1 / w**2) ** 2

    grid = np.linspace(k * clad * 1.0001, k * core * 0.9999, 4000)
    signs = [off(b) for b in grid]
    # the highest root that is no pole of the equation
    roots = [
        brentq(off, a, b)
        for a, b, s, t in zip(grid, grid[1:], signs, signs[1:], strict=False)
        if s * t < 0 and abs(s) + abs(t) < 10
    ]
    beta = max(roots)
    u, w, j, h = parts(beta)
    b = beta / k * (1 / u**2 + 1 / w**2) / (j + h)  # of H_z over E_z, in units of free space

    def fields(r: np.ndarray) -> tuple[np.ndarray, ...]:
        """E_r, H_phi, E_phi, H_r without their cosines and sines; i left out."""
        inside = r < radius
        eps = np.where(inside, core**2, clad**2)
        kappa = k**2 * eps - beta**2
        z = np.where(inside, jv(1, u * r / radius), jv(1, u) / kv(1, w) * kv(1, w * r / radius))
        slope = np.where(
            inside,
            u / radius * jvp(1, u * r / radius),
            jv(1, u) / kv(1, w) * w / radius * kvp(1, w * r / radius),
        )
        e_r, h_phi = (beta * slope + k / r * -b * z) / kappa, (beta / r * -b * z + k * eps * slope) / kappa
        return (
            e_r,
            h_phi,
            (-beta / r * z + k * b * slope) / kappa,
            (-beta * b * slope + k * eps / r * z) / kappa,
        )

    r = np.concatenate(
        [np.linspace(1e-6, radius - 1e-9, 4000), np.linspace(radius + 1e-9, radius + 12 * radius / w, 20000)]
    )
    e_r, h_phi, e_phi, h_r = fields(r)
    power = abs(0.5 * math.pi * np.trapezoid((e_r * h_phi - e_phi * h_r) * r, r))
    centre = fields(np.array([1e-6]))[0][0]
    return 12 * math.pi * centre**2 / (8 * power * k**2 * core)


@pytest.mark.sim
def test_a_wire_takes_the_light_of_its_fibre_mode(tmp_path: Path) -> None:
    wire = {"type": "cylinder", "id": "wire", "medium": CORE, "radius": 0.12, "axis": "z", "bounds": FAR}
    air = EVERYWHERE | {"medium": {"kind": "medium", "index": 1.0}}
    scene = {"dimensions": "3D", "bodies": [air, wire], "position": [0, 0, 0], "orientation": "x"}
    asked = [{"sides": ["-z", "+z"]}, {"sides": ["+z"], "over": "emitted"}]
    found = shares(tmp_path, 50, asked, **scene)
    assert found[0] == pytest.approx(wire_share(0.12, SLAB, 1.0, WAVE), rel=0.04)
    assert 0.3 < found[1] < 0.5


@pytest.mark.sim
@pytest.mark.long
def test_both_polarizations_of_a_round_wire_are_one_mode(tmp_path: Path) -> None:
    """Beside the axis a dipole along x and one along y light both, by symmetry alike; the grid parts them."""
    wire = {"type": "cylinder", "id": "wire", "medium": CORE, "radius": 0.12, "axis": "z", "bounds": FAR}
    air = EVERYWHERE | {"medium": {"kind": "medium", "index": 1.0}}
    one, other = (
        shares(
            tmp_path / way,
            40,
            [{"sides": ["+z"]}],
            dimensions="3D",
            bodies=[air, wire],
            position=[0.03, 0.03, 0],
            orientation=way,
        )[0]
        for way in "xy"
    )
    assert one == pytest.approx(other, rel=0.01) and one > 0.15


@pytest.mark.sim
@pytest.mark.parametrize("dimensions", ["2D", "3D"])
def test_a_source_lights_one_mode_alone(tmp_path: Path, dimensions: str) -> None:
    """Meep's own mode source lights the third mode by 9e-3 of the first one's amplitude on this grid."""
    f, res = 1 / 1.55, 33.0 if dimensions == "2D" else 20.0
    medium = {"kind": "medium", "index": 3.48}
    flat = {"y": (-0.3, 0.3)} if dimensions == "2D" else {"y": (-0.45, 0.45), "z": (-0.11, 0.11)}
    guide = {"type": "block", "id": "guide", "medium": medium} | {axis: tuple(FAR) for axis in "xyz"} | flat
    size = (0.0, 3.0, 0.0) if dimensions == "2D" else (0.0, 2.4, 1.8)
    cell = (3.0, 4.0, 0.0) if dimensions == "2D" else (3.0, 3.4, 2.8)
    parity = "ODD_Z" if dimensions == "2D" else "EVEN_Z"
    run = Run(
        dimensions,  # type: ignore[arg-type]
        tuple(2 * round(side * res / 2) / res for side in cell),  # type: ignore[arg-type]
        res,
        tuple(Layer("pml", axis, 0.5) for axis in ("xy" if dimensions == "2D" else "xyz")),  # type: ignore[arg-type]
        (guide,),
        (Source("eigenmode", "", (-0.8, 0, 0), size, f, 0.1 * f, parity=parity),),
        {"out": Monitor("modes", (0.8, 0, 0), size, (0.97 * f, f, 1.03 * f), count=3, parity=parity)},
        Stop("settled", 1e-8, 300, 0),
        background={"kind": "medium", "index": 1.444},
        mirrors=(("y", 1),) if dimensions == "2D" else (("y", -1), ("z", 1)),
    )
    done = solve(tmp_path, run)
    assert done.code == 0, done.stderr
    power = done.raw["out/power"]
    assert (power[1:, 1] < 1e-9 * power[0, 1]).all() and (power[1:] < 1e-6 * power[0]).all()
