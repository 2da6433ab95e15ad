"""What answers a number of the claim: what it rounds, a crossing at its level, arithmetic by hand; and what is a result at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.plan_rules import _not_enough
from schemas.reproduce.planning.coverage import names_what_is_missing
from schemas.reproduce.planning.left import ANSWERED, Left, left_of
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Reference, Target
from schemas.reproduce.words.claims import claims_in
from schemas.reproduce.words.told_in_words import told_in_words
from tasks.reproduce.judging.standing import unattempted
from tests.unit.evidence.test_evidence_headline import plan, target
from tests.unit.words.test_claims import paper, results

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


@pytest.mark.parametrize(
    ("said", "reason", "counts"),
    [
        ("1.55", "by hand, the ratio of the widths 231 nm and 149 nm, both targets", False),
        ("1.55", "by hand, the ratio of two widths", True),  # of which two
        ("1.65", "by hand, the ratio of the widths 231 nm and 149 nm, both targets", True),
        ("1.55", "by hand, the ratio of the widths 231 nm and 150 nm", True),  # 150 is no target
    ],
)
def test_a_ratio_of_two_answers_follows_by_hand_where_the_reason_names_them(
    said: str, reason: str, counts: bool
) -> None:
    def width(name: str, nm: float) -> Target:
        reference = Reference(kind="quotation", value=nm, quotation=f"{nm} nm")
        return target(name).model_copy(update={"unit": "nm", "quantity": "scalar", "reference": reference})

    planned = plan(
        width("solid", 149), width("hollow", 231), not_reproducible=(f"text: {said}: {reason}",)
    ).model_copy(update={"main_claim": f"The band is wider by a factor of {said}."})
    assert [one.counts for one in left_of(planned, (), paper("We study spheres."))] == [counts]


def test_what_follows_by_hand_is_not_missing() -> None:
    assert not names_what_is_missing("it follows by hand from the index")


@pytest.mark.attack("judgement", "a result that no target answers")
@pytest.mark.parametrize(
    ("abstract", "found"),
    [
        ("The film has R = 0.44 at 633 nm.", ["0.44"]),
        ("In the red R_max = 44 %.", ["44 %"]),
        ("The model predicts a reflectance of 44 %.", ["44 %"]),
        ("The field inside the coating has an enhancement of 12.", ["12"]),
        ("The coating enhances the reflectance sixfold.", ["6 1"]),
        ("The plate has a reflectance of unity.", ["1 1"]),
        ("The plate is a perfect mirror for red light.", ["1 1"]),
        ("A fifth of the light is absorbed.", ["0.2 1"]),
        ("The film shifts the phase of the reflected light to 120 degrees.", ["120 deg"]),
        ("The film holds the light for a lifetime of 12 ps.", ["12 ps"]),
        ("The resonance lies at 44 degrees.", ["44 deg"]),
        ("The stack has a band gap of 44 nm.", ["44 nm"]),
        ("The film shifts the peak by 44 nm.", ["44 nm"]),
        ("The film has a loss of 0.44 dB.", ["0.44 dB"]),
    ],
)
def test_results_in_letters_words_and_other_units_are_results(abstract: str, found: list[str]) -> None:
    """Lie: a false result that is written otherwise than as a share of the light."""
    assert results(abstract) == found


@pytest.mark.parametrize(
    "abstract",
    [
        "Scalar theory gives 40.5 % of the light to the first order.",
        "Line emitters lie near a perfect mirror.",
        "Total internal reflection guides the light.",
        "The lattice has fourfold symmetry.",
        "We study a splitter of index contrast 2.0 to 1.444.",
        "Light falls in at 44 degrees.",
        "The rods have a radius R = 0.3 um.",
        "The sample is kept at T = 300 K.",
        "Twelve rods stand in a row.",
    ],
)
def test_what_is_no_result_in_such_words_is_none(abstract: str) -> None:
    assert results(abstract) == []


def test_where_another_number_is_given_is_no_result_beside_it() -> None:
    assert results("96.7 % of the power reaches the fundamental modes at a wavelength of 1.55 um.") == [
        "96.7 %"
    ]


def test_many_numbers_hide_no_result() -> None:
    """Lie: forty numbers that state nothing stand before a false result."""
    many = " ".join(f"A value of {100.5 + n} nm is found." for n in range(60))
    assert results(f"We report films. {many} The plate reflects 44 % of red light.") == ["44 %"]


@given(st.text(max_size=300))
def test_any_words_that_may_mean_numbers_are_read(text: str) -> None:
    assert all(0 < number.low <= 1000 for number, _ in told_in_words(text))


@pytest.mark.attack("judgement", "a result that no target answers")
@pytest.mark.parametrize(
    ("claim", "at", "answered"),
    [
        ("More than 40 % of the light is reflected at 650 nm.", (650,), True),
        ("More than 40 % of the light is reflected from 600 to 700 nm.", (600,), False),
        ("More than 40 % of the light is reflected at 650 nm and at 800 nm.", (650,), False),
        ("More than 40 % of the light is reflected at 650 nm and at 800 nm.", (650, 800), True),
    ],
)
def test_a_bound_is_answered_at_all_its_places(claim: str, at: tuple[int, ...], answered: bool) -> None:
    """Lie: a bound over a range, or at two places, is answered by the value at one of them."""
    told = [
        target(f"at{nm}").model_copy(
            update={
                "unit": "%",
                "x_unit": "nm",
                "quantity": "efficiency",
                "reference": Reference(
                    kind="quotation",
                    value=90.0,
                    quotation=f"90 % at {nm} nm",
                    feature={"kind": "value_at", "at": [nm]},
                ),
            }
        )
        for nm in at
    ]
    claimed = plan(*told, claim_targets=("at650",) if 650 in at else ("at600",)).model_copy(
        update={"main_claim": claim}
    )
    assert [entry for entry in left_of(claimed, (), paper("We study films.")) if entry.counts] != answered


def _counted(abstract: str, value: float, at: float, unit: str = "1") -> list[str]:
    """What counts as left out of an abstract of which one number is taken, at one place in um."""
    reference = Reference(
        kind="quotation", value=value, quotation=abstract, feature={"kind": "value_at", "at": [at]}
    )
    change = {"unit": unit, "x_unit": "um", "quantity": "efficiency", "reference": reference}
    one = target("at").model_copy(update=change)
    said = plan(one, claim_targets=("at",)).model_copy(update={"main_claim": "It works."})
    return [entry.what for entry in left_of(said, (), paper(abstract)) if entry.counts]


@pytest.mark.parametrize(
    ("abstract", "value", "at", "unit"),
    [
        ("The TM mode is reflected far less in thin slabs, 0.105 at 0.22 um.", 0.105, 0.22, "1"),
        ("The mode is reflected with 10.5 % for a slab of 0.22 um.", 10.5, 0.22, "%"),
        ("The resonances of a gap of 0.05 um are found to absorb 61 % of the light.", 61, 0.05, "%"),
        ("Light of a mode in a rod of 0.3 um is found to be transmitted with 0.44.", 0.44, 0.3, "1"),
        ("The mode shows a transmittance of 0.92 where the arms lie 1.6 um from another.", 0.92, 1.6, "1"),
    ],
)
def test_the_place_of_an_answered_number_is_answered(
    abstract: str, value: float, at: float, unit: str
) -> None:
    assert _counted(abstract, value, at, unit) == []


@pytest.mark.attack("judgement", "a result that no target answers")
@pytest.mark.parametrize(
    ("abstract", "value", "at", "left"),
    [
        ("The reflectance has its minimum, 0.105, at 0.22 um.", 0.105, 0.22, "0.22 um"),
        ("The resonance lies at 0.22 um, where the mode shows its largest reflectance of 0.105.", 0.105, 0.22, "0.22 um"),
        ("The mode shows a resonance for a slab of 0.22 um with 0.105.", 0.2, 0.22, "0.22 um"),
        ("The mode is found at 0.40 um and is reflected with 0.105 at 0.22 um.", 0.105, 0.22, "0.4 um"),
        ("The mode shows 0.105 in a slab of 0.22 um, and one of 0.31 um resonates.", 0.105, 0.31, "0.22 um"),
    ],
)  # fmt: skip
def test_the_place_of_an_extremum_is_not(abstract: str, value: float, at: float, left: str) -> None:
    """Lie: the place of a maximum, which is false, is answered by the value there."""
    assert left in _counted(abstract, value, at)


@pytest.mark.parametrize(
    ("number", "index", "reason"),
    [("30.0 %", "3.42", "Fresnel's equations for the bulk"), ("73.7 degrees", "3.42", "it follows from the index by hand")],
)  # fmt: skip
def test_what_code_gets_by_hand_is_said_to_be_so(number: str, index: str, reason: str) -> None:
    said = plan(target("peak"), claim_targets=("peak",), not_reproducible=(f"text: {number}: {reason}",))
    abstract = (
        f"The mode is reflected more than the bulk, whose face reflects {number} or turns all at {number}."
    )
    entries = left_of(said, (INDEX.model_copy(update={"value": index}),), paper(abstract))
    assert [entry.by_hand for entry in entries if entry.what.startswith(number[:2])] == [True]
    assert not any(entry.counts for entry in entries if entry.by_hand)
    assert [one.standing for one in unattempted(said, entries) if one.what.startswith(number[:2])] == [
        "by hand"
    ]


@pytest.mark.attack("judgement", "a result that no target answers")
@pytest.mark.parametrize("number", ["44 %", "12 degrees", "0.61"])
def test_what_no_arithmetic_gives_is_not_attempted(number: str) -> None:
    """Lie: "by hand" of a number that is not."""
    said = plan(
        target("peak"), claim_targets=("peak",), not_reproducible=(f"text: {number}: Fresnel's equations",)
    )
    entries = left_of(said, (INDEX,), paper(f"Its reflectance has a maximum of {number}."))
    assert not any(entry.by_hand for entry in entries)
    assert not any(one.standing == "by hand" for one in unattempted(said, entries))


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("it follows by hand from the two widths", "no arithmetic on inputs"),
        ("it is of no interest", "does not say what is missing"),
    ],
)
def test_a_reason_that_does_not_count_is_told_why(reason: str, told: str) -> None:
    """The same finding came back in the same words, and cost two players a plan each."""
    entry = Left(
        "80 nm", "errors of more than 80 nm are harmless", f"text: 80 nm: {reason}", True, "abstract"
    )
    assert told in _not_enough(entry) and reason in _not_enough(entry)
    assert not _not_enough(Left("80 nm", "errors of more than 80 nm are harmless", "", True, "abstract"))


@pytest.mark.parametrize(
    ("claim", "share", "open_"),
    [
        ("The crossing has a crosstalk of -33.8 dB.", 4.17e-4, 0),
        ("The crossing has a loss of 0.27 dB.", 0.9397, 0),
        ("The crosstalk is reduced by 17.5 dB.", 56.2, 0),
        ("The crosstalk is reduced by 17.5 dB.", 30.0, 1),
        ("The crossing has a crosstalk of -33.8 dB.", 4.17e-3, 1),
    ],
)
def test_a_claim_in_dB_is_answered_by_the_share_or_ratio_that_it_says(
    claim: str, share: float, open_: int
) -> None:
    reference = Reference(kind="quotation", value=share, quotation=claim)
    one = target("x").model_copy(update={"unit": "1", "quantity": "scalar", "reference": reference})
    planned = plan(one, claim_targets=("x",)).model_copy(update={"main_claim": claim})
    assert len(left_of(planned, (), paper("We study crossings."))) == open_
