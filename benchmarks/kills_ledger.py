"""The kills that were made so far, in a file: a long series can be made in parts, and goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Kill:
    """One run that was disturbed. at_s: seconds after its start. faults: what was lost, repeated or different; none is good."""

    victim: str
    way: str
    at_s: float
    ended_before: bool
    faults: tuple[str, ...]


class Ledger:
    """Kills in their order, one line each; without a file in memory only. Another seed in the file ends the program."""

    def __init__(self, path: Path | None, seed: int) -> None:
        self.path, self.seed, self.kills = path, seed, list[Kill]()
        self.written: list[str] = []
        for line in self._lines():
            if line.pop("seed") != seed:
                raise SystemExit(f"{path} holds kills of another seed; give that one, or another file")
            self.written.append(line.pop("written"))
            self.kills.append(Kill(**{**line, "faults": tuple(line["faults"])}))

    def _lines(self) -> Iterator[dict[str, Any]]:
        if self.path is not None and self.path.is_file():
            yield from map(json.loads, self.path.read_text(encoding="utf-8").splitlines())

    def add(self, kill: Kill) -> None:
        """Keep one more."""
        self.kills.append(kill)
        self.written.append(datetime.now(UTC).strftime("%Y-%m-%d %H:%M"))
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(
                    json.dumps({"seed": self.seed, "written": self.written[-1], **asdict(kill)}) + "\n"
                )

    @property
    def span(self) -> str:
        """When the first and the last were made."""
        return f"{self.written[0]} to {self.written[-1]} UTC" if self.written else "none"
