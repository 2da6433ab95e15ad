"""Pictures for embedding: opened with suspicion, shrunk, and encoded anew."""

from __future__ import annotations

import io
from pathlib import Path
from urllib.parse import quote

from PIL import Image, features

from tasks.reproduce.report.document import Picture
from tasks.reproduce.report.report_files import inside, relative_link

MAX_SIDE_PX = 1400
MAX_FILE_BYTES = 40_000_000
MAX_PIXELS = 60_000_000
# Above this a lossy form is tried: scanned figures and photographs, not line plots.
LARGE_BYTES = 150_000


def load_picture(
    root: Path, relative: str | None, caption: str, *, copy_to: str = "", absent: str = ""
) -> Picture:
    """The PNG or JPEG file `relative` below `root` as a Picture, at most MAX_SIDE_PX wide and high.

    copy_to: path without suffix below the run's directory for files that lie elsewhere; the suffix is added.
    absent: what to say when no file is named. A file that cannot be shown gives a Picture that says why.
    """
    if not relative:
        return Picture(caption, missing=absent or "No picture was recorded.")
    path = inside(root, relative)
    if path is None:
        return Picture(caption, missing=f"The picture {relative!r} is not in its directory.")
    if path.stat().st_size > MAX_FILE_BYTES:
        return Picture(
            caption, missing=f"The picture {relative!r} is larger than {MAX_FILE_BYTES // 10**6} MB."
        )
    try:
        flat = _flat(path)
        data, media_type = _encoded(flat)
        original = _bytes(flat, "PNG") if copy_to else b""
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        return Picture(caption, missing=f"The picture {relative!r} cannot be read as PNG or JPEG: {error}")
    if copy_to:
        copy_to += ".png"
    return Picture(
        caption,
        data=data,
        media_type=media_type,
        original=original,
        copy_to=copy_to,
        href=quote(copy_to) if copy_to else relative_link(root, path),
    )


def _flat(path: Path) -> Image.Image:
    """The picture on white, at most MAX_SIDE_PX wide and high."""
    with Image.open(path, formats=("PNG", "JPEG")) as opened:
        if opened.width * opened.height > MAX_PIXELS:
            raise ValueError(f"{opened.width} x {opened.height} pixels; at most {MAX_PIXELS} are allowed")
        image = opened.convert("RGBA")
    if max(image.size) > MAX_SIDE_PX:
        image.thumbnail((MAX_SIDE_PX, MAX_SIDE_PX), Image.Resampling.LANCZOS)
    flat = Image.new("RGB", image.size, "white")
    flat.paste(image, mask=image.getchannel("A"))
    return flat


def _encoded(flat: Image.Image) -> tuple[bytes, str]:
    """The picture encoded anew for embedding, and its media type."""
    if not features.check("webp"):
        return _bytes(flat, "PNG", optimize=True), "image/png"
    found = _bytes(flat, "WEBP", lossless=True, method=2)
    if len(found) > LARGE_BYTES:  # the lossy form blurs thin lines: only where it saves most of the size
        found = min(found, _bytes(flat, "WEBP", quality=85, method=2), key=len)
    return found, "image/webp"


def _bytes(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()
