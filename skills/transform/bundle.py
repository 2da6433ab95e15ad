"""generate_ear, curate_ear and publish_ear: the bundle of a run, from the best program to a published archive."""

from __future__ import annotations

import anyio

from schemas.bundle import MANIFEST
from schemas.explore.bundle import PublishRules
from skills import kit
from skills.stage import stage_of
from tasks.explore.bundle.curate import curate, read_rules
from tasks.explore.bundle.generate import generate_ear as generate
from tasks.explore.bundle.publishing import publish, target_of

EAR, PUBLISHED, ARCHIVE, RECORD = "ear", "ear_published", "bundle.tar.gz", "publish_record.json"


def register(server: kit.SkillServer) -> None:
    """Add these tools to a server."""
    for tool in (generate_ear, curate_ear, publish_ear):
        server.tool()(tool)


async def generate_ear(ctx: kit.Call) -> str:
    """Make ear/ from the best line of the tree: programs, measure program, given files, figures, a reproduce.sh that works."""
    with stage_of(ctx) as stage:
        done = await anyio.to_thread.run_sync(generate, stage.run_dir)
    note = f"{len(done.files)} files; reproduce.sh measures {', '.join(done.numbers) or 'no number'}"
    return kit.answer({"note": note, **done.model_dump(mode="json", exclude={"best", "baseline"})})


async def curate_ear(ctx: kit.Call) -> str:
    """Copy what publish.yaml allows from ear/ to ear_published/ and write manifest.lock with the bundle's digest."""
    with stage_of(ctx) as stage:
        run_dir = stage.run_dir
        rules = read_rules(run_dir / EAR)
        if rules is None:
            return kit.answer({"note": "nothing is published: ear/ has no publish.yaml", "files": 0})
        done = await anyio.to_thread.run_sync(
            curate, run_dir / EAR, run_dir / PUBLISHED, run_dir / MANIFEST, rules
        )
    return kit.answer(
        {"note": f"{done.files} files, sha256 {done.bundle_sha256[:12]}", **done.model_dump(mode="json")}
    )


async def publish_ear(
    ctx: kit.Call,
    backend: str = "local-tarball",
    url: str = "",
    token_variable: str = "",
    repository: str = "",
) -> str:
    """Pack the curated bundle and stage it: local-tarball, registry, zenodo or github. Nothing is made public.

    token_variable: the environment variable that holds the token; workflow.yaml passes it on to this skill (environment).
    """
    with stage_of(ctx) as stage:
        run_dir = stage.run_dir
        if not (run_dir / PUBLISHED / MANIFEST).is_file():
            return kit.answer({"note": "nothing is published: the bundle was not curated"})
        target = target_of(
            {"backend": backend, "url": url, "token_variable": token_variable, "repository": repository}
        )
        rules = read_rules(run_dir / EAR) or PublishRules()
        done = await anyio.to_thread.run_sync(
            publish, run_dir / PUBLISHED, run_dir / ARCHIVE, run_dir / RECORD, target, rules
        )
    return kit.answer({"note": f"{done.visibility} at {done.ref}", **done.model_dump(mode="json")})
