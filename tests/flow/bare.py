"""The smallest papers: reflectance of bare glass (fast or slow) as the one stage of an agent; gold may be prepared too."""

from __future__ import annotations

import copy
from typing import Any

from tests.flow import coating
from tests.messages_server import label_of

STAGE0, STAGE = "stage0_materials", "stage1_bare"
SLOW_RESOLUTION = 1000
GOLD = {
    "name": "gold",
    "page": "main/Au/Johnson",
    "band_um": [0.65, 0.9],
    "reason": "common",
    "source": "not stated",
}


def plan(**material: Any) -> dict[str, Any]:
    """The coating's plan with bare glass as its only stage; `material`: one more to be prepared."""
    found = copy.deepcopy(coating.PLAN)
    found["plan"] |= {
        "not_reproducible": ["fig1: left out, only the bare glass is looked at"],
        "stages": [found["plan"]["stages"][0], copy.deepcopy(coating.BARE_STAGE)],
        "materials": [*found["plan"]["materials"][:1], *([material] if material else [])],
    }
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
    """Gold as well: a material with a page of the database, and with other pages to choose from."""
    if _agent(request) == "planner":
        return plan(**GOLD)
    return coating.answer(request)


def _agent(request: dict[str, Any]) -> str:
    return label_of(request).split(".")[0]
