"""The kinds of questions that a reproduction asks people."""

from __future__ import annotations

from typing import Literal

QuestionKind = Literal[
    "figures_checkpoint",
    "material_checkpoint",
    "clarification",
    "trade_off_decision",
    "parameter_confirmation",
    "stop_decision",
    "backtrack_approval",
    "context_overflow",
    "general_feedback",
    "plan_limit",
    "design_limit",
    "code_limit",
    "execution_limit",
    "replan_limit",
    "backtrack_limit",
    "model_error",
    "invalid_answer",
    "deadlock",
    "infrastructure",
    "execution_unknown",
    "physics_unknown",
    "doubts",
]
