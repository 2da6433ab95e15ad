"""Papers imported from Markdown: figures, captions, head, pictures from here and from the network, and hostile files."""

from __future__ import annotations

import io
import json
import os
import struct
import threading
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from schemas.errors import InputError
from tasks.reproduce.papers import load_paper
from tasks.reproduce.papers.importing import Imported, Wishes, import_paper, remote
from tasks.reproduce.papers.importing.markdown_figures import blocks_of
from tasks.reproduce.papers.importing.metadata import citation_of, front_matter
from tests.unit.commands.commands_fixture import reprolab

pytestmark = pytest.mark.unit

BODY = "The reflectance of the film has its minimum at 620 nm, where it is 1.2 %. " * 5


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 30)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "red").save(out, kind)
    return out.getvalue()


def bomb(width: int = 60_000, height: int = 60_000) -> bytes:
    """A PNG of a few bytes that says it is 10 GB large."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


def made(tmp_path: Path, text: str, **wishes: Any) -> Imported:
    source = tmp_path / "source"
    source.mkdir(exist_ok=True)
    (source / "paper.md").write_text(text)
    return import_paper(source / "paper.md", tmp_path / "out", Wishes(**wishes))


def captions(found: Imported) -> dict[str, str]:
    assert found.reading.paper
    return {figure.figure_id: figure.caption for figure in found.reading.paper.figures}


def test_pictures_of_every_kind_of_link_with_their_captions(tmp_path: Path) -> None:
    (tmp_path / "source" / "my figures").mkdir(parents=True)
    for name in ("a.png", "my figures/b ü.png"):
        (tmp_path / "source" / name).write_bytes(picture())
    (tmp_path / "source" / "c.bin").write_bytes(picture("JPEG"))
    (tmp_path / "source" / "d.gif").write_bytes(picture("GIF"))
    found = made(
        tmp_path,
        f"""# A film

{BODY}

![alt](a.png)

Figure 1. Below the picture.

<figure>

<img src="my%20figures/b%20%C3%BC.png" alt="x">

<figcaption>Fig. 2: In a <b>figcaption</b>.</figcaption>
</figure>

![Figure S3: alternative text of a reference][three]

Words <img src="d.gif" title="Fig. 4a as title"> around.

<script>document.write('<img src="a.png">')</script>
<!-- <img src="a.png"> -->

