"""What an input is worth for a number that is read off a curve: of the number, not of the curve somewhere; and what wide bounds are for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.numerics import Sensitivity
from tasks.reproduce.judging.wide_bounds import only_computes, within_what_is_known
from tasks.reproduce.measuring import Curve
from tasks.reproduce.uncertainty.aims import Demand
from tasks.reproduce.uncertainty.sensitivity import _read
from tests.unit.evidence.test_about_the_paper import evidence, of_curve, outputs, told

pytestmark = pytest.mark.unit


def tried(name: str, change: float, **read: float) -> Sensitivity:
    return Sensitivity(
        parameter=name,
        origin="paper",
        tried="108.5 nm",
        reason="within the quotation's rounding",
        change=change,
        relative=change / 0.5,
        read=read,
    )


def test_a_flank_that_moves_bridges_no_height() -> None:
    """A line that half a nanometre of film shifts changes its spectrum by 0.4 somewhere, and its depth by 0.0007."""
    flank = tried("film", 0.4)
    solved = outputs(axis="frequency", sensitivities=(flank,))
    about, _, why = told(evidence(simulated=0.01, paper=0.066), solved, of_curve("value")) or ("", "", "")
    assert about == "us or the paper" and "film" in why
    known = outputs(axis="frequency", sensitivities=(flank.model_copy(update={"read": {"t": 0.0007}}),))
    about, _, _ = told(evidence(simulated=0.01, paper=0.066), known, of_curve("value")) or ("", "", "")
    assert about == "the paper"


@given(shift=st.floats(-0.02, 0.02), deeper=st.floats(-0.1, 0.1))
def test_the_change_of_what_is_read_is_kept_by_target(shift: float, deeper: float) -> None:
    x = np.linspace(0.9, 1.1, 401)

    def line(place: float, depth: float) -> Curve:
        return Curve(x, 1 - depth / (1 + ((x - place) / 0.02) ** 2))

    lowest = Demand(0.01, None, lambda c: (float(np.min(c.y)), 0.0), abs, target="depth")  # type: ignore[union-attr]
    lost = Demand(0.01, None, _no_number, abs, target="none")
    found = dict(_read(line(1.0, 0.5), line(1.0 + shift, 0.5 + deeper), (lowest, lost, Demand(0.01))))
    assert found.keys() == {"depth"} and found["depth"] == pytest.approx(abs(deeper), abs=2e-3)


def _no_number(value: object) -> tuple[float, float | None]:
    raise ValueError("it does not show it")


def wide(error: float, **more: object) -> TargetEvidence:
    """A width of 10 nm in the paper, with the bounds of widths."""
    found = evidence(simulated=10 * (1 + error / 100), paper=10.0, classification="SUCCESS", matches=True)
    bounds = {"excellent": 10.0, "acceptable": 30.0, "investigate": 50.0, "unit": "nm"}
    return found.model_copy(update=bounds | more)


BUDGET = Budget(target_id="t", unit="nm", reference=10.0)


@given(error=st.floats(0, 30), moved=st.floats(0, 4), left=st.floats(0.01, 10))
def test_a_width_that_nothing_explains_is_no_success_of_a_paper_that_computes(
    error: float, moved: float, left: float
) -> None:
    """Drawn with another damping than it states, a paper's width was 19 % off, numerically known to 0.4 %: SUCCESS by a bound of 30 %."""
    solved = outputs(axis="frequency", sensitivities=(tried("film", 0.4, t=moved),)).study
    found = within_what_is_known(wide(error, uncertainty=left), BUDGET, solved)
    explained = left + 100 * moved / (10 * (1 + error / 100))
    assert (found.classification == "PARTIAL") == (error > max(10.0, explained))
    assert found.matches is (found.classification == "SUCCESS")


def test_what_is_open_and_not_known_lowers_nothing() -> None:
    unknown = outputs(axis="frequency", sensitivities=(tried("film", 0.4),)).study
    assert within_what_is_known(wide(25), BUDGET, unknown).classification == "SUCCESS"
    assert within_what_is_known(wide(25), BUDGET, None).classification == "SUCCESS"
    known = outputs(axis="frequency", sensitivities=(tried("film", 0.4, t=0.01),)).study
    assert within_what_is_known(wide(25, acceptable=10.0), BUDGET, known).classification == "SUCCESS"


@pytest.mark.parametrize(
    ("text", "computes"),
    [
        ("We calculate the spectra by the transfer matrix.", True),
        ("The experimental spectra are shown as dots.", False),
        ("The films were fabricated by sputtering.", False),
        ("Measured and calculated widths agree.", False),
        ("The samples were annealed.", False),
        ("A point is every sample of the curve.", True),
    ],
)
def test_a_paper_that_speaks_of_anything_measured_keeps_the_wide_bounds(text: str, computes: bool) -> None:
    assert only_computes(text) is computes
