"""Where results are kept: the outputs folder that the commands use."""

from __future__ import annotations

import os
from pathlib import Path


def outputs_folder(given: str | Path | None) -> Path:
    """The folder given, else that of REPROLAB_OUTPUTS, else ./outputs; absolute. It need not be there yet."""
    return Path(given or os.environ.get("REPROLAB_OUTPUTS") or "outputs").resolve()
