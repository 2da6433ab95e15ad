"""Adaptations of prompts to one paper: which are allowed, and how they change a prompt's text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from schemas.talking.adaptation import CONFIDENCE_NEEDED, AdaptationRecord, PromptAdaptation

MAX_CONTENT = 4000
DISABLED = "(Not applicable to this paper.)"
_HEADING = re.compile(r"^#{1,3} +(.+?) *#*$")
_AS_SUCCESS = r"\b(?:mark|classif|report|call|count)\w*\b[^.\n]{0,60}\bas\s+(?:a\s+)?(?:success|pass)"
# Words by which an adaptation would loosen a verdict or the global rules instead of describing the paper.
_FORBIDDEN = (
    r"\b(?:ignor|disregard|bypass|circumvent)\w*",
    r"\boverrid\w*",
    r"\bglobal[ _]rules?\b",
    r"\b(?:always|automatically|unconditionally)\s+(?:approv|accept|pass|succe)\w*",
    r"\b(?:approv|accept|pass)\w*\s+(?:every|all|any|everything|anything)\b",
    r"\b(?:never|do not|don't|must not)\s+(?:reject|fail|question|request\s+(?:a\s+)?revision)",
    r"\b(?:never|do not|don't|must not)\s+report\b[^.\n]{0,40}\b(?:issue|problem|fail|fault|error|mis|discrepan|deviat|find)",
    _AS_SUCCESS,
    r"\b(?:skip|omit)\w*\b[^.\n]{0,40}\b(?:check|review|validation|verdict|convergence)",
    r"\b(?:relax|loosen|widen|rais|weaken)\w*\b[^.\n]{0,40}\b(?:threshold|tolerance|limit|criteri)",
    r"\b(?:approv|accept|pass|succe|agree|proceed|continu)\w*\b[^.\n]{0,60}\bregardless of\b",
    r"\bregardless of\b[^.\n]{0,60}\b(?:approv|accept|pass|succe|agree|proceed|continu)",
    r"\bverdict\s+(?:is|must be|should be|:)[^.\n]{0,30}\b(?:approv|accept|pass|succe|ok\b)",
    r"</?data\b",
    r"\bsystem prompt\b",
)
# What turns such words into the opposite: "never skip the check", "count nothing as a success", "a success only where".
_FORBIDS = re.compile(
    r"(?<!not )(?<!never )\b(?:never|do not|don't|must not|may not|should not|cannot|without|avoid|rather than|instead of)"
    r"(?:,? (?:ever|simply|just|silently|by any means),?)?\s+$",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\b(?:nothing|none|neither|no (?:target|curve|stage|result|value|number)s?)\b", re.IGNORECASE
)
_ONLY = re.compile(r"^[^.;\n]{0,20}\bonly (?:if|when|where|after|with)\b", re.IGNORECASE)


# The workflow's own text, which stays: who an agent is, what it is given and returns, what code decides. Additions are allowed.
WORKFLOW_SECTIONS = (
    "Role",
    "What you receive",
    "Answer",
    "Worked fragment",
    "Questions",
    "Decisions",
    "Thresholds",
    "Experiments",
    "Not allowed",
    "The vocabulary",
    "The library and the contract",
)
# Lines that protect people, the blindness, the evidence or the form of answers: they stay whatever the paper is about.
_PROTECTED = re.compile(
    r"\b(?:blind\w*|withheld|never (?:see|sees|told|shown)|reference values?|(?:paper's|published|their) results?|echo\w*"
    r"|cop(?:y|ied|ying)|hard-?cod\w*|invent\w*|guess\w*|quot\w*|evidence|converg\w*|thresholds?|toleranc\w*|limits?"
    r"|verdicts?|approv\w*|review\w*|check(?:s|ed|list\w*)?|classif\w*|targets?|schema|json|answer\w*|sandbox\w*|network"
    r"|subprocess|isolat\w*|instruct\w*|ais?|data sections?|run\.(?:finish|expect|deadline)\w*|sk\.start)\b|\{[A-Z_]+\}",
    re.IGNORECASE,
)


class SectionedPrompt(Protocol):
    """What `check` needs to know of a prompt."""

    @property
    def text(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def sections(self) -> tuple[str, ...]: ...


def headings(text: str) -> tuple[str, ...]:
    """The headings (levels 1 to 3) of a Markdown text in order, those in code fences left out."""
    return tuple(name for _, name in _heading_lines(text.split("\n")))


def changeable(text: str) -> dict[str, tuple[str, ...]]:
    """Section -> the lines of a prompt that may be modified or disabled."""
    found = {}
    for section in headings(text):
        if section in WORKFLOW_SECTIONS:
            continue
        span = _section_span(text, section)
        lines = text[span[0] : span[1]].split("\n") if span else []
        found[section] = tuple(line.strip() for line in lines if line.strip() and not _protection(line))
    return {section: lines for section, lines in found.items() if lines}


def _protection(lines: str) -> str:
    """The words for which text must stay as it is; empty if there are none."""
    found = _PROTECTED.search(lines)
    return found[0] if found else ""


def _whole_lines(text: str, part: str) -> str:
    """The lines of a text that a part of it touches: half a sentence protects as much as the whole."""
    start = text.index(part)
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", start + len(part))
    return text[first : last if last >= 0 else len(text)]


def check(
    adaptations: tuple[PromptAdaptation, ...],
    agents: Mapping[str, str],
    prompts: Mapping[str, SectionedPrompt],
) -> tuple[AdaptationRecord, ...]:
    """What becomes of each proposed adaptation.

    agents: name -> title; either may be used as target, the record keeps the name. prompts: agent name -> its
    prompt. Not applied, with the reason in `note`: unknown agent or section, global rules, confidence not
    above CONFIDENCE_NEEDED, text to replace that is not in the section, is the workflow's or protected or stands
    there twice, an id used twice, and content that would loosen a verdict.
    """
    by_title = {title: name for name, title in agents.items()}
    records: list[AdaptationRecord] = []
    seen: set[str] = set()
    for adaptation in adaptations:
        name = by_title.get(adaptation.target_agent, adaptation.target_agent)
        adaptation = adaptation.model_copy(update={"target_agent": name})
        prompt = prompts.get(name) if name in agents else None
        note = "id used twice" if adaptation.adaptation_id in seen else _refusal(adaptation, prompt, agents)
        seen.add(adaptation.adaptation_id)
        records.append(
            AdaptationRecord(
                adaptation=adaptation,
                applied=not note,
                note=note,
                base_digest=prompt.digest if prompt else "",
            )
        )
    return tuple(records)


def apply_records(
    text: str, records: tuple[AdaptationRecord, ...], *, base_digest: str = ""
) -> tuple[str, tuple[str, ...]]:
    """A prompt's text with its accepted adaptations, and a note for each that no longer fits.

    records: those for this prompt's agent; refused ones are passed over. base_digest: digest of the prompt as
    it is now; an adaptation written for another version is not applied.
    """
    notes: list[str] = []
    for record in records:
        change = record.adaptation
        if not record.applied:
            continue
        if record.base_digest and base_digest and record.base_digest != base_digest:
            notes.append(f"{change.adaptation_id}: written for another version of the prompt; not applied")
            continue
        span = _section_span(text, change.section)
        if span is None:
            notes.append(f"{change.adaptation_id}: section {change.section!r} is gone; not applied")
            continue
        changed = _changed(text[span[0] : span[1]], change)
        if changed is None:
            notes.append(f"{change.adaptation_id}: the text to change is gone; not applied")
            continue
        text = text[: span[0]] + changed + text[span[1] :]
    return text, tuple(notes)


def apply(prompt_text: str, records: tuple[AdaptationRecord, ...]) -> str:
    """`apply_records` without the notes."""
    return apply_records(prompt_text, records)[0]


def _refusal(adaptation: PromptAdaptation, prompt: SectionedPrompt | None, agents: Mapping[str, str]) -> str:
    """Why an adaptation is not applied; empty if it is."""
    if "global" in adaptation.target_agent.lower():
        return "the global rules cannot be adapted"
    if prompt is None:
        return f"unknown agent {adaptation.target_agent!r}; allowed: {', '.join(agents)}"
    span = _section_span(prompt.text, adaptation.section)
    if span is None:
        return f"unknown section {adaptation.section!r}; allowed: {', '.join(prompt.sections)}"
    needed = CONFIDENCE_NEEDED[adaptation.modification_type]
    # Written so that a NaN is refused.
    if not needed < adaptation.confidence <= 1:
        kind = adaptation.modification_type
        return f"confidence {adaptation.confidence} is not above {needed}, which {kind} needs"
    if adaptation.modification_type != "append":
        original = adaptation.original_content.strip()
        body = prompt.text[span[0] : span[1]]
        if not original or original not in body:
            return f"original_content is not found in section {adaptation.section!r}"
        if adaptation.section.strip().lstrip("#").strip().casefold() in (
            s.casefold() for s in WORKFLOW_SECTIONS
        ):
            return f"section {adaptation.section!r} is the workflow's: only additions here"
        if body.count(original) > 1:
            return f"original_content stands more than once in section {adaptation.section!r}; give the whole line"
        protected = _protection(_whole_lines(body, original))
        if protected:
            return (
                f"this text protects blindness, evidence, limits or the form of answers; found {protected!r}"
            )
    if adaptation.modification_type != "disable":
        if not adaptation.content.strip():
            return "content is empty"
        if len(adaptation.content) > MAX_CONTENT:
            return f"content has {len(adaptation.content)} characters; allowed: {MAX_CONTENT}"
    loose = loosening(adaptation.content)
    return f"content may not loosen rules or verdicts; found {loose!r}" if loose else ""


def loosening(content: str) -> str:
    """The words of a text that would loosen a verdict or the global rules; empty where there are none, or where the text
    forbids just that."""
    for pattern in _FORBIDDEN:
        for found in re.finditer(pattern, content, re.IGNORECASE):
            forbids = _FORBIDS.search(content[: found.start()]) or _NOTHING.search(found[0])
            if not forbids and not (pattern == _AS_SUCCESS and _ONLY.match(content[found.end() :])):
                return found[0]
    return ""


def _changed(section: str, change: PromptAdaptation) -> str | None:
    """The section's text after one change, or None if what is to be changed is not there."""
    if change.modification_type == "append":
        return f"{section.rstrip()}\n\n{_contained(change.content)}\n\n"
    original = change.original_content.strip()
    if not original or original not in section:
        return None
    return section.replace(
        original, _contained(change.content) if change.modification_type == "modify" else DISABLED, 1
    )


def _contained(content: str) -> str:
    """Content that cannot open a section of its own."""
    return re.sub(r"^(\s*)#+ +", r"\1", content.strip(), flags=re.MULTILINE)


def _section_span(text: str, name: str) -> tuple[int, int] | None:
    """Start and end of a section's body (after its heading, up to the next heading), or None."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    marks = _heading_lines(lines)
    wanted = name.strip().lstrip("#").strip().casefold()
    for position, (number, heading) in enumerate(marks):
        if heading.casefold() == wanted:
            after = marks[position + 1][0] if position + 1 < len(marks) else len(lines)
            return starts[number + 1] if number + 1 < len(lines) else len(text), min(starts[after], len(text))
    return None


def _heading_lines(lines: list[str]) -> list[tuple[int, str]]:
    """(line number, heading) of each heading outside code fences."""
    found: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate(lines):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and (match := _HEADING.match(line)):
            found.append((number, match[1]))
    return found
