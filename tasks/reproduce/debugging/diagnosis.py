"""The report of a debug run: a diagnosis with its pictures, never a verdict about the paper."""

from __future__ import annotations

from pathlib import Path

from schemas.reproduce.paper import PaperInput
from schemas.reproduce.simulations.debugging import DebugSummary, Status
from schemas.reproduce.state import ReproState
from tasks.files.store import atomic_write
from tasks.reproduce.report.document import (
    Block,
    Bullets,
    Cell,
    Document,
    Facts,
    Gallery,
    Notice,
    Section,
    Table,
    Tone,
)
from tasks.reproduce.report.embedded_pictures import load_picture
from tasks.reproduce.report.html import render_html
from tasks.reproduce.report.markdown import render_markdown

_TONE: dict[Status, Tone] = {"success": "good", "failed": "bad", "not_run": "plain"}


def write_debug_report(
    summary: DebugSummary, state: ReproState, paper: PaperInput, *, run_dir: Path
) -> tuple[Path, Path]:
    """Write REPRODUCTION_REPORT_<paper_id>.md and .html of a debug run; returns the two paths."""
    stage0, stage1, geometry = (
        summary.stage0_material_validation,
        summary.stage1_minimal,
        summary.geometry_check,
    )
    resonance = (
        "nothing saved could show one"
        if stage1.resonance_found is None
        else "none in the saved spectrum"
        if not stage1.resonance_found
        else f"at {stage1.resonance_wavelength_nm:.4g} nm"
        if stage1.resonance_wavelength_nm
        else "found"
    )
    blocks: list[Block] = [
        Table(
            ("Check", "Finding", "What was seen"),
            tuple(
                (
                    Cell(name),
                    Cell(status.replace("_", " "), tone=_TONE[status]),
                    Cell("\n".join(lines) or "-"),
                )
                for name, status, lines in (
                    (
                        "Paper",
                        summary.paper_loading.status,
                        (
                            f"{summary.paper_loading.text_chars} characters, {summary.paper_loading.figures_loaded} of "
                            f"{summary.paper_loading.figures_found} figures with a readable picture or data",
                            *summary.paper_loading.issues,
                        ),
                    ),
                    (
                        "Materials (stage 0)",
                        stage0.status,
                        (
                            ", ".join(stage0.materials_tested),
                            "approved" if stage0.confirmed else "not confirmed by a person",
                            *stage0.issues,
                            *stage0.remarks,
                        ),
                    ),
                    (
                        "Minimal stage 1",
                        stage1.status,
                        (stage1.stage_id, f"resonance: {resonance}", *stage1.issues),
                    ),
                )
            ),
        ),
        Facts(
            (
                (
                    "Structures",
                    Cell(f"{geometry.structures_created} ({', '.join(geometry.structure_types) or '-'})"),
                ),
                (
                    "Sizes fit the design",
                    Cell(
                        {True: "yes", False: "no", None: "could not be compared"}[
                            geometry.dimensions_match_design
                        ]
                    ),
                ),
            )
        ),
        Bullets(geometry.notes, "Geometry as it was built"),
        Bullets(summary.recommendations, "What to do next"),
        Gallery(tuple(load_picture(run_dir, f"debug/{p.name}", p.name) for p in summary.pictures if p.made)),
        Bullets(
            tuple(f"{p.name}: {p.why_not}" for p in summary.pictures if not p.made),
            "Pictures that could not be had",
        ),
    ]
    document = Document(
        kind="Diagnostic report",
        title=paper.title,
        subtitle=f"{paper.citation} – paper {paper.paper_id}, debug run {summary.run_id}, {summary.debug_run_timestamp}",
        badge=Cell("Diagnostic run" + ("" if summary.complete else " (incomplete)"), tone="plain"),
        lead=(
            Notice(
                "fair",
                "Debug run: one reduced resolution, first stages only, one sweep point",
                (
                    "Nothing here says whether the paper's results hold: no target was compared and no convergence was tested.",
                    "Follow it with a full run.",
                ),
            ),
        ),
        sections=(Section("1", "Diagnosis", tuple(blocks), open=True), _assumed(state)),
    )
    stem = f"REPRODUCTION_REPORT_{paper.paper_id}"
    markdown, html = run_dir / f"{stem}.md", run_dir / f"{stem}.html"
    for picture in document.pictures():
        if picture.copy_to:
            atomic_write(run_dir / picture.copy_to, picture.data)
    atomic_write(markdown, render_markdown(document, "")[0])  # nothing folds away, so there is no appendix
    atomic_write(html, render_html(document))
    return markdown, html


def _assumed(state: ReproState) -> Section:
    rows = tuple(
        (Cell(a.parameter), Cell(a.value), Cell(a.source), Cell(a.reason)) for a in state.assumptions
    )
    return Section(
        "2",
        "Assumptions",
        (Table(("Assumption", "Value", "Source", "Reason"), rows, empty="Nothing had to be assumed."),),
    )
