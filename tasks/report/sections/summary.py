"""Part 1: what was reproduced, at a glance, and part 4: every target in one table."""

from __future__ import annotations

from collections import Counter

from schemas.evidence import TargetEvidence
from schemas.plan import TEXT
from tasks.report.document import Block, Cell, Notice, Paragraph, Prose, Section, Table
from tasks.report.source import CLASSES, MATERIALS, Source, TargetLine
from tasks.report.text import NONE, badge, counted, in_measure, mark, quantity, slug, thresholds


def summary_section(source: Source) -> Section:
    """Executive Summary."""
    plan = source.state.plan
    blocks: list[Block] = [Paragraph(headline(source))]
    if plan:
        blocks.append(Paragraph(f"Main claim of the paper, as the plan states it: {plan.main_claim}"))
    if source.headline.beside:
        blocks.append(_beside_table(source))
    blocks += [_assessment_table(source), _target_table(source), _findings(source), _hierarchy(source)]
    blocks += scope_blocks(source)
    conclusions = source.state.conclusions
    if conclusions:
        blocks.append(Prose(conclusions.executive_summary, "supervisor"))
    else:
        blocks.append(Paragraph("No agent wrote a summary of this run."))
    return Section("1", "Executive Summary", tuple(blocks))


def scope_blocks(source: Source) -> tuple[Block, ...]:
    """What the reader asked for, and the figures that were not attempted because of it."""
    scope = source.paper.scope
    if not scope:
        return ()
    outside = [f.figure_id for f in source.paper.figures if not scope.covers(f.figure_id)]
    left = f"Not attempted, outside of it: {', '.join(outside)}." if outside else "No figure lies outside of it."
    return (Paragraph(f"The reader's scope: {scope.words()}. {left}"),)


def headline(source: Source) -> str:
    """One sentence with the verdict and the counts."""
    claims = source.claims
    if not claims:
        return "The plan has no targets from the paper's figures, so there is nothing to judge."
    counts = source.counts(claims)
    agree = "agrees" if counts["SUCCESS"] == 1 else "agree"
    good = f"{counts['SUCCESS']} of {counted(len(claims), 'target')}"
    parts = [f"{good} {agree} with the paper within the acceptable error"]
    if counts["PARTIAL"]:
        parts.append(f"{counts['PARTIAL']} in part")
    if counts["FAILURE"]:
        parts.append(f"{counts['FAILURE']} not")
    if counts["not compared"]:
        parts.append(f"{counts['not compared']} never got as far as a comparison")
    found = source.headline
    rests = ("the targets the plan names for the claim" if source.state.plan and source.state.plan.claim_targets
             else "all targets the plan calls major; it names none for the claim alone")
    return (f"{found.verdict}: {found.reason}. {', '.join(parts)}. The verdict rests on {rests}. " + origin_sentence(source)
            + (f" {source.by_eye}" if source.by_eye else ""))


_ORIGINS = {"published_numbers": "published numbers", "digitised": "curves digitised from the paper",
            "computed_from_exact_theory": "data computed from exact theory, not from the publication",
            "supplied_by_user": "data the user supplied", "quoted": "numbers quoted from the paper's text"}


def origin_sentence(source: Source) -> str:
    """What the targets were compared with: agreement with a theory is not agreement with a measurement."""
    origin = {data.file: data.origin for figure in source.paper.figures for data in figure.data}
    found = Counter(origin.get(line.target.reference.file or "", "quoted") for line in source.claims if line.target)
    if not found:
        return ""
    return "Compared with " + "; ".join(f"{_ORIGINS[name]} ({number})" for name, number in sorted(found.items())) + "."


def figure_name(source: Source, figure_id: str) -> str:
    """The figure's id; the material checks by their own name."""
    return {MATERIALS: "Materials (stage 0)", TEXT: "Numbers in the text"}.get(figure_id, figure_id)


def figure_anchor(figure_id: str) -> str:
    """The fragment of a figure's part of the report."""
    return f"figure-{slug(figure_id)}"


def target_anchor(target_id: str) -> str:
    """The fragment of a target's part of the report."""
    return f"target-{slug(target_id)}"


