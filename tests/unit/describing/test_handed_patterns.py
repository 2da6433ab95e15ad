"""Patterns as they are handed in: what bitmaps draw, what is refused, and who may say what a pattern is."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from PIL import Image

from schemas.errors import InputError
from schemas.reproduce.handed_pattern import PatternFile
from simkit.arrange import Numerics, arrange, needs
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.reproduce.describing.folder import read_given
from tasks.reproduce.describing.in_sandbox import Description, DescriptionRefused, declared, from_document
from tasks.reproduce.describing.lint import lint
from tasks.reproduce.drawing import draw_scenes
from tasks.reproduce.papers.paper_files import pattern_problems
from tasks.reproduce.patterns.pattern_files import HandedPattern, csv_bitmap, png_bitmap, read_pattern
from tasks.reproduce.patterns.tracing import drawing_of, narrowest, traced

pytestmark = pytest.mark.unit
CELL = """from simkit.describe import *

def describe(p):
    {ridge}
    cell = UnitCell(id="cell", below=Medium(index=p.n), layers=(Film(medium=vacuum(), thickness=p.h, pattern=(ridge,)),), above=vacuum(),
                    period={period}, light_from="below", polarization="x", band=Line(wavelength=p.wavelength))
    return Problem(scenes=(cell,), quantities=(Reflectance(id="R", scene="cell"),))
