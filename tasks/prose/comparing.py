"""Words that compare (faster, lower, no difference), whether they are denied, and whether a sentence only asks."""

from __future__ import annotations

import re
from typing import Literal

Compared = Literal["better", "worse", "differs", "lower", "higher", "no_difference"]
SPOKEN: tuple[tuple[Compared, str], ...] = (
    (
        "no_difference",
        r"no (?:measurable |significant |real )?difference|(?:do|does|did) not differ|indistinguishable|"
        r"(?:inside|within) the noise|(?<!times )as (?:fast|slow|good|bad) as|the same (?:speed|time|value) as|equal to|"
        r"equivalent to|on (?:a )?par with|(?:matches|matched|equals|equalled)(?=\s+\x01)|as efficient as",
    ),
    (
        "better",
        r"faster|quicker|speedier|better|improve[sd]?|improving|outperform(?:s|ed)?|outd(?:oes|id)|beats?|wins? over|"
        r"won over|superior to|ahead of|sped up|speeds? up|helped|paid off|"
        r"swifter|leaner|cheaper|more efficient|preferable to|surpass(?:es|ed)?|trump(?:s|ed)|"
        r"eclipse[sd]|(?:tops|topped|bests|bested|leads|led)(?=\s+\x01)|(?:saves?|saved) time|accelerate[sd]?|"
        r"accelerating|"
        r"boost(?:s|ed)?|defeat(?:s|ed)?|overtakes?|overtook|overtaken|dominate[sd]?|dwarf(?:s|ed)|excel(?:s|led)|"
        r"out(?:pace|run|ran|strip|class|shine|shone|rival|smart|last|match|score)(?:s|d|es|ed|ped)?|"
        r"(?:brought|bought|won|gave) a (?:significant |clear |real )?(?:factor|gain|speed-?up)",
    ),
    (
        "worse",
        r"slower|worse|inferior to|(?:lags?|fell|falls?|is|lies) behind|los(?:es|t) to|loses? against|degrade[sd]?|"
        r"(?:worsen|deteriorate|regress|trail|underperform)(?:s|d|ed|es)?|(?:hurts?|harms?|harmed)(?=\s)|"
        r"slows? down|slowed down",
    ),
    (
        "differs",
        r"significant(?:ly)?(?: and \w+)? (?:differen(?:t|ce)|effect)|(?:clear|real|measurable) difference|"
        r"(?:differs?|differed) (?:\w+ly )?from|"
        r"significant(?:ly)? (?:gain|improvement|advance)|statistically significant",
    ),
    (
        "lower",
        r"lower|smaller|less|shorter|fewer|reduce[sd]?|lowered|decrease[sd]?|"
        r"undercuts?|(?:is|are|was|were|lies|lay) (?:\w+ly )?(?:below|under)(?=\s+\x01)",
    ),
    (
        "higher",
        r"higher|larger|greater|longer|increase[sd]?|raise[sd]?|"
        r"(?:exceeds?|exceeded|(?:is|are|was|were|lies|lay) (?:\w+ly )?above)(?=\s+\x01)",
    ),
)
WORDS = tuple((kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for kind, words in SPOKEN)
THAN = re.compile(r"\b(?:than|over|beyond)\b", re.IGNORECASE)
# a question, or what somebody expected beforehand; no comma and no "and saw" may stand between it and what compares
_ASKED = re.compile(
    r"(?<!\bas )\b(?:whether(?! or not,?\s)|(?:we|one|i) (?:had )?(?:expected|hypothesi[sz]ed|hoped))\b"
    r"(?:(?!\b(?:and|but|found|saw|seen|measured|confirmed)\b)[^,;:()—–])*\Z",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:no|not|never|neither|nor|hardly|cannot|without|fail(?:s|ed)? to)\s+(?:[a-z]+\s+){0,2}\Z",
    re.IGNORECASE,
)


def asked(before: str) -> bool:
    """Whether what follows these words of a sentence is asked or was expected, not stated."""
    return bool(_ASKED.search(before))


def denied(before: str) -> bool:
    """Whether what follows these words of a sentence is denied."""
    return bool(_NOT.search(before))


def sentences(text: str) -> list[str]:
    """A paragraph's sentences, each with the space behind it, so that joining gives the paragraph."""
    return re.findall(r".+?(?:[.!?](?=\s|\Z)\s*|\Z)", text, re.DOTALL)
