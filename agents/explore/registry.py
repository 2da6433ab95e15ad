"""All agents of an exploration: what each is shown, and what it answers.

To add one: an entry here, a line in roster.py, a prompt in prompts/explore/.
"""

from __future__ import annotations

from agents.explore.roster import ROSTER
from agents.talking.agent import Agent, Crew
from schemas.base import Model
from schemas.explore.asked_by_skills import FigureReviewAnswer, MetricSpecAnswer
from schemas.explore.deliberation import (
    IdeaCriticAnswer,
    IdeaPersonaAnswer,
    IdeaSynthesizerAnswer,
    KeywordWriterAnswer,
)
from schemas.explore.evaluation import EvaluationAnswer
from schemas.explore.experiment import ExperimentAnswer
from schemas.explore.figures import FigureMakerAnswer
from schemas.explore.grade import LeafGraderAnswer, ReplicatorAnswer
from schemas.explore.idea import RootIdeaAnswer
from schemas.explore.lineage import LineageAnswer
from schemas.explore.paper import SectionAnswer, SectionReviewAnswer
from schemas.explore.reviewing import AreaChairAnswer, PaperReviewAnswer
from schemas.explore.rubric import RubricAuditorAnswer, RubricWriterAnswer
from schemas.explore.science_data import AnalystAnswer
from schemas.explore.tree import ExpansionAnswer

CREW = Crew(
    rules="explore_rules",
    constants=lambda settings: {},
    limits=lambda settings: {},
    stable=("goal", "rules_of_tools"),
    unkeyed=frozenset({"budget_left"}),
)


def _declared(
    name: str, answer: type[Model], context: tuple[str, ...], *, prompt: str = "", sees_images: bool = False
) -> Agent:
    """An agent of the roster; its prompt has the agent's name unless given."""
    title, role = ROSTER[name]
    return Agent(CREW, name, title, prompt or name, answer, context, sees_images, role)


_ALL = (
    _declared("keyword_writer", KeywordWriterAnswer, ("goal", "purpose", "backends", "asked", "found")),
    _declared(
        "idea_persona",
        IdeaPersonaAnswer,
        (
            "goal",
            "metric",
            "files",
            "references",
            "known_ideas",
            "persona",
            "round",
            "proposals",
            "criticisms",
        ),
    ),
    _declared(
        "idea_critic", IdeaCriticAnswer, ("goal", "metric", "files", "references", "known_ideas", "proposals")
    ),
    # makes ideas with a metric, criteria and a plan out of proposals
    _declared(
        "idea_synthesizer",
        IdeaSynthesizerAnswer,
        ("goal", "metric", "files", "references", "known_ideas", "proposals", "criticisms"),
    ),
    _declared("idea_selector", RootIdeaAnswer, ("goal", "ideas")),
    _declared(
        "expander",
        ExpansionAnswer,
        ("goal", "metric", "idea", "parent", "parent_report", "siblings", "best", "labels", "duplicate"),
    ),
    # works in a node of the tree with tools, until its experiment ran
    _declared(
        "experimenter",
        ExperimentAnswer,
        ("goal", "metric", "task", "direction", "idea", "files", "prior_knowledge", "environment", "budget"),
        sees_images=True,
    ),
    # scores a node's axes, with reasons; the numbers were measured by code
    _declared(
        "node_evaluator",
        EvaluationAnswer,
        (
            "goal",
            "idea",
            "axes",
            "task",
            "direction",
            "measured",
            "comparison",
            "refused",
            "summary",
            "files",
        ),
    ),
    _declared("lineage_judge", LineageAnswer, ("goal", "metric", "ideas", "tree", "still", "nodes_left")),
    # says in words what the experiments did and found; all numbers are placeholders
    _declared(
        "analyst",
        AnalystAnswer,
        (
            "question",
            "metric",
            "numbers",
            "nodes",
            "programs",
            "programs_left_out",
            "warning",
            "draft",
            "faults",
        ),
    ),
    _declared(
        "figure_maker",
        FigureMakerAnswer,
        (
            "question",
            "data_guide",
            "numbers",
            "configurations",
            "findings",
            "previous",
            "feedback",
            "faults",
        ),
        sees_images=True,
    ),
    _declared(
        "section_writer",
        SectionAnswer,
        (
            "section",
            "asks",
            "venue",
            "question",
            "numbers",
            "findings",
            "configurations",
            "figures",
            "references",
            "written",
            "draft",
            "issues",
            "faults",
        ),
    ),
    # says what one section still needs
    _declared(
        "section_reviewer",
        SectionReviewAnswer,
        (
            "section",
            "asks",
            "venue",
            "numbers",
            "findings",
            "configurations",
            "figures",
            "references",
            "draft",
            "contradicted",
        ),
    ),
    # reviews the paper's text by the venue's rubric
    _declared(
        "paper_reviewer",
        PaperReviewAnswer,
        (
            "venue",
            "scales",
            "paper",
            "reviewer",
            "faults",
        ),
    ),
    # weighs several reviews; never milder than their scores
    _declared(
        "area_chair",
        AreaChairAnswer,
        (
            "venue",
            "scales",
            "paper",
            "reviews",
            "verdict_by_scores",
        ),
    ),
    # says how success of a goal is measured, once, before any experiment
    _declared("metric_specifier", MetricSpecAnswer, ("goal", "provided_files", "measure_program", "faults")),
    # looks at a figure or a table as a referee would
    _declared(
        "figure_reviewer", FigureReviewAnswer, ("caption", "kind", "table", "context"), sees_images=True
    ),
    # writes the rubric by which a reproduction of the paper is graded; blind to every measured value
    _declared("rubric_writer", RubricWriterAnswer, ("paper_text", "numbers", "faults")),
    # looks for leaves of a frozen rubric that are vague, not of the paper, or paid for nothing
    _declared("rubric_auditor", RubricAuditorAnswer, ("paper_text", "rubric")),
    # writes a reproduction from the paper's text alone, where no bundle was published; blind to every measured
    # value
    _declared(
        "replicator",
        ReplicatorAnswer,
        ("paper_text", "measure_program", "numbers", "expected_artifacts", "inputs", "faults"),
    ),
    # grades the leaves of a rubric that state no number; those that do are measured by code
    _declared(
        "leaf_grader", LeafGraderAnswer, ("paper_text", "files", "other_files", "log", "outcome", "leaves")
    ),
)
AGENTS: dict[str, Agent] = {agent.name: agent for agent in _ALL}
ANSWERS: dict[str, type[Model]] = {agent.answer.__name__: agent.answer for agent in AGENTS.values()}
