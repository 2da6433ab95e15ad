"""A paper that comes as a PDF: its figure is read, a person approves or mends it, and the same verdict comes out as from data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

from tests.flow import coating, described
from tests.flow.kit import Bench, Model

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
    found = found.replace("data/fig1.csv", "data/fig1-read-1.csv").replace(
        '"y_column": "R"', '"y_column": "coated_reflectance"'
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
