"""Faults the server can be told to show, one per request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FaultKind = Literal[
    "rate_limit",
    "server_error",
    "overloaded",
    "unauthorized",
    "payment",
    "too_large",
    "timeout",
    "reset",
    "truncated_stream",
    "stream_error",
    "malformed_json",
    "max_tokens",
    "refusal",
    "empty",
    "schema_violation",
    "context_full",
    "web_page",
    "garbled_stream",
    "bad_gateway",
    "unavailable",
    "stalled_stream",
    "rubbish_arguments",
    "unknown_tool",
]

# HTTP status, error type and message of the faults that are plain error responses.
STATUS: dict[str, tuple[int, str, str]] = {
    "rate_limit": (429, "rate_limit_error", "Number of requests has exceeded your rate limit"),
    "server_error": (500, "api_error", "Internal server error"),
    "bad_gateway": (502, "api_error", "Bad gateway"),
    "unavailable": (503, "api_error", "Service unavailable"),
    "overloaded": (529, "overloaded_error", "Overloaded"),
    "unauthorized": (401, "authentication_error", "invalid x-api-key"),
    "payment": (402, "billing_error", "Your credit balance is too low"),
    "too_large": (400, "invalid_request_error", "prompt is too long: 1200000 tokens > 1000000 maximum"),
}


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request.

    retry_after: the header of a rate limit or overload. delay_s: how long a time-out stays silent, or a stalled
    stream waits in its middle.
    """

    kind: FaultKind
    retry_after: str | None = None
    delay_s: float = 2.0
