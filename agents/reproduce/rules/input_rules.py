"""Whether the paper's words for an input are that input's: they name it, and they are not given for another one as well.

Nobody is sent back for it: what the words do not bind lowers what depends on it, and the report says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from agents.reproduce.rules.quoting import places_stated, quoted, ranges_of
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.bound import InputWords
from schemas.reproduce.words.clauses import clause_of, process_of, sentence_of
from schemas.reproduce.words.input_nouns import (
    kinds_in_words,
    kinds_of_name,
    kinds_of_symbol,
    parted_in,
    says_equal,
)
from schemas.reproduce.words.said import of_number
from schemas.reproduce.words.scene_words import samples_in
from schemas.reproduce.words.subject_words import subjects_of
from schemas.reproduce.words.unclaimed import unclaimed
from schemas.reproduce.words.written import Written, numbers_in, readable
from schemas.talking.review import Issue

_GENERIC = frozenset(
    "min max low high near far first second third thin thick middle small large long short total mean own the "
    "of and vacuum inner outer upper lower left right start end shortest longest design".split()
)
_CLOSE, _ALIKE = 1e-3, 5.0  # the same value; how far apart two values of one thing lie at most
_PILED = re.compile(
    r"(?i)\b(?:(?P<on>on(?:to)?(?:\s+top\s+of)?|above|over|atop)|(?P<under>under(?:neath)?|below|beneath|"
    r"(?:covered|coated|topped|capped|overcoated)\s+(?:by|with)))\b"
)
_POINTS_BACK = re.compile(
    r"(?i)\b(?:(?:its|their|whose|latter|former)\s+(?:\w+\s+){0,4}|(?:it|they|which|that|those|these|this|both|each)\s+(?:\w+\s+)?"
    r"(?:(?:has|have|had)\s+(?:(?!(?:is|are|was|were|has|have|lies?|stands?|on|while|whereas|but)\b)[^\s.;]+[\s.]+)*?|(?:is|are|was|were)\s+(?:\w+\s+){0,2}|"
    r"(?:gives?|gave|yields?|equals?|amounts?\s+to)\s+(?:\w+\s+){0,3}(?:\w+\s*=\s*)?))\W*$"
)
MATERIAL = "material "  # before the name of a material, where inputs are told by name
_Key = tuple[int, int, str]  # where a number stands in the paper; of a range which of its ends


@dataclass
class _Input:
    name: str
    value: tuple[float, str]
    kinds: frozenset[str]
    places: dict[_Key, Written] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    equal: bool = False
    ranged: bool = False
    sample: str = ""
    on: tuple[str, ...] = ()
    parted: frozenset[int] = frozenset()
    whole: bool = False
    symbol: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    fault: str = ""

    @property
    def bodies(self) -> list[str]:
        """The words of its name that name neither a quantity nor a place in a list: "film" of film_thickness."""
        words = re.findall(r"[a-z]{3,}", self.name.removeprefix(MATERIAL).lower())
        return [word for word in words if word not in _GENERIC and not kinds_of_name(word, self.value[1])]


_WHOLE = re.compile(
    r"(?i)\b(?:whole|total|overall|outer|outside|external)\s+(?:\w+\s+)?(?:diameter|size)|\bincl\w+|\bwith\s+(?:its|the|their)\s+(?:shell|coat|clad)"
)


def input_words(
    extracted: Sequence[ExtractedParameter], materials: Sequence[MaterialChoice], text: str
) -> dict[str, InputWords]:
    """Declared input (or "material NAME") -> what the paper's words bind it to. text: the paper's words.

    Parameters whose quotation does not state their value are not in it: they are refused for that.
    """
    plain = readable(text)
    inputs = [one for one in (_read(*given, text) for given in _given(extracted)) if one.places]
    media = [
        one
        for one in (
            _read(f"{MATERIAL}{choice.name}", choice.index, "1", choice.source, frozenset({"index"}), text)
            for choice in materials
            if choice.index is not None and quoted(choice.source, text)
        )
        if one.places
    ]
    for group in (inputs, media):
        for one in group:
            _bind(one, plain)
            _of_another(one, plain, [other for other in (*inputs, *media) if other is not one])
        _shared(group, plain)
    _piled(inputs, plain)
    bound = {
        one.name: InputWords(
            kinds=one.words,
            equal=one.equal,
            ranged=one.ranged,
            sample=one.sample,
            on=one.on,
            parted=one.parted,
            whole=one.whole,
            symbol=one.symbol,
            subjects=one.subjects,
            fault=one.fault,
        )
        for one in (*inputs, *media)
    }
    related = {
        f"{MATERIAL}{choice.name}": InputWords(
            fault=f"its {number.name} is {number.follows}; whether the paper relates these numbers so, no code can tell"
        )
        for choice in materials
        for term in choice.terms
        for number in term.numbers
        if number.follows
    }
    return (
        {
            f"{MATERIAL}{choice.name}": InputWords(
                subjects=subjects_of(f"{choice.name.replace('_', ' ')} ; {readable(choice.source)}")
            )
            for choice in materials
        }
        | related
        | {
            f"{MATERIAL}{choice.name}": InputWords(fault="the paper's words do not state its index")
            for choice in materials
            if choice.index not in (None, 1.0) and not _squared(choice, plain)
        }
        | bound
    )


def _squared(choice: MaterialChoice, plain: str) -> bool:
    """Whether the paper's words state the permittivity that a medium's index is the root of."""
    return choice.index is not None and any(
        "permittivity" in kinds and abs(n.low - choice.index**2) <= _CLOSE * n.low
        for n, kinds in _called(plain)
    )


def input_issues(words: Mapping[str, InputWords]) -> list[Issue]:
    """A remark for each input that the paper's words do not bind."""
    return [
        Issue(
            severity="minor",
            where=name if name.startswith(MATERIAL) else f"parameter {name}",
            description=f"{one.fault}: what depends on it is at most PARTIAL",
            fix="quote the words that call it what it is; where the paper states it once for several, quote words that "
            "say so, or declare it once",
        )
        for name, one in words.items()
        if one.fault
    ]


