"""Runs of the real command line for tests: processes, a model that can be held up, one Prefect server for all."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tests.flow import coating, kept, warm
from tests.messages_server import MessagesServer, label_of

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 600.0  # a busy machine fails no test
PARTLY, NOT_REPRODUCED = (
    10,
    11,
)  # exit codes; free scripts, as in most papers here, are never more than the first
Answerer = Callable[[dict[str, Any]], "dict[str, Any] | str"]


def wait_until(
    condition: Callable[[], Any], what: str, timeout_s: float = PATIENCE_S, every_s: float = 0.05
) -> Any:
    """The first true value of `condition`; fails the test when it never comes."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(every_s)
    raise AssertionError(f"{what} did not happen within {timeout_s:.0f} s")


class Model:
    """A Messages API on loopback. Counts what it answered by label, keeps the order, and can hold a request until it is let
    go."""

    def __init__(
        self, answerer: Answerer = coating.answer, label: Callable[[dict[str, Any]], str] = label_of
    ):
        self.answerer, self._label = answerer, label
        self.answered: Counter[str] = Counter()
        self.order: list[str] = []
        self.reached: dict[str, threading.Event] = {}
        self._gates: dict[str, threading.Event] = {}
        self._lock = threading.Lock()
        self.server = MessagesServer(self._answer)

    def _answer(self, request: dict[str, Any]) -> dict[str, Any] | str:
        label = self._label(request)
        gate = self._gates.get(label)
        if gate is not None:
            self.reached[label].set()
            gate.wait(PATIENCE_S)
        answer = self.answerer(request)
        with self._lock:
            self.answered[label] += 1
            self.order.append(label)
        return answer

    def hold(self, label: str) -> None:
        """Let the request of that label wait until `let_go`."""
        self.reached[label], self._gates[label] = threading.Event(), threading.Event()

    def let_go(self, label: str) -> None:
        """Answer what is held, and later requests of that label at once."""
        self._gates.pop(label).set()

    @property
    def requests(self) -> list[dict[str, Any]]:
        """Everything that was asked, in order."""
        return self.server.requests

    def __enter__(self) -> Self:
        self.server.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        for gate in self._gates.values():
            gate.set()
        self.server.__exit__(*error)


