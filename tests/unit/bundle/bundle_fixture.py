"""A folder to publish, and a server that speaks the formats of a registry, Zenodo and GitHub releases."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FILES = {
    "README.md": b"# A kernel\n",
    "LICENSE": b"MIT License\n",
    "reproduce.sh": b"#!/bin/sh\nexit 0\n",
    "code/kernel.py": b"def run(): return 1\n",
    "code/deep/er/table.csv": b"1,2\n",
    "figures/fig_1.png": b"\x89PNG",
}


def fill(folder: Path, files: dict[str, bytes] | None = None) -> Path:
    """The files below `folder`."""
    for path, content in (FILES if files is None else files).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


class PublishingServer(ThreadingHTTPServer):
    """requests: (method, path, Authorization, body) as they came. refuse: status for every request, with the header echoed."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, str, bytes]] = []
        self.kept: dict[str, bytes] = {}
        self.public: set[str] = set()
        self.drafts: dict[str, dict[str, Any]] = {}
        self.refuse = 0
        self.token = "s3cret-token-of-tests"
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: PublishingServer

    def log_message(self, *_: Any) -> None:
        pass

    def _handle(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        said = self.headers.get("Authorization", "")
        self.server.requests.append((self.command, self.path, said, body))
        if self.server.refuse:
            return self._answer(self.server.refuse, {"message": f"you sent {said}"})
        if self.command != "GET" and said != f"Bearer {self.server.token}":
            return self._answer(401, {"message": "no token"})
        routes = (
            (_registry, r"/bundles/([0-9a-f]{64})/(bundle\.tar\.gz|publish)"),
            (_zenodo, r"/api/(deposit/depositions(?:/\d+(?:/actions/publish)?)?|files/\d+/bundle\.tar\.gz)"),
            (_zenodo_page, r"/records/(\d+)/files/bundle\.tar\.gz"),
            (_github, r"/repos/o/r/releases(/.*)?"),
            (_github_page, r"/o/r/releases/download/([^/]+)/bundle\.tar\.gz"),
        )
        for route, pattern in routes:
            if found := re.fullmatch(pattern, self.path.partition("?")[0]):
                return route(self, found, body)
        self._answer(404, {"message": "no such page"})

    do_GET = do_PUT = do_POST = do_PATCH = _handle

    def _answer(self, status: int, value: Any = None) -> None:
        raw = value if isinstance(value, bytes) else b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


def _download(handler: _Handler, name: str) -> None:
    server = handler.server
    handler._answer(
        *((200, server.kept[name]) if name in server.public else (404, {"message": "not public"}))
    )


def _registry(handler: _Handler, found: re.Match[str], body: bytes) -> None:
    if handler.command == "PUT":
        handler.server.kept[found[1]] = body
        handler._answer(201, {"state": "staged"})
    elif handler.command == "POST":
        handler.server.public.add(found[1])
        handler._answer(204)
    else:
        _download(handler, found[1])


def _zenodo(handler: _Handler, found: re.Match[str], body: bytes) -> None:
    server, path = handler.server, found[1]
    if path.startswith("files/"):
        server.kept["17"] = body
        handler._answer(201, {"key": "bundle.tar.gz", "size": len(body)})
    elif path.endswith("publish"):
        server.public.add("17")
        handler._answer(202, {"id": 17, "doi": "10.5072/zenodo.17", "submitted": True})
    else:
        given = json.loads(body)
        server.drafts["17"] = given
        handler._answer(
            201 if handler.command == "POST" else 200,
            {
                "id": 17,
                "submitted": False,
                "links": {"bucket": f"{server.url}/api/files/17"},
                "metadata": {
                    **given.get("metadata", {}),
                    "prereserve_doi": {"doi": "10.5072/zenodo.17", "recid": 17},
                },
            },
        )


def _zenodo_page(handler: _Handler, found: re.Match[str], body: bytes) -> None:
    _download(handler, found[1])


def _github(handler: _Handler, found: re.Match[str], body: bytes) -> None:
    server, rest = handler.server, found[1] or ""
    if rest.endswith("/assets"):
        server.kept[server.drafts["5"]["tag_name"]] = body
        handler._answer(201, {"id": 1, "name": "bundle.tar.gz", "state": "uploaded"})
    elif handler.command == "PATCH":
        server.drafts["5"].update(json.loads(body))
        server.public.add(server.drafts["5"]["tag_name"])
        handler._answer(200, {"id": 5, "draft": False, "html_url": f"{server.url}/o/r/releases/5"})
    else:
        server.drafts["5"] = json.loads(body)
        handler._answer(201, {"id": 5, "draft": True, "html_url": f"{server.url}/o/r/releases/untagged"})


def _github_page(handler: _Handler, found: re.Match[str], body: bytes) -> None:
    _download(handler, found[1])


@contextmanager
def serving() -> Iterator[PublishingServer]:
    """The server, running."""
    with PublishingServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
