"""Pictures are decoded in the sandbox: right, refused with a reason, and with an error of their own where they are JPEGs."""

from __future__ import annotations

import io
import shutil
import struct
import zlib
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image

from schemas.errors import InputError
from tasks.digitise.raster import picture
from tasks.digitise.reading import read_figures
from tasks.documents import pictures

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

pytestmark = pytest.mark.sim
_RNG = np.random.default_rng(1)


def _saved(image: Image.Image, kind: str, **how: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


def _bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "1"])
def test_pixels_are_those_of_the_picture(mode: str) -> None:
    image = Image.fromarray(_RNG.integers(0, 255, (70, 90, 3), np.uint8)).convert(mode)
    content = _saved(image, "PNG")
    assert (pictures.decoded(content, "PNG", "a.png") == np.asarray(image.convert("RGB"))).all()


def test_transparent_parts_are_white() -> None:
    image = Image.new("RGBA", (80, 80), (255, 0, 0, 0))
    assert (pictures.decoded(_saved(image, "PNG"), "PNG", "a.png") == 255).all()


@pytest.mark.attack("paper folder", "refused with its reason, decoded in the sandbox only")
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (_bomb(60_000, 60_000), "too many pixels"),
        (_bomb(5_001, 5_000), "too many pixels"),
        (_bomb(4_000, 4_000), "damaged"),
        (_saved(Image.new("RGB", (20, 20)), "PNG"), "too small"),
        (_saved(Image.new("RGB", (200, 200)), "PNG")[:90], "damaged"),
        (b"\xff\xd8\xff" + bytes(200), "damaged"),
    ],
)
def test_hostile_pictures(content: bytes, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("decoded in our process"))
    with pytest.raises(InputError, match=words):
        picture.picture_of(content, "a picture")


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
def test_a_jpeg_has_an_error_of_its_own(tmp_path: Path) -> None:
    with plt.rc_context():
        matplotlib.rcdefaults()
        figure, axes = plt.subplots()
        axes.plot(np.linspace(0, 4, 60), np.linspace(0, 4, 60) ** 2, lw=2)
        figure.savefig(tmp_path / "a.png", dpi=150)
        plt.close(figure)
    Image.open(tmp_path / "a.png").convert("RGB").save(tmp_path / "a.jpg", quality=95)
    errors = []
    for name in ("a.png", "a.jpg"):
        reading = read_figures(tmp_path / name)
        (panel,) = reading.figures.panels
        (curve,) = panel.curves
        rows = reading.tables[curve.file]
        pixel = abs(next(a.scale.slope for a in panel.axes if a.side == "bottom" and a.scale))
        errors.append(np.nanmedian(rows[:, 2]) / pixel)
    assert 0.4 < errors[1] - errors[0] < 0.8
