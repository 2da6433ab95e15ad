"""The design of a stage's simulation, and the experiments that may precede it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from schemas.base import Identifier, Model
from schemas.interaction import AgentQuestion
from schemas.parameters import Assumption


class NamedValue(Model):
    """A named number."""

    name: Identifier
    value: float


class Experiment(Model):
    """A small trial script and the question it settles; run in the sandbox under small limits."""

    question: str
    code: str = Field(description="a complete simulation.py that prints or writes what answers the question")


class OutputSpec(Model):
    """A dataset the simulation must write."""

    dataset_id: Identifier
    kind: Literal["spectrum", "scalar", "bands", "field", "image"]
    columns: tuple[str, ...] = Field(description="'name (quantity, unit)' in order; the first is the abscissa of a spectrum")
    targets: tuple[str, ...] = Field((), description="target ids it answers")


class Design(Model):
    """Everything the code generator needs; it sees neither the paper nor the plan."""

    stage_id: Identifier
    summary: str
    dimensions: Literal["1D", "2D", "3D", "cylindrical", "bands"]
    length_unit: str = Field(description="what one Meep length unit is, e.g. 1 um")
    geometry: tuple[str, ...] = Field(description="each object: shape, size, place, material, in length units")
    materials: tuple[str, ...]
    sources: tuple[str, ...]
    boundaries: tuple[str, ...] = Field(description="PML or absorber thickness, periodicity, symmetries with phase")
    monitors: tuple[str, ...]
    resolution: float = Field(gt=0, description="pixels per length unit at resolution_scale 1")
    resolution_reason: str
    convergence_scales: tuple[float, ...] = Field((0.5, 1.0), min_length=2, max_length=4, description=
        "resolution scales to run, ascending; the last is the result, the others its error bar; every edge must keep "
        "its sub-pixel position at all of them")
    sweep_points: tuple[tuple[NamedValue, ...], ...] = Field((), description="one run per point; empty for one run")
    stop: str = Field(description="what ends the run and to which tolerance")
    outputs: tuple[OutputSpec, ...] = Field(min_length=1)
    estimated_cpu_s: float = Field(ge=0, description="of the finest run")
    estimated_memory_mb: float = Field(500, ge=0)
    expectations: tuple[str, ...] = Field((), description="what physics must hold in the result")
    new_assumptions: tuple[Assumption, ...] = ()


class DesignAnswer(Model):
    """What the designer returns: the design, or an experiment whose outcome it wants to see first."""

    experiment: Experiment | None = None
    design: Design | None = None
    questions: tuple[AgentQuestion, ...] = Field((), description="only what a person must decide; the rest of the answer is "
                                                 "then provisional, and you are asked again with the answers")

    @model_validator(mode="after")
    def _not_both(self) -> DesignAnswer:
        if self.experiment is not None and self.design is not None:
            raise ValueError("give either experiment or design, not both: the experiment's outcome would come too late")
        return self


class CodeNote(Model):
    """What the code generator says about its code."""

    explanation: str = ""
    expected_outputs: tuple[str, ...] = ()
    estimated_cpu_s: float = 0


class CodeAnswer(Model):
    """What the code generator returns: the code, or an experiment whose outcome it wants to see first."""

    experiment: Experiment | None = None
    code: str | None = Field(None, description="the complete simulation.py")
    expected_outputs: tuple[str, ...] = Field((), description="files it writes")
    explanation: str = Field("", description="how the code follows the design; what changed since the last version")
    estimated_cpu_s: float = Field(0, ge=0)

    @model_validator(mode="after")
    def _not_both(self) -> CodeAnswer:
        if self.experiment is not None and self.code is not None:
            raise ValueError("give either experiment or code, not both: the experiment's outcome would come too late")
        return self
