"""The processes of `reprolab up`: Prefect's server and a worker, each started again when it ends by itself."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from flows.serving import server_app
from flows.serving.runtime import BATCHES, HEARTBEAT_S, HEARTBEATS, ONE_THREAD, PATIENCE, check_packages
from flows.up import guard
from flows.up.api import address_of_api
from flows.up.logs import Log
from flows.up.place import Place, whole
from schemas.errors import PrerequisiteError

POOL, SIMULATE_POOL = "reprolab", "reprolab-simulate"
_NOT_PASSED_ON = (
    "PREFECT_API_",
    "PREFECT_PROFILE",
    "PREFECT_HOME",
    "PREFECT_SERVER_API_AUTH",
    "PREFECT_SERVER_DATABASE_CONN",
    "PREFECT_API_DATABASE_CONN",
    "PREFECT_UI_",
    "REPROLAB_NOTIFY",
    "REPROLAB_DATABASE",
)
# Places of the shared limit outlive the server on the disk: those that its memory held would stay taken for ever.
_PLACES = {
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
    "PREFECT_SERVER_CONCURRENCY_MAXIMUM_CONCURRENCY_SLOT_WAIT_SECONDS": "2",
}
_OFTEN, _WITHIN_S = 4, 300.0


@dataclass(frozen=True)
class Server:
    """Where the server answers. database: of PostgreSQL, with its password; empty for SQLite below the outputs.

    program: the file that is run as the server, with the socket and the outputs folder.
    """

    place: Place
    password: str = field(repr=False)
    listening: socket.socket
    origins: tuple[str, ...]
    database: str = field(default="", repr=False)
    program: Path = Path(server_app.__file__)

    @property
    def api(self) -> str:
        """The API's address, as worker and deployments use it here."""
        return address_of_api(self.listening)

    def environment(self) -> dict[str, str]:
        """What both server and clients get; what the user has set of Prefect's other settings stays."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_PASSED_ON)}
        defaults = {
            "DO_NOT_TRACK": "1",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "PREFECT_CLIENT_METRICS_ENABLED": "false",
            "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
            # A run that waits for a free place is Scheduled, not Late: `up` itself starts a worker again that has ended.
            "PREFECT_SERVER_SERVICES_LATE_RUNS_ENABLED": "false",
            **PATIENCE,
            **ONE_THREAD,
        }
        return (
            defaults | kept | {"PREFECT_HOME": str(self.place.prefect), "PREFECT_PROFILES_PATH": os.devnull}
        )

    def server_environment(self) -> dict[str, str]:
        """The server's own: no key of a model, its password, its origins, its database."""
        found = BATCHES | {
            name: value for name, value in self.environment().items() if not name.startswith("ANTHROPIC_")
        }
        found |= {
            "PREFECT_LOGGING_SERVER_LEVEL": "WARNING",
            "PREFECT_SERVER_API_AUTH_STRING": whole(self.password),
            "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": ",".join(self.origins),
            "PREFECT_SERVER_UI_API_URL": f"{self.origins[0]}/api",
            "PREFECT_UI_URL": self.origins[0],
            **_PLACES,
        }
        return found | ({"PREFECT_SERVER_DATABASE_CONNECTION_URL": self.database} if self.database else {})

    def client_environment(self) -> dict[str, str]:
        """Of worker and deployment: the password in the environment, where no list of processes shows it."""
        return self.environment() | {
            "PREFECT_API_URL": self.api,
            "PREFECT_API_AUTH_STRING": whole(self.password),
            "PREFECT_RESULTS_LOCAL_STORAGE_PATH": str(self.place.outputs / ".reprolab" / "results"),
            "REPROLAB_HOME": str(check_packages()),
            "REPROLAB_OUTPUTS": str(self.place.outputs),
            HEARTBEATS: str(HEARTBEAT_S),
        }

    def start(self, log: Log) -> subprocess.Popen[bytes]:
        """A server process; it answers some seconds later."""
        return subprocess.Popen(
            [
                sys.executable,
                "-P",
                str(self.program.resolve()),
                str(self.listening.fileno()),
                str(self.place.outputs),
            ],
            env=self.server_environment(),
            cwd="/",
            pass_fds=[self.listening.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=log.write_end,
            stderr=log.write_end,
            start_new_session=True,
        )

    def start_worker(self, log: Log, pool: str = POOL) -> subprocess.Popen[bytes]:
        """A worker of a pool."""
        quick = {"PREFECT_WORKER_QUERY_SECONDS": "3"} | self.client_environment()
        return subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "prefect",
                "worker",
                "start",
                "--pool",
                pool,
                "--type",
                "process",
                "--name",
                f"up-{socket.gethostname()}",
            ],
            env=quick,
            cwd=self.place.home,
            stdin=subprocess.DEVNULL,
            stdout=log.write_end,
            stderr=log.write_end,
            start_new_session=True,
        )


class Guard:
    """A process that ends the others when we end, however that is."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(guard.__file__).resolve())],
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )

    def know(self, kind: str, process: int) -> None:
        """Tell it of a process."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{kind} {process}\n")
        self._process.stdin.flush()

    def dismiss(self) -> None:
        """Nothing is left to be ended."""
        self._process.kill()
        self._process.wait()


@dataclass
class Kept:
    """A child that is started again when it ends by itself; PrerequisiteError when it does so too often."""

    kind: str
    start: Callable[[Log], subprocess.Popen[bytes]]
    log: Log
    guard: Guard
    process: subprocess.Popen[bytes] | None = None
    _starts: deque[float] = field(default_factory=lambda: deque(maxlen=_OFTEN))

    def look(self) -> bool:
        """Start it if it is not there; whether it was started now."""
        if self.process is not None and self.process.poll() is None:
            return False
        now = time.monotonic()
        if len(self._starts) == _OFTEN and now - self._starts[0] < _WITHIN_S:
            raise PrerequisiteError(
                f"the {self.kind} ended {_OFTEN} times within {_WITHIN_S / 60:.0f} minutes",
                found=self.log.tail()[-600:] or "it printed nothing",
                fix=f"its log: {self.log.path}",
            )
        self._starts.append(now)
        self.process = self.start(self.log)
        self.guard.know(self.kind, self.process.pid)
        return True
