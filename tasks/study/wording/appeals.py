"""Appeals to what others found that no reference carries: unnamed studies, names without a year, years in other forms.

"Studies have shown", "as Smith has long argued", "Nielsen ('19)", "ibid.", "Smith¹", ISO 9241: each is a reference, and stands
only where the same sentence cites a work that was given, or the user's own text has its words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from tasks.prose.comparing import sentences
from tasks.prose.no_finding_words import ABOUT_US, KNOWN
from tasks.study.wording.outside import from_outside
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
    r"findings|evidence|investigations?|polls?)"
)
_NAME = (
    r"(?!(?:Holm|Welch|Student|Fisher|Cohen|Cronbach|Krippendorff|Likert|Mann|Whitney|Wilcoxon|Kruskal|Wallis|Friedman|"
    r"Cochran|"
    r"McNemar|Spearman|Pearson|Kendall|Shapiro|Wilk|Bonferroni|Tukey|Greenhouse|Geisser|Levene|Johansen|Hedges|Bayes|Fleiss|"
    r"Latin|Figure|Table|Section|Appendix|Hypothes\w+|The|This|These|Our|Each|It|They|January|February|March|April|May|June|July|"
    r"August|September|October|November|December)\b)[A-Z\u00c0-\u00de][\w'\u2019-]+"
)
_YEAR = r"(?:18|19|20)\d\d"
_WHO = rf"(?:{_NAME}|[\u0410-\u042f][\u0430-\u044f\u0451]+|[\u4e00-\u9fff]{{2,4}})"
_TOLD = (
    rf"(?:{_SAID}|knew|saw|sees|says?|said|tells?|told|taught|teaches|thought|thinks?|believe[sd]?|wr(?:ites|ote|itten)|puts? it|"
    r"has it|had it|hold[s]?|held|note[sd]?|coined|foresaw|foreseen|dreamed|dreamt|warn(?:s|ed)|recommends?|recommended|insist(?:s|ed)|"
    r"remind(?:s|ed)|stated?|states|explain(?:s|ed)|replicate[sd]|introduce[sd]|discovered|invented|pioneered|"
    r"(?:lo |l['\u2019]a |ha |a )?(?:demostr\u00f3|mostr\u00f3|dice|dijo|encontr\u00f3|montr\u00e9|trouv\u00e9|dit|mostrato|trovato|"
    r"mostrou|disse|"
    r"encontrou)|\u043f\u043e\u043a\u0430\u0437\w+|\u043d\u0430\u0448[\u0435\u0451]?\u043b\w*|\u043f\u0438\u0448\u0435\u0442|\u0441\u0447\u0438\u0442\u0430\u0435\u0442)"
)
_FINDERS = r"(?:team|group|lab|laboratory|colleagues|school|institute|researchers|poll|survey|law|rules?|principles?|effect|heuristics)"
_ARTICLE = r"(?<!\bder )(?<!\bdie )(?<!\bdas )(?<!\bein )(?<!\bthe )(?<!\bThe )(?<!\bDie )(?<!\bDer )(?<!\bDas )(?<!\beine )"
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
        rf"\b(?:[Aa]ccording to(?: the)?|[Ff]ollowing|[Cc]f\.?|[Pp]er|[Cc]ontra|[Pp]ace|[Bb]uilding on|[Ii]nspired by|[Cc]iting|"
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
        r"https?://[^\s)\]]+|\bwww\.[^\s)\]]+|(?<![\w@./-])(?:[A-Za-z0-9-]+\.)+(?:org|com|net|edu|gov|io|eu|info|ac|int|dev|ai)\b"
        r"(?:/[^\s)\]]*)?",
        r"\b(?i:textbooks?|(?:common|conventional|received) wisdom|folklore)\b",
        r"\b(?i:echo\w*|replicat\w+|mirror\w*|in (?:line|keeping|agreement|accord) with|consistent with|agrees? with|contradict\w*) "
        r"(?i:(?:\w+ ){0,2}?"
        r"(?:literature|(?:earlier|previous|prior|past|known) (?:\w+ )?(?:findings?|effects?|results?|work|research|studies)))",
        rf"\b(?i:paper|article|piece|report) in {_NAME}|\bpers(?:onal|\.) comm",
        rf"\b[Tt]he [A-Z]{{2,}} (?:\w+ly )?{_TOLD}\b|\b(?i:was|were|is) {_NAME} (?:and {_NAME} )?(?i:who|that)\b",
        rf"\b{_NAME}(?:['\u2019]s|s['\u2019]) (?:\w+ )?{_FINDERS}\b|\b[Tt]he {_NAME} (?:team|group|lab|school|study|poll|survey)\b",
        rf"\b[Aa]n? {_NAME} (?:{_WORKS}|poll|report)\b|\b(?:{_FINDERS}|{_WORKS}|poll|report) (?:by|at|from|in) {_NAME} (?:\w+ )?{_TOLD}\b|"
        rf"\b(?i:team|group|researchers|colleagues|poll) (?:at|from|in) {_NAME}\b",
        rf"\b(?i:in the (?:spirit|tradition|sense|words|wake|footsteps) of|as in|owe\w* (?:\w+ ){{0,2}}to|"
        rf"goes back to|due to|credit\w* to) {_NAME}|\b(?:is|was) {_NAME}['\u2019]s\b",
        rf"\b(?i:laut|gem\u00e4\u00df|selon|d['\u2019]apr\u00e8s|seg\u00fan|secondo|segundo|volgens|\u0441\u043e\u0433\u043b\u0430\u0441\u043d\u043e|"
        rf"\u043f\u043e \u043c\u043d\u0435\u043d\u0438\u044e) {_WHO}|\b{_NAME} zufolge\b|"
        rf"[\u4e00-\u9fff]{{2,4}}(?:\u306b\u3088\u308c\u3070|\u306b\u3088\u308b\u3068|\u6307\u51fa|\u8ba4\u4e3a|\u53d1\u73b0)",
        rf"\b(?i:wie|zoals) {_NAME}\b|\b(?i:comme l['\u2019]a|come ha|como|\u043a\u0430\u043a) (?:\w+ ){{0,1}}?{_TOLD} {_WHO}|"
        rf"\b(?i:"
        rf"studie|arbeit|\u00e9tude|estudio|studio|estudo|onderzoek|"
        rf"\u0438\u0441\u0441\u043b\u0435\u0434\u043e\u0432\u0430\u043d\u0438\u0435) (?:von |de |di |van )?{_WHO}",
    )
)
_SPEAKS = re.compile(
    rf"{_ARTICLE}\b{_WHO},? (?:(?:has|have|had|would have|once|first|already|long|also|\w+ly) ){{0,3}}{_TOLD}(?!\w)"
)
"""A name that tells something; at a sentence's beginning many words look like one (`_ordinary`)."""
_LETTER = re.compile(r"\w")
_DAYS = frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
_NONE = re.compile(
    r"\b(?:no|not|neither|nor|never|without|whether|if|future|further|nothing|nobody|would|could|may|might|"
    r"should)\b"
    r"(?:\s+[\w-]+){0,6}\s*\Z",
    re.IGNORECASE,
)
_RAISED = re.compile(r"\b\w{4,}[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+")
_SHORT = re.compile(r"\b([Cc]f|op|loc|u|a|n|\d{1,3})\.\s+(?=[\w&])")
_OF_TITLE = re.compile(r"!\[[^\]]*\]\([^)]*\)")


