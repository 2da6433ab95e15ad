"""Talking to a service with a token that comes from an environment variable, goes to one host, and is never shown."""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from schemas.errors import InputError, PrerequisiteError, ReproLabError
from schemas.text.visible import visible

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")
_TIMEOUT = httpx.Timeout(30.0, read=300.0, write=300.0)
_LOCAL = ("localhost", "127.0.0.1", "::1")


class Refused(ReproLabError):
    """A service did not take a bundle; nothing was made public."""


def token_of(variable: str) -> str:
    """The token in an environment variable; empty without a variable's name. Raises PrerequisiteError if it is not set."""
    if not variable:
        return ""
    if not _VARIABLE.fullmatch(variable):
        raise InputError(
            "token_variable names an environment variable, and holds no token",
            allowed="letters, digits, _",
            fix="export the token in a variable of your own and name that variable",
        )
    token = os.environ.get(variable, "").strip()
    if not token:
        raise PrerequisiteError(
            f"the environment variable {variable} is not set", fix=f"export {variable}=... and try again"
        )
    return token


class Service:
    """Requests to one host. The token is sent to hosts named at the start alone; redirects are not followed."""

    def __init__(
        self, *addresses: str, token: str = "", scheme: str = "Bearer", headers: dict[str, str] | None = None
    ):
        for address in addresses:
            found = urlsplit(address)
            if (
                found.scheme not in ("http", "https")
                or not found.hostname
                or found.username
                or found.password
            ):
                raise InputError(
                    "this is no address of a service",
                    found=visible(address, 200),
                    allowed="https://host/..., without a password",
                    fix="correct `url`",
                )
            if token and found.scheme == "http" and found.hostname not in _LOCAL:
                raise InputError(
                    "a token is not sent over plain http",
                    found=visible(address, 200),
                    allowed="https://",
                    fix="use https, or publish without a token",
                )
        self._hosts = {(urlsplit(address).scheme, urlsplit(address).netloc) for address in addresses}
        self._token, self._scheme = token, scheme
        self._client = httpx.Client(
            timeout=_TIMEOUT, headers={"User-Agent": "ReproLab", **(headers or {})}, trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def send(
        self,
        method: str,
        address: str,
        *,
        doing: str,
        json: Any = None,
        file: Path | None = None,
        allowed: tuple[int, ...] = (200, 201, 202),
    ) -> dict[str, Any]:
        """The JSON object answered, {} for none. Raises Refused with what the service said; the token is in no message."""
        found = urlsplit(address)
        if (found.scheme, found.netloc) not in self._hosts:
            raise Refused(
                f"{doing}: the service sent us to another host",
                found=visible(address, 200),
                fix="check the service; the token was not sent there",
            )
        headers = {"Authorization": f"{self._scheme} {self._token}"} if self._token else {}
        body: bytes | None = None
        if file is not None:
            body = file.read_bytes()
            headers["Content-Type"] = "application/octet-stream"
        try:
            answer = self._client.request(method, address, json=json, content=body, headers=headers)
        except httpx.HTTPError as error:
            raise Refused(
                f"{doing}: the service did not answer",
                found=self._hidden(str(error)),
                fix="try again; what was staged stays staged",
            ) from None
        if answer.status_code not in allowed:
            raise Refused(
                f"{doing}: the service refused",
                found=f"HTTP {answer.status_code}: {self._hidden(answer.text)}",
                fix="401 and 403 mean the token or its rights; other errors are the service's words",
            )
        try:
            value = answer.json() if answer.content else {}
        except ValueError:
            value = {}
        return value if isinstance(value, dict) else {}

    def _hidden(self, text: str) -> str:
        shown = text.replace(self._token, "[token]") if self._token else text
        return visible(" ".join(shown.split()), 400)


def field(answer: dict[str, Any], *names: str) -> Any:
    """A value inside an answer. Raises Refused where the service left it out."""
    value: Any = answer
    for name in names:
        if not isinstance(value, dict) or name not in value:
            raise Refused(
                "the service's answer lacks what its interface promises",
                found=f"no {'.'.join(names)}",
                fix="check that the address is that of the service",
            )
        value = value[name]
    return value
