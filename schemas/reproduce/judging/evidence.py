"""Evidence: what code computed from files. Verdicts start here; log text never counts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model
from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.looks import PictureEvidence
from schemas.reproduce.judging.paper_finding import PaperFinding
from schemas.reproduce.simulations.execution import Failure

Level = Literal["pass", "warning", "fail"]
Classification = Literal["SUCCESS", "PARTIAL", "FAILURE"]
Rule = Literal["input", "called", "choice", "structure", "feature", ""]


class Check(Model):
    """One check: what was measured against which bound."""

    name: str
    level: Level
    measured: str
    allowed: str
    source: str = Field("", description="file and column, or execution, it was computed from")
    hint: str = Field("", description="likely cause and remedy if it is not passed")


class ExecutionEvidence(Model):
    """Whether the simulations ran, wrote what they should, and really computed something."""

    checks: tuple[Check, ...]
    failure: Failure | None = None

    @property
    def level(self) -> Level:
        """The worst level of all checks."""
        return worst(self.checks)


class PhysicsEvidence(Model):
    """Whether the results are physically possible."""

    checks: tuple[Check, ...]

    @property
    def level(self) -> Level:
        """The worst level of all checks."""
        return worst(self.checks)


class RungValue(Model):
    """A target's value at one resolution scale."""

    resolution_scale: float
    value: float


class Feature(Model):
    """A peak or dip of the reference curve and its partner in the simulated one."""

    kind: Literal["peak", "dip"]
    x_reference: float
    x_simulated: float | None = None
    shift_percent: float | None = None
    fwhm_ratio: float | None = None
    height_difference: float | None = None


class Doubt(Model):
    """Why what agrees may not be what the paper says: its words leave it open, or seem to say otherwise."""

    doubt_id: str = Field(description="target and a digest of what is doubted: nobody knows it beforehand")
    why: str
    rule: Rule = Field("", description="what kind of words raised it; doubts of older runs say none")
    words: str = Field("", description="the paper's words that it speaks of, where `why` does not cite them")
    lifted_by: str = Field(
        "", description="the person who compared both: where the answer came from, and when"
    )


class TargetEvidence(Model):
    """One target compared with the paper, computed from files."""

    target_id: Identifier
    stage_id: Identifier
    simulated: float | None = Field(
        None, description="value of a scalar target; None for curves or if missing"
    )
    reference: float | None = Field(None, description="the paper's value; of a range its lower end")
    reference_upper: float | None = Field(
        None, description="upper end of a range the paper states: anything inside agrees"
    )
    points: tuple[float, ...] = Field((), description="of a curve of few points: the paper's values")
    reach: tuple[float, float] | None = Field(
        None, description="of a curve: first and last abscissa of the paper's data, in the target's x_unit"
    )
    unit: str = "1"
    error: float | None = Field(None, description="in the threshold's measure: percent or absolute")
    measure: str = ""
    excellent: float | None = None
    acceptable: float | None = None
    investigate: float | None = None
    uncertainty: float | None = Field(
        None, description="numerical uncertainty of the simulated value, same measure"
    )
    rungs: tuple[RungValue, ...] = ()
    observed_order: float | None = None
    nrms_percent: float | None = Field(None, description="curves: normalised RMS difference as it stands")
    nrms_aligned_percent: float | None = Field(None, description="curves: after best shift")
    pearson: float | None = None
    shift: float | None = Field(None, description="curves: best shift of the simulation, in x units")
    shift_percent: float | None = None
    scale: float | None = None
    overlap: float | None = Field(None, description="curves: fraction of the asked range both cover")
    features: tuple[Feature, ...] = ()
    unmatched_simulated: int = 0
    ran: bool = Field(description="a simulation of ours wrote the value")
    computed: bool = Field(description="the value comes from a field computation, not from a constant")
    beyond: bool = Field(
        False,
        description="its error is beyond what is investigated, and refutes nothing: it is not converged, and reaches back",
    )
    converged: bool = Field(description="numerical uncertainty below half the acceptable error")
    physical: bool = Field(description="no physics check failed")
    matches: bool = Field(description="error within the acceptable threshold")
    classification: Classification
    not_attempted: str = Field(
        "", description="why the stage's description does not answer it, in its author's words"
    )
    scripted: bool = Field(
        False, description="it agrees, and is PARTIAL only because a free script computed it"
    )
    refutes: bool = Field(
        True, description="a failure counts against the paper: not where a free script computed it"
    )
    reasons: tuple[str, ...] = Field((), description="why the classification is what it is")
    doubts: tuple[Doubt, ...] = Field((), description="why it is at most PARTIAL; a person may lift them")
    undoubted: Classification | None = Field(None, description="the classification without the doubts")
    about_paper: tuple[PaperFinding, ...] = Field(
        (),
        exclude_if=lambda found: not found,
        description="where it differs from the paper, who agrees with us: the paper's own theory, a second solver, nobody",
    )
    execution_id: str | None = None
    file: str | None = Field(
        None, description="data file the value came from, relative to the run's directory"
    )
    sha256: str | None = None
    column: str | None = None
    reference_source: str = ""
    overlay: str | None = Field(None, description="overlay plot, relative to the run's directory")

    @property
    def stands(self) -> bool:
        """Whether a disagreement would count against the paper: computed from fields, physical, by no free script."""
        return self.ran and self.computed and self.physical and self.refutes

    def reference_words(self, digits: int = 6) -> str:
        """The reference as text without its unit: "523.4", or "6 to 7" for a range; '' if it is no number."""
        ends = [end for end in (self.reference, self.reference_upper) if end is not None]
        return " to ".join(f"{end:.{digits}g}" for end in ends)


class StageEvidence(Model):
    """Everything code found about a stage."""

    stage_id: Identifier
    execution: ExecutionEvidence
    physics: PhysicsEvidence | None = None
    convergence: tuple[Check, ...] = Field(
        (), description="numerical uncertainty of each target; a miss lowers that target"
    )
    controls: tuple[Check, ...] = Field(
        (), description="wrong answers put through the comparison; each must be refused"
    )
    targets: tuple[TargetEvidence, ...] = ()
    budgets: tuple[Budget, ...] = Field(
        (), description="what each target's difference is worth; no verdict reads it"
    )
    not_asked: tuple[str, ...] = Field(
        (), description="judging agents that were not asked: code found nothing to judge"
    )
    pictures: tuple[PictureEvidence, ...] = Field(
        (), description="both pictures of each target that is judged by eye"
    )


def worst(checks: tuple[Check, ...]) -> Level:
    """The worst level of some checks; 'fail' when there are none, because nothing was shown."""
    order: tuple[Level, ...] = ("pass", "warning", "fail")
    return max((check.level for check in checks), key=order.index, default="fail")
