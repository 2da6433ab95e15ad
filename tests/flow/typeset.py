"""A bundled paper as a PDF: its text and its own figures, drawn by its make_data.py, printed by a browser. No data goes with it."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from markdown_it import MarkdownIt

from tasks.reproduce.papers import BUNDLED
from tests.flow.browser import CHROMIUM

_DRAW = """
import runpy, sys
import matplotlib
matplotlib.use("Agg")
matplotlib.rcParams["svg.fonttype"] = "none"
from matplotlib.figure import Figure
save = Figure.savefig
Figure.savefig = lambda self, path, *more, **named: save(self, path.with_suffix(".svg"))
runpy.run_path(sys.argv[1], run_name="__main__")
"""
_STYLE = """
@page { size: A4; margin: 22mm 20mm }
body { font: 10.5pt "DejaVu Serif", serif; text-align: justify; line-height: 1.35 }
h1 { font-size: 17pt; text-align: left } h2 { font-size: 12.5pt }
figure { margin: 6mm 0; break-inside: avoid; text-align: center } svg { width: 125mm; height: auto }
figcaption { font-size: 9pt; text-align: left }
"""


def typeset(paper: str, folder: Path) -> Path:
    """Print a bundled paper into a folder; the PDF, called after it. Needs chromium."""
    assert CHROMIUM is not None
    fields = json.loads((BUNDLED / paper / "paper.json").read_text(encoding="utf-8"))
    text = (BUNDLED / paper / "paper.md").read_text(encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as made:
        drawn = _drawn(paper, Path(made))
        body = MarkdownIt().enable("table").render(text)
        for number, figure in enumerate(f for f in fields["figures"] if f.get("image")):
            label = f"Figure {number + 1}"
            svg = re.sub(r"^.*?(?=<svg)", "", drawn[Path(figure["image"]).stem], flags=re.DOTALL)
            svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>f{number}-", svg)  # two drawings in one document
            shown = (
                f"<figure>{svg}<figcaption>{label}. {html.escape(figure['caption'])}</figcaption></figure>"
            )
            first = re.search(rf"<p>(?:(?!</p>).)*\b{label}\b.*?</p>", body, re.DOTALL)
            at = first.end() if first else len(body)
            body = body[:at] + shown + body[at:]
        page = Path(made) / "paper.html"
        page.write_text(
            f"<!doctype html><meta charset=utf-8><title>{html.escape(fields['title'])}</title><style>{_STYLE}</style>{body}",
            encoding="utf-8",
        )
        out = folder / f"{paper}.pdf"
        subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-pdf-header-footer",
             f"--user-data-dir={made}/profile", f"--print-to-pdf={out}", page.as_uri()],
            check=True, capture_output=True, timeout=120, stdin=subprocess.DEVNULL, env={**os.environ, "HOME": made},
        )  # fmt: skip
    return out


def _drawn(paper: str, made: Path) -> dict[str, str]:
    """The paper's figures as SVG, by name, from its own program in a copy of its folder."""
    copy = shutil.copytree(BUNDLED / paper, made / paper)
    program = [sys.executable, "-c", _DRAW, str(copy / "make_data.py")]
    subprocess.run(
        program, check=True, cwd=BUNDLED.parent, capture_output=True, timeout=600, stdin=subprocess.DEVNULL
    )
    return {path.stem: path.read_text(encoding="utf-8") for path in (copy / "figures").glob("*.svg")}


if __name__ == "__main__":
    print(typeset(sys.argv[1], Path(sys.argv[2])))
