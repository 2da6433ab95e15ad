"""Solving a described stage: every run a persisted task, kept by its own digest; the whole study a task of its own."""

from __future__ import annotations

import hashlib
import math
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from flows.calls.steps import keyed_task
from flows.reproduce.computing.elsewhere import solve_elsewhere
from flows.reproduce.computing.enough import began_solving, ended_solving, is_enough
from flows.reproduce.context import GENEROUS, Run, active, cpu_limit
from flows.reproduce.designing.describing import described, entries, fits, other_tables, used_elsewhere
from flows.serving.sharing import simulation_place
from schemas.base import digest
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.execution import Execution, StageOutputs
from schemas.reproduce.simulations.numerics import StudyResult
from schemas.run.pasted import on_run
from tasks.files.store import atomic_write
from tasks.limited import limited
from tasks.reproduce.debugging import CELLS
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.known_defects import with_notes
from tasks.reproduce.describing.lengths import Lengths, lengths_of
from tasks.reproduce.judging.targets import has_metal
from tasks.reproduce.second.opinions import answering, with_opinions
from tasks.reproduce.solving.as_executions import Place, executions_of
from tasks.reproduce.solving.cell_look import look
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study, usual_aims
from tasks.reproduce.uncertainty.aims import Aim, told
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.target_aims import aims_of

MEASURING_CPU_S, MEASURING_MB = 3600.0, 16 << 10  # of our own process, for a whole stage
LONG_S = (
    300.0  # wall time of a stage after which is said, again and again, what it took and how a person ends it
)
MOST_LOOKS = 4  # scenes or sweeps whose cells a debug run draws
_OPEN: dict[str, tuple[Solver, Any, str]] = {}


@dataclass
class TaskSolver(Solver):
    """A solver whose runs are Prefect tasks of a run of ours."""

    handle: str = ""
    run_id: str = ""

    def _solve(self, run: Any, digest: str, label: str) -> None:
        again = (self.entry(digest) / "outcome.json").is_file()  # it was cut, and may go on for longer now
        key = f"run-{self.run_id}-{digest}" + (f"-{self.until(run) or 0.0:.6g}" if again else "")
        _OPEN[key] = (self, run, label)
        try:
            solve_run(key=key, label=label or digest[:8], run_id=self.handle)
        finally:
            _OPEN.pop(key, None)
        if not (self.entry(digest) / "outcome.json").is_file():  # the record outlived the data
            super()._solve(run, digest, label)


def task_solver(run: Run, stage: Stage) -> TaskSolver:
    """A solver for a stage: within its limits, every run a task."""
    return TaskSolver(
        store=run.store,
        meep=run.meep,
        budget=Budget(cpu_limit(run, stage, GENEROUS)),
        cpu_limit_s=cpu_limit(run, stage, math.inf),
        memory_mb=int(run.settings.limits.max_memory_gb * 1024),
        allow_degraded=run.settings.allow_degraded_sandbox,
        cores=run.cores,
        cancel=run.cancel,
        side_by_side=run.settings.limits.side_by_side,
        handle=run.handle,
        run_id=run.run_id,
        progress=lambda fraction, left, name: run.console.simulation(name, fraction, left, ""),
        enough=partial(is_enough, run.run_dir / stage.stage_id),
    )


def tally(run: Run, digests: Iterable[str]) -> None:
    """Count runs as done now, or as taken from what was kept."""
    keys = {f"run-{run.run_id}-{digest}" for digest in digests}
    run.tally.simulations += len(keys & run.executed)
    run.tally.simulations_reused += len(keys - run.executed)


@keyed_task("solve run")
def solve_run(key: str, label: str, run_id: str) -> float:
    """One Meep or MPB run of a described simulation; its raw data go to the store. CPU seconds."""
    run = active(run_id)
    solver, document, name = _OPEN[key]
    with run.simulation_slots:
        try:
            if not solve_elsewhere(run, solver, document, name):
                with simulation_place(run, name):
                    Solver._solve(solver, document, document.digest(), name)
        finally:
            run.console.simulation_done(name)
    run.executed.add(key)
    return solver.ran.get(document.digest(), 0.0)


