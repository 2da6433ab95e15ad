"""The few requests to Prefect's API that `reprolab up` makes itself; Prefect's own client takes seconds to import."""

from __future__ import annotations

import socket
import time
from typing import Any

import httpx

from flows.serving.server_app import USER
from schemas.errors import PrerequisiteError


def address_of_api(listening: socket.socket) -> str:
    """The API's address on this computer, of a server that listens there."""
    host, port = listening.getsockname()[:2]
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}/api"


class Api:
    """An API and its password."""

    def __init__(self, address: str, password: str):
        self.client = httpx.Client(
            base_url=address, timeout=60, auth=httpx.BasicAuth(USER, password), trust_env=False
        )

    def healthy(self) -> bool:
        """Whether it answers."""
        try:
            return self.client.get("/health", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False

    def get(self, path: str) -> Any:
        """What is there, None where nothing is. Raises PrerequisiteError."""
        return self._asked("GET", path, None)

    def post(self, path: str, content: dict[str, Any] | list[dict[str, Any]], patience: int = 6) -> Any:
        """What is answered. patience: how often it is tried. Raises PrerequisiteError."""
        return self._asked("POST", path, content, patience)

    def patch(self, path: str, content: dict[str, Any]) -> None:
        """Change what is there. Raises PrerequisiteError."""
        self._asked("PATCH", path, content)

    def put(self, path: str, content: dict[str, Any]) -> None:
        """Put another in its place. Raises PrerequisiteError."""
        self._asked("PUT", path, content)

    def delete(self, path: str) -> None:
        """Remove it, if it is there. Raises PrerequisiteError."""
        self._asked("DELETE", path, None)

    def _asked(self, method: str, path: str, content: Any, patience: int = 6) -> Any:
        for turn in range(patience):
            try:
                answer = self.client.request(method, path, json=content)
            except httpx.HTTPError as error:
                found: object = type(error).__name__
            else:
                if answer.status_code == 404 and method != "POST":
                    return None
                if answer.is_success:
                    return answer.json() if answer.content else None
                said = (
                    "" if path.startswith("/block_documents") else answer.text[:300]
                )  # it repeats what was sent, secrets too
                found = f"HTTP {answer.status_code} {said}".strip()
                if answer.status_code not in (408, 429, 502, 503):
                    break
            time.sleep(0.5 * 2**turn)  # 503: SQLite is locked for the moment
        raise PrerequisiteError(
            f"Prefect's server did not do {method} {path.split('?')[0]}",
            found=found,
            fix="its log is under .reprolab/logs of the outputs folder",
        )
