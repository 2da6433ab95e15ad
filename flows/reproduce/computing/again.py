"""A run's package solved again: its descriptions, what it holds of their values, and whether they came out the same."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from schemas.errors import InputError
from schemas.reading.beneath import Unopened, read_below
from schemas.reading.handed import kept_model
from schemas.reproduce.simulations.numerics import QuantityResult, StudyResult
from tasks.bundle.clone import verify
from tasks.reproduce.describing.folder import CODE, Given

CRATE = "ro-crate-metadata.json"
KEPT = "study"  # beside describe.py: what the run solved
STUDY = "study.json"
_MOST = 64 << 20


def described_in(path: Path) -> tuple[Path, ...]:
    """The descriptions that a path names: itself, or those of a package, whose every file is first held against its manifest."""
    if not (path / CRATE).is_file() or (path / CODE).is_file():
        return (path,)
    verify(path)
    found = tuple(sorted(code.parent for code in path.glob(f"*/{CODE}")))
    if not found:
        raise InputError(
            "no stage of this package was described",
            found=str(path),
            allowed=f"a stage's folder with {CODE}",
            fix="free scripts of a run are there to be read; they are not solved again",
        )
    return found


def kept_study(given: Given) -> StudyResult | None:
    """What a package holds of a description's values; None where it is no description of a package."""
    if given.asked is None or given.folder is None or not (given.folder / KEPT / STUDY).is_file():
        return None
    return kept_model(given.folder / KEPT / STUDY, StudyResult, "the package's study", max_bytes=_MOST)


def solved_again(
    found: StudyResult, folder: Path, kept: StudyResult, kept_folder: Path
) -> tuple[bool, list[str]]:
    """Whether the package's numbers came out again, and a line for each.

    Again means: the same value to all its digits, or within both stated uncertainties together (another version of Meep or
    another processor computes otherwise in the last digits). folder, kept_folder: where the curves of the two studies lie.
    """
    if found.digest != kept.digest:
        return False, [
            "another problem than the package's: its description, inputs, materials or what was asked of it were changed"
        ]
    same, lines = (
        bool(kept.quantities),
        [] if kept.quantities else ["it holds no values: nothing was compared"],
    )
    added = sorted({entry.id for entry in found.quantities} - {entry.id for entry in kept.quantities})
    if kept.quantities and added:
        same, lines = False, [f"it holds no value of {', '.join(added)}"]
    versions = f" (Meep {kept.meep_version} there, {found.meep_version} here)"
    for before in kept.quantities:
        now = next((entry for entry in found.quantities if entry.id == before.id), None)
        held, words = (False, "no value now") if now is None else _beside(now, folder, before, kept_folder)
        same &= held
        lines.append(f"{before.id}: {words}")
    if kept.meep_version != found.meep_version:
        lines[-1:] = [lines[-1] + versions] if lines else []
    return same, lines


def _beside(now: QuantityResult, folder: Path, before: QuantityResult, kept: Path) -> tuple[bool, str]:
    try:
        pairs = list(_pairs(now, folder, before, kept))
    except (Unopened, ValueError) as error:
        return False, f"cannot be held against the package: {error}"
    if not pairs:
        none = before.value is None and before.curve is None and now.value is None and now.curve is None
        return none, "no value, then and now" if none else "a value on one side only"
    apart, doubt = max(
        ((abs(one - other), (u or 0.0) + (v or 0.0)) for one, other, u, v in pairs),
        key=lambda pair: pair[0] / pair[1] if pair[1] else math.inf if pair[0] else 0.0,
    )
    if max(abs(one - other) for one, other, _, _ in pairs) == 0:
        return True, "the same" if len(pairs) == 1 else f"the same at all {len(pairs)} points"
    if apart <= doubt:
        return True, f"differs by {apart:.2g}, within both uncertainties together ({doubt:.2g})"
    return False, f"differs by {apart:.2g}, BEYOND both uncertainties together ({doubt:.2g})"


def _pairs(
    now: QuantityResult, folder: Path, before: QuantityResult, kept: Path
) -> Iterator[tuple[float, float, float | None, float | None]]:
    """(value now, value then, both uncertainties) of a number, or of each point of a curve."""
    if now.value is not None and before.value is not None:
        yield now.value, before.value, now.uncertainty, before.uncertainty
    elif now.curve is not None and before.curve is not None:
        one, other = _curve(now, folder), _curve(before, kept)
        if one.shape != other.shape or not np.array_equal(one[:, :-2], other[:, :-2]):
            raise ValueError("its points are others")
        for mine, theirs in zip(one, other, strict=True):
            yield mine[-2], theirs[-2], _known(mine[-1]), _known(theirs[-1])


def _curve(quantity: QuantityResult, folder: Path) -> np.ndarray:
    """A row a point: abscissa (of a map both), value, uncertainty (nan where unknown)."""
    assert quantity.curve is not None
    raw = read_below(folder, quantity.curve.path, _MOST)
    if hashlib.sha256(raw).hexdigest() != quantity.curve.sha256:
        raise ValueError(f"{quantity.curve.path} is not the file that was written with the study")
    return np.genfromtxt(io.BytesIO(raw), delimiter=",", skip_header=1, ndmin=2, dtype=float)


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
