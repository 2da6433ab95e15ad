"""plot: generate_figures draws given code, generate_figures_llm asks for figures; data in them are the files' or none."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from schemas.explore.figures import FigureMakerAnswer, FiguresManifest
from schemas.text.visible import one_visible_line
from skills import kit
from skills.stage import stage_of
from tasks.explore.figures.making import draw_all, keep, make_figures
from tasks.explore.paper.building import read_inputs

server = kit.skill("plot", "Figures of a paper, from science_data.json.")


@server.tool()
async def generate_figures_llm(ctx: kit.Call, feedback: kit.Words = "") -> str:
    """Have figures proposed, draw them in the sandbox, check every plotted number against the data; writes
    figures_manifest.json. feedback: of the review of the last pictures."""
    with stage_of(ctx) as stage:
        manifest = await make_figures(
            kit.asker(ctx), stage.run_dir, feedback, allow_degraded=stage.settings.allow_degraded_sandbox
        )
    return _told(manifest)


@server.tool()
def generate_figures(ctx: kit.Call, figures: list[dict[str, Any]]) -> str:
    """Draw given figures: each {name, kind: plot|svg, caption, alt, code}. A plot's code draws on `figure` from `data`; a
    figure whose numbers are not the data is refused. Writes figures_manifest.json."""
    try:
        drafts = FigureMakerAnswer.model_validate({"figures": figures}).figures
    except ValidationError as error:
        raise kit.ToolError(f"the figures do not fit: {one_visible_line(str(error), 600)}") from None
    with stage_of(ctx) as stage:
        drawn = draw_all(
            drafts, read_inputs(stage.run_dir), allow_degraded=stage.settings.allow_degraded_sandbox
        )
        if not any(picture.png for _, picture in drawn):
            raise kit.ToolError(
                "; ".join(f"{draft.name}: {fault}" for draft, picture in drawn for fault in picture.faults)
            )
        manifest = keep(stage.run_dir, drawn, 0)
    return _told(manifest)


def _told(manifest: FiguresManifest) -> str:
    names = [figure.name for figure in manifest.figures]
    return kit.answer(
        {
            "headline": f"{len(names)} figures drawn, {len(manifest.refused)} refused",
            "figures": names,
            "figure_kinds": {figure.name: figure.kind for figure in manifest.figures},
            "numbers": {figure.name: list(figure.numbers) for figure in manifest.figures},
            "refused": {found.name: found.reason for found in manifest.refused},
            "file": "figures_manifest.json",
        }
    )


if __name__ == "__main__":
    server.main()
