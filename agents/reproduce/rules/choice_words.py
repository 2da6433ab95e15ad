"""How the paper's words say that a target's structure is lit, from those around its number to those of the whole paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import get_args

from agents.reproduce.rules.grouped_numbers import OF_EACH, behind_its_group, is_of_both, placed
from agents.reproduce.rules.made_of import meets, which_over_which
from agents.reproduce.rules.quoting import places_stated
from agents.reproduce.rules.reference_rules import quotable
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.at_light import light_of
from schemas.reproduce.words.clauses import clause_of, sentence_of
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.polarization_words import COMPLEMENTS, OTHER
from schemas.reproduce.words.said import Choice, Said, Told, of_number
from schemas.reproduce.words.scene_words import lights_named, said_in, words_of_name
from schemas.reproduce.words.structure_words import STRUCTURE
from schemas.reproduce.words.subject_words import compared_in
from schemas.reproduce.words.unclaimed import supposes
from schemas.reproduce.words.varied import is_varied_size
from schemas.reproduce.words.written import Written, numbers_in, readable

_OF_ALL: tuple[Choice, ...] = (
    "range",
    "swept",
)  # of extrema that are looked for wherever spectra and sweeps reach
_PARAGRAPH = re.compile(r"\n\s*\n")
_HEADING = re.compile(r"(?m)^(?:#{1,6}\s.*|\*\*[^*\n]+\*\*\W*)$")
_NEAR = ("its clause", "its sentence", "what its symbol means", "the sentence before", "its column")
_OF_POLARISATIONS = (
    "its section",
    "the words before it",
    "what its symbol means",
    "the sentence before",
)  # for them alone
# "T2 = 0.11 %", and where the paper says what a symbol is of: "T2 for the electric field parallel to them".
_SYMBOL = re.compile(
    r"(?<![\w.])([A-Za-z\u0370-\u03ff]_?\{?[\w\u2225\u22a5|]{0,12}\}?)\s*(?:=|is|of|amounts to|reaches)\s*$"
)
_MEANS = r"(?:\s*[(,:]|\s+(?:for|with|under|when|denotes?|stands|means|is|in|refers))\s(?!\W{0,3}\d)"  # no value of it
_PRONOUN = re.compile(
    r"(?i)^\W*(?:\w+\s+){0,3}?(?:it|its|they|their|there|this|these|those|(?:latter|former))\b"
)
# What holds wherever nothing else is said: "unless noted otherwise", "p-polarised throughout".
_DEFAULT = re.compile(
    r"(?i)\b(?:throughout|otherwise|in\s+all\s+(?:cases|calculations|simulations|figures)|exclusively|hereafter|in\s+what\s+follows|"
    r"unless\s+(?:\w+\s+){1,3}(?:is|are|was|were)\s+(?:said|given|stated|named|noted|mentioned|specified|indicated)|"
    r"restrict\w*|only\s+consider|consider\s+only|all\s+(?:\w+\s+)?(?:spectra|results|calculations|simulations|curves|data|efficiencies))\b"
)
_SIZE = re.compile(
    r"(?i)\b(?P<size>thick|thin|wide|narrow|large|small|long|short)(?:n?er|n?est|r|st)?\s+(?:[a-z]+\s+)?(?:films?|layers?|plates?|slabs?|wires?|rods?|spheres?|"
    r"particles?|dis[kc]s?|rings?|guides?|waveguides?|gaps?|gratings?|bars?|holes?|posts?|pillars?|cavit(?:y|ies)|membranes?|coatings?)\b"
)
# One of two that has less than the other, and the other: "the coated plate" and "the bare one".
_BARE = re.compile(
    r"(?i)\b(?:(?P<bare>bare|uncoated|unpatterned|unstructured|uncovered|unloaded|plain|empty|naked|isolated|without\s+\w+|in\s+the\s+absence|"
    r"alone|flat|smooth|homogeneous|reference)|(?P<built>coated|patterned|structured|covered|loaded|filled|with\s+(?:the|a|an|its)\s+\w+|"
    r"in\s+the\s+presence|corrugated))\b"
)
_OF_TWO: tuple[Choice, ...] = ("sample", "polarization")  # what tells two results apart
_OF_NUMBER = ("subject", "colour")  # only what a number's own clause says
_OR = re.compile(r"(?:[- ]?polari[sz]\w*)?(?:\s+light)?\s+or\s+(?:for\s+|of\s+|in\s+)?")
_Span = tuple[int, int]


def choice_words(target: Target, paper: PaperInput) -> tuple[dict[Choice, tuple[Told, ...]], ...]:
    """For each place where the paper states the target's number (of a curve one): choice -> what the words say of it, those
    nearest to the number first, the whole paper last. Words that say nothing of a choice are left out.
    """
    text = readable(quotable(paper))
    reference = target.reference
    stated = (
        ()
        if reference.value is None
        else places_stated(
            reference.value, target.unit, reference.quotation, quotable(paper), reference.upper
        )
    )
    figure = _figure_words(target, paper)
    whole = [("the paper", text, (0, len(text)))]
    all_of, feature = _of_all(target), reference.feature is not None
    choices: list[Choice] = [choice for choice in get_args(Choice) if all_of or choice not in _OF_ALL]
    if not stated:
        return (_levels([*figure, *_mentions(target.figure_id, text), *whole], choices),)
    elsewhere = _named_elsewhere(text, [number for _, number, _ in stated])
    pair = reference.made_of is not None
    return tuple(
        _levels([*_around(text, number), *figure, *_before(text, number), *whole], choices, number, pair)
        | {"subject": _subjects(text, number, elsewhere, pair)}
        | {"beside": beside_of(text, number), "size": _sizes(text, number)}
        | (_ordered(text, number) if pair else {})
        | ({"range": own} if (own := _own_range(text, number, feature)) else {})
        for _, number, _ in stated
    )


def _subjects(text: str, number: Written, elsewhere: Told, pair: bool) -> tuple[Told, ...]:
    """The materials, bodies and states that the clause of a number names, but those that it is compared with; and those that the
    paper names elsewhere. pair: whether it is made of two results, of which the other is compared with."""
    low, high = clause_of(text, number.start, number.end)
    ends = high if pair else low + compared_in(text[low:high])
    said = [one for one in _of_choice("subject", "its clause", text, (low, high), None) if one.start < ends]
    if any(
        n.start + low != number.start and n.unit and dimension(n.unit) == dimension(number.unit)
        for n in numbers_in(text[low:high])
    ):  # each number of a list has its own
        said = of_number(said, number, text, (low, high)) if said else said
    over = _over(text, (low, high), said) if pair else ()
    return (
        Told("its clause", frozenset(one.value for one in said), _shown(text, (low, high)), over),
        elsewhere,
    )


def beside_of(text: str, number: Written) -> tuple[Told, ...]:
    """The sizes and constants that a number's clause has in front of it, back to another result: "the film with an index of 2.02
    reflects"."""
    low, high = clause_of(text, number.start, number.end)
    values, before = set[str](), low
    for n in placed(text, low, number.start):
        where = _CASE.search(text, before, n.start)
        if before > low and where and text[number.end : high].lstrip(" %").startswith(where[0].strip()):
            continue  # of the result before it, as its own stands behind ours: "from 16 at N = 4 over 128 at N = 8"
        if n.label or n.low != n.high or text[n.start].isalpha():
            continue
        if not kinds_in_words(text, n) & (STRUCTURE - {"count"}):
            values.clear()
            before = n.end
        else:
            values.add(f"{n.low:.9g} {n.unit or '1'}")
    return (Told("its clause", frozenset(values), _shown(text, (low, high))),) if values else ()


