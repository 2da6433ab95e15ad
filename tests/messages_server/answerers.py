"""What the server answers with: by the position the request names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from schemas.talking.transcript import TranscriptEntry
from tests.messages_server.conversing import Turn, turns_before

Answerer = Callable[[dict[str, Any]], dict[str, Any] | str | Turn]
_LINE = re.compile(r"^Request: (\S+)$", re.MULTILINE)


def label_of(request: dict[str, Any]) -> str:
    """The position label a request names in its `Request: <label>` line; a block that begins with it wins.

    In a conversation with tools the turn follows from the messages.
    """
    texts: list[str] = []
    for message in request["messages"]:
        content = message["content"]
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        texts += [block["text"] for block in blocks if block.get("type") == "text"]
    ordered = sorted(texts, key=lambda text: not text.startswith("Request: "))
    found = next((match for text in ordered if (match := _LINE.search(text))), None)
    if found is None:
        raise LookupError("the request has no line 'Request: <label>'")
    turn = turns_before(request)
    return found[1] + (f".t{turn:02d}" if turn else "")


def conversations(turns: Mapping[str, Sequence[Turn]]) -> Answerer:
    """Turns by the label of their conversation; one turn too many is a LookupError."""
    return answers_by_label(
        {
            f"{label}.t{number:02d}" if number else label: turn
            for label, said in turns.items()
            for number, turn in enumerate(said)
        }
    )


def answers_by_label(answers: Mapping[str, dict[str, Any] | str | Turn]) -> Answerer:
    """Answers by label; an unknown label is a LookupError, which the server shows as HTTP 500."""

    def answerer(request: dict[str, Any]) -> dict[str, Any] | str | Turn:
        label = label_of(request)
        if label not in answers:
            raise LookupError(f"no answer for {label}; there are: {', '.join(sorted(answers))}")
        return answers[label]

    return answerer


def transcript_answerer(path: Path) -> Answerer:
    """Answers as recorded in a transcript.jsonl."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    entries = [TranscriptEntry.model_validate_json(line) for line in lines if line.strip()]
    return answers_by_label({e.position.label(): e.answer for e in entries if e.kind == "call"})
