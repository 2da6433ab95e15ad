"""What the agents of a study answer; code makes artifacts of it and adds what code computes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import Model
from schemas.study.design import Condition, Ethics, PlannedEffect, Quota, Variable
from schemas.study.exclusion import ExclusionRule
from schemas.study.paper import Criterion, StudyIssue
from schemas.study.persona import ItemAnswer
from schemas.study.questionnaire import Questionnaire
from schemas.study.scope import ResearchPlan


class ScopeAnswer(Model):
    """The scope planner's plan."""

    plan: ResearchPlan


class QueryAnswer(Model):
    """Queries for literature."""

    queries: tuple[Annotated[str, Field(min_length=2, max_length=200)], ...] = Field(
        max_length=6, description="a few technical words each; none when nothing more is worth asking"
    )


class DesignAnswer(Model):
    """The protocol designer's design. The sample size is missing: code computes it from `effect`."""

    title: str = Field(max_length=200)
    assignment: Literal["between", "within", "single"]
    conditions: tuple[Condition, ...] = Field(min_length=1, max_length=12)
    procedure: tuple[str, ...] = Field(
        min_length=1, max_length=40, description="steps until the last answer; participants know all of them"
    )
    debriefing: tuple[str, ...] = Field(
        (),
        max_length=20,
        description="what participants are told after their last answer; nobody knows it before",
    )
    quotas: tuple[Quota, ...] = Field(max_length=12)
    inclusion: tuple[str, ...] = ()
    exclusion: tuple[str, ...] = ()
    effect: PlannedEffect | None = Field(None, description="needed unless the study is qualitative")
    ethics: Ethics
    rules: tuple[ExclusionRule, ...] = Field(
        (), max_length=20, description="by which code leaves participants out"
    )
    exclusions: tuple[str, ...] = Field(
        (), description="the same in words, for readers; words alone leave nobody out"
    )
    questionnaire: Questionnaire
    variables: tuple[Variable, ...] = Field(min_length=1, max_length=80)


class DataAnswer(Model):
    """The data describer's reading of real data: what each column that matters is. Nothing is known that is not told."""

    title: str = Field(max_length=200)
    variables: tuple[Variable, ...] = Field(min_length=1, max_length=80)
    collected: str = Field(
        max_length=3000, description="how the data were collected, as far as the input says"
    )
    unknown: tuple[str, ...] = Field(
        (), max_length=20, description="what the input does not say and a reader would need"
    )
    rules: tuple[ExclusionRule, ...] = Field(
        (), max_length=20, description="of kind value, by which code leaves rows out"
    )
    exclusions: tuple[str, ...] = Field(
        (), description="the same in words, for readers; words alone leave nobody out"
    )


class PortraitAnswer(Model):
    """A participant's portrait."""

    portrait: str = Field(min_length=80, max_length=4000)


class ContextAnswer(Model):
    """A participant's situation."""

    text: str = Field(min_length=80, max_length=8000)


class ExperienceAnswer(Model):
    """What a participant lived through."""

    text: str = Field(min_length=80, max_length=12_000)


class ResponseAnswer(Model):
    """A participant's answers to the questionnaire."""

    answers: tuple[ItemAnswer, ...] = Field(max_length=2000)


class AnalysisAnswer(Model):
    """A script that draws figures and describes data; tests are not its business."""

    code: str = Field(min_length=20, max_length=40_000)
    figures: tuple[str, ...] = Field(
        (), max_length=12, description="files it writes, such as figures/ease.png"
    )
    captions: tuple[str, ...] = Field((), max_length=12, description="one for each figure, without numbers")


CodeName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Code(Model):
    """One code of a code book."""

    name: CodeName
    definition: str = Field(max_length=600)
    example: str = Field("", max_length=600)


class CodebookAnswer(Model):
    """A code book for texts."""

    codes: tuple[Code, ...] = Field(min_length=2, max_length=30)


class UnitCode(Model):
    """A code of one text; None where no code fits."""

    unit: str = Field(max_length=80)
    code: str | None
    quote: str = Field(
        "",
        max_length=2000,
        description="the words that carry the code, as they stand in the text; empty: the whole text",
    )
    memo: str = Field("", max_length=600, description="why this code, where somebody might doubt it")


class CodingAnswer(Model):
    """One coder's codes of all texts; a text may have several."""

    codes: tuple[UnitCode, ...] = Field(max_length=2000)


class Decision(Model):
    """Whether a text keeps a code that not all coders gave it."""

    unit: str = Field(max_length=80)
    code: CodeName
    keep: bool
    because: str = Field(min_length=3, max_length=600)


class ResolutionAnswer(Model):
    """A decision on each code on which the coders differ."""

    decisions: tuple[Decision, ...] = Field(max_length=2000)


class QuotedWords(Model):
    """Words of a text, as they stand there."""

    unit: str = Field(max_length=80)
    text: str = Field(min_length=3, max_length=600)


class ThemeAnswer(Model):
    """A theme: what it says, the codes that it joins, and words of the texts that show it."""

    name: CodeName
    title: str = Field(min_length=3, max_length=80)
    meaning: str = Field(min_length=3, max_length=600)
    codes: tuple[CodeName, ...] = Field(min_length=1, max_length=30)
    quotations: tuple[QuotedWords, ...] = Field(min_length=1, max_length=5)


class ThemesAnswer(Model):
    """Themes of the coded texts; what is counted, masked and shown is code's."""

    themes: tuple[ThemeAnswer, ...] = Field(min_length=1, max_length=12)
    names: tuple[Annotated[str, Field(min_length=2, max_length=60)], ...] = Field(
        (),
        max_length=100,
        description="names of people, places, employers in these quotations, which are masked",
    )


class StudySectionAnswer(Model):
    """One section of the paper, with `{{name}}` for every number of the results."""

    text: str = Field(min_length=80, max_length=30_000)


class StudyReviewAnswer(Model):
    """A review of the paper by a venue's criteria."""

    criteria: tuple[Criterion, ...] = Field(min_length=1, max_length=15)
    issues: tuple[StudyIssue, ...] = Field((), max_length=40)
    recommendation: Literal["accept", "minor_revision", "major_revision", "reject"]
    summary: str = Field(max_length=6000)
