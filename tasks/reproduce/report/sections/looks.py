"""Targets judged by eye: both pictures side by side and what each agent saw; counted apart from all numbers."""

from __future__ import annotations

from schemas.reproduce.judging.looks import VisualComparison
from tasks.reproduce.report.document import Block, Bullets, Cell, Gallery, Group, Paragraph, Table, Tone
from tasks.reproduce.report.embedded_pictures import load_picture
from tasks.reproduce.report.sections.naming import target_anchor
from tasks.reproduce.report.source import Source
from tasks.reproduce.report.text import slug

BY_EYE = (
    "Judged by eye by two agents, the stricter counts; at most PARTIAL, and no part of the numeric results."
)
_TONES: dict[str, Tone] = {
    "PARTIAL": "fair",
    "FAILURE": "bad",
    "NOT_JUDGED": "plain",
    "agree": "good",
    "differs": "bad",
    "cannot_tell": "plain",
}


def looks_of_figure(source: Source, figure_id: str) -> tuple[Block, ...]:
    """A group for each image target of a figure."""
    return tuple(_target(source, entry) for entry in source.visuals if entry.figure_id == figure_id)


def _target(source: Source, entry: VisualComparison) -> Group:
    pictures = entry.pictures
    gallery = Gallery(
        (
            load_picture(
                source.paper_dir,
                pictures.paper,
                f"Paper: {entry.figure_id}",
                copy_to=f"report_images/looks-{slug(entry.target_id)}",
                absent="The paper gives no picture.",
            ),
            load_picture(
                source.run_dir,
                pictures.simulation,
                f"Simulation: {entry.target_id}, drawn by code from its saved data",
                absent="There is no picture of the simulation.",
            ),
        )
    )
    rows = tuple(
        (
            Cell(look.name.replace("_", " ")),
            Cell(look.expected),
            Cell(look.tolerance or "-"),
            _badge(look.analyst),
            _badge(look.validator),
            Cell("\n".join(look.reasons)),
        )
        for look in entry.looks
    )
    table = Table(
        ("Look", "The paper shows", "Tolerance", "Analyst", "Validator", "Reasons"),
        rows,
        "What was judged by eye",
    )
    words = (Bullets(entry.reasons, "Remarks"),) if entry.reasons else ()
    description = (Paragraph(entry.description),) if entry.description else ()
    return Group(
        entry.target_id,
        (*description, Paragraph(BY_EYE), gallery, table, *words),
        target_anchor(entry.target_id),
        _badge(entry.classification),
        4,
    )


def _badge(word: str) -> Cell:
    return Cell(word.replace("_", " "), tone=_TONES[word])
