"""All agents by name.

To add one: CONTRIBUTING.md.
"""

from __future__ import annotations

from agents.reproduce import (
    code_generator,
    code_reviewer,
    comparison_validator,
    design_reviewer,
    execution_validator,
    figure_reader,
    physics_sanity,
    plan_reviewer,
    planner,
    prompt_adaptor,
    results_analyzer,
    simulation_designer,
    supervisor,
)
from agents.talking.agent import Agent
from schemas.base import Model
from schemas.talking.shortening import FeedbackSummary

AGENTS: dict[str, Agent] = {
    agent.name: agent
    for agent in (
        figure_reader.AGENT,
        prompt_adaptor.AGENT,
        planner.AGENT,
        plan_reviewer.AGENT,
        simulation_designer.AGENT,
        design_reviewer.AGENT,
        code_generator.AGENT,
        code_reviewer.AGENT,
        execution_validator.AGENT,
        physics_sanity.AGENT,
        results_analyzer.AGENT,
        comparison_validator.AGENT,
        supervisor.AGENT,
    )
}
CONCLUSIONS: Agent = supervisor.CONCLUSIONS
ANSWERS: dict[str, type[Model]] = {
    agent.answer.__name__: agent.answer for agent in (*AGENTS.values(), planner.REVISING, CONCLUSIONS)
}
ANSWERS[FeedbackSummary.__name__] = FeedbackSummary
