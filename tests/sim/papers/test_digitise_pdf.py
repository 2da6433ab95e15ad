"""Drawn figures read in the sandbox: curves within their errors, factors, and files that are refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from schemas.errors import InputError
from tasks.digitise.mending.mending_page import proposal_of
from tasks.digitise.raster.recognised import tesseract
from tasks.digitise.reading import read_figures
from tasks.digitise.reading_files import write_reading

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

pytestmark = pytest.mark.sim


@pytest.fixture(autouse=True)
def _as_matplotlib_draws_by_itself() -> Iterator[None]:
    """Whatever other tests of this process have set."""
    with plt.rc_context():
        matplotlib.rcdefaults()
        yield


def test_curves_lie_within_their_errors(tmp_path: Path) -> None:
    x = np.linspace(-2e-6, 2e-6, 101)
    figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3), layout="constrained")
    left.plot(x, np.sin(2e6 * x), label="sine")
    left.plot(x, np.cos(2e6 * x), "--", label="cosine")
    left.legend(loc="upper left")
    right.semilogy(x * 1e6, 10 ** (1e6 * x), color="k")
    right.set_ylim(5e-3, 200)
    figure.savefig(tmp_path / "a.pdf")
    plt.close(figure)
    reading = read_figures(tmp_path / "a.pdf")
    first, second = reading.figures.panels
    assert not first.refused and not second.refused
    assert [curve.name for curve in first.curves] == ["sine", "cosine"]
    for panel, exact in (
        (first, [lambda v: np.sin(2e6 * v), lambda v: np.cos(2e6 * v)]),
        (second, [lambda v: 10**v]),
    ):
        for curve, f in zip(panel.curves, exact, strict=True):
            rows = reading.tables[curve.file]
            rows = rows[~np.isnan(rows[:, 0])]
            assert np.mean(np.abs(rows[:, 1] - f(rows[:, 0])) <= rows[:, 3] + 1e-9) > 0.95
    written = write_reading(reading, tmp_path / "out")
    assert {path.name for path in written} >= {"figures.json", "overlay.png", "panel-1-curve-1.csv"}


def test_axes_of_words_and_two_unlabelled_y_axes_are_refused(tmp_path: Path) -> None:
    figure, axes = plt.subplots()
    axes.plot([0, 1, 2], [0, 1, 4], color="k")
    axes.twinx().plot([0, 1, 2], [0, 10, 70], color="k")
    figure.savefig(tmp_path / "a.pdf")
    plt.close(figure)
    (panel,) = read_figures(tmp_path / "a.pdf").figures.panels
    assert "nothing tells which curve" in panel.refused and not panel.curves


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"\x89PNG\r\n\x1a\n0", "damaged"), (b"hello", "no PDF"), (b"%PDF-1.4 broken", "damaged")],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "a.pdf").write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_figures(tmp_path / "a.pdf")


def test_what_looks_like_a_curve_and_is_none(tmp_path: Path) -> None:
    """An arrow, lines of a contour plot, cells of a map; a factor with a garbled sign; energy over wavelength on the other side."""
    x, y = np.meshgrid(np.linspace(-2, 2, 60), np.linspace(-1, 1, 60))
    w = np.linspace(450, 850, 101)
    with plt.rc_context(
        {"mathtext.fontset": "cm", "font.family": "serif", "axes.formatter.use_mathtext": True}
    ):
        figure, panels = plt.subplots(2, 2, figsize=(9, 7), layout="constrained")
        panels[0, 0].plot(w, np.sin(w / 50))
        panels[0, 0].annotate(
            "", (500, 0), (700, 0.5), arrowprops={"arrowstyle": "->", "connectionstyle": "arc3,rad=.3"}
        )
        panels[0, 0].secondary_xaxis("top", functions=(lambda v: 1239.84 / v, lambda v: 1239.84 / v))
        panels[0, 1].contour(x, y, np.exp(-(x**2) - y**2))
        panels[1, 0].pcolormesh(x[:12, :12], y[:12, :12], x[:12, :12])
        panels[1, 0].set_aspect(float(np.ptp(x[0, :12]) / np.ptp(y[:12, 0])) / 1.0)
        panels[1, 1].plot(w, 1e-5 * np.sin(w / 50))
        figure.savefig(tmp_path / "a.pdf")
        plt.close(figure)
    arrow, contours, cells, factor = read_figures(tmp_path / "a.pdf").figures.panels
    assert len(arrow.curves) == 1 and not arrow.refused and any("arrow" in words for words in arrow.not_read)
    assert not contours.curves and any("contour" in words for words in contours.not_read)
    assert not cells.curves
    assert "factor" in factor.refused


@pytest.mark.skipif(not tesseract(), reason="needs tesseract")
def test_a_text_layer_that_says_other_numbers_than_the_page_is_asked(tmp_path: Path) -> None:
    x = np.linspace(1, 8, 80)
    with plt.rc_context({"pdf.fonttype": 42, "pdf.compression": 0}):
        figure, axes = plt.subplots()
        axes.plot(x, 4.5 + 3 * np.sin(x))
        axes.set_xticks(range(1, 9))
        axes.set_yticks(range(2, 8))
        figure.savefig(tmp_path / "a.pdf")
        plt.close(figure)
    assert not read_figures(tmp_path / "a.pdf").figures.panels[0].refused
    content = (tmp_path / "a.pdf").read_bytes()
    shifted = re.sub(  # every digit's letter is the next one's
        rb"\[(<0031>.*?)\]",
        lambda m: (
            b"[" + b" ".join(b"<%04x>" % (int(v, 16) + 1) for v in re.findall(rb"<(\w+)>", m[1])) + b"]"
        ),
        content,
    )
    assert shifted != content
    (tmp_path / "b.pdf").write_bytes(shifted)
    damaged = read_figures(tmp_path / "b.pdf")
    assert "text layer" in damaged.figures.panels[0].refused
    assert not proposal_of(damaged)["panels"], "nobody may approve what was refused: only mend it"


@pytest.mark.skipif(not tesseract(), reason="needs tesseract")
@pytest.mark.parametrize("kind", ["png", "jpg"])
def test_a_picture_is_read_within_its_errors(tmp_path: Path, kind: str) -> None:
    x = np.linspace(0, 10, 201)
    figure, axes = plt.subplots(dpi=150)
    axes.plot(x, 3 + np.sin(x), "C0")
    axes.plot(x, 5 + np.cos(x), "C3")
    axes.plot(x, 1 + 0.04 * x, "k")
    axes.plot(x, 0.5 + 0.02 * x, "k")
    axes.set_ylim(0, 9)
    figure.savefig(tmp_path / f"a.{kind}")
    plt.close(figure)
    reading = read_figures(tmp_path / f"a.{kind}")
    (panel,) = reading.figures.panels
    assert not panel.refused and len(panel.curves) == 2
    for curve in panel.curves:
        rows = reading.tables[curve.file]
        px, py, ex, ey = rows[~np.isnan(rows[:, 0])].T
        near = np.min(
            [
                np.min([np.abs(py - f(px + d * ex)) for d in (-1, -0.5, 0, 0.5, 1)], axis=0).tolist()
                if np.abs(py - f(px)).mean() < 0.5
                else np.full(len(px), 9.0).tolist()
                for f in (lambda v: 3 + np.sin(v), lambda v: 5 + np.cos(v))
            ],
            axis=0,
        )
        assert np.mean(near <= ey) > 0.95 and ey.max() < 0.2
    assert any(words.startswith("#0") for words in panel.not_read)  # the black ones are asked


def test_a_picture_that_claims_too_many_pixels_is_refused(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("1", (30_000, 30_000)).save(tmp_path / "bomb.png")
    with pytest.raises(InputError, match="too many pixels"):
        read_figures(tmp_path / "bomb.png")
