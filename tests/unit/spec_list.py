"""The lists of the specification's items (docs/specification/*.list) and the pages made from them.

A list has a line `# HEADING` for each heading of its document, in its order, and under it a line for each item:

    STATE | PLACE IN THE DOCUMENT | ITEM | HERE | NOTE

STATE is works, changed, absent or, for what no document names, ours. PLACE counts the rows of tables and the points of lists under the
heading: r1-3 p2. ITEM is names and few words. HERE is a file or file:name, several with commas. NOTE says what was changed or why.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "specification"
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
        return {word.strip(".,;:()") for word in self.text.split()}


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
            raise ValueError(f"{where}: {len(parts)} parts under {made[-1].heading if made else 'no heading'}; five are needed")
        state, place, item, here, note = parts
        if state not in STATES or not item:
            raise ValueError(f"{where}: the state {state!r} is none of {', '.join(STATES)}, or the item is empty")
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
