"""A paper's review: several referees see its text only; code checks their scores, takes the median and gives the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from schemas.base import file_sha256
from schemas.errors import AnswerError
from schemas.explore.paper import HEADINGS, PaperSource
from schemas.explore.reviewing import (
    STRICTNESS,
    AreaChairAnswer,
    CitationCheck,
    PaperReviewAnswer,
    ReviewReport,
    Venue,
    Verdict,
)
from tasks.explore.asking import Ask, asked
from tasks.explore.paper.building import SOURCE, PaperInputs, read_inputs, read_model
from tasks.explore.paper.markup import Inline, inlines, parse
from tasks.explore.paper.printed_numbers import printed
from tasks.explore.paper.results_table import AGAINST, results_table
from tasks.explore.paper.writing import CITING
from tasks.files.store import atomic_write

REPORT = "review_report.json"
_MOST_CORRECTIONS = 1
_LOOKS = (
    "first at soundness: which claim has the weakest evidence",
    "first at what is missing: baselines, ablations, limits",
    "first at clarity: could you repeat it",
    "first at the relation to prior work",
    "first at the statistics",
)


async def review_paper(ask: Ask, run_dir: Path, venue: Venue, reviewers: int = 0) -> ReviewReport:
    """review_report.json. reviewers: 0 for the venue's number. Raises AnswerError for scores off the rubric, twice."""
    source = read_model(run_dir / SOURCE, PaperSource)
    inputs = read_inputs(run_dir)
    text = plain_text(source, inputs)
    reviews = [await _reviewed(ask, text, venue, number) for number in range(reviewers or venue.reviewers)]
    verdict = verdict_of(score_of(reviews, venue), venue)
    meta = None
    if len(reviews) > 1:
        meta = await asked(
            ask,
            "area_chair",
            AreaChairAnswer,
            {
                "venue": _venue_words(venue),
                "scales": _scales(venue),
                "paper": text,
                "verdict_by_scores": verdict,
                "reviews": [review.model_dump(mode="json") for review in reviews],
            },
        )
    report = reported(
        reviews, meta, venue, citations(source, inputs), file_sha256(run_dir / "paper" / "full_paper.tex")
    )
    atomic_write(run_dir / REPORT, report.model_dump_json(indent=1))
    return report


async def _reviewed(ask: Ask, text: str, venue: Venue, number: int) -> PaperReviewAnswer:
    context = {
        "venue": _venue_words(venue),
        "scales": _scales(venue),
        "paper": text,
        "reviewer": f"referee {number + 1}, who looks {_LOOKS[number % len(_LOOKS)]}",
    }
    review = await asked(ask, "paper_reviewer", PaperReviewAnswer, context)
    for _ in range(_MOST_CORRECTIONS):
        wrong = score_faults(review, venue)
        if not wrong:
            return review
        review = await asked(ask, "paper_reviewer", PaperReviewAnswer, {**context, "faults": wrong})
    if wrong := score_faults(review, venue):
        raise AnswerError(
            "a review's scores are off the venue's rubric",
            found="; ".join(wrong[:4]),
            allowed=", ".join(f"{scale.name} {scale.lowest} to {scale.highest}" for scale in venue.scales),
        )
    return review


def score_faults(review: PaperReviewAnswer, venue: Venue) -> list[str]:
    """Scales that are missing, unknown, scored twice or off their range."""
    given = [score.scale for score in review.scores]
    found = [
        f"the scale {name!r} is not in the rubric"
        for name in given
        if name not in {scale.name for scale in venue.scales}
    ]
    for scale in venue.scales:
        if given.count(scale.name) != 1:
            found.append(f"the scale {scale.name!r} is scored {given.count(scale.name)} times, not once")
        found += [
            f"{scale.name} is {score.score}; it goes from {scale.lowest} to {scale.highest}"
            for score in review.scores
            if score.scale == scale.name and not scale.lowest <= score.score <= scale.highest
        ]
    return found


def share_of(review: PaperReviewAnswer, venue: Venue) -> float:
    """The weighted share of the scales, 0 to 1."""
    scores = {score.scale: score.score for score in review.scores}
    total = sum(scale.weight for scale in venue.scales)
    return sum(scale.weight * scale.share(scores[scale.name]) for scale in venue.scales) / total


def score_of(reviews: Sequence[PaperReviewAnswer], venue: Venue) -> float:
    """The median over the referees."""
    return median(share_of(review, venue) for review in reviews)


