"""What the paper's words call a target's number, wherever its quotation begins and ends."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agents.reproduce.quoting import places_stated
from schemas.core.errors import InputError
from schemas.reproduce.bound import Called
from schemas.reproduce.clauses import clause_of, sentence_of
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.parameters import ExtractedParameter
from schemas.reproduce.phrases import sayings, spoken, subjects_of
from schemas.reproduce.plan import Target
from schemas.reproduce.spectral import to_wavelength_um
from schemas.reproduce.written import Written, numbers_in, readable

_AT = re.compile(r"(?i)(?:\bat|\bnear|\baround|wavelengths?\s+(?:of|is|was|=)|\u03bb\w*\s*=)\s*(?:an?\s+|the\s+|about\s+)?$")
_BACK = 4  # sentences, the number's own included
_DIMENSION = re.compile(r"(?i)\s*-?(?:gap|distance|separation|thick|wide|period|radius|diameter|height|long|away|from)")


def called(target: Target, text: str, extracted: Sequence[ExtractedParameter], subjects: Collection[str] = ()) -> Called:
    """What the words say of a target with a quotation. text: the paper's words. subjects: those that name its bodies."""
    reference = target.reference
    if target.kind != "scalar" or reference.kind != "quotation" or reference.value is None:
        return Called()
    found = places_stated(reference.value, target.unit, reference.quotation, text, reference.upper)
    if not found:
        return Called()
    source, number, head = found[0]
    plain = readable(source)
    low, high = spoken(plain, number)
    said = tuple(one.model_copy(update={"inputs": _called_so(one.value.split(), text, extracted)}) if one.kind == "place" else one
                 for one in sayings(plain, number, subjects))
    begin = sentence_of(plain, low, number.start)[0]
    named = [plain[begin:high]]
    while begin > 1 and len(named) < _BACK:
        end, begin = begin, sentence_of(plain, begin - 2, begin - 2)[0]
        named.append(plain[begin:end])
    return Called(sayings=said, spoken=f"{head} {plain[low:high]}", before=tuple(named), at_light=_light(plain, number))


def subjects(paper: PaperInput, extracted: Sequence[ExtractedParameter]) -> frozenset[str]:
    """The words by which a paper calls its bodies: of its title, its captions and what it states of its inputs."""
    return subjects_of(paper.title, *(figure.caption for figure in paper.figures),
                       *(one.quotation for one in extracted if one.role == "input"))


def _called_so(words: Sequence[str], text: str, extracted: Sequence[ExtractedParameter]) -> tuple[str, ...]:
    """The inputs whose own clause in the paper has these words ("the laser line is at 780 nm")."""
    out = []
    for one in extracted:
        for given in numbers_in(one.value) if one.role == "input" else ():
            for source, number, _ in places_stated(given.low, one.unit or "1", one.quotation, text):
                low, high = clause_of(source, number.start, number.end)
                if all(word in source[low:high].lower() for word in words):
                    out.append(one.name)
    return tuple(dict.fromkeys(out))


def _light(plain: str, number: Written) -> tuple[float, ...]:
    """The wavelengths, um, at which a number's phrase places it."""
    low, high = spoken(plain, number)
    out = []
    for other in numbers_in(plain[low:high]):
        start, end = low + other.start, low + other.end
        if start != number.start and other.unit and not other.label and _AT.search(plain[low:start]) and not _DIMENSION.match(
                plain[end:high]):
            try:
                out.append(to_wavelength_um(other.low, other.unit))
            except InputError:
                continue
    return tuple(out)
