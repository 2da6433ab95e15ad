"""Writes the report of a run as Markdown and as HTML, each with an appendix, and its long lists as tables beside it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from schemas.errors import InputError
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.state import ReproState
from tasks.reproduce.report.build import build_document
from tasks.reproduce.report.facts import ReportFacts
from tasks.reproduce.report.html import render_pages
from tasks.reproduce.report.long_tables import write_tables
from tasks.reproduce.report.markdown import render_markdown
from tasks.reproduce.report.source import Source

_APPENDIX = "APPENDIX_"  # before the HTML's name: no list of reports takes the second page for one


def write_report(
    state: ReproState,
    paper: PaperInput,
    *,
    run_dir: Path,
    paper_dir: Path,
    settings: RunSettings,
    facts: ReportFacts,
    whole: bool = True,
) -> tuple[Path, Path]:
    """Write REPRODUCTION_REPORT_<paper_id>.md, its _APPENDIX.md, .html and APPENDIX_<name>.html into `run_dir`, each whole or not at all.

    Of an unfinished run it is UNFINISHED_REPORT_<paper_id>, which goes when the report of its end is written.

    run_dir: the run's directory, to which all paths in the state are relative. paper_dir: the paper's folder,
    to which the paths of its figures are relative. Copies of the paper's figures go to run_dir/report_images,
    for the Markdown; the HTML embeds everything. Works for any state, also one whose planning failed. whole: False for what
    can be written of a report of which not all can.
    Returns the paths (Markdown, HTML). Raises InputError if state and paper disagree or run_dir is missing.
    """
    if state.paper_id != paper.paper_id:
        raise InputError(
            "the report was asked for another paper than the run's",
            found=paper.paper_id,
            allowed=state.paper_id,
            fix="pass the paper the run was started with",
        )
    if not run_dir.is_dir():
        raise InputError(
            "the run's directory does not exist",
            found=run_dir,
            allowed="an existing directory",
            fix="create the run before its report is written",
        )
    source = Source(state, paper, run_dir, paper_dir, settings, facts)
    document = build_document(source, whole)
    for picture in document.pictures():
        if picture.copy_to:
            _write(run_dir / picture.copy_to, picture.original or picture.data)
    if whole:
        write_tables(source)
    unfinished = f"UNFINISHED_REPORT_{paper.paper_id}"
    stem = unfinished if facts.unfinished else f"REPRODUCTION_REPORT_{paper.paper_id}"
    markdown, html = run_dir / f"{stem}.md", run_dir / f"{stem}.html"
    appendix = run_dir / f"{stem}_APPENDIX.md"
    main, rest = render_markdown(document, appendix.name)
    first, second = render_pages(document, html.name, f"{_APPENDIX}{html.name}")
    _write(appendix, rest.encode())
    _write(markdown, main.encode())
    _write(run_dir / f"{_APPENDIX}{html.name}", second.encode())
    _write(html, first.encode())
    if not facts.unfinished:
        old = f"{unfinished}.html"
        for name in (f"{unfinished}.md", f"{unfinished}_APPENDIX.md", old, f"{_APPENDIX}{old}"):
            (run_dir / name).unlink(missing_ok=True)
    return markdown, html


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            os.fchmod(out.fileno(), 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
