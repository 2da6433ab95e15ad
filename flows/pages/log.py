"""What the terminal says, in the log of the run's page."""

from __future__ import annotations

import os

from prefect import get_run_logger
from prefect.exceptions import MissingContextError

from flows.terminal.console import Console


class RunLog:
    """Lines of a run in the log of its flow run, and of a stage's also in the log of the stage's own run."""

    def __init__(self) -> None:
        """To be made in the flow whose log it is."""
        self._logger = get_run_logger()

    def __call__(self, text: str) -> None:
        """One line; from any thread."""
        self._logger.info("%s", text)
        try:
            nearest = get_run_logger()
        except MissingContextError:
            return
        if _flow_run(nearest) != _flow_run(self._logger):
            nearest.info("%s", text)


def _flow_run(logger: object) -> object:
    return (getattr(logger, "extra", None) or {}).get("flow_run_id")


def logging_console() -> Console:
    """The console of a run by a worker: no terminal reads it; the log of the flow run, and so of the worker, has its lines."""
    console = Console(open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  open as long as the process
    console.listeners.append(RunLog())
    return console
