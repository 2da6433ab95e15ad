"""What code says about ideas a model made: citations exist, titles are not those of known works, no idea twice."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.explore.deliberation import SynthesizedIdea
from schemas.explore.idea import Idea
from schemas.literature.found_works import Bibliography, title_words

SAME = 0.8
"""Share of common words (Jaccard) from which two titles are taken for the same."""
_LITTLE = frozenset("a an the of on in for and to with from by at is are using via".split())


def checked_ideas(
    proposed: Sequence[SynthesizedIdea],
    known: Bibliography,
    catalogue: Sequence[str],
    before: Sequence[Idea] = (),
) -> tuple[Idea, ...]:
    """The ideas that stay, after those there are already (`before`, unchanged).

    A citation of a reference that was not found is dropped. An idea titled as a known work or an ancestor's idea keeps its
    place with novelty 0, and says so; one titled as another idea of this run is left out. The nearest title is told.
    """
    ideas = list(before)
    for idea in proposed:
        if any(alike(idea.title, other.title) >= SAME for other in ideas):
            continue
        likeness, whose = nearest(idea.title, known, catalogue)
        told = (
            f" (Of known titles the nearest is {whose}: {likeness:.0%} of the words in common.)"
            if likeness
            else ""
        )
        ideas.append(
            Idea(
                title=idea.title,
                hypothesis=idea.hypothesis,
                primary_metric=idea.primary_metric,
                direction=idea.direction,
                evaluation_criteria=idea.evaluation_criteria,
                experiment_plan=idea.experiment_plan,
                novelty=(idea.novelty + told).strip(),
                feasibility_score=idea.feasibility_score,
                novelty_score=0.0 if likeness >= SAME else idea.novelty_score,
                related=tuple(dict.fromkeys(key for key in idea.related if key in known.keys())),
            )
        )
    return tuple(ideas)


def nearest(title: str, known: Bibliography, catalogue: Sequence[str]) -> tuple[float, str]:
    """The most alike title of a reference or an ancestor's idea: how alike (0 to 1), and whose; "" for none."""
    found = [(alike(title, item.title), item.key) for item in known.references]
    found += [(alike(title, other), f"an idea of a run before ({other!r})") for other in catalogue]
    return max(found, key=lambda pair: pair[0], default=(0.0, ""))


def alike(one: str, other: str) -> float:
    """Share of the words of two titles that both have."""
    first, second = (set(title_words(title).split()) - _LITTLE for title in (one, other))
    return len(first & second) / len(first | second) if first | second else 0.0
