"""Described media and confirmed fits into mp.Medium."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import meep as mp

from simkit.errors import MaterialError
from simkit.media import AXES, _build, along_axis, build_medium, distinct_axes, medium_from, mixture
from simkit.stability import check_stable

CONDUCTORS = ("perfect_conductor",)


class Media:
    """mp.Medium of each described medium of a run, the same object for equal descriptions.

    seen_along: the axis along which E sees anisotropic media in a 1D run, where Meep has Ex only ("" elsewhere).
    """

    def __init__(self, materials: Mapping[str, Any], seen_along: str = "") -> None:
        self.materials, self.seen_along = materials, seen_along
        self._made: dict[str, Any] = {}

    def __call__(self, described: Mapping[str, Any]) -> Any:
        """The medium. Raises MaterialError for an unknown material or kind."""
        key = json.dumps(described, sort_keys=True)
        if key not in self._made:
            made = medium_of(described, self.materials)
            if (
                self.seen_along
                and not is_conductor(described)
                and (distinct_axes(made) != "x" or self.seen_along != "x")
            ):
                made = along_axis(made, self.seen_along)
            self._made[key] = made
        return self._made[key]

    def __iter__(self) -> Iterator[Any]:
        """All media made so far, without perfect conductors."""
        return (medium for medium in self._made.values() if medium.epsilon_diag.x > -1e19)

    def name_of(self, medium: Any) -> str:
        """What a medium was described as, in a word; the media of interfaces are mixed of others."""
        return next(
            (words_of(json.loads(key)) for key, made in self._made.items() if made is medium), "a mixture"
        )

    def check(self, resolution: float, courant: float, dimensions: int) -> None:
        """Raise MaterialError when a medium of the run would blow up on this grid."""
        for medium in self:
            check_stable(medium, resolution, courant, dimensions)

    def largest_index(self, frequencies: tuple[float, float]) -> float:
        """Largest real refractive index of the run's media at the ends of a band, at least 1."""
        from simkit.media import index_range

        return max([1.0, *(float(index_range(medium, frequencies)[0]) for medium in self)])


def words_of(described: Mapping[str, Any]) -> str:
    """A described medium in a word or two."""
    found = [f"{name} {described[name]}" for name in ("index", "epsilon") if described.get(name) is not None]
    return str(described.get("material") or next(iter(found), described.get("kind", "")))


def is_conductor(described: Mapping[str, Any]) -> bool:
    """Whether a described medium is an ideal metal."""
    return described.get("kind") in CONDUCTORS


def medium_of(described: Mapping[str, Any], materials: Mapping[str, Any]) -> Any:
    """mp.Medium of a described medium: {'kind': 'perfect_conductor'} or {'kind': 'medium', 'material' | 'index' | 'epsilon'
    (number or three along x, y, z) with 'poles', 'chi2', 'chi3', 'conductivity' (Meep's D_conductivity)}, or {'kind':
    'mixture', 'of': [[described, fraction], ...]}, the mean of a pixel."""
    if is_conductor(described):
        return mp.perfect_electric_conductor
    if described.get("kind") == "mixture":
        return mixture([(medium_of(part, materials), float(fraction)) for part, fraction in described["of"]])
    if described.get("kind", "medium") != "medium":
        raise MaterialError(
            f"medium of kind {described.get('kind')!r}; known: medium, mixture, perfect_conductor."
        )
    nonlinear = {name: [float(described[name])] * 3 for name in ("chi2", "chi3") if described.get(name)}
    if described.get("material") is not None:
        medium = medium_from(described["material"], materials)
    elif described.get("index") is not None:
        medium = mp.Medium(index=float(described["index"]))
    elif described.get("epsilon") is not None:
        epsilon = described["epsilon"]
        poles = [
            (p["kind"], float(p["frequency"]), float(p["damping"]), float(p.get("strength", 1)))
            for p in described.get("poles") or ()
        ]
        if isinstance(epsilon, (list, tuple)):
            medium = _build([float(e) for e in epsilon], [(*pole[:3], [pole[3]] * 3) for pole in poles])
        else:
            medium = build_medium(float(epsilon), poles)
    else:
        raise MaterialError(f"a medium is one of material, index, epsilon; found {sorted(described)}.")
    if described.get("conductivity"):
        medium.D_conductivity_diag = mp.Vector3(*[float(described["conductivity"])] * len(AXES))
    for name, values in nonlinear.items():
        setattr(medium, f"E_{name}_diag", mp.Vector3(*values))
    return medium
