"""Keys and passwords: kept out of what a run stores, and looked for in what is about to be shared."""

from __future__ import annotations

import os
import re
from typing import TypeVar

from agents.models.address import without_credentials
from schemas.run.settings import CoreSettings

Settings = TypeVar("Settings", bound=CoreSettings)
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("an API key (sk-...)", r"\bsk-[A-Za-z0-9_-]{16,}"),
        ("an AWS key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
        ("a GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})"),
        ("a Google key", r"\bAIza[0-9A-Za-z_-]{35}"),
        ("a Slack token", r"\bxox[abprs]-[A-Za-z0-9-]{10,}"),
        ("a Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
        ("a private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
        ("an address with a password", r"\b[a-z][a-z0-9+.-]*://[^\s/@:\"'<>]+:[^\s/@\"'<>]+@"),
        ("a bearer token", r"(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}"),
        (
            "a named secret",
            r"(?i)\b(?:x-)?(?:api[_-]?key|auth[_-]?token|access[_-]?token|password|secret)\b"
            r"[\\\"'\s]*[:=][\\\"'\s]*(?=[^\s\"']*\d)[A-Za-z0-9._~+/-]{16,}",
        ),
    )
)
_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_SHORTEST = 8


def storable(settings: Settings) -> Settings:
    """The settings as run.json may hold them: a password in model.base_url is left out."""
    model = settings.model
    if model.base_url is None:
        return settings
    return settings.model_copy(
        update={"model": model.model_copy(update={"base_url": without_credentials(model.base_url)})}
    )


def secrets_in(text: str) -> tuple[str, ...]:
    """What in `text` looks like a credential, each named and shown by its first characters only."""
    found = [f"{name}: {match[0][:6]}..." for name, pattern in _PATTERNS for match in pattern.finditer(text)]
    found += [
        f"the value of {variable}"
        for variable in _VARIABLES
        if len(value := os.environ.get(variable, "")) >= _SHORTEST and value in text
    ]
    return tuple(dict.fromkeys(found))
