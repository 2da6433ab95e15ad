"""Where a run's results stand on the server that `reprolab up` started over its outputs folder."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from flows.serving.server_app import ENTRANCE
from flows.up.place import Place, made_here, who_is_up
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below

_MOST_RECORD = 100_000


def path_of(run_dir: Path, name: str = "") -> str:
    """The path of a run's page, or of a file of its folder, on such a server."""
    return f"{ENTRANCE}/runs/{quote(run_dir.parent.name)}/{quote(run_dir.name)}/{quote(name)}"


def address_of(run_dir: Path, name: str = "") -> str:
    """The whole address; empty where nobody of this account is up over the folder that the run is in."""
    with suppress(OSError, LookupError, ValueError):
        run_dir = run_dir.resolve()
        return _on_server(run_dir.parents[1], path_of(run_dir, name))
    return ""


def address_of_regression(folder: Path, name: str) -> str:
    """As address_of, of a file in a regression's folder, `regressions/<paper>/<id>` of the outputs."""
    with suppress(OSError, LookupError, ValueError):
        folder = folder.resolve()
        path = f"{ENTRANCE}/regressions/{quote(folder.parent.name)}/{quote(folder.name)}/{quote(name)}"
        return _on_server(folder.parents[2], path)
    return ""


def _on_server(outputs: Path, path: str) -> str:
    with suppress(OSError, InputError, Unopened, ValueError, AttributeError):
        place = Place(outputs)
        if made_here(place):
            address = str((who_is_up(place) or {}).get("address", ""))
        else:  # a worker on another computer: believed where it is the server that this worker was told of
            address = str(
                json.loads(read_below(place.home, place.record.name, _MOST_RECORD)).get("address", "")
            )
            told = os.environ.get("PREFECT_API_URL", "").rstrip("/")
            address = address if told == f"{address}/api" else ""
        return f"{address}{path}" if address else ""
    return ""
