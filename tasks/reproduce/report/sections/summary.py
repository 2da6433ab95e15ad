"""Part 1: what was reproduced, at a glance, and part 4: every target in one table."""

from __future__ import annotations

from collections import Counter

from schemas.reproduce.judging.evidence import TargetEvidence
from tasks.reproduce.report.document import Block, Cell, Fold, Paragraph, Prose, Section, Table
from tasks.reproduce.report.prose import noted
from tasks.reproduce.report.sections.about_paper import about_paper_blocks
from tasks.reproduce.report.sections.budgets import validation_blocks
from tasks.reproduce.report.sections.naming import (
    figure_anchor,
    figure_name,
    reference_cell,
    simulated_cell,
    target_cell,
)
from tasks.reproduce.report.sections.screen import (
    beside_blocks,
    caution_blocks,
    doubt_blocks,
    scope_blocks,
    target_table,
    tiles,
)
from tasks.reproduce.report.sections.turns import turn_blocks
from tasks.reproduce.report.sections.unquoted import unquoted_blocks
from tasks.reproduce.report.source import CLASSES, Source, TargetLine
from tasks.reproduce.report.text import NONE, badge, counted, in_measure, mark, thresholds


def summary_section(source: Source) -> Section:
    """Executive Summary."""
    plan = source.state.plan
    blocks: list[Block] = [Paragraph(headline(source))]
    if plan:
        blocks.append(Paragraph(f"Main claim of the paper, as the plan states it: {plan.main_claim}"))
    main, others = tiles(source)
    blocks += [
        *main,
        *about_paper_blocks(source),
        *turn_blocks(source),
        *others,
        target_table(source),
        *doubt_blocks(source),
        *beside_blocks(source),
        *unquoted_blocks(source),
        *scope_blocks(source),
        *caution_blocks(source),
        _assessment_table(source),
    ]
    conclusions = source.state.conclusions
    blocks.append(
        Prose(noted(source, conclusions.executive_summary), "supervisor")
        if conclusions
        else Paragraph("No agent wrote a summary of this run.")
    )
    blocks.append(
        Fold("The four findings and the validation hierarchy", (_findings(source), _hierarchy(source)))
    )
    return Section("1", "Executive Summary", tuple(blocks), open=True)


def headline(source: Source) -> str:
    """One sentence with the verdict and the counts."""
    claims = source.claims
    if not claims:
        return "The plan has no targets from the paper's figures, so there is nothing to judge."
    counts = source.counts(claims)
    lost = source.failures_taken_back
    agree = "counts" if counts["SUCCESS"] == 1 else "count"
    good = f"{counts['SUCCESS']} of {counted(len(claims) + len(lost), 'target')}"
    parts = [f"{good} {agree} in full as agreement with the paper"]
    if counts["PARTIAL"]:
        parts.append(f"{counts['PARTIAL']} in part")
    if counts["FAILURE"] or lost:
        parts.append(f"{counts['FAILURE'] + len(lost)} not")
    if lost:
        parts[-1] += (
            f" (counted with them, though taken back or dropped since: {', '.join(r.target_id for r in lost)} as it "
            "failed before)"
        )
    if counts["not compared"]:
        parts.append(f"{counts['not compared']} never got as far as a comparison")
    found = source.headline
    rests = (
        "the targets the plan names for the claim"
        if source.state.plan and source.state.plan.claim_targets
        else "all targets the plan calls major; it names none for the claim alone"
    )
    return (
        f"{found.verdict}: {found.reason}. {', '.join(parts)}. The verdict rests on {rests}. "
        + origin_sentence(source)
        + (f" {source.by_eye}" if source.by_eye else "")
    )


_ORIGINS = {
    "published_numbers": "published numbers",
    "digitised": "curves digitised from the paper",
    "computed_from_exact_theory": "data computed from exact theory, not from the publication",
    "supplied_by_user": "data the user supplied",
    "quoted": "numbers quoted from the paper's text",
}


def origin_sentence(source: Source) -> str:
    """What the targets were compared with: agreement with a theory is not agreement with a measurement."""
    origin = {data.file: data.origin for figure in source.paper.figures for data in figure.data}
    found = Counter(
        origin.get(line.target.reference.file or "", "quoted") for line in source.claims if line.target
    )
    if not found:
        return ""
    return (
        "Compared with "
        + "; ".join(f"{_ORIGINS[name]} ({number})" for name, number in sorted(found.items()))
        + "."
    )


