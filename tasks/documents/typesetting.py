"""Programs of the system that make papers and pictures: looked for where Debian installs them, never in a user's folders."""

from __future__ import annotations

import shutil
from pathlib import Path

LATEX = "apt-get install latexmk texlive-latex-recommended texlive-fonts-recommended"
SVG = "apt-get install librsvg2-bin"
_PLACES = "/usr/bin:/bin"


def latexmk() -> Path | None:
    """latexmk, where pdfLaTeX is there too."""
    found = shutil.which("latexmk", path=_PLACES)
    return Path(found) if found and shutil.which("pdflatex", path=_PLACES) else None


def rsvg_convert() -> Path | None:
    """What makes a picture of an SVG."""
    found = shutil.which("rsvg-convert", path=_PLACES)
    return Path(found) if found else None


def typesetting() -> tuple[str, list[str]]:
    """What is there, and for what is not: what goes without it and how to install it."""
    found, missing = [], []
    for program, goes_without, install in (
        (latexmk(), "papers are LaTeX source and a web page, no PDF", LATEX),
        (rsvg_convert(), "diagrams are left out of papers; plots stay", SVG),
    ):
        if program:
            found.append(str(program))
        else:
            missing.append(f"{goes_without}: {install}")
    return ", ".join(found) or "no LaTeX", missing
