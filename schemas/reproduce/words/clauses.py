"""What a paper's words say of one number: its sentence, its clause, and the noun that governs it.

Only the clause that holds a number speaks of it. Words beside it, in another clause or joined from elsewhere by "...",
choose nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.plain_words import VERBS
from schemas.reproduce.words.written import Written, matches, numbers_in, readable

_ABBREVIATED = (
    r"(?<!\bFig)(?<!\bFigs)(?<!\bEq)(?<!\bEqs)(?<!\bRef)(?<!\bRefs)(?<!\bSec)(?<!\bTab)(?<!\bvs)(?<!\bca)(?<!\bal)"
    r"(?<!\bapprox)(?<!\bNo)(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)"
)
_SENTENCE = re.compile(
    rf"{_ABBREVIATED}[.!?][)\"'\u201d]?(?:\s+|$)|\n\s*\n|\n\s*(?=[|#*-])|\[?(?:\.\.\.|\u2026)\]?"
)
_VERBS = (
    r"(?:passes|reaches|falls|rises|drops|has|have|is|are|was|were|lies|goes|comes|decreases|increases|amounts|gives|"
    r"becomes|grows|shows|exceeds)\b"
)
_VERB = re.compile(rf"(?i)\b{_VERBS}")
_CLAUSE = re.compile(
    rf",?\s{{1,8}}and\s{{1,8}}(?={_VERBS})|,\s{{1,8}}(?={_VERBS})|"
    r";|:(?=\s)|,\s{1,8}(?:and\s{1,8})?(?=(?:and|but|or|while|whereas|with|that|those|which|where|there|for|so|because|"
    r"although|though|as|it|its|the|at|in|an?)\b)|\s(?:but|while|whereas|although|because|though)\s|"
    r"\s(?:-{1,2}(?!\s(?-i:[A-Za-z]_\w+|[B-Z]\d?|A\d)\b)|\u2013|\u2014)\s",  # not of "T_p - T_s"
    re.IGNORECASE,
)
# One that leaves out the verb of the clause before it: "filter B peaks at 448 nm, and filter R at 655 nm".
_ELLIPTIC = re.compile(
    r"^\W*(?:(?:and|but|while|whereas)\s+)?(?:[\w'-]+\s+){1,6}?(?:at|to|by)\s+(?:about\s+|only\s+)?$",
    re.IGNORECASE,
)
_JOINING = re.compile(r"[\s,;:]*(?:\b(?:and|but|or|while|whereas))?[\s,;:]*$", re.IGNORECASE)
# A clause before which a place was put: "At its minimum, the green pixel reflects 9 %".
_FRONTED = re.compile(
    rf"^\W*(?:at|in|for|with|on|under|near|from)\s+(?:(?!{_VERBS})[^.;:,]){{1,60}},\s*$", re.IGNORECASE
)
# A clause that says only where: ", is found at 720 nm", ", at a wavelength of 720 nm"; what is there stands before it.
_ONLY_WHERE = re.compile(
    r"^\W*(?:(?:(?:is|are|was|were)\s+)?(?:\w+ly\s+)?(?:found|located|situated|observed|obtained|reached|attained|achieved|"
    r"recorded|measured|seen|cent(?:er|re)d|(?:(?:red|blue)-?)?shifted|lies|lie|occurs?|appears?|occurring|lying|appearing)\s+)?"
    r"(?:at|near|around|to|for)\s+(?:(?:about|around|approximately|an?|the)\s+){0,2}"
    r"(?:(?:\w+\s+){0,2}?(?:wavelengths?|frequenc(?:y|ies)|energ(?:y|ies)|angles?|wavenumbers?)\s+(?:of\s+)?)?"
    r"(?:\S{1,3}\s*[=~]\s*)?(?:[\d.]+\s*\S{0,4}(?:,\s*|\s+)(?:and\s+)?){0,4}$",
    re.IGNORECASE,
)
# One of several cases: "at 1.545 um for N = 4", "near 720 nm with a gap of 90 nm"; what tells the cases apart is named alike.
_CASE = re.compile(
    r"\b(?:at|near|around|to)\s+(?:about\s+|only\s+)?[\d.]+\s*\S{0,4}\s+(?P<case>(?:for|with|in|when)\s+(?:(?:an?|the)\s+)?"
    r"(?:[^\W\d_]\w{0,3}\s*=|[a-z]+\s+of)\s*)[\d.]+"
)
# The same at a size, of an extremum: "T_p - T_s is largest, 0.214, at a gap of 190 nm".
_AT_SIZE = re.compile(
    r"(?i)^\W*(?:at|for)\s+(?:(?:an?|the)\s+)?(?:\w+\s+){0,2}?(?:thickness|gap|width|height|depth|period|diameter|radius|length|"
    r"distance|separation|spacing)\s+(?:of\s+)?$"
)
_POINTS_BACK = re.compile(
    r"(?i)\bboth\b(?!\s+[a-z-]+[^\Ws]s\b)|\b(?:it|its|that|those|there|they|their|this|these|latter|former|respectively|here)\b|"
    r"\bthe\s+(?:(?:first|second|third|other|next)\s+(?:at|is|was|lies|has)|(?:\w+\s+)?one)\b|"
    r"^\W*(?:with|where|which|whose)\b"
)
_OF = r"(?:\s+(?:of|is|was|are|were|at|about|only|equals?|up to|approximately|roughly|nearly|to)|\s*[=:~(\u2248])*\s*"
NOUNS: dict[str, str] = {
    "quality_factor": r"quality[ -]factors?|\bfinesse|\bQ(?:[ -]factors?)?(?![\w_])",
    "field_enhancement": r"\b\w*enhancements?\b(?:\s+factors?\b)?|"
    r"\b(?:field|intensity)[^.,;]{0,40}\benhanced\b(?:\s+by\s+an?\s+factor\b)?",
    "effective_index": r"(?:effective|mod(?:e|al)|group|bloch)\s+(?:refractive\s+)?(?:index|indices)|\bn_?\{?eff\}?",
    "index": r"\b(?:index|indices)\b|\bn_\w+|(?<![A-Za-z])n(?=\s*=)",
    "width": r"line-?\s?widths?|band-?\s?widths?|\bfwhm\b|full[ -]width|half[ -]maximum|\bwidths?\b|\bbroad(?:ening)?\b",
    "gap_ratio": r"\bgap\b(?:[- ]to)?[- ]mid-?gap(?:\s+ratio)?|\bmid-?gap\s+ratio|\bgap\b",
    "band_frequency": r"frequenc(?:y|ies)|\bomega\b|\u03c9",
    "power": r"\b(?:reflect|transmi|absor|diffract|effici|emissi|extinct|scatter)\w*|\bpower\b|\bloss(?:es)?\b|(?<!index )\bcontrast\b|"
    r"\bvisibility\b|\bintensit(?:y|ies)\b|\bfraction\b|\bshare\b",
    "spectral": r"\bwavelengths?\b|\benerg(?:y|ies)\b|\bwavenumbers?\b",
    "length": r"\b(?:thick|diamet|radi(?:us|i)\b|height|depth|length|distance|period|pitch|spacing|separation|size|waist)\w*",
    "angle": r"\bangles?\b|\bincidence\b",
    "rate": r"\brates?\b|\bfactors?\b|\bratios?\b|\blifetimes?\b|\bdelays?\b|\bphases?\b|\bvolumes?\b",
}
_HAD_AT = (
    "quality_factor",
    "field_enhancement",
    "effective_index",
    "power",
)  # "the enhancement at 830 nm is 30"
_COUNTABLE = ("quality_factor", "field_enhancement", "effective_index", "power", "gap_ratio", "width")
# "the quality factor of three rings": few things, and no measure ("30 times", "3 wavelengths").
_FEW = 20
_COUNTS = re.compile(
    r"\s+(?!(?:times|folds|wavelengths|periods|cycles|units|orders|decades|octaves|pixels|is|was|has|as|plus|versus|less|across|"
    r"means|rises|falls|drops|grows|gives|lies|exceeds|reaches|equals|occurs|results|corresponds|[\w-]+ss)\b)"
    r"(?:(?!(?:and|or|but|which|that|it|in|at|on|for|with|by|to|from|of|the|an?)\b)[a-z-]+\s+)??(?P<things>[a-z][a-z-]+s)\b"
)
_LIST = re.compile(r"(?:\s*(?:,|;|and|or|,\s*and)\s*#)*\s*(?:,|;|and|or|,\s*and)\s*")
# The same with places: "the effective index is 1.655 at h = 0.16 um, 2.056 at 0.22 um and 2.983 at 0.40 um".
# Also of one of several that share a thing: "1.818 (TE) and 1.685 (TM)", "2.399 for TE0 and 1.509 for TE1".
_PLACE = (
    r"(?:\s*\(?(?:at|for|in|with|when)\s+(?:(?:an?|the)\s+)?(?:[a-z]+\s+){0,3}?(?:[^\W\d]\w{0,3}\s*=\s*)?#\)?|"
    r"\s*\([a-z ,-]{1,30}\)|"
    r"\s*(?:\((?:quasi-)?|for\s+(?:the\s+)?(?:quasi-)?)(?:T[EM]_?\{?\d{0,2}\}?|[sp]|[HE][EH]_?\{?\d{0,2}\}?)"
    r"(?:[- ]polari[sz]\w+|\s+light|\s+modes?)?\)?(?![\w-]))"
)
_JOINT = r"\s*(?:,\s*and|,|;|and|or|over|to)\s+(?:(?:an?|of|about|only)\s+){0,2}"
_PLACED_LIST = re.compile(rf"{_PLACE}?(?:{_JOINT}#{_PLACE}?)*{_JOINT}")
_GOES_ON = re.compile(rf"\s*(?:{_PLACE.replace('#', '[0-9.]')}|[,.;)]|(?:and|or|over|to)\b|$)")
# A number that changes is still the same thing's: "a quality factor of 793 with three rings drops to 733".
_CHANGES = re.compile(
    r"(?:\s+(?:with|without|for|of|in|at)\s+(?:(?!(?:and|or|but|while|as|when|if|where|which|that|whose|than)\b)[\w#-]+\s+){0,4}"
    r"(?!(?:and|or|but|while|as|when|if|where|which|that|whose|than)\b)[\w#-]+)?"
    r"\s*[,;]?\s*(?:(?:and|but|then|which|it|also|even|only|further|soon)\s+){0,3}"
    r"(?:(?:is|are|was|were|gets?|has|have|had|been|can|be)\s+){0,3}(?:[a-z]+ly\s+)?"
    r"(?:falls?|fell|fallen|drops?|dropped|rises?|rose|risen|grows?|grew|grown|(?:in|de)creas(?:es?|ed)|declin(?:es?|ed)|chang(?:es?|ed)|"
    r"shr(?:inks?|ank|unk)|goes|went|climb(?:s|ed)?|s(?:inks?|ank|unk)|lower(?:s|ed)|rais(?:es?|ed)|reduc(?:es?|ed)|improv(?:es?|ed)|"
    r"degrad(?:es?|ed)|enhanced|cut)\s+"
    r"(?:(?:[a-z]+ly|down|up|back|further|again|from\s+#)\s+){0,3}to\s+"
    r"(?:(?:about|some|only|nearly|almost|just|roughly|approximately|around|as\s+(?:little|much|low|high)\s+as|a\s+value\s+of)\s+)?",
    re.IGNORECASE,
)
_NOUN = re.compile("|".join(f"(?P<{name}>{form})" for name, form in NOUNS.items()), re.IGNORECASE)
_Q = re.compile(NOUNS["quality_factor"].split("|")[2])  # a small q is no quality factor
_EXTREMA = re.compile(
    r"(?P<half>half[ -]?(?:its |the |of the )?(?:maxim|peak)\w*)"
    r"|(?P<minimum>\b(?:minim|dips?\b|null(?!if)|vanish|suppress|extinct(?!ion)|nodes?\b|trough|notch|lowest|smallest|"
    r"least\b|deepest)\w*)"
    r"|(?P<maximum>\b(?:maxim|peak|crest|highest|largest|greatest|strongest|brightest|up to\b|reach|as high as\b|at most\b)\w*)"
    r"|(?P<either>\b(?:resona(?:n|te)|modes?\b|lines?\b|bands?\b|features?\b|anomal|extrem|order))\w*",
    re.IGNORECASE,
)
_NEXT_VERB = re.compile(
    r"\b(?:and|but|then)\s+(?:then\s+)?(?:climbs|rises|grows|increases|falls|drops|sinks|decreases|goes|reaches|attains|approaches|has|"
    r"shows)\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"[\s-]*(?:fold|times|x|\u00d7)?[\s-]*(?:\w+\s+){0,2}?$")


_SOME = r"(?:\s+[\w%.#\u00a7-]+){0,7}?\s+"  # "lets 79.3 % of the light through"
_PROCESSES = re.compile(
    r"(?<!non-)(?<!un)(?<!not )(?<!never )(?<!hardly )\b(?:(?P<reflected>reflect(?:ances?|ivit(?:y|ies)|ions?|ed|s)?\b|"
    rf"(?:sen(?:ds?|t)|throws?|thrown|bounces?|bounced|comes?|came|goes|given|gives?|turned|turns){_SOME}"
    r"back\b(?!\s+and\b|\s+to\s+(?:[A-Z\d]|a\b))|(?:returns|returned)\b)|"
    r"(?P<transmitted>transmi(?:ttances?|ssivit(?:y|ies)|ssions?|tted|ts?)\b|"
    rf"(?:lets?|letting|passes|passed|pass|gets?|got|goes|go|went|penetrates?){_SOME}through\b|(?:lets?|letting|get|gets|pass)\s+through\b|"
    r"passes\s+(?=[\d#\u00a7])|reach(?:es|ed)?\s+(?:[\w-]+\s+){1,3}(?:behind|beyond)\b)|"
    r"(?P<absorbed>(?:absor(?:ptances?|ptivit(?:y|ies)|ptions?|bance|bed|bs?)|[QC]_?\{?abs|dissipate[sd]|swallow(?:s|ed)|"
    r"turned\s+into\s+heat)\b)|"
    r"(?P<scattered>(?:scatter(?:ing|ed|s)?|[QC]_?\{?sca)\b)|(?P<extinguished>(?:extinction|extinguish(?:ed|es)|[QC]_?\{?ext)\b))",
    re.IGNORECASE,
)
_RIGHT_BEHIND = re.compile(
    r"\s*(?:(?:of|the|incident|light|power|energy|is|are|was|were|being|gets|total|in)\s+){0,6}$",
    re.IGNORECASE,
)
_READ, _MOST = (
    1500,
    20,
)  # characters on either side of a number that can speak of it; places that are looked at


def places_of(text: str, value: float | None, unit: str, upper: float | None = None) -> tuple[Written, ...]:
    """The numbers of a text that state the value (or the range from value to upper) in the unit; of many the first."""
    return (
        () if value is None else tuple(n for n in numbers_in(text) if matches(n, value, unit, upper))[:_MOST]
    )


def sentence_of(text: str, start: int, end: int) -> tuple[int, int]:
    """(start, end) of the sentence of `text` that holds the place; parts joined by "..." are sentences of their own."""
    first = max(0, start - _READ)
    low, high = _between(_SENTENCE, text[first : end + _READ], start - first, end - first)
    return first + low, first + high


def clause_of(text: str, start: int, end: int) -> tuple[int, int]:
    """The same of the clause; one that points back ("that of the thinner layer", "the reflectance there") takes along the
    clause before it, within its sentence."""
    first, last = sentence_of(text, start, end)
    sentence = text[first:last]
    low, high = newest, _ = _between(_CLAUSE, sentence, start - first, end - first)
    place = next((n for n in numbers_in(sentence) if n.start == start - first), None)
    where = place is not None and _only_where(sentence, low, place, high)
    further = (
        where
        or _leaves_out_its_verb(sentence, low, start - first, high)
        or _takes_along(sentence[low:high])
        or _FRONTED.match(sentence[:low]) is not None
    )
    while low > 0 and further:
        before = _JOINING.sub("", sentence[:low])
        earlier = _between(_CLAUSE, before, len(before), len(before))[0]
        taken = sentence[earlier:low]
        if (
            where
            and place is not None
            and _measures_alike(taken, place)
            and not _case_of(taken, sentence[low:high])
        ):
            break
        low = earlier
        where = where and not _EXTREMA.search(taken)
        further = where or _takes_along(taken)
    if low > 0 and _AT_SIZE.match(sentence[low : start - first]):
        before = _JOINING.sub("", sentence[:low])
        earlier = _between(_CLAUSE, before, len(before), len(before))[0]
        if any(match.lastgroup in ("maximum", "minimum") for match in _EXTREMA.finditer(before, earlier)):
            low = earlier
    return first + low, first + high


def _only_where(sentence: str, low: int, place: Written, high: int) -> bool:
    """Whether a number's clause says only where that is which the clauses before it name without a place."""
    return bool(
        low
        and place.unit
        and _ONLY_WHERE.match(sentence[low : place.start])
        and not _VERB.search(sentence[place.end : high])
    )


