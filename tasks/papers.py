"""Reading papers: a bundled one by id, a folder (paper.json, paper.md, figures/, data/), or one JSON file."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image, UnidentifiedImageError
from pydantic import ValidationError

from schemas.errors import InputError
from schemas.paper import PaperInput
from tasks.materials.tables import read_nk_table
from tasks.tables import read_table

BUNDLED = Path(__file__).resolve().parent.parent / "papers"
_MAX_TEXT_BYTES, _MAX_IMAGE_BYTES, _MAX_DATA_BYTES = 4_000_000, 40_000_000, 20_000_000
_MAX_PIXELS = 60_000_000


def bundled_ids() -> tuple[str, ...]:
    """The ids of the bundled papers."""
    return tuple(sorted(path.parent.name for path in BUNDLED.glob("*/paper.json")))


def locate(paper: str) -> Path:
    """The folder or file a user means: a bundled id, or a path."""
    if paper in bundled_ids():
        return BUNDLED / paper
    path = Path(paper).expanduser()
    if not path.exists():
        raise InputError("no such paper", found=paper, allowed="a bundled id (" + ", ".join(bundled_ids())
                         + "), a folder with paper.json and paper.md, or a JSON file",
                         fix="`reprolab papers` lists the bundled ones; `reprolab papers new FOLDER` makes a folder to fill")
    return path.resolve()


def load_paper(location: Path) -> tuple[PaperInput, Path]:
    """The paper and the folder its files are in. Raises InputError listing every problem with its fix."""
    paper, folder, problems = _read(location)
    if problems or paper is None:
        raise InputError(f"the paper at {location} cannot be used", found="\n           ".join(problems),
                         fix=f"mend these, then `reprolab papers check {location}`")
    return paper, folder


def check_paper(location: Path) -> tuple[str, ...]:
    """Everything wrong with a paper, each with how to mend it; empty when it is ready."""
    return tuple(_read(location)[2])


def _read(location: Path) -> tuple[PaperInput | None, Path, list[str]]:
    folder = location if location.is_dir() else location.parent
    source = location / "paper.json" if location.is_dir() else location
    if not source.is_file():
        return None, folder, [f"{source} is missing; write it as docs/papers.md shows (`reprolab papers new` makes one)"]
    if source.stat().st_size > _MAX_TEXT_BYTES:
        return None, folder, [f"{source} has {source.stat().st_size} bytes; at most {_MAX_TEXT_BYTES} are read"]
    try:
        raw = json.loads(source.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValueError) as error:
        return None, folder, [f"{source} is not JSON: {error}"]
    if not isinstance(raw, dict):
        return None, folder, [f"{source} must hold one JSON object; found {type(raw).__name__}"]
    problems: list[str] = []
    if "text" not in raw:
        text = folder / "paper.md"
        if not text.is_file() or text.stat().st_size == 0:
            problems.append(f"{text} is missing or empty; put the paper's text there as Markdown")
        elif text.stat().st_size > _MAX_TEXT_BYTES:
            problems.append(f"{text} has {text.stat().st_size} bytes; at most {_MAX_TEXT_BYTES} are read")
        else:
            raw["text"] = text.read_text(encoding="utf-8", errors="replace")
    paper: PaperInput | None = None
    try:
        paper = PaperInput.model_validate(raw)
    except ValidationError as error:
        for item in error.errors():
            where = ".".join(str(part) for part in item["loc"]) or "paper"
            if where == "text" and problems:
                continue
            found = "" if item["type"] == "missing" else f"; found {str(item.get('input'))[:60]!r}"
            problems.append(f"{where}: {item['msg']}{found}")
    if paper is not None:
        for figure in paper.figures:
            if figure.image:
                problems += _image_problems(folder, figure.image)
            for data in figure.data:
                problems += _data_problems(folder, data.file)
        for material in paper.materials:
            problems += _material_problems(folder, material.file)
    return paper, folder, problems


def inside(folder: Path, name: str) -> Path | None:
    """The path of a paper's file, or None if it would leave the paper's folder."""
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder.resolve()) else None


def _image_problems(folder: Path, name: str) -> list[str]:
    path = inside(folder, name)
    if path is None or not path.is_file():
        return [f"figure image {name!r} is not a file in {folder}; give a path inside the folder"]
    if path.stat().st_size > _MAX_IMAGE_BYTES:
        return [f"figure image {name!r} has {path.stat().st_size} bytes; at most {_MAX_IMAGE_BYTES}: make it smaller"]
    try:
        with Image.open(path) as image:
            if image.width * image.height > _MAX_PIXELS:
                return [f"figure image {name!r} has {image.width} x {image.height} pixels; make it smaller"]
            if image.format not in ("PNG", "JPEG"):
                return [f"figure image {name!r} is {image.format}; allowed: PNG, JPEG"]
            image.verify()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        return [f"figure image {name!r} cannot be read ({error}); save it again as PNG"]
    return []


def _data_problems(folder: Path, name: str) -> list[str]:
    path = inside(folder, name)
    if path is None or not path.is_file():
        return [f"data file {name!r} is not a file in {folder}; give a path inside the folder"]
    if path.stat().st_size > _MAX_DATA_BYTES:
        return [f"data file {name!r} has {path.stat().st_size} bytes; at most {_MAX_DATA_BYTES}"]
    try:
        read_table(path)
    except ValueError as error:
        return [f"data file {name!r}: {error}"]
    return []


def _material_problems(folder: Path, name: str) -> list[str]:
    path = inside(folder, name)
    if path is None or not path.is_file():
        return [f"table of optical constants {name!r} is not a file in {folder}; give a path inside the folder"]
    try:
        read_nk_table(path, name)
    except InputError as error:
        return [" ".join(error.text().split())]
    return []


def data_columns(paper: PaperInput, folder: Path) -> dict[str, tuple[str, ...]]:
    """Column names of every data file of the paper."""
    return {data.file: tuple(read_table(folder / data.file).columns) for figure in paper.figures for data in figure.data}
