"""Runs solved by one process of Meep's interpreter for all tests of a process, which imports Meep once."""

from __future__ import annotations

import atexit
import ctypes
import functools
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.sim.simkit.simkit_script import MEEP_PYTHON, ROOT

_PDEATHSIG = 1  # prctl(2)
_LIMIT_S = 300.0


class Solver:
    """`simkit.solve --serve`, which gives each run a fork of itself."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="served-")
        self._jobs, self._count = Path(self._folder.name), 0
        self._process = subprocess.Popen(
            [MEEP_PYTHON, "-m", "simkit.solve", str(self._jobs), "--serve"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL),
        )
        atexit.register(self._process.kill)

    def solve(self, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
        """`python -m simkit.solve FOLDER OPTIONS`."""
        (folder / "ended.json").unlink(missing_ok=True)
        (folder / "job.json").write_text(
            json.dumps({"cpu_s": _LIMIT_S, "options": options}), encoding="utf-8"
        )
        self._count += 1
        (self._jobs / f"{self._count:06d}").symlink_to(folder.resolve())
        end = time.monotonic() + 4 * _LIMIT_S
        while not (folder / "ended.json").is_file():
            assert self._process.poll() is None and time.monotonic() < end, (
                "the solver has ended, or a run does not"
            )
            time.sleep(0.01)
        ended: dict[str, Any] = json.loads((folder / "ended.json").read_text(encoding="utf-8"))
        code = -ended["signal"] if ended["exit_code"] is None else ended["exit_code"]
        return subprocess.CompletedProcess(
            [os.fspath(folder)],
            code,
            *((folder / name).read_text(encoding="utf-8", errors="replace") for name in ("stdout", "stderr")),
        )


@functools.cache
def solver() -> Solver:
    """The one of this process."""
    return Solver()
