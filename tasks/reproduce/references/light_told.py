"""Whether the share of light that was computed, and where it goes, is what words tell of it."""

from __future__ import annotations

import math
import re

from tasks.reproduce.describing.answering import Answering

_IN_LEVELS = re.compile(r"(?i)(?<!3-)(?<!3 )\bdB\b(?!\s*/)")
_PASSED = ("transmittance", "port_transmittance", "power_through")


def points_so(words: str, angle: float) -> bool:
    """Whether an angle from the direction of light is where words say that light is scattered to: forward, back, or aside."""
    forward, backward = math.isclose(math.cos(angle), 1), math.isclose(math.cos(angle), -1)
    said = words.lower()
    return backward if "back" in said else forward if "forward" in said else not (forward or backward)


def left_over(answer: Answering, spoken: str, lost: str = "") -> bool:
    """Whether what is left of the light, in dB of which words tell a loss, was computed: of a return loss what comes back."""
    own = ("reflectance", "port_reflectance") if lost in ("return", "reflection", "reflective") else _PASSED
    return answer.type in own and _IN_LEVELS.search(spoken) is not None
