"""Answers that fit their schema and that no code can use: they go back to their agent, and no run stops for good."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.flow import described
from tests.flow.kit import Bench, Model, wait_until

pytestmark = pytest.mark.flow
APPROVE = ("--answer", "material_checkpoint=approve")


def _no_real_number(request: dict[str, Any]) -> dict[str, Any]:
    """A parameter that is the root of -1, until the designer is told."""
    answer = described.answer(request)
    if "design" in answer and "complex" not in json.dumps(request):
        answer["design"]["code"] = described.COATED
        root = {"id": "root", "origin": "derived", "unit": "1", "expression": "(-1)**0.5"}
        answer["design"]["parameters"] = [*answer["design"]["parameters"], root]
    return answer


def _nothing(request: dict[str, Any]) -> dict[str, Any]:
    """A designer that gives neither a design nor an experiment nor a question."""
    return {} if "Request: simulation_designer" in json.dumps(request) else described.answer(request)


@pytest.mark.attack("answers", "goes back to the designer in words; the run goes on")
def test_a_parameter_that_is_no_real_number_goes_back_to_the_designer(bench: Bench) -> None:
    with Model(_no_real_number) as model:
        cli = bench.reproduce(model, *APPROVE)
        wait_until(
            lambda: (
                "design_reviewer.stage1_coating.1.1.0" in model.answered or cli.process.poll() is not None
            ),
            "a review of the mended design",
        )
        cli.end()
    assert model.answered["simulation_designer.stage1_coating.1.2.0"] == 1, cli.err[-3000:]
    assert "is complex" in cli.err


@pytest.mark.attack(
    "answers", "asked again, then a person: try again or stop with a report; never the same end twice"
)
def test_a_run_whose_agent_gives_nothing_usable_can_still_be_ended_with_a_report(bench: Bench) -> None:
    with Model(_nothing) as model:
        first = bench.reproduce(
            model,
            *APPROVE,
            *bench.settings(max_experiments=0, max_questions=0),
            env={"REPROLAB_NON_INTERACTIVE": "1"},
        )
        assert first.wait() == 3, first.err[-3000:]
        asked = {
            label: count
            for label, count in model.answered.items()
            if label.startswith("simulation_designer.stage1")
        }
        assert max(asked.values()) == 3  # once, and twice more by itself
        told = [
            json.dumps(request) for request in model.requests if "unreadable_answer" in json.dumps(request)
        ]
        assert len(told) == 2 and all("Code could not read your last answer" in text for text in told)
        again = bench.start("resume", "latest", "--answer", "invalid_answer=stop")
        assert again.wait() == 5, again.err[-3000:]
        assert dict(asked) == {label: model.answered[label] for label in asked}  # a resume buys nothing again
    assert "gave no usable answer" in bench.report()
