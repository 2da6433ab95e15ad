"""The first screen: verdict, claim, every target with its plot, what is not there, assumptions that matter."""

from __future__ import annotations

from schemas.run.pasted import on_run
from tasks.reproduce.judging.doubts import causes, decidable
from tasks.reproduce.report.document import (
    Block,
    Bullets,
    Cell,
    Facts,
    Notice,
    Paragraph,
    Picture,
    Table,
    Tile,
    Tiles,
)
from tasks.reproduce.report.embedded_pictures import load_picture
from tasks.reproduce.report.sections.naming import (
    against_uncertainty,
    error_text,
    figure_name,
    reference_cell,
    simulated_cell,
    target_anchor,
    target_cell,
)
from tasks.reproduce.report.source import Source, TargetLine
from tasks.reproduce.report.text import NONE, badge, in_measure

_ROLES = {
    "claim": "claim",
    "major": "major",
    "minor": "minor",
    "inferred": "inferred reading",
    "material": "material check",
}


def warning_blocks(source: Source) -> tuple[Block, ...]:
    """Boxes a reader must not miss: partial and debug runs, weak isolation, changed data, text that addresses an AI."""
    facts = source.facts
    blocks: list[Block] = []
    if facts.partial:
        reason = facts.stop_reason or source.state.stop_reason or "no reason was recorded"
        what = "is not finished and has no verdict" if facts.unfinished else "ended before its plan was done"
        blocks.append(Notice("bad", f"Partial report: the run {what}", (reason,)))
    if facts.sandbox_level == "C":
        blocks.append(
            Notice("bad", "Degraded isolation: the generated code was not sandboxed", (facts.sandbox_note,))
        )
    elif facts.sandbox_level != "A":
        blocks.append(Notice("fair", f"Isolation level {facts.sandbox_level}", (facts.sandbox_note,)))
    around = tuple(f"{against}: {how}" for against, how, held in facts.sandbox_protections if not held)
    if around:
        blocks.append(
            Notice(
                "fair", "A program that tried could go around limits of the sandbox on this computer", around
            )
        )
    without = {line.target_id for line, c in source.compared if not c.evidence.ran}  # no value, so no file
    changed = tuple(
        f"{name}: {state}"
        for name, state in source.file_states.items()
        if state != "verified" and name not in without
    )
    if changed:
        blocks.append(
            Notice("bad", "Data files that are not what was judged; their numbers have no source", changed)
        )
    told = (
        *(f"Found by code, {entry}" for entry in facts.addressed),
        *(f"Reported by the planner: {entry}" for entry in source.state.instructions_found),
    )
    if told:
        blocks.append(
            Notice("bad", "The paper contains text that addresses an AI; it was not followed", told)
        )
    return tuple(blocks)


def target_table(source: Source) -> Table:
    """Every target in one line: values, error with uncertainty, what that means, class."""
    rows = []
    for line in source.lines:
        evidence = line.comparison.evidence if line.comparison else None
        rows.append(
            (
                target_cell(line),
                badge(line.classification),
                Cell(line.what or NONE),
                Cell(_ROLES.get(source.role(line), source.role(line))),
                simulated_cell(line, evidence),
                reference_cell(source, line, evidence),
                Cell(error_text(evidence) if evidence else NONE, number=True),
                Cell(in_measure(evidence.acceptable, evidence) if evidence else NONE, number=True),
                Cell(
                    against_uncertainty(evidence) if evidence else f"stage {line.stage_id} got no comparison"
                ),
            )
        )
    return Table(
        (
            "Target",
            "Class",
            "What is compared",
            "Counts as",
            "Simulated",
            "Reference",
            "Error ± numerical",
            "Allowed",
            "In words",
        ),
        tuple(rows),
        "Targets",
        empty="The plan has no targets.",
        cards=True,
    )


def tiles(source: Source) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """The plots of compared curves and maps: the one that carries the claim, large, and the others; a single number has no plot
    worth a place here."""
    plotted = [
        line for line in source.lines if line.comparison and line.target and line.target.kind != "scalar"
    ]
    order = ("claim", "major")
    plotted.sort(key=lambda line: order.index(role) if (role := source.role(line)) in order else len(order))
    found = tuple(_tile(source, line) for line in plotted)
    main = (Tiles(found[:1], large=True),) if found else ()
    return main, (Tiles(found[1:]),) if found[1:] else ()


