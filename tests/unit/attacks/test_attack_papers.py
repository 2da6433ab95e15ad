"""A stranger's paper folder: every file of it comes through one door, and what is refused is said."""

from __future__ import annotations

import json
import os
import resource
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agents.models.recording import read_recording
from schemas.errors import InputError, ReplayError
from tasks.reproduce.papers import data_columns, keep_paper, load_paper, read_paper, recording

pytestmark = pytest.mark.unit

SECRET = "root:x:0:0:s3cret"
PAPER: dict[str, Any] = {
    "paper_id": "film",
    "title": "A film",
    "citation": "A. Author, J. Opt. 1, 1 (2023)",
    "domain": "thin_films",
    "figures": [
        {
            "figure_id": "fig1",
            "caption": "R",
            "image": "figures/a.png",
            "data": [{"file": "data/a.csv", "origin": "digitised", "source": "digitised from figure 1"}],
        }
    ],
    "materials": [{"name": "film", "file": "data/nk.csv", "source": "measured by the authors"}],
}
TEXT = "# A film\n\n" + "The reflectance of the film has its minimum at 620 nm. " * 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sound paper folder, and a secret beside it that no message may show."""
    folder = tmp_path / "paper"
    (folder / "figures").mkdir(parents=True)
    (folder / "data").mkdir()
    Image.new("RGB", (40, 30), "white").save(folder / "figures" / "a.png")
    (folder / "data" / "a.csv").write_text("wavelength_nm,R\n500,0.1\n510,0.2\n")
    (folder / "data" / "nk.csv").write_text("wavelength_nm,n,k\n400,1.5,0\n800,1.4,0\n")
    (folder / "paper.json").write_text(json.dumps(PAPER))
    (folder / "paper.md").write_text(TEXT)
    (tmp_path / "secret").write_text((SECRET + "\n") * 30)
    Image.new("RGB", (40, 30), "red").save(tmp_path / "secret.png")
    (tmp_path / "secret.csv").write_text("wavelength_nm,n,k\n400,1.5,0\n800,1.4,0\n")
    return folder


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """No attack may take long or grow: CPU time of this process, and its largest size."""
    began, size = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size) / 1024
    assert time.process_time() - began < 5 and grown < 500, (
        f"{time.process_time() - began:.1f} s, {grown:.0f} MiB"
    )


def refused(location: Path) -> str:
    """What is said of a paper that must be refused; never a traceback, never the secret's words, no control character."""
    reading = read_paper(location)
    assert reading.problems, "the paper was accepted"
    said = "\n".join(reading.problems)
    with pytest.raises(InputError) as caught:
        load_paper(location)
    for text in (said, str(caught.value)):
        assert SECRET not in text and "s3cret" not in text
        assert all(c.isprintable() or c == "\n" for c in text), repr(text)
        assert len(text) < 20_000
    return said


def replaced(folder: Path, name: str, make: Callable[[Path], object]) -> None:
    path = folder / name
    path.unlink()
    make(path)


FILES = ("paper.json", "paper.md", "figures/a.png", "data/a.csv", "data/nk.csv")
KINDS: dict[str, Callable[[Path], object]] = {
    "a link out of the folder": lambda path: path.symlink_to(_secret(path)),
    "a relative link out of the folder": lambda path: path.symlink_to(
        os.path.relpath(_secret(path), path.parent)
    ),
    "a hard link": lambda path: os.link(_secret(path), path),
    "a pipe": lambda path: os.mkfifo(path),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "proc": lambda path: path.symlink_to("/proc/self/environ"),
    "a folder": lambda path: path.mkdir(),
    "a loop of links": lambda path: path.symlink_to(path.name),
    "sparse, 1 TB": lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_RDWR), 1 << 40),
}


def _secret(path: Path) -> Path:
    top = path.parent if path.name.startswith("paper") else path.parent.parent
    return top.parent / ("secret" + {".png": ".png", ".csv": ".csv"}.get(path.suffix, ""))


@pytest.mark.attack("paper folder", "refused, nothing read, nothing shown of it")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is(folder: Path, name: str, kind: str) -> None:
    replaced(folder, name, KINDS[kind])
    refused(folder)


@pytest.mark.attack("paper folder", "refused, nothing read, nothing shown of it")
@pytest.mark.parametrize("name", ["figures", "data"])
def test_a_folder_that_is_a_link(folder: Path, tmp_path: Path, name: str) -> None:
    (folder / name).rename(tmp_path / name)
    (folder / name).symlink_to(tmp_path / name)
    refused(folder)


NAMES = {
    "absolute": "/etc/passwd",
    "above": "../secret.png",
    "above, by a detour": "figures/../../secret.png",
    "NUL": "a\0b.png",
    "too long": "x" * 5000,
    "a part too long": "y" * 300 + ".png",
    "deep": "/".join("d" * 200),
    "terminal escape": "\x1b[2Ja.png",
    "lone surrogate": "\ud800.png",
    "home": "~/a.png",
    "an address": "file:///etc/passwd",
    "empty part": "",
    "itself": ".",
    "new line": "a\nfix: all is well.png",
    "the text": "paper.md",
    "right to left": "a\u202egnp.png",
}


