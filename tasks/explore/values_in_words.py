"""Measured values in words."""

from __future__ import annotations

from schemas.explore.evaluation import Measured


def with_uncertainty(measured: Measured, digits: int = 4) -> str:
    """`3.142 ± 0.001 ns`; no unit where it is 1, no uncertainty where none is known of a value that never varies."""
    unit = "" if measured.unit in ("", "1") else f" {measured.unit}"
    spread = f" ± {measured.uncertainty:.2g}" if measured.uncertainty else ""
    return f"{measured.value:.{digits}g}{spread}{unit}"
