"""What a described simulation gave: values with their numerical uncertainty in parts, and what was tried on them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import FileRef, Model

Part = Literal["resolution", "absorber", "padding", "decay", "run time", "sampling", "materials"]
PartState = Literal["computed", "nothing to vary", "not computed"]


class UncertaintyPart(Model):
    """One source of numerical error. value: standard size of the error it leaves, in the quantity's base unit."""

    part: Part
    value: float | None = None
    state: PartState = "computed"
    how: str = Field("", description="what was varied and how the number follows")


class Rung(Model):
    """The quantity at one resolution. For a curve `value` is empty and `change` its largest change from the rung before."""

    resolution: float = Field(description="pixels per unit length")
    value: float | None = None
    change: float | None = None
    cpu_s: float = 0.0
    reason: str = Field("", description="why there is no value")
    cause: str = Field(
        "", description="class of that failure: numerics, budget, physics, code, infrastructure"
    )

    def words(self) -> str:
        """The rung in a few words."""
        told = "no value" if self.reason else "a curve" if self.value is None else f"{self.value:.6g}"
        return f"{self.resolution:g} px: {told}" + (
            "" if self.change is None else f" (changed by {self.change:.2g})"
        )


class Witness(Model):
    """Whether a value responds as one that comes from the fields must."""

    name: Literal[
        "blank structure",
        "moved parameter",
        "disturbed raw data",
        "tiny changes",
        "dilation",
        "null data",
        "carried by the data",
        "power law",
        "no known feature",
    ]
    of: str = Field("", description="the parameter that was moved")
    response: float | None = Field(
        None, description="change relative to the value's scale; of a dilation: the misfit"
    )
    passed: bool | None = Field(None, description="nothing where it could not be tried")
    detail: str = ""


class Sensitivity(Model):
    """What a parameter's doubt is worth. change: of the value, or the largest of the curve, in its base unit."""

    parameter: str
    origin: str
    tried: str = Field(description="the value tried, with unit")
    reason: str = Field(description="alternative of the ledger, 5 per cent, or the rounding of the quotation")
    change: float | None = None
    relative: float | None = Field(None, description="change over the value's scale")
    moved: float | None = Field(None, description="of a spectrum: by what share of the frequency it moves")
    read: dict[str, float] = Field(
        default_factory=dict,
        description="of each target that reads a number of it: by how much that changes, in its unit",
    )
    remark: str = ""


class Finding(Model):
    """A remark about the described problem, by inspection. error: it cannot be right; warning: look; note: know."""

    level: Literal["error", "warning", "note"]
    where: str = Field(description="object by name")
    text: str
    source: str = Field("", description="rule or pitfall it comes from")


class RunCost(Model):
    """Cost of one run, foreseen and measured."""

    name: str
    digest: str
    pixels: int = 0
    steps: int = 0
    estimated_cpu_s: float | None = None
    estimated_mb: float | None = None
    cpu_s: float | None = None
    remark: str = ""


class SimulatedParameter(Model):
    """A number that was simulated beside what the paper says."""

    id: str
    value: float
    unit: str
    origin: str
    meaning: str = ""
    quotation: str = ""
    assumption_id: str = ""
    expression: str = ""
    used: bool = True


class ComputedNumber(Model):
    """A number of the structure or the light that is arithmetic on parameters, for a reader: factors are read here."""

    where: str
    expression: str
    value: float = Field(description="in base units")
    power: float = Field(0, description="of length")


class OracleComparison(Model):
    """An exact or independent solution of the described problem, shown beside, never in place of the value."""

    theory: str
    value: float | None = None
    difference: float = Field(description="ours minus theory; of a curve the largest absolute difference")
    within: bool = Field(description="whether the stated uncertainty covers it")


class Truncation(Model):
    """What the second solver says with so many orders, or nodes of a grid; of a curve its worst point."""

    orders: int
    value: float
    cpu_s: float = Field(description="of this truncation, at all points")


class SecondOpinion(Model):
    """What a second solver says of the same described problem, with an uncertainty of its own; shown beside, never in place."""

    solver: str
    reason: str = Field("", description="why it says nothing, or less than was wanted")
    value: float | None = Field(None, description="of a curve the one at the worst point, `at`")
    uncertainty: float | None = None
    at: float | None = Field(
        None, description="of a curve: where both differ most beside their uncertainties"
    )
    points: tuple[tuple[float, float, float], ...] = Field(
        (), description="of a curve: x, value, uncertainty in base units"
    )
    first: float | None = Field(None, description="what the first solver says there")
    together: float | None = Field(None, description="both uncertainties, added")
    agrees: bool | None = Field(
        None, description="nothing where an uncertainty is unknown, or the second one's too large to tell"
    )
    truncations: tuple[Truncation, ...] = ()

    @property
    def difference(self) -> float | None:
        """The first solver's value minus the second's."""
        return None if self.value is None or self.first is None else self.first - self.value

    @property
    def cpu_s(self) -> float:
        """CPU seconds of all truncations."""
        return sum(rung.cpu_s for rung in self.truncations)

    def words(self) -> str:
        """The opinion in a line: who, value and uncertainty, how it stands to the first one's."""
        if self.value is None or self.uncertainty is None:
            return f"{self.solver}: no value: {self.reason}"
        place = "" if self.at is None else f" at x = {self.at:.6g}, where both differ most,"
        said = f"{self.solver}{place}: {self.value:.6g} +- {self.uncertainty:.2g}"
        if self.difference is None:
            return said
        if self.agrees is None or self.together is None:
            return f"{said}, differs by {abs(self.difference):.2g}; an uncertainty is unknown or too large to tell"
        held = "within" if self.agrees else "BEYOND"
        return f"{said}, differs by {abs(self.difference):.2g}, {held} both uncertainties together ({self.together:.2g})"


