"""Figures read for a run: what is proposed of each, its curves by name, and the words in which a person is asked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from schemas.base import FileRef
from schemas.documents.mended import Mended, MendedAxis, SeenAxis
from schemas.errors import InputError
from schemas.reproduce.figures_read import ProposedFigure
from schemas.reproduce.paper import PaperInput
from schemas.run.pasted import on_run
from schemas.text.inert import inert_markdown
from schemas.text.visible import one_visible_line
from tasks.digitise.mending.mending_page import proposal_of, seen_axes
from tasks.digitise.mending.taking import Taken, curves_of, read_mended
from tasks.reproduce.papers.read_figures import FigureRead, keep_reading, readings

FOLDER = "figures"  # of a run
_MOST_WHY = 8


def proposed_figures(
    folder: Path, paper: PaperInput, wanted: Collection[str], run_dir: Path
) -> tuple[ProposedFigure, ...]:
    """Read figures of a paper's folder into figures/ of a run; one that cannot be read says why."""
    told: list[str] = []
    found = readings(folder, [f for f in paper.figures if f.figure_id in wanted], told.append)
    return tuple(_proposed(one, run_dir, told) for one in found)


def _proposed(one: FigureRead, run_dir: Path, told: list[str]) -> ProposedFigure:
    if one.reading is None:
        return ProposedFigure(figure_id=one.figure_id, why=_lines([one.why, *told]))
    place = run_dir / FOLDER / one.figure_id
    if place.exists():  # of a process that was killed
        shutil.rmtree(place)
    saved = f"figures_checkpoint=mend: {one.figure_id}={one.figure_id}-mended.json"
    keep_reading(one, run_dir / FOLDER, on_run(run_dir, "resume", "--answer", saved))
    figures, raw = one.reading.figures, proposal_of(one.reading)
    several = len(figures.panels) > 1
    why = [figures.refused] + [
        f"panel {panel.panel}: {words}" if several else words
        for panel in figures.panels
        for words in ([panel.refused] if panel.refused else []) + list(panel.not_read)
    ]
    proposal = None
    try:
        if raw["panels"]:
            proposal = Mended.model_validate(json.loads(json.dumps(raw)))
            curves_of(proposal)
    except (ValidationError, ValueError, InputError) as error:
        proposal, why = None, [f"what was read has no numbers: {error}", *why]
    return ProposedFigure(
        figure_id=one.figure_id,
        proposal=proposal,
        picture=raw["picture"],
        overlay=FileRef.of(place / "overlay.png", run_dir),
        why=_lines(why),
        seen=tuple(SeenAxis.model_validate(axis) for axis in seen_axes(one.reading)),
    )


def _lines(why: list[str]) -> tuple[str, ...]:
    return tuple(one_visible_line(words, 300) for words in why if words)[:200]


def mended(figure: ProposedFigure, file: Path) -> ProposedFigure:
    """The figure as a person saved it. Raises InputError: the file does not fit, or belongs to another picture."""
    found = read_mended(file, figure.picture)
    curves_of(found)
    return figure.model_copy(update={"proposal": found, "by_hand": True, "named": None, "told": ()})


def curves_in(figure: ProposedFigure) -> dict[str, Taken]:
    """The proposed curves by name: fig1/1, fig1/2, ..."""
    found = curves_of(figure.proposal) if figure.proposal else []
    return {f"{figure.figure_id}/{number}": curve for number, curve in enumerate(found, 1)}


def without(figures: tuple[ProposedFigure, ...], dropped: Collection[str]) -> tuple[ProposedFigure, ...]:
    """The figures without those curves, or whole figures, that are named."""
    kept = []
    for figure in figures:
        number, panels = 0, []
        for panel in figure.proposal.panels if figure.proposal else ():
            left: dict[str, list[object]] = {"curves": [], "maps": []}
            for kind, one in (*(("curves", c) for c in panel.curves), *(("maps", m) for m in panel.maps)):
                number += 1
                if not {figure.figure_id, f"{figure.figure_id}/{number}"} & {*dropped}:
                    left[kind].append(one)
            if any(left.values()):
                panels.append(panel.model_copy(update={kind: tuple(found) for kind, found in left.items()}))
        proposal = (
            figure.proposal.model_copy(update={"panels": tuple(panels)})
            if panels and figure.proposal
            else None
        )
        kept.append(figure.model_copy(update={"proposal": proposal}))
    return tuple(kept)


