"""Who is left out: rules of closed kinds that code evaluates on the data; what is said in words leaves nobody out."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from schemas.errors import InputError
from schemas.study.answers import DataAnswer
from schemas.study.design import StudyProtocol, Variable
from schemas.study.exclusion import ExclusionRule
from tasks.study.designing import design_faults
from tasks.study.participants.excluding import excluded, late_faults, without
from tasks.study.participants.existing import variable_faults
from tasks.study.participants.raw_data import read_rows
from tasks.study.participants.real_data import Imported, imported
from tasks.study.participants.responses import raw_data
from tasks.study.participants.study_table import one_table
from tests.unit.study.study_fixture import plan, protocol, questionnaire
from tests.unit.study.test_study_design import answer
from tests.unit.study.test_study_personas import profile, response

pytestmark = pytest.mark.unit
ALIKE = {f"{item}__voice": 4 for item in ("easy_1", "easy_2", "easy_3", "trust")}
DATA = raw_data(
    [
        response(1),
        response(2, check_1__voice=2),
        response(3, **ALIKE),
        response(1).model_copy(update={"persona_id": "persona-004"}),
    ],
    questionnaire(),
    [profile(number) for number in range(1, 5)],
    simulated=True,
)


def ruled(*rules: ExclusionRule, words: tuple[str, ...] = ()) -> StudyProtocol:
    return protocol().model_copy(update={"rules": rules, "exclusions": words})


def names(*rules: ExclusionRule, words: tuple[str, ...] = ()) -> set[str]:
    found = excluded(DATA, ruled(*rules, words=words), questionnaire(), detailed=True)
    return {item.participant for item in found.left_out}


@pytest.mark.parametrize(
    "words",
    [
        "Who did not fail the attention check is kept.",
        "Who fails an attention check is left out.",
        "Nobody is left out for straight-lining.",
        "Identical answers are excluded.",
    ],
)
def test_words_alone_leave_nobody_out_and_that_is_said(words: str) -> None:
    assert names(words=(words,)) == set()
    found = excluded(DATA, ruled(words=(words,)), questionnaire(), detailed=True)
    assert found.only_words == (words,) and found.asked == 4
    assert found.doubts == {"attention check failed": 1, "same as another": 1, "straight-lining": 1}


def value(variable: str, comparison: str, value: str = "") -> ExclusionRule:
    return ExclusionRule(kind="value", variable=variable, comparison=comparison, value=value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "out"),
    [
        (ExclusionRule(kind="failed_attention_check"), {"persona-002"}),
        (ExclusionRule(kind="straight_lining"), {"persona-003"}),
        (ExclusionRule(kind="same_as_another"), {"persona-004"}),
        (value("seconds", "above", "14.5"), {"persona-003"}),
        (value("seconds", "at_most", "13.5"), {"persona-001", "persona-004"}),
        (value("seconds", "below", "13.5"), set()),
        (value("place", "equals", "work"), set()),
        (value("place", "differs", "home"), set()),
        (value("ease", "missing"), set()),
        (value("check_1", "equals", "2.0"), {"persona-002"}),
    ],
)
def test_a_rule_leaves_out_whom_it_holds_for_and_nobody_else(rule: ExclusionRule, out: set[str]) -> None:
    assert names(rule) == out
    kept = {row["participant"] for row in read_rows(without(DATA, out))}
    assert kept == {f"persona-00{number}" for number in range(1, 5)} - out


def test_a_rule_that_cannot_be_meant_is_no_rule() -> None:
    for wrong in (
        {"kind": "value", "variable": "ease"},
        {"kind": "value", "variable": "ease", "comparison": "above", "value": "x"},
        {"kind": "value", "variable": "ease", "comparison": "missing", "value": "1"},
        {"kind": "straight_lining", "variable": "ease"},
        {"kind": "looks odd"},
    ):
        with pytest.raises(ValidationError):
            ExclusionRule.model_validate(wrong)
    with pytest.raises(InputError, match="names a column that the data lack"):
        names(value("mood", "above", "3"))
    with pytest.raises(InputError, match="nobody|no participant is left"):
        without(DATA, {f"persona-00{number}" for number in range(1, 5)})


def test_a_design_whose_rules_cannot_be_evaluated_goes_back() -> None:
    unchecked = questionnaire().model_copy(
        update={"items": tuple(item.model_copy(update={"expected": None}) for item in questionnaire().items)}
    )
    said = design_faults(
        answer(
            rules=(
                value("mood", "above", "3"),
                value("place", "above", "3"),
                ExclusionRule(kind="failed_attention_check"),
            ),
            questionnaire=unchecked,
        ),
        plan(),
    )
    assert (
        len(said) == 3
        and "names no column" in said[0]
        and "place holds none" in said[1]
        and "`expected`" in said[2]
    )
    assert (
        design_faults(
            answer(rules=(value("seconds", "above", "500"), ExclusionRule(kind="straight_lining"))), plan()
        )
        == []
    )


def given(folder: Path, *rules: ExclusionRule) -> tuple[Imported, DataAnswer]:
    """Data of twenty people that exist, and a reading of them with these rules."""
    rows = [
        f"{number},{('voice', 'touch')[number % 2]},{number % 7},{17 + number},{('alone', 'together')[number % 3 == 0]}"
        for number in range(20)
    ]
    (folder / "given.csv").write_text("\n".join(("Person,Condition,Ease,Age,Home", *rows)) + "\n")
    return imported(*one_table(folder / "given.csv")), DataAnswer(
        title="Given",
        collected="",
        rules=rules,
        variables=(
            Variable(name="condition", role="independent", kind="nominal", definition="way"),
            Variable(name="ease", role="dependent", kind="interval", definition="rating"),
        ),
    )


@pytest.mark.attack("answers", "a rule on existing data that chooses the result, or people, is refused")
@pytest.mark.parametrize(
    "rule",
    [
        value("ease", "above", "5"),
        value("ease", "missing"),
        value("condition", "differs", "voice"),
        value("participant", "equals", "p0003"),
        value("age", "equals", "20"),
        value("age", "above", "33"),
    ],
)
def test_in_known_data_no_rule_acts_on_what_is_tested_or_picks_people(
    rule: ExclusionRule, tmp_path: Path
) -> None:
    data, reading = given(tmp_path, rule)
    [said] = variable_faults(reading, plan(), data, framework="frequentist", seed=1)[0]
    assert f"'{rule.words}'" in said and "leave" in said or "names participants" in said


def test_rules_that_were_made_in_time_or_leave_nobody_out_make_no_test_exploratory() -> None:
    rules = (value("seconds", "above", "14.5"),)
    assert excluded(DATA, ruled(*rules), questionnaire(), detailed=True).decided_late == ""
    assert excluded(DATA, ruled(), questionnaire(), detailed=True, late=True).decided_late == ""
    late = excluded(DATA, ruled(*rules), questionnaire(), detailed=True, late=True).decided_late
    assert late.startswith("exploratory: 1 of 4 participants") and "seconds above 14.5" in late


def test_rules_hold_for_data_that_exist_and_no_cell_of_real_people_is_told(tmp_path: Path) -> None:
    data, reading = given(tmp_path, value("age", "below", "22"))
    assert variable_faults(reading, plan(), data, framework="frequentist", seed=1) == ([], {})
    found = excluded(data.data, ruled(*reading.rules), None, detailed=False)
    assert [(item.participant, item.detail) for item in found.left_out][:2] == [("p0001", ""), ("p0002", "")]
    assert len(found.left_out) == 5 and found.asked == 20
    odd = reading.model_copy(update={"rules": (value("home", "above", "3"),)})
    [said] = variable_faults(odd, plan(), data, framework="frequentist", seed=1)[0]
    assert "the data hold none there" in said and "alone" not in said
    everybody = reading.model_copy(update={"rules": (value("age", "above", "1"),)})
    assert (
        "no participant is left"
        in variable_faults(everybody, plan(), data, framework="frequentist", seed=1)[0][0]
    )
    unknown = reading.model_copy(update={"rules": (ExclusionRule(kind="straight_lining"),)})
    assert (
        "needs a questionnaire"
        in variable_faults(unknown, plan(), data, framework="frequentist", seed=1)[0][0]
    )


@pytest.mark.attack("answers", "an outcome under another name is no column to leave people out by")
@pytest.mark.parametrize(
    ("variable", "comparison", "value", "refused"),
    [
        ("satisfaction", "below", "3", True),
        ("satisfied", "equals", "no", True),
        ("mirrored", "above", "5", True),
        ("noisy", "at_most", "2", True),
        ("years", "below", "30", False),
        ("town", "equals", "a", False),
    ],
)
def test_a_rule_may_not_act_on_an_outcome_under_another_name(
    variable: str, comparison: str, value: str, refused: bool
) -> None:
    """ease is the outcome; satisfaction its copy, satisfied whether it is above 3, mirrored 7 minus it, noisy nearly it."""
    lines = ["participant,way,ease,satisfaction,satisfied,mirrored,noisy,years,town"]
    for number in range(60):
        ease = 1 + number % 7
        lines.append(
            f"p{number},{'voice' if number % 2 else 'touch'},{ease},{ease * 10 / 10},{'yes' if ease > 3 else 'no'},"
            f"{8 - ease},{ease + 0.3 * (number % 3)},{20 + number * 7 % 40},{'ab'[number % 5 > 2]}"
        )
    tried = plan()
    first = tried.hypotheses[0].model_copy(update={"outcome": "ease", "predictors": ("way",)})
    rule = ExclusionRule.model_validate(
        {"kind": "value", "variable": variable, "comparison": comparison, "value": value}
    )
    found = late_faults(
        [rule], tried.model_copy(update={"hypotheses": (first,)}), (), "\n".join(lines).encode()
    )
    assert bool(found) == refused, found
