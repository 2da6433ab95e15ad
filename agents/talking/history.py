"""A conversation with tools as a page for people: what was said, called and given, turn by turn."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from agents.models.wire import REMINDER, fenced
from schemas.talking.transcript import RequestImage
from schemas.talking.turns import PastTurn
from schemas.text.inert import inert_markdown

SHOWN = 4_000  # characters of a text, of arguments and of a result


def conversation_page(title: str, turns: tuple[PastTurn, ...], directory: Path, ended: str = "") -> str:
    """The Markdown page of a conversation, to lie in `directory`; pictures are linked relative to it.

    ended: how it ended, in words. Nothing that a model or a tool wrote is alive on it.
    """
    parts = [
        f"# {title}",
        f"{len(turns)} turns with calls of tools. {ended}".strip(),
        *(turn_part(number, turn, directory, SHOWN, _verbatim) for number, turn in enumerate(turns, 1)),
    ]
    return inert_markdown("\n\n".join(parts)) + "\n"


def turn_part(
    number: int, turn: PastTurn, directory: Path, most: int, shown: Callable[[str, str], str] = fenced
) -> str:
    """One turn; texts longer than `most` characters are shortened and say so. shown: how a text with its title stands there,
    by default as delimited data, for a page that a model reads."""
    parts = [f"## Turn {number}"]
    if turn.said.text.strip():
        parts.append(shown("said", _cut(turn.said.text.strip(), most)))
    for call, result in zip(turn.said.calls, turn.results, strict=True):
        arguments = json.dumps(call.arguments, indent=1, ensure_ascii=False)
        parts += [
            f"Called `{call.name}`:",
            shown("arguments", _cut(arguments, most)),
            "It failed:" if result.is_error else "Result:",
            shown("result", _cut(result.text.strip() or "(nothing)", most)),
        ]
        parts += [picture(image, directory, "picture") for image in result.images]
    return "\n\n".join(
        [*parts, *(words for words in ("" if turn.said.calls else REMINDER, turn.note) if words)]
    )


def picture(image: RequestImage, directory: Path, name: str) -> str:
    """A picture with its caption, linked as seen from `directory`."""
    caption = fenced(name, " ".join(image.caption.split()))
    try:
        link = Path(os.path.relpath(Path(image.path).resolve(), directory.resolve())).as_posix()
    except ValueError:  # another drive
        link = image.path
    return f"{caption}\n\n![{name}](<{link}>)"


def _verbatim(_title: str, text: str) -> str:
    return verbatim(text)


def verbatim(text: str) -> str:
    """A text in a fence that nothing in it can close."""
    marks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{marks}\n{text}\n{marks}"


def _cut(text: str, most: int) -> str:
    """The beginning and the end of a text that is long for a page."""
    if len(text) <= most:
        return text
    left = len(text) - most
    return (
        f"{text[: most * 2 // 3]}\n[{left} of {len(text)} characters are left out on this page]\n"
        f"{text[len(text) - most // 3 :]}"
    )
