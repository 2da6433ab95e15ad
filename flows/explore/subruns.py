"""Runs that a lineage decision began: another idea of the same goal, each a run of its own with its own folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run

from flows.explore.context import Run, active
from flows.explore.ideas import prepare_search
from flows.explore.opening import open_run, read_record
from flows.explore.reporting import best_words, write_report
from flows.explore.searching import search
from flows.run.context import ACTIVE
from flows.run.costs import bill, check_caps, spent, write_costs
from flows.run.records import new_run_id, run_lock
from schemas.base import digest
from schemas.explore.lineage import SubRun, SubRunSeed
from schemas.explore.settings import ExploreSettings
from schemas.run.settings import CoreLimits
from tasks.explore.bundled_goals import recording_of
from tasks.files.store import atomic_write

_LEAST = 1e-6  # of a cap that is used up; a cap of nothing is none


def run_subruns(run: Run, seeds: tuple[SubRunSeed, ...]) -> None:
    """Search each seed's idea, one after the other; a sub-run's stages after its search are the user's to start.

    What sub-runs cost and how long they take counts against the caps of the run that began them.
    """
    for number, seed in enumerate(seeds, 1):
        check_caps(run)
        child = _opened(run, seed, number)
        run.children[:] = [*(each for each in run.children if each.run_id != child.run_id), child]
        _noted(run, child, ended=False)
        title = child.seed.ideas.root.title if child.seed else ""
        run.console.say(
            f"sub-run {child.run_id}: idea {seed.index} ({title}), {seed.max_nodes} nodes at most"
        )
        ACTIVE[child.run_id] = child
        complete = False
        try:
            with run_lock(child.run_dir):
                run_subrun(child.run_id)
            complete = True
        finally:
            ACTIVE.pop(child.run_id, None)
            _merged(run, child, number, complete)
        run.console.say(f"sub-run {child.run_id} ended: {best_words(child) or 'nothing was measured'}")


def _name() -> str:
    return f"sub-run {flow_run.parameters.get('run_id')}"


@flow(name="sub-run", flow_run_name=_name, persist_result=False, validate_parameters=False)
def run_subrun(run_id: str) -> None:
    """Ideas around the pinned one, and its search. A sub-run's own standstill begins no further ones."""
    child = active(run_id)
    prepare_search(child)
    search(child)
    child.checkpoint("after_search")


def _opened(run: Run, seed: SubRunSeed, number: int) -> Run:
    """The sub-run, new or as an earlier process of this run left it; its id is noted before anything of it is written."""
    note = run.run_dir / "sub_runs" / digest(seed.model_dump(mode="json"), 16)
    if not note.is_file():
        note.parent.mkdir(exist_ok=True)
        atomic_write(note, new_run_id())
    name = note.read_text(encoding="utf-8").strip()
    folder = run.run_dir.parent / name
    child = open_run(
        read_record(run.run_dir).goal,
        _settings(run, seed, number),
        run.store.outputs,
        folder if (folder / "run.json").is_file() else None,
        run.console,
        seed,
        name,
    )
    child.parent, child.clock, child.cancel, child.servers = run, run.clock, run.cancel, run.servers
    child.simulation_slots = run.simulation_slots
    return child


def _settings(run: Run, seed: SubRunSeed, number: int) -> ExploreSettings:
    """The run's own: with the sub-run's share of nodes, what the caps leave, and its own recording in a replay."""
    own = run.settings
    model = own.model
    if model.kind == "replay":
        recording = (
            Path(model.transcript) if model.transcript else recording_of(Path(read_record(run.run_dir).goal))
        )
        model = model.model_copy(
            update={"transcript": str(recording_of_subrun(recording, number)) if recording else None}
        )
    return own.model_copy(
        update={
            "model": model,
            "venue": seed.venue,
            "limits": _left(own.limits, run),
            "search": own.search.model_copy(update={"max_nodes": seed.max_nodes}),
            "checkpoints": own.checkpoints.model_copy(update={"after_ideas": False}),
        }
    )  # the idea was chosen by the decision


def _left(limits: CoreLimits, run: Run) -> CoreLimits:
    money, _, tokens = spent(run)
    caps = {
        "max_cost_usd": None if limits.max_cost_usd is None else max(limits.max_cost_usd - money, _LEAST),
        "max_tokens": None if limits.max_tokens is None else max(limits.max_tokens - tokens, 1),
    }
    return limits.model_copy(update=caps)


def recording_of_subrun(recording: Path, number: int) -> Path:
    """Where the transcript of the `number`th sub-run lies beside that of its run."""
    return recording.with_name(f"{recording.stem}.sub{number}{recording.suffix}")


def _merged(run: Run, child: Run, number: int, complete: bool) -> None:
    """What a sub-run found and cost, in the run's state and folder; its transcript lies beside the run's for a replay."""
    state = run.state
    run.update(
        "merge_node",
        metrics=(*state.metrics, *bill(child)),
        runtime_used_s=state.runtime_used_s + child.state.runtime_used_s,
        user_interactions=(*state.user_interactions, *child.state.user_interactions),
        stop_reason=state.stop_reason or child.state.stop_reason,
    )
    _noted(run, child, ended=complete)
    with suppress(OSError):
        write_costs(child)
        write_report(child, complete)
        atomic_write(
            recording_of_subrun(run.run_dir / "transcript.jsonl", number), child.transcript.path.read_bytes()
        )
    run.show()


def _noted(run: Run, child: Run, *, ended: bool) -> None:
    tree, seed = child.state.tree, child.seed
    found = SubRun(
        run_id=child.run_id,
        idea=seed.ideas.root.title if seed else "",
        ended=ended,
        nodes=len(tree.nodes) if tree else 0,
        working=sum(node.works for node in tree.nodes) if tree else 0,
        best=best_words(child),
    )
    kept = tuple(other for other in run.state.sub_runs if other.run_id != child.run_id)
    run.update("search", sub_runs=(*kept, found))
    run.mirror()
