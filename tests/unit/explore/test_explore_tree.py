"""How the tree grows, what is closed, and who is best."""

from __future__ import annotations

import random

import pytest

from schemas.errors import StateError
from schemas.explore.evaluation import Comparison
from schemas.explore.settings import SearchSettings
from schemas.explore.tree import Tree
from tasks.explore.search.best import best_node, ranked, standings
from tasks.explore.search.frontier import frontier, next_round
from tasks.explore.search.growing import closed, ended, expanded, permitted_label, started
from tasks.explore.search.siblings import duplicate_of, siblings
from tests.unit.explore.explore_kit import FAST, ROOT, SLOW, evaluation, grown, report, spec

pytestmark = pytest.mark.unit
GOOD = ("succeeded", 0.5, 1.0, 1.1, 1.2)
SEARCH = SearchSettings(max_nodes=8, max_depth=3, max_expansions=3, frontier_score="scientific_only")


def test_each_expansion_makes_one_child_with_its_line_of_ancestors():
    tree = grown(SEARCH, ("n000", "improve", *GOOD), ("n001", "ablation", *GOOD))
    assert [(node.id, node.parent, node.depth, node.ancestor_ids) for node in tree.nodes] == [
        ("n000", None, 0, ()),
        ("n001", "n000", 1, ("n000",)),
        ("n002", "n001", 2, ("n000", "n001")),
    ]
    assert [node.expansions for node in tree.nodes] == [1, 1, 0]
    assert Tree.model_validate_json(tree.model_dump_json()) == tree


def test_depth_expansions_and_total_end_growth():
    deep = grown(SEARCH, ("n000", "improve", *GOOD), ("n001", "improve", *GOOD), ("n002", "improve", *GOOD))
    assert (
        "n003" not in [node.id for node in frontier(deep, SEARCH, spec())]
        and "deep" in deep.node("n003").closed
    )
    wide = grown(SEARCH, *[("n000", "improve", *GOOD)] * 3)
    assert "n000" not in [node.id for node in frontier(wide, SEARCH, spec())]
    with pytest.raises(StateError, match="3 children"):
        expanded(wide, "n000", SEARCH, label="improve", direction="")
    full = SEARCH.model_copy(update={"max_nodes": 4})
    assert next_round(wide, full, spec()) == () and frontier(wide, full, spec()) == ()


def test_sterile_children_close_their_parent_and_it_its_parent():
    tree = grown(SEARCH, ("n000", "improve", *GOOD), ("n000", "improve", "sterile", 0.0))
    assert not tree.node("n000").closed and tree.node("n002").closed
    assert "n002" not in [node.id for node in frontier(tree, SEARCH, spec())]
    for _ in range(2):
        tree, child = expanded(tree, "n001", SEARCH, label="improve", direction="")
        assert not tree.node("n001").closed
        tree = ended(tree, child.id, SEARCH, status="sterile", evaluation=evaluation(0.0))
    assert tree.node("n001").closed and tree.node("n000").closed and next_round(tree, SEARCH, spec()) == ()
    assert tree.node("n001").status == "succeeded"  # its results stay


def test_one_lazy_child_ends_nothing():
    tree = grown(SEARCH, ("n000", "improve", "sterile", 0.0))
    assert [node.id for node in frontier(tree, SEARCH, spec())] == ["n000"]


def test_what_has_no_evidence_is_expanded_last_whatever_its_score():
    for score in ("scientific_only", "scientific_plus_diversity", "ucb_like", "depth_penalized"):
        search = SEARCH.model_copy(update={"frontier_score": score, "exploration": 10.0})
        tree = grown(search, ("n000", "improve", "failed", 0.2), ("n000", "improve", "succeeded", 0.2))
        assert [node.works for node in frontier(tree, search, spec())] == [True, False, False]


def test_ties_go_to_fewer_children_then_the_shallower_then_the_older():
    tree = grown(SEARCH, ("n000", "improve", *GOOD), ("n000", "improve", *GOOD), ("n001", "improve", *GOOD))
    assert [node.id for node in frontier(tree, SEARCH, spec())] == ["n002", "n003", "n001", "n000"]


