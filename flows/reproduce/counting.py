"""The run's counters, changed by the nodes that own them."""

from __future__ import annotations

from flows.reproduce.context import Run
from schemas.reproduce.planning.progress import Counters


def count(run: Run, node: str, **changes: int) -> Counters:
    """Add to the run's counters as a node that owns them."""
    counters = run.state.counters
    new = counters.model_copy(update={name: getattr(counters, name) + by for name, by in changes.items()})
    run.update(node, counters=new)
    return new


def returns_used(run: Run) -> str:
    """What a person who is about to send the run back must know: such a return counts as well, also beyond the limit."""
    used, limit = run.state.counters.backtracks, run.settings.limits.max_backtracks
    return f"; {used} of {limit} returns are used" + (", this would be one more" if used >= limit else "")
