"""The one reader of numbers and units in text: what a quotation states, what must not reach a blind agent, what was typed.

A number is read in every spelling: with separators, powers of ten, uncertainties, in words, in digits of any script, with or
without its unit. `standing` says for whom it counts: a quotation states only what stands whole; who hides numbers takes all.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from schemas.text.legible import legible
from schemas.text.number_words import OF_A, Said, said_numbers
from schemas.text.unit_forms import unit_behind

Standing = Literal["whole", "name", "part", "hidden"]
Words = Literal["", "english", "foreign", "roman"]

_TO_THE = r"\s?to\s(?:the\s)?(?:power\s(?:of\s)?)?(?P<said>(?:minus\s|-)?(?:[0-9]{1,3}|[a-z]{2,12}))\b"
_RAISED = r"\s?(?:\^|\*\*)\s?\(?\s?(?P<{}>[-+]?\s?[0-9]{{1,5}})\)?"
_POWER = (
    r"(?:[eE](?P<e>[-+]?[0-9]{1,5})(?![0-9]|\.[0-9])|\s{0,2}(?:[×x*·]|times\s(?:by\s)?)\s{0,2}(?:10|ten)\b(?:"
    + _RAISED.format("up")
    + "|"
    + _TO_THE
    + r"|[ \u2009](?P<lost>-?\s?[1-9][0-9]?)(?![0-9]))"
    r"|[ \u2009-](?P<big>hundred|thousand|million|billion)\b|\s{0,2}[×x]\s{0,2}10(?P<run>[1-9][0-9]?)(?![0-9.])|\s{1,2}10"
    + _RAISED.format("bare")
    + ")?"
)
_LIST = re.compile(r"\s*(?:,\s*(?:and|or)|,|;|and|or|×|x|by|to|-|through)\s*")
_PRODUCT = re.compile(r"\s*[×x]\s*")
_RANGE = re.compile(r"\s*(?:-|to|through|and|until|up to|\.\.\.?|…)\s*", re.IGNORECASE)


def _with_power(body: str) -> re.Pattern[str]:
    return re.compile(
        r"(?:(?P<ten>(?<![0-9.,])10)"
        + _RAISED.format("alone")
        + rf"|(?P<sign>(?<![\w)+])[-+])?(?P<body>{body})(?:\((?P<last>[0-9]{{1,3}})\))?{_POWER})"
    )


def _point_for_comma(body: str) -> str:
    return body.replace(",", ".").replace("·", ".")


def _usual(body: str) -> str:
    return _point_for_comma(body) if body.startswith(("0,", "0·")) else re.sub("[,\u2009' \n-]", "", body)


_Form = tuple[re.Pattern[str], Callable[[str], str]]
_USUAL: _Form = (
    _with_power(
        r"[0-9]{1,3}(?:[,\u2009'][0-9]{3})+(?:\.[0-9]+)?(?![0-9])|0[,·][0-9]+|[0-9]+(?:\.[0-9]+)?"
        r"|(?<![0-9])\.[0-9]+"
    ),
    _usual,
)
_SPACED: _Form = (
    _with_power(r"(?<![0-9.,] )(?<![0-9.,])[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9])(?:\.[0-9]+)?"),
    _usual,
)
_COMMA: _Form = (_with_power(r"(?<![0-9.,])[0-9]{1,6},(?:[0-9]{1,2}|[0-9]{4,12})(?![0-9])"), _point_for_comma)
_SECOND: tuple[_Form, ...] = (  # what else the same signs may mean
    (_with_power(r"(?<![0-9.,])[1-9][0-9]{0,2},[0-9]{3}(?![0-9])"), _point_for_comma),
    (_with_power(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?![0-9])"), lambda body: body.replace(".", "")),
    (
        _with_power(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]{1,6}"),
        lambda body: body.replace(".", "").replace(",", "."),
    ),
    (_with_power(r"(?<![0-9.,])[0-9]{1,6}·[0-9]{1,12}(?![0-9])"), lambda body: body.replace("·", ".")),
    (
        _with_power(
            r"(?<![0-9.,])(?<![0-9][ -])[0-9]{1,3}(?:[ \u2009\n-][0-9]{1,3}){1,12}(?![0-9])"
            r"(?:[ \u2009]?\.[ \u2009]?[0-9]{1,6})?"
        ),
        _usual,
    ),
    (_with_power(r"(?<![0-9.,])[0-9]{1,6}(?: \.[ ]?|\. )[0-9]{1,6}"), _usual),
)
_UNIT_BEFORE = re.compile(
    r"(?:[(\[/|]|\bin\s|\A|\s)(?P<unit>[^\s()\[\]|:=]{1,10})"
    r"(?:[)\]]|[)\]]?\s?(?:[:=|]|is\b|of\b|was\b))\s{0,2}\Z"
)
_SHORTHAND = re.compile(r"\s?([kM])(?![\w/-])")
_TIMES_TEN = re.compile(r"[×x]\s{0,2}(10[1-9][0-9]?)(?![0-9.])")
_PLUS = re.compile(
    r"\s{0,16}(?:±|\+/?-)\s{0,16}(?P<plus>[0-9]{1,40}(?:\.[0-9]{1,40})?(?P<e>[eE][-+]?[0-9]{1,3})?)"
)
_RATIO = re.compile(
    r"(?<![\w.,/])([0-9]{1,6}(?:\.[0-9]{1,12})?)\s?[/\u2044]\s?([0-9]{1,6}(?:\.[0-9]{1,12})?)(?![\w/]|\.[0-9])"
)
_JOINS = re.compile(
    r"(?i)(?:\b(?:of|at|is|are|was|to|and|from|near|about|than|by|around|a|with|for|between)|[=~<>(:,|])\s*\Z"
)
# What is told in no unit: "(n = 3.49, 66 nm)", "an index of 1.5, 100 nm thick".
_UNITLESS = re.compile(
    r"(?:(?<![^\W_])[nkε](?:_?\w{1,6})?\s?[=~]|\b(?:ind(?:ex|ices)|permittivity|ratio|factor|cycle|fraction)"
    r"\s(?:of|is|was|=))\s?\Z"
)
# "1.842, 3 % less": what follows the comma is how far it lies off, in a unit of its own.
_THAN = re.compile(
    r"\s?(?:less|more|lower|higher|smaller|larger|greater|fewer|shorter|longer|below|above|under|over|off|apart|away|narrower|wider"
    r"|thinner|thicker|weaker|stronger|worse|better|slower|faster|of)\b"
)
_BOX = re.compile(r"\s?(?P<side>[^\W\d_]{1,2})\^(?P<sides>[23])(?![0-9])")  # of "500 × 220 nm^2"
_IN_LONGER = re.compile(r"[0-9][.,\u2009]?\Z")
_IN_NAME = re.compile(r"[^\W\d]\Z|_\Z")
_IMAGINARY, _SIGNED = re.compile(r"[ij](?![^\W_])"), re.compile(r"[-+]\s?\Z")
_APART = re.compile(r"[\u2e80-\uffef]\Z")  # Chinese and Japanese, where no space stands between words
_IN_PART = re.compile(r"(?:[.^]|(?<!%)/|[A-Za-z^]-|\^ -|[_^]\s)\Z")
_PART_OF = re.compile(r"[.,]?[0-9]|/[0-9]|/[a-z]{2}")
_NAME_OF = re.compile(
    r"(?![x×](?![A-Za-z]))[A-Za-zµ_]|-(?!fold)[A-Za-z]"
)  # "3D", "2-port"; not "2x", "2-fold"
_NO_ROMAN = frozenset({"", "m", "s", "a", "J", "other", "temperature", "pi", "wavelengths", "1/s", "1/m"})
_NO_MEASURE = frozenset(
    {"", "a", "as", "pi", "wavelengths", "other"}
)  # "half a wavelength", "half as deep" are no numbers of the paper
_LONGEST = 40  # digits
_LARGEST_POWER = 9999


@dataclass(frozen=True)
class Number:
    """A number of a text: its value in `unit` ('' if none stands there), and its place there.

    after: where its unit ends. half: half a unit of its last digit. error: the uncertainty written with it. words: how it was
    said, if not in digits. range_with: the place in the list of its range's other end. lent: the unit behind the last number of
    its list or range.
    standing: whole; name: it begins one (3D, 2-port); part: of a name, formula, exponent or fraction (Ge-20nm, x^2, 1/4);
    hidden: a second reading that only who looks for it finds (R720.7, 7 2 0, 1.550 as 1550).
    """

    value: float
    unit: str
    start: int
    end: int
    after: int
    half: float = 0.0
    error: float | None = None
    words: Words = ""
    standing: Standing = "whole"
    range_with: int | None = None
    lent: str = ""

    @property
    def any_unit(self) -> str:
        """Its unit, or that of the list or range it stands in."""
        return self.unit or self.lent


def numbers_in(text: str) -> tuple[Number, ...]:
    """Every number of a text in the order in which they begin, each with its place in the text as it stands."""
    plain = legible(text)
    found = []
    for number in plain_numbers(plain.text):
        start, end = plain.source(number.start, number.end)
        found.append(
            replace(number, start=start, end=end, after=max(end, plain.source(number.start, number.after)[1]))
        )
    for begin, finish in plain.asides:
        found += [
            replace(
                n,
                start=n.start + begin,
                end=n.end + begin,
                after=n.after + begin,
                standing="part",
                range_with=None,
            )
            for n in plain_numbers(text[begin:finish])
        ]
    return tuple(found)


@lru_cache(maxsize=16)
def plain_numbers(plain: str) -> tuple[Number, ...]:
    """The same for text that is legible already."""
    digits = sorted(_digit_numbers(plain), key=lambda n: (n.start, -n.end))
    said = [(one, number) for one in said_numbers(plain) if (number := _said(one, plain))]
    shares = sorted(
        (replace(n, end=n.after) for one, n in said if one.share), key=lambda n: (n.start, -n.end)
    )
    words = [n for one, n in said if one.share] + _outside(
        [n for one, n in said if not one.share], _widest(shares)
    )  # no "one micron" in "half of one micron"
    found = [*digits, *_outside(words, _widest(digits))]  # the ten of "times ten to the four"
    shown = sorted((n for n in found if n.standing != "hidden"), key=lambda n: (n.start, n.end))
    hidden = sorted((n for n in found if n.standing == "hidden"), key=lambda n: (n.start, n.end))
    return (*_ranged(_with_units(shown, plain), plain), *hidden)


def quantities_in(text: str) -> list[tuple[float, str]]:
    """(value, unit) of every number of a text that is not hidden."""
    return [(number.value, number.any_unit) for number in numbers_in(text) if number.standing != "hidden"]


def _digit_numbers(plain: str) -> list[Number]:
    found: list[Number] = []
    for match in _USUAL[0].finditer(plain):
        if found and match.start() < found[-1].after:
            continue  # the 2 of (2 pi/a), the 1 of 1/cm
        if number := _read(match, plain, _USUAL[1]):
            found.append(number)
    first = len(plain) - len(plain.lstrip())
    spaced = [n for n in _read_all(_SPACED, plain) if n.standing in ("whole", "name")]
    # in "layer 1 550 nm" there are two numbers, which stay beside the one
    joined = [n for n in spaced if n.start <= first or _JOINS.search(plain, max(0, n.start - 40), n.start)]
    found = [*_outside(found, joined), *spaced]
    commas = list(_read_all(_COMMA, plain))
    decimal = [n for n in commas if n.unit and n.standing == "whole"]
    second = [n for n in commas if not (n.unit and n.standing == "whole")]
    second += [*(n for form in _SECOND for n in _read_all(form, plain)), *_fractions(plain)]
    shorthand = [
        replace(n, value=n.value * by, standing="hidden") for n in found if (by := _shorthand(plain, n))
    ]
    second += [replace(n, unit=unit) for n in found if not n.unit and (unit := _unit_before(plain, n.start))]
    return [
        *_outside(found, decimal),
        *decimal,
        *shorthand,
        *(replace(n, standing="hidden") for n in second if n.unit or not n.value.is_integer()),
    ]


def _fractions(plain: str) -> Iterator[Number]:
    """Quotients, uncertainties, and what follows x where a power of ten was read."""
    for match in _RATIO.finditer(plain):
        if float(match[2]):
            yield Number(float(match[1]) / float(match[2]), *_with_unit(plain, match.start(), match.end()))
    for match in _PLUS.finditer(plain):
        yield Number(float(match["plus"]), *_with_unit(plain, match.start("plus"), match.end()))
    for match in _TIMES_TEN.finditer(plain):
        yield Number(float(match[1]), *_with_unit(plain, match.start(1), match.end()))


def _shorthand(plain: str, n: Number) -> float:
    """The factor of "1.2 k", which may be a thousand; 0 of a number without one."""
    match = None if n.unit else _SHORTHAND.match(plain, n.end)
    return {"k": 1e3, "M": 1e6}[match[1]] if match else 0.0


def _unit_before(plain: str, start: int) -> str:
    """The unit that stands before a number: "frequency (THz): 416"; '' if none does."""
    match = _UNIT_BEFORE.search(plain, max(0, start - 24), start)
    for written in (match["unit"], match["unit"].partition("/")[2]) if match else ():
        unit, end = unit_behind(written, 0)
        if unit and end == len(written) and unit not in _NO_ROMAN:
            return unit
    return ""


def _with_unit(plain: str, start: int, end: int) -> tuple[str, int, int, int]:
    unit, after = unit_behind(plain, end)
    return unit, start, end, after


def _outside(found: list[Number], others: list[Number]) -> list[Number]:
    """The numbers that begin in none of the others, which stand in order."""
    starts = [n.start for n in others]
    return [
        n for n in found if not (place := bisect_right(starts, n.start)) or n.start >= others[place - 1].end
    ]


def _widest(found: list[Number]) -> list[Number]:
    """Those that begin in no other; found: in order, the wider first."""
    widest: list[Number] = []
    for n in found:
        if not widest or n.start >= widest[-1].end:
            widest.append(n)
    return widest


def _read_all(form: _Form, plain: str) -> Iterator[Number]:
    for match in form[0].finditer(plain):
        if match["body"] and (number := _read(match, plain, form[1])):
            yield number


def _read(match: re.Match[str], plain: str, digits_of: Callable[[str], str]) -> Number | None:
    """A number as it was matched, with its unit; None for a name's digits and for what is no finite number."""
    end, exponent = match.end(), _exponent(match)
    if exponent is None:  # "3 times ten to be safe"
        end, exponent = match.end("last") + 1 if match["last"] else match.end("body"), 0
    digits = "1" if match["ten"] else digits_of(match["body"])
    if len(digits) > _LONGEST or abs(exponent) > _LARGEST_POWER:
        return None
    value = float(f"{digits}e{exponent}") * (-1.0 if match["sign"] == "-" else 1.0)
    if not math.isfinite(value):
        return None
    last = 10.0 ** max(-300, min(300, exponent - len(digits.partition(".")[2])))
    error = last * float(match["last"]) if match["last"] else None
    plus = _PLUS.match(plain, end)
    if plus:
        error = float(plus["plus"]) * (
            1.0 if match["ten"] or plus["e"] else 10.0 ** max(-300, min(300, exponent))
        )
    unit, after = unit_behind(plain, plus.end() if plus else end)
    standing = _standing(plain, match.start(), end, after, unit)
    return (
        Number(value, unit, match.start(), end, after, 0.5 * last, error, "", standing) if standing else None
    )


