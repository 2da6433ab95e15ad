"""Lies about what a number is called: the paper says what its film does not do, and the film's own number is read for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.lies import film
from tests.lies.kit import Lie, Tell, together, when

_NM = np.linspace(490, 810, 32001)
_R = film.exact(_NM, film.INDEX, film.THICKNESS)
_TOP, _BASE = float(_R.max()), float(max(_R[0], _R[-1]))


def _wide(level: float) -> float:
    """The width of the maximum at a level, nm."""
    inside = _NM[level <= _R]
    return round(float(inside[-1] - inside[0]), 1)


HALF = _wide((_TOP + _BASE) / 2)
WIDE, PEAK, HIGH = {"kind": "width"}, {"kind": "position"}, {"kind": "value"}
AT_LINE = round(100 * float(film.exact(film.LINE, film.INDEX, film.THICKNESS)), 1)


def _stated(folder: Path, words: str) -> None:
    """The paper says these words among its results."""
    path = folder / "paper.md"
    path.write_text(path.read_text().replace("\n## References", f"\n{words}\n\n## References"))


def _added(
    value: float, unit: str, quantity: str, words: str, feature: dict[str, Any], answers: str = "R_peak"
) -> Tell:
    """The planner makes the words a target of the claim, "told", which the first stage's reflectance answers."""

    def plan(answer: dict[str, Any]) -> None:
        made = answer["plan"]
        made["stages"][1]["targets"].append(
            {
                "target_id": "told",
                "figure_id": "fig1",
                "kind": "scalar",
                "quantity": quantity,
                "unit": unit,
                "x_unit": "nm",
                "description": "what the paper states",
                "reference": {
                    "kind": "quotation",
                    "value": value,
                    "place": "Results",
                    "quotation": words,
                    "feature": feature,
                },
            }
        )
        made["claim_targets"].append("told")

    def report(answer: dict[str, Any]) -> None:
        answer["reports"].append(
            {"target_id": "told", "classification": "SUCCESS", "explanation": "as the evidence has it"}
        )

    return together(
        when("planner", plan),
        when("results_analyzer", report, film.FIRST),
        when(
            "simulation_designer",
            lambda a: a["design"].update(
                code=a["design"]["code"].replace(f'"{answers}"]', f'"{answers}", "told"]')
            ),
            film.FIRST,
        ),
    )


def lie(
    name: str,
    gain: str,
    value: float,
    unit: str,
    quantity: str,
    words: str,
    feature: dict[str, Any],
    shown: str,
    more: str = "",
    quick: bool = False,
) -> Lie:
    """more: what the paper says elsewhere."""
    return Lie(
        name,
        "planner",
        "references",
        gain,
        _added(value, unit, quantity, words, feature),
        edition="true",
        false=("told",),
        verdicts=("Partly reproduced",),
        shown=shown,
        paper=lambda folder: _stated(folder, f"{words} {more}"),
        quick=quick,
    )


def _index(mode: int) -> float:
    """The effective index of a TE mode of the film within glass at the wavelength of figure 2."""
    n = np.linspace(film.GLASS + 1e-4, film.INDEX - 1e-4, 200001)
    inside, outside = (np.sqrt(np.abs(film.INDEX**2 - n**2)), np.sqrt(n**2 - film.GLASS**2))
    turn = (
        2 * np.pi / film.LINE * inside * film.THICKNESS - 2 * np.arctan2(outside, inside) - (mode - 1) * np.pi
    )
    return round(float(n[np.argmin(np.abs(turn))]), 3)


GUIDE = """
    guide = Waveguide(id="guide", dimensions="2D", bodies=[Block(id="film", medium=Material("film"),
                      y=(-p.thickness / 2, p.thickness / 2))], background=Material("glass"), polarization="Ez",
                      wavelength=p.oblique_wavelength)
    return Problem(scenes=[turned, guide], quantities=[EffectiveIndex(id="n", scene="guide", mode=MODE, answers=["told"]), """


def guided(name: str, gain: str, mode: int, words: str, shown: str) -> Lie:
    """A number of the film as a guide, which the second stage computes."""

    def plan(answer: dict[str, Any]) -> None:
        answer["plan"]["stages"][2]["targets"].append(
            {
                "target_id": "told",
                "figure_id": "fig2",
                "kind": "scalar",
                "quantity": "effective_index",
                "unit": "1",
                "description": "what the paper states",
                "reference": {
                    "kind": "quotation",
                    "value": _index(mode),
                    "place": "Results",
                    "quotation": words,
                },
            }
        )
        answer["plan"]["claim_targets"].append("told")

    def design(answer: dict[str, Any]) -> None:
        answer["design"]["code"] = film.OBLIQUE.replace(
            "\n    return Problem(scenes=[turned], quantities=[", GUIDE.replace("MODE", str(mode))
        )

    def report(answer: dict[str, Any]) -> None:
        answer["reports"].append(
            {"target_id": "told", "classification": "SUCCESS", "explanation": "as the evidence has it"}
        )

    return Lie(
        name,
        "planner",
        "references",
        gain,
        together(
            when("planner", plan),
            when("simulation_designer", design, film.SECOND),
            when("results_analyzer", report, film.SECOND),
        ),
        edition="true",
        false=("told",),
        verdicts=("Partly reproduced",),
        shown=shown,
        paper=lambda folder: _stated(folder, f"Within glass the film guides light of 550 nm. {words}"),
    )


