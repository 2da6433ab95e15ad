"""Sentences that are recognisably no finding: what was done, asked or written down, what is unknown, only possible or left to do.

Nothing else is: a sentence that is in no form known here counts as stating something of the results.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from tasks.study.wording.placeholders import plain_text

_DONE = (
    r"(?:asked|tested|compared|measured|recruited|drawn|drew|assigned|randomi[sz]ed|counterbalanced|(?:pre-?)?registered|fixed|"
    r"planned|used|ran|run|conducted|collected|gathered|analy[sz]ed|computed|calculated|coded|adjusted|corrected|reported|"
    r"described|presented|discussed|studied|investigated|examined|explored|invited|instructed|excluded|removed|dropped|left out|"
    r"set|chosen|chose|selected|given|gave|designed|built|implemented|repeated|transcribed|translated|logged|recorded|sampled|"
    r"screened|paid|compensated|briefed|debriefed|trained|piloted|varied|manipulated|controlled|averaged|summed|recoded|reversed|"
    r"standardi[sz]ed|transformed|written|wrote|administered|completed|answered|seated|numbered|listed|defined|treated|modell?ed|"
    r"fitted|entered|estimated|specified|formulated|worded|phrased|posed|limited|restricted|pooled|published|cited|searched|"
    r"retrieved|archived|shared|released|simulated|generated|scripted|kept|stored|checked|inspected|plotted|called|rated|taken|"
    r"projected|concluded|read|told|addressed|considered|included|covered|replaced|weighted|known|approved)"
)
_NOUNS = (  # nouns too, which stand behind "the" or begin a sentence
    r"(?:asks?|tests?|measures?|uses?|runs?|reports?|stud(?:y|ies)|plans?|holds?|covers?|lists?|offers?|repeats?|cites?|rests?|analy[sz]es|"
    r"opens?|need(?= to))"
)
_DO = (
    r"(?:compares?|collects?|chooses?|choose|analy[sz]e|computes?|describes?|presents?|discuss(?:es)?|investigates?|examines?|"
    r"explores?|contributes?|treats?|concerns?|contains?|consists?|defines?|includes?|provides?|recommends?|assumes?|enters?|gives?|"
    r"appl(?:y|ies)|refers?|comes? from|came from|went through|took (?:part|place)|takes? part|met(?= both)|stands? for|follows?(?= from)|"
    rf"(?<=model )answers?|(?<!\A)(?<!\b(?:the|our|all) )(?<!\b(?:this|each|some) )(?<!\bevery )(?<!\bno )(?<!\bthese )(?<!\b(?:of|in|by|an) ){_NOUNS})"
)
_KNOW = (
    r"(?:allow|generali[sz]e|mean|prove|imply|speak (?:to|for)|rule out|apply|concern|know|tell|say|separate|show|conclude|infer|"
    r"claim|extend|transfer|answer|decide|settle|support|establish|test|measure|ask|record|collect|compare|examine|consider|vary|"
    r"control|include|explain|assess|analy[sz]e|read|distinguish|expect|assume)"
)
_BE = r"(?:is|are|was|were|been|be|being)"
_ADVERB = r"(?:(?:not|never|also|then|each|all|both|only|now|here|therefore|thus|first|\w+ly) ){0,2}"
_SUCH = r"(?:exploratory|confirmatory|descriptive|correlational|available|in the (?:package|appendix|supplement\w*))"
_PASSIVE = re.compile(
    rf"\b{_BE} {_ADVERB}(?:{_DONE}|{_SUCH})\b|\b(?:can|could|should|must|would|will|has to|have to|needs? to|ought to|to) {_ADVERB}"
    rf"(?:(?:be|have) )?{_ADVERB}(?:{_DONE}|{_DO}|{_KNOW})\b",
    re.IGNORECASE,
)
_ACTIVE = re.compile(rf"\b(?:{_DONE}|{_DO})\b", re.IGNORECASE)
_OPEN = re.compile(
    rf"\b{_BE} {_ADVERB}(?:unknown|missing|open|unclear|untested|unmeasured|unvalidated|undecided|uncertain|not validated)\b|\bweak evidence\b|\bcannot\Z|"
    rf"\b(?:have|has) not (?:yet )?been \w+\b|\b(?:remains?|leaves?|stays?) (?:\w+ )?(?:open|unclear|unknown|untested)\b|\bsays? (?:little|nothing)\b|\bno evidence about\b|"
    rf"\b(?:cannot|can ?not|can['\u2019]t|could not) {_ADVERB}(?:be )?(?:{_DONE}|{_KNOW})\b|"
    rf"\b(?:do|does|did)(?: not|n['\u2019]t) (?:\w+ly )?{_KNOW}\b|\blimit(?:s|ation|ations|ed)\b|"
    r"\bno (?:finding|statement|conclusion|claim|inference)s?\b|\bnobody (?:had to be|was) left out\b",
    re.IGNORECASE,
)
_POSSIBLE = re.compile(
    r"(?<!nobody )(?<!no one )(?<!none )\b(?:may|might)\b(?! as well\b)(?!(?: \w+){0,3}? (?:say|said|conclude\w*|claim\w*|state\w?|"
    r"sure|certain\w*|doubt\w*|den(?:y|ied)|call\w*|boast|rejoice|note\w?)\b)(?! not (?:\w+ ){0,3}\w+er\b)|"
    r"\b(?:explanation|reason|interpretation|reading)s? (?:\w+ )?(?:could|would) be\b|"
    r"\b(?:future|further|later|more) (?:work|stud(?:y|ies)|research|experiments?|trials?)\b.{0,40}\b(?:should|could|will|must)\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    rf"(?:\bask(?:ed|s)?|\b(?:{_DONE}|{_DO})|(?:\bnot|n['\u2019]t|\bcannot) (?:\w+ly )?{_KNOW}|\b(?:unknown|unclear|open|untested|question(?: is| was)?)) (?:\w+ )?\Z",
    re.IGNORECASE,
)
_SUPPOSED = frozenset({"if", "whether", "unless"})
_UNDER = re.compile(  # it may be that ...; this does not mean that ...
    rf"\b(?:may|might|could|would) be \Z|(?:\bnot|n['\u2019]t|\bcannot) {_ADVERB}(?:be )?(?:{_KNOW}|{_DONE})(?: from .{{0,40}})? \Z",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\A(?:\w+ ){0,3}?(?:we|i|results?|data|findings?|tests?|analys[ie]s) (?:\w+ )?(?:conclude[ds]?|found|find|saw|see|observed?|"
    r"shows?|showed|report(?:ed)?|note|suggests?|indicates?|means?)\Z",
    re.IGNORECASE,
)
_IS = re.compile(  # what the study's own things are called, or how many there are
    r"(?:the |all |its |their |our |these |both )?(?:\w+ ){0,2}?(?:data|tests?|items?|scales?|questionnaires?|tasks?|models?|p-values?|"
    r"coefficients?|analys[ei]s|samples?|hypotheses|variables?|factors?|conditions?|outcomes?|sections?|rules?|measures?) "
    r"(?:is|are|was|were)\b(?! (?:there|for|with|on|it|them|us)\b)|"
    r"(?:it|they|this|these) (?:is|are|was|were) (?:not )?(?:a|an|no)\b",
    re.IGNORECASE,
)
_NAMING = re.compile(r"(?:it|this|that|these|they) (?:is|are|was|were)", re.IGNORECASE)
_SEEN = re.compile(
    rf"(?:[\w'\u2019-]+ ){{0,4}}{_BE} (?:not )?(?:shown|found|seen|observed|detected|significant)\Z",
    re.IGNORECASE,
)
_QUESTION_WORDS = frozenset({"how", "which", "what", "where", "when", "who"})
_SUBORDINATE = (
    _SUPPOSED
    | _QUESTION_WORDS
    | frozenset("that because since as so although though while whereas until why whose whom".split())
)
_SPLIT = re.compile(
    r"((?<!\w)-(?!\w)|(?:(?<!\b(?:of|in|to|by|on|at) )(?<!\b(?:for|and) )(?<!\b(?:with|than|from) )\bthat\b)|[,;:()\[\]!?.\u2014\u2013\"\u201c\u201d]|\b(?:and|or|nor|but|yet|"
    r"(?<!such )(?<!as well )(?:as)(?! (?:well as|an?|the|in|planned by) )|"
    + "|".join(sorted(_SUBORDINATE - {"as", "that"}, key=len, reverse=True))
    + r")\b)",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\A\W*(?:(?:and|but|so) )?(?:do|does|did|is|are|was|were|how|what|which|whether|would|could|can|when|where|who)\b"
    r"(?!.*\b(?:not|no|wonder|doubts?|doubted|deny|denied|else|really|ever|still|could (?:\w+ )?be)\b)(?!.*n['\u2019]t\b)[^?]*\?\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
_OWN = re.compile(
    r"\b(?:we|our|ours|us|this study|participants?|respondents?|the (?:present|current) (?:study|data|results))\b",
    re.IGNORECASE,
)
_ABOUT_US = frozenset(
    """
    participant participants respondent respondents people person persons user users women men everyone
    everybody nobody anyone someone data result results finding findings outcome outcomes number numbers
    answer answers rating ratings score scores test tests hypothesis hypotheses prediction predictions
    expectation expectations guess guesses conjecture conjectures plan plans planned expected predicted
    study experiment evidence difference differences effect effects sample group groups condition
    conditions variable variables we us our ours they them it this that these those he she both neither
    either none all each everything nothing something anything former latter others so
