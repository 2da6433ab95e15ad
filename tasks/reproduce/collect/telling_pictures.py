"""Which of a simulation's pictures say most: the structure, the fields, the field against time, then plots."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, zip_longest
from pathlib import PurePosixPath
from typing import Literal

from schemas.base import FileRef
from schemas.reproduce.simulations.execution import Execution

PictureKind = Literal["structure", "field", "history", "plot"]
KINDS: tuple[PictureKind, ...] = ("structure", "field", "history", "plot")


def picture_kind(path: str) -> PictureKind:
    """What a picture shows, by the name its helper gives it; any other picture counts as one of the structure."""
    name = PurePosixPath(path).stem
    if name == "field_history":
        return "history"
    return "field" if name.startswith("field_") else "plot" if name.startswith("plot_") else "structure"


def telling_pictures(
    executions: Iterable[Execution], limit: int, kinds: tuple[PictureKind, ...] = KINDS
) -> tuple[tuple[FileRef, str], ...]:
    """Up to `limit` pictures with captions: one of each kind in turn, so that no kind crowds out another.

    The caption says which run it belongs to and quotes the simulation's words.
    """
    found: dict[PictureKind, list[tuple[FileRef, str]]] = {kind: [] for kind in kinds}
    for execution in executions:
        captions = (*execution.captions, *[""] * len(execution.pictures))
        for picture, words in zip(execution.pictures, captions, strict=False):
            if (kind := picture_kind(picture.path)) in found:
                found[kind].append((picture, _caption(execution, picture, words)))
    turns = zip_longest(*found.values())
    return tuple(pair for pair in chain.from_iterable(turns) if pair is not None)[:limit]


def _caption(execution: Execution, picture: FileRef, words: str) -> str:
    point = "".join(f", {name} = {value:g}" for name, value in execution.point)
    said = words or PurePosixPath(picture.path).name
    return f"simulation at scale {execution.resolution_scale:g}{point}: \u201c{said}\u201d"