"""
RIDGE = 'ridge = Pattern(id="ridge", medium=Medium(index=p.n), name="ridge", pixel=(p.px,){more})'
NUMBERS: list[dict[str, Any]] = [
    {"id": k, "value": v, "unit": u, "origin": "assumption", "assumption_id": k}
    for k, (v, u) in {
        "n": (2.0, "1"),
        "h": (0.3, "um"),
        "a": (1.0, "um"),
        "px": (0.05, "um"),
        "wavelength": (0.8, "um"),
    }.items()
]
STRIPES = "\n".join("1" if 5 <= line < 13 else "0" for line in range(20))


def handed(text: str = STRIPES, name: str = "ridge") -> HandedPattern:
    return read_pattern(name, PatternFile(file="ridge.csv"), text.encode())


def cell(period: str = "(p.a,)", more: str = "", *patterns: HandedPattern, ridge: str = RIDGE) -> Description:
    code = CELL.format(ridge=ridge.format(more=more), period=period)
    return from_document(document(described(code, NUMBERS)), declared(NUMBERS), code, patterns)


def covered(pieces: Any, shape: tuple[int, int]) -> NDArray[np.int64]:
    """How many pieces hold the middle of each pixel, by crossings of a ray."""
    out = np.zeros(shape, np.int64)
    x, y = np.meshgrid(*(np.arange(size) + 0.5 for size in shape), indexing="ij")
    for piece in pieces:
        inside = np.zeros(shape, bool)
        for (a, b), (c, d) in zip(piece, (*piece[1:], piece[0]), strict=True):
            if b != d:
                inside ^= ((b > y) != (d > y)) & (x < a + (y - b) * (c - a) / (d - b))
        out += inside
    return out


def area(piece: Any) -> float:
    following = (*piece[1:], piece[0])
    return sum(x * v - u * y for (x, y), (u, v) in zip(piece, following, strict=True)) / 2


@given(arrays(bool, st.tuples(st.integers(1, 12), st.integers(1, 12))))
def test_pieces_cover_what_is_1_once_and_nothing_else(solid: NDArray[np.bool_]) -> None:
    """Holes, corners that touch, islands in holes: whatever a bitmap draws."""
    pieces = traced(solid)
    assert (covered(pieces, solid.shape) == solid).all()
    assert all(area(piece) > 0 for piece in pieces)  # counter-clockwise


@given(
    arrays(bool, st.tuples(st.integers(1, 8), st.integers(1, 8))),
    st.sampled_from([",", ";", "\t", " "]),
    st.booleans(),
)
def test_a_csv_reads_as_it_was_written(solid: NDArray[np.bool_], between: str, decimals: bool) -> None:
    cells = [[f"{value:.2f}" if decimals else str(int(value)) for value in row] for row in solid]
    text = "\n".join(between.join(row) for row in cells) + "\n"
    assert (csv_bitmap(text.encode()) == solid).all()
    assert (csv_bitmap(text.encode(), "y") == solid.T).all()


@given(st.binary(max_size=300))
def test_any_bytes_are_a_bitmap_or_a_clear_error(content: bytes) -> None:
    for name in ("a.csv", "a.png"):
        try:
            read_pattern("a", PatternFile(file=name), content)
        except InputError as error:
            assert "cannot be used" in str(error) and "allowed" in str(error)


def picture(pixels: Any, mode: str = "L") -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.array(pixels, np.uint8)).convert(mode).save(stream, "PNG")
    return stream.getvalue()


def test_a_png_is_drawn_as_it_is_seen() -> None:
    """x to the right, y upwards, white is 1."""
    seen = [[255, 0, 0], [255, 255, 255]]  # the upper row first
    for mode in ("1", "L", "RGB", "P"):
        assert png_bitmap(picture(seen, mode)).tolist() == [[True, True], [True, False], [True, False]]


HUGE = b"\x89PNG\r\n\x1a\n" + bytes.fromhex("0000000d49484452000fffff000fffff0800000000") + b"\0" * 40
BAD: dict[str, tuple[str, bytes, str]] = {
    "grey": ("a.csv", b"0,0.5,1\n", "line 1 holds 0.5; only 0 and 1, no grey values"),
    "nan": ("a.csv", b"0,1\n0,nan\n", "line 2 holds nan"),
    "infinite": ("a.csv", b"0,inf\n", "line 1 holds inf"),
    "header": ("a.csv", b"x,y\n0,1\n", "no header"),
    "ragged": ("a.csv", b"0,1\n0\n", "line 2 has 1 values, the first one 2"),
    "empty": ("a.csv", b"\n\n", "is empty"),
    "nothing drawn": ("a.csv", b"0,0\n", "draws nothing"),
    "no text": ("a.csv", b"\xff\xfe0,1", "no text in UTF-8"),
    "too many": ("a.csv", b"\n".join([b"0," * 4000 + b"1"] * 300), "has more than"),
    "too fine": (
        "a.csv",
        b"\n".join(b",".join(b"01"[(i + j) % 2 :][:1] for j in range(300)) for i in range(300)),
        "parts, at most",
    ),
    "grey picture": ("a.png", picture([[0, 128, 255]]), "no grey values"),
    "coloured picture": ("a.png", picture(np.full((2, 2, 3), (255, 0, 0)), "RGB"), "only black and white"),
    "transparent": ("a.png", picture(np.full((2, 2, 4), 100), "RGBA"), "transparent"),
    "a bomb": ("a.png", HUGE, "a.png"),
    "no picture": ("a.png", b"GIF89a", "cannot be read"),
    "another ending": ("a.jpg", b"", "another ending"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_hostile_file_is_refused_in_words_and_in_time(case: str) -> None:
    name, content, words = BAD[case]
    began = time.process_time()
    with pytest.raises(InputError) as caught:
        read_pattern("a", PatternFile(file=name), content)
    assert words in str(caught.value) and time.process_time() - began < 5


def test_the_narrowest_part_is_measured_behind_the_steps_of_an_edge() -> None:
    x, y = np.mgrid[:120, :120] - 59.5
    disk = x**2 + y**2 < 40**2
    assert 20 <= narrowest(disk) <= 80
    slit = disk & ~((abs(y) < 3) & (x > 0))
    assert narrowest(slit) == pytest.approx(6, abs=1)
    assert (
        narrowest(np.pad(np.ones((9, 40), bool), ((2, 30), (0, 0)))) == 9
    )  # what ends with the bitmap goes on beyond
    assert drawing_of(disk).mirrored == (True, True) and drawing_of(slit).mirrored == (False, True)


def test_stripes_are_the_bars_that_they_draw() -> None:
    """The same runs to the last digit: whatever solves bars solves them."""
    bar = cell(
        "(p.a,)", ridge="ridge = Bar(medium=Medium(index=p.n), x=(-p.px * 2 * 2 - p.px, p.px * 2 + p.px))"
    )
    ours, theirs = cell("(p.a,)", "", handed()).resolved(), bar.resolved()
    assert needs(ours.scenes[0], {}) == needs(theirs.scenes[0], {})
    digests = [
        {
            name: run.digest()
            for name, run in arrange(p.scenes[0], p.quantities, Numerics(resolution=40), {}).runs.items()
        }
        for p in (ours, theirs)
    ]
    assert digests[0] == digests[1]


def test_a_file_is_named_and_never_written_by_a_description() -> None:
    """Name and digest are of what was handed in; drawing and digest of one's own are refused, and so is another file."""
    found = cell("(p.a,)", "", handed())
    body = found.parametric["scenes"][0]["layers"][0]["pattern"][0]
    assert body["sha256"] == handed().sha256 and body["drawing"] is None
    assert found.resolved({"px": 0.04}).scenes[0].layers[0].pattern[0].bars() == [pytest.approx((-0.2, 0.12))]
    drawn = ', drawing={"pieces": [], "low": (0, 0), "high": (1, 1), "narrowest": 1}'
    for more, patterns, words in (
        ("", (), "no file that was handed in"),
        ("", (handed(name="other"),), "other"),
        (f', sha256="{"0" * 64}"', (handed(),), "digest of another file"),
    ):
        with pytest.raises(DescriptionRefused, match=words):
            cell("(p.a,)", more, *patterns)
    with pytest.raises(ValueError, match="never written"):
        cell("(p.a,)", drawn, handed())
    written = json.loads(json.dumps(found.parametric))
    written["scenes"][0]["layers"][0]["pattern"][0]["drawing"] = found.patterns["ridge"].drawing.model_dump()
    with pytest.raises(DescriptionRefused, match="never written"):
        from_document(written, declared(NUMBERS), "", (handed(),))


