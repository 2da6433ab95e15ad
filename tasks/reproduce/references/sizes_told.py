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
# Whose share, and of what: a letter alone may stand for anything.
_OF_LIGHT = re.compile(r"(?i)share|fraction|portion|factor|effici|\bemi(?:t|ssion)|\brates?\b")
_NO_SHARE = re.compile(
    r"(?i)\b(?:propagation|phase) constant|wave ?number|\bof (?:the )?guided (?:light|power|emission)"
)
_OVER_OTHER = re.compile(r"(?i)\bvacuum|free space|\btotal rate")
# Headings, and sizes in lengths of a mode: "at a quarter of the guided wavelength".
_ASIDE = re.compile(
    r"#{1,6}\s+\S+|(?i:\b(?:an?\s+)?(?:half|quarter|third|eighth)\s+(?:of\s+)?(?:an?|the|its)\s+guided\s+wavelength\b)"
)
_OVER_BULK = re.compile(r"(?i)\b(?:bulk|unbounded|homogeneous|infinite|endless)\b")
# What plain words of such a share are made of; any other may say that it is another one: of one side, of all modes, of what is lost.
_PLAIN = frozenset(
    "a about all amounts an are as at becomes beta core couples coupling diameter dipole dipole's distance "
    "efficiency emission emits emitted emitter emitter's enters equals factor fiber fibre film first flat for "
    "fraction fundamental goes guide guided has have height highest in into is it its largest light line lowest maximum "
    "mid-film mid-slab minimum mode mode's nanowire nearly nm of only peak percent percentage photons portion "
    "position power radius rate reach reaches second share slab smallest spontaneous te that the thickness third "
    "this tm to um value was waveguide wavelength which width wire with".split()
)
_PLAIN_OVER = {
    "alone": frozenset("bulk unbounded homogeneous infinite times over divided by medium".split()),
    "emitted": frozenset({"total"}),
}
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*[A-Za-z]")
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
    words = [_ASIDE.sub(" ", text) for text in words]
    every, own_words = " ".join(words), " ".join(words[:2])
    # The nearest word that speaks of a rate or of a share says which it is.
    spoken = [
        found[-1] for text in words if (found := [str(m.lastgroup) for m in _RATE_OR_SHARE.finditer(text)])
    ]
    plain = (
        (share.over == "emitted" or any(_OVER_BULK.search(text) and "rate" in text for text in words))
        and not (share.over == "alone" and _OVER_OTHER.search(every))
        and (_OF_LIGHT.search(own_words) or re.search(r"(?i)\bits?\b|\u03b2|\bbeta\b", own_words))
        and _OF_LIGHT.search(every)
        and not _NO_SHARE.search(every)
    )
    if spoken[:1] != [{"alone": "rate", "emitted": "share"}[share.over]] or not plain:
        over = {
            "alone": "the dipole's power in the background alone",
            "emitted": "all power the dipole loses",
        }[share.over]
        out.append(f"it is over {over}, and no words of the number say so: {every[:120]!r}")
    phrase = [word.lower() for word in _WORD.findall(own_words)]
    if strange := [word for word in phrase if word not in _PLAIN | _PLAIN_OVER[share.over] and len(word) > 2]:
        out.append(
            f"its words say {strange[0]!r}, and code does not know what that makes of light in a guided mode"
        )
    own = {"z": "te"}.get(answer.scene.orientation, "tm")
    if answer.scene.dimensions == "2D" and {"te", "tm"} & {*phrase} - {own}:
        out.append(
            f"its words name another polarisation than that of a dipole along {answer.scene.orientation}"
        )
    axis = share.sides[0][1]
    both = {f"-{axis}", f"+{axis}"}
    closed = {side for side in both for body in answer.scene.bodies if _closes(body, side)}
    films = [
        {side for side in both if leaves(body, side)}
        for body in answer.scene.bodies
        if not isinstance(_medium(body), PerfectConductor) and _bounded_across(body, axis)
    ]
    ends = set().union(*films) if films else both
    if missing := sorted(ends - closed - set(share.sides)):
        out.append(
            f"it is the light that leaves on {', '.join(share.sides)} alone, and the guide goes on to {', '.join(missing)}"
        )
    return out


def _closes(body: Any, side: str) -> bool:
    """Whether an ideal metal ends a scene on a side from rim to rim: a facet, and no mirror along the guide."""
    low, high = extent([body])["xyz".index(side[1])]
    return (
        isinstance(_medium(body), PerfectConductor)
        and leaves(body, side)
        and finite(low) != finite(high)
        and not any(finite(a) or finite(b) for i, (a, b) in enumerate(extent([body])) if "xyz"[i] != side[1])
    )


def _medium(body: Any) -> Any:
    return body.body.medium if body.type == "repeat" else body.medium


def _bounded_across(body: Any, axis: str) -> bool:
    return any(
        finite(low) and finite(high) for i, (low, high) in enumerate(extent([body])) if "xyz"[i] != axis
    )


def near(one: float, other: float) -> bool:
    return abs(one - other) <= 2e-3 * max(abs(one), abs(other))
