"""An adversary's paper as data, and what the checks of words say of it, without a simulation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agents.reproduce.rules.choice_words import choice_words
from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.input_rules import input_words
from agents.reproduce.rules.reference_rules import quotable
from agents.reproduce.rules.word_rules import called
from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.reproduce.planning.declared import declared as declared_inputs
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.simulations.design import Design
from schemas.reproduce.words.structure_words import structure_words
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.answering import answering
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.describing.inputs_used import altered, inputs_used, materials_used, taken_for_another
from tasks.reproduce.references.called import unmatched
from tasks.reproduce.references.choices import choice_faults
from tasks.reproduce.references.structure import structure_faults
from tests.lies.attempts import design, plan, title
from tests.unit.words.honest import Case


def read(case: dict[str, Any]) -> Case:
    """The paper, the plan's inputs and targets, and the description."""
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
    return Case(paper, answer.extracted_parameters, answer.plan.materials, found, targets)


def of_structure(one: Case) -> list[str]:
    """What the paper's words state of the structure that its description has not."""
    references = [(t.reference.value, t.unit) for t in one.targets if t.reference.value is not None]
    words = structure_words(quotable(one.paper))
    return [
        why for t in one.targets for why in structure_faults(one.found, t.target_id, words, {}, references)
    ]


def of_result(one: Case, columns: Mapping[str, Sequence[str]] = {}) -> Iterator[str]:
    """What the words call a target's number that was not computed, or leave open of its feature."""
    for target in one.targets:
        yield from unmatched(
            called(target, one.paper, one.extracted, columns), target, answering(one.found, target.target_id)
        )
        left = bound(target, quotable(one.paper), one.extracted)
        yield from (*left.refused, *left.loose)


def doubts(case: dict[str, Any]) -> Iterator[str]:
    """All that the words of a paper make doubtful, of a whole run's checks of them."""
    one, columns = (
        read(case),
        {name: tuple(t.split("\n")[0].split(",")) for name, t in case.get("files", {}).items()},
    )
    words = input_words(one.extracted, one.materials, quotable(one.paper))
    unbound = {name: said.fault for name, said in words.items() if said.fault}
    unbound |= altered(one.found, words) | taken_for_another(one.found, words)
    yield from of_structure(one)
    yield from of_result(one, columns)
    for target in one.targets:
        name = target.target_id
        rests = inputs_used(one.found, name) | materials_used(one.found, name)
        yield from (f"{of}: {why}" for of, why in unbound.items() if of in rests)
        yield from choice_faults(one.found, name, choice_words(target, one.paper), words)
        for low, high in bound(target, quotable(one.paper), one.extracted).windows:
            if not columns:  # harmless where a figure's own data end there
                yield f"nothing states the range {low:g} to {high:g}"


def with_words(case: dict[str, Any], words: str, methods: str = "") -> dict[str, Any]:
    """The same paper that says these words of its one result, "#" for the number, and more of its methods."""
    target = case["targets"][0]
    said = words.replace("#", f"{target['reference']['value']:g} {target['unit']}")
    text = case["text"].replace(target["reference"]["quotation"], said)
    return {
        **case,
        "text": text.replace("\n\n## Results", f" {methods}\n\n## Results"),
        "targets": [{**target, "reference": {**target["reference"], "quotation": said}}],
    }
