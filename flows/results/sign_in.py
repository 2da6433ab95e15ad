"""Who may read results in a browser: whoever has the server's password. A page cannot send it with a link, so a cookie stands for it."""

from __future__ import annotations

import hashlib
import hmac
import time
from base64 import b64encode

LASTS_S = 12 * 3600


class SignIn:
    """Cookies of one server, which its password makes and another password ends.

    A cookie reads results and does nothing else: Prefect's API does not know it. whole: user and password, as Prefect takes them.
    """

    def __init__(self, whole: str) -> None:
        self._expected = b"Basic " + b64encode(whole.encode())
        self._key = hashlib.sha256(b"reading results of runs\0" + whole.encode()).digest()
        # Browsers keep cookies by computer, not by port: each server has a name of its own for it.
        self.cookie = f"reprolab-results-{self._signed('name')[:12]}"

    def knows(self, authorization: str) -> bool:
        """Whether a request brought the password itself."""
        return hmac.compare_digest(authorization.encode("utf-8", "replace"), self._expected)

    def ticket(self) -> str:
        """A cookie's value: until when it holds, sealed."""
        until = str(int(time.time()) + LASTS_S)
        return f"{until}.{self._signed(until)}"

    def holds(self, ticket: str) -> bool:
        """Whether a cookie's value is one of ours and not over."""
        until, _, seal = ticket.partition(".")
        ours = hmac.compare_digest(seal.encode("utf-8", "replace"), self._signed(until).encode())
        return ours and until.isdecimal() and int(until) > time.time()

    def _signed(self, text: str) -> str:
        return hmac.new(self._key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
