"""What a run prints under a worker may find nobody: a killed worker took its end of the pipe with it, and the run goes on."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import suppress

_DONE: list[threading.Thread] = []


def outlive_listener() -> None:
    """From now on printing cannot fail in this process, which is a worker's for one flow run; elsewhere nothing happens.

    Prefect's own log to the console ends the process otherwise (rich: SystemExit), and lines of ours become faults of files.
    """
    if _DONE or "PREFECT__FLOW_RUN_ID" not in os.environ:
        return
    for number in (1, 2):
        listener = os.dup(number)
        source, into = os.pipe()
        os.dup2(into, number)
        os.close(into)
        thread = threading.Thread(
            target=_pass_on, args=(source, listener), name=f"output {number}", daemon=True
        )
        thread.start()
        _DONE.append(thread)
    atexit.register(_finish)


def _pass_on(source: int, listener: int) -> None:
    while piece := os.read(source, 65536):
        while piece:
            try:
                piece = piece[os.write(listener, piece) :]
            except OSError:
                break


def _finish() -> None:
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        with suppress(OSError, ValueError):
            stream.flush()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
    for thread in _DONE:
        thread.join(2)
