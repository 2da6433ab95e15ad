"""Inputs of a plan that hold a result: what the blind agents read as an input must not be what they are to find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agents.reproduce.rules.quoting import SENTENCE_END, has_number, normal, quoted
from agents.reproduce.rules.redaction import telling, values_in
from schemas.reproduce.planning.parameters import Assumption, ExtractedParameter
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.words.written import Written, matches, numbers_in, readable
from schemas.talking.review import Issue
from schemas.text.numbers import quantities_in

NEAR = 0.01  # an input this close to a result, relative, is taken for it
_UNITS = (1.0, 1e3, 1e-3, 1e2, 1e-2)  # nm and um, a fraction and its percentage
_HEADING = re.compile(r"^#+[ \t]+(.*)$", re.MULTILINE)
_FINDINGS = re.compile(
    r"\b(abstract|summary|results?|findings?|discussions?|conclusions?|outlook)\b", re.IGNORECASE
)


def leak_issues(
    plan: Plan, extracted: tuple[ExtractedParameter, ...], assumptions: tuple[Assumption, ...], text: str
) -> list[Issue]:
    """Blocking issues for each number given as an input that lies within 1 % of a result, in any usual unit.

    It passes if the paper states the number as an input: words that hold it stand outside abstract, results and
    conclusions, in no sentence that is quoted for a result; where the paper's headings say what its results are, in no sentence
    that is quoted for a result as near to it ("at 1550 nm the index is 2.69" states the 1550), and there a number with its unit
    passes whichever words the plan quotes for it. People's own assumptions pass.
    text: the paper's words.
    """
    results = dict(_results(plan, extracted))
    if not results:
        return []
    words_of = [(words, values) for words, values in _result_words(plan, extracted) if words.strip()]
    headed = any(_FINDINGS.search(title) for title in _HEADING.findall(text))
    every = _inputs_text(text, [words for words, _ in words_of])
    stated = [p.quotation for p in extracted if p.role == "input"]
    issues = []
    for where, number, unit, words in _inputs(plan, extracted, assumptions):
        name = next(
            (name for name, value in results.items() if telling(number) and _near(number, value)), None
        )
        if name is None:
            continue
        near = [told for told, values in words_of if any(_near(number, value) for value in values)]
        outside = _inputs_text(text, near) if headed else every
        if any(quoted(part, outside) and has_number(number, part) for part in (*words, *stated) if part):
            continue
        if unit and headed and any(n.unit and matches(n, number, unit) for n in _numbers(outside)):
            continue
        issues.append(
            Issue(
                severity="blocking",
                where=where,
                description=f"the input {number:g} is within {100 * NEAR:g} % of {name} = {results[name]:g}, which the simulation "
                "is to find, and no words of the paper outside its results state it as an input",
                fix="leave it out; if it is an input, give it as a parameter of role input whose quotation stands outside "
                "abstract, results and conclusions, in no sentence that a target or a result quotes; or make that no target",
            )
        )
    return issues


def _results(plan: Plan, extracted: tuple[ExtractedParameter, ...]) -> Iterator[tuple[str, float]]:
    for _, target in plan.targets():
        if target.reference.value is not None and telling(target.reference.value):
            yield target.target_id, target.reference.value
    for parameter in extracted:
        if parameter.role == "result":
            yield from (
                (f"result {parameter.name}", number)
                for number in values_in(parameter.value)
                if telling(number)
            )


def _result_words(
    plan: Plan, extracted: tuple[ExtractedParameter, ...]
) -> list[tuple[str, tuple[float, ...]]]:
    """The words quoted for each result, and its numbers."""
    return [
        *((t.reference.quotation, tuple(filter(None, [t.reference.value]))) for _, t in plan.targets()),
        *((p.quotation, tuple(values_in(p.value))) for p in extracted if p.role == "result"),
    ]


def _inputs(
    plan: Plan, extracted: tuple[ExtractedParameter, ...], assumptions: tuple[Assumption, ...]
) -> Iterator[tuple[str, float, str, tuple[str, ...]]]:
    """Where each number stands, the number, its unit where that is known, and the words quoted for it."""
    for p in extracted:
        if p.role == "input":
            units = {number: unit or p.unit for number, unit in quantities_in(p.value)}
            yield from (
                (f"parameter {p.name}", number, units.get(number, ""), ()) for number in values_in(p.value)
            )
    for assumption in assumptions:
        if assumption.source != "user":
            yield from (
                (f"assumption {assumption.assumption_id}", number, "", ())
                for number in values_in(assumption.value)
            )
    for material in plan.materials:
        if material.index is not None:
            yield f"material {material.name}", material.index, "", (material.source,)
        for term in material.terms:
            yield from ((f"material {material.name}", n.value, "", (n.quotation,)) for n in term.numbers)


def _inputs_text(text: str, result_words: list[str]) -> str:
    """The paper without its abstract, results and conclusions, and without the sentences that state a result."""
    kept, pieces = [], _HEADING.split(text)
    for title, body in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        if not _FINDINGS.search(title):
            kept += [
                sentence
                for sentence in SENTENCE_END.split(body)
                if not any(
                    quoted(words, sentence)
                    or (len(normal(sentence)) > 3 and normal(sentence) in normal(words))
                    for words in result_words
                )
            ]
    return "\n\n".join(kept)


@lru_cache(maxsize=64)
def _numbers(outside: str) -> tuple[Written, ...]:
    return tuple(numbers_in(readable(outside)))


def _near(one: float, other: float) -> bool:
    return any(abs(abs(one) - abs(other) * unit) <= NEAR * abs(other) * unit for unit in _UNITS)
