"""Texts for coders, what does not fit in their codes, and the codings that are kept: each segment with its place in the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from schemas.errors import InputError
from schemas.study.answers import Code, CodebookAnswer, CodingAnswer, Decision, ResolutionAnswer
from schemas.study.codings import UNIT, Codings, Segment, TextUnit
from schemas.study.results import Agreement, NamedValue
from schemas.text.addressed import addressed
from tasks.study.participants.raw_data import CONDITION, PARTICIPANT, read_rows
from tasks.study.statistics.measures.coded_texts import disputed_codes, faults_of, of_kept, texts_of

Asked = Literal["once", "per condition", "per row"]
ADDRESSES = "it addresses an AI"
_SHOWN = 80


def units_of(
    data: bytes, items: Mapping[str, Asked], *, most: int
) -> tuple[dict[str, TextUnit], dict[str, str], dict[str, str]]:
    """Texts by participant, condition or row, and item. items: column -> how often it was asked.

    Name -> where it stands; name -> text; and name -> why it is not shown to coders. They are hostile text: one that addresses an
    AI is not shown, so that a participant cannot tell coders what to code.
    """
    units: dict[str, TextUnit] = {}
    for number, row in enumerate(read_rows(data), 1):
        for item, asked in items.items():
            if row.get(item, "").strip():
                who, condition = row[PARTICIPANT], row.get(CONDITION, "") if asked == "per condition" else ""
                place = number if asked == "per row" else 0
                name = "/".join(filter(None, (who, condition, f"row {place}" if place else "", item)))[:UNIT]
                units.setdefault(name, TextUnit(participant=who, condition=condition, row=place, item=item))
    texts = texts_of(read_rows(data), {name: unit.model_dump() for name, unit in units.items()})
    out = {name: ADDRESSES for name in units if addressed(texts[name])}
    coded = [name for name in units if name not in out]
    out |= {name: f"only the first {most} texts are coded" for name in coded[most:]}
    return (
        {name: units[name] for name in coded[:most]},
        {name: texts[name] for name in coded[:most]},
        out,
    )


def coding_faults(answer: CodingAnswer, codebook: CodebookAnswer, texts: Mapping[str, str]) -> list[str]:
    """Texts that were missed, codes that the book does not hold, and words that do not stand in their text."""
    known = {code.name for code in codebook.codes}
    coded = {item.unit for item in answer.codes}
    none = {item.unit for item in answer.codes if item.code is None}
    some = {item.unit for item in answer.codes if item.code is not None}
    times = Counter((item.unit, item.code, item.quote) for item in answer.codes)
    return [
        *(f"the unit {name} was not coded" for name in texts if name not in coded),
        *(f"the unit {name} does not exist" for name in sorted(coded - {*texts})),
        *(f"the unit {name} has a code and none" for name in sorted(none & some)),
        *(
            f"the unit {unit} was coded twice as {code}"
            for (unit, code, _), count in times.items()
            if count > 1
        ),
        *(
            f"{item.unit}: the code book has no {item.code}"
            for item in answer.codes
            if item.code is not None and item.code not in known
        ),
        *(
            f"{item.unit}: the words {item.quote[:_SHOWN]!r} do not stand in it word for word; copy them as they stand, or leave "
            "the quote empty for the whole text"
            for item in answer.codes
            if item.unit in texts and item.quote and _place(texts[item.unit], item.quote) is None
        ),
    ]


def codings_of(
    book: Sequence[Code],
    answers: Sequence[CodingAnswer],
    units: Mapping[str, TextUnit],
    texts: Mapping[str, str],
    not_coded: Mapping[str, str],
) -> Codings:
    """The coders' segments with their places, which code finds; before anybody decides between them. Raises InputError."""
    if len(answers) < 2:
        raise InputError(
            "agreement needs coders who coded apart",
            found=len(answers),
            allowed="two or more",
            fix="let another code",
        )
    whole = CodebookAnswer(codes=tuple(book))
    coders = tuple(f"coder{number}" for number in range(1, len(answers) + 1))
    segments = []
    for coder, answer in zip(coders, answers, strict=True):
        if faults := coding_faults(answer, whole, texts):
            raise InputError(
                f"the codes of {coder} do not fit",
                found="; ".join(faults[:5]),
                fix="let the coder code again",
            )
        for item in answer.codes:
            if item.code is not None:
                start, end = _place(texts[item.unit], item.quote) or (0, 0)
                segments.append(
                    Segment(
                        source=item.unit,
                        start=start,
                        end=end,
                        text=texts[item.unit][start:end],
                        code=item.code,
                        coder=coder,
                        memo=item.memo,
                    )
                )
    return Codings(
        codes=tuple(book),
        coders=coders,
        units={name: units[name] for name in texts},
        segments=tuple(segments),
        not_coded={**not_coded},
    )


