"""The lists of the specification's items (docs/reference/specification/*.list) and the pages made from them (docs_tables.py writes).

A list has a line `# HEADING` for each heading of its document, in its order, and under it a line for each item:

    STATE | PLACE IN THE DOCUMENT | ITEM | HERE | NOTE

STATE is works, changed, absent or, for what no document names, ours. PLACE counts the rows of tables and the points of lists
under the heading: r1-3 p2. ITEM is names and few words. HERE is a file or file:name, several with commas. NOTE says what was
changed or why.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "docs/reference/specification"
DOCUMENTS = ("reproduce", "explore", "study")
STATES = ("works", "changed", "absent", "ours")
OURS = "Not in the document"


@dataclass(frozen=True)
class Item:
    """One line of a list."""

    state: str
    place: str
    text: str
    here: tuple[str, ...]
    note: str
    places: dict[str, set[int]]

    def words(self) -> set[str]:
        """The names in its text."""
        return {word.removesuffix("'s").strip("./-_*'{}:") for word in re.split(r"[\s,;()]+", self.text)}


@dataclass
class Section:
    """A heading and its items."""

    heading: str
    items: list[Item] = field(default_factory=list)

    @property
    def ours(self) -> bool:
        """Whether it lists what no document names."""
        return self.heading == OURS


@dataclass(frozen=True)
class SpecList:
    """The list of one document."""

    document: str
    sections: list[Section]

    def items(self) -> list[Item]:
        """All items."""
        return [item for section in self.sections for item in section.items]


def _places(text: str, where: str) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {"r": set(), "p": set()}
    for part in text.split():
        match = re.fullmatch(r"([rp])(\d+)(?:-(\d+))?", part)
        if not match or int(match[3] or match[2]) < int(match[2]):
            raise ValueError(f"{where}: {part!r} is no place; write r1, r1-3 or p2")
        found[match[1]] |= set(range(int(match[2]), int(match[3] or match[2]) + 1))
    return found


def parse(document: str, text: str) -> SpecList:
    """A list as it is read. Raises ValueError, with the line, for what does not fit."""
    made: list[Section] = []
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{document}.list, line {number}"
        if line.startswith("# "):
            made.append(Section(line[2:].strip()))
            continue
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 5 or not made:
            raise ValueError(
                f"{where}: {len(parts)} parts under {made[-1].heading if made else 'no heading'}; five are needed"
            )
        state, place, item, here, note = parts
        if state not in STATES or not item:
            raise ValueError(
                f"{where}: the state {state!r} is none of {', '.join(STATES)}, or the item is empty"
            )
        if (state == "ours") != made[-1].ours:
            raise ValueError(f"{where}: what is ours stands under '# {OURS}', and only that")
        places = tuple(part.strip() for part in here.split(",") if part.strip())
        if state in ("works", "ours") and not places:
            raise ValueError(f"{where}: {state}, and no place in the code")
        if state in ("changed", "absent") and not note:
            raise ValueError(f"{where}: {state}, and no reason")
        made[-1].items.append(Item(state, place, item, places, note, _places(place, where)))
    return SpecList(document, made)


def read_list(document: str) -> SpecList:
    """The list of one document."""
    return parse(document, (FOLDER / f"{document}.list").read_text(encoding="utf-8"))


TITLES = {
    "reproduce": "The specification of the main workflow",
    "explore": "The specification of exploring",
    "study": "The specification of human studies",
}
SOURCES = {
    "reproduce": "reprolab-workflow.md",
    "explore": "ari-architecture.md",
    "study": "hci-dag-engine.md",
}
_NAME = re.compile(r"(?<![\w`/.<>{*-])[\w$<>{}*./-]*(?:\w[_/.]\w|[a-z][A-Z]|[_>]\w)[\w*/.{}<>-]*[\w*>}]")


def counts_block() -> str:
    """How many items of each document work, were changed, are absent."""
    rows = [
        "| document | page | headings | items | works | changed | absent |",
        "|---|---|---|---|---|---|---|",
    ]
    for document in DOCUMENTS:
        spec = read_list(document)
        found = [item.state for section in spec.sections if not section.ours for item in section.items]
        rows.append(
            f"| `{SOURCES[document]}` | [{document}](specification/{document}.md) | "
            f"{sum(not section.ours for section in spec.sections)} | {len(found)} | "
            + " | ".join(str(found.count(state)) for state in STATES[:3])
            + " |"
        )
    return "\n".join(rows)


def page(document: str) -> str:
    """The page of one document."""
    spec = read_list(document)
    lines = [
        f"# {TITLES[document]}",
        "",
        f"Every item of `{SOURCES[document]}`, heading by heading. Made from `docs/reference/specification/{document}.list`.",
        "What the columns mean: [the specification](../specification.md).",
        "",
    ]
    for section in spec.sections:
        lines += [f"## {_text(section.heading)}", ""]
        where = any(item.place for item in section.items)
        head = ("where", "item", "state", "here", "note") if where else ("item", "state", "here", "note")
        lines += [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
        for item in section.items:
            here = ", ".join(f"`{place}`" for place in item.here)
            cells = (_coded(item.text), item.state, here, _coded(item.note))
            lines.append(
                f"| {' | '.join((_where(item.place), *cells) if where else cells)} |".replace("  ", " ")
            )
        lines.append("")
    return "\n".join(lines)


def _where(place: str) -> str:
    words = []
    for part in place.split():
        number, kind = part[1:], "row" if part[0] == "r" else "point"
        words.append(f"{kind}s {number.replace('-', ' to ')}" if "-" in number else f"{kind} {number}")
    return ", ".join(words)


def _coded(text: str) -> str:
    """Names as code; a piece that is in backquotes already stays."""
    return "".join(
        piece if number % 2 else _NAME.sub(lambda found: f"`{found[0]}`", piece)
        for number, piece in enumerate(re.split(r"(`[^`]*`)", text))
    )


def _text(heading: str) -> str:
    return heading.replace("<", "&lt;").replace("_", "\\_") if "_" in heading else heading
