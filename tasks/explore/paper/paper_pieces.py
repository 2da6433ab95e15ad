"""The pieces of a paper in their order, with figures, sections and references numbered: what both writers start from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from schemas.explore.figures import Figure, FiguresManifest
from schemas.explore.paper import Claim, PaperSource, Section, SectionName
from schemas.explore.science_data import Number, ScienceData
from schemas.literature.found_works import Bibliography, Reference
from tasks.explore.paper.markup import Block, Inline, inlines, parse
from tasks.explore.paper.printed_numbers import OWN_WORD, Printed, printed

DRAWN_UNMEASURED = (
    " Some of what is drawn was set or reported by a node's own program, and measured by nobody."
)
_FIGURES_IN: tuple[SectionName, ...] = ("method", "results", "discussion", "introduction")


@dataclass(frozen=True)
class Placed:
    """A section with its blocks; figures stand behind the block that first refers to them."""

    section: Section
    blocks: tuple[Block, ...]
    figures_behind: dict[int, tuple[Figure, ...]]
    table_behind: int | None = None


@dataclass
class Layout:
    """What a writer needs. claims grows as numbers are printed, in reading order."""

    source: PaperSource
    data: ScienceData
    bibliography: Bibliography
    manifest: FiguresManifest
    placed: tuple[Placed, ...] = ()
    cited: tuple[str, ...] = ()
    claims: list[Claim] = field(default_factory=list)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """In the order they are numbered."""
        return tuple(
            figure
            for placed in self.placed
            for behind in sorted(placed.figures_behind)
            for figure in placed.figures_behind[behind]
        )

    def figure_number(self, name: str) -> int:
        """Counted from 1."""
        return [figure.name for figure in self.figures].index(name) + 1

    def section_number(self, name: str) -> int:
        """Counted from 1; the abstract has none."""
        numbered = [placed.section.name for placed in self.placed if placed.section.name != "abstract"]
        return numbered.index(name) + 1 if name in numbered else 0

    def caption(self, figure: Figure) -> str:
        """A figure's caption; where something is drawn that nobody measured, code says so."""
        own = any(
            self.data.numbers[name].kind in OWN_WORD for name in figure.numbers if name in self.data.numbers
        )
        return figure.caption + (DRAWN_UNMEASURED if own else "")

    def references(self) -> list[Reference]:
        """Those cited, in the order of their first citation."""
        return [found for key in self.cited if (found := self.bibliography.get(key)) is not None]

    def number(self, piece: Inline, section: str) -> Printed | str:
        """A number as printed, noted as a claim; or the words of a fact."""
        if piece.name in self.data.words:
            return self.data.words[piece.name].text
        number = self.data.numbers[piece.name]
        shown = printed(number, piece.form)
        self.claims.append(claim_of(number, shown.text(), section))
        return shown


def claim_of(number: Number, rendered: str, section: str) -> Claim:
    """The line of the claims table for a number in the text."""
    return Claim(
        number=number.name,
        rendered=rendered,
        section=section,
        value=number.value,
        uncertainty=number.uncertainty,
        unit=number.unit,
        node_id=number.node_id,
        file=number.file,
        sha256=number.sha256,
        key=number.key,
    )


def lay_out(
    source: PaperSource, data: ScienceData, bibliography: Bibliography, manifest: FiguresManifest
) -> Layout:
    """The layout of a paper whose texts were checked."""
    parsed = {section.name: parse(section.text) for section in source.sections}
    waiting = {figure.name: figure for figure in manifest.figures}
    places: dict[SectionName, dict[int, tuple[Figure, ...]]] = {name: {} for name in parsed}
    for name, blocks in parsed.items():
        if name == "abstract":
            continue
        for at, block in enumerate(blocks):
            for target in _references(block, "fig"):
                if figure := waiting.pop(target, None):
                    behind = _behind(blocks, at)
                    places[name][behind] = (*places[name].get(behind, ()), figure)
    last = next((name for name in ("results", *_FIGURES_IN) if name in parsed), None)
    if waiting and last is not None:  # nobody refers to them: they stand at the end of the results
        at = max(len(parsed[last]) - 1, 0)
        places[last][at] = (*places[last].get(at, ()), *waiting.values())
    placed = []
    for section in source.sections:
        blocks = parsed[section.name]
        table = None
        if section.name == "results":  # where it is first referred to, else at the end
            table = next(
                (
                    _behind(blocks, at)
                    for at, block in enumerate(blocks)
                    if "results" in _references(block, "tab")
                ),
                len(blocks) - 1,
            )
        placed.append(Placed(section, blocks, places[section.name], table))
    captions = [inlines(figure.caption) for figure in manifest.figures]
    cited = dict.fromkeys(
        key
        for pieces in (*_all(parsed.values()), *captions)
        for piece in pieces
        if piece.kind == "cite"
        for key in piece.keys
    )
    return Layout(source, data, bibliography, manifest, tuple(placed), tuple(cited))


def _behind(blocks: tuple[Block, ...], at: int) -> int:
    """Where something may stand behind block `at`: not between a paragraph and the list or formula that it leads to."""
    while at + 1 < len(blocks) and blocks[at + 1].kind in ("list", "formula"):
        at += 1
    return at


def _all(sections: Iterable[tuple[Block, ...]]) -> Iterator[tuple[Inline, ...]]:
    for blocks in sections:
        for block in blocks:
            yield from block.items


def _references(block: Block, kind: str) -> list[str]:
    found = [piece.text.partition(":") for piece in block.inlines() if piece.kind == "reference"]
    return [name for key, _, name in found if key == kind]
