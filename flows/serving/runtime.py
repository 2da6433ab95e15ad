"""The process a run lives in: Prefect's settings, and a check that our packages are ours."""

from __future__ import annotations

import importlib.util
import os
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from schemas.errors import InputError, PrerequisiteError
from schemas.reading.beneath import read_below
from schemas.run.pasted import typed
from tasks.files.store import private_folder

_OPENED: list[str] = []
_REPORT: list[Callable[[], Path]] = []
# Matrices are small here: threads of the linear algebra wait for each other, on a busy machine ten times the work itself.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
OUTSIDE = "REPROLAB_FROM_OUTSIDE"  # set by whoever starts runs for others
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
# A busy computer keeps SQLite's lock longer than Prefect waits by default: its server then answers 503, which ended the run.
# The client asks again after 2, 4, ... 128 s, and waits for an answer longer than the server waits for its database.
PATIENCE = {
    "PREFECT_CLIENT_MAX_RETRIES": "7",
    "PREFECT_API_REQUEST_TIMEOUT": "180",
    "PREFECT_SERVER_DATABASE_TIMEOUT": "60",
    "PREFECT_SERVER_DATABASE_CONNECTION_TIMEOUT": "60",
    "PREFECT_SERVER_DATABASE_SQLALCHEMY_POOL_TIMEOUT": "120",
}
# What a server writes down of task runs and events, many at once instead of each alone: a third of the CPU time, a second late.
BATCHES = {
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "50",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "50",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_READ_BATCH_SIZE": "50",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_FLUSH_INTERVAL": "1",
}
# A server of one command has no deployments, workers or automations to look after.
NOTHING_DEPLOYED = {
    f"PREFECT_SERVER_SERVICES_{name}_ENABLED": "false"
    for name in ("SCHEDULER", "LATE_RUNS", "FOREMAN", "TRIGGERS", "CANCELLATION_CLEANUP")
}
HEARTBEATS = "PREFECT_FLOWS_HEARTBEAT_FREQUENCY"
HEARTBEAT_S = 30  # the least that Prefect allows; also in prefect.yaml, for workers that are started by hand
_PREFECT_FILES: dict[str, Callable[[str], bool]] = {
    "prefect.toml": lambda text: True,
    "pyproject.toml": lambda text: "prefect" in tomllib.loads(text).get("tool", {}),
    ".env": lambda text: "prefect" in text.lower(),
}
SIMULATIONS = "reprolab-simulations"  # the limit that simulations of all runs of a server share (flows/serving/sharing.py)
PACKAGES = ("reprolab", "flows", "agents", "tasks", "blocks", "prompts", "schemas", "simkit", "skills")


def one_thread() -> None:
    """Let the linear algebra of this process and its children work in one thread; must run before numpy is loaded."""
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)


def prepare_environment(outputs: Path) -> None:
    """Defaults for Prefect; must run before Prefect is imported. What the user has set stays.

    Without PREFECT_API_URL an embedded server is used, with its database under `<outputs>/.reprolab/prefect`.
    """
    refuse_settings_of_a_folder(Path.cwd())
    home = outputs.resolve() / ".reprolab"
    defaults = {
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(home / "results"),
        "PREFECT_CLIENT_METRICS_ENABLED": "false",
        **PATIENCE,
    }
    if "PREFECT_API_URL" not in os.environ:
        defaults["PREFECT_HOME"] = str(home / "prefect")
    for name, value in defaults.items():
        os.environ.setdefault(name, value)
    _reach_this_computer_directly()
    owner = private_folder(home).stat().st_uid
    if "PREFECT_HOME" in defaults and owner != os.getuid():
        raise InputError(
            f"{home} belongs to another account, whose settings of Prefect could run code here",
            found=f"user {owner}, and you are {os.getuid()}",
            fix="choose a folder of your own with --outputs",
        )


def refuse_settings_of_a_folder(folder: Path) -> None:
    """Raises InputError if Prefect would take settings from files of the folder we were started in.

    One setting names a file that configures logging, which is code: in a stranger's folder it would be the stranger's.
    """
    for name, settings_in in _PREFECT_FILES.items():
        if not os.path.lexists(folder / name):
            continue
        try:
            with_settings = settings_in(read_below(folder, name, 2**20).decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            with_settings = True
        if with_settings:
            raise InputError(
                f"Prefect would take settings from {name} of the folder you are in, and settings can run code",
                found=str(folder / name),
                allowed="settings of Prefect in environment variables",
                fix="start in another folder; if the file is yours, take what is Prefect's out of it",
            )


def _reach_this_computer_directly() -> None:
    """Prefect's own server and a model on this computer are never asked for through a proxy."""
    if not any(os.environ.get(name) for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")):
        return
    for name in ("no_proxy", "NO_PROXY"):
        given = [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]
        os.environ[name] = ",".join([*given, *(host for host in _LOOPBACK if host not in given)])


def from_outside() -> bool:
    """Whether what this run is told came from somebody else than the user at this terminal: over Prefect's API, or through
    the tools of ReproLab's own server (skills/orchestrator)."""
    return os.environ.get(OUTSIDE) == "1" or under_worker()


def under_worker() -> bool:
    """Whether this flow run belongs to a deployment."""
    if "PREFECT__FLOW_RUN_ID" in os.environ:
        return True
    if (
        "prefect" not in sys.modules
    ):  # no flow runs here; and loaded before its settings are made, Prefect would not see them
        return False
    from prefect.context import FlowRunContext

    here = FlowRunContext.get()  # prefect.runtime asks the server, through a new client each time
    return here is not None and here.flow_run is not None and here.flow_run.deployment_id is not None


def opened(run_id: str, outputs: Path) -> None:
    """Remember the run at work, for the message after an interruption."""
    _OPENED[:] = [typed(word, run_id, outputs=outputs) for word in ("resume", "report")]


def reported_by(write: Callable[[], Path]) -> None:
    """Remember what writes a report of the run at work in part, for a process that is ended from outside."""
    _REPORT[:] = [write]


def report_so_far() -> str:
    """Write it; a line with its path, '' where there is none yet."""
    try:
        return f"written: {_REPORT[0]()}" if _REPORT else ""
    except Exception as error:  # noqa: BLE001 - this process ends, and has said how to go on
        return f"no report could be written: {' '.join(str(error).split())[:300]}"


def continued_by(command: str) -> None:
    """Remember another command that continues the work of this process."""
    _OPENED[:], _REPORT[:] = [command], []


def resume_command() -> str:
    """The command that continues the run at work in this process."""
    return _OPENED[0] if _OPENED else typed("resume")


def so_far() -> str:
    """A line, behind a line's end, with the command that reports the run at work in part; '' where there is none."""
    return f"\na report of what there is so far: {_OPENED[1]}" if _OPENED[1:] else ""


def check_packages() -> Path:
    """The one root all our packages are in. Another distribution that owns one of the names is an error."""
    root = Path(__file__).resolve().parents[2]
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        found = Path(spec.origin).resolve().parent.parent if spec and spec.origin else None
        if found != root:
            raise PrerequisiteError(
                f"the package {name!r} is not ReproLab's",
                found=f"{found} instead of {root}",
                fix="use a virtual environment of its own (make setup), or uninstall the other one",
            )
    return root
