"""`reprolab report RUN --comment`: one page to a paper's authors, written by code; every number of it is bound to the run."""

from __future__ import annotations

from pathlib import Path

from flows.reproduce.kept_records import read_record
from flows.reproduce.kept_state import finished_state, outputs_kept
from flows.terminal.console import show
from schemas.errors import InputError
from schemas.reproduce.judging.paper_finding import PaperFinding
from schemas.reproduce.paper import PaperInput
from schemas.run.pasted import on_run
from tasks.files.store import atomic_write
from tasks.reproduce.judging.headline import headline_of
from tasks.reproduce.judging.paper_findings import paper_findings
from tasks.reproduce.papers import load_paper
from tasks.reproduce.report.markdown import plain
from tasks.reproduce.report.sections.about_paper import contradictions

MOST, MOST_READ = 6, 4  # findings, contradictions: one page


def show_comment(run_dir: Path) -> None:
    """Write the comment and say where it is; say so where there is nothing to comment on."""
    path = comment(run_dir)
    show(
        str(path)
        if path
        else "nothing to comment on: running showed nothing of the paper that reading does not"
    )


def comment(run_dir: Path) -> Path | None:
    """COMMENT_<paper_id>.md in the run's folder; None, and none there, where nothing was found. Raises InputError for a run that is
    not finished."""
    record, state = read_record(run_dir), finished_state(run_dir)
    if state is None or state.plan is None or record.settings.debug_mode:
        raise InputError(
            "only a finished run says something of its paper",
            found=run_dir.name,
            fix=f"go on with it: {on_run(run_dir, 'resume')}",
        )
    paper, _ = load_paper(run_dir / "paper")
    kept = {stage.stage_id: outputs_kept(run_dir, stage.stage_id) for stage in state.plan.stages}
    studies = {name: found.study for name, found in kept.items() if found and found.study}
    found = paper_findings(state, studies, paper)
    read = contradictions(state, paper)
    path = run_dir / f"COMMENT_{paper.paper_id}.md"
    if not found and not read:
        path.unlink(missing_ok=True)
        return None
    head = headline_of(state, paper)
    verdict = f"{head.verdict}: {state.stop_reason or head.reason}"
    return atomic_write(path, _page(paper, record.run_id, verdict, found, read))


def _page(
    paper: PaperInput,
    run_id: str,
    verdict: str,
    found: tuple[PaperFinding, ...],
    read: tuple[tuple[str, tuple[str, ...]], ...],
) -> str:
    lines = [
        f"# A comment on: {plain(paper.title)}",
        plain(paper.citation),
        f"We described the paper's structures from its words and solved them with Meep (run {run_id}). {plain(verdict)}. What follows "
        "was written by a program; each number names the file of the run that it is from. "
        "We may have read the paper wrongly: please tell us where.",
    ]
    for title, about in (
        ("About the paper", "the paper"),
        ("About us or the paper", "us or the paper"),
    ):
        own = [finding for finding in found[:MOST] if finding.about == about]
        if own:
            lines.append(f"## {title}")
            lines += [_told(finding) for finding in own]
    if read:
        lines.append("## Contradictions, seen by reading")
        lines += [f"- {title}: {plain(item)}" for title, items in read for item in items][:MOST_READ]
    more = max(0, len(found) - MOST) + max(0, sum(len(items) for _, items in read) - MOST_READ)
    if more:
        lines.append(f"{more} more stand in the report of the run.")
    return "\n\n".join(lines) + "\n"


def _told(finding: PaperFinding) -> str:
    sources = dict.fromkeys(f"{plain(number.text)}: {plain(number.source)}" for number in finding.numbers)
    why = f" {plain(finding.why)}" if finding.why else ""
    return f"- {plain(finding.sentence)}{why} (seen {finding.seen}; {'; '.join(sources)})"
