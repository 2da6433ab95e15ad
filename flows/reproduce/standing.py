"""What people ask between runs: which runs there are, how one stands, where its report is."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console as Screen
from rich.table import Table

from agents.models.manual.manual_files import waiting_requests
from flows.questions.open_questions import describe, open_questions
from flows.reproduce.computing.enough import SOLVING
from flows.reproduce.kept_records import find_run, read_record
from flows.reproduce.kept_state import is_finished, newest_state
from flows.reproduce.outcome import not_compared
from flows.run.cancelled_note import CANCELLED, goes_on, was_cancelled
from flows.run.records import process_at, workflow_of
from flows.terminal.console import printable, show
from flows.up.results_page import address_of
from schemas.errors import InputError
from schemas.reproduce.origin_words import origin_words
from schemas.run.pasted import on_run, typed


def comparison_table(run_dir: Path) -> str:
    """The comparisons of a run as a text table."""
    from tasks.reproduce.papers import load_paper  # with numpy: a status needs none

    state = newest_state(run_dir)
    table = Table(title=None, show_edge=False, pad_edge=False)
    for name, justify in (
        ("target", "left"),
        ("simulated", "right"),
        ("reference", "right"),
        ("error", "right"),
        ("acceptable", "right"),
        ("converged", "left"),
        ("class", "left"),
    ):
        table.add_column(name, justify=justify, overflow="fold")  # type: ignore[arg-type]
    targets = {target.target_id: target for _, target in state.plan.targets()} if state and state.plan else {}
    paper = load_paper(run_dir / "paper")[0] if state and state.figure_comparisons else None
    for c in state.figure_comparisons if state else ():
        e, target = c.evidence, targets.get(c.evidence.target_id)
        unit = {"relative_percent": " %", "absolute_percentage_points": " pp"}.get(e.measure, "")
        shown = (
            "curve" if e.simulated is None else f"{e.simulated:.6g} {e.unit if e.unit != '1' else ''}".strip()
        )
        table.add_row(
            e.target_id,
            shown,
            f"{'curve' if e.reference is None else e.reference_words()} "
            f"({origin_words(target.reference if target else None, paper) if paper else 'reference'})",
            "-" if e.error is None else f"{e.error:.3g}{unit}",
            "-" if e.acceptable is None else f"{e.acceptable:g}{unit}",
            "yes" if e.converged else "NO",
            c.verdict,
        )
    for target_id in not_compared(state) if state else ():
        table.add_row(target_id, "-", "-", "-", "-", "-", "not compared")
    screen = Screen(width=110, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    screen.print(table)
    return screen.export_text().rstrip()


def show_status(outputs: Path, run: str | None) -> None:
    """List the runs of a folder, or show one."""
    if run:
        _show_run(find_run(outputs, run))
        return
    found = sorted(
        path
        for path in outputs.glob("*/*/run.json")
        if not path.parent.is_symlink() and workflow_of(path.parent) == "reproduce"
    )
    if not found:
        show(f"no runs in {outputs}; start one: {typed('reproduce', outputs=outputs)}")
        return
    table = Table(show_edge=False, pad_edge=False)
    for name in ("run", "paper", "model", "stages", "comparisons", "state"):
        table.add_column(name, no_wrap=name == "run", min_width=20 if name == "run" else None)
    for path in found:
        record, state = read_record(path.parent), newest_state(path.parent)
        done = sum(p.status.startswith("completed") for p in state.progress) if state else 0
        classes = [c.verdict for c in state.figure_comparisons] if state else []
        report = is_finished(path.parent)
        debug = record.settings.debug_mode
        table.add_row(
            record.run_id,
            record.paper_id,
            record.settings.model.kind,
            f"{done}/{len(state.progress) if state else 0}",
            "-"
            if debug
            else f"{classes.count('SUCCESS')} S {classes.count('PARTIAL')} P {classes.count('FAILURE')} F",
            ("diagnosed" if debug else "reported") if report else _stands(path.parent),
        )
    Screen().print(table)
    show(
        f"\nOne of them: {typed('status', 'RUN', outputs=outputs)}\nGo on with an open one: {typed('resume', 'RUN', outputs=outputs)}"
    )


def _stands(run_dir: Path) -> str:
    if was_cancelled(run_dir):
        return CANCELLED
    requests = ["request"] if waiting_requests(run_dir / "requests") else []
    asked = [f"asks: {question.kind}" for question in open_questions(run_dir)]
    return ", ".join(asked + requests) or "open"


def _show_run(run_dir: Path) -> None:
    record, state = read_record(run_dir), newest_state(run_dir)
    show(
        f"run {record.run_id} of {record.paper_id}, model {record.settings.model.kind}, started {record.started}"
        + (f" by {printable(record.started_by)}" if record.started_by else "")
    )
    show(f"folder {run_dir}")
    for origin in record.origins:
        show(printable(origin.words(record.run_id)))
    for label in waiting_requests(run_dir / "requests"):
        show(f"  waits for the answer to request {label}: {on_run(run_dir, 'answer')} shows where it goes")
    if state is None:
        show(f"nothing was saved yet; continue it: {on_run(run_dir, 'resume')}")
        return
    works = process_at(run_dir)
    for entry in state.progress:
        begun = entry.status == "not_started" and (run_dir / entry.stage_id).is_dir()  # saved when it ends
        show(
            f"  {entry.stage_id:32} {('at work' if works else 'begun') if begun else entry.status}"
            + (f"  [{'; '.join(entry.issues)}]" if entry.issues else "")
            + (f"  not asked: {', '.join(entry.not_asked)}: nothing to judge" if entry.not_asked else "")
        )
    if state.figure_comparisons:
        show(comparison_table(run_dir))
    for interaction in state.user_interactions:
        show(f"  asked: {interaction.reason} -> {interaction.user_response} [{interaction.answered_by}]")
    reports = list(run_dir.glob("REPRODUCTION_REPORT_*.html")) if is_finished(run_dir) else []
    for question in open_questions(run_dir):
        if reports and question.kind != "doubts":  # the others are over with the run
            continue
        show(printable(describe(run_dir, question, process_at(run_dir))))
    show(
        f"report: {reports[0]}"
        if reports
        else f"{_goes_on(run_dir, bool(works))}; {on_run(run_dir, 'report')} writes what there is so far"
    )


def _goes_on(run_dir: Path, works: bool) -> str:
    """What becomes of a run without a report."""
    if not works:
        return goes_on(run_dir)
    solving = any(run_dir.glob(f"*/{SOLVING}"))
    return "at work" + (
        f"; {on_run(run_dir, 'enough')} judges what is solved now as it is" if solving else ""
    )


def show_report(
    outputs: Path, run: str, text: bool, package: bool = False, license: str = "", comment: bool = False
) -> None:
    """Print where the report is, or the report; of a run that is not finished a partial one is written anew.

    package: make the run's package instead, under that licence ('': none chosen yet). comment: write the one to the authors instead;
    before a package, which then holds it.
    """
    run_dir = find_run(outputs, run)
    if license and not package:
        raise InputError("a licence is that of a package", found=license, fix="add --package")
    if comment:
        from flows.reproduce.sharing.commenting import show_comment

        show_comment(run_dir)
    if package:
        from flows.reproduce.sharing.packaging import show_package

        show_package(run_dir, license)
    if comment or package:
        return
    if is_finished(run_dir):
        markdown = next(run_dir.glob("REPRODUCTION_REPORT_*.html")).with_suffix(".md")
    else:
        from flows.reproduce.unfinished import unfinished_report

        markdown, _ = unfinished_report(run_dir)
    page = markdown.with_suffix(".html")
    if text:
        show(markdown.read_text(encoding="utf-8"))
        return
    if not is_finished(run_dir):
        show("PARTIAL REPORT: the run is not finished; no verdict")
    show("\n".join(filter(None, (str(page), str(markdown), address_of(run_dir, page.name)))))
