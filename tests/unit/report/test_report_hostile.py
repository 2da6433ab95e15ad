"""Hostile words and files stay inert in both forms of the report."""

from __future__ import annotations

import os
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from PIL import Image

from schemas.reproduce.paper import PaperFigure, PaperInput
from tasks.reproduce.report import write_report
from tasks.reproduce.report.embedded_pictures import MAX_SIDE_PX, load_picture
from tasks.reproduce.report.html import prose
from tasks.reproduce.report.markdown import plain
from tasks.reproduce.report.report_files import file_cell, inside
from tests.unit.report.report_fixture import HOSTILE, make_facts, make_paper, make_state, settings

pytestmark = pytest.mark.unit

ATTACKS = [
    HOSTILE,
    "\\<script>alert(1)</script>",
    "[x]: javascript:alert(1)\n\n[x] ![y][x]",
    "<https://evil.test> &lt;b&gt; &#60;b&#62;",
    "```\n</code></pre><script>x</script>",
    "# big\n\n<div onclick=x>\n\n> quote",
    "a\n\n| x | y |\n|---|---|\n| <b> | ![z](data:image/png;base64,AA) |",
    "`unclosed \\` ![x](y)",
    "evil\u202etxt.exe \x1b[31m",
    "|||| ~~ ** __ $$ \\",
]


class Tags(HTMLParser):
    """Collects elements and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def assert_inert_html(page: str) -> None:
    """No script, no handler, no foreign address."""
    tags = Tags(page).found
    assert not {tag for tag, _ in tags} & {
        "script",
        "iframe",
        "object",
        "embed",
        "form",
        "link",
        "base",
        "svg",
    }
    for tag, attributes in tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        if "src" in attributes:
            assert tag == "img" and (attributes["src"] or "").startswith("data:image/")
        if "href" in attributes:
            href = attributes["href"] or ""
            assert tag == "a" and (href.startswith("#") or (":" not in href and not href.startswith("/")))


def assert_inert_markdown(text: str, root: Path) -> None:
    """Even a reader that allows HTML, links and images finds only ours."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    reader.validateLink = lambda address: True
    for token in reader.parse(text):
        assert token.type != "html_block", token.content
        for child in token.children or ():
            assert child.type != "html_inline" or child.content == "<br>", child.content
            address = child.attrs.get("src") or child.attrs.get("href")
            if address:
                assert (root / str(address)).is_file(), address


@pytest.mark.attack("shown text", "both forms of the report show it and do nothing")
@pytest.mark.parametrize("words", ATTACKS)
def test_hostile_words_are_shown_and_do_nothing(tmp_path: Path, words: str) -> None:
    run_dir, paper_dir = tmp_path / "run", tmp_path / "paper"
    run_dir.mkdir()
    paper = make_paper(paper_dir).model_copy(update={"title": words, "citation": words})
    markdown, html = write_report(
        make_state(run_dir, words=words), paper, run_dir=run_dir, paper_dir=paper_dir, settings=settings(),
        facts=make_facts(words, sandbox_level="C", sandbox_note=words, endpoint=words, command=words, git=words),
    )  # fmt: skip
    assert_inert_markdown(markdown.read_text(), run_dir)
    for page in (html.read_text(), html.with_name(f"APPENDIX_{html.name}").read_text()):
        assert_inert_html(page)
        assert "default-src 'none'; img-src data:; style-src 'unsafe-inline'" in page
        assert page.count("<style>") == page.count("</style>") == 1
        assert "\u202e" not in page + markdown.read_text() and "\x1b" not in page


def test_the_checks_above_do_find_what_they_look_for(tmp_path: Path) -> None:
    for page in (
        "<script>x</script>",
        "<img src='http://evil.test'>",
        "<a href='javascript:x'>",
        "<p onclick=x>",
    ):
        with pytest.raises(AssertionError):
            assert_inert_html(page)
    for text in ("<script>x</script>", "a <b>x</b>", "![x](file:///etc/passwd)", "[x](javascript-x)"):
        with pytest.raises(AssertionError):
            assert_inert_markdown(text, tmp_path)


