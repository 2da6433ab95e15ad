"""One remark of the lint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Finding:
    """One remark: rule name, severity, line (1-based; 0 for the whole file), what is wrong, what to do."""

    rule: str
    severity: Literal["blocking", "warning"]
    line: int
    message: str
    fix: str