def _measures_alike(clause: str, place: Written) -> bool:
    return any(dimension(n.unit) == dimension(place.unit) for n in numbers_in(clause) if n.unit)


def _case_of(before: str, clause: str) -> bool:
    """Whether both tell one thing's places for two cases: "lies at 1.545 um for N = 4, at 1.541 um for N = 8"."""
    one, other = _CASE.search(before), _CASE.search(clause)
    return one is not None and other is not None and one["case"] == other["case"]


def _leaves_out_its_verb(sentence: str, low: int, start: int, high: int) -> bool:
    return (
        low > 0 and not _VERB.search(sentence[low:high]) and _ELLIPTIC.match(sentence[low:start]) is not None
    )


def _takes_along(clause: str) -> bool:
    """Whether a clause says nothing without the one before it: it points back, or is a place alone ("at 720 nm")."""
    numbers = [n for n in numbers_in(clause) if n.unit]
    alone = (
        bool(numbers)
        and _ONLY_WHERE.match(clause[: numbers[0].start])
        and not re.search(r"\w", clause[numbers[-1].end :])
    )
    return bool(alone or _POINTS_BACK.search(clause))


def points_back(text: str) -> bool:
    """Whether words speak of something named before them: "it lies at", "that of the other"."""
    return bool(_POINTS_BACK.search(text))


