"""docs/reference/specification: every item of the three documents is there, at places that exist, and all that the code knows."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.house.docs_tables import DOCS
from tests.unit.house.spec_inventory import Section, digest, kept, main, missed, sections
from tests.unit.house.spec_known import KNOWN
from tests.unit.house.spec_list import DOCUMENTS, OURS, Item, SpecList, page, parse, read_list
from tests.unit.house.spec_list import Section as ListSection

pytestmark = pytest.mark.unit

ROOT = DOCS.parent
LISTS = {document: read_list(document) for document in DOCUMENTS}
INVENTORIES = {document: kept(document) for document in DOCUMENTS}
PLACES = sorted({place for spec in LISTS.values() for item in spec.items() for place in item.here})
REGENERATE = "run: .venv/bin/python -m tests.unit.house.docs_tables"


@cache
def names(path: Path) -> set[str]:
    """Functions, classes, their members and constants of a module, as NAME or CLASS.MEMBER."""
    found: set[str] = set()

    def collect(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.add(prefix + node.name)
                if isinstance(node, ast.ClassDef):
                    collect(node.body, f"{node.name}.")
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, ast.AnnAssign)
                else []
            )
            found.update(
                prefix + name.id
                for target in targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name)
            )

    collect(ast.parse(path.read_text(encoding="utf-8")).body, "")
    return found


@pytest.mark.parametrize("place", PLACES)
def test_every_place_exists(place: str) -> None:
    path, _, name = place.partition(":")
    assert (ROOT / path).exists(), f"{path} does not exist"
    assert not name or name in names(ROOT / path), (
        f"{path} has no {name}; it has {', '.join(sorted(names(ROOT / path)))}"
    )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_page_is_the_list(document: str) -> None:
    assert (DOCS / "reference/specification" / f"{document}.md").read_text(encoding="utf-8") == page(
        document
    ), REGENERATE


@pytest.mark.parametrize(
    ("document", "kind"), [(document, kind) for document in DOCUMENTS for kind in KNOWN[document]]
)
def test_nothing_the_code_knows_is_missing(document: str, kind: str) -> None:
    known = KNOWN[document][kind]
    named = {word for item in LISTS[document].items() for word in item.words()}
    assert known, "the code's list is empty"
    assert not known - named, (
        f"docs/reference/specification/{document}.list names no {kind} {sorted(known - named)}"
    )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_ours_is_not_gone(document: str) -> None:
    known = set().union(*KNOWN[document].values())
    own = [item for section in LISTS[document].sections if section.ours for item in section.items]
    named = {word for item in own for word in item.words() if "_" in word or re.search(r"[a-z][A-Z]", word)}
    assert own and named <= known, f"{sorted(named - known)} are no names of the code any more"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_entry_of_the_document_is_in_an_item(document: str) -> None:
    assert missed(INVENTORIES[document], LISTS[document]) == []


def without(spec: SpecList, taken: set[int]) -> SpecList:
    """The list without those items (by their number)."""
    numbers = iter(range(len(spec.items())))
    return SpecList(
        spec.document,
        [
            ListSection(section.heading, [item for item in section.items if next(numbers) not in taken])
            for section in spec.sections
        ],
    )


def covering(spec: SpecList, heading: int, wanted: tuple[str, int | str]) -> set[int]:
    """Numbers of the items that cover a row or point of a heading (by its number), or a name."""
    kind, which = wanted
    inside = [(number, item) for number, section in enumerate(spec.sections) for item in section.items]
    return {
        place
        for place, (number, item) in enumerate(inside)
        if (which in item.words() if kind == "name" else number == heading and which in item.places[kind])
    }


ENTRIES = [
    (document, number, wanted)
    for document in DOCUMENTS
    for number, section in enumerate(INVENTORIES[document])
    for wanted in (
        *(("r", n) for n in range(1, len(section.rows) + 1)),
        *(("p", n) for n in range(1, len(section.points) + 1)),
        *(("name", name) for name in section.names),
    )
]


@given(st.sampled_from(ENTRIES))
def test_an_entry_whose_items_are_taken_out_is_missed(entry: tuple[str, int, tuple[str, int | str]]) -> None:
    document, number, (kind, which) = entry
    spec, inventory = LISTS[document], INVENTORIES[document]
    taken = covering(spec, number, (kind, which))
    found = missed(inventory, without(spec, taken))
    what = {"r": f"row {which}", "p": f"point {which}", "name": str(which)}[kind]
    assert taken and f"{inventory[number].heading}: {what} is in no item" in found


@given(st.sampled_from(DOCUMENTS), st.data())
def test_a_heading_that_is_left_out_is_missed(document: str, data: st.DataObject) -> None:
    spec = LISTS[document]
    number = data.draw(st.integers(0, len(INVENTORIES[document]) - 1))
    fewer = SpecList(document, [*spec.sections[:number], *spec.sections[number + 1 :]])
    assert "the headings differ" in missed(INVENTORIES[document], fewer)[0]


def test_a_place_that_the_document_has_not_is_told() -> None:
    spec = parse("x", "# One\nworks | r1-2 p1 | a thing | flows/cli.py |\n")
    assert missed([Section("One", ("1",), ("2",), ())], spec) == ["One: the document has no row 2"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("works | | a | |", "no place"),
        ("changed | | a | x.py |", "no reason"),
        ("absent | | a | |", "no reason"),
        ("done | | a | x.py |", "the state"),
        ("works | | | x.py |", "empty"),
        ("works | row 1 | a | x.py |", "is no place"),
        ("works | r3-2 | a | x.py |", "is no place"),
        ("works | | a | x.py", "five are needed"),
        ("ours | | a | x.py |", "stands under"),
    ],
)
def test_a_line_that_does_not_fit_is_refused_with_its_number(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"line 2: .*{why}"):
        parse("x", f"# One\n{line}\n")


def test_an_item_without_a_heading_and_a_document_s_item_among_ours_are_refused() -> None:
    with pytest.raises(ValueError, match="no heading"):
        parse("x", "works | | a | x.py |\n")
    with pytest.raises(ValueError, match="stands under"):
        parse("x", f"# {OURS}\nworks | | a | x.py |\n")


DOCUMENT = """# One `thing`