def figure_words(figure: ProposedFigure, caption: str) -> str:
    """A figure for a person: its axes, each curve with its range and errors, and what was not read, as Markdown."""
    lines = [f"### {figure.figure_id}: {_plain(caption, 120)}"]
    for number, panel in enumerate(figure.proposal.panels if figure.proposal else (), 1):
        before = f"panel {number}, " if figure.proposal and len(figure.proposal.panels) > 1 else ""
        lines += [f"- {before}{_axis_words('x', panel.x)}; {_axis_words('y', panel.y)}"]
    lines += [_curve_words(name, curve) for name, curve in curves_in(figure).items()]
    lines += [f"- **not compared with the page**: {_plain(words, 300)}" for words in not_compared(figure)]
    lines += [
        f"- **in doubt**, says the figure reader (an AI): {_plain(words, 300)}" for words in figure.in_doubt
    ]
    lines += [
        f"- says the figure reader (an AI), look whether it is so: {_plain(words, 300)}"
        for words in figure.reader
    ]
    lines += [f"- not read: {_plain(words, 300)}" for words in figure.why[:_MOST_WHY]]
    if (more := len(figure.why) - _MOST_WHY) > 0:
        lines.append(f"- not read: {more} more")
    if figure.picture:
        place = f"{FOLDER}/{figure.figure_id}"
        lines.append(
            f"- in the run's folder: {place}/overlay.png to look at, {place}/mend.html to mend in a browser"
        )
    return "\n".join(lines)


def not_compared(figure: ProposedFigure) -> list[str]:
    """The axes whose labels nobody held against the rendered page, by reason."""
    found: dict[str, list[str]] = {}
    for axis in figure.seen:
        if axis.not_compared and axis.kind:
            found.setdefault(axis.not_compared, []).append(f"panel {axis.panel} {axis.axis}")
    return [f"{', '.join(axes[:12])}: {why}" for why, axes in found.items()]


def _axis_words(which: str, axis: MendedAxis) -> str:
    unit = f" ({axis.unit})" if axis.unit else ""
    through = ", ".join(f"{value:g}" for _, value in axis.marks[:4])
    return f"{which} axis: {_plain(axis.name, 60) or 'no name'}{_plain(unit, 22)}, {axis.kind}, through {through}"


def _curve_words(name: str, curve: Taken) -> str:
    x, y = curve.rows[:, 0], curve.rows[:, 1]
    what = f", {curve.what}" if curve.what else ""
    errors = f"error {curve.relative_error_percent:.2g} % of the largest value, {curve.x_error:.2g} along"
    if curve.value_column:
        values = curve.rows[:, 4]
        return (
            f"- **{name}** a map: {curve.value_column} {np.min(values):.4g} to {np.max(values):.4g} over {curve.x_column} "
            f"{np.min(x):.4g} to {np.max(x):.4g} and {curve.y_column} {np.min(y):.4g} to {np.max(y):.4g}, {len(x)} points; {errors}"
        )
    return (
        f"- **{name}** {_plain(curve.name, 80) or '(no name)'}{what}: {curve.y_column} {np.min(y):.4g} to {np.max(y):.4g} over "
        f"{curve.x_column} {np.min(x):.4g} to {np.max(x):.4g}, {len(x)} points"
        + ("" if curve.bars is None else " with error bars, half of which stand in the error")
        + f"; {errors}"
    )


def _plain(words: str, most: int) -> str:
    return inert_markdown(one_visible_line(words, most)).replace("`", "'").strip()
