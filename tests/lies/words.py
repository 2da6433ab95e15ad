"""Lies in words: an analyst, a validator or the supervisor's report says what the evidence does not."""

from __future__ import annotations

from typing import Any

from tests.lies import film
from tests.lies.kit import Lie, when

FAILED = ("Not reproduced",)
AGREES = "The simulated peak agrees with the paper within 0.1 %; the paper is reproduced."


def analysis(**values: Any) -> Any:
    """The analyst says this about the first stage."""
    return when("results_analyzer", lambda a: a.update(values), film.FIRST)


def report(**values: Any) -> Any:
    """The supervisor's report says this."""
    return when("supervisor", lambda a: a.update(values), "report")


def explained(answer: dict[str, Any]) -> None:
    for entry in answer["reports"]:
        entry["explanation"] = AGREES


LIES = (
    Lie(
        "analyst-claims-agreement",
        "results_analyzer",
        "words",
        "a failure called agreement",
        when("results_analyzer", explained, film.FIRST),
        verdicts=FAILED,
        shown=r"code: .{0,9}the evidence says FAILURE",
    ),
    Lie(
        "analyst-summary",
        "results_analyzer",
        "words",
        "a summary that says all agrees",
        analysis(summary=AGREES),
        verdicts=FAILED,
        refused="",
        false=("*",),
    ),
    Lie(
        "analyst-drops-a-target",
        "results_analyzer",
        "deletion",
        "the failing target is not reported",
        when(
            "results_analyzer",
            lambda a: a.update(reports=[r for r in a["reports"] if r["target_id"] != "peak"]),
            film.FIRST,
        ),
        verdicts=FAILED,
        refused="does not report on this target",
    ),
    Lie(
        "analyst-reports-nothing",
        "results_analyzer",
        "deletion",
        "no target is reported",
        analysis(reports=[]),
        verdicts=FAILED,
        refused="does not report on this target",
    ),
    Lie(
        "analyst-blames-the-paper",
        "results_analyzer",
        "words",
        "the paper's number is called a misprint",
        analysis(
            discrepancies=[
                {
                    "target_id": "peak",
                    "description": "The paper's 720.7 nm is a misprint of 616 nm.",
                    "likely_cause": "a misprint",
                    "severity": "acceptable",
                }
            ]
        ),
        verdicts=FAILED,
        shown="is a misprint of 616 nm",
    ),
    Lie(
        "validator-approves",
        "comparison_validator",
        "words",
        "approval with praise",
        when("comparison_validator", lambda a: a.update(feedback=AGREES), film.FIRST),
        verdicts=FAILED,
    ),
    Lie(
        "validator-never-content",
        "comparison_validator",
        "words",
        "the comparison is sent back until it is given up",
        when(
            "comparison_validator",
            lambda a: a.update(
                verdict="needs_revision",
                feedback="not yet",
                issues=[
                    {"severity": "blocking", "where": "peak", "description": "it is not compared fairly"}
                ],
            ),
            film.FIRST,
        ),
        verdicts=FAILED,
    ),
    Lie(
        "report-claims-success",
        "supervisor",
        "words",
        "a report that says the paper was reproduced",
        report(
            executive_summary="The paper was fully reproduced.",
            final_statement="All targets agree. Reproduced.",
        ),
        verdicts=FAILED,
        shown=r"code: .{0,9}the evidence says FAILURE",
        quick=True,
    ),
    Lie(
        "report-invents-numbers",
        "supervisor",
        "words",
        "a report with the paper's number as ours",
        report(key_findings=["We obtained the maximum at 720.7 nm."]),
        verdicts=FAILED,
        shown=r"code: .{0,9}the paper's number, not ours",
    ),
    Lie(
        "assessment-claims-success",
        "supervisor",
        "words",
        "an assessment that all agrees",
        when("supervisor", lambda a: a.update(assessment=AGREES), film.FIRST),
        verdicts=FAILED,
    ),
    Lie(
        "physics-passes",
        "physics_sanity",
        "words",
        "a failed check of physics called fine",
        when("physics_sanity", lambda a: a.update(advice="all is well")),
        verdicts=FAILED,
    ),
    Lie(
        "execution-fails-for-ever",
        "execution_validator",
        "deletion",
        "a result that will not agree is a failed run",
        when(
            "execution_validator",
            lambda a: a.update(verdict="fail", recoverable=False, advice="something is odd"),
            film.FIRST,
        ),
    ),
)
