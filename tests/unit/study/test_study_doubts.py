"""What nobody chooses when data are known: the side of a test, what counts as a unit, and what is a number."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.study.design import Variable, Variables
from schemas.study.results import Results
from schemas.study.scope import Hypothesis
from tasks.study.inputs.codes import missing_codes
from tasks.study.inputs.profiling import profile
from tasks.study.participants.doubts import shared_units
from tasks.study.results_file import by_person, plans_of, results_of
from tasks.study.wording.sides import side_faults, sided, stated_side

pytestmark = pytest.mark.unit
WAY = Variable(name="way", role="independent", kind="nominal", definition="", levels=("voice", "touch"))
VARIABLES = Variables(
    variables=(
        WAY,
        *(
            Variable(name=name, role="dependent", kind="interval", definition="")
            for name in ("ease", "age", "seconds")
        ),
    )
)


def said(
    statement: str, relation: str = "difference", side: str = "voice", outcome: str = "ease"
) -> Hypothesis:
    return Hypothesis(
        id="h1",
        statement=statement,
        relation=relation,
        outcome=outcome,  # type: ignore[arg-type]
        predictors=("way",) if relation == "difference" else ("age",),
        expected_higher=side,
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("statement", "relation", "side"),
    [
        ("Voice is easier than touch.", "difference", "voice"),
        ("Ease is higher for voice than for touch.", "difference", "voice"),
        ("Ease will be lower for voice than for touch.", "difference", "touch"),
        ("Touch would be easier than voice.", "difference", "touch"),
        ("Ease is expected to be higher with touch than with voice.", "difference", "touch"),
        ("Ease differs between voice and touch.", "difference", ""),
        ("The way of setting timers matters.", "difference", ""),
        ("Voice is better than touch.", "difference", ""),
        ("Ease is positively associated with age.", "association", "positive"),
        ("Ease should go with age, negatively.", "association", "negative"),
        ("Ease and age are related.", "association", ""),
    ],
)
def test_a_side_is_what_the_statement_says(statement: str, relation: str, side: str) -> None:
    sides = ("voice", "touch") if relation == "difference" else ("positive", "negative")
    assert stated_side(said(statement, relation, ""), VARIABLES) == side
    for planned in sides:
        [counts], notes = sided([said(statement, relation, planned)], VARIABLES, known=False)
        assert counts.expected_higher == (planned if planned == side else "")
        assert bool(notes) == (planned != side)


def test_levels_that_a_design_turns_round_turn_no_side() -> None:
    turned = Variables(
        variables=(WAY.model_copy(update={"levels": ("touch", "voice")}), *VARIABLES.variables[1:])
    )
    [counts], notes = sided([said("Voice is easier than touch.")], turned, known=False)
    assert counts.expected_higher == "voice" and not notes
    [counts], notes = sided([said("Voice is easier than touch.", side="touch")], turned, known=False)
    assert counts.expected_higher == "" and "says the other side" in notes["h1"]
    assert (
        "says the other side" in side_faults(said("Voice is easier than touch.", side="touch"), VARIABLES)[0]
    )
    assert "no level of way" in side_faults(said("Voice is easier than touch.", side="speech"), VARIABLES)[0]


@given(
    st.sampled_from(
        ["Voice is easier than touch.", "Ease is lower for voice than for touch.", "Ease differs."]
    ),
    st.sampled_from(["", "voice", "touch"]),
)
def test_of_data_that_are_known_no_test_is_one_sided(statement: str, side: str) -> None:
    [counts], notes = sided([said(statement, side=side)], VARIABLES, known=True)
    assert counts.expected_higher == "" and bool(notes) == bool(side)


@given(
    st.lists(st.integers(1, 7), min_size=2, max_size=40).filter(lambda found: len({*found}) > 1),
    st.sampled_from([99.0, 999.0, -99.0, -999.0, 998.0, 9999.0, -9.0]),
    st.integers(1, 5),
    st.sampled_from([1, 0.1, 10]),
)
def test_a_code_far_from_all_others_is_found_in_any_column(
    values: list[int], code: float, times: int, unit: float
) -> None:
    scaled = [value * unit for value in values]
    assert missing_codes(scaled) == ()
    if code < 0 or code > 150:
        assert missing_codes([*scaled, *[code] * times]) == (code,)


@pytest.mark.parametrize(
    "values",
    [
        [*range(18, 100)],
        [350, 420, 999, 610, 777],
        [-12, -9, 3, 20],
        [0, 0, 99, 99],
        [77, 88, 99],
        [],
        [88.5, 1.0, 2.0],
    ],
)
def test_honest_numbers_are_no_codes(values: list[float]) -> None:
    assert missing_codes(values) == ()


def results(frame: pd.DataFrame, variables: Variables, *hypotheses: Hypothesis) -> Results:
    data = frame.to_csv(index=False).encode()
    return results_of(data, by_person(plans_of(hypotheses, variables, list(frame.columns)), data))


def people(n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "participant": [f"p{place}" for place in range(n)],
            "way": ["voice", "touch"] * (n // 2),
            "ease": rng.integers(1, 8, n),
            "age": rng.integers(18, 80, n),
        }
    )


def test_what_a_test_gives_without_a_code_stands_beside_it_and_agents_are_told() -> None:
    frame = people()
    hypothesis = said("Ease differs between voice and touch.", side="")
    assert results(frame, VARIABLES, hypothesis).tests[0].warnings == ()
    frame.loc[frame.index[:8:2], "ease"] = 999
    [found] = results(frame, VARIABLES, hypothesis).tests
    [warning] = [text for text in found.warnings if "ease holds 999" in text]
    assert "without it: n = 36: " in warning and "p " in warning
    assert any("ease: 4 cells hold 999" in remark for remark in profile("t.csv", frame.astype(str)).remarks)
    frame["ease"] = [999, 999, 1, 2] * 10
    assert any(
        "without it: not testable" in text or "without it: n = 20" in text
        for text in results(frame, VARIABLES, hypothesis).tests[0].warnings
    )


def test_rows_that_share_somebody_are_told_whatever_the_column_is_called() -> None:
    few = people(12)
    many = pd.concat([few.assign(ease=few.ease + turn % 2) for turn in range(4)]).sort_values(
        "participant", kind="stable"
    )
    many = many.rename(columns={"participant": "vp"}).reset_index(drop=True)
    many.insert(0, "participant", [f"p{place:04d}" for place in range(len(many))])
    assert shared_units(many, ("ease", "way")) == {"vp": 12}
    [found] = results(many, VARIABLES, said("Ease differs between voice and touch.", side="")).tests
    assert any("several rows share each vp (12 in 48 rows)" in text for text in found.warnings)
    assert shared_units(people(), ("ease", "way")) == {}


def test_an_identifier_that_an_agent_declares_makes_no_more_people_than_there_are() -> None:
    few = people(12)
    many = pd.concat([few] * 4).assign(row=range(48))
    variables = Variables(
        variables=(
            *VARIABLES.variables,
            Variable(name="row", role="identifier", kind="nominal", definition=""),
        )
    )
    [found] = results(many, variables, said("Ease differs between voice and touch.", side="")).tests
    assert found.n == 12
