"""The graph of a study: what is ready, what follows, what blocks; random graphs are run to their end."""

from __future__ import annotations

import random

import pytest

from schemas.errors import InputError, StateError
from schemas.study.graph import PhaseNode, PhaseStatus, PhaseType
from schemas.study.pipeline import PipelineMode
from tasks.study.graph import COMPLETED, FAILED, PENDING, RUNNING, SKIPPED, TRANSITIONS, Graph, graph_of
from tasks.study.participants.personas import persona_ids
from tasks.study.phases import collect_nodes, initial_nodes, section_nodes

pytestmark = pytest.mark.unit


def node(name: str, *depends_on: str, **more: object) -> PhaseNode:
    kind = name.split("/")[0]
    kind = kind if kind in set(PhaseType) else "scope"
    return PhaseNode(id=name, type=PhaseType(kind), title=name, depends_on=depends_on, **more)


def phases() -> Graph:
    names = list(PhaseType)
    return graph_of(node(name, *names[max(place - 1, 0) : place]) for place, name in enumerate(names))


def ids(graph: Graph) -> list[str]:
    return [item.id for item in graph.ready()]


def done(graph: Graph, *names: str, status: PhaseStatus = COMPLETED) -> Graph:
    for name in names:
        graph = graph.updated(name, RUNNING).updated(name, status, error="broke" if status is FAILED else "")
    return graph


def personas(count: int) -> list[PhaseNode]:
    found = []
    for number in range(1, count + 1):
        base = f"collect/persona-{number:03d}"
        found += [
            node(f"{base}/context"),
            node(f"{base}/experience", f"{base}/context"),
            node(f"{base}/participate", f"{base}/experience"),
        ]
    return [
        *found,
        node("collect/aggregate", *(item.id for item in found if item.id.endswith("participate"))),
    ]


def collecting(count: int = 3) -> Graph:
    return done(phases(), "scope", "design").expanded("collect", personas(count))


def test_phases_run_in_their_order() -> None:
    graph, order = phases(), []
    while not graph.is_complete():
        [ready] = ids(graph)
        order.append(ready)
        graph = done(graph, ready)
    assert order == list(PhaseType) == graph.topological_order()
    assert not graph.is_stuck() and graph.node("scope").started_at <= graph.node("scope").completed_at


def test_children_run_side_by_side_and_complete_their_parent() -> None:
    graph = collecting()
    assert ids(graph) == [f"collect/persona-00{number}/context" for number in (1, 2, 3)]
    assert graph.node("collect").status is PENDING
    graph = graph.updated("collect/persona-002/context", RUNNING)
    assert graph.node("collect").status is RUNNING and "collect" not in ids(graph)
    graph = graph.updated("collect/persona-002/context", COMPLETED)
    while graph.node("collect").status is not COMPLETED:
        assert "analyze" not in ids(graph)
        graph = done(graph, ids(graph)[0])
    assert ids(graph) == ["analyze"] and graph.node("collect").completed_at is not None


def test_children_wait_for_what_their_parent_waits_for() -> None:
    graph = phases().expanded("collect", personas(1))
    assert ids(graph) == ["scope"]
    order = graph.topological_order()
    assert (
        order.index("design")
        < order.index("collect/persona-001/context")
        < order.index("collect")
        < order.index("analyze")
    )


def test_a_failure_skips_what_depends_on_it_and_nothing_else() -> None:
    graph = done(collecting(), "collect/persona-002/context", status=FAILED)
    skipped = {item.id for item in graph.nodes() if item.status is SKIPPED}
    assert skipped == {
        "collect/persona-002/experience",
        "collect/persona-002/participate",
        "collect/aggregate",
    }
    assert (
        ids(graph) == ["collect/persona-001/context", "collect/persona-003/context"] and not graph.is_stuck()
    )
    assert graph.node("collect").status is RUNNING, "the others still can run"
    while graph.ready():
        graph = done(graph, ids(graph)[0])
    assert (
        graph.node("collect").status is FAILED and "persona-002/context failed" in graph.node("collect").error
    )
    assert graph.is_stuck() and not graph.is_complete()
    why = {item.node_id: item.why for item in graph.blocked()}
    assert why["collect/persona-002/context"] == "failed: broke"
    assert why["collect/aggregate"] == "skipped: collect/persona-002/participate was skipped"
    assert why["analyze"] == "skipped: collect failed"


