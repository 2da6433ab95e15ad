"""Kept codings of texts (codings.json, themes.json): held against the data word for word, settled, counted, and how far coders agree.

Part of a package, so on plain dictionaries: the fields are those of schemas/study/codings.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..agreement import of_codings, of_one_code

Kept = Mapping[str, Any]
MASK, CUT = "[name]", "[...]"
_SENTENCE = re.compile(r"[.!?\u2026][\"'\u201d\u2019)\]]*\s+|[\u3002\uff01\uff1f][\u300d\u201d]?\s*|\s*\n\s*")
_SHOWN = 60


class Fault(NamedTuple):
    """What does not hold, what was found, what is allowed, and what to do."""

    what: str
    found: str
    allowed: str
    fix: str

    @property
    def words(self) -> str:
        """The fault in a line."""
        return f"{self.what}: found {self.found}; allowed: {self.allowed}; {self.fix}"


def texts_of(rows: Iterable[Mapping[str, str]], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Name -> text of the units that the data hold, as the cell stands: of that row of the participant, or of the first of the
    participant's rows (in the unit's condition, if it has one) whose cell is not empty."""
    wanted = {
        (unit["participant"], unit["condition"], unit["row"], unit["item"]): name
        for name, unit in units.items()
    }
    items = {unit["item"] for unit in units.values()}
    found: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        who, condition = row.get("participant") or "", row.get("condition") or ""
        for item in items:
            if (cell := row.get(item) or "").strip():
                for key in {(who, condition, 0, item), (who, "", 0, item), (who, "", number, item)}:
                    if key in wanted:
                        found.setdefault(wanted[key], cell)
    return found


def faults_of(kept: Kept, texts: Mapping[str, str]) -> list[Fault]:
    """What of codings does not stand in the data, or does not fit itself."""
    book = [code["name"] for code in kept["codes"]]
    found = [
        Fault(
            f"the text {name[:_SHOWN]} was coded",
            "no such text in the data",
            "texts of raw_data.csv",
            "let the texts be coded again, or give the data they are of",
        )
        for name in kept["units"]
        if name not in texts
    ]
    for place, segment in enumerate(kept["segments"], 1):
        found += _segment_faults(f"segment {place} of {segment['coder']}", segment, kept, book, texts)
    disputed, times = disputed_codes(kept), dict[tuple[str, str], int]()
    for decision in kept["decisions"]:
        pair = (decision["unit"], decision["code"])
        times[pair] = times.get(pair, 0) + 1
    for unit, code in [*disputed, *(pair for pair in times if pair not in disputed)]:
        count = times.get((unit, code), 0)
        if count != 1 or (unit, code) not in disputed:
            found.append(
                Fault(
                    f"the code {code} of {unit[:_SHOWN]} "
                    + ("is decided upon" if count else "is not decided upon"),
                    f"{count} decisions, and coders who {'differ' if (unit, code) in disputed else 'agree'}",
                    "one decision on each code of a text that not all coders gave it, and no other",
                    "decide on each once",
                )
            )
    return found


def _segment_faults(
    where: str, segment: Kept, kept: Kept, book: Sequence[str], texts: Mapping[str, str]
) -> list[Fault]:
    source, start, end = segment["source"], segment["start"], segment["end"]
    if source not in kept["units"] or segment["code"] not in book or segment["coder"] not in kept["coders"]:
        return [
            Fault(
                f"{where} names what is not there",
                f"text {source[:_SHOWN]}, code {segment['code'][:_SHOWN]}, coder {segment['coder'][:_SHOWN]}",
                f"codes {', '.join(book)}; coders {', '.join(kept['coders'])}; texts of `units`",
                "correct the name, or leave the segment out",
            )
        ]
    if source not in texts:
        return []
    stands = texts[source][start:end] if 0 <= start < end <= len(texts[source]) else ""
    if stands and stands == segment["text"]:
        return []
    return [
        Fault(
            f"{where} does not stand in its source, {source[:_SHOWN]}, at {start} to {end}",
            f"{segment['text'][:_SHOWN]!r} where the data hold "
            + (f"{stands[:_SHOWN]!r}" if stands else f"{len(texts[source])} characters"),
            "the text of the cell between these characters, word for word",
            "copy the words as they stand, with their place",
        )
    ]


def given(kept: Kept) -> list[dict[str, frozenset[str]]]:
    """Of each coder, text -> its codes."""
    codes: list[dict[str, set[str]]] = [{name: set() for name in kept["units"]} for _ in kept["coders"]]
    place = {name: number for number, name in enumerate(kept["coders"])}
    for segment in kept["segments"]:
        codes[place[segment["coder"]]][segment["source"]].add(segment["code"])
    return [{name: frozenset(found) for name, found in coder.items()} for coder in codes]


def disputed_codes(kept: Kept) -> list[tuple[str, str]]:
    """Text and code, where some coders gave it and others did not; in the order of texts and of the book."""
    coders, book = given(kept), [code["name"] for code in kept["codes"]]
    return [
        (unit, code)
        for unit in kept["units"]
        for code in book
        if 0 < sum(code in coder[unit] for coder in coders) < len(coders)
    ]


