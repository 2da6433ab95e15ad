"""A simulation that has the paper's values typed in is found out, whatever else it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.reproduce.planning.plan import Plan
from tasks.reproduce.evidence.echo import echo_checks
from tests.flow.coating import PLAN, STAGE1_CODE, exact, write_paper

pytestmark = pytest.mark.unit
STAGE = Plan.model_validate(PLAN["plan"]).stage("stage1_coating")


def levels(code: str, folder: Path) -> dict[str, str]:
    return {
        check.name.split(" of ")[1].split(" ")[0]: check.level
        for check in echo_checks(code, STAGE, paper_dir=folder)
    }


def test_an_honest_simulation_passes(tmp_path):
    assert levels(STAGE1_CODE, write_paper(tmp_path / "p")) == {
        "R_curve": "pass"
    }  # 1.26 is too round to judge by


def test_round_numbers_and_a_few_chance_matches_are_not_held_against_it(tmp_path):
    import numpy as np

    few = ", ".join(f"{v:.6f}" for v in exact(np.linspace(0.45, 0.7, 101))[:7])
    many = ", ".join(f"{1.001 + 0.017 * n:.3f}" for n in range(60))
    assert levels(f"nm = 1000.0\nx = [{few}]\ny = [{many}]", write_paper(tmp_path / "p")) == {
        "R_curve": "pass"
    }


@pytest.mark.parametrize("digits", ["{:.6f}", "{:.5e}"])
def test_the_papers_curve_typed_in_is_found(tmp_path, digits):
    import numpy as np

    values = ", ".join(digits.format(v) for v in exact(np.linspace(0.45, 0.7, 101))[::9])
    assert levels(f"y = [{values}]", write_paper(tmp_path / "p"))["R_curve"] == "fail"
    assert levels(f"y = np.fromstring('{values}')", tmp_path / "p")["R_curve"] == "fail"


def test_a_quoted_number_is_found_in_any_power_of_ten(tmp_path):
    folder = write_paper(tmp_path / "p")
    target = STAGE.targets[0]
    sharp = target.model_copy(update={"reference": target.reference.model_copy(update={"value": 1.2601})})
    stage = STAGE.model_copy(update={"targets": (sharp,)})
    for code in ("x = 1.2601", "x = 0.012601 * (1 + 1e-5 * run.resolution_scale)"):
        assert echo_checks(code, stage, paper_dir=folder)[0].level == "fail"
    assert echo_checks("x = 1.2701", stage, paper_dir=folder)[0].level == "pass"
