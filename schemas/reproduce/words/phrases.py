"""What a paper's words call a number: the phrase of its quantity, word by word, as claims that what was computed has to match.

A table of forbidden words loses to new wording. So every modifier and complement of the nouns that name the quantity counts:
one that is in no table is a claim of its own, which nothing that was computed matches.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import islice

from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.bound import Saying
from schemas.reproduce.words.claim_words import CLAIMS, HEAD, ORDINALS, OWN
from schemas.reproduce.words.clauses import clause_of, points_back, sentence_of
from schemas.reproduce.words.labels import of_its_place
from schemas.reproduce.words.plain_words import STOPS, VERBS, harmless
from schemas.reproduce.words.written import Written, numbers_in, readable

_SHARED = frozenset("same corresponding respective given this that the its operating".split())
_AT = re.compile(
    r"(?i)\b(?:at|for|on)\s+(?:an?\s+|the\s+|its\s+|this\s+|that\s+|our\s+)?(?P<which>(?:[\w-]+\s+){0,3}?)"
    r"(?P<place>wavelengths?|lines?|frequency|energy|resonances?|peaks?|maxim(?:um|a)|minim(?:um|a)|dips?)\b"
    r"(?!\s*(?:of\s+)?(?:[\w\u03bb\u03c9]{1,3}\s*[=~]\s*)?#)"
)
_FINITE = VERBS | frozenset(
    "is are was were be been has have had does do did can could may might must will would".split()
)
_STATED = re.compile(
    r"(?i)(?:\b(?:is|are|was|were|of|to|at|reach\w*|equals?|becomes?|about|approximately|only|and|or|with)|[=~\u2248,(:])\s*$"
)
_JOINS = re.compile(r"\b(?:and|but|while|whereas)\b|[,;]")
_BEGINS = re.compile(r"\W*(?:and\s+|but\s+)?([a-z]+)\b")
_LEADS = re.compile(
    r"(?i)^\W*(?:for|at|in|on|with|under|within|over|around|near|by|upon|when|where|as|after|without|"
    r"including|excluding|taking|averag\w+|integrat\w+|normali[sz]\w+|measured|relative|per|defined|referred)\b"
)
_TRAILS = re.compile(
    r"(?i)^\W*(?:which (?:is|are|was|were|means)|that is|i\.e|being|as|when|where|at|in|on|with|under|over|averag\w+|"
    r"integrat\w+|normali[sz]\w+|measured|defined|relative|per|referred|half|it)\b"
)
# How a curve is drawn, and where: "(solid red line)", "(see Fig. 2b)".
# OWN stands for the number that is asked about, "#" for another.
_STYLE = re.compile(
    r"(?i)\((?:\b(?:solid|dash\w*|dot\w*|dash-dot\w*|red|blue|green|black|gr[ae]y|orange|purple|thick|thin|open|filled|full|"
    r"lines?|curves?|circles?|squares?|triangles?|symbols?|crosses|markers?|see|also|in|the|inset|of|and|to|cf|"
    r"fig(?:ure)?s?|panels?|tab(?:le)?|left|right|top|bottom|[a-h]|s?\d+[a-h]?)\b[\s.,()-]*)+\)"
)
_OVER_SIZE = re.compile(
    r"(?i)\b(?:efficienc\w*|cross.?sections?|widths?|Q(?:_\w+)?)\b[^.;]{0,160}?\b"
    r"(?:in\s+units\s+of|divided\s+by|normali[sz]ed\s+(?:to|by|with)|over)\s+(?:(?:the|its|an?)\s+)?(?P<twice>twice\s+)?"
    r"(?:[\w*-]+\s+){0,3}?(?P<size>diameter|radius)\b"
)
# Where a number is told, in lengths of a mode: "at a quarter of the guided wavelength".
_PART_OF_MODE = re.compile(
    r"(?i)\bat\s+(?:an?\s+|one\s+)?(?:half|quarter|third|eighth)\s+(?:of\s+)?(?:an?|the|its)\s+(?:guided|modal|bloch)\s+wave-?lengths?\b"
)
_METHODS = re.compile(r"(?i)\battenuated[ -]total(?= )|\btotal[ -]internal(?= reflect)")
_SEPARATOR = re.compile(r"[,;:()]")
_TOKEN = re.compile(r"#|[^\W\d_][\w'\u2019^]*(?:-[\w'\u2019]+)*|[^\s]")
_WORD = re.compile(r"[^\W\d_][\w'\u2019^]*(?:-[\w'\u2019]+)*$")
_COMPLEMENT = frozenset(
    "of in at on for per over after before without including excluding beyond into inside with under".split()
)
_DEFINES = re.compile(
    r"(?i)\b(?:throughout|defined?|defines|definition|denotes?|refers? to|we mean|(?:is|are) meant|all|every|always|unless|"
    r"hereafter|(?:in )?what follows|understood|given as|stated as|quoted as|reported as)\b"
)
_DEFINABLE = (
    "half width",
    "level",
    "mean",
    "passes",
    "normalised",
    "loaded",
    "unloaded",
    "radiative",
    "group",
    "a part of the loss",
)
_MOST_DEFINED = 3000  # places of a paper that are looked at
_SUBJECT = 8  # words of a sentence in which its subject stands
_DETERMINERS = ("the", "a", "an", "its", "their", "our", "this", "that", "each")
_WHAT = frozenset((*_DETERMINERS, *"no more less only about #".split()))
_OF_BODY = frozenset("of in at on for under inside with".split())
_TO = frozenset("at to from near around by as below above".split())
_OUTSIDE = frozenset("due without excluding before after beyond".split())
_LOST = re.compile(r"(?i)(?:quality|factor|q|q-factor|loss(?:es)?|(?:line|band)?-?width)$")
_OWNED = re.compile(r"(.+?)(?:['\u2019]s|(?<=s)['\u2019])$")
_PARTICIPLE = re.compile(r"[a-z-]+(?:ed|ing)$")
_SHAPE = re.compile(
    r"(?i)(?:maxim|minim|extrem|peak|dip|null|notch|trough|crest|value|width|fwhm|line-?width|band-?width|factor|level)\w*$"
)
_LONGEST = 6  # words of one complement that are read


def spoken(plain: str, number: Written) -> tuple[int, int]:
    """(start, end) of the words that speak of a number: its clause, what leads into it without a verb, what trails it."""
    first, last = sentence_of(plain, number.start, number.end)
    low, high = clause_of(plain, number.start, number.end)
    while (
        low > first + 1 and (verb := _BEGINS.match(plain[low : number.start])) and verb[1].lower() in _FINITE
    ):
        # "the transmittance, normalised to the incident light, is"; "the TE_1 mode, the second of the film, has"
        before = clause_of(plain, low - 2, low - 1)[0]
        if before > first + 1 and "," in plain[before - 2 : before] and not _acts(plain[before:low]):
            before = clause_of(plain, before - 2, before - 1)[0]
        low = min(before, low - 1)
    cuts = [match.start() for match in _SEPARATOR.finditer(plain, first, low)]
    for start in reversed([first, *cuts]):
        part = plain[start:low]
        if low > start and (_LEADS.match(part) or not _acts(part)) and not _states(part):
            low = start
    ends = [match.start() for match in _SEPARATOR.finditer(plain, high + 1, last)] + [last]
    for end in ends:
        part = plain[high:end]
        if not part.strip() or not _TRAILS.match(part) or _states(part):
            break
        high = end
    return low, high


def sayings(plain: str, number: Written, subjects: Collection[str]) -> tuple[Saying, ...]:
    """What the words around a number claim of it. plain: readable text. subjects: words of the paper that name its bodies."""
    low, high = spoken(plain, number)
    own = number.start - low
    text = plain[low : number.start] + OWN.ljust(number.end - number.start) + plain[number.end : high]
    for aside in (_STYLE, _PART_OF_MODE):
        text = aside.sub(lambda match: " " * len(match[0]), text)
    text = _without_others(text, own, number)
    found = list(_claims(text)) + list(_places(_blanked(text)))
    found = [part for part in found if not _of_another(part, text, own, number)]
    known = [(match.start, match.end) for match in found if match.kind != "place"]
    found += [
        Part("unknown", "", word, start, end)
        for word, start, end in _unknown(_blanked(text), subjects)
        if not any(a < end and start < b for a, b in known)
    ]
    seen: dict[tuple[str, str], Saying] = {}
    for part in found:
        seen.setdefault(
            (part.kind, part.value),
            Saying(kind=part.kind, value=part.value, words=" ".join(part.words.split())),
        )
    return tuple(seen.values())


_OF_NOUN = (
    "relative",
    "group",
)  # said of the noun behind them: "effective index"; a loaded Q has a loaded line
_ITS_NUMBER = re.compile(
    r"[\w-]+(?:\s+(?!(?:and|or|of|is|at|with|for|in)\b)[\w{}-]+){0,2}?(?:\s+factors?)?\s*(?:\bof|\bis|\bwas|[=:~\u2248(])?\s*(?:about\s+)?"
)
_THERE = re.compile(
    r"(?i)\s*(?:at|for)\s+(?:(?:an?|the)\s+(?:\w+\s+)?(?:wavelength|frequency|energy)\s+of\s+)?"
)


def _of_another(part: Part, text: str, own: int, number: Written) -> bool:
    """Whether a claim is an adjective of the noun of another number, which measures something else: "found at 657 nm with an effective
    index of 1.19". The number is before it, or only where the other holds."""
    return part.kind in _OF_NOUN and any(
        not n.label
        and n.start != own
        and dimension(n.unit or "1") != dimension(number.unit or "1")
        and _ITS_NUMBER.fullmatch(text, part.start, n.start)
        and (own < part.start or _THERE.fullmatch(text, n.end, own))
        for n in numbers_in(text)
    )


