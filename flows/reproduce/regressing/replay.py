"""The reproduction inside a regression: the recording answers, by rule where it ends; everything is simulated afresh."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from agents.reproduce.ruled import RuledReplay
from flows.reproduce.flow import work
from flows.reproduce.kept_records import find_run
from flows.reproduce.opening import open_run
from flows.reproduce.outcome import Outcome
from flows.reproduce.regressing.rules import course
from flows.reproduce.regressing.subject import Subject
from flows.run.context import ACTIVE
from flows.run.records import check_kept, run_lock
from flows.terminal.console import Console
from schemas.reproduce.judging.regression import Quantity
from tasks.reproduce.regression.numbers_of_run import quantities, studies_of


@dataclass(frozen=True)
class Replayed:
    """What the replay gave: its outcome, all its numbers, and where it left the recorded course."""

    outcome: Outcome
    quantities: tuple[Quantity, ...]
    course: tuple[str, ...]


def replay(
    subject: Subject, folder: Path, run_id: str, console: Console, note: Callable[[str], None]
) -> Replayed:
    """Replay a subject in the outputs folder `folder`, continuing `run_id` where one is given.

    note: called with the run's id as soon as there is one.
    """
    settings = subject.settings.model_copy(
        update={
            "non_interactive": True,
            "debug_mode": False,
            "answers": (),
            "model": subject.settings.model.model_copy(
                update={"kind": "replay", "transcript": str(subject.transcript)}
            ),
        }
    )
    directory = find_run(folder, run_id) if run_id else None
    with ExitStack() as held:
        if directory:
            held.enter_context(run_lock(directory))
            check_kept(directory)
        run = open_run(str(subject.location), settings, folder, directory, console)
        if not directory:
            held.enter_context(run_lock(run.run_dir))
        run.model = RuledReplay(subject.transcript)
        note(run.run_id)
        ACTIVE[run.run_id] = run
        held.enter_context(run.clock.watched(run.cancel))
        try:
            outcome = work(run)
            found = quantities(run.state, outcome.verdict, studies_of(run.outputs), run.run_dir)
            return Replayed(outcome, found, course(run))
        finally:
            run.cancel.set()
            ACTIVE.pop(run.run_id, None)
