"""Numbers that a paper states in its abstract and conclusions: found by code, told where no target answers them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.plan_rules import rule
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.left import Taken, left_of
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Plan, PlannerAnswer, Reading, Reference
from schemas.reproduce.planning.scope import Scope
from schemas.reproduce.words.claims import Claim, claims_in, claims_of
from tasks.reproduce.curves.curve import Curve, few_points
from tasks.reproduce.judging.headline import Headline, headline
from tasks.reproduce.papers import BUNDLED, load_paper, recorded_ids
from tests.unit.evidence.test_evidence_headline import compared, plan, target

pytestmark = pytest.mark.unit


def paper(
    abstract: str, rest: str = "## Methods\n\nThe film has a thickness of 120 nm.", conclusions: str = ""
) -> PaperInput:
    body = f"# A film\n\n## Abstract\n\n{abstract}\n\n{rest}\n\n"
    body += f"## 4. Conclusions\n\n{conclusions}\n\n" if conclusions else ""
    return PaperInput(
        paper_id="p",
        title="A paper",
        citation="A. Author, J. 1, 1 (2020)",
        text=body + "## Discussion\n\n" + "Films are studied for many reasons, as everybody knows. " * 4,
    )


def results(abstract: str) -> list[str]:
    return [claim.told for claim in claims_of(paper(abstract)) if claim.result]


def others(abstract: str) -> list[str]:
    return [claim.told for claim in claims_of(paper(abstract)) if not claim.result]


@pytest.mark.parametrize(
    ("abstract", "found"),
    [
        (
            "The film reflects up to 30.6 % of visible light; the maximum lies at 720.7 nm.",
            ["30.6 %", "720.7 nm"],
        ),
        ("At oblique incidence 35.8 % of s-polarised light are reflected.", ["35.8 %"]),
        ("The cavity has a quality factor of 1.2e5.", ["120000"]),
        ("The resonance is found at 1.55 um.", ["1.55 um"]),
        ("Its full width at half maximum is 7.5 nm.", ["7.5 nm"]),
        ("The gap extends from a frequency of 0.32 to 0.44 c/a.", ["0.32 to 0.44 c/a"]),
        ("The enhancement of the field is 250.", ["250"]),
        ("The reflectance vanishes at 1340 nm.", ["1340 nm"]),
        ("Its resonant frequency is 0.1446 c/a.", ["0.1446 c/a"]),
        ("The transmission has the minimum at 708 nm.", ["708 nm"]),
        ("The extinction cross section peaks at 530 nm.", ["530 nm"]),
        ("The effective index of the mode is 1.788.", ["1.788"]),
        ("A transmission of 92.5 % is reached.", ["92.5 %"]),
        ("The reflectivity is above 99 %.", ["99 %"]),
        ("A quality factor of about 800 is seen.", ["800"]),
        # lies: a word beside a number excuses it, or a line or a heading of its own ends the abstract before it
        ("The computed reflectance is 44 %.", ["44 %"]),
        ("With a fixed film the reflectance is 44 %.", ["44 %"]),
        ("The film that does not absorb reflects 44 %.", ["44 %"]),
        ("Contrary to expectation, the reflectance is 44 %.", ["44 %"]),
        ("As expected, the reflectance has its maximum at 500 nm.", ["500 nm"]),
        ("More than 40 % of the light is reflected.", ["40 %"]),
        ("The sections are told in their\nintroduction, and the reflectance is 44 %.", ["44 %"]),
        ("We study a film.\n\n### Results\n\nThe reflectance is 44 %.", ["44 %"]),
    ],
)
def test_what_an_abstract_says_that_it_found(abstract: str, found: list[str]) -> None:
    assert results(abstract) == found


@pytest.mark.parametrize(
    "abstract",
    [
        "A film of 120 nm thickness is studied.",
        "Scalar theory gives 40.5 % of the light to the first order.",
        "The maximum does not lie at 720.7 nm.",
        "Earlier work reported a reflectance of 45 %.",
        "Figure 3 shows 25 curves.",
        "The minimum moves to longer wavelengths as the film grows to 25 nm.",
        "A grating with a period of 400 nm is described.",
        "The transmittance would be 90 %.",
        "Layers of index 2.31 are used.",
        "At 1550 nm the effective index is high.",
        "The transmission at 1.55 um is high.",
        "The cross sections were evaluated between 450 nm and 700 nm.",
        "Two spheres are separated by a gap of 5.5 nm.",
        "We assumed an effective index of 2.8 for the disk.",
        "Modes near 1.55 um are spaced evenly.",
        "The notch at 1.5513 um has a high Q.",
        "The mode is excited at 1.55 um.",
        "The mirror transmittance was chosen as 5 %.",
        "The enhancement at 830 nm is large.",
        "The transmission at 1.55 um is high.",
        "Arm length, thickness and gap were 90 nm, 25 nm and 12.5 nm, respectively.",
    ],
)
def test_what_is_told_and_no_result(abstract: str) -> None:
    assert results(abstract) == []


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("With 24 rods the power is enhanced 56 times.", ["56"]),
        ("With 24 dielectric rods it is 121, and with 48 it is 4719 for four rings.", ["121", "48", "4719"]),
        ("A stack of 30 bilayers reflects 99.2 %.", ["99.2 %"]),
        ("The factor grows to 733 in three rings and 793 with rings.", ["733", "793"]),
        ("A gap of 24.5 rods.", ["24.5"]),
    ],
)
def test_a_count_of_objects_is_no_result_of_a_main_claim(claim: str, told: list[str]) -> None:
    assert [one.told for one in claims_in(claim, "main claim")] == told


def test_a_number_of_the_claim_is_answered_by_a_compared_table_of_few_points() -> None:
    about = paper("We study films.")
    table = target("table").model_copy(
        update={
            "kind": "curve",
            "unit": "1",
            "reference": Reference(kind="data", file="q.csv", x_column="rings", y_column="Q"),
        }
    )
    claimed = plan(table, claim_targets=("table",)).model_copy(update={"main_claim": "The Q is 121 or 4719."})
    assert [entry.what for entry in left_of(claimed, (), about) if entry.counts] == ["121", "4719"]
    assert not left_of(claimed, (), about, taken={"table": Taken((14.7, 121.0, 4719.0))})
    (one,) = compared(table="SUCCESS")
    seen = one.model_copy(update={"evidence": one.evidence.model_copy(update={"points": (121.0, 4719.0)})})
    assert not left_of(claimed, (), about, (seen,))
    assert few_points(Curve(np.arange(3.0), np.array([14.7, 121.0, 4719.0]))) == (14.7, 121.0, 4719.0)
    assert few_points(Curve(np.arange(200.0), np.linspace(0, 1, 200))) == ()
    assert few_points(Curve(np.arange(21.0), np.linspace(964, 899, 21))) == (964, 899)


def test_where_abstract_and_conclusions_end() -> None:
    told = claims_of(
        paper("Its reflectance is 30.6 %.", "## Results\n\nThe reflectance is 77 % there.", "The Q is 541.2.")
    )
    assert [(claim.place, claim.told) for claim in told] == [("abstract", "30.6 %"), ("conclusions", "541.2")]
    bare = paper("x").model_copy(
        update={
            "text": "# Title\n\nIts reflectance is 30.6 %.\n\n## 1. Introduction\n\nThe "
            "reflectance of 77 % there is another matter. " + "More follows. " * 20
        }
    )
    assert [(claim.place, claim.told) for claim in claims_of(bare)] == [("abstract", "30.6 %")]
    headless = paper("x").model_copy(update={"text": "The reflectance is 30.6 % here. " * 20})
    assert claims_of(headless) == ()  # nothing says where an abstract ends


DIP = target("dip", value=720.7)
TWO = paper(
    "The film reflects up to 30.6 % of light; the maximum lies at 720.7 nm, for a thickness of 120 nm."
)


def verdict(planned: Plan, about: PaperInput = TWO, **classes: str) -> Headline:
    found = compared(**classes)
    return headline(planned, found, left=left_of(planned, (), about, found))


@pytest.mark.attack("judgement", "counted against the verdict")
def test_a_result_of_the_abstract_that_no_target_answers_is_told_and_counts() -> None:
    """Lie: the plan compares the number that agrees and does not mention the other."""
    found = verdict(plan(DIP, claim_targets=("dip",)), dip="SUCCESS")
    assert (
        found.verdict == "Partly reproduced"
        and "no target answers" in found.reason
        and found.reason.endswith(": 30.6 %")
    )
    told = {b.what: b.note for b in found.beside}
    assert (
        set(told) == {"30.6 %", "120 nm"}
        and "abstract: \u201cThe film reflects up to 30.6 % of light" in told["30.6 %"]
    )
    both = plan(DIP, target("R", value=30.6).model_copy(update={"unit": "%"}), claim_targets=("dip", "R"))
    assert verdict(both, dip="SUCCESS", R="SUCCESS").verdict == "Reproduced"
    [issue] = [i for i in rule(plan(DIP, claim_targets=("dip",)), TWO, {}) if i.where == "30.6 %"]
    assert issue.severity == "major"


@pytest.mark.attack("judgement", "counted against the verdict")
def test_a_result_of_the_abstract_is_answered_by_what_counts() -> None:
    """Lie: the number that will not agree is called minor or an inferred reading, its figure has other targets."""
    light = target("R", value=30.6).model_copy(update={"unit": "%", "major": False})
    minor = plan(DIP, light, claim_targets=("dip",))
    assert verdict(minor, dip="SUCCESS", R="FAILURE").verdict == "Partly reproduced"
    assert verdict(minor, dip="SUCCESS", R="SUCCESS").verdict == "Reproduced"
    inferred = plan(
        DIP,
        light.model_copy(update={"major": True}),
        claim_targets=("dip",),
        readings=(Reading(name="r", targets=("R",)),),
    )
    assert verdict(inferred, dip="SUCCESS", R="FAILURE").verdict == "Partly reproduced"


@pytest.mark.attack("judgement", "counted against the verdict")
@pytest.mark.parametrize(
    ("claim", "good"),
    [
        ("The minimum lies at 720.7 nm.", True),
        ("A film of 120 nm has its minimum at 720.7 nm.", True),
        ("The film has a minimum.", True),
        ("The minimum lies at 680 nm.", False),
        ("The film lowers the reflectance to 0.02 %.", False),
        ("At 720.7 nm the finesse is 250.", False),
    ],
)
def test_the_main_claim_states_no_number_that_nothing_compares(claim: str, good: bool) -> None:
    """Lie: the sentence on the first page says more than the targets that are to carry it."""
    planned = plan(DIP, claim_targets=("dip",)).model_copy(update={"main_claim": claim})
    thickness = (
        ExtractedParameter(
            name="t", value="120", unit="nm", role="input", quotation="thickness of 120 nm", place=""
        ),
    )
    told = [e.what for e in left_of(planned, thickness, paper("A film is studied.")) if e.counts]
    assert (not told) is good, told


@pytest.mark.attack("judgement", "counted against the verdict")
def test_a_result_called_an_input_stays_a_result_and_what_light_is_sent_in_with_is_none() -> None:
    """Lie: the abstract's result is quoted as an input of the plan, so that nothing is left of it."""
    planned = plan(DIP, claim_targets=("dip",))
    taken = (
        ExtractedParameter(
            name="r", value="30.6", unit="%", role="input", quotation="reflects up to 30.6 %", place="A"
        ),
    )
    assert [e.what for e in left_of(planned, taken, TWO) if e.counts] == ["30.6 %"]
    lit = paper(
        "The maximum of the reflectance lies at 720.7 nm, and the mode is excited at 1.55 um.",
        "## Methods\n\nThe vacuum wavelength is 1.55 um.",
    )
    light = (
        ExtractedParameter(
            name="light", value="1.55", unit="um", role="input", quotation="is 1.55 um", place="Methods"
        ),
    )
    assert [e.what for e in left_of(planned, light, lit)] == []
    assert [e.what for e in left_of(planned, (), lit) if e.counts] == []
    peak = paper(
        "The maximum of the reflectance lies at 1.55 um.", "## Methods\n\nThe vacuum wavelength is 1.55 um."
    )
    assert [e.what for e in left_of(planned, light, peak) if e.counts] == ["1.55 um"]


