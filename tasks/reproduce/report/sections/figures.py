"""Part 3: each figure of the paper beside what was simulated, with the evidence of every target folded under it."""

from __future__ import annotations

from schemas.reproduce.planning.plan import MATERIALS, TEXT
from schemas.reproduce.simulations.execution import Execution
from tasks.reproduce.collect.telling_pictures import telling_pictures
from tasks.reproduce.evidence.two_solvers import SAID
from tasks.reproduce.report.document import (
    Block,
    Bullets,
    Cell,
    Fold,
    Gallery,
    Group,
    Paragraph,
    Picture,
    Section,
    Table,
)
from tasks.reproduce.report.embedded_pictures import load_picture
from tasks.reproduce.report.sections.evidence import target_fold
from tasks.reproduce.report.sections.looks import looks_of_figure
from tasks.reproduce.report.sections.naming import (
    against_uncertainty,
    error_text,
    figure_anchor,
    figure_name,
    reference_cell,
    reference_name,
    simulated_cell,
    target_cell,
)
from tasks.reproduce.report.source import Source, TargetLine
from tasks.reproduce.report.text import NONE, badge, number, slug

_PICTURES_OF_A_STAGE = 6


def figures_section(source: Source) -> Section:
    """Figure-by-Figure Comparisons."""
    blocks: list[Block] = [_figure(source, figure_id) for figure_id in source.figure_ids]
    stages = dict.fromkeys(e.stage_id for e in source.executions)
    blocks += [fold for stage_id in stages if (fold := _simulations(source, stage_id)) is not None]
    return Section("3", "Figure-by-Figure Comparisons", tuple(blocks), evidence=True)


def _figure(source: Source, figure_id: str) -> Group:
    lines = source.of_figure(figure_id)
    blocks: list[Block] = [*_pictures(source, figure_id, lines)]
    caption = next((f.caption for f in source.paper.figures if f.figure_id == figure_id), "")
    if caption:
        blocks.insert(0, Paragraph(f"Caption in the paper: {caption}"))
    looks = looks_of_figure(source, figure_id)
    if lines:
        blocks.append(_targets(source, lines))
    elif not looks:
        plan = source.state.plan
        if not source.paper.scope.covers(figure_id):
            return Group(
                figure_name(source, figure_id),
                (*blocks, Paragraph("Not attempted: outside the reader's scope.")),
                figure_anchor(figure_id),
            )
        why = [text for text in (plan.not_reproducible if plan else ()) if text.startswith(f"{figure_id}:")]
        blocks.append(
            Paragraph(f"Not attempted. {why[0]}" if why else "The plan has no target for this figure.")
        )
    blocks += [*(target_fold(source, line) for line in lines), *looks]
    return Group(figure_name(source, figure_id), tuple(blocks), figure_anchor(figure_id))


def _targets(source: Source, lines: tuple[TargetLine, ...]) -> Table:
    rows = []
    for line in lines:
        e = line.comparison.evidence if line.comparison else None
        why = (
            (e.reasons[0] if e and e.reasons else against_uncertainty(e))
            if e
            else f"stage {line.stage_id} got no comparison"
        )
        second = next((r for r in (e.reasons[1:] if e else ()) if r.startswith(SAID)), "")
        rows.append(
            (
                target_cell(line),
                badge(line.classification),
                simulated_cell(line, e),
                reference_cell(source, line, e),
                Cell(error_text(e) if e else NONE, number=True),
                Cell(f"{why} {second}".rstrip()),
            )
        )
    return Table(("Target", "Class", "Simulated", "Reference", "Error ± numerical", "Why"), tuple(rows))


def _pictures(source: Source, figure_id: str, lines: tuple[TargetLine, ...]) -> tuple[Block, ...]:
    pictures: list[Picture] = []
    figure = next((f for f in source.paper.figures if f.figure_id == figure_id), None)
    if figure_id not in (MATERIALS, TEXT):
        pictures.append(
            load_picture(
                source.paper_dir,
                figure.image if figure else None,
                f"Paper: {figure_id}",
                copy_to=f"report_images/paper-{slug(figure_id)}",
                absent="The paper gives no image of this figure.",
            )
        )
    overlays: dict[str, list[TargetLine]] = {}
    for line in lines:
        if line.comparison and line.comparison.evidence.overlay:
            overlays.setdefault(line.comparison.evidence.overlay, []).append(line)
    pictures += [
        load_picture(source.run_dir, path, _overlay_caption(source, shown))
        for path, shown in overlays.items()
    ]
    if not overlays and lines:
        pictures.append(Picture("Comparison", missing="No comparison plot was made for this figure."))
    if all(picture.missing for picture in pictures):
        return tuple(Paragraph(picture.missing) for picture in pictures)
    return (Gallery(tuple(pictures)),)


def _overlay_caption(source: Source, lines: list[TargetLine]) -> str:
    against = dict.fromkeys(reference_name(source, line) for line in lines)
    return f"Simulation and reference ({', '.join(against)}): {', '.join(line.target_id for line in lines)}"


def _simulations(source: Source, stage_id: str) -> Fold | None:
    """What the finest simulations of a stage looked like, and what they said about themselves."""
    ran = [e for e in source.executions if e.stage_id == stage_id]
    best = max(e.resolution_scale for e in ran)
    finest = [e for e in ran if e.resolution_scale == best and e.complete]
    pictures = tuple(
        load_picture(source.run_dir, reference.path, caption)
        for reference, caption in telling_pictures(finest[-2:], _PICTURES_OF_A_STAGE)
    )
    blocks: list[Block] = [Gallery(pictures)] if pictures else []
    said = _messages(ran)
    if said:
        blocks.append(Bullets(said, "What the simulations said about themselves (not evidence)"))
    return Fold(f"Simulations of {stage_id}: structure, fields, warnings", tuple(blocks)) if blocks else None


def _messages(executions: list[Execution]) -> tuple[str, ...]:
    found: dict[str, list[str]] = {}
    for execution in executions:
        for message in execution.messages:
            warning = message.name == "geometry_warning"
            unit = "" if message.unit in ("", "1") else f" {message.unit}"
            text = "warning" if warning else f"{message.name} = {number(message.value)}{unit}"
            found.setdefault(text + (f": {message.detail}" if message.detail else ""), []).append(
                number(execution.resolution_scale)
            )
    return tuple(f"{text} (scale {', '.join(dict.fromkeys(scales))})" for text, scales in found.items())
