"""Places where a paper may contradict itself, found by code in its words before anything runs. Candidates, no verdicts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.labels import without_bibliography
from schemas.paper import PaperInput
from schemas.parameters import ExtractedParameter
from schemas.units import converted
from schemas.written import Written, numbers_in, readable

MOST = 8
_NOUN = ("period|pitch|periodicity|lattice constant|thickness|height|depth|width|radius|diameter|gap|spacing|separation|"
         "refractive index|index|duty cycle|filling factor|fill factor|length|side|resistance|permittivity")
_SYMBOL = r"(?:[A-Za-zΛλ]\w{0,7}\s{1,8})?"
_AHEAD = re.compile(rf"(?P<words>(?:[A-Za-z][\w-]{{0,40}}\s{{1,8}}){{0,3}})\b(?P<noun>{_NOUN})(?:e?s)?\s{{1,8}}{_SYMBOL}"
                    r"(?:of|is|was|=|equals|:|\|)\s{0,8}", re.I)
_BEHIND = re.compile(rf"\s{{0,8}}-?\s{{0,8}}(?P<words>(?:[a-z][\w-]{{0,40}}\s{{1,8}}){{0,2}}?)\b(?P<noun>{_NOUN})\b", re.I)
_EMPTY = frozenset("a an the its their of with and or to each every has have whose where is in for at by on this that same "
                   "total constant uniform equal fixed single given".split())
_QUARTER = re.compile(r"quarter[- ]?(?:of (?:a|the) )?(?:wave|wavelength)|λ\s*/\s*4|lambda\s*/\s*4", re.I)
_CLOSE, _QUARTER_OFF = 1e-3, 0.05


@dataclass(frozen=True)
class _Statement:
    """'period of 700 nm' in one place of the paper."""

    subject: tuple[str, str]
    number: Written
    place: str
    words: str


def contradictions_found(paper: PaperInput, extracted: Sequence[ExtractedParameter] = ()) -> tuple[str, ...]:
    """Quantities that are stated with two values, and layers whose optical thickness is not the quarter wave they are said to
    be; each with the words. At most MOST, and only what a reader can check; a sweep (three values or more) is none."""
    return tuple(itertools.islice((*_differing(paper), *_no_quarter_wave(paper, extracted)), MOST))


def _places(paper: PaperInput) -> Iterator[tuple[str, str]]:
    yield "text", without_bibliography(paper.text)
    if paper.supplementary_text:
        yield "supplement", without_bibliography(paper.supplementary_text)
    for figure in paper.figures:
        yield f"caption of {figure.figure_id}", figure.caption


def _differing(paper: PaperInput) -> Iterator[str]:
    found: dict[tuple[str, str], list[_Statement]] = {}
    varied: set[tuple[str, str]] = set()
    for place, text in _places(paper):
        for statement, alone in _statements(place, readable(text)):
            found.setdefault(statement.subject, []).append(statement)
            if not alone:
                varied.add(statement.subject)
    for subject, statements in found.items():
        groups: list[list[_Statement]] = []
        for statement in statements:
            for group in groups:
                if _same(group[0].number, statement.number):
                    group.append(statement)
                    break
            else:
                groups.append([statement])
            if len(groups) > 2:  # a sweep: no contradiction, however many values more
                break
        if len(groups) == 2 and subject not in varied and _comparable(groups[0][0].number, groups[1][0].number):
            one, other = groups[0][0], groups[1][0]
            yield (f"{' '.join(part for part in subject if part)}: {one.words!r} ({one.place}) and {other.words!r} "
                   f"({other.place})")


def _statements(place: str, plain: str) -> Iterator[tuple[_Statement, bool]]:
    """Every 'noun of value' and 'value noun', and whether the value stands alone (no list, no range)."""
    numbers = [number for number in numbers_in(plain) if not number.label]
    by_start = {number.start: number for number in numbers}
    alone_at: dict[int, list[Written]] = {}
    for number in numbers:
        alone_at.setdefault(number.start, []).append(number)
    for match in _AHEAD.finditer(plain):
        stated = by_start.get(match.end())
        if stated is not None:
            yield _statement(match, stated, place, plain[match.start("noun"):stated.end]), _alone(stated, alone_at, plain)
    for number in numbers:
        if number.unit and (behind := _BEHIND.match(plain, number.end)):
            yield _statement(behind, number, place, plain[number.start:behind.end()]), _alone(number, alone_at, plain)


def _statement(match: re.Match[str], number: Written, place: str, words: str) -> _Statement:
    before = [word.lower() for word in match["words"].split() if word.lower() not in _EMPTY]
    return _Statement((before[-1] if before else "", match["noun"].lower()), number, place, " ".join(words.split()))


def _alone(number: Written, by_start: dict[int, list[Written]], plain: str) -> bool:
    listed = any(other is not number and not other.in_range and re.fullmatch(r"\s*(?:,|and|or|to|-)\s*(?:and\s*)?",
                                                                             plain[number.end:other.start])
                 for place in range(number.end, number.end + 9) for other in by_start.get(place, ()))
    return not (number.in_range or number.low != number.high or listed)


def _same(one: Written, other: Written) -> bool:
    value = converted(other.low, other.unit or "1", one.unit or "1")
    return value is not None and abs(value - one.low) <= _CLOSE * max(abs(value), abs(one.low)) + one.half * 0.999


def _comparable(one: Written, other: Written) -> bool:
    """Two values of the same dimension and much the same size: 700 nm and 720 nm, not 0.7 um and 3 mm."""
    value = converted(other.low, other.unit or "1", one.unit or "1")
    return value is not None and one.low > 0 and 0.2 < value / one.low < 5


def _no_quarter_wave(paper: PaperInput, extracted: Sequence[ExtractedParameter]) -> Iterator[str]:
    if not _QUARTER.search(paper.words(bibliography=False)):
        return
    inputs = [item for item in extracted if item.role == "input"]
    lengths = [(item, value) for item in inputs if (value := _in_nm(item)) is not None]
    waves = [(item, value) for item, value in lengths if re.search(r"lambda|wavelength|design|wave", item.name, re.I)]
    layers = [(item, value) for item, value in lengths if re.search(r"thick|height|^[dth]_?\w{0,6}$", item.name, re.I)
              and item not in [wave for wave, _ in waves]]
    indices = [(item, value) for item in inputs if item.unit.strip() in ("", "1")
               and re.search(r"^n(?:_|$|\d)|index", item.name, re.I) and (value := _number(item.value)) is not None
               and 1 <= value < 6]
    for layer, thickness in layers if waves and indices else ():
        ratios = {(index.name, wave.name): 4 * value * thickness / length
                  for (index, value), (wave, length) in itertools.product(indices, waves)}
        (index_name, wave_name), best = min(ratios.items(), key=lambda entry: abs(entry[1] - 1))
        if abs(best - 1) > _QUARTER_OFF and 0.5 < best < 2:
            yield (f"quarter wave: {layer.name} = {layer.value} {layer.unit} times {index_name} is {best:.3g} of a quarter of "
                   f"{wave_name}, and of no stated index and wavelength nearer than that")


def _in_nm(item: ExtractedParameter) -> float | None:
    value = _number(item.value)
    return None if value is None else converted(value, item.unit, "nm") if item.unit.strip() else None


def _number(text: str) -> float | None:
    try:
        return float(text.strip().replace("\u2212", "-"))
    except ValueError:
        return None
