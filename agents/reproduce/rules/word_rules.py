"""What the paper's words call a target's number, wherever its quotation begins and ends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.reproduce.rules.quoting import places_stated
from agents.reproduce.rules.reference_rules import quotable
from schemas.errors import InputError
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.spectral import to_wavelength_um
from schemas.reproduce.words.bound import Called
from schemas.reproduce.words.clauses import clause_of, processes_of, sentence_of
from schemas.reproduce.words.phrases import claims_of, defined, sayings, spoken, subjects_of
from schemas.reproduce.words.written import Written, matches, numbers_in, readable

_AT = re.compile(
    r"(?i)(?:\bat|\bnear|\baround|wavelengths?\s+(?:of|is|was|=)|\u03bb\w*\s*=)\s*(?:an?\s+|the\s+|about\s+)?$"
)
_FULL = re.compile(r"(?i)\bfull\b|\bfwhm\b|half[- ]max")
_OF_CAPTION = ("normalised", "group", "passes")
# Parts of a column's name that say what it holds, not which of several it is.
_QUANTITY = re.compile(
    r"(?i)(?:reflect|transm|absor|scatter|extinct|effic|order|band\d|mode|rate|index|n?eff|abs|sca|ext|norm|value|percent|nm|um|"
    r"ev|thz|intens|field|power|ratio|length|width|phase|freq|wave|quality|factor|gap|spec|curve|data)\w*$|[ehq]?[xyz]$|m\d+$"
)
_LIGHT = {
    "reflected": r"(?i)reflect|(?-i:\bR(?:_\w+)?\b)",
    "transmitted": r"(?i)transmi|(?-i:\bT(?:_\w+)?\b)",
    "absorbed": r"(?i)absor|(?-i:\bA(?:_\w+)?\b)|\babs\b",
    "scattered": r"(?i)scatter|\bsca\b",
    "extinguished": r"(?i)extinct|\bext\b",
}
_BACK = 4  # sentences, the number's own included
_DIMENSION = re.compile(
    r"(?i)\s*-?(?:gap|distance|separation|thick|wide|period|radius|diameter|height|long|away|from)"
)


def called(
    target: Target,
    paper: PaperInput,
    extracted: Sequence[ExtractedParameter],
    columns: Mapping[str, Sequence[str]] = {},
) -> Called:
    """What the words say of a target's number, or of the column that it is compared with. columns: of each data file."""
    reference = target.reference
    if reference.file and reference.y_column:
        return _of_column(target, paper, columns.get(reference.file, ()))
    if target.kind != "scalar" or reference.kind != "quotation" or reference.value is None:
        return Called()
    text = quotable(paper)
    found = places_stated(reference.value, target.unit, reference.quotation, text, reference.upper)
    if not found:
        return Called()
    source, number, head = found[0]
    plain = readable(source)
    low, high = spoken(plain, number)
    # what a plan quotes is the plan's to choose; title and captions are the paper's
    subjects = subjects_of(paper.title, *(figure.caption for figure in paper.figures))
    said = tuple(
        one.model_copy(update={"inputs": _called_so(one.value.split(), text, extracted, target)})
        if one.kind == "place"
        else one
        for one in sayings(plain, number, subjects)
    )
    begin, last = sentence_of(plain, low, number.end)
    named = [plain[begin:last]]
    while begin > 1 and len(named) < _BACK:
        end, begin = begin, sentence_of(plain, begin - 2, begin - 2)[0]
        named.append(plain[begin:end])
    words = f"{head} {plain[low:high]}"
    told = [
        one
        for one in defined(plain, words)
        if not (one.kind in ("half width", "level") and _FULL.search(words))
    ]
    return Called(
        sayings=tuple(dict.fromkeys((*said, *told))),
        spoken=words,
        told=_told(plain, number),
        before=tuple(named),
        at_light=_light(plain, number),
    )


def _told(plain: str, number: Written) -> str:
    """The phrase up to its number; what is behind it where no process of light is named in front."""
    low, high = spoken(plain, number)
    return plain[low : number.start] if processes_of(plain[low : number.start]) else plain[number.end : high]


def _of_column(target: Target, paper: PaperInput, columns: Sequence[str]) -> Called:
    """What a column's name says, and the figure's caption of the column."""
    name = target.reference.y_column or ""
    words = _spelt(name)
    caption = next((figure.caption for figure in paper.figures if figure.figure_id == target.figure_id), "")
    said = list(claims_of(words))
    said += [
        one
        for one in claims_of(readable(caption))
        if one.kind in _OF_CAPTION
        and not one.words.lower().startswith(("in units", "compared", "over"))
        and not (one.kind == "group" and re.search(r"(?i)effective|phase ind|modal", caption))
    ]
    fault = ""
    missing = _unnamed(name, caption)
    others = [other for other in columns if other not in (name, target.reference.x_column, *columns[:1])]
    if missing and any(not _unnamed(other, caption) for other in others):
        fault = f"the figure's caption names another column than {name!r}, which is compared"
    told = {process for process, form in _LIGHT.items() if re.search(form, caption)}
    own = {process for process, form in _LIGHT.items() if re.search(form, words)}
    if told and own and not told & own:
        fault = f"the figure's caption speaks of {', '.join(sorted(told))} light, and {name!r} is of {', '.join(sorted(own))} light"
    return Called(
        sayings=tuple(dict.fromkeys(said)), spoken=words, before=(readable(caption),), column_fault=fault
    )


def _spelt(name: str) -> str:
    """A column's name as words: "abs_Ez_m3" is "abs Ez m = 3", "band1" is "band 1"."""
    return re.sub(r"\bm (?=\d)", "m = ", re.sub(r"(?<=[a-z])(?=\d)", " ", name.replace("_", " ")))


def _unnamed(name: str, caption: str) -> set[str]:
    """The parts of a column's name that tell it from others and are not in the caption."""
    parts = [
        part
        for part in re.split(r"[_\W]+", name)
        if len(part) > 2 and not part.isdigit() and not _QUANTITY.match(part)
    ]
    return {part for part in parts if not re.search(rf"(?i)(?<![\w.]){re.escape(_stem(part))}", caption)}


def _stem(part: str) -> str:
    number = re.match(r"\d+(?:\.\d+)?", part)
    return number[0] if number else part[:5]


def _called_so(
    words: Sequence[str], text: str, extracted: Sequence[ExtractedParameter], target: Target
) -> tuple[str, ...]:
    """The inputs whose own clause in the paper has these words ("the laser line is at 780 nm"), at the target's abscissa."""
    feature = as_feature(target.reference.feature) if target.reference.feature is not None else None
    at, out = (feature.at if feature is not None else ()), []
    for one in extracted:
        for given in numbers_in(one.value) if one.role == "input" else ():
            if at and not matches(replace(given, unit=one.unit), at[0], target.x_unit or one.unit or "1"):
                continue
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
        if (
            start != number.start
            and other.unit
            and not other.label
            and _AT.search(plain[low:start])
            and not _DIMENSION.match(plain[end:high])
        ):
            try:
                out.append(to_wavelength_um(other.low, other.unit))
            except InputError:
                continue
    return tuple(out)
