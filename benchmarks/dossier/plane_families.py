"""Families of unit cells: films at any angle, phases, fields, strong light, gratings."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks.dossier.closed_forms import stack
from benchmarks.dossier.drawing_cases import Family, Numbers, Range, Words
from tasks.reproduce.oracles.coupled_waves import diffracted

_R_T = 'Reflectance(id="R", scene="cell"), Transmittance(id="T", scene="cell")'


def _cell(layers: str, quantities: str, band: str, rest: str = "", polarization: str = "x") -> str:
    return f"""    cell = UnitCell(id="cell", below=Medium(index=p.substrate), layers=({layers},), above=vacuum(), light_from="above",
                    polarization="{polarization}", band={band}{rest})
    return Problem(scenes=(cell,), quantities=({quantities},))
"""


_TWO = "Film(medium=Medium(index=p.n1), thickness=p.t1), Film(medium=Medium(index=p.n2), thickness=p.t2)"
_LINE = "Line(wavelength=p.wavelength)"
_BAND = "Wavelengths(shortest=p.shortest, longest=p.longest)"
_FILM_RANGES = {
    "n1": Range(1.3, 3.5, 0.01),
    "t1": Range(50, 400, 5, "nm"),
    "n2": Range(1.3, 3.5, 0.01),
    "t2": Range(50, 400, 5, "nm"),
    "substrate": Range(1, 2, 0.01),
}
_VISIBLE = {"shortest": Range(500, 500, 1, "nm", view=True), "longest": Range(700, 700, 1, "nm", view=True)}
_WAVE = {"wavelength": Range(450, 800, 5, "nm")}


def _two_films(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    """Light comes from above: films in the order in which it meets them."""
    r, t, big_r, big_t = stack(
        x,
        (1.0, p["n2"], p["n1"], p["substrate"]),
        (p["t2"], p["t1"]),
        p.get("angle", 0.0),
        words.get("polarization") == "p",
    )
    if name == "phase":
        return np.unwrap(np.angle(t)), 0.0
    return (big_r if name == "R" else big_t), 0.0


def _lossy_film(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    f = np.asarray(x, float)
    epsilon = p["eps"] + p["strength"] * p["line"] ** 2 / (p["line"] ** 2 - f**2 - 1j * f * p["damping"])
    out = []
    for one, e in zip(f, epsilon, strict=True):
        _, _, r, t = stack(np.array([one]), (1.0, complex(np.sqrt(e)), p["substrate"]), (p["t1"],))
        out.append({"R": r[0], "T": t[0], "A": 1 - r[0] - t[0]}[name])
    return np.array(out), 0.0


def _grating(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    """Coupled waves with 45 and 64 orders a side; what that changes, twice, is their own error."""
    across, angle = words["polarization"] in ("x", "p"), p.get("angle", 0.0)
    one = (p["n1"], p["low"], p["t1"], p["period"], p["fill"], p["substrate"])
    less, more = (
        np.array([_orders(*one, float(f), across, angle, count)[name] for f in x]) for count in (45, 64)
    )
    return more, float(2 * np.max(np.abs(more - less)))


@lru_cache(maxsize=1024)
def _orders(
    n1: float,
    low: float,
    t1: float,
    period: float,
    fill: float,
    substrate: float,
    f: float,
    across: bool,
    angle: float,
    count: int,
) -> dict[str, float]:
    """Reflectance, transmittance and first transmitted order of a bar in the middle of the period, from vacuum."""
    side = ((1 - fill) / 2 * period, complex(low**2))
    slices = [side, (fill * period, complex(n1**2)), side]
    found = diffracted(
        f, period, [(t1, slices)], 1 + 0j, complex(substrate**2), across, float(np.sin(angle)), count
    )
    first = found.transmitted[found.transmitted.size // 2 + 1]
    return {"R": float(found.reflected.sum()), "T": float(found.transmitted.sum()), "T1": float(first)}


_BARS = (
    "Film(medium=Medium(index=p.low), thickness=p.t1, pattern=(Bar(medium=Medium(index=p.n1), "
    "x=(-p.fill * p.period / 2, p.fill * p.period / 2)),))"
)
_GRATING_RANGES = {
    "n1": Range(1.6, 3.0, 0.01),
    "low": Range(1, 1.5, 0.01),
    "t1": Range(80, 400, 10, "nm"),
    "period": Range(300, 900, 10, "nm"),
    "fill": Range(0.2, 0.8, 0.05),
    "substrate": Range(1, 1.6, 0.01),
}
_NARROW = {"shortest": Range(560, 560, 1, "nm", view=True), "longest": Range(640, 640, 1, "nm", view=True)}
_ORDERS = _R_T + ', OrderEfficiency(id="T1", scene="cell", side="transmitted", order=(1,))'

UNIT_CELLS = (
    Family(
        "two films",
        "unit cell",
        "reflectance, transmittance",
        "Airy's sums",
        _cell(_TWO, _R_T, _BAND),
        {**_FILM_RANGES, **_VISIBLE},
        6,
        _two_films,
    ),
    Family(
        "two films, oblique",
        "unit cell",
        "reflectance, transmittance",
        "Airy's sums",
        _cell(_TWO, _R_T, _LINE, ", angle=p.angle", "$polarization"),
        {**_FILM_RANGES, **_WAVE, "angle": Range(5, 75, 1, "deg")},
        5,
        _two_films,
        {"polarization": ("s", "p")},
    ),
    Family(
        "film with a line of absorption",
        "unit cell",
        "reflectance, transmittance, absorptance",
        "Airy's sums",
        _cell(
            "Film(medium=Medium(epsilon=p.eps, poles=(Pole(kind='lorentz', frequency=p.line, damping=p.damping, "
            "strength=p.strength),)), thickness=p.t1)",
            _R_T + ', Absorptance(id="A", scene="cell")',
            _BAND,
        ),
        {
            "eps": Range(1.5, 6, 0.05),
            "strength": Range(0.05, 1, 0.01),
            "line": Range(1.4, 2.2, 0.01, "c/um"),
            "damping": Range(0.05, 0.3, 0.01, "c/um"),
            "t1": Range(50, 400, 5, "nm"),
            "substrate": Range(1, 2, 0.01),
            **_VISIBLE,
        },
        4,
        _lossy_film,
    ),
    Family(
        "phase through two films",
        "unit cell",
        "phase",
        "Airy's sums",
        _cell(_TWO, 'Phase(id="phase", scene="cell", side="transmitted")', _BAND),
        {**_FILM_RANGES, **_VISIBLE},
        3,
        _two_films,
    ),
    Family(
        "field inside two films",
        "unit cell",
        "field on a line",
        "transfer matrix (ReproLab's)",
        _cell(
            _TWO,
            'CellField(id="I", scene="cell", start=(0, 0, -p.beside), end=(0, 0, p.t1 + p.t2 + p.beside))',
            _LINE,
        ),
        {**_FILM_RANGES, **_WAVE, "beside": Range(100, 300, 50, "nm")},
        3,
    ),
    Family(
        "harmonic of a film",
        "unit cell",
        "harmonic efficiency",
        "undepleted pump (ReproLab's)",
        """    film = Film(medium=Medium(index=p.n1, chi2=p.chi2), thickness=p.t1)
    cell = UnitCell(id="cell", below=Medium(index=p.substrate), layers=(film,), above=vacuum(), light_from="above",
                    polarization="x", band=Line(wavelength=p.wavelength))
    return Problem(scenes=(cell,), quantities=(HarmonicEfficiency(id="H", scene="cell", harmonic=p.count("harmonic"),
                                                                  side="transmitted", intensity=p.intensity),))
