"""PromptAdaptorAgent: adapts the other agents' prompts to the paper before anything else runs."""

from __future__ import annotations

import re

from agents.reproduce.crew import declare
from agents.reproduce.roster import ROSTER, TITLES
from prompts.adaptations import changeable, check
from prompts.loader import load_prompt
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.state import ReproState
from schemas.talking.adaptation import AdaptationAnswer, AdaptationRecord

AGENT = declare(
    "prompt_adaptor",
    AdaptationAnswer,
    ("paper_text_summary", "paper_domain", "available_agents", "available_prompts"),
)

_BEFORE = frozenset({AGENT.name, "figure_reader"})  # asked before anything is adapted
FALLBACK_CHARACTERS = 15_000
_WANTED = re.compile(
    r"^[\W\d]{0,40}(abstract|methods?\b|experimental|materials and methods|simulation details"
    r"|numerical methods?|methodology|simulations?$|theory and simulation|computational details"
    r"|models?\b|structures?\b|geometry|devices?$|definitions?\b|theory$|set-?up)",
    re.IGNORECASE,
)
_FOUND = re.compile(r"^[\W\d]{0,40}(?:results?|discussion|conclusions?|findings)\b", re.IGNORECASE)
_HEADING = re.compile(
    r"^(?:(?P<marks>#{1,6})\s+(?P<name>.+?)|\*\*(?P<bold>[^*]{3,80})\*\*\.?)\s*$", re.MULTILINE
)


def context(state: ReproState, paper: PaperInput) -> dict[str, object]:
    """Abstract and methods, the domain, the agents, the sections, and the lines that may be changed."""
    prompts = {name: load_prompt(name) for name in ROSTER if name not in _BEFORE}
    return {
        "paper_text_summary": summary(paper.text),
        "paper_domain": state.paper_domain or paper.domain,
        "available_agents": [
            f"{name} ({title}): {role}" for name, (title, role) in ROSTER.items() if name != "figure_reader"
        ],
        "available_prompts": {
            name: {"sections": prompt.sections, "may be modified or disabled": lines}
            if (lines := changeable(prompt.text))
            else prompt.sections
            for name, prompt in prompts.items()
        },
    }


def summary(text: str) -> str:
    """The abstract and the methods section of a Markdown text, found by common headings; of a subsection the section that it is in.

    Falls back to the first 15 000 characters if no methods section has a heading; never longer than twice
    that.
    """
    found = list(_HEADING.finditer(text))
    parts: list[str] = []
    methods, taken = False, 0
    for position, heading in enumerate(found):
        name = _name(heading)
        if not _WANTED.match(name) or heading.start() < taken:
            continue
        around = [m for m in found[:position] if 1 < _level(m) < _level(heading)]
        match = around[-1] if around and not _FOUND.match(_name(around[-1])) else heading
        end = next(
            (m.start() for m in found[position + 1 :] if _level(m) <= _level(match)),
            len(text),
        )
        taken = end
        parts.append(text[match.start() : end].strip())
        methods = methods or not name.lower().lstrip("#*0123456789. ").startswith("abstract")
    if not methods:
        return text[:FALLBACK_CHARACTERS].strip()
    if not any("abstract" in part[:40].lower() for part in parts):
        parts.insert(0, text[: found[0].start()].strip() or text[:1500].strip())
    return "\n\n".join(part for part in parts if part)[: 2 * FALLBACK_CHARACTERS]


def _name(heading: re.Match[str]) -> str:
    return (heading["name"] or heading["bold"] or "").strip()


def _level(heading: re.Match[str]) -> int:
    return len(heading["marks"] or "######")


def judge(answer: AdaptationAnswer) -> tuple[AdaptationRecord, ...]:
    """Which proposed adaptations are applied; see prompts/adaptations.py for the gates."""
    prompts = {name: load_prompt(name) for name in ROSTER if name != "figure_reader"}
    return check(answer.adaptations, {name: TITLES[name] for name in prompts}, prompts)
