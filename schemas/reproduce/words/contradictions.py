"""Places where a paper may contradict itself, found by code in its words before anything runs. Candidates, no verdicts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.simulations.drawn import Drawn, DrawnInFigure
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.clauses import clause_of, points_back, sentence_of
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.statements import Statement, Subject, comparable, same, statements_of, subject_of
from schemas.reproduce.words.written import Written, matches, numbers_in, readable

MOST, MOST_READ = 8, 4
READ_BY_MODEL = "as the planner reads the drawing: "
_WAVE = r"[- ]?(?:of (?:a|the) )?wave(?:length)?s?(?![- ]?(?:plate|retard|voltage|dipole|antenna|rectif))"
_WAVES = (
    (1.0, "a quarter", re.compile(rf"quarter{_WAVE}|(?:λ|lambda)\s*/\s*4", re.I)),
    (2.0, "half", re.compile(rf"half(?: an?)?{_WAVE}|(?:λ|lambda)\s*/\s*2", re.I)),
)
# "12 % above a quarter wave", "close to half a wave": no such thing.
_NOT_QUITE = re.compile(
    r"(?i)\b(?:above|below|than|beyond|over|under|close\s+to|near(?:ly)?|almost|about|roughly|instead\s+of|not|no|from|deviates?\s+from)\s+"
    r"(?:an?\s+|the\s+)?$"
)
_SIZES = frozenset("vertical along lateral gap".split())
_LIGHT = re.compile(r"(?i)(?:(?:lambda|\u03bb|wl)\w*\s*=|\b(?:at|for)(?:\s+(?:about|light\s+of))?)\s*$")
_BODY = re.compile(
    r"(?i)\b(layer|film|coating|spacer|stack|cavity|mirror|cap|buffer|slab|membrane|plate|sheet|cladding|pair)(?:s|ies)?\b"
)
_ALL = re.compile(
    r"(?i)\b(?:all|both|each|every|either)\s+(?:of\s+)?(?:the\s+|these\s+|its\s+|their\s+)?(?:\w+\s+){0,2}?(?:layers?|films?|coatings?|of\s+them)\b"
)
_SEVERAL = re.compile(r"(?i)\b(?:respectively|layers|films|both|each|all|and)\b")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=#)")
_MOST_PLACES = 200  # of one size
_OFF = 0.05  # of an optical thickness


def contradictions_found(paper: PaperInput, extracted: Sequence[ExtractedParameter] = ()) -> tuple[str, ...]:
    """Quantities that are stated with two values, drawn otherwise than stated, and layers whose optical thickness is not the
    share of the design wavelength it is said to be; each with the words. At most MOST, and only what a reader can check; a
    sweep (three values or more) is none. What is drawn is what came with the paper's figures.
    """
    found, own = (
        _statements(paper),
        [(figure.figure_id, one) for figure in paper.figures for one in figure.drawn],
    )
    return tuple(
        dict.fromkeys(
            itertools.islice(
                (
                    *_differing(found),
                    *_drawn_otherwise(own, found, extracted),
                    *_no_such_wave(paper, extracted),
                ),
                MOST,
            )
        )
    )


def contradictions_read(
    paper: PaperInput, extracted: Sequence[ExtractedParameter], read: Sequence[DrawnInFigure]
) -> tuple[str, ...]:
    """The same of dimensions that the planner says it read from drawings, each named as such. They are a model's word: told
    beside `contradictions_found`, with a limit of their own, MOST_READ, so that they take no place of what code found."""
    told = _drawn_otherwise([(one.figure_id, one) for one in read], _statements(paper), extracted)
    return tuple(dict.fromkeys(f"{READ_BY_MODEL}{words}" for words in itertools.islice(told, MOST_READ)))


def taken_apart(paper: PaperInput, extracted: Sequence[ExtractedParameter]) -> frozenset[str]:
    """Of what `contradictions_found` says that a quantity is stated with two values: where the plan takes up both, each as an input of
    its own. Two slabs of index 2.00 in a cladding of index 1.444 are two things."""
    found = _statements(paper)
    return frozenset(_differing(found)) - frozenset(_differing(found, extracted))


def _inputs(number: Written, extracted: Sequence[ExtractedParameter]) -> set[str]:
    return {
        item.name
        for item in extracted
        if item.role == "input"
        for told in numbers_in(f"{item.value} {item.unit}")[:1]
        if matches(number, told.low, told.unit or "1")
    }


def _statements(paper: PaperInput) -> dict[Subject, list[Statement]]:
    found: dict[Subject, list[Statement]] = {}
    told = list(statements_of(paper))
    named = {statement.subject for statement in told}
    for statement in told:
        subject, own = statement.subject, (statement.owner, statement.subject[1])
        found.setdefault(own if not subject[0] and own in named else subject, []).append(statement)
    return found


def _differing(
    found: dict[Subject, list[Statement]], extracted: Sequence[ExtractedParameter] = ()
) -> Iterator[str]:
    for subject, statements in found.items():
        groups: list[Statement] = []
        for statement in statements:
            if not any(same(one.number, statement.number) for one in groups):
                groups.append(statement)
            if len(groups) > 2:  # a sweep: no contradiction, however many values more
                break
        if (
            len(groups) == 2
            and all(one.alone for one in statements)
            and groups[0].sentence
            != groups[1].sentence  # "one mode with an index of 2.47, another with 1.58"
            and (
                "" in (owners := {one.owner for one in groups}) or len(owners) == 1
            )  # "TE02 has an index of"
            and comparable(*(one.number for one in groups))
        ):
            one, other = groups
            inputs = [_inputs(statement.number, extracted) for statement in groups]
            if all(inputs) and not inputs[0] & inputs[1]:
                continue
            yield f"{' '.join(subject).strip()}: {one.words!r} ({one.place}) and {other.words!r} ({other.place})"


def _drawn_otherwise(
    drawn: Iterable[tuple[str, Drawn | DrawnInFigure]],
    found: dict[Subject, list[Statement]],
    extracted: Sequence[ExtractedParameter],
) -> Iterator[str]:
    """Drawn dimensions that no stated value of the same thing agrees with. Of a sweep any value may be drawn. Extracted
    parameters, which the planner chose, count where the words that code reads say nothing."""
    for figure_id, one in drawn:
        stated = [
            (str(s.number.low), s.number.unit, repr(s.words), s.place) for s in _said_of(one.of, found)
        ] or [
            (item.value, item.unit, f"{item.name} = {item.value} {item.unit}".strip(), item.place)
            for item in extracted
            if item.name.casefold() == "_".join(one.of.split()).casefold()
        ]
        ratios = [
            (value / one.value, words, place)
            for number, unit, words, place in stated
            if (value := _in(number, unit, one.unit)) is not None and 0.2 < value / one.value < 5
        ]
        if ratios and all(abs(ratio - 1) > one.allowed for ratio, _, _ in ratios):
            ratio, words, place = min(ratios, key=lambda entry: abs(entry[0] - 1))
            by = one.read.replace("_", " ")
            yield (
                f"{one.of}: drawn as {one.value:g} {one.unit}".rstrip() + f" in {figure_id} (by {by}), "
                f"stated as {words} ({place}): {abs(ratio - 1):.1%} apart, it can be read to {one.allowed:.1%}"
            )


def _said_of(name: str, found: dict[Subject, list[Statement]]) -> list[Statement]:
    """What the words state of it; of a bare 'period' all that they state of the one period there is."""
    subject = subject_of(name)
    if subject is None:
        return []
    alike = {other for other in found if other[1] == subject[1] and (other[0] or subject == other)}
    return found.get(subject) or (found[alike.pop()] if not subject[0] and len(alike) == 1 else [])


def _no_such_wave(paper: PaperInput, extracted: Sequence[ExtractedParameter]) -> Iterator[str]:
    """Layers that are neither a quarter nor half of the design wavelength in their medium, where the paper's words call them so, wherever
    the planner quotes them."""
    plain = readable(paper.words(bibliography=False))
    inputs = [item for item in extracted if item.role == "input"]
    lengths = [
        (item, value)
        for item in inputs
        if item.unit.strip() and (value := _in(item.value, item.unit, "nm")) is not None
    ]
    waves = [
        (item, value)
        for item, value in lengths
        if re.search(r"lambda|wavelength|design|wave", item.name, re.I)
        and not re.search(r"min|max|short|long|start|end|first|last|low|high|upper", item.name, re.I)
    ]
    layers = [
        pair for pair in lengths if pair not in waves
    ]  # whatever they are called: the paper's words say what they are
    indices = [
        (item, value)
        for item in inputs
        if item.unit.strip() in ("", "1")
        and re.search(r"^n(?:_|$|\d)|index", item.name, re.I)
        and (value := _number(item.value)) is not None
        and 1 <= value < 6
    ]
    for layer, thickness in layers if waves and indices else ():
        said = {
            part: None
            for number in itertools.islice(
                (n for n in numbers_in(plain) if n.unit and matches(n, thickness, "nm")), _MOST_PLACES
            )
            for part in _called_parts(plain, number)
        }
        if not said:
            continue
        ratios = {
            (index.name, wave.name, name): 4 * value * thickness / length / quarters
            for (index, value), (wave, length), (quarters, name) in itertools.product(indices, waves, said)
        }
        (index_name, wave_name, share), best = min(ratios.items(), key=lambda entry: abs(entry[1] - 1))
        if abs(best - 1) > _OFF and 0.5 < best < 2:
            yield (
                f"{share.removeprefix('a ')} wave: {layer.name} = {layer.value} {layer.unit} times {index_name} is "
                f"{best:.3g} of {share} of {wave_name}, and of no stated index and wavelength nearer than that"
            )


def _called_parts(plain: str, size: Written) -> list[tuple[float, str]]:
    """(quarters, name) of each part of a wave that the words call a size. plain: as `written.readable` leaves it."""
    low, high = sentence_of(plain, size.start, size.end)
    if size.start - low not in [n.start for n in _sizes_in(plain, low, high)]:
        return []
    clause = clause_of(plain, size.start, size.end)
    first = max((match.end() for match in _PARAGRAPH.finditer(plain, 0, low)), default=0)
    last = next((match.start() for match in _PARAGRAPH.finditer(plain, high)), len(plain))
    found = []
    for quarters, name, form in _WAVES:
        if any(_of_it(plain, size, (low, high), clause, match) for match in _told(form, plain, first, last)):
            found.append((quarters, name))
    return found


def _told(form: re.Pattern[str], plain: str, first: int, last: int) -> Iterator[re.Match[str]]:
    return (
        match
        for match in form.finditer(plain, first, last)
        if not _NOT_QUITE.search(plain[max(first, match.start() - 30) : match.start()])
    )


def _of_it(
    plain: str, size: Written, own: tuple[int, int], clause: tuple[int, int], wave: re.Match[str]
) -> bool:
    """Whether a part of a wave that stands in a size's paragraph is said of it."""
    low, high = own
    if low <= wave.start() < high:
        if clause[0] <= wave.start() < clause[1]:
            return True
        others = _sizes_in(plain, low, high)
        return len(others) == 1 or _SEVERAL.search(plain, low, high) is not None
    at, end = sentence_of(plain, wave.start(), wave.end())
    if _sizes_in(plain, at, end):
        return False  # it says of which
    if _ALL.search(plain, at, end):
        return _BODY.search(plain, low, high) is not None
    if re.search(r"\w", plain[min(end, high) : max(low, at)]):
        return False  # neither right before it nor right behind
    if points_back(plain[low:high] if end <= low else plain[at:end]):
        return True
    bodies = {match[1].lower() for match in _BODY.finditer(plain, at, end)}
    return any(match[1].lower() in bodies for match in _BODY.finditer(plain, *clause))


def _sizes_in(plain: str, low: int, high: int) -> list[Written]:
    return [
        n
        for n in numbers_in(plain[low:high])
        if dimension(n.unit) == "length"
        and not n.label
        and not _LIGHT.search(plain[low : low + n.start])
        and (not (kinds := kinds_in_words(plain[low:high], n)) or kinds & _SIZES)
    ]


def _in(text: str, own: str, unit: str) -> float | None:
    value = _number(text)
    return None if value is None or value <= 0 else converted(value, own or "1", unit or "1")


def _number(text: str) -> float | None:
    try:
        return float(text.strip().replace("\u2212", "-"))
    except ValueError:
        return None
