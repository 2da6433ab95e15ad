"""What isolation this computer really gives, found by attacking decoys rather than looking for a binary."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from schemas.errors import ReproLabError
from tasks.sandbox.protections import LIMITS, SUCCEEDS, tried
from tasks.sandbox.sandbox_result import Protection, SandboxLevel, SandboxResult
from tasks.sandbox.scratch import scratch
from tasks.sandbox.supervised import supervised

_OLDEST = (0, 8)  # --size, --perms and --disable-userns

_ATTACKS = (
    SUCCEEDS
    + r"""
import json, os, socket, sys
decoy, port = sys.argv[1], int(sys.argv[2])
def connect():
    socket.create_connection(("127.0.0.1", port), timeout=2).close()
print(json.dumps({
    "read": succeeds(lambda: open(decoy).read()),
    "write": succeeds(lambda: open(os.path.join(os.path.dirname(decoy), "written"), "w").close()),
    "network": succeeds(connect),
    "work": succeeds(lambda: open("/sandbox/work/own", "w").close()),
}))
"""
)


@functools.lru_cache(maxsize=1)
def probe_level() -> SandboxLevel:
    """The isolation level of this computer, with one finding for each thing tried. Cached for the process.

    Tries, inside bubblewrap: reading and writing beside the work directory, connecting to a listener on the
    loopback interface, and writing to its own work directory. Then, at the level found: `protections.tried`.
    """
    level = _isolation()
    try:
        with scratch("reprolab-probe-") as root:
            return replace(level, protections=_tried(level, root / "work"))
    except ReproLabError as error:
        return replace(
            level, protections=(Protection("nothing could be tried", False, " ".join(str(error).split())),)
        )


def _tried(level: SandboxLevel, work: Path) -> tuple[Protection, ...]:
    python, prefixes = _interpreter()
    return tried(
        python,
        lambda argv, limits: supervised(
            argv, work, level, prefixes=prefixes, limits=limits, allow_degraded=True
        ),
    )


def _isolation() -> SandboxLevel:
    bwrap = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin") or shutil.which("bwrap")
    if bwrap is None:
        return SandboxLevel("C", "rlimits", ("bubblewrap is not installed (no `bwrap` on the PATH)",))
    version = _version(bwrap)
    if version is None or version < _OLDEST:
        shown = "unknown" if version is None else ".".join(map(str, version))
        return SandboxLevel("C", "rlimits", (f"bubblewrap {shown} at {bwrap} is older than 0.8",))
    findings = _attacked(SandboxLevel("A", bwrap, ()))
    failed = [text for held, text in findings if not held]
    texts = tuple(text for _, text in findings)
    return SandboxLevel("C", "rlimits", texts) if failed else SandboxLevel("A", bwrap, texts)


def _version(bwrap: str) -> tuple[int, int] | None:
    try:
        text = subprocess.run(
            [bwrap, "--version"], capture_output=True, text=True, timeout=10, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else None


def _attacked(candidate: SandboxLevel) -> list[tuple[bool, str]]:
    """(held, sentence) for each thing tried at `candidate`."""
    python, prefixes = _interpreter()
    try:
        with scratch("reprolab-probe-") as root, _listener() as port:
            decoy = root / "decoy.txt"
            decoy.write_text("decoy")
            root.chmod(0o777)  # only the sandbox may be what keeps the program from writing here
            decoy.chmod(0o644)
            result = supervised(
                [python, "-c", _ATTACKS, str(decoy), str(port)],
                root / "work",
                candidate,
                prefixes=prefixes,
                limits=LIMITS,
                mpi=True,  # sockets are allowed then: only the namespace may be what keeps the program from the network
            )
            escaped = (root / "written").exists()
            return _judged(result, escaped)
    except ReproLabError as error:
        return [(False, f"bubblewrap could not run: {' '.join(str(error).split())}")]


def _judged(result: SandboxResult, escaped: bool) -> list[tuple[bool, str]]:
    try:
        seen = json.loads(result.stdout_head)
    except ValueError:
        reason = " ".join((result.stderr_tail or "no message").split())[-400:]
        return [(False, f"bubblewrap is installed but does not work here: {reason}")]
    return [
        (not seen["read"], "reading a file outside: " + _word(not seen["read"])),
        (not seen["write"] and not escaped, "writing outside: " + _word(not seen["write"] and not escaped)),
        (not seen["network"], "connecting to the host's loopback: " + _word(not seen["network"])),
        (
            seen["work"],
            "writing to the own work directory: " + ("works" if seen["work"] else "does not work"),
        ),
    ]


def _word(refused: bool) -> str:
    return "refused" if refused else "POSSIBLE"


def _interpreter() -> tuple[str, tuple[Path, ...]]:
    system = Path("/usr/bin/python3")
    if os.access(system, os.X_OK):
        return str(system), ()
    outside = {Path(item).resolve() for item in (sys.prefix, sys.base_prefix)} - {Path("/usr")}
    return sys.executable, tuple(sorted(outside))


@contextlib.contextmanager
def _listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])
