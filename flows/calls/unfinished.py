"""Answers paid for within a call that has not ended: a kill in the middle of it must not lose their cost.

One line an answer, written when it came, and one when its call ended and has the cost on its own bill. What
is left when a run is opened again belongs to a call that died with its process.
"""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

from pydantic import ValidationError

from agents.models.prices import Price
from schemas.talking.transcript import Usage
from tasks.files.ledger import Loss


class Unfinished:
    """`unfinished_calls.jsonl` of a run. Safe to use from several threads."""

    def __init__(self, path: Path):
        self.path = path
        self._session = os.urandom(8).hex()
        self._lock = threading.Lock()
        # position label -> [(session that paid, what it paid)], oldest session first
        self._open: dict[str, list[tuple[str, Loss]]] = {}
        self._ended: set[str] = set()
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            for line in text.splitlines():
                self._read(line)
            if text and not text.endswith("\n"):  # a killed process was writing: begin a new line
                self._append("\n")

    @property
    def losses(self) -> list[Loss]:
        """What calls that have not ended have cost so far, and what those cost that never will end."""
        with self._lock:
            return [loss for paid in self._open.values() for _, loss in paid]

    def paid(self, label: str, model: str, reason: str, usage: Usage, price: Price) -> None:
        """Note an answer that could not be used, while its call goes on."""
        loss = Loss(label=label, model=model, reason=reason, usage=usage, price_usd=price)
        with self._lock:
            self._open.setdefault(loss.label, []).append((self._session, loss))
            self._write({"session": self._session, "paid": loss.model_dump(mode="json")})

    def ended(self, label: str, *, reused: bool = False) -> None:
        """The call at `label` has its cost on its own bill now.

        reused: its answer was kept by an earlier process, and that may have been killed before it came here;
        then the last process that paid for this call is the one that kept the answer.
        """
        with self._lock:
            if label not in self._open or (reused and label in self._ended):
                return
            session = self._open[label][-1][0] if reused else self._session
            self._close(label, session)
            self._write({"session": session, "ended": label})

    def _read(self, line: str) -> None:
        try:
            entry = json.loads(line)
            if "paid" in entry:
                loss = Loss.model_validate(entry["paid"])
                self._open.setdefault(loss.label, []).append((entry["session"], loss))
            else:
                self._close(entry["ended"], entry["session"])
        except (ValueError, KeyError, TypeError, ValidationError):
            return  # the last line of a killed process

    def _close(self, label: str, session: str) -> None:
        self._ended.add(label)
        self._open[label] = [(s, loss) for s, loss in self._open.get(label, []) if s != session]

    def _write(self, entry: dict[str, object]) -> None:
        self._append(json.dumps(entry) + "\n")

    def _append(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
