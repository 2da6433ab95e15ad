"""Whether the words that state a number also name the feature that code takes for it, and every number of that feature.

A quotation says "the maximum lies at 720 nm"; which crossing, abscissa, window or level our curve is read at is the planner's
to choose, and with a choice almost any number can be had from almost any curve. So a kind must be named by the words, and each
number stand in them or be an input that the paper states.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.reproduce.rules.abscissae import (
    another_result,
    at_other_light,
    axis_of_table,
    drawn_over,
    goes_one_way,
    is_without,
    of_its_place,
)
from agents.reproduce.rules.counted_things import counted_at
from agents.reproduce.rules.feature_words import (
    CENTRED,
    EXTREMUM,
    HALF_OF_IT,
    NAMED,
    NAMED_BY,
    WIDTHS_ARE,
    branch_of,
    lights,
    most_or_mean,
    ordinal_before,
    ordinals_in,
)
from agents.reproduce.rules.made_of import OF_TWO, definitions, differentiates, means, meets, short, unmade
from agents.reproduce.rules.moved_with import changed_with
from agents.reproduce.rules.quoting import heads_of, places_stated, ranges_stated
from agents.reproduce.rules.stated_values import stated
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.axes import wanted as axis_wanted
from schemas.reproduce.simulations.features import CurveFeature, SimpleFeature, as_feature
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.bound import Bound
from schemas.reproduce.words.clauses import (
    clause_of,
    extremum_of,
    points_back,
    process_of,
    sentence_of,
)
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.scene_words import ranges_of_spectra
from schemas.reproduce.words.structure_words import STRUCTURE
from schemas.reproduce.words.unclaimed import limit_of, unclaimed
from schemas.reproduce.words.written import Written, matches, numbers_in, readable
from simkit.describe.parameters import Parameter

_BEST = re.compile(r"(?i)\b(?:best|optim\w+)\b")  # of what, and whether most or least, it leaves open
_DIRECTION = re.compile(
    r"(?i)\bdirections?\s+of\s+(?:the\s+)?(?:\w+\s+)?(?:radiat|beam|emi|lobe|strongest)|"
    r"\b(?:beam|emission|radiation|far[ -]field)\s+(?:angle|direction)"
)
_DEGREES = ("deg", "rad")  # an angle called a direction is the place of a pattern's maximum
_PAIR = re.compile(
    r"(?i)\b(?:two|both|pair|doublet|split\w*|adjacent|neighbou?ring|consecutive|spacing|free[ -]spectral|"
    r"fsr)\b"
)
_LIMITS = {"maximum": "upper", "minimum": "lower"}
_HALF = re.compile(r"(?i)\bhalf\b|\bfwhm\b|[-\u2212]?\s?3 dB")
_WAYS = {
    "rising": re.compile(r"(?i)\bris(?:e|es|ing)\b|increas|grow|onset|above|exceed"),
    "falling": re.compile(r"(?i)\bfall|\bdrop|decreas|below|decay|sink"),
}
_GOES = {
    "rising": re.compile(r"(?i)\b(?:ris(?:e|es|ing)|increases?|grows?|climbs?)\b"),
    "falling": re.compile(r"(?i)\b(?:falls?|falling|drops?|decreases?|decays?|sinks?)\b"),
}
_OF_ELSE = re.compile(r"(?i)\b(?:noise|bare|other|another|reference|empty|camera|time)\b")
_SIDES = (
    re.compile(r"(?i)\b(?:above|exceed\w*|over|(?:more|greater|larger|higher|better)\s+than|at\s+least)\b"),
    re.compile(r"(?i)\b(?:below|under|(?:less|smaller|lower)\s+than|at\s+most)\b"),
)
_STRICT = re.compile(r"(?i)maxim|minim|\bpeak|\bdips?\b")
_OF_A_LINE = re.compile(
    r"(?i)(?:\btimes|\bfold|\btwice|\bhalf)\s+(?:the|its|that)\s+(?:(?-i:Q)\b|quality|finesse|life-?time)"
)
_HALF_MAXIMUM = re.compile(  # what a number is a share of: "half its maximum", "0.38 of that maximum"
    r"(?i)(?:half[\s-]+(?:of\s+)?|(?:\d|%|per ?cent|third|quarter|tenth)\s+of\s+)(?:(?:its|the|that|this)\s+)?(?:maxim|peak)\w*"
)
_WIDTH = re.compile(
    r"(?i)(?<!\bat )(?<!\bover )(?<!\bacross )\bfull[\s-]+width|\bfwhm\b|\bline-?\s?width|\bhalf[\s-]+maxim"
)
_LEVELS = ("crossing", "cutoff")
_OF_EXTREMUM = ("position", "value", "prominence", "width", "quality_factor")
_SPECTRAL = ("length", "frequency", "normalised")
_VERB_FIRST = re.compile(r"\W*(?:is|are|was|were|has|have|had|amounts|equals|reaches|lies)\b", re.I)
_PARENTHESIS = re.compile(
    r"(?i)\W*(?:where|when|which|with|at|as|measured|taken|defined|read|normali[sz]ed|relative|compared)\b"
)


@dataclass(frozen=True)
class _Said:
    """The words that speak of a number: its clause; its sentence, and the one before, where that is pointed back to. before: that one,
    whatever extremum its sentence speaks of."""

    sentence: str
    before: str
    clause: str
    extremum: str
    value: Written
    numbers: tuple[Written, ...]
    of_clause: tuple[Written, ...]
    unclaimed: str
    process: str
    limit: str
    plain: str
    heads: tuple[str, ...]


def bound(target: Target, text: str, extracted: Sequence[ExtractedParameter], caption: str = "") -> Bound:
    """What a target leaves open of the feature that code takes for its quoted number, and of the two results that it says it is
    made of. text: the paper's words; caption: of the target's figure."""
    reference = target.reference
    if target.kind != "scalar" or reference.kind != "quotation" or reference.value is None:
        column = (reference.y_column or "").replace("_", " ")
        return Bound(
            loose=tuple(filter(None, [unmade(reference.made_of, f"{caption} {column}", text, column)]))
        )
    said = _said(target, text)
    if said is None:
        return Bound()  # a quotation that does not state its value is refused for that
    found = _of_feature(target, text, extracted, said)
    before = said.plain[max(0, said.value.start - 20) : said.value.start]
    two = unmade(reference.made_of, said.sentence, text, before)
    return found.model_copy(
        update={
            "loose": (*filter(None, [said.unclaimed, two]), *found.loose),
            "process": said.process,
            "limit": said.limit,
        }
    )


def _of_feature(target: Target, text: str, extracted: Sequence[ExtractedParameter], said: _Said) -> Bound:
    reference = target.reference
    if reference.feature is None:
        if _WIDTH.search(said.clause):
            none = "the words speak of a width, and no feature takes one"
            return Bound(lines_only=none) if dimension(target.unit) in _SPECTRAL else Bound(loose=(none,))
        none = f"the words speak of a {said.extremum}, and no feature takes one: a number computed at one place is none"
        if not _of_extremum(said):
            return Bound(loose=tuple(filter(None, [_untaken(said)])))
        return Bound(modes_only=none) if dimension(target.unit) in _SPECTRAL else Bound(loose=(none,))
    feature = as_feature(reference.feature)
    inputs = declared(extracted).parameters
    over_size = (
        feature.kind == "value_at" and dimension(target.unit) in _SPECTRAL and _at_a_size(said, target)
    )
    refused, loose = _named(feature, feature.kind, said, text, over_size=over_size), list[str]()
    windows: list[tuple[float, float]] = []
    taken = any(part.kind in _OF_EXTREMUM and part.extremum == said.extremum for part in feature.parts)
    if feature.kind in ("value_at", *_LEVELS) and not _of_extremum(said):
        loose += filter(None, [_untaken(said)])
    for part in feature.parts:
        if part is not feature:
            refused += _named(part, part.kind, said, text, taken=taken)
        loose += _open_numbers(part, said, inputs, target, taken and part.kind == "value_at")
        if part.window and not _range_stated(
            (part.window[0], part.window[1]), target.x_unit, text, said, inputs
        ):
            windows.append((part.window[0], part.window[1]))
    if (
        target.x_range is not None
        and not all(
            part.window or part.kind == "value_at" for part in feature.parts
        )  # at a place, nothing is looked for
        and not _range_stated(target.x_range, target.x_unit, text, said, inputs)
    ):
        windows.append(target.x_range)
    if (
        windows
        and all(part.kind in _LEVELS for part in feature.parts)
        and goes_one_way(said.value, target.unit, said.plain)
    ):
        windows = []
    return Bound(
        refused=tuple(dict.fromkeys(refused)),
        loose=tuple(dict.fromkeys(loose)),
        windows=tuple(dict.fromkeys(windows)),
        axis=axis_of_table(said.heads, feature.on_x, said.plain),
    )


def _said(target: Target, text: str) -> _Said | None:
    reference = target.reference
    assert reference.value is not None
    found = places_stated(reference.value, target.unit, reference.quotation, text, reference.upper)
    if not found:
        return None
    source, number, head = found[0]
    plain = readable(source)
    start, end = sentence_of(plain, number.start, number.end)
    first = start
    low, high = clause_of(plain, number.start, number.end)
    if low > first + 1 and _VERB_FIRST.match(plain[low : number.start]):
        subject, comma, aside = plain[first:low].rstrip(" ,").rpartition(",")
        if comma and _PARENTHESIS.match(aside):  # "its full width, where T is 0.5, is 181 nm"
            low = first + subject.rfind(",") + 1
    clause, extremum = plain[low:high], extremum_of(plain, number)
    sentence, before = plain[start:end], ""
    if start and points_back(sentence):
        begins = sentence_of(plain, start - 2, start - 2)[0]
        before = plain[begins:start]
        if not re.search(EXTREMUM, _HALF_MAXIMUM.sub("", sentence), re.IGNORECASE):
            start, sentence = begins, plain[begins:end]
    numbers = tuple(
        replace(n, start=n.start + start, end=n.end + start)
        for n in numbers_in(source[start:end])
        if n.start + start != number.start
    )
    of_head = numbers_in(f"|{heads[2]}|") if (heads := heads_of(number.start, text)) else ()
    return _Said(
        f"{head} {sentence}",
        before,
        f"{head} {clause}",
        extremum,
        number,
        (*numbers, *of_head),
        tuple(n for n in numbers if low <= n.start < high),
        unclaimed(plain[first : number.start], plain[low : number.start], plain[number.end : high]),
        process_of(plain, number),
        limit_of(plain, number),
        plain,
        heads,
    )


def _of_extremum(said: _Said) -> bool:
    """Whether the number's own clause calls it that of a maximum or minimum, in these words: not "a peak with twice the Q of"."""
    return (
        said.extremum in ("maximum", "minimum")
        and not _OF_A_LINE.search(said.clause)
        and _STRICT.search(_HALF_MAXIMUM.sub("", said.clause)) is not None
    )


