"""Whether a cross-section is over the size that words name, what a share of a cone is over, and whether two numbers are one."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from typing import Any

from simkit.arrange.extent import extent, finite
from simkit.describe.device import leaves
from simkit.describe.media import PerfectConductor
from tasks.reproduce.describing.answering import Answering

_RATE_OR_SHARE = re.compile(
    r"(?P<share>\bbeta\b|\u03b2|fraction|share|portion|effici|%|per ?cent)|(?P<rate>\brates?\b|purcell|enhance)",
    re.IGNORECASE,
)
_TIMES = {"radius": 1.0, "diameter": 2.0}


def over_its_size(to: str, answer: Answering) -> bool:
    """Whether a cross-section is over what the words name: radius, diameter, or the shadow of a round body with its shells."""
    per, bodies = answer.quantity.per, answer.scene.bodies
    radii = [float(getattr(body, "radius", getattr(body, "outer", 0.0))) for body in bodies]
    if per is None:
        return False
    centres = {tuple(float(c) for c in getattr(body, "center", ())) for body in bodies}
    if not all(radii) or len(centres) != 1:
        return bool(re.search(r"geometric", to))  # whose shadow is not computed here
    radius = max(radii)
    size = {"radius": radius, "diameter": 2 * radius}.get(next(iter(re.findall(r"radius|diameter", to)), ""))
    shadow = 2 * radius if answer.scene.dimensions == "2D" else math.pi * radius**2
    return near(float(per), shadow if size is None else size)


def over_a_size(named: Collection[str], answer: Answering) -> bool:
    """Whether a cross-section is over a radius or diameter of one of the scene's round bodies. named: "radius", "diameter"."""
    radii = [
        float(radius)
        for body in answer.scene.bodies
        for radius in (getattr(body, name, None) for name in ("radius", "inner", "outer"))
        if radius
    ]
    sizes = [times * radius for radius in radii for name, times in _TIMES.items() if name in named]
    return any(near(float(answer.quantity.per), size) for size in sizes)


def share_untold(answer: Answering, words: Sequence[str]) -> list[str]:
    """What a share of an emitter's power is of and over, where no words say it: a person can. Of a cone that is its angles, too.

    words: those in front of the number, its phrase, and the sentences before.
    """
    if answer.type == "guided_share":
        return _guided_untold(answer, words)
    if answer.type != "cone_share":
        return []
    low, high = float(answer.quantity.lowest), answer.quantity.highest
    ends = f"{math.degrees(low):.4g} to {90.0 if high is None else math.degrees(float(high)):.4g} degrees"
    return [
        f"it is the share from {ends} on {answer.quantity.side}, over what is {answer.quantity.over}, and code reads no words that say so"
    ]


def _guided_untold(answer: Answering, words: Sequence[str]) -> list[str]:
    out, share = [], answer.quantity
    # The nearest word that speaks of a rate or of a share says which it is.
    spoken = [
        found[-1] for text in words if (found := [str(m.lastgroup) for m in _RATE_OR_SHARE.finditer(text)])
    ]
    if spoken[:1] != [{"alone": "rate", "emitted": "share"}[share.over]]:
        over = {
            "alone": "the dipole's power in the background alone",
            "emitted": "all power the dipole loses",
        }[share.over]
        out.append(f"it is over {over}, and no words of the number say so: {' '.join(words)[:120]!r}")
    axis = share.sides[0][1]
    metals = [body for body in answer.scene.bodies if isinstance(_medium(body), PerfectConductor)]
    closed = {
        side
        for side in (f"-{axis}", f"+{axis}")
        for body in metals
        if leaves(body, side) and not _bounded_across(body, axis)
    }
    ends = {
        side
        for side in (f"-{axis}", f"+{axis}")
        for body in answer.scene.bodies
        if leaves(body, side) and body not in metals and _bounded_across(body, axis)
    }
    if missing := sorted(ends - closed - set(share.sides)):
        out.append(
            f"it is the light that leaves on {', '.join(share.sides)} alone, and the guide goes on to {', '.join(missing)}"
        )
    return out


def _medium(body: Any) -> Any:
    return body.body.medium if body.type == "repeat" else body.medium


def _bounded_across(body: Any, axis: str) -> bool:
    return any(
        finite(low) and finite(high) for i, (low, high) in enumerate(extent([body])) if "xyz"[i] != axis
    )


def near(one: float, other: float) -> bool:
    return abs(one - other) <= 2e-3 * max(abs(one), abs(other))
