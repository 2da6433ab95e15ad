"""The evidence of one target: findings, numbers, sources, rungs, features, and the analyst's words."""

from __future__ import annotations

from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.judging.evidence import TargetEvidence
from tasks.reproduce.report.document import Block, Bullets, Cell, Facts, Fold, Paragraph, Prose, Table
from tasks.reproduce.report.prose import noted
from tasks.reproduce.report.report_files import file_cell
from tasks.reproduce.report.sections.budgets import budget_fold
from tasks.reproduce.report.sections.naming import against_uncertainty, reference_name, target_anchor
from tasks.reproduce.report.source import Source, TargetLine
from tasks.reproduce.report.text import (
    NONE,
    badge,
    in_measure,
    mark,
    num,
    number,
    quantity,
    reference_quantity,
    short_hash,
    thresholds,
)


def target_fold(source: Source, line: TargetLine) -> Fold:
    """All the evidence of one target."""
    anchor = target_anchor(line.target_id)
    comparison = line.comparison
    if comparison is None:
        reason = f"Stage {line.stage_id} did not get as far as a comparison."
        return Fold(
            line.target_id, (Paragraph(line.description), Paragraph(reason)), anchor, badge("not compared")
        )
    evidence = comparison.evidence
    blocks: list[Block] = []
    if line.what:
        blocks.append(Paragraph(line.what))
    blocks += [
        _findings(evidence),
        Facts(_values(evidence, reference_name(source, line)) + _sources(source, line, evidence)),
    ]
    if evidence.rungs:
        blocks.append(_rungs(evidence))
    blocks.append(budget_fold(source, line.target_id))
    if evidence.features or evidence.unmatched_simulated:
        blocks.append(_features(evidence))
    if evidence.reasons:
        blocks.append(Bullets(evidence.reasons, "Why this classification"))
    if evidence.about_paper:
        blocks.append(Bullets(tuple(finding.words for finding in evidence.about_paper), "About the paper"))
    blocks += _words(source, line, comparison)
    return Fold(line.target_id, tuple(blocks), anchor, badge(comparison.classification))


def _findings(e: TargetEvidence) -> Table:
    return Table(
        ("Ran", "Computed from fields", "Converged", "Physical", "Matches the reference"),
        ((mark(e.ran), mark(e.computed), mark(e.converged), mark(e.physical), mark(e.matches)),),
    )


def _values(e: TargetEvidence, against: str) -> tuple[tuple[str, Cell], ...]:
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
            (f"Reference ({against})", Cell(reference_quantity(e, 5))),
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
        ("Error beside the uncertainty", Cell(against_uncertainty(e))),
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
    """A scalar's value, or the error of a curve or map: those have no single value."""
    if e.simulated is not None:
        name, caption = "Value", "Convergence rungs: the value at each resolution"
    else:
        unit = {"relative_percent": ", %", "absolute_percentage_points": ", pp"}.get(e.measure, "")
        name, caption = (
            f"Error{unit}",
            "Convergence rungs: errors against the reference at each resolution, not values",
        )
    rows = tuple((num(rung.resolution_scale), num(rung.value, 6)) for rung in e.rungs)
    return Table(("Resolution scale", name), rows, caption)


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
        ("Feature", "Position, reference", "Position, simulated", "Shift", "FWHM ratio", "Height difference"),
        rows,
        f"Features of the curve: {matched} of {len(e.features)} matched{extra}",
        empty="No feature in the reference's curve.",
    )


def _words(source: Source, line: TargetLine, comparison: FigureComparison) -> list[Block]:
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
        blocks.append(Prose(noted(source, text, line), "results analyst"))
    return blocks
