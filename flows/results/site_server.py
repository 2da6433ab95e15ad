"""The server's process under `reprolab up`: Prefect behind its door, and beside it the results of runs. Started by path."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.serving.server_app import main


class _Later:
    """The site, loaded when somebody asks for it first: what reads three workflows takes a second."""

    def __init__(self, outputs: Path, whole: str) -> None:
        self.outputs, self.whole = outputs, whole
        self.site: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.site is None:
            self.site = await run_in_threadpool(self._loaded)
        await self.site(scope, receive, send)

    def _loaded(self) -> ASGIApp:
        from flows.results.site import Site

        return Site(self.outputs, self.whole)


if __name__ == "__main__":
    main(
        socket.socket(fileno=int(sys.argv[1])),
        _Later(Path(sys.argv[2]), os.environ["PREFECT_SERVER_API_AUTH_STRING"]),
    )
