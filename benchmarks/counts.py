"""What a server counted, beside what is expected of it: one table, exact."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Count:
    """One thing counted in two places. found and expected must be equal; numbers, texts or lists."""

    name: str
    found: Any
    expected: Any

    @property
    def met(self) -> bool:
        """Whether both agree exactly."""
        return bool(self.found == self.expected)


def table(counts: list[Count]) -> str:
    """A Markdown table that also reads well in a terminal; what is off is shown in full below it."""
    rows = [("count", "found", "expected", "")]
    rows += [(c.name, _short(c.found), _short(c.expected), "ok" if c.met else "OFF") for c in counts]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "| "
        + " | ".join(
            f"{text:{'>' if 0 < n < 3 else '<'}{width}}"
            for n, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        + " |"
        for row in rows
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    off = [f"\nOFF {c.name}\n  found    {c.found!r}\n  expected {c.expected!r}" for c in counts if not c.met]
    return "\n".join([lines[0], rule, *lines[1:], *off])


def own_environment() -> None:
    """Leave the user's Prefect server, keys and outputs alone: the runs of a benchmark get their own."""
    for name in [name for name in os.environ if name.startswith(("PREFECT_", "REPROLAB_", "ANTHROPIC_"))]:
        del os.environ[name]


def _short(value: Any) -> str:
    if isinstance(value, (list, tuple, set, dict)):
        return f"{len(value)} entries" if value else "none"
    return f"{value:.6f}" if isinstance(value, float) else str(value)