def _exponent(match: re.Match[str]) -> int | None:
    """The power of ten of a number; None for words that are none."""
    said = match["said"]
    if said:
        sign = -1 if said.startswith(("minus", "-")) else 1
        word = re.sub(r"^(?:minus\s|-)", "", said)
        power = (
            float(word)
            if word.isdigit()
            else next((one.value for one in said_numbers(word) if one.english), None)
        )
        return None if power is None else sign * int(min(power, _LARGEST_POWER))
    if match["big"]:
        return {"hundred": 2, "thousand": 3, "million": 6, "billion": 9}[match["big"]]
    written = (
        match["alone"] or match["e"] or match["up"] or match["lost"] or match["run"] or match["bare"] or "0"
    )
    return int("".join(written.split()))


def _standing(plain: str, start: int, end: int, after: int, unit: str) -> Standing | None:
    before = plain[max(0, start - 3) : start]
    if _IN_NAME.search(before) and not _APART.search(before):
        long = end - start > 2 and (end - start > 3 or "." in plain[start:end])
        return "hidden" if unit or long else None  # R720.7 nm, x720.7; not S11, TE0, fig1
    if _IN_LONGER.search(before) or _PART_OF.match(plain, end):
        version = before[-1:] == "." or plain[end : end + 1] == "."  # 1.2.3
        return "part" if not version else "hidden" if unit else None
    if _IN_PART.search(before):
        return "part"
    if _IMAGINARY.match(plain, end) and (plain[start] in "+-" or _SIGNED.search(before)):
        return "whole"  # 0.2 + 3.1i
    return (
        "name"
        if not unit and _NAME_OF.match(plain, end) and not _APART.search(plain[end : end + 1])
        else "whole"
    )


