"""Numbers in dB: they state the share of power that is left or the ratio that is gained, and bounds follow the dB."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.plan_rules import _reference_issues
from schemas.reproduce.words.written import matches, numbers_in
from tasks.reproduce.evidence.not_computed import UnitError
from tasks.reproduce.evidence.units import convert, unit_of_name
from tasks.reproduce.judging.limits import limits_for
from tasks.reproduce.references.paper_value import resolve
from tests.unit.words.answers_fixture import a_paper, target

pytestmark = pytest.mark.unit


@given(st.decimals(min_value="0.01", max_value="80", places=2), st.sampled_from(["", "-"]))
def test_a_level_states_its_share_and_its_ratio_and_nothing_near_them(level, sign) -> None:
    (number,) = numbers_in(f"a level of {sign}{level} dB")
    share, ratio = 10 ** (-float(level) / 10), 10 ** (float(level) / 10)
    assert matches(number, share, "1") and matches(number, 100 * share, "%") and matches(number, ratio, "1")
    assert not matches(number, 1.01 * ratio, "1") and not matches(number, 0.99 * share, "1")
    assert not matches(number, share, "nm")


def test_what_is_too_loud_for_a_number_states_nothing() -> None:
    (number,) = numbers_in("an isolation of 99999 dB")
    assert number.in_unit("1") is None and not matches(number, 0.0, "1")


@pytest.mark.parametrize("value", [0.9772, 97.72])
def test_a_loss_of_a_tenth_of_a_dB_is_not_one_of_two_tenths(tmp_path, value) -> None:
    unit = "1" if value < 1 else "%"
    asked = target(str(value), unit, "-", "The insertion loss is 0.100 dB.")
    reference = resolve(asked, tmp_path)
    limits = limits_for(asked, "default", reference, False)
    assert reference.level == pytest.approx(0.1)
    allowed = (
        limits.value.acceptable * {"1": 0.01, "%": 1.0}[unit] if "points" in limits.value.measure else None
    )
    allowed = allowed if allowed is not None else limits.value.acceptable / 100 * value
    worse = value - 10 ** (-0.013) * (100 if unit == "%" else 1)  # 0.13 dB
    assert 0 < allowed < worse and allowed > 0.08 * worse
    assert any("0.1 dB" in sentence for sentence in limits.allowances)


def test_a_loud_level_keeps_the_bounds_of_a_share(tmp_path) -> None:
    asked = target("3.162e-3", "1", "-", "The crosstalk is -25.00 dB.")
    bare = target("3.162e-3", "1", "-", "The crosstalk is 0.003162.")
    bounds = [
        limits_for(one, "default", resolve(one, tmp_path), False).value.acceptable for one in (asked, bare)
    ]
    assert bounds[0] <= bounds[1] and math.isfinite(bounds[0])


def test_a_column_in_dB_is_compared_as_shares() -> None:
    unit = unit_of_name("T_dB")
    assert unit is not None
    assert convert([0.0, -3.0103, -20.0], unit, "1") == pytest.approx([1.0, 0.5, 0.01])
    assert convert([-20.0], unit, "%") == pytest.approx([1.0])
    with pytest.raises(UnitError):
        convert([-20.0], unit, "nm")


def test_a_plan_is_told_the_share_that_its_dB_say() -> None:
    asked = target("0.31", "dB", "-", "The insertion loss is 0.31 dB.")
    issues = _reference_issues("s/t", asked, a_paper("The insertion loss is 0.31 dB."), {}, set())
    (told,) = [issue for issue in issues if "dB" in issue.description]
    assert told.severity == "blocking" and "0.931108" in told.fix and "1.07399" in told.fix
