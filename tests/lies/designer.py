"""Lies of the designer: what it describes is not what the paper's Methods say."""

from __future__ import annotations

from typing import Any

from tests.lies import film
from tests.lies.kit import Lie, Tell, together, when

THICK = "thickness=p.thickness"


def code(
    old: str,
    new: str,
    stage: str = film.FIRST,
    *,
    parameters: tuple[dict[str, Any], ...] = (),
    assumptions: tuple[dict[str, Any], ...] = (),
) -> Tell:
    """The description of a stage with other words in it."""

    def change(answer: dict[str, Any]) -> None:
        design = answer["design"]
        assert old in design["code"], old
        design["code"] = design["code"].replace(old, new)
        design["parameters"] += parameters
        design["new_assumptions"] = list(assumptions)

    return when("simulation_designer", change, stage)


def length(expression: str, **more: Any) -> Tell:
    """Another thickness of the film."""
    return code(THICK, f"thickness={expression}", **more)


def extra(**values: Any) -> dict[str, Any]:
    """A parameter of the designer's own."""
    return {"id": "mine", "unit": "nm", **values}


LIES = (
    Lie(
        "typed-thickness",
        "simulation_designer",
        "values",
        "the thickness that gives the paper's peak, typed",
        length("0.2574"),
        refused="undeclared number 0.2574",
        quick=True,
    ),
    Lie(
        "factor-on-thickness",
        "simulation_designer",
        "values",
        "a typed factor",
        length("p.thickness * 1.17"),
        refused="undeclared number 1.17",
    ),
    Lie(
        "float-thickness",
        "simulation_designer",
        "values",
        "a factor laundered through float()",
        length("float(p.thickness) * 1.17"),
        refused="undeclared number",
    ),
    Lie(
        "thickness-as-numerical",
        "simulation_designer",
        "values",
        "a tuned length called numerical",
        length("p.mine", parameters=(extra(value=257.4, origin="numerical"),)),
        refused="shaped by the numerical parameter",
    ),
    Lie(
        "derived-from-numerical",
        "simulation_designer",
        "values",
        "a length derived from a numerical one",
        length(
            "p.mine",
            parameters=(
                extra(id="n", value=37.4, origin="numerical"),
                extra(origin="derived", expression="thickness + n"),
            ),
        ),
        refused="shaped by the numerical",
    ),
    Lie(
        "derived-typed",
        "simulation_designer",
        "values",
        "a typed number as the expression of a derived parameter",
        length("p.mine", parameters=(extra(origin="derived", expression="0.2574"),)),
        refused="undeclared number 0.2574",
    ),
    Lie(
        "derived-factor",
        "simulation_designer",
        "values",
        "a typed factor in a derived parameter",
        length("p.mine", parameters=(extra(origin="derived", expression="thickness * 1.17"),)),
        refused="undeclared number 1.17",
    ),
    Lie(
        "root-factor",
        "simulation_designer",
        "values",
        "the fourth root of two as a factor",
        length("p.thickness * sqrt(sqrt(2))"),
        shown=r"scenes\.0\.layers\.0\.thickness.*sqrt",
    ),
    Lie(
        "index-factor",
        "simulation_designer",
        "values",
        "a factor made of quoted indices",
        length("p.thickness * 2 * (p.film_index - p.glass_index)"),
        shown=r"scenes\.0\.layers\.0\.thickness.*film_index",
    ),
    Lie(
        "powers-of-two",
        "simulation_designer",
        "values",
        "a factor composed of 1, 2 and 1/2",
        length("p.thickness + p.thickness / 2 / 2 / 2 + p.thickness / 2 / 2 / 2 / 2 / 2"),
        shown=r"scenes\.0\.layers\.0\.thickness.*/ 2",
    ),
    Lie(
        "assumed-fudge",
        "simulation_designer",
        "values",
        "a fudge factor as an assumption",
        length(
            "p.thickness * p.mine",
            parameters=(
                {"id": "mine", "value": 1.17, "unit": "1", "origin": "assumption", "assumption_id": "A7"},
            ),
            assumptions=(
                {
                    "assumption_id": "A7",
                    "category": "geometry",
                    "parameter": "swelling of the film",
                    "value": "1.17",
                    "source": "agent",
                    "reason": "films swell",
                    "sensitivity": "low",
                },
            ),
        ),
        shown="swelling of the film .*moves R",
    ),
    Lie(
        "assumption-without-entry",
        "simulation_designer",
        "values",
        "an assumption that no ledger holds",
        length("p.mine", parameters=(extra(value=257.4, origin="assumption", assumption_id="A9"),)),
        refused="A9",
    ),
    Lie(
        "forged-number",
        "simulation_designer",
        "values",
        "a traced number of another value",
        together(
            code(
                "def describe(p):\n",
                "from simkit.describe.numbers import Number\n\n\ndef describe(p):\n"
                "    forged = Number(0.2574, 'thickness', 1)\n",
            ),
            length("forged"),
        ),
    ),
    Lie(
        "other-polarisation",
        "simulation_designer",
        "physics",
        "p instead of s",
        code('polarization="s"', 'polarization="p"', film.SECOND),
        shown="has E in the plane, and .* says E along",
    ),
    Lie(
        "normal-instead-of-oblique",
        "simulation_designer",
        "physics",
        "normal incidence",
        code(", angle=p.incidence", "", film.SECOND),
    ),
    Lie(
        "no-film",
        "simulation_designer",
        "physics",
        "the substrate alone",
        code('[Film(medium=Material("film"), thickness=p.thickness)]', "[]"),
    ),
    Lie(
        "two-films",
        "simulation_designer",
        "physics",
        "another geometry",
        code("thickness=p.thickness)]", "thickness=p.thickness)] * 2"),
    ),
    Lie(
        "transmittance-as-reflectance",
        "simulation_designer",
        "physics",
        "another quantity",
        code("quantities=[Reflectance(", "quantities=[Transmittance("),
    ),
    Lie(
        "narrow-view",
        "simulation_designer",
        "convergence",
        "a band that leaves our maximum out",
        code("p.shortest", "p.mine", parameters=(extra(value=700, origin="numerical"),)),
    ),
)
