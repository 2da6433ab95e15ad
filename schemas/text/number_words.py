"""Numbers in words: English as it is said; other languages, Chinese and Roman numerals so that none hides a value."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

Standing = Literal["whole", "part", "hidden"]

_ONES = {
    word: n
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
        "nineteen".split()
    )
} | {"oh": 0}
_TENS = {
    word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_BIG = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_PARTS = {
    word: n
    for n, words in {
        2: "half halves",
        3: "third thirds",
        4: "quarter quarters fourth fourths",
        5: "fifth fifths",
        6: "sixth sixths",
        8: "eighth eighths",
        10: "tenth tenths",
        100: "hundredth hundredths",
        1000: "thousandth thousandths",
    }.items()
    for word in words.split()
}
_VALUES = _ONES | _TENS | _BIG
_WORD = "|".join(sorted(_VALUES, key=len, reverse=True))
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
_RUN = re.compile(
    rf"(?<![A-Za-z0-9_])(?:{_WORD})(?![A-Za-z_])(?:[\s-]{{1,4}}(?:(?:and|point)[\s-]{{1,4}})?(?:{_WORD})(?![A-Za-z_]))*"
    rf"(?:[\s-]{{1,4}}and[\s-]{{1,4}}(?P<and>an?[\s-](?:half|quarter)|(?:one|two|three|four)[\s-](?:{_PART}))(?![\w-])"
    rf"|[\s-](?P<part>{_PART})(?![\w-]*\w))?",
    re.IGNORECASE,
)
# A share without a count is a number where a unit or a large number follows: "half a micron", "a tenth of a percent".
_SHARE = re.compile(
    rf"(?<![A-Za-z0-9_-])(?:an?[\s-]{{1,4}})?(?:(?P<plain>half|quarter)|(?P<ordinal>{_PART}))(?=[\s-]{{1,4}}(?(ordinal)of\s|[A-Za-zµμ%°]))",
    re.IGNORECASE,
)
_ONE_OF_SEVERAL = re.compile(
    r"\b(?:first|second|third|last|other|each|either|every|same|upper|lower|top|bottom|left|right|inner|outer|former|latter|front|"
    r"rear|back)[\s-]\Z",
    re.IGNORECASE,
)
_ORDINALS = {
    word: n
    for n, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        1,
    )
}
_RAISED = re.compile(
    rf"(?<![A-Za-z0-9_])(?:(?P<times>{_WORD})\s{{1,3}}times\s{{1,3}})?(?:ten|10)\s{{1,3}}to\s{{1,3}}the\s{{1,3}}"
    r"(?:power\s{1,3}(?:of\s{1,3})?)?(?P<minus>minus\s{1,3}|-)?(?P<power>[0-9]{1,2}(?:st|nd|rd|th)?|[a-z]{3,10})(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
OF_A = re.compile(r"[\s-]{1,4}(?:of[\s-]{1,4})?(?:(?:an?|one)[\s-]{1,4})?", re.IGNORECASE)
_BIG_NEXT = re.compile(
    r"[\s-]{1,4}an?[\s-]{1,4}(hundred|thousand|million|billion)(?![A-Za-z_])", re.IGNORECASE
)
_TOKEN = re.compile(r"[a-z]+")
_ARTICLE = re.compile(r"\ban?[\s-]{1,4}\Z", re.IGNORECASE)
_LARGEST = 1e15  # larger ones nobody writes in words, and "hundred hundred ..." would grow without end
_MOST_WORDS = 40

# Of German, French, Spanish, Italian, Portuguese, Dutch and Russian in one: where they share a word it is one number.
_ABROAD = """
1 ein eins eine un une uno una um uma een один
2 zwei deux dos due dois duas twee два две двух
3 drei trois tres tre drie три трех
4 vier quatre cuatro quattro quatro четыре четырех
5 fünf cinq cinco cinque vijf пять пяти
6 sechs six seis sei zes шесть шести
7 sieben sept siete sette sete zeven семь семи
8 acht huit ocho otto oito восемь
9 neun neuf nueve nove negen девять
10 zehn dix diez dieci dez tien десять
11 elf onze once undici одиннадцать
12 zwölf douze doce dodici doze twaalf двенадцать
13 treize trece tredici dertien тринадцать
14 quatorze catorce quattordici catorze veertien четырнадцать
15 quinze quince quindici пятнадцать
16 seize sechzehn dieciseis sedici dezasseis dezesseis шестнадцать
17 siebzehn diecisiete diciassette dezassete dezessete семнадцать
18 dieciocho diciotto dezoito восемнадцать
19 diecinueve diciannove dezanove dezenove девятнадцать
20 zwanzig vingt vingts veinte veinti venti vent vinte twintig двадцать двадцати
30 dreissig dreißig trente treinta trenta trent trinta dertig тридцать тридцати
40 vierzig quarante cuarenta quaranta quarant quarenta veertig сорок сорока
50 fünfzig cinquante cincuenta cinquanta cinquant cinquenta vijftig пятьдесят пятидесяти
60 sechzig soixante sesenta sessanta sessant sessenta zestig шестьдесят шестидесяти
70 siebzig septante setenta settanta settant zeventig семьдесят семидесяти
80 achtzig octante huitante ochenta ottanta ottant oitenta tachtig восемьдесят восьмидесяти
90 neunzig nonante noventa novanta novant negentig девяносто девяноста
100 hundert cent cents cien ciento cento cem honderd сто
200 doscientos duzentos двести двухсот
300 trescientos trezentos триста трёхсот
400 cuatrocientos quatrocentos четыреста четырёхсот
500 quinientos quinhentos пятьсот пятисот
600 seiscientos seiscentos шестьсот шестисот
700 setecientos setecentos семьсот семисот
800 ochocientos oitocentos восемьсот восьмисот
900 novecientos novecentos девятьсот девятисот
1000 tausend mille mila mil duizend тысяча тысячи тысяч
"""
_JOINTS = frozenset({"und", "et", "e", "y", "en"})
_COMMAS = frozenset({"komma", "virgule", "coma", "virgola", "virgula", "запятая", "целых", "punto", "punkt"})
_ENGLISH_TOO = frozenset(
    {"cents", "mille", "seize", "quince", "catorce"}
)  # long, and yet no proof of another language
_LETTERS = re.compile(r"[^\W\d_]{1,60}")
_BETWEEN = re.compile(r"[\s-]{0,3}")
_HAN = {
    char: n
    for n, chars in {
        0: "〇零",
        1: "一壹",
        2: "二贰两兩",
        3: "三叁",
        4: "四肆",
        5: "五伍",
        6: "六陆",
        7: "七柒",
        8: "八捌",
        9: "九玖",
        10: "十拾",
        100: "百佰",
        1000: "千仟",
        10_000: "万萬",
    }.items()
    for char in chars
}
_HAN_RUN = re.compile(f"[{''.join(_HAN)}](?:[{''.join(_HAN)}]|[点點・.](?=[{''.join(_HAN)}])){{1,40}}")
_ROMAN = re.compile(
    r"(?<![A-Za-z0-9_])(?=[MDCLXVI]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
    r"(?![A-Za-z0-9_])"
)
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


@dataclass(frozen=True)
class Said:
    """A number in words of a text. english: said in English, in which alone a text states a value; else only read.

    share: its unit may stand behind "of a" ("two thirds of a micron"); bare: and without a unit it is no number ("half a").
    """

    value: float
    start: int
    end: int
    standing: Standing
    half: float = 0.5
    english: bool = True
    roman: bool = False
    share: Literal["", "counted", "bare"] = ""


def is_number_word(word: str) -> bool:
    """Whether a single word is a number in one of the languages that are read here."""
    return _base(word) in _lexicon()


def said_numbers(text: str) -> Iterator[Said]:
    """Every number in words of a legible text, in no order; words that two readers group differently in each grouping."""
    counted = []
    for match in _RUN.finditer(text):
        counted.append(match.span())
        yield from _english(match, text)
    yield from _shares(text, counted)
    yield from _abroad(text)
    yield from _raised(text)
    for match in _HAN_RUN.finditer(text):
        if (value := _han(match[0])) is not None:
            yield Said(value, *match.span(), "whole", english=False)
    for match in _ROMAN.finditer(text):
        letters = [_ROMAN_VALUES[letter] for letter in match[0]]
        value = float(
            sum(-one if one < after else one for one, after in zip(letters, [*letters[1:], 0], strict=True))
        )
        yield Said(value, *match.span(), "whole", english=False, roman=True)


def _raised(text: str) -> Iterator[Said]:
    """ "six times ten to the fourth", beside the numbers that its words are: it may be two, from ten to the fourth."""
    for match in _RAISED.finditer(text):
        word = match["power"].lower()
        digits = re.match(r"[0-9]{1,2}", word)
        power = float(digits[0]) if digits else _ORDINALS.get(word, _ONES.get(word))
        if power is not None:
            times = _VALUES[match["times"].lower()] if match["times"] else 1
            yield Said(times * 10.0 ** (-power if match["minus"] else power), *match.span(), "hidden")


def _shares(text: str, counted: Sequence[tuple[int, int]]) -> Iterator[Said]:
    """ "half a micron", "half a million"; what lies in a number with a count ("three quarters") is that number's."""
    for match in _SHARE.finditer(text):
        start = match.start()
        before = bisect_right(counted, (start, len(text))) - 1
        if _ONE_OF_SEVERAL.search(text, max(0, start - 8), start) or (
            before >= 0 and start < counted[before][1]
        ):
            continue
        value = 1 / _PARTS[(match["plain"] or match["ordinal"]).lower()]
        if big := _BIG_NEXT.match(text, match.end()):
            yield Said(value * _BIG[big[1].lower()], start, big.end(), "whole", 0.0, share="counted")
        else:
            yield Said(value, *match.span(), "whole", 0.0, share="bare")


