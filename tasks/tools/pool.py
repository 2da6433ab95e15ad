"""Servers that outlive the node or stage they were started for: a server of ours is told with each call where it belongs."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from schemas.talking.tools import Skill
from tasks.tools.server_session import Session
from tasks.tools.tool_limits import ToolLimits

MOST_IDLE = 4
"""Servers kept at most while nobody uses them; each takes some 70 MB."""


class Pool:
    """Running servers of one process, lent to one toolbox at a time; to be closed, or used in a `with`.

    Starting one costs about a second of CPU time, most of it the import of the protocol's package. Only our own are kept, those
    used last: a user's folder is mounted with one work directory. started: how many were started.
    """

    def __init__(self) -> None:
        self._idle: list[Session] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self.started = 0

    def take(self, skill: Skill, work_dir: Path | None, limits: ToolLimits) -> Session:
        """A server that nobody else uses: an idle one, or a new one. Raises ServerFailed."""
        with self._lock:
            for found in reversed(self._idle):
                if found.alive and (found.skill, found.limits) == (skill, limits):
                    self._idle.remove(found)
                    return found
            self.started += 1
        return Session(skill, work_dir, self._running_loop(), limits)

    def give_back(self, session: Session) -> None:
        """Keep a server for the next who needs it, or end it where it is not to be kept."""
        over = [session]
        if session.alive and session.skill.ours:
            with self._lock:
                self._idle.insert(
                    len(self._idle) if session.used else 0, session
                )  # one that only listed its tools goes first
                over = [self._idle.pop(0) for _ in range(len(self._idle) - MOST_IDLE)]
        for each in over:
            each.close()

    def close(self) -> None:
        """End the idle servers. To be called when none is lent any more."""
        with self._lock:
            idle, self._idle = self._idle, []
        for session in idle:
            session.close()
        with self._lock:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join(10)
                self._loop = None

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="tools", daemon=True)
                self._thread.start()
            return self._loop