Words with `a_name` and `other()`; words without.

| name | what |
|---|---|
| `first_row` | words |
| second | words |

- point
  1. numbered

```python
# a comment with words
def made(state):
    local_name = state["a_key"]
    return called_one(local_name)
```
# Two
```
stray
## Three
```typescript
export enum Kind { MEMBER = 'member' }
```
"""


def test_an_inventory_holds_headings_rows_points_and_names_and_no_words() -> None:
    one, two, three = sections(DOCUMENT)
    assert (one.heading, two.heading, three.heading) == (
        "One thing",
        "Two",
        "Three",
    )  # a stray fence hides no heading
    assert (
        one.rows == (digest("| `first_row` | words |"), digest("| second | words |")) and len(one.points) == 2
    )
    assert {"a_name", "other", "first_row", "a_key", "made", "called_one"} <= set(one.names)
    assert not {"local_name", "words", "comment", "second"} & set(one.names)
    assert "Kind" in three.names or "member" in three.names


@given(
    st.sampled_from([line for line in DOCUMENT.splitlines() if line.startswith(("|  ", "| f", "| s", "- "))])
)
def test_a_changed_row_or_point_changes_the_inventory(line: str) -> None:
    assert sections(DOCUMENT.replace(line, line + " more")) != sections(DOCUMENT)
    assert sections(DOCUMENT.replace(line, line.replace(" ", "  "))) == sections(DOCUMENT)


def test_check_mode_says_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    for name in ("reprolab-workflow.md", "ari-architecture.md", "hci-dag-engine.md"):
        (tmp_path / name).write_text(DOCUMENT, encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    assert "reproduce: the headings differ: the list has 'Workflow Documentation'" in capsys.readouterr().out


def test_words_of_an_item_are_names_without_their_dress() -> None:
    item = Item("works", "", "PaperBench's form (a_b), {c_d}/e.f: `x.y`", (), "", {"r": set(), "p": set()})
    assert {"PaperBench", "a_b", "c_d}/e.f", "x.y"} & item.words() >= {"PaperBench", "a_b"}
