"""What lowers a target: findings, which stay, and doubts of words, which a person who compares both may lift."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from schemas.base import digest
from schemas.reproduce.judging.evidence import Classification, Doubt, Rule, TargetEvidence
from tasks.reproduce.judging.classify import worse

_AT_MOST = "; at most PARTIAL."


@dataclass(frozen=True)
class Cause:
    """What one rule doubts in the same words of the paper, and of which targets. Its name is theirs together: it fits no others."""

    name: str
    why: str
    targets: tuple[str, ...]
    doubts: tuple[str, ...]

    def told(self) -> str:
        """Name, why and targets as text."""
        return f"{self.name}: {self.why} -> {', '.join(self.targets)}"


def lowered(evidence: TargetEvidence, at_most: Classification, reason: str, **more: Any) -> TargetEvidence:
    """The evidence, lowered for good; as it was where it is no better without that reason.

    more: other fields to set.
    """
    best = evidence.undoubted or evidence.classification
    if worse(at_most, best) == best:
        return evidence
    return evidence.model_copy(
        update={
            "classification": worse(at_most, evidence.classification),
            "undoubted": worse(at_most, best) if evidence.doubts else None,
            "reasons": (*evidence.reasons, reason),
            **more,
        }
    )


def doubted(evidence: TargetEvidence, reasons: Iterable[str], rule: Rule, words: str = "") -> TargetEvidence:
    """The evidence, at most PARTIAL where there is a reason to doubt that it is what the paper's words say.

    reasons: sentences without their full stop. words: the paper's that they speak of, where they do not cite any.
    """
    known = {doubt.why for doubt in evidence.doubts}
    new = tuple(
        Doubt(
            doubt_id=f"{evidence.target_id}.{digest((evidence.target_id, why), 6)}",
            why=why,
            rule=rule,
            words=words,
        )
        for why in dict.fromkeys(f"{reason[:1].upper()}{reason[1:]}" for reason in reasons)
        if why not in known
    )
    if not new:
        return evidence
    return evidence.model_copy(
        update={
            "classification": worse("PARTIAL", evidence.classification),
            "undoubted": evidence.undoubted or evidence.classification,
            "doubts": (*evidence.doubts, *new),
            "reasons": (*evidence.reasons, *(doubt.why + _AT_MOST for doubt in new)),
        }
    )


def open_doubts(evidence: TargetEvidence) -> tuple[Doubt, ...]:
    """The doubts that alone keep a target from agreeing: nothing else lowers it."""
    if evidence.undoubted != "SUCCESS" or evidence.classification != "PARTIAL":
        return ()
    return tuple(doubt for doubt in evidence.doubts if not doubt.lifted_by)


def refuting_doubts(evidence: TargetEvidence) -> tuple[Doubt, ...]:
    """The doubts that alone keep a difference, which nothing else spares, from being the paper's."""
    fails = evidence.classification == "FAILURE" and evidence.undoubted in (None, "FAILURE")
    return tuple(d for d in evidence.doubts if not d.lifted_by) if fails and evidence.stands else ()


def decidable(evidence: TargetEvidence) -> tuple[Doubt, ...]:
    """The doubts that a person may lift: what was computed is what the paper says, whether it agrees or differs."""
    return open_doubts(evidence) or refuting_doubts(evidence)


def causes(found: Mapping[str, Iterable[Doubt]]) -> tuple[Cause, ...]:
    """The doubts of several targets by what causes them. found: target -> its doubts."""
    groups: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for target_id, doubts in found.items():
        for doubt in doubts:
            groups.setdefault((doubt.rule, doubt.why, doubt.words), []).append((target_id, doubt.doubt_id))
    out = []
    for (rule, why, _), members in groups.items():
        targets, ids = tuple(name for name, _ in members), tuple(name for _, name in members)
        out.append(Cause(f"{rule or 'doubt'}.{digest(sorted(ids), 6)}", why, targets, ids))
    return tuple(out)


def lifted(evidence: TargetEvidence, by: Mapping[str, str]) -> TargetEvidence:
    """The evidence after a person's word. by: doubt -> who says that what was computed is what the paper says.

    It agrees only where nothing is doubted any more; what differs goes on to differ.
    """
    if not decidable(evidence):
        return evidence
    doubts = tuple(
        doubt.model_copy(update={"lifted_by": by[doubt.doubt_id]}) if doubt.doubt_id in by else doubt
        for doubt in evidence.doubts
    )
    said = {
        doubt.why
        + _AT_MOST: f"{doubt.why}: a person says that it is what the paper says ({doubt.lifted_by})."
        for doubt in doubts
        if doubt.lifted_by
    }
    left = any(not doubt.lifted_by for doubt in doubts)
    return evidence.model_copy(
        update={
            "doubts": doubts,
            "reasons": tuple(said.get(reason, reason) for reason in evidence.reasons),
            "classification": "FAILURE" if refuting_doubts(evidence) else "PARTIAL" if left else "SUCCESS",
        }
    )
