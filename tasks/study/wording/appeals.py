"""Appeals to what others found that no reference carries: unnamed studies, names without a year, years in other forms.

"Studies have shown", "as Smith has long argued", "Nielsen ('19)", "ibid.", "Smith¹", ISO 9241: each is a reference, and stands
only where the same sentence cites a work that was given, or the user's own text has its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.prose.comparing import sentences
from tasks.study.wording.placeholders import PLACEHOLDER, plain_text

_SAID = (
    r"(?:found|finds?|show(?:s|ed|n)?|report(?:s|ed)?|argue[sd]?|claim(?:s|ed)?|demonstrate[sd]?|observe[sd]?|"
    r"suggest(?:s|ed)?|"
    r"propose[sd]?|conclude[sd]?|describe[sd]?|confirm(?:s|ed)?|establish(?:es|ed)?|agree[sd]?|indicate[sd]?|reveal(?:s|ed)?|"
    r"document(?:s|ed)?|prove[sdn]?|support(?:s|ed)?|point(?:s|ed)?|hold[s]?|maintain(?:s|ed)?|predict(?:s|ed)?|tell[s]?|"
    r"know[ns]?|consistent)"
)
_WORKS = (
    r"(?:stud(?:y|ies)|research|work|experiments?|papers?|articles?|meta-?analys[ei]s|surveys?|literature|reviews?|"
    r"trials?|"
    r"findings|evidence|investigations?)"
)
_NAME = (
    r"(?!(?:Holm|Welch|Student|Fisher|Cohen|Cronbach|Krippendorff|Likert|Mann|Whitney|Wilcoxon|Kruskal|Wallis|Friedman|"
    r"Cochran|"
    r"McNemar|Spearman|Pearson|Kendall|Shapiro|Wilk|Bonferroni|Tukey|Greenhouse|Geisser|Levene|Johansen|Hedges|Bayes|Fleiss|"
    r"Latin|Figure|Table|Section|Appendix|Hypothes\w+|The|This|These|Our|Each|It|They|January|February|March|April|May|June|July|"
    r"August|September|October|November|December)\b)[A-Z\u00c0-\u00de][\w'\u2019-]+"
)
_YEAR = r"(?:18|19|20)\d\d"
_PATTERNS = tuple(
    re.compile(words)
    for words in (
        rf"\b(?i:previous|prior|earlier|past|recent|many|several|numerous|various|other|most|countless|existing|related|published|classic|"
        rf"seminal|a (?:recent|large|classic|well-known|famous|meta)[\w-]*|much|all|some)\s+(?:[\w-]+\s+){{0,2}}?(?i:{_WORKS})\b"
        rf"(?:\s+[\w-]+){{0,6}}?\s+(?i:{_SAID})\b",
        rf"\b(?i:studies|researchers|scientists|scholars|experts|psychologists|the literature|research|science|meta-?analyses)\s+"
        rf"(?:(?i:have|has|had|consistently|repeatedly|often|generally|clearly|long|\w+ly)\s+){{0,3}}(?i:{_SAID})\b",
        r"\b(?i:it (?:is|was|has been) (?:\w+ly )?(?:well[- ])?(?:known|established|documented|shown|accepted|demonstrated|"
        r"proven|agreed))"
        r"\s+(?i:that|in the literature)\b",
        r"\b(?i:as is (?:well )?known|it is common knowledge|a well-known (?:finding|result|fact|effect|phenomenon))\b",
        rf"\b(?:[Aa]ccording to|[Ff]ollowing|[Cc]f\.?|[Pp]er|[Cc]ontra|[Pp]ace|[Bb]uilding on|[Ii]nspired by|[Cc]iting|"
        rf"[Qq]uoting) {_NAME}",
        rf"\b[Aa]s {_NAME}(?: (?:and|&) {_NAME})? (?:(?:has|have|had|once|\w+ly|long|already)\s+){{0,3}}(?i:{_SAID}|puts?|wr(?:o|"
        rf"i)tes?)\b",
        rf"\b[Ss]ee (?:also )?{_NAME}(?: (?:and|&) {_NAME})?",
        rf"\b(?i:works?|stud(?:y|ies)|papers?|experiments?|theor(?:y|ies)|models?|frameworks?|heuristics|books?|articles?|"
        rf"reviews?) "
        rf"(?:by|at) {_NAME}(?: (?:and|&|et) {_NAME})?",
        rf"\b{_NAME}(?:['\u2019]s|s['\u2019]) (?:\w+ ){{0,2}}?(?i:works?|stud(?:y|ies)|papers?|experiments?|theor(?:y|ies)|models?|"
        r"frameworks?|heuristics|books?|articles?|reviews?|findings)\b",
        rf"\b{_NAME},? \(?['\u2019\u2018]\d\d\)?(?!\w)",
        rf"\b{_NAME},? \(?M?C?M[CDXLVI]+\b",
        rf"\b{_NAME},? {_YEAR}[a-z]\b",
        rf"\b(?:[Tt]he|[Aa]n?|[Tt]heir|[Hh]is|[Hh]er) {_YEAR} (?i:papers?|articles?|experiments?|meta-?analysis|reviews?|"
        rf"books?)\b",
        rf"\b[A-Z][A-Za-z]*[A-Z]+ ?(?:{_YEAR}|['\u2019]\d\d)\b",
        r"\b(?i:ibid|op\.? ?cit|loc\.? ?cit|ebd|a\.? ?a\.? ?O)\b",
        rf"\b{_NAME},? (?:and others|[ue]\.? ?a\.|\[Online\])",
        rf"(?m)^\s*\[?\d+[.\])]? {_NAME},? [A-Z]\b",
        r"\b(?:(?:EN |DIN |ETSI )?ISO(?:/IEC)?|IEC|IEEE(?: Std)?|RFC|ITU-T|[Pp]atent(?: no\.?)?|W3C)[ -]?[A-Z]{0,2}\.?\d[\d.:/-]*",
        r"https?://[^\s)\]]+",
    )
)
_NONE = re.compile(
    r"\b(?:no|not|neither|nor|never|without|whether|if|future|further|nothing|nobody|would|could|may|might|"
    r"should)\b"
    r"(?:\s+[\w-]+){0,6}\s*\Z",
    re.IGNORECASE,
)
_RAISED = re.compile(r"\w{4,}[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+")
_SHORT = re.compile(r"\b([Cc]f|op|loc|u|a|n|\d{1,3})\.\s+(?=[\w&])")
_OF_TITLE = re.compile(r"!\[[^\]]*\]\([^)]*\)")


def appeals(text: str, cited: Iterable[str], told: str) -> list[str]:
    """What of a text appeals to work of others without a reference. cited: keys that may be; told: what the user wrote."""
    keys, known, found = {*cited}, " ".join(told.split()).casefold(), []
    for sentence in sentences(_SHORT.sub(r"\1 ", _OF_TITLE.sub(" ", text))):
        if any(
            key.strip().lstrip("@") in keys
            for group in re.findall(r"\[@([^\]]+)\]", sentence)
            for key in group.split(";")
        ):
            continue
        raw = PLACEHOLDER.sub(" ", sentence)
        found += [match[0] for match in _RAISED.finditer(raw)]
        for pattern in _PATTERNS:
            for match in pattern.finditer(plain_text(raw)):
                words = " ".join(match[0].split())
                if (
                    words.casefold() in known
                    or _told(words, known)
                    or _NONE.search(match.string[: match.start()])
                ):
                    continue
                found.append(words)
    return list(dict.fromkeys(found))


def _told(words: str, known: str) -> bool:
    """Whether the user's own text has the name and the year that stand there."""
    names = re.findall(r"\b[A-Z][\w'\u2019-]+", words)
    years = re.findall(_YEAR, words)
    return bool(names or years) and all(
        name.removesuffix("'s").casefold() in known for name in (*names, *years)
    )
