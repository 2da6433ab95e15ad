"""Title, citation and domain as they stand at the head of an imported text; what is not certain is said."""

from __future__ import annotations

import re
from typing import Any

import yaml

from tasks.reproduce.papers.importing.draft import one_line

_FRONT = re.compile(r"\A---[ \t]*\r?\n(.{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>)\]}]{3,120}")
_ARXIV = re.compile(r"\barXiv:\s?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE)
_JOURNAL = re.compile(
    r"\b[A-Z][\w.]*(?: [A-Z&a-z][\w.]*){0,6},? \d{1,4}(?:\(\d+\))?, ?[\w-]{1,12}(?:[-\u2013]\w{1,12})? ?"
    r"\((?:19|20)\d\d\)"
)
_END = re.compile(r"^#*\s*(?:\d+\.?\s*)?(?:references|bibliography)\b", re.IGNORECASE | re.MULTILINE)
HEAD_CHARACTERS = 6000


class _Texts(yaml.BaseLoader):  # type: ignore[misc]
    """YAML in which every value is text: no numbers, dates or objects are made, and no key stands twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _ in node.value if isinstance(key.value, str)]
        if len(set(names)) < len(names):
            raise yaml.YAMLError("a key stands twice")
        return dict(super().construct_mapping(node, deep))


def front_matter(text: str) -> tuple[dict[str, str], str, str]:
    """Texts of a YAML block at the beginning, the rest of the text, and a doubt if the block could not be read."""
    match = _FRONT.match(text)
    if match is None:
        return {}, text, ""
    try:
        found: Any = yaml.load(match[1], Loader=_Texts)  # noqa: S506 - of the plainest kind
    except (yaml.YAMLError, RecursionError, ValueError):
        return (
            {},
            text[match.end() :],
            "the front matter is not valid YAML, or names a key twice, and was left out",
        )
    if not isinstance(found, dict):
        return {}, text, ""
    return (
        {str(name).lower(): words for name, value in found.items() if (words := _words(value))},
        text[match.end() :],
        "",
    )


def _words(value: object) -> str:
    """A value of the front matter as text; of a list, names joined."""
    if isinstance(value, list):
        return ", ".join(filter(None, (_words(item) for item in value[:50] if not isinstance(item, list))))
    if isinstance(value, dict):
        return (
            one_line(str(value.get("name") or ""), 200)
            if not isinstance(value.get("name"), (list, dict))
            else ""
        )
    return one_line(value, 1000) if isinstance(value, str) else ""


def citation_of(head: str, title: str, given: dict[str, str]) -> tuple[str, str]:
    """A citation and the doubt about it, from the front matter or the lines with a DOI, arXiv number or journal."""
    if given.get("citation"):
        return given["citation"], ""
    parts = [
        given.get("authors") or given.get("author") or "",
        title,
        given.get("journal") or "",
        given.get("date") or given.get("year") or "",
        f"doi:{given['doi']}" if given.get("doi") else "",
    ]
    if given.get("doi") or given.get("journal"):
        return ". ".join(filter(None, parts)), "the citation was put together from the front matter"
    cut = _END.search(head)
    part = head[: cut.start() if cut else HEAD_CHARACTERS][:HEAD_CHARACTERS]
    found = [
        one_line(match[0].rstrip(".,;"), 200)
        for pattern in (_JOURNAL, _DOI, _ARXIV)
        if (match := pattern.search(part))
    ]
    if found:
        return (
            f"{title}. {'; '.join(found)}",
            "the citation was put together from the head of the text: check it",
        )
    return (
        "No citation was found in the imported file.",
        "no DOI, arXiv number or journal was found: give --citation",
    )