class QuantityResult(Model):
    """A quantity or sweep: value or curve in base units (um, c/um, radian), uncertainty, and the checks."""

    id: str
    kind: str
    scene: str
    status: Literal["converged", "not converged", "no value"]
    reason: str = ""
    value: float | None = None
    curve: FileRef | None = Field(None, description="CSV: x, y, uncertainty of each point")
    variants: FileRef | None = Field(None, description="CSV: the curve at every rung and variant")
    axis: str = ""
    power: int = Field(0, description="of length, of the value")
    scale: float = Field(0.0, description="size that relative numbers refer to: |value|, or the largest |y|")
    uncertainty: float | None = Field(
        None, description="of the value; of a curve the largest over its points"
    )
    wanted: float = Field(0.0, description="the relative uncertainty that was asked for")
    parts: tuple[UncertaintyPart, ...] = ()
    observed_order: float | None = None
    formal_order: float = Field(
        2.0, description="of the grid's error, at most, where fields meet this scene's bodies"
    )
    rungs: tuple[Rung, ...] = ()
    oracle: OracleComparison | None = None
    second: SecondOpinion | None = None
    witnesses: tuple[Witness, ...] = ()
    sensitivities: tuple[Sensitivity, ...] = ()
    from_fields: bool | None = Field(None, description="whether all witnesses that could be tried passed")
    code: str = Field(
        "", description="arithmetic of a function of the writer's own; '' where trusted code measures"
    )
    made_of: tuple[str, ...] = Field(
        (), description="quantities and parameters that such a function sees, in its order"
    )
    answers: tuple[str, ...] = ()
    cause: str = Field("", description="class of failure, where there is no value")
    unsettled: float = Field(
        0.0, description="share of the fields that was still to come when its finest runs ended"
    )
    ended: str = Field(
        "", description="why the ladder of grids ended where it did, with less than was wanted"
    )
    lost: str = Field("", description="the point of a sweep that has no value, and why")

    def trouble(self) -> str:
        """What went wrong with the numerics of it, the cause first, with all rungs; '' where nothing did.

        Whatever follows from a value that was never computed, or from one grid alone, has this cause and no other.
        """
        failed = next((rung for rung in reversed(self.rungs) if rung.reason), None)
        if self.status == "no value":
            why = f"{self.cause or 'numerics'}: {self.id} of {self.scene} has no value: {self.reason}"
        elif failed is not None:
            why = f"{failed.cause or 'numerics'}: {self.id} of {self.scene} has no value at the next grid: {failed.reason}"
        elif self.lost:
            why = f"numerics: {self.id} of {self.scene} has no value {self.lost}"
        elif self.unsettled > 1e-3:
            why = (
                f"numerics: {100 * self.unsettled:.2g} % of the fields were still to come when the runs of {self.id} of "
                f"{self.scene} ended"
            )
        elif len(self.rungs) == 1:
            why = (
                f"{'budget' if self.ended else 'numerics'}: {self.id} of {self.scene} was solved on one grid"
            )
        else:
            return ""
        told = f"; grids: {'; '.join(rung.words() for rung in self.rungs)}" if self.rungs else ""
        return why + told + (f"; {self.ended}" if self.ended else "")


class StudyResult(Model):
    """Everything the study of one description gave."""

    digest: str
    quantities: tuple[QuantityResult, ...]
    parameters: tuple[SimulatedParameter, ...] = ()
    computed: tuple[ComputedNumber, ...] = ()
    counted: tuple[str, ...] = Field(
        (), description="equal parts that stand side by side: '75 x Film' with their total"
    )
    scenes: tuple[str, ...] = Field(
        (), description="each scene and quantity in the words that were chosen for it"
    )
    findings: tuple[Finding, ...] = ()
    runs: tuple[RunCost, ...] = ()
    drawings: tuple[FileRef, ...] = Field(
        (), description="PNG: each scene with its dimensions, drawn from the description"
    )
    cpu_s: float = Field(0.0, description="measured now; runs kept from before cost nothing")
    solved: dict[str, float] = Field(
        {}, description="CPU seconds of every run behind it by digest, whenever it was solved"
    )
    cost_s: float = Field(
        0.0, description="charged to the budget: by the model of costs, for kept runs as well"
    )
    budget_s: float = 0.0
    meep_version: str = ""
    remarks: tuple[str, ...] = ()

    def quantity(self, name: str) -> QuantityResult:
        """The result of that id. Raises StopIteration if there is none."""
        return next(found for found in self.quantities if found.id == name)
