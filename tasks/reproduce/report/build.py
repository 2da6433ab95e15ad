"""The document of a run: the six parts of the specification and the appendices."""

from __future__ import annotations

from tasks.reproduce.report.document import Cell, Document
from tasks.reproduce.report.sections.assumptions import assumptions_section
from tasks.reproduce.report.sections.conclusions import conclusions_section, discrepancies_section
from tasks.reproduce.report.sections.costs import costs_section
from tasks.reproduce.report.sections.environment import environment_section
from tasks.reproduce.report.sections.figures import figures_section
from tasks.reproduce.report.sections.history import questions_section, stages_section
from tasks.reproduce.report.sections.provenance import executions_section, provenance_section
from tasks.reproduce.report.sections.screen import warning_blocks
from tasks.reproduce.report.sections.summary import overview_section, summary_section
from tasks.reproduce.report.source import Source

SECTIONS = (
    summary_section,
    assumptions_section,
    figures_section,
    overview_section,
    discrepancies_section,
    conclusions_section,
    provenance_section,
    executions_section,
    stages_section,
    questions_section,
    costs_section,
    environment_section,
)


def build_document(source: Source) -> Document:
    """The report of a run as a document, ready for either writer."""
    verdict, tone = source.assessment()
    if source.facts.partial:
        verdict += " (partial run)"
    return Document(
        title=source.paper.title,
        subtitle=f"{source.paper.citation} – paper {source.paper.paper_id}, run {source.state.run_id}, "
        f"started {source.facts.started}" + "".join(f"; {origin}" for origin in source.facts.origins),
        badge=Cell(verdict, tone=tone),
        lead=warning_blocks(source),
        sections=tuple(section(source) for section in SECTIONS),
    )
