"""How a solver process ends: one code for each kind of end, one line on stderr."""

from __future__ import annotations

from simkit.errors import FieldGrowth, GeometryError, MaterialError, ParameterError, SimkitError

FINISHED, UNEXPECTED, BAD_RUN, GROWTH, REFUSED, SOLVER = 0, 1, 2, 3, 4, 5
MEANING = {
    FINISHED: "finished",
    UNEXPECTED: "an error that nobody foresaw; see the traceback on stderr",
    BAD_RUN: "run.json or a file of subtracted fields is missing, malformed or does not fit",
    GROWTH: "the field grew without a source, or became NaN",
    REFUSED: "a medium is unstable or unknown, or a body cannot be drawn",
    SOLVER: "Meep or MPB gave up",
}


class SolverFailed(SimkitError):
    """Meep or MPB raised an error of its own."""


class CannotSubtract(ParameterError):
    """Fields to subtract are missing or belong to another grid, monitor or choice of frequencies."""


def code_of(error: BaseException) -> int:
    """The exit code that tells this error."""
    if isinstance(error, FieldGrowth):
        return GROWTH
    if isinstance(error, (MaterialError, GeometryError)):
        return REFUSED
    if isinstance(error, ParameterError):
        return BAD_RUN
    return SOLVER if isinstance(error, SimkitError) else UNEXPECTED


def line_of(error: BaseException) -> str:
    """The error on one line, its class first."""
    said = " ".join(str(error).split()).replace("See field_history.png", "See growth in log.json")
    return f"{type(error).__name__}: {said}"[:1500]