def appeals(text: str, cited: Iterable[str], told: str, about: str = "") -> list[str]:
    """What of a text appeals to work of others without a reference. cited: keys that may be; told: what the user wrote; about: what
    the design is made of, whose words may be said to show something."""
    keys, known, found = {*cited}, " ".join(told.split()).casefold(), []
    ordinary = {*re.findall(r"\b[^\W\d_]+\b", f"{plain_text(text)} {told}")}
    ours = {word.lower() for word in re.findall(r"[^\W\d_]+", f"{told} {about}")}
    for sentence in sentences(_SHORT.sub(r"\1 ", _OF_TITLE.sub(" ", text))):
        if any(
            key.strip().lstrip("@") in keys
            for group in re.findall(r"\[@([^\]]+)\]", sentence)
            for key in group.split(";")
        ):
            continue
        raw = PLACEHOLDER.sub(" ", sentence)
        found += [match[0] for match in _RAISED.finditer(raw)]
        plain = plain_text(raw)
        clauses = [(match, pattern) for pattern in (*_PATTERNS, _SPEAKS) for match in pattern.finditer(plain)]
        for match, pattern in [*clauses, *((match, None) for match in from_outside(plain, raw, ours))]:
            words = " ".join(match[0].split())
            if (
                words.casefold() in known
                or _told(words, known)
                or (pattern is _SPEAKS and _ordinary(match, ordinary))
                or _NONE.search(match.string, max(0, match.start() - 150), match.start())
            ):
                continue
            found.append(words)
    return list(dict.fromkeys(found))


def _ordinary(match: re.Match[str], words: Collection[str]) -> bool:
    """Whether what looks like a name is none: a thing of the study, or a sentence's first word that stands elsewhere without a
    capital, too, or is an adverb."""
    first = re.match(r"[^\W\d_]+", match[0])
    if (
        first is None
        or first[0].lower() in KNOWN | ABOUT_US
        or first[0] in _DAYS
        or re.match(r"\w*\d", match[0])
    ):
        return True
    if _LETTER.search(match.string, 0, match.start()):
        return False
    return first[0] != first[0].lower() in words or first[0].endswith(("ly", "ing", "ever"))


def _told(words: str, known: str) -> bool:
    """Whether the user's own text has the name and the year that stand there."""
    names = re.findall(r"\b[A-Z][\w'\u2019-]+", words)
    years = re.findall(_YEAR, words)
    return bool(names or years) and all(
        name.removesuffix("'s").casefold() in known for name in (*names, *years)
    )
