"""How a sentence states something of a test (confirmed, significant, no difference, lower), and what states nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tasks.prose.comparing import WORDS, asked
from tasks.study.wording.placeholders import PLACEHOLDER, plain_text

Claim = Literal[
    "shown",
    "not_shown",
    "confirmed",
    "refuted",
    "lower",
    "higher",
    "differs",
    "positive",
    "negative",
    "equivalent",
    "not_equivalent",
    "same",
]
"""equivalent: within a bound, as a test of equivalence shows; same: alike, with no word of a bound."""
_VERB = r"(?:was|were|is|are|has been|have been|been|be|stands?|seems?|appears?)"
_EFFECT = r"(?:differences?|effects?|associations?|correlations?|relations?(?:hips?)?|interactions?|links?)"
_SEEN = r"(?:shown|found|seen|observed|detected|present|evident|clear|established|demonstrated|significant|confirmed|reliable)"
_ADVERB = r"(?:\w+ly |indeed |all |both |also |thus |in fact |not ){0,3}"
_BOUND = r"(?:the|our|its|this|that|these) (?:\w+ ){0,2}?(?:bounds?|margins?)"
_LONGER, _SHORTER = (
    r"(?:more|higher|greater|larger|longer|older|stronger)",
    r"(?:less|lower|smaller|fewer|shorter|weaker)",
)
_PATTERNS: dict[Claim, tuple[str, ...]] = {
    "not_shown": (
        rf"(?:absence|lack) of (?:an?y? )?(?:\w+ )?{_EFFECT}",
        rf"missing {_EFFECT}",
        r"(?:in|non-?)significant(?:ly)?",
        r"left no trace",
        r"(?:is|was|were) (?:\w+ly )?(?:irrelevant|immaterial|indifferent|unrelated|unaffected|unchanged|"
        r"constant|stable|"
        r"indistinguishable)",
        r"(?:remain|stay)(?:s|ed) (?:unchanged|the same|constant|stable|"
        r"equal|alike)",
        r"(?:rated|scored|judged|felt|trusted|came out|turned out|perform(?:s|ed)) (?:\w+ )?(?:alike|the same|equally|"
        r"similarly|equal)",
        r"(?:ma[dk]es?|made) no (?:\w+ )?difference",
        rf"no (?:\w+ )?{_EFFECT}",
        rf"nothing {_VERB} {_SEEN}",
        r"null (?:result|finding|effect)s?",
        r"(?:is|was|were|are) alike",
    ),
    "same": (
        r"(?:is|was|were|are|remain\w*|prove\w*) (?:\w+ly |all |both |indeed |thus ){0,2}(?:equal|identical|interchangeable|the same)"
        r"(?! (?!(?:for|in|across|between|with|under|by|on|to|as|and|or|but|whether|when|whatever)\b)\w)",
    ),
    "not_equivalent": (
        rf"equivalence(?:\W+\w+){{0,6}}?\W+(?:{_VERB}|could|can|remain(?:s|ed)?) (?:not|never|undecided|open|unclear|unproven)",
        rf"(?:beyond|outside|larger than|greater than|as large as|exceeding) {_BOUND}(?:\W+\w+){{0,3}}?\W+"
        rf"(?:{_VERB}|could|can) not (?:be )?(?:ruled out|excluded|rejected)",
    ),
    "equivalent": (
        "equivalent",
        "equivalence",
        rf"(?:beyond|outside|larger than|greater than|as large as|exceeding) {_BOUND}(?:\W+\w+){{0,3}}?\W+{_VERB} "
        r"(?:\w+ly )?(?:ruled out|excluded|rejected)",
        rf"(?:within|inside|smaller than|less than|lower than|below) {_BOUND}",
    ),
    "shown": (
        r"significant(?:ly)?",
        r"reach\w* (?:statistical )?significance",
        r"statistically (?:reliable|meaningful|detectable)",
        r"(?:differ|differs|differed)",
        rf"{_VERB} {_ADVERB}different(?! \w+s\b)",
        r"evidence (?:for|of|that)",
        rf"{_EFFECT}(?:\W+\w+){{0,8}}?\W+{_VERB} {_ADVERB}{_SEEN}",
        r"(?:found|shows?|showed|saw|detected|observed|reveal(?:s|ed)?|demonstrate[sd]?)\s+(?:that |there |was |is ){0,3}"
        rf"(?:an? |the )?(?:\w+ ){{0,2}}{_EFFECT}",
        rf"there (?:was|is|were|are) (?:an? )?(?:\w+ ){{0,2}}{_EFFECT}",
        rf"(?:is|are|was|were) {_ADVERB}(?:associated|correlated|related|linked|predicted by)",
        r"correlate[sd]?",
        r"predicts?",
        r"(?:had|has|have) an? (?:\w+ )?(?:effect|influence|impact)",
        r"affect(?:s|ed)?",
        r"influence[sd]",
        r"(?:vari(?:es|ed)|vary|chang(?:es?|ed)|shift(?:s|ed)?) (?:\w+ )?(?:with|between|across)",
        r"hinge[sd]? on|turn(?:s|ed) on|(?:a (?:matter|function|question)|dependent) (?:of|on)(?! (?:taste|time)\b)",
        r"(?<!no )(?<!subject )matter(?:s|ed)?(?! of)",
        r"(?:makes?|made) (?:an?|the|all the) (?:\w+ )?difference",
        r"shape[sd]|drove|determine[sd]",
        r"(?:to|in) (?:an? )?(?:\w+ )?different (?:degrees?|extents?|measures?)",
        r"rul(?:es?|ed) out chance|not (?:due to|by) chance|beyond chance|"
        r"exclud(?:es?|ed) (?:zero|chance)|(?:below|beneath|under) the (?:\w+ )?(?:threshold|level)|reach(?:es|ed) the "
        r"(?:\w+ )?(?:level|threshold)|"
        r"(?:by|through|of) chance (?:is|was|alone is|alone was) (?:\w+ly )?(?:small|low|unlikely|negligible)",
        rf"{_EFFECT}(?:\W+\w+){{0,4}}?\W+(?:is|was|were|are) {_ADVERB}(?:large|robust|strong|sizeable|substantial|"
        rf"considerable|moderate|real|"
        r"pronounced|marked)",
        r"(?:sp[eo]aks?|spoke|argues?|argued) (?:\w+ )?(?:for|in favou?r of) (?:an? )?(?:\w+ )?"
        rf"{_EFFECT}",
        r"(?:an?|some|clear|slight|the) (?:\w+ )?(?:trend|tendency)",
        r"lean(?:s|ed|t) towards?",
        r"depend(?:s|ed)? on",
        r"no (?:reason|room) (?:to|for) doubt",
    ),
    "confirmed": (
        r"confirm(?:s|ed)?",
        r"corroborate[sd]?",
        "upheld",
        "borne out",
        "bore out",
        r"met(?! (?:with|the \w+ criteri|voice|touch|\{))",
        r"surviv(?:es?|ed)",
        r"c[ao]me true",
        "fulfilled",
        r"pass(?:es|ed)?",
        r"retain(?:s|ed)?",
        r"stands?(?! (?:for|beside|in|at|on|by|above|below)\b)",
        "stood",
        r"h[oe]ld up",
        r"verif(?:y|ies|ied)",
        r"proven?",
        r"prove[sd]",
        r"vindicate[sd]?",
        "validated",
        "accepted",
        "right",
        "correct",
        "true",
        r"support(?:s|ed)?",
        r"(?:hold|holds|held)(?! (?:no|an?|that|the|its|for|in)\b)",
        r"as (?:we )?(?:had )?(?:hypothesi[sz]ed|predicted|expected|foresaw|foreseen|anticipated|assumed|hoped|thought|"
        r"intended)",
        r"(?:in line|consistent|agrees?|agreed|accords?) with",
    ),
    "refuted": (
        r"reject(?:s|ed)?",
        r"refute[sd]?",
        r"disconfirm(?:s|ed)?",
        r"contradict(?:s|ed)?",
        r"falsif(?:y|ies|ied)",
        "unsupported",
        "wrong",
        "false",
        "dismissed",
        r"abandon(?:s|ed)?",
        r"g[ai]ven? up",
        r"fail(?:s|ed)?(?! to)",
        "contrary to",
    ),
    "positive": (
        r"positive(?:ly)?",
        r"(?:rises?|rose|grows?|grew|increases?|increased|(?:go|goes|went) up|climb(?:s|ed)?) "
        r"(?:together |along )?with",
        rf"the {_LONGER}\b[^.;]{{1,60}}?\bthe {_LONGER}",
    ),
    "negative": (
        r"(?:negative|inverse)(?:ly)?",
        r"(?:falls?|fell|declines?|declined|decreases?|decreased|drops?|dropped|shrinks?|"
        r"shrank|(?:go|goes|went) down) with",
        rf"the {_LONGER}\b[^.;]{{1,60}}?\bthe {_SHORTER}",
    ),
    "lower": (
        "lowest",
        "smallest",
        "least",
        "fewest",
        "shortest",
        "fell",
        "dropped",
        "declined",
        "suffered",
        "sank",
        r"less(?=\s+(?:\w+\s+){0,3}than\b)",
    ),
    "higher": (
        "highest",
        "largest",
        "greatest",
        "longest",
        "rose",
        "climbed",
        "peaked",
        "grew",
        r"more(?=\s+(?:\w+\s+){0,3}than\b)",
    ),
    "differs": (
        r"(?!(?:rather|other|either|whether|number|order|further|later|earlier|longer|over|under|never|ever)\b)"
        r"\w{3,}er(?=\s+(?:\w+\s+){0,4}than\b)",
        r"(?:more|less) \w+(?=\s+(?:\w+\s+){0,4}than\b)",
    ),
}
_CLAIMS: tuple[tuple[Claim, re.Pattern[str]], ...] = (
    *(
        (kind, re.compile(rf"\b(?:{'|'.join(words)})(?!\w)", re.IGNORECASE))
        for kind, words in _PATTERNS.items()
    ),
    *(
        ("not_shown", pattern)
        if kind == "no_difference"
        else ("differs", pattern)
        if kind in ("better", "worse", "differs")
        else (kind, pattern)
        for kind, pattern in WORDS
    ),
)
_NOT_EQUIVALENT = dict(_CLAIMS)["not_equivalent"]
EQUIVALENCE = re.compile(r"\b(?:equivalen(?:t|ce)|one-sided tests|TOST)\b", re.IGNORECASE)
_OPPOSITE: dict[Claim, Claim] = {
    "shown": "not_shown",
    "not_shown": "shown",
    "confirmed": "refuted",
    "refuted": "confirmed",
    "positive": "not_shown",
    "negative": "not_shown",
    "equivalent": "not_equivalent",
    "not_equivalent": "equivalent",
    "same": "shown",
}
_DENIED = re.compile(
    r"(?:\b(?:no|not|never|neither|nor|none|hardly|cannot|without|nothing|nobody|fail(?:s|ed)? to|"
    r"(?:absence|lack) of|unable to|far from)|n't|n\u2019t)\b(?:\s+[\w\x01-]+){0,4}\s*\Z",
    re.IGNORECASE,
)
_NO_STATEMENT = re.compile(
    r"\b(?:would|may|might|if|whether|should|until|unless|to see|to test|to find out|"
    r"we (?:ask|asked)|hypothes(?:is|e[sd]) that|(?:was|were|is|are) (?:expected|hypothesi[sz]ed) to)\b"
    r"(?:(?!\b(?:and|but|found|saw|shown)\b)[^,;:()])*\Z",
    re.IGNORECASE,
)
_ABLE = re.compile(r"\b(?:could|can)(?! (?:\w+ )?be\b)(?:(?!\b(?:and|but)\b)[^,;:()])*\Z", re.IGNORECASE)
_HARDLY = re.compile(r"\A\s+(?:hardly|barely|not|little|nowhere)\b", re.IGNORECASE)
_LOOKED_FOR = re.compile(
    r"\A(?:\s+[\w\x01]+){0,6}?\s+(?:was|were|is|are)\s+(?:\w+ly )?(?:looked|searched|tested|sought|planned|expected|assumed|"
    r"examined|measured|analy[sz]ed|asked)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r";|,?\s+(?:while|whereas|but|although|though|however|yet)\s|,\s+and\s", re.IGNORECASE)
UNLIKE = re.compile(r"\b(?:unlike|in contrast to|different from)\b[^,;.]*", re.IGNORECASE)
THAN = re.compile(
    r"\b(?:than|compared (?:with|to)|against|versus|vs|over|relative to|beyond)\b", re.IGNORECASE
)
MOST = re.compile(r"\b(?:\w+est|least|peaked)\W*\Z", re.IGNORECASE)
FOR = re.compile(r"\A\W*(?:\w+ ){0,2}?(?:by|for|in|with|under|among|on|at)\b", re.IGNORECASE)
_WE_TESTED = r"(?:hypothes[ei]s|predictions?|expectations?|conjectures?|assumptions about the results?)"
_TESTS = r"(?:tests?|effects?|differences?|associations?|comparisons?|results?|outcomes?)"
_MANY = r"(?:hypotheses|predictions|expectations|conjectures)"
ALL = re.compile(
    rf"\b(?:all|both|each|every|none|neither)\b(?:\s+\w+){{0,5}}?\s+(?:{_WE_TESTED}|{_TESTS})\b|"
    rf"\b(?:no|any|not one|not a single)\b(?:\s+\w+){{0,2}}?\s+(?:{_WE_TESTED}|(?:tests|effects|differences|associations|"
    rf"comparisons))\b|"
    rf"\b(?:our|the|these|those|what we)\b(?:\s+\w+){{0,4}}?\s+{_MANY}\b|"
    r"\beverything (?:that )?we (?:expected|predicted|hypothesi[sz]ed)\b|\b(?:all|none) of (?:them|these|those)\b",
    re.IGNORECASE,
)
HYPOTHESIS = re.compile(
    rf"\b(?:{_WE_TESTED}|expected|predicted|hypothesi[sz]ed|foresaw|foreseen|anticipated|"
    r"assumed|effects?|theor(?:y|ies))\b",
    re.IGNORECASE,
)
NULL = re.compile(r"\bnull[- ]hypothes[ei]s\b", re.IGNORECASE)
SOME = re.compile(
    r"\b(?:most|some|several|one of|two of|part of|not all|only|mixed|partial|partly|partially)\b",
    re.IGNORECASE,
)
SPREAD = re.compile(r"\b(?:variances?|spread|variability|deviations?|range|scatter)\b", re.IGNORECASE)
ORDINALS = tuple("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())
_MARK, AT, _NEAR = "\x01", "\x03", 300


@dataclass(frozen=True)
class Clause:
    """Words with a mark for each number, and the numbers' names in their order."""

    words: str
    names: tuple[str, ...]
    sentence: str


