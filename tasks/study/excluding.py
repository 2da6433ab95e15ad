"""Who is left out of the data: what code found doubtful, where a rule that was fixed before the data names it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.study.checked_response import ResponseReport, Suspicion

_NAMED: dict[Suspicion, re.Pattern[str]] = {
    "attention check failed": re.compile(r"attention|instructed|check item|manipulation check", re.IGNORECASE),
    "straight-lining": re.compile(r"straight.?lin|same answer to (all|every)|no variation|invariant", re.IGNORECASE),
    "same as another": re.compile(r"duplicat|identical|same as another|cop(y|ies)\b", re.IGNORECASE)}


def left_out(reports: Sequence[ResponseReport], rules: Sequence[str]) -> dict[str, str]:
    """Participant -> why. A suspicion that no rule of the protocol names leaves nobody out."""
    found: dict[str, str] = {}
    for report in reports:
        for doubt in report.suspicions:
            rule = next((rule for rule in rules if _NAMED[doubt.suspicion].search(rule)), None)
            if rule is not None:
                found.setdefault(report.persona_id, f"{doubt.suspicion} ({doubt.detail}); the rule: {rule}"[:300])
    return found
