"""What may not stand in a section: typed numbers, unknown numbers, citations and references, formulas beyond the allow-list."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from schemas.errors import InputError
from schemas.explore.paper import SECTIONS
from schemas.explore.science_data import ScienceData
from schemas.text.addressed import addressed
from tasks.explore.paper.formulas import formula_faults
from tasks.explore.paper.markup import Inline, inlines, parse, words_of
from tasks.explore.paper.printed_numbers import printed
from tasks.explore.paper.typed_numerals import typed_numbers, vocabulary
from tasks.explore.paper.verdicts import forged
from tasks.prose.comparing import sentences

_NEAREST = 6
_SET = "\x04"
_MORE = (
    r"(?:faster|quicker|slower|better|worse|higher|lower|larger|smaller|shorter|longer|fewer|more|less|cheaper|greater|"
    r"improve\w*|gains?|speed-?ups?|reductions?|increases?|savings?)"
)
_GAINED = re.compile(
    rf"{_SET}\s*(?:-?(?:times|fold|x|percent|per cent|%)(?!\w)|(?:as |so )?(?:much |many )?{_MORE}\b)|"
    rf"\b(?:(?:by|brought|gave|gained|won|is|was) (?:a |the )?factor of|{_MORE} (?:of|by))\s+"
    rf"(?:a factor of )?(?:about |nearly |almost |up to )?{_SET}|"
    rf"\b(?:ratios?|quotients?) of [^.;{_SET}]{{0,30}}\b(?:times?|speeds?|errors?|costs?)\b[^.;{_SET}]{{0,20}}"
    rf"\b(?:is|are|was|were|comes? to|came to|equals?)\s+{_SET}|"
    rf"\b(?:speed-?ups?|improvements?|savings?|advantages?)\b[^.;{_SET}]{{0,30}}(?:\b(?:is|was|are|were)|[:,])\s+{_SET}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Material:
    """What a text may draw on: numbers and facts by name, keys of retrieved references, figures, words that hold digits."""

    data: ScienceData
    keys: frozenset[str] = frozenset()
    figures: tuple[str, ...] = ()
    names: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(
        cls, data: ScienceData, keys: Collection[str], figures: Iterable[str], texts: Collection[str]
    ) -> Material:
        """texts: the goal and the programs, of which the words such as float64 are taken."""
        nodes = frozenset(found.node_id for found in data.configurations)
        return cls(data, frozenset(keys), tuple(figures), vocabulary(texts) | nodes)


def faults(text: str, material: Material) -> list[str]:
    """Each thing that may not stand in the text, with its place in words; empty if all may."""
    found = [f"it addresses an AI: {entry.words}" for entry in addressed(text)] + forged(text, material.data)
    for block in parse(text):
        for item in block.items:
            found += _pieces_faults(item, material)
    return list(dict.fromkeys(found))


def line_faults(line: str, material: Material) -> list[str]:
    """`faults` of one line: a caption, a title."""
    return list(dict.fromkeys([*forged(line, material.data), *_pieces_faults(inlines(line), material)]))


def _pieces_faults(pieces: Iterable[Inline], material: Material) -> list[str]:
    pieces = tuple(pieces)
    found = typed_numbers(pieces, material.names) + _as_if_measured(pieces, material.data)
    for piece in pieces:
        if piece.kind == "math":
            found += [f"{fault}: ${piece.text[:80]}$" for fault in formula_faults(piece.text)]
        elif piece.kind == "number":
            found += _number_faults(piece, material.data)
        elif piece.kind == "cite":
            found += [
                f"the citation [@{key}] is of no retrieved reference"
                for key in piece.keys
                if key not in material.keys
            ]
        elif piece.kind == "reference":
            found += _reference_faults(piece.text, material)
        elif piece.kind in ("text", "emphasis") and ("{{" in piece.text or "[@" in piece.text):
            found.append(f"this is no number and no citation as they are written: {piece.text[:80]!r}")
    return found


def _as_if_measured(pieces: Iterable[Inline], data: ScienceData) -> list[str]:
    """Numbers that a node set by itself where a sentence says how much better something is: that is measured or not said."""
    own = {name for name, number in data.numbers.items() if number.kind == "parameter"}
    text = "".join(
        _SET if piece.kind == "number" and piece.name in own else words_of(piece) for piece in pieces
    )
    around = [
        text[max(0, found.start() - 60) : found.end() + 40].replace(_SET, "{{...}}")
        for found in _GAINED.finditer(text)
    ]
    return [f"a node set this number itself, nobody measured it: ...{words}..." for words in around]


def _number_faults(piece: Inline, data: ScienceData) -> list[str]:
    if piece.name in data.words:
        return [f"{{{{{piece.name}}}}} is words and takes no format"] if piece.form else []
    number = data.numbers.get(piece.name)
    if number is None:
        near = nearest(piece.name, data)
        return [
            f"{{{{{piece.text}}}}} is no number of the data"
            + (f"; there are {', '.join(near)}" if near else "")
        ]
    try:
        printed(number, piece.form)
    except InputError as error:
        return [" ".join(str(error).split())]
    return []


def nearest(name: str, data: ScienceData) -> list[str]:
    """Names of the data that share most words with this one."""
    parts = set(name.lower().replace(":", ".").split("."))
    shared = sorted(
        ((len(parts & set(known.split("."))), known) for known in (*data.numbers, *data.words)), reverse=True
    )
    return [known for count, known in shared[:_NEAREST] if count]


def _reference_faults(target: str, material: Material) -> list[str]:
    kind, _, name = target.partition(":")
    known = {"fig": material.figures, "sec": SECTIONS, "tab": ("results",)}[kind]
    return [] if name in known else [f"[{target}] refers to nothing; there are {', '.join(known) or 'none'}"]


def without_faults(text: str, material: Material) -> tuple[str, list[str]]:
    """The text without its sentences that have faults, and what was taken out. Formulas and list items go whole."""
    kept, removed = [], []
    for block in text.split("\n\n"):
        if not faults(block, material):
            kept.append(block)
            continue
        lines = block.split("\n") if block.lstrip().startswith("- ") else sentences(block)
        good = [line for line in lines if not faults(line, material)]
        removed += [line.strip() for line in lines if line not in good and line.strip()]
        joined = ("\n" if block.lstrip().startswith("- ") else "").join(good).strip()
        if joined and not faults(joined, material):
            kept.append(joined)
        elif joined:
            removed.append(joined)
    return "\n\n".join(kept).strip(), removed


def checked_line(text: str, material: Material, what: str) -> None:
    """Raises InputError when a title or caption has faults."""
    wrong = line_faults(text, material)
    if wrong:
        raise InputError(
            f"{what} may not stand in a paper", found="; ".join(wrong[:3]), allowed="numbers as {{name}}"
        )
