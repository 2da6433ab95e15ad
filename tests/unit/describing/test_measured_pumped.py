"""Strong light: what may be described, units of fields, the amplitude of an intensity, harmonics out of a record in time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from simkit.arrange import Numerics, arrange, needs
from simkit.arrange.pumped import current
from simkit.describe.base import RESOLVED
from simkit.describe.media import kerr
from simkit.describe.numbers import Number
from simkit.describe.problem import Problem
from simkit.describe.units import UNITS, canonical
from simkit.runs import Run, dump, load
from tasks.reproduce.measuring import NotMeasured, measure
from tasks.reproduce.oracles import oracle
from tasks.reproduce.solving.varying import scene_values
from tasks.reproduce.uncertainty.power_law import power_laws

pytestmark = pytest.mark.unit
AIR, GLASS = {"kind": "medium", "index": 1.0}, {"kind": "medium", "index": 1.5, "chi3": 1e-8}
THIRD = {"type": "harmonic_efficiency", "id": "h", "harmonic": 3, "side": "transmitted", "intensity": 8000.0}
KERR = {"type": "kerr_phase", "id": "k", "side": "transmitted", "intensity": 8000.0}
LINE, WEAK = {"type": "line", "wavelength": 1.5}, {"type": "transmittance", "id": "T"}


def made(*quantities: dict[str, Any], medium: dict[str, Any] = GLASS, **scene: Any) -> Problem:
    whole = {
        "type": "unit_cell",
        "id": "s",
        "below": AIR,
        "layers": [{"type": "film", "medium": medium, "thickness": 1.0}],
        "above": AIR,
        "light_from": "below",
        "polarization": "x",
        "band": LINE,
        **scene,
    }
    return Problem.model_validate(
        {"scenes": [whole], "quantities": [{"scene": "s", **q} for q in quantities]}, context=RESOLVED
    )


def test_units_of_fields_and_intensities() -> None:
    """A field of 1 is 1 V/um, as in the tables of materials; an intensity is the square of the field it has in vacuum."""
    assert UNITS["GW/cm^2"].factor == pytest.approx(
        2 * 1e13 / (8.8541878e-12 * 2.99792458e8) * 1e-12, rel=1e-6
    )
    n2 = 2.7e-20 * UNITS["m^2/W"].factor
    chi3 = kerr(Number(n2, "n2"), Number(1.45, "n"))
    assert float(chi3) == pytest.approx(
        4 / 3 * 1.45**2 * 8.8541878e-12 * 2.99792458e8 * 2.7e-20 * 1e12, rel=1e-6
    )
    assert (canonical("GW/cm²"), canonical("m²/V²"), canonical("pm/V")) == ("GW/cm^2", "m^2/V^2", "pm/V")


@pytest.mark.parametrize(
    ("quantities", "scene", "words"),
    [
        (
            (WEAK,),
            {},
            "chi2 or chi3, which matter to HarmonicEfficiency and KerrPhase of a UnitCell only; no other nonlinear",
        ),
        ((THIRD,), {"medium": {"kind": "medium", "index": 1.5}}, "no medium of s has chi2 or chi3"),
        ((THIRD,), {"band": {"type": "wavelengths", "shortest": 1, "longest": 2}}, "is of one wavelength"),
        (({**THIRD, "harmonic": 5},), {}, "Input should be 2 or 3"),
    ],
)
def test_strong_light_and_nonlinear_media_go_together(
    quantities: Any, scene: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValidationError, match=words):
        made(*quantities, **scene)


def test_a_nonlinear_medium_is_refused_in_every_other_scene() -> None:
    rod = {"type": "cylinder", "id": "rod", "medium": GLASS, "radius": 1}
    with pytest.raises(ValidationError, match=r"free script is"):
        Problem.model_validate(
            {
                "scenes": [
                    {
                        "type": "resonator",
                        "id": "s",
                        "dimensions": "2D",
                        "field": "Ez",
                        "bodies": [rod],
                        "background": AIR,
                        "search": {"type": "frequencies", "lowest": 1, "highest": 2},
                    }
                ],
                "quantities": [{"type": "quality_factor", "id": "q", "scene": "s"}],
            },
            context=RESOLVED,
        )


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ({"angle": 0.3, "polarization": "p"}, "normal incidence"),
        ({"period": [1.0]}, "plain films"),
        ({"above": GLASS}, "half-space of s is nonlinear"),
        ({"medium": {**GLASS, "chi3": 1e-3}}, "changes a film's permittivity by 3.6 of itself"),
        (
            {
                "below": {
                    "kind": "medium",
                    "epsilon": 2,
                    "poles": [{"kind": "lorentz", "frequency": 1, "damping": 0.1}],
                }
            },
            "or poles",
        ),
    ],
)
def test_what_is_not_computed_with_strong_light(scene: dict[str, Any], words: str) -> None:
    problem = made(THIRD, **scene)
    with pytest.raises(ValueError, match=words):
        arrange(problem.scenes[0], problem.quantities, Numerics(60.0), {})


def test_the_arrangement_has_one_pump_for_each_intensity_and_weak_light_without_chi() -> None:
    problem = made(THIRD, KERR, {**THIRD, "id": "half", "intensity": 4000.0}, WEAK)
    runs = arrange(problem.scenes[0], problem.quantities, Numerics(60.0), {}).runs
    assert set(runs) == {"reference", "structure", "clear", "weak", "pump_2", "pump_3"}
    strong, weak = runs["pump_3"], runs["weak"]
    assert (
        isinstance(strong, Run) and isinstance(weak, Run) and load(dump(strong)).digest() == strong.digest()
    )
    chis = [
        medium.get("chi3") for run in (strong, weak) for medium, _, _ in run.stack if medium["index"] == 1.5
    ]
    assert chis == [1e-8, None]
    assert strong.sources[0].amplitude == pytest.approx(np.sqrt(8000) * weak.sources[0].amplitude)
    linear = made(WEAK, medium={"kind": "medium", "index": 1.5})
    assert (
        runs["reference"]
        == arrange(linear.scenes[0], linear.quantities, Numerics(60.0), {}).runs["reference"]
    )
    assert (
        needs(problem.scenes[0], {}, problem.quantities).resolution
        == 3 * needs(problem.scenes[0], {}).resolution
    )
    assert current(0.7, 1.5, 1e5, 0.5) == pytest.approx(3, rel=1e-6) and current(0.7, 1.5, 20, 0.5) < 2.999


class Glass:
    """Solves a film that adds a third of a pump's cube at its third harmonic, and half of its power to its phase."""

    kept: dict[str, float] = {}
    costs: dict[str, float] = {}

    def __init__(self, drift: float = 0.0, off: float = 1.0) -> None:
        self.drift, self.off = drift, off

    def ahead(self, calls: Any, each_s: float) -> None:
        """Nothing is solved ahead."""

    def expect(self, run: Run, alike: str) -> None:
        """Nothing is known of a run beforehand."""

    def beyond(self, runs: Any) -> None:
        """Everything fits in the budget."""

    def solve(self, run: Run, words: str, alike: str = "") -> dict[str, Any]:
        f, step = run.sources[0].frequency, run.courant / run.resolution
        time = np.float32(np.arange(0, run.stop.max_time, step)).astype(float)
        amplitude = self.off * run.sources[0].amplitude / current(f, 1.0, run.resolution, run.courant)
        chi3 = max([medium.get("chi3") or 0.0 for medium, _, _ in run.stack], default=0.0)
        exact = np.arange(time.size) * step
        wave = amplitude * np.cos(2 * np.pi * f * exact - 0.5 * chi3 * amplitude**2)
        wave = wave + chi3 * amplitude**3 / 3 * np.cos(6 * np.pi * f * exact + 1) * (1 + self.drift * exact)
        return {
            f"{side}/{key}": value
            for side in ("reflected", "transmitted")
            for key, value in (("time", time), ("value", wave.astype(complex)))
        } | {"stats/stop_met": np.array(1)}