_CASE = re.compile(r"\s(?:at|for|with|in|when)\s+[^\W\d_]\w{0,3}\s*=\s*$")


def _sizes(text: str, number: Written) -> tuple[Told, ...]:
    """How large the one is that a number's clause speaks of, where that tells it from another: "the thin film reflects"."""
    low, high = clause_of(text, number.start, number.end)
    values = [match["size"].lower() for match in _SIZE.finditer(text, low, number.start)]
    return (Told("its clause", frozenset(values[-1:]), _shown(text, (low, high))),) if values else ()


def _ordered(text: str, number: Written) -> dict[Choice, tuple[Told, ...]]:
    """What tells two results apart whose ratio or difference a number is, in its clause: sizes, numbers, and that one has less than
    the other; and the clause itself, where its words put one of them first."""
    low, high = clause_of(text, number.start, number.end)
    found: dict[Choice, list[Said]] = {
        "size": [
            Said("size", m["size"].lower(), m.start(), m.end()) for m in _SIZE.finditer(text, low, high)
        ],
        "beside": [
            Said("beside", f"{n.low:.9g} {n.unit}", n.start, n.end)
            for n in placed(text, low, high)
            if n.start != number.start and n.unit and not n.label and n.low == n.high
        ],
        "bare": [Said("bare", str(m.lastgroup), m.start(), m.end()) for m in _BARE.finditer(text, low, high)],
    }
    shown = _shown(text, (low, high))
    out: dict[Choice, tuple[Told, ...]] = {
        choice: (Told("its clause", frozenset(), shown, over),)
        for choice, said in found.items()
        if (over := _over(text, (low, high), said))
    }
    first = Said("order", "first", low, low)
    ordered = not meets(text[low:high]) and _over(text, (low, high), [first])
    return out | ({"order": (Told("its clause", frozenset(), shown),)} if ordered else {})


