"""What code writes of coded texts into a paper: themes with counts and quotations, codes with agreement; and what nobody may type."""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemas.study.codings import Codings, Theme, Themes
from schemas.study.results import Agreement
from tasks.study.qualitative.theming import quoted
from tasks.study.statistics.apa import number
from tasks.study.statistics.measures.coded_texts import given, settled
from tasks.study.wording.escaping import escaped
from tasks.study.wording.placeholders import PLACEHOLDER, plain_text
from tasks.study.wording.reported import TEXTS_HEADING

CODED_BY = "The coders are calls of a language model that do not see each other; that they agree does not show that they are right"
_QUOTED = re.compile(
    r"[\"\u201c\u201d\u201e\u201f]([^\"\u201c\u201d\u201e\u201f]{3,1500})[\"\u201c\u201d\u201f]|[\u00ab\u00bb]([^\u00ab\u00bb]{3,1500})[\u00ab\u00bb]"
    r"|(?<!\w)[\u2018'`]([^\u2018\u2019'`\n]{3,400}(?:[\u2019'](?=\w)[^\u2018\u2019'`\n]*)*)[\u2019'`](?!\w)|^[ \t]*>[ \t]?(.+)$",
    re.MULTILINE,
)
_FEWEST = 4
"""Fewer words in quotation marks are a term."""


def written_themes(codings: Codings, themes: Themes, agreement: Iterable[Agreement]) -> str:
    """The themes and codes of a Results section as Markdown."""
    kept = codings.model_dump()
    people = len({unit.participant for unit in codings.units.values()})
    lines = [
        f"### {TEXTS_HEADING}",
        "",
        f"*Written by code from codings.json and themes.json: {len(codings.units)} texts of {people} participants, "
        f"{len(codings.coders)} coders. {CODED_BY}. Titles, meanings and definitions are a language model's words; counts are after "
        f"their {len(codings.decisions)} differences were settled.*",
        "",
    ]
    if themes.themes:
        lines += ["| theme | what it holds | codes | texts | participants |", "|---" * 5 + "|"]
        lines += [
            f"| {escaped(theme.title)} | {escaped(theme.meaning)} | {escaped(', '.join(theme.codes))} | {theme.texts} | {theme.people} |"
            for theme in themes.themes
        ]
        lines += [""]
    for theme in themes.themes:
        lines += _quotations(theme)
    by_code: dict[str, dict[str, Agreement]] = {}
    for item in agreement:
        if item.code:
            by_code.setdefault(item.code, {})[item.measure] = item
    coders, final = given(kept), settled(kept)
    lines += [
        "| code | definition | " + " | ".join(codings.coders) + " | settled | alpha | kappa |",
        "|---" * (5 + len(coders)) + "|",
    ]
    for code in codings.codes:
        counts = [sum(code.name in codes for codes in coder.values()) for coder in coders]
        counts.append(sum(code.name in codes for codes in final.values()))
        measured = [by_code.get(code.name, {}).get(name) for name in ("krippendorff_alpha", "cohens_kappa")]
        cells = [escaped(code.name), escaped(code.definition), *map(str, counts), *map(_value, measured)]
        lines.append("| " + " | ".join(cells) + " |")
    if codings.not_coded:
        lines += ["", f"Not coded: {len(codings.not_coded)} texts ({'; '.join(_reasons(codings))})."]
    return "\n".join(lines)


def themes_words(codings: Codings, themes: Themes) -> list[str]:
    """The same in lines, for README, writers and reviewers."""
    lines = [
        f"{len(codings.units)} texts were coded, {len(codings.decisions)} differences settled (`data/codings.json`, "
        f"`data/themes.json`). {CODED_BY}."
    ]
    lines += (
        [f"Not coded: {len(codings.not_coded)} texts ({'; '.join(_reasons(codings))})."]
        if codings.not_coded
        else []
    )
    lines += [
        f"Theme {escaped(theme.title)} ({escaped(', '.join(theme.codes))}): {_count(theme.texts, 'text')} of "
        f"{_count(theme.people, 'participant')}. "
        f"{escaped(theme.meaning)}"
        for theme in themes.themes
    ]
    return lines + [f"Left out of the themes: {escaped(words, 300)}." for words in themes.left_out]


def typed_quotations(text: str, known: Iterable[str]) -> list[str]:
    """Words in quotation marks, or set off as a quotation, that nobody gave: participants are quoted by name of a value only.
    known: what question, design and themes say."""
    said = _folded(" ".join(known))
    found = []
    for match in _QUOTED.finditer(PLACEHOLDER.sub(" ", text)):
        words = _folded(next(part for part in match.groups() if part is not None))
        if len(words.split()) >= _FEWEST and f" {words} " not in f" {said} ":
            found.append(" ".join(match[0].split())[:200])
    return found


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _quotations(theme: Theme) -> list[str]:
    lines = [f"**{escaped(theme.title)}**", ""]
    for quotation in theme.quotations:
        lines += [f"> {quoted(quotation)}", ""]
    return lines if theme.quotations else [*lines, "No quotation of it stood in the data.", ""]


def _reasons(codings: Codings) -> list[str]:
    reasons = [*codings.not_coded.values()]
    return [f"{reasons.count(why)}: {escaped(why)}" for why in dict.fromkeys(reasons)]


def _value(item: Agreement | None) -> str:
    return "not defined" if item is None or item.value is None else number(item.value, bounded=True)


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", plain_text(text).lower()))
