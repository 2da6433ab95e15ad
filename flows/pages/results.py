"""Links from a run's page to its report and files, which the server of `reprolab up` shows beside Prefect's pages."""

from __future__ import annotations

from pathlib import Path

from flows.serving.server_app import ENTRANCE
from flows.up.results_page import address_of, path_of


def results_links(run_dir: Path, report: str = "") -> list[str]:
    """Markdown, one link each; none where no such server is up over the run's folder. report: the file's name, once there is one."""
    if not address_of(run_dir):
        return []
    found = [f"[Open the report]({path_of(run_dir, report)})"] if report else []
    return [*found, f"[figures, data and files]({path_of(run_dir)})", f"[all runs]({ENTRANCE}/)"]
