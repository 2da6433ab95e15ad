"""Verdicts: an agent may be stricter than the evidence, never more lenient."""

from __future__ import annotations

from itertools import product

import pytest

from agents.reproduce import comparison_validator, execution_validator, physics_sanity, results_analyzer
from agents.talking.reviewing import judge_review
from schemas.reproduce.judging.evidence import ExecutionEvidence, PhysicsEvidence
from schemas.reproduce.judging.verdicts import (
    AnalysisAnswer,
    ComparisonAnswer,
    Discrepancy,
    ExecutionAnswer,
    PhysicsAnswer,
    TargetReport,
)
from schemas.reproduce.simulations.execution import Failure
from schemas.talking.review import Issue, ReviewAnswer
from tests.unit.agents.agents_fixture import FILM, PASSED, evidence

pytestmark = pytest.mark.unit

LEVELS = ("pass", "warning", "fail")
CLASSES = ("SUCCESS", "PARTIAL", "FAILURE")
FAILURES = (None, "environment", "code", "numerics", "physics", "infrastructure", "budget")


def issue(severity: str, what: str = "gap") -> Issue:
    return Issue.model_validate(
        {"severity": severity, "where": "geometry", "description": what, "fix": "close it"}
    )


def review(verdict: str, *severities: str) -> ReviewAnswer:
    return ReviewAnswer(
        verdict=verdict,
        issues=tuple(issue(s, f"own {s}") for s in severities),
        checklist=("c",),
        feedback="redo it" if verdict == "needs_revision" else "",
    )


@pytest.mark.parametrize("verdict", [None, "approve", "needs_revision"])
@pytest.mark.parametrize("own", [(), ("minor",), ("blocking",)])
@pytest.mark.parametrize("found", [(), ("minor",), ("major",), ("blocking",), ("minor", "blocking")])
def test_a_review_is_never_more_lenient_than_reviewer_or_findings(verdict, own, found):
    findings = tuple(issue(s, f"found {s}") for s in found)
    answer = None if verdict is None else review(verdict, *own)
    result = judge_review(answer, findings)
    must = verdict == "needs_revision" or "blocking" in found or (answer is not None and "blocking" in own)
    assert result.verdict == ("needs_revision" if must else "approve")
    assert {i.description for i in findings} <= {i.description for i in result.issues}
    if must:
        assert all(i.description in result.feedback for i in findings)
        assert result.feedback.strip()


def test_a_repeated_issue_is_listed_once_with_its_worse_severity():
    result = judge_review(
        ReviewAnswer(verdict="approve", issues=(issue("minor"),), checklist=(), feedback=""),
        (issue("blocking"),),
    )
    assert [i.severity for i in result.issues] == ["blocking"]


@pytest.mark.parametrize(
    ("level", "failure", "verdict", "recoverable"),
    [*product(LEVELS, FAILURES, (None, *LEVELS), (True, False))],
)
def test_execution_verdict_is_the_stricter_one(level, failure, verdict, recoverable):
    shown = ExecutionEvidence(
        checks=(PASSED.model_copy(update={"level": level}),),
        failure=failure
        and Failure(failure_class=failure, reason="it broke", detail="last line", fix="mend it"),
    )
    answer = verdict and ExecutionAnswer(verdict=verdict, recoverable=recoverable, issues=(), advice="look")
    result = execution_validator.judge(answer, shown)
    floor = "fail" if failure else level
    assert LEVELS.index(result.verdict) >= max(
        LEVELS.index(floor),
        LEVELS.index(verdict) if verdict and failure not in ("environment", "infrastructure") else 0,
    )
    if failure in ("environment", "infrastructure"):
        assert not result.recoverable and result == execution_validator.rule(shown)
    if failure:
        assert "it broke" in result.advice and "last line" in result.advice


def test_no_check_at_all_fails():
    assert execution_validator.judge(None, ExecutionEvidence(checks=())).verdict == "fail"
    assert physics_sanity.judge(None, PhysicsEvidence(checks=())).verdict == "fail"


@pytest.mark.parametrize(("level", "verdict"), [*product(LEVELS, (None, *LEVELS, "design_flaw"))])
def test_physics_verdict_is_the_stricter_one(level, verdict):
    shown = PhysicsEvidence(checks=(PASSED.model_copy(update={"level": level}),))
    answer = verdict and PhysicsAnswer(verdict=verdict, issues=(), advice="look")
    result = physics_sanity.judge(answer, shown)
    order = physics_sanity.ORDER
    assert order.index(result.verdict) == max(order.index(level), order.index(verdict or "pass"))


def analysis(
    reports: dict[str, str], documented: tuple[str, ...] = (), explanation: str = ""
) -> AnalysisAnswer:
    return AnalysisAnswer(
        summary="s",
        reports=tuple(
            TargetReport(target_id=name, classification=value, explanation=explanation)
            for name, value in reports.items()
        ),
        discrepancies=tuple(
            Discrepancy(target_id=name, description="d", likely_cause="c", severity="investigate")
            for name in documented
        ),
    )


