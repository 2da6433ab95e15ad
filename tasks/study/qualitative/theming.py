"""Themes: what an agent says of coded texts, held against the data; code widens, masks and counts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemas.study.answers import QuotedWords, ThemeAnswer, ThemesAnswer
from schemas.study.codings import Codings, Quotation, Theme, Themes
from schemas.study.results import NamedValue
from tasks.study.qualitative.names import listed_names, masks_of, names_in, without_capitals, words_of
from tasks.study.statistics.measures.coded_texts import bounds, settled, shown, theme_counts
from tasks.study.wording.escaping import escaped
from tasks.study.wording.placeholders import plain_text
from tasks.study.wording.reported import forged
from tasks.study.wording.typed import typed_numbers

_LONGEST = 400
"""A passage is shown with the whole of its sentences up to so many characters."""
_SHOWN = 80
_OF_TESTS = re.compile(
    r"\bhypothes[ei]s|\bsignifi[ck]an|\bstatistic|\bp[- ]?values?\b|\bcorrelat|\beffect sizes?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Source:
    """What themes are held against. texts: name -> text, of the data; study: words of the question and the design, which name
    nobody; given: numbers that the design states; simulated: whether a model wrote the texts."""

    codings: Codings
    texts: Mapping[str, str]
    study: Sequence[str]
    given: str = ""
    simulated: bool = False

    @property
    def settled(self) -> dict[str, tuple[str, ...]]:
        """Text -> its codes."""
        return settled(self.codings.model_dump())

    @property
    def known(self) -> frozenset[str]:
        """Words that name nobody."""
        return words_of(self.study)

    def names(self, listed: Sequence[str] = ()) -> frozenset[str]:
        """What may name somebody in any of the texts."""
        texts = self.texts.values()
        return names_in(texts, self.known) | listed_names(listed, texts, self.known)


def shown_to_writer(source: Source) -> list[dict[str, Any]]:
    """The texts with their settled codes, and what coders marked of these."""
    return [
        {
            "unit": unit,
            "text": source.texts[unit],
            "codes": list(codes),
            "marked": list(
                dict.fromkeys(
                    item.text
                    for item in source.codings.segments
                    if item.source == unit and item.code in codes
                )
            ),
        }
        for unit, codes in source.settled.items()
        if codes
    ]


def theme_answer_faults(answer: ThemesAnswer, source: Source) -> list[str]:
    """What of themes does not stand in the data or in the codings."""
    names = [theme.name for theme in answer.themes]
    faults = [f"the theme {name} is there twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    owner: dict[str, str] = {}
    for theme in answer.themes:
        faults += _own_faults(theme, source)
        for code in dict.fromkeys(theme.codes):
            if code in owner:
                faults.append(
                    f"the code {code} is in the themes {owner[code]} and {theme.name}; it belongs to one"
                )
            owner.setdefault(code, theme.name)
        faults += [fault for words in theme.quotations for fault in quotation_faults(words, theme, source)]
    return faults


def _own_faults(theme: ThemeAnswer, source: Source) -> list[str]:
    """Of a theme but its quotations."""
    book = [code.name for code in source.codings.codes]
    faults = [f"{theme.name}: the code book has no {code}" for code in theme.codes if code not in book]
    return [
        *faults,
        *said_faults(theme.name, f"{theme.title}. {theme.meaning}", source.names(), source.given),
    ]


def said_faults(name: str, said: str, names: Collection[str], given: str) -> list[str]:
    """Why words of an agent on a theme or a code may not stand in a paper beside what code counted. names: what may name somebody
    in the texts; given: numbers that the design states."""
    faults = [
        f"{name}: the number {number[:_SHOWN]!r} is typed; code counts"
        for number in typed_numbers(said, given)
    ]
    faults += [f"{name}: {why}" for why in forged(said)]
    faults += [
        f"{name}: {word!r} may name somebody; say it without the name"
        for word in sorted(words_of([said]) & {*names})
    ]
    if _OF_TESTS.search(plain_text(said)):
        faults.append(f"{name}: it tells a result of tests; say what people wrote")
    return faults


def quotation_faults(words: QuotedWords, theme: ThemeAnswer, source: Source) -> list[str]:
    """Why words may not be quoted for a theme."""
    text = source.texts.get(words.unit)
    if text is None:
        return [f"{theme.name}: there is no coded text {words.unit}"]
    if words.text.strip() not in text:
        return [
            f"{theme.name}: {words.text[:_SHOWN]!r} does not stand in {words.unit} word for word; copy the words as they stand"
        ]
    if not {*source.settled[words.unit]} & {*theme.codes}:
        return [
            f"{theme.name}: {words.unit} has none of its codes ({', '.join(theme.codes)}); quote a text that has"
        ]
    if not source.simulated and without_capitals(text):
        return [
            f"{theme.name}: {words.unit} is in writing without capitals, where code finds no names to mask; quote another"
        ]
    return []


def themes_of(answer: ThemesAnswer, source: Source) -> Themes:
    """The themes with counts and masked quotations; what does not stand in the data is left out, and said."""
    themes, out, taken = list[Theme](), list[str](), set[str]()
    kept = source.codings.model_dump()
    names, known = source.names(answer.names), source.known
    for theme in answer.themes:
        faults = _own_faults(theme, source)
        if theme.name in {found.name for found in themes} or taken & {*theme.codes}:
            faults.append(f"{theme.name}: its name or one of its codes is another theme's")
        if faults:
            out += faults
            continue
        taken |= {*theme.codes}
        quotations = dict[tuple[str, int, int], Quotation]()
        for words in theme.quotations:
            if wrong := quotation_faults(words, theme, source):
                out += wrong
                continue
            text = source.texts[words.unit]
            start, end = widened(text, words.text.strip())
            masks = masks_of(text, start, end, names, known)
            quotations[words.unit, start, end] = Quotation(
                source=words.unit, start=start, end=end, masks=masks, shown=shown(text, start, end, masks)
            )
        texts, people = theme_counts(kept, theme.codes)
        themes.append(
            Theme(
                name=theme.name,
                title=theme.title,
                meaning=theme.meaning,
                codes=tuple(dict.fromkeys(theme.codes)),
                quotations=tuple(quotations.values()),
                texts=texts,
                people=people,
            )
        )
    return Themes(themes=tuple(themes), left_out=tuple(out))


def widened(text: str, words: str) -> tuple[int, int]:
    """Where words stand in a text, widened to whole sentences where these are short, else to whole words: nobody cuts a "not" off."""
    start = text.index(words)
    end = start + len(words)
    touched = [(first, last) for first, last in bounds(text) if first < end and last > start]
    if touched and touched[-1][1] - touched[0][0] <= _LONGEST:
        return min(start, touched[0][0]), max(end, touched[-1][1])
    while start > 0 and _one_word(text[start - 1 : start + 1]):
        start -= 1
    while end < len(text) and _one_word(text[end - 1 : end + 1]):
        end += 1
    return start, end


def _one_word(pair: str) -> bool:
    """Whether two characters stand in one word of a writing that parts words."""
    return all(char.isdecimal() or char.lower() != char.upper() for char in pair)


def theme_values(themes: Themes) -> list[NamedValue]:
    """Counts and quotations by the names that text may use."""
    found = []
    for theme in themes.themes:
        about = f"the theme {theme.title}"
        found += [
            NamedValue(
                name=f"theme_{theme.name}_texts_n",
                value=theme.texts,
                text=str(theme.texts),
                about=f"texts of {about}",
            ),
            NamedValue(
                name=f"theme_{theme.name}_people_n",
                value=theme.people,
                text=str(theme.people),
                about=f"participants of {about}",
            ),
            *(
                NamedValue(
                    name=f"theme_{theme.name}_quote_{place}",
                    value=None,
                    text=quoted(quotation),
                    about=f"quotation of {about}",
                )
                for place, quotation in enumerate(theme.quotations, 1)
            ),
        ]
    return found


def quoted(quotation: Quotation) -> str:
    """A quotation for the paper, with whom it is from: nothing in it is Markdown."""
    return f"\u201c{escaped(quotation.shown, 1500)}\u201d ({escaped(quotation.source)})"
