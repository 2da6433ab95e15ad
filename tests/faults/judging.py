"""What noticed a mistake: the run with it beside the run as recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.faults.running import Ran

BY = ("code, before it ran", "code, in the report", "comparison", "nothing", "nothing to notice", "broken")
_USUAL = re.compile(r"Simulated |Threshold of |Numerical uncertainty in parts|The paper's |RMS difference|Beside |Excellent")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_LONGEST = 260


@dataclass(frozen=True)
class Noticed:
    """by: 'code, before it ran', 'code, in the report', 'comparison', 'nothing', 'nothing to notice', 'broken'.

    says: the words of what noticed it first. lost: targets that are no longer a SUCCESS, of all that were. leads: whether what is
    newly said names the cause, with its words; '' where only the description printed beside the paper's words does.
    """

    fault: str
    by: str
    says: str
    lost: tuple[str, ...]
    of: int
    verdict: str
    leads: str
    seconds: float
    folder: str = ""


def noticed(name: str, leads: str, honest: Ran, ran: Ran) -> Noticed:
    """What noticed a mistake. leads: a pattern of words that name its cause."""
    won = [target for target, found in honest.classes.items() if found == "SUCCESS"]
    lost = tuple(target for target in won if ran.classes.get(target) != "SUCCESS")
    refused = [words for words in ran.sent_back if words not in honest.sent_back]
    marks = list(_marks(honest, ran))
    said = [*refused, *marks]
    if ran.broken or ran.verdict in ("no run", "no verdict"):
        by, says = "broken", ran.broken or ran.verdict
    elif refused:
        by, says = "code, before it ran", refused[0]
    elif marks:
        by, says = "code, in the report", marks[0]
    elif lost:
        by, says = "comparison", _lost(lost[0], ran)
    elif _same(honest, ran):
        by, says = "nothing to notice", "no compared number is another beyond its uncertainty"
    else:
        by, says = "nothing", "every target is still a SUCCESS"
    named = next((words for words in said if re.search(leads, words, re.IGNORECASE)), "")
    return Noticed(name, by, _short(says), lost, len(won), ran.verdict, _short(named), ran.seconds, ran.folder)


def _short(words: str) -> str:
    plain = " ".join(words.replace("|", " ").replace("**", "").split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 3].rstrip() + "..."


def _marks(honest: Ran, ran: Ran) -> Iterator[str]:
    """What code says in the run that it did not in the honest one: doubts first, then reasons, checks and cautions."""
    before = {_NUMBER.sub("#", words) for entry in honest.compared.values() for words in _said(entry)}
    before |= {_NUMBER.sub("#", words) for words in honest.words}
    told: set[str] = set()
    lines = [words for entry in ran.compared.values() for words in _said(entry)] + [w for w in ran.words if _is_mark(w)]
    for words in lines:
        plain = _NUMBER.sub("#", words)
        if plain not in before and plain not in told:
            told.add(plain)
            yield words


def _said(entry: dict[str, Any]) -> list[str]:
    evidence = entry["evidence"]
    reasons = [words for words in evidence.get("reasons", ()) if not _USUAL.match(words)]
    return [*(doubt["why"] for doubt in evidence.get("doubts", ())), *reasons]


def _is_mark(line: str) -> bool:
    """A line of the report that is a caution, a failed check or a contradiction."""
    return bool(re.search(r"CAUTION|\*\*(?:fail|warning)\*\*|contradict|not used\b.*stated|other than the paper", line))


def _lost(target: str, ran: Ran) -> str:
    entry: Any = ran.compared.get(target)
    if entry is None:
        return f"{target} was not computed"
    reasons = entry["evidence"].get("reasons") or [""]
    return f"{target} {entry['classification']}: {reasons[0]}"


def _same(honest: Ran, ran: Ran) -> bool:
    """Whether every compared number is within the uncertainty that the honest run states for it."""
    for target, entry in honest.compared.items():
        mine: Any = ran.compared.get(target)
        one: Any = entry["evidence"]
        if mine is None:
            return False
        two = mine["evidence"]
        if (one["error"] is None) != (two["error"] is None):
            return False
        if one["error"] is not None and abs(one["error"] - two["error"]) > 2 * (one["uncertainty"] or 0.0):
            return False
    return True
