"""One-sided tests: the side is what the hypothesis says in words before the data are known, or there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.study.design import Variables
from schemas.study.scope import Hypothesis
from tasks.study.wording.claims_of_tests import read_direction

_EXPECTS = re.compile(
    r"\b(?:would|should|may|might|could|can|(?:is|are) (?:expected|hypothesi[sz]ed|predicted) to)\b",
    re.IGNORECASE,
)
_OTHER = {"greater": "less", "less": "greater"}


def stated_side(item: Hypothesis, variables: Variables) -> str:
    """The alternative that the statement's words name ("greater": the first level lies higher, or the association is
    positive); '' where they name none, or both."""
    first = next((found for found in variables.variables if found.name == item.predictors[0]), None)
    levels = first.levels if first is not None and first.kind in ("nominal", "ordinal") else ()
    if item.claim or (item.relation == "difference" and len(levels) != 2):
        return ""
    signs = read_direction(
        _EXPECTS.sub("will", item.statement), item.outcome, levels if item.relation == "difference" else ()
    )
    return {frozenset({1}): "greater", frozenset({-1}): "less"}.get(frozenset(signs), "")


def sided(
    hypotheses: Sequence[Hypothesis], variables: Variables, *, known: bool
) -> tuple[list[Hypothesis], dict[str, str]]:
    """The hypotheses with the side that counts, and hypothesis -> what is to be said of one that was planned one-sided.

    known: the data or results were known when the side was chosen; then no test is one-sided.
    """
    found, notes = [], {}
    for item in hypotheses:
        if item.alternative != "two-sided":
            said = stated_side(item, variables)
            why = (
                "its side was chosen when the data were known"
                if known
                else "its statement says the other side"
                if said == _OTHER[item.alternative]
                else "its statement names no side that code can read"
                if not said
                else ""
            )
            if why:
                notes[item.id] = f"planned one-sided ({item.alternative}) and tested two-sided: {why}"
                item = item.model_copy(update={"alternative": "two-sided"})
        found.append(item)
    return found, notes
