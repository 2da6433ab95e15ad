"""Clauses that attribute something to somebody outside the study: who says it need not be known by name.

Who finds, argues or holds something is of the study (participants, tests, what the design names) or else stands outside; what is
known, believed or has been shown, without a word of by whom, is outside, too; so are theories, laws and works by a name or title.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tasks.prose.no_finding_words import ABOUT_US, KNOWN

_METHODS = frozenset(
    """holm welch student fisher cohen cronbach krippendorff likert mann whitney wilcoxon kruskal wallis friedman cochran mcnemar
    spearman pearson kendall shapiro wilk bonferroni tukey greenhouse geisser huynh feldt levene johansen hedges bayes fleiss latin
    mauchly dunn glass mcdonald poisson gauss gaussian markov monte carlo brier gower figure table section appendix hypothesis
    hypotheses monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december english german french spanish italian dutch chinese japanese american british european markdown python
    scipy numpy pandas statsmodels matplotlib r spss stata jasp prolific qualtrics limesurvey android ios windows linux""".split()
)
_ADVERBS = r"(?:(?:has|have|had|would have|once|first|already|long|also|always|often|never|even|both|all|then|too|\w+ly) ){0,3}"
_STRONG = (
    r"(?:argue[sd]?|contend(?:s|ed)?|posit(?:s|ed)?|theori[sz]e[sd]?|postulate[sd]?|warn(?:s|ed)?|maintain(?:s|ed)? that|claim(?:s|ed)?|"
    r"demonstrate[sd]?|coined|pioneered|foresaw|insist(?:s|ed)? that|assert(?:s|ed)?|champion(?:s|ed)?|advocate[sd]?|"
    r"(?:hold|believe|maintain|think|teach|taught|predict|explain|recommend)s? that)"
)
_ANY = (
    rf"(?:{_STRONG}|f[oi][ui]?nds?|show(?:s|ed|n)?|report(?:s|ed)?|observe[sd]?|suggest(?:s|ed)?|propose[sd]?|conclude[sd]?|"
    r"describe[sd]?|confirm(?:s|ed)?|establish(?:es|ed)?|(?:dis)?agree[sd]?|indicate[sd]?|reveal(?:s|ed)?|document(?:s|ed)?|"
    r"prove[sdn]?|support(?:s|ed)?|points?|pointed|holds?|held|predict(?:s|ed)?|tells?|told|knew|saw|says?|said|taught|teach(?:es)?|"
    r"thought|thinks?|believe[sd]?|wr(?:ites?|ote|itten)|puts?|has it|had it|note[sd]?|recommend(?:s|ed)?|remind(?:s|ed)|state[sd]?|"
    r"explain(?:s|ed)?|replicate[sd]?|introduce[sd]?|discovered|invented|calls?|called|made|makes?|favou?r(?:s|ed)?|yield(?:s|ed)?|"
    r"settled?|settles|disput(?:es?|ed)|contradict(?:s|ed)?|defin(?:es?|ed)|distinguish(?:es|ed)?|expect(?:s|ed)?|likes?)"
)
_WORK = (
    r"(?:work|works|stud(?:y|ies)|research|experiments?|findings?|results?|surveys?|trials?|papers?|articles?|reviews?|authors?|"
    r"investigations?|evidence|accounts?|theor(?:y|ies)|observations?|publications?|reports?|investigators|literature|scholarship|"
    r"meta-?analys[ei]s|polls?)"
)
_EARLIER = (
    r"(?:prior|previous|earlier|past|existing|related|published|comparable|similar|recent|influential|seminal|classic(?:al)?|famous|"
    r"well-(?:known|cited)|pioneering|original|subsequent|several|many|numerous|various|countless|other|most|large|landmark|"
    r"independent|industry|market|one|representative)"
)
_OUTSIDERS = (
    r"(?:researchers|scholars|scientists|experts|psychologists|linguists|practitioners|theorists|academics|authorities|economists|"
    r"sociologists|commentators|critics|insiders|analysts|historians|philosophers|engineers|designers|statisticians)"
)
_OUTSIDE = tuple(
    re.compile(words)
    for words in (
        rf"(?i)\b{_EARLIER}(?: [\w-]{{1,30}}){{0,2}}? {_WORK}\b(?! (?:is|was|are|were) (?:not )?(?:cited|searched|given|"
        rf"retrieved|known))",
        rf"(?i)\b{_OUTSIDERS}(?: [\w-]{{1,30}}){{0,3}}? {_ANY}\b",
        r"(?i)\b(?:stud(?:y|ies)|research|science|surveys|trials|experiments|polls|reports|meta-?analyses|the literature|the field|"
        rf"theory|common sense|the consensus|history|industry|guidelines|"
        rf"standards)(?: of [\w-]{{1,30}}(?: [\w-]{{1,30}})?)? {_ADVERBS}{_ANY}\b",
        rf"(?i)\bothers(?: before \w+| elsewhere| too)? {_ADVERBS}{_ANY}\b",
        r"(?i)\b(?:decades|years|centuries|a (?:large |growing |great |vast )?body|a wealth|plenty|much|lines?|volumes) of (?:\w+ )?"
        rf"{_WORK}\b",
        r"(?i)\b(?:ample|strong|growing|converging|considerable|mounting|solid|good|robust|there is|anecdotal|"
        r"empirical) (?:\w+ )?evidence\b",
        r"(?i)\b(?:scientific|expert|general|broad|growing|a|the) consensus\b|\bmeta-?analys[ei]s\b|\btext ?books?\b|"
        r"\bhandbooks?\b|\bpreprints?\b",
        rf"(?i)\b(?:a|one) (?:survey|poll|census|trial|panel|experiment|study|review) (?:among|of|in|with|by|at|"
        rf"from) (?:[\w-]{{1,30}} ){{1,6}}?{_ANY}\b",
        rf"(?i)\b(?:has|have) {_ADVERBS}been (?:\w+ly )?(?:argued|shown|considered|proposed|suggested|demonstrated|described|"
        r"established|linked|associated|called|criticised|criticized|noted|documented|seen as|regarded|thought|held|"
        r"believed|known|found)\b"
        r"(?! (?:here|by us|by code|in this|above|below))",
        r"(?i)\b(?:is|are|was|were) (?:widely|generally|commonly|often|usually|traditionally|typically|universally|well|long|broadly|"
        r"frequently|rightly|popularly) (?:known|believed|considered|thought|held|said|reported|regarded|agreed|accepted|understood|"
        r"recogni[sz]ed|argued|claimed|acknowledged|established|documented|seen)\b",
        r"(?i)\b(?:is|are) (?:known|believed|thought|held|said|reputed|reported|rumou?red|understood) (?:to|for|that)\b",
        r"(?i)\bit (?:is|was|has been) (?:\w+ly )?(?:well[- ])?(?:known|established|documented|shown|accepted|demonstrated|proven|agreed)"
        r"\s+(?:that|in the literature)\b|\b(?:as is (?:well )?known|it is common knowledge)\b",
        r"(?i)\ba well-known (?:finding|result|fact|effect|phenomenon)\b",
        r"(?:\A|[.;:]\s)Elsewhere\b|(?i:\b(?:found|shown|reported|seen|observed|described|published|demonstrated) elsewhere\b)",
        r"(?i)\baccording to (?!(?:the|our|its|this|their) (?:plan|protocol|design|test|tests|rules?|results?|data|code|participants|"
        r"model|schedule|order|condition|table|questionnaire|hypothes[ei]s)\b)(?:[\w-]{1,30} ){0,3}?[\w-]{1,30}",
        rf"(?i)\bas (?:[\w-]{{1,30}} ){{1,5}}?{_ADVERBS}(?:demonstrate|attest|testify|document|argue|claim|warn)(?:s|d|ed)?\b",
        r"(?i)\b(?:[\w-]{1,30} ){1,3}?theory\b (?=holds|says|predicts|tells|suggests|would|has it|explains|states|"
        r"implies|claims|argues|expects|posits)",
        r"(?i)\b(?:mirror|echo|replicat|extend|corroborat|reproduc|parallel|confirm|contradict|refut|"
        r"challeng)\w* (?:the|a|an|those|that|what|"
        rf"previous|earlier|prior)(?: [\w-]{{1,30}}){{0,3}}? (?:{_WORK}|of [A-Z])\b(?= (?:by|of|on|in|from|elsewhere)\b)",
        r"(?i)\b(?:doi|arxiv|isbn|issn|pmid|pmcid|bibtex)\b|(?<![\d.])10[. ]\d{4,9}\s?/",
    )
)
_BEFORE_NOUNS = frozenset("no any some which what to my his her your not cannot such more less".split())
_STRONGLY = re.compile(rf"(?<![\w'\u2019-])([^\W\d_][\w'\u2019-]*),? {_ADVERBS}{_STRONG}(?!\w)")
_NAME = r"[A-Z\u00c0-\u00de][^\W\d_][\w\u2019'-]*"
_NAMES = rf"{_NAME}(?:(?:,? (?:and|&|und|et|y) |, ){_NAME}){{0,6}}"
_NAMED = tuple(
    re.compile(words)
    for words in (
        rf"(?<![\w-]){_NAMES},? {_ADVERBS}{_ANY}(?!\w)",
        r"(?<![\w-])[A-Z\u00c0-\u00de][^\W\d_][\w-]*(?:['\u2019]s|(?<=s)['\u2019]) (?:[\w-]{1,30} ){0,2}?[a-z]{3,}",
        rf"\b(?:[Tt]he|[Aa]n?) {_NAME} (?:effect|law|illusion|model|theory|hypothesis|paradigm|paradox|principle|framework|bias|account|"
        r"study|studies|paper|experiment|survey|report|review|poll|team|group|lab|school|data ?base)s?\b",
        rf"\b(?i:following|after|per|cf\.?|see|see also|like|unlike|pace|contra|by|than|(?:lead|words|spirit|idea|ideas|work|works|one|"
        rf"that|those|account|method|approach|tradition|footsteps|view) of|due to|owed to|credited to|(?:work|research|team|colleagues)"
        rf" (?:at|from|in)) {_NAMES}",
        rf"\(\s*{_NAMES}\s*\)",
        rf"\b(?:is|was) {_NAME}(?:['\u2019]s|(?<=s)['\u2019])(?!\w)",
        rf"(?<=\S ){_NAME}(?: (?:(?:of|the|and|for|in|on|a|to|with) ){{0,2}}{_NAME}){{2,}}",
    )
)
_TITLES = re.compile(
    r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00bb\n]{8,160})[\"\u201d\u201c\u00bb]|(?<![*\w])\*([^*\n]{8,160})\*(?![*\w])|(?<![_\w])_([^_\n]{8,160})_(?![_\w])"
)
_WILL = re.compile(
    r"\W*(?:[\w-]{1,30} ){0,3}?(?:should|could|can|may|might|must|would|needs? to|need|will)\b", re.IGNORECASE
)


def from_outside(plain: str, raw: str, known: Collection[str]) -> Iterator[re.Match[str]]:
    """Each such clause of a sentence. plain: without markup; raw: as written; known: words, in small letters, that the user or the
    design has, which may be said to show, find or tell something."""
    for pattern in _OUTSIDE:
        for match in pattern.finditer(plain):
            if not _WILL.match(plain, match.end(), match.end() + 80):
                yield match
    for match in _STRONGLY.finditer(plain):
        word = match[1].lower().removesuffix("'s")
        if (
            word not in KNOWN | ABOUT_US | _BEFORE_NOUNS
            and word not in known
            and not word.endswith(("ly", "ing"))
        ):
            yield match
    for pattern in _NAMED:
        for match in pattern.finditer(plain):
            names = [name for name in re.findall(_NAME, match[0]) if not _is_ours(name, known)]
            if _starts(match) and names and names[0] == re.findall(_NAME, match[0])[0]:
                names = names[1:]  # a sentence's first word
            if names:
                yield match
    for match in _TITLES.finditer(raw):
        words = re.findall(r"[^\W\d_][\w'\u2019]*", match[1] or match[2] or match[3])
        large = [word for word in words[1:] if word[:1].isupper() and not _is_ours(word, known)]
        if len(words) > 2 and len(large) > 1:
            yield match


def _starts(match: re.Match[str]) -> bool:
    """Whether nothing stands before a name, so that any word has a large letter there."""
    first = re.search(_NAME, match[0])
    place = match.start() + (first.start() if first else 0)
    return not re.search(r"\w", match.string[:place][-200:])


def _is_ours(name: str, known: Collection[str]) -> bool:
    word = re.sub(r"['\u2019]s?\Z", "", name).lower()
    parts = word.split("-")
    return name.isupper() or all(
        part in _METHODS | ABOUT_US or part in KNOWN or part in known for part in parts
    )
