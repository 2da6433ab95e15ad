"""What the three documents of the specification name, as a list that a test can hold without the documents.

The documents are read-only and not part of the repository. `python -m tests.unit.house.spec_inventory FOLDER` reads them and says
what the lists in docs/reference/specification miss; with `--write` it makes the inventories anew. An inventory holds headings, names (of
code, tables and words in backquotes) and, of each row of a table and each point of a list, a digest: no sentences.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.unit.house.spec_list import DOCUMENTS, FOLDER, SOURCES, SpecList, read_list

_WORD = r"\.?[A-Za-z_@$][\w@-]*(?:[./][\w*{}<>-]+)*"
_CALL = re.compile(rf"({_WORD})\(")
_QUOTED = re.compile(r"""["']([A-Za-z_][\w/.-]*)["']""")
_MEMBER = re.compile(
    r"^\s*(?:export |async |static |private |interface |enum |class |- )*([A-Za-z_]\w*)\??\s*[:=(]"
)
_FILE = re.compile(
    r"[\w*<>{}.-]+\.(?:json|jsonl|md|csv|png|py|ts|txt|tex|bib|pdf|yaml|sh|log|lock|gz|out|bbl|R)\b"
)
_LOCAL = re.compile(r"^\s*(?:const |let |for )?([a-z_]\w*)(?:: [^=]+)?\s+(?:=|in) ")
_STOP = frozenset(
    """if for while and or not in is def return class import from print raise len str int float bool dict list all
any async await const let new throw switch case static export private constructor get append self true false none null number
string void map slice push values set replace lower pop split copy join format read endswith startswith isoformat now the to of
a an e.g i.e etc Optional List Dict Any Record Promise Map Buffer Error JSON.parse String i.padStart fs.stat fs.readFile
stat.isDirectory Path Callable True False br br/> experiment.md<br/>""".split()
)  # words of languages, no names


@dataclass(frozen=True)
class Section:
    """One heading with what stands under it."""

    heading: str
    rows: tuple[str, ...]  # digests
    points: tuple[str, ...]
    names: tuple[str, ...]  # those that no earlier heading has


def digest(text: str) -> str:
    """A few digits of a line, whatever its spaces."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:8]


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Every line, and whether it is code. A bare fence before one with a language is a stray one."""
    lines = text.splitlines()
    if lines[0] == "---":
        lines[0] = lines[lines.index("---", 1)] = "```"
    fences = [i for i, line in enumerate(lines) if line.lstrip().startswith("```")]
    inside, ends = False, dict(zip(fences, [*fences[1:], len(lines)], strict=True))
    for i, line in enumerate(lines):
        if i not in ends:
            yield line, inside
        elif inside:
            inside = False
        else:
            following = lines[ends[i]] if ends[i] < len(lines) else ""
            inside = line.strip() != "```" or following.strip() == "```"


def names_in_code(lines: list[str]) -> list[str]:
    """Functions, classes, members, keys, files and constants; not the local variables."""
    local = {match[1] for line in lines if (match := _LOCAL.match(line))}
    keys: list[str] = []
    for line in lines:
        bare = re.sub(r"(^|\s)(#|//|\*|/\*\*) .*$", "", line)
        keys += _CALL.findall(bare) + _QUOTED.findall(bare) + _FILE.findall(line)
        keys += [m[1] for m in [_MEMBER.match(bare)] if m and m[1] not in local]
        keys += [
            word
            for word in re.findall(r"[A-Za-z_]\w+", _FILE.sub(" ", line))
            if word not in local and _named(word)
        ]
    return [
        name
        for key in keys
        if (name := key.strip("./-_*'{}:"))
        and name not in _STOP
        and len(name) > 2
        and not (name in local and f'"{name}"' not in "".join(lines))
    ]


def _named(word: str) -> bool:
    """Whether a word looks like a name of a program: with an underscore, or CamelCase."""
    return bool("_" in word.strip("_") or re.search(r"[a-z][A-Z]", word))


def names_in_words(line: str) -> list[str]:
    """What stands in backquotes, word by word."""
    spans = re.findall(r"`([^`]+)`", line)
    words = [word.strip("./-_*'{}:") for span in spans for word in re.findall(_WORD, span)]
    return [word for word in words if len(word) > 2 and word not in _STOP]


def sections(text: str) -> list[Section]:
    """The document by its headings."""
    made: list[tuple[str, list[str], list[str], list[str]]] = [("(before the first heading)", [], [], [])]
    code: list[str] = []
    for line, inside in [*_lines(text), ("", False)]:
        _, rows, points, names = made[-1]
        if inside:
            code.append(line)
            continue
        names += names_in_code(code)
        code = []
        if heading := re.match(r"#{1,6} +(.*)", line):
            made.append((re.sub(r"[`*]", "", heading[1]).strip(), [], [], []))
            names = made[-1][3]
        elif line.startswith("|"):
            if re.fullmatch(r"[|\s:-]+", line):
                rows.pop()  # the row above was the head of the table
            else:
                rows.append(digest(line))
        elif re.match(r"\s*(?:[-*]|\d+\.) ", line):
            points.append(digest(line))
        names += names_in_words(line)
    seen: set[str] = set()
    result = []
    for heading, rows, points, names in made:
        new = tuple(dict.fromkeys(name for name in names if name not in seen))
        seen |= set(new)
        if rows or points or new or not heading.startswith("("):
            result.append(Section(heading, tuple(rows), tuple(points), new))
    return result


def written(inventory: list[Section]) -> str:
    """An inventory as it is kept, one line a heading."""
    return (
        "[\n" + ",\n".join(json.dumps(vars(section), ensure_ascii=False) for section in inventory) + "\n]\n"
    )


def kept(document: str) -> list[Section]:
    """The inventory in the repository."""
    entries = json.loads((FOLDER / f"{document}.inventory.json").read_text(encoding="utf-8"))
    return [Section(e["heading"], tuple(e["rows"]), tuple(e["points"]), tuple(e["names"])) for e in entries]


def missed(inventory: list[Section], spec: SpecList) -> list[str]:
    """What the list does not cover: headings, rows and points by their place, names anywhere in its document."""
    found: list[str] = []
    named = {word for section in spec.sections for item in section.items for word in item.words()}
    listed = [section.heading for section in spec.sections if not section.ours]
    if listed != [section.heading for section in inventory]:
        wrong = next(
            (
                pair
                for pair in zip([*listed, ""], [*(s.heading for s in inventory), ""], strict=False)
                if pair[0] != pair[1]
            ),
            ("", ""),
        )
        return [f"the headings differ: the list has {wrong[0]!r} where the document has {wrong[1]!r}"]
    for section, of_list in zip(inventory, [s for s in spec.sections if not s.ours], strict=True):
        for kind, letter in (("rows", "r"), ("points", "p")):
            have = {number for item in of_list.items for number in item.places[letter]}
            wanted = set(range(1, len(getattr(section, kind)) + 1))
            found += [f"{section.heading}: {kind[:-1]} {n} is in no item" for n in sorted(wanted - have)]
            found += [
                f"{section.heading}: the document has no {kind[:-1]} {n}" for n in sorted(have - wanted)
            ]
        found += [f"{section.heading}: {name} is in no item" for name in section.names if name not in named]
        if not of_list.items:
            found.append(f"{section.heading}: no item")
    return found


def main(arguments: list[str]) -> int:
    """Compare the documents in a folder with what is kept here, or keep them anew."""
    folder = Path(
        next((a for a in arguments if not a.startswith("-")), FOLDER.parents[2] / "shared" / "spec")
    )
    if lacking := [name for name in SOURCES.values() if not (folder / name).is_file()]:
        sys.stderr.write(f"{folder} has no {', '.join(lacking)}: nothing to compare with\n")
        return 2
    status = 0
    for document in DOCUMENTS:
        inventory = sections((folder / SOURCES[document]).read_text(encoding="utf-8"))
        if "--write" in arguments:
            (FOLDER / f"{document}.inventory.json").write_text(written(inventory), encoding="utf-8")
        lacking = missed(inventory, read_list(document))
        if inventory != kept(document):
            lacking.insert(0, "the inventory is not that of the document; make it anew with --write")
        for line in lacking:
            sys.stdout.write(f"{document}: {line}\n")
        status |= bool(lacking)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
