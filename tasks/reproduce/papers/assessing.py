"""What a paper offers to compare and to compute with, before anything is paid for: by code, from its words and its files alone.

The vocabulary of descriptions is closed, so that words which call for one of its quantities are known, and others are said to be
unknown. Which scene is meant, and whether its inputs are complete, code does not know from words and does not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from schemas.documents.mended import Mended
from schemas.reading.beneath import Unopened
from schemas.reproduce.paper import PaperFigure, PaperInput
from schemas.reproduce.planning.vocabulary_words import out_of_reach, quantities_called
from schemas.reproduce.simulations.units import converted
from schemas.reproduce.words.claims import Claim, claims_of
from schemas.reproduce.words.labels import without_bibliography
from schemas.reproduce.words.scene_words import said_in
from schemas.reproduce.words.structure_words import StatedNumber, structure_words
from schemas.reproduce.words.written import numbers_in, readable
from schemas.text.visible import one_visible_line
from tasks.digitise.mending.taking import MAX_BYTES
from tasks.reproduce.papers.paper_files import taken
from tasks.reproduce.papers.read_figures import PLACE, PROPOSAL, has_pdf

_MOST = 40  # lines of a part
_LIGHT = {
    "angle": "an angle of incidence",
    "polarization": "a polarisation",
    "side": "the side light comes from",
}
_LIT = {
    "reflectance",
    "transmittance",
    "absorptance",
    "diffraction efficiency",
    "cross section",
}  # by a plane wave
# "the wavelength is set to 1.2 um, 1.55 um or 2 um", "a laser at 800 nm", "a 633 nm HeNe laser"
_HEAD = re.compile(
    r"(?i)\bwavelengths?\b|(?<![A-Za-z])(?:\u03bb|lambda)(?:_?0)?\b|"
    r"\b(?:lasers?|light|radiation|source|operat\w+|emit\w*|lasing|pumped)\s+(?:is\s+)?(?:at|near|around)\b"
)
_FILLER = re.compile(
    r"(?i)(?:[\s,=:~\u2248(]|\b(?:is|are|was|were|be|of|at|to|from|near|around|about|between|and|or|in|as|vacuum|free|space|air|set|fixed|"
    r"taken|chosen|runs?|rang\w+|varied|swept|only|approximately|the|laser|light|pulse|lambda|central|design)\b|\u03bb|-|_?0?(?=\s*=)|\d[\d.]*+|[nu\u00b5\u03bc]m\b)*+"
)
_LIGHT_BEHIND = re.compile(
    r"(?i)[\s-]*(?:(?:vacuum|free[- ]space|pump|probe|diode|fib(?:er|re)|he-?ne|nd:yag|co2|infrared|ultraviolet|visible|incident|"
    r"laser)\s+)*"
    r"(?:light|lasers?|wavelengths?|radiation|photons?)\b"
)
_CELLS = 20  # of a grid, per wavelength: a coarse one


@dataclass(frozen=True)
class Assessed:
    """Lines for a person: of figures, of numbers that the paper says it found, of numbers to compute with, and of its size."""

    figures: tuple[str, ...]
    found: tuple[str, ...]
    inputs: tuple[str, ...]
    size: tuple[str, ...]

    @property
    def words(self) -> str:
        """All of them under their headings."""
        parts = (
            ("figures", self.figures, "none"),
            (
                "numbers that the paper says it found (title, abstract, conclusions)",
                self.found,
                "none was recognised",
            ),
            ("numbers to compute with", self.inputs, "none was recognised"),
            ("size", self.size, "no length of a structure and no wavelength was recognised"),
        )
        return "\n".join(
            "\n".join((name, *(f"  {line}" for line in _shortened(lines) or (none,))))
            for name, lines, none in parts
        )


def assessed(paper: PaperInput, folder: Path) -> Assessed:
    """What a paper offers. folder: where its files are."""
    text = readable(without_bibliography("\n\n".join((paper.text, paper.supplementary_text or ""))))
    captions = "\n\n".join(figure.caption for figure in paper.figures)
    stated = [n for n in structure_words(f"{text}\n\n{captions}").numbers if n.told]
    return Assessed(
        figures=tuple(line for figure in paper.figures for line in _figure(figure, folder)),
        found=tuple(_found(claim) for claim in claims_of(paper) if claim.result),
        inputs=(
            *_inputs(stated),
            *(_light(text) if _LIT & {c.name for c in quantities_called(captions)} else ()),
        ),
        size=tuple(_size(stated, text)),
    )


def _figure(figure: PaperFigure, folder: Path) -> Iterator[str]:
    yield f"{figure.figure_id}: {_cut(figure.caption, 100) or '(no caption)'}"
    if figure.data:
        for data in figure.data:
            yield f"  data: {data.file}, {data.origin}, error {data.relative_error_percent:g} %, along {data.x_error:g}"
    elif (found := _proposed(folder, figure.figure_id)) is not None:
        yield (
            f"  {found} curves and maps of it were read, and nobody has taken them" if found
            else f"  nothing in it was read as a curve or a map; mend it by hand: {PLACE}/{figure.figure_id}/mend.html"
        )  # fmt: skip
    elif has_pdf(folder):
        yield "  no data yet; a run reads it off the PDF and asks"
    elif figure.image:
        yield "  a picture without numbers: it can be judged by eye only"
    else:
        yield "  nothing of it is there but its caption"
    yield from (f"  {line}" for line in _called(readable(figure.caption)))


def _proposed(folder: Path, figure_id: str) -> int | None:
    """How many curves and maps lie read beside the paper; None where nothing was read."""
    try:
        content = taken(folder, f"{PLACE}/{figure_id}/{PROPOSAL}", MAX_BYTES)
        panels = Mended.model_validate_json(content).panels
    except Unopened:
        return None
    except ValidationError:
        return 0
    return sum(len(panel.curves) + len(panel.maps) for panel in panels)


def _called(words: str) -> Iterator[str]:
    found = quantities_called(words)
    if found:
        yield "its words call for " + "; ".join(f"{c.name} ({', '.join(c.quantities)})" for c in found)
    missing = out_of_reach(words)
    for why, word in missing:
        yield f"out of reach: {why} ({_cut(word, 40)!r})"
    if not found and not missing:
        yield "none of its words calls for a quantity of the vocabulary"


def _found(claim: Claim) -> str:
    called = quantities_called(claim.words)
    what = ", ".join(c.name for c in called) if called else "no word of the vocabulary stands with it"
    return f"{claim.told} [{what}]: {_cut(claim.words, 140)}"


def _inputs(stated: list[StatedNumber]) -> Iterator[str]:
    seen = set()
    for number in stated:
        kinds = ", ".join(sorted(number.kinds)) or "a size"
        key = (number.value, number.unit, kinds)
        if key not in seen:
            seen.add(key)
            yield (f"{number.value:g} {number.unit}".strip() + f" [{kinds}]: ...{_cut(number.words, 130)}")


def _light(text: str) -> Iterator[str]:
    said = {said.choice for said in said_in(text) if not said.denied}
    missing = [words for choice, words in _LIGHT.items() if choice not in said]
    if missing:
        yield f"no words were recognised that say {', or '.join(missing)}: a description assumes it"


def _size(stated: list[StatedNumber], text: str) -> Iterator[str]:
    """The largest length told of a structure over the middle one of the wavelengths told, and what a coarse grid of it would hold."""
    lengths = [
        um for n in stated if n.unit and (um := converted(n.value, n.unit, "um")) is not None and um > 0
    ]
    light = [
        um
        for number in numbers_in(text)
        if number.unit and not number.label and is_said_of_light(text, number.start, number.end)
        and (um := converted(number.low, number.unit, "um")) is not None and um > 0
    ]  # fmt: skip
    if not lengths or not light:
        if lengths or light:
            yield (
                f"the largest length told of a structure is {max(lengths):.4g} um; no wavelength was recognised" if lengths
                else f"the wavelength is {sorted(light)[len(light) // 2]:.4g} um; no length of a structure was recognised"
            )  # fmt: skip
        return
    usual = sorted(light)[len(light) // 2]
    ratio = max(lengths) / usual
    side = max(ratio * _CELLS, _CELLS)
    yield f"the largest length told of a structure is {max(lengths):.4g} um, {ratio:.3g} of the wavelength ({usual:.4g} um)"
    yield (
        f"if all of it is simulated, a coarse grid has {side**2:.1e} cells in two dimensions and {side**3:.1e} in three"
        + (": in three dimensions that is out of reach of one computer" if side**3 > 1e9 else "")
    )


def is_said_of_light(text: str, start: int, end: int) -> bool:
    """Whether the words right at a number, from start to end in the text, say that it is a wavelength.

    A length near the word light is none.
    """
    before = text[max(start - 120, 0) : start]
    heads = list(_HEAD.finditer(before))
    return bool(
        heads and _FILLER.fullmatch(before[heads[-1].end() :]) or _LIGHT_BEHIND.match(text[end : end + 60])
    )


def _cut(words: str, most: int) -> str:
    line = one_visible_line(words, 10_000)
    return line if len(line) <= most else line[: most - 3] + "..."


def _shortened(lines: tuple[str, ...]) -> tuple[str, ...]:
    return (*lines[:_MOST], *([f"and {len(lines) - _MOST} more"] if len(lines) > _MOST else []))
