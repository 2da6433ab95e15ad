"""Names that generated code may use from simkit, read from its sources: simkit itself runs only in the sandbox."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

_SOURCE = Path(__file__).resolve().parents[3] / "simkit" / "__init__.py"


@cache
def simkit_names() -> tuple[str, ...]:
    """Public names of simkit, from the table at the top of its package."""
    for node in ast.parse(_SOURCE.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOME":
            table: dict[str, tuple[str, ...]] = ast.literal_eval(node.value)
            return tuple(sorted(name for names in table.values() for name in names))
    raise RuntimeError(f"{_SOURCE} has no table _HOME")
