"""Failures of files and processes, where a person says whether to try again, and answers that no code can read."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

from flows.calls.unreadable import FAULTS as UNREADABLE
from flows.calls.unreadable import blame
from flows.questions.asking import ask
from flows.run.context import Run
from flows.run.endings import RunStopped
from schemas.talking.interaction import Choice, Question
from tasks.sandbox import SandboxLost

Result = TypeVar("Result")
_WITHIN: ContextVar[bool] = ContextVar("within", default=False)  # whether this is a part of a piece of work
FAULTS = (OSError, SandboxLost)  # a lost process is an InterruptedError, which is an OSError
_LEAST_FREE_MB = 20


def check_folder(run: Run) -> None:
    """Raises OSError when the run's folder cannot take what comes next: before it is paid for or computed."""
    folder = run.run_dir
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "the run's folder is gone", str(folder))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "the run's folder cannot be written", str(folder))
    for used in (folder, Path(tempfile.gettempdir())):  # in the second one programs run
        free = shutil.disk_usage(used).free / 2**20
        if free < _LEAST_FREE_MB:
            raise OSError(
                errno.ENOSPC, f"only {free:.0f} MB are free, {_LEAST_FREE_MB} are needed", str(used)
            )


def attempt(
    run: Run, what: str, work: Callable[[], Result], give_up: Callable[[str], Result] | None = None
) -> Result:
    """What `work` returns. When files or processes fail, a person chooses: retry, give the stage up, or stop the run.

    A retry does the work again from the state before it; finished calls and simulations are kept and not repeated. So it is
    done again where an answer stopped the code that read it: then its agent is asked once more.
    give_up: what giving the stage up leads to, told the reason; without it that is no choice.
    Raises RunStopped, or LimitExceeded when the work was stopped because the time is up.
    """
    before, read_before, within = run.snapshot(), run.reading, _WITHIN.get()
    while True:
        inner = _WITHIN.set(True)
        try:
            check_folder(run)
            return work()
        except FAULTS as error:
            run.clock.check()  # what ran was stopped on purpose
            reason = f"{type(error).__name__}: {error}".strip()[:500]
            run.console.say(f"{what}: {reason}")
            choice = _ask(run, what, reason, may_skip=give_up is not None)
            if choice == "stop":
                run.update("ask_user", stop_reason=f"stopped by the user: {what}: {reason}")
                raise RunStopped(reason) from error
            if choice == "skip_stage" and give_up is not None:
                return give_up(reason)
            run.restore(before)
        except UNREADABLE as error:
            if within and run.reading == read_before:
                raise  # nothing was read in this part of the work: the whole it belongs to says what becomes of it
            if blame(run, error) == read_before:
                raise  # it was read before this work began: the run that is resumed asks again
            run.restore(before)
            run.reading = read_before
        finally:
            _WITHIN.reset(inner)


def _ask(run: Run, what: str, reason: str, *, may_skip: bool) -> str:
    choices = [
        Choice(name="retry", effect="try again; do it when the cause is gone"),
        Choice(name="stop", effect="stop the run and report what there is"),
    ]
    if may_skip:
        choices.insert(1, Choice(name="skip_stage", effect="give this stage up; the run goes on without it"))
    # about this machine now: a later process asks anew, and only if it happens again
    number = os.urandom(3).hex()
    return ask(
        run,
        Question(
            question_id=f"infrastructure-{number}",
            kind="infrastructure",
            title=f"Files or processes failed: {reason[:200]}",
            body=f"While {what}:\n\n```\n{reason}\n```\n\nFree space in {run.run_dir.parent}: {_free(run)}. Full disk, missing "
            "permission, a folder that was moved or deleted, a killed process: mend it, then try again. Nothing that is "
            "finished is lost, bought or simulated again.",
            choices=tuple(choices),
            asked_by="ReproLab",
            reason="a file or a process failed",
        ),
    ).choice


def _free(run: Run) -> str:
    folder = next((path for path in (run.run_dir, *run.run_dir.parents) if path.is_dir()), run.run_dir)
    try:
        return f"{shutil.disk_usage(folder).free / 2**20:.0f} MB"
    except OSError:
        return "unknown"