def disputed(codings: Codings, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """Each code on which the coders differ, with the text and what each coder marked; who is who is not told."""
    found = []
    for unit, code in disputed_codes(codings.model_dump()):
        marked = [item for item in codings.segments if (item.source, item.code) == (unit, code)]
        found.append(
            {
                "unit": unit,
                "code": code,
                "text": texts[unit],
                "marked": [{"words": item.text, "memo": item.memo} for item in marked],
                "other": "another coder read the text and did not give it this code",
            }
        )
    return found


def resolution_faults(answer: ResolutionAnswer, codings: Codings) -> list[str]:
    """Decisions that are missing, double, or on what the coders agree upon."""
    wanted, times = (
        disputed_codes(codings.model_dump()),
        Counter((item.unit, item.code) for item in answer.decisions),
    )
    return [
        *(f"{unit}, {code}: not decided" for unit, code in wanted if (unit, code) not in times),
        *(
            f"{unit}, {code}: {'the coders do not differ on it' if (unit, code) not in wanted else 'decided twice'}"
            for (unit, code), count in times.items()
            if (unit, code) not in wanted or count > 1
        ),
    ]


def resolved(codings: Codings, decisions: Sequence[Decision]) -> Codings:
    """The codings with a decision on each difference."""
    return codings.model_copy(update={"decisions": tuple(decisions)})


def check_codings(codings: Codings, data: bytes) -> dict[str, str]:
    """The texts of codings that stand in the data (a CSV) word for word. Raises InputError for the first segment that does not,
    and for differences that nobody decided upon."""
    kept = codings.model_dump()
    texts = texts_of(read_rows(data), kept["units"])
    if faults := faults_of(kept, texts):
        first, more = faults[0], f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise InputError(first.what + more, found=first.found, allowed=first.allowed, fix=first.fix)
    return texts


def told_of_codings(codings: Codings, data: bytes) -> tuple[list[NamedValue], tuple[Agreement, ...]]:
    """Counts of texts and of codes by name, and the coders' agreement; by the code that a package carries."""
    found = of_kept(codings.model_dump(), read_rows(data))

    def count(name: str, value: int, about: str) -> NamedValue:
        return NamedValue(name=name, value=value, text=str(value), about=about[:400])

    values = [
        count("coded_texts_n", found["coded_texts"], "texts that were coded"),
        count(
            "disputed_codes_n", found["disputed"], "codes of a text that one coder gave and the other did not"
        ),
    ]
    if codings.not_coded:
        values.append(count("texts_not_coded_n", len(codings.not_coded), "texts that were not coded"))
    for code in codings.codes:
        both, final = found["code_counts"][code.name], found["settled_counts"][code.name]
        values += [
            count(
                f"code_{code.name}_n",
                both,
                f"texts that both coders gave the code {code.name}: {code.definition}",
            ),
            count(
                f"code_{code.name}_settled_n",
                final,
                f"texts with the code {code.name} after the coders' differences were settled",
            ),
        ]
    return values, tuple(Agreement.model_validate(item) for item in found["agreement"])


def _place(text: str, quote: str) -> tuple[int, int] | None:
    """Where words first stand in a text, without space around them; of no words the whole text; None where they do not stand."""
    words = quote.strip() or text.strip()
    start = text.find(words)
    return None if start < 0 else (start, start + len(words))