def _own_range(text: str, number: Written, feature: bool) -> tuple[Told, ...]:
    """The range of wavelengths that a number's clause speaks of the whole of: one that the number ends ("above 90 % from A to B"),
    or over which a number without a feature is said to hold."""
    low, high = clause_of(text, number.start, number.end)
    values = set()
    for n in placed(text, low, high):
        ends = [converted(end, n.unit, "um") if n.unit and end > 0 else None for end in (n.low, n.high)]
        of_it = dimension(n.unit) == dimension(number.unit) and number.low in (n.low, n.high)
        if n.low < n.high and not n.label and None not in ends and (of_it if feature else not of_it):
            if not kinds_in_words(text, n) & STRUCTURE:
                values.add(f"{min(ends):.9g} {max(ends):.9g}")  # type: ignore[type-var]
    return (Told("its clause", frozenset(values), _shown(text, (low, high))),) if values else ()


def _over(text: str, span: _Span, said: Sequence[Said]) -> tuple[str, ...]:
    low, high = span
    return which_over_which(
        text[low:high], [replace(one, start=one.start - low, end=one.end - low) for one in said]
    )


def _named_elsewhere(text: str, stated: Sequence[Written]) -> Told:
    """The materials, bodies and states that a paper names in other sentences than those that state a number."""
    own = [sentence_of(text, number.start, number.end) for number in stated]
    named = (
        one.value
        for one in _said(text)
        if one.choice == "subject" and not any(low <= one.start < high for low, high in own)
    )
    return Told("the paper", frozenset(named), "")


def _shown(text: str, span: _Span) -> str:
    return " ".join(text[span[0] : span[1]].split())[:120]


def _of_all(target: Target) -> bool:
    """Whether a number is that of an extremum which is looked for wherever the spectra reach."""
    feature = as_feature(target.reference.feature) if target.reference.feature is not None else None
    return (
        feature is not None
        and target.reference.kind == "quotation"
        and target.x_range is None
        and any(part.extremum for part in feature.parts)
        and not any(part.window for part in feature.parts)
    )


def _levels(
    places: list[tuple[str, str, _Span]],
    choices: Sequence[Choice],
    number: Written | None = None,
    pair: bool = False,
) -> dict[Choice, tuple[Told, ...]]:
    out: dict[Choice, tuple[Told, ...]] = {}
    for choice in choices:
        told: list[Told] = []
        for where, text, span in places:
            if where in _OF_POLARISATIONS and choice != "polarization":
                continue
            if choice in _OF_NUMBER and where != "its clause":
                continue
            both = pair and choice in _OF_TWO and where == "its clause"
            said = _of_choice(choice, where, text, span, None if both else number)
            if choice == "polarization" and where == "its sentence" and number is not None:
                said = behind_its_group(said, number, text, span)
            if choice == "polarization" and where == "its clause" and not said and number is not None:
                named = {one.value for one in _said(text) if one.choice == "polarization"} - {OTHER}
                if named and is_of_both(text, span, number):
                    told.append(Told(where, frozenset(named), _shown(text, span), either=True))
            if said:
                words = " ".join(
                    text[max(span[0], said[-1].start - 30) : min(span[1], said[-1].end + 30)].split()
                )
                over = _over(text, span, said) if both else ()
                alike = _either(said, text, span) if choice == "polarization" and where in _NEAR else ()
                values = frozenset(one.value for one in alike or said)
                told.append(Told(where, values, words, over, bool(alike)))
        out[choice] = _without_other(_with_its_light(told, places, number) if choice == "light" else told)
    return out


def _either(said: Sequence[Said], text: str, span: _Span) -> tuple[Said, ...]:
    """The polarisations that words give one number for, each as good as the other: "flint, s or p"; () where they do not."""
    if OF_EACH.search(text, *span):
        return ()
    near = [one for one in _said(text) if one.choice == "polarization" and span[0] <= one.start < span[1]]
    for one, other in pairwise(near):
        if {one, other} & {*said} and one.value != other.value and _OR.fullmatch(text, one.end, other.start):
            return (one, other)
    return ()


