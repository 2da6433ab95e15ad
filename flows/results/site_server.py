"""The server's process under `reprolab up`: Prefect behind its door, and beside it the results of runs. Started by path."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.serving.people import People
from flows.serving.roles import Roles
from flows.serving.server_app import main
from flows.up.api import Api, address_of_api
from flows.up.logs import Log
from flows.up.place import Place
from schemas.text.visible import one_visible_line


class _Later:
    """The site, loaded when somebody asks for it first: what reads three workflows takes a second."""

    def __init__(
        self, outputs: Path, whole: str, people: People, address: str, note: Callable[[str], None]
    ) -> None:
        self.outputs, self.whole, self.people, self.address, self.note = outputs, whole, people, address, note
        self.site: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.site is None:
            self.site = await run_in_threadpool(self._loaded)
        await self.site(scope, receive, send)

    def _loaded(self) -> ASGIApp:
        from flows.results.site import Site

        api = Api(self.address, self.whole.partition(":")[2])
        return Site(self.outputs, self.whole, self.people, api, self.note)


def _noting(place: Place) -> Callable[[str], None]:
    """Keeps who did what, a line each, with the time."""
    log = Log(place.logs / "people.log")

    def note(words: str) -> None:
        said = f"{datetime.now(UTC).isoformat(timespec='seconds')} {one_visible_line(words, 600)}\n"
        os.write(log.write_end, said.encode())

    return note


def _serve(listening: socket.socket, outputs: Path, whole: str) -> None:
    place = Place(outputs)
    people, note = People(place.people), _noting(place)
    beside = _Later(outputs, whole, people, address_of_api(listening), note)
    main(listening, beside, lambda app: Roles(app, people, whole, note))


if __name__ == "__main__":
    _serve(
        socket.socket(fileno=int(sys.argv[1])),
        Path(sys.argv[2]),
        os.environ["PREFECT_SERVER_API_AUTH_STRING"],
    )
