"""Numbers in text come from results by name: {{h1_p}}. A number of a statistic that was typed is refused."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping

from schemas.errors import InputError
from schemas.study.design import StudyProtocol
from schemas.study.results import Results
from schemas.text.numbers import plain_numbers
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
_MEAN = re.compile(
    r"\b(?:means?|medians?|averages?|effect sizes?|Mittelwert\w*|Durchschnitt\w*|moyennes?|medias?|médias?)\b\W{0,3}"
    rf"(?:=|was|is|were|are|war|ist|betr[uä]gt?|lag bei|von|of|est|fue|es|foi|de)\W{{1,3}}{_NUMBER}",
    re.IGNORECASE,
)
_DECIMAL = re.compile(
    rf"(?<![\w.])[-\u2212]?{_DIGIT}*\.{_DIGIT}+(?![.]{_DIGIT})"
)  # not 1.2.3, a version or section
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
_SCIENTIFIC = re.compile(
    rf"(?<![\w.]){_DIGIT}+(?:[.,]{_DIGIT}+)?[eE][-+\u2212]?{_DIGIT}+\b|"
    rf"(?<![\w.])10\s?(?:\^\s?)?\(?[-\u2212]{_DIGIT}+|{_NUMBER}\s*[×x*\u22c5\u00b7]\s*10",
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
_WORDS_OF_PEOPLE = re.compile(
    rf"\b(?!one\b)(?:{SMALL}|{LARGE})(?:[\s-]+(?:{SMALL}|{LARGE})){{0,4}}[\s-]+(?:[\w-]+ )?{_WHO}\b|"
    rf"\b(?:{SMALL}|{LARGE}|half|quarter)[\s-]+per[\s-]?cent\b",
    re.IGNORECASE,
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
_ARABIC = re.compile(r"\d\s?[\u066b\u00b7\u2027]\s?\d")
_PATTERNS = (
    _STEPS,
    _WORDED,
    _ARABIC,
    _STATISTIC,
    _MEAN,
    _DECIMAL,
    _COMMA,
    _PERCENT,
    _SHARE,
    _PEOPLE,
    _SPOKEN,
    _SCIENTIFIC,
    _ODDS,
    _WORDS_OF_PEOPLE,
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
    said = [
        plain[n.start : n.after]
        for n in plain_numbers(plain)
        if n.words and (n.value % 1 and n.half or n.any_unit == "%")
    ]
    typed = [*(match.group().strip() for match in sorted(found, key=lambda match: match.start())), *said]
    if not given:
        return typed
    known = f" {' '.join(plain_text(given).split())} "
    return [
        item
        for item in typed
        if not re.search(rf"(?<![\w.,]){re.escape(' '.join(item.split()))}(?![\w]|[.,]\d)", known)
    ]


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