@pytest.mark.parametrize(("shown", "claimed"), [*product(CLASSES, CLASSES)])
def test_a_target_gets_the_stricter_classification(shown, claimed):
    result = results_analyzer.judge(analysis({"fig1_R": claimed}), FILM, (evidence("fig1_R", shown),))
    final = result[0].classification
    assert CLASSES.index(final) == max(CLASSES.index(shown), CLASSES.index(claimed))
    assert result[0].stricter_than_evidence is (final != shown)


def test_every_target_is_compared_even_without_report_or_evidence():
    result = results_analyzer.judge(None, FILM, (evidence("fig1_R"),))
    assert [entry.target_id for entry in result] == ["fig1_R", "fig1_dip", "fig1_note"]
    assert [entry.classification for entry in result] == ["SUCCESS", "FAILURE", "FAILURE"]
    assert result[0].explanation == results_analyzer.NO_COMMENT
    assert "no evidence" in result[1].evidence.reasons[0]


def test_results_that_the_physics_check_refuses_to_the_end_are_failures():
    result = results_analyzer.judge(None, FILM, (evidence("fig1_R"),), refused="R grows with the thickness")
    assert [(entry.classification, entry.stricter_than_evidence) for entry in result[:1]] == [
        ("FAILURE", True)
    ]
    assert "refused the results: R grows" in result[0].explanation


def test_evidence_of_another_stage_does_not_count():
    foreign = evidence("fig1_R", stage_id="stage2")
    assert results_analyzer.judge(None, FILM, (foreign,))[0].classification == "FAILURE"


def test_the_strictest_of_two_reports_counts():
    twice = analysis({"fig1_R": "FAILURE"}).reports + analysis({"fig1_R": "SUCCESS"}).reports
    answer = analysis({}).model_copy(update={"reports": twice})
    assert results_analyzer.judge(answer, FILM, (evidence("fig1_R"),))[0].classification == "FAILURE"


SHOWN = (evidence("fig1_R", "PARTIAL", nrms_percent=11.86), evidence("fig1_dip"), evidence("fig1_note"))
SOUND = {"fig1_R": "PARTIAL", "fig1_dip": "SUCCESS", "fig1_note": "SUCCESS"}


def ruled(answer: AnalysisAnswer | None) -> ComparisonAnswer:
    return comparison_validator.rule(answer, results_analyzer.judge(answer, FILM, SHOWN), SHOWN, FILM)


def test_a_sound_analysis_is_approved():
    assert ruled(analysis(SOUND, ("fig1_R",))) == ComparisonAnswer(verdict="approve", issues=(), feedback="")


def test_the_cap_of_a_free_script_is_codes_and_nobody_is_sent_back_for_it():
    shown = (evidence("fig1_R", "PARTIAL", scripted=True), *SHOWN[1:])
    answer = analysis(dict.fromkeys(SOUND, "SUCCESS"))
    compared = results_analyzer.judge(answer, FILM, shown)
    assert compared[0].classification == "PARTIAL" and not compared[0].stricter_than_evidence
    assert comparison_validator.rule(answer, compared, shown, FILM).verdict == "approve"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (analysis({k: v for k, v in SOUND.items() if k != "fig1_dip"}, ("fig1_R",)), "does not report"),
        (analysis(SOUND | {"fig9": "SUCCESS"}, ("fig1_R",)), "no target of this stage"),
        (analysis(SOUND | {"fig1_R": "SUCCESS"}, ("fig1_R",)), "the evidence says PARTIAL"),
        (analysis(SOUND), "without a documented discrepancy"),
        (None, "no analysis"),
    ],
)
def test_an_unsound_analysis_is_sent_back_with_the_reason(answer, said):
    result = ruled(answer)
    assert result.verdict == "needs_revision" and said in result.feedback


def test_a_target_reported_twice_is_sent_back():
    answer = analysis(SOUND, ("fig1_R",))
    assert (
        "2 times"
        in ruled(answer.model_copy(update={"reports": answer.reports + answer.reports[:1]})).feedback
    )


@pytest.mark.parametrize(
    ("words", "fine"),
    [
        ("off by 11.9 %", True),
        ("off by 12 %", True),
        ("off by 11.86%", True),
        ("off by 11.8 %", False),
        ("off by 4 percent", False),
        ("no number", True),
        ("index 4.5", True),
    ],
)
def test_percentages_that_are_in_no_evidence_are_minor_issues(words, fine):
    answer = analysis(SOUND, ("fig1_R",))
    first = answer.reports[0].model_copy(update={"explanation": words})
    result = ruled(answer.model_copy(update={"reports": (first, *answer.reports[1:])}))
    assert result.verdict == "approve"
    assert [i.severity for i in result.issues] == ([] if fine else ["minor"])


@pytest.mark.parametrize(
    ("rule", "said", "severity"),
    [*product(("approve", "needs_revision"), (None, "approve", "needs_revision"), ("minor", "blocking"))],
)
def test_comparison_verdict_is_the_stricter_one(rule, said, severity):
    base = ComparisonAnswer(verdict=rule, issues=(), feedback="rule" if rule == "needs_revision" else "")
    answer = said and ComparisonAnswer(verdict=said, issues=(issue(severity),), feedback="mine")
    result = comparison_validator.judge(answer, base)
    must = "needs_revision" in (rule, said) or (said is not None and severity == "blocking")
    assert result.verdict == ("needs_revision" if must else "approve")
    assert not must or result.feedback
