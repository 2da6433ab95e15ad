"""SupervisorAgent: what happens next, and the words of the report's conclusions."""

from __future__ import annotations

from typing import Any

from agents.reproduce.crew import declare
from agents.reproduce.rules.supervision import (
    SupervisorFacts,
    allowed_verdicts,
    gather,
    held_up,
    judge,
    rule,
    stage_status,
)
from agents.reproduce.shared import answers_to, interactions
from agents.talking.rendering import plain
from schemas.reproduce.judging.verdicts import ConclusionsAnswer, SupervisorAnswer
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.state import ReproState

__all__ = [
    "AGENT",
    "CONCLUSIONS",
    "SupervisorFacts",
    "conclusions_context",
    "context",
    "gather",
    "judge",
    "rule",
    "stage_status",
]

AGENT = declare(
    "supervisor",
    SupervisorAnswer,
    (
        "plan_summary",
        "progress",
        "validation_hierarchy",
        "figure_comparisons",
        "current_stage_summary",
        "runtime_budget",
        "revision_counts",
        "backtrack_suggestion",
        "systematic_discrepancies",
        "contradiction_candidates",
        "user_responses",
        "user_interactions",
        "answers_to_questions",
        "ask_user_trigger",
        "last_node_before_ask_user",
        "allowed_verdicts",
    ),
)
# The same agent writes the report's conclusions: another prompt, another answer.
CONCLUSIONS = declare(
    "supervisor",
    ConclusionsAnswer,
    (
        "paper_title",
        "plan_summary",
        "progress",
        "validation_hierarchy",
        "figure_comparisons",
        "discrepancies",
        "systematic_discrepancies",
        "assumptions",
        "contradictions",
        "contradiction_candidates",
        "instructions_found",
        "user_interactions",
        "stop_reason",
    ),
    prompt="supervisor_report",
)


def context(
    state: ReproState,
    paper: PaperInput,
    *,
    facts: SupervisorFacts,
) -> dict[str, object]:
    """Summaries of everything and the verdicts that are open; no paper text, code or data files."""
    log = interactions(state)
    last = log[-1] if log else {}
    return {
        "plan_summary": plan_summary(state),
        "progress": _progress(state),
        "validation_hierarchy": facts.hierarchy,
        "figure_comparisons": comparison_lines(state),
        "current_stage_summary": {
            "stage_id": facts.stage_id,
            "stage_type": facts.stage_type,
            "status_from_evidence": facts.stage_status_from_evidence,
            "execution": state.execution_verdict.verdict if state.execution_verdict else None,
            "physics": state.physics_verdict,
            "analysis": state.analysis.summary if state.analysis else None,
            "physics_stuck": facts.physics_stuck,
            "comparison_flagged": facts.comparison_flagged,
            "materials_confirmed": facts.materials_confirmed,
            "if_it_goes_on": held_up(state, facts) or None,
        },
        "runtime_budget": what_is_left(state, facts),
        "revision_counts": facts.counters,
        "backtrack_suggestion": facts.backtrack_suggestion,
        "systematic_discrepancies": state.systematic_discrepancies,
        "contradiction_candidates": state.contradiction_candidates,
        "user_responses": {
            entry["question"]: entry["user_response"]
            for entry in log
            if entry.get("stage_id") == facts.stage_id and {"question", "user_response"} <= entry.keys()
        },
        "user_interactions": log,
        "answers_to_questions": answers_to(state, AGENT.name, facts.stage_id),
        "ask_user_trigger": last.get("interaction_type"),
        "last_node_before_ask_user": last.get("agent"),
        "allowed_verdicts": allowed_verdicts(facts),
    }


def what_is_left(state: ReproState, facts: SupervisorFacts) -> dict[str, object]:
    """What the run may still use: time of work, replans, backtracks, money, tokens. The same when a run is resumed."""
    limits, counters = facts.limits, facts.counters
    left: dict[str, object] = {
        "minutes_used": round(state.runtime_used_s / 60),
        "minutes_left": round(max(0.0, facts.runtime_left_s) / 60),
        "replans_left": max(0, limits.max_replans - counters.replans),
        "backtracks_left": max(0, limits.max_backtracks - counters.backtracks),
    }
    if limits.max_cost_usd is not None:
        spent = sum(m.price_usd for m in state.metrics if isinstance(m.price_usd, (int, float)))
        left["usd_left"] = round(max(0.0, limits.max_cost_usd - spent), 2)
    if limits.max_tokens is not None:
        used = sum((m.input_tokens or 0) + (m.output_tokens or 0) for m in state.metrics)
        left["tokens_left"] = max(0, limits.max_tokens - used)
    return left


def conclusions_context(state: ReproState, paper: PaperInput) -> dict[str, object]:
    """What the conclusions are written from: findings, discrepancies, assumptions, and why the run ended."""
    return {
        "paper_title": paper.title,
        "plan_summary": plan_summary(state),
        "progress": _progress(state),
        "validation_hierarchy": state.hierarchy,
        "figure_comparisons": comparison_lines(state),
        "discrepancies": state.discrepancies,
        "systematic_discrepancies": state.systematic_discrepancies,
        "contradiction_candidates": state.contradiction_candidates,
        "assumptions": state.assumptions,
        "contradictions": state.contradictions,
        "instructions_found": state.instructions_found,
        "user_interactions": interactions(state),
        "stop_reason": state.stop_reason,
    }


def plan_summary(state: ReproState) -> dict[str, Any]:
    """The plan in brief: its claim, and per stage its type, dependencies and targets."""
    if state.plan is None:
        return {}
    return {
        "main_claim": state.plan.main_claim,
        "not_reproducible": state.plan.not_reproducible,
        "stages": [
            {
                "stage_id": stage.stage_id,
                "stage_type": stage.stage_type,
                "name": stage.name,
                "dependencies": stage.dependencies,
                "targets": [
                    f"{target.target_id} ({'major' if target.major else 'minor'}): {target.description}"
                    for target in stage.targets
                ],
            }
            for stage in state.plan.stages
        ],
    }


# What of a target's evidence says how it stands, and what else is told where it does not agree.
_STANDING = (
    "simulated",
    "reference",
    "reference_upper",
    "unit",
    "error",
    "measure",
    "acceptable",
    "uncertainty",
    "ran",
    "computed",
    "converged",
    "physical",
    "matches",
    "classification",
    "scripted",
    "about_paper",
)
_WHY = ("nrms_percent", "pearson", "shift_percent", "overlap", "reasons", "reference_source")


def comparison_lines(state: ReproState) -> list[dict[str, Any]]:
    """Each comparison with its four findings and its numbers; of one that does not agree also the reasons."""
    lines = []
    for entry in state.figure_comparisons:
        line = plain(entry)
        names = _STANDING if entry.classification == "SUCCESS" else (*_STANDING, *_WHY)
        line["evidence"] = {name: line["evidence"][name] for name in names if name in line["evidence"]}
        lines.append(line)
    return lines


def _progress(state: ReproState) -> list[dict[str, Any]]:
    """Progress of the stages without wall times, which differ between machines."""
    return [
        {key: value for key, value in plain(entry).items() if key != "wall_s"} for entry in state.progress
    ]
