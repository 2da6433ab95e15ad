"""Target by target: what no quantity gives is not attempted, by default and without a person; the rest is answered."""

from __future__ import annotations

from typing import Any

import pytest

from tests.flow import described
from tests.flow.kit import Bench, Model

pytestmark = pytest.mark.flow
REASON = "it would be the colour of the film, and no quantity of the vocabulary is a colour"
WITHOUT = described.COATED.replace(', answers=["R_550"]', "")


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    found = described.answer(request)
    if "design" in found:
        found["design"] |= {"code": WITHOUT, "unanswerable": [{"target": "R_550", "reason": REASON}]}
    return found


def test_a_target_that_no_quantity_gives_stops_neither_its_stage_nor_the_run(bench: Bench) -> None:
    with Model(_answer) as model:
        cli = bench.reproduce(model, "--answer", "material_checkpoint=approve")
        cli.wait(400)
    found = bench.comparisons()
    assert found["R_curve"]["classification"] == "SUCCESS", cli.err[-3000:]
    left_out = found["R_550"]
    assert (left_out["classification"], left_out["evidence"]["simulated"]) == ("FAILURE", None)
    assert left_out["evidence"]["reasons"] == [
        f"Not attempted: no quantity of the description answers it. {REASON}"
    ]
    stages = {entry["stage_id"]: entry["status"] for entry in bench.state()["progress"]}
    assert stages["stage1_coating"] == "completed_partial" and cli.process.returncode != 0
    assert len([label for label in model.answered if label.startswith("simulation_designer.stage1")]) == 1
    assert REASON in bench.report()