def test_a_failed_node_that_is_tried_again_brings_back_what_was_skipped() -> None:
    graph = done(collecting(2), "collect/persona-002/context", status=FAILED)
    while graph.ready():
        graph = done(graph, ids(graph)[0])
    graph = graph.retried("collect/persona-002/context")
    assert ids(graph) == ["collect/persona-002/context"] and graph.node("review").status is PENDING
    while graph.ready():
        graph = done(graph, ids(graph)[0])
    assert graph.is_complete() and graph.node("review").status is COMPLETED


def test_of_two_failures_one_tried_again_leaves_the_other() -> None:
    graph = done(collecting(2), "collect/persona-001/context", "collect/persona-002/context", status=FAILED)
    graph = graph.retried("collect/persona-001/context")
    assert graph.node("collect/persona-001/participate").status is PENDING
    assert (
        graph.node("collect/aggregate").status is SKIPPED
        and graph.node("collect/persona-002/context").status is FAILED
    )


def test_what_ran_is_pending_after_an_interruption_and_what_was_done_is_done() -> None:
    graph = done(collecting(), "collect/persona-001/context").updated("collect/persona-002/context", RUNNING)
    again = Graph(graph.nodes()).resumed()
    assert again.node("collect/persona-002/context").status is PENDING
    assert again.node("collect/persona-001/context") == graph.node("collect/persona-001/context")
    with pytest.raises(StateError, match="it is done"):
        again.updated("collect/persona-001/context", RUNNING)


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ([], "no node"),
        ([node("scope"), node("scope")], "two nodes"),
        ([node("scope", "design")], "design, which does not exist"),
        ([node("scope", "design"), node("design", "scope")], "no root"),
        ([node("review"), node("scope", "design"), node("design", "scope")], "a cycle: "),
        ([node("scope", "scope"), node("review")], "a cycle: scope -> scope"),
        (
            [node("collect", children=("collect/a",)), node("collect/a", "collect", parent="collect")],
            "a cycle",
        ),
        ([node("collect", children=("collect/a",))], "its child collect/a"),
        ([node("collect/a", parent="collect"), node("scope")], "its parent collect"),
    ],
)
def test_what_is_wrong_is_named(nodes: list[PhaseNode], said: str) -> None:
    assert any(said in error for error in Graph(nodes).validate())
    with pytest.raises(InputError, match="not valid"):
        graph_of(nodes)


def test_only_allowed_changes_are_made() -> None:
    graph = phases()
    for status in set(PhaseStatus) - TRANSITIONS[PENDING]:
        with pytest.raises(StateError, match="cannot become"):
            graph.updated("scope", status)
    with pytest.raises(StateError, match=r"waits for scope \(pending\)"):
        graph.updated("design", RUNNING)
    with pytest.raises(StateError, match="no such node"):
        graph.updated("nowhere", RUNNING)
    with pytest.raises(StateError, match="has children"):
        collecting().updated("collect", RUNNING)
    assert graph.nodes() == phases().nodes(), "a graph never changes"


def test_only_a_pending_node_is_expanded_and_only_soundly() -> None:
    graph = done(phases(), "scope")
    for parent, children, said in (
        ("scope", [node("scope/a")], "cannot be expanded"),
        ("design", [node("collect/a")], "does not fit"),
        ("design", [node("design/a", "design/b")], "does not exist"),
        ("design", [node("design/a", "collect")], "cycle"),
        ("design", [node("design/a"), node("design/a")], "two nodes"),
    ):
        with pytest.raises(StateError, match=said):
            graph.expanded(parent, children)


