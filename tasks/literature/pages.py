"""Pages of the web as text: public addresses only, pinned to what was resolved, bounded, each redirect checked."""

from __future__ import annotations

import ipaddress
import socket
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx

from schemas.errors import InputError
from schemas.text.visible import one_visible_line, visible
from tasks.literature.catalogue_hosts import AGENT
from tasks.literature.entry import orders_in
from tasks.literature.html_text import html_text
from tasks.literature.http import Fetcher, Oversized, Unanswered, limited

_REDIRECTS = 5
_TEXTS = ("text/", "application/json", "application/xml", "application/xhtml+xml", "application/ld+json")
_PREFIXES = tuple(
    map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96"))
)
"""IPv6 ranges that carry an IPv4 address inside, which could be a private one."""

Resolve = Callable[[str, int], list[str]]


@dataclass(frozen=True)
class Page:
    """A page as text. address: where it was found in the end. addressed: where it addresses an AI."""

    address: str
    title: str
    text: str
    addressed: tuple[str, ...]


def resolved(host: str, port: int) -> list[str]:
    """The addresses of a host, as the system says. Raises OSError."""
    return list(
        dict.fromkeys(str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    )


def fetch_page(address: str, fetcher: Fetcher, resolve: Resolve = resolved) -> Page:
    """The page at an address. Raises InputError for an address that may not be read, Unanswered for a server that fails."""
    settings = fetcher.settings
    until = time.monotonic() + settings.timeout_s
    with httpx.Client(trust_env=False, follow_redirects=False, timeout=settings.timeout_s) as client:
        for _ in range(_REDIRECTS + 1):
            host, port, place = _pinned(address, settings.fetch_loopback, resolve)
            with fetcher.turn(host):
                found = _once(client, address, host, port, place, settings.max_bytes, until)
            if isinstance(found, tuple):
                return _page(address, *found)
            following = urljoin(address, found)
            if address.startswith("https:") and not following.startswith("https:"):
                raise Unanswered(
                    f"{host} leads from https to another scheme", found=one_visible_line(following, 200)
                )
            address = following
    raise Unanswered("the page leads on and on", found=f"more than {_REDIRECTS} redirects")


def _pinned(address: str, loopback: bool, resolve: Resolve) -> tuple[str, int, str]:
    """Host, port and the one numeric address that is connected to. Raises InputError."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
    except ValueError:
        parts, host, port = None, "", 0
    if (
        parts is None
        or parts.scheme not in ("http", "https")
        or not host
        or parts.username is not None
        or len(address) > 2000
        or not address.isascii()
        or not address.isprintable()
        or " " in address
    ):
        raise InputError(
            "this address cannot be read",
            found=one_visible_line(address, 200),
            allowed="http:// or https://, a host, no password, at most 2000 characters",
        )
    try:
        found = resolve(host, port)
    except OSError as error:
        raise Unanswered(f"{one_visible_line(host, 100)} was not found", found=str(error)) from None
    if not found or not all(_allowed(one, loopback) for one in found):
        raise InputError(
            "this address is not public",
            found=f"{one_visible_line(host, 100)} is {', '.join(found[:4])}",
            allowed="public addresses; none of this computer or of a private network",
        )
    return host, port, found[0]


def _allowed(numeric: str, loopback: bool) -> bool:
    address = ipaddress.ip_address(numeric.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback:
        return loopback
    inside = isinstance(address, ipaddress.IPv6Address) and any(address in network for network in _PREFIXES)
    return address.is_global and not address.is_multicast and not inside


def _once(
    client: httpx.Client, address: str, host: str, port: int, place: str, most: int, until: float
) -> str | tuple[str, bytes]:
    """Where it leads on; or kind and content. Raises Unanswered."""
    numeric = httpx.URL(address).copy_with(host=place, port=port)
    named = f"[{host}]" if ":" in host else host
    headers = {
        "Host": named if port in (80, 443) else f"{named}:{port}",
        "User-Agent": AGENT,
        "Accept-Encoding": "gzip",
        "Accept": "text/html, text/plain, application/json;q=0.8",
    }
    left = max(0.1, until - time.monotonic())
    request = client.build_request(
        "GET",
        numeric,
        headers=headers,
        extensions={
            "sni_hostname": host,
            "timeout": dict.fromkeys(("connect", "read", "write", "pool"), left),
        },
    )
    try:
        answer = client.send(request, stream=True)
        try:
            if answer.is_redirect:
                return answer.headers["Location"]
            kind = answer.headers.get("Content-Type", "text/plain").lower()
            if answer.status_code != 200:
                raise Unanswered(f"{host} gave no page", found=f"status {answer.status_code}")
            if not kind.startswith(_TEXTS):
                raise Unanswered(
                    f"{host} gave no text", found=one_visible_line(kind, 80), allowed=", ".join(_TEXTS)
                )
            return kind, limited(answer, most, until)
        finally:
            answer.close()
    except (httpx.HTTPError, httpx.InvalidURL, Oversized, zlib.error) as error:
        raise Unanswered(
            f"{host} gave no page", found=one_visible_line(f"{type(error).__name__}: {error}", 200)
        ) from None


def _page(address: str, kind: str, content: bytes) -> Page:
    charset = kind.partition("charset=")[2].split(";")[0].strip(" \"'")
    try:
        text = content.decode(charset or "utf-8", "replace")
    except LookupError:
        text = content.decode("utf-8", "replace")
    title = ""
    if "html" in kind:
        title, text = html_text(text)
    return Page(address, one_visible_line(title, 300), visible(text), orders_in(f"{title}\n{text}"))
