"""A conversation with tools: what the model answered in a turn, and what it was given in return.

A conversation is a sequence of ordinary requests. Request N holds all turns before it, so each turn is bought, kept and
replayed like any other call.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from schemas.base import Model, digest
from schemas.talking.pictures import RequestImage
from schemas.talking.tools import ToolCall

FINISH = (
    "finish"  # the reserved tool: its arguments are the agent's answer, and its call ends the conversation
)
MAX_CALLS = 32


class EchoBlock(Model):
    """A block of the model's message as it was received. Thinking must go back unaltered, signature and place included."""

    kind: Literal["thinking", "redacted_thinking", "text", "call"]
    text: str = Field("", description="the text; of redacted thinking its data; of a call its id")
    signature: str = ""


class Unreadable(Model):
    """A call whose arguments were no JSON object; it is answered with the problem and never carried out."""

    call_id: str
    problem: str


class Spoken(Model):
    """What is said in one turn: words, calls of tools, or both. A call of `finish` ends the conversation."""

    text: str = Field("", description="what you think or want to say; may be empty")
    calls: tuple[ToolCall, ...] = Field((), max_length=MAX_CALLS, description="tools to call now")

    @model_validator(mode="after")
    def _says_something(self) -> Spoken:
        if not self.text.strip() and not self.calls:
            raise ValueError("words in `text`, or at least one call")
        ids = [call.id for call in self.calls]
        if len(set(ids)) < len(ids):
            raise ValueError(f"ids of calls that differ, found {', '.join(ids)[:200]}")
        return self


class TurnAnswer(Spoken):
    """A turn as it is kept: what was said, and what only a program knows of it.

    unreadable: calls whose arguments were no JSON object. echo: the message's blocks in order, where thinking or several
    texts are among them. prefix: the digest of all that was sent before the message, as thinking holds for nothing else.
    """

    unreadable: tuple[Unreadable, ...] = ()
    echo: tuple[EchoBlock, ...] = ()
    prefix: str = ""


class PastResult(Model):
    """What a call of a tool gave, as it is shown to the model.

    whole: the digest of the result before it was shortened to fit the window; empty where nothing was cut.
    """

    call_id: str
    text: str = ""
    images: tuple[RequestImage, ...] = ()
    is_error: bool = False
    whole: str = ""

    def digest(self) -> str:
        """What the tool gave, whether or not it was shortened since, and wherever pictures lie."""
        return self.whole or digest([self.text, [[i.sha256, i.caption] for i in self.images], self.is_error])


class PastTurn(Model):
    """What the model said, and the result of each of its calls in their order.

    note: words of ours behind the results, such as how many turns are left; limits change it, so no key holds it. whole: the
    digest of what was said before arguments of calls were cut to fit the window; empty where nothing was cut.
    """

    said: TurnAnswer
    results: tuple[PastResult, ...] = ()
    note: str = ""
    whole: str = ""

    @model_validator(mode="after")
    def _answered(self) -> PastTurn:
        called, given = [call.id for call in self.said.calls], [result.call_id for result in self.results]
        if called != given:
            raise ValueError(f"one result for each call in their order, found {given} for {called}")
        return self

    def digest(self) -> str:
        """What was said and given, independent of cuts that only a limit made."""
        return digest([self.whole or said_digest(self.said), [result.digest() for result in self.results]])


def said_digest(said: TurnAnswer) -> str:
    """What was said: words and calls."""
    body: dict[str, Any] = said.model_dump(mode="json", include={"text", "calls", "unreadable"})
    return digest(body)
