"""What was measured, beside what is aimed at."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path


@dataclass(frozen=True)
class Measure:
    """One number with its unit; `below` is the aim, None for numbers that only explain others."""

    name: str
    value: float
    unit: str
    below: float | None = None

    @property
    def met(self) -> bool:
        """Whether the aim is met; true where there is none."""
        return self.below is None or self.value < self.below

    def row(self) -> tuple[str, str, str, str]:
        """Name, value, aim, verdict as text."""
        digits = 0 if self.unit in ("MiB", "") else 2 if self.value < 1 else 1
        aim = "" if self.below is None else f"< {self.below:g} {self.unit}"
        return (
            self.name,
            f"{self.value:.{digits}f} {self.unit}".strip(),
            aim,
            "" if self.below is None else "met" if self.met else "MISSED",
        )


def machine() -> str:
    """Where and when, in one line: date, processor, cores, memory, versions, load before the start."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC; {cpu}, {os.cpu_count()} cores, {memory:.0f} GiB; "
        f"Python {platform.python_version()}, Prefect {version('prefect')}; "
        f"load {os.getloadavg()[0]:.1f} before the start"
    )


def table(measures: list[Measure]) -> str:
    """The measures as a Markdown table that also reads well in a terminal."""
    rows = [("measure", "value", "aim", ""), *(measure.row() for measure in measures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    a, b, c, d = widths
    lines = [f"| {name:{a}} | {value:>{b}} | {aim:{c}} | {met:{d}} |" for name, value, aim, met in rows]
    rule = "|".join("-" * (width + 1) + (":" if column == 1 else "-") for column, width in enumerate(widths))
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])
