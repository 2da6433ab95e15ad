"""`reprolab` commands as they can be pasted into a shell."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

OUTPUTS = "REPROLAB_OUTPUTS"


def typed(*words: str, outputs: Path | None = None) -> str:
    """A command: the program as it is found here, every word quoted, the folder of results where it is not the usual one.

    The program is the one beside this Python; its bare name only where the PATH leads to that very file, not to another checkout's.
    """
    beside = Path(sys.executable).parent / "reprolab"
    found = shutil.which("reprolab")
    program = str(beside) if beside.is_file() and not (found and _same(found, beside)) else "reprolab"
    elsewhere = outputs and outputs.resolve() != Path(os.environ.get(OUTPUTS) or "outputs").resolve()
    return shlex.join([program, *words, *(("--outputs", str(outputs)) if elsewhere else ())])


def _same(one: str, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def on_run(run_dir: Path, word: str, *more: str) -> str:
    """A command on one run, in the folder of results in which it lies."""
    return typed(word, run_dir.name, *more, outputs=run_dir.parents[1])
