"""The paper: its sections as drafted, its source, and the table that ties each number to its evidence."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import FileRef, Model

SectionName = Literal[
    "abstract", "introduction", "related_work", "method", "results", "discussion", "conclusion"
]
SECTIONS: tuple[SectionName, ...] = (
    "abstract",
    "introduction",
    "related_work",
    "method",
    "results",
    "discussion",
    "conclusion",
)
HEADINGS: dict[str, str] = {
    "abstract": "Abstract",
    "introduction": "Introduction",
    "related_work": "Related work",
    "method": "Method",
    "results": "Results",
    "discussion": "Discussion",
    "conclusion": "Conclusion",
}


class SectionAnswer(Model):
    """A section in the paper's markup: see docs/guide/explore-paper.md. No digit is typed, no command of LaTeX outside `$...$`."""

    title: str = Field("", max_length=160, description="the paper's title; with the abstract only")
    text: str = Field(min_length=1, max_length=20_000)


class SectionIssue(Model):
    """One thing a section's reviewer wants changed."""

    severity: Literal["must", "should"]
    quote: str = Field(description="the words in question, copied; empty for something that is missing")
    problem: str
    fix: str


class SectionReviewAnswer(Model):
    """What a section's reviewer returns."""

    verdict: Literal["accept", "revise"]
    issues: tuple[SectionIssue, ...] = ()


class Section(Model):
    """A section as it stands. rounds: revisions made; open_issues: what the last review still wanted."""

    name: SectionName
    text: str
    rounds: int = 0
    open_issues: tuple[SectionIssue, ...] = ()


class Availability(Model):
    """Where code and data are, from manifest.lock and publish_record.json; the digest is what a reader trusts."""

    ref: str = Field(
        "", max_length=500, description="what `reprolab clone` takes; empty while nothing is published"
    )
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    doi: str = Field("", max_length=200)
    files: int = Field(ge=1)


class PaperSource(Model):
    """`paper/source.json`: what LaTeX and HTML are both made of."""

    title: str
    venue: str
    sections: tuple[Section, ...]
    availability: Availability | None = Field(None, description="by finalize_paper")

    def section(self, name: SectionName) -> Section | None:
        """The section of that name."""
        return next((section for section in self.sections if section.name == name), None)


class Claim(Model):
    """A number in the text, where it stands, and the evidence it was read from."""

    number: str
    rendered: str
    section: str
    value: float
    uncertainty: float | None
    unit: str
    node_id: str
    file: str
    sha256: str
    key: str = ""


class FormatFinding(Model):
    """One requirement of the venue and whether the paper meets it; `held` is None where it could not be looked at."""

    requirement: str
    held: bool | None
    found: str


class CompiledPaper(Model):
    """What was made. pdf is None without latexmk, and `why_no_pdf` says what to do."""

    tex: FileRef
    bib: FileRef
    html: FileRef
    claims: FileRef
    pdf: FileRef | None = None
    pages: int = 0
    why_no_pdf: str = ""
    warnings: tuple[str, ...] = ()
