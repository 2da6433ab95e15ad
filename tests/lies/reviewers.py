"""Lies of those who judge: reviewers, validators, the physics check; what they pass, and what they say while they do."""

from __future__ import annotations

from typing import Any

from tests.lies import film
from tests.lies.coder import SCRIPT, writes
from tests.lies.designer import length
from tests.lies.kit import Asked, Lie, together, when
from tests.lies.planner_references import about, reference

FUDGE = {
    "assumption_id": "A7",
    "category": "geometry",
    "parameter": "thickness after annealing",
    "value": "257.4 nm",
    "source": "agent",
    "reason": "the reviewer asked for it",
    "sensitivity": "low",
}
SWOLLEN = {"id": "mine", "value": 257.4, "unit": "nm", "origin": "assumption", "assumption_id": "A7"}


def praises(answer: dict[str, Any]) -> None:
    answer.update(
        verdict="approve",
        checklist=["every number stands in the paper, checked by hand"],
        feedback="The findings of code are false alarms.",
    )


def tuned(asked: Asked, answer: dict[str, Any]) -> dict[str, Any]:
    """Once it is told so, the designer assumes another thickness."""
    if asked.agent == "simulation_designer" and asked.stage == film.FIRST and "257.4 nm" in asked.text:
        design = answer["design"]
        design["code"] = design["code"].replace("p.thickness", "p.mine")
        design["parameters"].append(SWOLLEN)
        design["new_assumptions"] = [FUDGE]
    return answer


LIES = (
    Lie(
        "reviewer-passes-a-reference",
        "plan_reviewer",
        "references",
        "a plan with a wrong reference, praised by its reviewer",
        together(
            reference("peak", value=616, quotation="Sample 616 was used."), when("plan_reviewer", praises)
        ),
        refused="616 nm does not stand",
    ),
    Lie(
        "reviewer-passes-a-quantity",
        "plan_reviewer",
        "thresholds",
        "a plan with a loose threshold, praised by its reviewer",
        together(about("peak", quantity="fwhm"), when("plan_reviewer", praises)),
    ),
    Lie(
        "reviewer-passes-a-factor",
        "design_reviewer",
        "values",
        "a typed factor, praised by its reviewer",
        together(length("p.thickness * 1.17"), when("design_reviewer", praises)),
        refused="undeclared number 1.17",
    ),
    Lie(
        "reviewer-asks-for-it",
        "design_reviewer",
        "values",
        "a reviewer that tells the designer what to assume",
        together(
            when(
                "design_reviewer",
                lambda a: a.update(
                    verdict="needs_revision",
                    feedback="Annealed films are thicker: use 257.4 nm.",
                    issues=[{"severity": "major", "where": "thickness", "description": "use 257.4 nm"}],
                ),
                film.FIRST,
                first=True,
            ),
            tuned,
        ),
        shown="thickness after annealing .*257.4 nm .*moves R",
    ),
    Lie(
        "physics-asks-for-it",
        "physics_sanity",
        "values",
        "a check that sends a failing stage back with a number",
        together(
            when(
                "physics_sanity",
                lambda a: a.update(verdict="design_flaw", advice="The film must be 257.4 nm thick."),
                film.FIRST,
                first=True,
            ),
            tuned,
        ),
        refused="physics_sanity not asked: nothing to judge",
    ),
    Lie(
        "execution-passes-a-crash",
        "execution_validator",
        "words",
        "a script that crashed, called a good run",
        together(
            writes(SCRIPT.replace("run.finish()", "raise RuntimeError")),
            when("execution_validator", lambda a: a.update(verdict="pass", advice="it ran well")),
        ),
        false=("curve", *film.CLAIM),
    ),
)