def _english(match: re.Match[str], text: str) -> Iterator[Said]:
    begin = match.start()
    end = match.start("part") if match["part"] else match.start("and") if match["and"] else match.end()
    tokens = [
        (one[0], begin + one.start(), begin + one.end()) for one in _TOKEN.finditer(text[begin:end].lower())
    ]
    while tokens and tokens[-1][0] in ("and", "point"):
        tokens.pop()
    found = _grammatical(tokens)
    if found and (match["part"] or match["and"]):
        found[-1] = _with_part(found[-1], match)
    if (
        len(tokens) > _MOST_WORDS
    ):  # a flood of words, in which only what is more than a count may hide something
        found = [said for said in found if said.value > 12]
    for place, said in enumerate(found):
        bare = text[said.start : said.end].lower() in _BIG and not _ARTICLE.search(
            text[max(0, said.start - 8) : said.start]
        )
        glued = place == 0 and text[said.start - 1 : said.start] == "-"
        yield replace(said, standing="part") if bare or glued else said
    words = [word for word, *_ in tokens]
    if (
        1 < len(tokens) <= _MOST_WORDS
        and len(found) > 1
        and "and" not in words
        and (value := _as_spelled(words)) is not None
    ):
        yield Said(value, begin, tokens[-1][2], "hidden")


