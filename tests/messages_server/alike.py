"""Answers derived from what a request says: the most alike recorded request of the same agent answers it.

The position a request names is never read, so answers are right in whatever order calls come.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.explore.roster import TITLES as EXPLORERS
from agents.reproduce.roster import TITLES
from schemas.talking.transcript import TranscriptEntry
from tests.messages_server.answerers import Answerer
from tests.messages_server.conversing import turns_before

_SECTION = re.compile(r'^# [^\n]*\n\n<data title="([^"\n]*)">\n(.*?)\n</data>', re.MULTILINE | re.DOTALL)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_PAPER = ("paper_text", "supplementary_text")
# What people were asked is worded by the version of the program, and long: it says nothing about what is asked now.
_LOG = ("user_interactions", "user_responses")
_AGENTS = {f"# {title}\n": name for name, title in (TITLES | EXPLORERS).items()}
Words = Counter[tuple[str, str]]


@dataclass(frozen=True)
class Known:
    """A recorded call as far as a request can be told by it."""

    entry: TranscriptEntry
    words: Words
    fields: frozenset[str]


class ContextAnswerer:
    """Call it with a request body. Raises LookupError (the server shows HTTP 500) where nothing fits."""

    def __init__(self, transcript: Path):
        lines = transcript.read_text(encoding="utf-8").splitlines()[1:]
        entries = [TranscriptEntry.model_validate_json(line) for line in lines if line.strip()]
        self.known: dict[str, list[Known]] = {}
        first: dict[str, Words] = {}  # later turns of a conversation record no context of their own
        for entry in entries:
            if entry.kind == "call":
                sections = {
                    s["title"]: s["text"]
                    for s in (entry.request or {}).get("context", ())
                    if s["title"] not in _LOG
                }
                words = words_of(sections)
                if entry.position.turn:
                    words = first.get(entry.position.conversation(), words)
                else:
                    first[entry.position.conversation()] = words
                self.known.setdefault(entry.position.agent, []).append(
                    Known(entry, words, frozenset(entry.answer))
                )
        self.given: Counter[str] = Counter()
        self._remembered: dict[str, Known] = {}
        self._lock = threading.Lock()

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer recorded for the most alike request; the same request gets the same answer."""
        agent, sections, fields = agent_of(request), sections_of(request), fields_of(request)
        turn = turns_before(request) if request.get("tools") else None
        asked = json.dumps([agent, sections, turn])
        with self._lock:
            if asked not in self._remembered:
                self._remembered[asked] = self._choose(agent, words_of(sections), fields, turn)
            found = self._remembered[asked]
            self.given[found.entry.position.label()] += 1
        return found.entry.answer

    def _choose(self, agent: str, words: Words, fields: frozenset[str] | None, turn: int | None) -> Known:
        fitting = [k for k in self.known.get(agent, ()) if fields is None or k.fields <= fields]
        if turn is not None:  # of a conversation with tools
            fitting = [k for k in fitting if "calls" in k.fields and k.entry.position.turn == turn]
        if not fitting:
            raise LookupError(f"nothing recorded of {agent} with the fields {sorted(fields or ())}")
        # Recorded requests that say the same (a question asked twice) take turns.
        return max(
            fitting, key=lambda k: (round(likeness(words, k.words), 9), -self.given[k.entry.position.label()])
        )


def context_answerer(transcript: Path) -> Answerer:
    """Answers from a transcript.jsonl by what the request says, not by the position it names."""
    return ContextAnswerer(transcript)


def agent_of(request: dict[str, Any]) -> str:
    """The agent whose heading stands in the system prompt, such as `# PlannerAgent`."""
    system = request.get("system", [])
    blocks = [{"text": system}] if isinstance(system, str) else system
    found = {
        name for block in blocks for heading, name in _AGENTS.items() if block["text"].startswith(heading)
    }
    if len(found) != 1:
        raise LookupError(f"the system prompt has the heading of {len(found)} agents, not of one")
    return found.pop()


def sections_of(request: dict[str, Any]) -> dict[str, str]:
    """Title -> text of the data sections in the first user turn, without the paper."""
    content = request["messages"][0]["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    text = "\n\n".join(block["text"] for block in blocks if block["type"] == "text")
    return {title: body for title, body in _SECTION.findall(text) if title not in (*_PAPER, *_LOG)}


def fields_of(request: dict[str, Any]) -> frozenset[str] | None:
    """The fields the answer may have, from the schema sent along; None if the request has none."""
    schema = ((request.get("output_config") or {}).get("format") or {}).get("schema")
    return frozenset(schema["properties"]) if schema and "properties" in schema else None


def words_of(sections: dict[str, str]) -> Words:
    """How often each word stands in each section."""
    return Counter(
        (title, token)
        for title, text in sections.items()
        for token in _TOKEN.findall(text.replace("&lt;", "<"))
    )


def likeness(one: Words, other: Words) -> float:
    """Shared part of two requests, 0 to 1: twice the common words over all words."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
