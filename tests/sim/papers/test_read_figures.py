"""Figures of a paper's folder: read, taken as they are or as mended, into data/ and paper.json; what is hostile is refused."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from schemas.errors import InputError
from tasks.reproduce.papers.load import read_paper
from tasks.reproduce.papers.read_figures import read_paper_figures, take_mended

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

pytestmark = pytest.mark.sim
_X = np.linspace(400, 800, 201)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """A paper whose figure 2.1 is drawn in a PDF and has no data."""
    folder = tmp_path / "film"
    (folder / "figures").mkdir(parents=True)
    with plt.rc_context():
        matplotlib.rcdefaults()
        figure = plt.figure(figsize=(6, 8))
        axes = figure.add_axes((0.15, 0.5, 0.75, 0.4))
        axes.plot(_X, 0.5 + 0.4 * np.cos(_X / 40), label="sheet")
        axes.set_xlabel("Wavelength (nm)")
        axes.legend()
        for number, words in enumerate(
            [
                "Figure 2.1: Reflectance of the film against wavelength.",
                "",
                *["A line of text that fills the page."] * 9,
            ]
        ):
            figure.text(0.12, 0.42 - 0.02 * number, words, size=9)
        figure.savefig(folder / "paper.pdf")
        plt.close(figure)
    fields = {
        "paper_id": "film", "title": "A film", "citation": "A. Author (2020)", "domain": "thin_films",
        "figures": [{"figure_id": "fig2.1", "caption": "Figure 2.1: Reflectance of the film against wavelength."}],
    }  # fmt: skip
    (folder / "paper.json").write_text(json.dumps(fields))
    (folder / "paper.md").write_text("# A film\n\nThe film is 20 nm thick and lies on gold.\n" * 5)
    return folder


def test_what_a_person_took_is_data_of_the_paper(paper: Path) -> None:
    (one,) = read_paper_figures(paper, "")
    place = paper / "read" / "fig2.1"
    assert one.reading is not None and {p.name for p in place.iterdir()} >= {
        "mend.html", "overlay.png", "proposal.json"
    }  # fmt: skip
    assert not json.loads((paper / "paper.json").read_text())["figures"][0].get("data")
    figure_id, (curve,) = take_mended(paper, place / "proposal.json")
    assert (figure_id, curve.name, curve.x_column) == ("fig2.1", "sheet", "wavelength_nm")
    reading = read_paper(paper)
    assert reading.paper is not None and not reading.problems
    (data,) = reading.paper.figures[0].data
    table = np.loadtxt(paper / data.file, delimiter=",", skiprows=1)
    exact = 0.5 + 0.4 * np.cos(table[:, 0] / 40)
    assert np.abs(table[:, 1] - exact).max() < data.relative_error_percent / 100 * table[:, 1].max()
    assert data.origin == "digitised" and 0 < data.x_error < 5
    assert "was read before" in read_paper_figures(paper, "")[0].why
    take_mended(paper, place / "proposal.json")  # once more: it takes the place of the first
    assert len(json.loads((paper / "paper.json").read_text())["figures"][0]["data"]) == 1


@pytest.mark.parametrize("content", ["[" * 100_000, "{}", '{"picture": NaN}', "\udc80"])
def test_hostile_files_change_nothing(paper: Path, content: str) -> None:
    read_paper_figures(paper, "")
    before = (paper / "paper.json").read_bytes()
    bad = paper.parent / "bad.json"
    bad.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError):
        take_mended(paper, bad)
    good = json.loads((paper / "read" / "fig2.1" / "proposal.json").read_text())
    good["panels"][0]["y"]["marks"] = [[100, 1], [200, 2], [300, 9]]
    bad.write_text(json.dumps(good))
    with pytest.raises(InputError, match="lie on no line"):
        take_mended(paper, bad)
    (paper / "data").symlink_to(paper.parent)
    with pytest.raises(InputError, match="link"):
        take_mended(paper, paper / "read" / "fig2.1" / "proposal.json")
    assert (paper / "paper.json").read_bytes() == before