@pytest.mark.parametrize("score", ["scientific_only", "scientific_plus_diversity"])
def test_what_is_measured_decides_and_praise_only_inside_the_noise(score):
    search = SEARCH.model_copy(update={"frontier_score": score, "diversity_weight": 1.0})
    also_fast = tuple(value * 1.001 for value in FAST)
    tree = grown(
        search,
        ("n000", "improve", "succeeded", 0.26, *FAST),
        ("n000", "draft", "succeeded", 1.0, *SLOW),
        ("n000", "improve", "succeeded", 0.9, *also_fast),
        root=ROOT,
    )
    assert [node.id for node in frontier(tree, search, spec())] == [
        "n003",
        "n001",
        "n002",
    ]  # the root has its children
    upward = spec(direction="higher")
    assert [node.id for node in frontier(tree, search, upward)][0] == "n002"


def test_of_nodes_measured_apart_the_one_that_gained_beside_its_parent_comes_first():
    gain = Comparison(other="n000", difference=-0.05, uncertainty=0.01, verdict="better")
    tree = grown(SEARCH, ("n000", "improve", "succeeded", 0.9, 0.95, 1.05, 1.0, 0.9, 1.1), root=ROOT)
    tree, child = expanded(tree, "n000", SEARCH, label="improve", direction="proven")
    tree = ended(
        tree,
        child.id,
        SEARCH,
        status="succeeded",
        evaluation=evaluation(0.3, 0.94, 1.04, 0.99, 0.9, 1.08, comparison=gain),
    )
    assert standings(tree, spec()) == {"n002": 1, "n000": 2, "n001": 2}
    assert [node.id for node in frontier(tree, SEARCH, spec())] == ["n002", "n001", "n000"]


def test_who_wants_breadth_gets_it_by_counting_not_by_praise():
    tree = grown(
        SEARCH,
        ("n000", "improve", "succeeded", 0.5, *FAST),
        ("n001", "improve", "failed", 0.1),
        ("n001", "improve", "failed", 0.1),
        root=ROOT,
    )
    deeper = SEARCH.model_copy(update={"frontier_score": "depth_penalized", "depth_penalty": 0.9})
    wider = SEARCH.model_copy(update={"frontier_score": "ucb_like", "exploration": 10.0})
    assert [frontier(tree, search, spec())[0].id for search in (SEARCH, deeper, wider)] == [
        "n001",
        "n000",
        "n000",
    ]


def test_rounds_do_not_depend_on_who_ran_faster():
    search = SEARCH.model_copy(update={"parallel": 2})
    tree = grown(search)
    assert next_round(tree, search, spec()) == ("n000", "n000")
    tree, one = expanded(tree, "n000", search, label="improve", direction="a")
    tree, other = expanded(tree, "n000", search, label="improve", direction="b")
    assert next_round(tree, search, spec()) == ()  # two wait
    ends = {one.id: evaluation(0.6, 1, 1.1), other.id: evaluation(0.7, 1, 1.1)}
    forward = backward = tree
    for node_id in ends:
        forward = ended(forward, node_id, search, status="succeeded", evaluation=ends[node_id])
    for node_id in reversed(ends):
        backward = ended(backward, node_id, search, status="succeeded", evaluation=ends[node_id])
    assert forward == backward and next_round(forward, search, spec()) == ("n002", "n002")


def test_the_last_round_keeps_to_the_total():
    search = SEARCH.model_copy(update={"parallel": 4, "max_nodes": 3})
    assert len(next_round(grown(search), search, spec())) == 2


def test_what_does_not_work_is_mended_first():
    failed = ended(started("r", "g"), "n000", SEARCH, status="failed", evaluation=evaluation(0.1)).node(
        "n000"
    )
    works = grown(SEARCH).node("n000")
    assert [permitted_label(failed, label) for label in ("improve", "ablation", "draft")] == [
        "debug",
        "debug",
        "draft",
    ]
    assert [permitted_label(works, label) for label in ("improve", "debug")] == ["improve", "improve"]