def test_harmonics_and_phase_out_of_a_record_with_meep_s_coarse_clock() -> None:
    problem = made(THIRD, KERR, {**THIRD, "id": "none", "harmonic": 2})
    values = scene_values(problem.scenes[0], problem.quantities, Numerics(60.0), {}, Glass()).values  # type: ignore[arg-type]
    assert values["h"].value == pytest.approx((1e-8 * 8000 / 3) ** 2, rel=1e-6)  # type: ignore[union-attr]
    assert values["k"].value == pytest.approx(0.5 * 1e-8 * 8000, rel=1e-6)  # type: ignore[union-attr]
    assert values["none"].value < 1e-20  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("film", "words"),
    [
        (Glass(drift=1e-3), "harmonic 3 of the transmitted light is not steady"),
        (Glass(off=1.03), "not the stated intensity"),
    ],
)
def test_what_is_no_steady_answer_to_the_stated_intensity_is_refused(film: Glass, words: str) -> None:
    problem = made(THIRD)
    arrangement = arrange(problem.scenes[0], problem.quantities, Numerics(60.0), {})
    raw = {name: film.solve(run, "") for name, run in arrangement.runs.items()}  # type: ignore[arg-type]
    with pytest.raises(NotMeasured, match=words):
        measure(problem.scenes[0], problem.quantities[0], arrangement, raw)


def test_a_harmonic_that_does_not_grow_with_the_pump_s_power_is_seen() -> None:
    problem = made(THIRD, KERR)
    group = SimpleNamespace(
        description=SimpleNamespace(resolved=lambda: problem),
        materials={},
        sweep=None,
        quantities=lambda p: list(p.quantities),
        scene=lambda p: p.scenes[0],
    )
    climb = SimpleNamespace(group=group, numerics=Numerics(60.0))
    values = scene_values(problem.scenes[0], problem.quantities, Numerics(60.0), {}, Glass()).values  # type: ignore[arg-type]
    found = power_laws(climb, Glass(), values)  # type: ignore[arg-type]
    assert found["h"].passed and found["k"].passed and found["h"].response < 1e-6  # type: ignore[operator]
    linear = power_laws(climb, Glass(), {**values, "h": type(values["h"])(2e-10)})  # type: ignore[arg-type, call-arg]
    assert linear["h"].passed is False


def test_an_undepleted_pump_in_a_matched_film_is_the_textbook_s() -> None:
    glass = {"kind": "medium", "index": 1.5}
    problem = made(THIRD, KERR, below=glass, above=glass)
    power = 8000.0 / 1.5  # |E|^2 in the film
    third, phase = (oracle(problem.scenes[0], q, {}) for q in problem.quantities)
    assert third is not None and phase is not None and third[0] == "undepleted pump"
    k = 2 * np.pi / 1.5
    assert third[1].value == pytest.approx((3 * k * 1e-8 * power / (8 * 1.5)) ** 2, rel=1e-6)  # type: ignore[union-attr]
    assert phase[1].value == pytest.approx(k * 3 * 1e-8 * power / (8 * 1.5), rel=1e-6)  # type: ignore[union-attr]
    assert (
        oracle(made({**KERR, "intensity": 1e7}).scenes[0], made({**KERR, "intensity": 1e7}).quantities[0], {})
        is None
    )
