"""A PNG or JPEG as an array, with bounds on what it may claim; its ground and what is drawn on it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from schemas.errors import InputError
from tasks.documents.pictures import decoded

MAX_BYTES = 40_000_000
KINDS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG"}
_FAR = 60.0  # of 255, as a distance of colours: what differs from the ground
Colours = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Picture:
    """rgb: (rows, columns, 3), 0 to 255, the first row on top; ground: the colour that most of it has; soft: a JPEG."""

    rgb: Colours
    ground: NDArray[np.float32]
    soft: bool
    png: bytes

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.rgb.shape[0])

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.rgb.shape[1])

    def far(self, ground: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """How far each pixel's colour is from the ground, (rows, columns)."""
        return np.asarray(np.sqrt(((self.rgb - (self.ground if ground is None else ground)) ** 2).sum(2)))

    def ink(self) -> Mask:
        """What differs from the ground."""
        return np.asarray(self.far() > _FAR)


def is_picture(head: bytes) -> bool:
    """Whether a file begins as a PNG or JPEG does."""
    return any(head.startswith(start) for start in KINDS)


def read_picture(path: Path) -> Picture:
    """A picture. Raises InputError: too large, damaged, another kind, or one that claims more pixels than it may."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise InputError(f"{path.name} is too large", found=f"{size} bytes", allowed=f"{MAX_BYTES} bytes")
    return picture_of(path.read_bytes(), path.name)


def picture_of(content: bytes, name: str) -> Picture:
    """As `read_picture`, from bytes."""
    kind = next((kind for start, kind in KINDS.items() if content.startswith(start)), "")
    if not kind:
        raise InputError("this is no picture that is read", found=name, allowed="PNG or JPEG")
    plain = decoded(content, kind, name)
    rgb = np.asarray(plain, dtype=np.float32)
    coarse = (rgb.astype(np.int32) // 8 * 8 + 4).reshape(-1, 3)
    codes = coarse[:, 0] << 16 | coarse[:, 1] << 8 | coarse[:, 2]
    most = np.bincount(codes >> 3, minlength=1).argmax()
    near = rgb.reshape(-1, 3)[codes >> 3 == most]
    out = io.BytesIO()
    Image.fromarray(plain).save(out, "PNG")
    return Picture(rgb, np.median(near, axis=0).astype(np.float32), kind == "JPEG", out.getvalue())
