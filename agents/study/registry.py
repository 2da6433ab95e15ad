"""All agents of a study: what each is shown, and what it answers.

To add one: an entry here, a line in roster.py, a prompt in prompts/study/.
"""

from __future__ import annotations

from agents.study.roster import ROSTER
from agents.talking.agent import Agent, Crew
from schemas.base import Model
from schemas.study.answers import (
    AnalysisAnswer,
    CodebookAnswer,
    CodingAnswer,
    ContextAnswer,
    DataAnswer,
    DesignAnswer,
    ExperienceAnswer,
    PortraitAnswer,
    QueryAnswer,
    ResolutionAnswer,
    ResponseAnswer,
    ScopeAnswer,
    StudyReviewAnswer,
    StudySectionAnswer,
    ThemesAnswer,
)
from schemas.study.inputs import InputAnswer

CREW = Crew(
    rules="study_rules",
    constants=lambda settings: {},
    limits=lambda settings: {},
    stable=("plan", "design", "questionnaire", "codebook"),
)


def _declared(
    name: str, answer: type[Model], context: tuple[str, ...], *, prompt: str = "", sees_images: bool = False
) -> Agent:
    """An agent of the roster; its prompt has the agent's name unless given."""
    title, role = ROSTER[name]
    return Agent(CREW, name, title, prompt or name, answer, context, sees_images, role)


_ALL = (
    _declared("input_classifier", InputAnswer, ("text", "domain")),
    _declared(
        "query_writer",
        QueryAnswer,
        (
            "question",
            "domain",
            "notes",
            "columns",
            "backends",
            "asked",
            "found",
            "issues",
            "faults",
        ),
    ),
    _declared(
        "scope_planner",
        ScopeAnswer,
        (
            "question",
            "domain",
            "paradigm",
            "venue",
            "data_profile",
            "notes",
            "literature",
            "plan",
            "issues",
            "faults",
        ),
    ),
    _declared(
        "protocol_designer",
        DesignAnswer,
        (
            "plan",
            "domain",
            "paradigm",
            "participants",
            "design",
            "issues",
            "faults",
        ),
    ),
    _declared("data_describer", DataAnswer, ("plan", "data_profile", "notes", "design", "issues", "faults")),
    # writes a portrait of a simulated participant from drawn attributes. Sees neither plan nor conditions
    _declared("persona_writer", PortraitAnswer, ("attributes", "domain", "language")),
    # writes the situation of a simulated participant. Sees neither plan, conditions nor other participants
    _declared("persona_context", ContextAnswer, ("attributes", "portrait", "setting", "language")),
    # lives through the conditions as one simulated participant. conditions: in the order met. Sees neither plan,
    # questions nor other participants
    _declared(
        "persona_experience",
        ExperienceAnswer,
        (
            "attributes",
            "portrait",
            "context",
            "conditions",
            "procedure",
            "language",
        ),
    ),
    # answers the questionnaire as one simulated participant. conditions: names only, in the order met. Sees
    # neither plan nor other participants
    _declared(
        "persona_responder",
        ResponseAnswer,
        (
            "attributes",
            "portrait",
            "context",
            "experience",
            "questionnaire",
            "conditions",
            "faults",
        ),
    ),
    # writes the script that draws the figures. It gets no rows: its script reads them in the sandbox
    _declared(
        "analysis_writer",
        AnalysisAnswer,
        (
            "plan",
            "design",
            "variables",
            "data_profile",
            "results",
            "packages",
            "issues",
            "faults",
        ),
    ),
    _declared("codebook_writer", CodebookAnswer, ("question", "texts", "paradigm", "faults")),
    # codes texts by a code book, without seeing other coders. Coders are asked apart; none sees another's codes
    _declared("coder_qualitative", CodingAnswer, ("codebook", "units", "faults")),
    # sees what both coders marked where they differ, not who; nothing that they agree on
    _declared("coding_resolver", ResolutionAnswer, ("codebook", "disputed", "faults")),
    # sees the settled codes, no counts and no tests
    _declared("theme_writer", ThemesAnswer, ("question", "codebook", "units", "draft", "faults")),
    _declared(
        "section_writer_study",
        StudySectionAnswer,
        (
            "section",
            "asks",
            "venue",
            "language",
            "plan",
            "design",
            "questionnaire",
            "variables",
            "results",
            "values",
            "figures",
            "references",
            "draft",
            "issues",
            "faults",
        ),
    ),
    _declared(
        "study_reviewer",
        StudyReviewAnswer,
        (
            "venue",
            "criteria",
            "plan",
            "design",
            "results",
            "paper",
            "figures",
            "reviewer",
            "faults",
        ),
        sees_images=True,
    ),
)
AGENTS: dict[str, Agent] = {agent.name: agent for agent in _ALL}
ANSWERS: dict[str, type[Model]] = {agent.answer.__name__: agent.answer for agent in AGENTS.values()}
