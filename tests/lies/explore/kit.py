"""What a lie of an exploration is, and what is read of the run in which it was told."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

RunName = Literal["search", "paper", "clock"]


@dataclass(frozen=True)
class Ran:
    """A finished run. said: its console; code: its exit code; asked: how often each agent was asked."""

    folder: Path
    said: str
    code: int
    asked: dict[str, int]

    def json(self, name: str) -> Any:
        """A file of the run."""
        return json.loads((self.folder / name).read_text())

    def text(self, name: str) -> str:
        """A file of the run as text."""
        return (self.folder / name).read_text()

    @cached_property
    def nodes(self) -> dict[str, dict[str, Any]]:
        """The tree's nodes by id."""
        return {node["id"]: node for node in self.json("tree.json")["nodes"]}

    def value(self, node: str) -> float | None:
        """What was measured of a node."""
        metrics = self.nodes[node]["evaluation"]["metrics"]
        return metrics[0]["value"] if metrics else None

    def refused(self, node: str, words: str) -> str:
        """The refusal of a node that holds these words; fails without one."""
        found = self.nodes[node]["evaluation"]["refused"]
        return next((reason for reason in found if words in reason), "") or fail(
            f"nothing of {node} was refused so: {found}"
        )


def fail(words: str) -> str:
    """A lie came through."""
    raise AssertionError(words)


def expect(held: object, words: str) -> None:
    """Fails with these words where it does not hold."""
    if not held:
        fail(words)


@dataclass(frozen=True)
class Lie:
    """did: what the liar did. must: what has to hold. held: looks at the run, says what happened, or fails."""

    name: str
    role: str
    run: RunName
    did: str
    must: str
    held: Callable[[Ran], str]


@dataclass(frozen=True)
class Outcome:
    """fault: why it came through; '' if it is held."""

    lie: Lie
    happened: str
    fault: str


def judged(lie: Lie, ran: Ran) -> Outcome:
    """Whether a lie is held."""
    try:
        return Outcome(lie, " ".join(lie.held(ran).split()), "")
    except (AssertionError, OSError, KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
        return Outcome(lie, "", " ".join(f"{type(error).__name__}: {error}".split())[:400])
