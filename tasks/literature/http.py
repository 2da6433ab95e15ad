"""One polite GET: turns kept over all processes, retries as the server asks, limits on time and size, answers kept on disk."""

from __future__ import annotations

import email.utils
import fcntl
import hashlib
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import httpx

from schemas.errors import ReproLabError
from schemas.literature.retrieval import RetrievalSettings
from schemas.text.visible import one_visible_line
from tasks.files.store import atomic_write, private_folder
from tasks.literature.catalogue_hosts import AGENT

_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
Read = TypeVar("Read")


class Unanswered(ReproLabError):
    """A server gave no usable answer; the text says which and why."""


class Fetcher:
    """Asks servers. cache: folder for answers and turns. client: for tests; sleep and now: of the clock."""

    def __init__(
        self,
        settings: RetrievalSettings,
        cache: Path,
        *,
        client: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ):
        self.settings, self.cache, self._sleep, self._now = settings, private_folder(cache), sleep, now
        self._client = client

    def get(
        self, address: str, parameters: Mapping[str, str], read: Callable[[bytes], Read]
    ) -> tuple[Read, bool]:
        """What `read` makes of the answer to a query, and whether it came from the cache.

        read: raises ValueError for what is no answer; only an answer that it can read is kept. Raises Unanswered.
        """
        asked = str(httpx.URL(address, params=dict(parameters)))
        kept = self.cache / f"{hashlib.sha256(asked.encode()).hexdigest()}.answer"
        if kept.is_file() and self._now() - kept.stat().st_mtime < self.settings.cache_days * 86400:
            with suppress(ValueError, RecursionError):  # kept by an earlier version: asked again
                return read(kept.read_bytes()), True
        host, wait = urlsplit(asked).netloc, 0.0
        for attempt in range(self.settings.retries + 1):
            if wait:
                self._sleep(wait)
            with self.turn(host):
                found = self._once(asked)
            if isinstance(found, bytes):
                try:
                    made = read(found)
                except (ValueError, RecursionError) as error:
                    raise Unanswered(
                        f"{host} answered what cannot be read", found=one_visible_line(str(error), 200)
                    ) from None
                atomic_write(kept, found)
                return made, False
            again, why, asked_wait = found
            wait = asked_wait if asked_wait is not None else min(2.0**attempt, self.settings.longest_wait_s)
            if not again or wait > self.settings.longest_wait_s:
                break
        more = f"; it asks to wait {wait:.0f} s" if again and wait > self.settings.longest_wait_s else ""
        raise Unanswered(
            f"{host} gave no answer", found=f"{why}{more}", fix="try again later, or search another backend"
        )

    def _once(self, asked: str) -> bytes | tuple[bool, str, float | None]:
        """The content; or whether to try again, why, and the wait the server asks for."""
        until = time.monotonic() + self.settings.timeout_s
        self._client = self._client or httpx.Client(follow_redirects=False, timeout=self.settings.timeout_s)
        try:
            with self._client.stream(
                "GET", asked, headers={"User-Agent": AGENT, "Accept-Encoding": "gzip"}
            ) as answer:
                if answer.status_code in _AGAIN:
                    return (
                        True,
                        f"status {answer.status_code}",
                        wait_asked(answer.headers.get("Retry-After", ""), self._now()),
                    )
                if answer.status_code != 200:
                    return False, f"status {answer.status_code}", None
                return limited(answer, self.settings.max_bytes, until)
        except Oversized as error:
            return False, str(error), None
        except (httpx.TransportError, zlib.error) as error:
            return True, one_visible_line(f"{type(error).__name__}: {error}", 200), None
        except httpx.HTTPError as error:
            return False, one_visible_line(f"{type(error).__name__}: {error}", 200), None

    @contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Hold the host's turn: the next request, of whatever process, comes no sooner than the interval after this one."""
        with (self.cache / f"{hashlib.sha256(host.encode()).hexdigest()[:16]}.turn").open("a+") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            turn.seek(0)
            try:
                last = float(turn.read(40) or 0)
            except ValueError:
                last = 0.0
            due = last + self.settings.interval_s - self._now()
            wait = min(due, self.settings.interval_s)  # the clock may have been set back
            if wait > 0:
                self._sleep(wait)
            try:
                yield
            finally:
                turn.seek(0)
                turn.truncate()
                turn.write(f"{self._now():.3f}")


class Oversized(ValueError):
    """More came than is read; the text says how much that is."""


def limited(answer: httpx.Response, max_bytes: int, until: float) -> bytes:
    """The body, unpacked, at most `max_bytes`, before `until` (monotonic clock). Raises Oversized, httpx.ReadTimeout.

    Unpacked here, piece by piece as they come: a small packed body may hold gigabytes, and a slow one may never end.
    """
    packed = answer.headers.get("Content-Encoding", "identity").lower()
    if packed not in ("identity", "gzip"):
        raise Oversized(f"packed as {one_visible_line(packed, 40)}, which is not read")
    unpack = zlib.decompressobj(31) if packed == "gzip" else None
    body = bytearray()
    for raw in answer.iter_raw():
        body += unpack.decompress(raw, max_bytes + 1 - len(body)) if unpack else raw
        if len(body) > max_bytes:
            raise Oversized(f"larger than {max_bytes} bytes")
        if time.monotonic() > until:
            raise httpx.ReadTimeout("the answer did not end in time")
    return bytes(body)


def wait_asked(words: str, now: float) -> float | None:
    """Seconds of a Retry-After: a number or a date; None where it is neither."""
    if words.strip().isdigit():
        return float(words.strip()[:9])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(words).timestamp() - now)
    except (ValueError, TypeError):
        return None
