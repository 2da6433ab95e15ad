"""Where and how far a result holds is no result; what a target looks at, or did not reach, was not left out."""

from __future__ import annotations

import pytest

from schemas.reproduce.planning.left import left_of
from schemas.reproduce.words.claims import claims_of
from tests.unit.evidence.test_evidence_headline import compared, plan, target
from tests.unit.words.test_claims import others, paper, results

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("abstract", "found", "beside"),
    [
        (
            "They have a stopband from 27.3 to 41.8 GHz, at a phase shift of 180 degrees.",
            "27.3 to 41.8 GHz",
            "180 deg",
        ),
        ("A stopband of 0.94 GHz opens for each 0.1 mm of error.", "0.94 GHz", "0.1 mm"),
        ("It transmits with less than 1.3 dB of insertion loss up to 40 GHz.", "1.3 dB", "40 GHz"),
    ],
)
def test_where_and_how_far_a_result_holds_is_no_result(abstract: str, found: str, beside: str) -> None:
    assert found in results(abstract) and beside not in results(abstract) and beside in others(abstract)


@pytest.mark.parametrize(
    ("abstract", "found"),
    [
        ("The band reaches up to 40 GHz; the bandwidth of the stopband is 12 GHz.", "12 GHz"),
    ],
)
def test_the_place_of_an_extremum_is_a_result(abstract: str, found: str) -> None:
    assert found in results(abstract)


def test_the_words_of_a_claim_hold_its_number() -> None:
    long = "It is " + "very " * 80 + "good, and reflects 98 % of the light."
    (claim,) = [c for c in claims_of(paper(long)) if c.told == "98 %"]
    assert "98 %" in claim.words


def test_a_number_whose_target_does_not_agree_was_not_left_out_by_the_plan() -> None:
    """The report said "not attempted, the plan gives no reason" of what was compared and failed."""
    about = paper("The dip lies at 600 nm.")
    planned = plan(target("dip", major=False), target("other", value=700))
    (entry,) = left_of(planned, (), about, compared(dip="FAILURE", other="SUCCESS"))
    assert entry.counts and entry.tried == ("dip",) and "no SUCCESS" in entry.told
    assert not left_of(planned, (), about, compared(dip="SUCCESS", other="SUCCESS"))


def test_where_something_was_found_is_no_number_that_is_left_out() -> None:
    """Places on an axis that a target looks at ("for a 540 nm line") stood in the report as not attempted."""
    about = paper("Light of 540 nm is used, and the support is 900 um thick.")
    over = target("dip").model_copy(update={"x_range": (500.0, 700.0), "x_unit": "nm"})
    left = {entry.what for entry in left_of(plan(over), (), about)}
    assert "540 nm" in {claim.told for claim in claims_of(about)} and left == {"900 um"}