def verdict_of(score: float, venue: Venue) -> Verdict:
    """By the venue's thresholds."""
    return (
        "accept" if score >= venue.accept_at else "borderline" if score >= venue.borderline_at else "reject"
    )


def stricter(one: Verdict, other: Verdict) -> Verdict:
    """The stricter of two verdicts."""
    return min(one, other, key=STRICTNESS.index)


def reported(
    reviews: Sequence[PaperReviewAnswer],
    meta: AreaChairAnswer | None,
    venue: Venue,
    found: CitationCheck,
    paper_sha256: str,
) -> ReviewReport:
    """The report: an area chair may be stricter than the scores, and a citation of nothing that was retrieved rejects."""
    score = score_of(reviews, venue)
    verdict = verdict_of(score, venue)
    if meta is not None:
        verdict = stricter(verdict, meta.verdict)
    if found.unknown:
        verdict = "reject"
    shares = [share_of(review, venue) for review in reviews]
    per_scale = {
        scale.name: float(
            median(score.score for review in reviews for score in review.scores if score.scale == scale.name)
        )
        for scale in venue.scales
    }
    feedback = dict.fromkeys(words for review in reviews for words in (*review.weaknesses, *review.questions))
    return ReviewReport(
        venue=venue.venue,
        paper_sha256=paper_sha256,
        score=round(score, 4),
        spread=round(max(shares) - min(shares), 4),
        per_scale=per_scale,
        verdict=verdict,
        citation_ok=found.ok,
        citations=found,
        feedback=tuple(feedback),
        ensemble_reviews=tuple(reviews),
        meta_review=meta,
    )


def citations(source: PaperSource, inputs: PaperInputs) -> CitationCheck:
    """By code: which keys are cited, and which are of no retrieved reference."""
    keys: dict[str, None] = {}
    silent = []
    for section in source.sections:
        here = [
            key
            for block in parse(section.text)
            for piece in block.inlines()
            if piece.kind == "cite"
            for key in piece.keys
        ]
        keys |= dict.fromkeys(here)
        if not here and section.name in CITING - {"discussion"}:
            silent.append(section.name)
    known = inputs.bibliography.keys()
    unknown = tuple(key for key in keys if key not in known)
    return CitationCheck(cited=len(keys), unknown=unknown, uncited_sections=tuple(silent))


def plain_text(source: PaperSource, inputs: PaperInputs) -> str:
    """The paper as a referee reads it: numbers injected, figures as their captions' numbers only, references by key."""
    parts = [f"# {_plain(inlines(source.title), inputs)}"]
    for section in source.sections:
        parts.append(f"## {HEADINGS[section.name]}")
        for block in parse(section.text):
            mark = {"heading": "### ", "list": "- "}.get(block.kind, "")
            parts.append("\n".join(mark + _plain(item, inputs) for item in block.items))
        if section.name == "results":
            parts.append(_table(inputs))
    used = [
        reference
        for reference in inputs.bibliography.references
        if f"@{reference.key}" in "".join(section.text for section in source.sections)
    ]
    return "\n\n".join(
        [*parts, "## References", *(f"[{reference.key}] {reference.short()}" for reference in used)]
    )


def _plain(pieces: Sequence[Inline], inputs: PaperInputs) -> str:
    data = inputs.data

    def shown(piece: Inline) -> str:
        if piece.kind == "number" and piece.name in data.words:
            return data.words[piece.name].text
        if piece.kind == "number" and piece.name in data.numbers:
            return printed(data.numbers[piece.name], piece.form).text()
        marked = {"cite": f"[{piece.text}]", "reference": f"({piece.text})", "math": f"${piece.text}$"}
        return marked.get(piece.kind, piece.text)

    return "".join(shown(piece) for piece in pieces)


def _table(inputs: PaperInputs) -> str:
    table = results_table(inputs.data)
    lines = [" | ".join(["node", "kind", *(name for name, _ in table.metrics), "against parent"])]
    for found, numbers in table.rows:
        cells = [printed(number).text() if number else "none" for number in numbers]
        lines.append(" | ".join([found.node_id, found.label, *cells, AGAINST[found.against_parent]]))
    return "\n".join(lines)


def _scales(venue: Venue) -> list[dict[str, Any]]:
    return [
        {
            "scale": scale.name,
            "asks": scale.asks,
            "from": scale.lowest,
            "to": scale.highest,
            "anchors": {str(score): words for score, words in scale.anchors.items()},
        }
        for scale in venue.scales
    ]


def _venue_words(venue: Venue) -> str:
    return f"{venue.title}: {venue.kind}. {venue.guidance}"