def _with_its_light(
    told: list[Told], places: list[tuple[str, str, _Span]], number: Written | None
) -> list[Told]:
    """Also at the light that a number's own clause gives it for, where other words speak of other light: "9.1 % at 7.0 um"."""
    text, span = next(((text, span) for where, text, span in places if where == "its clause"), ("", (0, 0)))
    own = {f"{one:.9g}" for one in light_of(text, number)} if number is not None and text else set()
    if told[:1] and told[0].where == "its clause" or own:
        return [replace(one, values=one.values | own) for one in told[:1]] + told[1:]
    named = lights_named(text[span[0] : span[1]], text)
    if named is None:
        return told
    return [Told("its clause", frozenset(f"{one:.9g}" for one in named), _shown(text, span)), *told]


def _of_choice(choice: Choice, where: str, text: str, span: _Span, number: Written | None) -> list[Said]:
    said = [one for one in _said(text) if one.choice == choice and span[0] <= one.start < span[1]]
    if where in _NEAR:
        return (
            of_number(said, number, text, span)
            if said and number is not None and where == "its clause"
            else said
        )
    said = [one for one in said if not one.aside and one.value != OTHER]
    if choice == "polarization" and len({one.value for one in said}) > 1:
        said = [one for one in said if not one.denied] or said
        said = [
            one for one in said if not supposes(text[slice(*sentence_of(text, one.start, one.end))])
        ] or said
        said = [one for one in said if _DEFAULT.search(text, *sentence_of(text, one.start, one.end))] or said
    return said


def _without_other(told: list[Told]) -> tuple[Told, ...]:
    """ "The other polarisation" is the complement of the one that the words around it speak of."""
    if not told or told[0].values != {OTHER}:
        return tuple(one for one in told if OTHER not in one.values)
    meant = next((one.values for one in told if OTHER not in one.values), frozenset())
    value = COMPLEMENTS.get(next(iter(meant)), "") if len(meant) == 1 else ""
    rest = tuple(one for one in told if OTHER not in one.values)
    return (Told(told[0].where, frozenset({value}), told[0].words), *rest) if value else rest


def _around(text: str, number: Written) -> Iterator[tuple[str, str, _Span]]:
    yield "its clause", text, clause_of(text, number.start, number.end)
    low, high = sentence_of(text, number.start, number.end)
    yield "its sentence", text, (low, high)
    breaks = [match.end() for match in _PARAGRAPH.finditer(text, 0, low)]
    first = breaks[-1] if breaks else 0
    if (
        (symbol := _SYMBOL.search(text[low : number.start]))
        and len(symbol[1]) > 1
        and not re.fullmatch(r"[a-z]{3,}", symbol[1])
    ):
        means = re.search(rf"(?<!\w){re.escape(symbol[1])}{_MEANS}", text)
        if means:
            yield (
                "what its symbol means",
                text,
                (means.start(), clause_of(text, means.start(), means.end())[1]),
            )
    if low > first and _PRONOUN.search(text[low:high]):
        yield "the sentence before", text, sentence_of(text, low - 2, low - 2)
    yield "its paragraph", text, (first, high)


def _before(text: str, number: Written) -> Iterator[tuple[str, str, _Span]]:
    """What was said before a number, in its section and from the beginning."""
    _, high = sentence_of(text, number.start, number.end)
    headings = [match.start() for match in _HEADING.finditer(text, 0, number.start)]
    yield "its section", text, (headings[-1] if headings else 0, high)
    yield "the words before it", text, (0, high)


def _figure_words(target: Target, paper: PaperInput) -> list[tuple[str, str, _Span]]:
    """The names of its column and file, and the caption of its figure."""
    reference = target.reference
    column = words_of_name(reference.y_column or "") + " ; " + words_of_name(reference.file or "")
    caption = readable(
        next((figure.caption for figure in paper.figures if figure.figure_id == target.figure_id), "")
    )
    return [
        (where, text, (0, len(text)))
        for where, text in (("its column", column), ("its caption", caption))
        if text.strip()
    ]


def _mentions(figure_id: str, text: str) -> Iterator[tuple[str, str, _Span]]:
    """The sentences that name a figure, one place."""
    number = re.search(r"(\d+)[a-z]?$", figure_id)
    for match in re.finditer(rf"(?i)\bfig(?:ure)?s?\.?\s*{number[1]}\b", text) if number else ():
        yield "the words on its figure", text, sentence_of(text, match.start(), match.end())


@lru_cache(maxsize=32)
def _said(text: str) -> tuple[Said, ...]:
    """All that a text says; a length at which a number is given is no light where the text varies such a size."""
    places = {n.start: n for n in numbers_in(text) if n.unit and not n.label}
    return tuple(
        one
        for one in said_in(text)
        if one.choice != "light"
        or not (place := places.get(one.start))
        or "place" not in kinds_in_words(text, place)
        or not is_varied_size(text, place)
    )
