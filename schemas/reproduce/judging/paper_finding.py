"""What running a paper showed of it: sentences written by code, each of their numbers bound to a value of the run."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from schemas.base import Model

Kind = Literal["contradicted", "hangs on an input", "convergence", "contradiction"]
About = Literal["the paper", "us or the paper"]
Seen = Literal["by reading", "only by running"]


class BoundNumber(Model):
    """A number of a sentence. text: as it stands there; source: file of the run and field that it was taken from."""

    text: str
    value: float | None = None
    source: str


class PaperFinding(Model):
    """One finding. about: whose it is. "the paper" only where two ways that share no solver agree with each other, nothing that
    was assumed bridges the difference, and the paper's words leave no input in doubt; why: what else it may be.
    """

    kind: Kind
    about: About
    seen: Seen
    target_id: str = ""
    sentence: str
    why: str = ""
    numbers: tuple[BoundNumber, ...] = ()

    @model_validator(mode="after")
    def _bound(self) -> PaperFinding:
        for number in self.numbers:
            if number.text not in self.sentence:
                raise ValueError(f"{number.text!r} does not stand in the sentence")
        return self

    @property
    def words(self) -> str:
        """The sentence with its marks."""
        more = f" {self.why}" if self.why else ""
        return f"{self.sentence}{more} [about {self.about}; seen {self.seen}]"


class Numbers:
    """Numbers of a sentence that is being written: each is noted with its source as it is put into words."""

    def __init__(self) -> None:
        self.found: list[BoundNumber] = []

    def put(self, value: float, unit: str, source: str, digits: int = 4) -> str:
        """The number in words: up to `digits` significant digits, with its unit ('1' and '' have none)."""
        suffix = "" if unit in ("", "1") else f" {unit}"
        text = f"{value:.{digits}g}{suffix}"
        self.found.append(BoundNumber(text=text, value=value, source=source))
        return text

    def quote(self, text: str, source: str) -> str:
        """Words of the run that hold a number ("15.5 nm"), as they are."""
        self.found.append(BoundNumber(text=text, source=source))
        return text


def field_of(stage_id: str, file: str, *path: str) -> str:
    """A source in words: a stage's file and the place in it."""
    return f"{stage_id}/{file}: {'.'.join(path)}"
