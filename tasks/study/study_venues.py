"""What reviewers of a venue ask of a study."""

from __future__ import annotations

_CRITERIA = (
    "significance: whether the question matters to the field",
    "originality: what is new",
    "validity: whether design, measures and analysis fit the claims",
    "honesty: whether who took part, exclusions, exploratory analyses and limits are open",
    "clarity: whether somebody could do the study again from the text",
)
_MORE = {
    "cscw": ("social context: whether cooperation and power are considered",),
    "uist": ("system: whether the technique is described so that it can be built",),
    "ieee vr": ("immersion: whether devices, presence and sickness are reported",),
    "chi": ("people: who benefits and who may be harmed",),
}
REVIEWERS = (
    "a methodologist, who looks at design, measures and participants",
    "a statistician, who looks at tests, effect sizes and claims",
)


def criteria_of(venue: str) -> tuple[str, ...]:
    """name: what it asks, for a venue; those of any human study where the venue is not known."""
    return (*_CRITERIA, *_MORE.get(venue.strip().lower(), ()))
