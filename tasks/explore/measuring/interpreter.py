"""Which Python runs a measure program and the candidates it imports."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

SYSTEM = "/usr/bin/python3"


@dataclass(frozen=True)
class Interpreter:
    """path: absolute, as the sandbox runs it; prefixes: where it is installed outside /usr."""

    path: str
    prefixes: tuple[Path, ...] = ()


def interpreter(path: str = SYSTEM) -> Interpreter:
    """The interpreter at `path`, or the one that runs now where there is none. One outside /usr must be that one."""
    if os.access(path, os.X_OK) and Path(path).resolve().is_relative_to("/usr"):
        return Interpreter(path)
    outside = {Path(item).resolve() for item in (sys.prefix, sys.base_prefix)} - {Path("/usr")}
    return Interpreter(sys.executable, tuple(sorted(outside)))
