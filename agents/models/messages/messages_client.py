"""The SDK's client for one address and key: it retries nothing, follows no redirect, and what it sends is never shown."""

from __future__ import annotations

import base64
import json
import logging
import os
from typing import Any
from urllib.parse import parse_qsl

import anthropic
import httpx2

from agents.models.access import ADDRESS, HEADERS, KEY, TOKEN, VENDOR, Access
from agents.models.address import without_credentials
from agents.models.errors import FatalModelError

HIDDEN = "[hidden]"
_CONNECT_S = 10.0
_SHORTEST = 6  # shorter ones would turn ordinary words of an answer into gaps


class Secrets:
    """Takes what must not be shown out of what a server said, which may repeat all it was sent."""

    def __init__(self, values: list[str]):
        shown = {
            form for value in values if len(value) >= _SHORTEST for form in (value, json.dumps(value)[1:-1])
        }
        self._values = sorted(shown, key=len, reverse=True)

    def hide(self, text: str) -> str:
        """`text` with every secret replaced."""
        for value in self._values:
            text = text.replace(value, HIDDEN)
        return text

    def hide_in(self, answer: Any) -> Any:
        """A JSON value with every secret replaced in its texts, names of fields included."""
        if isinstance(answer, str):
            return self.hide(answer)
        if isinstance(answer, dict):
            return {self.hide(name): self.hide_in(value) for name, value in answer.items()}
        return [self.hide_in(value) for value in answer] if isinstance(answer, list) else answer


def open_client(access: Access, timeout_s: float) -> tuple[anthropic.Anthropic, Secrets]:
    """A client that retries nothing and follows no redirect, and what it must never show.

    User, password and query of the address travel as header and parameters, so that no message about the address
    holds them. Raises FatalModelError for an address or a key that cannot be used.
    """
    given = access.address or os.environ.get(ADDRESS) or None
    url = _url(given) if given is not None else None
    key, token = _keys(access, own_address=given not in (None, VENDOR))
    user, password = (url.username, url.password) if url is not None else ("", "")
    query = (
        dict(parse_qsl(url.query.decode("ascii", "replace"), keep_blank_values=True))
        if url is not None
        else {}
    )
    http = anthropic.DefaultHttpxClient(
        follow_redirects=False, auth=(user, password) if user or password else None
    )
    # Older compatible servers look for x-api-key, where the current SDK sends a bearer token.
    headers: dict[str, Any] = {"x-api-key": key} if url is not None and key is not None else {}
    if access.variable is None:
        headers = {name: anthropic.Omit() for name in _custom_headers()} | headers
    client = anthropic.Anthropic(
        api_key=key,
        auth_token=token,
        max_retries=0,
        http_client=http,
        default_headers=headers or None,
        default_query=query,
        base_url=None if url is None else str(url.copy_with(userinfo=b"", query=None, fragment=None)),
        timeout=anthropic.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s)),
    )
    for name in (
        "anthropic",
        "httpx2",
    ):  # their records of requests repeat the whole address, and Prefect may keep records
        logging.getLogger(name).setLevel(logging.WARNING)
    basic = base64.b64encode(f"{user}:{password}".encode()).decode() if user or password else ""
    return client, Secrets(
        [
            key or "",
            token or "",
            user if not password else "",
            password,
            basic,
            *query.values(),
            *_custom_headers().values(),
        ]
    )


def _url(address: str) -> httpx2.URL:
    try:
        url = httpx2.URL(address)
        if url.scheme in ("http", "https") and url.host:
            return url
    except (httpx2.InvalidURL, ValueError, TypeError):
        pass
    raise FatalModelError(
        "The model server's address is no usable URL.",
        found=repr(without_credentials(address)),
        allowed="http://... or https://...",
        fix="correct model.base_url",
        reason="configuration",
    )


def _keys(access: Access, own_address: bool) -> tuple[str | None, str | None]:
    """Key and token, at most one of them."""
    key = os.environ.get(access.variable, "").strip() or None if access.variable else None
    token = os.environ.get(TOKEN, "").strip() or None if access.variable == KEY and key is None else None
    for secret in (key, token):
        if secret is not None and not (secret.isascii() and secret.isprintable()):
            raise FatalModelError(
                "The key for the model cannot be one.",
                found="other characters than printable ASCII",
                fix=f"set {access.variable} to the key alone",
                reason="authentication",
            )
    if key is None and token is None:
        if access.variable not in (None, KEY) or not own_address:
            raise FatalModelError(
                "There is no key for the model.",
                found=f"{access.variable or KEY} is not set",
                allowed="a key, or model.base_url of a server that needs none",
                fix=f"set {access.variable or KEY}, or choose model.kind manual or replay",
                reason="authentication",
            )
        key = "not-needed"
    return key, token


def _custom_headers() -> dict[str, str]:
    """What ANTHROPIC_CUSTOM_HEADERS adds to every request of the SDK: gateways take their keys there."""
    lines = (line.partition(":") for line in os.environ.get(HEADERS, "").split("\n"))
    return {name.strip(): value.strip() for name, colon, value in lines if colon}
