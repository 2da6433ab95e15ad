"""Drawn figures read in the sandbox: curves within their errors, factors, and files that are refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from schemas.errors import InputError
from tasks.digitise.reading import read_figures, write_reading

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
    [(b"\x89PNG\r\n\x1a\n0", "pictures of pixels"), (b"hello", "no PDF"), (b"%PDF-1.4 broken", "damaged")],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "a.pdf").write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_figures(tmp_path / "a.pdf")
