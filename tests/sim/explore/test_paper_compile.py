"""The paper as PDF, compiled in the sandbox: its text holds the data's numbers; hostile LaTeX reads and runs nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

from tasks.explore.paper.building import build_paper
from tasks.explore.paper.compiling import LIMITS, compile_latex, latexmk
from tests.unit.paper.paper_fixture import run_folder, source, venue

pytestmark = [pytest.mark.sim, pytest.mark.skipif(latexmk() is None, reason="latexmk is not installed")]


def _text(pdf: Path) -> str:
    document = pypdfium2.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


@pytest.mark.parametrize("columns", [1, 2])
def test_the_compiled_text_holds_the_numbers_of_the_data(tmp_path: Path, columns: int) -> None:
    made = build_paper(run_folder(tmp_path), source(), venue(columns))
    assert made.pdf is not None, made.why_no_pdf
    assert made.warnings == () and made.pages >= 2
    text = " ".join(_text(tmp_path / made.pdf.path).split())
    for shown in ("12.10±0.12", "3.213±0.050", "16.20±0.12"):
        assert shown in text.replace(" ± ", "±"), text
    assert "\\input{/etc/group}" in text and "root:" not in text


@pytest.mark.attack("answers", "TeX reads no file, writes none and runs nothing")
@pytest.mark.parametrize(
    "body",
    [
        r"\input{/etc/passwd}",
        r"\immediate\write18{touch pwned}",
        r"\openin1=/sandbox/../etc/passwd \read1 to\x \x",
        r"\immediate\openout1=/tmp/../sandbox/work/../pwned \immediate\write1{x}",
        r"\loop\iftrue\repeat",
    ],
)
def test_hostile_latex_reaches_nothing(tmp_path: Path, body: str) -> None:
    tex = rf"\documentclass{{article}}\begin{{document}}visible {body} end\end{{document}}"
    made = compile_latex({"full_paper.tex": tex.encode()}, limits=replace(LIMITS, cpu_s=2))
    if made.pdf is not None:
        (tmp_path / "a.pdf").write_bytes(made.pdf)
        assert "root:" not in _text(tmp_path / "a.pdf")
    else:
        assert made.why
    assert not list(tmp_path.glob("**/pwned"))


def test_two_compilations_are_the_same_bytes(tmp_path: Path) -> None:
    run_folder(tmp_path)
    first, second = (build_paper(tmp_path, source(), venue()) for _ in range(2))
    assert first.pdf is not None and first.pdf.sha256 == second.pdf.sha256  # type: ignore[union-attr]
