"""`reprolab` commands as forks of a process that has imported what they will, and knows what they find out of this computer.

Prefect reads its settings when it is imported, and so do those modules of ours that import it. They lie aside in the fork until
the first of them is asked for; then all are there, and Prefect reads its settings from the environment of that moment.
What /proc shows of such a process (command line, environment) is the parent's: tests that look there start a process anew, and
so do tests of what a command imports.
"""

from __future__ import annotations

import array
import functools
import gc
import importlib
import importlib.abc
import importlib.machinery
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
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = (
    "anthropic",
    "anthropic.types.beta",
    "anyio",
    "apprise",
    "asyncpg",
    "cachetools",
    "cloudpickle",
    "cryptography.x509",
    "dateparser",
    "docker",
    "fastapi",
    "fsspec",
    "graphviz",
    "griffe",
    "httpx",
    "jinja2",
    "jinja2.sandbox",
    "jsonpatch",
    "jsonschema",
    "matplotlib.backends.backend_agg",
    "matplotlib.pyplot",
    "numpy",
    "orjson",
    "pandas",
    "PIL.Image",
    "pydantic_settings",
    "rich.console",
    "ruamel.yaml",
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.signal",
    "scipy.special",
    "sqlalchemy.orm",
    "toml",
    "typer",
    "uvicorn",
    "websockets.asyncio.client",
    "yaml",
)
_OURS = ("reprolab", "schemas", "prompts", "blocks", "agents", "tasks", "flows", "simkit", "skills")
_ON_PREFECT = (
    "flows.cli",
    "prefect.flow_engine",
    "prefect.task_engine",
    "prefect.results",
    "prefect.input",
    "prefect.concurrency.sync",
    "flows.reproduce.terminal",
    "flows.explore.flow",
    "flows.study.flow",
)
_MOST = 1 << 20
_ANOTHER_WAS_FIRST = 3


class Parent:
    """Forks a command for each request; one for all processes of the suite, started by the first, ends with the session."""

    def __init__(self) -> None:
        session = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
        self._name = (
            f"reprolab-warm-{session}-{os.environ.get('PYTEST_XDIST_TESTRUNUID') or os.urandom(16).hex()}"
        )
        self._log = tempfile.TemporaryFile(prefix="warm-")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.flow.warm", self._name, str(session)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def start(
        self, module: str, arguments: list[str], env: dict[str, str], stdin: int, stdout: int, stderr: int
    ) -> Child:
        """`python -m MODULE ARGUMENTS` in a session of its own, in the project's folder."""
        from tests import ledger  # not in the process that forks

        request = json.dumps(
            {"module": module, "arguments": arguments, "env": env, "group": ledger.group_of_ours()}
        ).encode()
        line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        end = time.monotonic() + 120
        while True:
            try:
                line.connect("\0" + self._name)
                break
            except OSError:
                assert self._process.poll() in (None, _ANOTHER_WAS_FIRST) and time.monotonic() < end, (
                    self._said()
                )
                time.sleep(0.05)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MOST)
        line.sendmsg(
            [request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [stdin, stdout, stderr]))]
        )
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


class _Aside(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that lie aside, and come all at once when the first of them is imported."""

    def __init__(self, modules: dict[str, ModuleType]):
        self._modules = modules

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        """Of a module that lies aside."""
        if name not in self._modules:
            return None
        sys.meta_path.remove(self)
        sys.modules.update(self._modules)
        del sys.modules[name]  # or the import system would execute it again
        return importlib.machinery.ModuleSpec(name, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """The one that was imported before the fork."""
        module = self._modules[spec.name]
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """What Prefect does with settings when it is imported."""
        module.__spec__ = self._own
        import prefect.context
        import prefect.logging.configuration

        prefect.context.refresh_global_settings_context()
        prefect.logging.configuration.PROCESS_LOGGING_CONFIG.clear()
        prefect.logging.configuration.setup_logging()


class _NoPrefect(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        if name.partition(".")[0] == "prefect":
            raise ImportError(name)


def _look_at_this_computer() -> None:
    """What a process finds out once, and keeps: Meep's interpreter, and how isolated a sandbox is here."""
    from tasks.reproduce.meep_interpreter import find_meep
    from tasks.sandbox.probe import probe_level

    with suppress(Exception):
        find_meep()
    probe_level()


def _names_of_ours() -> list[str]:
    """What of ours commands import, found out by a fork that does."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        for name in _ON_PREFECT:
            importlib.import_module(name)
        os.write(
            writing, json.dumps([name for name in sys.modules if name.partition(".")[0] in _OURS]).encode()
        )
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        names: list[str] = json.loads(told.read())
    os.wait()
    return names


def _imported_aside() -> dict[str, ModuleType]:
    """Import what commands do; of that, Prefect and what needs it, by name, which is taken out of sys.modules again."""
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        del os.environ[name]
    os.environ["PREFECT_HOME"] = tempfile.mkdtemp(prefix="warm-")
    for package in _PACKAGES:
        with suppress(ImportError):
            importlib.import_module(package)
    names, no_prefect = _names_of_ours(), _NoPrefect()
    sys.meta_path.insert(0, no_prefect)
    for name in names:
        with suppress(ImportError):
            importlib.import_module(name)
    sys.meta_path.remove(no_prefect)
    before = set(sys.modules)
    for name in _ON_PREFECT:
        importlib.import_module(name)
    sys.modules.pop("flows.cli", None)  # will be __main__
    _look_at_this_computer()
    return {
        name: sys.modules.pop(name)
        for name in list(sys.modules)
        if name not in before and name.partition(".")[0] in ("prefect", *_OURS)
    }


def _run(given: dict[str, Any], streams: list[int], aside: dict[str, ModuleType]) -> None:
    """The command, in the forked process; does not return."""
    code = 1
    try:
        os.setsid()
        if given["group"]:
            (Path(given["group"]) / "cgroup.procs").write_text(str(os.getpid()))
        for number in (signal.SIGINT, signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
        os.closerange(3, 1024)
        os.environ.clear()
        os.environ.update(given["env"])
        tempfile.tempdir = None
        sys.argv = ["", *given["arguments"]]
        sys.meta_path.insert(0, _Aside(aside))
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


def main(name: str, session: int) -> None:
    """Fork for requests until the process `session` has ended."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        listening.bind("\0" + name)  # no file: it vanishes with the process
    except OSError:
        sys.exit(_ANOTHER_WAS_FIRST)
    aside = _imported_aside()
    gc.freeze()
    listening.listen(32)
    session_ends = os.pidfd_open(session)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    lines: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([session_ends, woken, listening], [], [])
        if session_ends in ready:
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
                _run(json.loads(request), streams, aside)
            for stream in streams:
                os.close(stream)
            lines[pid] = line
            line.send(b"%d" % pid)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
