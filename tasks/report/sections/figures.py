"""Part 3: each figure of the paper beside what was simulated, with the evidence of every target."""

from __future__ import annotations

from schemas.comparison import FigureComparison
from schemas.evidence import TargetEvidence
from schemas.plan import TEXT
from tasks.report.document import (
    Block,
    Bullets,
    Cell,
    Facts,
    Gallery,
    Group,
    Paragraph,
    Picture,
    Prose,
    Section,
    Table,
)
from tasks.report.files import file_cell
from tasks.report.pictures import load_picture
from tasks.report.sections.looks import looks_of_figure
from tasks.report.sections.summary import figure_anchor, figure_name, target_anchor
from tasks.report.source import MATERIALS, Source, TargetLine
from tasks.report.text import (
    NONE,
    badge,
    in_measure,
    mark,
    num,
    number,
    quantity,
    short_hash,
    slug,
    thresholds,
)


def figures_section(source: Source) -> Section:
    """Figure-by-Figure Comparisons."""
    blocks = tuple(_figure(source, figure_id) for figure_id in source.figure_ids)
    return Section("3", "Figure-by-Figure Comparisons", blocks)


def _figure(source: Source, figure_id: str) -> Group:
    lines = source.of_figure(figure_id)
    blocks: list[Block] = [*_pictures(source, figure_id, lines)]
    caption = next((f.caption for f in source.paper.figures if f.figure_id == figure_id), "")
    if caption:
        blocks.insert(0, Paragraph(f"Caption in the paper: {caption}"))
    looks = looks_of_figure(source, figure_id)
    if not lines and not looks:
        plan = source.state.plan
        if not source.paper.scope.covers(figure_id):
            return Group(figure_name(source, figure_id), (*blocks, Paragraph("Not attempted: outside the reader's scope.")),
                         figure_anchor(figure_id))
        why = [text for text in (plan.not_reproducible if plan else ()) if text.startswith(f"{figure_id}:")]
        blocks.append(
            Paragraph(f"Not attempted. {why[0]}" if why else "The plan has no target for this figure.")
        )
    blocks += [_target(source, line) for line in lines]
    blocks += looks
    return Group(figure_name(source, figure_id), tuple(blocks), figure_anchor(figure_id))


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
    overlays: dict[str, list[str]] = {}
    for line in lines:
        if line.comparison and line.comparison.evidence.overlay:
            overlays.setdefault(line.comparison.evidence.overlay, []).append(line.target_id)
    pictures += [
        load_picture(source.run_dir, path, f"Simulation and paper: {', '.join(targets)}")
        for path, targets in overlays.items()
    ]
    if not overlays and lines:
        pictures.append(
            Picture("Simulation and paper", missing="No comparison plot was made for this figure.")
        )
    if all(picture.missing for picture in pictures):
        return tuple(Paragraph(picture.missing) for picture in pictures)
    return (Gallery(tuple(pictures)),)


def _target(source: Source, line: TargetLine) -> Group:
    anchor = target_anchor(line.target_id)
    comparison = line.comparison
    if comparison is None:
        reason = f"Stage {line.stage_id} did not get as far as a comparison."
        return Group(
            line.target_id, (Paragraph(line.description), Paragraph(reason)), anchor, badge("not compared"), 4
        )
    evidence = comparison.evidence
    blocks: list[Block] = []
    if line.description:
        blocks.append(Paragraph(line.description))
    blocks += [_findings(evidence), Facts(_values(evidence) + _sources(source, line, evidence))]
    if evidence.rungs:
        blocks.append(_rungs(evidence))
    if evidence.features or evidence.unmatched_simulated:
        blocks.append(_features(evidence))
    if evidence.reasons:
        blocks.append(Bullets(evidence.reasons, "Why this classification"))
    blocks += _words(comparison)
    return Group(line.target_id, tuple(blocks), anchor, badge(comparison.classification), 4)


def _findings(e: TargetEvidence) -> Table:
    return Table(
        ("Ran", "Computed from fields", "Converged", "Physical", "Matches the paper"),
        ((mark(e.ran), mark(e.computed), mark(e.converged), mark(e.physical), mark(e.matches)),),
    )


