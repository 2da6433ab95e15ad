"""A flow of ours run in this terminal's process: who answers its questions, what is said at its end."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from flows.questions.attendant import Attendant
from flows.questions.dialogue import Lines, ask_through_pipe
from flows.questions.pausing import PIPE
from flows.run.turn import use_console
from flows.terminal.console import Console

_LOUD = ("prefect", "prefect.flow_runs", "prefect.task_runs", "httpx", "mcp")
_MOST_UNUSED = 10


def outcome_in_terminal(console: Console, run_flow: Callable[[], Any], *, page: bool) -> Any:
    """The outcome of a flow, run in this process; its error is raised.

    run_flow: runs it and returns its state. page: whether a Prefect server that outlives this process has a page where
    questions can be answered. Without one and without a terminal, answers come from standard input, and a question beyond
    them ends the process.
    """
    speak_through(console)
    terminal = sys.stdin is not None and sys.stdin.isatty()
    if not terminal and not page:
        lines = Lines(sys.stdin)
        PIPE[:] = [lambda run, question: ask_through_pipe(run, question, lines)]
    with Attendant(console) if sys.stdin is not None and not PIPE else nullcontext():
        state = run_flow()
    outcome = state.result(raise_on_failure=False)
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def speak_through(console: Console) -> None:
    """Flows of this process say what they do on that console, and the libraries below them nothing."""
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    use_console(console)


def unused_lines(outcome: Any) -> list[str]:
    """Recorded answers that a whole replay did not use, so that it took another course."""
    unused = outcome.unused_recordings if outcome.complete else ()
    if not unused:
        return []
    more = [f"  and {len(unused) - _MOST_UNUSED} more"] if unused[_MOST_UNUSED:] else []
    return [
        f"REPLAY TOOK ANOTHER COURSE: {len(unused)} recorded answer(s) were not used",
        *(f"  unused: {name}" for name in unused[:_MOST_UNUSED]),
        *more,
    ]


def exit_lines(outcome: Any) -> list[str]:
    """What an exit code other than 0 means."""
    end = outcome.end
    return (
        [f"exit code {end.code} ({end.name}): the run did its work, the code tells how it ended"]
        if end.code
        else []
    )
