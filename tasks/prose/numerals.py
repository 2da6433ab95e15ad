"""Numbers in words that measure: multiples, shares, percentages, amounts with a unit, decimals that are spelled out.

One to twelve may count things ("two programs"). Names of things are no results: a quarter-wave film, a twofold axis, the
zero-order beam (`TERMS`).
"""

from __future__ import annotations

import re

SMALL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
LARGE = (
    "thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fourty|fifty|sixty|seventy|"
    "eighty|ninety|hundreds?|thousands?|millions?|billions?|trillions?|dozens?|scores? of|myriads?"
)
_UNITS = (
    "times|fold|percent|per cent|percentage points?|per mille|orders?|seconds?|minutes?|hours?|milliseconds?|"
    "microseconds?|nanoseconds?|nanomet(?:er|re)s?|micromet(?:er|re)s?|micron|microns|met(?:er|re)s?|degrees?|"
    "bytes?|kilobytes?|megabytes?|gigabytes?|hertz|volts?|watts?|joules?|dB|decibels?|thirds?|quarters?|fifths?|"
    "sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?|thousandths?|halves"
)
_CIPHER = rf"(?:{SMALL}|zero|nought|oh)"
SPELLED = (
    (
        re.compile(
            rf"\b(?:(?:{_CIPHER}|{LARGE}|minus)[\s-]+point[\s-]+{_CIPHER}|point[\s-]+(?:zero|nought|oh)|"
            rf"point[\s-]+{_CIPHER}[\s-]+{_CIPHER})\b",
            re.IGNORECASE,
        ),
        "a decimal in words",
    ),
    (re.compile(rf"\bminus[\s-]+(?:{SMALL}|zero)\b", re.IGNORECASE), "a number in words"),
    (
        re.compile(
            rf"\bfactors?[\s-]+of[\s-]+(?:about |nearly |almost |some )?(?:{SMALL}|{LARGE})\b", re.IGNORECASE
        ),
        "a multiple in words",
    ),
    (
        re.compile(
            rf"\b(?:{SMALL}|{LARGE})[\s-]+(?:in|out[\s-]+of)[\s-]+(?:every[\s-]+)?(?!one\b)(?:{SMALL}|{LARGE})\b",
            re.IGNORECASE,
        ),
        "a share in words",
    ),
)
"""Numbers wherever they stand: one point nine, minus two, a factor of ten, nine in ten."""
MULTIPLES = (
    (
        re.compile(
            rf"\b(?:{SMALL}|several|many|multi)-?fold\b|\b(?:ten|hundred|thousand|million)-?fold\b",
            re.IGNORECASE,
        ),
        "a multiple in words",
    ),
    (
        re.compile(
            r"\b(?:twice|thrice|doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|quadrupl(?:e|es|ed|ing)|quintupl\w+|"
            r"halv(?:e|es|ed|ing))\b(?![\s-]*(?:precision|buffer|check|blind|loop|nested))",
            re.IGNORECASE,
        ),
        "a multiple in words",
    ),
)
_SOME = f"{SMALL}|half|single|several|some|many|multiple|few|couple of|handful of|number of"
_SCORES = (
    r"points?|units?|levels?|notch(?:es)?|marks?|grades?|stars?|places?|ranks?|positions?|digits?|nines|decades?|"
    r"octaves?|"
    r"sigmas?|standard (?:deviations?|errors?)|lengths?|counts?|ticks?|cycles?|bits?|decimals?|percentiles?|folds?|"
    r"whiskers?|"
    r"hairs?|margins?|steps?|classes|leagues?|magnitudes?|times"
)
_CHANGED = (
    r"improv\w*|better\w*|accelerat\w*|reduc\w*|rais\w*|lower\w*|increas\w*|decreas\w*|cuts?|cutting|drop\w*|falls?|"
    r"fell|"
    r"rises?|rose|grow\w*|grew|gain\w*|w[io]n\w*|beats?|beaten|outperform\w*|ahead|behind|leads?|led|surpass\w*|exceed\w*|"
    r"faster|slower|higher|smaller|larger|closer|worse|shorter|longer|fewer|less|more|cheaper|quicker|boost\w*|"
    r"sped up|speeds? up|slow\w*|shr[aiu]nk\w*|differ\w*|off|outp\w+|improvements?"
)
MEASURING = (
    *SPELLED,
    *MULTIPLES,
    (re.compile(rf"\b(?:{LARGE})\b", re.IGNORECASE), "a number in words"),
    (
        re.compile(
            rf"\b(?:{SMALL}|zero|half)[\s-]+(?:and[\s-]+a[\s-]+half[\s-]+)?(?:{_UNITS})\b", re.IGNORECASE
        ),
        "a measured amount in words",
    ),
    (
        re.compile(
            r"\b(?:half|(?:one|a) half|a third|two thirds|three quarters|a quarter|a (?:fif|ten)th)\s+(?:of|the|as|that)\b",
            re.IGNORECASE,
        ),
        "a share in words",
    ),
    (
        re.compile(
            rf"\b(?:gains?|speed-?ups?|factors?|improvements?|reductions?|savings?|ratios?|errors?|advantages?)\s+"
            rf"(?:of|is|was|by|reached|equals|near|about|nearly|almost)?\s*(?:about |nearly |almost )?(?:{SMALL}|zero)\b"
            r"(?!\s+(?:of\s+)?(?:the\s+|these\s+)?[a-z-]+)",
            re.IGNORECASE,
        ),
        "an amount in words",
    ),
    (
        re.compile(
            rf"\bfactor (?:{SMALL})\b|\b(?:improved|accelerated|reduced|sped up|raised|lowered|slowed) by "
            rf"(?:{SMALL})\b(?!\s+[a-z-]+s\b)",
            re.IGNORECASE,
        ),
        "an amount in words",
    ),
    (
        re.compile(
            r"\b(?:in|by) half\b|\bhalf (?:its|their|his)\b|\b(?:to|in) (?:a|one) (?:third|quarter|fifth|tenth)"
            r"(?=\s*(?:[.,;:)]|\Z)|\s+of\b)|"
            r"\ba (?:third|quarter|fifth|tenth) (?:less|more|faster|slower|lower|higher|better|worse)\b|"
            r"\bquarter(?:ed|s the)\b|\bas (?:fast|slow|much|many|large|small) again\b|\bonce again as\b",
            re.IGNORECASE,
        ),
        "a share in words",
    ),
    (
        re.compile(
            rf"\b(?:an?|one) order (?:faster|slower|better|worse|lower|higher|smaller|larger)\b|"
            rf"\b(?:{SMALL})[\s-]to[\s-]one\b",
            re.IGNORECASE,
        ),
        "a size in words",
    ),
    (
        re.compile(
            rf"\b(?:{_CHANGED})\b(?:\s+[\w-]+){{0,4}}?\s+by\s+(?:\w+ly |some |about |almost |up to |at least |more than |"
            rf"over )?(?:an? )?(?:{_SOME})\b"
            rf"(?:\s+(?:an? )?(?:{_SCORES})\b|(?!\s+[a-z-]+))|\b(?:{SMALL}|{_SOME})[\s-]+(?:\w+[\s-]+)?(?:{_SCORES})\b"
            r"(?=\s+(?:of\s+\w+\s+)?(?:(?:or\s+)?more|less|fewer|faster|slower|better|worse|lower|higher|smaller|larger|closer|ahead|"
            r"behind|below|above|up|down|in\s+front)\b)",
            re.IGNORECASE,
        ),
        "an amount in words",
    ),
    (
        re.compile(
            r"\b(?:several|many|multiple|countless|manifold|numerous|umpteen|a few|a couple of|some|a number of)[\s-]+"
            r"(?:times|fold|orders|percent|percentage\s+points?)\b(?=\s+(?:as|more|less|fewer|\w+er|the|that|over|than|its|what)\b|"
            r"\s*(?:[.,;:)]|\Z))|\bmany-?fold\b|\bseveral-?fold\b|\bmanifold (?=gain|improvement|speed)|"
            r"\b(?:an? )?(?:tiny |small |mere |minute |minor )?(?:fractions?|multiples?|slivers?) of "
            r"(?=(?:the|its|their|what|that|our|a) )(?:\w+ )?(?!cells?|field|grid|memory)(?:\w+)",
            re.IGNORECASE,
        ),
        "an amount in words",
    ),
    (re.compile(r"\borders? of magnitude\b", re.IGNORECASE), "a size in words"),
    (
        re.compile(
            r"(?<!\x01 )(?<!\bmany )\btimes\s+(?:faster|slower|larger|smaller|higher|lower|better|worse|fewer|"
            r"(?:as|more|less)\s+(?:fast|slow|many|much|large|small|long|high|low|accurate|time|memory|work)\w*)\b",
            re.IGNORECASE,
        ),
        "a multiple without its number",
    ),
    (re.compile(r"\bpercent\b|\bper cent\b|%", re.IGNORECASE), "a percentage without its number"),
    (re.compile(r"\b[IVXLCDM]+[\s-]*(?:times|fold|percent)\b"), "a Roman number"),
)
# orders are no term beside words that compare: "better by two orders of diffraction"
_NO_RESULT = (
    r"(?!\s+(?:of\s+|in\s+)?(?:more|less|fewer|faster|slower|better|worse|lower|higher|smaller|larger|closer|below|"
    r"above|improvements?|gains?|speed|speed-?ups?|reductions?|increases?|decreases?)\b)"
)
TERMS = re.compile(
    r"\b(?:half|quarter|full|third|eighth)(?:[\s-](?:half|quarter|full))*[\s-]wave(?:s|length|lengths|plates?)?\b"
    r"|\b(?:half|quarter|full)(?:-(?:half|quarter|full)){1,6}\b(?!\s+(?:of|the|as|that)\b)"
    r"|\b(?:a\s+)?(?:half|quarter)\s+(?:of\s+)?(?:a|an|the|its)\s+(?:[a-z]+\s+)?wave(?:length)?\s+(?:thick|deep|high)\b"
    rf"|\b(?:{SMALL})-?fold\s+(?:(?:rotation(?:al)?\s+)?(?:symmetry|symmetries|axis|axes)|degenera(?:te|cy|cies)|cross-validation)\b"
    rf"|\bzero-order\b|(?<!\bby )\b(?:{SMALL})\s+orders?\s+of\s+(?:diffraction|interference)\b{_NO_RESULT}"
    r"|\b(?:double|triple)[\s-]+(?:layers?|slits?|pass(?:es)?|sided|wells?|integrals?|sums?|heterostructures?)\b"
    r"|\b(?:period|frequency)[\s-]doubl(?:ing|er)\b|\b(?:period|frequency)-doubled\b",
    re.IGNORECASE,
)
