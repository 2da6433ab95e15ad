"""progress.json and ended.json of a solver's run, as another program in the sandbox wrote them: closed, finite, bounded."""

from __future__ import annotations

import json
from typing import Annotated, TypeVar

from pydantic import Field, ValidationError

from schemas.base import Model
from schemas.reading.strict_json import parse_json

MAX_BYTES = 1 << 16
_Seconds = Annotated[float, Field(allow_inf_nan=False, ge=0, le=1e10)]
_Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e300, le=1e300)]


class SolvingProgress(Model):
    """How far a run is, and what its solver counts."""

    fraction: Annotated[float, Field(allow_inf_nan=False, ge=0, le=1)]
    remaining_s: _Seconds | None = None
    elapsed_s: _Seconds = 0
    cpu_s: _Seconds = 0
    steps: _Number | None = None
    meep_time: _Number | None = None


class SolvingEnded(Model):
    """How a run ended, and what it took: exit code or signal, CPU time, wall time, memory."""

    exit_code: Annotated[int, Field(ge=0, le=255)] | None
    signal: Annotated[int, Field(ge=1, le=64)] | None
    cpu_s: _Seconds
    wall_s: _Seconds
    peak_memory_mb: Annotated[float, Field(allow_inf_nan=False, ge=0, le=1e9)]


Kind = TypeVar("Kind", SolvingProgress, SolvingEnded)


def served(raw: bytes, kind: type[Kind]) -> Kind:
    """The model in a file's bytes. Raises ValueError with what does not fit."""
    value = parse_json(raw.decode("utf-8"), max_depth=4)
    try:
        return kind.model_validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        raise ValueError(
            "; ".join(
                f"{'.'.join(map(str, item['loc'])) or 'the file'}: {item['msg']}"
                for item in error.errors(include_input=False)[:5]
            )
        ) from None
