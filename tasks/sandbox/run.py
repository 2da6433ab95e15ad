"""`run_sandboxed`: generated code in, a `SandboxResult` out, nothing left running."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from tasks.sandbox.probe import probe_level
from tasks.sandbox.sandbox_result import SandboxLevel, SandboxResult
from tasks.sandbox.supervised import Wanted, supervised


def run_sandboxed(
    argv: Sequence[str], work_dir: Path, *, level: SandboxLevel | None = None, **wanted: Unpack[Wanted]
) -> SandboxResult:
    """Run `argv` isolated, under `limits`, and kill every process it made at the end.

    argv: argv[0] is an absolute host path (the interpreter); further items and environment values name paths
        as seen inside: WORK_INSIDE ("/sandbox/work") and the values of `readonly`. At level C, where nothing
        is mounted, items that are such paths (or lists of them with ":") are translated; other text is not.
    work_dir: existing host directory, the only place the program can write to, and its current directory.
        Started as root, the directory is given to an unprivileged user. An empty one is filled at the end, where the
        program's own can be a file system of limited size (`work_disk`); one that holds something is used itself.
    level: a probed level; `probe_level()` by default.
    wanted: readonly, prefixes, env, limits and the rest, as `Wanted` says.

    Raises SandboxUnavailable (no isolation here), InputError (a path or limit does not fit), SandboxLost.
    KeyboardInterrupt and the death of this process, even by SIGKILL, end the tree as well.
    """
    return supervised(argv, work_dir, level or probe_level(), **wanted)