def _given(extracted: Sequence[ExtractedParameter]) -> Iterator[tuple[str, float, str, str, frozenset[str]]]:
    """(name, value, unit, quotation, what the name says it is) of every number that a description may use."""
    named = {}
    for item in extracted:
        for parameter in declared([item]).parameters:
            named[parameter.id] = kinds_of_name(item.name, parameter.unit)
    for parameter in declared(extracted).parameters:
        if parameter.value is not None:
            yield (
                parameter.id,
                parameter.value,
                parameter.unit,
                parameter.quotation,
                named.get(parameter.id, frozenset()),
            )


def _read(name: str, value: float, unit: str, quotation: str, kinds: frozenset[str], text: str) -> _Input:
    found = _Input(name, (value, unit), kinds)
    for _, number, _ in places_stated(value, unit, quotation, text):
        found.places[(number.start, number.end, "")] = number
    for low, high, number in ranges_of(value, unit, quotation, text):
        found.places[
            (number.start, number.end, "low" if value == low else "high" if value == high else "")
        ] = number
    return found


def _bind(one: _Input, plain: str) -> None:
    """Keeps the places whose words name what the input's name says; without one it is bound to nothing."""
    said = {key: kinds_in_words(plain, number) for key, number in one.places.items()}
    fitting = {key: kinds for key, kinds in said.items() if not one.kinds or not kinds or kinds & one.kinds}
    if not fitting:
        words = _around(plain, next(iter(one.places.values())))
        one.fault = f"its quoted words speak of something else than its name: {words}"
    one.words = frozenset().union(*(fitting or said).values())
    one.symbol = frozenset().union(*(kinds_of_symbol(plain, number) for number in one.places.values()))
    one.places = {key: one.places[key] for key in fitting}
    denied = {
        key: told
        for key, number in one.places.items()
        if (told := _unclaimed(plain, number) or (not said[key] and _result(plain, number, one.value[1])))
    }
    if denied and len(denied) == len(one.places):
        one.fault = next(iter(denied.values()))
    one.ranged = bool(one.places) and all(end for _, _, end in one.places)
    sentences = {sentence_of(plain, number.start, number.end) for number in one.places.values()}
    one.parted = frozenset().union(*(parted_in(plain[low:high]) for low, high in sentences))
    one.whole = any(_WHOLE.search(plain[low:high]) for low, high in sentences)
    one.subjects = frozenset().union(*(subjects_of(plain[low:high]) for low, high in sentences))
    one.equal = any(says_equal(plain, number) for number in one.places.values())
    samples = {_sample(plain, number) for number in one.places.values()}
    one.sample = samples.pop() if len(samples) == 1 else ""


