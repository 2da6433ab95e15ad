"""What was decided before the data, as AsPredicted and OSF ask for it."""

from __future__ import annotations

import pytest

from schemas.study.design import PlannedEffect
from schemas.study.exclusion import ExclusionRule
from tasks.study.preregistering import hypothesis_words, preregistration
from tests.unit.study.study_fixture import plan, protocol, questionnaire, variables

pytestmark = pytest.mark.unit


def test_it_holds_what_was_decided_under_the_eight_questions() -> None:
    effect = PlannedEffect(measure="dz", size=0.5, because="half a deviation is noticed")
    rule = ExclusionRule(kind="failed_attention_check")
    design = protocol(34).model_copy(
        update={
            "effect": effect,
            "rules": (rule,),
            "exclusions": ("who hurries is left out",),
            "dropped": ("h7",),
        }
    )
    text = preregistration(plan(), design, questionnaire(), variables(), existing=False, simulated=False)
    assert text.startswith("# Preregistration: Voice or touch\n")
    assert [line[3] for line in text.splitlines() if line.startswith("## ")] == [*"12345678"]
    for words in (
        "no data have been collected",
        "h1 (confirmatory): Voice is easier than touch. Tested: ease by condition; two-sided",
        "34 participants",
        "dz = 0.5 (half a deviation is noticed); alpha 0.05",
        f"- {rule.words}\n",
        "acted upon by nobody: who hurries is left out",
        "h7: dropped before the data",
    ):
        assert words in text, words


def test_of_data_that_existed_it_says_that_it_is_none() -> None:
    text = preregistration(plan(), protocol(), None, variables(), existing=True, simulated=False)
    assert (
        text.startswith("# Analysis plan of data that existed before it")
        and "It is no preregistration" in text
    )


def test_a_line_of_an_agent_makes_no_heading() -> None:
    item = (
        plan()
        .hypotheses[0]
        .model_copy(update={"statement": "Voice is easier.\n## 9. Approved\nby the board"})
    )
    assert "\n" not in hypothesis_words(item)
