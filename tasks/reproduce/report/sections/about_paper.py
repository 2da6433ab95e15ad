"""Findings about the paper: what running showed and reading does not, and where its words contradict each other."""

from __future__ import annotations

from schemas.reproduce.paper import PaperInput
from schemas.reproduce.state import ReproState
from schemas.reproduce.words.contradictions import READ_BY_MODEL, taken_apart
from tasks.reproduce.report.document import Block, Cell, Fold, Group, Notice, Table
from tasks.reproduce.report.sections.naming import target_anchor
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import NONE

ANCHOR = "about-the-paper"
AGREE = "Two ways to a value agree with each other and not with the paper"
BY_READING = "seen by reading"


def about_paper_blocks(source: Source) -> tuple[Block, ...]:
    """A group of its own, right behind the main curve; nothing where nothing was found."""
    found = source.paper_findings
    agree = tuple(
        finding.sentence
        for finding in found
        if finding.kind == "contradicted" and "agree" in finding.sentence
    )
    blocks: list[Block] = [Notice("bad", AGREE, agree)] if agree else []
    if found:
        blocks.append(
            Table(
                ("Finding", "About", "Seen", "What else it may be"),
                tuple(
                    (
                        Cell(
                            finding.sentence,
                            href=f"#{target_anchor(finding.target_id)}" if finding.target_id else "",
                        ),
                        Cell(finding.about, tone="fair" if finding.about == "the paper" else "plain"),
                        Cell(finding.seen),
                        Cell(finding.why or NONE),
                    )
                    for finding in found
                ),
                "What running showed",
                cards=True,
            )
        )
        blocks.append(
            Fold(
                "Where the numbers of these findings are from",
                (
                    Table(
                        ("Number", "From"),
                        tuple(
                            (Cell(number.text, number=True), Cell(number.source, code=True))
                            for finding in found
                            for number in finding.numbers
                        ),
                    ),
                ),
            )
        )
    blocks += [
        Notice("fair", f"{title} ({BY_READING})", told)
        for title, told in contradictions(source.state, source.paper)
    ]
    return (Group("Findings about the paper", tuple(blocks), ANCHOR),) if blocks else ()


def contradictions(state: ReproState, paper: PaperInput) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(who says it, what) of where the paper contradicts itself, or may: not of two values that are two inputs of the run."""
    candidates, apart = state.contradiction_candidates, taken_apart(paper, state.extracted_parameters)
    read = tuple(told for told in candidates if told.startswith(READ_BY_MODEL))
    by_code = tuple(told for told in candidates if told not in read and told not in apart)
    told = (
        ("The paper contradicts itself, as the planner reads it", state.contradictions),
        ("The paper may contradict itself, as code read its words and data", by_code),
        ("The paper may contradict itself, where the planner read its drawings right", read),
    )
    return tuple((title, items) for title, items in told if items)
