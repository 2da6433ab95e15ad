"""The review loop that plan, design, code and analysis share: produce, review, revise, and escalate at the limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol, TypeVar


class Verdict(Protocol):
    """What a review says."""

    @property
    def verdict(self) -> Literal["approve", "needs_revision"]:
        """Whether the version may be used."""

    @property
    def feedback(self) -> str:
        """What the next version has to do better."""


T = TypeVar("T")
V = TypeVar("V", bound=Verdict)


class LimitDecision(NamedTuple):
    """What a person decided when a loop reached its limit.

    accept: use the last version as it is. retry: start counting again with this guidance. stop: give up.
    """

    kind: Literal["accept", "retry", "stop"]
    guidance: str = ""


def review_loop(
    produce: Callable[[str, int], T],
    review: Callable[[T], V],
    *,
    limit: int,
    on_revision: Callable[[V, int], None],
    on_limit: Callable[[T, V, int], LimitDecision],
    feedback: str = "",
    sent_back: int = 0,
) -> tuple[T, bool, V]:
    """Produce and review until approved; returns (version, approved, review).

    produce(feedback, sent_back): a new version. review(version): its verdict. limit: when so many versions were sent
    back there is no other one unless on_limit says so. sent_back: how many were before this loop, where they count as
    well (a design that is made again within its stage); a person's guidance starts the count anew. on_revision: told of
    each version that is sent back, with how many were so far. feedback: why a version is asked for at all; it stays
    open, with a person's guidance, while the reviews of the versions follow each other.
    """
    latest, guidance = "", ""
    while True:
        version = produce("\n\n".join(part for part in (feedback, latest, guidance) if part), sent_back)
        verdict = review(version)
        if verdict.verdict == "approve":
            return version, True, verdict
        sent_back += 1
        on_revision(verdict, sent_back)
        latest = f"The review of your last version:\n{verdict.feedback}" if feedback else verdict.feedback
        if sent_back >= limit:
            decision = on_limit(version, verdict, sent_back)
            if decision.kind == "accept":
                return version, True, verdict
            if decision.kind == "stop":
                return version, False, verdict
            sent_back, guidance = 0, f"{guidance}\n\nGuidance by the user: {decision.guidance}".strip()
