"""Figures as numbers at the command line: a page or a picture, and all figures of a paper's folder."""

from __future__ import annotations

from pathlib import Path

from flows.commands.gist import printable, short
from flows.terminal.console import show
from schemas.documents.digitised import ReadFigures
from schemas.errors import InputError
from schemas.run.pasted import typed
from tasks.digitise.mending.mending_page import crop_of, digest_of
from tasks.digitise.mending.taking import curves_of, read_mended
from tasks.digitise.reading import read_figures
from tasks.digitise.reading_files import COLUMNS, MAP_COLUMNS, csv_of, write_reading
from tasks.files.store import atomic_write
from tasks.reproduce.papers.read_figures import PLACE, PROPOSAL, read_paper_figures, take_mended


def digitise_page(file: Path, page: int, figure: str, out: Path | None) -> None:
    """Read a page's figures into a folder and say what was read. Raises InputError, also where nothing was read."""
    folder = _new(file, out)
    reading = read_figures(file, page, figure)
    saved = f"{folder.name[:60]}-mended.json"
    again = ("--page", str(page)) if page > 1 else ()
    named = ("--figure", figure) if figure else ()
    then = typed(
        "digitise", str(file), *again, *named, "--take", saved, "--out", f"{folder.name[:60]}-mended"
    )
    write_reading(reading, folder, then)
    if reading.figures.refused:
        raise InputError(
            f"no figure was read on page {page} of {file}",
            found=reading.figures.refused,
            fix=f"mark it by hand: open {folder}/mend.html in a browser",
        )
    show("\n".join(printable(short(line, 200)) for line in _told(reading.figures)))
    show(f"{folder}/overlay.png shows what was read over the page: look at it before you use a number")
    show(f"{folder}/mend.html mends it, in a browser")


def _new(file: Path, out: Path | None) -> Path:
    folder = out or Path(f"{file.stem}-digitised")
    if folder.exists():
        raise InputError("the folder exists already", found=folder, fix="give another one with --out")
    return folder


def _told(found: ReadFigures) -> list[str]:
    lines = []
    for panel in found.panels:
        lines.append(
            f"panel {panel.panel}: "
            + (
                f"refused, {panel.refused}"
                if panel.refused
                else f"{len(panel.curves)} curves{', a map' if panel.maps else ''}"
            )
        )
        lines += [
            f"  {axis.side} axis refused: {axis.refused}"
            for axis in panel.axes
            if axis.refused and not panel.refused
        ]
        lines += [
            f"  {curve.file}: {curve.name or curve.colour}, {curve.points} points, {curve.gaps} gaps"
            for curve in panel.curves
        ]
        lines += [
            f"  {found.file}: map of {found.name or 'no name'}, {found.columns} x {found.rows} points, "
            f"{100 * found.known:.0f} % with a value, error {found.value_error:.2g}"
            for found in panel.maps
        ]
        lines += [f"  not read: {words}" for words in panel.not_read]
    return lines


def take_page(file: Path, page: int, figure: str, out: Path | None, saved: Path) -> None:
    """Numbers of what a person saved on mend.html of this page. Raises InputError where it does not fit."""
    folder = _new(file, out)
    picture, _, _ = crop_of(read_figures(file, page, figure))
    curves = curves_of(read_mended(saved, digest_of(picture)))
    for number, curve in enumerate(curves, 1):
        what, rows, columns = (
            ("map", curve.rows[:, [0, 1, 4, 5]], MAP_COLUMNS)
            if curve.value_column
            else ("curve", curve.rows, COLUMNS)
        )
        path = atomic_write(folder / f"panel-{curve.panel}-{what}-{number}.csv", csv_of(rows, columns))
        show(printable(short(f"{path}: {curve.name or 'no name'}, {len(curve.rows)} points", 200)))


def read_folder(folder: Path, figure: str) -> None:
    """Read the figures of a paper's folder and say what a person does next."""
    for one in read_paper_figures(folder, figure, lambda line: show(printable(short(line, 200)))):
        place = folder / PLACE / one.figure_id
        if one.reading is None:
            show(printable(short(f"{one.figure_id}: not read, {one.why}", 300)))
            continue
        found = one.reading.figures
        curves = sum(len(panel.curves) for panel in found.panels)
        asked = [panel.refused for panel in found.panels if panel.refused] + [found.refused] * bool(
            found.refused
        )
        show(
            printable(
                short(
                    f"{one.figure_id}: {curves} curves" + (f"; asked: {'; '.join(asked)}" if asked else ""),
                    300,
                )
            )
        )
        show(f"  look at {place}/overlay.png; mend it in a browser: {place}/mend.html")
        if curves:
            show(
                f"  right as it is: {typed('papers', 'figures', str(folder), '--take', str(place / PROPOSAL))}"
            )


def take_into(folder: Path, saved: Path) -> None:
    """What a person saved becomes the figure's data in paper.json."""
    figure_id, curves = take_mended(folder, saved)
    for number, curve in enumerate(curves, 1):
        show(
            printable(short(
                f"{figure_id}: data/{figure_id}-read-{number}.csv, {curve.name or 'no name'}: {curve.x_column}, {curve.y_column}, "
                f"{len(curve.rows)} rows, error {curve.relative_error_percent:.2g} %, along {curve.x_error:.2g}", 300,
            ))
        )  # fmt: skip
