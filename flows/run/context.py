"""A run's live objects. Tasks and subflows find theirs by run id, so that only plain data passes through Prefect."""

from __future__ import annotations

import copy
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from agents.models.base import ModelClient
from agents.models.errors import NotRecorded
from agents.models.replay import ReplayModel
from agents.talking.agent import Agent
from flows.calls.unfinished import Unfinished
from flows.run.clock import Clock
from flows.terminal.console import Console
from schemas.base import Model
from schemas.run.settings import CoreSettings
from schemas.run.state import CoreState
from schemas.talking.adaptation import AdaptationRecord
from schemas.talking.interaction import Question, UserAnswer
from schemas.talking.tools import ToolContext
from schemas.talking.transcript import AgentRequest, Position
from tasks.files.artifacts import save_checkpoint
from tasks.files.ledger import Ledger
from tasks.files.store import Store
from tasks.files.transcript import Transcript
from tasks.sandbox import SandboxLevel

if TYPE_CHECKING:  # the client of the tools is slow to import, and not every workflow has some
    from tasks.tools.toolbox import Toolbox


@dataclass
class Tally:
    """What was done in this process and what was reused from earlier ones."""

    calls: int = 0
    calls_reused: int = 0
    simulations: int = 0
    simulations_reused: int = 0
    questions: int = 0
    questions_reused: int = 0
    tools: int = 0


class Snapshot(NamedTuple):
    """What a run knew before a piece of work: its state, and by name what it remembers beside it."""

    state: CoreState
    memory: dict[str, Any]


def remembered(make: Callable[[], Any]) -> Any:
    """What a run remembers of the work so far, beside its state: a piece of work that is done again must not find it."""
    return field(default_factory=make, metadata={"remembered": True})


def _nowhere(run: Any, **more: Any) -> None:
    """Of a run that has no page."""


@dataclass(kw_only=True)
class Run:
    """Everything a flow needs at hand; `state` changes only through `update`. A workflow adds what its subject is.

    answers: name -> model of the answers that the workflow's agents give. prior: the record up to the checkpoint a run was
    forked from or taken back to; it answers before the model does. own_prior: that record is this run's own, so that its costs
    are on this run's bill. origins: where it was forked from and taken back to, in words. generation: 1, and one more each
    time the run was taken back. toolbox: the tools of the branch at work. reading: label of
    the answer that came last. warned: (label, how many) of answers no code could read, where a person was told. suspends: a
    worker runs it, so that a question that waits for long can give the place back. flow_run_id: of a run by a worker, whose
    page has an overview; shown: renews that, handed in by what opens the run, since it knows runs; stage_runs: stage id ->
    flow run of its last attempt. artifacts: name -> id of what is shown on Prefect's page.
    """

    run_dir: Path
    settings: CoreSettings
    store: Store
    sandbox: SandboxLevel
    model: ModelClient
    transcript: Transcript
    ledger: Ledger
    unfinished: Unfinished
    console: Console
    clock: Clock
    state: CoreState
    answers: Mapping[str, type[Model]]
    started: str = ""
    started_by: str = ""
    command: str = ""
    origins: tuple[str, ...] = ()
    generation: int = 1
    suspends: bool = False
    flow_run_id: str = ""
    shown: Callable[..., None] = _nowhere
    stage_runs: dict[str, str] = field(default_factory=dict)
    artifacts: dict[str, str] = field(default_factory=dict)
    prior: ReplayModel | None = None
    own_prior: bool = False
    executed: set[str] = field(default_factory=set)
    tally: Tally = remembered(Tally)
    history: list[str] = remembered(list)
    cancel: threading.Event = field(default_factory=threading.Event)
    simulation_slots: threading.Semaphore = field(default_factory=threading.Semaphore)
    cores: tuple[int, ...] = ()
    branch: str = ""
    reading: str = ""
    warned: set[tuple[str, int]] = remembered(set)
    toolbox: Toolbox | None = None
    _batches: dict[str, threading.Event] = remembered(dict)
    _positions: Counter[tuple[str, str, int]] = remembered(Counter)
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def begun(self) -> str:
        """When it was started, and by whom where that is known."""
        return self.started + (f" by {self.started_by}" if self.started_by else "")

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.state.run_id

    @property
    def handle(self) -> str:
        """What tasks find this run by: its id, and the branch for one that runs side by side with others."""
        return f"{self.run_id}/{self.branch}" if self.branch else self.run_id

    def fork(self, branch: str) -> Self:
        """A branch: its own state and history, everything else shared."""
        return replace(self, branch=branch, history=[])

    def snapshot(self) -> Snapshot:
        """What `restore` needs to do a piece of work again; what is kept by key is not part of it."""
        with self.lock:
            return Snapshot(self.state, {name: copy.copy(getattr(self, name)) for name in self._memory()})

    def restore(self, before: Snapshot) -> None:
        """Go back to a snapshot, as a resumed process would: finished calls and simulations come from what is kept."""
        with self.lock:
            self.state = before.state
            for name in self._memory():
                setattr(self, name, copy.copy(before.memory[name]))

    def _memory(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in fields(self) if entry.metadata.get("remembered"))

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
        self.mirror()

    @property
    def line(self) -> str:
        """What keys of tasks hold: after going back to a checkpoint everything is asked for anew."""
        return self.run_id if self.generation == 1 else f"{self.run_id}.{self.generation}"

    def position(self, agent: str, stage_id: str = "-", attempt: int = 1) -> Position:
        """The next position of an agent: its rounds count up within a stage attempt."""
        with self.lock:
            key = (agent, stage_id, attempt)
            self._positions[key] += 1
            return Position(agent=agent, stage_id=stage_id, attempt=attempt, round=self._positions[key])

    # What a workflow does its own way.

    def adaptations(self) -> tuple[AdaptationRecord, ...]:
        """Adaptations of prompts to the run's subject."""
        return ()

    def fitted(
        self,
        agent: Agent,
        build: Callable[[Mapping[str, object]], AgentRequest],
        context: Mapping[str, object],
        position: Position,
    ) -> AgentRequest:
        """The request, shortened where it would not fit the model's context."""
        return build(context)

    def noted(
        self, question: Question, answer: UserAnswer, name: str
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """What a person's answer changes in the state beside the log, and words for the log's entry."""
        return {}, ()

    def not_recorded(self, stage_id: str, error: NotRecorded) -> Exception:
        """What is raised where a replay that goes on by rule has neither a recording nor a rule."""
        return error

    def asked_by_tool(
        self, agent: str, told: Mapping[str, object], images: list[Path], place: ToolContext, number: int
    ) -> dict[str, Any]:
        """The answer of an agent that a tool asks for, the `number`th of that agent in the call."""
        raise NotImplementedError

    def mirror(self) -> None:
        """Write the files that mirror the state, for people."""

    @property
    def subject(self) -> tuple[str, str]:
        """What the run is of, by which its flow runs are named and tagged: a kind and an id, as ("paper", "ge-on-gold")."""
        raise NotImplementedError

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """What is held while a flow run works on the run."""
        yield

    def show(self, **more: Any) -> None:
        """Renew the overview on the run's page, where there is one."""
        self.shown(self, **more)


ACTIVE: dict[str, Run] = {}


def active(run_id: str) -> Run:
    """The run, or branch of a run, of that handle in this process."""
    return ACTIVE[run_id]
