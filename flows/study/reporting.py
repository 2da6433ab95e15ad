"""The report of a study: one self-contained page with the graph, the tests and where everything lies."""

from __future__ import annotations

from pathlib import Path

from flows.run.costs import spent
from flows.study.analysing import earlier_results
from flows.study.context import Run
from schemas.study.artifacts import ArtifactType
from schemas.study.graph import PhaseType
from schemas.study.results import Results
from schemas.study.statement import STATEMENT
from tasks.files.store import atomic_write
from tasks.study.study_page import page


def write_report(run: Run) -> Path:
    """STUDY_REPORT_<study>.html; its path."""
    name = f"{run.top(PhaseType.ANALYZE)}/results"
    results = (
        run.space.read(name) if any(item.id == name for item in run.space.manifest().artifacts) else None
    )
    figures = [
        (item.caption, run.space.read_bytes(item.id))
        for item in run.space.manifest().artifacts
        if item.type is ArtifactType.FIGURE and item.produced_by == run.top(PhaseType.ANALYZE)
    ]
    money, unknown, tokens = spent(run)
    cost = f"{tokens} tokens, {money:.2f} USD" + (" and calls of unknown price" if unknown else "")
    if run.settings.model.kind != "anthropic":
        cost = f"nothing was bought (model {run.settings.model.kind})"
    text = page(
        run.state.study_id,
        run.course.graph.nodes(),
        results if isinstance(results, Results) else None,
        run_dir=run.run_dir,
        root=run.space.root,
        started=run.begun,
        stop_reason=run.state.stop_reason,
        cost=cost,
        notice=STATEMENT if run.simulated else "",
        figures=figures,
        earlier=earlier_results(run),
    )
    return atomic_write(run.run_dir / f"STUDY_REPORT_{run.state.study_id}.html", text)
