"""Which idea becomes the root: what the selector is told, and the rule that holds without it or against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from schemas.explore.goal import MetricHint
from schemas.explore.idea import Idea, IdeaSet, RootIdeaAnswer


@dataclass(frozen=True)
class IdeaChoice:
    """What is known of an idea before it is tried. known: a parent run had an idea of this title."""

    index: int
    title: str
    fits_the_metric: bool
    plan_sections: int
    criteria: int
    related: int
    novelty: float | None
    feasibility: float | None
    known: bool
    pinned: bool

    @property
    def score(self) -> float:
        """Mean of the stated scores (0.5 where none is), 0.1 less for an idea without a plan or that is known."""
        scores = [score for score in (self.novelty, self.feasibility) if score is not None] or [0.5]
        return sum(scores) / len(scores) - 0.1 * (self.plan_sections == 0) - 0.1 * self.known


def idea_choices(ideas: IdeaSet, metric: MetricHint | None = None) -> tuple[IdeaChoice, ...]:
    """One entry an idea. metric: what the goal measures; an idea about another metric or the other direction cannot win."""
    known = {title.casefold() for title in ideas.catalogue}
    return tuple(
        IdeaChoice(
            index=place,
            title=idea.title,
            fits_the_metric=_fits(idea, metric),
            plan_sections=len(idea.experiment_plan),
            criteria=len(idea.evaluation_criteria),
            related=len(idea.related),
            novelty=idea.novelty_score,
            feasibility=idea.feasibility_score,
            known=idea.title.casefold() in known,
            pinned=idea.pinned,
        )
        for place, idea in enumerate(ideas.ideas)
    )


def told(choices: Sequence[IdeaChoice]) -> list[dict[str, object]]:
    """The choices as the selector's context."""
    return [{**asdict(choice), "score": round(choice.score, 3)} for choice in choices]


def root_index(choices: Sequence[IdeaChoice], answer: RootIdeaAnswer | None = None) -> tuple[int, str]:
    """(index, reason). A pinned idea wins; then the selector's, if it fits the metric; else the best score, of equals the
    first."""
    pinned = next((choice for choice in choices if choice.pinned), None)
    if pinned:
        return pinned.index, "the parent run chose it"
    possible = [choice for choice in choices if choice.fits_the_metric] or list(choices)
    if answer is not None and any(choice.index == answer.index for choice in possible):
        return answer.index, answer.reason
    best = min(possible, key=lambda choice: (-round(choice.score, 12), choice.index))
    why = (
        ""
        if answer is None
        else f"idea {answer.index} was chosen, but it is not there or is about another metric; "
    )
    return best.index, f"{why}the highest score for novelty and feasibility of those about the goal's metric"


def _fits(idea: Idea, metric: MetricHint | None) -> bool:
    if metric is None:
        return True
    named = not metric.name or idea.primary_metric.casefold() == metric.name.casefold()
    return named and (metric.direction is None or idea.direction == metric.direction)