def clauses(sentence: str) -> list[Clause]:
    """The parts of a sentence that state something each. A number that names a level stands as that level."""
    text = PLACEHOLDER.sub(lambda match: f" {_MARK}{match[1]}{_MARK} ", sentence)
    found = []
    for part in _CLAUSE.split(text):
        names = tuple(re.findall(f"{_MARK}(\\w+){_MARK}", part))
        words = re.sub(f"{_MARK}(\\w+){_MARK}", lambda match: _level_words(match[1]), part)
        found.append(Clause(" ".join(plain_text(words).split()), names, sentence))
    return found


def _level_words(name: str) -> str:
    at = re.search(r"_at_(.+?)(?:_(?:mean|sd|median|n|adjusted))?\Z", name)
    return AT + at[1].replace("_", " ") if at else "this"


class Said(NamedTuple):
    """A statement of a clause: what, the words up to and with it, those behind it, at most so many of each, and where it begins."""

    kind: Claim
    before: str
    after: str
    at: int


def claimed(clause: Clause) -> Iterable[Said]:
    """Each statement of a clause."""
    apart = [match.span() for match in _NOT_EQUIVALENT.finditer(clause.words)]
    for kind, pattern in _CLAIMS:
        for match in pattern.finditer(clause.words):
            if kind == "equivalent" and any(first <= match.start() < last for first, last in apart):
                continue
            start, end = max(match.start() - _NEAR, 0), match.end()
            before, after = clause.words[start : match.start()], clause.words[end : end + _NEAR]
            able = kind not in ("confirmed", "refuted") and _ABLE.search(before)
            if able or _LOOKED_FOR.match(after) or asked(before) or _NO_STATEMENT.search(before):
                continue
            said: Claim | None = kind
            negated = bool(_DENIED.search(before) or _HARDLY.match(after))
            if kind == "shown" and re.search(r"\b(?:not|no)\b", match[0], re.IGNORECASE):
                negated = not negated and not match[0].lower().startswith("no ")
            if negated:
                said = _OPPOSITE.get(kind)
            if said is not None:
                yield Said(said, before + match[0], after, match.start())