def _with_part(said: Said, match: re.Match[str]) -> Said:
    if match["part"]:
        value = said.value / _PARTS[match["part"].lower()]
        return replace(said, value=value, end=match.end(), half=0.0, share="counted")
    count, part = re.split(r"[\s-]", match["and"].lower())
    return replace(said, value=said.value + _ONES.get(count, 1) / _PARTS[part], end=match.end(), half=0.0)


def _grammatical(tokens: Sequence[tuple[str, int, int]]) -> list[Said]:
    """Cardinals as English builds them: 'one hundred and twenty' is one, 'fifteen fifty' two."""
    found: list[Said] = []
    words, place = [word for word, *_ in tokens], 0
    while place < len(tokens):
        if words[place] in ("and", "point") or (words[place] == "oh" and not found):
            place += 1
            continue
        first, (value, place) = place, _cardinal(words, place)
        half, said = 0.5, []
        if place < len(tokens) - 1 and tokens[place][0] == "point":
            after = place + 1
            while after < len(tokens) and _ONES.get(tokens[after][0], 10) < 10:
                said.append(str(_ONES[tokens[after][0]]))
                after += 1
            if not said and tokens[after][0] in _ONES | _TENS:
                tail, after = _cardinal(words, after)
                said = [f"{tail:g}"]
            place = after if said else place
        if said:
            value, half = value + float(f"0.{''.join(said)}"), 0.5 * 10.0 ** -len("".join(said))
            while place < len(tokens) and words[place] in _BIG:  # one point two thousand
                value, half, place = value * _BIG[words[place]], half * _BIG[words[place]], place + 1
        found.append(Said(value, tokens[first][1], tokens[place - 1][2], "whole", half))
    return [said for said in found if said.value < _LARGEST]


