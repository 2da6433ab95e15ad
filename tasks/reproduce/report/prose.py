"""Agents' words beside the evidence: numbers that no evidence holds, and praise of what failed, marked where they stand."""

from __future__ import annotations

import re

from schemas.reproduce.words.same_number import rounding, same
from schemas.text.numbers import numbers_in
from tasks.reproduce.report.source import Source, TargetLine

# Strong words hold for SUCCESS only; the others for PARTIAL too.
_STRONG = (
    r"(?:excellent|perfect|full|very good|complete|quantitative)(?:ly)? (?:agreement|match|agrees?)"
    r"|(?:fully |well )?reproduc(?:es|ed)\b|success(?:ful(?:ly)?)?\b|confirm(?:s|ed)\b"
)
_ANY = r"|good agreement|agrees? (?:well )?with|match(?:es|ed)?\b|consistent with"
_NEGATED = re.compile(
    r"\b(?:not|no|never|nothing|neither|fails?|failed|cannot|partly|partially|in part|without|less)\W+"
    r"(?:\w+\W+){0,4}\Z",
    re.IGNORECASE,
)
_SAID_THEIRS = re.compile(
    r"(?i)\b(?:papers?|papers?'s|published|reported|quoted|stated|reference|against|versus|vs|instead of|rather than)(?:['\u2019]s)?"
    r"[^\w.;]{1,3}(?:[^\W\d]\w*\W{1,3}){0,3}$"
)  # words that say whose number comes
_SENTENCE = re.compile(r"[^.!?\n]*(?:(?:[.!?](?=\d)|(?<=\b[Ff]ig)\.|(?<=\b[Ff]igs)\.)[^.!?\n]*)*[.!?\n]*")
_ROUNDING, _COUNTS = 0.006, 12


_MARK = re.compile(
    r" \{code: (no number of the evidence|the paper's number, not ours|the evidence says (?:FAILURE|PARTIAL))\}"
)
_HIGH = str.maketrans("0123456789", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


def noted(source: Source, text: str, line: TargetLine | None = None) -> str:
    """An agent's words with what code marks in them as footnotes: a small number where it stands, and below what it means."""
    meanings: list[str] = []

    def small(mark: re.Match[str]) -> str:
        if mark[1] not in meanings:
            meanings.append(mark[1])
        return _small(meanings.index(mark[1]))

    text = _MARK.sub(small, marked(source, text, line))
    notes = "; ".join(f"{_small(place)} {meaning}" for place, meaning in enumerate(meanings))
    return f"{text}\n\nMarked by code: {notes}." if notes else text


def _small(place: int) -> str:
    return f"\u207d{str(place + 1).translate(_HIGH)}\u207e"


def marked(source: Source, text: str, line: TargetLine | None = None) -> str:
    """An agent's words with a mark behind each number that no evidence, input or word of the paper holds, behind the paper's
    number where ours does not agree, and behind praise of a target whose class is FAILURE or PARTIAL.

    line: the target the words are about; without, a sentence is held against the targets and figures it names, or the verdict.
    """
    numbers = [n for n in numbers_in(text) if n.standing != "hidden"]
    marks = [
        (n.after, "{code: no number of the evidence}")
        for n in numbers
        if not (n.any_unit == "" and n.value == int(n.value) and abs(n.value) <= _COUNTS)
        and not any(same(n.value, n.any_unit, value, unit, _ROUNDING) for value, unit in source.known_numbers)
        and not any(
            same(n.value, n.any_unit, value, unit, rounding(n)) for value, unit in source.evidence_numbers
        )
    ]
    marks += [
        (n.after, "{code: the paper's number, not ours}")
        for n in numbers
        if not _SAID_THEIRS.search(text[: n.start])
        and _theirs(source, n.value, n.any_unit, max(_ROUNDING, rounding(n)))
    ]
    for sentence in _SENTENCE.finditer(text):
        found = _class_of(source, sentence[0], line)
        if found in ("FAILURE", "PARTIAL"):
            words = re.compile(rf"\b(?:{_STRONG}{_ANY if found == 'FAILURE' else ''})(?!\w)", re.IGNORECASE)
            marks += [
                (sentence.start() + praise.end(), f"{{code: the evidence says {found}}}")
                for praise in words.finditer(sentence[0])
                if not _NEGATED.search(sentence[0][: praise.start()])
            ]
    for place, mark in sorted(marks, reverse=True):
        text = f"{text[:place]} {mark}{text[place:]}"
    return text


def _theirs(source: Source, value: float, unit: str, tolerance: float) -> bool:
    """Whether a number is the paper's of a target that did not agree, and no value of ours."""
    found = [(line.classification, c.evidence) for line, c in source.compared]
    ours = any(
        e.simulated is not None and same(value, unit, abs(e.simulated), e.unit, tolerance) for _, e in found
    )
    return not ours and any(
        e.reference is not None and same(value, unit, abs(e.reference), e.unit, tolerance)
        for classification, e in found
        if classification != "SUCCESS"
    )


def _class_of(source: Source, sentence: str, line: TargetLine | None) -> str:
    """The worst class of what a sentence is about."""
    if line is not None:
        return line.classification
    named = [one.classification for one in source.claims if _named(one.target_id, sentence)] or [
        one.classification for one in source.claims if _named(one.figure_id, sentence)
    ]
    if named:
        return "FAILURE" if "FAILURE" in named else "PARTIAL" if "PARTIAL" in named else "SUCCESS"
    return {"Not reproduced": "FAILURE", "Partly reproduced": "PARTIAL"}.get(
        source.headline.verdict, "SUCCESS"
    )


def _named(name: str, sentence: str) -> bool:
    """Whether a target or a figure stands in a sentence: fig2 also as "Figure 2", "Fig. 2", but no fig2b."""
    figure = re.fullmatch(r"fig(?:ure)?[_-]?(\w+)", name, re.IGNORECASE)
    spelt = rf"|fig(?:ures?|s?\.)?\s*(?:\w{{1,3}}(?:,| and| to)\s+)*{re.escape(figure[1])}" if figure else ""
    return re.search(rf"(?<!\w)(?:{re.escape(name)}{spelt})(?!\w)", sentence, re.IGNORECASE) is not None
