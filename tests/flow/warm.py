"""`reprolab` commands as forks of a process that has imported other people's packages: half of a command's CPU time is that.

Nothing of ours and nothing of Prefect is imported before the fork, so settings, environment and code are read as in any start.
What /proc shows of such a process (command line, environment) is the parent's: tests that look there start a process anew.
"""

from __future__ import annotations

import array
import functools
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = (
    "anthropic", "anthropic.types.beta", "anyio", "apprise", "asyncpg", "cachetools", "cloudpickle", "cryptography.x509",
    "dateparser", "docker", "fastapi", "fsspec", "graphviz", "griffe", "httpx", "jinja2", "jinja2.sandbox", "jsonpatch",
    "jsonschema", "matplotlib.backends.backend_agg", "matplotlib.pyplot", "numpy", "orjson", "pandas", "PIL.Image",
    "pydantic_settings", "rich.console", "ruamel.yaml", "scipy.interpolate", "scipy.optimize", "scipy.signal", "scipy.special",
    "sqlalchemy.orm", "toml", "typer", "uvicorn", "websockets.asyncio.client", "yaml")
_MOST = 1 << 20


class Parent:
    """Forks a command for each request; started once for all tests of a process, ends with it."""

    def __init__(self) -> None:
        self._name = f"reprolab-warm-{os.getpid()}-{os.urandom(8).hex()}"
        self._log = tempfile.TemporaryFile(prefix="warm-")
        ours, theirs = os.pipe()  # closed when this process ends, however that happens
        self._process = subprocess.Popen([sys.executable, "-m", "tests.flow.warm", self._name, str(ours)], cwd=ROOT,
                                         pass_fds=[ours], stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
                                         start_new_session=True)
        os.close(ours)
        self._lifeline = theirs

    def start(self, module: str, arguments: list[str], env: dict[str, str], stdin: int, stdout: int, stderr: int) -> Child:
        """`python -m MODULE ARGUMENTS` in a session of its own, in the project's folder."""
        request = json.dumps({"module": module, "arguments": arguments, "env": env}).encode()
        line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        end = time.monotonic() + 120
        while True:
            try:
                line.connect("\0" + self._name)
                break
            except OSError:
                assert self._process.poll() is None and time.monotonic() < end, self._said()
                time.sleep(0.05)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MOST)
        line.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [stdin, stdout, stderr]))])
        return Child(int(line.recv(64)), line)

    def _said(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-3000:]


class Child:
    """What tests use of subprocess.Popen."""

    def __init__(self, pid: int, line: socket.socket):
        self.pid, self._line = pid, line
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, minus the signal's number, or None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code; raises subprocess.TimeoutExpired."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Does nothing once it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def _look(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._line], [], [], timeout)[0]:
            told = self._line.recv(64)
            assert told, "the process that forks commands has ended"
            self.returncode = os.waitstatus_to_exitcode(int(told))
            self._line.close()
        return self.returncode


@functools.cache
def parent() -> Parent:
    """The one of this process."""
    return Parent()


def _run(given: dict[str, Any], streams: list[int]) -> None:
    """The command, in the forked process; does not return."""
    code = 1
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
        os.closerange(3, 1024)
        os.environ.clear()
        os.environ.update(given["env"])
        tempfile.tempdir = None
        sys.argv = ["", *given["arguments"]]
        try:
            runpy.run_module(given["module"], run_name="__main__", alter_sys=True)
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except BaseException:
            traceback.print_exc()
    finally:
        _leave(code)


def _leave(code: int) -> None:
    """What the interpreter does at its end: threads, atexit, streams."""
    try:
        import atexit
        import threading

        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def main(name: str, lifeline: int) -> None:
    """Fork for requests until the process at the other end of `lifeline` has ended."""
    for package in _PACKAGES:
        try:
            importlib.import_module(package)
        except ImportError:
            continue
    gc.freeze()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind("\0" + name)  # no file: it vanishes with the process
    listening.listen(32)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    lines: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([lifeline, woken, listening], [], [])
        if lifeline in ready:
            return
        if woken in ready:
            os.read(woken, 4096)
        while lines:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            with lines.pop(pid) as line:
                try:
                    line.send(b"%d" % status)
                except OSError:
                    pass  # nobody asks any more
        if listening in ready:
            line, _ = listening.accept()
            request, extra, _, _ = line.recvmsg(_MOST, socket.CMSG_SPACE(3 * 4))
            streams = list(array.array("i", extra[0][2]))
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                _run(json.loads(request), streams)
            for stream in streams:
                os.close(stream)
            lines[pid] = line
            line.send(b"%d" % pid)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
