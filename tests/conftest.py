"""What holds for every test and every process that one starts."""

from __future__ import annotations

import os

# Compiled once, not by each of some hundred processes, also where the caller switched that off: half of a start otherwise.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
