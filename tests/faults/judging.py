"""What noticed a mistake: the run with it beside the run as recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.faults.running import Ran

BY = (
    "code, sent back",
    "code, told to reviewers",
    "code, as it ran",
    "code, in the report",
    "comparison",
    "nothing",
    "nothing to notice",
    "broken",
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_LONGEST = 260


@dataclass(frozen=True)
class Noticed:
    """by: one of BY. says: the words of what noticed it first. lost: targets that are no longer a SUCCESS, of all that were.

    leads: the words of code, if any, that name the cause; '' where only the description printed beside the paper's words does.
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
    by_code = {
        "code, sent back": [words for words in ran.sent_back if words not in honest.sent_back],
        "code, told to reviewers": [words for words in ran.told if words not in honest.told],
        "code, as it ran": [
            words for words in (*ran.failed, *_unphysical(ran)) if words not in honest.failed
        ],
        "code, in the report": list(_marks(honest, ran)),
    }
    said = [(by, words) for by, told in by_code.items() for words in told]
    naming = [(by, words) for by, words in said if re.search(leads, words, re.IGNORECASE)]
    named = naming[0][1] if naming else ""
    if ran.broken or ran.verdict in ("no run", "no verdict"):
        by, says = "broken", ran.broken or ran.verdict
    elif said:
        by, says = said[0] if by_code["code, sent back"] else (naming or said)[0]
    elif lost:
        by, says = "comparison", _lost(lost[0], ran)
    elif _same(honest, ran):
        by, says = "nothing to notice", "no compared number is another beyond its uncertainty"
    else:
        by, says = "nothing", "every target is still a SUCCESS"
    return Noticed(
        name, by, _short(says), lost, len(won), ran.verdict, _short(named), ran.seconds, ran.folder
    )


def _short(words: str) -> str:
    plain = " ".join(words.replace("|", " ").replace("**", "").split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 3].rstrip() + "..."


def _marks(honest: Ran, ran: Ran) -> Iterator[str]:
    """What code says in the report that it did not in the honest one: doubts first, then cautions."""
    before = {_NUMBER.sub("#", words) for entry in honest.compared.values() for words in _said(entry)}
    before |= {_NUMBER.sub("#", words) for words in honest.words}
    told: set[str] = set()
    lines = [words for entry in ran.compared.values() for words in _said(entry)] + [
        w for w in ran.words if _is_mark(w)
    ]
    for words in lines:
        plain = _NUMBER.sub("#", words)
        if plain not in before and plain not in told:
            told.add(plain)
            yield words


def _said(entry: dict[str, Any]) -> list[str]:
    """The doubts about a target. Other reasons say how far it is off, not that anything is wrong with what was described."""
    return [doubt["why"] for doubt in entry["evidence"].get("doubts", ())]


def _unphysical(ran: Ran) -> list[str]:
    """What a check of physics said of a target's number."""
    entries: list[Any] = list(ran.compared.values())
    found = (reason for entry in entries for reason in entry["evidence"].get("reasons", ()))
    return list(dict.fromkeys(reason for reason in found if reason.startswith("Physics:")))


def _is_mark(line: str) -> bool:
    """A line of the report that is a caution, a failed check or a contradiction."""
    return bool(
        re.search(
            r"CAUTION|\*\*(?:fail|warning)\*\*|contradict|not used\b.*stated|other than the paper", line
        )
    )


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
