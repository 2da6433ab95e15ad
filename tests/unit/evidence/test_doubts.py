"""A person lifts doubts of words and nothing else; no order of findings and doubts makes a target better."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.judging.evidence import Classification, TargetEvidence
from tasks.reproduce.judging.classify import worse
from tasks.reproduce.judging.doubts import doubted, lifted, lowered, open_doubts

pytestmark = pytest.mark.unit
CLASSES: tuple[Classification, ...] = ("SUCCESS", "PARTIAL", "FAILURE")
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("doubt"), st.sampled_from(["its words call it 'loaded'", "no words say which film"])
        ),
        st.tuples(st.sampled_from(["PARTIAL", "FAILURE"]), st.just("a finding")),
    ),
    max_size=5,
)


def _evidence(found: Classification) -> TargetEvidence:
    return TargetEvidence(
        target_id="R",
        stage_id="one",
        ran=True,
        computed=True,
        converged=True,
        physical=True,
        matches=True,
        classification=found,
    )


def _after(found: Classification, steps: list[tuple[str, str]]) -> TargetEvidence:
    evidence = _evidence(found)
    for kind, why in steps:
        evidence = (
            doubted(evidence, [why]) if kind == "doubt" else lowered(evidence, kind, why)  # type: ignore[arg-type]
        )
    return evidence


@given(st.sampled_from(CLASSES), STEPS)
@pytest.mark.attack("judgement", "a person's word lifts doubts, never a finding")
def test_what_is_left_without_doubts_is_what_the_findings_alone_say(
    found: Classification, steps: list[tuple[str, str]]
) -> None:
    evidence = _after(found, steps)
    alone = _after(found, [step for step in steps if step[0] != "doubt"]).classification
    doubt = any(kind == "doubt" for kind, _ in steps)
    assert evidence.classification == (worse("PARTIAL", alone) if doubt else alone)
    confirmed = lifted(evidence, {doubt.doubt_id: "terminal, 2026-11-26" for doubt in evidence.doubts})
    assert confirmed.classification == alone
    assert bool(open_doubts(evidence)) == (doubt and alone == "SUCCESS")


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4, unique_by=lambda why: why[:1].upper() + why[1:]))
def test_one_doubt_that_is_left_keeps_it_partial(reasons: list[str]) -> None:
    evidence = doubted(_evidence("SUCCESS"), reasons)
    assert len({doubt.doubt_id for doubt in evidence.doubts}) == len(reasons)
    some = {doubt.doubt_id: "web" for doubt in evidence.doubts[1:]}
    assert lifted(evidence, some).classification == "PARTIAL"
    assert [doubt.doubt_id for doubt in open_doubts(lifted(evidence, some))] == [evidence.doubts[0].doubt_id]
    assert doubted(evidence, reasons) == evidence, "a doubt is told once"
