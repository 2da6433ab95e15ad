"""What an input is worth for a number that is read off a curve: of the number, not of the curve somewhere; and what wide bounds are for."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.plan import Reference
from schemas.reproduce.simulations.numerics import Sensitivity
from tasks.reproduce.judging.inputs import decided_by_assumptions
from tasks.reproduce.judging.wide_bounds import only_computes, within_what_is_known
from tasks.reproduce.measuring import Curve
from tasks.reproduce.uncertainty.aims import Demand
from tasks.reproduce.uncertainty.sensitivity import _read
from tests.unit.evidence.test_about_the_paper import evidence, of_curve, outputs, told
from tests.unit.words.answers_fixture import a_paper

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


DESCRIPTION = SimpleNamespace(problem=SimpleNamespace(scenes=()))  # of which only scenes at one line are read
TOLD = st.sampled_from(
    [
        {"read": {}, "relative": 0.8, "change": 0.8},
        {"read": {}, "relative": 0.8, "change": 0.8, "moved": None},
        {"read": {}, "relative": None, "change": None, "remark": "no value: no mode in the band"},
        {"read": {}, "relative": None, "change": None, "remark": "not computed: more CPU time"},
    ]
)


@pytest.mark.attack("judgement", "at most PARTIAL")
@given(own=TOLD, unit=st.sampled_from(["1", "nm"]))
def test_an_assumption_of_which_nothing_is_known_decides(own: dict[str, object], unit: str) -> None:
    """Lie: with the assumption's alternative the curve shows no such number, nothing of it is known, and it is called agreement."""
    assumed = tried("film", 0.4).model_copy(update={"origin": "assumption", **own})
    solved = outputs(axis="frequency", sensitivities=(assumed,)).study
    found = evidence(simulated=0.5, paper=0.5, classification="SUCCESS", matches=True)
    found = found.model_copy(update={"unit": unit, "acceptable": 5.0, "measure": "relative_percent"})
    assert decided_by_assumptions(found, DESCRIPTION, solved)  # type: ignore[arg-type]
    known = assumed.model_copy(update={"read": {"t": 0.001}, "relative": 0.8, "change": 0.8, "remark": ""})
    calm = outputs(axis="frequency", sensitivities=(known,)).study
    assert not decided_by_assumptions(found, DESCRIPTION, calm)  # type: ignore[arg-type]


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
    explained = min(left, 10.0) + 100 * moved / (10 * (1 + error / 100))
    assert (found.classification == "PARTIAL") == (error > max(10.0, explained))
    assert found.matches is (found.classification == "SUCCESS")


CHOSEN = (  # by whom a paper is judged, or known to nobody
    {"origin": "assumption", "reason": "alternative of the ledger", "read": {"t": 5.0}},
    {"reason": "5 % more", "read": {"t": 5.0}},
    {"read": {}},
    {
        "read": {},
        "change": None,
        "relative": None,
        "remark": "not resolved: moved by 0.1 pixels, nothing changed",
    },
    {"read": {}, "change": None, "relative": None, "remark": "not computed: more CPU time"},
)


@pytest.mark.attack("judgement", "at most PARTIAL")
@given(st.lists(st.sampled_from(CHOSEN), max_size=6), st.floats(0.1, 24))
def test_what_the_judged_choose_explains_no_width(chosen: list[dict[str, object]], left: float) -> None:
    """Lie: assumptions, changes by convention, inputs that were not varied or a coarse grid are to explain a width that is 25 % off."""
    found = tuple(tried(f"p{at}", 0.4).model_copy(update=own) for at, own in enumerate(chosen))
    solved = outputs(axis="frequency", sensitivities=found).study
    assert within_what_is_known(wide(25, uncertainty=left), BUDGET, solved).classification == "PARTIAL"


def test_other_bounds_and_what_was_not_solved_stay() -> None:
    assert within_what_is_known(wide(25), BUDGET, None).classification == "SUCCESS"
    known = outputs(axis="frequency", sensitivities=(tried("film", 0.4, t=0.01),)).study
    assert within_what_is_known(wide(25, acceptable=10.0), BUDGET, known).classification == "SUCCESS"


@pytest.mark.parametrize(
    ("text", "quotation", "computes"),
    [
        ("We calculate the spectra by the transfer matrix.", "the width is 10 nm", True),
        ("The dots are ours.", "the measured width is 10 nm", False),
        ("The dots are ours.", "an experimental width of 10 nm", False),
        ("The films were fabricated by sputtering.", "the width is 10 nm", False),
        ("The samples were annealed.", "the width is 10 nm", False),
        ("The films were reactively sputtered.", "the width is 10 nm", False),
        ("The chip, fabricated at a foundry, is short.", "the width is 10 nm", False),
        ("The mirror is fabricated by sputtering.", "the width is 10 nm", False),
        ("The measured width is 10 nm, which is narrow.", "width is 10 nm", False),
        ("Similar gratings were fabricated in [12].", "the width is 10 nm", True),
        ("All data were deposited at Zenodo.", "the width is 10 nm", True),
        ("Films were sputtered on glass and spectra recorded.", "the width is 10 nm", False),
        ("The layers were grown by molecular-beam epitaxy.", "the width is 10 nm", False),
        ("A point is every sample of the curve.", "the width is 10 nm", True),
        ("The angle is measured from the surface normal.", "the width is 10 nm", True),
        ("The dots are ours.", "the width, measured at half maximum, is 10 nm", True),
        (
            "In a numerical experiment the film is moved.",
            "a numerical experiment gives a width of 10 nm",
            True,
        ),
        ("Such films can be fabricated by sputtering.", "the width is 10 nm", True),
        ("Others measured a similar film.", "the width is 10 nm", True),
        (
            "Plain.\n\n## References\n\n1. A. B., Films were sputtered, J. Phys., 2001.",
            "the width is 10 nm",
            True,
        ),
    ],
)
def test_a_paper_that_made_or_measured_keeps_the_wide_bounds(
    text: str, quotation: str, computes: bool
) -> None:
    reference = Reference(kind="quotation", value=10.0, quotation=quotation)
    assert only_computes(a_paper(text), reference) is computes
