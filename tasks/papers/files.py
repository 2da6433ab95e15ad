"""Pictures and tables that a paper names: inside its folder, of the right kind, not too large."""

from __future__ import annotations

import warnings
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from schemas.errors import InputError
from schemas.paper import PaperInput
from tasks.materials.tables import read_nk_table
from tasks.tables import read_table

MAX_TEXT_BYTES, MAX_IMAGE_BYTES = 4_000_000, 40_000_000
MAX_PIXELS = 60_000_000
UNREADABLE = (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError,
              Image.DecompressionBombWarning)


def inside(folder: Path, name: str) -> Path | None:
    """The path of a paper's file, or None if it would leave the paper's folder (or no file can have the name)."""
    try:
        path = (folder / name).resolve()
        return path if path.is_relative_to(folder.resolve()) else None
    except (OSError, ValueError, RuntimeError):
        return None


def regular_file(folder: Path, name: str) -> Path | None:
    """The path of an existing regular file inside the folder, or None."""
    path = inside(folder, name)
    try:
        return path if path is not None and path.is_file() else None
    except OSError:  # a name too long for the file system
        return None


def shown(name: str) -> str:
    """A name as an error quotes it."""
    return repr(name if len(name) <= 120 else name[:117] + "...")


def picture_size(path: Path) -> tuple[str, int, int]:
    """Format (PNG or JPEG), width and height of a picture, verified. Raises ValueError with the reason."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise ValueError(f"has {image.width} x {image.height} pixels; make it smaller")
                if image.format not in ("PNG", "JPEG"):
                    raise ValueError(f"is {image.format}; allowed: PNG, JPEG")
                found = (image.format, image.width, image.height)
                image.verify()
                return found
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError(f"has too many pixels ({error}); make it smaller") from error
    except ValueError as error:
        if str(error).startswith(("has ", "is ")):
            raise
        raise ValueError(f"cannot be read ({error}); save it again as PNG") from error
    except UNREADABLE as error:
        raise ValueError(f"cannot be read ({error}); save it again as PNG") from error


def image_problems(folder: Path, name: str) -> list[str]:
    """What is wrong with a figure's picture."""
    path = regular_file(folder, name)
    if path is None:
        remote = "; download it first" if "://" in name else ""
        return [f"figure image {shown(name)} is not a file in {folder}; give a path inside the folder{remote}"]
    if path.stat().st_size > MAX_IMAGE_BYTES:
        return [f"figure image {shown(name)} has {path.stat().st_size} bytes; at most {MAX_IMAGE_BYTES}: make it smaller"]
    try:
        picture_size(path)
    except ValueError as error:
        return [f"figure image {shown(name)} {error}"]
    return []


def data_problems(folder: Path, name: str) -> list[str]:
    """What is wrong with a figure's table."""
    path = regular_file(folder, name)
    if path is None:
        return [f"data file {shown(name)} is not a file in {folder}; give a path inside the folder"]
    try:
        read_table(path)
    except ValueError as error:
        return [f"data file {shown(name)}: {error}"]
    return []


def material_problems(folder: Path, name: str) -> list[str]:
    """What is wrong with a table of optical constants."""
    path = regular_file(folder, name)
    if path is None:
        return [f"table of optical constants {shown(name)} is not a file in {folder}; give a path inside the folder"]
    try:
        read_nk_table(path, name)
    except InputError as error:
        return [" ".join(error.text().split())]
    return []


def data_columns(paper: PaperInput, folder: Path) -> dict[str, tuple[str, ...]]:
    """Column names of every data file of the paper."""
    return {data.file: tuple(read_table(folder / data.file).columns) for figure in paper.figures for data in figure.data}
