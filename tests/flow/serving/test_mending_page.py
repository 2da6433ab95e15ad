"""A figure mended by hand in a real browser: no network, marks and curves as a person leaves them, and the numbers that come of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from schemas.errors import InputError
from tasks.digitise.mending.mending_page import crop_of, digest_of
from tasks.digitise.mending.taking import curves_of, read_mended
from tasks.digitise.raster.recognised import tesseract
from tasks.digitise.reading import Reading, read_figures
from tasks.digitise.reading_files import write_reading
from tests.flow.browser import CHROMIUM, Browser
from tests.flow.kit import wait_until

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

pytestmark = [
    pytest.mark.flow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
    pytest.mark.skipif(not tesseract(), reason="needs tesseract"),
]
_X = np.linspace(0, 10, 201)
_PRESS = """((type, x, y) => {{
  const box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new PointerEvent(type, {{pointerId: 1, clientX: box.left + (x + 0.5) * zoom, clientY: box.top + (y + 0.5) * zoom}}));
}})"""


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Reading, Path]]:
    """A picture whose axes cannot be read, because it has no ticks."""
    folder = tmp_path_factory.mktemp("figure")
    with plt.rc_context():
        matplotlib.rcdefaults()
        figure, axes = plt.subplots(figsize=(4, 3), dpi=150)
        axes.plot(_X, np.sin(_X), "b")
        axes.set_xlim(0, 10)
        axes.set_ylim(-1.5, 1.5)
        axes.tick_params(length=0)
        figure.savefig(folder / "a.png")
        plt.close(figure)
    found = read_figures(folder / "a.png")
    write_reading(found, folder / "out", "reprolab digitise a.png --take saved.json")
    yield found, folder / "out" / "mend.html"


def test_a_person_mends_axes_picks_a_colour_and_erases(reading: tuple[Reading, Path], tmp_path: Path) -> None:
    found, page = reading
    (panel,) = found.figures.panels
    assert "no ticks" in panel.refused
    with Browser(tmp_path) as browser:
        browser.size(1400, 900)
        browser.open(page.as_uri())
        wait_until(lambda: browser.run("canvas.width > 300"), "the picture")
        browser.run("byId('save').click()")
        assert "axis is not clear" in browser.run("byId('told').textContent")
        press = _PRESS.format()
        x0, y0, x1, y1 = json.loads(browser.run("JSON.stringify(panel().frame)"))
        browser.run("panel().x.marks = []; panel().y.marks = []; fill(); ['x', 'x', 'y', 'y'].forEach((name) =>"
                    " [...byId(name).querySelectorAll('button')].find((b) => b.textContent === 'add mark').click())")  # fmt: skip
        for axis, at, values in (("x", (x0, x1), (0, 10)), ("y", (y1, y0), (-1.5, 1.5))):
            for k, (place, value) in enumerate(zip(at, values, strict=True)):
                start = f"panel().x.marks[{k}][0], {y1}" if axis == "x" else f"{x0}, panel().y.marks[{k}][0]"
                end = f"{place}, {y1}" if axis == "x" else f"{x0}, {place}"
                browser.run(
                    f"{press}('pointerdown', {start}); {press}('pointermove', {end}); {press}('pointerup', {end})"
                )
                browser.run(f"byId('{axis}').querySelectorAll('table input')[{k}].value = '{value}'")
                browser.run(
                    f"byId('{axis}').querySelectorAll('table input')[{k}].dispatchEvent(new Event('change'))"
                )
        browser.run("byId('newcurve').click(); document.querySelector('[data-tool=colour]').click()")
        u, v = x0 + (x1 - x0) * np.pi / 20, y1 - (y1 - y0) * 2.5 / 3  # where the sine is 1
        browser.run(f"{press}('pointerdown', {u}, {v}); {press}('pointerup', {u}, {v})")
        before = browser.run("curve().parts.flat().length")
        browser.run(f"tool = 'erase'; {press}('pointerdown', {u}, {v}); {press}('pointerup', {u}, {v})")
        assert 300 < browser.run("curve().parts.flat().length") < before
        browser.run(
            "panel().curves.forEach((line, k) => { line.kept = k === chosen; line.name = 'by colour <b>'; })"
        )
        saved = browser.run("residual(panel().x) < 1 && residual(panel().y) < 1 && JSON.stringify(saved())")
        assert browser.run("fetch('https://example.org').then(() => 'sent', () => 'refused')") == "refused"
    (tmp_path / "saved.json").write_text(saved)
    picture, _, _ = crop_of(found)
    (curve,) = curves_of(read_mended(tmp_path / "saved.json", digest_of(picture)))
    assert curve.name == "by colour <b>"
    x, y, _, error = curve.rows.T
    assert np.mean(np.abs(y - np.sin(x)) < error) > 0.9
    assert np.abs(y - np.sin(x)).max() < 0.1


def test_names_in_the_figure_are_no_program(reading: tuple[Reading, Path], tmp_path: Path) -> None:
    found, _ = reading
    bad = found.panels[0]
    bad.curves[0].name = "</script><script>document.title = 'taken'</script>"
    write_reading(found, tmp_path / "out")
    with Browser(tmp_path) as browser:
        browser.open((tmp_path / "out" / "mend.html").as_uri())
        assert browser.run("document.title") == "a.png, page 1"
        assert "taken" in browser.run("state.panels[0].curves[0].name")


def test_maps_and_error_bars_pass_through_the_page(tmp_path: Path) -> None:
    with plt.rc_context():
        matplotlib.rcdefaults()
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
        left.errorbar(np.arange(8), np.arange(8) ** 0.5, yerr=0.2, fmt="o")
        figure.colorbar(
            right.pcolormesh(np.arange(21), np.arange(16), np.add.outer(np.arange(16), np.arange(21)))
        )
        figure.savefig(tmp_path / "a.pdf")
        plt.close(figure)
    found = read_figures(tmp_path / "a.pdf")
    write_reading(found, tmp_path / "out")
    with Browser(tmp_path) as browser:
        browser.open((tmp_path / "out" / "mend.html").as_uri())
        wait_until(lambda: browser.run("canvas.width > 300"), "the picture")
        (tmp_path / "saved.json").write_text(browser.run("JSON.stringify(saved())"))
        browser.run("state.panels[0].curves[0].parts[0].pop()")
        assert browser.run("saved().panels[0].curves[0].bars.length") == 0  # they were of other points
    points, of_map = curves_of(read_mended(tmp_path / "saved.json", digest_of(crop_of(found)[0])))
    assert points.bars is not None and np.abs(np.diff(points.bars[:, 2:]) - 0.4).max() < 0.05
    assert (
        of_map.value_column and np.abs(of_map.rows[:, 4] - of_map.rows[:, 0] - of_map.rows[:, 1]).max() < 1.5
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"form": "other"}, "form"),
        ({"picture": "0" * 64}, "another picture"),
        ({"more": 1}, "more"),
        ({"panels": []}, "panels"),
    ],
)
def test_what_does_not_fit_is_refused(
    reading: tuple[Reading, Path], tmp_path: Path, change: dict[str, object], words: str
) -> None:
    picture, _, _ = crop_of(reading[0])
    axis = {"kind": "linear", "marks": [[0, 0], [100, 1]]}
    good = {
        "form": "mended-figure/1", "picture": digest_of(picture),
        "panels": [{"frame": [0, 0, 100, 100], "x": axis, "y": axis, "curves": [{"parts": [[[10, 10, 1, 1]]]}]}],
    }  # fmt: skip
    path = tmp_path / "a.json"
    path.write_text(json.dumps(good))
    assert len(curves_of(read_mended(path, digest_of(picture)))) == 1
    path.write_text(json.dumps({**good, **change}))
    with pytest.raises(InputError, match=words):
        read_mended(path, digest_of(picture))