def _assessment_table(source: Source) -> Table:
    rows = []
    for figure_id in source.figure_ids:
        lines = source.of_figure(figure_id)
        counts = source.counts(lines)
        name = Cell(figure_name(source, figure_id), href=f"#{figure_anchor(figure_id)}")
        rows.append(
            (
                name,
                Cell(_worst(lines).text, _worst(lines).tone),
                *(Cell(str(counts[key]) if counts[key] else NONE, number=True) for key in CLASSES),
            )
        )
    total = source.counts(source.lines)
    rows.append((Cell("All"), Cell(""), *(Cell(str(total[key]), number=True) for key in CLASSES)))
    return Table(
        ("Figure", "Overall", "Success", "Partial", "Failure", "Not compared"),
        tuple(rows),
        "Overall assessment: targets by classification",
    )


def _beside_table(source: Source) -> Table:
    """What the verdict does not show: alternatives, withdrawn, dropped and never compared targets, figures left out."""
    rows = tuple((Cell(entry.what, code=True), badge(entry.standing), Cell(entry.note or NONE))
                 for entry in source.headline.beside)
    return Table(("Target or figure", "Standing", "Why"), rows, "Beside the verdict")


def _worst(lines: tuple[TargetLine, ...]) -> Cell:
    if not lines:
        return badge("no target")
    return badge(max((line.classification for line in lines), key=CLASSES.index))


def _target_table(source: Source) -> Table:
    rows = []
    for line in source.lines:
        evidence = line.comparison.evidence if line.comparison else None
        rows.append(
            (
                Cell(figure_name(source, line.figure_id)),
                Cell(line.target_id, code=True, href=f"#{target_anchor(line.target_id)}"),
                Cell(line.description or NONE),
                Cell("major" if line.major else "minor"),
                Cell(in_measure(evidence.error, evidence) if evidence else NONE, number=True),
                badge(line.classification),
            )
        )
    return Table(
        ("Figure", "Target", "What is compared", "Weight", "Error", "Classification"),
        tuple(rows),
        "Targets",
        empty="The plan has no targets.",
    )


def _findings(source: Source) -> Table:
    compared = source.compared
    total = len(compared)
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
            Cell(f"{sum(getattr(c.evidence, name) for _, c in compared)} of {total}", number=True),
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
        comparison = line.comparison
        if comparison is None:
            rows.append(
                (
                    Cell(figure_name(source, line.figure_id)),
                    Cell(line.target_id, code=True, href=f"#{target_anchor(line.target_id)}"),
                    *(Cell(NONE, number=position < 5) for position in range(9)),
                    badge("not compared"),
                )
            )
            continue
        e = comparison.evidence
        rows.append(
            (
                Cell(figure_name(source, line.figure_id)),
                Cell(line.target_id, code=True, href=f"#{target_anchor(line.target_id)}"),
                Cell(quantity(e.simulated, e.unit), number=True),
                Cell(_plus_minus(e), number=True),
                Cell(quantity(e.reference, e.unit), number=True),
                Cell(in_measure(e.error, e), number=True),
                Cell(thresholds(e), number=True),
                mark(e.ran),
                mark(e.converged),
                mark(e.physical),
                mark(e.matches),
                badge(comparison.classification),
            )
        )
    note = Paragraph(
        "Curves have no single value; their error is the normalised RMS difference. The uncertainty is "
        "numerical, from the convergence runs, in the measure of the error. Thresholds: excellent / "
        "acceptable / investigate."
    )
    table = Table(
        (
            "Figure",
            "Target",
            "Simulated",
            "Uncertainty",
            "Paper",
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
    return Section("4", "Summary Table", (note, table))


def _plus_minus(evidence: TargetEvidence) -> str:
    return "unknown" if evidence.uncertainty is None else f"± {in_measure(evidence.uncertainty, evidence)}"


def lead_blocks(source: Source) -> tuple[Block, ...]:
    """The boxes above part 1: partial runs, weak isolation, replays."""
    facts = source.facts
    blocks: list[Block] = []
    if facts.partial:
        reason = facts.stop_reason or source.state.stop_reason or "no reason was recorded"
        blocks.append(Notice("bad", "Partial report: the run ended before its plan was done", (reason,)))
    if facts.sandbox_level == "C":
        blocks.append(
            Notice("bad", "Degraded isolation: the generated code was not sandboxed", (facts.sandbox_note,))
        )
    elif facts.sandbox_level != "A":
        blocks.append(Notice("fair", f"Isolation level {facts.sandbox_level}", (facts.sandbox_note,)))
    changed = tuple(f"{name}: {state}" for name, state in source.file_states.items() if state != "verified")
    if changed:
        blocks.append(
            Notice("bad", "Data files that are not what was judged; their numbers have no source", changed)
        )
    blocks.append(Notice("plain", "Who answered", (facts.endpoint,)))
    return tuple(blocks)
