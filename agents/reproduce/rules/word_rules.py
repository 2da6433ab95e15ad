"""What the paper's words call a target's number, wherever its quotation begins and ends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.reproduce.rules.quoting import places_stated
from agents.reproduce.rules.reference_rules import quotable
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.words.at_light import light_of
from schemas.reproduce.words.bound import Called
from schemas.reproduce.words.captions import names_another, spelt
from schemas.reproduce.words.clauses import clause_of, processes_of, sentence_of
from schemas.reproduce.words.phrases import claims_of, defined, divided_by, sayings, spoken, subjects_of
from schemas.reproduce.words.written import Written, matches, numbers_in, readable

_FULL = re.compile(r"(?i)\bfull\b|\bfwhm\b|half[- ]max")
_OF_CAPTION = ("normalised", "group", "passes")
_LIGHT = {
    "reflected": r"(?i)reflect|(?-i:\bR(?:_\w+)?\b)",
    "transmitted": r"(?i)transmi|(?-i:\bT(?:_\w+)?\b)",
    "absorbed": r"(?i)absor|(?-i:\bA(?:_\w+)?\b)|\babs\b",
    "scattered": r"(?i)scatter|\bsca\b",
    "extinguished": r"(?i)extinct|\bext\b",
}
_PER_UNIT = re.compile(r"(?:_?dB|_1)?_per_(?:[pnum\u00b5c]?m|km|[fpn]?s|deg|rad)$")  # "loss_TE_dB_per_mm"
_BACK = 4  # sentences, the number's own included


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
        at_light=light_of(plain, number),
        over=divided_by(plain),
    )


def _told(plain: str, number: Written) -> str:
    """The phrase up to its number; what is behind it where no process of light is named in front."""
    low, high = spoken(plain, number)
    return plain[low : number.start] if processes_of(plain[low : number.start]) else plain[number.end : high]


def _of_column(target: Target, paper: PaperInput, columns: Sequence[str]) -> Called:
    """What a column's name says, and the figure's caption of the column."""
    name = target.reference.y_column or ""
    words = spelt(_PER_UNIT.sub("", name))
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
    others = [column for column in columns[1:] if column != target.reference.x_column]
    if names_another(name, others, caption):
        fault = f"the figure's caption names another column than {name!r}, which is compared"
    told = {process for process, form in _LIGHT.items() if re.search(form, caption)}
    own = {process for process, form in _LIGHT.items() if re.search(form, words)}
    if told and own and not told & own:
        fault = f"the figure's caption speaks of {', '.join(sorted(told))} light, and {name!r} is of {', '.join(sorted(own))} light"
    return Called(
        sayings=tuple(dict.fromkeys(said)),
        spoken=words,
        before=(readable(caption),),
        column_fault=fault,
        over=divided_by(readable(quotable(paper))),
    )


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
