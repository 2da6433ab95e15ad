"""Numbers in dB: they state the share of power that is left or the ratio that is gained, and bounds follow the dB."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.plan_rules import _reference_issues
from agents.reproduce.rules.word_rules import called
from schemas.reproduce.planning.plan import Reference
from schemas.reproduce.words.written import matches, numbers_in
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


def test_a_loud_level_has_bounds_of_a_dB(tmp_path) -> None:
    asked = target("4.169e-4", "1", "-", "The crosstalk is -33.80 dB.")
    bare = target("4.169e-4", "1", "-", "The crosstalk is 0.0004169.")
    asked, bare = (one.model_copy(update={"quantity": "efficiency"}) for one in (asked, bare))
    bounds = [
        limits_for(one, "default", resolve(one, tmp_path), False).value.acceptable for one in (asked, bare)
    ]
    assert bounds[0] == pytest.approx(4.169e-4 * (10**0.1 - 1), rel=1e-3) and bounds[0] < bounds[1]


def table(folder: Path) -> Path:
    rows = [f"{x},{-16 + 0.01 * x},{-34 - 0.02 * x}" for x in range(0, 101, 10)]
    (folder / "d.csv").write_text(
        "wavelength_nm,plain_dB,wide_dB\n" + "\n".join(rows) + "\n", encoding="utf-8"
    )
    return folder


def test_columns_in_dB_are_compared_as_shares_and_their_ratios_are_of_shares(tmp_path: Path) -> None:
    folder = table(tmp_path)
    columns = {"file": "d.csv", "x_column": "wavelength_nm", "y_column": "plain_dB"}
    base = target("1", "1", "-", "x").model_copy(update={"x_unit": "nm"})

    def of(compared: str, **reference: object) -> object:
        made = Reference.model_validate({**columns, **reference})
        return resolve(base.model_copy(update={"kind": compared, "reference": made}), folder).value

    curve = of("curve", kind="data")
    assert curve.y[0] == pytest.approx(10**-1.6)  # type: ignore[attr-defined]
    assert of("scalar", kind="feature", feature={"kind": "value_at", "at": [50.0]}) == pytest.approx(
        10**-1.55
    )
    parts = [{"kind": "value_at", "at": [50.0], "curve": curve} for curve in ("first", "second")]
    ratio = of("scalar", kind="feature", second_column="wide_dB", feature={"kind": "ratio", "of": parts})
    assert ratio == pytest.approx(10**1.95)


def test_a_level_of_another_clause_is_no_level_of_a_width() -> None:
    words = "In the plain crossing 86.9 % of the power is transmitted into the mode and -16.3 dB is lost into each side guide."
    asked = target("0.869", "1", "-", words)
    told = called(asked, a_paper(words), ())
    assert not [one for one in told.sayings if one.kind == "level"]


def test_a_plan_is_told_the_share_that_its_dB_say() -> None:
    asked = target("0.31", "dB", "-", "The insertion loss is 0.31 dB.")
    issues = _reference_issues("s/t", asked, a_paper("The insertion loss is 0.31 dB."), {}, set())
    (told,) = [issue for issue in issues if "dB" in issue.description]
    assert told.severity == "blocking" and "0.931108" in told.fix and "1.07399" in told.fix
