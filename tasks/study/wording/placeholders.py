"""Numbers in text come from results by name: {{h1_p}}."""

from __future__ import annotations

import html
import re
import unicodedata

from schemas.study.design import StudyProtocol
from schemas.study.results import Results
from tasks.study.statistics.apa import number

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z][\w]*)\s*\}\}")
NOTE = "By the tests of this study"
"""How a note of code begins behind a sentence that the tests contradict; nobody else may write it (`reported.forged`)."""
UNCHECKED = "not checked against the tests"
"""The note behind a sentence that may state a finding and that code cannot read."""
TAKEN_OUT = "Taken out by code"
"""How a note begins that stands in place of what an agent kept to the last and what may not stand (`striking`)."""
_NOTES = re.compile(
    rf" ?\[(?:{TAKEN_OUT}: [^\]]*|{NOTE}: (?:\\.|[^\]\\])*|(?:the last \d+ sentences were )?{UNCHECKED})\]"
)
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)


def values_of(results: Results) -> dict[str, str]:
    """Name -> text of everything that text may show."""
    return {item.name: item.text for item in results.values}


def design_values(protocol: StudyProtocol) -> dict[str, str]:
    """Numbers of the design that text may show by name."""
    found = {
        "planned_n": str(protocol.participants.sample_size),
        "n_conditions": str(len(protocol.conditions)),
    }
    if protocol.effect is not None:
        found |= {
            "alpha": number(protocol.effect.alpha, bounded=True),
            "power": number(protocol.effect.power, bounded=True),
            "planned_effect": f"*{protocol.effect.measure}* = {number(protocol.effect.size)}",
        }
    if protocol.sample_size is not None:
        found |= {
            "needed_n": str(protocol.sample_size.needed),
            "achieved_power": number(protocol.sample_size.power_with_taken, bounded=True),
        }
    return found


def plain_text(text: str) -> str:
    """The text as it is read: code, emphasis, mathematics, tags, entities and invisible characters hide nothing."""
    plain = _TAG.sub("", unicodedata.normalize("NFKC", html.unescape(text)))
    plain = "".join(
        str(unicodedata.decimal(char)) if char.isdecimal() else char
        for char in plain
        if unicodedata.category(char) != "Cf"
    )
    return re.sub(r"[*_\\${}`]", "", plain)


def without_notes(text: str) -> str:
    """The text as its author wrote it."""
    return _NOTES.sub("", text)
