"""Words a simulation wrote about itself, in captions and checks: kept short, on one line, and unable to pose as ours."""

from __future__ import annotations

import math

from schemas.reproduce.simulations.execution import SimulationMessage
from schemas.text.visible import visible

MOST_MESSAGES = 100
_LONGEST = 300


def one_line(value: object, longest: int = _LONGEST) -> str:
    """Printable text on one line; `<` is replaced, so that no tag of ours can be forged with it."""
    text = visible(str(value)[: 4 * longest])
    return " ".join(text.replace("<", "\u2039").split())[:longest]


def message(entry: dict[str, object]) -> SimulationMessage | None:
    """A check or warning of the manifest; None if it has no name or no finite number."""
    name, value = one_line(entry.get("name", ""), 80), entry.get("value", 0.0)
    if not name or isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return SimulationMessage(
        name=name,
        value=float(value),
        unit=one_line(entry.get("unit", "1"), 20),
        detail=one_line(entry.get("detail", "")),
    )
