"""What running a simulation gave: one record per run, one per stage."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import FileRef, Identifier, Model
from schemas.reproduce.simulations.design import Unanswerable
from schemas.reproduce.simulations.numerics import StudyResult

FailureClass = Literal["environment", "code", "numerics", "physics", "infrastructure", "budget"]


class Column(Model):
    """A column of a dataset."""

    name: str
    quantity: str
    unit: str
    axis: str = Field(
        "",
        exclude_if=lambda found: not found,
        description="of an abscissa that trusted code wrote: what it measures (schemas/reproduce/simulations/axes.py)",
    )
    process: str = Field(
        "",
        exclude_if=lambda found: not found,
        description="what happened to the light that trusted code "
        "measured: reflected, transmitted, absorbed, scattered, extinguished",
    )


class DatasetTarget(Model):
    """Which column answers which target."""

    target: str
    column: str
    place: int = Field(0, description="of a described quantity: its place in the description")


class Dataset(Model):
    """A dataset a simulation wrote, collected and hashed."""

    dataset_id: str
    kind: Literal["spectrum", "scalar", "bands", "field", "image"]
    file: FileRef
    columns: tuple[Column, ...] = ()
    targets: tuple[DatasetTarget, ...] = ()
    description: str = ""
    rows: int = 0
    non_finite: int = Field(0, description="NaN or infinite values found by reading the file")


class MeepRun(Model):
    """One Meep run inside the simulation, as simkit recorded it."""

    label: str = ""
    dimensions: int = 0
    cell: tuple[float, ...] = ()
    resolution: float = 0
    courant: float = 0
    pixels: int = 0
    time_steps: int = 0
    meep_time: float = 0
    wall_s: float = 0
    stop_criterion: str = ""
    stop_reached: float | None = None
    stop_met: bool = True
    max_field: float | None = None


class SimulationMessage(Model):
    """What a simulation says about itself: a number it checked, or a warning. Generated code wrote it: never a verdict."""

    name: str
    value: float = 0
    unit: str = "1"
    detail: str = ""


class Failure(Model):
    """Why a run failed, decided by code from evidence."""

    failure_class: FailureClass
    reason: str
    detail: str = Field("", description="the end of the error output, or what was measured")
    fix: str = ""


class Execution(Model):
    """One run of one simulation at one resolution scale and sweep point."""

    execution_id: str = Field(description="digest of code, parameters, inputs, limits and Meep version")
    stage_id: Identifier
    resolution_scale: float
    variant: str = Field(
        "", description="what was changed beside the resolution (absorber, padding, ...); empty for a rung"
    )
    described: bool = Field(False, description="solved and measured by trusted code from a description")
    point: tuple[tuple[str, float], ...] = ()
    exit_code: int | None
    signal: int | None = None
    stop_reason: str | None = Field(None, description="limit that ended it")
    wall_s: float = 0
    cpu_s: float = 0
    peak_memory_mb: float = 0
    sandbox_level: str = "A"
    meep_version: str = ""
    complete: bool = Field(False, description="the manifest says the script reached its end")
    datasets: tuple[Dataset, ...] = ()
    pictures: tuple[FileRef, ...] = ()
    captions: tuple[str, ...] = Field((), description="one for each picture, in the simulation's words")
    messages: tuple[SimulationMessage, ...] = ()
    meep_runs: tuple[MeepRun, ...] = ()
    stdout_tail: str = ""
    stderr_tail: str = ""
    rejected: tuple[str, ...] = Field((), description="outputs that were refused, with the reason")
    failure: Failure | None = None
    directory: str = Field(description="its folder, relative to the run's directory")


STILL_KEPT = "describe it so that this does not happen; what was solved is kept, numerics are the harness's"


class StageOutputs(Model):
    """All executions of a stage: sweep points times convergence scales."""

    stage_id: Identifier
    code_sha256: str
    executions: tuple[Execution, ...]
    study: StudyResult | None = Field(
        None, description="described: values with uncertainty in parts, and what was tried"
    )
    unanswerable: tuple[Unanswerable, ...] = Field(
        (), description="targets that its description does not answer"
    )
    not_run: tuple[str, ...] = Field(
        (), description="runs that were stopped or not begun because another one failed"
    )

    def not_attempted(self, target_id: str) -> str:
        """Why the description does not answer a target; '' where it does, or is none."""
        return next((entry.reason for entry in self.unanswerable if entry.target == target_id), "")

    def unsolved(self) -> tuple[Failure, ...]:
        """Failures of a description's quantities that answer a target and have no value, each in its own words."""
        study = self.study
        return tuple(
            Failure(failure_class=quantity.cause or "numerics", reason=quantity.trouble(), fix=STILL_KEPT)
            for quantity in (study.quantities if study else ())
            if quantity.status == "no value" and quantity.answers
        )

    def answered(self, target_id: str) -> bool:
        """Whether a description's quantity that answers the target has a value."""
        return any(
            quantity.status != "no value" and target_id in quantity.answers
            for quantity in (self.study.quantities if self.study else ())
        )

    def trouble(self, target_id: str) -> str:
        """What went wrong with the numerics of a described target; '' where nothing did."""
        found = [
            quantity.trouble()
            for quantity in (self.study.quantities if self.study else ())
            if target_id in quantity.answers
        ]
        return "; ".join(text for text in found if text)

    def finest(self) -> tuple[Execution, ...]:
        """The executions at the largest resolution scale: the result. None where nothing gave a value."""
        rungs = [execution for execution in self.executions if not execution.variant]
        best = max((execution.resolution_scale for execution in rungs), default=0.0)
        return tuple(e for e in rungs if e.resolution_scale == best)

    def failure(self) -> Failure | None:
        """The first failure, those of the environment and infrastructure first."""
        order: tuple[str, ...] = ("environment", "infrastructure", "budget", "code", "numerics", "physics")
        failures = [e.failure for e in self.executions if e.failure] + list(self.unsolved())
        return min(failures, key=lambda f: order.index(f.failure_class), default=None)