def _tile(source: Source, line: TargetLine) -> Tile:
    assert line.comparison is not None
    evidence = line.comparison.evidence
    picture = (
        load_picture(
            source.run_dir,
            evidence.overlay,
            f"{line.target_id}: simulation and reference",
            absent="No comparison plot was made.",
        )
        if evidence.overlay
        else Picture(line.target_id, missing="No comparison plot was made.")
    )
    return Tile(
        line.target_id,
        picture,
        badge(line.classification),
        f"{figure_name(source, line.figure_id)}, error {error_text(evidence)}",
        f"#{target_anchor(line.target_id)}",
    )


def beside_blocks(source: Source) -> tuple[Block, ...]:
    """What was withdrawn, dropped, never compared or not attempted."""
    rows = tuple(
        (Cell(entry.what, code=True), badge(entry.standing), Cell(entry.note or NONE))
        for entry in source.headline.beside
    )
    return (
        Table(
            ("Target or figure", "Standing", "Why"),
            rows,
            "Withdrawn, not compared or not attempted",
            empty="Nothing: no target was withdrawn or lost on the way, and no figure was left out.",
        ),
    )


def doubt_blocks(source: Source) -> tuple[Block, ...]:
    """What only the paper's words keep from agreeing, with the command by which a person decides it, and what one decided."""
    compared = [line.comparison for line in source.lines if line.comparison]
    left = causes({c.target_id: decidable(c.evidence) for c in compared if not c.stricter_than_evidence})
    by = dict.fromkeys(doubt.lifted_by for c in compared for doubt in c.evidence.doubts if doubt.lifted_by)
    said = [
        f"{cause.told()} ({who})"
        for who in by
        for cause in causes(
            {c.target_id: [d for d in c.evidence.doubts if d.lifted_by == who] for c in compared}
        )
    ]
    blocks = []
    if left:
        answer = f"doubts=confirm: {', '.join(cause.name for cause in left)}"
        blocks.append(
            Notice(
                "fair",
                "These agree, or differ, and only what the paper's words leave open keeps them from saying so",
                (
                    *(cause.told() for cause in left),
                    "Compare the paper's words with what was simulated (section on each stage, with its drawing). What is the "
                    "same a person confirms, all or some: "
                    + on_run(source.run_dir, "resume", "--answer", answer),
                ),
            )
        )
    if said:
        blocks.append(
            Notice(
                "fair",
                "A person confirmed what the paper's words leave open",
                tuple(said),
            )
        )
    return tuple(blocks)


def caution_blocks(source: Source) -> tuple[Block, ...]:
    """The assumptions on which the results depend, and who answered."""
    state = source.state
    blocks: list[Block] = []
    computed = source.sensitivities
    matter = [
        a
        for a in state.assumptions
        if a.sensitivity == "high"
        or a.source == "user"
        or a.category == "material"
        or a.assumption_id in computed
    ]
    rest = len(state.assumptions) - len(matter)
    told = f"{rest} more of lower sensitivity: part 2." if rest else ""
    if matter:
        blocks.append(
            Table(
                ("Assumption", "Value", "From", "Why", "Computed"),
                tuple(
                    (
                        Cell(a.parameter),
                        Cell(a.value),
                        Cell(a.source),
                        Cell(a.reason),
                        Cell(computed.get(a.assumption_id, NONE)),
                    )
                    for a in matter
                ),
                "Assumed, and the result depends on it",
            )
        )
        if told:
            blocks.append(Paragraph(told))
    else:
        blocks.append(
            Bullets(
                (),
                "Assumed, and the result depends on it",
                empty=f"No assumption of high sensitivity. {told}",
            )
        )
    answered, _, note = source.facts.endpoint.partition(" Note of the recording:")
    blocks.append(Facts((("Who answered", Cell(answered + (" More in appendix F." if note else ""))),)))
    return tuple(blocks)


def scope_blocks(source: Source) -> tuple[Block, ...]:
    """What the reader asked for, and the figures that were not attempted because of it."""
    scope = source.paper.scope
    if not scope:
        return ()
    outside = [f.figure_id for f in source.paper.figures if not scope.covers(f.figure_id)]
    left = (
        f"Not attempted, outside of it: {', '.join(outside)}." if outside else "No figure lies outside of it."
    )
    return (Paragraph(f"The reader's scope: {scope.words()}. {left}"),)