def _cardinal(words: Sequence[str], place: int) -> tuple[float, int]:
    """The longest cardinal from a place on, and the place behind it."""
    total, group, room, scale, any_word = 0.0, 0.0, 1000, 10**12, False
    while place < len(words):
        word = words[place]
        if word == "and":
            if not (
                any_word
                and words[place - 1] in _BIG
                and place + 1 < len(words)
                and words[place + 1] in _ONES | _TENS
            ):
                break
        elif word in ("thousand", "million", "billion"):
            if _BIG[word] >= scale or (any_word and not group):
                break
            scale = _BIG[word]
            total, group, room = total + (group or 1) * scale, 0.0, 1000
        elif word == "hundred":
            if room == 100 or group >= 100 or (any_word and not group and total == 0):
                break
            group, room = 100 * (group or 1), 100
        elif word in _TENS:
            if room < 100:
                break
            group, room = group + _TENS[word], 10
        elif word in _ONES:
            number = _ONES[word]
            if room < (100 if number > 9 else 10) or (number == 0 and any_word):
                break
            group, room = group + number, 1
        else:
            break
        any_word, place = True, place + 1
    return total + group, max(place, 1)


def _as_spelled(words: Sequence[str]) -> float | None:
    """Words that make several cardinals, as one number spelled out: six eight five, seven twenty, fifteen fifty."""
    whole, _, tail = " ".join(word for word in words if word != "and").partition(" point ")
    text, before = "", ""
    for word in whole.split():
        if word in _BIG or word == "point":
            return None
        number = _ONES.get(word, _TENS.get(word, 0))
        text = text[:-1] + str(number) if before in _TENS and 0 < number < 10 else text + str(number)
        before = word
    said = "".join(str(_ONES.get(word, _TENS.get(word, 0))) for word in tail.split() if word != "point")
    return float(f"{text}.{said or 0}") if 0 < len(text) <= 15 else None


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, int]:
    return _VALUES | {
        _base(word): int(line.split()[0])
        for line in _ABROAD.strip().splitlines()
        for word in line.split()[1:]
    }


@lru_cache(maxsize=1)
def _english_only() -> frozenset[str]:
    return frozenset(_VALUES) - {_base(word) for word in _ABROAD.split()}


@lru_cache(maxsize=1)
def _beginnings() -> frozenset[str]:
    return frozenset(word[:2] for word in (*_lexicon(), *_JOINTS, *map(_base, _COMMAS)))


