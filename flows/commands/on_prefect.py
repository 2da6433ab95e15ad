"""What commands that run a flow in their own process have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flows.serving.runtime import prepare_environment

if TYPE_CHECKING:
    from flows.serving.embedded import EmbeddedServer
    from flows.terminal.console import Console


@contextmanager
def on_prefect(outputs: Path) -> Iterator[tuple[EmbeddedServer, Console]]:
    """The embedded server, starting, or the one that PREFECT_API_URL names or `reprolab up` runs over these outputs; and the
    console.

    Inside, import what loads Prefect (which reads its settings once: the address must be in them by then) while the server
    starts, then `server.wait()`.
    """
    prepare_environment(outputs)
    from flows.serving.embedded import EmbeddedServer
    from flows.terminal.console import Console

    console = Console()
    with EmbeddedServer(outputs) as server:
        if server.joined:
            console.say(
                "using the Prefect server that `up` runs over these outputs; this command ends with it"
            )
        if server.own:
            console.say("starting Prefect's server (about 10 s)")
        yield server, console