def test_what_does_not_fit_a_scene_is_said(tmp_path: Path) -> None:
    both = handed("\n".join(["0,1,1,0"] * 2 + ["0,0,1,0"] * 2))
    with pytest.raises(DescriptionRefused, match="ridge changes along y"):
        cell("(p.a,)", "", both)
    with pytest.raises(ValueError, match="goes through its whole layer"):
        cell("(p.a,)", ", bounds=(0, p.h)", both)
    with pytest.raises(DescriptionRefused, match="needs the size of its pixels"):
        cell("(p.a, p.a)", "", both, ridge='ridge = Pattern(id="ridge", medium=vacuum(), name="ridge")')
    found = cell("(p.a, p.a)", "", handed("\n".join([",".join("1" * 20)] * 21)))
    assert any("the period is 1" in finding.text for finding in lint(found, {}) if finding.level == "error")
    path = draw_scenes(found.parametric, found.resolved(), found.parameters, tmp_path)["cell"]
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_pattern_comes_from_beneath_its_folder(tmp_path: Path) -> None:
    """By hand and with a paper: no path outside, no link, none that is missing."""
    (tmp_path / "paper").mkdir()
    (tmp_path / "outside.csv").write_text(STRIPES)
    (tmp_path / "paper" / "inside.csv").write_text(STRIPES)
    (tmp_path / "paper" / "link.csv").symlink_to(tmp_path / "outside.csv")
    (tmp_path / "paper" / "patterns.json").write_text(json.dumps({"ridge": {"file": "inside.csv"}}))
    assert (
        read_given("text\n", [], None, tmp_path / "paper" / "patterns.json").patterns[0].sha256
        == handed().sha256
    )
    for file in ("../outside.csv", str(tmp_path / "outside.csv"), "link.csv", "none.csv"):
        told = pattern_problems(
            tmp_path / "paper", file, {"name": "ridge", "file": file, "source": "its supplement"}
        )
        assert len(told) == 1 and "is not a file in" in told[0]
        (tmp_path / "paper" / "patterns.json").write_text(json.dumps({"ridge": {"file": file}}))
        with pytest.raises(InputError, match="no file that can be read"):
            read_given("text\n", [], None, tmp_path / "paper" / "patterns.json")
    assert not pattern_problems(
        tmp_path / "paper",
        "inside.csv",
        {"name": "ridge", "file": "inside.csv", "source": "its supplement"},
    )