def governing(text: str, number: Written) -> str:
    """The name in NOUNS of what the clause says that the number is; '' if it says none.

    The last noun before it that no earlier number has taken ("at a wavelength of 700 nm the enhancement is 30"), or that of an
    earlier number in its list or before its change ("Q is 793 and falls to 733"), else one right behind it ("a 30-fold enhancement").
    """
    plain = readable(text)
    low, high = clause_of(plain, number.start, number.end)
    low = _with_its_subject(plain, low, number.start)
    earlier = [n for n in numbers_in(plain[low : number.start]) if not n.label]
    before = plain[low : number.start]
    taken: dict[int, Written] = {}
    for match in _nouns(before):
        for n in earlier:
            if (
                match.end() <= n.start
                and re.fullmatch(_OF, between := before[match.end() : n.start])
                and not (between.strip() == "at" and match.lastgroup in _HAD_AT)
                and not (match.lastgroup in _COUNTABLE and between.strip() == "of" and _counts(before, n))
            ):
                taken[match.start()] = n
    held = [match for match in _nouns(before) if match.start() in taken]
    between = _between_numbers(before, taken[held[-1].start()], earlier) if held else ""
    alike = bool(held) and taken[held[-1].start()].unit in ("", number.unit)
    alone = (
        len({match.lastgroup for match in held}) == 1
    )  # not "the Q of 793 and the enhancement of 60 rise to 900"
    counted = not number.unit and _COUNTS.match(plain, number.end)
    if alike and not counted and (_LIST.fullmatch(between) or (alone and _CHANGES.fullmatch(between))):
        return str(held[-1].lastgroup)
    for match in reversed(held if not counted and _GOES_ON.match(plain, number.end) else []):
        taker = taken[match.start()]
        if taker.unit == number.unit and _PLACED_LIST.fullmatch(_between_numbers(before, taker, earlier)):
            return str(match.lastgroup)
    found = [match for match in _nouns(before) if match.start() not in taken]
    if found:
        return str(found[-1].lastgroup)
    after = plain[number.end : high]
    behind = next(_nouns(after[:40]), None)
    return str(behind.lastgroup) if behind is not None and _BEHIND.match(after[: behind.start()]) else ""


