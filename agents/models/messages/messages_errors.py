"""From what the SDK raises to our two kinds: worth retrying, or not."""

from __future__ import annotations

import email.utils
import math
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import anthropic
import httpx2

from agents.models.address import without_credentials
from agents.models.errors import FatalModelError, FatalReason, TransientModelError
from schemas.text.visible import one_visible_line

# What a broken, cut or foreign event stream makes the SDK raise while it reads.
STREAM_ERRORS = (
    httpx2.HTTPError,
    httpx2.StreamError,
    ValueError,
    LookupError,
    AssertionError,
    AttributeError,
    TypeError,
    RuntimeError,
)

_TRANSIENT_STATUS = {408, 409, 425, 429, 499}
_TRANSIENT_TYPE = {"overloaded_error", "api_error", "rate_limit_error", "timeout_error"}
_LONGEST_WAIT_S = 3600.0
_TOO_LARGE = re.compile(
    r"prompt is too long|context (window|length|limit)|maximum context|too many (input )?tokens"
    r"|exceeds? the (maximum|limit)",
    re.IGNORECASE,
)
_CHOICE_REFUSED = re.compile(r"tool_choice|forces? tool use", re.IGNORECASE)
_THINKING_REFUSED = re.compile(r"thinking", re.IGNORECASE)
_SCHEMA_REFUSED = re.compile(
    r"output_config|output_format|json_schema|structured output|\bschema\b|grammar|\bstrict\b", re.IGNORECASE
)
_FIXES: dict[FatalReason, str] = {
    "authentication": "set ANTHROPIC_API_KEY to a valid key, or use model.kind manual, which needs none",
    "configuration": "check model.base_url and model.name",
    "not_found": "set model.name to a model that server offers (and check model.base_url)",
    "billing": "add credit to the account behind the key",
    "too_large": "shorten the text of the paper, or choose a model with a larger context",
    "request": "see the server's message; model.name, model.max_tokens and model.base_url are the usual causes",
}


def translate(
    error: Exception, model: str, where: str, hide: Callable[[str], str] = str
) -> TransientModelError | FatalModelError:
    """Our error for what was raised while `model` was asked at `where` (a base URL).

    hide: takes out of the server's words what they must not repeat. Raise it `from None`: the original repeats them.
    """
    if isinstance(error, anthropic.APIStatusError):
        return _status_error(error, model, where, hide)
    cause = _cause(error, hide)
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return TransientModelError(
            f"The model server {where} did not answer in time.",
            found=cause,
            fix="wait and retry; raise model.timeout_s if answers are long",
        )
    if isinstance(error, anthropic.APIConnectionError):
        if isinstance(error.__cause__, httpx2.UnsupportedProtocol | httpx2.InvalidURL):
            return _fatal(f"The model server's address {where} is no usable URL.", cause, "configuration")
        return TransientModelError(
            f"The model server {where} cannot be reached.",
            found=cause,
            fix="check the network and model.base_url",
        )
    if isinstance(error, anthropic.CredentialsError):
        return _fatal(
            "There are no usable credentials for the model server.", hide(str(error)), "authentication"
        )
    return TransientModelError(
        f"The answer of the model server {where} broke off or cannot be read.",
        found=f"{type(error).__name__}: {cause}",
        fix="wait and retry; check that model.base_url speaks the Messages API with streaming",
    )


def refuses_schema(error: FatalModelError) -> bool:
    """Whether the server refused structured output rather than the request as such."""
    return error.reason == "request" and bool(_SCHEMA_REFUSED.search(str(error.found)))


def refuses_choice(error: FatalModelError) -> bool:
    """Whether the server refused that a tool must be called (servers that think in a fixed budget do)."""
    return error.reason == "request" and bool(_CHOICE_REFUSED.search(str(error.found)))


def refuses_temperature(error: FatalModelError) -> bool:
    """Whether the server refused the request for its temperature."""
    return error.reason == "request" and "temperature" in str(error.found).lower()


def refuses_thinking(error: FatalModelError) -> bool:
    """Whether the server refused thinking of earlier turns: of another model or account, or what stood before it changed."""
    return error.reason == "request" and bool(_THINKING_REFUSED.search(str(error.found)))


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait: retry-after-ms, or retry-after as seconds or as a date; within an hour."""
    for name, scale in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            wait = float(text) * scale
        except ValueError:
            try:
                wait = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
            except (TypeError, ValueError):
                continue
        if math.isfinite(wait):
            return min(max(wait, 0.0), _LONGEST_WAIT_S)
    return None


def _status_error(
    error: anthropic.APIStatusError, model: str, where: str, hide: Callable[[str], str]
) -> TransientModelError | FatalModelError:
    status, kind = error.status_code, hide(error.type or "")
    if 300 <= status < 400:
        to = one_visible_line(hide(without_credentials(error.response.headers.get("location", ""))), 200)
        return _fatal(
            f"The model server {where} sends on to another address, which is never followed.",
            f"HTTP {status} to {to or 'nowhere'}",
            "configuration",
        )
    found = f"HTTP {status}{f' {kind}' if kind else ''}: {_message(error, hide)}"
    if status in _TRANSIENT_STATUS or (status >= 500 and status != 501) or kind in _TRANSIENT_TYPE:
        return TransientModelError(
            f"The model server {where} is busy or failing.",
            found=found,
            fix="wait and retry",
            retry_after_s=retry_after_s(error.response.headers),
        )
    if status in (401, 403):
        return _fatal(f"The model server {where} refuses the key.", found, "authentication")
    if status == 402 or "credit balance" in found:
        return _fatal(f"The model server {where} refuses for lack of credit.", found, "billing")
    if status == 404:
        return _fatal(
            f"The model server {where} has no model {model!r} (or no Messages API).", found, "not_found"
        )
    if status == 413 or _TOO_LARGE.search(found):
        return _fatal(f"The request is too large for {model}.", found, "too_large")
    return _fatal(f"The model server {where} refuses the request.", found, "request")


def _fatal(what: str, found: str, reason: FatalReason) -> FatalModelError:
    return FatalModelError(what, found=found, fix=_FIXES[reason], reason=reason)


def _message(error: anthropic.APIStatusError, hide: Callable[[str], str]) -> str:
    text: Any = error.api_message or error.message
    return " ".join(hide(str(text)).split())[:500]


def _cause(error: BaseException, hide: Callable[[str], str]) -> str:
    inner = error.__cause__ or error
    return " ".join((hide(str(inner)) or type(inner).__name__).split())[:300]
