"""How the run changed course: new plans, returns, and every comparison that was taken back, for the first screen."""

from __future__ import annotations

from schemas.reproduce.judging.comparison import ComparisonRecord
from tasks.reproduce.report.document import Block, Cell, Fold, Notice, Paragraph, Table
from tasks.reproduce.report.long_tables import COMPARISONS
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import NONE, badge, counted, num, number

_EVENTS = {
    "computed": "computed by code",
    "compared": "end of the attempt",
    "withdrawn": "taken back",
    "dropped": "dropped by a new plan",
    "demoted": "counts for less",
}


def turn_blocks(source: Source) -> tuple[Block, ...]:
    """New plans and returns with their reasons, and the failures that were taken back on the way."""
    turns = tuple(
        f"{turn.kind}"
        + (f" to {turn.to}" if turn.to else "")
        + (f" after plan {turn.plan_round}" if turn.plan_round else "")
        + (f", asked for by {turn.asked_by}" if turn.asked_by else "")
        + f": {turn.reason or 'no reason was given'}"
        + (
            f" The main claim was “{turn.claim_before}”, it is now “{turn.claim_after}”."
            if turn.claim_before
            else ""
        )
        for turn in source.state.turns
    )
    taken = tuple(
        _taken_back(record)
        for record in source.state.comparison_history
        if record.event in ("withdrawn", "dropped", "demoted") and record.role != "material"
    )
    if not turns and not taken:
        return (Paragraph("The run kept the plan that was approved first, and went back to no stage."),)
    failed = any(
        record.classification == "FAILURE"
        for record in source.state.comparison_history
        if record.event == "withdrawn" and record.role != "material"
    )
    return (
        Notice(
            "bad" if failed else "fair",
            "The run changed course: new plans, returns, and what they took back",
            (*turns, *taken),
        ),
    )


def _taken_back(record: ComparisonRecord) -> str:
    what = {
        "withdrawn": f"taken back: {record.target_id}, {record.classification}",
        "dropped": f"dropped: {record.target_id}",
        "demoted": f"counts for less than before: {record.target_id}",
    }[record.event]
    error = (
        f", error {number(record.error, 3)} ({record.measure.replace('_', ' ')})"
        if record.error is not None
        else ""
    )
    return (
        f"{what}{error} (plan {record.plan_round}"
        + (f", attempt {record.attempt}" if record.attempt else "")
        + ")"
    )


def ledger_block(source: Source) -> Fold:
    """Every comparison of the run in the order it was made, whatever became of it."""
    rows = tuple(
        (
            Cell(str(place), number=True),
            Cell(_EVENTS[r.event]),
            Cell(r.target_id, code=True),
            Cell(r.stage_id, code=True),
            Cell(f"{r.plan_round}.{r.attempt}"),
            Cell(r.role),
            Cell(f"{number(r.simulated, 6)} {'' if r.unit == '1' else r.unit}".strip(), number=True),
            Cell(f"{number(r.stated, 6)} {'' if r.unit == '1' else r.unit}".strip(), number=True),
            num(r.error, 3),
            badge(r.classification) if r.classification else Cell(NONE),
            Cell(r.evidence or NONE, code=True),
            Cell(r.reason or NONE),
        )
        for place, r in enumerate(source.state.comparison_history, 1)
    )
    table = Table(
        (
            "No.",
            "What happened",
            "Target",
            "Stage",
            "Plan.attempt",
            "Counted as",
            "Simulated",
            "Paper",
            "Error",
            "Class",
            "Evidence",
            "Reason",
        ),
        rows,
        "Append-only: written by code as evidence was computed",
        empty="Nothing was compared.",
    )
    return Fold(
        f"Ledger of comparisons: {counted(len(rows), 'line')}",
        (
            table,
            Paragraph(
                f"The same as a table: {COMPARISONS}. Evidence is a digest of all that was computed for the target."
            ),
        ),
    )
