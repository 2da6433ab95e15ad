"""The smallest papers: one stage, the reflectance of a bare half-space; of glass (fast or slow), or of gold."""

from __future__ import annotations

import copy
from typing import Any

from tests.flow import coating
from tests.messages_server import label_of

STAGE = "stage0_materials"
SLOW_RESOLUTION = 1000


def plan(**material: Any) -> dict[str, Any]:
    """The coating's plan reduced to its first stage; `material` replaces glass."""
    found = copy.deepcopy(coating.PLAN)
    found["plan"]["not_reproducible"] = ["fig1: left out, only the media are checked here"]
    found["plan"]["stages"] = found["plan"]["stages"][:1]
    found["plan"]["materials"] = found["plan"]["materials"][:1]
    if material:
        found["plan"]["materials"] = [material]
        stage = found["plan"]["stages"][0]
        stage |= {"materials": [material["name"]], "expected_balance": "none"}
        stage["targets"][0]["reference"]["material"] = material["name"]
        low, high = material["band_um"]
        stage["targets"][0]["x_range"] = [1000 * low, 1000 * high]
    return found


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Bare glass, everything right at once."""
    return plan() if _agent(request) == "planner" else coating.answer(request)


def slow_answer(request: dict[str, Any]) -> dict[str, Any]:
    """Bare glass on so fine a grid that the simulation takes some seconds."""
    found = answer(request)
    if _agent(request) == "simulation_designer":
        found["design"] |= {"resolution": SLOW_RESOLUTION, "estimated_cpu_s": 30}
    if _agent(request) == "code_generator":
        found["code"] = found["code"].replace("run.resolution(200)", f"run.resolution({SLOW_RESOLUTION})")
    return found


def gold_answer(request: dict[str, Any]) -> dict[str, Any]:
    """Bare gold: a material with a page of the database, and with other pages to choose from."""
    agent = _agent(request)
    if agent == "planner":
        return plan(name="gold", page="main/Au/Johnson", band_um=[0.65, 0.9], reason="common", source="not stated")
    found = coating.answer(request)
    if agent == "simulation_designer":
        found["design"] |= {"materials": ["gold"], "geometry": ["half-space of gold"]}
    if agent == "code_generator":
        found["code"] = GOLD_CODE
    return found


GOLD_CODE = coating.STAGE0_CODE.replace('"glass", band_um=(0.45, 0.70)', '"gold", band_um=(0.65, 0.90)')


def _agent(request: dict[str, Any]) -> str:
    return label_of(request).split(".")[0]
