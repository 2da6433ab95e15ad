"""The report as a document of plain blocks; the Markdown and HTML writers render the same one.

All text is plain and untrusted: writers escape it. Only `Prose` holds Markdown (an agent's words), and
writers render it with HTML, links and images switched off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal

Tone = Literal["good", "fair", "bad", "plain"]


@dataclass(frozen=True)
class Cell:
    """One value of a table.

    tone: shows the text as a coloured badge. title: the full text where `text` is shortened.
    href: relative link, already percent-encoded. code: fixed-width. number: right-aligned.
    """

    text: str
    tone: Tone | None = None
    title: str = ""
    href: str = ""
    code: bool = False
    number: bool = False


@dataclass(frozen=True)
class Table:
    """A table with a header row; `empty` is shown when there are no rows. cards: on a phone each row is a card."""

    kind: ClassVar[str] = "table"
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    empty: str = "None."
    cards: bool = False

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"table {self.caption!r}: a row has {len(row)} cells for {len(self.columns)} columns"
                )


@dataclass(frozen=True)
class Facts:
    """Labelled values."""

    kind: ClassVar[str] = "facts"
    items: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True)
class Paragraph:
    """One paragraph of plain text."""

    kind: ClassVar[str] = "paragraph"
    text: str


@dataclass(frozen=True)
class Bullets:
    """A list of plain sentences; `empty` is shown when there are none."""

    kind: ClassVar[str] = "bullets"
    items: tuple[str, ...]
    title: str = ""
    empty: str = "None."


@dataclass(frozen=True)
class Prose:
    """Words of an agent (Markdown), shown as such."""

    kind: ClassVar[str] = "prose"
    text: str
    speaker: str


@dataclass(frozen=True)
class Notice:
    """A visible box."""

    kind: ClassVar[str] = "notice"
    tone: Tone
    title: str
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Code:
    """Verbatim text."""

    kind: ClassVar[str] = "code"
    text: str


@dataclass(frozen=True)
class Picture:
    """A picture, or the reason why there is none.

    data: re-encoded bytes of media_type, for embedding. href: relative path for Markdown, percent-encoded.
    copy_to: where to write `data` below the run's directory so that href exists; empty if it does already.
    """

    caption: str
    data: bytes = field(default=b"", repr=False)
    media_type: str = ""
    href: str = ""
    copy_to: str = ""
    missing: str = ""
    original: bytes = field(default=b"", repr=False)  # what is written to copy_to; `data` if empty


@dataclass(frozen=True)
class Tile:
    """A small picture that opens to its full size, with a badge and a line of words."""

    title: str
    picture: Picture
    badge: Cell
    note: str = ""
    href: str = ""


@dataclass(frozen=True)
class Tiles:
    """Small multiples, or large ones. The Markdown shows their pictures with the figures instead."""

    kind: ClassVar[str] = "tiles"
    tiles: tuple[Tile, ...]
    large: bool = False


@dataclass(frozen=True)
class Gallery:
    """Pictures side by side."""

    kind: ClassVar[str] = "gallery"
    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Group:
    """A subsection; `badge` stands beside its title. level 3 is a figure or subject, 4 a target."""

    kind: ClassVar[str] = "group"
    title: str
    blocks: tuple[Block, ...]
    anchor: str = ""
    badge: Cell | None = None
    level: Literal[3, 4] = 3


@dataclass(frozen=True)
class Fold:
    """What stays out of the way: closed in the HTML, in the appendix of the Markdown."""

    kind: ClassVar[str] = "fold"
    title: str
    blocks: tuple[Block, ...]
    anchor: str = ""
    badge: Cell | None = None


Block = Table | Facts | Paragraph | Bullets | Prose | Notice | Code | Gallery | Group | Tiles | Fold


@dataclass(frozen=True)
class Section:
    """A numbered part or a lettered appendix of the report. Only an `open` one is not folded in the HTML.

    evidence: it is too long for the HTML's first page, and stands on the second, as a lettered one does.
    """

    label: str
    title: str
    blocks: tuple[Block, ...]
    open: bool = False
    evidence: bool = False

    @property
    def long(self) -> bool:
        """Whether it is too long for the first page."""
        return self.evidence or self.appendix

    @property
    def appendix(self) -> bool:
        """Whether it belongs to the appendix of the Markdown."""
        return self.label.isalpha()

    @property
    def anchor(self) -> str:
        """The fragment that links to it."""
        return f"part-{self.label.lower()}"


@dataclass(frozen=True)
class Document:
    """The whole report; `kind` says what sort of report it is, above its title."""

    title: str
    subtitle: str
    badge: Cell
    lead: tuple[Block, ...]
    sections: tuple[Section, ...]
    kind: str = "Reproduction report"

    def pictures(self) -> Iterator[Picture]:
        """Every picture in it."""

        def walk(blocks: tuple[Block, ...]) -> Iterator[Picture]:
            for block in blocks:
                if isinstance(block, Gallery):
                    yield from block.pictures
                elif isinstance(block, Tiles):
                    yield from (tile.picture for tile in block.tiles)
                elif isinstance(block, (Group, Fold)):
                    yield from walk(block.blocks)

        yield from walk(self.lead)
        for section in self.sections:
            yield from walk(section.blocks)
