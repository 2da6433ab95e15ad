"""A reproduction's live objects: what every run has, and paper, Meep, plan, materials, designs, evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from agents.models.errors import NotRecorded
from agents.reproduce.rules.prose_rules import withhold_adaptations
from agents.talking.agent import Agent
from flows.run import context as shared
from flows.run.context import ACTIVE, Tally, remembered
from schemas.reproduce.judging.evidence import StageEvidence
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.design import Design
from schemas.reproduce.simulations.execution import Execution, StageOutputs
from schemas.reproduce.state import ReproState
from schemas.talking.adaptation import AdaptationRecord
from schemas.talking.interaction import Question, UserAnswer
from schemas.talking.shortening import Recovery
from schemas.talking.transcript import AgentRequest, Position
from tasks.reproduce.assumption_ledger import from_answer, noted
from tasks.reproduce.meep_interpreter import MeepInterpreter
from tasks.reproduce.state_files import save_artifacts

__all__ = ["ACTIVE", "Run", "Tally", "active"]
Build = Callable[[Mapping[str, object]], AgentRequest]
GENEROUS = 3.0  # times the plan's budget, a guess from before anything ran; with 2, binary-grating lost its finest grid


@dataclass(kw_only=True)
class Run(shared.Run):
    """A reproduction of a paper. paper_dir: the run's own copy of it, given: the folder that it was taken from;
    addressed: where code found that the paper addresses an AI.

    Handed in by what opens the run, since they know runs: fits: shortens a request; progress: shows that of simulations on the
    run's page; unanswered: what a regression raises where it has neither a recording nor a rule.
    """

    paper: PaperInput
    paper_dir: Path
    given: Path
    settings: RunSettings
    meep: MeepInterpreter
    state: ReproState
    addressed: tuple[str, ...] = ()
    fits: Callable[[Run, Agent, Build, Mapping[str, object], Position], AgentRequest]
    progress: Callable[[Run], AbstractContextManager[None]]
    unanswered: Callable[[Run, str, NotRecorded], Exception]
    outputs: dict[str, StageOutputs] = remembered(dict)
    designs: dict[str, Design] = remembered(dict)
    recoveries: list[Recovery] = remembered(list)
    executions: list[Execution] = remembered(list)
    evidence: dict[str, StageEvidence] = remembered(dict)

    @property
    def subject(self) -> tuple[str, str]:
        """The paper."""
        return "paper", self.paper.paper_id

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Under a worker the page shows the progress of simulations."""
        with self.progress(self) if self.flow_run_id else nullcontext():
            yield

    def stage(self, stage_id: str) -> Stage:
        """A stage of the current plan."""
        assert self.state.plan is not None
        return self.state.plan.stage(stage_id)

    def materials(self) -> dict[str, MaterialRecord]:
        """The materials by name: the confirmed ones, or before confirmation the prepared ones."""
        return {record.name: record for record in (self.state.validated_materials or self.state.materials)}

    def budget_left_s(self) -> float:
        """Seconds left of the run's time budget by the work done: the same when a run is resumed, unlike its clock."""
        hours = self.settings.limits.max_total_runtime_hours
        if self.settings.debug_mode:
            hours = min(hours, self.settings.debug_max_total_runtime_minutes / 60)
        return hours * 3600 - self.state.runtime_used_s

    def adaptations(self) -> tuple[AdaptationRecord, ...]:
        """The prompt adaptor's, without what the blind agents may not know."""
        return withhold_adaptations(self.state.prompt_adaptations or (), self.state)

    def fitted(
        self,
        agent: Agent,
        build: Build,
        context: Mapping[str, object],
        position: Position,
    ) -> AgentRequest:
        """The request after the specification's recovery ladder. Only a live model has a limit."""
        return self.fits(self, agent, build, context, position)

    def noted(
        self, question: Question, answer: UserAnswer, name: str
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Assumptions that a person's answer makes or changes."""
        added = from_answer(question, answer, name)
        return (
            {"assumptions": noted(self.state.assumptions, added)},
            tuple(f"kept as assumption {a.assumption_id}: {a.parameter}" for a in added),
        )

    def not_recorded(self, stage_id: str, error: NotRecorded) -> Exception:
        """The stage is given up; where there is none, the run is over."""
        return self.unanswered(self, stage_id, error)

    def mirror(self) -> None:
        """The artifacts of plan, assumptions, progress, metrics and prompt adaptations."""
        save_artifacts(self.run_dir, self.state)


def active(run_id: str) -> Run:
    """The run, or branch of a run, of that handle in this process."""
    return cast(Run, shared.active(run_id))


def cpu_limit(run: Run, stage: Stage, times: float = 1) -> float:
    """CPU seconds that a stage may use. times: so many times its plan's budget; the user's limit stays."""
    minutes = min(run.settings.limits.max_stage_runtime_minutes, times * stage.runtime_budget_minutes)
    if run.settings.debug_mode:
        minutes = min(minutes, run.settings.debug_max_stage_runtime_minutes)
    return 60 * minutes