def settled(kept: Kept) -> dict[str, tuple[str, ...]]:
    """Text -> its codes: those that all coders gave, and those that a decision keeps."""
    coders = given(kept)
    keeps = {(item["unit"], item["code"]) for item in kept["decisions"] if item["keep"]}
    return {
        unit: tuple(
            code["name"]
            for code in kept["codes"]
            if all(code["name"] in coder[unit] for coder in coders) or (unit, code["name"]) in keeps
        )
        for unit in kept["units"]
    }


def theme_counts(kept: Kept, codes: Iterable[str]) -> tuple[int, int]:
    """Texts, and participants, that have at least one of the codes."""
    wanted = {*codes}
    texts = [unit for unit, found in settled(kept).items() if wanted & {*found}]
    return len(texts), len({kept["units"][unit]["participant"] for unit in texts})


def bounds(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence of a text, without the space around it."""
    ends = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
    found = []
    for first, last in zip(ends, ends[1:], strict=False):
        part = text[first:last]
        if part.strip():
            start = first + len(part) - len(part.lstrip())
            found.append((start, start + len(part.strip())))
    return found


def shown(text: str, start: int, end: int, masks: Sequence[Sequence[int]]) -> str:
    """A passage as it is printed: masks (characters of the text) as [name], and [...] where it begins or ends within a sentence."""
    parts, at = [], start
    for first, last in masks:
        parts += [text[at:first], MASK]
        at = last
    whole = bounds(text)
    before = "" if any(first == start for first, _ in whole) else f"{CUT} "
    behind = "" if any(last == end for _, last in whole) else f" {CUT}"
    return before + "".join([*parts, text[at:end]]) + behind


def theme_faults(themes: Kept, kept: Kept, texts: Mapping[str, str]) -> list[Fault]:
    """Counts of themes that the codings do not give, and quotations that do not stand in a text which has the theme's codes."""
    found, settled_codes = [], settled(kept)
    for theme in themes["themes"]:
        counts = theme_counts(kept, theme["codes"])
        if counts != (theme["texts"], theme["people"]):
            found.append(
                Fault(
                    f"the counts of the theme {theme['name']}",
                    f"{theme['texts']} texts of {theme['people']} participants",
                    f"{counts[0]} texts of {counts[1]} participants, as its codes were settled",
                    "let code count them again",
                )
            )
        for place, quotation in enumerate(theme["quotations"], 1):
            text = texts.get(quotation["source"], "")
            coded = {*settled_codes.get(quotation["source"], ())} & {*theme["codes"]}
            start, end, masks = quotation["start"], quotation["end"], quotation["masks"]
            inside = 0 <= start < end <= len(text) and all(
                start <= first < last <= end for first, last in masks
            )
            told = shown(text, start, end, masks) if inside else ""
            if not coded or told != quotation["shown"]:
                found.append(
                    Fault(
                        f"quotation {place} of the theme {theme['name']}",
                        f"{quotation['shown'][:_SHOWN]!r} where {quotation['source'][:_SHOWN]} holds {told[:_SHOWN]!r}"
                        + ("" if coded else ", which has none of the theme's codes"),
                        "what stands in a text that has a code of the theme, word for word, but for masks",
                        "quote a text of the theme as it stands",
                    )
                )
    return found


def of_kept(kept: Kept, rows: Iterable[Mapping[str, str]], themes: Kept | None = None) -> dict[str, Any]:
    """Agreement, counts of codes and themes from kept codings. Raises ValueError with what does not stand in the data.

    Over all codes where each coder gave each text one code at most; of each code, on whether a text has it, always.
    code_counts: texts to which all coders gave the code; settled_counts: after the decisions.
    """
    texts = texts_of(rows, kept["units"])
    faults = faults_of(kept, texts)
    if not faults and themes is not None:
        faults = theme_faults(themes, kept, texts)
    if faults:
        raise ValueError(f"{len(faults)} faults; " + "\n".join(fault.words for fault in faults[:5]))
    book, coders = [code["name"] for code in kept["codes"]], given(kept)
    single = all(len(codes) < 2 for coder in coders for codes in coder.values())
    whole = (
        of_codings(
            book, [{unit: next(iter(codes), None) for unit, codes in coder.items()} for coder in coders]
        )
        if single
        else {"agreement": []}
    )
    final = settled(kept)
    found = {
        "agreement": [
            *whole["agreement"],
            *(
                one
                for code in book
                for one in of_one_code(
                    code, [[code in codes for codes in coder.values()] for coder in coders]
                )
            ),
        ],
        "code_counts": {
            code: sum(all(code in coder[unit] for coder in coders) for unit in final) for code in book
        },
        "settled_counts": {code: sum(code in codes for codes in final.values()) for code in book},
        "coded_texts": len(final),
        "disputed": len(disputed_codes(kept)),
    }
    if themes is not None:
        found["themes"] = {
            theme["name"]: dict(zip(("texts", "people"), theme_counts(kept, theme["codes"]), strict=True))
            for theme in themes["themes"]
        }
    return found
