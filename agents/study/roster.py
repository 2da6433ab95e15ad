"""The agents of a study: name, title, and what each is there for."""

from __future__ import annotations

ROSTER: dict[str, tuple[str, str]] = {
    "input_classifier": ("InputClassifierAgent", "tells a topic from a research question"),
    "query_writer": ("QueryWriterAgent", "writes the queries with which code searches for literature"),
    "scope_planner": (
        "ScopePlannerAgent",
        "makes the research plan with hypotheses that data can contradict",
    ),
    "protocol_designer": ("ProtocolDesignerAgent", "designs protocol, questionnaire and variables"),
    "data_describer": ("DataDescriberAgent", "says what the columns of real data are, from their profile"),
    "persona_writer": (
        "PersonaWriterAgent",
        "writes a portrait of a simulated participant from drawn attributes",
    ),
    "persona_context": ("PersonaContextAgent", "writes the situation of a simulated participant"),
    "persona_experience": (
        "PersonaExperienceAgent",
        "lives through the conditions as one simulated participant",
    ),
    "persona_responder": ("PersonaResponderAgent", "answers the questionnaire as one simulated participant"),
    "analysis_writer": ("AnalysisWriterAgent", "writes the script that draws the figures"),
    "codebook_writer": ("CodebookWriterAgent", "makes a code book for what participants wrote"),
    "coder_qualitative": ("QualitativeCoderAgent", "codes texts by a code book, without seeing other coders"),
    "coding_resolver": (
        "CodingResolverAgent",
        "decides on codes that one coder gave a text and another did not",
    ),
    "theme_writer": (
        "ThemeWriterAgent",
        "joins codes to themes, with quotations that code finds in the data, masks and counts",
    ),
    "section_writer_study": ("StudySectionWriterAgent", "writes one section of the paper"),
    "study_reviewer": (
        "StudyReviewerAgent",
        "reviews the paper by a venue's criteria and names the phase at fault",
    ),
}
TITLES: dict[str, str] = {name: title for name, (title, _) in ROSTER.items()}
