"""Run one generated simulation: inputs laid out, sandboxed, collected, hashed, classified, and kept by digest."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

from schemas.base import FileRef, digest
from schemas.errors import InputError, PrerequisiteError
from schemas.reproduce.simulations.execution import (
    Column,
    Dataset,
    DatasetTarget,
    Execution,
    Failure,
    MeepRun,
    SimulationJob,
)
from schemas.reproduce.simulations.manifest import (
    Manifest,
    ManifestDataset,
    ManifestRun,
    ProgressLine,
    manifest_of,
)
from schemas.text.visible import visible
from tasks.files.store import Store, atomic_write, remove_tree
from tasks.reproduce.collect import (
    PROGRESS_FILE,
    UnsafeOutput,
    check_png,
    collect,
    read_csv,
    read_manifest,
    read_npz,
    read_progress,
)
from tasks.reproduce.collect.own_words import MOST_MESSAGES, message, one_line
from tasks.reproduce.failures import classify
from tasks.reproduce.meep_interpreter import MeepInterpreter
from tasks.sandbox import Limits, SandboxResult, run_sandboxed, scratch
from tasks.sandbox.sandbox_result import HARD_LIMITS

_SIMKIT = Path(__file__).resolve().parents[2] / "simkit"
_WORK, _INPUTS, _LIBRARY = "/sandbox/work", "/sandbox/inputs", "/sandbox/library"
Progress = Callable[[float, float | None, str], None]


@cache
def simkit_digest() -> str:
    """Digest of simkit's sources: a changed simkit makes a changed simulation."""
    files = sorted(_SIMKIT.rglob("*.py"))
    return digest([(str(path.relative_to(_SIMKIT)), path.read_text(encoding="utf-8")) for path in files], 16)


def wall_backstop_s(cpu_s: float) -> float:
    """Wall time after which a simulation is ended whatever its CPU time: a busy machine must not fail it."""
    return min(4 * cpu_s + 120, max(cpu_s, HARD_LIMITS["wall_s"]))


def execution_id(job: SimulationJob) -> str:
    """The key under which a simulation's result is kept."""
    return digest(job, 32)


def keep_described(execution: Execution, run_dir: Path, store: Store) -> str:
    """The id under which the data of a described stage's execution are in the store, as those of any simulation: a later stage's script
    takes them."""
    name = execution.execution_id
    if not (store.entry("simulations", name) / "data").is_dir():
        with store.building("simulations", name) as draft:
            shutil.copytree(run_dir / execution.directory / "data", draft / "data", symlinks=True)
            atomic_write(draft / "execution.json", execution.model_dump_json(indent=1))
    return name


def run_simulation(
    job: SimulationJob,
    *,
    store: Store,
    meep: MeepInterpreter,
    allow_degraded: bool = False,
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
    cores: Collection[int] = (),
    processes: int = 1,
) -> Execution:
    """The execution of `job`, from the store if it ran before. Paths in it are relative to its store entry.

    processes: in how many to run it, where Meep has MPI; no part of the key, as fields differ by rounding only.
    progress: called with (fraction 0..1, remaining seconds or None, message) while it runs.
    Raises PrerequisiteError for faults of the environment, which are not kept and never shown to an agent.
    """
    name = execution_id(job)
    kept = store.entry("simulations", name) / "execution.json"
    if kept.is_file():
        return Execution.model_validate_json(kept.read_text(encoding="utf-8"))
    with scratch("reprolab-sim-") as folder, store.building("simulations", name) as draft:
        inputs = _lay_out_inputs(job, folder / "inputs", store)
        result = _run(job, folder / "work", inputs, meep, allow_degraded, progress, cancel, cores, processes)
        execution = _collect(job, name, result, folder / "work", draft, meep)
        if execution.failure and execution.failure.failure_class == "environment":
            raise PrerequisiteError(
                "the simulation's environment is broken; no code change can mend it",
                found=execution.failure.reason,
                fix=execution.failure.fix,
            )
        if execution.failure and execution.failure.failure_class == "infrastructure":
            raise InterruptedError(execution.failure.reason)
        atomic_write(draft / "simulation.py", job.code)
        atomic_write(draft / "params.json", _params(job))
        atomic_write(draft / "execution.json", execution.model_dump_json(indent=1))
    return execution