def _untaken(said: _Said) -> str:
    """That words call the number the most or the least of all, or a mean, which nothing at one place shows; '' if they do not."""
    clause = _HALF_MAXIMUM.sub("", said.clause)
    found = "" if _OF_A_LINE.search(clause) else most_or_mean(clause)
    return (
        f"the words call it {found!r} ({short(said.clause)}), and no feature of a curve takes that"
        if found
        else ""
    )


def _named(
    feature: CurveFeature | SimpleFeature,
    kind: str,
    said: _Said,
    text: str,
    *,
    taken: bool = False,
    over_size: bool = False,
) -> list[str]:
    """Why the words do not name the feature. taken: whether another part of it is the extremum that they speak of. over_size: whether
    it is the value, at a size, of a curve of such extrema over that."""
    what = (
        as_feature(feature).words() if isinstance(feature, CurveFeature) else feature.kind.replace("_", " ")
    )
    refused: list[str] = []
    words = said.sentence if points_back(said.clause) else said.clause
    named = kind not in NAMED or re.search(NAMED[kind], words, re.IGNORECASE) is not None
    named = named or (kind == "position" and _BEST.search(words) is not None)
    named = named or (
        kind == "position" and said.value.unit in _DEGREES and _DIRECTION.search(words) is not None
    )
    # "stays below 2 % from 500 to 700 nm": of all that is told, the largest does.
    named = named or (kind == "value" and said.limit == _LIMITS[feature.extremum])
    named = named or (kind == "slope" and differentiates(words, text))
    named = named or (
        kind == "position"
        and means("difference", words, text)
        and any(re.search(EXTREMUM, one, re.IGNORECASE) for one in definitions(words, text))
    )
    if not named and not (kind in OF_TWO and means(kind, words, text)):
        refused.append(
            f"the words name no {kind.replace('_', ' ')}: {short(words)}; such words are {NAMED_BY[kind]}, in the number's own clause"
        )
    if kind in ("value_at", "crossing", "cutoff") and not (taken or over_size) and _of_extremum(said):
        refused.append(
            f"the words speak of a {said.extremum}, not of a {kind.replace('_', ' ')}: {short(said.clause)}"
        )
    if kind in _OF_EXTREMUM and said.extremum not in ("", "either", feature.extremum):
        refused.append(
            f"the words speak of a {said.extremum}, the feature is the {what}: {short(said.clause)}"
        )
    return refused


