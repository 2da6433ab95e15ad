"""All a report is made from, with the look-ups its sections share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.comparison import ComparisonRecord, FigureComparison
from schemas.reproduce.judging.evidence import Check, StageEvidence, TargetEvidence
from schemas.reproduce.judging.looks import PictureEvidence, VisualComparison
from schemas.reproduce.judging.paper_finding import PaperFinding
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import MATERIALS, Stage, Target
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.execution import Execution
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.state import ReproState
from schemas.reproduce.words.same_number import every_number
from schemas.text.unit_forms import unit_name
from tasks.reproduce.judging.headline import Headline, Verdict, headline_of, not_finished
from tasks.reproduce.judging.paper_findings import paper_findings
from tasks.reproduce.judging.standing import failed_before
from tasks.reproduce.report.document import Tone
from tasks.reproduce.report.facts import ReportFacts
from tasks.reproduce.report.report_files import FileState, file_state

_TELLING = (
    0.01  # an assumption that moves a compared quantity by this much, relative, stands on the first page
)
CLASSES = ("SUCCESS", "PARTIAL", "FAILURE", "not compared")
_TONES: dict[Verdict, Tone] = {
    "Reproduced": "good",
    "Partly reproduced": "fair",
    "Not reproduced": "bad",
    "Main claim not tested": "bad",
    "Nothing was compared": "plain",
    "Not finished": "plain",
}


@dataclass(frozen=True)
class TargetLine:
    """A planned or compared target; `comparison` is None if the run never compared it."""

    figure_id: str
    stage_id: str
    target_id: str
    target: Target | None
    comparison: FigureComparison | None

    @property
    def classification(self) -> str:
        """SUCCESS, PARTIAL, FAILURE or 'not compared'."""
        return self.comparison.verdict if self.comparison else "not compared"

    @property
    def description(self) -> str:
        """The plan's words for it."""
        return self.target.description if self.target else ""

    @property
    def what(self) -> str:
        """The planner's words, and behind them what code measured, with every number of it."""
        feature = self.target.reference.feature if self.target else None
        made_of: str | None = self.target.reference.made_of if self.target else None
        if self.target is not None and self.target.size_alone:
            made_of = "size of the difference"
        if self.target is None or (feature is None and made_of is None):
            return self.description
        if feature is None:
            return f"{self.description} (measured: the {made_of} of two results)"
        own, target = as_feature(feature), self.target
        whole = own.whole(target.x_unit, target.unit)
        if made_of:
            whole = f"{whole} of the {made_of} of two curves"
        if target.x_range and not any(part.window for part in own.parts):
            whole += f" between {target.x_range[0]:g} and {target.x_range[1]:g} {target.x_unit}".rstrip()
        return f"{self.description} (measured: {whole})" if self.description else f"measured: {whole}"

    @property
    def major(self) -> bool:
        """Whether the paper's claim rests on it."""
        return self.target.major if self.target else True


def stage_checks(stage: StageEvidence) -> tuple[tuple[str, tuple[Check, ...]], ...]:
    """A stage's checks by kind."""
    return (
        ("execution", stage.execution.checks),
        ("physics", stage.physics.checks if stage.physics else ()),
        ("control of the comparison", stage.controls),
    )


