"""Running simulations as a progress artifact: one of a run, updated in place every few seconds."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from prefect.runtime import flow_run

from flows.pages.artifacts import artifact_key, put_artifact
from flows.reproduce.context import Run
from flows.terminal.console import Running, progress_words

_EVERY_S = 5.0
_MOST_NAMED = 8


@contextmanager
def shown_progress(run: Run) -> Iterator[None]:
    """While a run works, the artifact `<run id>-simulations` says what is simulated. A slow server holds nothing up."""
    progress = Progress(artifact_key(run.run_id, "simulations"), str(flow_run.id))
    run.console.watchers.append(progress.told)
    try:
        yield
    finally:
        run.console.watchers.remove(progress.told)
        progress.end(f"{run.tally.simulations} simulated, {run.tally.simulations_reused} kept from before")


class Progress:
    """Keeps the newest of what it is told and shows that from a thread of its own, not more often than every 5 s."""

    def __init__(self, key: str, flow_run_id: str, every_s: float = _EVERY_S) -> None:
        self._place, self._every_s = (key, flow_run_id), every_s
        self._newest: Running = {}
        self._changed, self._over = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def told(self, running: Running) -> None:
        """What is simulated now."""
        self._newest = running
        self._changed.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._show, daemon=True, name="progress of simulations")
            self._thread.start()

    def end(self, words: str) -> None:
        """Nothing is simulated any more; shows `words` if anything ever was."""
        self._over.set()
        self._changed.set()
        if self._thread is not None:
            self._thread.join(self._every_s)
            self._put(100.0, words)

    def _show(self) -> None:
        while self._changed.wait() and not self._over.is_set():
            self._changed.clear()
            running = self._newest
            done = sum(fraction for fraction, _, _ in running.values()) / max(len(running), 1)
            more = len(running) - _MOST_NAMED
            words = "; ".join(progress_words(running)[:_MOST_NAMED]) + (
                f"; and {more} more" if more > 0 else ""
            )
            self._put(round(100 * done, 1), words or "nothing is simulated at the moment")
            self._over.wait(self._every_s)

    def _put(self, percent: float, words: str) -> None:
        with suppress(Exception):  # the page is a convenience, the run is not
            key, flow_run_id = self._place
            put_artifact(key, percent, words, flow_run_id)
