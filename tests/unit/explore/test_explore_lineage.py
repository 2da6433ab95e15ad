"""When a search stands still, what a decision then does, and which idea it began with."""

from __future__ import annotations

import pytest

from schemas.explore.goal import MetricHint
from schemas.explore.idea import Idea, IdeaSet, PlanSection, RootIdeaAnswer
from schemas.explore.lineage import LineageAnswer
from schemas.explore.settings import SearchSettings, StagnationRule
from tasks.explore.search.frontier import next_round
from tasks.explore.search.lineage import INHERITANCE, applied, decided, joined
from tasks.explore.search.roots import idea_choices, root_index, told
from tasks.explore.search.stagnation import stands_still
from tests.unit.explore.explore_kit import FAST, ROOT, grown, spec

pytestmark = pytest.mark.unit
GOOD = ("succeeded", 0.5, 1.0, 1.1, 1.2)
SEARCH = SearchSettings(max_nodes=8, max_depth=3, max_expansions=3, frontier_score="scientific_only")


def test_a_standstill_is_noticed_once():
    rule = StagnationRule(window=2, flat=0.02)
    flat = grown(
        SEARCH, ("n000", "improve", "succeeded", 0.51, 1.0, 1.1), ("n000", "improve", "sterile", 0.0)
    )
    assert [node.id for node in stands_still(flat, rule, spec())] == ["n001", "n002"]
    assert stands_still(flat, rule, spec(), decided_at=2) == ()  # n001 was there when it was decided
    assert stands_still(flat, StagnationRule(enabled=False, window=2), spec()) == ()
    proven = grown(
        SEARCH, ("n000", "improve", "succeeded", 0.3, *FAST), ("n000", "improve", "sterile", 0.0), root=ROOT
    )
    assert stands_still(proven, rule, spec()) == ()  # no better score, but measured to be better
    rising = grown(
        SEARCH,
        ("n000", "improve", "succeeded", 0.51, 1.0, 1.1),
        ("n000", "improve", "succeeded", 0.6, 1.0, 1.1),
    )
    assert stands_still(rising, rule, spec()) == () and stands_still(grown(SEARCH), rule, spec()) == ()


def idea(title, **changes):
    return Idea(
        **{
            "title": title,
            "hypothesis": "it is so",
            "primary_metric": "time_s",
            "direction": "lower",
            "experiment_plan": (PlanSection(title="Baseline"),),
            **changes,
        }
    )


IDEAS = IdeaSet(ideas=(idea("tiles"), idea("threads"), idea("fewer copies")), catalogue=("grand idea",))


def answer(action, *ideas):
    return LineageAnswer(action=action, ideas=ideas, reason="flat")


def test_lineage_decisions_change_the_tree_and_share_out_what_is_left():
    tree = grown(SEARCH, ("n000", "improve", *GOOD))  # 6 of 8 nodes are left

    def effect(*given):
        found = decided(answer(*given), tree, SEARCH, IDEAS, tree.nodes)
        return found, applied(found, tree, SEARCH, IDEAS, "venue")

    _, same = effect("continue")
    assert same.tree == tree and not same.sub_runs
    _, over = effect("terminate")
    assert next_round(over.tree, SEARCH, spec()) == () and not over.sub_runs
    _, switched = effect("switch_to_idea", 1)
    assert next_round(switched.tree, SEARCH, spec()) == () and [
        seed.max_nodes for seed in switched.sub_runs
    ] == [6]
    decision, spread = effect("fanout", 1, 2)
    assert (
        [seed.max_nodes for seed in spread.sub_runs] == [2, 2]
        and spread.search.max_nodes == 4
        and spread.tree == tree
    )
    assert decision.at == 2 and decision.composites == (0.5, 0.5)


@pytest.mark.parametrize(
    "given, why",
    [
        (("switch_to_idea", 0), "not all alternatives"),
        (("switch_to_idea", 7), "not all alternatives"),
        (("switch_to_idea", 1, 2), "to one idea"),
        (("fanout",), "not all alternatives"),
        (("fanout", 1, 1, 2), "nodes are left"),
    ],
)
def test_a_decision_that_cannot_be_carried_out_goes_on_and_says_why(given, why):
    search = SEARCH.model_copy(update={"max_nodes": 4})
    tree = grown(search, ("n000", "improve", *GOOD))
    found = decided(answer(*given), tree, search, IDEAS, ())
    assert found.action == "continue" and why in found.reason


def test_a_sub_run_inherits_by_the_table():
    tree = grown(SEARCH, ("n000", "improve", *GOOD))
    decision = decided(answer("switch_to_idea", 2), tree, SEARCH, IDEAS, ())
    seed = applied(decision, tree, SEARCH, IDEAS, "workshop").sub_runs[0]
    assert seed.venue == "workshop" and seed.memory_scope == ("n000", "n001") and seed.parent_run == "run"
    assert seed.ideas.root.title == "fewer copies" and seed.ideas.root.pinned
    assert seed.ideas.catalogue == ("grand idea", "tiles", "threads")
    more = joined(seed.ideas, [idea("new one", pinned=True), idea("Fewer Copies")])
    assert [(found.title, found.pinned) for found in more.ideas] == [
        ("fewer copies", True),
        ("new one", False),
    ]
    assert more.root.pinned
    assert {channel.name: channel.inherited for channel in INHERITANCE} == {
        "venue": True,
        "memory": True,
        "catalogue": True,
        "plan": False,
    }


def test_the_root_idea_must_be_about_the_goals_metric():
    ideas = IdeaSet(
        ideas=(
            idea("loud", novelty_score=1.0, primary_metric="noise"),
            idea("quiet", novelty_score=0.6),
            idea("known", novelty_score=0.65),
        ),
        catalogue=("Known",),
    )
    choices = idea_choices(ideas, MetricHint(name="time_s", direction="lower"))
    assert [choice.fits_the_metric for choice in choices] == [False, True, True] and told(choices)[1][
        "score"
    ] == 0.6
    assert root_index(choices)[0] == 1
    assert root_index(choices, RootIdeaAnswer(index=2, reason="better"))[0] == 2
    index, why = root_index(choices, RootIdeaAnswer(index=0, reason="loud"))
    assert index == 1 and "another metric" in why
    assert root_index(idea_choices(IdeaSet(ideas=(idea("a"), idea("b", pinned=True)))))[0] == 1
