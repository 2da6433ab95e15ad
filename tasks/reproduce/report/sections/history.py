"""Appendices C and D: stages, reviews, adapted prompts, and what people were asked."""

from __future__ import annotations

from schemas.reproduce.state import ReproState
from schemas.talking.adaptation import AdaptationRecord
from tasks.reproduce.report.causes import shortened
from tasks.reproduce.report.document import Block, Bullets, Cell, Code, Fold, Group, Section, Table
from tasks.reproduce.report.sections.turns import ledger_block
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import NONE, badge, duration

_MOST_TOLD = 40


def stages_section(source: Source) -> Section:
    """Appendix C: stages with status, attempts and issues; review history; adapted prompts."""
    state = source.state
    plan = state.plan
    progress = {entry.stage_id: entry for entry in state.progress}
    rows = []
    for stage in plan.stages if plan else ():
        entry = progress.get(stage.stage_id)
        notes = [*entry.issues, entry.invalidation_reason] if entry else []
        if entry and entry.comparison_flagged:
            notes.append("the analysis was still disputed when its limit was reached")
        rows.append(
            (
                Cell(stage.stage_id, code=True),
                Cell(stage.name),
                Cell(stage.stage_type.replace("_", " ").lower()),
                badge(entry.status if entry else "not_started"),
                Cell(str(entry.attempts) if entry else "0", number=True),
                Cell(duration(source.wall_s(stage.stage_id)) if entry else NONE, number=True),
                Cell(", ".join(stage.dependencies) or NONE),
                Cell("\n".join(shortened(n) for n in notes if n) or NONE),
            )
        )
    blocks: list[Block] = [
        Table(
            ("Stage", "Name", "Kind", "Status", "Attempts", "Simulated, wall", "Depends on", "Issues"),
            tuple(rows),
            "Stages",
            empty="No plan was made.",
        ),
        _returns(source),
        ledger_block(source),
        Group(
            "Review history: what was sent back, and why",
            (Bullets(tuple(map(shortened, source.facts.history)), empty="Nothing was sent back."),),
        ),
        *_told(source),
        Table(
            ("Agent", "Change", "Section", "Text", "Applied", "Effect", "Reason"),
            tuple(
                (
                    Cell(r.adaptation.target_agent),
                    Cell(r.adaptation.modification_type),
                    Cell(r.adaptation.section),
                    Cell(r.adaptation.content or f"disabled: {r.adaptation.original_content}"),
                    Cell("yes" if r.applied else f"no: {r.note}"),
                    Cell(_effect(state, r)),
                    Cell(r.adaptation.reason),
                )
                for r in state.prompt_adaptations or ()
            ),
            "Prompts adapted to this paper",
            empty="No prompt was adapted.",
        ),
    ]
    return Section("C", "Stages and Reviews", tuple(blocks))


def _effect(state: ReproState, record: AdaptationRecord) -> str:
    """What an adaptation changed, and how many of its agent's requests held it."""
    known = state.adaptation_analysis.effects if state.adaptation_analysis else ()
    found = next((e for e in known if e.adaptation_id == record.adaptation.adaptation_id), None)
    if found is None or not record.applied:
        return "none"
    requests = sum(metric.agent == found.agent for metric in state.metrics)
    return (
        f"{abs(found.characters)} characters {'more' if found.characters >= 0 else 'fewer'}, in {requests} "
        + ("request" if requests == 1 else "requests")
    )


def _returns(source: Source) -> Table:
    """How often the run failed or went back, over all stages."""
    counters, limits = source.state.counters, source.settings.limits
    lines = (
        (
            "Failed executions, all stages",
            counters.total_execution_failures,
            "no limit; each stage has its own",
        ),
        ("Plans replaced", counters.replans, str(limits.max_replans)),
        ("Returns to an earlier stage", counters.backtracks, str(limits.max_backtracks)),
    )
    return Table(
        ("What", "How often", "Limit"),
        tuple((Cell(what), Cell(str(number), number=True), Cell(limit)) for what, number, limit in lines),
        "Failures, replans and backtracks",
    )


def questions_section(source: Source) -> Section:
    """Appendix D: questions to people and their answers."""
    rows = tuple(
        (
            Cell(q.timestamp),
            Cell(q.interaction_type.replace("_", " ")),
            Cell(q.stage_id or NONE),
            Cell(q.question + (f"\n(asked because: {q.reason})" if q.reason else "")),
            Cell(q.user_response),
            Cell(q.answered_by),
            Cell(q.impact or NONE),
        )
        for q in source.state.user_interactions
    )
    return Section(
        "D",
        "Questions and Answers",
        (
            Table(
                ("Time", "Kind", "Stage", "Question", "Answer", "Answered by", "Effect"),
                rows,
                empty="Nobody was asked.",
            ),
        ),
    )


def _told(source: Source) -> tuple[Block, ...]:
    """What the blind agents were told about earlier versions, word for word, with results withheld."""
    found = sorted(source.run_dir.glob("*/feedback/*.md"))[:_MOST_TOLD]
    texts = [
        (path.stem, path.read_text(encoding="utf-8", errors="replace")[:6000])
        for path in found
        if path.is_file() and not path.is_symlink()
    ]
    return tuple(Fold(f"Told to a blind agent: {name}", (Code(text),)) for name, text in texts)
