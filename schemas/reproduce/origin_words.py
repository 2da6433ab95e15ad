"""What a target is compared with, in a word or two: not every reference is the publication's own."""

from __future__ import annotations

from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Reference

_ORIGINS = {
    "published_numbers": "paper's numbers",
    "digitised": "digitised from the paper",
    "computed_from_exact_theory": "exact theory",
    "supplied_by_user": "supplied",
}


def origin_words(reference: Reference | None, paper: PaperInput) -> str:
    """'computed' if code computed it, 'paper' if its text says it, or the data's origin; 'reference' where it is not known."""
    if reference is None:
        return "reference"
    if reference.kind == "fresnel":
        return "computed"
    if reference.file is None:
        return "paper"
    origins = {data.file: data.origin for figure in paper.figures for data in figure.data}
    return _ORIGINS.get(origins.get(reference.file, ""), "paper")