def test_a_revision_is_new_nodes_as_completed_ones_never_run_again() -> None:
    graph = phases()
    while graph.ready():
        graph = done(graph, ids(graph)[0])
    graph = graph.added([node("analyze-2", "review"), node("review-2", "analyze-2")])
    assert ids(graph) == ["analyze-2"] and not graph.is_complete()


@pytest.mark.parametrize("mode", PipelineMode)
def test_a_whole_study_grows_as_specified_and_completes(mode: PipelineMode) -> None:
    graph = done(graph_of(initial_nodes()), "scope", "design").expanded(
        "collect", collect_nodes(mode, persona_ids(3))
    )
    assert len(graph.ready()) == (3 if mode is PipelineMode.SIMULATED else 1)
    while ids(graph) != ["analyze"]:
        graph = done(graph, ids(graph)[0])
    graph = done(graph, "analyze").expanded("synthesize", section_nodes())
    assert len(graph.ready()) == 7
    while graph.ready():
        graph = done(graph, ids(graph)[0])
    assert graph.is_complete() and len(graph.nodes()) == 6 + (10 if mode is PipelineMode.SIMULATED else 1) + 8


def random_graph(draw: random.Random) -> Graph:
    names = [f"n{number}" for number in range(draw.randint(1, 25))]
    graph = graph_of(
        node(name, *draw.sample(names[:place], draw.randint(0, min(place, 3))))
        for place, name in enumerate(names)
    )
    for name in draw.sample(names, draw.randint(0, min(3, len(names)))):
        inside = [f"{name}/c{number}" for number in range(draw.randint(1, 5))]
        graph = graph.expanded(
            name,
            [
                node(child, *draw.sample(inside[:place], draw.randint(0, min(place, 2))))
                for place, child in enumerate(inside)
            ],
        )
    return graph


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_run_to_their_end_and_each_node_after_what_it_waits_for(seed: int) -> None:
    draw = random.Random(seed)
    graph, ran, running = random_graph(draw), [], []
    order = graph.topological_order()
    place = {name: number for number, name in enumerate(order)}
    failing = {
        item.id for item in graph.nodes() if not item.children and draw.random() < (0.1 if seed % 2 else 0)
    }
    for _ in range(1000):
        ready = ids(graph)
        if ready and (not running or draw.random() < 0.6):
            name = draw.choice(ready)
            graph = graph.updated(name, RUNNING)
            assert all(graph.node(other).status is COMPLETED for other in graph.node(name).depends_on)
            running.append(name)
        elif running:
            name = running.pop(draw.randrange(len(running)))
            graph = graph.updated(name, FAILED if name in failing else COMPLETED, error="broke")
            ran.append(name)
        else:
            break
        if draw.random() < 0.1:
            graph, running = Graph(graph.nodes()).resumed(), []
            assert not any(item.status is RUNNING and not item.children for item in graph.nodes())
        assert Graph(graph.nodes()).validate() == [] and len(ran) == len(set(ran)), "nothing ends twice"
    assert sorted(order) == sorted(item.id for item in graph.nodes())
    assert all(
        place[other] < place[item.id]
        for item in graph.nodes()
        for other in (*item.depends_on, *item.children)
    )

    failed = {name for name in ran if name in failing}
    doomed = set(failed)  # by hand: all that waits for a failure, however far
    while True:
        more = {
            item.id
            for item in graph.nodes()
            if item.id not in doomed
            and (
                doomed & {*item.depends_on, *item.children}
                or item.parent
                and (doomed & {*graph.node(item.parent).depends_on})
            )
        }
        if not more:
            break
        doomed |= more
    assert {item.id for item in graph.nodes() if item.status is COMPLETED} == {
        item.id for item in graph.nodes()
    } - doomed
    assert graph.is_complete() is (not failed) and graph.is_stuck() is bool(failed)
    assert {item.node_id for item in graph.blocked()} == doomed
