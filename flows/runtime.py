"""The process a run lives in: Prefect's settings, and a check that our packages are ours."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from schemas.errors import PrerequisiteError

_OPENED: list[str] = []
PACKAGES = ("flows", "agents", "tasks", "blocks", "prompts", "schemas", "simkit")


def prepare_environment(outputs: Path) -> None:
    """Defaults for Prefect; must run before Prefect is imported. What the user has set stays.

    Without PREFECT_API_URL an embedded server is used, with its database under `<outputs>/.reprolab/prefect`.
    """
    home = outputs.resolve() / ".reprolab"
    defaults = {
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
        "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(home / "results"),
        "PREFECT_CLIENT_METRICS_ENABLED": "false",
    }
    if "PREFECT_API_URL" not in os.environ:
        defaults["PREFECT_HOME"] = str(home / "prefect")
    for name, value in defaults.items():
        os.environ.setdefault(name, value)
    home.mkdir(parents=True, exist_ok=True)


def opened(run_id: str, outputs: Path) -> None:
    """Remember the run at work, for the message after an interruption."""
    _OPENED[:] = [f"reprolab resume {run_id} --outputs {outputs}"]


def resume_command() -> str:
    """The command that continues the run at work in this process."""
    return _OPENED[0] if _OPENED else "reprolab resume"


def check_packages() -> Path:
    """The one root all our packages are in. Another distribution that owns one of the names is an error."""
    root = Path(__file__).resolve().parent.parent
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        found = Path(spec.origin).resolve().parent.parent if spec and spec.origin else None
        if found != root:
            raise PrerequisiteError(f"the package {name!r} is not ReproLab's", found=f"{found} instead of {root}",
                                    fix="use a virtual environment of its own (make setup), or uninstall the other one")
    return root
