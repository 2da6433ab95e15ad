"""What a shared Prefect server lets strangers do, found by asking it as a stranger would."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import urlsplit

import httpx

from agents.models.address import without_credentials
from schemas.errors import PrerequisiteError
from schemas.text.visible import one_visible_line

STRANGER = "http://page-of-a-stranger.invalid"
_GUIDE = "docs/guide/deployment.md, Several computers"


def look_at_server() -> tuple[str, list[str]]:
    """What was found at PREFECT_API_URL, and warnings. Raises PrerequisiteError where no run could use it."""
    api = os.environ.get("PREFECT_API_URL", "").rstrip("/")
    if not api:
        return "each run starts one of its own, with a password", []
    shown, secret = one_visible_line(without_credentials(api)), os.environ.get("PREFECT_API_AUTH_STRING")
    try:
        with httpx.Client(timeout=20, follow_redirects=False) as client:
            stranger = client.get(f"{api}/admin/version", headers={"origin": STRANGER})
            ours = (
                client.get(f"{api}/admin/version", auth=httpx.BasicAuth(*secret.partition(":")[::2]))
                if secret
                else stranger
            )
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise PrerequisiteError(
            f"the Prefect server {shown} cannot be asked",
            found=type(error).__name__,
            fix="start it, or correct PREFECT_API_URL, or unset it: each run then starts its own",
        ) from None
    if ours.status_code != 200:
        raise PrerequisiteError(
            f"the Prefect server {shown} refuses this computer",
            found=f"HTTP {ours.status_code}, PREFECT_API_AUTH_STRING {'set' if secret else 'not set'}",
            fix=f"set PREFECT_API_AUTH_STRING to the server's password ({_GUIDE})",
        )
    warnings = []
    if stranger.status_code == 200:
        warnings.append(
            "everybody who reaches it may answer questions, read results and run commands on its workers: set "
            f"PREFECT_SERVER_API_AUTH_STRING there and PREFECT_API_AUTH_STRING here ({_GUIDE})"
        )
    if stranger.headers.get("access-control-allow-origin") in ("*", STRANGER):
        warnings.append(
            "web pages of any origin may use it from a browser in its network: set "
            f"PREFECT_SERVER_CORS_ALLOWED_ORIGINS there to its own address ({_GUIDE})"
        )
    if secret and api.startswith("http:") and not _on_this_computer(api):
        warnings.append("the password travels to it unencrypted: put a reverse proxy with https before it")
    return shown, warnings


def _on_this_computer(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