@pytest.mark.attack("judgement", "counted against the verdict")
@pytest.mark.parametrize(
    ("claim", "reference", "answered"),
    [
        ("The film reflects 44 %.", ("the film reflects 44 % of the light", 44.0), True),
        ("The film transmits 44 %.", ("the film reflects 44 % of the light", 44.0), False),
        ("The film reflects more than 40 %.", ("the film reflects 44 % of the light", 44.0), True),
        ("The film reflects more than 40 %.", ("the film reflects 36 % of the light", 36.0), False),
        ("The film reflects more than 40 %.", ("the film reflects 99 % of the light", 99.0), False),
        ("The film reflects less than 40 %.", ("the film reflects 36 % of the light", 36.0), True),
        ("The film reflects less than 40 %.", ("the film absorbs 36 % of the light", 36.0), False),
    ],
)
def test_a_claim_is_answered_by_its_own_process_and_a_bound_by_what_keeps_to_it(
    claim: str, reference: tuple[str, float], answered: bool
) -> None:
    words, value = reference
    share = target("share").model_copy(
        update={
            "unit": "%",
            "description": "a share of the power",
            "reference": Reference(kind="quotation", value=value, quotation=words),
        }
    )
    planned = plan(share, claim_targets=("share",))
    left = [entry.what for entry in left_of(planned, (), paper(claim)) if entry.counts]
    assert (not left) is answered


