"""The Prefect tasks of a reproduction: one simulation, one experiment, one material, a paper's figures, each done once.

Every task has a stable key and a persisted JSON result, so a killed run continues where it was.
"""

from __future__ import annotations

import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from flows.calls.steps import keyed_task
from flows.reproduce.computing.elsewhere import simulate_elsewhere
from flows.reproduce.context import active
from flows.serving.sharing import simulation_place
from schemas.reproduce.figures_read import ProposedFigure
from schemas.reproduce.materials.prepared_material import MaterialChoice, MaterialRecord
from schemas.reproduce.simulations.design import Experiment
from schemas.reproduce.simulations.execution import Execution, ExperimentResult, SimulationJob
from tasks.limited import limited
from tasks.reproduce.experiments import run_experiment
from tasks.reproduce.papers.proposed_figures import mended, proposed_figures
from tasks.reproduce.prepare_materials import prepare_material, table_folders
from tasks.reproduce.simulation import execution_id, materialise, run_simulation
from tasks.sandbox import SandboxLost

MATERIAL_CPU_S = 600.0  # of our own process


class SiblingFailed(Exception):
    """A simulation was stopped, or not begun, because another of its batch failed and its result is not needed."""


class EitherEvent(threading.Event):
    """Set as soon as one of two events is."""

    def __init__(self, one: threading.Event, other: threading.Event) -> None:
        super().__init__()
        self._both = one, other

    def is_set(self) -> bool:
        """Whether either is set."""
        return any(event.is_set() for event in self._both)


def _infrastructure(_task: Any, _run: Any, state: Any) -> bool:
    try:
        state.result()
    except (InterruptedError, SandboxLost):
        return True
    except Exception:  # noqa: BLE001  any other failure is final
        return False
    return False


@keyed_task("simulate", retries=1, retry_delay_seconds=1, retry_condition_fn=_infrastructure)
def simulate(
    key: str, label: str, run_id: str, job: SimulationJob, folder: str, processes: int = 1, batch: str = ""
) -> Execution:
    """One simulation in the sandbox, in a process group of its own; its files are copied into the run.

    batch: the group of simulations it is needed with; SiblingFailed is raised once one of them has failed.
    """
    run = active(run_id)
    stop = run.batch(batch)
    fresh = not (run.store.entry("simulations", key.split("-")[-1]) / "execution.json").exists()
    try:
        with run.simulation_slots:
            if stop.is_set() and fresh:
                raise SiblingFailed(label)
            elsewhere = fresh and simulate_elsewhere(run, job, label)
            with nullcontext() if elsewhere or not fresh else simulation_place(run, label):
                execution = run_simulation(
                    job,
                    store=run.store,
                    meep=run.meep,
                    allow_degraded=run.settings.allow_degraded_sandbox,
                    progress=lambda f, r, m: run.console.simulation(label, f, r, m),
                    cancel=EitherEvent(run.cancel, stop),
                    cores=run.cores,
                    processes=processes,
                )
    except InterruptedError:
        if stop.is_set() and not run.cancel.is_set():
            raise SiblingFailed(label) from None  # stopped on purpose: nothing to run again
        raise
    finally:
        run.console.simulation_done(label)
    if fresh:
        run.executed.add(key)
    return materialise(execution, run.store, run.run_dir, folder)


@keyed_task("experiment", retries=1, retry_delay_seconds=1, retry_condition_fn=_infrastructure)
def experiment(
    key: str, label: str, run_id: str, experiment: Experiment, job: SimulationJob, folder: str
) -> ExperimentResult:
    """One trial script under small limits."""
    run = active(run_id)
    run.executed.add(key)
    fresh = not (run.store.entry("simulations", execution_id(job)) / "execution.json").exists()
    elsewhere = fresh and simulate_elsewhere(run, job, label)
    with nullcontext() if elsewhere else simulation_place(run, label):
        return run_experiment(
            experiment,
            job,
            store=run.store,
            run_dir=run.run_dir,
            folder=folder,
            meep=run.meep,
            allow_degraded=run.settings.allow_degraded_sandbox,
            cancel=run.cancel,
            cores=run.cores,
        )


@keyed_task("material")
def material(key: str, label: str, run_id: str, choice: MaterialChoice) -> MaterialRecord:
    """One material made ready: table, fit, plot, alternatives."""
    run = active(run_id)
    return limited(
        lambda: prepare_material(
            choice,
            store=run.store,
            run_dir=run.run_dir,
            meep_python=run.meep.path,
            folders=table_folders(run.paper_dir, run.run_dir),
        ),
        f"making the material {choice.name} ready",
        cpu_s=MATERIAL_CPU_S,
    )


@keyed_task("read_figures")
def read_figures(key: str, label: str, run_id: str, wanted: tuple[str, ...]) -> tuple[ProposedFigure, ...]:
    """What is read of the paper's figures: proposals, which nobody has approved."""
    run = active(run_id)
    found = proposed_figures(run.given, run.paper, wanted, run.run_dir)
    run.executed.add(key)
    return found


@keyed_task("mended_figure")
def mended_figure(key: str, label: str, run_id: str, figure: ProposedFigure, file: str) -> ProposedFigure:
    """A figure as a person saved it; kept, so that the file need not stay."""
    return mended(figure, Path(file).expanduser())