def _params(job: SimulationJob) -> str:
    return json.dumps(
        {
            "paper_id": job.paper_id,
            "stage_id": job.stage_id,
            "resolution_scale": job.resolution_scale,
            "point": dict(job.point),
            "debug": job.debug,
            "time_limit_s": max(1.0, 0.95 * job.cpu_limit_s),
            "materials": json.loads(job.materials_json),
        },
        indent=1,
    )


def _lay_out_inputs(job: SimulationJob, inputs: Path, store: Store) -> Path:
    library = inputs.parent / "library"
    shutil.copytree(_SIMKIT, library / "simkit", ignore=shutil.ignore_patterns("__pycache__", "*.md"))
    inputs.mkdir()
    atomic_write(inputs / "params.json", _params(job))
    atomic_write(inputs / "simulation.py", job.code)
    (inputs / "deps").mkdir()
    for stage_id, source in job.inputs:
        entry = store.entry("simulations", source)
        if not entry.is_dir():
            raise InputError(
                f"an input of stage {job.stage_id!r} is missing",
                found=str(entry),
                fix=f"run stage {stage_id!r} again",
            )
        # one run of the stage: its files; several (sweep points): a folder each, the first one's files above them
        target = inputs / "deps" / stage_id
        if not target.exists():
            shutil.copytree(entry / "data", target)
        shutil.copytree(entry / "data", target / source[:12])
    for path in (inputs, library, *inputs.rglob("*"), *library.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return inputs


def _run(
    job: SimulationJob,
    work: Path,
    inputs: Path,
    meep: MeepInterpreter,
    allow_degraded: bool,
    progress: Progress | None,
    cancel: threading.Event | None,
    cores: Collection[int],
    processes: int,
) -> SandboxResult:
    def poll(_elapsed: float) -> None:
        if progress is not None:
            last = read_progress(work)
            if last is not None:
                progress(*_progress_of(last))

    limits = Limits(
        wall_s=job.wall_limit_s, cpu_s=job.cpu_limit_s, memory_mb=job.memory_mb, processes=48 + 16 * processes
    )
    return run_sandboxed(
        meep.command(f"{_INPUTS}/simulation.py", processes),
        work,
        readonly={inputs: _INPUTS, inputs.parent / "library": _LIBRARY},
        prefixes=meep.prefixes,
        env={"SIMKIT_INPUTS": _INPUTS, "SIMKIT_OUTPUT": _WORK, "PYTHONPATH": _LIBRARY, **meep.environment()},
        limits=limits,
        allow_degraded=allow_degraded,
        on_poll=poll,
        cancel=cancel,
        cores=cores,
        mpi=meep.mpi,
        live=[PROGRESS_FILE],
    )


def _progress_of(line: ProgressLine) -> tuple[float, float | None, str]:
    """Fraction, remaining seconds, message; written by generated code, so nothing in it is trusted."""
    return min(1.0, max(0.0, line.fraction)), line.remaining_s, one_line(line.message, 80)


def _collect(
    job: SimulationJob, name: str, result: SandboxResult, work: Path, draft: Path, meep: MeepInterpreter
) -> Execution:
    data = draft / "data"
    rejected: list[str] = []
    manifest: Manifest = Manifest()
    first = collect(work, data, ["results.json"])
    if first.files:
        try:
            manifest, faults = manifest_of(read_manifest(data / "results.json"))
            rejected += faults
        except (ValueError, UnsafeOutput) as error:
            rejected.append(f"results.json: {error}")
            _drop(data / "results.json")
    wanted = [*(entry.file for entry in manifest.datasets), *(entry.file for entry in manifest.pictures)]
    rest = collect(work, data, sorted(set(wanted)))
    taken = {item.name for item in rest.files}
    rejected += [f"{visible(path, 200)}: {reason}" for path, reason in (*first.refused, *rest.refused)]
    datasets: list[Dataset] = []
    for entry in manifest.datasets:
        if entry.file not in taken:
            continue
        try:
            datasets.append(_dataset(entry, data, draft))
        except (ValueError, MemoryError, UnsafeOutput) as error:
            rejected.append(f"dataset {entry.id!r}: {error}")
            _drop(data / entry.file)
    runs = tuple(_meep_run(entry) for entry in manifest.simulations)
    complete = manifest.complete
    failure: Failure | None = classify(
        exit_code=result.exit_code,
        signal=result.signal,
        stop_reason=result.stop_reason,
        stderr=result.stderr_tail,
        complete=complete,
        non_finite=sum(d.non_finite for d in datasets),
        meep_runs=runs,
        limit_text=f"wall {result.wall_s:.0f} of {job.wall_limit_s:.0f} s, CPU {result.cpu_s:.0f} of "
        f"{job.cpu_limit_s:.0f} s, memory {result.peak_memory_mb:.0f} of {job.memory_mb} MB",
    )
    pictures = _pictures(manifest, taken, data, draft, rejected)
    messages = [found for entry in manifest.checks if (found := message(entry.model_dump())) is not None]
    return Execution(
        execution_id=name,
        stage_id=job.stage_id,
        resolution_scale=job.resolution_scale,
        point=job.point,
        exit_code=result.exit_code,
        signal=result.signal,
        stop_reason=result.stop_reason,
        wall_s=result.wall_s,
        cpu_s=result.cpu_s,
        peak_memory_mb=result.peak_memory_mb,
        sandbox_level=result.level,
        meep_version=meep.meep_version,
        complete=complete,
        datasets=tuple(datasets),
        pictures=tuple(picture for picture, _ in pictures),
        captions=tuple(caption for _, caption in pictures),
        messages=tuple(dict.fromkeys(messages))[:MOST_MESSAGES],
        meep_runs=runs,
        stdout_tail=result.stdout_tail[-4000:],
        stderr_tail=result.stderr_tail[-4000:],
        rejected=tuple(rejected),
        failure=failure,
        directory=".",
    )


def _pictures(
    manifest: Manifest, taken: set[str], data: Path, root: Path, rejected: list[str]
) -> list[tuple[FileRef, str]]:
    """Sound pictures with the captions the simulation gave them."""
    found = []
    for entry in manifest.pictures:
        if entry.file not in taken:
            continue
        try:
            check_png(data / entry.file)
            found.append((FileRef.of(data / entry.file, root), one_line(entry.caption)))
        except (UnsafeOutput, OSError) as error:
            rejected.append(f"{entry.file}: {error}")
            _drop(data / entry.file)
    return found


def _drop(path: Path) -> None:
    """What was rejected does not stay among the data, where another stage would read it."""
    path.unlink(missing_ok=True)


def _values(path: Path, columns: list[str]) -> tuple[int, int]:
    """(rows, values that are NaN or infinite) of a data file."""
    if path.suffix == ".csv":
        arrays = read_csv(path, columns)
    elif path.suffix == ".npz":
        arrays = read_npz(path)
    else:
        check_png(path)
        return 0, 0
    rows = max((array.shape[0] for array in arrays.data.values() if array.ndim), default=0)
    return rows, sum(arrays.nonfinite.values())


def _dataset(entry: ManifestDataset, data: Path, root: Path) -> Dataset:
    path = data / entry.file
    columns = tuple(Column(name=c.name, quantity=c.quantity, unit=c.unit) for c in entry.columns)
    targets = tuple(DatasetTarget(target=t.target, column=t.column) for t in entry.targets)
    rows, non_finite = _values(path, [column.name for column in columns])
    return Dataset(
        dataset_id=entry.id,
        kind=entry.kind,
        file=FileRef.of(path, root),
        columns=columns,
        targets=targets,
        description=entry.description[:500],
        rows=rows,
        non_finite=non_finite,
    )


def _meep_run(entry: ManifestRun) -> MeepRun:
    return MeepRun(
        label=entry.label[:80],
        dimensions=entry.dimensions,
        cell=entry.cell,
        resolution=entry.resolution,
        courant=entry.courant,
        pixels=entry.pixels,
        time_steps=entry.time_steps,
        meep_time=entry.meep_time,
        wall_s=entry.wall_s,
        stop_criterion=entry.stop.criterion[:120],
        stop_reached=entry.stop.reached,
        stop_met=entry.stop.met,
        max_field=entry.max_field,
    )


def materialise(execution: Execution, store: Store, run_dir: Path, folder: str) -> Execution:
    """Copy an execution's files into a run; the returned record's paths are relative to the run's directory."""
    entry, target = store.entry("simulations", execution.execution_id), run_dir / folder
    if not (target / "execution.json").is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_tree(target)
        shutil.copytree(entry, target)

    def moved(reference: FileRef) -> FileRef:
        return reference.model_copy(update={"path": f"{folder}/{reference.path}"})

    return execution.model_copy(
        update={
            "directory": folder,
            "datasets": tuple(d.model_copy(update={"file": moved(d.file)}) for d in execution.datasets),
            "pictures": tuple(moved(picture) for picture in execution.pictures),
        }
    )
