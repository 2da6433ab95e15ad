"""The Prefect tasks of an exploration: a node's directory seeded, its agent told, a node measured, each done once."""

from __future__ import annotations

from flows.calls.steps import keyed_task
from flows.explore.context import LIBRARIES, Run, active
from flows.explore.telling import told
from flows.serving.sharing import simulation_place
from schemas.explore.evaluation import MeasuredRecord
from tasks.explore.measuring.freezing import harness_of
from tasks.explore.measuring.once import Harness
from tasks.explore.nodes.ending import examined
from tasks.explore.nodes.node_record import begun, node_record
from tasks.explore.nodes.provided import PROVIDED
from tasks.explore.nodes.provided import measure_provided as measured_as_provided
from tasks.explore.nodes.seeding import provide, seed


@keyed_task("seed")
def seed_node(key: str, label: str, run_id: str, node_id: str) -> dict[str, str]:
    """A node's directory: its parent's without outputs, or the goal's files for the root. path -> sha256 at the start."""
    run = active(run_id)
    node = run.tree.node(node_id)
    work = run.work_dir(node_id)
    if node.parent is None:
        work.mkdir(parents=True, exist_ok=True)
        provide(run.goal, work)
    else:
        seed(run.work_dir(node.parent), work, node_record(node.parent, run.nodes_dir / node.parent))
    return begun(run.nodes_dir / node_id)


@keyed_task("told")
def tell_node(
    key: str, label: str, run_id: str, node_id: str, before: dict[str, str]
) -> dict[str, str | list[str]]:
    """What the node's agent is told, as it was when the node began: a process that goes on later asks the same, whatever the
    agent has written and others have noted since, and so finds the turns that are kept."""
    run = active(run_id)
    return told(run, run.tree.node(node_id), before)


@keyed_task("measure")
def measure_node(key: str, label: str, run_id: str, node_id: str) -> MeasuredRecord | None:
    """The node measured beside its parent by the run's frozen program, where it changed something."""
    run = active(run_id)
    tree, spec = run.tree, run.spec
    with run.simulation_slots, simulation_place(run, f"measuring {node_id}"):
        return examined(run.run_dir, tree.node(node_id), tree, spec, harness(run)).measured


@keyed_task("measure")
def measure_provided(key: str, label: str, run_id: str) -> MeasuredRecord | None:
    """The goal's files measured unmodified, before any node."""
    run = active(run_id)
    with run.simulation_slots, simulation_place(run, f"measuring {PROVIDED}"):
        return measured_as_provided(run.run_dir, run.goal, run.spec, harness(run))


def harness(run: Run) -> Harness:
    """What measures the run's nodes. Raises StateError where the frozen program was changed."""
    return harness_of(
        run.goal,
        run.spec,
        run.run_dir,
        run.settings.measure,
        libraries=LIBRARIES,
        allow_degraded=run.settings.allow_degraded_sandbox,
    )