def _open_numbers(
    feature: CurveFeature | SimpleFeature,
    said: _Said,
    inputs: Sequence[Parameter],
    target: Target,
    beside: bool = False,
) -> list[str]:
    """Numbers and choices of a feature that neither the words nor an input of the paper's state. beside: whether it is the value beside
    an extremum, whose place the clause's abscissa is: "a maximum at 161 nm, 1.28 times that of the bare rod"."""
    out = []
    places = () if beside else _abscissae(said, target)
    half, spectral = bool(_HALF.search(said.sentence)), axis_wanted(target)[0] == "spectral"
    nought = feature.at == (0,) and dimension(target.x_unit or "1") == "length"
    spectral = spectral and not nought  # no light has that wavelength
    counts = (
        bool(feature.at) and target.x_unit == "1" and counted_at(feature.at[0], said.sentence, said.value)
    )
    centred = bool(feature.at) and feature.at[0] == 0 and CENTRED.search(said.sentence) is not None
    counts = counts or centred or (nought and is_without(said.value, target.x_unit, said.plain, inputs))
    of_it = (
        of_its_place(feature.at[0], target.x_unit or "1", said.value, said.of_clause, said.plain, spectral)
        if feature.at and not counts and not beside
        else None
    )
    if of_it is not None:
        out += (
            []
            if of_it
            else [f"that the number is the one at {feature.at[0]:g} {target.x_unit}".removesuffix(" 1")]
        )
    elif (
        feature.at
        and not counts
        and not stated(
            feature.at[0],
            target.x_unit,
            places or said.numbers,
            () if places else lights(inputs) if spectral else inputs,
        )
    ):
        out.append(f"its abscissa {feature.at[0]:g} {'' if target.x_unit == '1' else target.x_unit}".rstrip())
    elif (
        feature.at
        and not counts
        and not places
        and at_other_light(feature.at[0], target.x_unit, said.clause, said.plain)
    ):
        out.append(f"that the light it is told for has {feature.at[0]:g} {target.x_unit}")
    meeting = feature.level == (0,) and target.reference.made_of == "difference" and meets(said.sentence)
    if feature.level and not (
        meeting
        or stated(feature.level[0], "1" if feature.kind == "width" else "", said.numbers, inputs)
        or (half and feature.level[0] == 0.5)
    ):
        out.append(f"its level {feature.level[0]:g}")
    reads = feature.kind in ("width", "quality_factor", "cutoff")
    if (
        reads
        and not (half and feature.fraction == 0.5)
        and not (feature.kind != "cutoff" and feature.fraction == 0.5)
        and (not stated(feature.fraction, "1", said.numbers, ()))
    ):
        out.append(f"its fraction {feature.fraction:g}")
    if feature.base == "zero" and not (
        feature.fraction == 0.5 and (HALF_OF_IT.search(said.sentence) or WIDTHS_ARE.search(said.plain))
    ):
        out.append("that its height counts from zero")
    ordinals, own = ordinals_in(said.sentence), ordinals_in(said.clause)
    if pointed := ordinal_before(said.plain, said.value):
        ordinals = own = {pointed}
    counted = ordinals or ({1, 2} if _PAIR.search(said.sentence) else set())
    if branch := branch_of(said.plain, said.value):  # 1 the lower in energy
        counted = {3 - branch if dimension(target.x_unit) == "length" else branch}
    if feature.number and feature.number not in counted:
        out.append(f"that it is number {feature.number}")
    if not feature.number and own - {1} and feature.kind in _OF_EXTREMUM:
        out.append(f"that it is the {feature.extremum} of all, not number {', '.join(map(str, sorted(own)))}")
    if feature.direction not in ("either", _way_of_end(said), _goes(said.before)) and not _WAYS[
        feature.direction
    ].search(said.sentence):
        out.append(f"that it is {feature.direction}")
    if feature.kind == "position" and not re.search(NAMED["position"], said.sentence, re.IGNORECASE):
        out.append(f"that the best is a {feature.extremum}")
    whole = _range_of_end(said)
    if (
        feature.kind == "crossing"
        and whole
        and not _holds(feature.window or target.x_range or (), whole, target.x_unit)
    ):
        out.append("that its window ends inside the range that is told")
    return [f"{what} stands neither in the quoted sentence nor among the paper's inputs" for what in out]


