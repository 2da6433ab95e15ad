"""paper-re: fetch_code_bundle, build_reproduce_sh, run_reproduce, grade_with_simplejudge."""

from __future__ import annotations

import anyio

from skills import kit
from skills.stage import stage_of
from tasks.explore.ors import grading, repository
from tasks.explore.ors.rubrics import opened
from tasks.explore.ors.running import OUTPUTS, RunSettings, settings_from
from tasks.explore.ors.running import run_reproduce as run_script
from tasks.files.store import atomic_write

server = kit.skill("paper-re", "Reproduces this run's paper in a sandbox, and grades what came of it.")


@server.tool()
async def fetch_code_bundle(ctx: kit.Call) -> str:
    """Fill the reproduction's sandbox from the published bundle, by its digest; without a bundle it stays empty."""
    with stage_of(ctx) as stage:
        done = await anyio.to_thread.run_sync(repository.seed, stage.run_dir)
    return kit.answer(
        {
            "note": f"{done.files} files of {done.bundle_sha256[:12]}" if done.seeded else done.why,
            **done.model_dump(mode="json"),
        }
    )


@server.tool()
async def build_reproduce_sh(ctx: kit.Call) -> str:
    """Have a reproduction written from the paper's text alone, only where the sandbox has no reproduce.sh."""
    with stage_of(ctx) as stage:
        done = await repository.build(stage.run_dir, kit.asker(ctx))
    return kit.answer(
        {
            "note": f"{len(done.files)} files written" if done.built else done.why,
            **done.model_dump(mode="json"),
        }
    )


@server.tool()
async def run_reproduce(
    ctx: kit.Call,
    where: str = "auto",
    partition: str = "",
    image: str = "",
    cpus: int = 1,
    cpu_s: float = 1800,
    memory_mb: int = 4096,
    job_memory_mb: int = 0,
    disk_mb: int = 2048,
) -> str:
    """Run reproduce.sh once in a copy of the sandbox: on Slurm, in a container, or isolated here. Keeps log and artifacts.

    where: auto, slurm, docker, apptainer or sandbox. partition: of Slurm. image: of a container.
    """
    given = {
        "where": where,
        "partition": partition,
        "image": image,
        "cpus": cpus,
        "cpu_s": cpu_s,
        "memory_mb": memory_mb,
        "job_memory_mb": job_memory_mb,
        "disk_mb": disk_mb,
    }
    with stage_of(ctx) as stage:
        run_dir = stage.run_dir
        settings = settings_from({**given, "allow_degraded": stage.settings.allow_degraded_sandbox})
        _, meta = opened(run_dir)
        done = await anyio.to_thread.run_sync(
            run_script, run_dir / repository.SANDBOX, run_dir / OUTPUTS, meta.expected_artifacts, settings
        )
        atomic_write(run_dir / grading.PHASE1, done.model_dump_json(indent=1))
    note = done.why or f"reproduce.sh ended with {done.exit_code} ({done.sandbox_kind})"
    return kit.answer({"note": note, **done.model_dump(mode="json")})


@server.tool()
async def grade_with_simplejudge(ctx: kit.Call, runs: int = 3, expect_rubric_sha256: str = "") -> str:
    """Grade every leaf of the frozen rubric: those with a number by measuring it, the others by an agent, `runs` times.

    Two repositories without any work are graded by the same way and must stay below 5 %.
    """
    with stage_of(ctx) as stage:
        here = RunSettings(allow_degraded=stage.settings.allow_degraded_sandbox)
        done = await grading.grade(
            stage.run_dir,
            kit.asker(ctx),
            here,
            runs=runs,
            expect_sha256=expect_rubric_sha256,
            measure_settings=stage.settings.measure,
        )
    control = done.negative_control
    score = "no score counts" if done.ors_score is None else f"score {done.ors_score:.0%}"
    score += (
        f"; {done.numbers_again} of the {done.numbers_cited} numbers that the paper cites were measured again"
    )
    note = f"{score}; controls {control.empty:.0%} and {control.boilerplate:.0%}. {done.why}".strip()
    return kit.answer({"note": note, **done.model_dump(mode="json", exclude={"leaf_grades"})})


if __name__ == "__main__":
    server.main()
