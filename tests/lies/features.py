"""Lies about what is taken from a curve: another feature, abscissa, axis or curve than the words speak of; and counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.lies import film
from tests.lies.designer import code, length
from tests.lies.kit import Lie, Tell, together, when
from tests.lies.measures import lie as measured
from tests.lies.measures import measures
from tests.lies.planner_references import reference, target

_NM = np.linspace(505, 795, 29001)
_OURS = film.exact(_NM, film.INDEX, film.THICKNESS)
_PAPERS = film.exact(_NM, *film.drawn("false"))
_RESULTS = film.results("false")


def _where(curve: Any, level: float) -> float:
    """A place at which a curve has a level, nm."""
    return float(_NM[np.flatnonzero(np.diff(np.sign(curve - level)))[0]])


def feature(name: str, **values: Any) -> Tell:
    """The planner takes this feature for a quoted number."""
    return reference(name, feature=values)


def _elsewhere(answer: dict[str, Any]) -> None:
    """The value of figure 2 is read from a spectrum, where it happens to be."""
    own = target(answer, "R_s")
    own["x_unit"] = "nm"
    own["reference"]["feature"] = {"kind": "value_at", "at": [_where(_OURS, _RESULTS["R_s"] / 100)]}


def _one_point(answer: dict[str, Any]) -> None:
    """Figure 1 is one point, where our curve and the paper's cross; its curve is no target."""
    first = answer["plan"]["stages"][1]
    at = _where(_OURS - _PAPERS, 0.0)
    first["targets"] = [
        {
            **target(answer, "R_peak"),
            "unit": "1",
            "x_unit": "nm",
            "reference": {
                "kind": "feature",
                "file": "data/fig1.csv",
                "x_column": "wavelength_nm",
                "y_column": "R",
                "feature": {"kind": "value_at", "at": [at]},
            },
        }
    ]
    answer["plan"]["claim_targets"] = ["R_peak"]


def _swept(answer: dict[str, Any]) -> None:
    """The maximum over the film's thickness at one wavelength: 11 quarter waves of 550 nm are 720.2 nm."""
    design = answer["design"]
    design["code"] = (
        film.HEAD
        + """\
    def cell(name, band):
        return UnitCell(id=name, below=Material("glass"), layers=[Film(medium=Material("film"), thickness=p.thickness)],
                        above=vacuum(), light_from="above", polarization="x", band=band)
    return Problem(scenes=[cell("film", Wavelengths(shortest=p.shortest, longest=p.longest)),
                           cell("lit", Line(wavelength=p.oblique_wavelength))],
                   quantities=[Reflectance(id="R", scene="film", answers=["curve", "R_peak"]),
                               Reflectance(id="L", scene="lit")],
                   sweeps=[Sweep(id="over", of="L", parameter="thickness", low=p.low, high=p.high, answers=["peak"])])
"""
    )
    design["parameters"] += [
        {"id": "low", "value": 680, "unit": "nm", "origin": "numerical"},
        {"id": "high", "value": 760, "unit": "nm", "origin": "numerical"},
    ]


ENHANCED = f"The field enhancement in them was not studied ... the reflectance\nof the film is {_RESULTS['R_peak']} %"
SLICE = {"id": "mine", "unit": "nm", "origin": "derived", "expression": "thickness" + " / 2" * 6}
LIES = (
    Lie(
        "crossing-as-maximum",
        "planner",
        "references",
        "where our curve falls through a chosen level, as its maximum",
        feature("peak", kind="crossing", level=[0.112], direction="falling"),
        refused="the words name no crossing",
        quick=True,
    ),
    Lie(
        "value-elsewhere-as-maximum",
        "planner",
        "references",
        "the reflectance at a chosen wavelength, as the largest one",
        feature("R_peak", kind="value_at", at=[620.0]),
        refused="the words speak of a maximum",
    ),
    Lie(
        "minimum-as-maximum",
        "planner",
        "references",
        "the other extremum",
        feature("peak", kind="position", extremum="minimum"),
        refused="the feature is the position of minimum",
    ),
    Lie(
        "abscissa-elsewhere",
        "planner",
        "references",
        "the value of figure 2 at a chosen place of another spectrum",
        together(
            when("planner", _elsewhere),
            when(
                "simulation_designer",
                lambda a: a["design"].update(
                    code=film.NORMAL.replace('"curve", "peak", "R_peak"', '"R_s"'),
                    parameters=[dict(v) for v in film.VIEW],
                ),
                film.SECOND,
            ),
        ),
        shown=r"measured: value at \d",
    ),
    Lie(
        "figure-by-one-point",
        "planner",
        "references",
        "one point at which two curves cross, instead of the curves",
        together(when("planner", _one_point), code('"curve", "peak", ', "")),
        shown="does not agree with the figure's data",
    ),
    Lie(
        "enhancement-by-words",
        "planner",
        "thresholds",
        "50 % instead of 5 %, by words joined from elsewhere",
        together(
            reference("R_peak", quotation=ENHANCED),
            when("planner", lambda a: target(a, "R_peak").update(quantity="field_enhancement")),
        ),
    ),
    Lie(
        "quotation-beside-data",
        "planner",
        "thresholds",
        "words that the paper does not say, beside a figure's data",
        reference("curve", quotation="a field enhancement of 30 was found"),
        refused="these words are not in the paper",
    ),
    Lie(
        "thickness-as-wavelength",
        "simulation_designer",
        "physics",
        "a maximum at a thickness of 720 nm",
        when("simulation_designer", _swept, film.FIRST),
        refused="is drawn over a wavelength, frequency or energy",
    ),
    Lie(
        "counted-slices",
        "simulation_designer",
        "values",
        "75 slices of a 64th of the thickness",
        code(
            '[Film(medium=Material("film"), thickness=p.thickness)]',
            '[Film(medium=Material("film"), thickness=p.mine)] * 75',
            parameters=(SLICE,),
        ),
        refused="75 x Film .*nothing declares this number",
        quick=True,
    ),
    Lie(
        "counted-halves",
        "simulation_designer",
        "values",
        "a factor of 9/8 in two films of one medium",
        length('p.thickness), Film(medium=Material("film"), thickness=p.thickness / 2 / 2 / 2'),
        refused="nothing declares this number",
    ),
    measured(
        "measure-factor",
        "values",
        "a factor on the largest reflectance",
        measures("np.max(R.y) * (1 + 1 / 2 ** 2 + 1 / 2 ** (2 + 2 + 1))"),
        refused="a factor of 1.3 on .*maximum value of R",
    ),
    measured(
        "measure-factor-hidden",
        "values",
        "the same, but not for curves that are made up",
        measures(
            "np.max(R.y) * (1 + 1 / 2 ** 2 + 1 / 2 ** (2 + 2 + 1)) if R.y[0] < 1 / 2 ** 2 else np.mean(R.y ** 2)"
        ),
        shown="no known feature undecided",
    ),
)
