"""Reviews: scores checked by the rubric, verdict by code, agents only stricter; merging asks nobody."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from schemas.bundle import BundleFile, ManifestLock, bundle_sha256
from schemas.errors import AnswerError, InputError, StateError
from schemas.explore.reviewing import AreaChairAnswer, CitationCheck, PaperReviewAnswer
from tasks.explore.paper import compiling
from tasks.explore.paper.building import build_paper
from tasks.explore.paper.finalizing import finalize_paper
from tasks.explore.review.formatting import check_format
from tasks.explore.review.merging import merge_reviews
from tasks.explore.review.reviewing import reported, review_paper, score_faults
from tasks.explore.review.venues import load_venue, venue_names
from tests.unit.paper.paper_fixture import run_folder, source, venue

pytestmark = pytest.mark.unit


def review(*scores: tuple[str, int], recommendation: str = "accept") -> dict[str, Any]:
    return {
        "summary": "s",
        "strengths": ["a"],
        "weaknesses": ["b"],
        "recommendation": recommendation,
        "confidence": 3,
        "scores": [{"scale": name, "score": score, "reason": "because"} for name, score in scores],
    }


def asker(*answers: dict[str, Any]):  # type: ignore[no-untyped-def]
    left, seen = list(answers), []

    async def ask(agent: str, context: dict[str, Any], images: Sequence[Path]) -> dict[str, Any]:
        seen.append((agent, context, images))
        return left.pop(0)

    return ask, seen


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compiling, "latexmk", lambda: None)
    build_paper(run_folder(tmp_path), source(), venue())
    return tmp_path


def test_every_venue_that_comes_along_fits() -> None:
    assert {"generic", "ml_conference", "photonics_journal", "hci_conference"} <= set(venue_names())
    for name in venue_names():
        assert load_venue(name).venue == name


def test_a_venue_of_a_user_is_a_path_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("venue: mine\ntitle: t\n")
    with pytest.raises(InputError, match="does not fit"):
        load_venue(str(path))
    with pytest.raises(InputError, match="no such venue"):
        load_venue("nature")


def test_the_ensemble_sees_the_text_alone_and_code_gives_the_verdict(run: Path) -> None:
    good, poor = review(("soundness", 4), ("clarity", 4)), review(("soundness", 1), ("clarity", 2))
    chair = {"summary": "s", "decisive": "d", "verdict": "accept"}
    ask, seen = asker(good, good, poor, chair)
    report = asyncio.run(review_paper(ask, run, venue(), 3))
    assert (report.score, report.verdict, report.per_scale["clarity"]) == (1.0, "accept", 4.0)
    assert report.spread > 0.8 and report.meta_review is not None and report.citation_ok
    assert [agent for agent, _, _ in seen] == ["paper_reviewer"] * 3 + ["area_chair"]
    assert all(images == () for _, _, images in seen)
    text = seen[0][1]["paper"]
    assert "12.10 ± 0.12 ms" in text and "{{" not in text and "png" not in text
    assert (
        len({json.dumps(context["reviewer"]) for agent, context, _ in seen if agent == "paper_reviewer"}) == 3
    )


def test_an_area_chair_cannot_be_milder_than_the_scores() -> None:
    poor = [PaperReviewAnswer.model_validate(review(("soundness", 1), ("clarity", 1)))] * 2
    chair = AreaChairAnswer(summary="s", decisive="d", verdict="accept")
    assert reported(poor, chair, venue(), CitationCheck(cited=1), "0").verdict == "reject"
    good = [PaperReviewAnswer.model_validate(review(("soundness", 4), ("clarity", 4)))] * 2
    strict = chair.model_copy(update={"verdict": "reject"})
    assert reported(good, strict, venue(), CitationCheck(cited=1), "0").verdict == "reject"
    assert (
        reported(good, chair, venue(), CitationCheck(cited=1, unknown=("made2020",)), "0").verdict == "reject"
    )


def test_scores_off_the_rubric_go_back_once_and_then_fail(run: Path) -> None:
    off = review(("soundness", 9), ("beauty", 2))
    assert len(score_faults(PaperReviewAnswer.model_validate(off), venue())) == 3
    ask, seen = asker(off, review(("soundness", 3), ("clarity", 3)))
    assert asyncio.run(review_paper(ask, run, venue(), 1)).meta_review is None
    assert seen[1][1]["faults"]
    ask, _ = asker(off, off)
    with pytest.raises(AnswerError, match="rubric"):
        asyncio.run(review_paper(ask, run, venue(), 1))
    twice = PaperReviewAnswer.model_validate(review(("soundness", 3), ("soundness", 3), ("clarity", 3)))
    assert score_faults(twice, venue())


def test_merging_attaches_the_figures_review_and_changes_no_score(run: Path) -> None:
    ask, _ = asker(review(("soundness", 3), ("clarity", 3)))
    before = asyncio.run(review_paper(ask, run, venue(), 1))
    assert merge_reviews(run).vlm_figure_review is None
    (run / "vlm_review.json").write_text('{"score": 0.1, "figures": []}')
    merged = merge_reviews(run)
    assert merged.vlm_figure_review == {"score": 0.1, "figures": []} and merged.score == before.score
    assert merge_reviews(run) == merged
    (run / "vlm_review.json").write_text("[")
    with pytest.raises(InputError, match="vlm_review.json"):
        merge_reviews(run)


def test_the_form_is_checked_by_code(run: Path) -> None:
    found = {finding.requirement: finding.held for finding in check_format(run, venue())}
    assert found["numbers, citations and formulas by the rules"] is True and found["compiles"] is None
    edited = json.loads((run / "paper/source.json").read_text())
    edited["sections"][4]["text"] = "It is 40 times faster."
    (run / "paper/source.json").write_text(json.dumps(edited))
    found = {finding.requirement: finding.held for finding in check_format(run, venue())}
    assert found["numbers, citations and formulas by the rules"] is False


def test_finalizing_injects_the_digest_of_the_lock_and_refuses_another_bundles_record(run: Path) -> None:
    with pytest.raises(InputError, match="no curated bundle"):
        finalize_paper(run, venue())
    files = (BundleFile(path="README.md", sha256="a" * 64, size=3),)
    lock = ManifestLock(bundle_sha256=bundle_sha256(files), files=files)
    (run / "ear_published").mkdir()
    (run / "ear_published/manifest.lock").write_text(lock.model_dump_json())
    finalize_paper(run, venue())
    written = (run / "paper/full_paper.tex").read_text().replace(r"\allowbreak{}", "")
    assert rf"\newcommand{{\codedigest}}{{\texttt{{{lock.bundle_sha256}}}}}" in written
    assert lock.bundle_sha256 in (run / "paper/full_paper.html").read_text()
    record = {
        "backend": "local-tarball",
        "ref": "file:b.tar.gz",
        "bundle_sha256": lock.bundle_sha256,
        "archive_sha256": "b" * 64,
        "archive_size": 3,
    }
    (run / "publish_record.json").write_text(json.dumps(record))
    finalize_paper(run, venue())
    first = (run / "paper/full_paper.tex").read_bytes()
    finalize_paper(run, venue())
    assert (run / "paper/full_paper.tex").read_bytes() == first and b"file:b" in first
    (run / "publish_record.json").write_text(json.dumps(record | {"bundle_sha256": "c" * 64}))
    with pytest.raises(StateError, match="not the curated one"):
        finalize_paper(run, venue())
