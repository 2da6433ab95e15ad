"""A server's address without what must not be written down."""

from __future__ import annotations

import re

_USER = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*://)?[^/?#]*@")
_REST = re.compile(r"[?#].*\Z", re.DOTALL)


def without_credentials(address: str) -> str:
    """`address` without user, password, query and fragment: what may stand in files, messages and reports."""
    return _REST.sub("", _USER.sub(lambda match: match[1] or "", address.strip()))
