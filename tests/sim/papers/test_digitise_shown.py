"""What a person sees of a reading: the overlay holds labels, titles and factors; what was not compared with the page is said."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image

from tasks.digitise import agreement
from tasks.digitise.mending.mending_page import seen_axes
from tasks.digitise.overlay import overlay_of
from tasks.digitise.reading import Reading, read_figures

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

pytestmark = pytest.mark.sim
COLOURS = {"label": (0, 160, 0), "title": (200, 0, 200), "factor": (255, 120, 0)}


@pytest.fixture(autouse=True)
def _as_matplotlib_draws_by_itself() -> Iterator[None]:
    with plt.rc_context():
        matplotlib.rcdefaults()
        yield


def _read(path: Path, pad: float) -> Reading:
    figure = plt.figure(figsize=(8, 8))
    axes = figure.add_axes((0.35, 0.35, 0.3, 0.3))
    axes.plot(np.linspace(0, 4, 50), 1e-7 * np.linspace(0, 4, 50) ** 2)
    axes.tick_params(axis="both", labelcolor=tuple(c / 255 for c in COLOURS["label"]), pad=pad)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_label_text("A title", color=tuple(c / 255 for c in COLOURS["title"]))
        axis.get_offset_text().set_color(tuple(c / 255 for c in COLOURS["factor"]))
    figure.savefig(path, dpi=150)
    plt.close(figure)
    return read_figures(path)


def _count(picture: Image.Image, colour: tuple[int, int, int], pale: float) -> float:
    """The area of a colour, in square points."""
    shown = np.array(colour) * (1 - pale) + 255 * pale
    rgb = np.asarray(picture.convert("RGB"), float)
    return float((np.sqrt(((rgb - shown) ** 2).sum(2)) < 25).sum())


@pytest.mark.parametrize("pad", [3.5, 18])
def test_labels_titles_and_factors_are_on_the_overlay(tmp_path: Path, pad: float) -> None:
    reading = _read(tmp_path / "a.pdf", pad)
    whole = Image.open(io.BytesIO(reading.page.picture))
    shown = Image.open(io.BytesIO(overlay_of(reading)))
    for what, colour in COLOURS.items():
        zoom = 4 if max(whole.size) < 1800 else 1
        assert _count(shown, colour, 0.55) > 0.5 * zoom * _count(whole, colour, 0.0) > 20, what


def test_without_tesseract_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "tesseract", lambda: "")
    reading = _read(tmp_path / "a.pdf", 3.5)
    axes = reading.figures.panels[0].axes
    assert len(axes) == 2 and all(axis.scale and "tesseract" in axis.not_compared for axis in axes)
    assert all("tesseract" in axis["not_compared"] for axis in seen_axes(reading))


@pytest.mark.skipif(not agreement.tesseract(), reason="tesseract is not installed")
def test_with_tesseract_nothing_is_said(tmp_path: Path) -> None:
    axes = _read(tmp_path / "a.pdf", 3.5).figures.panels[0].axes
    assert [axis.not_compared for axis in axes] == ["", ""]
