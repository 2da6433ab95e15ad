"""Numbers of a node's own, which nobody measured: in title, abstract and conclusion one stands as a measurement's condition only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.explore.science_data import Number, ScienceData
from tasks.explore.paper.markup import Inline, words_of

_CONDITION = re.compile(r"\s*(?:and )?(?:with|at|for|when|where|if|under|using)\b", re.IGNORECASE)
_AS_RESULT = re.compile(
    r"\b(?:ratios?|quotients?|factors?|fractions?|shares?|percent|gains?|improve\w*|speed\w*|slow\w*|fast\w*|quick\w*|better|best|"
    r"worse|savings?|sav(?:es?|ed)|boost\w*|advantages?|reductions?|time[sd]?|run-?times?|durations?|costs?|errors?|accurac\w+|"
    r"performance|throughput|latenc\w+|efficienc\w+|quality|scores?|results?|reach\w*|gets?|got|gives?|gave)\b",
    re.IGNORECASE,
)


def named_numbers(pieces: Sequence[Inline], data: ScienceData) -> list[Number]:
    """The numbers of the data that a sentence names, in their order."""
    return [
        data.numbers[piece.name] for piece in pieces if piece.kind == "number" and piece.name in data.numbers
    ]


def is_measured(number: Number) -> bool:
    """Whether code measured it, or made it of what code measured."""
    return (
        number.kind == "measured"
        or (number.kind == "derived" and bool(number.derived_from))
        or number.name == "nodes.better"
    )


def number_of_its_own(pieces: Sequence[Inline], data: ScienceData) -> str:
    """The first number that a node reported, or that it set and that is no condition of a measurement of the same node in the same
    sentence ("with all films {{...}} too thick the mean is {{...}}"), as it is written; '' where there is none."""
    nodes = {number.node_id for number in named_numbers(pieces, data) if is_measured(number)}
    before = ""
    for piece in pieces:
        number = data.numbers.get(piece.name) if piece.kind == "number" else None
        if number is None:
            before += words_of(piece) or " "
            continue
        phrase, before = re.split(r"[,;:.]", before)[-1], ""
        name = re.sub(r"[_.]", " ", number.name)
        condition = (
            number.node_id in nodes and _CONDITION.match(phrase) and not _AS_RESULT.search(f"{phrase} {name}")
        )
        if number.kind == "reported" or (number.kind == "parameter" and not condition):
            return f"{{{{{number.name}}}}}"
    return ""
