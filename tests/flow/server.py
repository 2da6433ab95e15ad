"""Prefect's server of a test session: `python -m tests.flow.server FOLDER PARENT`; ends when the process PARENT has."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

from flows.serving.runtime import BATCHES, NOTHING_DEPLOYED, PATIENCE

_SETTINGS = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "PREFECT_LOGGING_SERVER_LEVEL": "ERROR",
    "PREFECT_UI_ENABLED": "false",
    **BATCHES,
    **NOTHING_DEPLOYED,
}


def _end_with(parent: int) -> None:
    while os.path.exists(f"/proc/{parent}"):
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGKILL)  # its database lies in a folder of the session that is over


def main(folder: Path, parent: int) -> None:
    """Serve on a free port, whose number is in FOLDER/port once it listens."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        del os.environ[name]
    os.environ.update({"PREFECT_HOME": str(folder / "home"), **PATIENCE, **_SETTINGS})
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    import uvicorn
    from prefect.server.api.server import create_app

    from flows.serving.new_database import begun_database
    from flows.serving.server_app import write_at_once

    write_at_once()
    with begun_database():
        app = create_app()
        (folder / "port.new").write_text(str(listening.getsockname()[1]))
        (folder / "port.new").rename(folder / "port")
        uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_keep_alive=5)).run(sockets=[listening])


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
