"""Revisions after a review: new nodes, what counts of them, what they make exploratory, and papers that are not accepted."""

from __future__ import annotations

import pytest

from flows.study.outcome import Outcome, final_state
from schemas.study.artifacts import ArtifactType
from schemas.study.graph import PhaseStatus, PhaseType
from tasks.study.graph import Graph
from tasks.study.phases import initial_nodes, latest, reopened, revision_nodes, section_nodes
from tasks.study.results_file import labelled, reopened_warning
from tasks.study.workspace.package import current
from tests.unit.study.study_fixture import artifact, plan

pytestmark = pytest.mark.unit


def completed(graph: Graph) -> Graph:
    while ready := graph.ready():
        graph = graph.updated(ready[0].id, PhaseStatus.RUNNING).updated(ready[0].id, PhaseStatus.COMPLETED)
    return graph


def test_a_revision_is_new_nodes_from_the_phase_at_fault_on_and_a_second_one_follows_what_counts_then() -> (
    None
):
    graph = completed(Graph(initial_nodes()))
    new = revision_nodes(graph.nodes(), PhaseType.ANALYZE, {PhaseType.ANALYZE: "the wrong test"})
    assert [item.id for item in new] == ["analyze-2", "synthesize-2", "review-2"]
    assert (
        new[0].depends_on == ("collect",)
        and new[0].description == "the wrong test"
        and not new[1].description
    )
    graph = graph.added(new).expanded("synthesize-2", section_nodes("synthesize-2"))
    assert not graph.is_complete() and latest(graph.nodes(), PhaseType.SYNTHESIZE).id == "synthesize-2"
    graph = completed(graph)
    assert graph.is_complete() and graph.node("synthesize-2").status is PhaseStatus.COMPLETED
    again = revision_nodes(graph.nodes(), PhaseType.SYNTHESIZE, {})
    assert [item.id for item in again] == ["synthesize-3", "review-3"] and again[0].depends_on == (
        "analyze-2",
    )
    whole = revision_nodes(graph.nodes(), PhaseType.SCOPE, {})
    assert whole[0].depends_on == () and len(whole) == 6


def test_of_revised_phases_the_last_counts_and_of_reviews_all() -> None:
    made = [
        artifact("analyze/results", ArtifactType.RESULTS, "phases/analyze/output/results.json", "analyze"),
        artifact(
            "analyze-2/results", ArtifactType.RESULTS, "phases/analyze-2/output/results.json", "analyze-2"
        ),
        artifact("scope/plan", ArtifactType.RESEARCH_PLAN, "phases/scope/output/plan.json", "scope"),
        artifact(
            "review/report_1", ArtifactType.REVIEW_REPORT, "phases/review/output/review_1_1.json", "review"
        ),
        artifact(
            "review-2/report_1",
            ArtifactType.REVIEW_REPORT,
            "phases/review-2/output/review_2_1.json",
            "review-2",
        ),
    ]
    assert [item.id for item in current(made)] == [
        "analyze-2/results",
        "scope/plan",
        "review/report_1",
        "review-2/report_1",
    ]


def test_what_was_decided_again_after_a_review_is_exploratory_whatever_an_agent_says() -> None:
    graph = completed(Graph(initial_nodes()))
    assert (
        reopened(graph.nodes()) == () and labelled(plan(), ()) == plan() and plan().hypotheses[0].confirmatory
    )
    text = completed(graph.added(revision_nodes(graph.nodes(), PhaseType.ANALYZE, {})))
    assert reopened(text.nodes()) == (), (
        "tests are chosen by rule, so drawing and writing again decides nothing"
    )
    again = graph.added(revision_nodes(graph.nodes(), PhaseType.DESIGN, {}))
    assert reopened(again.nodes()) == ("design-2", "collect-2")
    label = labelled(plan(), reopened(again.nodes()))
    assert [item.confirmatory for item in label.hypotheses] == [False] and label.title == plan().title
    assert "exploratory" in reopened_warning(("design-2",)) and "design-2" in reopened_warning(("design-2",))


@pytest.mark.parametrize(
    ("rejections", "objections", "code", "name"),
    [(1, 0, 11, "Rejected"), (2, 3, 11, "Rejected"), (0, 3, 10, "Objected"), (0, 0, 0, "Completed")],
)
def test_a_paper_that_a_reviewer_rejects_is_not_accepted_with_or_without_issues(
    rejections: int, objections: int, code: int, name: str
) -> None:
    outcome = Outcome(
        study_id="a",
        run_id="b",
        folder="f",
        report="r",
        complete=True,
        mode="A",
        participants=4,
        rejections=rejections,
        objections=objections,
    )
    assert (outcome.end.code, outcome.end.name, final_state(outcome).name) == (code, name, name)
    assert ("not accepted" in outcome.line) is bool(rejections)
