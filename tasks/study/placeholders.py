"""Numbers in text come from results by name: {{h1_p}}. A number of a statistic that was typed is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemas.core.errors import InputError
from schemas.study.design import StudyProtocol
from schemas.study.results import Results
from tasks.study.statistics.apa import number

_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z][\w]*)\s*\}\}")
_DIGIT = r"[0-9\u0660-\u0669\uff10-\uff19]"
_NUMBER = rf"[-\u2212]?{_DIGIT}*[.,]?{_DIGIT}+"
_NAMES = (r"\bp[- ]?values?\b|\bp\b|\b[tFUWHQrdgMDNn]\b|\bBF\w*|\bOR\b|\bSD\b|\bSE\b|\bCI\b|χ2|χ²|\bchi[- ]?squared?\b|η²|"
          r"\beta\b|ε²|\balpha\b|α|\bkappa\b|κ|β|\bb\b")
_LINKS = r"=|<|>|≤|≥|≈|\bis\b|\bwas\b|\bof\b|\bbelow\b|\babove\b|\bequals?\b|:|\bless than\b|\bgreater than\b|\["
_STATISTIC = re.compile(  # a statistic's name, perhaps degrees of freedom in brackets, what links it to a number, the number
    rf"(?:{_NAMES})\W{{0,4}}(?:\([^)]{{0,40}}\)\W{{0,3}})?(?:{_LINKS})\W{{0,4}}{_NUMBER}", re.IGNORECASE)
_MEAN = re.compile(rf"\b(?:means?|medians?|averages?|effect sizes?)\b\W{{0,3}}(?:=|was|is|were|are)\W{{1,3}}{_NUMBER}",
                   re.IGNORECASE)
_DECIMAL = re.compile(rf"(?<![\w.])[-\u2212]?{_DIGIT}*\.{_DIGIT}+(?![.]{_DIGIT})")  # not 1.2.3, a version or section
_PERCENT = re.compile(rf"{_NUMBER}\s*(?:%|percent\b|per cent\b)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`|\[@[^\]]*\]|https?://\S+", re.DOTALL)


def values_of(results: Results) -> dict[str, str]:
    """Name -> text of everything that text may show."""
    return {item.name: item.text for item in results.values}


def design_values(protocol: StudyProtocol) -> dict[str, str]:
    """Numbers of the design that text may show by name."""
    found = {"planned_n": str(protocol.participants.sample_size), "n_conditions": str(len(protocol.conditions))}
    if protocol.effect is not None:
        found |= {"alpha": number(protocol.effect.alpha, bounded=True), "power": number(protocol.effect.power, bounded=True),
                  "planned_effect": f"*{protocol.effect.measure}* = {number(protocol.effect.size)}"}
    if protocol.sample_size is not None:
        found |= {"needed_n": str(protocol.sample_size.needed),
                  "achieved_power": number(protocol.sample_size.power_with_taken, bounded=True)}
    return found


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with every placeholder replaced. Raises InputError for an unknown name, and for a number that was typed."""
    check_typed(text)
    unknown = sorted({name for name in _PLACEHOLDER.findall(text) if name not in values})
    if unknown:
        raise InputError("text names results that do not exist", found=", ".join(unknown[:8]),
                         allowed=", ".join(list(values)[:60]), fix="use the names of results.json")
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def typed_numbers(text: str) -> list[str]:
    """Numbers of statistics that were typed: after a statistic's name, decimals, percentages. Years and counts of
    conditions or sections are no statistics."""
    plain = _CODE.sub(" ", _PLACEHOLDER.sub(" \x00 ", text))
    plain = re.sub(r"[*_\\${}]", "", plain)  # emphasis and mathematics do not hide a number
    found = [match for pattern in (_STATISTIC, _MEAN, _DECIMAL, _PERCENT) for match in pattern.finditer(plain)]
    return [match.group().strip() for match in sorted(found, key=lambda match: match.start())]


def check_typed(text: str) -> None:
    """Raises InputError if a statistic's number was typed."""
    if found := typed_numbers(text):
        raise InputError("a number of the results was typed", found="; ".join(item[:60] for item in found[:5]),
                         allowed="{{name}} of a value in results.json",
                         fix="replace it by its placeholder, or say it without a number")