[three]: c.bin "title"
""",
    )
    assert captions(found) == {
        "fig1": "Figure 1. Below the picture.",
        "fig2": "Fig. 2: In a figcaption.",
        "figS3": "Figure S3: alternative text of a reference",
        "fig4a": "Fig. 4a as title",
    }
    assert sorted(path.name for path in (found.folder / "figures").iterdir()) == [
        "fig1.png",
        "fig2.png",
        "fig4a.png",
        "figS3.jpg",
    ]
    paper, folder = load_paper(found.folder)
    assert paper.figures[2].supplementary and "document.write" not in paper.text and "Words" in paper.text
    assert "scripts, styles or HTML comments were left out" in (folder / "CHECK_BY_EYE.md").read_text()


def test_captions_above_their_pictures(tmp_path: Path) -> None:
    found = made(
        tmp_path, f"# A film\n\n{BODY}\n\nFigure 1. One.\n\n![](a.png)\n\nFigure 2. Two.\n\n![](b.png)\n"
    )
    assert captions(found) == {"fig1": "Figure 1. One.", "fig2": "Figure 2. Two."}
    assert sum("there is no such file" in doubt for doubt in found.doubts) == 2


def test_title_and_citation_are_guessed_and_shown(tmp_path: Path) -> None:
    found = made(
        tmp_path, f"# A film\n\nA. Author, Opt. Express 21, 1234 (2013), doi:10.1364/OE.21.001234\n\n{BODY}"
    )
    assert (
        found.reading.paper
        and found.reading.paper.citation == "A film. Opt. Express 21, 1234 (2013); 10.1364/OE.21.001234"
    )
    assert any("head of the text: check it" in doubt for doubt in found.doubts)
    given, rest, _ = front_matter(
        "---\ntitle: B\nauthors: [{name: X. Y}, Z]\ndoi: 10.1000/b\ndate: 2020-01-02\n---\nText"
    )
    assert rest == "Text" and citation_of(rest, "B", given)[0] == "X. Y, Z. B. 2020-01-02. doi:10.1000/b"
    cited_only = "Text.\n\n## References\n\n1. Someone, doi:10.1000/other"
    assert "No citation was found" in citation_of(cited_only, "B", {})[0], (
        "a reference is not the paper itself"
    )
    assert "arXiv:2101.00001" in citation_of("arXiv:2101.00001v2", "B", {})[0]


def test_the_command_with_supplement_and_wishes(tmp_path: Path) -> None:
    (tmp_path / "film.md").write_text(f"# A film\n\n{BODY}\n")
    (tmp_path / "more.md").write_text("# Supplement\n\n![](s.png)\n\nFigure 1. Of the supplement.\n")
    (tmp_path / "s.png").write_bytes(picture())
    words = (
        "papers",
        "import",
        str(tmp_path / "film.md"),
        "--to",
        str(tmp_path / "new"),
        "--supplement",
        str(tmp_path / "more.md"),
        "--id",
        "film1",
        "--citation",
        "A. Author, J. Opt. 1, 1 (2020)",
        "--domain",
        "thin_films",
    )
    result = reprolab(*words)
    assert result.exit_code == 0, result.output
    assert (
        "film1: ready" in result.output
        and "1 figures" in result.output
        and "figS1: Figure 1. Of the" in result.output
    )
    paper, _ = load_paper(tmp_path / "new")
    assert (paper.citation, paper.domain) == ("A. Author, J. Opt. 1, 1 (2020)", "thin_films")
    assert paper.supplementary_text and paper.figures[0].supplementary
    before = sorted((tmp_path / "new").rglob("*"))
    again = reprolab(*words)
    assert (
        again.exit_code == 2
        and "exists already" in again.output
        and sorted((tmp_path / "new").rglob("*")) == before
    )


@pytest.mark.attack("paper folder", "not taken, with the reason")
@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("../secret.png", "leaves the imported file's folder"),
        ("%2e%2e/secret.png", "leaves the imported file's folder"),
        ("..%5Csecret.png", "leaves the imported file's folder"),
        ("/etc/passwd", "its path is absolute"),
        ("file:///etc/passwd", "begins with file:"),
        ("ftp://x/y.png", "begins with ftp:"),
        ("javascript:alert(1)", "javascript:"),
        ("http://127.0.0.1:9/a.png", "--remote"),
        ("link.png", "without following a link"),
        ("inner/a.png", "without following"),
        ("pipe.png", "no regular file"),
        ("a%00b.png", "no file can have"),
        ("n" * 300 + ".png", "no file can have"),
        ("n" * 3000, "path is too long"),
        ("bomb.png", "pixels"),
        ("text.png", "cannot be read"),
        ("page.svg", "SVG or HTML"),
        ("folder", "no regular file"),
        ("data:image/png;base64,AAAA", "cannot be read"),
        ("data:text/html,x", "begins with data:"),
    ],
)
def test_pictures_that_are_not_taken(tmp_path: Path, link: str, said: str) -> None:
    source = tmp_path / "source"
    (source / "folder").mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(picture())
    os.symlink(tmp_path / "secret.png", source / "link.png")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.png").write_bytes(picture())
    os.symlink(tmp_path / "other", source / "inner")
    os.mkfifo(source / "pipe.png")
    (source / "bomb.png").write_bytes(bomb())
    (source / "text.png").write_text("hello")
    (source / "page.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    )
    found = made(tmp_path, f"# A film\n\n{BODY}\n\n![Figure 1. x]({link})\n")
    assert any("was not taken" in doubt and said in doubt for doubt in found.doubts), found.doubts
    assert not list((found.folder / "figures").iterdir())


def test_a_picture_in_the_text_is_taken_out_of_it(tmp_path: Path) -> None:
    import base64

    data = base64.b64encode(picture()).decode()
    found = made(tmp_path, f"# A film\n\n{BODY}\n\n![Figure 1. x](data:image/png;base64,{data})\n")
    assert (found.folder / "figures" / "fig1.png").read_bytes() == picture()
    assert data not in (found.folder / "paper.md").read_text()


@pytest.mark.attack("paper folder", "refused, nothing left behind")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"# A film\n\nshort", "at least 200 characters"),
        (b"\xff\xfe\x00x", "no text file"),
        (b"a\x00b" * 100, "no text file"),
        (b"", "missing or empty"),
    ],
)
def test_a_file_that_gives_no_paper_leaves_nothing_behind(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "x.md").write_bytes(content)
    with pytest.raises(InputError, match=said):
        import_paper(tmp_path / "x.md", tmp_path / "out", Wishes())
    assert [path.name for path in tmp_path.iterdir()] == ["x.md"]


def test_an_interrupted_import_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "rename", interrupted)
    (tmp_path / "x.md").write_text(f"# A film\n\n{BODY}")
    result = reprolab("papers", "import", str(tmp_path / "x.md"), "--to", str(tmp_path / "out"))
    assert result.exit_code == 130 and "nothing was written" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["x.md"]


@pytest.mark.attack("paper folder", "ends in time")
def test_deep_and_broken_texts_end_in_time(tmp_path: Path) -> None:
    for text in (
        "> " * 3000 + "x",
        "[" * 3000,
        "<div>" * 3000,
        "*a_" * 3000,
        "<figure><img src=x>" * 500,
        "<script>" * 50,
    ):
        blocks_of(text)
    assert front_matter("---\na: &a [" + "x," * 9 + "]\nb: [*a,*a]\n---\n" + BODY)[1] == BODY
    assert front_matter("---\n" + "[" * 5000 + "\n---\nrest")[2]


class _Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, body = "image/png", picture()
        if self.path == "/page.png":
            kind, body = "text/html", b"<html>"
        elif self.path == "/lie.png":
            body = b"<html><script>"
        elif self.path == "/endless.png":
            body = b"x" * 3_000_000
        elif self.path in ("/file.png", "/other.png"):
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd" if self.path == "/file.png" else "/ok.png")
            self.end_headers()
            return
        elif self.path == "/gone.png":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    http = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    thread = threading.Thread(target=http.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{http.server_address[1]}"
    http.shutdown()
    thread.join()
    http.server_close()


def test_remote_pictures_only_when_asked_and_only_pictures(
    tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "MAX_IMAGE_BYTES", 1_000_000)
    names = ("ok", "other", "page", "lie", "endless", "file", "gone")
    text = f"# A film\n\n{BODY}\n\n" + "\n\n".join(
        f"![Figure {n}. {name}]({server}/{name}.png)" for n, name in enumerate(names, 1)
    )
    found = made(tmp_path, text, remote=True)
    assert sorted(path.name for path in (found.folder / "figures").iterdir()) == ["fig1.png", "fig2.png"]
    doubts = "\n".join(found.doubts)
    for words in (
        "text/html, not a picture",
        "SVG or HTML",
        "more than 1000000 bytes",
        "answered 302",
        "answered 404",
    ):
        assert words in doubts, words


@pytest.mark.attack("paper folder", "not followed")
def test_no_redirect_into_a_private_network(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "_private", lambda host: host == "10.0.0.1")
    handler = remote._Redirects()
    request = remote.urllib.request.Request("https://open.example/a.png")
    with pytest.raises(remote.PictureRefused, match="private address 10.0.0.1"):
        handler.redirect_request(
            request, io.BytesIO(), 302, "", remote.http.client.HTTPMessage(), "http://10.0.0.1/a.png"
        )
    monkeypatch.undo()
    assert (
        remote._private("127.0.0.1") and remote._private("169.254.169.254") and not remote._private("8.8.8.8")
    )


def test_the_folder_is_plain_json(tmp_path: Path) -> None:
    found = made(tmp_path, f'# "Quoted" \\ film\n\n{BODY}\n\n![Figure 1. "a" \\ <b>](x.png)\n')
    assert json.loads((found.folder / "paper.json").read_text())["figures"][0]["caption"].startswith(
        'Figure 1. "a"'
    )
