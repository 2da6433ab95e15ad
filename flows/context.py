"""A run's live objects. Tasks and subflows find theirs by run id, so that only plain data passes through Prefect."""

from __future__ import annotations

import copy
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from agents.models.base import ModelClient
from agents.models.replay import ReplayModel
from flows.clock import Clock
from flows.console import Console
from flows.unfinished import Unfinished
from schemas.context import Recovery
from schemas.design import Design
from schemas.evidence import StageEvidence
from schemas.execution import Execution, StageOutputs
from schemas.materials import MaterialRecord
from schemas.paper import PaperInput
from schemas.plan import Stage
from schemas.settings import RunSettings
from schemas.state import ReproState
from schemas.transcript import Position
from tasks.artifacts import save_checkpoint
from tasks.ledger import Ledger
from tasks.meep_interpreter import MeepInterpreter
from tasks.sandbox import SandboxLevel
from tasks.store import Store
from tasks.transcript import Transcript


@dataclass
class Tally:
    """What was done in this process and what was reused from earlier ones."""

    calls: int = 0
    calls_reused: int = 0
    simulations: int = 0
    simulations_reused: int = 0
    questions: int = 0
    questions_reused: int = 0


class Snapshot(NamedTuple):
    """What a run knew before a piece of work: its state, and by name what it remembers beside it."""

    state: ReproState
    memory: dict[str, Any]


def _remembered(make: Callable[[], Any]) -> Any:
    """What a run remembers of the work so far, beside its state: a piece of work that is done again must not find it."""
    return field(default_factory=make, metadata={"remembered": True})


@dataclass
class Run:
    """Everything a flow needs at hand; `state` changes only through `update`.

    prior: the record up to the checkpoint a run was forked from or taken back to; it answers before the model does.
    own_prior: that record is this run's own, so that its costs are on this run's bill. origins: where it was forked from
    and taken back to, in words. addressed: where code found that the paper addresses an AI. generation: 1, and one more each
    time the run was taken back. suspends: a worker runs it, so that a question that waits for long can give the place back.
    flow_run_id: of a run by a worker, whose page has an overview; stage_runs: stage id -> flow run of its last attempt.
    artifacts: name -> id of what is shown on Prefect's page.
    """

    paper: PaperInput
    paper_dir: Path
    run_dir: Path
    settings: RunSettings
    store: Store
    meep: MeepInterpreter
    sandbox: SandboxLevel
    model: ModelClient
    transcript: Transcript
    ledger: Ledger
    unfinished: Unfinished
    console: Console
    clock: Clock
    state: ReproState
    started: str = ""
    command: str = ""
    origins: tuple[str, ...] = ()
    addressed: tuple[str, ...] = ()
    generation: int = 1
    suspends: bool = False
    flow_run_id: str = ""
    stage_runs: dict[str, str] = field(default_factory=dict)
    artifacts: dict[str, str] = field(default_factory=dict)
    prior: ReplayModel | None = None
    own_prior: bool = False
    executed: set[str] = field(default_factory=set)
    tally: Tally = _remembered(Tally)
    history: list[str] = _remembered(list)
    outputs: dict[str, StageOutputs] = _remembered(dict)
    designs: dict[str, Design] = _remembered(dict)
    recoveries: list[Recovery] = _remembered(list)
    executions: list[Execution] = _remembered(list)
    evidence: dict[str, StageEvidence] = _remembered(dict)
    cancel: threading.Event = field(default_factory=threading.Event)
    simulation_slots: threading.Semaphore = field(default_factory=threading.Semaphore)
    cores: tuple[int, ...] = ()
    branch: str = ""
    _batches: dict[str, threading.Event] = _remembered(dict)
    _positions: Counter[tuple[str, str, int]] = _remembered(Counter)
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.state.run_id

    @property
    def handle(self) -> str:
        """What tasks find this run by: its id, and the stage for a branch that runs side by side with others."""
        return f"{self.run_id}/{self.branch}" if self.branch else self.run_id

    def fork(self, stage_id: str) -> Run:
        """A branch for one stage: its own state and history, everything else shared."""
        return replace(self, branch=stage_id, history=[])

    def snapshot(self) -> Snapshot:
        """What `restore` needs to do a piece of work again; what is kept by key is not part of it."""
        with self.lock:
            return Snapshot(self.state, {name: copy.copy(getattr(self, name)) for name in _MEMORY})

    def restore(self, before: Snapshot) -> None:
        """Go back to a snapshot, as a resumed process would: finished calls and simulations come from what is kept."""
        with self.lock:
            self.state = before.state
            for name in _MEMORY:
                setattr(self, name, copy.copy(before.memory[name]))

    def update(self, node: str, **changes: Any) -> None:
        """Apply a node's update to the state."""
        with self.lock:
            self.state = self.state.apply(node, **changes)

    def batch(self, name: str) -> threading.Event:
        """The event that stops the simulations of a batch; one for each name."""
        with self.lock:
            return self._batches.setdefault(name, threading.Event())

    def checkpoint(self, name: str) -> None:
        """Save a snapshot of the state under that name, with the place in the record it stands for."""
        save_checkpoint(self.run_dir, self.state, name, tuple(self.transcript.passed))

    @property
    def line(self) -> str:
        """What keys of tasks hold: after going back to a checkpoint everything is asked for anew."""
        return self.run_id if self.generation == 1 else f"{self.run_id}.{self.generation}"

    def position(self, agent: str, stage_id: str = "-", attempt: int = 1) -> Position:
        """The next position of an agent: its rounds count up within a stage attempt."""
        with self.lock:
            key = (agent, stage_id, attempt)
            self._positions[key] += 1
            return Position(agent=agent, stage_id=stage_id, attempt=attempt, round=self._positions[key])  # type: ignore[arg-type]

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


_MEMORY = tuple(entry.name for entry in fields(Run) if entry.metadata.get("remembered"))
ACTIVE: dict[str, Run] = {}


def active(run_id: str) -> Run:
    """The run, or branch of a run, of that handle in this process."""
    return ACTIVE[run_id]
