"""One regression, from its baseline to its report."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from flows.reproduce.preflight import check_computer
from flows.reproduce.regressing.record import REPLAY, begin, keep_result, unfinished, write
from flows.reproduce.regressing.replay import Replayed, replay
from flows.reproduce.regressing.subject import Subject, subject
from flows.reproduce.resources import with_blocks
from flows.serving.runtime import continued_by, from_outside
from flows.terminal.console import Console
from flows.up.results_page import address_of_regression
from schemas.errors import InputError
from schemas.reproduce.judging.regression import Baseline, Regression, RegressionRecord
from schemas.reproduce.settings import RunSettings
from schemas.run.pasted import typed
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.regression.against_baseline import judged
from tasks.reproduce.regression.baseline import place_for, write_baseline
from tasks.reproduce.regression.environment import environment, sources
from tasks.reproduce.regression.regression_report import write_report


def regressed(
    given: str,
    outputs: Path,
    settings: RunSettings,
    *,
    accept: str,
    resume: str,
    begun: str = "",
    batch: str = "",
    flow_run: str = "",
    console: Console,
) -> Regression:
    """What the regression of a paper or a run found; with `accept`, a reason, its numbers are the new baseline.

    resume: continue the regression of that id, or `latest`; '' begins a new one. begun: one that is continued where it can be
    (of a flow run that is retried). Raises InputError, PrerequisiteError.
    """
    settings, _ = with_blocks(settings)
    this = subject(given, outputs, settings)
    before = _baseline(this, accept, console)
    if before is None and not accept:
        console.say(
            f"{this.paper_id} has no baseline yet; make one: "
            + typed("regress", given, "--accept", "the first baseline", outputs=outputs)
        )
        return Regression(paper_id=this.paper_id, given=given, verdict="no baseline")
    check_computer(settings)
    known = environment(find_meep(this.settings.meep_python))
    place = unfinished(outputs, this, known, resume) if resume else None
    if begun and place is None:
        with suppress(InputError):
            place = unfinished(outputs, this, known, begun)
    folder, record = place or begin(outputs, this, known, batch, flow_run)
    again = ("--all", "--resume", "latest") if batch else (given, "--resume", record.regression_id)
    continued_by(typed("regress", *again, outputs=outputs))
    console.say(f"regression {record.regression_id} of {given} in {folder}")

    def note(run_id: str) -> None:
        write(folder, record, run_id=run_id)
        continued_by(typed("regress", *again, outputs=outputs))  # opening the run said how to resume that

    done = replay(this, folder / REPLAY, record.run_id, console, note)
    if any(known[name] != now for name, now in sources().items()):
        raise InputError(
            "sources were changed while the regression ran: its numbers are of neither the old code nor the new",
            found=", ".join(name for name, now in sources().items() if known[name] != now),
            fix=f"let them rest and start anew: {typed('regress', given, outputs=outputs)}",
        )
    found = Regression(
        paper_id=this.paper_id,
        given=given,
        verdict="no baseline",
        regression_id=record.regression_id,
        course=done.course,
        folder=str(folder),
        report=str(folder / "REGRESSION.html"),
        address=address_of_regression(folder, "REGRESSION.html"),
        reproduction=done.outcome.html,
        baseline=before[1] if before else "",
        baseline_report=_report_of(before, this, outputs),
    )
    if before is not None:
        found = judged(found, before[0], done.quantities, this.conditions, known)
    refused = _not_a_baseline(done, str(folder)) if accept else None
    if accept and refused is None:
        found = found.model_copy(update={"accepted": _accepted(this, record, done, known, accept, before)})
    write_report(folder, found)
    keep_result(folder, record.model_copy(update={"run_id": done.outcome.run_id}), found)
    if refused is not None:
        raise refused
    return found


def _baseline(this: Subject, accept: str, console: Console) -> tuple[Baseline, str] | None:
    """The baseline; one that cannot be used is passed over only where a new one is to take its place."""
    try:
        return this.baseline()
    except InputError as error:
        if not accept:
            raise
        console.say(
            f"the baseline that is there cannot be used and is not part of the new one's history: {error.what}"
        )
        return None


def _not_a_baseline(done: Replayed, folder: str) -> InputError | None:
    """Why the numbers cannot be accepted: the recording did not carry the run to its end."""
    if done.outcome.complete and not done.course:
        return None
    return InputError(
        "these numbers cannot be a baseline: the run left the recorded course",
        found="; ".join(done.course)[:600] or done.outcome.stop_reason,
        allowed=f"what changed is in {folder}",
        fix="mend the code, or record the paper's decisions again (docs/guide/papers.md)",
    )


def _accepted(
    this: Subject,
    record: RegressionRecord,
    done: Replayed,
    known: dict[str, str],
    reason: str,
    before: tuple[Baseline, str] | None,
) -> str:
    """The file that holds the numbers as the new baseline."""
    path = place_for(this.places[:1] if from_outside() else this.places)
    write_baseline(
        path,
        paper_id=this.paper_id,
        regression_id=record.regression_id,
        reason=reason,
        environment=known,
        conditions=this.conditions,
        quantities=done.quantities,
        before=before[0] if before else None,
    )
    return str(path)


def _report_of(before: tuple[Baseline, str] | None, this: Subject, outputs: Path) -> str:
    """The report of the baseline's own run, where it is in this outputs folder."""
    if before is None:
        return ""
    found = next(
        (outputs / "regressions" / this.paper_id / before[0].regression_id / REPLAY).glob(
            f"{this.paper_id}/*/REPRODUCTION_REPORT_*.html"
        ),
        None,
    )
    return str(found) if found else this.prior_report
