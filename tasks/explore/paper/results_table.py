"""The tables that every paper gets: results by rank, and the evidence of each number. Nothing in them is typed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from schemas.explore.paper import Claim
from schemas.explore.science_data import Configuration, Number, ScienceData
from tasks.explore.paper.printed_numbers import UNMEASURED

OWN_WORD = f" {UNMEASURED}: set or reported by the node's own program, measured by nobody."
_MOST_ROWS = 12
_MOST_COLUMNS = 2
AGAINST = {"better": "better", "worse": "worse", "no_difference": "no difference", "": "none"}
CAPTION = (
    "Configurations by rank: repeated measurements with their standard uncertainty, and how each did against the one "
    "it was made from; a difference inside the noise counts as none."
)
ONCE = "Configurations by rank, measured once each (a repeat gives the same), and how each did against its parent."
BY_AGENT = (
    " The program that measured was written by an agent before the search, and tried on candidates that are empty or "
    "wrong; that it measures what the goal asks for was not checked."
)
EVIDENCE = (
    "Each number of the text, the file it was read from with the SHA-256 of that file (in print its first digits), "
    "and the node."
)


@dataclass(frozen=True)
class ResultsTable:
    """metrics: names and units of the columns; rows: a configuration with its number in each column."""

    metrics: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Configuration, tuple[Number | None, ...]], ...]
    left_out: int
    by_agent: bool = False

    def caption(self) -> str:
        """What it shows, and that not all is shown."""
        repeated = any(number.n > 1 for _, numbers in self.rows for number in numbers if number)
        return (
            (CAPTION if repeated else ONCE)
            + (" Only the best are shown." if self.left_out else "")
            + (BY_AGENT if self.by_agent else "")
        )


def results_table(data: ScienceData) -> ResultsTable:
    """The table of the configurations that were measured."""
    measured = [found for found in data.configurations if found.measurements]
    primary = data.summary_stats.primary_metric
    names = list(
        dict.fromkeys([primary, *(metric(number) for found in measured for number in found.measurements)])
    )
    columns = names[:_MOST_COLUMNS]
    rows = []
    for found in measured[:_MOST_ROWS]:
        by_metric = {metric(number): number for number in found.measurements}
        rows.append((found, tuple(by_metric.get(name) for name in columns)))
    units = {metric(number): number.unit for found in measured for number in found.measurements}
    return ResultsTable(
        tuple((name, units.get(name, "")) for name in columns),
        tuple(rows),
        len(measured) - len(rows),
        data.summary_stats.measured_by == "agent",
    )


def metric(number: Number) -> str:
    """The metric's own name: what stands in the file."""
    return number.key or number.name.partition(".")[2]


def evidence_words(claims: Iterable[Claim]) -> str:
    """What the table of evidence is, and what its mark means where a number carries it."""
    return EVIDENCE + (OWN_WORD if any(claim.rendered.endswith(UNMEASURED) for claim in claims) else "")


def evidence_rows(claims: Iterable[Claim]) -> list[Claim]:
    """One line for each number as printed, in the order of the text."""
    return list({(claim.number, claim.rendered): claim for claim in claims}.values())