def _of_another(one: _Input, plain: str, given: Sequence[_Input]) -> None:
    """Words that do not name the body that an input's name names, where the paper has words that do: for another value, much
    the same in size, which no input of that body takes up."""
    bodies = one.bodies
    if (
        one.fault
        or not one.kinds - {"light"}
        or not bodies
        or not one.value[0]  # nothing is much the same in size as nought
        or any(_speaks_of(plain, number, bodies, own=True) for number in one.places.values())
    ):
        return
    taken = [one.value, *(other.value for other in given if set(other.bodies) & set(bodies))]
    others = {body for other in given for body in other.bodies} - set(bodies)
    for number, kinds in _called(plain):
        apart = (
            converted(number.low, number.unit or "1", one.value[1])
            if kinds & one.kinds and number.low > 0
            else None
        )
        if (
            apart is None
            or not 1 / _ALIKE < apart / one.value[0] < _ALIKE
            or any(_same(number, *pair) for pair in taken)
        ):
            continue
        if _speaks_of(plain, number, bodies) and not _parted(plain, number, bodies, others):
            one.fault = (
                f"its quoted words do not name it, and the paper has words that do: {_around(plain, number)}"
            )
            return


@lru_cache(maxsize=8)
def _called(plain: str) -> tuple[tuple[Written, frozenset[str]], ...]:
    """Every number of the paper that its words call something, and what; ends of ranges are none."""
    numbers = _numbers(plain)
    ends = {place for one in numbers if one.low != one.high for place in (one.start, one.end)}
    told = (
        (number, kinds_in_words(plain, number))
        for number in numbers
        if not number.label
        and not number.in_range
        and number.low == number.high
        and not {number.start, number.end} & ends
    )
    return tuple((number, kinds) for number, kinds in told if kinds)


def _speaks_of(plain: str, number: Written, bodies: Sequence[str], own: bool = False) -> bool:
    """Whether the clause of a number names one of the bodies. own: or its sentence does, or it is said of something that was
    named before it ("its thickness", "it has a thickness")."""
    low, high = (sentence_of if own else clause_of)(plain, number.start, number.end)
    return (own and _POINTS_BACK.search(plain[low : number.start]) is not None) or any(
        re.search(rf"(?i)\b{re.escape(body)}", plain[low:high]) for body in bodies
    )


def _parted(plain: str, number: Written, bodies: Sequence[str], others: Iterable[str]) -> bool:
    """Whether the clause's words for a body are parted from its number: it stands in brackets right behind another input's body
    ("glass, and separated by an air gap (n = 1)"), or another number of its unit lies before the body's word ("42 degrees and a
    45 degrees prism"). A body that is only named in between parts nothing: "the glass under the film has an index of 1.52"."""
    low, high = clause_of(plain, number.start, number.end)
    apposed = any(
        re.search(rf"(?i)\b{re.escape(body)}\w*(?:\s+[a-z]+)?\s*[(\[][^)\]]*$", plain[low : number.start])
        for body in others
    )
    places = [
        low + match.start()
        for body in bodies
        for match in re.finditer(rf"(?i)\b{re.escape(body)}", plain[low:high])
    ]
    alike = [
        one for one in _numbers(plain) if one.unit == number.unit and one.unit and one.start > number.end
    ]
    return bool(places) and all(
        apposed if place < number.start else any(one.end <= place for one in alike) for place in places
    )