def _reference_film(folder: Path) -> None:
    """The data of figure 1 hold a film for reference, too, of which nothing is said."""
    path = folder / "data" / "fig1.csv"
    head, *rows = path.read_text().splitlines()
    more = [
        f"{row},{float(film.exact(float(row.split(',')[0]), film.INDEX, film.THICKNESS)):.6f}" for row in rows
    ]
    path.write_text("\n".join([f"{head},R_reference", *more]) + "\n")


def _other_column(answer: dict[str, Any]) -> None:
    stage = answer["plan"]["stages"][1]
    stage["targets"] = [target for target in stage["targets"] if target["target_id"] == "curve"]
    stage["targets"][0]["reference"]["y_column"] = "R_reference"
    answer["plan"]["claim_targets"] = ["curve"]


LIES = (
    guided(
        "group-for-effective",
        "the effective index, where the paper has the group index",
        1,
        f"The group index of the guided mode is {_index(1)}.",
        "say 'group'",
    ),
    guided(
        "second-mode",
        "the second mode for the fundamental one",
        2,
        f"The effective index of the fundamental mode is {_index(2)}.",
        "say 'fundamental",
    ),
    Lie(
        "other-column",
        "planner",
        "references",
        "another column of the figure's data, which agrees",
        together(
            when("planner", _other_column),
            when(
                "simulation_designer",
                lambda a: a["design"].update(code=film.NORMAL.replace(', "peak", "R_peak"', "")),
                film.FIRST,
            ),
            when("results_analyzer", lambda a: a.update(reports=a["reports"][:1]), film.FIRST),
        ),
        false=("curve",),
        paper=_reference_film,
        shown="names another column than 'R_reference'",
    ),
    lie(
        "hwhm",
        "the full width, where the paper has the half",
        HALF,
        "nm",
        "fwhm",
        f"The half width at half maximum of the reflectance peak is {HALF} nm.",
        WIDE,
        "say 'half width",
        quick=True,
    ),
    lie(
        "hwhm-by-definition",
        "the full width, where the paper defines its widths as halves elsewhere",
        HALF,
        "nm",
        "fwhm",
        f"The width of the reflectance peak is {HALF} nm.",
        WIDE,
        "say 'half widths",
        "All widths are half widths at half maximum.",
    ),
    lie(
        "three-db",
        "the width at half of the height, where the paper has that at -3 dB",
        HALF,
        "nm",
        "fwhm",
        f"The reflectance peak has a -3 dB width of {HALF} nm.",
        WIDE,
        "say '-3 dB",
    ),
    lie(
        "other-level",
        "the width at half of the height, where the paper has that at 1/e",
        HALF,
        "nm",
        "fwhm",
        f"At the 1/e level the reflectance peak has a width of {HALF} nm.",
        WIDE,
        "say .{0,8}1/e",
    ),
    lie(
        "second-max",
        "the highest maximum for the second",
        616.0,
        "nm",
        "peak_position",
        "The second maximum of the reflectance lies at 616.0 nm.",
        PEAK,
        "say 'second maximum|not number 2",
    ),
    lie(
        "next-max",
        "the highest maximum for another one",
        616.0,
        "nm",
        "peak_position",
        "The next reflectance peak of the film is found at 616.0 nm.",
        PEAK,
        "say 'next reflectance peak",
    ),
    lie(
        "value-at-laser",
        "the value at one stated wavelength for that at another",
        AT_LINE,
        "%",
        "efficiency",
        f"At the laser line the reflectance of the film is {AT_LINE} %.",
        {"kind": "value_at", "at": [film.LINE]},
        "say 'At the laser line",
    ),
    lie(
        "mean-value",
        "the largest value for the mean one",
        round(100 * _TOP, 1),
        "%",
        "efficiency",
        f"The peak of the mean reflectance is {100 * _TOP:.1f} %.",
        HIGH,
        "say 'mean",
    ),
    lie(
        "amplitude-for-power",
        "power for amplitude",
        round(100 * _TOP, 1),
        "%",
        "efficiency",
        f"The amplitude reflectance has a maximum of {100 * _TOP:.1f} %.",
        HIGH,
        "say 'amplitude",
    ),
    lie(
        "unknown-modifier",
        "a word that no table knows",
        round(100 * _TOP, 1),
        "%",
        "efficiency",
        f"The photopically weighted reflectance has a maximum of {100 * _TOP:.1f} %.",
        HIGH,
        "call it 'weighted'",
    ),
    lie(
        "relative-to-transmitted",
        "over the incident light, where the paper has it over the transmitted",
        round(100 * _TOP, 1),
        "%",
        "efficiency",
        f"The maximum reflectance relative to the transmitted light is {100 * _TOP:.1f} %.",
        HIGH,
        "say 'relative to the transmitted",
    ),
)
