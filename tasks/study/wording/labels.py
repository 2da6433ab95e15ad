"""What a sentence calls a number that it names (mean, SD, of touch, of trust) beside what the number is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from tasks.study.results_file import slug
from tasks.study.test_findings import Finding
from tasks.study.wording.placeholders import PLACEHOLDER, plain_text

Kind = Literal["mean", "sd", "median", "n", "adjusted", ""]
"""'': a text of one level that says itself which numbers it holds."""
_CALLED: dict[Kind, re.Pattern[str]] = {
    "mean": re.compile(r"\b(?:[Mm]eans?|[Aa]verages?|averaged|M(?=\s*=))\b"),
    "sd": re.compile(r"\b(?:SDs?|standard deviations?|deviations?|spread)\b", re.IGNORECASE),
    "median": re.compile(r"\b(?:medians?|Mdn)\b", re.IGNORECASE),
    "adjusted": re.compile(r"\badjusted\b", re.IGNORECASE),
    "n": re.compile(
        r"\b(?:sample sizes?|number of (?:\w+ )?(?:participants|respondents|people|rows)|[nN](?=\s*=))\b"
    ),
}
_PEOPLE = re.compile(r"\A\s*(?:\w+ )?(?:participants|respondents|people|persons)\b", re.IGNORECASE)
_NAME = re.compile(r"(?:at_(?P<level>.+?)(?:_(?P<kind>mean|sd|median|n|adjusted))?|(?P<whole>n))\Z")
_IS: dict[Kind, str] = {
    "mean": "the mean",
    "sd": "the standard deviation",
    "median": "the median",
    "n": "the number",
    "adjusted": "the adjusted mean",
}


def mislabelled(
    sentence: str,
    findings: Sequence[Finding],
    spoken: Callable[[str, str], bool],
    mentioned: Callable[[str, Sequence[str]], list[str]],
) -> str:
    """What a named number is, where the words beside it call it something else; '' where none is miscalled.

    Only numbers that are printed bare, and the text of one level: a test's text says itself what it is. Judged
    are the words since the number before, and up to the next. spoken: whether words name a variable;
    mentioned: the levels that words name.
    """
    parts = PLACEHOLDER.split(sentence)
    words, names = [plain_text(part) for part in parts[::2]], parts[1::2]
    whole = " ".join(words)
    for place, name in enumerate(names):
        found = _number(name, findings)
        if found is None:
            continue
        item, level, kind = found
        before, after = words[place], words[place + 1]
        called = {other for other, pattern in _CALLED.items() if pattern.search(before)}
        called -= {"mean"} if "adjusted" in called else set()
        levels = {*mentioned(before, item.levels)}
        outcomes = {other.test.outcome for other in findings if spoken(other.test.outcome, before)}
        if (
            (called and kind and kind not in called)
            or (kind != "n" and _PEOPLE.search(after))
            or (level and levels and level not in levels | {*mentioned(after, item.levels)})
            or (kind != "n" and outcomes and not spoken(item.test.outcome, whole))
        ):
            return f"{name} is {_IS.get(kind, 'what was measured')} of {item.test.outcome}" + (
                f" at {level}" if level else ""
            )
    return ""


def _number(name: str, findings: Sequence[Finding]) -> tuple[Finding, str, Kind] | None:
    """The test that a bare number belongs to, its level ('' of all) and kind."""
    for item in sorted(findings, key=lambda found: -len(found.id)):
        stem = slug(item.id) + "_"
        match = _NAME.match(name[len(stem) :]) if name.startswith(stem) else None
        if match is None:
            continue
        level = next(
            (group.name for group in item.test.groups if slug(f"at_{group.name}") == f"at_{match['level']}"),
            "",
        )
        return item, level, match["kind"] or match["whole"] or ""  # type: ignore[return-value]
    return None
