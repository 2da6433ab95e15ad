"""Pictures from the network, only where the user asked for them: http(s), small, in time, and really pictures."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import time
import urllib.error
import urllib.request
from typing import IO, Any
from urllib.parse import urlsplit

from tasks.reproduce.papers.importing.taken_pictures import PictureRefused, checked_picture
from tasks.reproduce.papers.paper_files import MAX_IMAGE_BYTES

MAX_REMOTE = 50
TIMEOUT_S, TOTAL_S = 20.0, 120.0
_TYPES = ("image/", "application/octet-stream", "binary/octet-stream")


class _Redirects(urllib.request.HTTPRedirectHandler):
    """At most five, to http(s) only, and never from the open network into a private one."""

    max_redirections = 5

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        host = _allowed(newurl)
        if _private(host) and not _private(urlsplit(req.full_url).hostname or ""):
            raise PictureRefused(f"it is redirected to the private address {host}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> urllib.request.OpenerDirector:
    """An opener for http and https alone: the usual one also opens files, ftp and data."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        _Redirects,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener


def remote_picture(url: str, *, timeout_s: float = TIMEOUT_S, total_s: float = TOTAL_S) -> tuple[bytes, str]:
    """Bytes and suffix of the picture at an http(s) address. Raises PictureRefused with the reason."""
    _allowed(url)
    end = time.monotonic() + total_s
    request = urllib.request.Request(
        url, headers={"User-Agent": "reprolab-papers-import", "Accept": "image/*"}
    )
    try:
        with _opener().open(request, timeout=timeout_s) as answer:
            return checked_picture(_body(answer, end))
    except PictureRefused:
        raise
    except urllib.error.HTTPError as error:
        raise PictureRefused(f"the server answered {error.code}") from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise PictureRefused(f"it cannot be fetched ({type(error).__name__}: {str(error)[:120]})") from error


def _body(answer: Any, end: float) -> bytes:
    kind = (answer.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
    if kind and not kind.startswith(_TYPES):
        raise PictureRefused(f"the server says it is {kind[:60]}, not a picture")
    data = bytearray()
    while part := answer.read1(65536):
        data += part
        if len(data) > MAX_IMAGE_BYTES:
            raise PictureRefused(f"it has more than {MAX_IMAGE_BYTES} bytes")
        if time.monotonic() > end:
            raise PictureRefused("it took too long")
    return bytes(data)


def _allowed(url: str) -> str:
    """The host of an http(s) address. Raises PictureRefused."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise PictureRefused("its address is malformed") from error
    if parts.scheme not in ("http", "https") or not host:
        raise PictureRefused(
            f"its address begins with {parts.scheme[:20] or 'nothing'}:, only http and https are fetched"
        )
    if any(ord(character) <= 32 or ord(character) == 127 for character in url):
        raise PictureRefused("its address holds spaces or control characters")
    return host


def _private(host: str) -> bool:
    """Whether a name leads to an address that is not on the open network."""
    try:
        found = {item[4][0] for item in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
        return any(not ipaddress.ip_address(str(address).partition("%")[0]).is_global for address in found)
    except (OSError, ValueError):
        return True