def _counts(text: str, number: Written) -> bool:
    """Whether a number of a text counts the things behind it."""
    things = _COUNTS.match(text, number.end) if not number.unit and number.low in range(2, _FEW + 1) else None
    return things is not None and things["things"] not in VERBS


def _with_its_subject(plain: str, low: int, start: int) -> int:
    """Where the clause before begins, for one that leaves out its subject ("Q is 793, and drops to 733")."""
    first, _ = sentence_of(plain, start, start)
    if low <= first or not _VERB.match(plain[low:start].lstrip()):
        return low
    joined = _JOINING.sub("", plain[first:low])
    return first + _between(_CLAUSE, joined, len(joined), len(joined))[0]


def _between_numbers(before: str, taker: Written, earlier: list[Written]) -> str:
    """What stands behind the number that took a noun, "#" for each further number."""
    chars = list(before)
    for n in earlier:
        if n.start >= taker.end:
            chars[n.start : n.end] = "#".ljust(n.end - n.start)
    return "".join(chars)[taker.end :]


def extremum_of(text: str, number: Written) -> str:
    """What the number's clause calls it the value or place of: 'maximum', 'minimum', 'either' (a resonance); '' if nothing.

    The last such word before the number, else the first behind it; a resonance that is called a dip is one.
    """
    low, high = clause_of(text, number.start, number.end)
    before = [
        match.lastgroup for match in _EXTREMA.finditer(text[low : number.start]) if match.lastgroup != "half"
    ]
    goes_on = _NEXT_VERB.search(text, number.end, high)  # what it does there is told of the next number
    if goes_on and any(n.end + low > goes_on.end() for n in numbers_in(text[low:high])):
        high = goes_on.start()
    after = [
        match.lastgroup for match in _EXTREMA.finditer(text[number.end : high]) if match.lastgroup != "half"
    ]
    told = [name for name in reversed(before) if name != "either"] + [
        name for name in after if name != "either"
    ]
    return str((told or before or after or [""])[0])


