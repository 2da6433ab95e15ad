"""Pictures as content blocks: checked, downsized, re-encoded. A picture that cannot be read becomes a sentence."""

from __future__ import annotations

import base64
import hashlib
import io
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from agents.models.wire import fenced
from schemas.talking.transcript import RequestImage

LONG_EDGE_PX = 1568  # larger ones are scaled down by the server anyway
MAX_FILE_BYTES = 50_000_000
MAX_PIXELS = 100_000_000
MAX_ENCODED_BYTES = 3_700_000  # 5 MB once base64-encoded


def image_blocks(image: RequestImage) -> tuple[list[dict[str, Any]], str | None]:
    """Content blocks for one picture (its caption as data, then the picture) and a note if it could not be shown."""
    caption = {"type": "text", "text": fenced("picture", image.caption)}
    try:
        data, media_type = encode(image)
    except (
        OSError,
        ValueError,
        SyntaxError,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as error:
        note = f"picture {Path(image.path).name} could not be shown: {error}"
        return [{"type": "text", "text": fenced("picture", f"{image.caption} ({note})")}], note
    source = {"type": "base64", "media_type": media_type, "data": base64.b64encode(data).decode("ascii")}
    return [caption, {"type": "image", "source": source}], None


def encode(image: RequestImage) -> tuple[bytes, str]:
    """The picture as PNG or JPEG bytes, at most LONG_EDGE_PX on its long edge, with its media type.

    Re-encoding drops metadata and anything hidden behind it. Raises ValueError or OSError if it is unreadable, too
    large, neither PNG nor JPEG, or not the file that was recorded.
    """
    found = Path(image.path).stat()
    if found.st_size > MAX_FILE_BYTES:
        raise ValueError(f"{found.st_size} bytes, at most {MAX_FILE_BYTES} are read")
    return _encoded(image.path, image.sha256, (found.st_ino, found.st_size, found.st_mtime_ns))


@lru_cache(maxsize=32)  # each turn of a conversation shows the pictures of all turns before it
def _encoded(path: str, sha256: str, _file: tuple[int, int, int]) -> tuple[bytes, str]:
    content = Path(path).read_bytes()
    if sha256 and hashlib.sha256(content).hexdigest() != sha256:
        raise ValueError("the file changed since the request was made")
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as opened:
            if opened.width * opened.height > MAX_PIXELS:
                raise ValueError(f"{opened.width} x {opened.height} pixels are too many")
            photo = opened.format == "JPEG"
            picture = _on_white(opened)
    picture.thumbnail((LONG_EDGE_PX, LONG_EDGE_PX), Image.Resampling.LANCZOS)
    data = b"" if photo else _save(picture, "PNG", optimize=True)
    if photo or len(data) > MAX_ENCODED_BYTES:
        return _save(picture, "JPEG", quality=90), "image/jpeg"
    return data, "image/png"


def _on_white(opened: Image.Image) -> Image.Image:
    """RGB; transparent parts turn white, as on paper."""
    if opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info:
        layers = opened.convert("RGBA")
        paper = Image.new("RGBA", layers.size, "white")
        return Image.alpha_composite(paper, layers).convert("RGB")
    if opened.mode.startswith("I"):  # 16 bit grey
        return opened.point(lambda value: value / 257).convert("L").convert("RGB")
    return opened.convert("RGB")


def _save(picture: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format=kind, **options)
    return buffer.getvalue()
