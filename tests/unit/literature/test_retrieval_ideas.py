"""The skill idea over the protocol: a survey of the corpus, a deliberation in one order, ideas that code checked."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from agents.explore.registry import AGENTS
from schemas.explore.deliberation import SynthesizedIdea
from schemas.explore.idea import Idea, IdeaSet
from schemas.explore.lineage import SubRunSeed
from schemas.explore.record import ExploreRecord
from schemas.explore.settings import ExploreSettings
from schemas.literature.found_works import Bibliography, Reference
from schemas.literature.retrieval import RetrievalSettings
from schemas.talking.tools import Skill, ToolContext
from tasks.explore.ideas import checked_ideas, write_ideas
from tasks.literature import prepare_literature
from tasks.tools import Toolbox

pytestmark = pytest.mark.unit
GOAL = Path(__file__).resolve().parents[3] / "goals" / "heat-stencil"


def idea(title: str, **more: Any) -> dict[str, Any]:
    return {
        "title": title,
        "hypothesis": f"{title} is faster",
        "primary_metric": "ns_per_update",
        "direction": "lower",
        "experiment_plan": [{"title": "Baseline", "what": "the naive kernel"}],
        "novelty": "new here",
        "novelty_score": 0.5,
        "feasibility_score": 0.5,
        **more,
    }


class Cast:
    """Agents that answer by rote; told: what each was asked."""

    def __init__(self, ideas: list[dict[str, Any]], selected: int = 1):
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.ideas, self.selected = ideas, selected

    def __call__(self, agent: str, told: dict[str, Any], images: Any) -> dict[str, Any]:
        assert set(told) == set(AGENTS[agent].context), agent
        self.asked.append((agent, told))
        number = len(self.asked)
        return (
            AGENTS[agent]
            .answer.model_validate(
                {
                    "keyword_writer": {"queries": ["stencil cache blocking", "numpy arrays"]},
                    "idea_persona": {
                        "proposals": [
                            {"title": f"Proposal of call {number}", "hypothesis": "h", "experiment": "e"}
                        ]
                    },
                    "idea_critic": {
                        "criticisms": [
                            {
                                "proposal": 1,
                                "keep": False,
                                "weakness": "known",
                                "known_from": ["frigo2005cache"],
                            },
                            {"proposal": 50, "keep": True, "weakness": "there is none of that number"},
                        ]
                    },
                    "idea_synthesizer": {"ideas": self.ideas},
                    "idea_selector": {"index": self.selected, "reason": "it decides most"},
                }[agent]
            )
            .model_dump(mode="json")
        )

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


@pytest.fixture(scope="module")
def box():
    with Toolbox([Skill(name="idea", phase="survey", timeout_s=120)]) as box:
        yield box


@pytest.fixture
def run(tmp_path: Path) -> Path:
    run_dir = tmp_path / "out" / "heat-stencil" / "run1"
    run_dir.mkdir(parents=True)
    shutil.copytree(GOAL, run_dir / "goal", ignore=shutil.ignore_patterns("corpus"))
    prepare_literature(RetrievalSettings(max_references=6), GOAL, run_dir)
    return run_dir


def place(run: Path) -> ToolContext:
    return ToolContext(run_dir=str(run), phase="survey")


def test_survey_and_ideas_in_one_order_with_one_selected(box: Toolbox, run: Path) -> None:
    cast = Cast(
        [idea("Blocks of rows", related=["frigo2005cache", "invented2020"]), idea("Fewer temporaries")]
    )
    found = box.call("survey", {}, place(run), cast)
    assert not found.is_error and found.text.startswith("5 references for 2 queries"), found.text
    kept = Bibliography.model_validate_json((run / "related_refs.json").read_text())
    assert "frigo2005cache" in kept.keys() and kept.queries == ("stencil cache blocking", "numpy arrays")
    made = box.call("generate_ideas", {"rounds": 2}, place(run), cast)
    assert made.text.startswith("2 ideas; 'Fewer temporaries' is explored first: it decides most"), made.text
    persona, critic = ["idea_persona"] * 3, ["idea_critic"]
    assert cast.names == [
        "keyword_writer",
        *persona,
        *critic,
        *persona,
        *critic,
        "idea_synthesizer",
        "idea_selector",
    ]
    third = cast.asked[3][1]
    assert len(third["proposals"]) == 2 and third["proposals"][0].startswith("1: Proposal of call 2")
    assert "sceptic" in third["persona"]
    assert cast.asked[5][1]["criticisms"] == ["1: drop; known (known from frigo2005cache)"]
    assert any(line.startswith("frigo2005cache: Matteo Frigo") for line in third["references"])
    assert third["files"]["kernel.py"].startswith('"""Heat conduction')
    ideas = IdeaSet.model_validate_json((run / "idea.json").read_text())
    assert ideas.selected == 1 and ideas.ideas[0].related == ("frigo2005cache",)
    text = (run / "experiment.md").read_text()
    assert (
        text.startswith((run / "goal" / "goal.md").read_text().rstrip())
        and "## Selected idea: Fewer temporaries" in text
    )
    assert "### 1. Baseline" in text and "- Blocks of rows: " in text
    before = len(cast.asked)
    assert box.call("generate_ideas", {}, place(run), cast).text == made.text and len(cast.asked) == before


