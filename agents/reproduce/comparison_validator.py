"""ComparisonValidatorAgent: is the analysis accurate? Completeness and classes are checked by code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from agents.reproduce.crew import declare
from agents.reproduce.results_analyzer import ORDER
from agents.reproduce.rules.looking import figures_with_looks, missing
from agents.reproduce.shared import current_stage
from agents.talking.rendering import plain
from agents.talking.reviewing import issue_lines, join, merge
from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.judging.evidence import StageEvidence, TargetEvidence
from schemas.reproduce.judging.verdicts import AnalysisAnswer, ComparisonAnswer
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.state import ReproState
from schemas.talking.review import Issue

AGENT = declare(
    "comparison_validator",
    ComparisonAnswer,
    ("figure_comparisons", "analysis_summary", "discrepancies", "target_figures", "output_plots", "evidence"),
    sees_images=True,
)

_PERCENT = re.compile(r"(?<![\w.])(\d+(?:\.(\d+))?)\s*(?:%|per cent\b|percent\b)")


def context(
    state: ReproState, paper: PaperInput, *, evidence: tuple[TargetEvidence, ...]
) -> dict[str, object]:
    """The comparisons of this stage, the analyst's words, the figures and the plots."""
    stage = current_stage(state)
    comparisons = [entry for entry in state.figure_comparisons if entry.stage_id == stage.stage_id]
    executions = (
        state.stage_outputs.finest() if state.stage_outputs and state.stage_outputs.executions else ()
    )
    return {
        "figure_comparisons": [
            {key: value for key, value in plain(entry).items() if key != "evidence"} for entry in comparisons
        ],
        "analysis_summary": {"summary": state.analysis.summary, "systematic": state.analysis.systematic}
        if state.analysis
        else None,
        "discrepancies": state.analysis.discrepancies if state.analysis else (),
        "target_figures": figures_with_looks(stage, paper, state.stage_evidence),
        "output_plots": [
            *(entry.overlay for entry in evidence if entry.overlay),
            *(picture.path for execution in executions for picture in execution.pictures),
        ],
        "evidence": evidence,
    }


def rule(
    analysis: AnalysisAnswer | None,
    comparisons: tuple[FigureComparison, ...],
    targets: tuple[TargetEvidence, ...],
    stage: Stage,
    evidence: StageEvidence | None = None,
) -> ComparisonAnswer:
    """What code finds wrong with an analysis.

    Blocking: targets missing, unknown or reported twice, claims more lenient than the evidence, shortfalls
    not documented, looks of image targets (`evidence` says which have pictures) left out. Minor:
    percentages that are in no evidence.
    """
    if analysis is None:
        issues: tuple[Issue, ...] = (
            _issue("blocking", "analysis", "there is no analysis", "report on every target"),
        )
        return ComparisonAnswer(verdict="needs_revision", issues=issues, feedback=issue_lines(issues))
    issues = tuple(
        _coverage(analysis, stage)
        + _leniency(analysis, targets)
        + _documentation(analysis, comparisons)
        + _percentages(analysis, targets)
        + [
            _issue("blocking", name, fault, "judge each look of `looks` once, by the name the plan gave it")
            for name, fault in missing(stage, evidence, analysis.visual_reports)
        ]
    )
    blocked = any(issue.severity == "blocking" for issue in issues)
    return ComparisonAnswer(
        verdict="needs_revision" if blocked else "approve",
        issues=issues,
        feedback=issue_lines(issues) if blocked else "",
    )


def judge(answer: ComparisonAnswer | None, ruled: ComparisonAnswer) -> ComparisonAnswer:
    """needs_revision as soon as the rule, the agent, or an issue the agent calls blocking demands it."""
    if answer is None:
        return ruled
    issues = merge(ruled.issues, answer.issues)
    revise = "needs_revision" in (ruled.verdict, answer.verdict) or any(
        i.severity == "blocking" for i in issues
    )
    told = (
        answer.feedback
        if answer.verdict == "needs_revision"
        else join(answer.feedback, issue_lines(answer.issues))
    )
    return ComparisonAnswer(
        verdict="needs_revision" if revise else "approve",
        issues=issues,
        feedback=join(ruled.feedback, told) if revise else answer.feedback,
        visual_reports=answer.visual_reports,
    )


def _coverage(analysis: AnalysisAnswer, stage: Stage) -> list[Issue]:
    wanted = [target.target_id for target in stage.numeric_targets]
    count = Counter(report.target_id for report in analysis.reports)
    return (
        [
            _issue("blocking", name, "the analysis does not report on this target", "add a report")
            for name in wanted
            if name not in count
        ]
        + [
            _issue("blocking", name, "no target of this stage", f"report on {', '.join(wanted)} only")
            for name in sorted(set(count) - set(wanted))
        ]
        + [
            _issue("blocking", name, f"reported {number} times", "report on each target once")
            for name, number in sorted(count.items())
            if number > 1 and name in wanted
        ]
    )


def _leniency(analysis: AnalysisAnswer, targets: tuple[TargetEvidence, ...]) -> list[Issue]:
    shown = {evidence.target_id: evidence for evidence in targets}
    issues: list[Issue] = []
    for report in analysis.reports:
        evidence = shown.get(report.target_id)
        if (
            evidence
            and not evidence.scripted
            and ORDER.index(report.classification) < ORDER.index(evidence.classification)
        ):
            reasons = "; ".join(evidence.reasons)
            issues.append(
                _issue(
                    "blocking",
                    report.target_id,
                    f"called {report.classification}, the evidence says "
                    f"{evidence.classification}" + (f" ({reasons})" if reasons else ""),
                    "an analysis may be stricter than the evidence, never more lenient",
                )
            )
    return issues


def _documentation(analysis: AnalysisAnswer, comparisons: tuple[FigureComparison, ...]) -> list[Issue]:
    documented = {discrepancy.target_id for discrepancy in analysis.discrepancies}
    return [
        _issue(
            "blocking",
            entry.target_id,
            f"{entry.classification} without a documented discrepancy",
            "add a discrepancy with its likely cause",
        )
        for entry in comparisons
        if entry.classification != "SUCCESS"
        and entry.evidence.undoubted != "SUCCESS"  # what only words leave open is no discrepancy
        and not entry.evidence.scripted
        and entry.target_id not in documented
    ]


def _percentages(analysis: AnalysisAnswer, targets: tuple[TargetEvidence, ...]) -> list[Issue]:
    shown = {evidence.target_id: tuple(_numbers(plain(evidence))) for evidence in targets}
    issues: list[Issue] = []
    for report in analysis.reports:
        if report.target_id not in shown:
            continue
        for match in _PERCENT.finditer(report.explanation):
            # Half a unit of the last digit quoted, with a hair for binary fractions.
            slack = 0.5 * 10.0 ** -len(match[2] or "") * (1 + 1e-9) + 1e-12
            if not any(abs(float(match[1]) - known) <= slack for known in shown[report.target_id]):
                issues.append(
                    _issue(
                        "minor",
                        report.target_id,
                        f"{match[0]!r} is in none of its evidence's numbers",
                        "quote the evidence's numbers, or leave the percentage out",
                    )
                )
    return issues


def _numbers(value: Any) -> Iterator[float]:
    """Every number in plain data as a percentage: as it stands, and as a fraction times 100; without sign."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, str):
        for match in _PERCENT.finditer(value):
            yield float(match[1])
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield abs(float(value))
        yield abs(float(value)) * 100


def _issue(severity: str, where: str, description: str, fix: str) -> Issue:
    return Issue.model_validate(
        {"severity": severity, "where": where, "description": description, "fix": fix}
    )
