"""What was read of a paper's figures, as a person is asked about it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from schemas.base import FileRef, Identifier, Model
from schemas.documents.mended import Mended, SeenAxis, What

_Line = Annotated[str, Field(max_length=1000)]


class ProposedFigure(Model):
    """A figure: the curves proposed (None where there are none), a picture of them over the original, and what was not read.

    picture: the digest of the picture that a mended file must name; empty where there is nothing to mend. seen: its axes, with what
    code made of them. reader, in_doubt: what the figure reader says, and where it says otherwise. named: the proposal with the
    reader's names, where they differ. told: of curves by number, whether they are theory or experiment, as the reader says.
    """

    figure_id: Identifier
    proposal: Mended | None = None
    picture: str = ""
    overlay: FileRef | None = None
    why: tuple[_Line, ...] = ()
    seen: tuple[SeenAxis, ...] = ()
    reader: tuple[_Line, ...] = ()
    in_doubt: tuple[_Line, ...] = ()
    named: Mended | None = None
    told: tuple[tuple[int, What], ...] = Field((), max_length=50)
    by_hand: bool = Field(False, description="whether a person mended it")