def _goes(sentence: str) -> str:
    """Which one way a sentence says that a curve goes; '' if none, both, or that of something else."""
    found = {way for way, form in _GOES.items() if form.search(sentence)}
    return found.pop() if len(found) == 1 and not _OF_ELSE.search(sentence) else ""


def _way_of_end(said: _Said) -> str:
    """How a curve crosses a level at the number, which is one end of where it is "above 90 % from 900 to 1180 nm"; '' if none."""
    above, below = (bool(side.search(said.clause)) for side in _SIDES)
    whole = _range_of_end(said)
    if above == below or whole is None:
        return ""
    return "rising" if (said.value.low == whole.low) is above else "falling"


def _range_of_end(said: _Said) -> Written | None:
    ends = (n for n in numbers_in(said.clause) if n.low < n.high and said.value.low in (n.low, n.high))
    return next(ends, None)


def _holds(window: Sequence[float], whole: Written, unit: str) -> bool:
    """Whether a window holds the range that a number ends: what is said of all of it is not seen in a part."""
    ends = (
        [converted(end, whole.unit, unit) for end in (whole.low, whole.high)] if whole.unit and unit else []
    )
    return not window or all(end is None or min(window) <= end <= max(window) for end in ends)


def _at_a_size(said: _Said, target: Target) -> bool:
    """Whether the words call the abscissa of a value a size of the structure: "at a thickness of 100 nm the maximum lies at"."""
    assert target.reference.feature is not None
    at = as_feature(target.reference.feature).at[0]
    if changed_with(said.value, said.of_clause, said.plain) is not None:
        return True  # whether it is the abscissa, of_its_place says
    return any(
        kinds_in_words(said.plain, n) & STRUCTURE and stated(at, target.x_unit, (n,), ())
        for n in said.numbers
    )


def _abscissae(said: _Said, target: Target) -> tuple[Written, ...]:
    """The numbers of the clause, beside the value, that measure what the abscissa does."""
    wanted, spectral = dimension(target.x_unit), axis_wanted(target)[0] == "spectral"
    return tuple(
        n
        for n in said.of_clause
        if n.unit
        and not n.label
        and not (spectral and kinds_in_words(said.plain, n) & STRUCTURE)
        and not another_result(said.plain, said.value, n)
        and (dimension(n.unit) == wanted or {dimension(n.unit), wanted} <= {"length", "frequency"})
    )


def _range_stated(
    ends: tuple[float, float], unit: str, text: str, said: _Said, inputs: Sequence[Parameter]
) -> bool:
    """Whether the number's own sentence states the range ("between 500 nm and 800 nm") or its ends, or the paper says that its
    spectra reach so far: what it states of something else ("the diode emits from 710 to 780 nm") chooses no part of a curve."""
    if all(stated(end, unit, said.numbers, inputs) for end in ends):
        return True
    ranges = (*ranges_stated(said.sentence), *ranges_of_spectra(text))
    return any(matches(n, ends[0], unit or "1", ends[1]) for n in ranges) or drawn_over(
        ends, unit, said.plain
    )
