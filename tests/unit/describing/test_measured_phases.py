"""Phases from amplitudes over a band: unwrapped from a known turn, refused where nobody can know them; delays in fs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.arrange import Numerics, arrange
from simkit.arrange.optical_path import optical_path
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.describe.unit_cell import UnitCell
from tasks.reproduce.measuring import NotMeasured
from tasks.reproduce.measuring.wave_phases import delay, unwrapped
from tasks.reproduce.solving.columns import C, _unit

pytestmark = pytest.mark.unit
F = np.linspace(0.8, 1.2, 41)


def test_a_path_gives_its_own_phase_and_delay() -> None:
    phase = unwrapped("q", F, 0.3 * np.exp(2j * np.pi * F * 7.3), 2 * np.pi * 0.8 * 7.1)
    assert np.allclose(phase, 2 * np.pi * F * 7.3) and np.allclose(delay("q", F, phase), 7.3)
    assert unwrapped("q", F[:1], np.array([1j]), 0.0) == pytest.approx([np.pi / 2])


@pytest.mark.parametrize(
    ("ratio", "told"),
    [
        (np.where(np.arange(41) == 20, 1e-4, 1.0) + 0j, "too little light for a phase at frequency 1"),
        (np.exp(2j * np.pi * F * 40), "turns by 2.5 radian between two samples"),
        (np.full(41, np.nan + 0j), "too little light"),
    ],
)
def test_phases_that_nobody_can_know(ratio: np.ndarray, told: str) -> None:
    with pytest.raises(NotMeasured, match=told):
        unwrapped("q", F, ratio, 0.0)


def test_one_wavelength_has_no_delay_and_an_angle_no_phase() -> None:
    with pytest.raises(NotMeasured, match="a derivative over the band"):
        delay("q", F[:1], np.ones(1))
    air = {"kind": "medium", "index": 1.0}
    turned = {
        "type": "unit_cell",
        "id": "s",
        "below": air,
        "above": air,
        "light_from": "below",
        "polarization": "s",
        "angle": 0.3,
        "band": {"type": "line", "wavelength": 1.0},
    }
    made = Problem.model_validate(
        {
            "scenes": [turned],
            "quantities": [{"type": "phase", "id": "phi", "scene": "s", "side": "transmitted"}],
        },
        context=RESOLVED,
    )
    with pytest.raises(ValueError, match="phi: phases are of normal incidence; s is lit at an angle"):
        arrange(made.scenes[0], made.quantities, Numerics(20.0), {})


def test_delays_are_written_as_times() -> None:
    assert (
        _unit("group_delay", 1, "um") == "fs"
        and _unit("port_delay", 1, "a") == "a/c"
        and _unit("phase", 0, "um") == "rad"
    )
    assert pytest.approx(3.33564) == 1 / C  # light needs 3.3 fs for a micrometre


@given(
    st.floats(0.1, 0.9),
    st.floats(-0.5, 0.5),
    st.floats(1.0, 3.5),
    st.floats(0.0, 3.14),
    st.sampled_from(["bar", "slanted", "disk", "rectangle", "polygon"]),
)
def test_the_optical_path_through_a_pattern_is_that_of_what_it_covers(
    width: float, at: float, n: float, turn: float, kind: str
) -> None:
    """The film's own medium was taken: the phase behind a grating in air was a whole turn short, and its paper 'not reproduced'."""
    air, medium, half = {"kind": "medium", "index": 1.0}, {"kind": "medium", "index": n}, width / 2
    corners = [(at - half, -0.4), (at + half, -0.4), (at, 0.4)]
    body: dict[str, Any]
    body, share = {
        "bar": ({"x": (at - half, at + half)}, width),
        "slanted": ({"x": (at - half, at + half), "top": (at, at)}, half),
        "disk": ({"center": (at, -at), "radius": half}, np.pi * half**2),
        "rectangle": ({"center": (at, 0), "size": (0.7 * width, 0.4), "rotation": turn}, 0.28 * width),
        "polygon": ({"vertices": corners}, 0.4 * width),
    }[kind]
    lines = kind in ("bar", "slanted")
    body |= {"type": "bar" if lines else kind, "medium": medium}
    cell = {
        "id": "cell",
        "below": air,
        "layers": [{"type": "film", "medium": air, "thickness": 2.0, "pattern": [body]}],
        "above": air,
        "period": (1.0,) if lines else (1.0, 1.0),
        "light_from": "below",
        "polarization": "x",
        "band": {"type": "line", "wavelength": 0.6},
    }
    path = optical_path(UnitCell.model_validate(cell, context=RESOLVED), 1 / 0.6, {})
    assert path == pytest.approx(2 * (1 + (n - 1) * share), abs=0.1 * (n - 1) + 1e-9)
