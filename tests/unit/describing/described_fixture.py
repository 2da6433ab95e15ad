"""What the tests of described simulations share: parameters of a film, and code that describes it."""

from __future__ import annotations

from typing import Any

FILM: list[dict[str, Any]] = [
    {"id": "t", "value": 100, "unit": "nm", "origin": "paper", "quotation": "a film of 100 nm thickness"},
    {"id": "n", "value": 1.5, "origin": "assumption", "assumption_id": "A1", "alternatives": [1.45]},
    {"id": "shortest", "value": 500, "unit": "nm", "origin": "numerical"},
    {"id": "longest", "value": 800, "unit": "nm", "origin": "numerical"},
]
CODE = """from simkit.describe import *

def describe(p):
    film = UnitCell(id="film", below=vacuum(), layers=(Film(medium=Medium(index=p.n), thickness=p.t),), above=vacuum(),
                    light_from="below", polarization="x", band=Wavelengths(shortest=p.shortest, longest=p.longest))
    return Problem(scenes=(film,), quantities=(Reflectance(id="R", scene="film"), Transmittance(id="T", scene="film")))
"""
