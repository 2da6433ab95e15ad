"""vlm: review_figure, review_table, and review_figures of a whole run with vlm_review.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from schemas.explore.asked_by_skills import FigureReviewAnswer
from schemas.explore.figures import FiguresManifest
from schemas.reading.beneath import Unopened, read_below
from skills import kit
from tasks.files.store import atomic_write

server = kit.skill("vlm", "A referee's look at figures and tables.")
MANIFEST, REVIEW = "figures_manifest.json", "vlm_review.json"
_TABLE_BYTES = 100_000


@server.tool()
async def review_figure(
    file: kit.WorkPath, ctx: kit.Call, caption: kit.Words = "", context: kit.Words = ""
) -> str:
    """Have a picture (PNG or JPEG) below the work directory reviewed: a score from 0 to 1, what it shows, what to change."""
    found = await _looked(
        ctx, {"caption": caption, "kind": "plot", "context": context}, [_folder(ctx) / file]
    )
    return kit.answer(found.model_dump(mode="json"))


@server.tool()
async def review_table(
    file: kit.WorkPath, ctx: kit.Call, caption: kit.Words = "", context: kit.Words = ""
) -> str:
    """Have a table (CSV, Markdown or LaTeX text) below the work directory reviewed."""
    try:
        text = read_below(_folder(ctx), file, _TABLE_BYTES, one_name=False).decode("utf-8", "replace")
    except Unopened as error:
        raise kit.ToolError(f"{file} {error}") from None
    found = await _looked(ctx, {"caption": caption, "kind": "table", "table": text, "context": context}, [])
    return kit.answer(found.model_dump(mode="json"))


@server.tool()
async def review_figures(ctx: kit.Call) -> str:
    """Review every figure of the run's figures_manifest.json; the lowest score counts. Writes vlm_review.json."""
    run_dir = Path(kit.context(ctx).run_dir)
    try:
        manifest = FiguresManifest.model_validate_json(read_below(run_dir, MANIFEST, 4 << 20))
    except (Unopened, ValidationError) as error:
        raise kit.ToolError(f"{MANIFEST} {error}") from None
    if not manifest.figures:
        raise kit.ToolError(f"{MANIFEST} lists no figure; draw one first")
    reviews: list[dict[str, Any]] = []
    for figure in manifest.figures:
        told = {"caption": figure.caption, "kind": figure.kind, "context": figure.alt}
        found = await _looked(ctx, told, [run_dir / figure.png.path])
        reviews.append({"figure": figure.name, "sha256": figure.png.sha256, **found.model_dump(mode="json")})
    worst = min(reviews, key=lambda review: float(review["score"]))
    value = {
        "score": worst["score"],
        "attempt": manifest.attempt,
        "figures": reviews,
        "feedback": "\n".join(
            f"{review['figure']}: {review['feedback']}" for review in reviews if review["feedback"]
        ),
    }
    atomic_write(run_dir / REVIEW, kit.answer(value))
    return kit.answer(value)


async def _looked(ctx: kit.Call, told: dict[str, Any], images: list[Path]) -> FigureReviewAnswer:
    return FigureReviewAnswer.model_validate(
        await kit.ask(ctx, agent="figure_reviewer", context=told, images=images)
    )


def _folder(ctx: kit.Call) -> Path:
    where = kit.context(ctx)
    return Path(where.work_dir or where.run_dir)


if __name__ == "__main__":
    server.main()
