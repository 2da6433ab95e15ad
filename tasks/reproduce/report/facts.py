"""What a report states beyond the run's state: versions, isolation, timings, money, history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from schemas.reproduce.judging.evidence import StageEvidence
from schemas.reproduce.simulations.execution import Execution
from schemas.reproduce.simulations.numerics import StudyResult
from schemas.run.metrics import AgentCallMetric


@dataclass(frozen=True)
class ReportFacts:
    """Facts about the run that its state does not hold, given by the flow.

    Attributes:
        versions: program name -> version; reprolab, python, meep, prefect, anthropic, numpy.
        sandbox_level: A (full isolation), B, or C (degraded: resource limits only).
        sandbox_note: one sentence on what the level means here. sandbox_findings: what decided the level, a sentence each.
        sandbox_protections: (way around the limits, what came of trying it on this computer, whether it is closed).
        endpoint: who answered the agents' requests and whether it saw the paper.
        model_notes: remarks on the models (repaired answers, retries, changed prompts).
        started: ISO 8601 time with zone. started_by: a person of the page, or the account of a terminal; '' where nobody is known.
        wall_s: wall time of the run, s. simulation_cpu_s: CPU time of all simulations, s.
        simulations_run, simulations_reused: executions computed now, and taken from earlier ones.
        calls, calls_reused: model calls made now, and taken from earlier ones or a recording.
        unused_recordings: positions of a replayed transcript that nobody asked for.
        git, platform: commit of ReproLab and the machine, as text.
        bill: every call, also those that were paid for and gave no usable answer; the state's metrics when empty.
        command: the command line that made the run. changed_settings: (name, value) of settings that differ from their
            defaults. secret_variables: names of secret variables that were set.
        origins: where the run was forked from and taken back to, one sentence each, oldest first.
        addressed: where code found that the paper addresses an AI, with the words.
        partial: the run ended before its plan was done. stop_reason: why.
        unfinished: it did not end: there is no verdict yet.
        history: what the reviewers sent back and why, one sentence each, in order.
        executions: all executions of the run; those of the state's current stage when empty.
        stage_evidence: the evidence of all stages; that of the state's current stage when empty.
        studies: (stage id, what trusted code solved and measured) of every described stage.
        scripted: ids of stages whose results come from a free script.
    """

    versions: Mapping[str, str]
    sandbox_level: str
    sandbox_note: str
    endpoint: str
    started: str
    wall_s: float
    simulation_cpu_s: float
    simulations_run: int
    simulations_reused: int
    calls: int
    calls_reused: int
    started_by: str = ""
    sandbox_findings: tuple[str, ...] = ()
    sandbox_protections: tuple[tuple[str, str, bool], ...] = ()
    model_notes: tuple[str, ...] = ()
    bill: tuple[AgentCallMetric, ...] = ()
    unused_recordings: tuple[str, ...] = ()
    git: str = ""
    platform: str = ""
    command: str = ""
    origins: tuple[str, ...] = ()
    addressed: tuple[str, ...] = ()
    changed_settings: tuple[tuple[str, str], ...] = ()
    secret_variables: tuple[str, ...] = ()
    partial: bool = False
    unfinished: bool = False
    stop_reason: str = ""
    history: tuple[str, ...] = ()
    executions: tuple[Execution, ...] = field(default=())
    stage_evidence: tuple[StageEvidence, ...] = field(default=())
    studies: tuple[tuple[str, StudyResult], ...] = field(default=())
    scripted: tuple[str, ...] = ()
