"""Baselines: where they lie, how they are read and written. Numbers get in by a finished run of the tool only."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from schemas.errors import InputError
from schemas.reading.handed import kept_model
from schemas.reproduce.judging.regression import Baseline, Conditions, Earlier, Quantity
from schemas.run.pasted import typed
from tasks.files.store import atomic_write

BASELINE = "regression.json"


def _fix() -> str:
    accept = typed("regress", "PAPER", "--accept", "REASON")
    return f"take the file as it was (git), or accept the numbers of a new run: {accept}"


def read_baseline(path: Path) -> Baseline:
    """A baseline as it was written. Raises InputError: it does not fit, or was changed since by something else."""
    found = kept_model(path, Baseline, "the baseline", fix=_fix())
    if found.seal != found.own_digest():
        raise InputError(
            f"the baseline {path} was changed after it was written",
            found=f"contents with digest {found.own_digest()[:12]}",
            allowed=f"what was sealed, digest {found.seal[:12] or 'none'}",
            fix=_fix(),
        )
    return found


def standing(places: Sequence[Path]) -> Path | None:
    """The first of the places where a baseline lies."""
    return next((path for path in places if path.is_file()), None)


def place_for(places: Sequence[Path]) -> Path:
    """Where a new baseline goes: in the place of the one that counts now, else to the last that can be written."""
    now = standing(places)
    writable = [path for path in places if _writable(path.parent)]
    if now is not None and now in writable:
        return now
    return writable[-1] if writable and now is None else places[0]


def _writable(folder: Path) -> bool:
    while not folder.exists():
        folder = folder.parent
    return os.access(folder, os.W_OK | os.X_OK)


def write_baseline(
    path: Path,
    *,
    paper_id: str,
    regression_id: str,
    reason: str,
    conditions: Conditions,
    environment: dict[str, str],
    quantities: tuple[Quantity, ...],
    before: Baseline | None,
) -> Baseline:
    """Write a sealed baseline; the one it takes the place of stays in its history."""
    earlier = (
        before.earlier + (Earlier(digest=before.seal, accepted=before.accepted, reason=before.reason),)
        if before
        else ()
    )
    made = Baseline(
        paper_id=paper_id,
        regression_id=regression_id,
        reason=reason,
        conditions=conditions,
        accepted=datetime.now(UTC).isoformat(timespec="seconds"),
        environment=environment,
        quantities=quantities,
        earlier=earlier,
    ).sealed()
    atomic_write(path, written(made))
    return made


def written(baseline: Baseline) -> str:
    """The baseline as its file holds it: a line for each number, so that a difference between two shows which moved."""
    plain = baseline.model_dump(mode="json", exclude_defaults=True)
    lines = [json.dumps(entry, ensure_ascii=False) for entry in plain.pop("quantities")]
    head = json.dumps(plain, indent=1, ensure_ascii=False).removesuffix("\n}")
    return head + ',\n "quantities": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"