@pytest.mark.parametrize(
    ("value", "at", "answered"),
    [
        (0.005, 70.0, True),
        (0.02, 70.0, False),  # it breaks the bound
        (0.005, 60.0, False),  # lie: another place
    ],
)
def test_a_bound_is_answered_by_the_value_at_its_own_place(value: float, at: float, answered: bool) -> None:
    words = "it vanishes almost completely there, where it is 0.005"
    there = target("there").model_copy(
        update={
            "unit": "1",
            "x_unit": "deg",
            "reference": Reference(
                kind="quotation", value=value, quotation=words, feature={"kind": "value_at", "at": [at]}
            ),
        }
    )
    claim = "For p polarisation the reflectance falls below 1 % around 70 degrees."
    left = [e.what for e in left_of(plan(there, claim_targets=("there",)), (), paper(claim)) if e.counts]
    assert (not left) is answered


def test_a_level_is_answered_by_crossings_of_the_papers_data_at_the_claims_own_places() -> None:
    rising = target("rising").model_copy(
        update={
            "unit": "um",
            "reference": Reference(
                kind="feature", file="r.csv", x_column="x", y_column="R",
                feature={"kind": "crossing", "level": [0.99], "direction": "rising"},
            ),
        }
    )  # fmt: skip
    planned, about = (
        plan(rising, claim_targets=("rising",)),
        paper("The reflectance exceeds 99 % from 1.25 um on."),
    )
    found = [e.what for e in left_of(planned, (), about, taken={"rising": Taken((1.2504,))}) if e.counts]
    assert found == []
    assert [e.what for e in left_of(planned, (), about, taken={"rising": Taken((1.37,))}) if e.counts] == [
        "99 %"
    ]


