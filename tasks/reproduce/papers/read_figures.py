"""Figures of a paper's folder as numbers: read from its PDF or its pictures, seen by a person, then taken into paper.json."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from schemas.errors import InputError, ReproLabError
from schemas.reading.beneath import Unopened
from schemas.reading.strict_json import parse_json
from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.run.pasted import typed
from schemas.text.visible import one_visible_line
from tasks.digitise.mending.mending_page import proposal_of
from tasks.digitise.mending.taking import Taken, csv_of_taken, curves_of, read_mended
from tasks.digitise.page import Page, read_page
from tasks.digitise.panels import Panel, panels_of
from tasks.digitise.reading import Reading, read_figures, reading_of
from tasks.digitise.reading_files import write_reading
from tasks.files.store import atomic_write
from tasks.reproduce.papers.importing.draft import figure_label, in_a_sentence
from tasks.reproduce.papers.importing.imported import PDF
from tasks.reproduce.papers.load import load_paper, read_paper
from tasks.reproduce.papers.paper_files import MAX_TEXT_BYTES, taken

PLACE = "read"  # the folder beside figures/ and data/
PROPOSAL, MAX_PAGES = "proposal.json", 60


@dataclass(frozen=True)
class FigureRead:
    """A figure and what was read of it. reading: None where there is nothing to read it from, or why says so."""

    figure_id: str
    reading: Reading | None
    why: str = ""


def read_paper_figures(
    folder: Path, only: str, say: Callable[[str], None] = lambda line: None
) -> list[FigureRead]:
    """Read the figures of a paper's folder into read/<figure_id>/ of it. What was read before stays as it is.

    Drawn figures are read from the folder's paper.pdf, the others from their pictures. only: one figure's id.
    Raises InputError: no usable paper, no such figure.
    """
    paper, _ = load_paper(folder)
    wanted = [figure for figure in paper.figures if only in ("", figure.figure_id)]
    if not wanted:
        raise InputError(
            "no such figure",
            found=only or "a paper without figures",
            allowed=", ".join(figure.figure_id for figure in paper.figures) or "none",
        )
    left = [figure for figure in wanted if not (folder / PLACE / figure.figure_id).exists()]
    found = {one.figure_id: one for one in readings(folder, left, say)}
    for one in found.values():
        then = typed("papers", "figures", str(folder), "--take", f"{one.figure_id}-mended.json")
        keep_reading(one, folder / PLACE, then)
    return [
        found.get(figure.figure_id)
        or FigureRead(figure.figure_id, None, "was read before: remove its folder to read it again")
        for figure in wanted
    ]


def readings(
    folder: Path, figures: Sequence[PaperFigure], say: Callable[[str], None] = lambda line: None
) -> list[FigureRead]:
    """What can be read of these figures of a paper's folder. say: told of pages that cannot be read."""
    drawn = _drawn(folder, {figure.figure_id for figure in figures}, say) if figures else {}
    return [_read(folder, figure, drawn) for figure in figures]


def keep_reading(one: FigureRead, place: Path, then: str) -> None:
    """Write what was read of a figure, with its proposal, into a folder of its name. then: the command that takes what is mended."""
    if one.reading is not None:
        write_reading(one.reading, place / one.figure_id, then)
        atomic_write(place / one.figure_id / PROPOSAL, json.dumps(proposal_of(one.reading)))


def has_pdf(folder: Path) -> bool:
    """Whether the file that a paper was imported from lies in its folder."""
    return (folder / PDF).is_file() and not (folder / PDF).is_symlink()


def _drawn(folder: Path, wanted: set[str], say: Callable[[str], None]) -> dict[str, tuple[Page, list[Panel]]]:
    """Pages and panels by figure, of a paper's PDF whose figures are drawn; none without a PDF."""
    found: dict[str, tuple[Page, list[Panel]]] = {}
    certain: set[str] = set()
    if not has_pdf(folder):
        return found
    pdf = folder / PDF
    for number in range(1, MAX_PAGES + 1):
        try:
            page = read_page(pdf, number)
            panels = panels_of(page) if page.figures else []
        except InputError as error:
            if "does not have" in str(error):
                break
            say(f"page {number}: {error}")
            continue
        for caption, box in page.figures:
            name = figure_label(caption)
            if name is None or name not in wanted or box is None:
                continue
            if name in found and (in_a_sentence(caption) or name in certain):
                continue
            mine = [p for p in panels if _middle_in(p.frame.box, box)]
            if mine:
                found[name] = (page, mine)
                certain |= set() if in_a_sentence(caption) else {name}
    return found