@pytest.mark.attack("paper folder", "refused with the name made visible")
@pytest.mark.parametrize("place", ["image", "data", "material"])
@pytest.mark.parametrize("name", NAMES)
def test_a_file_named(folder: Path, name: str, place: str) -> None:
    fields = json.loads(json.dumps(PAPER))
    if place == "image":
        fields["figures"][0]["image"] = NAMES[name] or "."
    elif place == "data":
        fields["figures"][0]["data"][0]["file"] = NAMES[name]
    else:
        fields["materials"][0]["file"] = NAMES[name]
    (folder / "paper.json").write_text(json.dumps(fields))
    refused(folder)


def _json(**changes: Any) -> str:
    return json.dumps({**PAPER, **changes})


JSON: dict[str, str | bytes] = {
    "deep lists": "[" * 200_000,
    "deep objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "deep in a field": _json()[:-1] + ', "scope": ' + "[" * 900 + "]" * 900 + "}",
    "a key twice": _json()[:-1] + ', "title": "Another"}',
    "NaN": _json().replace(
        '"digitised from figure 1"', '"digitised from figure 1", "relative_error_percent": NaN'
    ),
    "Infinity": _json().replace(
        '"digitised from figure 1"', '"digitised from figure 1", "x_error": Infinity'
    ),
    "1e400": _json().replace('"digitised from figure 1"', '"digitised from figure 1", "x_error": 1e400'),
    "10**400": _json().replace(
        '"digitised from figure 1"', '"digitised from figure 1", "x_error": 1' + "0" * 400
    ),
    "an integer of 100 000 digits": _json()[:-1] + ', "scope": ' + "9" * 100_000 + "}",
    "lone surrogate in the title": _json(title="A film \ud800 on glass"),
    "lone surrogate in the text": _json(text=TEXT + "\udfff"),
    "UTF-16": _json().encode("utf-16"),
    "UTF-32": _json().encode("utf-32"),
    "Latin-1": _json(title="Réflexion").encode().decode("unicode_escape").encode("latin-1"),
    "NUL bytes": b"\0" * 1000,
    "empty": b"",
    "10 MB in one line": _json(title="x" * 10_000_000),
    "a megabyte of title": _json(title="x" * 1_000_000),
    "100 000 figures": _json(figures=[{"figure_id": f"f{n}", "caption": "c"} for n in range(100_000)]),
    "100 000 tables": _json(
        figures=[{"figure_id": "f", "caption": "c", "data": [PAPER["figures"][0]["data"][0]] * 30_000}]
    ),
    "an identifier with a line's end": _json(paper_id="film\n"),
    "an identifier that is a path": _json(paper_id="../../etc"),
    "an identifier of dots": _json(paper_id=".."),
    "a list": b"[]",
}


@pytest.mark.attack("paper folder", "refused with a reason, quickly")
@pytest.mark.parametrize("case", JSON)
def test_paper_json_with(folder: Path, case: str) -> None:
    content = JSON[case]
    (folder / "paper.json").write_bytes(
        content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    )
    refused(folder)


MD: dict[str, bytes] = {
    "UTF-16": TEXT.encode("utf-16"),
    "NUL bytes": TEXT.encode() + b"\0" * 400,
    "no UTF-8": TEXT.encode() + b"\xff\xfe\x80" * 100,
    "10 MB in one line": b"x" * 10_000_000,
    "empty": b"",
    "white space": b" \n" * 500,
}


@pytest.mark.attack("paper folder", "refused with a reason")
@pytest.mark.parametrize("case", MD)
def test_paper_md_with(folder: Path, case: str) -> None:
    (folder / "paper.md").write_bytes(MD[case])
    assert "paper.md" in refused(folder)


TABLES: dict[str, bytes] = {
    "NaN": b"wavelength_nm,n,k\n400,nan,0\n",
    "infinite": b"wavelength_nm,n,k\n400,inf,0\n500,1,0\n",
    "1e400": b"wavelength_nm,n,k\n400,1e400,0\n500,1,0\n",
    "a formula": b'wavelength_nm,n,k\n400,"=1+1",0\n',
    "UTF-16": "wavelength_nm,n,k\n400,1.5,0\n".encode("utf-16"),
    "NUL": b"wavelength_nm,n,k\n400,1.5,0\0\n",
    "10 MB in one line": b"wavelength_nm," + b"1," * 5_000_000,
    "10 MB of one cell": b"a,b\n1," + b"9" * 10_000_000,
    "quotes without end": b'a,b\n"' + b"1,2\n" * 100_000,
    "a million rows of nothing": b"a,b\n" + b"\n" * 1_000_000,
    "ragged": b"wavelength_nm,n,k\n" + b"1\n1,2,3,4,5,6\n" * 1000,
    "wide": b"wavelength_nm,n,k\n" + b"1," * 100_000 + b"\n",
    "terminal escapes": b"wavelength_nm,\x1b]0;owned\x07,k\n400,\x1b[2J,0\n",
}


