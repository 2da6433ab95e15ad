"""How a stage or a run can end before its time."""

from __future__ import annotations


class RunStopped(Exception):
    """A person or a limit ended the run; a partial report follows."""


class StageAbandoned(Exception):
    """A person gave up on a stage; it counts as failed and the run goes on."""
