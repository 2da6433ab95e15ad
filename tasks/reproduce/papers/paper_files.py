"""Files of a paper's folder: every one comes through one door, `taken`; then it must be of the right kind."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, UnidentifiedImageError
from pydantic import ValidationError

from schemas.errors import InputError
from schemas.reading.beneath import Unopened, parts_of, read_below
from schemas.reproduce.handed_pattern import MAX_BYTES, PaperPattern, PatternFile
from schemas.reproduce.paper import PaperInput
from schemas.text.visible import visible
from tasks.files.tables import PAPER, read_table
from tasks.reproduce.papers.bundled_papers import BUNDLED

if TYPE_CHECKING:
    from tasks.reproduce.patterns.pattern_files import HandedPattern

MAX_TEXT_BYTES, MAX_IMAGE_BYTES = 4_000_000, 40_000_000
MAX_PIXELS = 60_000_000
FORMATS = ("PNG", "JPEG")
UNREADABLE = (
    UnidentifiedImageError,
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)


def taken(folder: Path, name: str, max_bytes: int) -> bytes:
    """The bytes of a file of a paper's folder: no link followed, a regular file with one name, limited. Raises Unopened.

    The bundled papers may have several names: installers link packages out of a cache.
    """
    return read_below(folder, name, max_bytes, one_name=not folder.resolve().is_relative_to(BUNDLED))


def inside(folder: Path, name: str) -> Path | None:
    """The path of a paper's file, or None if it leaves the folder, leads through a link, or no file can have the name."""
    try:
        path = folder.resolve()
        for part in parts_of(name):
            path = path / part
            if path.is_symlink():
                return None
        return path
    except (OSError, ValueError, RuntimeError):
        return None


def shown(name: str) -> str:
    """A name as an error quotes it."""
    return ascii(name) if not name.isprintable() else repr(name if len(name) <= 120 else name[:117] + "...")


def picture_size(source: Path | bytes) -> tuple[str, int, int]:
    """Format (PNG or JPEG), width and height of a picture, verified. Raises ValueError with the reason."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(
                io.BytesIO(source) if isinstance(source, bytes) else source, formats=FORMATS
            ) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise ValueError(f"has {image.width} x {image.height} pixels; make it smaller")
                found = (str(image.format), image.width, image.height)
                image.verify()
                return found
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError(f"has too many pixels ({error}); make it smaller") from error
    except UnidentifiedImageError as error:
        raise ValueError(f"cannot be read; allowed: {', '.join(FORMATS)}; save it again as PNG") from error
    except ValueError as error:
        if str(error).startswith("has "):
            raise
        raise ValueError(f"cannot be read ({visible(str(error), 200)}); save it again as PNG") from error
    except UNREADABLE as error:
        raise ValueError(f"cannot be read ({visible(str(error), 200)}); save it again as PNG") from error


def image_problems(folder: Path, name: str) -> list[str]:
    """What is wrong with a figure's picture."""
    try:
        picture_size(taken(folder, name, MAX_IMAGE_BYTES))
    except Unopened as error:
        remote = "; download it first" if "://" in name else ""
        return [f"figure image {shown(name)} is not a file in {folder}: it {error}{remote}"]
    except ValueError as error:
        return [f"figure image {shown(name)} {error}"]
    return []


def data_problems(folder: Path, name: str) -> list[str]:
    """What is wrong with a figure's table."""
    try:
        read_table(taken(folder, name, PAPER.bytes))
    except Unopened as error:
        return [f"data file {shown(name)} is not a file in {folder}: it {error}"]
    except ValueError as error:
        return [f"data file {shown(name)}: {visible(str(error), 500)}"]
    return []


def material_problems(folder: Path, name: str) -> list[str]:
    """What is wrong with a table of optical constants."""
    from tasks.reproduce.materials.handed_tables import LIMITS, read_nk_table  # takes a second to import

    try:
        read_nk_table(taken(folder, name, LIMITS.bytes), name)
    except Unopened as error:
        return [f"table of optical constants {shown(name)} is not a file in {folder}: it {error}"]
    except InputError as error:
        return [" ".join(visible(error.text(), 2000).split())]
    return []


def pattern_problems(folder: Path, name: str, declared: dict[str, Any]) -> list[str]:
    """What is wrong with a file that draws a pattern; of one whose declaration does not fit only whether it is there."""
    try:
        try:
            paper_pattern(folder, PaperPattern.model_validate(declared))
        except ValidationError:  # which the paper's own says
            taken(folder, name, MAX_BYTES)
    except Unopened as error:
        return [f"pattern {shown(name)} is not a file in {folder}: it {error}"]
    except InputError as error:
        return [" ".join(visible(error.text(), 2000).split())]
    return []


def paper_pattern(folder: Path, pattern: PaperPattern, allow_degraded: bool = False) -> HandedPattern:
    """A pattern of the paper, read from its folder. Raises Unopened, InputError."""
    from tasks.reproduce.patterns.pattern_files import read_pattern  # its readers are slow to import

    declared = PatternFile.model_validate(pattern.model_dump(exclude={"name", "source"}))
    return read_pattern(pattern.name, declared, taken(folder, pattern.file, MAX_BYTES), allow_degraded)


def data_columns(paper: PaperInput, folder: Path) -> dict[str, tuple[str, ...]]:
    """Column names of every data file of the paper."""
    return {
        data.file: tuple(read_table(taken(folder, data.file, PAPER.bytes)).columns)
        for figure in paper.figures
        for data in figure.data
    }