def _middle_in(frame: tuple[float, ...], box: tuple[float, ...]) -> bool:
    x, y = (frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2
    return box[0] < x < box[2] and box[1] < y < box[3]


def _read(folder: Path, figure: PaperFigure, drawn: dict[str, tuple[Page, list[Panel]]]) -> FigureRead:
    name = figure.figure_id
    if name in drawn:
        page, panels = drawn[name]
        return FigureRead(name, reading_of(page, panels, f"{name} of the PDF"))
    if figure.image is None:
        return FigureRead(name, None, "has no picture, and is not drawn in the PDF")
    try:
        content = taken(folder, figure.image, 40_000_000)
        with tempfile.NamedTemporaryFile(suffix=Path(figure.image).suffix) as copy:
            copy.write(content)
            copy.flush()
            reading = read_figures(Path(copy.name))
        fields = reading.figures.model_copy(update={"source": figure.image})
        return FigureRead(name, replace(reading, figures=fields))
    except (ReproLabError, Unopened) as error:
        return FigureRead(name, None, str(error))


def take_mended(folder: Path, saved: Path) -> tuple[str, list[Taken]]:
    """Curves that a person saved on a figure's page, or its proposal as it is, into data/ and paper.json; the figure's id.

    Raises InputError: the file does not fit, belongs to no figure, or the paper would not be usable with it.
    """
    paper, _ = load_paper(folder)
    _own_json(folder)
    figure_id = _owner(folder, paper, saved)
    curves = curves_of(read_mended(saved, _digest(folder, figure_id)))
    put_curves(folder, figure_id, curves, "seen by a person")
    return figure_id, curves


def put_curves(folder: Path, figure_id: str, curves: Sequence[Taken], seen: str) -> None:
    """Curves into data/ and paper.json of a folder, in place of those put before. seen: by whom, for a reader.

    Raises InputError: the folder's paper has another form, or would not be usable with them.
    """
    raw = _own_json(folder)
    entries: list[dict[str, Any]] = []
    files: dict[str, str] = {}
    for number, curve in enumerate(curves, 1):
        file = f"data/{figure_id}-read-{number}.csv"
        files[file] = csv_of_taken(curve)
        named = f" {one_visible_line(curve.name, 200)!r}" if curve.name else ""
        entries.append({
            "file": file,
            "origin": "digitised",
            "source": f"read off {figure_id}, panel {curve.panel}, {'map' if curve.value_column else 'curve'} {number}{named}; {seen}"
            + (f"; {curve.what}, as an AI read the figure and a person took it" if curve.what else "")
            + ("; its error holds half the figure's error bars" if curve.bars is not None else ""),
            "relative_error_percent": float(f"{curve.relative_error_percent:.3g}"),
            "x_error": float(f"{curve.x_error:.3g}"),
        })  # fmt: skip
    _put(folder, raw, figure_id, files, entries)


def _own_json(folder: Path) -> dict[str, Any]:
    raw = parse_json(taken(folder, "paper.json", MAX_TEXT_BYTES).decode())
    if not isinstance(raw, dict) or "paper_id" not in raw or not isinstance(raw.get("figures"), list):
        raise InputError("this paper.json has another form", found=folder, allowed="ReproLab's own form")
    if any(
        "id" in figure and "figure_id" not in figure for figure in raw["figures"] if isinstance(figure, dict)
    ):
        raise InputError(
            "this paper.json is in the specification's form",
            found=folder,
            fix="add the files to digitized_data_paths by hand",
        )
    return raw


def _owner(folder: Path, paper: PaperInput, saved: Path) -> str:
    """The figure whose picture a saved file names."""
    try:
        named = str(json.loads(saved.read_bytes()[:20_000_000].decode("utf-8")).get("picture", ""))
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"{saved} is no JSON that the page saves", found=str(error)[:200]) from error
    for figure in paper.figures:
        if (folder / PLACE / figure.figure_id / PROPOSAL).is_file() and _digest(
            folder, figure.figure_id
        ) == named:
            return figure.figure_id
    raise InputError(
        f"{saved} belongs to no figure of {folder}",
        found=f"picture {re.sub('[^0-9a-f]', '', named)[:12] or 'none'}",
        fix=f"`{typed('papers', 'figures', str(folder))}` makes the pages; mend and save one of them",
    )


def _digest(folder: Path, figure_id: str) -> str:
    try:
        content = taken(folder, f"{PLACE}/{figure_id}/{PROPOSAL}", 20_000_000)
        return str(json.loads(content.decode("utf-8"))["picture"])
    except (Unopened, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{figure_id} was not read here", found=str(error)[:200], fix="read the figures first"
        ) from error


def _put(
    folder: Path, raw: dict[str, Any], figure_id: str, files: dict[str, str], entries: list[dict[str, Any]]
) -> None:
    """Write tables and paper.json; the old paper.json comes back where the paper would not be usable."""
    if (folder / "data").is_symlink():
        raise InputError("data is a link", found=folder / "data", fix="put a folder there")
    before = taken(folder, "paper.json", MAX_TEXT_BYTES)
    for figure in raw["figures"]:
        if figure.get("figure_id") == figure_id:
            ours = f"data/{figure_id}-read-"
            figure["data"] = [
                d for d in figure.get("data", []) if not str(d.get("file", "")).startswith(ours)
            ] + entries
    for old in (folder / "data").glob(f"{figure_id}-read-*.csv"):
        if f"data/{old.name}" not in files:
            old.unlink()
    for name, content in files.items():
        atomic_write(folder / name, content)
    atomic_write(folder / "paper.json", json.dumps(raw, indent=1, ensure_ascii=False) + "\n")
    problems = read_paper(folder).problems
    if problems:
        atomic_write(folder / "paper.json", before)
        raise InputError(
            "the paper would not be usable with these numbers", found="\n           ".join(problems[:5])
        )