_OFFSET = re.compile(
    r"\s*(?:above|below|over|under|beyond|before|behind|away|from|off|higher|lower|longer|shorter|more|less)\b[^,;.]*"
)


_LABELLED = re.compile(r"\s+(?:to|in|into|for)\s+(?:the\s+)?[A-Z]+[\w_]*\d\b")


def _without_others(text: str, own: int, number: Written) -> str:
    """The text with blanks for the words of other numbers of its kind: "the lower edge at 0.32 c/a and the upper at 0.44 c/a".

    A list ("at 500 nm and 600 nm") shares its words; so does a subject with several verbs.
    """
    others = [
        n
        for n in numbers_in(text)
        if not n.label
        and dimension(n.unit) == dimension(number.unit)
        and (n.unit or _STATED.search(text[: n.start]))
    ]
    for n in others:  # "begins at 10.4 GHz, 0.3 GHz above the last peak": that peak is the second number's
        if n.start > own and text[: n.start].rstrip().endswith(",") and (aside := _OFFSET.match(text, n.end)):
            text = text[: n.start] + " " * (aside.end() - n.start) + text[aside.end() :]
    text = of_its_place(text, [own, *(n.start for n in others)], own)
    labelled = _LABELLED.match(text, own + number.end - number.start) is not None
    for n in others:  # "58.5 % to TE0, 27.6 % to TE2": each has its own
        if (labelled or n.end <= own) and (label := _LABELLED.match(text, n.end)):
            text = text[: n.start] + " " * (label.end() - n.start) + text[label.end() :]
    before, behind = [n for n in others if n.end <= own], [n for n in others if n.start > own]
    if behind:
        cut = max((match.start() for match in _JOINS.finditer(text, own + 1, behind[0].start)), default=-1)
        if cut > 0 and _names(text[cut : behind[0].start]):
            text = text[:cut] + " " * (len(text) - cut)
    if before:
        start, last = before[-1].end, before[-1]
        between = text[start:own]
        if any(HEAD.match(word) for word in re.findall(r"[A-Za-z][\w-]*", between)):
            return " " * start + text[start:]
        if any(word.lower() in _FINITE for word in re.findall(r"[A-Za-z]+", between)):
            verb = max(
                (
                    match.end()
                    for match in re.finditer(r"[A-Za-z]+", text[: last.start])
                    if match[0].lower() in _FINITE
                ),
                default=0,
            )
            return text[:verb] + " " * (start - verb) + text[start:]
    return text


