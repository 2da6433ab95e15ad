"""Phase 1: reproduce.sh once, in a copy of the repository, where a Slurm partition, a container or our sandbox keeps it.

What counts as evidence is copied out by us: the expected artifacts as regular files, with whether the run wrote them.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from schemas.base import Model
from schemas.bundle import EXECUTABLE
from schemas.errors import InputError
from schemas.explore.bundle import WITHIN
from schemas.explore.grade import Artifact, Phase1, SandboxKind
from schemas.reading.beneath import Unopened, read_below
from tasks.explore.measuring.interpreter import interpreter
from tasks.explore.nodes.node_files import regular_files
from tasks.explore.ors import containers, slurm
from tasks.files.store import atomic_write, remove_tree
from tasks.sandbox import Limits, run_sandboxed, scratch
from tasks.sandbox.sandbox_result import HARD_LIMITS

LOG, OUTPUTS = "reproduce.log", "repro_outputs"
_MOST_LOG, _MOST_ARTIFACT = 4 << 20, 50 << 20


class RunSettings(Model):
    """Where and within what reproduce.sh runs. where: auto takes Slurm if there are sbatch and a partition, else a container
    if an image is named and docker or apptainer works, else the sandbox."""

    where: Literal["auto", "slurm", "docker", "apptainer", "sandbox"] = "auto"
    partition: str = Field("", max_length=100, pattern=r"^[A-Za-z0-9_.,-]*$")
    image: str = Field("", max_length=300, pattern=r"^[A-Za-z0-9_./:@+-]*$")
    cpus: int = Field(1, ge=1, le=256)
    cpu_s: float = Field(1800, gt=0, le=7 * 86400)
    memory_mb: int = Field(4096, ge=64)
    job_memory_mb: int = Field(0, ge=0, description="asked of Slurm; 0 asks for the partition's default")
    disk_mb: int = Field(2048, ge=1)
    allow_degraded: bool = False

    @property
    def wall_s(self) -> float:
        """A generous backstop."""
        return min(4 * self.cpu_s + 120, HARD_LIMITS["wall_s"])


def settings_from(given: dict[str, Any]) -> RunSettings:
    """Settings of a stage. Raises InputError naming the one that does not fit."""
    try:
        return RunSettings.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(
            f"reproduce.sh cannot be run so: {'.'.join(map(str, first['loc']))} does not fit",
            found=repr(first["input"])[:200],
            allowed=first["msg"],
            fix="correct the stage in workflow.yaml",
        ) from None


class Order(Model):
    """One run: the repository to copy, where results go, which files are expected. Read again inside a Slurm job."""

    repository: str
    outputs: str
    expected: tuple[str, ...]
    settings: RunSettings
    kind: SandboxKind


def run_reproduce(
    repository: Path, outputs: Path, expected: tuple[str, ...], settings: RunSettings
) -> Phase1:
    """Run reproduce.sh of a repository, which itself stays as it is. outputs: replaced by the log and the artifacts."""
    kind = _kind(settings)
    remove_tree(outputs)
    outputs.mkdir(parents=True)
    if not (repository / EXECUTABLE).is_file():
        return Phase1(executed=False, missing=expected, sandbox_kind=kind, why=f"there is no {EXECUTABLE}")
    order = Order(
        repository=str(repository.resolve()),
        outputs=str(outputs.resolve()),
        expected=expected,
        settings=settings,
        kind=kind,
    )
    if kind != "slurm":
        return execute(order)
    return slurm.submitted(
        order.model_dump_json(),
        outputs,
        partition=settings.partition,
        cpus=settings.cpus,
        wall_s=settings.wall_s,
        job_memory_mb=settings.job_memory_mb,
    )


def _kind(settings: RunSettings) -> SandboxKind:
    if settings.where == "slurm" or (settings.where == "auto" and settings.partition):
        if shutil.which("sbatch") and settings.partition:
            return "slurm"
        if settings.where == "slurm":
            raise InputError(
                "Slurm cannot be used",
                found="no sbatch" if not shutil.which("sbatch") else "no partition",
                fix="name a partition, on a computer that has sbatch; or where: sandbox",
            )
    if settings.where in ("docker", "apptainer") or (settings.where == "auto" and settings.image):
        engines: tuple[SandboxKind, ...] = ("docker", "apptainer")
        found = next(
            (kind for kind in engines if settings.where in ("auto", kind) and containers.usable(kind)), None
        )
        if found is not None and settings.image:
            return found
        if settings.where != "auto":
            raise InputError(
                f"{settings.where} cannot be used",
                found="no image is named" if not settings.image else "it does not start here",
                fix="name an image; or where: sandbox",
            )
    return "sandbox"


def execute(order: Order) -> Phase1:
    """The run itself, on this computer."""
    settings, repository, outputs = order.settings, Path(order.repository), Path(order.outputs)
    with scratch("reprolab-reproduce-") as folder:
        work = folder / "work"
        before = _copied(repository, work)
        if order.kind in ("docker", "apptainer"):
            ended = containers.run(
                order.kind,
                settings.image,
                work,
                cpus=settings.cpus,
                memory_mb=settings.memory_mb,
                wall_s=settings.wall_s,
                log=LOG,
            )
        else:
            ended = _sandboxed(work, settings)
        log = _taken(work, LOG, _MOST_LOG) or b""
        atomic_write(outputs / LOG, log)
        artifacts = []
        for path in order.expected:
            content = _taken(work, path, _MOST_ARTIFACT)
            if content is None:
                continue
            sha256 = hashlib.sha256(content).hexdigest()
            artifacts.append(
                Artifact(path=path, sha256=sha256, size=len(content), fresh=before.get(path) != sha256)
            )
            atomic_write(outputs / path, content)
    there = {artifact.path for artifact in artifacts}
    return Phase1(
        executed=True,
        artifacts=tuple(artifacts),
        sandbox_kind=order.kind,
        log_path=f"{OUTPUTS}/{LOG}",
        missing=tuple(path for path in order.expected if path not in there),
        cpus=settings.cpus,
        partition=settings.partition if order.kind == "slurm" else "",
        walltime_s=settings.wall_s,
        **ended,
    )


def _sandboxed(work: Path, settings: RunSettings) -> dict[str, object]:
    python = interpreter()
    path = os.pathsep.join(dict.fromkeys((str(Path(python.path).parent), "/usr/bin", "/bin")))
    result = run_sandboxed(
        ["/bin/sh", "-c", f"exec sh {EXECUTABLE} >{LOG} 2>&1 </dev/null"],
        work,
        prefixes=python.prefixes,
        env={"PATH": path, **WITHIN},
        limits=Limits(
            wall_s=settings.wall_s,
            cpu_s=settings.cpu_s,
            memory_mb=settings.memory_mb,
            disk_mb=settings.disk_mb,
            processes=64 + 16 * settings.cpus,
        ),
        allow_degraded=settings.allow_degraded,
    )
    why = f"it was ended at its limit on {result.stop_reason}" if result.stop_reason else ""
    return {
        "exit_code": result.exit_code,
        "stop_reason": result.stop_reason or "",
        "cpu_s": result.cpu_s,
        "wall_s": result.wall_s,
        "why": why or (f"signal {result.signal}" if result.signal else ""),
    }


def _copied(repository: Path, work: Path) -> dict[str, str]:
    """The repository's regular files in the work directory; path -> sha256."""
    found = {}
    for path in regular_files(repository):
        try:
            content = read_below(repository, path, 200 << 20, one_name=False)
        except Unopened:
            continue
        target = work / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(0o755 if (repository / path).stat().st_mode & 0o100 else 0o644)
        found[path] = hashlib.sha256(content).hexdigest()
    if os.getuid() == 0:  # the sandbox's own user must be able to write what it was given
        for each in work.rglob("*"):
            each.chmod(0o777 if each.is_dir() or each.stat().st_mode & 0o100 else 0o666)
    return found


def _taken(work: Path, path: str, most: int) -> bytes | None:
    try:
        return read_below(work, path, most)
    except Unopened:
        return None


def execute_order(text: str) -> str:
    """An order as JSON, its outcome as JSON: what a Slurm job calls."""
    return execute(Order.model_validate(json.loads(text))).model_dump_json()
