"""LaTeX, BibTeX and HTML of one source: hostile words are shown, numbers equal the data, each has its evidence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from schemas.errors import InputError
from schemas.explore.figures import FiguresManifest
from schemas.explore.paper import Availability, Section
from tasks.explore.paper import building, compiling
from tasks.explore.paper.escape import latex
from tasks.explore.paper.latex import LatexWriter
from tasks.explore.paper.paper_page import PageWriter
from tasks.explore.paper.paper_pieces import lay_out
from tasks.explore.paper.refs_bib import bibtex
from tests.unit.paper.paper_fixture import SHA, bibliography, run_folder, science_data, source, venue

pytestmark = pytest.mark.unit
ACTIVE = re.compile(
    r"\\(?:input|include|write|openout|immediate|def|catcode|csname|read|special|directlua)\b"
)


def layout():  # type: ignore[no-untyped-def]
    return lay_out(source(), science_data(), bibliography(), FiguresManifest())


@pytest.mark.parametrize(
    "text",
    [
        r"\input{/etc/passwd}",
        r"\write18{rm -rf /}",
        "^^5cinput x",
        "a % b",
        "${}&#_~",
        "\\\\",
        "\x00\x1b",
        "\\begin{document}",
        "漢字 😀 \u202e",
        "`--?`",
    ],
)
def test_no_character_of_a_text_is_a_command(text: str) -> None:
    written = latex(text)
    assert not ACTIVE.search(written)
    assert "^^" not in written and "\x00" not in written
    assert not re.search(r"(?<!\\)[%&#_]", written)


def test_latex_holds_the_numbers_of_the_data_and_no_command_of_the_text() -> None:
    made = layout()
    tex = LatexWriter(made, venue()).document()
    assert r"$12.10 \pm 0.12$\,ms" in tex and r"$3.213 \pm 0.050$" in tex
    assert not ACTIVE.search(tex)
    assert r"\cite{smith2020stencil,lee2019roofline}" in tex
    assert {claim.number for claim in made.claims} == {
        "best.time",
        "best.speedup",
        "n001.time",
        "n002.time",
        "n003.time",
    }
    assert all(claim.sha256 == SHA and claim.file for claim in made.claims)


def test_no_table_stands_between_a_paragraph_and_the_list_that_it_leads_to() -> None:
    text = "As [tab:results] shows, there are two:\n\n- the first\n- the second\n\nThe rest follows."
    given = source()
    sections = tuple(
        Section(name="results", text=text) if each.name == "results" else each for each in given.sections
    )
    tex = LatexWriter(
        lay_out(
            given.model_copy(update={"sections": sections}), science_data(), bibliography(), FiguresManifest()
        ),
        venue(),
    ).document()
    assert (
        tex.index("there are two:")
        < tex.index("the second")
        < tex.index(r"\begin{table}")
        < tex.index("The rest")
    )


def test_a_mark_of_the_template_in_a_text_stays_text() -> None:
    bad = source().model_copy(update={"title": "@abstract@ and @evidence@"})
    tex = LatexWriter(lay_out(bad, science_data(), bibliography(), FiguresManifest()), venue()).document()
    assert r"\title{\bfseries @abstract@ and @evidence@}" in tex


def test_bibtex_keeps_its_braces_whatever_a_title_holds() -> None:
    text = bibtex(bibliography().references)
    plain = text.replace(r"\{", "").replace(r"\}", "")
    assert plain.count("{") == plain.count("}")
    assert not ACTIVE.search(text)
    assert "{Research and Company}" in text and "Łukasz" in text


def test_the_page_is_self_contained_and_escaped() -> None:
    bad = source().model_copy(
        update={
            "sections": (
                *source().sections[:-1],
                Section(
                    name="conclusion",
                    text="<script>alert()</script> <img src=x onerror=alert()> --> {{best.time}}",
                ),
            )
        }
    )
    page = PageWriter(lay_out(bad, science_data(), bibliography(), FiguresManifest()), {}).document()
    assert "<script" not in page and "<img" not in page
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", page)
    assert "default-src 'none'" in page
    assert "12.10 ± 0.12 ms" in page and SHA in page


def test_a_paper_whose_source_was_edited_to_hold_a_number_is_not_built(tmp_path: Path) -> None:
    bad = source().model_copy(update={"sections": (Section(name="results", text="It is 40 times faster."),)})
    with pytest.raises(InputError, match="section 'results'"):
        building.build_paper(run_folder(tmp_path), bad, venue())


def test_without_latexmk_there_are_source_and_page_and_no_old_pdf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "latexmk", lambda: None)
    folder = run_folder(tmp_path)
    (folder / "paper").mkdir()
    (folder / "paper" / "full_paper.pdf").write_bytes(b"%PDF-old")
    made = building.build_paper(folder, source(), venue())
    assert made.pdf is None and "apt-get install latexmk" in made.why_no_pdf
    assert not (folder / "paper" / "full_paper.pdf").exists()
    assert (folder / made.html.path).is_file() and (folder / made.tex.path).is_file()
    claims = json.loads((folder / made.claims.path).read_text())
    assert {"number", "file", "sha256", "node_id", "rendered"} <= set(claims[0])


def test_availability_stands_in_both_with_the_digest() -> None:
    where = Availability(ref="file:///x_y/bundle.tar.gz", digest="cd" * 32, files=4)
    made = lay_out(
        source().model_copy(update={"availability": where}), science_data(), bibliography(), FiguresManifest()
    )
    tex = LatexWriter(made, venue()).document()
    assert all(rf"\newcommand{{\{name}}}" in tex for name in ("codeavailability", "codedigest", "coderef"))
    page = PageWriter(made, {}).document()
    assert f"reprolab clone file:///x_y/bundle.tar.gz --expect-sha256 {'cd' * 32}" in page
