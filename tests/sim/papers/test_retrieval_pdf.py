"""A corpus with PDFs: read in the sandbox, once, and a damaged one is said."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pytest

from tasks.literature import corpus
from tasks.literature.corpus import read_corpus

matplotlib.use("Agg")
from matplotlib.figure import Figure  # noqa: E402

pytestmark = pytest.mark.sim


def test_a_pdf_is_read_once_and_a_damaged_one_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, cache = tmp_path / "corpus", tmp_path / "cache"
    folder.mkdir()
    page = Figure(figsize=(8, 11))
    page.text(0.1, 0.9, "Layers against reflection", size=20)
    for line in range(10):
        page.text(
            0.1,
            0.8 - line / 50,
            f"Abstract. Line {line} tells of coatings and of quarter waves on glass.",
            size=9,
        )
    page.savefig(folder / "layers.pdf")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    first = read_corpus(folder, cache)
    [work] = first.works
    assert work.reference.title == "Layers against reflection" and "quarter waves" in work.reference.abstract
    assert len(first.faults) == 1 and first.faults[0].startswith("broken.pdf was not read")
    (folder / "broken.pdf").unlink()
    monkeypatch.setattr(corpus, "opened_pdf", lambda path: pytest.fail("read twice"))
    assert read_corpus(folder, cache).works == first.works
