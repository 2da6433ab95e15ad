"""Whether the paper's words for an input are that input's: they name it, and they are not given for another one as well.

Nobody is sent back for it: what the words do not bind lowers what depends on it, and the report says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agents.reproduce.quoting import places_stated, quoted, ranges_of
from schemas.core.review import Issue
from schemas.reproduce.bound import InputWords
from schemas.reproduce.declared import declared
from schemas.reproduce.input_nouns import kinds_in_words, kinds_of_name, says_equal
from schemas.reproduce.materials import MaterialChoice
from schemas.reproduce.parameters import ExtractedParameter
from schemas.reproduce.written import Written, readable

MATERIAL = "material "  # before the name of a material, where inputs are told by name
_Key = tuple[int, int, str]  # where a number stands in the paper; of a range which of its ends


@dataclass
class _Input:
    name: str
    kinds: frozenset[str]
    places: dict[_Key, Written] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    equal: bool = False
    fault: str = ""


def input_words(extracted: Sequence[ExtractedParameter], materials: Sequence[MaterialChoice], text: str
                ) -> dict[str, InputWords]:
    """Declared input (or "material NAME") -> what the paper's words bind it to. text: the paper's words.

    Inputs whose quotation does not state their value are not in it: they are refused for that.
    """
    plain = readable(text)
    out: dict[str, InputWords] = {}
    inputs = [one for one in (_read(*given, text) for given in _given(extracted)) if one.places]
    media = [one for one in (_read(f"{MATERIAL}{choice.name}", choice.index, "1", choice.source, frozenset({"index"}), text)
                             for choice in materials if choice.index is not None and quoted(choice.source, text)) if one.places]
    for group in (inputs, media):
        for one in group:
            _bind(one, plain)
        _shared(group, plain)
        out |= {one.name: InputWords(kinds=one.words, equal=one.equal, fault=one.fault) for one in group}
    return out


def input_issues(words: Mapping[str, InputWords]) -> list[Issue]:
    """A remark for each input that the paper's words do not bind."""
    return [Issue(severity="minor", where=name if name.startswith(MATERIAL) else f"parameter {name}",
                  description=f"{one.fault}: what depends on it is at most PARTIAL",
                  fix="quote the words that call it what it is; where the paper states it once for several, quote words that "
                      "say so, or declare it once") for name, one in words.items() if one.fault]


def _given(extracted: Sequence[ExtractedParameter]) -> Iterator[tuple[str, float, str, str, frozenset[str]]]:
    """(name, value, unit, quotation, what the name says it is) of every number that a description may use."""
    named = {}
    for item in extracted:
        for parameter in declared([item]).parameters:
            named[parameter.id] = kinds_of_name(item.name, parameter.unit)
    for parameter in declared(extracted).parameters:
        if parameter.value is not None:
            yield parameter.id, parameter.value, parameter.unit, parameter.quotation, named.get(parameter.id, frozenset())


def _read(name: str, value: float, unit: str, quotation: str, kinds: frozenset[str], text: str) -> _Input:
    found = _Input(name, kinds)
    for _, number, _ in places_stated(value, unit, quotation, text):
        found.places[(number.start, number.end, "")] = number
    for low, high, number in ranges_of(value, unit, quotation, text):
        found.places[(number.start, number.end, "low" if value == low else "high" if value == high else "")] = number
    return found


def _bind(one: _Input, plain: str) -> None:
    """Keeps the places whose words name what the input's name says; without one it is bound to nothing."""
    said = {key: kinds_in_words(plain, number) for key, number in one.places.items()}
    fitting = {key: kinds for key, kinds in said.items() if not one.kinds or not kinds or kinds & one.kinds}
    if not fitting:
        words = _around(plain, next(iter(one.places.values())))
        one.fault = f"its quoted words speak of something else than its name: {words}"
    one.words = frozenset().union(*(fitting or said).values())
    one.places = {key: one.places[key] for key in fitting}
    one.equal = any(says_equal(plain, number) for number in one.places.values())


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
            others = [other for other in bound if other is not one and other.places.keys() & one.places.keys()]
            for each in (one, *others):
                beside = ", ".join(other.name for other in (one, *others) if other is not each)
                each.fault = each.fault or (f"the same words of the paper are given for {beside} as well, and they do not say "
                                            f"that these are equal: {_around(plain, next(iter(one.places.values())))}")


def _around(plain: str, number: Written) -> str:
    return repr(" ".join(plain[max(0, number.start - 60) : number.end + 20].split()))
