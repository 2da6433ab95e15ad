"""What answers a number of the claim: what it rounds, a crossing at its level, arithmetic by hand."""

from __future__ import annotations

import pytest

from schemas.reproduce.planning.coverage import names_what_is_missing
from schemas.reproduce.planning.left import ANSWERED, left_of
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Reference
from schemas.reproduce.words.claims import claims_in
from tests.unit.evidence.test_evidence_headline import plan, target
from tests.unit.words.test_claims import paper

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("claim", "found", "answered"),
    [
        ("The film reflects about 1 % of the light.", 0.0113, True),
        ("The film reflects about 1 % of the light.", 0.0131, False),
        ("The film reflects 1.0 % of the light.", 0.0113, False),
        ("Nine tenths of the light are transmitted.", 0.924, True),
        ("Nine tenths of the light are transmitted.", 0.96, False),
    ],
)
def test_a_number_is_answered_by_what_it_rounds(claim: str, found: float, answered: bool) -> None:
    (number,) = claims_in(claim, "main claim")
    assert number.among([(found, "1")], ANSWERED) is answered


@pytest.mark.parametrize(
    ("quotation", "level", "answered"),
    [
        ("above 90 % from 900 nm on", 0.9, True),
        ("it lies at 900 nm", 0.9, False),  # lie: a level that no words of the target state answers the claim
        ("above 80 % from 900 nm on", 0.9, False),
        ("above 90 % from 900 nm on", None, False),
    ],
)
def test_a_level_is_answered_by_where_a_curve_crosses_it(
    quotation: str, level: float | None, answered: bool
) -> None:
    feature = {"kind": "crossing", "level": [level]} if level else None
    reference = Reference(kind="quotation", value=900.0, quotation=quotation, feature=feature)
    edge = target("edge").model_copy(update={"unit": "nm", "reference": reference})
    claim = "The efficiency is above 90 % from 900 nm on."
    claimed = plan(edge, claim_targets=("edge",)).model_copy(update={"main_claim": claim})
    left = [entry.what for entry in left_of(claimed, (), paper("We study gratings.")) if entry.counts]
    assert left == ([] if answered else ["90 %"])


INDEX = ExtractedParameter(
    name="index", value="3.42", unit="", role="input", quotation="an index of 3.42", place="Methods"
)


@pytest.mark.parametrize(
    ("share", "inputs", "counts"),
    [("30 %", (INDEX,), False), ("44 %", (INDEX,), True), ("30 %", (), True)],
)
def test_a_number_that_is_said_to_follow_by_hand_does(
    share: str, inputs: tuple[ExtractedParameter, ...], counts: bool
) -> None:
    """Lie: "follows by hand" of a number that no arithmetic on what is declared gives."""
    said = plan(
        target("peak"),
        claim_targets=("peak",),
        not_reproducible=(f"text: {share} follows by hand from the index",),
    )
    said = said.model_copy(update={"main_claim": f"The face reflects {share} of the light."})
    assert [entry.counts for entry in left_of(said, inputs, paper("We study films."))] == [counts]


def test_what_follows_by_hand_is_not_missing() -> None:
    assert not names_what_is_missing("it follows by hand from the index")
