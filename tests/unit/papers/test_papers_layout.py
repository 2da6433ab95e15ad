"""Reading order and Markdown of a PDF's pages, from pieces of lines as PDFium gives them."""

from __future__ import annotations

import pytest

from schemas.errors import InputError
from tasks.documents.pdf import page_numbers
from tasks.documents.pdf_reader.found import FIGURE, TABLE, is_equation, region_of
from tasks.documents.pdf_reader.layout import Line, Piece, gutter, reading_order
from tasks.documents.pdf_text import ReadPage, markdown_of, title_of
from tasks.reproduce.papers.importing.draft import figure_label, unique_id

pytestmark = pytest.mark.unit


def piece(x0: float, y0: float, width: float, text: str) -> Piece:
    return Piece(x0, y0, x0 + width, y0 + 9, text)


def columns(number: int, top: float, left: str = "l", right: str = "r") -> list[Piece]:
    return [
        piece(x, top + 12 * n, 240, f"{name}{top:g}-{n}")
        for n in range(number)
        for x, name in ((40, left), (310, right))
    ]


def words(pieces: list[Piece]) -> list[str]:
    return [line.text for line in reading_order(pieces, 600)]


def test_two_columns_between_lines_over_the_whole_width():
    pieces = [
        piece(40, 20, 510, "title"),
        *columns(5, 60),
        piece(40, 150, 510, "caption over both"),
        *columns(4, 200),
    ]
    assert words(pieces[::-1]) == [
        "title",
        *(f"l60-{n}" for n in range(5)),
        *(f"r60-{n}" for n in range(5)),
        "caption over both",
        *(f"l200-{n}" for n in range(4)),
        *(f"r200-{n}" for n in range(4)),
    ]


def test_one_column_stays_one():
    pieces = [piece(40, 20 + 12 * n, 500 if n % 4 else 180, f"line {n}") for n in range(30)]
    assert gutter(pieces, 600) is None and words(pieces) == [f"line {n}" for n in range(30)]
    table = [piece(x, 20 + 12 * n, 30, f"{n}") for n in range(8) for x in (60, 180, 330, 450)]
    assert gutter(table, 600) is None, "the cells of a table are no columns of text"


def test_pieces_on_one_height_are_a_line_with_cells():
    line = reading_order([piece(40, 20, 30, "t"), piece(140, 21, 30, "R"), piece(172, 20, 30, "(1)")], 600)[0]
    assert line.text == "t R (1)" and line.cells == ["t", "R (1)"]


def test_what_captions_and_equations_look_like():
    for text in ("Figure 3. The", "FIG. 3 (color online)", "Fig. S2: x", "Figure 12 | x", "Fig. 4"):
        assert FIGURE.match(text), text
    for text in ("Fig. 3 shows the spectrum", "Figures of merit", "figure skating."):
        assert not FIGURE.match(text), text
    assert TABLE.match("TABLE II. Sizes") and TABLE.match("Table 1: x") and not TABLE.match("tables are")
    assert is_equation(Line([piece(0, 0, 50, "R + T = 1 (12)")]))
    assert is_equation(Line([piece(0, 0, 50, "n2 - 1 = C1 + C2 l2 / (l2 - C3)")]))
    assert not is_equation(Line([piece(0, 0, 50, "we take a thickness d = 20 nm here")]))
    assert not is_equation(Line([piece(0, 0, 50, "as seen in (12)")]))


def test_a_picture_ends_where_running_text_begins():
    text = [piece(40, 20 + 12 * n, 240, "running text of a column, long enough") for n in range(5)]
    caption = [Line([piece(40, 300, 240, "Figure 1. x")], 1)]
    lines = [*reading_order(text + columns(5, 400), 600), *caption]
    drawn = [(60.0, 120.0, 250.0, 280.0), (40.0, 5.0, 280.0, 15.0), (320.0, 120.0, 500.0, 280.0)]
    assert region_of(caption, lines, drawn, 600, 300) == (60.0, 120.0, 250.0, 280.0)
    assert region_of(caption, lines, drawn[1:], 600, 300) is None


def test_lines_become_headings_paragraphs_and_tables():
    page = ReadPage(
        page=1,
        body=10,
        columns=1,
        lines=(
            ("A film that absorbs", 18, 99, 0),
            ("nearly everything", 18, 2, 0),
            ("Results", 12, 20, 0),
            ("one", 10, 20, 0),
            ("two", 10, 2, 0),
            ("# three", 10, 20, 0),
        ),
    )
    assert title_of([page]) == "A film that absorbs nearly everything"
    assert markdown_of([page], [(1, "TABLE I.", [["a", "b|c"], ["1"]])]) == (
        "# A film that absorbs nearly everything\n\n## Results\n\none\ntwo\n\n\\# three\n\n"
        "Table as found on page 1. TABLE I.\n\n| a | b/c |\n|---|---|\n| 1 |  |\n"
    )


def test_pages_and_names():
    assert page_numbers("1-3, 9,2") == [1, 2, 3, 9] and page_numbers("") == []
    for wrong in ("0", "3-1", "a", "1-1000000", "1--2", "-1"):
        with pytest.raises(InputError, match="1-6,9"):
            page_numbers(wrong)
    found = [
        figure_label(text)
        for text in ("Figure 3b. x", "Fig. S2", "Supplementary Figure 4", "FIG. 10", "A figure")
    ]
    assert found == ["fig3b", "figS2", "figS4", "fig10", None]
    used: set[str] = set()
    assert [unique_id(name, used) for name in ("fig1", "fig1", None, None)] == [
        "fig1",
        "fig1_2",
        "fig2",
        "fig3",
    ]
