"""check_format: what a venue wants of a paper's form, each by code."""

from __future__ import annotations

from pathlib import Path

from schemas.errors import InputError
from schemas.explore.paper import CompiledPaper, FormatFinding, PaperSource
from schemas.explore.reviewing import Venue
from tasks.explore.paper.building import REPORT, SOURCE, check_source, read_inputs, read_model
from tasks.explore.review.reviewing import citations


def check_format(run_dir: Path, venue: Venue) -> tuple[FormatFinding, ...]:
    """One finding for each requirement. Raises InputError where nothing was written yet."""
    source, inputs = read_model(run_dir / SOURCE, PaperSource), read_inputs(run_dir)
    made = read_model(run_dir / REPORT, CompiledPaper)
    try:
        check_source(source, inputs)
        wrong = ""
    except InputError as error:
        wrong = " ".join(str(error).split())
    cited = citations(source, inputs)
    missing = [name for name in venue.sections if source.section(name) is None]
    abstract = source.section("abstract")
    words = len(abstract.text.split()) if abstract else 0
    found = [
        FormatFinding(
            requirement="numbers, citations and formulas by the rules", held=not wrong, found=wrong or "all"
        ),
        FormatFinding(requirement="all sections", held=not missing, found=", ".join(missing) or "all"),
        FormatFinding(
            requirement="citations in introduction and related work",
            held=not cited.uncited_sections,
            found=f"{cited.cited} cited; none in {', '.join(cited.uncited_sections) or 'no section'}",
        ),
        FormatFinding(
            requirement="compiles",
            held=made.pdf is not None if not made.why_no_pdf.startswith("latexmk") else None,
            found=made.why_no_pdf or f"{made.pages} pages",
        ),
        FormatFinding(
            requirement="no undefined reference, no line far into the margin",
            held=not made.warnings if made.pdf else None,
            found="; ".join(made.warnings[:3]) or "none",
        ),
    ]
    if venue.most_pages is not None:
        found.append(
            FormatFinding(
                requirement=f"at most {venue.most_pages} pages",
                found=f"{made.pages} pages",
                held=made.pages <= venue.most_pages if made.pdf else None,
            )
        )
    if venue.most_abstract_words is not None:
        found.append(
            FormatFinding(
                requirement=f"an abstract of at most {venue.most_abstract_words} words",
                held=words <= venue.most_abstract_words,
                found=f"{words} words",
            )
        )
    return tuple(found)