def _as_in_a_terminal() -> None:
    """A test suite started in the background ignores Ctrl-C, and its children would inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Cli:
    """One `reprolab` process in a session of its own; output goes to files, so that no pipe fills up.

    A fork of an interpreter that has imported other people's packages; anew, or after a `prefix`, started from nothing."""

    def __init__(
        self,
        folder: Path,
        arguments: list[str],
        env: dict[str, str],
        prefix: tuple[str, ...] = (),
        stdin: int | None = None,
        anew: bool = False,
    ):
        self.arguments = arguments
        number = len(list(folder.glob("cli-*.out"))) + 1
        self._out, self._err = folder / f"cli-{number}.out", folder / f"cli-{number}.err"
        with self._out.open("wb") as out, self._err.open("wb") as err, open(os.devnull, "rb") as nothing:
            given = nothing.fileno() if stdin is None else stdin
            self.process: subprocess.Popen[bytes] | warm.Child
            if anew or prefix:
                self.process = subprocess.Popen(
                    [*prefix, sys.executable, "-m", "flows.cli", *arguments],
                    cwd=ROOT,
                    env=env,
                    stdin=given,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                    preexec_fn=_as_in_a_terminal,
                )
            else:
                self.process = warm.parent().start(
                    "flows.cli", arguments, env, given, out.fileno(), err.fileno()
                )

    @property
    def out(self) -> str:
        """Standard output so far."""
        return self._out.read_text(errors="replace")

    @property
    def err(self) -> str:
        """Standard error so far."""
        return self._err.read_text(errors="replace")

    def wait(self, timeout_s: float = PATIENCE_S) -> int:
        """The exit code. The test fails, and the process ends, when it takes too long."""
        try:
            return self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.end()
            raise AssertionError(f"still running after {timeout_s:.0f} s:\n{self.err[-3000:]}") from None

    def says(self, text: str) -> None:
        """Wait until standard error holds `text`; fails at once when the process ends without it."""
        self.until(lambda: text in self.err, f"the words {text!r}")

    def until(self, condition: Callable[[], Any], what: str) -> None:
        """Wait until `condition` holds; fails at once when the process ends without it."""

        def holds() -> bool:
            ended = self.process.poll() is not None
            if condition():
                return True
            assert not ended, f"ended with {self.process.returncode} without {what}:\n{self.err[-3000:]}"
            return False

        wait_until(holds, what)

    def says_again(self, text: str, times: int) -> None:
        """Wait until `text` was said more than `times` times."""
        wait_until(lambda: self.err.count(text) > times or self.process.poll() is not None, f"{text!r} again")
        assert self.err.count(text) > times, self.err[-3000:]

    def kill(self) -> None:
        """SIGKILL to this process alone, as the kernel's out-of-memory killer would."""
        self.process.kill()
        self.process.wait(30)

    def interrupt(self) -> None:
        """Ctrl-C: SIGINT to this process."""
        self.process.send_signal(signal.SIGINT)

    def end(self) -> None:
        """End whatever of the session is left."""
        for pid in session_members(self.process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if self.process.poll() is None:
            self.process.wait(30)


def session_members(leader: int) -> list[int]:
    """Living processes of the session that `leader` opened, zombies left out (from /proc)."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(") ", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[3]) == leader and fields[0] != "Z":
            found.append(int(entry.name))
    return found


def processes_with(marker: str) -> list[int]:
    """Living processes whose environment or command line holds `marker` (the scratch folder of a test)."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
                state = (entry / "stat").read_text().rsplit(") ", 1)[1][0]
            except OSError:
                continue
            if marker.encode() in words and state != "Z":
                found.append(int(entry.name))
    return found


class Bench:
    """A paper in a folder, an outputs folder and the environment for runs of it.

    solved: what other tests solved, and where this one's goes (tests/flow/kept.py); None solves all itself."""

    def __init__(
        self,
        folder: Path,
        api_url: str | None,
        write: Callable[[Path], Path] = coating.write_paper,
        anew: bool = False,
        solved: Path | None = None,
    ):
        self.folder, self.outputs, self.anew, self._solved = folder, folder / "out", anew, solved
        if solved is not None:
            kept.lend(solved, self.outputs)
        self.paper = write(folder / "paper")
        self.env = {
            k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "REPROLAB_", "ANTHROPIC_"))
        }
        self.scratch = Path(tempfile.mkdtemp(prefix="reprolab-test-"))
        self.scratch.chmod(0o711)  # the sandbox's user must pass
        self.env |= {"PREFECT_HOME": str(folder / "prefect"), "TMPDIR": str(self.scratch)}
        if api_url:
            self.env["PREFECT_API_URL"] = api_url
        self._started: list[Cli] = []

    def start(
        self,
        *arguments: str,
        prefix: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
        stdin: int | None = None,
    ) -> Cli:
        """`reprolab ARGUMENTS --outputs ...`."""
        cli = Cli(
            self.folder,
            [*arguments, "--outputs", str(self.outputs)],
            self.env | (env or {}),
            prefix,
            stdin,
            self.anew,
        )
        self._started.append(cli)
        return cli

    def reproduce(self, model: Model, *more: str, **options: Any) -> Cli:
        """`reprolab reproduce` of the paper over the Messages API."""
        return self.start(
            "reproduce",
            str(self.paper),
            "--model",
            "anthropic",
            "--base-url",
            model.server.base_url,
            *more,
            **options,
        )

    def settings(self, **limits: Any) -> list[str]:
        """`--settings FILE` with these limits."""
        path = self.folder / "settings.json"
        path.write_text(json.dumps({"limits": limits}))
        return ["--settings", str(path)]

    @property
    def run_dir(self) -> Path:
        """The folder of the only run."""
        [record] = [path for path in self.outputs.glob("*/*/run.json") if not path.parent.is_symlink()]
        return record.parent

    def comparisons(self) -> dict[str, dict[str, Any]]:
        """target id -> comparison, from the run's files."""
        found: dict[str, dict[str, Any]] = {}
        for path in self.run_dir.glob("*/comparison.json"):
            found |= {entry["target_id"]: entry for entry in json.loads(path.read_text())}
        return found

    def transcript(self) -> list[dict[str, Any]]:
        """The entries of transcript.jsonl."""
        return [json.loads(line) for line in (self.run_dir / "transcript.jsonl").read_text().splitlines()[1:]]

    def report(self) -> str:
        """The report as Markdown, its appendix after it."""
        parts = sorted(self.run_dir.glob("REPRODUCTION_REPORT_*.md"), key=lambda path: len(path.name))
        return "\n".join(path.read_text() for path in parts)

    def simulated(self) -> dict[str, int]:
        """Kept simulation -> time it was written, in ns: a second execution would change it."""
        kept = (self.outputs / ".reprolab" / "simulations").glob("*/execution.json")
        return {path.parent.name: path.stat().st_mtime_ns for path in kept}

    def solved(self) -> dict[str, int]:
        """Kept run of a description -> time it was written, in ns."""
        kept = (self.outputs / ".reprolab" / "runs").glob("*/outcome.json")
        return {path.parent.name: path.stat().st_mtime_ns for path in kept}

    def state(self, name: str = "final_report") -> dict[str, Any]:
        """The snapshot of that name."""
        return json.loads((self.run_dir / "checkpoints" / f"checkpoint_{name}_latest.json").read_text())

    def close(self) -> None:
        """End what is left of every process; pytest prints what they said beside a failure."""
        for cli in self._started:
            print(f"--- {cli.arguments[0]}, exit code {cli.process.poll()}:\n{cli.err[-3000:]}")
            cli.end()
        if self._solved is not None:
            kept.keep(self._solved, self.outputs)
        for pid in processes_with(str(self.scratch)):
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.scratch, ignore_errors=True)
