"""Results that a paper states without a numeral: "a reflectance of unity", "a perfect absorber", "sixfold", "a fifth of the light"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.reproduce.words.clauses import clause_of, processes_of
from schemas.reproduce.words.unclaimed import unclaimed
from schemas.reproduce.words.written import Written

_SOME = r"(?:(?:nearly|almost|virtually|practically|about|close\s+to)\s+)?"
_OF_LIGHT = (
    r"(?:of\s+)?(?:the\s+|its\s+)?(?:(?:incident|incoming|visible|infrared|red|green|blue|white)\s+)?"
    r"(?:light|power|energy|radiation)\b"
)
_TIMES = {
    word: times
    for times, words in {
        2: "two twice double doubles",
        3: "three triple triples",
        4: "four quadruples",
        5: "five",
        6: "six",
        7: "seven",
        8: "eight",
        9: "nine",
        10: "ten",
        12: "twelve",
        20: "twenty",
        100: "hundred",
        1000: "thousand",
    }.items()
    for word in words.split()
}
_PARTS = {
    "half": 1 / 2,
    "third": 1 / 3,
    "quarter": 1 / 4,
    "fifth": 1 / 5,
    "sixth": 1 / 6,
    "eighth": 1 / 8,
    "tenth": 1 / 10,
}
_QUANTITY = (
    r"(?:reflect|transmi|absor|effici|emissi|emit|enhanc|field|intensit|quality|signal|power|scatter)\w*"
)
_WHOLE = re.compile(
    rf"(?i)\b(?:reflect|transmi|absor)\w*\b[^.;,]{{0,30}}?\b(?:of|is|reaches|to|equals)\s+{_SOME}unity\b|"
    r"\b(?:is|are|acts\s+as|becomes|forms|makes)\s+an?\s+(?:perfect|complete|total|ideal)\s+(?:mirror|reflector|absorber|transmitter)\b|"
    r"\b(?:reaches|attains|achieves?|shows)\s+(?:perfect|complete|total)\s+(?:reflection|absorption|transmission)\b"
)
_FOLD = re.compile(
    rf"(?i)\b(?P<times>{'|'.join(_TIMES)})[\s-]?fold\b|\b(?P<verb>doubles|triples|quadruples)\s+(?:the|its)\s+(?={_QUANTITY})"
)
_SHARE = re.compile(rf"(?i)\b(?:an?|one)\s+(?P<part>{'|'.join(_PARTS)})\s+{_OF_LIGHT}")
_NAMES = re.compile(rf"(?i)\b{_QUANTITY}")
_NO_RESULT = re.compile(
    r"(?i)\b(?:symmetr\w+|degenera\w+|rotation\w*|like|as\s+an?|internal|if|electric|magnetic)\b"
)


def told_in_words(plain: str) -> Iterator[tuple[Written, str]]:
    """(the number that the words mean, what happens to the light) of each. plain: as `written.readable` leaves it."""
    for form in (_WHOLE, _FOLD, _SHARE):
        for match in form.finditer(plain):
            low, high = clause_of(plain, match.start(), match.end())
            clause = plain[low:high]
            if _NO_RESULT.search(clause) or unclaimed(
                plain[low : match.start()], plain[low : match.start()], plain[match.end() : high]
            ):
                continue
            if form is _WHOLE:
                value, own = (
                    1.0,
                    match[0]
                    .lower()
                    .replace("mirror", "reflector")
                    .replace("absorber", "absorbs")
                    .replace("reflector", "reflects"),
                )
            elif form is _FOLD:
                if not _NAMES.search(clause):
                    continue
                value, own = float(_TIMES[(match["times"] or match["verb"]).lower()]), ""
            else:
                value, own = _PARTS[match["part"].lower()], clause
            found = set(processes_of(own))
            if form is _SHARE and not found:
                continue
            yield (
                Written(value, value, "1", 0.1 * value, match.start(), match.end()),
                found.pop() if len(found) == 1 else "",
            )
