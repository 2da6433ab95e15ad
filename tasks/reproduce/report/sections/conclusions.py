"""Part 5: differences common to several targets, and part 6: conclusions."""

from __future__ import annotations

from tasks.reproduce.report.document import (
    Block,
    Bullets,
    Cell,
    Fold,
    Group,
    Paragraph,
    Prose,
    Section,
    Table,
)
from tasks.reproduce.report.prose import noted
from tasks.reproduce.report.sections.summary import headline
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import NONE, badge, number


def discrepancies_section(source: Source) -> Section:
    """Systematic Discrepancies."""
    state, lines = source.state, {line.target_id: line for line in source.lines}
    named = tuple(dict.fromkeys(state.systematic_discrepancies))
    blocks: list[Block] = [
        Bullets(
            named,
            "Named by the agents, or computed where it says so" if named else "",
            empty="No difference common to several targets was named.",
        ),
        *_shifts(source),
        Table(
            ("Target", "Severity", "Difference", "Likely cause", "Action"),
            tuple(
                (
                    Cell(d.target_id, code=True),
                    badge(d.severity),
                    Cell(noted(source, d.description, lines.get(d.target_id))),
                    Cell(d.likely_cause or NONE),
                    Cell(d.action or NONE),
                )
                for d in state.discrepancies
            ),
            "Discrepancies (described by the results analyst)",
            empty="No discrepancy was recorded.",
        ),
    ]
    return Section("5", "Systematic Discrepancies", tuple(blocks))


def _shifts(source: Source) -> tuple[Block, ...]:
    """The shifts code measured, with a sentence if all curves move the same way."""
    shifted = [(line, c.evidence) for line, c in source.compared if c.evidence.shift_percent is not None]
    if not shifted:
        return ()
    values = [e.shift_percent or 0.0 for _, e in shifted]
    table = Table(
        ("Target", "Best shift", "Relative", "Best scale"),
        tuple(
            (
                Cell(line.target_id, code=True),
                Cell(number(e.shift), number=True),
                Cell(f"{number(e.shift_percent, 3)} %", number=True),
                Cell(number(e.scale), number=True),
            )
            for line, e in shifted
        ),
        "Shift of each simulated curve, measured by code",
    )
    if len(values) > 1 and (min(values) > 0 or max(values) < 0):
        return (
            Paragraph(
                f"All {len(values)} curves are shifted the same way, by {number(min(values), 3)} % to "
                f"{number(max(values), 3)} %: a common cause is likely."
            ),
            Fold("Shifts of the simulated curves", (table,)),
        )
    return (Fold("Shifts of the simulated curves", (table,)),)


def conclusions_section(source: Source) -> Section:
    """Conclusions."""
    conclusions = source.state.conclusions
    blocks: list[Block] = [Paragraph(headline(source))]
    if conclusions is None:
        blocks.append(Paragraph("No agent wrote conclusions for this run."))
    else:
        if conclusions.key_findings:
            blocks.append(
                Group("Key findings", (Prose(noted(source, _list(conclusions.key_findings)), "supervisor"),))
            )
        if conclusions.systematic_discrepancies:
            blocks.append(
                Group(
                    "Systematic discrepancies as the supervisor sees them",
                    (Prose(noted(source, _list(conclusions.systematic_discrepancies)), "supervisor"),),
                )
            )
        blocks.append(
            Group("Final statement", (Prose(noted(source, conclusions.final_statement), "supervisor"),))
        )
    return Section("6", "Conclusions", tuple(blocks))


def _list(items: tuple[str, ...]) -> str:
    return "\n".join("- " + item.replace("\n", "\n  ") for item in items)
