"""A feature of a spectrum over a parameter, read by trusted code: the film whose highest reflectance lies at 4 n t, exactly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from schemas.reproduce.words.bound import Called
from schemas.reproduce.words.said import Told
from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.describe.feature import Feature
from tasks.files.store import Store
from tasks.reproduce.describing.answering import answering
from tasks.reproduce.describing.in_sandbox import Description, DescriptionRefused, declared, from_document
from tasks.reproduce.measuring import Curve, NotMeasured
from tasks.reproduce.measuring.swept_feature import feature_read
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.references.called import _of_which_extremum
from tasks.reproduce.references.choices import choice_faults
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study
from tasks.reproduce.uncertainty.aims import within
from tests.unit.describing.described_fixture import CODE, FILM

pytestmark = pytest.mark.sim
ENDS = [
    {"id": name, "value": value, "unit": "nm", "origin": "numerical"}
    for name, value in (("thin", 90), ("thick", 130))
]
PEAK = 'Feature(id="peak", scene="film", of="R", answers=({answers}))'
SWEEP = 'Sweep(id="peak_t", of="peak", parameter="t", low=p.thin, high=p.thick, answers=("peaks",))'


def film(sweep: str = SWEEP, peak: str = PEAK.format(answers=""), code: str = CODE) -> Description:
    given = [*FILM, *ENDS]
    code = code.replace('Transmittance(id="T", scene="film")))', f"{peak},), sweeps=({sweep},))")
    return from_document(document(described(code, given)), declared(given), code)


def test_a_peak_over_a_thickness_is_where_theory_has_it(tmp_path: Path) -> None:
    made = film()
    wanted = dict.fromkeys(
        (item.id for item in (*made.problem.quantities, *made.problem.sweeps)), within(0.05)
    )
    found = study(
        made,
        {},
        Solver(Store(tmp_path), find_meep(), Budget(200)),
        tmp_path / "film",
        wanted=wanted,
        witnessed=False,
    )
    peak = found.quantity("peak_t")
    assert peak.status == "converged" and not peak.code
    assert peak.oracle is not None and peak.oracle.within, peak.oracle
    assert peak.curve is not None
    table = np.genfromtxt(tmp_path / "film" / peak.curve.path, delimiter=",", skip_header=1)
    t, wavelength, doubt = table.T
    assert np.all(np.abs(wavelength - 4 * 1.5 * t) <= doubt + 1e-3) and peak.power == 1


def test_what_answers_a_sweep_of_a_feature_is_the_curve_that_it_is_read_from() -> None:
    assert [one.type for one in answering(film(), "peaks")] == ["reflectance"]


@pytest.mark.parametrize(
    ("words", "faults"), [({"minimum"}, 1), ({"minimum", "maximum"}, 0), ({"maximum"}, 0)]
)
def test_a_maximum_that_is_swept_is_no_dip(words: set[str], faults: int) -> None:
    said = {"extremum": (Told("its caption", frozenset(words), "the dip"),)}
    assert len(choice_faults(film(), "peaks", [said])) == faults


@pytest.mark.parametrize(
    ("peak", "sweep", "code", "told"),
    [
        (PEAK.format(answers='"peaks",'), SWEEP, CODE, "let R answer"),
        (PEAK.format(answers=""), SWEEP.replace('of="peak"', 'of="R"'), CODE, "a Feature is for a Sweep"),
        (PEAK.format(answers="").replace('of="R"', 'of="none"'), SWEEP, CODE, "'none' is no quantity"),
        (
            PEAK.format(answers=""),
            SWEEP,
            CODE.replace("Wavelengths(shortest=p.shortest, longest=p.longest)", "Line(wavelength=p.longest)"),
            "is a single number",
        ),
    ],
)
def test_a_feature_is_of_a_curve_and_for_a_sweep(peak: str, sweep: str, code: str, told: str) -> None:
    with pytest.raises((DescriptionRefused, ValueError), match=told):
        film(sweep, peak, code)


def line(at: float, width: float, count: int = 401) -> Curve:
    """A Lorentzian over frequency, of height 0.8."""
    x = np.linspace(0.8, 1.2, count)
    return Curve(x, 0.8 / (1 + (2 * (x - at) / width) ** 2))


@pytest.mark.parametrize(
    ("gives", "over", "exact", "power"),
    [
        ("position", "wavelength", 1 / 0.97, 1),
        ("position", "frequency", 0.97, -1),
        ("value", "wavelength", 0.8, 0),
        ("width", "frequency", 0.02, -1),
        ("width", "wavelength", 1 / 0.96 - 1 / 0.98, 1),
        ("quality_factor", "frequency", 48.5, 0),
    ],
)
def test_features_are_in_the_units_of_what_they_are_read_over(
    gives: str, over: str, exact: float, power: int
) -> None:
    feature = Feature(id="f", scene="s", of="R", gives=gives, over=over)  # type: ignore[arg-type]
    found, sampled = feature_read(feature, line(0.97, 0.02))
    assert found.power == power and found.value == pytest.approx(exact, rel=0.01)
    assert abs(sampled.value - found.value) < 0.01 * exact


def test_what_the_band_cuts_off_has_no_value() -> None:
    feature = Feature(id="f", scene="s", of="R")
    with pytest.raises(NotMeasured, match="position of the maximum of R"):
        feature_read(feature, line(0.7, 0.1))


def two_lines() -> Curve:
    """Lorentzians at wavelengths of 1 and 1.25, the second half as high."""
    x = np.linspace(0.7, 1.2, 2001)
    return Curve(x, 0.8 / (1 + ((x - 1) / 0.005) ** 2) + 0.4 / (1 + ((x - 0.8) / 0.005) ** 2))


@pytest.mark.parametrize(("number", "at"), [(0, 1.0), (1, 1.0), (2, 1.25), (-1, 1.25), (-2, 1.0)])
def test_extrema_are_counted_along_the_wavelength_from_either_end(number: int, at: float) -> None:
    found, _ = feature_read(Feature(id="f", scene="s", of="R", number=number), two_lines())
    assert found.value == pytest.approx(at, rel=1e-3)


def test_an_extremum_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(NotMeasured, match="there are 2 of at least"):
        feature_read(Feature(id="f", scene="s", of="R", number=-3), two_lines())


def test_a_mean_is_of_the_whole_band_and_takes_no_extremum() -> None:
    curve = Curve(np.linspace(1.0, 2.0, 101), np.full(101, 0.25))
    found, sampled = feature_read(Feature(id="f", scene="s", of="R", gives="mean"), curve)
    assert found.value == pytest.approx(0.25) == sampled.value and found.power == 0
    with pytest.raises(ValueError, match="takes no extremum"):
        Feature(id="f", scene="s", of="R", gives="mean", number=2)


@pytest.mark.parametrize(
    ("spoken", "doubted"),
    [
        ("the peak shifts by", True),
        ("the second peak shifts by", False),
        ("the longest-wavelength peak shifts by", False),
    ],
)
def test_another_extremum_than_the_highest_is_one_that_the_words_single_out(
    spoken: str, doubted: bool
) -> None:
    peak = PEAK.format(answers="").replace('of="R"', 'of="R", number=2')
    answer = answering(film(peak=peak), "peaks")[0]
    assert bool(_of_which_extremum(Called(spoken=spoken), answer)) is doubted