def _assessment_table(source: Source) -> Table:
    rows = []
    for figure_id in source.figure_ids:
        lines = source.of_figure(figure_id)
        counts = source.counts(lines)
        worst = _worst(lines)
        rows.append(
            (
                Cell(figure_name(source, figure_id), href=f"#{figure_anchor(figure_id)}"),
                Cell(worst.text, worst.tone),
                *(Cell(str(counts[key]) if counts[key] else NONE, number=True) for key in CLASSES),
            )
        )
    total = source.counts(source.claims)
    lost = source.failures_taken_back
    if lost:
        total["FAILURE"] += len(lost)
        rows.append(
            (
                Cell("Failed, and taken back or dropped since"),
                badge("FAILURE"),
                *(Cell(str(len(lost)) if key == "FAILURE" else NONE, number=True) for key in CLASSES),
            )
        )
    rows.append(
        (
            Cell("All of the paper (material checks and inferred readings do not count)"),
            Cell(""),
            *(Cell(str(total[key]), number=True) for key in CLASSES),
        )
    )
    return Table(
        ("Figure", "Overall", "Success", "Partial", "Failure", "Not compared"),
        tuple(rows),
        "Overall assessment: targets by classification",
    )


def _worst(lines: tuple[TargetLine, ...]) -> Cell:
    if not lines:
        return badge("no target")
    return badge(max((line.classification for line in lines), key=CLASSES.index))


def _findings(source: Source) -> Table:
    compared = source.compared
    asked = (
        ("ran", "a simulation of ours wrote the value"),
        ("converged", "numerical uncertainty below half the acceptable error"),
        ("physical", "no physics check failed"),
        ("matches", "error within the acceptable threshold"),
    )
    rows = tuple(
        (
            Cell(name),
            Cell(meaning),
            Cell(f"{sum(getattr(c.evidence, name) for _, c in compared)} of {len(compared)}", number=True),
        )
        for name, meaning in asked
    )
    return Table(("Finding", "Meaning", "Targets"), rows, "The four findings, each on its own")


def _hierarchy(source: Source) -> Table:
    values = source.state.hierarchy.model_dump()
    rows = tuple((Cell(name.replace("_", " ")), badge(value)) for name, value in values.items())
    return Table(("Kind of stage", "Standing"), rows, "Validation hierarchy")


def overview_section(source: Source) -> Section:
    """Summary Table."""
    rows = []
    for line in source.lines:
        figure = Cell(figure_name(source, line.figure_id))
        comparison = line.comparison
        if comparison is None:
            rows.append(
                (
                    figure,
                    target_cell(line),
                    *(Cell(NONE, number=position < 5) for position in range(9)),
                    badge("not compared"),
                )
            )
            continue
        e = comparison.evidence
        rows.append(
            (
                figure,
                target_cell(line),
                simulated_cell(line, e),
                Cell(_plus_minus(e), number=True),
                reference_cell(source, line, e),
                Cell(in_measure(e.error, e), number=True),
                Cell(thresholds(e), number=True),
                mark(e.ran),
                mark(e.converged),
                mark(e.physical),
                mark(e.matches),
                badge(comparison.verdict),
            )
        )
    note = Paragraph(
        "Curves and maps have no single value; their error is the normalised RMS difference. The uncertainty is "
        "numerical, from the convergence runs, in the measure of the error. Thresholds: excellent / acceptable / investigate."
    )
    table = Table(
        (
            "Figure",
            "Target",
            "Simulated",
            "Uncertainty",
            "Reference",
            "Error",
            "Thresholds",
            "Ran",
            "Converged",
            "Physical",
            "Matches",
            "Classification",
        ),
        tuple(rows),
        empty="The plan has no targets.",
    )
    return Section("4", "Summary Table", (note, table, *validation_blocks(source)))


def _plus_minus(evidence: TargetEvidence) -> str:
    return "unknown" if evidence.uncertainty is None else f"± {in_measure(evidence.uncertainty, evidence)}"
