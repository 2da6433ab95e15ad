"""Which files may be published: the user's allow list, and a deny list that nothing switches off."""

from __future__ import annotations

import re
from functools import cache

DENIED = (".env*", "secrets/**", "*.pem", "*.key", "id_rsa", "id_ed25519")
"""Names that are never published, in whatever folder they lie, whatever the case of their letters."""

_PRIVATE_KEY = re.compile(
    rb"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|^PuTTY-User-Key-File-[0-9]+:", re.M
)


def matches(path: str, pattern: str) -> bool:
    """Whether a path fits a pattern from the bundle's top: `*` and `?` within a part, `**` over any number of parts."""
    return _compiled(pattern).fullmatch(path) is not None


def denied(path: str) -> str:
    """The pattern of the deny list that a path fits, at its own depth or below any folder; empty if none."""
    parts = path.lower().split("/")
    for pattern in DENIED:
        if any(
            matches("/".join(parts[depth:]), pattern) or matches(parts[depth], pattern)
            for depth in range(len(parts))
        ):
            return pattern
    return ""


def holds_private_key(content: bytes) -> bool:
    """Whether a header of a private key (PEM, OpenSSH, PGP, PuTTY) stands anywhere in a file."""
    return _PRIVATE_KEY.search(content) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    out, at = "", 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            out, at = out + r"(?:[^/]+/)*", at + 3
        elif pattern.startswith("**", at):
            out, at = out + r".+", at + 2
        else:
            mark = pattern[at]
            out += r"[^/]*" if mark == "*" else r"[^/]" if mark == "?" else re.escape(mark)
            at += 1
    return re.compile(out, re.S)