@dataclass(frozen=True)
class Source:
    """The arguments of write_report."""

    state: ReproState
    paper: PaperInput
    run_dir: Path
    paper_dir: Path
    settings: RunSettings
    facts: ReportFacts

    @cached_property
    def lines(self) -> tuple[TargetLine, ...]:
        """Every target of the plan, in plan order, then compared ones that no plan holds."""
        latest = {comparison.target_id: comparison for comparison in self.state.figure_comparisons}
        planned: tuple[tuple[Stage, Target], ...] = self.state.plan.targets() if self.state.plan else ()
        lines = [
            TargetLine(
                target.figure_id, stage.stage_id, target.target_id, target, latest.pop(target.target_id, None)
            )
            for stage, target in planned
        ]
        lines += [TargetLine(c.figure_id, c.stage_id, c.target_id, None, c) for c in latest.values()]
        return tuple(lines)

    @cached_property
    def visuals(self) -> tuple[VisualComparison, ...]:
        """Image targets of the plan; those that no stage came to are not judged."""
        found = {entry.target_id: entry for entry in self.state.visual_comparisons}
        planned = [
            (stage, target)
            for stage in (self.state.plan.stages if self.state.plan else ())
            for target in stage.image_targets
        ]
        return tuple(
            found.get(target.target_id)
            or VisualComparison(
                figure_id=target.figure_id,
                stage_id=stage.stage_id,
                target_id=target.target_id,
                description=target.description,
                classification="NOT_JUDGED",
                pictures=PictureEvidence(target_id=target.target_id, figure_id=target.figure_id),
                reasons=(f"Stage {stage.stage_id} did not get as far as a comparison.",),
            )
            for stage, target in planned
        )

    @property
    def by_eye(self) -> str:
        """How many figures were judged by eye, and how; empty if none. Never part of the counts of targets."""
        count = Counter(entry.classification for entry in self.visuals)
        return (
            (
                f"Beside the numbers, compared by eye: {len(self.visuals)}, of which {count['PARTIAL']} alike, "
                f"{count['FAILURE']} different, {count['NOT_JUDGED']} not judged."
            )
            if self.visuals
            else ""
        )

    @cached_property
    def compared(self) -> tuple[tuple[TargetLine, FigureComparison], ...]:
        """The targets that were compared."""
        return tuple((line, line.comparison) for line in self.lines if line.comparison)

    @cached_property
    def figure_ids(self) -> tuple[str, ...]:
        """Figures in the paper's order; stage 0 and figures unknown to the paper first."""
        known = [figure.figure_id for figure in self.paper.figures]
        others = dict.fromkeys(line.figure_id for line in self.lines if line.figure_id not in known)
        return (*others, *known)

    def of_figure(self, figure_id: str) -> tuple[TargetLine, ...]:
        """The targets of one figure."""
        return tuple(line for line in self.lines if line.figure_id == figure_id)

    def counts(self, lines: tuple[TargetLine, ...]) -> Counter[str]:
        """How many targets have each classification."""
        return Counter(line.classification for line in lines)

    @property
    def claims(self) -> tuple[TargetLine, ...]:
        """The targets that speak about the paper's results: no checks of stage 0, no reading the paper does not state."""
        inferred = self.state.plan.inferred() if self.state.plan else frozenset()
        return tuple(
            line
            for line in self.lines
            if line.figure_id != MATERIALS
            and line.target_id not in inferred
            and self.role(line) != "material"
        )

    @cached_property
    def failures_taken_back(self) -> tuple[ComparisonRecord, ...]:
        """Failures of major targets that a return, a new plan or another material made disappear: they still count."""
        classes = {line.target_id: line.classification for line in self.lines}
        return failed_before(self.state.comparison_history, classes)

    @cached_property
    def sensitivities(self) -> dict[str, str]:
        """Assumption id -> what code computed of its weight, for those that move a compared quantity; agents do not say."""
        found: dict[str, tuple[float, str]] = {}
        for _, study in self.facts.studies:
            ids = {p.id: p.assumption_id for p in study.parameters if p.origin == "assumption"}
            for quantity in study.quantities:
                for s in quantity.sensitivities if quantity.answers else ():
                    name, moved = ids.get(s.parameter, ""), s.relative or 0.0
                    if name and moved >= _TELLING and moved > found.get(name, (0.0, ""))[0]:
                        found[name] = (
                            moved,
                            f"{s.tried} instead ({s.reason}) moves {quantity.id} by {100 * moved:.2g} %",
                        )
        return {name: words for name, (_, words) in found.items()}

    @cached_property
    def paper_findings(self) -> tuple[PaperFinding, ...]:
        """What running showed of the paper."""
        return paper_findings(self.state, dict(self.facts.studies), self.paper)

    def role(self, line: TargetLine) -> str:
        """What a target counts for in the verdict."""
        plan = self.state.plan
        if plan is None or line.target is None:
            return "not in the plan"
        return plan.role(plan.stage(line.stage_id), line.target)

    def wall_s(self, stage_id: str) -> float:
        """Wall time of all simulations of a stage, failed and repeated rounds included, s."""
        return sum(e.wall_s for e in self.executions if e.stage_id == stage_id)

    @cached_property
    def executions(self) -> tuple[Execution, ...]:
        """All known executions of the run."""
        outputs = self.state.stage_outputs
        return self.facts.executions or (outputs.executions if outputs else ())

    def scales(self, evidence: TargetEvidence) -> tuple[float, ...]:
        """The resolution scales behind a target: its rungs, or else the completed executions of its stage."""
        rungs = {rung.resolution_scale for rung in evidence.rungs}
        ran = {e.resolution_scale for e in self.executions if e.stage_id == evidence.stage_id and e.complete}
        return tuple(sorted(rungs or ran))

    @cached_property
    def stage_evidence(self) -> tuple[StageEvidence, ...]:
        """The known evidence of stages."""
        current = self.state.stage_evidence
        return self.facts.stage_evidence or ((current,) if current else ())

    @cached_property
    def budgets(self) -> dict[str, Budget]:
        """Target id -> its uncertainty budget; a run of an older version kept none."""
        return {budget.target_id: budget for stage in self.stage_evidence for budget in stage.budgets}

    @cached_property
    def file_states(self) -> dict[str, FileState]:
        """Target id -> whether the data file it was judged by is still the same, hashed now."""
        return {
            line.target_id: file_state(self.run_dir, c.evidence.file, c.evidence.sha256)
            for line, c in self.compared
        }

    @cached_property
    def headline(self) -> Headline:
        """The run's verdict, what carries it, and what stands beside it."""
        found = headline_of(self.state, self.paper)
        return not_finished(found) if self.facts.unfinished else found

    @cached_property
    def known_numbers(self) -> list[tuple[float, str]]:
        """Every number that an agent may write: of the evidence, the ledger, the plan's inputs, the runs and the paper."""
        state = self.state
        return every_number(
            (
                [c.evidence.model_dump() for _, c in self.compared],
                [r.model_dump() for r in state.comparison_history],
                [p.value for p in state.extracted_parameters],
                [a.value for a in state.assumptions],
                state.plan.model_dump() if state.plan else {},
                [e.resolution_scale for e in self.executions],
                [[run.resolution, run.meep_time] for e in self.executions for run in e.meep_runs],
                self.paper.text,
                self.paper.supplementary_text or "",
                [figure.caption for figure in self.paper.figures],
            )
        )

    @cached_property
    def evidence_numbers(self) -> list[tuple[float, str]]:
        """The numbers of comparisons that a reader rounds: values in their unit, errors and uncertainties in their measure."""
        found: list[tuple[float, str]] = []
        for _, comparison in self.compared:
            e = comparison.evidence
            measure = "%" if e.measure == "relative_percent" else unit_name(e.unit)
            for unit, values in (
                (unit_name(e.unit), (e.simulated, e.reference, e.reference_upper)),
                (measure, (e.error, e.uncertainty)),
                ("%", (e.nrms_percent, e.nrms_aligned_percent, e.shift_percent)),
            ):
                found += [(value, unit) for value in values if value is not None]
        return found

    def assessment(self) -> tuple[str, Tone]:
        """The overall result in a few words and its colour."""
        return self.headline.verdict, _TONES[self.headline.verdict]
