"""Where a run's results stand on the server that `reprolab up` started over its outputs folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from flows.serving.server_app import ENTRANCE
from flows.up.place import Place, made_here, who_is_up
from schemas.errors import InputError


def path_of(run_dir: Path, name: str = "") -> str:
    """The path of a run's page, or of a file of its folder, on such a server."""
    return f"{ENTRANCE}/runs/{quote(run_dir.parent.name)}/{quote(run_dir.name)}/{quote(name)}"


def address_of(run_dir: Path, name: str = "") -> str:
    """The whole address; empty where nobody of this account is up over the folder that the run is in."""
    with suppress(OSError, InputError, LookupError, ValueError):
        run_dir = run_dir.resolve()
        place = Place(run_dir.parents[1])
        if made_here(place):
            address = str((who_is_up(place) or {}).get("address", ""))
            return f"{address}{path_of(run_dir, name)}" if address else ""
    return ""
