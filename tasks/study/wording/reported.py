"""What a paper's Results section says of the tests, written by code, and what nobody else may write in its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.study.design import StudyProtocol
from schemas.study.results import Results
from schemas.text.addressed import addressed
from schemas.text.addressed.fold import latin
from tasks.study.statistics.apa import number, p_value
from tasks.study.test_findings import Finding, level_of
from tasks.study.wording.escaping import escaped
from tasks.study.wording.placeholders import NOTE, TAKEN_OUT

HEADING = "Tests of all hypotheses"
TEXTS_HEADING = "What was found in the texts"
OWN_WORDS = "In the authors' words"
_LINE = "Written by code from results.json: every hypothesis, in the plan's order"


def written_tests(found: Sequence[Finding], results: Results, protocol: StudyProtocol) -> str:
    """The tests of a Results section as Markdown: a table, then each hypothesis with its APA text and what it shows."""
    level = level_of(protocol)
    rule = f"shown: p below {number(level, bounded=True)}, corrected where several hypotheses are confirmatory or none is"
    if results.framework == "bayesian":
        rule = "shown: a Bayes factor of at least 3; not shown: of at most one third"
    lines = [
        f"### {HEADING}",
        "",
        f"*{_LINE}; {rule}.*",
        "",
        "| hypothesis | kind | tested | n | statistic | p | corrected p | effect | shown |",
        "|---" * 9 + "|",
    ]
    for item in found:
        test = item.test
        corrected = next(
            (p for p in (test.p_adjusted if test.adjustment else None, test.p_family) if p is not None), None
        )
        tested = test.of + (f" ({test.claim})" if test.claim else "")
        shown = "not decided" if item.shown is None else "yes" if item.shown else "no"
        effect = test.effect
        cells = [
            item.id,
            _kind(item),
            tested,
            str(test.n),
            _number(test.statistic),
            _p(test.p),
            _p(corrected),
            f"{effect.name} {number(effect.value)}" if effect else "",
            shown,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    lines += [""]
    for item in found:
        lines += [
            f"- **{item.id}** ({_kind(item)}): {escaped(item.hypothesis.statement)} {item.test.apa}. {item.words}."
            + "".join(f" {escaped(warning)}." for warning in item.test.warnings)
        ]
        lines += [f"  - {pair.apa}" for pair in item.test.pairs]
    lines += [f"- **{item.id}** was not tested: {escaped(item.because)}." for item in results.not_tested]
    return "\n".join(lines)


def forged(text: str) -> list[str]:
    """Lines in the name of code, and tables: only code writes these into a paper. And what addresses an AI: nobody does."""
    own = [
        name
        for name in (HEADING, TEXTS_HEADING, "Written by code", OWN_WORDS, NOTE, TAKEN_OUT)
        if latin(name) in latin(text)
    ]
    faults = [f"only code writes {name!r}" for name in own]
    if re.search(r"^\s*\|.*\|", text, re.MULTILINE):
        faults.append("tables are code's: it prints every test before your text; leave yours out")
    return faults + [f"it addresses an AI: {entry.words}" for entry in addressed(text)]


def _kind(item: Finding) -> str:
    return "confirmatory" if item.hypothesis.confirmatory else "exploratory"


def _number(value: float | None) -> str:
    return "" if value is None else number(value)


def _p(value: float | None) -> str:
    return "" if value is None else p_value(value).removeprefix("*p* ").removeprefix("= ")
