"""Findings of all tests together: the correction of a family, a title against them, evidence that decides nothing."""

from __future__ import annotations

import pytest

from schemas.study.results import Results
from tasks.study.paper_of_sections import compiled
from tasks.study.test_findings import findings
from tasks.study.wording.claims_of_tests import ResultsReader
from tests.unit.study.study_fixture import protocol
from tests.unit.study.test_study_claims import HYPOTHESES, TEXTS, plan, read

pytestmark = pytest.mark.unit


@pytest.mark.attack("answers", "calling every hypothesis exploratory is no way around the correction")
def test_where_all_hypotheses_are_called_exploratory_the_corrected_p_stands_beside() -> None:
    found, results = read(*(item.model_copy(update={"confirmatory": False}) for item in HYPOTHESES))
    trust, ease = results.tests[1], results.tests[0]
    assert trust.p_adjusted is None and trust.p_family == min(1.0, trust.p) and ease.p_family > ease.p
    assert "adjusted *p*" in ease.apa and "(Holm, all 4 exploratory tests)" in ease.apa
    assert (
        all(item.p_family is None for item in read(*HYPOTHESES)[1].tests)
        and read(HYPOTHESES[3])[1].tests[0].p_family is None
    ), "one alone needs no correction"
    barely = results.model_copy(
        update={
            "tests": tuple(item.model_copy(update={"p": 0.03, "p_family": 0.09}) for item in results.tests)
        }
    )
    assert [item.shown for item in findings(plan(*HYPOTHESES), barely, protocol())] == [False] * 4


def test_a_title_that_the_tests_contradict_is_said_to_be_the_authors() -> None:
    wrong = ResultsReader(read(HYPOTHESES[0])[0], {}).contradictions("Voice is easier than touch")
    assert wrong and "> **The title is the authors'; the tests say otherwise" in compiled(
        "Voice is easier than touch", TEXTS, {}, simulated=False, against_title=wrong
    )


def test_a_bayes_factor_that_decides_nothing_is_said_to() -> None:
    items, results = read(HYPOTHESES[1])
    undecided = results.model_copy(
        update={
            "tests": tuple(
                item.model_copy(
                    update={
                        "p": None,
                        "p_adjusted": None,
                        "bayes": {"bf10": 1.2, "method": "JZS", "prior": ""},
                    }
                )
                for item in results.tests
            )
        }
    )
    [found] = findings(plan(HYPOTHESES[1]), Results.model_validate(undecided.model_dump()), protocol())
    assert found.shown is None and found.words == "Whether there is a difference is not decided"
    assert ResultsReader([found], {}).contradictions("Trust differs.") and not ResultsReader(
        [found], {}
    ).contradictions("No difference in trust was shown.")