class ExperimentResult(Model):
    """What an experiment showed."""

    question: str
    code: str
    exit_code: int | None
    stop_reason: str | None = None
    cpu_s: float = 0
    output: str = Field("", description="what it printed, shortened")
    data: str = Field("", description="the datasets it wrote, shortened")
    runs: tuple[str, ...] = Field((), description="every Meep run: resolution, steps, stop reached, time")
    pictures: tuple[FileRef, ...] = ()


class SimulationJob(Model):
    """Everything that decides what a simulation gives; its digest is the key under which the result is kept."""

    paper_id: str
    stage_id: Identifier
    code: str
    resolution_scale: float = 1.0
    point: tuple[tuple[str, float], ...] = ()
    debug: bool = False
    materials_json: str = Field("{}", description="canonical JSON of params.json's materials")
    inputs: tuple[tuple[str, str], ...] = Field(
        (), description="(stage id, execution id) of runs it may read"
    )
    wall_limit_s: float = 900
    cpu_limit_s: float = 900
    memory_mb: int = 8192
    meep_version: str = ""
    simkit_digest: str = Field("", description="digest of the simkit sources it ran with")


class SolvingJob(Model):
    """One run of a described simulation for another worker; its raw data are kept by the digest of its numbers."""

    run_json: str = Field(max_length=3_000_000, description="simkit.runs.dump of it")
    label: str = Field("", max_length=200)
    cpu_limit_s: float = Field(gt=0)
    until: float | None = Field(None, gt=0, description="Meep time after which it ends with what it has")
    memory_mb: int = Field(8192, ge=64)
    meep_version: str = ""
    simkit_digest: str = ""


class SolvedElsewhere(Model):
    """What became of it, beside the raw data in the store. failure: one that is not kept there, as another try may succeed."""

    cpu_s: float = 0.0
    failure: Failure | None = None
