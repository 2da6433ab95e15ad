"""Errors become a message and an exit code; the traceback of one that nobody expected goes to a file."""

from __future__ import annotations

import os
import select
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from typing import NoReturn, TypeVar

import typer
from typer.exceptions import TyperException

from flows.serving.runtime import report_so_far, resume_command, so_far
from schemas.errors import AwaitingAnswer, ReproLabError
from schemas.text.visible import visible

Result = TypeVar("Result")
TERMINATED = 128 + signal.SIGTERM  # exit code


class Terminated(BaseException):
    """SIGTERM: somebody or something outside ends this process."""


def ends_by_signal() -> None:
    """Let SIGTERM end this process as Ctrl-C does: simulations stopped, a message, and a way to go on."""
    signal.signal(signal.SIGTERM, _terminated)


def _terminated(*_: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough; what is going on ends in order
    raise Terminated


def say_ended() -> None:
    """What a process says that was ended from outside."""
    typer.echo(
        f"\nended from outside (SIGTERM); what was finished is kept: {resume_command()}{so_far()}", err=True
    )


def guarded(work: Callable[[], Result]) -> Result:
    """What `work` returns. Raises typer.Exit with the error's exit code, 1 for an error that ReproLab does not expect."""
    try:
        result = work()
        sys.stdout.flush()  # here, where a reader that is gone (`| head`) is no fault
        return result
    except AwaitingAnswer as error:
        typer.echo(f"\n{visible(str(error))}{so_far()}", err=True)
        raise typer.Exit(error.exit_code) from None
    except (typer.Exit, typer.Abort, TyperException):
        raise
    except ReproLabError as error:
        typer.echo(f"error: {visible(str(error))}", err=True)
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt:
        typer.echo(f"\ninterrupted; nothing is lost: {resume_command()}{so_far()}", err=True)
        raise typer.Exit(130) from None
    except Terminated:
        say_ended()
        typer.echo(report_so_far(), err=True)
        raise typer.Exit(TERMINATED) from None
    except OSError as error:
        if isinstance(error, BrokenPipeError) and _unread():
            raise typer.Exit(128 + signal.SIGPIPE) from None
        typer.echo(
            f"error: a file or folder cannot be used\n  found:   {type(error).__name__}: {visible(str(error))}\n"
            f"  fix:     free space, permission, the folder itself; then {resume_command()}",
            err=True,
        )
        raise typer.Exit(1) from None
    except Exception as error:
        told = visible(" ".join(str(error).split())[:300])
        if not _of_server(error):
            typer.echo(
                f"error: ReproLab has a fault here\n  found:   {type(error).__name__}: {told}\n"
                f"  details: {_kept(error)}\n  fix:     what was finished is kept: {resume_command()}; if it comes again, report it with "
                "that file",
                err=True,
            )
            raise typer.Exit(1) from None
        typer.echo(
            f"error: Prefect's server does not answer as it should\n  found:   {type(error).__name__}: {told}\n"
            "  fix:     it was asked again for four minutes; nothing finished is lost: when the computer is less busy\n"
            f"           and its disk has room, resume with {resume_command()}",
            err=True,
        )
        raise typer.Exit(1) from None


def _kept(error: BaseException) -> str:
    """The file that its traceback was written to; the traceback itself where none can be."""
    text = "".join(traceback.format_exception(error))
    try:
        handle, name = tempfile.mkstemp(prefix="reprolab-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        return name
    except OSError:
        return text


def _of_server(error: BaseException | None) -> bool:
    """Whether an error, or what caused it, is a request to Prefect's server that failed (503: its database is locked)."""
    if error is None or "httpx" not in sys.modules:
        return False
    return isinstance(error, sys.modules["httpx"].HTTPError) or _of_server(
        error.__cause__ or error.__context__
    )


def _unread() -> bool:
    """Whether nobody reads standard output any more; then the rest of it goes nowhere, without a word."""
    watched = select.poll()
    watched.register(sys.stdout.fileno(), 0)
    gone = any(event & (select.POLLERR | select.POLLHUP) for _, event in watched.poll(0))
    if gone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return gone