def test_what_waits_never_runs_after_the_end():
    tree = closed(grown(SEARCH, ("n000", "improve", "pending")), "ended")
    assert tree.node("n001").status == "pruned" and tree.node("n000").status == "succeeded"
    with pytest.raises(StateError, match="no end"):
        ended(tree, "n000", SEARCH, status="running")


def test_nodes_that_the_noise_does_not_tell_apart_share_a_tier():
    tree = grown(
        SEARCH,
        ("n000", "improve", "succeeded", 0.5, 0.50, 0.55, 0.45, 0.52, 0.48),
        ("n000", "improve", "succeeded", 0.9, 0.52, 0.57, 0.47, 0.54, 0.50),
        ("n000", "improve", "failed", 0.2),
        root=(0.5, 1.0, 1.02, 0.98, 1.01, 0.99),
    )
    assert [(node.id, tier) for node, tier in ranked(tree, spec())] == [
        ("n001", 1),
        ("n002", 1),
        ("n000", 2),
        ("n003", 3),
    ]
    assert best_node(tree, spec()).id == "n001"  # n002 is praised more, but no faster
    assert best_node(started("r", "g"), spec()) is None


def test_the_expander_knows_the_siblings_and_repeats_none():
    tree = grown(
        SEARCH,
        ("n000", "improve", *GOOD),
        ("n000", "improve", "sterile", 0.0),
        ("n000", "improve", "pending"),
    )
    reports = {node.id: report(node, added=("tiles.py",) if node.id == "n001" else ()) for node in tree.nodes}
    found = siblings(tree, "n000", reports)
    assert [(sibling.id, sibling.files_added) for sibling in found] == [
        ("n001", ("tiles.py",)),
        ("n002", ()),
        ("n003", ()),
    ]
    tree = tree.replaced(
        tree.node("n001").model_copy(update={"direction": "Use tiles of 64 rows in the inner loop"})
    )
    found = siblings(tree, "n000", reports)
    assert duplicate_of("In the inner loop, use tiles of 64 rows.", found) == "n001"
    assert duplicate_of("Use tiles of 128 rows in the inner loop", found) == ""
    assert duplicate_of("Unroll the outer loop", found) == ""


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "score", ["scientific_plus_diversity", "scientific_only", "depth_penalized", "ucb_like"]
)
def test_any_search_keeps_its_limits_and_comes_to_its_end(seed, score):
    draw = random.Random(f"{seed} {score}")
    search = SearchSettings(
        max_nodes=draw.randint(1, 25),
        max_depth=draw.randint(0, 4),
        max_expansions=draw.randint(1, 4),
        parallel=draw.randint(1, 3),
        sterile_children=draw.randint(1, 3),
        frontier_score=score,
    )
    tree, rounds = started("run", "goal"), 0
    waiting = ["n000"]
    while waiting:
        rounds += 1
        draw.shuffle(waiting)
        for node_id in waiting:
            status = draw.choice(["succeeded", "succeeded", "failed", "sterile"])
            values = (1.0, 1.1, draw.random()) if status == "succeeded" else ()
            tree = ended(tree, node_id, search, status=status, evaluation=evaluation(draw.random(), *values))
        chosen = next_round(tree, search, spec())
        again = next_round(Tree.model_validate_json(tree.model_dump_json()), search, spec())
        assert len(chosen) <= search.parallel and chosen == again
        waiting = []
        for parent in chosen:
            tree, child = expanded(
                tree, parent, search, label=draw.choice(["improve", "draft"]), direction=""
            )
            waiting.append(child.id)
    assert rounds <= search.max_nodes >= len(tree.nodes) == len({node.id for node in tree.nodes})
    assert all(
        node.depth <= search.max_depth and node.expansions <= search.max_expansions for node in tree.nodes
    )
    assert all(node.expansions == len(tree.children(node.id)) for node in tree.nodes)
    assert all(tree.node(node.parent).status in ("succeeded", "failed") for node in tree.nodes if node.parent)
