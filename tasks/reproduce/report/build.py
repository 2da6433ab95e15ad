"""The document of a run: the six parts of the specification and the appendices."""

from __future__ import annotations

from tasks.reproduce.report.document import Cell, Document, Notice, Paragraph, Section
from tasks.reproduce.report.sections.conclusions import conclusions_section, discrepancies_section
from tasks.reproduce.report.sections.costs import costs_section
from tasks.reproduce.report.sections.figures import figures_section
from tasks.reproduce.report.sections.history import questions_section, stages_section
from tasks.reproduce.report.sections.how_made import environment_section
from tasks.reproduce.report.sections.provenance import executions_section, provenance_section
from tasks.reproduce.report.sections.screen import warning_blocks
from tasks.reproduce.report.sections.stated_and_assumed import assumptions_section
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


def build_document(source: Source, whole: bool = True) -> Document:
    """The report of a run as a document, ready for either writer.

    whole: every part, or the error of one that cannot be written; otherwise what is lost is said at the top and in its place.
    """
    if not whole:
        return _saved(source)
    verdict, tone = source.assessment()
    if source.facts.partial:
        verdict += " (partial run)"
    return Document(
        title=source.paper.title,
        subtitle=f"{source.paper.citation} – paper {source.paper.paper_id}, run {source.state.run_id}, "
        f"started {source.facts.started}"
        + (f" by {source.facts.started_by}" if source.facts.started_by else "")
        + "".join(f"; {origin}" for origin in source.facts.origins),
        badge=Cell(verdict, tone=tone),
        lead=warning_blocks(source),
        sections=tuple(section(source) for section in SECTIONS),
    )


def _saved(source: Source) -> Document:
    """What can be written of a report of which not all can. It is judged by nobody: what is lost may be what matters."""
    sections, lost = [], []
    for number, part in enumerate(SECTIONS):
        name = part.__name__.removesuffix("_section")
        try:
            sections.append(part(source))
        except Exception as error:  # noqa: BLE001  whatever is wrong with the part
            lost.append(f"{name}: {type(error).__name__}: {error}"[:300])
            sections.append(
                Section(f"lost{number}", name, (Paragraph(f"This part could not be written: {lost[-1]}"),))
            )
    return Document(
        title=source.paper.title,
        subtitle=f"paper {source.paper.paper_id}, run {source.state.run_id}",
        badge=Cell("not assessed (partial run)", tone="bad"),
        lead=(Notice("bad", "Partial report: parts of it could not be written", tuple(lost)),),
        sections=tuple(sections),
    )
