"""Figures: what the figure maker answers with, and the manifest of what was drawn."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import FileRef, Model

FigureKind = Literal["plot", "svg"]
FigureName = Annotated[
    str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="lower-case words joined by _")
]


class FigureDraft(Model):
    """One figure as proposed. A plot shows data; an svg is a diagram, without numbers."""

    name: FigureName
    kind: FigureKind
    caption: str = Field(description="what is shown and what to see; numbers as placeholders")
    alt: str = Field(max_length=200, description="one line for who cannot see it")
    code: str = Field(
        max_length=20_000,
        description="plot: Python that draws from `data` on `figure`; svg: the SVG document",
    )


class FigureMakerAnswer(Model):
    """One to six figures; the first is the paper's main one."""

    figures: tuple[FigureDraft, ...] = Field(min_length=1, max_length=6)


class Figure(Model):
    """A figure that was drawn and checked. pdf is None where nothing here makes one of an SVG."""

    name: FigureName
    kind: FigureKind
    caption: str
    alt: str
    png: FileRef
    pdf: FileRef | None = None
    source: FileRef = Field(description="the code or the SVG as proposed")
    numbers: tuple[str, ...] = Field(
        (), description="names of the data that stand in it, as the harness found them"
    )


class RefusedFigure(Model):
    """A figure that is not in the paper, and why."""

    name: FigureName
    reason: str


class FiguresManifest(Model):
    """`figures_manifest.json`. attempt: 0 for the first answer, then one more for each return from the picture's review."""

    figures: tuple[Figure, ...] = ()
    refused: tuple[RefusedFigure, ...] = ()
    attempt: int = 0
    data_sha256: str = Field("", description="of science_data.json as it was drawn from")