@keyed_task("solve stage")
def solve_stage(key: str, label: str, run_id: str, stage_id: str) -> StageOutputs:
    """Rungs, variants, witnesses and sensitivities of a described stage, as executions with data files."""
    run = active(run_id)
    stage, design = run.stage(stage_id), run.state.design
    assert design is not None and run.state.code is not None
    found, solver = described(run, design), task_solver(run, stage)
    climbs: list[Climb] = []
    folder = run.run_dir / stage_id / "study"
    began_solving(run.run_dir / stage_id, key)
    began, most_s, told = time.monotonic(), solver.budget.left, 0

    def tell_if_long() -> None:
        nonlocal told
        if (passed := int((time.monotonic() - began) / LONG_S)) > told:
            told = passed
            words = (
                f"solved for {passed * LONG_S / 60:.0f} min, {sum(solver.ran.values()):.0f} CPU seconds of at most some {most_s:.0f}; "
                f"{on_run(run.run_dir, 'enough')} judges the stage with what is solved by then"
            )
            run.console.say(words, stage=stage_id)

    def say(text: str) -> None:
        run.console.say(text, stage=stage_id)
        tell_if_long()

    def progress(fraction: float, left: float | None, name: str) -> None:
        run.console.simulation(name, fraction, left, "")
        tell_if_long()

    solver.progress = progress

    def climbed(made: Climb) -> None:
        climbs.append(made)
        if run.settings.debug_mode and len(climbs) <= MOST_LOOKS:
            look(made, solver, folder / CELLS / f"{len(climbs)}")

    result = limited(
        lambda: study(
            found,
            fits(run),
            solver,
            folder,
            wanted=aims(run, stage, found),
            coarse=run.settings.debug_mode,
            examine=not run.settings.debug_mode,
            witnessed=False,
            say=say,
            on_climb=climbed,
            elsewhere=used_elsewhere(run, stage),
            others=other_tables(run),
        ),
        "measuring what was solved",
        cpu_s=MEASURING_CPU_S,
        memory_mb=MEASURING_MB,
    )
    noted = with_notes(result, climbs)
    if not run.settings.debug_mode:
        noted = second_opinions(run, stage, noted, climbs)
    if noted is not result:
        atomic_write(folder / "study.json", noted.model_dump_json(indent=1))
    ended_solving(run.run_dir / stage_id)
    shutil.rmtree(run.run_dir / stage_id / "runs", ignore_errors=True)
    lengths = _lengths(run, stage, found)
    place = Place(stage_id, run.run_dir, lengths, run.meep.meep_version, run.sandbox.level)
    executions: list[Execution] = [e for made in climbs for e in executions_of(made, place)]
    return StageOutputs(
        stage_id=stage_id,
        code_sha256=hashlib.sha256(run.state.code.encode()).hexdigest(),
        executions=tuple(executions),
        study=noted,
        unanswerable=design.unanswerable,
    )


def second_opinions(run: Run, stage: Stage, result: StudyResult, climbs: list[Climb]) -> StudyResult:
    """The study with a second solver's opinion of what answers a target, the claim's first; whatever the values are, ours and the
    paper's."""
    plan = run.state.plan
    claim, others = answering(plan, stage, result) if plan else (frozenset[str](), frozenset[str]())
    return with_opinions(
        result,
        climbs,
        fits(run),
        claim,
        others,
        allow_degraded=run.settings.allow_degraded_sandbox,
        say=lambda text: run.console.say(f"second solver: {text}", stage=stage.stage_id),
        enough=partial(is_enough, run.run_dir / stage.stage_id),
    )


def aims(run: Run, stage: Stage, found: Description) -> dict[str, Aim]:
    """How well each quantity must be known for the verdicts of the stage's targets."""
    return aims_of(
        found,
        stage.numeric_targets,
        _lengths(run, stage, found),
        paper_dir=run.paper_dir,
        profile=run.settings.thresholds,
        metal=has_metal(stage, run.materials()),
        usual=usual_aims(found.problem),
    )


def _lengths(run: Run, stage: Stage, found: Description) -> Lengths:
    return lengths_of(found.parameters, run.state.extracted_parameters, stage.numeric_targets)


def run_description(run: Run, stage: Stage) -> StageOutputs:
    """The outputs of a described stage; solved once, whatever happens to the process."""
    design = run.state.design
    assert design is not None
    wanted = aims(run, stage, described(run, design))
    left_out = [entry.model_dump() for entry in design.unanswerable]
    name = digest(
        [
            design.code,
            *left_out,
            entries(run, design),
            fits(run),
            other_tables(run),
            cpu_limit(run, stage),
            run.settings.debug_mode,
            run.meep.meep_version,
            {name: told(aim) for name, aim in wanted.items()},
        ],
        32,
    )
    key = f"study-{run.run_id}-{stage.stage_id}-{name}"
    run.console.say("solving the description", stage=stage.stage_id)
    outputs: StageOutputs = solve_stage(
        key=key, label=stage.stage_id, run_id=run.handle, stage_id=stage.stage_id
    )
    if not all((run.run_dir / d.file.path).is_file() for e in outputs.executions for d in e.datasets):
        outputs = solve_stage.with_options(refresh_cache=True)(
            key=key, label=stage.stage_id, run_id=run.handle, stage_id=stage.stage_id
        )
    tally(run, (cost.digest for cost in outputs.study.runs) if outputs.study else ())
    run.outputs[stage.stage_id] = outputs
    run.executions += [
        e for e in outputs.executions if e.execution_id not in {x.execution_id for x in run.executions}
    ]
    run.update(
        "run_code",
        stage_outputs=outputs,
        runtime_used_s=run.state.runtime_used_s + sum(e.cpu_s for e in outputs.executions),
    )
    return outputs
