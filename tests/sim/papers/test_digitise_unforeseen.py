"""Drawings as their readers did not foresee them: what is read of them is right, and what is not is said."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest

from tasks.digitise.curves import lines_in
from tasks.digitise.frames import Frame
from tasks.digitise.lines import new_budget
from tasks.digitise.page import Stroke
from tasks.digitise.reading import Reading, read_figures

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

pytestmark = pytest.mark.sim
X = np.linspace(400, 800, 101)


@pytest.fixture(autouse=True)
def _as_matplotlib_draws_by_itself() -> Iterator[None]:
    with plt.rc_context():
        matplotlib.rcdefaults()
        yield


def _dip(x: np.ndarray, at: float) -> np.ndarray:
    return 1 - 0.8 / (1 + ((x - at) / 40) ** 2)


def _read(figure: Figure, path: Path) -> Reading:
    figure.savefig(path, dpi=200)
    plt.close(figure)
    return read_figures(path)


def test_data_under_a_legend_of_markers_change_no_names(tmp_path: Path) -> None:
    """Words to the left of their samples, as gnuplot has them, and data on both sides of the words."""
    figure, axes = plt.subplots()
    names = {"C0": "first run", "C3": "second run"}
    for colour, at in (("C0", 600.0), ("C3", 500.0)):
        axes.plot(X, _dip(X, at), "o", ms=2, color=colour, label=names[colour])
    axes.legend(loc=(0.7, 0.85), markerfirst=False, frameon=False)
    (panel,) = _read(figure, tmp_path / "a.pdf").figures.panels
    assert {curve.colour: curve.name for curve in panel.curves} == {
        "#1f77b4": "first run",
        "#d62728": "second run",
    }
    assert [curve.points for curve in panel.curves] == [101, 101]


def test_pieces_that_are_each_cut_to_their_own_box_are_one_whole_line() -> None:
    """As Cairo writes a collection of short lines."""
    x = np.linspace(0, 200, 60)
    points = np.column_stack([x, 50 + 40 * np.sin(x / 20)])
    pieces = [np.array(pair) for pair in zip(points[:-1], points[1:], strict=True)]
    strokes = [
        Stroke(k, [piece], [False], (0, 0, 255, 255), None, 1.0, (), (*piece.min(0) - 1, *piece.max(0) + 1))
        for k, piece in enumerate(pieces)
    ]
    found = lines_in(Frame((0, 0, 200, 100)), [(s, s.runs) for s in strokes], [], [], new_budget())
    (curve,) = found.curves
    assert not found.not_read and np.allclose(np.vstack(curve.parts), points)


def test_upright_lines_and_an_inset_s_connectors_are_no_curves(tmp_path: Path) -> None:
    figure, axes = plt.subplots()
    axes.plot(X, _dip(X, 600), label="R")
    axes.vlines(X[::8], 0, _dip(X[::8], 500), color="C1", label="impulses")
    axes.legend(loc="lower left")
    inset = axes.inset_axes([0.6, 0.4, 0.35, 0.3], xlim=(570, 640), ylim=(0.15, 0.4))
    inset.plot(X, _dip(X, 600))
    axes.indicate_inset_zoom(inset, edgecolor="green")
    panel = max(_read(figure, tmp_path / "a.pdf").figures.panels, key=lambda p: p.frame[2] - p.frame[0])
    assert [curve.colour for curve in panel.curves] == ["#1f77b4"]
    assert any("upright lines" in words for words in panel.not_read)
    assert any("corner to corner" in words for words in panel.not_read)


@pytest.mark.parametrize("kind", ["pdf", "png"])
def test_values_beyond_a_colour_bar_are_none_and_its_ends_are_within_their_errors(
    tmp_path: Path, kind: str
) -> None:
    if kind == "png" and not shutil.which("tesseract"):
        pytest.skip("tesseract is not installed")
    x, y = np.linspace(0, 10, 40), np.linspace(0, 5, 30)
    figure, axes = plt.subplots()
    drawn = axes.pcolormesh(x, y, x[None] * y[:, None], vmax=30)
    figure.colorbar(drawn, extend="max")
    reading = _read(figure, tmp_path / f"a.{kind}")
    (panel,) = reading.figures.panels
    rows = reading.tables[panel.maps[0].file]
    known = rows[np.isfinite(rows[:, 2])]
    true = np.interp(known[:, 0], x, x) * np.interp(known[:, 1], y, y)
    near = np.abs(true - known[:, 2]) <= known[:, 3] + 0.1  # a cell's middle is known to half a pixel
    assert near.mean() > 0.99 and true.max() < 30.5 and (true < 0.01).any()
    assert any("may lie beyond it" in words for words in panel.not_read)


needs_tesseract = pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")


@needs_tesseract
@pytest.mark.parametrize("axis", ["log2", "thousands"])
def test_a_picture_s_axis_is_right_or_asked(tmp_path: Path, axis: str) -> None:
    """A power of two is no number of two digits; a comma before three digits may part thousands."""
    figure, axes = plt.subplots()
    x = 2.0 ** np.linspace(0, 8, 100) if axis == "log2" else np.linspace(1000, 3000, 100)
    axes.plot(x, np.log(x))
    if axis == "log2":
        axes.set_xscale("log", base=2)
    else:
        axes.set_xticks([1000, 2000, 3000], ["1,000", "2,000", "3,000"])
    reading = _read(figure, tmp_path / "a.png")
    (panel,) = reading.figures.panels
    assert panel.refused.startswith("x axis") or all(
        abs(reading.tables[c.file][:, 0].max() / x.max() - 1) < 0.05 for c in panel.curves
    )


@needs_tesseract
def test_a_band_a_guide_and_an_inset_s_side_are_no_curves_of_a_picture(tmp_path: Path) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    left.plot(np.linspace(0, 1, 20000), np.random.default_rng(0).normal(size=20000), lw=0.5)
    left.set_ylim(-12, 12)
    right.plot(X, _dip(X, 600), label="R")
    right.axhline(0.5, ls="--", c="grey")
    right.legend(loc="lower left")
    panels = _read(figure, tmp_path / "a.png").figures.panels
    words = SimpleNamespace(left=panels[0].not_read, right=panels[1].not_read)
    assert not panels[0].curves and any("swings faster" in reason for reason in words.left)
    assert all(curve.colour == "#1f77b4" for curve in panels[1].curves)
    assert any(reason.startswith("#808080") for reason in words.right)


@needs_tesseract
def test_a_legend_s_mark_in_a_picture_is_no_point(tmp_path: Path) -> None:
    figure, axes = plt.subplots()
    x = X[2::6]
    for colour, at in (("C0", 560.0), ("C3", 480.0)):
        axes.plot(x, _dip(x, at), "s", color=colour, label=f"run {at:.0f}")
    axes.legend(loc=(0.7, 0.4), markerfirst=False, frameon=False)
    reading = _read(figure, tmp_path / "a.png")
    (panel,) = reading.figures.panels
    assert panel.curves
    for curve in panel.curves:
        rows = reading.tables[curve.file]
        y = _dip(rows[:, 0], 560.0 if curve.colour == "#1f77b4" else 480.0)
        assert (np.abs(rows[:, 1] - y) < 0.03).all() and len(rows) <= len(x)
        said = [words for words in panel.not_read if words.startswith(curve.colour)]
        assert len(rows) == len(x) or said


def test_axes_moved_outward_are_read_and_slanted_labels_are_said(tmp_path: Path) -> None:
    figure, axes = plt.subplots()
    axes.plot(X, _dip(X, 600))
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_position(("outward", 12))
    figure.savefig(tmp_path / "a.pdf")
    axes.tick_params(axis="x", rotation=40)
    reading = read_figures(tmp_path / "a.pdf")
    (panel,) = reading.figures.panels
    rows = reading.tables[panel.curves[0].file]
    assert (np.abs(rows[:, 1] - np.interp(rows[:, 0], X, _dip(X, 600))) <= 2 * rows[:, 3]).all()
    (slanted,) = _read(figure, tmp_path / "b.pdf").figures.panels
    assert slanted.refused == "x axis: its labels are slanted, and slanted numbers are not read"


def test_marks_with_an_entry_of_their_own_are_a_series_on_the_line_of_their_colour(tmp_path: Path) -> None:
    """Measured marks on the theory's line, both black, as papers have them; a mark at the frame's edge is no tick."""
    figure, axes = plt.subplots()
    axes.plot(X[::10], _dip(X[::10], 600), "ks", label="measured")
    axes.plot(X, _dip(X, 600), "k-", label="theory")
    axes.set_xlim(400, 800)
    axes.legend()
    (panel,) = _read(figure, tmp_path / "a.pdf").figures.panels
    assert {(c.name, c.kind) for c in panel.curves} == {("measured", "points"), ("theory", "line")}
    assert not any("has no curve" in words for words in panel.not_read)


def test_a_factor_below_one_panel_is_not_the_right_axis_of_the_next(tmp_path: Path) -> None:
    plt.rcParams["font.size"] = 8
    figure, (upper, lower) = plt.subplots(2, 1, layout="constrained")
    upper.plot(np.linspace(-2e-6, 2e-6, 50), _dip(np.linspace(400, 800, 50), 600))
    upper.set_xlabel("Position (m)")
    lower.plot(X, _dip(X, 600), "k")
    right = lower.twinx()
    right.plot(X, 10 * _dip(X, 500), "r")
    right.tick_params(axis="y", colors="r")
    panels = _read(figure, tmp_path / "a.pdf").figures.panels
    below = panels[1]
    red = [axis for axis in below.axes if axis.side == "right"]
    assert below.refused or red[0].factor == 1.0
    assert panels[0].refused or panels[0].axes[0].factor == 1e-6
