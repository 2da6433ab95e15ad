"""What an importer found, before it becomes a paper's folder."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_LABEL = re.compile(
    r"[\W_]*(?P<extra>supplementary\s+|supp?l?\.?\s+|extended\s+data\s+)?fig(?:ure|\.)?\s*"
    r"(?P<s>s?)[\s.-]*(?P<number>\d{1,3})(?P<sub>\.\d{1,2}(?=\s*(?:[:.|(\u2013\u2014]|$)))?(?P<part>[a-z](?![a-z]))?",
    re.IGNORECASE,
)


@dataclass
class Figure:
    """A figure found: its name, caption, and picture (PNG or JPEG bytes; empty without one). certain: a number was
    read in its caption."""

    figure_id: str
    caption: str
    picture: bytes = b""
    suffix: str = ".png"
    supplementary: bool = False
    certain: bool = True


@dataclass
class Draft:
    """One imported file. doubts: what was left out or guessed, for a person to check by eye.

    head: the part where title, DOI and journal stand. extra: more files for the folder, name -> text.
    """

    text: str
    title: str = ""
    head: str = ""
    citation: str = ""
    domain: str = ""
    figures: list[Figure] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    check_by_eye: list[str] = field(default_factory=list)


def figure_label(caption: str) -> str | None:
    """The figure_id that a caption names (`Figure 3.` is fig3, `Fig. S2` is figS2, `Figure 2.1:` is fig2.1), or None."""
    match = _LABEL.match(caption)
    if match is None:
        return None
    extra = "S" if match["s"] or match["extra"] else ""
    return f"fig{extra}{int(match['number'])}{match['sub'] or ''}{(match['part'] or '').lower()}"


def in_a_sentence(caption: str) -> bool:
    """Whether only a bracket stands behind the number: a caption, or a paragraph that begins "Figure 1 (solid line) shows"."""
    match = _LABEL.match(caption)
    return match is not None and caption[match.end() :].lstrip().startswith("(")


def unique_id(wanted: str | None, used: set[str], *, prefix: str = "fig") -> str:
    """`wanted` if it is free, with a letter if it is not, or the next free number."""
    if wanted is None:
        wanted = next(f"{prefix}{number}" for number in range(1, 10_000) if f"{prefix}{number}" not in used)
    name = (
        wanted
        if wanted not in used
        else next(f"{wanted}_{number}" for number in range(2, 10_000) if f"{wanted}_{number}" not in used)
    )
    used.add(name)
    return name


def one_line(text: str, width: int = 4000) -> str:
    """Text with single spaces, at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 3] + "..."