@pytest.mark.attack("shown text", "stays in its cell")
@pytest.mark.parametrize("words", ATTACKS)
def test_a_table_cell_keeps_to_its_cell(words: str) -> None:
    table = f"| a | b |\n|---|---|\n| {plain(words)} | end |\n"
    tokens = MarkdownIt("commonmark").enable("table").parse(table)
    cells = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "td_open"]
    assert len(cells) == 2 and cells[1] == "end"


def test_agents_keep_their_emphasis_lists_and_tables() -> None:
    html = prose("# Title\n\n**bold** and `code`\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    for piece in (
        "<h6>Title</h6>",
        "<strong>bold</strong>",
        "<code>code</code>",
        "<li>one</li>",
        "<td>1</td>",
    ):
        assert piece in html


@pytest.mark.attack("shown text", "not read")
def test_pictures_outside_their_directory_are_not_read(tmp_path: Path) -> None:
    root = tmp_path / "paper"
    root.mkdir()
    secret = tmp_path / "secret.png"
    Image.new("RGB", (4, 4)).save(secret)
    (root / "link.png").symlink_to(secret)
    os.mkfifo(root / "pipe.png")
    for path in ("../secret.png", str(secret), "link.png", "pipe.png", ".", "none.png", "a\x00b.png"):
        picture = load_picture(root, path, "x")
        assert picture.missing and not picture.data, path


@pytest.mark.attack("shown text", "refused with a reason")
def test_pictures_that_are_something_else_are_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "fake.png").write_text("<svg onload=alert(1)>")
    Image.new("RGB", (4, 4)).save(tmp_path / "moving.gif")
    Image.new("1", (8000, 8000)).save(tmp_path / "bomb.png")
    assert "cannot be read" in load_picture(tmp_path, "fake.png", "x").missing
    assert "cannot be read" in load_picture(tmp_path, "moving.gif", "x").missing
    assert "pixels" in load_picture(tmp_path, "bomb.png", "x").missing
    (tmp_path / "cut.png").write_bytes((tmp_path / "bomb.png").read_bytes()[:60])
    assert load_picture(tmp_path, "cut.png", "x").missing


def test_pictures_are_shrunk_flattened_and_encoded_anew(tmp_path: Path) -> None:
    Image.new("RGBA", (2800, 700), (255, 0, 0, 0)).save(tmp_path / "wide.png")
    with (tmp_path / "wide.png").open("ab") as handle:
        handle.write(b"<script>hidden</script>")
    picture = load_picture(tmp_path, "wide.png", "x")
    (tmp_path / "out.png").write_bytes(picture.data)
    with Image.open(tmp_path / "out.png") as image:
        assert image.size == (MAX_SIDE_PX, 350)
        assert image.convert("RGB").getpixel((5, 5)) == (255, 255, 255)
    assert b"script" not in picture.data


@pytest.mark.attack("shown text", "named, not linked")
def test_files_outside_the_run_are_named_but_not_linked(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "secret.csv").write_text("x")
    (tmp_path / "run" / "a b:(1).csv").write_text("x")
    run_dir = tmp_path / "run"
    assert inside(run_dir, "../secret.csv") is None
    assert file_cell(run_dir, "../secret.csv").href == ""
    assert file_cell(run_dir, "javascript:alert(1)").href == ""
    assert file_cell(run_dir, "a b:(1).csv").href == "a%20b%3A%281%29.csv"


@pytest.mark.attack("shown text", "the copy stays in the run")
def test_a_figure_id_cannot_lead_its_copy_elsewhere(tmp_path: Path) -> None:
    run_dir, paper_dir = tmp_path / "run", tmp_path / "paper"
    run_dir.mkdir()
    paper = make_paper(paper_dir)
    odd = paper.figures[0].model_copy(update={"figure_id": "../../escape"})
    assert isinstance(odd, PaperFigure)
    hostile: PaperInput = paper.model_copy(update={"figures": (odd,)})
    write_report(
        make_state(run_dir),
        hostile,
        run_dir=run_dir,
        paper_dir=paper_dir,
        settings=settings(),
        facts=make_facts(),
    )
    assert [path.name for path in (run_dir / "report_images").iterdir()] == ["paper-escape.png"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["paper", "run"]
