"""Media in documents: every traced number of a field that holds one or several is kept."""

from __future__ import annotations

import pytest

from simkit.arrange import Needs
from simkit.describe.__main__ import described
from simkit.describe.document import document, expressions
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.solving.groups import steady

pytestmark = pytest.mark.unit

FILM = """from simkit.describe import *

def describe(p):
    film = Film(medium=Medium(epsilon=(p.along, p.across, p.across)), thickness=p.d)
    cell = UnitCell(id="cell", below=vacuum(), layers=(film,), above=vacuum(), light_from="below", polarization="x",
                    band=Line(wavelength=p.d))
    return Problem(scenes=(cell,), quantities=(Transmittance(id="T", scene="cell"),))
"""
NUMBERS = [
    {"id": "along", "value": 2.7, "origin": "paper", "quotation": "2.7"},
    {"id": "across", "value": 2.2, "origin": "paper", "quotation": "2.2"},
    {"id": "d", "value": 1, "unit": "um", "origin": "paper", "quotation": "1 um"},
]
GLASS = """from simkit.describe import *

def describe(p):
    glass = Medium(epsilon=1, poles=(Pole(kind="lorentz", frequency=1 / p.line, damping=1 / p.d, strength=p.along),))
    rod = Scatterer(id="rod", dimensions="2D", bodies=(Cylinder(id="c", medium=glass, radius=p.d),), background=vacuum(),
                    polarization="z", band=Line(wavelength=p.d))
    return Problem(scenes=(rod,), quantities=(CrossSection(id="C", scene="rod", process="absorption"),))
"""


def test_three_permittivities_are_as_good_as_one() -> None:
    """Every anisotropic medium was refused: its numbers had lost their names."""
    made = from_document(document(described(FILM, NUMBERS)), declared(NUMBERS), FILM)
    assert sorted({text for _, text in expressions(made.parametric)}) == ["across", "along", "d"]
    assert made.resolved({"along": 3.0}).scenes[0].layers[0].medium.epsilon == (3.0, 2.2, 2.2)


@pytest.mark.parametrize(("line", "finer"), [(0.103, True), (0.9, False)])
def test_a_medium_that_would_grow_gets_the_grid_on_which_it_does_not(line: float, finer: bool) -> None:
    """A pole far above the light blew up on the first grid, and nothing was known."""
    numbers = [
        *NUMBERS,
        {"id": "line", "value": line, "unit": "um", "origin": "paper", "quotation": f"{line} um"},
    ]
    scene = from_document(document(described(GLASS, numbers)), declared(numbers), GLASS).resolved().scenes[0]
    assert (steady(Needs(18.0), scene).resolution > 18) is finer
