"""hpc: slurm_submit, job_status, job_cancel where there is Slurm; singularity_* where there is Apptainer or Singularity."""

from __future__ import annotations

from collections.abc import Callable

from schemas.errors import ReproLabError
from schemas.reading.beneath import Unopened, parts_of
from skills import kit
from skills.executions.running import NoBudget
from skills.hpc import containers, slurm

server = kit.skill("hpc", "Jobs of a cluster and containers.")
_MOST = {"cpus": 1024, "minutes": 7 * 1440, "memory_mb": 4 << 20, "gpus": 64}
_FAILS = (slurm.JobError, containers.ContainerError, NoBudget, ReproLabError, Unopened)


def slurm_submit(
    script: kit.WorkPath,
    ctx: kit.Call,
    arguments: list[kit.Words] | None = None,
    cpus: int = 1,
    minutes: int = 10,
    memory_mb: int = 0,
    gpus: int = 0,
    partition: str = "",
) -> str:
    """Submit a bash script of your work directory to the cluster; it runs there in the sandbox, and its files come back here.
    Ask with job_status. What it needs (cpus, minutes, memory_mb, gpus) is said here, not by #SBATCH lines."""
    work = kit.work_dir(ctx)
    asked = {"cpus": cpus, "minutes": minutes, "memory_mb": memory_mb, "gpus": gpus}
    wrong = [
        f"{name} {value} (at most {_MOST[name]})"
        for name, value in asked.items()
        if not 0 <= value <= _MOST[name]
    ]
    if wrong or cpus < 1 or minutes < 1:
        raise kit.ToolError(f"cannot be asked for: {', '.join(wrong) or 'less than one cpu or minute'}")
    if partition and not partition.replace("_", "").replace("-", "").isalnum():
        raise kit.ToolError(f"{partition!r} is no name of a partition")
    try:
        name = "/".join(parts_of(script))
        if not (work / name).is_file():
            raise kit.ToolError(f"there is no file {name}; write it first")
        wish = slurm.Wish(
            name, tuple(str(item) for item in arguments or ()), cpus, minutes, memory_mb, gpus, partition
        )
        return f"job {slurm.submit(wish, kit.context(ctx))}"
    except _FAILS as error:
        raise kit.ToolError(str(error)) from None


def job_status(job: str, ctx: kit.Call, wait_minutes: float = 30.0) -> str:
    """How a job of yours stands. Waits up to wait_minutes for its end, so ask once; then you see its output."""
    try:
        state, text = slurm.state(
            job.removeprefix("job").strip(), kit.work_dir(ctx), 60 * min(max(0.0, wait_minutes), 50.0)
        )
    except _FAILS as error:
        raise kit.ToolError(str(error)) from None
    return f"{state}\n{text}".strip()


def job_cancel(job: str, ctx: kit.Call) -> str:
    """Cancel a job of yours."""
    try:
        slurm.cancel(job.removeprefix("job").strip(), kit.work_dir(ctx))
    except _FAILS as error:
        raise kit.ToolError(str(error)) from None
    return "cancelled"


def singularity_pull(source: str, image: str, ctx: kit.Call, minutes: float = 30.0) -> str:
    """Fetch a container image (docker://..., oras://..., library://...) and keep it under the name `image` (ends in .sif)."""
    return _contained(lambda: containers.pull(source, image, kit.context(ctx), minutes))


def singularity_build(definition: kit.WorkPath, image: str, ctx: kit.Call, minutes: float = 60.0) -> str:
    """Build an image from a definition file of your work directory (needs rights of an administrator)."""
    return _contained(lambda: _built(definition, image, ctx, minutes, fakeroot=False))


def singularity_build_fakeroot(
    definition: kit.WorkPath, image: str, ctx: kit.Call, minutes: float = 60.0
) -> str:
    """Build an image from a definition file of your work directory without rights of an administrator."""
    return _contained(lambda: _built(definition, image, ctx, minutes, fakeroot=True))


def singularity_run(image: str, command: kit.Words, ctx: kit.Call) -> str:
    """Run a shell command in an image, with your work directory as /work."""
    kit.work_dir(ctx)
    return _contained(lambda: containers.run(image, command, kit.context(ctx), gpu=False))


def singularity_run_gpu(image: str, command: kit.Words, ctx: kit.Call) -> str:
    """Run a shell command in an image with the graphics processors, with your work directory as /work."""
    kit.work_dir(ctx)
    return _contained(lambda: containers.run(image, command, kit.context(ctx), gpu=True))


def _built(definition: str, image: str, ctx: kit.Call, minutes: float, *, fakeroot: bool) -> str:
    kit.work_dir(ctx)
    return containers.build(
        "/".join(parts_of(definition)), image, kit.context(ctx), minutes, fakeroot=fakeroot
    )


def _contained(action: kit.Action) -> str:
    try:
        return str(action())
    except _FAILS as error:
        raise kit.ToolError(str(error)) from None


def offer() -> None:
    """Register what this computer has."""
    tool: Callable[..., str]
    if slurm.available():
        for tool in (slurm_submit, job_status, job_cancel):
            server.tool()(tool)
    if containers.program():
        for tool in (
            singularity_pull,
            singularity_build,
            singularity_build_fakeroot,
            singularity_run,
            singularity_run_gpu,
        ):
            server.tool()(tool)


if __name__ == "__main__":
    offer()
    server.main()
