"""The coating's paper answered with descriptions; the first one types a length that nobody declared."""

from __future__ import annotations

import copy
import json
from typing import Any

from tests.flow import coating

INPUTS = [
    ("film_index", "1.38", "", "film of refractive index 1.38"),
    ("glass_index", "1.52", "", "refractive index 1.52"),
    ("thickness", "99.6", "nm", "its thickness is 99.6 nm"),
]
VIEW = [
    {"id": "shortest", "value": 440, "unit": "nm", "origin": "numerical"},
    {"id": "longest", "value": 710, "unit": "nm", "origin": "numerical"},
]
COATED = """from simkit.describe import *


def describe(p):
    def coated(name, band):
        return UnitCell(id=name, below=Material("glass"), layers=[Film(medium=Material("film"), thickness=p.thickness)],
                        above=vacuum(), light_from="above", polarization="x", band=band)
    return Problem(
        scenes=[coated("spectrum", Wavelengths(shortest=p.shortest, longest=p.longest)),
                coated("design", Line(wavelength=p.design_wavelength))],
        quantities=[Reflectance(id="R", scene="spectrum", answers=["R_curve"]), Transmittance(id="T", scene="spectrum"),
                    Reflectance(id="R_design", scene="design", answers=["R_550"])])
"""
TYPED = COATED.replace("thickness=p.thickness", "thickness=0.0996")


def plan() -> dict[str, Any]:
    """The coating's plan with all inputs extracted."""
    found: dict[str, Any] = copy.deepcopy(coating.PLAN)
    found["extracted_parameters"] += [
        {"name": name, "value": value, "unit": unit, "role": "input", "quotation": words, "place": "Methods"}
        for name, value, unit, words in INPUTS
    ]
    return found


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """As coating.answer, with descriptions."""
    text = json.dumps(request)
    agent, stage = coating_label(text).split(".")[:2]
    if agent == "planner":
        return plan()
    if agent != "simulation_designer":
        return coating.answer(request)
    if "undeclared number 0.0996" in text:
        return {
            "edits": {
                "edits": [{"find": "thickness=0.0996", "replace": "thickness=p.thickness"}],
                "summary": "declared",
            }
        }
    return {
        "design": {
            "stage_id": stage,
            "form": "description",
            "summary": "plane films at normal incidence",
            "code": TYPED,
            "parameters": VIEW,
            "materials": ["glass", "film"],
            "expectations": ["R + T = 1"],
        }
    }


def coating_label(text: str) -> str:
    """The label of a request."""
    return text.split("Request: ", 1)[1].split("\\n", 1)[0].split('"', 1)[0].strip()
