"""Theories know one permittivity a medium: of an anisotropic one the one that the light sees, or there is no theory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.reproduce.measuring import Scalar
from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import AIR, problem

pytestmark = pytest.mark.unit
ENDLESS = [-1e20, 1e20]
BAND = {"type": "line", "wavelength": 0.8}


def _guide(polarization: str, medium: Any) -> tuple[dict[str, Any], str]:
    core = {"type": "block", "id": "core", "medium": medium, "x": ENDLESS, "y": [-0.3, 0.3], "z": ENDLESS}
    scene = {"type": "waveguide", "dimensions": "2D", "wavelength": 1.0, "polarization": polarization}
    return {**scene, "background": AIR, "bodies": [core]}, "effective_index"


def _films(polarization: str, medium: Any, angle: float = 0.0) -> tuple[dict[str, Any], str]:
    film = {"type": "film", "medium": medium, "thickness": 0.2}
    scene = {"type": "unit_cell", "below": AIR, "above": AIR, "light_from": "below", "band": BAND}
    return {**scene, "layers": [film], "polarization": polarization, "angle": angle}, "reflectance"


def _wire(polarization: str, medium: Any) -> tuple[dict[str, Any], str]:
    wire = {"type": "cylinder", "id": "w", "medium": medium, "center": [0, 0, 0], "radius": 0.2, "axis": "z"}
    scene = {"type": "scatterer", "dimensions": "2D", "direction": "+x", "polarization": polarization}
    return {
        **scene,
        "background": AIR,
        "band": BAND,
        "bodies": [{**wire, "bounds": ENDLESS}],
    }, "cross_section"


# Which axes E lies along: where it is one, the theory is that of this one.
CASES = [
    (_guide, ("Ez",), "z"),
    (_guide, ("Hz",), "xy"),
    (_films, ("x",), "x"),
    (_films, ("y",), "y"),
    (_films, ("s", 0.5), "y"),
    (_films, ("p", 0.5), "xz"),
    (_wire, ("z",), "z"),
    (_wire, ("y",), "xy"),
]


def _theory(make: Any, how: tuple[Any, ...], epsilon: Any) -> float | None:
    scene, kind = make(how[0], {"kind": "medium", "epsilon": epsilon}, *how[1:])
    more = {"process": "scattering"} if kind == "cross_section" else {}
    made = problem(scene, {"type": kind, "id": "q", **more})
    x = None if kind == "effective_index" else [1 / 0.8]

    found = oracle(made.scenes[0], made.quantities[0], {}, None if x is None else np.array(x))
    if found is None:
        return None
    return found[1].value if isinstance(found[1], Scalar) else float(found[1].y[0])


@settings(max_examples=15, deadline=None)
@given(epsilon=st.tuples(*[st.sampled_from([2.0, 2.5, 4.0])] * 3))
@pytest.mark.parametrize(("make", "how", "axes"), CASES)
def test_an_anisotropic_medium_is_what_its_light_sees_or_has_no_theory(
    make: Any, how: tuple[Any, ...], axes: str, epsilon: tuple[float, ...]
) -> None:
    """The exact solution beside a uniaxial guide was of its first axis: 1.50 for 1.66 where E lies along another."""
    along = {epsilon["xyz".index(axis)] for axis in axes}
    found = _theory(make, how, list(epsilon))
    if len(along) > 1:
        assert found is None
    else:
        plain = _theory(make, how, along.pop())
        assert plain is not None and found == pytest.approx(plain, rel=1e-9)
