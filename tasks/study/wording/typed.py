"""Numbers that an agent typed: each numeral or number word of a text, and each amount in words, but those whose role code recognises.

Roles: a label ("Figure 3"), an end of a scale and a count that the study's design states ("seven items", "the two ways"), what
a text counts of itself ("two limits"), "one" as a pronoun, a year, a version, a time of day. All else comes from results by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from schemas.errors import InputError
from schemas.text.number_words import is_number_word
from schemas.text.numbers import Number, plain_numbers
from tasks.study.wording.placeholders import PLACEHOLDER, plain_text, without_notes

_ELSEWHERE = re.compile(r"\[@[^\]]*\]|https?://\S+|!?\]\([^)\s]*\)")
_WORDS = re.compile(r"[-\s]{0,2}([^\W\d_][\w'\u2019]*)")
_STOP = frozenset(
    """of to in out on at by for from with than and or but nor as is are was were be been had has have if so that which who while
    when per against over under between among across versus vs a an the it they we not no did do does can could may might""".split()
)
_PEOPLE = frozenset(
    """participant respondent people person woman women man men user subject adult student child children volunteer voter worker
    patient parent rater tester answer response remark comment complaint teilnehmer person persona personne proband""".split()
)
_UNITS = frozenset(
    """point unit notch mark grade star place rank time fold percent sigma sd standard degree percentage higher lower more less
    fewer better worse apart up down above below deviation error""".split()
)
_OF_TEXT = frozenset(
    """limit limitation caveat remark aim contribution explanation interpretation question section paragraph strand sentence bodie
    topic theme issue reservation warning reason""".split()
)
_UP_TO = 12
"""What a text counts of itself, people say in a word."""
_LABEL = re.compile(
    r"(?:\x01(?: and | to | until |-)|\b(?:fig(?:ure|\.)?s?|tables?|section|appendix|chapters?|items?|questions?|"
    r"versions?|stud(?:y|ies)|experiments?|"
    r"hypothes[ei]s|research question|RQ|no\.?|page|pp?\.|phases?|rounds?|blocks?|sessions?|days?|weeks?|steps?|seed|type|part|aim|"
    r"footnote|model)\s|\b(?-i:[a-z]+[A-Z]\w*)\s|\b(?:Android|Windows|Python|SPSS|Stata)\s|[\u2116#])\Z",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\A\d*\.\d+\.\d+|\A\d+(?:\.\d+)*(?:-\w+)?(?=\W|\Z)")
_ASIDE = r"(?:\s|\([^()]{0,60}\)){0,4}"
_LINK = re.compile(rf"{_ASIDE}(?:to|through|until|up to|and|or|bis|&|[-\u2013/]){_ASIDE}", re.IGNORECASE)
_ENDS = re.compile(
    rf"(?:{_LINK.pattern}|(?: [^\W\d_][\w-]*){{1,5}} (?:to|bis) )", re.IGNORECASE
)  # 1 extremely liberal to 7
_COMMA = re.compile(r"\s?,\s?")
_LIST_END = re.compile(r"\s*(?:,|;|\.|\)|:|and\b|or\b|&|\Z)")
_DATE = re.compile(
    r"(?:\b(?:in|of|since|until|from|by|before|after|during|spring|summer|autumn|fall|winter|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|"
    r"aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|januar|mai|juni|juli|im jahr)\s|[(,]\s?)\Z",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:18|19|20)\d\d")
_DEFINITE = re.compile(
    r"\b(?:the|these|those|both|all|our|(?:one|either|each|which|any) of)\s\Z", re.IGNORECASE
)
_DEFINITE_WORD = re.compile(r"\b(?:the|these|those|our|its)\s(?:[\w-]+\s){0,1}\Z", re.IGNORECASE)
_ELLIPSIS = re.compile(
    r"\s(?:forms?|make|concerns?|comes?|measures?|assess(?:es)?|of (?:them|these|those) form|in each)\b|\s(?:of these|"
    r"of them) (?:turned|reversed)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(r"(?:\A|[.,;:(]\s?)\Z")
_OF_TESTED = re.compile(
    r"\sof (?:the|our|these|those) (?:\w+ ){0,2}?(?:hypotheses|predictions|expectations|tests)\b",
    re.IGNORECASE,
)
_ZERO = re.compile(
    r"\b(?:from|than|cross(?:es|ed)|(?:in|ex)clud(?:es?|ed|ing)|contain(?:s|ed)?|cover(?:s|ed)?|span(?:s|ned)?) \Z",
    re.IGNORECASE,
)
_ONE_BEFORE = re.compile(
    r"(?:\b(?:no|the|which|this|that|any|every|each|only the|other|another|wrong|right|first|last)|[(]) \Z",
    re.IGNORECASE,
)
_ONE_AS_VALUE = re.compile(
    r"(?:\b(?:minus|about|nearly|almost|around|approach(?:ed|es)|reach(?:ed|es)|equals?|exceed(?:ed|s)|exactly|just|only|merely|"
    r"barely|or)|[=:<>\u2248~])\s?\Z",
    re.IGNORECASE,
)
_ONE_BARE = re.compile(
    r"\b(?:is|are|was|were|be|to|by|at|near|of|below|above|under|over|came|stood|lay)\s\Z", re.IGNORECASE
)
_CLOCK = re.compile(r"(?<![\d.,:])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])")
_TERM = re.compile(r"-(?:sided|tailed|way|factor(?:ial)?|sample|dimensional)\b")
_ABROAD = re.compile(r"\s[^\W\d_]{3,}")

_PART = (
    r"(?:thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|twentieths?|fiftieths?|"
    r"hundredths?|thousandths?|millionths?|billionths?)"
)
_PERSONS = (
    r"(?:participants|respondents|people|persons|women|men|users|subjects|adults|adolescents|children|students|volunteers|"
    r"voters|workers|patients|parents|raters|testers)"
)
_SAYINGS = r"(?:answers|ratings|remarks|comments|responses|reasons|complaints|scores|votes)"
_AMOUNTS = re.compile(  # amounts without a numeral
    r"\b(?:dozens?|couple of|handfuls?|scores of|majority|minority|plurality|(?:top|bottom|upper|lower|first|last|highest|lowest) "
    r"(?:decile|quartile|quintile|tercile|tenth|third|quarter|fifth)|percentiles?|"
    r"(?:single|double|triple|two|three|four|low|high|mid)[\s-](?:digits?|figures)|twice|thrice|"
    r"doubl(?:e|es|ed|ing)(?![\s-]*(?:blind|check|barrel))|tripl(?:e|es|ed|ing)|quadrupl\w+|quintupl\w+|halv(?:e|es|ed|ing)|"
    r"orders? of magnitude|\w+-fold|(?:two|three|four|five|six|seven|eight|nine|ten|twenty|hundred|thousand|many|several|multi)fold|"
    r"(?<!\d )per ?cent|hundreds of|thousands of|unity)\b|[\u066a\u2030]|"
    rf"\b(?:an?|one|two|three|four|five|nine|by)[\s-]{_PART}(?:(?= of\b)|(?= (?:more|less|fewer|higher|lower|as)\b)|"
    rf"(?=[^\w,]*(?:[.;:)]|\Z)))|"
    rf"\b(?:two|three|four)[\s-]{_PART}\b|\ban? (?:tenth|twentieth|fiftieth|hundredth|thousandth|millionth|billionth)\b|"
    rf"\b(?:was|is|were|by|to|of|about|nearly|almost) an? {_PART}(?!\s\w)|"
    rf"\bevery (?:second|third|fourth|fifth|sixth|tenth|other) (?:{_PERSONS[3:-1]}|{_SAYINGS[3:-1]}|participant|"
    rf"respondent|person|answer|rating|remark|comment|"
    r"one|woman|man|user|time)\b|"
    r"(?<!other )(?<!first )(?<!second )(?<!left )(?<!right )(?<!upper )(?<!lower )(?<!each )\bhalf\b(?![\s-](?:hour|"
    r"an hour|way|of the (?:blocks|orders|"
    r"conditions|sessions|trials|figure|screen)))|"
    r"\b(?:an?|one)(?: (?:full|whole|entire|good|solid|half|scale|rating|clear))* (?:points?|notch|sigma|standard deviation|mark|star)\b"
    r"(?! (?:of (?:view|departure|interest|note|contact)|that|to|where|in)\b)|\b(?:full|whole|half a) (?:point|unit)\b|\ba point and a\b|"
    rf"\b(?:most|nearly all|almost all|virtually all|hardly any) (?:of (?:the |our |these |"
    rf"their )?)?(?:\w+ )?(?:{_PERSONS}|{_SAYINGS})\b|"
    r"\bmost of (?:them|us|those)\b|\b(?:nearly|almost|virtually|practically|hardly) (?:everyone|everybody|anyone|"
    r"anybody|nobody|no one)\b|"
    r"\bin the (?:high |low |mid |upper )?(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b|"
    r"\bpoint (?:zero|oh|nought)\b|\b(?:was|is|were|by|to|of|about|at|near|nearly|over|under|above|below) (?:nought |"
    r"zero |oh )?point (?:zero|oh|nought|one|two|three|four|five|six|seven|eight|nine)\b|"
    r"\b(?:all|none|everyone) but (?:an?|one|two|three|four|five|six)\b",
    re.IGNORECASE,
)
_ROMAN = re.compile(
    r"(?<![\w.])(?:II|III|IV|VI{1,3}|IX|XI{0,3}|XI?V|XVI{0,3}|XI?X|XX[IVX]*|V)(?![\w.]\w|[\w'\u2019-])"
)
_ARABIC = re.compile(r"\d\s?[\u066b\u00b7\u2027]\s?\d|(?<![\d.,])\d{1,9}(?:[.,]\d{1,9})?\s?[:\u2236]\s?\d")
_STEPPED = re.compile(
    r"\b(?:von|vom|de|da|du|van|\u0441|\u043e\u0442)\s+([^\W\d_]+)\s+(?:auf|zu|a|\u00e0|al|naar|tot|para|\u0434\u043e|"
    r"\u043d\u0430)\s+([^\W\d_]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Stated:
    """What a design states. counts: (number, what it counts); after: (what stands before, number); ranges: (first, last); whole: the
    whole numbers that count something; broken: numbers that are not whole."""

    counts: frozenset[tuple[float, str]]
    after: frozenset[tuple[str, float]]
    ranges: frozenset[tuple[float, float]]
    whole: frozenset[float]
    broken: frozenset[float]


def typed_numbers(text: str, given: str = "", *, before_results: bool = False) -> list[str]:
    """Each number of a text that was typed, in digits or words, also in code, with the words behind it. Years, labels and what the
    design states are none.

    given: what was written before results were known (`stated`). before_results: the section tells no results, so it may
    repeat any number of these that stands beside the same word."""
    plain = _CLOCK.sub(
        "\x01", plain_text(_ELSEWHERE.sub(" ", PLACEHOLDER.sub(" \x00 ", without_notes(text))))
    )
    known = _stated(plain_text(given))
    found = [*_unknown(plain, known, before_results)]
    found += [
        (match.start(), match[0])
        for pattern in (_AMOUNTS, _ROMAN, _ARABIC, _STEPPED)
        for match in pattern.finditer(plain)
        if not (pattern is _ROMAN and _labelled(plain, match.start()))
        and (pattern is not _STEPPED or all(map(is_number_word, match.groups())))
        and not (before_results and {one.value for one in plain_numbers(match[0])} & known.broken)
    ]
    return list(dict.fromkeys(" ".join(words.split()) for _, words in sorted(found)))


def filled(text: str, values: Mapping[str, str], given: str = "", *, before_results: bool = False) -> str:
    """The text with every placeholder replaced. given, before_results: as `typed_numbers` takes them.
    Raises InputError for an unknown name, and for a number that was typed."""
    check_typed(text, given, before_results=before_results)
    unknown = sorted({name for name in PLACEHOLDER.findall(text) if name not in values})
    if unknown:
        raise InputError(
            "text names results that do not exist",
            found=", ".join(unknown[:8]),
            allowed=", ".join(list(values)[:60]),
            fix="use the names of results.json",
        )
    return PLACEHOLDER.sub(lambda match: values[match[1]], text)


def check_typed(text: str, given: str = "", *, before_results: bool = False) -> None:
    """Raises InputError for a number that was typed (`typed_numbers`)."""
    if found := typed_numbers(text, given, before_results=before_results):
        raise InputError(
            "a number of the results was typed",
            found="; ".join(item[:60] for item in found[:5]),
            allowed="{{name}} of a value in results.json",
            fix="replace it by its placeholder, or say it without a number",
        )


def _labelled(plain: str, start: int) -> bool:
    before = plain[max(0, start - 40) : start]
    return bool(_LABEL.search(before) or re.search(r"[A-Z]\w+ \Z", before))


@lru_cache(maxsize=8)
def _stated(given: str) -> _Stated:
    numbers = [one for one in plain_numbers(given) if one.standing != "hidden"]
    counts, after, ranges, last = set(), set(), set(), None
    for one in sorted(numbers, key=lambda item: (item.start, -item.end)):
        counts |= {(one.value, word) for word in _counted(given, one)}
        if word := _word_before(given, one.start):
            after.add((word, one.value))
        if last is not None and last.end <= one.start and _ENDS.fullmatch(given[last.end : one.start][:150]):
            ranges.add((last.value, one.value))
        last = one
    whole = {
        value
        for value, word in counts
        if value % 1 == 0 and 2 <= value <= 40 and word not in _UNITS | _PEOPLE
    }
    broken = {one.value for one in numbers if one.value % 1}
    return _Stated(*map(frozenset, (counts, after, ranges, whole, broken)))  # type: ignore[arg-type]


def _unknown(plain: str, known: _Stated, before_results: bool) -> list[tuple[int, str]]:
    """Numbers without a role, each with its place."""
    numbers = [
        one
        for one in sorted(plain_numbers(plain), key=lambda item: (item.start, -item.end))
        if one.standing != "hidden"
    ]
    found, end, allowed = [], -1, False
    for place, one in enumerate(numbers):
        if one.start < end:
            continue
        following = numbers[place + 1] if place + 1 < len(numbers) else None
        between = plain[end : one.start] if 0 <= end and one.start - end < 150 else ""
        goes_on = _LINK.fullmatch(between) or (_COMMA.fullmatch(between) and _LIST_END.match(plain, one.end))
        if not (allowed and between and goes_on and not _measured(plain, one)):
            allowed = _has_role(plain, one, following, known, before_results)
        if not allowed:
            found.append((one.start, plain[one.start : min(len(plain), one.after + 24)].split("\n")[0]))
        end = one.end
    return found


def _measured(plain: str, one: Number) -> bool:
    return bool(one.any_unit) or any(word in _UNITS | _PEOPLE for word in _counted(plain, one))


def _has_role(
    plain: str, one: Number, following: Number | None, known: _Stated, before_results: bool
) -> bool:
    before, after = plain[max(0, one.start - 60) : one.start], plain[one.end : one.end + 60]
    counted = _counted(plain, one)
    if (
        _TERM.match(after)
        or _LABEL.search(before)
        or (
            one.standing == "part"
            and re.search(r"\d\Z|\d[.-]\Z", before)
            and _LABEL.search(re.sub(r"[\d.]+\Z", "", before))
        )
    ):
        return True
    if (
        one.words == ""
        and _YEAR.fullmatch(plain[one.start : one.end])
        and (_DATE.search(before) or re.match(r" (?!of\b)\w", after))
    ):
        return not (counted and counted[0] in _PEOPLE and not _DEFINITE_WORD.search(before))
    if (
        following is not None
        and _ENDS.fullmatch(plain[one.end : following.start][:150])
        and (one.value, following.value) in known.ranges
    ):
        return not re.search(
            r"\b(?:rose|fell|went|moved|shifted|climbed|dropped|changed|grew)\b[^.]{0,40}\Z", before
        )
    if one.words == "english" and one.value == 1 and plain[one.start : one.end].lower() == "one":
        return _is_pronoun(before, after, counted)
    if one.value == 0 and _ZERO.search(before):
        return True
    people = any(word in _PEOPLE for word in counted)
    unit = any(word in _UNITS for word in counted) and not re.match(r"-point\b", after)
    if any((one.value, word) in known.counts for word in counted) and (
        before_results or not (people or unit)
    ):
        return True
    stands = (_word_before(plain, one.start), one.value) in known.after or one.value in known.broken
    if before_results and stands:
        return True
    if re.search(r"\battention checks?\b", before, re.IGNORECASE) and ("check", one.value) in known.after:
        return True
    if people or unit or one.any_unit:
        return False
    if one.value % 1:
        return False
    if one.value <= _UP_TO and any(word in _OF_TEXT for word in counted):
        return True
    if one.value <= _UP_TO and _OF_TESTED.match(after):
        return True
    if one.value in known.whole and (
        (
            _DEFINITE.search(before)
            and (
                counted
                or re.match(r"\W*(?:[.,;:)]|\Z)|\s(?:differ|ways?|in|do|did|are|is|can|may|of)\b", after)
            )
        )
        or (_OPENS.search(before) and _ELLIPSIS.match(after))
        or (
            re.search(r"\bof (?:them|these|those)\b|\bof (?:the|these) \w+\b", after)
            and before_results
            and _OPENS.search(before)
        )
    ):
        return True
    return one.words not in ("", "english") and one.value in known.whole and bool(_ABROAD.match(after))


def _is_pronoun(before: str, after: str, counted: list[str]) -> bool:
    """Whether "one" is no value: one of them, no one, one phone, one participant at a time, one asks."""
    if any(word in _UNITS - {"time"} for word in counted) or re.match(
        r"[\s-](?:in|out of|to|against) \w+|-", after
    ):
        return bool(
            re.match(
                r"\sin (?:front|each|the|which|our)\b|-(?:way|sided|tailed|item|factor)\b|\s?(?:to|and|"
                r"or) (?:an)?other\b|\sto (?!seven|five|[a-z]*(?:one|two|three|four|six|eight|nine|ten)\b)\w+",
                after,
            )
        )
    if _ONE_AS_VALUE.search(before):
        return bool(counted) and before.rstrip().endswith(":")
    if _ONE_BARE.search(before):
        return bool(counted) or bool(
            re.match(r"\s(?:of|another|where|in which|that|who|who|page|model)\b", after)
        )
    return True


def _counted(plain: str, one: Number) -> list[str]:
    """The words that a number counts, at most three up to one that ends a name, without their plural."""
    found, place = [one.any_unit] if one.any_unit else [], max(one.end, one.after)
    for _ in range(3):
        match = _WORDS.match(plain, place, place + 60)
        if match is None or match[1].lower() in _STOP:
            break
        if match[1].lower() not in ("more", "further", "other", "additional"):
            found.append(_singular(match[1].lower()))
        place = match.end()
    return found


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _word_before(plain: str, start: int) -> str:
    match = re.search(r"([^\W\d_]\w*)[\W_]{0,6}\Z", plain[max(0, start - 40) : start])
    return match[1].lower() if match else ""
