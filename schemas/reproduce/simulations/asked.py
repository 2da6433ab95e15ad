"""asked.json: what the targets of a stage asked of a description's values, so that it is solved again as it was."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target

FILE = "asked.json"


class Asked(Model):
    """What decides how well each value of a described stage was to be known, beside the description itself."""

    format: Literal["reprolab-asked/1"] = "reprolab-asked/1"
    stage_id: Identifier
    targets: tuple[Target, ...] = Field((), max_length=500, description="numeric targets of the stage")
    inputs: tuple[ExtractedParameter, ...] = Field((), max_length=2000, description="the plan's inputs")
    thresholds: Literal["default", "loose"] = "default"
    metal: bool = Field(False, description="whether a material of the stage carries plasmons")
    cpu_s: float = Field(gt=0, allow_inf_nan=False, description="budget of the study, CPU seconds")
