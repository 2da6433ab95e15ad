"""What earlier processes of a run did and will not do again: their calls are on the bill, and used of a recording."""

from __future__ import annotations

from agents.models.replay import ReplayModel
from flows.study.context import Run, place
from schemas.run.metrics import AgentCallMetric
from schemas.study.graph import PhaseStatus
from schemas.talking.transcript import TranscriptEntry
from tasks.files.transcript import read_entries


def recall(run: Run) -> None:
    """Take what the record holds of nodes that are done. What is asked again comes from what is kept, and counts then."""
    _, entries = read_entries(run.transcript.path, growing=True)
    again = {
        (place(node), node.attempt) for node in run.course.graph.nodes() if node.status is PhaseStatus.PENDING
    }
    again.add(("input", 1))
    calls: dict[str, TranscriptEntry] = {}
    for entry in entries:
        if entry.kind == "question" and isinstance(run.model, ReplayModel):
            run.model.mark_used(str((entry.request or {}).get("question_id")), "question")
        where = entry.position.stage_id.split(".")[0]
        if entry.kind == "call" and (where, entry.position.attempt) not in again:
            calls[entry.position.label()] = entry
    if isinstance(run.model, ReplayModel):
        for label in calls:
            run.model.mark_used(label)
    metrics = tuple(
        AgentCallMetric(
            agent=entry.position.agent,
            stage_id=entry.position.stage_id,
            model=entry.model,
            duration_s=entry.duration_s,
            price_usd=entry.price_usd,
            reused=True,
            label=label,
            tries=entry.tries,
            notes=tuple(n[:500] for n in entry.notes),
            **entry.usage.model_dump(),
        )
        for label, entry in calls.items()
    )
    run.tally.calls_reused += len(metrics)
    run.update("recall", metrics=metrics, runtime_used_s=sum(entry.duration_s for entry in calls.values()))
