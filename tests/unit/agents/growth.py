"""How work grows with the length of what is read: the same on a slow machine as on a fast one."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

FLOOR_S = 0.2  # below this, clocks and other programs' use of the caches decide
LONGER, AT_MOST = 8, 24  # times the length, times the work: a linear scan needs 8, a quadratic one 64


def grows_linearly(act: Callable[[int], object], length: int) -> None:
    """Fails if act(8 * length) takes more than 24 times the CPU time of act(length), the best of two each.

    Each call gets a length of its own, so that nothing is remembered from the one before.
    """
    large = _cpu_s(act, LONGER * length)
    if large <= FLOOR_S:
        return
    small = min(_cpu_s(act, length), _cpu_s(act, length + 1))
    if large > AT_MOST * small:
        large = min(large, _cpu_s(act, LONGER * length + 1))
    assert large <= max(FLOOR_S, AT_MOST * small), (
        f"{small:.3f} s for {length}, {large:.3f} s for {LONGER} times as much"
    )


def _cpu_s(act: Callable[[int], object], length: int) -> float:
    gc.disable()  # a collection of the whole process falls on whoever is measured
    try:
        began = time.process_time()
        act(length)
        return time.process_time() - began
    finally:
        gc.enable()
