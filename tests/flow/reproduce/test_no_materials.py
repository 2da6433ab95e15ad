"""A paper whose media are numbers it states: no material is prepared, nobody is asked about one, R and T balance."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.flow import coating, described
from tests.flow.kit import Bench, Model

pytestmark = pytest.mark.flow
CODE = """from simkit.describe import *


def describe(p):
    coated = UnitCell(id="coated", below=Medium(index=p.glass_index), above=vacuum(), light_from="above", polarization="x",
                      layers=[Film(medium=Medium(index=p.film_index), thickness=p.thickness)],
                      band=Line(wavelength=p.design_wavelength))
    return Problem(scenes=[coated], quantities=[Reflectance(id="R", scene="coated", answers=["R_550"]),
                                                Transmittance(id="T", scene="coated")])
"""


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """As described.answer, for the number at one wavelength, of a plan without materials."""
    label = described.coating_label(json.dumps(request))
    if label.startswith("planner"):
        found = copy.deepcopy(described.plan())
        plan = found["plan"]
        plan["materials"] = []
        coated = plan["stages"][1]
        plan["stages"] = [{**coated, "materials": [], "dependencies": [], "targets": coated["targets"][:1]}]
        return found
    if label.startswith("simulation_designer"):
        return {
            "design": {
                "stage_id": label.split(".")[1],
                "form": "description",
                "summary": "one film at one wavelength",
                "code": CODE,
                "parameters": [],
                "expectations": ["R + T = 1"],
            }
        }
    return coating.answer(request)


def test_stated_indices_need_no_material(bench: Bench) -> None:
    with Model(answer) as model:
        cli = bench.reproduce(model)  # nobody to ask: a question would end it
        cli.wait(400)
    assert cli.process.returncode == 10, cli.err[
        -3000:
    ]  # of the figure's curve one value is compared: partly
    assert bench.comparisons()["R_550"]["classification"] == "SUCCESS"
    assert "no materials to confirm" in cli.err + cli.out
    assert not bench.state()["user_interactions"]
    checks = [
        c for c in bench.state()["stage_evidence"]["physics"]["checks"] if c["name"].startswith("energy")
    ]
    assert [(c["level"], "R of R, T of T" in c["source"]) for c in checks] == [("pass", True)]