def _said(said: Said, plain: str) -> Number | None:
    unit, after = unit_behind(plain, said.end)
    if said.share and not unit:
        unit, after = _unit_of_share(plain, said.end)
    if said.share == "bare" and unit in _NO_MEASURE:
        return None
    standing: Standing = said.standing
    words: Words = "roman" if said.roman else "english" if said.english else "foreign"
    if said.roman and unit in _NO_ROMAN:
        if said.end - said.start < 4:
            return None  # II, CD, MM: a section, a disc, a name
        standing = "hidden"
    elif standing == "whole" and not unit and re.match(r"-\w", plain[said.end : said.end + 2]):
        standing = "name"
    return Number(said.value, unit, said.start, said.end, after, said.half, None, words, standing)


def _unit_of_share(plain: str, end: int) -> tuple[str, int]:
    """The unit of "two thirds of a micron" and where it ends; none of what a thing of that size is ("half of a micron-thick film")."""
    joint = OF_A.match(plain, end)
    unit, after = unit_behind(plain, joint.end()) if joint else ("", end)
    whole = "of" in joint[0].lower() and plain[after : after + 1] == "-" if joint else False
    return (unit, after) if unit not in _NO_MEASURE and not whole else ("", end)


def _with_units(found: list[Number], plain: str) -> list[Number]:
    """A list's unit stands behind its last number, a range's behind its second; "500 × 220 nm^2" are two lengths."""
    for place in range(len(found) - 2, -1, -1):
        one, other = found[place], found[place + 1]
        between = plain[one.after : other.start]
        if not other.any_unit and "," in between and plain.startswith("]", other.after):  # [500, 900] nm
            found[place + 1] = other = replace(other, lent=unit_behind(plain, other.after + 1)[0])
        if not one.unit and _PRODUCT.fullmatch(between) and (box := _BOX.match(plain, other.end)):
            found[place + 1] = other = replace(other, unit=unit_behind(box["side"], 0)[0], after=box.end())
        if (
            other.any_unit
            and not one.unit
            and (
                _LIST.fullmatch(between)
                or _RANGE.fullmatch(between)
                or (between.strip() == "" and plain[other.start] == "-")
            )
            and not ("," in between and _UNITLESS.search(plain, max(0, one.start - 24), one.start))
            and not (between.strip() == "," and _THAN.match(plain, other.after))
        ):
            found[place] = replace(one, lent=other.any_unit)
    return found


def _ranged(found: list[Number], plain: str) -> list[Number]:
    for place in range(len(found) - 1):
        one, other = found[place], found[place + 1]
        between = plain[one.after : other.start]
        if _RANGE.fullmatch(between) or (between.strip() == "" and plain[other.start] == "-"):
            found[place] = replace(one, range_with=place + 1)
    return found