""".split()
)
_FUNCTION = """
    a an the this that these those each every both all such same own other another one two three four
    five six seven eight nine ten eleven twelve of in on at by for with within between across among from
    to into under per about as than via without during after its their our we us it they them there here
    also then only not and or was were is are be been being had has have did do does which who where
    when it's respectively i.e e.g using once twice
""".split()
_RESEARCH = """
    study studies experiment experiments survey surveys participant participants respondent respondents
    people person persons user users man men woman women adult adults student students group groups
    condition conditions level levels factor factors order orders block blocks session sessions trial
    trials task tasks item items scale scales questionnaire questionnaires question questions rating
    ratings answer answers response responses score scores measure measures variable variables outcome
    outcomes predictor predictors model models regression logistic multinomial linear ordinal nominal
    interval hypothesis hypotheses test tests t-test t-tests anova variance mean means median medians
    average sd deviation standard error errors coefficient coefficients correlation correlations rank
    rank-biserial statistic statistics p p-value p-values value values alpha power size sizes sample
    samples sampling effect effects difference differences comparison comparisons pair pairs paired
    pairwise interaction main simple confidence intervals degrees freedom number numbers count counts
    share shares rows row column columns data dataset file files package code codes coder coders coding
    book agreement reason reasons text texts analysis analyses design designs plan protocol procedure
    method methods section sections figure figures table tables result results way ways point points
    side sides sided two-sided one-sided confirmatory exploratory descriptive perceived reported
    self-reported self-report correlational simulated measured rated within-subjects between-subjects
    within-subject between-subject counterbalanced random randomly fixed drawn planned beforehand
    advance correction adjusted unadjusted corrected holm bonferroni welch wilcoxon mann-whitney
    kruskal-wallis friedman spearman pearson fisher rule rules kind kinds form five-point seven-point
    first second third week day days minute minutes seconds hour hours year years time times age gender
    part parts estimate estimates reliability consistency internal distribution distributions normality
    assumption assumptions reference category categories choice choices attention check checks exclusion
    exclusions question-wise public only once twice many few nothing nobody today even far above below
    again s ms krippendorff cohen cronbach kappa rehearsal demonstration description descriptions
