"""The figures of a paper: asked for, drawn, refused with reasons, corrected; and done again after a look at the pictures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from schemas.base import FileRef, file_sha256
from schemas.errors import AnswerError
from schemas.explore.figures import Figure, FigureDraft, FigureMakerAnswer, FiguresManifest, RefusedFigure
from tasks.explore.asking import Ask, asked
from tasks.explore.figures.plotting import DATA_GUIDE, Drawn, draw_plot
from tasks.explore.figures.svg import draw_svg
from tasks.explore.paper.beyond import Reader
from tasks.explore.paper.building import PaperInputs, read_inputs, read_model
from tasks.explore.paper.section_checks import line_faults
from tasks.explore.paper.unbound import without_unbound
from tasks.explore.paper.verdicts import marked
from tasks.explore.paper.writing import number_lines, words_of_others
from tasks.files.store import atomic_write

FOLDER, MANIFEST = "figures", "figures_manifest.json"
_MOST_CORRECTIONS = 2


async def make_figures(
    ask: Ask, run_dir: Path, feedback: str = "", *, allow_degraded: bool = False
) -> FiguresManifest:
    """Ask for figures and draw them; what stays refused is left out, and the manifest says why.

    feedback: of the review of the pictures; the last figures and their pictures are then shown. Raises AnswerError when not
    one figure can be drawn.
    """
    inputs = read_inputs(run_dir)
    before = read_model(run_dir / MANIFEST, FiguresManifest, FiguresManifest())
    context, pictures = figure_context(inputs), []
    if feedback and before.figures:
        pictures = [run_dir / figure.png.path for figure in before.figures]
        context |= {"feedback": feedback, "previous": _previous(run_dir, before)}
    answer = await asked(ask, "figure_maker", FigureMakerAnswer, context, pictures)
    drawn = draw_all(answer.figures, inputs, allow_degraded=allow_degraded)
    for _ in range(_MOST_CORRECTIONS):
        faults = _faults(drawn)
        if not faults:
            break
        told = {
            **context,
            "previous": [draft.model_dump(mode="json") for draft, _ in drawn],
            "faults": faults,
        }
        answer = await asked(ask, "figure_maker", FigureMakerAnswer, told, pictures)
        drawn = draw_all(answer.figures, inputs, allow_degraded=allow_degraded, known=drawn)
    if not any(picture.png for _, picture in drawn):
        raise AnswerError(
            "not one figure could be drawn",
            found=json.dumps(_faults(drawn))[:600],
            allowed="code that plots the given data, or an SVG without numbers",
        )
    return keep(
        run_dir,
        [(_by_the_data(draft, inputs), picture) for draft, picture in drawn],
        before.attempt + 1 if feedback else 0,
    )


def _by_the_data(draft: FigureDraft, inputs: PaperInputs) -> FigureDraft:
    """The words of a figure without what no measured number stands beside, and marked where the data say otherwise."""
    caption, alt = (without_unbound(text, inputs.data)[0] for text in (draft.caption, draft.alt))
    told = marked(caption or "Data of this run.", inputs.data)[0]
    return draft.model_copy(
        update={
            "caption": Reader(inputs.data, words_of_others(inputs)).noted(told, caption=True)[0],
            "alt": alt or "Data of this run.",
        }
    )


Drawings = Sequence[tuple[FigureDraft, Drawn]]


def draw_all(
    drafts: Sequence[FigureDraft], inputs: PaperInputs, *, allow_degraded: bool = False, known: Drawings = ()
) -> list[tuple[FigureDraft, Drawn]]:
    """Each draft with its picture or its faults. known: what was drawn already and need not be again."""
    material = inputs.material()
    done = {draft.model_dump_json(): picture for draft, picture in known if picture.png}
    found: list[tuple[FigureDraft, Drawn]] = []
    for draft in drafts:
        wrong = [f"in the caption: {fault}" for fault in line_faults(draft.caption, material)]
        wrong += [f"in the text for who cannot see it: {fault}" for fault in line_faults(draft.alt, material)]
        if draft.name in {other.name for other, _ in found}:
            wrong.append(f"two figures are called {draft.name}")
        if wrong:
            found.append((draft, Drawn(faults=tuple(wrong))))
        elif (picture := done.get(draft.model_dump_json())) is not None:
            found.append((draft, picture))
        elif draft.kind == "plot":
            found.append((draft, draw_plot(draft.code, inputs.data, allow_degraded=allow_degraded)))
        else:
            found.append((draft, draw_svg(draft.code, material.names, allow_degraded=allow_degraded)))
    return found


def keep(run_dir: Path, drawn: Drawings, attempt: int) -> FiguresManifest:
    """Write pictures, sources and the manifest; a figure that was refused leaves its reason only."""
    figures, refused = [], []
    for draft, picture in drawn:
        if not picture.png:
            refused.append(RefusedFigure(name=draft.name, reason="; ".join(picture.faults)[:1000]))
            continue
        base = run_dir / FOLDER / draft.name
        source = atomic_write(base.with_suffix(".py" if draft.kind == "plot" else ".svg"), draft.code)
        png = atomic_write(base.with_suffix(".png"), picture.png)
        pdf = atomic_write(base.with_suffix(".pdf"), picture.pdf) if picture.pdf else None
        figures.append(
            Figure(
                name=draft.name,
                kind=draft.kind,
                caption=draft.caption,
                alt=draft.alt,
                png=FileRef.of(png, run_dir),
                pdf=FileRef.of(pdf, run_dir, "application/pdf") if pdf else None,
                source=FileRef.of(source, run_dir),
                numbers=picture.names,
            )
        )
    manifest = FiguresManifest(
        figures=tuple(figures),
        refused=tuple(refused),
        attempt=attempt,
        data_sha256=file_sha256(run_dir / "science_data.json"),
    )
    atomic_write(run_dir / MANIFEST, manifest.model_dump_json(indent=1))
    return manifest


def figure_context(inputs: PaperInputs) -> dict[str, Any]:
    """What the figure maker is shown."""
    data = inputs.data
    return {
        "question": data.question[:2000],
        "data_guide": DATA_GUIDE,
        "numbers": number_lines(inputs),
        "configurations": [
            {
                "node": found.node_id,
                "rank": found.rank,
                "kind": found.label,
                "tried": found.direction[:200],
                "against_parent": found.against_parent,
            }
            for found in data.configurations[:20]
        ],
        "findings": list(data.experiment_context.findings) if data.experiment_context else [],
    }


def _faults(drawn: Drawings) -> dict[str, list[str]]:
    return {draft.name: list(picture.faults) for draft, picture in drawn if picture.faults}


def _previous(run_dir: Path, manifest: FiguresManifest) -> list[dict[str, Any]]:
    return [
        {
            "name": figure.name,
            "kind": figure.kind,
            "caption": figure.caption,
            "code": (run_dir / figure.source.path).read_text(encoding="utf-8"),
        }
        for figure in manifest.figures
    ]
