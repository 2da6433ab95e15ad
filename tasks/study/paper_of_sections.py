"""The paper from its seven sections: numbers filled in by name, and who the participants were where a reader starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemas.errors import InputError
from schemas.study.paper import SECTIONS
from schemas.study.statement import LIMITS, STATEMENT
from schemas.text.inert import inert_markdown
from tasks.study.wording.escaping import escaped
from tasks.study.wording.notice import unstamped
from tasks.study.wording.reported import OWN_WORDS
from tasks.study.wording.typed import check_typed, filled

BEFORE_RESULTS = ("introduction", "related_work", "method")
_TITLES = {
    "abstract": "Abstract",
    "introduction": "1. Introduction",
    "related_work": "2. Related Work",
    "method": "3. Method",
    "results": "4. Results",
    "discussion": "5. Discussion",
    "conclusion": "6. Conclusion",
}


def compiled(
    title: str,
    sections: Mapping[str, str],
    values: Mapping[str, str],
    *,
    simulated: bool,
    references: Sequence[str] = (),
    tests: str = "",
    against_title: Sequence[str] = (),
    given: str = "",
) -> str:
    """The paper as Markdown, in which no text hides another. references: lines of the list at its end; tests: what stands
    before the authors' words in the Results; both by code. against_title: what the tests say against the title. given: what was
    written before results were known (`typed_numbers`). Raises InputError for a missing section, an unknown name,
    or a number that was typed."""
    missing = [name for name in SECTIONS if not sections.get(name, "").strip()]
    if missing:
        raise InputError(
            "sections of the paper are missing", found=", ".join(missing), allowed=", ".join(SECTIONS)
        )
    check_typed(title, given)
    parts = [f"# {' '.join(title.split())}", ""]
    if against_title:
        parts += [f"> **The title is the authors'; {escaped('; '.join(against_title))}**", ""]
    if simulated:
        parts += [f"> **{STATEMENT}**", ">", f"> {LIMITS}", ""]
    for name in SECTIONS:
        parts += [f"## {_TITLES[name]}", ""]
        if simulated and name == "abstract":
            parts += [f"*{STATEMENT}*", ""]
        if tests and name == "results":
            parts += [tests, "", f"### {OWN_WORDS}", ""]
        parts += [
            _body(
                filled(unstamped(sections[name]), values, given, before_results=name in BEFORE_RESULTS),
                _TITLES[name],
            ),
            "",
        ]
    if references:
        parts += ["## References", "", *references]
    return "\n".join(parts).rstrip() + "\n"


def _named(heading: str) -> str:
    return heading.lstrip("#").strip().lstrip("0123456789. ").rstrip(" #:").lower()


def _body(text: str, title: str) -> str:
    """A section's text; its own headings go below the section's, and no comment or open block of code swallows what follows."""
    lines = text.strip().splitlines()
    if lines and lines[0].startswith("#") and _named(lines[0]) == _named(title):
        lines = lines[1:]
    text = "\n".join("###" + line.lstrip("#") if line.startswith("#") else line for line in lines).strip()
    return inert_markdown(text)