@pytest.mark.attack("paper folder", "refused with a reason, quickly")
@pytest.mark.parametrize("name", ["data/a.csv", "data/nk.csv"])
@pytest.mark.parametrize("case", TABLES)
def test_a_table_with(folder: Path, case: str, name: str) -> None:
    (folder / name).write_bytes(TABLES[case])
    refused(folder)


def _png_claiming(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


def _png_of(size: tuple[int, int]) -> Callable[[Path], object]:
    return lambda path: Image.new("1", size).save(path, "PNG")


PICTURES: dict[str, Callable[[Path], object]] = {
    "EPS (Ghostscript)": lambda path: path.write_bytes(
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n(/tmp/hard-owned) (w) file\nshowpage\n"
    ),
    "TIFF": lambda path: Image.new("RGB", (4, 4)).save(path, "TIFF"),
    "GIF": lambda path: Image.new("RGB", (4, 4)).save(path, "GIF"),
    "SVG": lambda path: path.write_text("<svg onload=alert(1) xmlns='http://www.w3.org/2000/svg'/>"),
    "PNG of 64 Mpixel": _png_of((8000, 8000)),
    "PNG of 3600 Mpixel": lambda path: path.write_bytes(_png_claiming(60_000, 60_000)),
    "cut short": lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10"),
    "text": lambda path: path.write_text("no picture"),
}


@pytest.mark.attack("paper folder", "refused with a reason; opened as PNG or JPEG only")
@pytest.mark.parametrize("case", PICTURES)
def test_a_picture_that_is(folder: Path, case: str) -> None:
    PICTURES[case](folder / "figures" / "a.png")
    assert "'figures/a.png'" in refused(folder)


def test_the_sound_folder_is_read(folder: Path) -> None:
    paper, found = load_paper(folder)
    assert paper.title == "A film" and found == folder
    (folder / "paper.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(PAPER).encode())
    (folder / "paper.md").write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert load_paper(folder)[0].text == TEXT, "a byte order mark is no character of the text"


@pytest.mark.attack("paper folder", "a run works with the copy it took and checked")
def test_a_file_exchanged_after_it_was_checked(folder: Path, tmp_path: Path) -> None:
    paper, _ = load_paper(folder)
    (folder / "figures" / "a.png").unlink()
    (folder / "figures" / "a.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(InputError, match="changed while it was read"):
        keep_paper(paper, folder, tmp_path / "run" / "paper")
    assert not (tmp_path / "run" / "paper" / "figures").exists()


@pytest.mark.attack("paper folder", "a run works with the copy it took and checked")
def test_a_file_exchanged_while_the_run_goes_on(folder: Path, tmp_path: Path) -> None:
    paper, _ = load_paper(folder)
    (folder / "unnamed.txt").write_text("not the paper's")
    copy = tmp_path / "run" / "paper"
    assert keep_paper(paper, folder, copy) == paper
    (folder / "data" / "a.csv").write_text("wavelength_nm,R\n500,0.9\n")
    assert data_columns(paper, copy) and "0.9" not in (copy / "data" / "a.csv").read_text()
    assert sorted(path.name for path in copy.rglob("*.*")) == [
        "a.csv",
        "a.png",
        "nk.csv",
        "paper.json",
        "paper.md",
    ]
    assert not [path for path in copy.rglob("*") if path.is_symlink()]
    keep_paper(load_paper(folder)[0], folder, copy)
    assert "0.9" in (copy / "data" / "a.csv").read_text(), "a run that is continued reads the paper anew"


@pytest.mark.attack("paper folder", "refused, nothing shown of it")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "a hard link"])
def test_a_transcript_that_is(folder: Path, kind: str) -> None:
    KINDS[kind](folder / "paper-transcript")
    (folder / "paper-transcript").rename(folder / "transcript.jsonl")
    with pytest.raises(InputError, match="transcript") as caught:
        recording(folder)
    assert "s3cret" not in str(caught.value)


TRANSCRIPTS = {
    "no header": SECRET,
    "deep": "[" * 100_000,
    "a key twice": '{"header": {}, "header": {}}',
    "NaN": '{"header": NaN}',
    "10**400": '{"header": {}}\n{"kind": "call", "x": 1' + "0" * 400 + "}",
    "NUL": "\0" * 99,
    "empty": "",
    "an entry of nothing": '{"header": {}}\n{}',
    "terminal escapes": '{"\x1b[2J": 1}',
    "9 MB line": "x" * 9_000_000,
}


@pytest.mark.attack("paper folder", "refused by line, nothing shown of it")
@pytest.mark.parametrize("case", TRANSCRIPTS)
def test_a_transcript_with(tmp_path: Path, case: str) -> None:
    (tmp_path / "transcript.jsonl").write_text(TRANSCRIPTS[case])
    with pytest.raises(ReplayError) as caught:
        read_recording(tmp_path / "transcript.jsonl")
    assert "s3cret" not in str(caught.value) and "\x1b" not in str(caught.value)
