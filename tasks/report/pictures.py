"""Pictures for embedding: opened with suspicion, shrunk, and encoded anew."""

from __future__ import annotations

import io
from pathlib import Path
from urllib.parse import quote

from PIL import Image

from tasks.report.document import Picture
from tasks.report.files import inside, relative_link

MAX_SIDE_PX = 1400
MAX_FILE_BYTES = 40_000_000
MAX_PIXELS = 60_000_000
# Above this a PNG is tried as JPEG: scanned figures and photographs, not line plots.
LARGE_PNG_BYTES = 400_000


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
        data, media_type = _encode(path)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        return Picture(caption, missing=f"The picture {relative!r} cannot be read as PNG or JPEG: {error}")
    if copy_to:
        copy_to += ".jpg" if media_type == "image/jpeg" else ".png"
    return Picture(
        caption,
        data=data,
        media_type=media_type,
        copy_to=copy_to,
        href=quote(copy_to) if copy_to else relative_link(root, path),
    )


def _encode(path: Path) -> tuple[bytes, str]:
    with Image.open(path, formats=("PNG", "JPEG")) as opened:
        if opened.width * opened.height > MAX_PIXELS:
            raise ValueError(f"{opened.width} x {opened.height} pixels; at most {MAX_PIXELS} are allowed")
        image = opened.convert("RGBA")
    if max(image.size) > MAX_SIDE_PX:
        image.thumbnail((MAX_SIDE_PX, MAX_SIDE_PX), Image.Resampling.LANCZOS)
    flat = Image.new("RGB", image.size, "white")
    flat.paste(image, mask=image.getchannel("A"))
    png = _bytes(flat, "PNG", optimize=True)
    if len(png) > LARGE_PNG_BYTES:
        jpeg = _bytes(flat, "JPEG", quality=88)
        if len(jpeg) < len(png) / 2:
            return jpeg, "image/jpeg"
    return png, "image/png"


def _bytes(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()