def _names(words: str) -> bool:
    return any(HEAD.match(word) or word.lower() in _FINITE for word in re.findall(r"[A-Za-z][\w-]*", words))


class Part:
    """A claim and where it stands."""

    def __init__(self, kind: str, value: str, words: str, start: int, end: int):
        self.kind, self.value, self.words, self.start, self.end = kind, value, words, start, end


def _claims(text: str) -> Iterator[Part]:
    for kind, form in CLAIMS:
        for match in form.finditer(text):
            given = {name: value for name, value in match.groupdict().items() if value}
            name, value = next(iter(given.items()), ("", ""))
            if name in ("db", "db_level"):
                value = f"{10 ** (-float(value) / 10):.4g}"
            elif name == "e":
                value = f"{2.718281828 ** (-2 if '2' in value else -1):.4g}"
            elif name == "percent":
                value = f"{float(value) / 100:g}"
            elif name == "half":
                value = "0.5"
            elif name == "part":
                value = next(
                    str(n)
                    for word, n in (("three", 0.75), ("quarter", 0.25), ("third", 1 / 3), ("tenth", 0.1))
                    if word in value
                )
            elif name == "word":
                value = str(_count(value))
            elif name == "ordinal":
                value = str(ORDINALS[value.lower()])
            elif name == "low":
                value = f"{_count(given['low'])} {_count(given['high'])}"
                if "None" in value:
                    continue
            elif name == "label":
                value = f"label {value}"
            value = value.strip().lower().replace("\u2212", "-").replace("minus ", "-").replace("plus ", "")
            yield Part(kind, value, match[0], match.start(), match.end())


