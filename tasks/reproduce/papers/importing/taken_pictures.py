"""Pictures that come with an imported file: taken without following links, known by their content, made PNG or JPEG."""

from __future__ import annotations

import io
import os
import stat
import warnings
from pathlib import Path
from urllib.parse import unquote

from PIL import Image

from tasks.reproduce.papers.paper_files import MAX_IMAGE_BYTES, MAX_PIXELS, UNREADABLE

_KEPT = {"PNG": ".png", "JPEG": ".jpg"}
_CONVERTED = ("GIF", "BMP", "TIFF", "WEBP")


class PictureRefused(ValueError):
    """A picture was not taken; the text says why."""


def local_picture(folder: Path, source: str) -> tuple[bytes, str]:
    """Bytes and suffix of the picture that `source` (a link of the file) names below `folder`. Raises PictureRefused."""
    if len(source) > 2000:
        raise PictureRefused("its path is too long")
    parts = unquote(source.partition("#")[0].partition("?")[0]).replace("\\", "/").split("/")
    if parts[0] == "":
        raise PictureRefused("its path is absolute; only files below the imported file's folder are taken")
    if ".." in parts:
        raise PictureRefused("its path leaves the imported file's folder")
    return checked_picture(_read_beneath(folder, [part for part in parts if part not in ("", ".")]))


def checked_picture(data: bytes) -> tuple[bytes, str]:
    """The picture as PNG or JPEG bytes and its suffix, known by its content. Raises PictureRefused."""
    if len(data) > MAX_IMAGE_BYTES:
        raise PictureRefused(f"it has {len(data)} bytes; at most {MAX_IMAGE_BYTES}")
    if data.lstrip()[:5].lower() in (b"<?xml", b"<svg ", b"<svg>", b"<!doc", b"<html"):
        raise PictureRefused("it is SVG or HTML, which is not read; save it as PNG")
    if data[:5] == b"%PDF-":
        raise PictureRefused("it is a PDF; save the figure as PNG")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=(*_KEPT, *_CONVERTED)) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise PictureRefused(
                        f"it has {image.width} x {image.height} pixels; at most {MAX_PIXELS} in all"
                    )
                if image.format in _KEPT:
                    suffix = _KEPT[image.format]
                    image.load()
                    return data, suffix
                return png(image), ".png"
    except PictureRefused:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureRefused(f"it has too many pixels; at most {MAX_PIXELS} are read") from error
    except (*UNREADABLE, MemoryError) as error:
        raise PictureRefused(
            f"it cannot be read as PNG, JPEG, {', '.join(_CONVERTED)} ({type(error).__name__}); save it "
            "as PNG"
        ) from error


def png(image: Image.Image) -> bytes:
    """A picture (its first frame) as PNG on white."""
    rgba = image.convert("RGBA")
    flat = Image.new("RGB", rgba.size, "white")
    flat.paste(rgba, mask=rgba.getchannel("A"))
    out = io.BytesIO()
    flat.save(out, "PNG", optimize=True)
    return out.getvalue()


def _read_beneath(folder: Path, parts: list[str]) -> bytes:
    """Bytes of a regular file below `folder`; no link is followed on the way."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for number, part in enumerate(parts):
                more = 0 if number == len(parts) - 1 else os.O_DIRECTORY
                inner = os.open(part, flags | more, dir_fd=handle)
                os.close(handle)
                handle = inner
            status = os.fstat(handle)
            if not parts or not stat.S_ISREG(status.st_mode):
                raise PictureRefused("it is no regular file")
            if status.st_size > MAX_IMAGE_BYTES:
                raise PictureRefused(f"it has {status.st_size} bytes; at most {MAX_IMAGE_BYTES}")
            with os.fdopen(os.dup(handle), "rb") as stream:
                return stream.read(MAX_IMAGE_BYTES + 1)
        finally:
            os.close(handle)
    except FileNotFoundError as error:
        raise PictureRefused("there is no such file") from error
    except (OSError, ValueError) as error:
        if isinstance(error, PictureRefused):
            raise
        raise PictureRefused(
            "it cannot be opened without following a link, or has a name no file can have"
        ) from error
