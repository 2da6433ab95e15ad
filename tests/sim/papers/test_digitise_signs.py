"""Pictures whose labels lose their signs, and factors between two panels: right, or asked; never another axis."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from schemas.documents.digitised import ReadPanel
from tasks.digitise.reading import read_figures

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

pytestmark = [
    pytest.mark.sim,
    pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed"),
]
X = np.linspace(0, 1, 60)


@pytest.fixture(autouse=True)
def _as_matplotlib_draws_by_itself() -> Iterator[None]:
    with plt.rc_context():
        matplotlib.rcdefaults()
        yield


def _ends(panel: ReadPanel, side: str) -> tuple[float, float] | None:
    """The values at the ends of an axis; None where it is refused."""
    axis = next((axis for axis in panel.axes if axis.side == side), None)
    if axis is None or axis.scale is None or panel.refused:
        return None
    k = 0 if side == "bottom" else 1
    line = [axis.scale.slope * panel.frame[n] + axis.scale.intercept for n in (k, k + 2)]
    return (line[0], line[1]) if axis.scale.kind == "linear" else (10 ** line[0], 10 ** line[1])


@pytest.mark.parametrize("font", ["DejaVu Sans", "STIXGeneral"])
@pytest.mark.parametrize("dpi", [80, 110, 150])
def test_small_powers_are_right_or_asked(tmp_path: Path, font: str, dpi: int) -> None:
    """A minus sign of a few pixels beside a power."""
    plt.rcParams.update({"font.family": font, "font.size": 9})
    figure, axes = plt.subplots()
    axes.semilogy(X, 10 ** (-1 - 2 * X))
    axes.set_ylim(5e-4, 0.2)
    figure.savefig(tmp_path / "a.png", dpi=dpi)
    plt.close(figure)
    (panel,) = read_figures(tmp_path / "a.png").figures.panels
    ends = _ends(panel, "left")
    assert ends is None or np.allclose(ends, (5e-4, 0.2), rtol=0.05)


@pytest.mark.parametrize("labels", [("10³", "10²", "10¹"), ("$10^3$", "$10^2$", "$10^1$"), ("3", "2", "1")])
def test_what_falls_without_a_sign_is_asked(tmp_path: Path, labels: tuple[str, ...]) -> None:
    """As a picture of 10^-3, 10^-2, 10^-1 without their signs looks."""
    figure, axes = plt.subplots()
    axes.plot(X, 1 + X)
    axes.set_yticks([1.0, 1.5, 2.0], labels)
    figure.savefig(tmp_path / "a.png", dpi=150)
    plt.close(figure)
    (panel,) = read_figures(tmp_path / "a.png").figures.panels
    assert panel.refused.startswith("y axis") and not panel.curves


@pytest.mark.parametrize("size", [6, 8, 10])
def test_a_factor_between_two_panels_is_right_or_asked_of_both(tmp_path: Path, size: int) -> None:
    plt.rcParams["font.size"] = size
    figure, axes = plt.subplots(2, 2, layout="constrained", figsize=(7, 6))
    for k, panel in enumerate(axes.ravel()):
        x = np.linspace(-2e-6, 2e-6, 60) if k % 2 else np.linspace(-2, 2, 60)
        panel.plot(x, 6e-9 * np.cos(x / x.max()) ** (2 + k))
        panel.set_xlim(x[0], x[-1])
        panel.set_xlabel("Position (m)")
    figure.savefig(tmp_path / "a.png", dpi=150)
    plt.close(figure)
    panels = read_figures(tmp_path / "a.png").figures.panels
    assert len(panels) == 4
    for k, panel in enumerate(panels):
        end = 2e-6 if k % 2 else 2.0
        ends = _ends(panel, "bottom")
        assert ends is None or np.allclose(ends, (-end, end), rtol=0.03), panel.axes
        height = _ends(panel, "left")
        assert height is None or height[1] < 1e-8


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_minus_that_is_drawn_as_a_line_is_right_or_asked(tmp_path: Path, side: str) -> None:
    """Labels 3, 2, 1 of a PDF, with a line before each; ticks beside labels are lines too, and no signs."""
    figure, axes = plt.subplots()
    axes.plot(X, -3 + 2 * X)
    axes.set_yticks([-3, -2, -1], ["3", "2", "1"])
    axes.tick_params(axis="y", left=side == "left", right=side == "right")
    axes.tick_params(axis="y", labelleft=side == "left", labelright=side == "right")
    path = tmp_path / "plain.pdf"
    figure.savefig(path)
    (panel,) = read_figures(path).figures.panels
    assert not panel.refused
    figure.canvas.draw()
    for label in axes.get_yticklabels():
        box = label.get_window_extent()
        ends = figure.transFigure.inverted().transform(
            [(box.x0 - 7, (box.y0 + box.y1) / 2), (box.x0 - 1, (box.y0 + box.y1) / 2)]
        )
        figure.add_artist(plt.Line2D(*ends.T, color="k", lw=0.8))
    figure.savefig(tmp_path / "drawn.pdf")
    plt.close(figure)
    (panel,) = read_figures(tmp_path / "drawn.pdf").figures.panels
    ends = _ends(panel, side)
    assert ends is None and "lost sign" in str(panel.axes) or ends is not None and ends[0] < -2.9