def _places(text: str) -> Iterator[Part]:
    for match in _AT.finditer(text):
        if match["which"].lower().endswith("half "):  # a level, which is a claim of its own
            continue
        which = [word for word in match["which"].lower().split() if word not in _SHARED and word not in STOPS]
        place = match["place"].lower()
        kind = "place" if place.startswith(("wavel", "line", "freq", "energ")) else "at extremum"
        if kind == "place" and any(word.startswith("resonan") for word in which):
            kind = "at extremum"
        if kind == "at extremum" or which:
            yield Part(
                kind, " ".join(which) if kind == "place" else place, match[0], match.start(), match.end()
            )


def _unknown(text: str, subjects: Collection[str]) -> Iterator[tuple[str, int, int]]:
    """Modifiers and complements of the nouns that say what the number is, which no table knows."""
    tokens = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text)]
    for place, (word, _, _) in enumerate(tokens):
        if not HEAD.match(word):
            continue
        before, owner = place - 1, False  # "the third slit's minimum": the ordinal is the slit's
        while before >= 0 and _WORD.match(tokens[before][0]) and tokens[before][0].lower() not in STOPS:
            verb = tokens[before][0].lower()
            if verb in VERBS and verb.endswith("s") and not HEAD.match(verb):
                break  # what is before it is the verb's: "an additional period multiplies Q"
            name = (
                tokens[before][0].istitle() and before and tokens[before - 1][0] not in ".:;"
            )  # Rabi, Fr\u00f6hlich
            owned = _OWNED.match(tokens[before][0])
            owner = owner or bool(owned and not HEAD.match(owned[1]))
            ordinal = tokens[before][0].lower() in ORDINALS
            if (ordinal and not owner) or not name and not _plain(tokens[before][0], subjects):
                yield tokens[before]
            before -= 1
        yield from _governing(tokens, before, subjects)
        yield from _behind(tokens, place + 1, subjects)


def _governing(
    tokens: list[tuple[str, int, int]], place: int, subjects: Collection[str]
) -> Iterator[tuple[str, int, int]]:
    """What a phrase is the complement of: "the slope of the reflectance"."""
    while place > 0 and tokens[place][0].lower() in _DETERMINERS:
        place -= 1
    if (
        place > 0
        and tokens[place][0].lower() == "of"
        and _WORD.match(tokens[place - 1][0])
        and not _plain(tokens[place - 1][0], subjects)
    ):
        yield tokens[place - 1]


def _behind(
    tokens: list[tuple[str, int, int]], place: int, subjects: Collection[str]
) -> Iterator[tuple[str, int, int]]:
    """What stands right behind a noun: a participle ("averaged"), and complements ("of the second stage")."""
    word, after = (tokens[at][0] if at < len(tokens) else "." for at in (place, place + 1))
    if (
        _WORD.match(word)
        and not _plain(word, subjects)
        and not (word.endswith("s") and after.lower() in (*_TO, *_DETERMINERS))
    ):
        yield tokens[place]  # "averaged over", "maximum slope"
    if word == "," and _PARTICIPLE.match(after) and not _plain(after, subjects):
        yield tokens[place + 1]
    shape = _SHAPE.match(tokens[place - 1][0])
    # "the reflectance of the X", "the scattering peak of the X": X is a body; "the maximum of the X": a quantity
    body = not shape or (place > 1 and bool(HEAD.match(tokens[place - 2][0])))
    if word.lower() in _OUTSIDE and (
        _LOST.match(tokens[place - 1][0]) or not (shape or word.lower() == "due")
    ):
        yield tokens[place]
    while place < len(tokens) and tokens[place][0].lower() in _COMPLEMENT:
        any_noun = body and tokens[place][0].lower() in _OF_BODY
        place += 1
        for _ in range(_LONGEST):
            word = tokens[place][0] if place < len(tokens) else "."
            after = tokens[place + 1][0].lower() if place + 1 < len(tokens) else "."
            if not _WORD.match(word) or word.lower() in _COMPLEMENT:
                break
            ends = not _WORD.match(after) or after in STOPS or after in VERBS
            joined = (
                tokens[place - 1][0].lower() in ("and", "but") and after in _WHAT
            )  # "and lets no more than"
            if (word.lower() in VERBS and word.lower() not in subjects) or (
                word.endswith("s") and (after in _TO or joined)
            ):
                return
            if not _plain(word, subjects) and not (any_noun and ends):
                yield tokens[place]
            place += 1


