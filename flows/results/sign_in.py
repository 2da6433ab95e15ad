"""Who may read results in a browser: who has the server's password, or one of its people. A page cannot send a password with a
link, so a cookie stands for it."""

from __future__ import annotations

import hashlib
import hmac
import time
from base64 import b64encode

from flows.serving.people import People

LASTS_S = 12 * 3600


class SignIn:
    """Cookies of one server, which its password makes and another password ends; one of a person ends with that person's.

    A cookie reads results and does nothing else: Prefect's API does not know it. whole: user and password, as Prefect takes them.
    """

    def __init__(self, whole: str, people: People | None = None) -> None:
        self.people = people
        self._expected = b"Basic " + b64encode(whole.encode())
        self._key = hashlib.sha256(b"reading results of runs\0" + whole.encode()).digest()
        # Browsers keep cookies by computer, not by port: each server has a name of its own for it.
        self.cookie = f"reprolab-results-{self._signed('name')[:12]}"

    def knows(self, authorization: str) -> str | None:
        """Who brought a password with this request: a person's name, '' for the server's own; None for nobody."""
        if hmac.compare_digest(authorization.encode("utf-8", "replace"), self._expected):
            return ""
        person = self.people.of(authorization) if self.people else None
        return person.name if person else None

    def ticket(self, name: str = "") -> str:
        """A cookie's value for a person, or for the server's own password: until when it holds, sealed."""
        until = f"{int(time.time()) + LASTS_S}.{name}"
        return f"{until}.{self._signed(until + self._of(name))}"

    def holds(self, ticket: str) -> str | None:
        """Whose cookie it is, '' for the server's own password; None where it is none of ours, over, or of somebody who is gone."""
        until, _, seal = ticket.rpartition(".")
        time_s, _, name = until.partition(".")
        known = not name or self.people is not None and name in self.people.all()
        ours = hmac.compare_digest(
            seal.encode("utf-8", "replace"), self._signed(until + (self._of(name) if known else "")).encode()
        )
        return name if known and ours and time_s.isdecimal() and int(time_s) > time.time() else None

    def _of(self, name: str) -> str:
        """What else a person's cookie hangs on: another password, another cookie."""
        return f".{self.people.all()[name].sealed}" if name and self.people else ""

    def _signed(self, text: str) -> str:
        return hmac.new(self._key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
