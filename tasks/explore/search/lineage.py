"""What a lineage decision does: to the tree, and to the sub-runs it starts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from schemas.explore.idea import Idea, IdeaSet
from schemas.explore.lineage import Channel, LineageAnswer, LineageDecision, SubRunSeed
from schemas.explore.settings import SearchSettings
from schemas.explore.tree import Node, Tree
from tasks.explore.search.growing import closed

INHERITANCE = (
    Channel(name="venue", inherited=True, how="the same rubric scores and reviews"),
    Channel(name="memory", inherited=True, how="read-only: of the parent run's nodes"),
    Channel(
        name="catalogue", inherited=True, how="read-only: titles of the parent run's ideas, no directive"
    ),
    Channel(name="plan", inherited=False, how="a sub-run writes its own"),
)


@dataclass(frozen=True)
class LineageEffect:
    """What follows: the tree as it goes on (or ended), and what sub-runs start with."""

    tree: Tree
    search: SearchSettings
    sub_runs: tuple[SubRunSeed, ...] = ()


def decided(
    answer: LineageAnswer,
    tree: Tree,
    search: SearchSettings,
    ideas: IdeaSet,
    still: Sequence[Node],
    *,
    begun: Collection[int] = (),
    is_sub_run: bool = False,
) -> LineageDecision:
    """The decision that an answer amounts to: one that cannot be carried out becomes `continue`, and says why.

    still: the nodes that stood still. A switch needs one other idea and a node left; a fan-out a node for each idea. begun:
    ideas that sub-runs have. A sub-run begins none itself.
    """
    wanted = tuple(dict.fromkeys(answer.ideas))
    others = tuple(index for index in wanted if index != ideas.selected and 0 <= index < len(ideas.ideas))
    left = search.max_nodes - len(tree.nodes)
    fault = ""
    if answer.action in ("switch_to_idea", "fanout"):
        if is_sub_run:
            fault = "a sub-run begins no further ones"
        elif set(wanted) & set(begun):
            fault = f"ideas {sorted(set(wanted) & set(begun))} have a sub-run already"
        elif not others or others != wanted:
            fault = f"ideas {list(wanted)} are not all alternatives of this run"
        elif answer.action == "switch_to_idea" and len(others) != 1:
            fault = "a switch goes to one idea"
        elif left < (1 if answer.action == "switch_to_idea" else len(others) + 1):
            fault = f"only {left} nodes are left"
    composites = tuple(node.composite for node in still)
    if fault:
        return LineageDecision(
            at=len(tree.nodes),
            action="continue",
            composites=composites,
            reason=f"{answer.action} was asked for, but {fault}; so the search continues. {answer.reason}",
        )
    return LineageDecision(
        at=len(tree.nodes),
        action=answer.action,
        reason=answer.reason,
        composites=composites,
        ideas=others if answer.action in ("switch_to_idea", "fanout") else (),
    )


def applied(
    decision: LineageDecision, tree: Tree, search: SearchSettings, ideas: IdeaSet, venue: str
) -> LineageEffect:
    """The effect of a decision. Nodes left are shared out: a switch gives all to the sub-run, a fan-out equal parts, the
    rest staying here; so no decision makes the exploration larger."""
    left = search.max_nodes - len(tree.nodes)
    if decision.action == "terminate":
        return LineageEffect(closed(tree, "the search was ended: it stood still"), search)
    if decision.action == "switch_to_idea":
        seed = sub_run(tree, ideas, decision.ideas[0], venue, left)
        return LineageEffect(
            closed(tree, f"the search went on with idea {decision.ideas[0]}"), search, (seed,)
        )
    if decision.action == "fanout":
        share = left // (len(decision.ideas) + 1)
        seeds = tuple(sub_run(tree, ideas, index, venue, share) for index in decision.ideas)
        return LineageEffect(
            tree, search.model_copy(update={"max_nodes": search.max_nodes - share * len(seeds)}), seeds
        )
    return LineageEffect(tree, search)


def sub_run(tree: Tree, ideas: IdeaSet, index: int, venue: str, max_nodes: int) -> SubRunSeed:
    """What a sub-run on one of the ideas starts with, by the table of inheritance."""
    pinned = ideas.ideas[index].model_copy(update={"pinned": True})
    catalogue = tuple(
        dict.fromkeys((*ideas.catalogue, *(idea.title for idea in ideas.ideas if idea.title != pinned.title)))
    )
    return SubRunSeed(
        parent_run=tree.run_id,
        index=index,
        venue=venue,
        max_nodes=max_nodes,
        memory_scope=tuple(node.id for node in tree.nodes),
        ideas=IdeaSet(ideas=(pinned,), selected=0, reason="the parent run chose it", catalogue=catalogue),
    )


def joined(seed: IdeaSet, new: Sequence[Idea], most: int = 20) -> IdeaSet:
    """The seed's ideas with new ones behind them: the pinned one stays first and selected, none is pinned anew."""
    titles = {idea.title.casefold() for idea in seed.ideas}
    fresh = [idea.model_copy(update={"pinned": False}) for idea in new if idea.title.casefold() not in titles]
    return seed.model_copy(update={"ideas": (*seed.ideas, *fresh)[:most]})