def _plain(word: str, subjects: Collection[str]) -> bool:
    lower = word.lower()
    return (
        harmless(lower)
        or bool(HEAD.match(lower))
        or lower in subjects
        or lower.rstrip("s") in subjects
        or lower in ORDINALS
        or len(word) <= 2
        or (len(word) <= 6 and not word.islower() and not word.istitle())
        or (
            "-" in word
            and not word.lower().startswith(("per-", "over-"))
            and all(
                _plain(part, subjects) and part.lower() not in ORDINALS for part in word.split("-") if part
            )
        )
    )


def _blanked(text: str) -> str:
    """The text with "#" in the place of each number, and with names of methods as one word."""
    chars = list(_METHODS.sub(lambda match: match[0].replace(" ", "-"), text))
    for number in numbers_in(text):
        if not number.label:
            chars[number.start : number.end] = "#".ljust(number.end - number.start)
    return "".join(chars)


def _states(part: str) -> bool:
    """Whether words state something of their own: they have a verb of their own beside a number."""
    return (
        any(not n.label and n.unit for n in numbers_in(part))
        and bool(
            re.search(
                r"(?i)\b(?:is|are|was|were|has|have|reach\w*|lies?|amounts?|equals?|shows?|becomes?|of)\b",
                part,
            )
        )
        and not points_back(part)
    )


def _acts(part: str) -> bool:
    """Whether words hold a verb."""
    return any(word.lower() in _FINITE for word in re.findall(r"[A-Za-z]+", part))


def _count(word: str) -> int | None:
    names = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
    return ORDINALS.get(word.lower(), names.get(word.lower(), int(word) if word.isdigit() else None))


def defined(plain: str, spoken_words: str) -> tuple[Saying, ...]:
    """What the paper defines anywhere of the nouns that a phrase uses: "All widths are half widths at half maximum"."""
    heads = {
        word.lower()[:4]
        for word in re.findall(r"[A-Za-z][\w-]*", spoken_words)
        if HEAD.match(word) and len(word) > 3
    }
    return tuple(dict.fromkeys(saying for head, saying in _definitions(plain) if head in heads))


@lru_cache(maxsize=4)
def _definitions(plain: str) -> tuple[tuple[str, Saying], ...]:
    """(the beginning of the noun, what is said of it) of every sentence of a paper that defines one."""
    places = {
        sentence_of(plain, match.start(), match.end())
        for match in islice(_DEFINES.finditer(plain), _MOST_DEFINED)
    }
    found = []
    for low, high in sorted(places):
        sentence = plain[low:high]
        named = [word for word in re.findall(r"[A-Za-z][\w-]*", sentence)[:_SUBJECT] if HEAD.match(word)]
        if named:
            found += [
                (named[0].lower()[:4], saying) for saying in claims_of(sentence) if saying.kind in _DEFINABLE
            ]
    return tuple(found)


def claims_of(words: str) -> tuple[Saying, ...]:
    """What words without a number claim: of a caption, or of a column's name."""
    return tuple(
        Saying(kind=part.kind, value=part.value, words=" ".join(part.words.split()))
        for part in _claims(words)
    )


def subjects_of(*texts: str) -> frozenset[str]:
    """The words that name a paper's bodies: of its title and its captions, but those that modify what is drawn there."""
    found, modifying = set(), set()
    for text in texts:
        words = [match[0] for match in _TOKEN.finditer(readable(text))]
        for place, word in enumerate(words):
            if _WORD.match(word) and len(word) > 2:
                found.add(word.lower())
            while (
                HEAD.match(word)
                and place
                and _WORD.match(words[place - 1])
                and words[place - 1].lower() not in STOPS
            ):
                place -= 1
                modifying.add(words[place].lower())
    return frozenset(found - modifying)


@lru_cache(maxsize=8)
def divided_by(plain: str) -> frozenset[str]:
    """The sizes, "radius" or "diameter", that a paper says that its cross-sections or efficiencies are divided by."""
    return frozenset(
        "diameter" if match["twice"] else match["size"].lower() for match in _OVER_SIZE.finditer(plain)
    )