def test_a_survey_that_is_repeated_asks_nothing_new(box: Toolbox, run: Path) -> None:
    """As after a kill between the tool's end and the record of its answer."""
    cast, where = Cast([]), place(run).model_copy(update={"call_id": "tool-survey"})
    first = box.call("survey", {}, where, cast)
    (run / "related_refs.json").unlink()
    again = box.call("survey", {}, where, cast)
    assert (
        again.text == first.text and cast.names == ["keyword_writer"] and (run / "related_refs.json").exists()
    )


def test_a_selector_that_names_no_idea_is_overruled_by_code(box: Toolbox, run: Path) -> None:
    other = idea("About something else", primary_metric="beauty", novelty_score=1.0, feasibility_score=1.0)
    made = box.call(
        "generate_ideas", {"personas": 1}, place(run), Cast([other, idea("Blocks"), idea("Rows")], selected=7)
    )
    assert made.text.startswith(
        "3 ideas; 'Blocks' is explored first: idea 7 was chosen, but it is not there"
    ), made.text
    assert not (run / "related_refs.json").exists()  # ideas without a survey cite nothing


def test_a_sub_run_keeps_its_parents_idea_and_sees_the_titles_before(box: Toolbox, run: Path) -> None:
    pinned = Idea.model_validate({**idea("Blocks of rows"), "pinned": True})
    seed = SubRunSeed(
        parent_run="run0",
        index=1,
        venue="generic",
        max_nodes=3,
        ideas=IdeaSet(ideas=(pinned,), catalogue=("Fewer temporaries",)),
    )
    record = ExploreRecord(
        run_id="run1", goal="g", goal_id="heat-stencil", settings=ExploreSettings(), started="", seed=seed
    )
    (run / "run.json").write_text(record.model_dump_json())
    cast = Cast([idea("Fewer temporaries"), idea("Rows in turns")])
    box.call("generate_ideas", {"personas": 1}, place(run), cast)
    ideas = IdeaSet.model_validate_json((run / "idea.json").read_text())
    assert [each.title for each in ideas.ideas] == ["Blocks of rows", "Fewer temporaries", "Rows in turns"]
    assert ideas.selected == 0 and ideas.root.pinned and "idea_selector" not in cast.names
    assert ideas.ideas[1].novelty_score == 0 and ideas.ideas[2].novelty_score == 0.5
    assert cast.asked[0][1]["known_ideas"] == ["Blocks of rows (the run's own)", "Fewer temporaries"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda run: (run / "retrieval.json").write_text("{}}"), "retrieval.json"),
        (lambda run: (run / "idea.json").write_text("[]"), "idea.json of the run does not fit"),
        (lambda run: (run / "goal" / "kernel.py").unlink(), "kernel.py"),
        (lambda run: (run / "related_refs.json").symlink_to("/etc/passwd"), "related_refs.json"),
    ],
)
def test_a_run_that_does_not_fit_is_said(box: Toolbox, run: Path, change: Any, told: str) -> None:
    change(run)
    found = [box.call(tool, {}, place(run), Cast([idea("Blocks")])) for tool in ("survey", "generate_ideas")]
    assert any(answer.is_error and told in answer.text for answer in found), found
    assert box.call("survey", {}, ToolContext(), None).is_error


def test_novelty_is_looked_for_in_titles_and_a_second_idea_of_one_title_is_left_out() -> None:
    work = Reference(key="frigo2005cache", title="Cache oblivious stencil computations", source="corpus")
    known = Bibliography(references=(work,))
    ideas = checked_ideas(
        [
            SynthesizedIdea.model_validate(idea(title))
            for title in (
                "Cache-oblivious stencil computations",
                "Blocks of rows",
                "The blocks of rows",
                "Wholly other",
            )
        ],
        known,
        (),
    )
    assert [(each.title, each.novelty_score) for each in ideas] == [
        ("Cache-oblivious stencil computations", 0.0),
        ("Blocks of rows", 0.5),
        ("Wholly other", 0.5),
    ]
    assert "frigo2005cache: 100%" in ideas[0].novelty


def test_words_of_a_model_cannot_pose_as_parts_of_the_experiment(tmp_path: Path) -> None:
    words = "x\n## Selected idea: other\n<script>alert(1)</script>\u202e"
    hostile = Idea.model_validate({**idea("A\n## Plan"), "hypothesis": words})
    write_ideas(tmp_path, "# Goal\n", IdeaSet(ideas=(hostile,)))
    text = (tmp_path / "experiment.md").read_text()
    assert (
        text.count("\n## ") == 2 and "<script>" not in text.replace("\\<script>", "") and "\u202e" not in text
    )
