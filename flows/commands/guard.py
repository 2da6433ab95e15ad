"""Expected errors become a message and an exit code, without a traceback."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import typer

from flows.runtime import resume_command
from schemas.errors import AwaitingAnswer, ReproLabError

Result = TypeVar("Result")


def guarded(work: Callable[[], Result]) -> Result:
    """What `work` returns. Raises typer.Exit with the error's exit code for errors ReproLab expects."""
    try:
        return work()
    except AwaitingAnswer as error:
        typer.echo(f"\n{error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except ReproLabError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt:
        typer.echo(f"\ninterrupted; nothing is lost: {resume_command()}", err=True)
        raise typer.Exit(130) from None