@settings(max_examples=30)
@given(st.floats(0.01, 0.99).map(lambda x: round(x, 3)))
def test_a_number_that_a_target_takes_from_the_data_answers_the_abstract(value: float) -> None:
    """A fraction answers a percentage, rounded as it is written; another number answers nothing."""
    about = paper(f"The maximum of the reflectance is {100 * value:.1f} %.")
    named = Reference(
        kind="feature", file="data/fig1.csv", x_column="x", y_column="R", feature="maximum_value"
    )
    height = target("height").model_copy(update={"quantity": "efficiency", "unit": "1", "reference": named})
    planned = plan(height, claim_targets=("height",))
    told = f"{100 * value:.1f}"
    assert [e.what.split()[0] for e in left_of(planned, (), about)] == [f"{float(told):g}"]
    assert left_of(planned, (), about, taken={"height": Taken((value,))}) == ()
    assert left_of(planned, (), about, taken={"height": Taken((value / 2,))}) != ()
    ruled = rule(planned, about, {"data/fig1.csv": ("x", "R")}, taken={"height": Taken((value,))})
    assert not [issue for issue in ruled if "no target answers" in issue.description]


def test_a_reason_that_names_number_and_what_is_missing_excuses_a_result() -> None:
    planned = plan(
        DIP, claim_targets=("dip",), not_reproducible=("text: the 30.6 % were measured on a sample",)
    )
    assert verdict(planned, dip="SUCCESS").verdict == "Reproduced"
    vague = plan(DIP, claim_targets=("dip",), not_reproducible=("text: the 30.6 % are not so important",))
    assert verdict(vague, dip="SUCCESS").verdict == "Partly reproduced"
    scoped = TWO.model_copy(update={"scope": Scope(figures=("text",))})
    assert verdict(plan(DIP, claim_targets=("dip",)), scoped, dip="SUCCESS").verdict == "Partly reproduced"


