"""A regression: every number of a baseline beside what the same decisions give today."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model, digest

Verdict = Literal["unchanged", "drifted", "broken", "no baseline"]
Kind = Literal["verdict", "course", "material", "stage", "target", "study"]
ORDER: tuple[Verdict, ...] = ("unchanged", "drifted", "broken")


class Quantity(Model):
    """One number, or one word, of a reproduction. uncertainty: in the number's own unit; None where none is stated."""

    kind: Kind
    of: str = Field(description="target, quantity, material or stage it belongs to")
    name: str = Field(description="what of it: value, error, class, ...")
    value: float | None = None
    word: str = Field("", description="a class, a verdict, a status: equal or broken")
    uncertainty: float | None = None
    unit: str = ""

    @property
    def key(self) -> str:
        """What names it in a baseline and in a table."""
        return f"{self.kind} {self.of} {self.name}"

    def words(self) -> str:
        """The number as a table shows it, with as many digits as tell 1e-6 apart."""
        if self.value is None:
            return self.word or "-"
        return f"{self.value:.8g}" + ("" if self.unit in ("", "1") else f" {self.unit}")


class Difference(Model):
    """One entry of the table. before: the baseline's; now: today's. change: relative to the baseline's size."""

    key: str
    before: Quantity | None = None
    now: Quantity | None = None
    state: Verdict
    change: float | None = None
    reason: str = ""


class Conditions(Model):
    """What a baseline's numbers were computed from: with others, nothing can be compared."""

    transcript: str = Field(description="sha256 of the recorded decisions")
    paper: str = Field(description="digest of the paper and the files it names")
    settings: str = Field(description="digest of the settings that judge: thresholds and scope")


class Earlier(Model):
    """A baseline that another one took the place of."""

    digest: str
    accepted: str
    reason: str


class Baseline(Model):
    """The numbers that a regression compares with; written by a run of the tool, never by hand.

    seal: digest of all the rest, so that a number changed by hand is noticed. regression_id: the run that computed them; of
    a run's own results that run's id.
    """

    paper_id: Identifier
    regression_id: str
    accepted: str = Field(description="UTC, ISO 8601")
    reason: str
    conditions: Conditions
    environment: dict[str, str]
    quantities: tuple[Quantity, ...] = Field(min_length=1)
    earlier: tuple[Earlier, ...] = Field((), description="oldest first")
    seal: str = ""

    def sealed(self) -> Baseline:
        """The same with its seal."""
        return self.model_copy(update={"seal": self.own_digest()})

    def own_digest(self) -> str:
        """Digest of everything but the seal."""
        return digest(self.model_dump(mode="json", exclude={"seal"}))


class EnvironmentChange(Model):
    """Something the results may depend on that is not as it was; '' where it was not known."""

    name: str
    before: str
    now: str


class RegressionRecord(Model):
    """regression.json: what a regression was started with; enough to continue it with the same code."""

    regression_id: Identifier
    paper_id: Identifier
    given: str = Field(description="as the user named it")
    started: str
    conditions: Conditions
    environment: dict[str, str]
    run_id: str = Field("", description="of the reproduction in its folder, as soon as there is one")
    batch: str = Field("", description="the regression of all papers that it belongs to")
    flow_run: str = Field("", description="Prefect's id of the flow run that began it, for a retry")
    finished: bool = False


class Regression(Model):
    """What a regression found. verdict: the worst of its differences; `no baseline`: nothing was compared."""

    paper_id: str
    given: str
    verdict: Verdict
    regression_id: str = ""
    differences: tuple[Difference, ...] = ()
    environment: tuple[EnvironmentChange, ...] = ()
    causes: tuple[str, ...] = Field(
        (),
        description="what a drift may come from, as far as code can tell: our code, a library, the computer",
    )
    our_code: tuple[str, ...] = Field((), description="folders whose code is not the baseline's")
    course: tuple[str, ...] = Field(
        (), description="where the replay left the recorded course, and by which rule it went on"
    )
    baseline: str = Field("", description="the file, or whose results")
    baseline_reason: str = ""
    baseline_accepted: str = ""
    accepted: str = Field("", description="the file that now holds these numbers as the new baseline")
    folder: str = ""
    report: str = Field("", description="of this regression")
    address: str = Field(
        "", description="of that report in a browser, where `reprolab up` shows these outputs"
    )
    reproduction: str = Field("", description="the report of the reproduction that was run")
    baseline_report: str = Field(
        "", description="the report of the baseline's own run, where it is on this computer"
    )

    def count(self, verdict: Verdict) -> int:
        """How many entries are in that state."""
        return sum(entry.state == verdict for entry in self.differences)

    @property
    def failed(self) -> bool:
        """Whether it is red: broken, or drifted by code of ours or off the recorded course; a drift that only another computer
        or library explains is a note."""
        return self.verdict == "broken" or (self.verdict == "drifted" and bool(self.our_code or self.course))

    @property
    def outcome(self) -> str:
        """The verdict in a word or two: a drift that does not fail is noted."""
        return "drifted, noted" if self.verdict == "drifted" and not self.failed else self.verdict

    @property
    def line(self) -> str:
        """The end in one line."""
        if self.verdict == "no baseline":
            return f"{self.paper_id}: no baseline yet" + (
                "; these numbers are it now" if self.accepted else ""
            )
        counts = (
            f"{self.count('unchanged')} unchanged, {self.count('drifted')} drifted, {self.count('broken')} broken of "
            f"{len(self.differences)} numbers"
        )
        cause = (
            f"; not as then: {'; '.join(self.causes)}" if self.causes and self.verdict != "unchanged" else ""
        )
        return f"{self.paper_id}: {self.outcome} ({counts}){cause}" + (
            "; accepted as the new baseline" if self.accepted else ""
        )


class Regressions(Model):
    """What regressions of several papers found. errors: papers that could not be run, and why."""

    found: tuple[Regression, ...] = ()
    errors: tuple[tuple[str, str], ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst of all; a paper that could not be run is broken, one without a baseline is not unchanged."""
        if self.errors:
            return "broken"
        known = [entry.verdict for entry in self.found if entry.verdict != "no baseline"]
        worst: Verdict = max(known, key=ORDER.index, default="unchanged")
        return (
            "no baseline" if worst == "unchanged" and (not known or len(known) < len(self.found)) else worst
        )

    @property
    def failed(self) -> bool:
        """Whether one of them is red, or could not be run."""
        return bool(self.errors) or any(entry.failed for entry in self.found)

    @property
    def line(self) -> str:
        """The end in one line."""
        return (
            "; ".join(
                (
                    *(entry.line for entry in self.found),
                    *(f"{paper}: could not be run ({why})" for paper, why in self.errors),
                )
            )
            or "nothing to regress"
        )
