"""The design of a stage's simulation, and the experiments that may precede it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from schemas.base import Identifier, Model
from schemas.reproduce.planning.parameters import Assumption
from schemas.talking.interaction import AgentQuestion
from simkit.describe.parameters import Parameter


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
    columns: tuple[str, ...] = Field(
        description="'name (quantity, unit)' in order; the first is the abscissa of a spectrum"
    )
    targets: tuple[str, ...] = Field((), description="target ids it answers")


class Unanswerable(Model):
    """A target that a description cannot answer."""

    target: Identifier
    reason: str = Field(
        min_length=12, max_length=600, description="what would have to be measured, and why no quantity does"
    )


class Design(Model):
    """What is simulated, complete enough to be computed without paper or plan.

    form 'description': `code` holds describe(p), a pure function over declared parameters; trusted code chooses the
    numerics, solves and measures. form 'script': the words from which the code generator writes a free Meep script; its
    results are computed by code that no check can see into.
    """

    stage_id: Identifier
    summary: str
    form: Literal["description", "script"] = "script"
    code: str = Field(
        "", max_length=40_000, description="description: Python source that defines describe(p)"
    )
    parameters: tuple[Parameter, ...] = Field(
        (),
        max_length=200,
        description="description: what you add to the paper's inputs; of origin assumption, derived or numerical",
    )
    unanswerable: tuple[Unanswerable, ...] = Field(
        (),
        max_length=40,
        description="description: targets that no quantity of the vocabulary gives; they are not attempted, and the report says why",
    )
    script_reason: str = Field(
        "", description="script: why no scene of the vocabulary can describe this stage"
    )
    dimensions: Literal["1D", "2D", "3D", "cylindrical", "bands"] | None = Field(None, examples=["2D"])
    length_unit: str = Field("1 um", description="what one Meep length unit is, e.g. 1 um")
    geometry: tuple[str, ...] = Field(
        (), description="each object: shape, size, place, material, in length units"
    )
    materials: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    boundaries: tuple[str, ...] = Field(
        (), description="PML or absorber thickness, periodicity, symmetries with phase"
    )
    monitors: tuple[str, ...] = ()
    resolution: float | None = Field(
        None, gt=0, examples=[50], description="pixels per length unit at resolution_scale 1"
    )
    resolution_reason: str = ""
    convergence_scales: tuple[float, ...] = Field(
        (0.5, 1.0),
        min_length=2,
        max_length=4,
        description="resolution scales to run, ascending; the last is the result, the others its error bar; every edge must keep "
        "its sub-pixel position at all of them",
    )
    sweep_points: tuple[tuple[NamedValue, ...], ...] = Field(
        (), description="one run per point; empty for one run"
    )
    stop: str = Field("", description="what ends the run and to which tolerance")
    outputs: tuple[OutputSpec, ...] = ()
    estimated_cpu_s: float = Field(0, ge=0, description="of the finest run")
    estimated_memory_mb: float = Field(500, ge=0)
    expectations: tuple[str, ...] = Field((), description="what physics must hold in the result")
    new_assumptions: tuple[Assumption, ...] = ()

    @model_validator(mode="after")
    def _complete(self) -> Design:
        if self.form == "description":
            if not self.code.strip():
                raise ValueError("a description needs code that defines describe(p)")
            wrong = [p.id for p in self.parameters if p.origin == "paper"]
            if wrong:
                raise ValueError(
                    f"the paper's values come from the plan; {', '.join(wrong)} must be an assumption, derived or "
                    "numerical"
                )
            return self
        missing = [name for name in ("dimensions", "resolution", "outputs") if not getattr(self, name)]
        if missing:
            raise ValueError(f"the design of a script also needs {', '.join(missing)}")
        return self

    @property
    def described(self) -> bool:
        """Whether trusted code solves and measures it."""
        return self.form == "description"


class Edit(Model):
    """One change of the description before."""

    find: str = Field(
        min_length=1, description="words of `previous_code`, copied exactly; they stand there once"
    )
    replace: str = Field(description="what stands there instead")


class DesignEdits(Model):
    """A revision of a description as a small difference; what it does not name stays."""

    edits: tuple[Edit, ...] = Field((), max_length=40)
    parameters: tuple[Parameter, ...] = Field((), description="to add, or in place of those with the same id")
    without: tuple[str, ...] = Field((), description="ids of added parameters that are no longer needed")
    materials: tuple[str, ...] = Field((), description="all of them, if they change")
    new_assumptions: tuple[Assumption, ...] = ()
    summary: str = Field("", description="answer to the feedback")

    @model_validator(mode="after")
    def _says_something(self) -> DesignEdits:
        if wrong := [p.id for p in self.parameters if p.origin == "paper"]:
            raise ValueError(
                f"the paper's values come from the plan; {', '.join(wrong)} must be an assumption, derived or "
                "numerical"
            )
        if not (self.edits or self.parameters or self.without or self.materials or self.new_assumptions):
            raise ValueError("nothing is changed: give at least one edit, or a parameter")
        return self


class DesignAnswer(Model):
    """What the designer returns: the design, or edits of the one before, or an experiment whose outcome it wants to see."""

    experiment: Experiment | None = None
    design: Design | None = None
    edits: DesignEdits | None = Field(None, description="on a revision, instead of design")
    questions: tuple[AgentQuestion, ...] = Field(
        (),
        description="only what a person must decide; the rest of the answer is "
        "then provisional, and you are asked again with the answers",
    )

    @model_validator(mode="after")
    def _not_both(self) -> DesignAnswer:
        given = [name for name in ("experiment", "design", "edits") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(
                f"give one of experiment, design and edits, not {' and '.join(given)}: an experiment's outcome "
                "would come too late, and edits change the design before"
            )
        return self


class SolvedBefore(Model):
    """A description of an earlier stage that was solved."""

    stage_id: Identifier
    code: str
    parameters: tuple[Parameter, ...] = ()
    cpu_s: float = 0.0
    remarks: tuple[str, ...] = ()


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
    explanation: str = Field(
        "", description="how the code follows the design; what changed since the last version"
    )
    estimated_cpu_s: float = Field(0, ge=0)

    @model_validator(mode="after")
    def _not_both(self) -> CodeAnswer:
        if self.experiment is not None and self.code is not None:
            raise ValueError(
                "give either experiment or code, not both: the experiment's outcome would come too late"
            )
        return self
