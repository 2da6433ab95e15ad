"""How far guided modes reach beside their guide: of plane films, by their own decay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simkit.arrange.damped_cell import rounded
from simkit.arrange.extent import extent, finite
from simkit.arrange.film_modes import Films, film_modes
from simkit.arrange.permittivity import permittivity
from simkit.describe.media import PerfectConductor


def tail_decay(
    bodies: Sequence[Any],
    background: Any,
    along: str,
    polarization: str,
    modes: Sequence[int],
    f: float,
    materials: Mapping[str, Any],
) -> float | None:
    """Decay per length of the modes of these numbers in the films that `bodies` make in two dimensions, beside them where they reach
    farthest; None of modes that are not guided, and where there are no plane films.

    bodies: those that leave along `along`, as they are drawn. f: where the modes reach farthest, the lowest of the band.
    """
    if any(body.type != "block" for body in bodies):
        return None
    axis = 1 - "xyz".index(along)
    spans = [(extent([body])[axis], body.medium) for body in bodies]
    faces = sorted({round(v, 9) for span, _ in spans for v in span if finite(v)})
    if not faces:
        return None
    inner = [(low + high) / 2 for low, high in zip(faces, faces[1:], strict=False)]
    media = []
    for y in (faces[0] - 1.0, *inner, faces[-1] + 1.0):
        drawn = [medium for (low, high), medium in spans if low < y < high]
        media.append(drawn[-1] if drawn else background)
    if any(isinstance(medium, PerfectConductor) for medium in media):
        return None
    eps = [complex(permittivity(medium, f, materials).real) for medium in media]
    same = tuple((value, value, value) for value in eps)
    try:
        found = film_modes(Films(f, polarization, same, same, same, tuple(faces)))
    except ValueError:
        return None  # too thick to be looked at: whatever is guided there ends close beside it
    decays = [min(found[mode - 1].decay) for mode in modes if mode <= len(found)]
    return rounded(min(decays), 3) if decays else None
