"""Which variables and levels words name, and which of two levels a comparing word speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.study.wording.claim_words import AT, FOR, THAN, Claim


def balanced(levels: Sequence[str]) -> bool:
    """Whether none of these levels stands alone, or is named again: what is said is said of all alike."""
    return len({*levels}) != 1 and len(levels) == len({*levels})


def compared(before: str, after: str, levels: Sequence[str]) -> tuple[str, str]:
    """The level that is said to be lower, higher or other, and the one beside it; '' where that cannot be told."""
    than = THAN.search(after)
    first = after[: than.start()] if than else after
    beside = mentioned(after[than.end() :], levels)[:1] if than else []
    close = mentioned(first, levels)[:1] if FOR.match(first) else []
    if than is None and not close and len({*mentioned(f"{before} {after}", levels)}) > 1:
        return "", ""
    [subject] = close or mentioned(before, levels)[-1:] or mentioned(first, levels)[:1] or [""]
    [reference] = beside or [""]
    if len(levels) == 2:
        subject = subject or next((name for name in levels if reference and name != reference), "")
        reference = reference or next((name for name in levels if subject and name != subject), "")
    return (subject, reference) if subject != reference else ("", "")


def mentioned(words: str, levels: Sequence[str], *, bare: bool = False) -> list[str]:
    """The levels that words name, in their order; a bare number is none, unless a number's name holds it. bare: without those that
    numbers' names hold."""
    found = sorted(
        (match.start(), name)
        for name in levels
        if not (bare and name.isdigit())
        for match in re.finditer(
            rf"{AT if name.isdigit() else f'(?<!{AT})' if bare else ''}\b{re.escape(name).replace('_', '[ _-]')}\b",
            words,
            re.IGNORECASE,
        )
    )
    return [name for _, name in found]


def like(outcome: str, before: str) -> Claim:
    """higher, where the comparing word is the outcome's own (easier of ease); else only that they differ."""
    last = re.search(r"(\w+)\W*\Z", before)
    return (
        "higher" if last and len(outcome) >= 3 and last[1].lower()[:3] == outcome.lower()[:3] else "differs"
    )


def spoken(name: str, words: str) -> bool:
    """Whether words name a variable, also as trusted of trust and easier of ease."""
    spaced = re.escape(name).replace("_", "[ _-]")
    ends = rf"\w{{0,3}}|(?<=\b){re.escape(name[:3])}\w*(?:er|est)" if len(name) >= 4 else "(?:s|es)?"
    return bool(re.search(rf"\b(?:{spaced}{ends})\b", words, re.IGNORECASE))