""".split()
_KNOWN = frozenset((*_FUNCTION, *_RESEARCH))
_AUXILIARY = frozenset(
    "is are was were am had has have did does do got gets get became becomes be been".split()
)
_ADJECTIVES_FOLLOW = frozenset(("", *_FUNCTION)) - _AUXILIARY - {"they", "we", "it", "who"}
_VERBS = _AUXILIARY | {"not", "do", "who", "nothing", "nobody"}
_PASTS = frozenset(
    """
    won beat lost came went rose fell grew drew led felt found saw took gave held kept stood said told
    thought meant left met made paid ran sank spoke struck swept spread shone shrank broke brought
    bought caught chose cost cut cast dealt drove earned fought flew forgot froze hit hurt knew laid lay
    lent let lit put read rang set shook shot showed shut sang sat slept slid sold sent split stole
    stuck swung taught tore threw woke wore bore bent bled bred built burnt clung crept dug fed fled hid
    hung leapt learnt rode sought spent sprang stank strode swam swore thrust trod wept wound began
""".split()
)
_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*(?:n['\u2019]t)?(?=(?:['\u2019]s?)?)")
State = Literal["none", "part", "unread"]
"""none: no finding; part: too little to be one, beside something else; unread: it may state something."""


def of_others(sentence: str) -> bool:
    """Whether a sentence speaks of cited work, not of this study."""
    return "[@" in sentence and not _OWN.search(sentence)


def is_question(sentence: str) -> bool:
    """Whether a sentence only asks."""
    return bool(_QUESTION.match(plain_text(sentence)))


def state(
    words: str, named: Callable[[str], bool], *, held: Sequence[int], alone: frozenset[str], numbered: bool
) -> State:
    """What a clause is. named: whether a word is one of a variable, a level or a hypothesis. held: where statements begin that
    the tests bear out. alone: the words of levels of which it does not
    name each one once, or none. numbered: whether it holds a number of the results by name."""
    found: State = "part"
    mode = ""
    for part in _pieces(words):
        if not _WORD.search(part.words):
            continue
        if any(part.start <= at < part.start + len(part.words) for at in held):
            mode = "held"
        elif part.joined in _SUPPOSED or (part.joined == "that" and _UNDER.search(part.before)):
            mode = "free"
        elif mode == "free" and (part.joined in ("when", "where") or _goes_on(part, named)):
            continue
        elif mode == "held" and part.joined in ("and", "or") and _SEEN.match(part.words):
            continue
        else:
            mode, own = _of_part(part, named, alone.isdisjoint(part.tokens), numbered)
            if own == "unread":
                return "unread"
            if own == "part":
                continue
        found = "none"
    return found


def is_noun(word: str) -> bool:
    """Whether a word can only name a thing, as far as its form tells."""
    return word not in _KNOWN | _PASTS | _AUXILIARY | _SUBORDINATE and not word.endswith(
        ("er", "est", "ed", "ly")
    )


def is_label(words: str, named: Callable[[str], bool], *, title: bool = False) -> bool:
    """Whether words only name what they are about, without a verb. title: of a picture or a heading, where other nouns may
    stand, but none behind a name."""
    for part in _pieces(words):
        names = [named(token) or token in _ABOUT_US for token in part.tokens]
        strange = [not (name or token in _KNOWN) for token, name in zip(part.tokens, names, strict=True)]
        behind = any(name and after for name, after in zip(names, strange[1:], strict=False))
        if not _known(part.words, named, verbs=False) and (
            not title or behind or not any(names) or _verb(part.words, named)
        ):
            return False
    return True


@dataclass(frozen=True)
class _Piece:
    joined: str
    words: str
    start: int
    before: str

    @property
    def tokens(self) -> list[str]:
        return _words(self.words)


def _pieces(text: str) -> list[_Piece]:
    found, place, joined = [], 0, ""
    for match in (*_SPLIT.finditer(text), None):
        end = match.start() if match else len(text)
        words = text[place:end].strip()
        found.append(
            _Piece(joined, words, text.index(words, place), text[max(0, place - 80) : place - len(joined)])
        )
        if match:
            place, joined = match.end(), match[0].lower()
    return found


def _of_part(part: _Piece, named: Callable[[str], bool], balanced: bool, numbered: bool) -> tuple[str, State]:
    """What a part is; and `free` where what is joined to it is only possible, too."""
    if part.joined in _QUESTION_WORDS and _ASKING.search(part.before):
        return "free", "none"
    own = any(map(named, part.tokens))
    for pattern in (_POSSIBLE, _OPEN, _PASSIVE, _ACTIVE):
        for match in pattern.finditer(part.words):
            before = part.words[: match.start()]
            if pattern is not _OPEN and _verb(before, named):
                break
            if pattern is _POSSIBLE:
                return "free", "none"
            if pattern is _ACTIVE and (any(map(named, _words(before))) or before.count(" ") > 6):
                break
            if not own or (balanced and _known(before + " " + part.words[match.end() :], named, verbs=True)):
                return "", "none"
    if not own and _IS.match(part.words) and _known(part.words, named, verbs=True):
        return "", "none"
    if numbered and balanced and _known(part.words, named, verbs=True):
        return "", "none"
    if _known(part.words, named, verbs=False):
        return "", "part" if balanced and not (own and part.joined in _SUBORDINATE) else "unread"
    if _TELLING.match(part.words):
        return "", "part"
    if _NAMING.fullmatch(part.words) or (part.joined == "as" and len(part.tokens) == 1 and not own):
        return "", "part"
    if part.joined in ("who", "which", "that") and not own and not {*part.tokens} & _ABOUT_US:
        return "", "part"
    spoken = own or any(token in _ABOUT_US for token in part.tokens)
    may_tell = spoken or {*part.tokens} & _AUXILIARY or _verb(" ".join(part.tokens[:3]), named)
    return "", "unread" if may_tell else "part"


def _goes_on(part: _Piece, named: Callable[[str], bool]) -> bool:
    """Whether a part only goes on with what is joined to it: without a verb or a subject of its own."""
    return (
        part.joined in ("and", "or", ",", "(", ")")
        and part.tokens[0] not in _ABOUT_US
        and not _verb(part.words, named)
        and not any(token.endswith("s") and token not in _KNOWN and not named(token) for token in part.tokens)
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _verb(text: str, named: Callable[[str], bool]) -> bool:
    """Whether words hold what may be a verb in the past, or an auxiliary one; no participle before its noun (of ordered groups)."""
    before = ""
    for token in _words(text):
        past = (
            token.endswith("ed")
            and token not in _KNOWN
            and before not in _ADJECTIVES_FOLLOW
            and not named(token)
        )
        if token in _AUXILIARY or token in _PASTS or past:
            return True
        before = token
    return False


def _known(text: str, named: Callable[[str], bool], *, verbs: bool) -> bool:
    return all(named(token) or (token in _KNOWN and (verbs or token not in _VERBS)) for token in _words(text))