""",
        {
            "n1": Range(1.5, 2.5, 0.01),
            "chi2": Range(1, 50, 1, "pm/V"),
            "t1": Range(200, 900, 20, "nm"),
            "substrate": Range(1, 1.6, 0.01),
            "wavelength": Range(900, 1600, 20, "nm"),
            "intensity": Range(0.1, 2, 0.1, "GW/cm^2"),
            "harmonic": Range(2, 2, 1, count=True),
        },
        2,
    ),
    Family(
        "grating, E along the bars",
        "unit cell",
        "reflectance, transmittance, order",
        "coupled waves",
        _cell(_BARS, _ORDERS, _BAND, ", period=(p.period,)", "$polarization"),
        {**_GRATING_RANGES, **_NARROW},
        4,
        _grating,
        {"polarization": ("y",)},
    ),
    Family(
        "grating, E across the bars",
        "unit cell",
        "reflectance, transmittance, order",
        "coupled waves",
        _cell(_BARS, _ORDERS, _BAND, ", period=(p.period,)", "$polarization"),
        {**_GRATING_RANGES, **_NARROW},
        2,
        _grating,
        {"polarization": ("x",)},
    ),
    Family(
        "grating, oblique",
        "unit cell",
        "reflectance, transmittance, order",
        "coupled waves",
        _cell(_BARS, _ORDERS, _LINE, ", period=(p.period,), angle=p.angle", "$polarization"),
        {**_GRATING_RANGES, "wavelength": Range(500, 700, 10, "nm"), "angle": Range(5, 60, 1, "deg")},
        2,
        _grating,
        {"polarization": ("s", "p")},
    ),
    Family(
        "posts on two periods",
        "unit cell",
        "reflectance, transmittance",
        "second solver (Fourier modes, ReproLab's)",
        _cell(
            "Film(medium=vacuum(), thickness=p.t1, pattern=(Rectangle(medium=Medium(index=p.n1), size=(p.wide, p.deep)),))",
            _R_T,
            _LINE,
            ", period=(p.period, p.period)",
        ),
        {
            "n1": Range(1.5, 2.5, 0.01),
            "t1": Range(60, 200, 20, "nm"),
            "period": Range(240, 400, 20, "nm"),
            "wide": Range(80, 200, 20, "nm"),
            "deep": Range(80, 200, 20, "nm"),
            "substrate": Range(1, 1.6, 0.01),
            "wavelength": Range(600, 900, 10, "nm"),
        },
        1,
    ),
)
