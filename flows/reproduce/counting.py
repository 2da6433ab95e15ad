"""The run's counters, changed by the nodes that own them."""

from __future__ import annotations

from flows.reproduce.context import Run
from schemas.reproduce.progress import Counters


def count(run: Run, node: str, **changes: int) -> Counters:
    """Add to the run's counters as a node that owns them."""
    counters = run.state.counters
    new = counters.model_copy(update={name: getattr(counters, name) + by for name, by in changes.items()})
    run.update(node, counters=new)
    return new
