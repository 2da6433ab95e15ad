"""A paper that comes as a PDF: its figure is read, a person approves or mends it, and the same verdict comes out as from data."""

from __future__ import annotations

import json
import os
import pty
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

from tests.flow import coating, described
from tests.flow.browser import CHROMIUM, Browser
from tests.flow.kit import Bench, Cli, Model, wait_until

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

pytestmark = pytest.mark.flow
_CAPTION = "Figure 1. Reflectance of the coated glass against wavelength."


def write_pdf(folder: Path) -> Path:
    """The coating's paper on one page: its text, and its figure drawn below it."""
    folder.mkdir(parents=True)
    x = np.linspace(0.45, 0.70, 101)
    with plt.rc_context():
        matplotlib.rcdefaults()
        page = plt.figure(figsize=(8.27, 11.69))
        lines = [line.lstrip("# ") for line in coating.TEXT.splitlines()]
        sizes = [
            18 if line.startswith("# ") else 12 if line.startswith("## ") else 9
            for line in coating.TEXT.splitlines()
        ]
        for number, (line, size) in enumerate(zip(lines, sizes, strict=True)):
            page.text(0.08, 0.95 - 0.019 * number, line, size=size)
        page.text(
            0.08, 0.95 - 0.019 * len(lines), "Principles of Optics 1, 66 (1999). doi:10.1000/182", size=9
        )
        axes = page.add_axes((0.15, 0.2, 0.5, 0.25))
        axes.plot(1000 * x, coating.exact(x), label="coated")
        axes.set_xlabel("Wavelength (nm)")
        axes.set_ylabel("Reflectance")
        axes.legend()
        page.text(0.08, 0.13, _CAPTION, size=9)
        page.savefig(folder / "coating.pdf")
        plt.close(page)
    return folder / "coating.pdf"


def answer(request: dict[str, Any]) -> dict[str, Any] | str:
    """As from data, of the table that was read off the figure."""
    found = json.dumps(described.answer(request))
    name = "called_by_hand" if "called_by_hand" in json.dumps(request) else "coated"
    found = found.replace("data/fig1.csv", "data/fig1-read-1.csv").replace(
        '"y_column": "R"', f'"y_column": "{name}_reflectance"'
    )
    return json.loads(found)


def test_from_the_pdf_to_the_verdict(benches: Callable[..., Bench]) -> None:
    bench = benches(write_pdf)
    with Model(answer) as model:
        asked = bench.reproduce(model, env={"REPROLAB_NON_INTERACTIVE": "1"})
        assert asked.wait() == 3 and "figures_checkpoint" in asked.err
        assert not model.answered  # nothing is bought before the figures are settled
        (question,) = (bench.run_dir / "open_questions").glob("figures-checkpoint-*.json")
        assert "fig1/1" in question.read_text() and "error" in question.read_text()
        assert (bench.run_dir / "figures" / "fig1" / "overlay.png").is_file()
        on = bench.start(
            "resume", "--answer", "figures_checkpoint=approve", "--answer", "material_checkpoint=approve",
            "--base-url", model.server.base_url, env={"REPROLAB_NON_INTERACTIVE": "1", "ANTHROPIC_API_KEY": "k"},
        )  # fmt: skip
        on.wait()
    print(on.err[-3000:])
    curve = bench.comparisons()["R_curve"]
    assert curve["classification"] == "SUCCESS", on.err[-3000:]
    paper = json.loads((bench.run_dir / "paper" / "paper.json").read_text())
    (data,) = paper["figures"][0]["data"]
    assert data["origin"] == "digitised" and data["relative_error_percent"] > 0 and data["x_error"] > 0
    assert "approved by a person" in data["source"] and "digitised from the paper" in bench.report()


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[tuple[Bench, Cli]]:
    """A run in a terminal that nobody types at, with a server of its own, at its question about the figures."""
    bench = Bench(tmp_path, None, write_pdf, anew=True)
    ours, theirs = pty.openpty()
    with Model(answer) as model:
        cli = bench.reproduce(
            model, "--answer", "material_checkpoint=approve", stdin=theirs, env={"ANTHROPIC_API_KEY": "k"}
        )
        try:
            yield bench, cli
        finally:
            bench.close()
            os.close(ours)
            os.close(theirs)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_person_answers_and_mends_in_the_browser(asked: tuple[Bench, Cli], tmp_path: Path) -> None:
    bench, cli = asked
    cli.says("answer in the browser: ")
    link = re.search(r"http://127\.0\.0\.1:\d+/reprolab#[\w-]{20,}&[0-9a-f-]{36}", cli.err)
    assert link, cli.err
    with Browser(tmp_path) as browser:
        browser.size(1400, 1000)
        _answer_there(browser, link[0], "drop", "fig1/7")
        cli.says("drop needs to know which")
        _answer_there(browser, link[0], "mend", f"fig1={_mended(browser, bench)}")
        cli.says("called by hand: called_by_hand_reflectance")
        assert "fig1/1" in _answer_there(browser, link[0], "approve", "")
        cli.says("1 curves of figures are data of the paper")
    cli.says("plan approved")
    [data] = json.loads((bench.run_dir / "paper" / "paper.json").read_text())["figures"][0]["data"]
    assert "'called by hand'" in data["source"] and "mended by a person (web" in data["source"]


def _answer_there(browser: Browser, link: str, choice: str, words: str) -> str:
    """Answer on the run's page, as a person finds the way: its menu, Resume, the form; what the form says."""
    browser.open(link)
    browser.says("Paused")
    menu = "[...document.querySelectorAll('button[aria-haspopup=menu]')].filter(e => e.offsetParent)[0]"
    browser.press(menu, "the run's menu")
    browser.click("Resume")
    browser.says("Were the figures read rightly?")
    assert browser.run("document.querySelectorAll('[role=dialog] img').length") == 1, "the overlay is shown"
    said = str(browser.run("document.querySelector('[role=dialog]').innerText"))
    browser.press("document.querySelector('[role=dialog] [aria-label=\"Select Your answer\"]')")
    browser.click(choice)
    if words:
        browser.run(
            "(e => {Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value').set.call(e, "
            f"{json.dumps(words)}); e.dispatchEvent(new Event('input', {{bubbles: true}}))}})"
            "([...document.querySelectorAll('[role=dialog] textarea')].find(e => e.value === ''))"
        )
    browser.click("Resume")
    wait_until(lambda: browser.run("!document.querySelector('[role=dialog]')"), "the form's end")
    return said


def _mended(browser: Browser, bench: Bench) -> Path:
    """The figure's page opened beside the run: its curve gets another name, and what it saves lies in a file."""
    browser.open((bench.run_dir / "figures" / "fig1" / "mend.html").as_uri())
    wait_until(lambda: browser.run("canvas.width > 300"), "the picture")
    browser.run("panel().curves[0].name = 'called by hand'; byId('save').click()")
    saved = bench.folder / "downloaded.json"
    saved.write_text(browser.run("JSON.stringify(saved())"))
    return saved
