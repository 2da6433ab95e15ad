"""What a comparison may not let pass, whatever the planner called the target: thresholds, windows, widths, ranges, shifts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from agents.reproduce.rules.plan_rules import rule
from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord, Pole
from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.planning.target_quantity import derived_quantity, may_be_metal
from schemas.reproduce.simulations.features import CurveFeature
from tasks.reproduce.judging.limits import limits_for
from tasks.reproduce.references.paper_value import ReferenceValue
from tests.unit.evidence.evidence_fixture import WAVELENGTH_NM, Run, curve_target, dips, scalar_target

pytestmark = pytest.mark.unit


@pytest.fixture
def run(tmp_path: Path) -> Run:
    found = Run(tmp_path)
    found.paper_table(wavelength_nm=WAVELENGTH_NM, T=dips())
    return found


def quoted(words: str, value: float, quantity: str, unit: str, **changes: object) -> Target:
    reference = Reference(kind="quotation", value=value, quotation=words, **changes)  # type: ignore[arg-type]
    return scalar_target(quantity=quantity, unit=unit, reference=reference)


@pytest.mark.parametrize(
    ("words", "value", "unit", "planned", "judged"),
    [
        ("The dip lies at 685.1 nm", 685.1, "nm", "efficiency", "peak_position"),
        ("The dip lies at 685.1 nm", 685.1, "nm", "scalar", "peak_position"),
        ("The dip lies at 685.1 nm", 685.1, "nm", "fwhm", "peak_position"),
        ("The dip lies at 685.1 nm", 685.1, "nm", "quality_factor", "peak_position"),
        ("a slit 60 nm wide has its resonance at 685.1 nm", 685.1, "nm", "fwhm", "peak_position"),
        ("the resonance shifts to 640 nm", 640, "nm", "scalar", "peak_position"),
        ("a resonance at 1.81 eV", 1.81, "eV", "field_enhancement", "peak_position"),
        ("The linewidth of the resonance is 6 nm", 6, "nm", "fwhm", "fwhm"),
        ("a dip 6 nm wide", 6, "nm", "fwhm", "fwhm"),
        ("a FWHM of 6 nm", 6, "nm", "fwhm", "fwhm"),
        ("The minimum moves by about 130 nm", 130, "nm", "scalar", "scalar"),
        ("the absorption is 0.62", 0.62, "1", "quality_factor", "scalar"),
        ("Q_sca = 2.0972", 2.0972, "1", "quality_factor", "scalar"),
        ("enhanced absorption of 0.62", 0.62, "1", "field_enhancement", "scalar"),
        ("a quality factor of 77.3", 77.3, "1", "quality_factor", "quality_factor"),
        ("an effective index of 2.41", 2.41, "1", "efficiency", "effective_index"),
        ("the loss is 3.2 dB", 3.2, "dB", "fwhm", "scalar"),
    ],
)
def test_the_threshold_follows_from_unit_and_words_not_from_the_plan(words, value, unit, planned, judged):
    quantity, why = derived_quantity(quoted(words, value, planned, unit))
    assert quantity == judged and bool(why) is (planned != judged)


def test_a_curve_or_a_feature_has_the_threshold_of_what_it_is():
    assert derived_quantity(curve_target(quantity="fwhm"))[0] == "curve"
    assert derived_quantity(curve_target(quantity="field_map"))[0] == "curve"
    assert derived_quantity(curve_target(quantity="efficiency"))[0] == "efficiency"
    for kind, unit, judged in (
        ("position", "nm", "peak_position"),
        ("width", "nm", "fwhm"),
        ("value", "1", "efficiency"),
    ):
        reference = Reference(
            kind="feature", file="f.csv", x_column="x_nm", y_column="R", feature=CurveFeature(kind=kind)
        )
        assert (
            derived_quantity(scalar_target(quantity="gap_ratio", unit=unit, reference=reference))[0] == judged
        )


def test_plasmonic_needs_a_metal_at_plan_review_and_in_the_evidence(run: Run) -> None:
    from tests.unit.agents.agents_fixture import COLUMNS, DIP, PAPER
    from tests.unit.agents.agents_fixture import HONEST_FILM as FILM
    from tests.unit.agents.agents_fixture import HONEST_PLAN as PLAN

    def issues(*materials: str) -> list[str]:
        film = FILM.model_copy(
            update={
                "targets": (DIP.model_copy(update={"quantity": "plasmonic_peak_position"}),),
                "materials": materials,
            }
        )
        plan = PLAN.model_copy(update={"stages": (PLAN.stages[0], film, PLAN.stages[2])})
        return [
            f"{i.description}; {i.fix}" for i in rule(plan, PAPER, COLUMNS) if "quantity '" in i.description
        ]

    assert issues("gold", "glass") == []
    assert len(issues("glass")) == 1 and "no material of the stage is a metal" in issues("glass")[0]
    assert "'peak_position': its threshold counts in any case" in issues("glass")[0]
    silicon = MaterialChoice(name="s", page="main/Si/Green-2008", band_um=(0.5, 0.8), reason="r", source="s")
    assert not may_be_metal(silicon) and may_be_metal(silicon.model_copy(update={"page": "main/Ag/Johnson"}))

    target = quoted("the plasmon lies at 1500 nm", 1500, "plasmonic_peak_position", "nm")
    for scale in (0.5, 1.0):
        run.scalar(1560 + 1 / scale, scale=scale, unit="nm")
    lossy = MaterialRecord(
        name="ink",
        index=None,
        description="n = 2.1+0.1i",
        band_um=(1.4, 1.6),
        eps_inf=4.5,
        poles=(Pole(kind="drude", f0=1, gamma=0.1, sigma=0.05),),
    )
    found = run.judge(target, records={"ink": lossy}, materials=("ink",))
    assert found.classification == "PARTIAL" and found.acceptable == 2  # a Drude pole alone makes no metal
    gold = lossy.model_copy(update={"poles": (Pole(kind="drude", f0=1, gamma=0.05, sigma=50),)})
    assert run.judge(target, records={"ink": gold}, materials=("ink",)).classification == "SUCCESS"


@pytest.mark.parametrize(
    ("value", "simulated", "expected"),
    [
        (0.006, 0.09, "FAILURE"),
        (0.006, 0.007, "SUCCESS"),
        (0.006, 0.008, "PARTIAL"),
        (0.006, 0.013, "FAILURE"),
        (0.87, 0.9, "SUCCESS"),
        (0.87, 0.94, "PARTIAL"),
    ],
)
def test_the_threshold_of_an_efficiency_scales_and_is_printed(
    run: Run, value: float, simulated: float, expected: str
) -> None:
    for scale in (0.5, 1.0):
        run.scalar(simulated + 1e-4 / scale - 1e-4, scale=scale)
    found = run.judge(quoted(f"the efficiency is {value}", value, "efficiency", "1"))
    assert found.classification == expected
    assert any("the larger of 0.01 and 5 % of the value" in reason for reason in found.reasons)


def test_a_target_in_percent_does_not_relabel_a_column_of_fractions(run: Run) -> None:
    run.spectrum(dips(scale=0.97), scale=0.5)
    run.spectrum(dips(scale=0.98))
    found = run.judge(curve_target(unit="%", quantity="efficiency"))
    assert found.classification == "FAILURE" and any(
        "fractions is compared as percentages" in r for r in found.reasons
    )


def test_the_last_digit_of_a_quotation_and_no_more_is_left_open() -> None:
    for words, value, half in (("R is 0.1", 0.1, 0.05), ("R is 0.100", 0.1, 0.0005)):
        target = quoted(words, value, "efficiency", "1")
        limits = limits_for(target, "default", ReferenceValue(value, "p", rounding=half), False)
        assert limits.value.acceptable == pytest.approx(max(0.01, min(half, 0.02)))
    assert (
        limits_for(
            quoted("R is 0.1", 0.1, "efficiency", "1"),
            "default",
            ReferenceValue(0.1, "p", rounding=0.05),
            False,
        )
        .allowances[-1]
        .startswith("The paper's last digit leaves open")
    )


def test_the_error_of_data_counts_on_its_own_axis(run: Run) -> None:
    entry = {"file": "data/fig2.csv", "relative_error_percent": 5.0, "x_error": 40.0}
    (run.paper_dir / "paper.json").write_text(
        json.dumps(
            {
                "paper_id": "p",
                "title": "A title",
                "citation": "x" * 12,
                "figures": [{"figure_id": "fig2", "caption": "c", "data": [entry]}],
            }
        )
    )
    for scale in (0.5, 1.0):
        run.spectrum(dips(scale=0.98 + 0.005 * scale), scale=scale)
    names = {"kind": "feature", "file": "data/fig2.csv", "x_column": "wavelength_nm", "y_column": "T"}

    def judged(feature: str, unit: str, quantity: str):  # noqa: ANN202
        reference = Reference.model_validate(names | {"feature": feature})
        return run.judge(
            scalar_target(target_id="fig2_T", quantity=quantity, unit=unit, x_unit="nm", reference=reference)
        )

    position, height = (
        judged("minimum_position", "nm", "peak_position"),
        judged("minimum_value", "1", "efficiency"),
    )
    assert position.acceptable == pytest.approx(100 * 80 / 1530, rel=1e-3)
    assert height.acceptable == pytest.approx(2 * 0.05 * height.reference, rel=0.1)


def test_a_peak_further_away_than_its_width_is_no_agreement(run: Run) -> None:
    for scale, shift in ((0.5, 8.2), (1.0, 8.0)):
        run.spectrum(dips(shift=shift), scale=scale)
    reference = Reference(
        kind="feature",
        file="data/fig2.csv",
        x_column="wavelength_nm",
        y_column="T",
        feature="minimum_position",
    )
    found = run.judge(
        scalar_target(
            target_id="fig2_T", quantity="peak_position", unit="nm", x_unit="nm", reference=reference
        )
    )
    assert found.error < 0.6 and found.classification == "PARTIAL"
    assert any("further than its own width" in reason for reason in found.reasons)
    curve = run.judge(curve_target())
    assert curve.classification != "SUCCESS" and any(
        "further than its own width" in reason for reason in curve.reasons
    )


def test_a_window_that_cannot_fail_and_a_sliver_of_the_data_are_no_success(run: Run) -> None:
    for scale in (0.5, 1.0):
        run.spectrum(dips(shift=0.1 / scale), scale=scale)
    names = {"kind": "feature", "file": "data/fig2.csv", "x_column": "wavelength_nm", "y_column": "T"}

    def judged(*window: float):  # noqa: ANN202
        feature = {"kind": "position", "extremum": "minimum", "window": window}
        reference = Reference.model_validate(names | {"feature": feature})
        return run.judge(
            scalar_target(
                target_id="fig2_T", quantity="peak_position", unit="nm", x_unit="nm", reference=reference
            )
        )

    found = judged(1527, 1533)
    assert found.classification == "PARTIAL"
    assert any("6 % of the paper's data; SUCCESS needs 10 %" in reason for reason in found.reasons)
    assert any("cannot fail" in reason for reason in found.reasons)
    assert judged(1500, 1600).classification == "SUCCESS"


@pytest.mark.parametrize(
    ("simulated", "error", "expected"),
    [
        (6.4, 0, "SUCCESS"),
        (7.0, 0, "SUCCESS"),
        (8.4, 20, "SUCCESS"),
        (9.8, 40, "PARTIAL"),
        (2.0, 200 / 3, "FAILURE"),
    ],
)
def test_inside_a_range_everything_agrees_and_outside_the_nearest_end_counts(
    run: Run, simulated, error, expected
) -> None:
    for scale in (0.5, 1.0):
        run.scalar(simulated + 0.01 / scale - 0.01, scale=scale, unit="nm")
    found = run.judge(quoted("with a linewidth of 6 to 7 nm", 6, "fwhm", "nm", upper=7))
    assert found.classification == expected and found.error == pytest.approx(error)
    assert (found.reference, found.reference_upper) == (6, 7)
    assert "paper 6 to 7 nm" in found.reasons[0] and found.reference_words() == "6 to 7"


def test_a_range_too_wide_to_tell_is_no_success(run: Run) -> None:
    for scale in (0.5, 1.0):
        run.scalar(640 + 0.1 / scale, scale=scale, unit="nm")
    found = run.judge(quoted("The wavelengths run from 450 to 810 nm", 450, "peak_position", "nm", upper=810))
    assert found.classification == "PARTIAL" and any("too wide to tell" in reason for reason in found.reasons)


def test_a_shift_at_the_limit_of_its_search_is_said_to_be_one_and_no_success(run: Run) -> None:
    x = np.linspace(500, 700, 401)
    run.paper_table(wavelength_nm=x, T=0.5 + 0.002 * (x - 600))
    for scale in (0.5, 1.0):
        run.spectrum(0.5 + 0.002 * (x - 600) + 0.0702 + 1e-3 / scale, scale=scale, x=x)
    found = run.judge(curve_target())
    assert found.classification != "SUCCESS" and any(
        "limit of its search" in reason for reason in found.reasons
    )


def test_a_flat_curve_is_judged_by_its_values(run: Run) -> None:
    flat = np.full(WAVELENGTH_NM.size, 0.5)
    run.paper_table(wavelength_nm=WAVELENGTH_NM, T=flat)
    for scale in (0.5, 1.0):
        run.spectrum(flat * (1.02 + 0.001 / scale), scale=scale)
    found = run.judge(curve_target())
    assert found.classification == "SUCCESS" and found.error == pytest.approx(2.1)
    assert any(
        "values are compared" in reason and "largest difference 2.1 %" in reason for reason in found.reasons
    )
    run.spectrum(np.where(np.abs(WAVELENGTH_NM - 1550) < 1, 0.1, flat * 1.01), scale=2.0)
    assert run.judge(curve_target()).classification != "SUCCESS"


@pytest.mark.parametrize(
    ("words", "value", "unit", "acceptable"),
    [
        ("order -1 takes 0.0100 of the light", 0.01, "1", 0.002),
        ("order -1 takes 1.00 % of the light", 1.0, "%", 0.2),
        ("order 1 takes 0.0380 of it", 0.038, "1", 0.0076),
        ("order 1 takes 0.10 of it", 0.1, "1", 0.01),
        ("order 1 takes 0.62 of it", 0.62, "1", 0.031),
        ("order 2 takes 0.00080 of it", 0.0008, "1", 0.001),
        ("the minimum is 0.0100 deep", 0.01, "1", 0.002),
    ],
)
def test_a_small_order_agrees_with_its_own_size_only(
    words: str, value: float, unit: str, acceptable: float
) -> None:
    """An order of 0.01 agreed with anything between 0 and 0.02."""
    target = quoted(words, value, "efficiency", unit)
    limits = limits_for(target, "default", ReferenceValue(value, "t"), False)
    assert limits.value.acceptable == pytest.approx(acceptable)
    assert limits.value.excellent < limits.value.acceptable < limits.value.investigate


def test_the_depth_of_a_minimum_that_code_reads_keeps_its_absolute_bound() -> None:
    reference = Reference(
        kind="feature", file="data/fig2.csv", x_column="wavelength_nm", y_column="T", feature="minimum_value"
    )
    target = scalar_target(quantity="efficiency", unit="1", reference=reference)
    found = limits_for(target, "default", ReferenceValue(0.001, "t"), False)
    assert found.value.acceptable == pytest.approx(0.01)
