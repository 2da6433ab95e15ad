"""replicate: generate_rubric and audit_rubric, in PaperBench's format, frozen with a digest."""

from __future__ import annotations

from skills import kit
from skills.stage import stage_of
from tasks.explore.ors import asking_rubrics

server = kit.skill("replicate", "The rubric by which a reproduction of the paper is graded.")


@server.tool()
async def generate_rubric(ctx: kit.Call) -> str:
    """Write the rubric of this run's paper as a tree of requirements and freeze it: ors_rubric.json, ors_rubric.meta.json."""
    with stage_of(ctx) as stage:
        meta = await asking_rubrics.generate_rubric(stage.run_dir, kit.asker(ctx))
    note = (
        f"{meta.leaves} leaves, {len(meta.numbers)} numbers graded by code; sha256 {meta.rubric_sha256[:12]}"
    )
    return kit.answer(
        {
            "note": note,
            **meta.model_dump(mode="json", include={"rubric_sha256", "leaves", "mended", "dropped"}),
        }
    )


@server.tool()
async def audit_rubric(ctx: kit.Call) -> str:
    """Audit the frozen rubric against the paper; the score is the share of its weight without a finding."""
    with stage_of(ctx) as stage:
        audit = await asking_rubrics.audit_rubric(stage.run_dir, kit.asker(ctx))
    note = f"{len(audit.findings)} findings; {audit.score:.0%} of the weight is sound"
    return kit.answer(
        {"note": note, "score": audit.score, "feedback": audit.feedback, "summary": audit.summary}
    )


if __name__ == "__main__":
    server.main()
