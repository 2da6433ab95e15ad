"""Weights of a sample: every row counts once here, so data that bring weights are refused in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.errors import InputError

# a name that means nothing else: "weight" alone may be that of a body, and weights of NASA-TLX belong to its ratings
_OF = (
    r"survey|sampl(?:e|ing)|design|prob(?:ability)?|post_?strat\w*|case|population|analysis|analytic|freq(?:uency)?|nonresponse|"
    r"replicate|inverse_?probability|cross_?sectional"
)
_NAMED = re.compile(
    rf"(?:^|_)(?:{_OF})_?(?:weights?|wgts?|wghts?|wts?)(?:_|\d|$)|(?:^|_)(?:weights?|wgts?|wts?)_?(?:{_OF})(?:_|$)|"
    r"(?:^|_)(?:wgts?|wghts?|wtssall|wtssps|wtssnrps|wtss|[apdf]n?weights?|[apd](?:sp)?w[e]?i?ghts?|fnlwgt|finalwgt|iptw|"
    r"gewichtung\w*|\w*gewichtungsfaktor|hochrechnungsfaktor)(?:_|\d|$)"
)
_TOLD = re.compile(
    rf"\b(?:{_OF.replace('_?', '[- ]?')})[- ]weight(?:s|ing)?\b|\bweighting (?:factor|variable)|\bweights? (?:for|of) (?:the )?"
    r"(?:sample|survey|non-?response|population|respondents?|cases?)\b|\bto be weighted by\b|\bweight(?:s|ed)? (?:each|every) row\b|"
    r"\bnumber of (?:people|persons|cases) (?:that )?(?:a|each|the) row stands for\b",
    re.IGNORECASE,
)


def refuse_weights(columns: Sequence[str], notes: str) -> None:
    """Raises InputError for columns that are weights by their names, or by the line of the user's notes that names them."""
    lines = notes.splitlines()
    found = [
        name
        for name in columns
        if _NAMED.search(_plain(name))
        or any(
            _TOLD.search(line) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line, re.IGNORECASE)
            for line in lines
        )
    ]
    if found:
        raise InputError(
            "the data have weights, which no test here uses: every row counts once",
            found=", ".join(found[:8]) + (f" and {len(found) - 8} more" if found[8:] else ""),
            allowed="rows that stand for one participant or observation each",
            fix="take the columns out of the file where an unweighted analysis answers your question, and say in the notes that it is "
            "one; else use a program for survey data; a column that is no weight gets another name",
        )


def _plain(name: str) -> str:
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
    return re.sub(r"[^a-z0-9]+", "_", words).strip("_")
