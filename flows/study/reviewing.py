"""Review: two reviewers by a venue's criteria; what is wrong goes back to the phase that caused it, so many times."""

from __future__ import annotations

from flows.study.analysing import what_is_shown
from flows.study.coding import of_texts
from flows.study.context import Run
from flows.study.fitting_answers import fitting
from schemas.base import file_sha256
from schemas.study.answers import StudyReviewAnswer
from schemas.study.artifacts import ArtifactType
from schemas.study.graph import PhaseNode, PhaseType
from schemas.study.paper import ReviewReport, StudyIssue
from schemas.talking.pictures import RequestImage
from tasks.study.phases import round_of
from tasks.study.qualitative.written_themes import themes_words
from tasks.study.study_venues import REVIEWERS, criteria_of
from tasks.study.wording.placeholders import without_notes
from tasks.study.workspace.places import output_path

_SERIOUS = ("blocking", "major")


def review(run: Run, node: PhaseNode) -> None:
    """A report of each reviewer, who sees nothing of the other."""
    criteria, pictures = criteria_of(run.settings.venue), figures_shown(run)
    names = {line.split(":")[0] for line in criteria}
    told = {
        "venue": run.settings.venue or "a journal of human studies",
        "criteria": criteria,
        "plan": run.plan(),
        "design": run.read(PhaseType.DESIGN, "study_protocol"),
        "results": [f"{item.id}: {item.test.apa}. {item.words}" for item in what_is_shown(run)]
        + (themes_words(*texts) if (texts := of_texts(run)) else []),
        "paper": run.read_bytes(PhaseType.SYNTHESIZE, "paper").decode(),
        "figures": [item.caption for item in pictures]
        or "none is attached: there is none, or models may not see what could show single people's data",
    }

    def faults(answer: StudyReviewAnswer) -> list[str]:
        given = [item.name.strip().lower() for item in answer.criteria]
        return [f"there is no criterion {name}" for name in given if name not in names] + [
            f"the criterion {name} is judged {given.count(name)} times"
            for name in sorted(names)
            if given.count(name) != 1
        ]

    for number, who in enumerate(REVIEWERS, 1):
        answer = fitting(
            run,
            node,
            "study_reviewer",
            StudyReviewAnswer,
            {**told, "reviewer": who},
            faults,
            part=f"reviewer{number}",
            images=pictures,
        )
        report = ReviewReport(
            venue=run.settings.venue,
            criteria=answer.criteria,
            issues=answer.issues,
            recommendation=answer.recommendation,
            summary=answer.summary,
        )
        run.write(
            node,
            f"{node.id}/report_{number}",
            ArtifactType.REVIEW_REPORT,
            f"{output_path(node.id)}/review_{round_of(node.id)}_{number}.json",
            report,
        )
        serious = sum(item.severity in _SERIOUS for item in answer.issues)
        run.console.say(
            f"reviewer {number}: {answer.recommendation.replace('_', ' ')}, {serious} serious of "
            f"{len(answer.issues)} issues",
            stage=node.id,
        )


def figures_shown(run: Run) -> tuple[RequestImage, ...]:
    """The paper's figures as it shows them. Of real people none, unless the user allows that models read rows: a figure may show each."""
    if not (run.simulated or run.settings.allow_rows):
        return ()
    return tuple(
        RequestImage(
            path=str(run.space.root / item.path),
            sha256=item.sha256 or file_sha256(run.space.root / item.path),
            media_type="image/png",
            caption=f"figures/{item.path.rsplit('/', 1)[1]}: {without_notes(item.caption)}",
        )
        for item in run.space.manifest().artifacts
        if item.type is ArtifactType.FIGURE and item.produced_by == run.top(PhaseType.ANALYZE)
    )


def open_issues(run: Run) -> tuple[StudyIssue, ...]:
    """What the last review found and is serious."""
    return tuple(item for report in _reports(run) for item in report.issues if item.severity in _SERIOUS)


def rejections(run: Run) -> int:
    """How many of the last reviewers reject the paper, whether or not they name an issue."""
    return sum(report.recommendation == "reject" for report in _reports(run))


def _reports(run: Run) -> list[ReviewReport]:
    top = run.top(PhaseType.REVIEW)
    known = {item.id for item in run.space.manifest().artifacts}
    found = [
        run.space.read(f"{top}/report_{number}")
        for number in range(1, len(REVIEWERS) + 1)
        if f"{top}/report_{number}" in known
    ]
    return [report for report in found if isinstance(report, ReviewReport)]


def to_mend(run: Run, issues: tuple[StudyIssue, ...]) -> dict[PhaseType, str]:
    """Phase -> what it has to mend. Real data cannot be collected again, so what is wrong with them goes to the text."""
    found: dict[PhaseType, list[str]] = {}
    for item in issues:
        phase = item.phase
        if phase is PhaseType.REVIEW or (phase is PhaseType.COLLECT and not run.simulated):
            phase = PhaseType.SYNTHESIZE
        found.setdefault(phase, []).append(
            f"{item.severity}, {item.where}: {item.problem}" + (f" Fix: {item.fix}" if item.fix else "")
        )
    return {phase: "\n".join(lines) for phase, lines in found.items()}