def process_of(text: str, number: Written) -> str:
    """What the number's clause says happens to the light that it measures: 'reflected', 'transmitted', 'absorbed', 'scattered',
    'extinguished'; '' if nothing or more than one.

    A word right behind the number ("30 % of the light is transmitted") counts before those in front of it.
    """
    low, high = clause_of(text, number.start, number.end)
    before = [match.lastgroup for match in _PROCESSES.finditer(text[low : number.start])]
    behind = _PROCESSES.search(text[number.end : high])
    if behind and not before and _RIGHT_BEHIND.match(text[number.end : number.end + behind.start()]):
        return str(behind.lastgroup)
    found = {match.lastgroup for match in _PROCESSES.finditer(text[low:high])}
    return str(found.pop()) if len(found) == 1 else ""


def processes_of(text: str) -> tuple[str, ...]:
    """What words say happens to light, in their order: 'reflected', 'scattered', ..."""
    return tuple(str(match.lastgroup) for match in _PROCESSES.finditer(text))


def _nouns(text: str):  # type: ignore[no-untyped-def]
    return (
        match
        for match in _NOUN.finditer(text)
        if match.lastgroup != "quality_factor" or len(match[0]) > 1 or _Q.match(match[0])
    )


def _between(pattern: re.Pattern[str], text: str, start: int, end: int) -> tuple[int, int]:
    low, high = 0, len(text)
    for begins, ends in _spans(pattern, text):
        if ends <= start and not begins >= start:
            low = ends
        elif begins >= end:
            high = begins
            break
    return low, high


@lru_cache(maxsize=256)
def _spans(pattern: re.Pattern[str], text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in pattern.finditer(text))
