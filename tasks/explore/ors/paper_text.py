"""The paper as agents of the reproduction read it: with its words and parameters, without the numbers that were measured.

Who writes a rubric, repeats the work or grades it never sees a measured value, so none can be echoed; code compares them.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.base import digest
from schemas.explore.paper import HEADINGS, PaperSource
from schemas.explore.science_data import ScienceData
from tasks.explore.bundle.run_files import RunFiles, read_model
from tasks.explore.paper.markup import Inline, inlines, parse
from tasks.explore.paper.printed_numbers import printed

SOURCE = "paper/source.json"
SHOWN = ("parameter", "counted")


@dataclass(frozen=True)
class PaperText:
    """text: blind, with placeholders where a measured number stands. cited: names of all numbers in it, in their order.

    sha256: of title and sections, which finalize_paper does not change.
    """

    text: str
    cited: tuple[str, ...]
    sha256: str


def paper_text(run: RunFiles) -> PaperText:
    """Raises StateError while there is no paper."""
    source = read_model(run.run_dir, SOURCE, PaperSource)
    cited: dict[str, None] = {}
    parts = [f"# {source.title}"]
    for section in source.sections:
        blocks = [
            " ".join("".join(_shown(piece, run.science, cited) for piece in item) for item in block.items)
            for block in parse(section.text)
        ]
        parts.append("\n\n".join((f"## {HEADINGS[section.name]}", *blocks)))
    return PaperText(
        "\n\n".join(parts),
        tuple(cited),
        digest(
            {"title": source.title, "sections": [[section.name, section.text] for section in source.sections]}
        ),
    )


def names_in(text: str) -> list[str]:
    """Names of the numbers a line cites."""
    return [piece.name for piece in inlines(text) if piece.kind == "number"]


def _shown(piece: Inline, science: ScienceData, cited: dict[str, None]) -> str:
    if piece.kind != "number":
        return {"math": f"${piece.text}$", "code": f"`{piece.text}`", "cite": f"[{piece.text}]"}.get(
            piece.kind, piece.text
        )
    if piece.name in science.words:
        return science.words[piece.name].text
    cited.setdefault(piece.name)
    number = science.numbers.get(piece.name)
    return (
        printed(number, piece.form).text()
        if number is not None and number.kind in SHOWN
        else f"{{{{{piece.name}}}}}"
    )
