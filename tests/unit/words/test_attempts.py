"""What adversaries tried: each that a structural doubt holds raises one, and no honest paper among them does."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.reproduce.planning.declared import declared as declared_inputs
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.simulations.design import Design
from schemas.reproduce.words.structure_words import structure_words
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.references.structure import structure_faults
from tests.lies.attempts import cases, design, plan, title

pytestmark = pytest.mark.unit
CASES = {case["name"]: case for case in cases()}
HELD = [name for name, case in CASES.items() if case["held"] == "structure"]
HONEST = [name for name, case in CASES.items() if case["kind"] == "honest"]


def doubts(case: dict[str, Any]) -> list[str]:
    """What the paper's words state of the structure that its description has not."""
    answer = PlannerAnswer.model_validate(plan(case))
    made = Design.model_validate(design(case))
    entries = [
        one.model_dump(mode="json")
        for one in (*declared_inputs(answer.extracted_parameters).parameters, *made.parameters)
    ]
    found = from_document(document(described(made.code, entries)), declared(entries), made.code)
    paper = PaperInput(
        paper_id="attempt",
        title=title(case),
        citation="nobody, nowhere (2020)",
        text=case["text"],
        figures=tuple(PaperFigure.model_validate(one) for one in case.get("figures", [])),
    )
    targets = answer.plan.stages[0].numeric_targets
    references = [(t.reference.value, t.unit) for t in targets if t.reference.value is not None]
    words = structure_words(paper.words(bibliography=False))
    return [why for t in targets for why in structure_faults(found, t.target_id, words, {}, references)]


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize("name", HELD)
def test_what_the_paper_states_and_nothing_has_is_doubted(name: str) -> None:
    """Lie: an adversary's, of a structure that the paper has otherwise."""
    assert doubts(CASES[name])


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_paper_of_the_same_kind_is_not(name: str) -> None:
    assert not doubts(CASES[name])
