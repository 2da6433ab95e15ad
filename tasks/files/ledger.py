"""Model calls that gave no usable answer, and what they cost: kept at once, because nothing else remembers them."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from schemas.base import Model
from schemas.talking.transcript import Usage


class Loss(Model):
    """One failed call; price_usd None: nothing was bought."""

    label: str
    model: str
    reason: str
    usage: Usage
    price_usd: float | Literal["unknown"] | None = None


class Ledger:
    """`failed_calls.jsonl` of a run; survives a kill, one line a loss."""

    def __init__(self, path: Path):
        self.path = path
        self._lock = threading.Lock()
        self.losses: list[Loss] = []
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    self.losses.append(Loss.model_validate_json(line))
                except ValidationError:
                    continue  # the last line of a killed process

    def add(self, loss: Loss) -> None:
        """Write a loss down, also one that cost nothing: the bill counts failed calls."""
        with self._lock:
            self.losses.append(loss)
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(loss.model_dump(mode="json")) + "\n")
                stream.flush()
                os.fsync(stream.fileno())