@pytest.mark.parametrize("name", recorded_ids())
def test_bundled_plans_answer_what_their_papers_state(name: str) -> None:
    """Else the tables of words are wrong."""
    plans = [
        entry["answer"]
        for entry in map(json.loads, (BUNDLED / name / "transcript.jsonl").open())
        if isinstance(entry.get("answer"), dict)
        and {"plan", "extracted_parameters"} <= entry["answer"].keys()
    ]
    answer, about = PlannerAnswer.model_validate(plans[-1]), load_paper(BUNDLED / name)[0]
    assert [
        entry.what for entry in left_of(answer.plan, answer.extracted_parameters, about) if entry.counts
    ] == []
    assert claims_of(about), "an abstract without a number proves nothing"


@settings(max_examples=150)
@given(
    st.floats(1.1, 999, allow_nan=False).map(lambda x: float(f"{x:.4g}")),
    st.sampled_from(["%", "nm", "um", "THz", ""]),
    st.sampled_from(
        [
            "The maximum of the reflectance is {}.",
            "A reflectance of {} is found.",
            "The quality factor is {}.",
            "The film has a thickness of {}.",
            "It peaks at {}.",
        ]
    ),
)
def test_a_number_among_the_answered_ones_is_never_left(value: float, unit: str, form: str) -> None:
    """In any unit it is written in: what a target states is answered, and what none states stays."""
    for claim in claims_of(paper(form.format(f"{value:.4g} {unit}".strip()))):
        assert claim.among([(value, unit)]) and not claim.among([(value * 1.2, unit)]) and not claim.among([])


@settings(max_examples=150)
@given(
    st.text(max_size=300),
    st.lists(
        st.sampled_from(
            [
                "## Abstract\n",
                "# ",
                "\n",
                "30 % ",
                "reflectance ",
                "1. Conclusions\n",
                "|",
                "maximum ",
                "at ",
                "720 nm ",
                "$",
                "is ",
            ]
        ),
        max_size=20,
    ),
)
def test_any_text_is_read(text: str, parts: list[str]) -> None:
    about = paper(text + "".join(parts))
    assert all(isinstance(claim, Claim) for claim in claims_of(about))
