"""The paper as ReproLab reads it: text, figures, and data where the paper gives them."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from pydantic import Field, model_validator

from schemas.base import Identifier, Model
from schemas.reproduce.handed_pattern import PaperPattern
from schemas.reproduce.planning.plan import MATERIALS, TEXT
from schemas.reproduce.planning.scope import Scope
from schemas.reproduce.simulations.drawn import Drawn
from schemas.reproduce.words.labels import without_bibliography

MAX_FIGURES, MAX_FILES, MAX_PATH = 500, 50, 1000
_Path = Annotated[str, Field(max_length=MAX_PATH)]
_Words = Annotated[str, Field(max_length=20_000)]
DataOrigin = Literal["published_numbers", "digitised", "computed_from_exact_theory", "supplied_by_user"]


class PaperData(Model):
    """A table that belongs to a figure: CSV with a header row, first column the abscissa."""

    file: _Path = Field(description="path inside the paper's folder")
    origin: DataOrigin
    source: _Words = Field(description="where the numbers come from, in words a reader can check")
    relative_error_percent: float = Field(
        0.0,
        ge=0,
        allow_inf_nan=False,
        description="uncertainty of the numbers themselves, not of the abscissa",
    )
    x_error: float = Field(
        0.0, ge=0, allow_inf_nan=False, description="uncertainty of the abscissa, in its column's unit"
    )


class PaperMaterial(Model):
    """Optical constants that came with the paper: a CSV of wavelength (unit in its name), n and k."""

    name: Identifier = Field(description="the material, e.g. film")
    file: _Path = Field(description="path inside the paper's folder, e.g. data/film_nk.csv")
    source: _Words = Field(
        min_length=5, description="where the numbers come from, in words a reader can check"
    )


class PaperFigure(Model):
    """One figure of the paper."""

    figure_id: Identifier
    caption: _Words
    image: _Path | None = Field(None, description="path inside the paper's folder (PNG or JPEG)")
    data: tuple[PaperData, ...] = Field((), max_length=MAX_FILES)
    drawn: tuple[Drawn, ...] = Field(
        (),
        max_length=MAX_FILES,
        description="dimensions that you read from its drawing; code holds them against the words",
    )
    supplementary: bool = Field(False, description="whether it belongs to the supplement")


class PaperInput(Model):
    """A paper to reproduce: the contents of paper.json beside paper.md, or one JSON file with `text` in it."""

    paper_id: Identifier
    title: str = Field(min_length=3, max_length=2000)
    citation: str = Field(min_length=10, max_length=5000, description="full bibliographic reference")
    domain: str = Field(
        "photonics", max_length=200, description="for example plasmonics, photonic_crystals, thin_films"
    )
    text: str = Field(min_length=200, description="the paper's text (Markdown)")
    supplementary_text: str | None = None
    figures: tuple[PaperFigure, ...] = Field((), max_length=MAX_FIGURES)
    materials: tuple[PaperMaterial, ...] = Field(
        (), max_length=MAX_FILES, description="tables of n and k handed in with the paper"
    )
    patterns: tuple[PaperPattern, ...] = Field(
        (), max_length=MAX_FILES, description="files that draw structures, handed in with the paper"
    )
    scope: Scope = Field(
        default_factory=Scope, description="what the reader wants reproduced; empty: all of it"
    )

    @model_validator(mode="after")
    def _figures_differ(self) -> PaperInput:
        names = [figure.figure_id for figure in self.figures]
        double = sorted(name for name, count in Counter(names).items() if count > 1)
        if double:
            raise ValueError(f"figure_id used twice: {', '.join(double)}; give each figure its own")
        drawn = Counter(pattern.name for pattern in self.patterns)
        if twice := sorted(name for name, count in drawn.items() if count > 1):
            raise ValueError(f"patterns of one name: {', '.join(twice)}; give each its own")
        reserved = sorted({MATERIALS, TEXT} & set(names))
        if reserved:
            raise ValueError(
                f"figure_id {', '.join(reserved)} has a meaning of its own; name the figure otherwise"
            )
        if not names and not any(character.isdigit() for character in self.text):
            raise ValueError("neither a figure nor a number in the text: there is nothing to compare with")
        self.check_scope(self.scope)
        return self

    def words(self, *, bibliography: bool = True) -> str:
        """All words of the paper that may be quoted: title, text, supplement, captions; its list of references on request."""
        parts = (self.text, self.supplementary_text or "")
        kept = parts if bibliography else tuple(without_bibliography(part) for part in parts)
        return "\n\n".join((self.title, *kept, *(figure.caption for figure in self.figures)))

    def check_scope(self, scope: Scope) -> None:
        """Raises ValueError if the scope names figures that the paper does not have."""
        known = [figure.figure_id for figure in self.figures]
        unknown = [name for name in scope.figures if name not in (*known, TEXT)]
        if unknown:
            raise ValueError(
                f"the scope names figures that the paper does not have: {', '.join(unknown)}; "
                f"allowed: {', '.join([*known, TEXT])}"
            )
