"""A paper about one film on glass, and a model that reproduces it honestly.

Three editions: in the true one the results follow from the inputs; in the false one those of figure 1 belong to a thicker
film of higher index than its Methods state, and that of figure 2 to the other polarisation, so that an honest reproduction
fails; in the half one only figure 2 is wrong. What is simulated is the same.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, Literal

import numpy as np

Edition = Literal["true", "half", "false"]
GLASS, INDEX, THICKNESS = 1.52, 2.10, 220.0
FALSE_INDEX, FALSE_THICKNESS = 2.30, 235.0  # what the results of the false edition were computed from
LINE, ANGLE = 550.0, 45.0
STAGE0, FIRST, SECOND = "stage0_materials", "stage1_spectrum", "stage2_oblique"
CLAIM = ("peak", "R_peak")


def exact(wavelength_nm: Any, index: float, thickness: float, angle: float = 0.0, s: bool = True) -> Any:
    """Reflectance of the film on glass from air (Airy's formula), shape of the wavelength."""
    sine = np.sin(np.radians(angle))
    cosines = [np.sqrt(1 - (sine / n) ** 2) for n in (1.0, index, GLASS)]
    waves = [n * c if s else n / c for n, c in zip((1.0, index, GLASS), cosines, strict=True)]
    r1, r2 = ((a - b) / (a + b) for a, b in zip(waves, waves[1:], strict=False))
    turn = np.exp(4j * np.pi * index * thickness * cosines[1] / np.asarray(wavelength_nm))
    return np.abs((r1 + r2 * turn) / (1 + r1 * r2 * turn)) ** 2


def drawn(edition: Edition) -> tuple[float, float]:
    """Index and thickness that figure 1 was computed from."""
    return (FALSE_INDEX, FALSE_THICKNESS) if edition == "false" else (INDEX, THICKNESS)


def results(edition: Edition) -> dict[str, float]:
    """The numbers that the edition states as its results, as printed."""
    film = drawn(edition)
    peak = 4 * film[0] * film[1] / 3
    return {
        "peak": round(peak, 1),
        "R_peak": round(100 * float(exact(peak, *film)), 1),
        # the others state of s polarisation what the film of its Methods reflects of p
        "R_s": round(100 * float(exact(LINE, INDEX, THICKNESS, ANGLE, s=edition == "true")), 1),
    }


def text(edition: Edition) -> str:
    """The paper's words."""
    r = results(edition)
    return f"""# A film of zirconia on glass

## Abstract
A single film of zirconia on glass reflects up to {r["R_peak"]} % of visible light; the maximum lies at {r["peak"]} nm.
At oblique incidence {r["R_s"]} % of s-polarised light are reflected.

## Methods
The film has a thickness of 220 nm and a refractive index of 2.10. The substrate is glass of refractive index 1.52, and
light comes from air. Figure 1 is for normal incidence and wavelengths between 500 nm and 800 nm. Figure 2 is for a
wavelength of 550 nm, s polarisation and an angle of incidence of 45 degrees. The media are lossless and do not disperse.
The matrix method is that of Writer, Nat. Mater. 8, 616 (2009), in the form of 1983. Sample 616 was used. Films of other
groups were studied before: that of Reader has its maximum at 617 nm. The field enhancement in them was not studied. The
roughness of the film is 6 to 7 nm. The holder has slots of 235 nm and a prism of refractive index 2.30; the substrates have
a thickness of 257 um. The marks beside the film have a period of 235 nm, and the aspect ratio of the holder is 2.30.

## Results
The spectrum is shown in figure 1. The maximum of the reflectance lies at {r["peak"]} nm. At the maximum the reflectance
of the film is {r["R_peak"]} %. For figure 2 the film was turned. The reflectance of the turned film is {r["R_s"]} % at
45 degrees.

## References
[1] A. Writer, On layers with a maximum at 616 nm, Nat. Mater. 8, 616 (2009).
[2] B. Reader, Films, J. Opt. 12, 980 (1983).
"""


def write_paper(folder: Path, edition: Edition) -> Path:
    """The paper's folder as a user would make it."""
    (folder / "data").mkdir(parents=True)
    x = np.linspace(500, 800, 121)
    y = exact(x, *drawn(edition))
    rows = [f"{a:.1f},{b:.6f}" for a, b in zip(x, y, strict=True)]
    (folder / "data" / "fig1.csv").write_text("\n".join(["wavelength_nm,R", *rows]) + "\n")
    (folder / "paper.md").write_text(text(edition))
    (folder / "paper.json").write_text(
        json.dumps(
            {
                "paper_id": f"film-{edition}",
                "title": "A film of zirconia on glass",
                "citation": "nobody, nowhere (2020)",
                "domain": "thin_films",
                "figures": [
                    {
                        "figure_id": "fig1",
                        "caption": "Reflectance of the film at normal incidence.",
                        "data": [{"file": "data/fig1.csv", "origin": "digitised", "source": "figure 1"}],
                    },
                    {"figure_id": "fig2", "caption": "Reflectance of the film 616 at oblique incidence."},
                ],
            }
        )
    )
    return folder


def _quoted(
    name: str, figure: str, unit: str, quantity: str, value: float, words: str, what: str, **more: Any
) -> dict[str, Any]:
    return {
        "target_id": name,
        "figure_id": figure,
        "kind": "scalar",
        "quantity": quantity,
        "unit": unit,
        "description": what,
        "reference": {"kind": "quotation", "value": value, "place": "Results", "quotation": words, **more},
    }


def plan(edition: Edition) -> dict[str, Any]:
    """The honest planner's answer."""
    r = results(edition)
    maximum = {"kind": "value", "extremum": "maximum"}
    targets = [
        {
            "target_id": "curve",
            "figure_id": "fig1",
            "kind": "curve",
            "quantity": "curve",
            "x_unit": "nm",
            "description": "reflectance spectrum at normal incidence",
            "reference": {
                "kind": "data",
                "file": "data/fig1.csv",
                "x_column": "wavelength_nm",
                "y_column": "R",
            },
        },
        _quoted(
            "peak",
            "fig1",
            "nm",
            "peak_position",
            r["peak"],
            f"The maximum of the reflectance lies at {r['peak']} nm.",
            "wavelength of the maximum of the reflectance",
            feature={"kind": "position", "extremum": "maximum"},
        ),
        _quoted(
            "R_peak",
            "fig1",
            "%",
            "efficiency",
            r["R_peak"],
            f"At the maximum the reflectance of the film is {r['R_peak']} %.",
            "largest reflectance",
            feature=maximum,
        ),
    ]
    oblique = [
        _quoted(
            "R_s",
            "fig2",
            "%",
            "efficiency",
            r["R_s"],
            f"The reflectance of the turned film is {r['R_s']} %",
            "reflectance of s-polarised light at oblique incidence",
        )
    ]

    def given(name: str, value: float, unit: str, words: str, role: str = "input") -> dict[str, Any]:
        return {
            "name": name,
            "value": f"{value:g}",
            "unit": unit,
            "role": role,
            "quotation": words,
            "place": "Methods" if role == "input" else "Results",
        }

    def medium(name: str, index: float, words: str) -> dict[str, Any]:
        return {"name": name, "index": index, "band_um": [0.5, 0.8], "reason": "stated", "source": words}

    return {
        "plan": {
            "title": "A film on glass",
            "summary": "Check the media, then the film at normal and oblique incidence.",
            "main_claim": "The film's reflectance has its maximum where theory has it.",
            "claim_targets": list(CLAIM),
            "materials": [
                medium("glass", GLASS, "glass of refractive index 1.52"),
                medium("film", INDEX, "a refractive index of 2.10"),
            ],
            "stages": [
                {
                    "stage_id": STAGE0,
                    "stage_type": "MATERIAL_VALIDATION",
                    "name": "Materials",
                    "description": "By code.",
                    "materials": ["glass", "film"],
                    "estimated_runtime_s": 5,
                    "targets": [],
                },
                {
                    "stage_id": FIRST,
                    "stage_type": "SINGLE_STRUCTURE",
                    "name": "Film at normal incidence",
                    "description": "The film on glass, light from air at normal incidence.",
                    "dependencies": [STAGE0],
                    "materials": ["glass", "film"],
                    "expected_balance": "lossless",
                    "estimated_runtime_s": 10,
                    "targets": targets,
                },
                {
                    "stage_id": SECOND,
                    "stage_type": "SINGLE_STRUCTURE",
                    "name": "Film at oblique incidence",
                    "description": "The film on glass, s-polarised light from air at oblique incidence.",
                    "dependencies": [STAGE0],
                    "materials": ["glass", "film"],
                    "expected_balance": "lossless",
                    "estimated_runtime_s": 10,
                    "targets": oblique,
                },
            ],
        },
        "extracted_parameters": [
            given("thickness", THICKNESS, "nm", "a thickness of 220 nm"),
            given("film_index", INDEX, "", "a refractive index of 2.10"),
            given("glass_index", GLASS, "", "glass of refractive index 1.52"),
            given("oblique_wavelength", LINE, "nm", "a\nwavelength of 550 nm"),
            given("incidence", ANGLE, "deg", "an angle of incidence of 45 degrees"),
            *(
                given(
                    t["target_id"], t["reference"]["value"], t["unit"], t["reference"]["quotation"], "result"
                )
                for t in (*targets[1:], *oblique)
            ),
        ],
        "assumptions": [
            {
                "assumption_id": "A1",
                "category": "geometry",
                "parameter": "thickness of the glass",
                "value": "infinite",
                "source": "convention",
                "reason": "a half-space",
                "sensitivity": "low",
            }
        ],
    }


HEAD = "from simkit.describe import *\n\n\ndef describe(p):\n"
NORMAL = (
    HEAD
    + """\
    film = UnitCell(id="film", below=Material("glass"),
                    layers=[Film(medium=Material("film"), thickness=p.thickness)],
                    above=vacuum(), light_from="above", polarization="x",
                    band=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=[film], quantities=[Reflectance(id="R", scene="film", answers=["curve", "peak", "R_peak"])])
"""
)
OBLIQUE = (
    HEAD
    + """\
    turned = UnitCell(id="turned", below=Material("glass"),
                      layers=[Film(medium=Material("film"), thickness=p.thickness)],
                      above=vacuum(), light_from="above", polarization="s", angle=p.incidence,
                      band=Line(wavelength=p.oblique_wavelength))
    return Problem(scenes=[turned], quantities=[Reflectance(id="R_s", scene="turned", answers=["R_s"])])
"""
)
VIEW = [
    {"id": "shortest", "value": 490, "unit": "nm", "origin": "numerical"},
    {"id": "longest", "value": 810, "unit": "nm", "origin": "numerical"},
]
CODES = {FIRST: NORMAL, SECOND: OBLIQUE}
TARGETS = {FIRST: ("curve", "peak", "R_peak"), SECOND: ("R_s",)}
APPROVE = {"verdict": "approve", "issues": [], "checklist": ["all points checked"], "feedback": ""}


def honest(edition: Edition, agent: str, stage: str) -> dict[str, Any]:
    """The honest answer of an agent about a stage; whoever judges approves everything, and never helps against a lie."""
    if agent == "prompt_adaptor":
        return {"domain": "thin_films", "materials": ["glass"], "techniques": ["FDTD"], "adaptations": []}
    if agent == "planner":
        return copy.deepcopy(plan(edition))
    if agent == "simulation_designer":
        view = VIEW if stage == FIRST else []
        return {
            "design": {
                "stage_id": stage,
                "form": "description",
                "summary": "plane films",
                "code": CODES.get(stage, NORMAL),
                "parameters": copy.deepcopy(view),
                "materials": ["glass", "film"],
                "expectations": ["R + T = 1"],
            }
        }
    if agent == "execution_validator":
        return {"verdict": "pass", "recoverable": True, "issues": [], "advice": ""}
    if agent == "physics_sanity":
        return {"verdict": "pass", "issues": [], "advice": ""}
    if agent == "results_analyzer":
        return {
            "reports": [
                {"target_id": name, "classification": "SUCCESS", "explanation": "as the evidence has it"}
                for name in TARGETS.get(stage, ())
            ],
            "discrepancies": [],
            "summary": "as the evidence has it",
        }
    if agent == "comparison_validator":
        return {"verdict": "approve", "issues": [], "feedback": ""}
    if agent == "supervisor":
        if stage == "report":
            return {
                "executive_summary": "See the evidence.",
                "key_findings": [],
                "systematic_discrepancies": [],
                "final_statement": "See the evidence.",
            }
        return {"verdict": "ok_continue", "feedback": "", "assessment": "on course"}
    return copy.deepcopy(APPROVE)
