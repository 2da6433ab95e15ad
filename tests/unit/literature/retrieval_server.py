"""A local server that answers as the catalogues of literature do, and as badly as servers sometimes do."""

from __future__ import annotations

import gzip
import http.server
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
<entry><id>http://arxiv.org/abs/1901.00001v2</id><published>2019-01-01T00:00:00Z</published>
<title>Fast stencils
 on few cores</title><summary>We &lt;b&gt;block&lt;/b&gt; loops.</summary>
<author><name>Ada Example</name></author><author><name>Bo Test</name></author>
<arxiv:doi>10.1000/stencil</arxiv:doi><arxiv:journal_ref>J. Fast 1, 2 (2019)</arxiv:journal_ref></entry>
<entry><id>http://arxiv.org/abs/cond-mat/9901001v1</id><published>1999-01-01T00:00:00Z</published>
<title>Older work</title><summary>Old.</summary><author><name>Cy Old</name></author></entry>
</feed>"""
PAPERS = {
    "total": 1,
    "data": [
        {
            "paperId": "x",
            "title": "Fast Stencils on Few Cores",
            "abstract": "Blocks of loops.",
            "year": 2019,
            "venue": "J. Fast",
            "url": "https://example.org/x",
            "externalIds": {"DOI": "10.1000/STENCIL"},
            "authors": [{"name": "Ada Example"}],
            "publicationTypes": ["JournalArticle"],
        },
        {"title": None},
        "nonsense",
    ],
}
WORKS = {
    "results": [
        {
            "id": "https://example.org/W1",
            "doi": "https://doi.org/10.1000/wave",
            "display_name": "Waves in layers",
            "publication_year": 1988,
            "authorships": [{"author": {"display_name": "Di Wave"}}, {"author": None}],
            "type": "article",
            "primary_location": {
                "source": {"display_name": "J. Waves"},
                "landing_page_url": "https://example.org/w",
            },
            "abstract_inverted_index": {"in": [1], "Layers": [2, 10**15], "Light": [0]},
        }
    ]
}


@dataclass
class Catalogue:
    """What is answered at a path: bodies in turn, the last one for ever. asked: (path, parameters) of every request."""

    answers: dict[str, list[tuple[int, bytes, dict[str, str]]]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    address: str = ""
    pause_s: float = 0.0

    def say(self, path: str, body: Any, status: int = 200, **headers: str) -> None:
        raw = (
            body
            if isinstance(body, bytes)
            else (body if isinstance(body, str) else json.dumps(body)).encode()
        )
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers.setdefault(path, []).append((status, raw, named))


def zipped(body: bytes) -> bytes:
    return gzip.compress(body)


@contextmanager
def serving() -> Iterator[Catalogue]:
    told = Catalogue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            told.asked.append(
                (parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()})
            )
            queue = told.answers.get(parts.path) or [(404, b"nothing here", {})]
            status, body, headers = queue.pop(0) if len(queue) > 1 else queue[0]
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                for byte in range(0, len(body), 1 if told.pause_s else max(1, len(body))):
                    self.wfile.write(body[byte : byte + (1 if told.pause_s else len(body))])
                    time.sleep(told.pause_s)
            except OSError:
                pass

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    told.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
