"""adaptation_log.txt: what was changed in which prompt for this paper, and why, for people."""

from __future__ import annotations

from collections.abc import Mapping

from schemas.talking.adaptation import AdaptationAnswer, AdaptationEffect, AdaptationRecord

_RULE = "=" * 80


def adaptation_log(
    paper_id: str,
    answer: AdaptationAnswer,
    records: tuple[AdaptationRecord, ...],
    versions: Mapping[str, str],
    effects: tuple[AdaptationEffect, ...] = (),
) -> str:
    """The log's text. versions: agent -> version and digest of its base prompt now. effects: what the applied ones did."""
    lines = [
        _RULE,
        f"PROMPT ADAPTATIONS FOR: {paper_id}",
        f"Domain: {answer.domain}",
        f"Materials: {', '.join(answer.materials) or '-'}",
        f"Techniques: {', '.join(answer.techniques) or '-'}",
        *([f"Analysis: {answer.domain_analysis}"] if answer.domain_analysis else []),
        *(f"Warning: {warning}" for warning in answer.warnings),
        _RULE,
        "Base prompts:",
        *(f"  {agent}: {version}" for agent, version in versions.items()),
        "Changed prompts, digest before and after:",
        *(
            f"  {e.agent}: {e.digest_before[:12]} -> {e.digest_after[:12]} ({e.characters:+d} characters, by "
            f"{e.adaptation_id})"
            for e in effects
        ),
        *(() if effects else ("  none",)),
    ]
    stale = [record.adaptation.adaptation_id for record in records if record.note.startswith("stale: ")]
    if stale:
        lines += [
            "",
            f"STALE, written for other base prompts: {', '.join(stale)}",
            "  A new run asks the prompt adaptor again.",
        ]
    for number, record in enumerate(records, start=1):
        item = record.adaptation
        lines += [
            "",
            f"ADAPTATION #{number}: {item.adaptation_id}",
            f"  Target: {item.target_agent}",
            f"  Type: {item.modification_type}",
            f"  Confidence: {item.confidence:.2f}",
            f"  Section: {item.section}",
            f"  Written for base prompt: {record.base_digest[:12] or 'unknown'}",
            f"  Applied: {'yes' if record.applied else 'no'}" + (f" ({record.note})" if record.note else ""),
        ]
        if item.original_content:
            lines += ["  Instead of:", *(f"    {line}" for line in item.original_content.splitlines())]
        lines += [
            "  Content:",
            *(f"    {line}" for line in item.content.splitlines()),
            f"  Reason: {item.reason}",
        ]
    return "\n".join(lines) + "\n"
