"""A reproduction and its grade: how the sandbox was filled, what reproduce.sh did, and what each leaf of the rubric got."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import Model

SandboxKind = Literal["slurm", "docker", "apptainer", "sandbox"]
CONTROL_LIMIT = 0.05
"""A repository without any work must score below this."""


class SeedRecord(Model):
    """`ors_seed.json`. seeded is False where no bundle was published: then the replicator writes the sandbox."""

    seeded: bool
    ref: str = ""
    bundle_sha256: str = ""
    files: int = 0
    why: str = ""


class WrittenFile(Model):
    """A file a replicator writes, relative to the repository."""

    path: str = Field(max_length=200)
    content: str = Field(max_length=60_000)


class ReplicatorAnswer(Model):
    """A reproduction written from the paper's text alone."""

    files: tuple[WrittenFile, ...] = Field(min_length=1, max_length=24)
    reproduce_sh: str = Field(
        max_length=20_000, description="runs with sh in the repository's folder, no network"
    )
    notes: str = Field("", max_length=4000)


class ReplicatorRecord(Model):
    """`ors_replicator.json`. built is False where a bundle had filled the sandbox, or nothing usable was written."""

    built: bool
    files: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    why: str = ""


class Artifact(Model):
    """A file that reproduce.sh was expected to write. fresh: it did not lie there before with the same content."""

    path: str
    sha256: str
    size: int
    fresh: bool


class Phase1(Model):
    """`ors_phase1.json`: one run of reproduce.sh. results: its results.json's values by name, as it wrote them."""

    executed: bool
    exit_code: int | None = None
    stop_reason: str = ""
    log_path: str = "repro_outputs/reproduce.log"
    artifacts: tuple[Artifact, ...] = ()
    missing: tuple[str, ...] = ()
    sandbox_kind: SandboxKind = "sandbox"
    partition: str = ""
    cpus: int = 1
    cpu_s: float = 0.0
    wall_s: float = 0.0
    walltime_s: float = Field(0.0, description="the limit on wall time")
    why: str = Field("", description="where it was not executed, or ended by a limit")

    @property
    def succeeded(self) -> bool:
        """It ran to its own end and said so."""
        return self.executed and self.exit_code == 0 and not self.stop_reason


class NumberGrade(Model):
    """A leaf's number by code. measured: by our own run of the frozen measure program over the repository's code;
    reported: what reproduce.sh wrote into results.json. Both must lie within `allowed` of the paper's value.
    """

    name: str
    paper: float
    uncertainty: float
    unit: str = ""
    measured: float | None = None
    measured_uncertainty: float | None = None
    reported: float | None = None
    allowed: float = Field(
        description="largest distance from the paper's value that is within the error bars"
    )
    agrees: bool
    reason: str


class LeafScore(Model):
    """What the grader says of one leaf."""

    leaf: str
    met: bool
    evidence: str = Field(
        max_length=600, description="file and line, or words of the log, that decide; empty means not met"
    )


class LeafGraderAnswer(Model):
    """Each leaf that was asked for, once."""

    scores: tuple[LeafScore, ...]


class LeafGrade(Model):
    """score: 0 to 1; runs: each run's. share: of the whole score. void: a control without any work passed it too."""

    id: str
    requirements: str
    task_category: str
    share: Annotated[float, Field(ge=0, le=1)]
    graded_by: Literal["code", "agent"]
    score: Annotated[float, Field(ge=0, le=1)]
    runs: tuple[float, ...] = ()
    reason: str = ""
    void: bool = False
    number: NumberGrade | None = None


class NegativeControl(Model):
    """Two repositories without any work, graded by the same path. passed: both below the limit, void leaves counted."""

    empty: float
    boilerplate: float
    limit: float = CONTROL_LIMIT
    passed: bool
    void_leaves: tuple[str, ...] = ()
    void_weight: float = Field(
        0.0, description="share of the score that stood on leaves which reward absence of work"
    )


class Grade(Model):
    """`ors_grade.json`. raw_score counts every leaf; ors_score gives void leaves 0 and is None where a control failed."""

    ors_score: float | None
    raw_score: float
    numbers_score: float | None = Field(
        None, description="over the leaves that code grades alone; None without such"
    )
    leaf_grades: tuple[LeafGrade, ...]
    judge_model: str = ""
    n_runs: int
    numbers_again: int = Field(0, description="numbers of the paper that were measured again")
    numbers_cited: int = Field(0, description="numbers that the paper cites")
    rubric_sha256: str
    negative_control: NegativeControl
    why: str = ""
