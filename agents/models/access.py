"""Where a model is asked and with which key: in this process's memory only, never in settings, files or messages."""

from __future__ import annotations

from dataclasses import dataclass, field

KEY, TOKEN, ADDRESS, HEADERS = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS",
)
VENDOR = "https://api.anthropic.com"


@dataclass(frozen=True)
class Access:
    """Who may be asked, and what may be sent along.

    address: before /v1/messages, with its password if it has one; None for ANTHROPIC_BASE_URL or the vendor's own.
    variable: the environment variable that holds the key; None where nothing secret of this process may be sent.
    """

    address: str | None = field(default=None, repr=False)
    variable: str | None = KEY
