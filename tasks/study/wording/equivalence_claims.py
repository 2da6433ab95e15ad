"""What a test of equivalence says against a statement, and what a test of difference says against one of equivalence."""

from __future__ import annotations

from tasks.study.test_findings import Finding
from tasks.study.wording.claim_words import EQUIVALENCE, Claim
from tasks.study.wording.named_levels import compared


def of_equivalence(item: Finding, kind: Claim, before: str, after: str, admitted: bool) -> str | None:
    """What the test shows instead, '' where the statement may stand; None where equivalence is neither tested nor stated.

    That a test of difference showed none makes nothing equivalent; a test of equivalence shows no difference, in no direction.
    """
    words = item.words.replace("\\", "")
    if not item.test.bound:
        if kind == "not_equivalent":
            return ""
        if kind in ("equivalent", "same"):
            return words if item.shown else f"{words}; equivalence was not tested"
        return None
    if EQUIVALENCE.search(before + after):
        kind = {"shown": "equivalent", "not_shown": "not_equivalent"}.get(kind, kind)  # type: ignore[assignment]
    if kind in ("equivalent", "same", "confirmed", "not_shown"):
        return "" if item.shown else words
    if kind in ("not_equivalent", "refuted"):
        return words if item.shown else ""
    if kind in ("lower", "higher", "differs"):
        subject, reference = compared(before, after, item.levels)
        return words if subject and reference and subject != reference and not admitted else ""
    return words
