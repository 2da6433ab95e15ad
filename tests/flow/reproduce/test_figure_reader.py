"""The figure reader in a run: asked where code left something to name, seen by a person, worth nothing where nobody looked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

from tests.flow import coating
from tests.flow.kit import Bench, Model
from tests.flow.reproduce.test_from_a_pdf import answer as as_from_data
from tests.messages_server.alike import agent_of

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

pytestmark = pytest.mark.flow
_FIFTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
READ = {
    "axes": [
        {"panel": 1, "axis": "x", "name": "Wavelength", "unit": "nm", "kind": "linear"},
        {"panel": 2, "axis": "y", "name": "loss", "kind": "linear", "ticks": [{"place": p, "value": 5 * p} for p in _FIFTHS]},
    ],
    "curves": [
        {"curve": 1, "name": "coated", "what": "theory"},
        {"curve": 2, "name": "bare <script>", "what": "experiment"},
    ],
    "instructions_found": [],
}  # fmt: skip


def write_pdf(folder: Path) -> Path:
    """The coating's paper; its figure has no legend, and a second panel whose upright numbers are none."""
    folder.mkdir(parents=True)
    x = np.linspace(0.45, 0.70, 101)
    with plt.rc_context():
        matplotlib.rcdefaults()
        page = plt.figure(figsize=(8.27, 11.69))
        for number, line in enumerate(coating.TEXT.splitlines()):
            size = 18 if line.startswith("# ") else 12 if line.startswith("## ") else 9
            page.text(0.08, 0.95 - 0.019 * number, line.lstrip("# "), size=size)
        first, second = page.add_axes((0.12, 0.2, 0.34, 0.22)), page.add_axes((0.6, 0.2, 0.34, 0.22))
        first.plot(1000 * x, coating.exact(x))
        first.plot(1000 * x, np.full_like(x, 0.0425) + 0.002 * x, "--")
        first.set_xlabel("Wavelength (nm)")
        first.set_ylabel("Reflectance")
        second.plot(1000 * x, 4 * x)
        second.set_ylim(0, 5)
        second.set_yticks(range(6), list("abcdef"))
        page.text(0.08, 0.13, "Figure 1. Reflectance of the coated and the bare glass, and the loss.", size=9)
        page.text(0.08, 0.1, "Principles of Optics 1, 66 (1999). doi:10.1000/182", size=9)
        page.savefig(folder / "coating.pdf")
        plt.close(page)
    return folder / "coating.pdf"


def answer(request: dict[str, Any]) -> dict[str, Any] | str:
    return READ if agent_of(request) == "figure_reader" else as_from_data(request)


def columns(bench: Bench) -> list[str]:
    return [path.read_text().splitlines()[0] for path in sorted((bench.run_dir / "paper/data").glob("fig1-read-*.csv"))]  # fmt: skip


def test_its_names_are_seen_before_they_are_used(benches: Callable[..., Bench]) -> None:
    bench = benches(write_pdf)
    alone = {"REPROLAB_NON_INTERACTIVE": "1"}
    with Model(answer) as model:
        first = bench.reproduce(model, env=alone)
        assert first.wait() == 3 and sum(model.answered.values()) == 1, first.err[-3000:]
        [asked] = model.requests
        content = [block for message in asked["messages"] for block in message["content"]]
        assert sum(block["type"] == "image" for block in content) == 2
        [question] = (bench.run_dir / "open_questions").glob("figures-checkpoint-*.json")
        said = json.loads(question.read_text())["body"]
        assert (
            "says the figure reader (an AI), look" in said
            and "'coated', theory" in said
            and "<" not in said.replace("\\<", "")
        )
        assert "panel 2, y axis, which code refused" in said and "panel 2: y axis:" in said, "both are said"
        page = (bench.run_dir / "figures/fig1/mend.html").read_text()
        state = json.loads(page.partition('id="read">')[2].partition("</script>")[0])
        assert [value for _, value in state["panels"][1]["y"]["marks"]] == [5, 4, 3, 2, 1, 0]
        assert [curve["name"] for curve in state["panels"][0]["curves"]] == ["coated", "bare <script>"]

        blind = bench.start(
            "resume", "--answer", "figures_checkpoint=approve", "--base-url", model.server.base_url,
            env=alone | {"ANTHROPIC_API_KEY": "k"},
        )  # fmt: skip
        blind.says("2 curves of figures are data of the paper")
        blind.end()
        assert columns(bench) == ["wavelength_nm,reflectance"] * 2, (
            "approved is what code read: the reader's names stay beside it"
        )


@pytest.mark.long
def test_names_are_taken_where_a_person_says_so(benches: Callable[..., Bench]) -> None:
    bench = benches(write_pdf)
    taken = ("--answer", "figures_checkpoint=names", "--answer", "figures_checkpoint=approve")
    with Model(answer) as model:
        run = bench.reproduce(
            model, *taken, "--answer", "material_checkpoint=approve", env={"REPROLAB_NON_INTERACTIVE": "1", "ANTHROPIC_API_KEY": "k"}
        )  # fmt: skip
        run.wait()
        assert model.answered["figure_reader.-.1.1.0"] == 1, "it is asked once"
    named = ["wavelength_nm,coated_reflectance", "wavelength_nm,bare_script_reflectance"]
    assert columns(bench) == named
    assert bench.comparisons()["R_curve"]["classification"] == "SUCCESS", run.err[-3000:]
    again = bench.start(
        "reproduce", str(bench.paper), "--transcript", str(bench.run_dir / "transcript.jsonl"),
        "--outputs", str(bench.folder / "replayed"), env={"REPROLAB_NON_INTERACTIVE": "1"},
    )  # fmt: skip
    assert again.wait() == 0, again.err[-3000:]
