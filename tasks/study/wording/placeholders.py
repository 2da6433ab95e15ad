"""Numbers in text come from results by name: {{h1_p}}. A number of a statistic that was typed is refused."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping

from schemas.errors import InputError
from schemas.study.design import StudyProtocol
from schemas.study.results import Results
from schemas.text.number_words import is_number_word
from schemas.text.numbers import Number, plain_numbers
from tasks.prose.numerals import LARGE, MULTIPLES, SMALL, SPELLED
from tasks.study.statistics.apa import number

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z][\w]*)\s*\}\}")
_DIGIT = r"\d"  # of any script
_NUMBER = rf"[-\u2212]?{_DIGIT}*[.,]?{_DIGIT}+"
_NAMES = (
    r"\bp[- ]?values?\b|\bp\b|\b[tFUWHQrdgMDNn]\b|\bBF\w*|\bOR\b|\bSD\b|\bSE\b|\bCI\b|χ2|\bchi[- ]?squared?\b|η2|"
    r"\beta\b|ε2|\balpha\b|α|\bkappa\b|κ|β|\bb\b"
)
_LINKS = (
    r"=|<|>|≤|≥|≈|\bis\b|\bwas\b|\bof\b|\bbelow\b|\babove\b|\bequals?\b|:|\bless than\b|\bgreater than\b|\["
)
_STATISTIC = re.compile(  # a statistic's name, perhaps degrees of freedom in brackets, what links it to a number, the number
    rf"(?:{_NAMES})\W{{0,4}}(?:\([^)]{{0,40}}\)\W{{0,3}})?(?:{_LINKS})\W{{0,4}}{_NUMBER}", re.IGNORECASE
)
_COMMA = re.compile(rf"(?<![\d.])[-\u2212]?{_DIGIT}+,{_DIGIT}+")  # 0,42; a list has a space
_PERCENT = re.compile(
    rf"{_NUMBER}[\s-]*(?:%|\u066a|\u2030|per ?cent|Prozent|procent|pour ?cent|por ?cento|por ciento|"
    r"per cento|v\. ?H\.)",
    re.IGNORECASE,
)
_SHARE = re.compile(
    rf"(?<!\d){_DIGIT}+\s*(?:out of|of|von|aus|de|sur|su|di|/|\u2044)\s*(?:the |all |our |these |den |allen |"
    rf"les |los |as |os )?{_DIGIT}+",
    re.IGNORECASE,
)  # 24 of 30; NFKC writes one half as 1, fraction slash, 2
_PEOPLE = re.compile(
    rf"(?<![\d.,])(?!(?:19|20){_DIGIT}{{2}}\b){_DIGIT}+ (?:[\w-]+ )?(?:participants?|respondents?|people|"
    r"persons?|women|men|users|subjects|Teilnehm\w+|Personen|Befragte\w*|Proband\w+|participant[ea]s|personas|pessoas)\b",
    re.IGNORECASE,
)
_ABOUT = r"(?:about|around|nearly|almost|roughly|some|approximately|just|only|over|under|as|high|low|to|at)"
_SPOKEN = re.compile(  # odds ratio 5, a t statistic of about 4, correlation close to 1
    r"\b(?:(?:odds|risk|hazard|likelihood|rate) ratios?|(?:test |[tFUWHQzd] )?statistics?|"
    r"(?:[tFUWHQzd]|chi[- ]?squared?|test) values?|"
    r"z[- ]scores?|correlations?|coefficients?|regression weights?|slopes?|Bayes factors?|degrees of freedom|effects?|"
    r"differences?|standard (?:deviations?|errors?)|variances?|intervals?|R squared|Cohen['\u2019]s d|Cronbach['\u2019]s alpha|"
    r"sample sizes?|sum of squares)\W{1,3}(?:\([^)]{0,40}\)\W{0,3})?"
    rf"(?:(?:{_LINKS}|were|are|from|between|close to|near|{_ABOUT})\W{{1,3}}){{0,4}}{_NUMBER}(?!\w)",
    re.IGNORECASE,
)
_ODDS = re.compile(  # 9 in 10, 9:1; no scale from 1 to 7, no time of day
    rf"(?<![\d.,]){_DIGIT}+ (?:in|in every) {_DIGIT}+|"
    rf"(?<!from )(?<![\d.,]){_DIGIT}+(?: (?:to|against|zu|gegen) |\s?[:\u2236]\s?)1\b(?![.,:]?\d)",
    re.IGNORECASE,
)
_WHO = r"(?:participants|respondents|people|persons|women|men|users|subjects)"
_ALL_WHO = (
    r"(?:participants|respondents|people|persons|women|men|users|subjects|adults|adolescents|children|students|"
    r"volunteers|"
    r"voters|workers|patients|parents|raters|testers)"
)
_PART = re.compile(
    r"\b(?:half|a third|a quarter|a fifth|(?:two|three|four)[\s-](?:thirds|quarters|fifths)) (?:of )?(?:them|those|all|us|"
    rf"(?:the |our |these )?(?:\w+ )?(?:{_WHO}|answers|cases|sample|variance))\b",
    re.IGNORECASE,
)
_STEPS = re.compile(  # rose from 3 to 5, dropped by 2 points, 12 points higher, 5 on average, an average rating of 6, gave a 5
    rf"\b(?:rose|rises?|fell|falls?|drop(?:s|ped)?|gr[eo]ws?|climb(?:s|ed)?|s[au]nk|(?:in|de)creased?s?|w[eo]nt (?:up|down)|"
    rf"moved?|"
    rf"shifted|chang(?:ed|es)) (?:[\w-]+ ){{0,3}}?(?:from|by|to) (?:{_ABOUT} )?{_NUMBER}\b|"
    rf"(?<![\d.]){_NUMBER} (?:scale |rating )?(?:points?|standard deviations?|SDs?|units?|steps?) (?:[\w-]+ ){{0,2}}?"
    r"(?:higher|lower|more|less|apart|above|below|better|worse|up|down)\b|"
    rf"{_NUMBER} on average|on average,? (?:[\w-]+ ){{0,5}}?(?:an? )?{_NUMBER}(?!\w)|"
    rf"\b(?:mean|median|average|typical|usual|modal) (?:\w+ ){{1,3}}?(?:=|:|was|is|of|were|at|came to)[ :]*(?:{_ABOUT} "
    rf")?{_NUMBER}(?!\w)|"
    rf"\b(?:chi2|ρ|τ|φ|ω2?) ?(?:=|<|>|≈|of|was|is) ?{_NUMBER}",
    re.IGNORECASE,
)
_COUNT = rf"(?:(?:{SMALL}|{LARGE}|zero|half)(?:[\s-]+(?:{SMALL}|{LARGE}))?|an? (?:half|third|quarter|fifth|tenth|hundred))"
_WORDED = re.compile(  # an odds ratio that came to five, d = one, seven of ten, two thirds, a majority of the people
    rf"\b(?:(?:odds|risk|hazard|rate) ratios?|(?:[tFUWHQzdrp]|chi[- ]?squared?|test) (?:values?|statistics?)|correlations?|"
    rf"coefficients?|"
    rf"Bayes factors?|Cohen['\u2019]s d|effect sizes?|means?|medians?|averages?|slopes?|standard (?:deviations?|"
    rf"errors?))\W{{1,3}}"
    rf"(?:(?:{_LINKS}|were|came to|amounted to|reached|stood at|close to|near|{_ABOUT}|minus)\W{{1,3}}){{1,4}}{_COUNT}\b(?! "
    rf"of the\b)|"
    rf"(?<![\w.])[tFrdpUWHQzMN] ?[=<>≈] ?{_COUNT}\b|\b(?:{SMALL}|{LARGE}|[IVX]{{1,4}}) (?:in|of|out of) (?:every |an? )?"
    rf"(?:ten|eleven|twelve|{LARGE}|[IVX]{{2,4}})\b|\b[IVX]{{2,4}} (?:of|out of) \w+|"
    r"\b(?:two|three|four)[\s-](?:thirds|quarters|fifths)\b|\b(?:by|to) (?:a|one) (?:third|quarter|fifth|half)\b(?! \w+s\b)|"
    rf"\b(?:(?:an?|the|great|large|vast|clear|small|slim) )(?:majority|minority|plurality) of (?:[\w-]+ ){{0,3}}?{_ALL_WHO}\b|"
    rf"\b(?:most|nearly all|almost all|virtually all|hardly any|half) (?:of (?:the |our |these )?)?(?:\w+ )?{_ALL_WHO}\b|"
    rf"\b(?:nearly|almost|virtually|practically) (?:everyone|everybody|nobody|no one)\b|"
    rf"\b(?:{LARGE})(?:[\s-]+(?:{SMALL}))?[\s-]+(?:[\w-]+ )?{_ALL_WHO}\b|"
    rf"(?<![\d.,])(?!(?:19|20){_DIGIT}{{2}}\b){_DIGIT}+ (?:Ss|{_ALL_WHO})\b",
    re.IGNORECASE,
)
_UNITS = (
    r"(?:points?|units?|notch(?:es)?|marks?|grades?|stars?|places?|ranks?|times|fold|per ?cent|sigmas?|SDs?|standard|degrees?|orders?|"
    r"percentage|higher|lower|(?:more|less|fewer)(?! (?:\w+ )?\w+s\b)|better|worse|apart|up|down|above|below|times)"
)
_NO_NOUN = (
    r"(?:of|to|in|out|on|at|by|for|from|with|than|and|or|but|nor|as|is|are|was|were|be|had|has|if|so|that|which|who|while|when|per|"
    r"against|over|under|between|among|across|versus|vs|a|an|the|it|they|we)"
)
_PLURAL = r"(?:\w+s|people|women|men|children|data|criteria|bodies|analyses)"
_COUNTS = re.compile(  # two conditions, seven rating items, a 7-point scale
    rf"(?:-|\s)(?!{_UNITS}\b)(?:(?!{_NO_NOUN}\b)[\w'\u2019-]+\s){{0,2}}?(?!{_NO_NOUN}\b|{_UNITS}\b(?! scales?\b)){_PLURAL}\b|"
    rf"-(?!fold\b)\w|:\d\d\b",
    re.IGNORECASE,
)
_ABROAD = re.compile(
    rf"\s(?!{_NO_NOUN}\b|{_UNITS}\b|\w+ed\b|chose\b|found\b|said\b|felt\b|took\b)[^\W\d_]{{3,}}",
    re.IGNORECASE,
)
_ONE_THING = re.compile(rf"\s(?!{_NO_NOUN}\b|{_UNITS}\b)[^\W\d_]{{2,}}", re.IGNORECASE)
_OF_ZERO = re.compile(
    r"(?:\b(?:from|than|cross(?:es|ed)|(?:in|ex)clud(?:es?|ed|ing)|contain(?:s|ed)?|cover(?:s|ed)?) )\Z",
    re.IGNORECASE,
)
_OF_TESTED = re.compile(
    r" of (?:the|our|these|those) (?:\w+ ){0,2}?(?:hypotheses|predictions|expectations|tests|conditions|items|scales|questions)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?:\A|[,;:(]\s?)\Z")
_IN_EACH = re.compile(
    r" in (?:one|each|every|the|a) \w| (?:forms?|concerns?|comes? from|of (?:them|these|those)) |(?:\s?(?:to|through|[-\u2013])\s?)\w"
)
_STEPPED = re.compile(
    r"\b(?:von|vom|de|da|du|van|\u0441|\u043e\u0442)\s+([^\W\d_]+)\s+(?:auf|zu|a|\u00e0|al|naar|tot|para|\u0434\u043e|\u043d\u0430)\s+([^\W\d_]+)",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"(?:\s|\([^()]*\))*(?:,|;|&|and|or|to|through|until|up to|[-\u2013/:.])?(?:\s|\([^()]*\))*",
    re.IGNORECASE,
)
_NAMED_BY = re.compile(  # Figure 3, items 1, on a scale from 1, the two, iOS 17
    r"(?:\b(?:fig(?:ure|\.)?s?|tables?|sections?|appendix|chapters?|items?|questions?|points?|steps?|versions?|stud(?:y|ies)|"
    r"experiments?|hypothes[ei]s|research question|levels?|groups?|parts?|no\.?|number|page|p\.|pp\.|phases?|rounds?|day|week|"
    r"respondents?|participants?|seed|at least|the|these|those|all|both|other|our|any|last|first|next)\s|"
    r"(?:\A|[(,;:]\s?|\b(?:scales?|points?|items?|numbers?|ratings?|rated|answers?|runs?|ranges?|ranged|running|going|each|all|them|all|it|"
    r"these|levels?|steps?)\s)(?:\w+\s)?from\s|\b(?-i:[a-z]+[A-Z]\w*)\s|\b(?:Android|Windows|Python|R|SPSS)\s|[\u2116#])\Z",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?:18|19|20)\d\d")
_AS_ONE = re.compile(
    r"(?:\b(?:to|by|at|near|minus|about|nearly|almost|around|approach(?:ed|es)|reach(?:ed|es)|equals?|exceed(?:ed|s)|below|above)|[=:<>\u2248])\s?\Z",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\b(?:by a|an? full|an? whole|half a|one full) (?:scale )?points?\b|\ba point and a\b|\b(?:a|one|half a) standard deviation\b(?! of)|"
    rf"\b(?:{SMALL}|\d+)-to-(?:{SMALL}|\d+)\b|"
    r"\ban? (?:tenth|twentieth|fiftieth|hundredth|thousandth|millionth|billionth)\b|"
    r"\b(?:was|is|were|by|to|of|about|nearly|almost) an? (?:half|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth)\b(?! \w)|"
    rf"\b(?:was|is|were|by|to|of|about|at|near|nearly|over|under|above|below) (?:nought |zero |oh )?point (?:{SMALL}|oh|zero|nought)\b|"
    r"\b(?:dozens?|scores?|handfuls?|hundreds|thousands) of (?:\w+ )?(?:participants|respondents|people|persons|users|answers|ratings)\b|"
    r"\b(?:to|was|is|at|near|=) (?:unity|(?-i:III?|IV|VI{0,3}|IX))\b|\bin the (?:high |low |mid |upper )?"
    r"(?:twenties|thirties|forties|fifties|sixties|seventies|"
    r"eighties|nineties)\b",
    re.IGNORECASE,
)
_ARABIC = re.compile(r"\d\s?[\u066b\u00b7\u2027]\s?\d")
_PATTERNS = (
    _ARABIC,
    _STEPS,
    _WORDED,
    _STATISTIC,
    _COMMA,
    _PERCENT,
    _SHARE,
    _PEOPLE,
    _SPOKEN,
    _ODDS,
    _PART,
    *(pattern for pattern, _ in (*SPELLED, *MULTIPLES)),
)
NOTE = "By the tests of this study"
"""How a note of code begins behind a sentence that the tests contradict; nobody else may write it (`reported.forged`)."""
UNCHECKED = "not checked against the tests"
"""The note behind a sentence that may state a finding and that code cannot read."""
_NOTES = re.compile(rf" ?\[(?:{NOTE}: (?:\\.|[^\]\\])*|(?:the last \d+ sentences were )?{UNCHECKED})\]")
_ELSEWHERE = re.compile(r"\[@[^\]]*\]|https?://\S+")
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)


def values_of(results: Results) -> dict[str, str]:
    """Name -> text of everything that text may show."""
    return {item.name: item.text for item in results.values}


def design_values(protocol: StudyProtocol) -> dict[str, str]:
    """Numbers of the design that text may show by name."""
    found = {
        "planned_n": str(protocol.participants.sample_size),
        "n_conditions": str(len(protocol.conditions)),
    }
    if protocol.effect is not None:
        found |= {
            "alpha": number(protocol.effect.alpha, bounded=True),
            "power": number(protocol.effect.power, bounded=True),
            "planned_effect": f"*{protocol.effect.measure}* = {number(protocol.effect.size)}",
        }
    if protocol.sample_size is not None:
        found |= {
            "needed_n": str(protocol.sample_size.needed),
            "achieved_power": number(protocol.sample_size.power_with_taken, bounded=True),
        }
    return found


def filled(text: str, values: Mapping[str, str], given: str = "") -> str:
    """The text with every placeholder replaced. given: what the question and the protocol say, whose numbers may be repeated.
    Raises InputError for an unknown name, and for a number that was typed."""
    check_typed(text, given)
    unknown = sorted({name for name in PLACEHOLDER.findall(text) if name not in values})
    if unknown:
        raise InputError(
            "text names results that do not exist",
            found=", ".join(unknown[:8]),
            allowed=", ".join(list(values)[:60]),
            fix="use the names of results.json",
        )
    return PLACEHOLDER.sub(lambda match: values[match[1]], text)


def typed_numbers(text: str, given: str = "") -> list[str]:
    """Numbers of statistics that were typed: after a statistic's name, decimals with point or comma, percentages, shares (24 of
    30), counts of people; in code, too; decimals and percentages in words. Years and counts of conditions or sections are no
    statistics. given: what may be repeated word for word."""
    plain = plain_text(_ELSEWHERE.sub(" ", PLACEHOLDER.sub(" \x00 ", without_notes(text))))
    found = [match for pattern in _PATTERNS for match in pattern.finditer(plain)]
    said = [match.group() for match in _STEPPED.finditer(plain) if all(map(is_number_word, match.groups()))]
    said += [*_uncounted(plain), *(match.group() for match in _PARTS.finditer(plain))]
    typed = [
        *dict.fromkeys(
            [*(match.group().strip() for match in sorted(found, key=lambda match: match.start())), *said]
        )
    ]
    if not given:
        return typed
    known = f" {' '.join(plain_text(given).split())} "
    return [
        item
        for item in typed
        if not re.search(rf"(?<![\w.,]){re.escape(' '.join(item.split()))}(?![\w]|[.,]\d)", known)
    ]


def _counts(number: Number, after: str, least: int = 2) -> bool:
    """Whether a number stands before what it counts; in another language than English, before any word that may be a noun."""
    return bool(
        _COUNTS.match(after)
        or (least == 1 and _ONE_THING.match(after))
        or (number.words != "english" and _ABROAD.match(after))
    )


def _uncounted(plain: str) -> list[str]:
    """Numbers that neither count nor name something: no noun stands behind them, no figure's or scale's name before."""
    found, allowed, end = [], True, -1
    for one in sorted(plain_numbers(plain), key=lambda item: (item.start, -item.end)):
        if one.standing != "whole" or one.start < end or not (one.half or one.any_unit):
            continue
        before, after = plain[max(0, one.start - 60) : one.start], plain[one.end : one.end + 40]
        if not _NEXT.fullmatch(plain[max(end, 0) : one.start][-60:]) or end < 0:
            allowed = bool(
                _NAMED_BY.search(before)
                or (one.words == "" and _YEARS.fullmatch(plain[one.start : one.end]))
                or (
                    one.words == "english"
                    and one.value == 1
                    and not (_AS_ONE.search(before) and not _counts(one, after, 1))
                )
                or (one.words and one.value == 0 and _OF_ZERO.search(before))
                or _OF_TESTED.match(after)
                or (one.value % 1 == 0 and one.any_unit != "%" and _counts(one, after))
                or (_LISTED.search(before) and _IN_EACH.match(after))
            )
        end = one.end
        if not allowed:
            found.append(plain[one.start : one.after])
    return found


def plain_text(text: str) -> str:
    """The text as it is read: code, emphasis, mathematics, tags, entities and invisible characters hide nothing."""
    plain = _TAG.sub("", unicodedata.normalize("NFKC", html.unescape(text)))
    plain = "".join(char for char in plain if unicodedata.category(char) != "Cf")
    return re.sub(r"[*_\\${}`]", "", plain)


def without_notes(text: str) -> str:
    """The text as its author wrote it."""
    return _NOTES.sub("", text)


def check_typed(text: str, given: str = "") -> None:
    """Raises InputError if a statistic's number was typed that is not one of the question or the protocol (`given`)."""
    if found := typed_numbers(text, given):
        raise InputError(
            "a number of the results was typed",
            found="; ".join(item[:60] for item in found[:5]),
            allowed="{{name}} of a value in results.json",
            fix="replace it by its placeholder, or say it without a number",
        )