@lru_cache(maxsize=8)
def _numbers(plain: str) -> tuple[Written, ...]:
    return tuple(numbers_in(plain))


_NOT_THERE = re.compile(r"(?i)\b(?:not|never|hardly)\s+(?=(?:at|for|when)\b)")  # of what is seen there


def _unclaimed(plain: str, number: Written) -> str:
    start, end = sentence_of(plain, number.start, number.end)
    low, high = clause_of(plain, number.start, number.end)
    near = re.split(r"[;:,]\s", plain[low : number.start])[
        -1
    ]  # "not in contact: they are separated by 20 nm" denies no 20 nm
    seen = re.search(
        r"(?i)\b(?:resolv|seen|visible|observ|found|distinguish|appear|split|exist|present)",
        plain[start:low] + near,
    )
    if seen and not re.search(
        r"\bbut\b", plain[number.end : end]
    ):  # "not at 5 but at 7 degrees" denies the 5
        near = _NOT_THERE.sub("", near)
    return unclaimed(plain[start : number.start], near, plain[number.end : high])


def _result(plain: str, number: Written, unit: str) -> str:
    """Why words that call a share of the light reflected, transmitted, ... state a result and no input; '' if they do not."""
    counts = (
        number.low == int(number.low) >= 2 and not number.unit
    )  # "slabs of 2 to 12 rows": no share of the light
    process = process_of(plain, number) if dimension(unit or "1") == "fraction" and not counts else ""
    return (
        f"its quoted words state what happened to the light ({process}), which a simulation finds"
        if process
        else ""
    )


def _sample(plain: str, number: Written) -> str:
    """Which of several samples the clause of a number, else its sentence, speaks of; '' if of none or of more than one."""
    for low, high in (
        clause_of(plain, number.start, number.end),
        sentence_of(plain, number.start, number.end),
    ):
        said = [replace(one, start=low + one.start, end=low + one.end) for one in samples_in(plain[low:high])]
        if said:
            own = of_number(said, number, plain, (low, high))
            return own[0].value if len({one.value for one in own}) == 1 else ""
    return ""


def _piled(inputs: Sequence[_Input], plain: str) -> None:
    """Which layer the words put on which: "20 nm of A on 50 nm of B", "20 nm of A covered with 50 nm of B"."""
    placed = sorted(
        ((n.start, n.end, one) for one in inputs if "vertical" in one.words for n in one.places.values()),
        key=lambda found: found[0],
    )
    for (_, end, first), (start, _, second) in pairwise(placed):
        if first is second or start < end or start >= sentence_of(plain, end - 1, end)[1]:
            continue
        said = [match.lastgroup for match in _PILED.finditer(plain[end:start])]
        if len(said) == 1:
            upper, lower = (first, second) if said[0] == "on" else (second, first)
            upper.on = (*upper.on, lower.name)


def _same(number: Written, value: float, unit: str) -> bool:
    own = converted(number.low, number.unit or "1", unit)
    return own is not None and abs(own - value) <= _CLOSE * abs(value)


def _shared(group: Sequence[_Input], plain: str) -> None:
    """Places go round: each is one input's, unless the paper says that several things have the number."""
    bound = [one for one in group if one.places and not one.equal]
    taken: dict[_Key, _Input] = {}

    def place(one: _Input, seen: set[_Key]) -> bool:
        for key in one.places:
            if key not in seen:
                seen.add(key)
                if key not in taken or place(taken[key], seen):
                    taken[key] = one
                    return True
        return False

    for one in bound:
        if not place(one, set()):
            others = [
                other for other in bound if other is not one and other.places.keys() & one.places.keys()
            ]
            for each in (one, *others):
                beside = ", ".join(other.name for other in (one, *others) if other is not each)
                each.fault = each.fault or (
                    f"the same words of the paper are given for {beside} as well, and they do not say "
                    f"that these are equal: {_around(plain, next(iter(one.places.values())))}"
                )


def _around(plain: str, number: Written) -> str:
    return repr(" ".join(plain[max(0, number.start - 60) : number.end + 20].split()))
