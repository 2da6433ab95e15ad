"""Stages that do not wait for each other, at once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.flow import coating
from tests.flow.kit import PARTLY, Bench, Model

pytestmark = pytest.mark.flow


def _both(request: dict[str, Any]) -> dict[str, Any]:
    """As coating.answer, with bare glass as a second stage."""
    found = coating.answer(request)
    if "plan" in found:
        found = {**found, "plan": {**found["plan"], "stages": [*found["plan"]["stages"], coating.BARE_STAGE]}}
    return found


@pytest.mark.long
@pytest.mark.solves
def test_two_stages_of_free_scripts_side_by_side_agree_and_are_capped(bench: Bench) -> None:
    """A recording of two such stages, whole, against its baseline: python -m benchmarks.scripted."""
    settings = bench.folder / "settings.json"
    settings.write_text(json.dumps({"parallel_stages": 2}))
    with Model(_both) as model:
        cli = bench.reproduce(model, "--settings", str(settings), "--answer", "material_checkpoint=approve")
        assert cli.wait() == PARTLY, cli.err[-3000:]
    assert "side by side: stage1" in cli.err
    found = bench.comparisons()
    assert set(found) == {"R_550", "R_curve", "glass_bare"}
    for name, entry in found.items():
        assert (
            entry["classification"] == "PARTIAL"
            and entry["evidence"]["scripted"]
            and entry["evidence"]["matches"]
        ), name
    assert found["R_550"]["evidence"]["simulated"] == pytest.approx(100 * coating.EXACT_R, rel=0.01)
    fresnel = ((coating.GLASS - 1) / (coating.GLASS + 1)) ** 2
    assert found["glass_bare"]["evidence"]["simulated"] == pytest.approx(100 * fresnel, rel=0.01)