def _base(text: str) -> str:
    """Lower case without accents, each character in its place."""
    if text.isascii():
        return text.lower()
    return "".join((unicodedata.normalize("NFD", char)[:1].lower() or char)[:1] for char in text)


@lru_cache(maxsize=4096)
def _split(word: str) -> tuple[str, ...]:
    """The number words that a compound is made of: siebenhundertzwanzig, sevenhundredtwenty; () if it is none."""
    found: list[str] = []
    place = 0
    while place < len(word):
        part = next(
            (
                word[place:end]
                for end in range(min(len(word), place + 14), place, -1)
                if word[place:end] in _lexicon() or (found and word[place:end] in _JOINTS)
            ),
            "",
        )
        if not part:
            return ()
        found.append(part)
        place += len(part)
    return tuple(found)


def _abroad(text: str) -> Iterator[Said]:
    base = _base(text)
    run: list[tuple[str, int, int]] = []
    for match in (*_LETTERS.finditer(base), None):
        parts: tuple[str, ...] = ()
        if match is not None and match[0][:2] in _beginnings():
            parts = (match[0],) if match[0] in _JOINTS or match[0] in _commas() else _split(match[0])
            parts = () if len(parts) == 1 and parts[0] in _english_only() else parts
        near = match is not None and run and _BETWEEN.fullmatch(base, run[-1][2], match.start())
        if run and not (parts and near and len(run) < _MOST_WORDS):
            yield from _foreign(run)
            run = []
        if match is not None and parts and (run or parts[0] in _lexicon()):
            run += [(part, *match.span()) for part in parts]


@lru_cache(maxsize=1)
def _commas() -> frozenset[str]:
    return frozenset(map(_base, _COMMAS))


def _foreign(run: list[tuple[str, int, int]]) -> Iterator[Said]:
    while run and run[-1][0] not in _lexicon():
        run.pop()
    words = [word for word, *_ in run]
    numbers = [word for word in words if word in _lexicon()]
    sure = any((len(word) > 4 or not word.isascii()) and word not in _ENGLISH_TOO for word in numbers)
    large = len(numbers) > 1 and any(_lexicon()[word] >= 100 for word in numbers)
    if not (sure or large):
        return
    place = next((n for n, word in enumerate(words) if word in _commas()), len(words))
    value, tail = _summed(words[:place]), words[place + 1 :]
    if tail:
        digits = [_lexicon()[word] for word in tail if word in _lexicon()]
        said = "".join(map(str, digits)) if all(digit < 10 for digit in digits) else f"{_summed(tail):g}"
        value += float(f"0.{said}") if said.isdigit() else 0.0
    if value < _LARGEST:
        yield Said(value, run[0][1], run[-1][2], "whole", english=False)


def _summed(words: Sequence[str]) -> float:
    total, group, before = 0.0, 0.0, ""
    for word in (word for word in words if word in _lexicon()):
        number = _lexicon()[word]
        if number == 1000:
            total, group = total + 1000 * (group or 1), 0.0
        elif number == 100 and 0 < group < 10:
            group *= 100
        elif number == 20 and before == "quatre":
            group += 76
        else:
            group += number
        before = word
    return total + group


def _han(text: str) -> float | None:
    whole, _, tail = re.sub("[點・.]", "点", text).partition("点")
    if "点" in tail or any(_HAN[char] > 9 for char in tail):
        return None
    digits = [_HAN[char] for char in whole]
    if all(digit < 10 for digit in digits):
        value = float("".join(map(str, digits)) or 0)
    else:
        value, group, one = 0.0, 0.0, 0
        for digit in digits:
            if digit == 10_000:
                value, group, one = value + (group + one or 1) * digit, 0.0, 0
            elif digit > 9:
                group, one = group + (one or 1) * digit, 0
            else:
                one = digit
        value += group + one
    return value + (float("0." + "".join(str(_HAN[char]) for char in tail)) if tail else 0.0)
