"""Uncertainty budgets: the rules that hold for any of them, and what a compared target's is made of."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.judging.budget import NOT_KNOWN, SYMBOLS, Budget, Contribution
from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.simulations.numerics import (
    QuantityResult,
    Sensitivity,
    SimulatedParameter,
    StudyResult,
    UncertaintyPart,
)
from tasks.reproduce.evidence.convergence import scalar_convergence
from tasks.reproduce.judging.budget import _per_measure
from tasks.reproduce.judging.limits import limits_for, scalar_error
from tasks.reproduce.judging.targets import judged_target
from tasks.reproduce.references.paper_value import ReferenceValue
from tasks.reproduce.report.sections.budgets import _totals
from tests.unit.evidence.evidence_fixture import Run, a_stage, curve_target, scalar_target

pytestmark = pytest.mark.unit

SIZES = st.one_of(st.none(), st.just(0.0), st.floats(1e-6, 1e6))
CONTRIBUTIONS = st.lists(
    st.builds(
        Contribution,
        side=st.sampled_from(tuple(SYMBOLS)),
        source=st.sampled_from(("grid", "absorber", "gap", "digits")),
        stated=SIZES,
        coverage=st.sampled_from(("bound", "k = 2")),
        alike=st.booleans(),
    ),
    max_size=8,
)
BUDGETS = st.builds(
    Budget,
    target_id=st.just("t"),
    error=st.one_of(
        st.none(), st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda e: not 0 < abs(e) < 1e-200)
    ),
    contributions=CONTRIBUTIONS.map(tuple),
)


def scaled(budget: Budget, factor: float) -> Budget:
    """The same budget in a unit that is 1/factor as large."""

    def times(value: float | None) -> float | None:
        return None if value is None else value * factor

    found = tuple(c.model_copy(update={"stated": times(c.stated)}) for c in budget.contributions)
    return budget.model_copy(update={"error": times(budget.error), "contributions": found})


@given(BUDGETS, st.integers(-20, 20).map(lambda power: 2.0**power))
def test_e_n_and_the_conclusion_do_not_depend_on_the_unit(budget: Budget, factor: float) -> None:
    other = scaled(budget, factor)
    for one, two in ((budget.e_n, other.e_n), (budget.e_n_at_most, other.e_n_at_most)):
        assert (one is None) == (two is None)
        assert one is None or two == pytest.approx(one, rel=1e-9)
    assert other.conclusion == budget.conclusion


@given(BUDGETS)
def test_u_val_is_no_less_than_any_part(budget: Budget) -> None:
    parts = [c.standard for c in budget.contributions if c.standard is not None]
    sides = [u for side in SYMBOLS if (u := budget.standard(side)) is not None]
    assert all(budget.known() >= part * (1 - 1e-12) for part in (*parts, *sides))
    if budget.u_val is not None:
        assert budget.u_val == pytest.approx(math.hypot(*sides), rel=1e-12) and len(sides) == len(SYMBOLS)


@given(BUDGETS)
def test_what_is_not_known_never_becomes_0(budget: Budget) -> None:
    for side, symbol in SYMBOLS.items():
        mine = budget.side(side)
        if not mine or any(c.stated is None for c in mine):
            assert budget.standard(side) is None and budget.u_val is None and budget.e_n is None
            assert any(symbol in told for told in budget.missing)
            shown = next(cell.text for label, cell in _totals(budget).items if label == symbol)
            assert shown.startswith(NOT_KNOWN)
    if budget.missing and budget.error is not None and abs(budget.error) > budget.known():
        assert "not known" in budget.conclusion and "discernible" not in budget.conclusion


@given(BUDGETS, st.floats(1e-6, 1e6))
def test_learning_more_never_makes_e_n_larger_than_it_could_be(budget: Budget, size: float) -> None:
    told = tuple(
        c if c.stated is not None else c.model_copy(update={"stated": size}) for c in budget.contributions
    )
    extra = tuple(Contribution(side=side, source="told", stated=size) for side in SYMBOLS)
    whole = budget.model_copy(update={"contributions": (*told, *extra)})
    most = budget.e_n_at_most
    if whole.e_n is not None and most is not None:
        assert abs(whole.e_n) <= most * (1 + 1e-9)
    if budget.conclusion.startswith("No difference"):
        assert whole.conclusion.startswith("No difference discernible above u_val")


def test_the_sentence_names_what_most_of_u_val_is_and_names_nothing_where_it_is_shared() -> None:
    parts = [Contribution(side=side, source=side, stated=1.0) for side in SYMBOLS]
    shared = Budget(target_id="t", error=0.1, contributions=tuple(parts))
    assert shared.conclusion == "No difference discernible above u_val."
    parts[1] = Contribution(side="input", source="depth", stated=10.0)
    one = shared.model_copy(update={"contributions": tuple(parts)})
    assert one.conclusion == "No difference discernible above u_val, which is mostly u_input by depth."
    assert "12 u_val" in one.model_copy(update={"error": 70.1}).conclusion


def budget_of(
    run: Run, target: Target, study: StudyResult | None = None, scales: tuple[float, ...] = (0.5, 1.0)
) -> Budget:
    outputs = run.outputs.model_copy(update={"study": study})
    evidence, _, budget = judged_target(
        outputs, a_stage(target), target, root=run.root, paper_dir=run.paper_dir, profile="default",
        physical=True, materials={},
    )  # fmt: skip
    assert budget is not None and budget.target_id == evidence.target_id
    return budget


def studied(*tried: Sensitivity, **more: object) -> StudyResult:
    parts = (
        UncertaintyPart(part="absorber", value=0.0, state="nothing to vary", how="no run depends on it"),
    )
    made: dict[str, object] = {"value": 101.0, "scale": 101.0, "parts": parts, "sensitivities": tried, **more}
    quantity = QuantityResult(
        id="Q", kind="quality_factor", scene="s", status="converged", answers=("fig3_Q", "fig2_T"), **made
    )  # type: ignore[arg-type]
    gap = SimulatedParameter(id="gap", value=0.3, unit="um", origin="paper")
    return StudyResult(digest="0" * 8, quantities=(quantity,), parameters=(gap,))


ROUNDING = "within the quotation's rounding"


def a_try(change: float | None, tried: str = "0.305 um", reason: str = ROUNDING, **more: str) -> Sensitivity:
    return Sensitivity(
        parameter="gap", origin="paper", tried=tried, reason=reason,
        change=change, relative=None if change is None else change / 101.0, **more,
    )  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Run:
    made = Run(tmp_path)
    for scale, value in ((0.5, 105.0), (1.0, 102.0), (2.0, 101.25)):
        made.scalar(value, scale=scale)
    return made


def test_a_regular_ladder_is_told_in_roaches_terms_as_it_was_computed(run: Run) -> None:
    budget = budget_of(run, scalar_target(), studied(a_try(0.5)))
    grid = budget.side("numerical")[0]
    assert budget.observed_order == pytest.approx(2.0)
    assert grid.coverage == "k = 2" and grid.stated == pytest.approx(1.25 * 0.75 / 3)
    assert "3 grids, refined by 2, 2, observed order p = 2" in budget.grid
    assert "grid convergence index (Roache) 1.25 |last step| / (r^p - 1), p = 2, r = 2" in budget.grid
    assert "an expanded one (k = 2" in budget.stated_as


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            (105.0, 102.0),
            "2 grids, refined by 2, no observed order: 1 |step|, the largest of Roache's factor 3",
        ),
        ((105.0, 102.0, 103.0), "no observed order; irregular: spread of the last three resolutions, or"),
        ((105.0, 102.0, 101.9), "earlier step"),
        ((105.0,), "one resolution"),
    ],
)
def test_what_is_no_grid_convergence_index_says_so(
    tmp_path: Path, values: tuple[float, ...], words: str
) -> None:
    run = Run(tmp_path)
    for number, value in enumerate(values):
        run.scalar(value, scale=2.0**number)
    budget = budget_of(run, scalar_target(), studied(a_try(0.5)))
    assert words in budget.grid
    if len(values) == 1:
        assert budget.standard("numerical") is None and "not known" in budget.stated_as


@given(st.lists(st.floats(0.5, 2.0), min_size=2, max_size=6))
def test_the_grids_part_is_what_the_verdict_uses(values: list[float]) -> None:
    found = scalar_convergence([2.0**i for i in range(len(values))], values)
    assert found.grid is not None and found.grid.left == found.uncertainty
    assert found.grid.expanded == (found.observed_order is not None)


def test_of_each_input_the_largest_known_change_counts_and_what_is_open_stays_open(run: Run) -> None:
    known = budget_of(run, scalar_target(), studied(a_try(0.5), a_try(0.2, "0.295 um")))
    (gap,) = known.side("input")
    assert gap.stated == pytest.approx(0.5 * 101.25 / 101) and gap.varied == "0.305 um"
    assert gap.sensitivity == pytest.approx(gap.stated / 0.005)
    assert known.standard("input") == pytest.approx(gap.stated / math.sqrt(3))
    half = budget_of(
        run, scalar_target(), studied(a_try(0.5), a_try(None, "0.4 um", remark="no CPU time was left"))
    )
    assert [c.stated is None for c in half.side("input")] == [False, True]
    assert half.u_val is None and half.known() == pytest.approx(known.known())


def test_an_error_that_nobody_states_is_not_known_though_what_it_would_do_is_shown(run: Run) -> None:
    """5 % of a number that is not rounded is our choice: as an uncertainty it made every difference look small."""
    chosen = a_try(40.0, "0.315 um", "5 % away")
    (gap,) = budget_of(run, scalar_target(), studied(chosen)).side("input")
    assert gap.stated is None and gap.sensitivity is not None and "moves it by 40" in gap.how
    (gap,) = budget_of(run, scalar_target(), studied(chosen, a_try(0.5))).side("input")
    assert gap.stated == pytest.approx(0.5 * 101.25 / 101)


@given(
    st.sampled_from(("relative_percent", "absolute", "absolute_percentage_points")),
    st.sampled_from(("1", "%", "nm")),
    st.floats(1e-3, 1e3),
    st.floats(1e-6, 1e3),
)
def test_what_is_stated_in_the_thresholds_measure_comes_back_in_the_targets_unit(
    measure: str, unit: str, value: float, size: float
) -> None:
    target = scalar_target(value=value, unit=unit)
    reference = ReferenceValue(value, "the paper")
    limits = limits_for(target, "default", reference, False)
    limits = replace(limits, value=limits.value.model_copy(update={"measure": measure}))
    one, error = (
        _per_measure(target, value, reference, limits),
        scalar_error(value + size, value, measure, unit),
    )
    assert one is not None and error is not None and one * error == pytest.approx(size, rel=1e-6)


def test_a_free_script_and_a_study_without_changes_leave_inputs_unknown(run: Run) -> None:
    script = budget_of(run, scalar_target())
    assert script.standard("input") is None and script.standard("numerical") is None
    assert "absorber, distances, decay, time" in script.missing[0]
    assert budget_of(run, scalar_target(), studied()).standard("input") is None


def quoted(quotation: str, value: float, upper: float | None = None) -> Target:
    words = Reference(kind="quotation", value=value, upper=upper, quotation=quotation, place="section 2")
    return scalar_target(reference=words)


def test_rounding_uncertainty_and_range_of_the_papers_words_are_bounds(run: Run) -> None:
    for target, stated, middle in (
        (quoted("a Q of 100.0", 100.0), 0.05, 100.0),
        (quoted("a Q of 100 +- 3", 100.0), 3.0, 100.0),
        (quoted("a Q from 98 to 102", 98.0, 102.0), 2.0, 100.0),
    ):
        budget = budget_of(run, target, studied(a_try(0.5)))
        (entry,) = budget.side("reference")
        assert (entry.stated, entry.coverage) == (pytest.approx(stated), "bound")
        assert budget.error == pytest.approx(101.25 - middle)
        assert budget.u_val is not None and budget.e_n == pytest.approx(budget.error / (2 * budget.u_val))


def _dip(x: np.ndarray, centre: float) -> np.ndarray:
    return np.asarray(1 - 0.8 / (1 + ((x - centre) / 20) ** 2))


@pytest.mark.parametrize(
    ("origin", "error", "source", "known"),
    [
        ("digitised", 0.0, "data", False),
        ("digitised", 0.5, "data", True),
        ("computed_from_exact_theory", 0.0, "digits of the data", True),
    ],
)
def test_a_curve_has_the_size_of_its_error_and_what_its_data_leave(
    tmp_path: Path, origin: str, error: float, source: str, known: bool
) -> None:
    run = Run(tmp_path)
    x = np.linspace(400, 700, 61)
    y = np.round(_dip(x, 550.0), 4)
    run.paper_table(wavelength_nm=x, T=y)
    data = {"file": "data/fig2.csv", "origin": origin, "relative_error_percent": error}
    (run.paper_dir / "paper.json").write_text(json.dumps({"figures": [{"data": [data]}]}))
    for scale in (0.5, 1.0):
        run.spectrum(_dip(x, 550.0 + 0.2 / scale), x=x, scale=scale)
    budget = budget_of(run, curve_target(), studied(a_try(0.01), value=None, scale=1.0))
    assert (budget.of, budget.unit) == ("difference", "%") and budget.error is not None and budget.error > 0
    (entry,) = budget.side("reference")
    assert entry.source == source and (entry.stated is not None) == known
    if source == "digits of the data":
        assert entry.stated == pytest.approx(100 * 0.00005 / np.ptp(y), rel=1e-6)
    (gap,) = budget.side("input")
    assert gap.stated is not None and "largest change over the curve" in gap.how


@pytest.mark.parametrize(("moved", "stated"), [(0.01, 0.01125), (0.0, None), (None, None)])
def test_a_place_on_a_spectrum_moves_with_it_by_what_was_tried_and_no_less(
    tmp_path: Path, moved: float | None, stated: float | None
) -> None:
    run = Run(tmp_path)
    x = np.linspace(400, 700, 61)
    run.paper_table(wavelength_nm=x, T=_dip(x, 551.3))
    data = {"file": "data/fig2.csv", "origin": "digitised", "x_error": 0.4}
    (run.paper_dir / "paper.json").write_text(json.dumps({"figures": [{"data": [data]}]}))
    for scale in (0.5, 1.0):
        run.spectrum(_dip(x, 550.0 + 0.2 / scale), x=x, scale=scale)
    feature = Reference(
        kind="feature", file="data/fig2.csv", x_column="wavelength_nm", y_column="T",
        feature={"kind": "position", "extremum": "minimum"},
    )  # fmt: skip
    target = curve_target(kind="scalar", quantity="peak_position", unit="nm", reference=feature)
    tried = a_try(0.3).model_copy(update={"moved": moved})
    budget = budget_of(run, target, studied(tried, value=None, scale=1.0))
    assert budget.simulated is not None and budget.error == pytest.approx(-1.1, abs=0.1)
    (gap,) = budget.side("input")
    assert (gap.stated is None) == (stated is None)
    assert stated is None or gap.stated == pytest.approx(stated * budget.simulated)
    spacing, drawn = budget.side("reference")
    assert spacing.source == "sampling of the data" and spacing.stated is not None
    assert drawn.stated == pytest.approx(0.4)


def test_a_value_read_off_a_spectrum_moves_no_more_than_the_whole_curve_and_a_width_is_not_known(
    tmp_path: Path,
) -> None:
    run = Run(tmp_path)
    x = np.linspace(400, 700, 61)
    run.paper_table(wavelength_nm=x, T=_dip(x, 551.3))
    for scale in (0.5, 1.0):
        run.spectrum(_dip(x, 550.0 + 0.2 / scale), x=x, scale=scale)
    for kind, unit, stated in (("value", "1", 0.3), ("width", "nm", None)):
        feature = Reference(
            kind="feature", file="data/fig2.csv", x_column="wavelength_nm", y_column="T",
            feature={"kind": kind, "extremum": "minimum"},
        )  # fmt: skip
        target = curve_target(kind="scalar", quantity="scalar", unit=unit, reference=feature)
        (gap,) = budget_of(run, target, studied(a_try(0.3), value=None, scale=1.0)).side("input")
        assert gap.stated == stated


def test_what_is_made_of_two_quantities_has_unknown_inputs(run: Run) -> None:
    study = studied(a_try(0.5))
    two = study.model_copy(update={"quantities": (*study.quantities, *study.quantities)})
    assert budget_of(run, scalar_target(), two).standard("input") is None
