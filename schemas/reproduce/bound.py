"""What the paper's words leave open of a feature that code takes for a quoted number."""

from __future__ import annotations

from schemas.core.base import Model


class Bound(Model):
    """refused: it is no feature that the words name. loose: numbers and choices of it that nothing states. windows: ranges that
    nothing states, in the target's x_unit; harmless where they cover the figure's own data. What is open is at most PARTIAL.
    """

    refused: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    windows: tuple[tuple[float, float], ...] = ()
