"""The agents of an exploration: name, title, and what each is there for."""

from __future__ import annotations

ROSTER: dict[str, tuple[str, str]] = {
    "keyword_writer": ("KeywordWriterAgent", "writes queries for literature"),
    "idea_persona": ("IdeaPersonaAgent", "proposes experiments from one point of view"),
    "idea_critic": ("IdeaCriticAgent", "criticises every proposal"),
    "idea_synthesizer": (
        "IdeaSynthesizerAgent",
        "makes ideas with metric, criteria and plan out of proposals",
    ),
    "idea_selector": ("IdeaSelectorAgent", "says which idea is explored first"),
    "expander": ("ExpanderAgent", "proposes one child of a node"),
    "experimenter": ("ExperimenterAgent", "runs a node's experiment with tools"),
    "node_evaluator": ("NodeEvaluatorAgent", "scores a node's axes, with reasons"),
    "lineage_judge": ("LineageJudgeAgent", "decides what to do when the search stands still"),
    "analyst": ("AnalystAgent", "says in words what the experiments did and found"),
    "figure_maker": ("FigureMakerAgent", "draws the paper's figures from the data as code"),
    "section_writer": ("SectionWriterAgent", "drafts and revises one section of the paper"),
    "section_reviewer": ("SectionReviewerAgent", "says what one section of the paper still needs"),
    "paper_reviewer": ("PaperReviewerAgent", "reviews the paper by the venue's rubric"),
    "area_chair": ("AreaChairAgent", "weighs several reviews of the paper"),
    "metric_specifier": ("MetricSpecifierAgent", "says how success is measured, before any experiment"),
    "figure_reviewer": ("FigureReviewerAgent", "looks at figures and tables as a referee would"),
    "rubric_writer": ("RubricWriterAgent", "writes the rubric by which a reproduction is graded"),
    "rubric_auditor": ("RubricAuditorAgent", "looks for leaves that are vague or paid for nothing"),
    "replicator": ("ReplicatorAgent", "writes a reproduction from the paper's text alone"),
    "leaf_grader": ("LeafGraderAgent", "grades the leaves that state no number"),
}
TITLES: dict[str, str] = {name: title for name, (title, _) in ROSTER.items()}
