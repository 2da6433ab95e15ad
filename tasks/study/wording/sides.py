"""One-sided tests: the side is what the hypothesis says in words before the data are known, or there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.study.design import Variable, Variables
from schemas.study.scope import Hypothesis
from tasks.study.wording.claim_words import claimed, clauses
from tasks.study.wording.named_levels import compared, like

_EXPECTS = re.compile(
    r"\b(?:would|should|may|might|could|can|(?:is|are) (?:expected|hypothesi[sz]ed|predicted) to)\b",
    re.IGNORECASE,
)


def stated_side(item: Hypothesis, variables: Variables) -> str:
    """What the statement's words expect to lie higher: the name of one of two levels, `positive` or `negative` of an association;
    '' where they name none, or both."""
    first = _compared(item, variables)
    levels = first.levels if first is not None and first.kind in ("nominal", "ordinal") else ()
    by_level = item.relation == "difference" or _of_levels(item, first)
    if item.claim or (by_level and len(levels) != 2):
        return ""
    names = levels if by_level else ("positive", "negative")
    signs = _direction(_EXPECTS.sub("will", item.statement), item.outcome, levels if by_level else ())
    return {frozenset({1}): names[0], frozenset({-1}): names[1]}.get(frozenset(signs), "")


def _compared(item: Hypothesis, variables: Variables) -> Variable | None:
    """The variable whose levels, or whose coefficient, a direction is about."""
    name = item.focus or next(iter(item.predictors), "")
    return next((found for found in variables.variables if found.name == name), None)


def _of_levels(item: Hypothesis, first: Variable | None) -> bool:
    """Whether the focus of a prediction has levels; a numeric one has a sign."""
    return bool(item.focus) and first is not None and first.kind == "nominal"


def side_faults(item: Hypothesis, variables: Variables) -> list[str]:
    """What of a hypothesis' direction does not fit its statement or the levels of its predictor, as a design declares them."""
    if not item.expected_higher:
        return []
    first = _compared(item, variables)
    by_level = item.relation == "difference" or _of_levels(item, first)
    if by_level and first is not None and item.expected_higher not in first.levels:
        return [
            f"{item.id} expects {item.expected_higher} to lie higher, which is no level of {first.name}; its levels are "
            f"{', '.join(first.levels) or 'not declared'}"
        ]
    said = stated_side(item, variables)
    return [f"{item.id}: {_other(item, said)}"] if said not in ("", item.expected_higher) else []


def sided(
    hypotheses: Sequence[Hypothesis], variables: Variables, *, known: bool
) -> tuple[list[Hypothesis], dict[str, str]]:
    """The hypotheses with the side that counts, and hypothesis -> what is to be said of one that was planned one-sided.

    known: the data or results were known when the side was chosen; then no test is one-sided.
    """
    found, notes = [], {}
    for item in hypotheses:
        if item.expected_higher:
            said = stated_side(item, variables)
            why = (
                "its side was chosen when the data were known"
                if known
                else "its statement names no side that code can read"
                if not said
                else _other(item, said)
                if said != item.expected_higher
                else ""
            )
            if why:
                notes[item.id] = (
                    f"planned one-sided ({item.expected_higher} higher) and tested two-sided: {why}"
                )
                item = item.model_copy(update={"expected_higher": ""})
        if known and item.equivalent_within is not None:
            notes[item.id] = (
                "its bound was chosen when the data were known, so that equivalence is no more than a description"
            )
        found.append(item)
    return found, notes


def _other(item: Hypothesis, said: str) -> str:
    return (
        f"its statement says the other side ({said}, where {item.expected_higher} is expected to lie higher)"
    )


def _direction(statement: str, outcome: str, levels: Sequence[str]) -> set[int]:
    """The directions that a statement names: 1 where it says that the first of two levels lies higher, or that an association
    (no levels) is positive; -1 for the opposite."""
    found = set()
    for clause in clauses(statement):
        for kind, before, after, _ in claimed(clause):
            if not levels and kind in ("positive", "negative"):
                found.add(1 if kind == "positive" else -1)
            if len(levels) == 2 and kind in ("lower", "higher", "differs"):
                if kind == "differs":
                    kind = like(outcome, before)
                subject, _ = compared(before, after, levels)
                if subject and kind != "differs":
                    found.add(1 if (kind == "higher") == (subject == levels[0]) else -1)
    return found