def _values(e: TargetEvidence) -> tuple[tuple[str, Cell], ...]:
    items: list[tuple[str, Cell]] = []
    if e.simulated is not None or e.reference is not None:
        uncertainty = (
            f" ± {in_measure(e.uncertainty, e)}" if e.uncertainty is not None else " (uncertainty unknown)"
        )
        items += [
            (
                "Simulated",
                Cell(quantity(e.simulated, e.unit, 5) + (uncertainty if e.simulated is not None else "")),
            ),
            ("Paper", Cell(quantity(e.reference, e.unit, 5))),
        ]
    else:
        items.append(
            (
                "Numerical uncertainty",
                Cell(in_measure(e.uncertainty, e) if e.uncertainty is not None else "unknown"),
            )
        )
    items += [
        ("Error", Cell(in_measure(e.error, e))),
        ("Excellent / acceptable / investigate", Cell(thresholds(e))),
    ]
    curve = (
        ("RMS difference as it stands", e.nrms_percent, " %"),
        ("RMS difference after best shift", e.nrms_aligned_percent, " %"),
        ("Pearson correlation", e.pearson, ""),
        ("Best scale", e.scale, ""),
    )
    items += [(name, Cell(number(value) + unit)) for name, value, unit in curve if value is not None]
    if e.shift is not None:
        percent = f" ({number(e.shift_percent, 3)} %)" if e.shift_percent is not None else ""
        items.append(("Best shift", Cell(number(e.shift) + percent)))
    if e.overlap is not None:
        items.append(("Range covered by both", Cell(f"{number(100 * e.overlap, 3)} %")))
    if e.observed_order is not None:
        items.append(("Observed order of convergence", Cell(number(e.observed_order, 3))))
    return tuple(items)


def _sources(source: Source, line: TargetLine, e: TargetEvidence) -> tuple[tuple[str, Cell], ...]:
    reference = e.reference_source
    if line.target and line.target.reference.quotation:
        stated = line.target.reference
        reference = f"{reference}\n“{stated.quotation}” ({stated.place})".strip()
    state = source.file_states[line.target_id]
    return (
        ("Reference from", Cell(reference or NONE)),
        ("Data file", file_cell(source.run_dir, e.file)),
        ("Column", Cell(e.column or NONE, code=bool(e.column))),
        ("sha256", short_hash(e.sha256)),
        ("File since then", Cell(state, tone="good" if state == "verified" else "bad")),
        ("Execution", short_hash(e.execution_id)),
    )


def _rungs(e: TargetEvidence) -> Table:
    name = "Value" if e.simulated is not None else "Value (curve: as recorded)"
    rows = tuple((num(rung.resolution_scale), num(rung.value, 6)) for rung in e.rungs)
    return Table(("Resolution scale", name), rows, "Convergence rungs")


def _features(e: TargetEvidence) -> Table:
    matched = sum(feature.x_simulated is not None for feature in e.features)
    rows = tuple(
        (
            Cell(f.kind),
            num(f.x_reference, 5),
            num(f.x_simulated, 5) if f.x_simulated is not None else Cell("missing", tone="bad", number=True),
            Cell(NONE if f.shift_percent is None else f"{number(f.shift_percent, 3)} %", number=True),
            num(f.fwhm_ratio, 3),
            num(f.height_difference, 3),
        )
        for f in e.features
    )
    extra = f"; {e.unmatched_simulated} in the simulation only" if e.unmatched_simulated else ""
    return Table(
        ("Feature", "Position, paper", "Position, simulated", "Shift", "FWHM ratio", "Height difference"),
        rows,
        f"Features of the curve: {matched} of {len(e.features)} matched{extra}",
        empty="No feature in the paper's curve.",
    )


def _words(comparison: FigureComparison) -> list[Block]:
    blocks: list[Block] = []
    if comparison.stricter_than_evidence:
        blocks.append(
            Paragraph(
                f"The analyst judged this more strictly than the evidence alone, "
                f"which says {comparison.evidence.classification}."
            )
        )
    parts = [comparison.explanation, comparison.visual]
    if comparison.likely_causes:
        parts.append("Likely causes:\n\n" + "\n".join(f"- {cause}" for cause in comparison.likely_causes))
    text = "\n\n".join(part for part in parts if part)
    if text:
        blocks.append(Prose(text, "results analyst"))
    return blocks
