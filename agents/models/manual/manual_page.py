"""The readable page of a manual request, and the page that says what did not fit."""

from __future__ import annotations

import json
import re
from pathlib import Path

from agents.models.example import minimal_example
from agents.models.manual.manual_turns import answer_part, history_part, tools_part
from agents.models.wire import DATA_NOTE, changing_context, request_line, stable_context, system_text
from agents.talking.history import picture, verbatim
from schemas.talking.transcript import AgentRequest
from schemas.text.inert import inert_markdown

_DIGEST = "request digest: "
_ANSWER_PART = "# Part 3: the answer"
_DATA = re.compile(r'(<data title="[^"<>]*">)\n(.*?)\n(</data>)', re.DOTALL)
_ANSWER_TYPE = re.compile(r"\s*One JSON object of type `(\w+)`")


def request_page(request: AgentRequest, directory: Path) -> str:
    """The Markdown page of `request`, to lie in `directory`; pictures are linked relative to it."""
    label = request.position.label()
    parts = [
        f"<!-- {_DIGEST}{request.digest()} -->",
        request_line(request),
        f"# What to do\n\n{_instructions(request, label, directory.parent.name)}",
        "# Part 1: rules and prompt",
        system_text(request),
        "# Part 2: context",
        DATA_NOTE,
        stable_context(request),
        changing_context(request),
        _pictures(request, directory),
        tools_part(request) if request.tools else "",
        history_part(request, directory),
        _ANSWER_PART,
        answer_part(request) if request.tools else _schema_part(request),
        f"Save it as `{label}.answer.json` in this folder.",
    ]
    head, *rest = (part for part in parts if part)
    return f"{head}\n\n" + inert_markdown(_DATA.sub(_shown, "\n\n".join(rest))) + "\n"


def _shown(found: re.Match[str]) -> str:
    """Data as they are, in a fence of their own: between HTML tags Markdown would show an escape as it is typed."""
    return f"{found[1]}\n\n{verbatim(found[2])}\n\n{found[3]}"


def _schema_part(request: AgentRequest) -> str:
    schema = json.dumps(request.answer_schema, indent=1, ensure_ascii=False)
    example = json.dumps(minimal_example(request.answer_schema), indent=1, ensure_ascii=False)
    return (
        f"One JSON object of type `{request.answer_type}`. Its JSON schema:\n\n```json\n{schema}\n```\n\n"
        f"A minimal example of its shape (placeholders, not a sensible answer):\n\n```json\n{example}\n```"
    )


def digest_of_page(text: str) -> str | None:
    """The request digest a page was written for, None if it names none."""
    first = text.split("\n", 1)[0]
    if not first.startswith(f"<!-- {_DIGEST}"):
        return None
    return first.removeprefix(f"<!-- {_DIGEST}").removesuffix(" -->").strip()


def answer_type_of_page(text: str) -> str | None:
    """The name of the answer's model a page asks for, None if it names none.

    Read after the last heading of part 3: data stands before it and cannot forge one there.
    """
    found = _ANSWER_TYPE.match(text.rpartition(f"\n{_ANSWER_PART}\n")[2])
    return found[1] if found else None


def problems_page(label: str, rejected: str, problems: tuple[str, ...]) -> str:
    """What did not fit in the rejected answer, ready to be pasted into the same chat."""
    lines = "\n".join(f"- {problem}" for problem in problems)
    return inert_markdown(
        f"# The answer to {label} does not fit\n\nRejected: `{rejected}`\n\n{lines}\n\n"
        f"Correct these and save the whole answer again as `{label}.answer.json` in this folder.\n"
    )


def _instructions(request: AgentRequest, label: str, run: str) -> str:
    position = request.position
    turn = f", turn {position.turn + 1} of a conversation" if request.tools else ""
    pictures = f", attach the {len(request.images)} picture(s) of part 2" if request.images else ""
    return (
        f"Answer for the agent **{position.agent}** (stage {position.stage_id}, attempt {position.attempt}, round "
        f"{position.round}, step {position.step}{turn}). Paste this page into any chat window{pictures}, or answer it "
        f"yourself. Save the answer, one JSON object, as\n\n    {label}.answer.json\n\nin the folder of this page. "
        f"`{label}.answer.md` and `{label}.answer.txt` do as well and may have text around the JSON object.\n\n"
        f"`reprolab answer {run} {label} FILE` checks an answer and puts it there (without FILE: from standard input)."
    )


def _pictures(request: AgentRequest, directory: Path) -> str:
    if not request.images:
        return ""
    lines = [picture(image, directory, f"picture {number}") for number, image in enumerate(request.images, 1)]
    return "## Pictures\n\n" + "\n\n".join(lines)
