"""Bodies that are plane films: their interfaces can be put exactly on the grid's nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.arrange.extent import extent, finite

Stack = tuple[tuple[dict[str, Any], float, float], ...]


def films(bodies: Sequence[Any], plain: Sequence[dict[str, Any]], axis: int, side: float) -> Stack | None:
    """(medium, low, high) of blocks bounded along `axis` only, within a cell of that side, ascending.

    plain: the same bodies as dictionaries. None where a body is no such block, or where they overlap.
    """
    found = []
    for body, described in zip(bodies, plain, strict=True):
        box = extent([body])
        if body.type != "block" or any(finite(v) for i, pair in enumerate(box) if i != axis for v in pair):
            return None
        found.append((described["medium"], max(box[axis][0], -side / 2), min(box[axis][1], side / 2)))
    found.sort(key=lambda film: film[1])
    if any(first[2] > second[1] + 1e-12 for first, second in zip(found, found[1:], strict=False)):
        return None
    return tuple(found)


def drawn_films(plain: Sequence[Mapping[str, Any]], axis: int, side: float) -> Stack | None:
    """The same of bodies that are dictionaries already, in the axes of the cell."""
    found = []
    for body in plain:
        if body["type"] != "block":
            return None
        lateral = [end for i, name in enumerate("xyz") if i != axis for end in body[name]]
        if any(end is not None and finite(float(end)) for end in lateral):
            return None
        low, high = (float(end) for end in body["xyz"[axis]])
        found.append((dict(body["medium"]), max(low, -side / 2), min(high, side / 2)))
    found.sort(key=lambda film: film[1])
    if any(first[2] > second[1] + 1e-12 for first, second in zip(found, found[1:], strict=False)):
        return None
    return tuple(found)
